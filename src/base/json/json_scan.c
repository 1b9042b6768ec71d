/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The scanner runs before yajl.  It is a state machine, with fast loops for
 * plain bytes inside and outside of strings. */


#include <string.h>

#include "base/json/json_scan.h"
#include "base/text/ascii.h"


#define JUDGE_SCAN_ONES    0x0101010101010101ull
#define JUDGE_SCAN_HIGHS   0x8080808080808080ull


/* The result has the high bit of each byte of `word` that is zero, and perhaps
 * that of a higher byte, which is then checked needlessly. */

static uint64_t
judge_scan_zero(uint64_t word)
{
    return (word - JUDGE_SCAN_ONES) & ~word;
}


/* Finds the first byte that is a quote, a backslash, a control character or
 * not ASCII. */

static const char *
judge_scan_plain(const char *p, const char *end)
{
    uint64_t  word;

    while (end - p >= 8) {
        memcpy(&word, p, 8);

        if ((word | (word - JUDGE_SCAN_ONES * 0x20)
             | judge_scan_zero(word ^ (JUDGE_SCAN_ONES * '"'))
             | judge_scan_zero(word ^ (JUDGE_SCAN_ONES * '\\')))
            & JUDGE_SCAN_HIGHS)
        {
            break;
        }

        p += 8;
    }

    while (p < end && *p != '"' && *p != '\\' && (unsigned char) *p < 0x80
           && (unsigned char) *p >= 0x20)
    {
        p++;
    }

    return p;
}


/* Finds the first byte that yajl skips as white space, but JSON forbids. */

static const char *
judge_scan_foreign(const char *p, const char *end)
{
    const char  *form, *tab;

    form = memchr(p, '\f', (size_t) (end - p));
    end = form ? form : end;
    tab = memchr(p, '\v', (size_t) (end - p));

    return tab ? tab : end;
}


/* Scans a byte of a string that is not part of an escape or a character. */

static void
judge_scan_string(judge_json_scan_t *s, unsigned char c)
{
    if (s->high && c != '\\') {
        s->fault = "lone surrogate in a string";
        return;
    }

    if (c == '"') {
        s->state = JUDGE_SCAN_OUTSIDE;

    } else if (c == '\\') {
        s->state = JUDGE_SCAN_ESCAPE;

    } else if (c < 0x20) {
        s->fault = "control character in a string";

    } else if (c >= 0x80) {
        s->state = JUDGE_SCAN_UTF8;

        if (!judge_utf8_begin(&s->tail, c)) {
            s->fault = "invalid UTF-8 in a string";
        }
    }
}


static void
judge_scan_escape(judge_json_scan_t *s, unsigned char c)
{
    if (c == 'u') {
        s->state = JUDGE_SCAN_HEX;
        s->left = 4;
        s->unit = 0;
        return;
    }

    if (s->high) {
        s->fault = "lone surrogate in a string";
        return;
    }

    if (c == '\0' || strchr("\"\\/bfnrt", c) == NULL) {
        s->fault = "invalid escape in a string";
        return;
    }

    s->state = JUDGE_SCAN_STRING;
}


static void
judge_scan_hex(judge_json_scan_t *s, unsigned char c)
{
    int   digit;
    bool  low;

    digit = judge_ascii_hex((char) c);

    if (digit < 0) {
        s->fault = "invalid escape in a string";
        return;
    }

    s->unit = (s->unit << 4) | (uint32_t) digit;

    if (--s->left != 0) {
        return;
    }

    low = (s->unit >= 0xdc00 && s->unit <= 0xdfff);

    if (low != s->high) {
        s->fault = "lone surrogate in a string";
        return;
    }

    s->high = (s->unit >= 0xd800 && s->unit <= 0xdbff);
    s->state = JUDGE_SCAN_STRING;
}


static void
judge_scan_byte(judge_json_scan_t *s, unsigned char c)
{
    switch (s->state) {

    case JUDGE_SCAN_OUTSIDE:           /* c is a quote */
        s->state = JUDGE_SCAN_STRING;
        s->high = false;
        return;

    case JUDGE_SCAN_STRING:
        judge_scan_string(s, c);
        return;

    case JUDGE_SCAN_ESCAPE:
        judge_scan_escape(s, c);
        return;

    case JUDGE_SCAN_HEX:
        judge_scan_hex(s, c);
        return;

    case JUDGE_SCAN_UTF8:
        if (!judge_utf8_take(&s->tail, c)) {
            s->fault = "invalid UTF-8 in a string";

        } else if (s->tail.left == 0) {
            s->state = JUDGE_SCAN_STRING;
        }

        return;
    }
}


/* Finds the end of the last whole token in [from, end); `end` is not within a
 * string.  A quote, bracket, comma, colon or white space ends a token. */

static const char *
judge_scan_back(const char *from, const char *end)
{
    while (end > from) {
        if (end[-1] != '\0' && strchr("\",:[]{} \t\r\n", end[-1]) != NULL) {
            return end;
        }

        end--;
    }

    return NULL;
}


size_t
judge_json_scan(judge_json_scan_t *s, judge_str_t data, size_t from,
    size_t *cut)
{
    const char  *p, *start, *opened, *end, *last, *next;

    start = data.data + from;
    end = data.data + data.len;
    opened = (s->state == JUDGE_SCAN_OUTSIDE) ? end : start;
    p = start;

    while (p < end) {

        if (s->state == JUDGE_SCAN_OUTSIDE) {
            next = memchr(p, '"', (size_t) (end - p));
            next = next ? next : end;
            p = judge_scan_foreign(p, next);
            opened = p;

            if (p < next) {
                s->fault = "unexpected character";
                break;
            }

            if (p == end) {
                break;
            }

        } else if (s->state == JUDGE_SCAN_STRING && !s->high) {
            p = judge_scan_plain(p, end);

            if (p == end) {
                break;
            }
        }

        judge_scan_byte(s, (unsigned char) *p);

        if (s->fault != NULL) {
            break;
        }

        p++;

        if (s->state == JUDGE_SCAN_OUTSIDE) {
            opened = end;
        }
    }

    last = judge_scan_back(start, (s->fault != NULL || opened < end)
                                  ? opened : end);
    if (last != NULL) {
        *cut = (size_t) (last - data.data);
    }

    return (size_t) (p - data.data);
}
