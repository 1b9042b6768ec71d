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

/* What may follow the first byte of a character: how many bytes, and the
 * bounds of the next one; behind that they are 0x80 and 0xbf. */
typedef struct {
    unsigned char  left;
    unsigned char  lo;
    unsigned char  hi;
} judge_utf8_tail_t;

/* False: no character of more than one byte begins so. */
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

/* Takes the next byte while `left` is not 0; false: it does not belong. */
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

/* Decodes one character and moves *p behind it; JUDGE_UTF8_INVALID (and *p
 * one byte on) when the bytes at *p are not well formed. *p must be < end. */
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
