/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Looks over the bytes of a JSON text before yajl does; internal to the
 * parser.  It finds what yajl lets pass, which is UTF-8 that is not strict
 * and escapes of lone surrogates, and it finds where the text may be cut
 * without cutting a token: yajl starts a token anew with each piece, so that
 * a long string in many pieces would take it quadratic time, and keeps the
 * beginning in memory whose allocation it does not check.
 */


#ifndef JUDGE_JSON_SCAN_H
#define JUDGE_JSON_SCAN_H


#include "base/core/str.h"


typedef enum {
    JUDGE_SCAN_OUTSIDE,                /* of strings */
    JUDGE_SCAN_STRING,
    JUDGE_SCAN_ESCAPE,                 /* behind a backslash */
    JUDGE_SCAN_HEX,                    /* within the digits of \u */
    JUDGE_SCAN_UTF8                    /* within a character */
} judge_scan_state_e;

typedef struct {
    judge_scan_state_e  state;
    uint32_t            unit;          /* value of the digits so far */
    unsigned            left;          /* digits or bytes still to come */
    unsigned char       lo;            /* bounds of the next byte */
    unsigned char       hi;
    bool                high;          /* a high surrogate waits for its low */
    bool                escaped;       /* the current string has escapes */
    size_t              length;        /* bytes of the current string */
    size_t              longest;       /* of all strings with escapes */
    const char         *fault;         /* what is wrong; NULL: nothing yet */
} judge_json_scan_t;


/*
 * Scans `data` from `from` on, what lies before having been scanned already.
 * Returns the number of bytes scanned: data.len, or less where `fault` was
 * found.  *cut becomes the end of the last whole token that ends behind
 * `from`, or stays as it is when there is none.
 */
size_t judge_json_scan(judge_json_scan_t *s, judge_str_t data, size_t from,
    size_t *cut);


#endif /* JUDGE_JSON_SCAN_H */
