/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Checks the bytes of a JSON text before yajl parses them; only the parser
 * uses this.  yajl's callbacks get strings unescaped, where a lone surrogate
 * is "?", and don't know the offset of an error; yajl's own check accepts
 * overlong forms and surrogates; and yajl begins a token again with each
 * piece, so that a long string in many pieces needs quadratic time, and memory
 * whose allocation yajl does not check.  Therefore the scanner checks strings,
 * splits the text between tokens, and leaves only short tokens to yajl.
 */


#ifndef JUDGE_JSON_SCAN_H
#define JUDGE_JSON_SCAN_H


#include "base/text/utf8.h"


typedef enum {
    JUDGE_SCAN_OUTSIDE,                /* outside of strings */
    JUDGE_SCAN_STRING,
    JUDGE_SCAN_ESCAPE,                 /* after a backslash */
    JUDGE_SCAN_HEX,                    /* within the digits of \u */
    JUDGE_SCAN_UTF8                    /* within a character */
} judge_scan_state_e;

typedef struct {
    judge_scan_state_e  state;
    uint32_t            unit;          /* value of the digits so far */
    unsigned            left;          /* digits that are missing */
    judge_utf8_tail_t   tail;          /* of the current character */
    bool                high;          /* a low surrogate must follow */
    const char         *fault;         /* what is wrong; NULL: nothing yet */
} judge_json_scan_t;


/*
 * Scans `data` from offset `from`; the bytes before were scanned earlier.
 * Returns the number of bytes scanned: data.len, or less if `fault` was set.
 * Sets *cut to the end of the last whole token that ends after `from`; if
 * there is none, *cut does not change.
 */
size_t judge_json_scan(judge_json_scan_t *s, judge_str_t data, size_t from,
    size_t *cut);

/* The content of the next long string in whole tokens that were scanned, from
 * offset `from`, which is in no string; absent: there is none.  The first
 * token may be a long number, too, whose digits nobody has checked. */
judge_str_t judge_json_long(judge_str_t text, size_t from);


#endif /* JUDGE_JSON_SCAN_H */
