/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Regular expressions, by PCRE2.  It backtracks, so that what it does is
 * counted, where there is an allowance (base/core/allowance.h), and a search
 * that would take too long is given up: always at the same place. */


#ifndef JUDGE_REGEX_H
#define JUDGE_REGEX_H


#include "base/core/str.h"


#define JUDGE_REGEX_MAX     1000     /* bytes of an expression of others */
#define JUDGE_REGEX_REPEAT  1000     /* and the number in its {n,m} */

#define JUDGE_REGEX_GROUPS  40

typedef struct judge_regex  judge_regex_t;

typedef enum {
    JUDGE_REGEX_OWN,                 /* known to take linear time */
    JUDGE_REGEX_TABLE,               /* so, too; "¦" stands for "|" */
    JUDGE_REGEX_OTHERS               /* bounds as above; to be looked for by
                                        a reader with an allowance */
} judge_regex_origin_e;

/* Everything is in `arena`.  JUDGE_INVALID: with *error, what is wrong with
 * the expression, without a full stop; error may be NULL. */
judge_rc_e judge_regex_compile(judge_arena_t *arena, judge_str_t expression,
    judge_regex_origin_e origin, judge_regex_t **pattern,
    judge_str_t *error);

/* The first match at or behind `from`, which lies between characters; the
 * text is well-formed UTF-8.  JUDGE_OK with [*begin, *end), JUDGE_NOT_FOUND,
 * JUDGE_BUSY when it was given up, JUDGE_NOMEM. */
judge_rc_e judge_regex_find(judge_regex_t *p, judge_str_t text,
    size_t from, size_t *begin, size_t *end);

/* A group of the last match; absent: it took no part. */
judge_str_t judge_regex_group(const judge_regex_t *p, judge_str_t text,
    unsigned group);

/* The same by the name of the group; absent also where there is none. */
judge_str_t judge_regex_named(const judge_regex_t *p, judge_str_t text,
    const char *name);

/* What was compiled once is shared by threads; each of them looks by one of
 * its own, which takes one expression after the other.  Groups up to
 * JUDGE_REGEX_GROUPS are seen.  NULL: no memory. */
judge_regex_t *judge_regex_reader(judge_arena_t *arena);
void judge_regex_take(judge_regex_t *reader, const judge_regex_t *p);

/* What the reader does from now on is taken from that. */
void judge_regex_charge(judge_regex_t *reader, judge_allowance_t *allowance);

/* Where to look on behind a match, an empty one, too. */
size_t judge_regex_behind(judge_str_t text, size_t begin, size_t end);


#endif /* JUDGE_REGEX_H */
