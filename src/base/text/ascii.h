/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Classes of ASCII characters, independent of the locale. */


#ifndef JUDGE_ASCII_H
#define JUDGE_ASCII_H


#include <stdbool.h>


static inline bool
judge_ascii_digit(char c)
{
    return c >= '0' && c <= '9';
}


/* Converts A to Z to lower case, and returns other bytes unchanged. */

static inline char
judge_ascii_lower(char c)
{
    return (c >= 'A' && c <= 'Z') ? (char) (c | 0x20) : c;
}


static inline bool
judge_ascii_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}


static inline bool
judge_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}


/* The value of a hexadecimal digit; negative: c is none. */

static inline int
judge_ascii_hex(char c)
{
    if (judge_ascii_digit(c)) {
        return c - '0';
    }

    c = judge_ascii_lower(c);

    return (c >= 'a' && c <= 'f') ? c - 'a' + 10 : -1;
}


#endif /* JUDGE_ASCII_H */
