/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* UTF-8: strict decoding (no overlong forms, no surrogates, at most
 * U+10FFFF), encoding, counting and cutting. */


#ifndef JUDGE_UTF8_H
#define JUDGE_UTF8_H


#include "base/core/str.h"


#define JUDGE_UTF8_INVALID  0xffffffffu

/* The number of bytes that must follow, and the bounds of the next one; the
 * bounds of later ones are 0x80 and 0xbf. */
typedef struct {
    unsigned char  left;
    unsigned char  lo;
    unsigned char  hi;
} judge_utf8_tail_t;

/* False: no character of several bytes begins with c. */
static inline bool
judge_utf8_begin(judge_utf8_tail_t *t, unsigned char c)
{
    if (c < 0xc2 || c > 0xf4) {
        return false;
    }

    t->left = (c < 0xe0) ? 1 : (c < 0xf0) ? 2 : 3;
    t->lo = (c == 0xe0) ? 0xa0 : (c == 0xf0) ? 0x90 : 0x80;
    t->hi = (c == 0xed) ? 0x9f : (c == 0xf4) ? 0x8f : 0xbf;

    return true;
}

/* Must be called while `left` is not 0; false: c can't follow. */
static inline bool
judge_utf8_take(judge_utf8_tail_t *t, unsigned char c)
{
    if (c < t->lo || c > t->hi) {
        return false;
    }

    t->left--;
    t->lo = 0x80;
    t->hi = 0xbf;

    return true;
}

/* Decodes a character and moves *p to its end.  If the bytes are not well
 * formed, returns JUDGE_UTF8_INVALID and moves *p by 1.  *p must be < end. */
uint32_t judge_utf8_next(const char **p, const char *end);

/* Writes a code point, returns its length in bytes (1 to 4), 0 if invalid. */
size_t judge_utf8_put(char out[4], uint32_t code_point);

/* Offset of the first byte that is not well formed; s.len when all are. */
size_t judge_utf8_check(judge_str_t s);

/* Number of characters of a well-formed string. */
size_t judge_utf8_length(judge_str_t s);

/* The longest prefix of at most n bytes that ends between characters. */
judge_str_t judge_utf8_prefix(judge_str_t s, size_t n);


#endif /* JUDGE_UTF8_H */
