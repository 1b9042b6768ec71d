/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Identifiers: a prefix by kind, '_', and 26 characters of Crockford's
 * base32 (the ULID form: 48 bits of milliseconds, 80 random bits), so that
 * they sort by time.  Clients must not parse them. */


#ifndef JUDGE_ID_H
#define JUDGE_ID_H


#include "base/core/str.h"
#include "base/core/time.h"


#define JUDGE_ID_LEN  30               /* 3 + 1 + 26 */

/* An array, not a pointer, so that a row needs no allocation for it. */
typedef struct {
    char  text[JUDGE_ID_LEN + 2];      /* zero-terminated */
} judge_id_t;

/* The prefix has exactly three letters.  Any thread may call this function.
 * Identifiers that one thread makes with one prefix sort in the order of the
 * calls, even within a millisecond (the random part is incremented); those of
 * several threads or processes in the same millisecond sort in any order. */
judge_rc_e judge_id_make(judge_id_t *id, const char *prefix, judge_ms_t now);
judge_str_t judge_id_str(const judge_id_t *id);

/* Makes the first of JUDGE_ID_RANGE consecutive identifiers, all of which are
 * reserved for the caller.  Its last JUDGE_ID_COUNTED digits are zeros; those
 * of the n-th one, counted from 0, are the number n. */
#define JUDGE_ID_COUNTED  5
#define JUDGE_ID_RANGE    (1 << 5 * JUDGE_ID_COUNTED)

judge_rc_e judge_id_make_range(judge_id_t *id, const char *prefix,
    judge_ms_t now);
void judge_id_nth(judge_id_t *id, const judge_id_t *first, size_t n);

/* Makes a bound for comparisons: identifiers with that prefix that were made
 * at `t` or later sort after the bound, and earlier ones before it. */
void judge_id_bound(judge_id_t *id, const char *prefix, judge_ms_t t);

/* Copies any string, truncates it to the length of an identifier, and makes an
 * absent one empty. */
void judge_id_set(judge_id_t *id, judge_str_t s);

/* Whether s has the form of an identifier with that prefix. */
bool judge_id_wellformed(judge_str_t s, const char *prefix);
judge_ms_t judge_id_time(judge_str_t s);                 /* 0 if malformed */


#endif /* JUDGE_ID_H */
