/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * UTF-8: strict decoding (no overlong forms, no surrogates, at most
 * U+10FFFF), encoding, counting and cutting.
 */


#ifndef JUDGE_UTF8_H
#define JUDGE_UTF8_H


#include "base/core/str.h"


#define JUDGE_UTF8_INVALID  0xffffffffu

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
