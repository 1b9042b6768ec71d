/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* UTF-8 by the table of well-formed byte sequences (Unicode, table 3-7): only
 * the bounds of the second byte depend on the first one. */


#include <string.h>

#include "base/text/utf8.h"


uint32_t
judge_utf8_next(const char **p, const char *end)
{
    uint32_t              u;
    judge_utf8_tail_t     tail;
    const unsigned char  *s;

    s = (const unsigned char *) *p;
    u = *s++;
    (*p)++;

    if (u < 0x80) {
        return u;
    }

    if (!judge_utf8_begin(&tail, (unsigned char) u) || end - *p < tail.left) {
        return JUDGE_UTF8_INVALID;
    }

    u &= 0x3fu >> tail.left;

    while (tail.left > 0) {
        if (!judge_utf8_take(&tail, *s)) {
            return JUDGE_UTF8_INVALID;
        }

        u = (u << 6) | (*s++ & 0x3f);
    }

    *p = (const char *) s;

    return u;
}


size_t
judge_utf8_put(char out[4], uint32_t u)
{
    if (u < 0x80) {
        out[0] = (char) u;
        return 1;
    }

    if (u < 0x800) {
        out[0] = (char) (0xc0 | (u >> 6));
        out[1] = (char) (0x80 | (u & 0x3f));
        return 2;
    }

    if (u < 0x10000) {
        if (u >= 0xd800 && u <= 0xdfff) {
            return 0;
        }

        out[0] = (char) (0xe0 | (u >> 12));
        out[1] = (char) (0x80 | ((u >> 6) & 0x3f));
        out[2] = (char) (0x80 | (u & 0x3f));
        return 3;
    }

    if (u > 0x10ffff) {
        return 0;
    }

    out[0] = (char) (0xf0 | (u >> 18));
    out[1] = (char) (0x80 | ((u >> 12) & 0x3f));
    out[2] = (char) (0x80 | ((u >> 6) & 0x3f));
    out[3] = (char) (0x80 | (u & 0x3f));

    return 4;
}


size_t
judge_utf8_check(judge_str_t s)
{
    uint64_t     word;
    const char  *p, *start, *end;

    if (s.len == 0) {
        return 0;
    }

    p = s.data;
    end = p + s.len;

    while (p < end) {

        /* most text is ASCII, of which eight bytes are tested at once */

        while (end - p >= 8) {
            memcpy(&word, p, 8);

            if (word & 0x8080808080808080ull) {
                break;
            }

            p += 8;
        }

        while (p < end && (*p & 0x80) == 0) {
            p++;
        }

        if (p == end) {
            break;
        }

        start = p;

        if (judge_utf8_next(&p, end) == JUDGE_UTF8_INVALID) {
            return (size_t) (start - s.data);
        }
    }

    return s.len;
}


size_t
judge_utf8_length(judge_str_t s)
{
    size_t    i, n;
    uint64_t  word;

    n = 0;

    /* Eight bytes at once, mostly of ASCII: in continuation bytes the first
     * bit is set and the second one is clear. */

    for (i = 0; s.len - i >= 8; i += 8) {
        memcpy(&word, s.data + i, 8);
        n += 8;

        if (word & 0x8080808080808080ull) {
            word = word >> 7 & ~word >> 6 & 0x0101010101010101ull;
            n -= word * 0x0101010101010101ull >> 56;
        }
    }

    for ( /* void */ ; i < s.len; i++) {
        n += ((unsigned char) s.data[i] & 0xc0) != 0x80;
    }

    return n;
}


judge_str_t
judge_utf8_prefix(judge_str_t s, size_t n)
{
    if (n >= s.len) {
        return s;
    }

    while (n > 0 && ((unsigned char) s.data[n] & 0xc0) == 0x80) {
        n--;
    }

    s.len = n;

    return s;
}
