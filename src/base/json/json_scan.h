/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Looks over the bytes of a JSON text before yajl does; internal to the
 * parser.  yajl's callbacks are not enough: they get strings unescaped, where
 * a lone surrogate may be "?" and the byte of a fault is lost; yajl's own
 * check lets overlong forms and surrogates pass; and yajl starts a
 * token anew with each piece, so that a long string in many pieces takes
 * quadratic time and memory whose allocation yajl does not check.  So UTF-8
 * and escapes are checked here, and the text is cut between tokens.
 */


#ifndef JUDGE_JSON_SCAN_H
#define JUDGE_JSON_SCAN_H


#include "base/text/utf8.h"


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
    unsigned            left;          /* digits still to come */
    judge_utf8_tail_t   tail;          /* of the current character */
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
