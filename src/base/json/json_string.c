/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Long strings, which yajl would read byte by byte, and twice if they have
 * escapes; and a very long number at the beginning of a text, which yajl would
 * copy. */


#include <string.h>

#include "base/json/json.h"
#include "base/json/json_scan.h"
#include "base/text/ascii.h"


#define JUDGE_STRING_LONG    64        /* bytes; yajl takes shorter ones */
#define JUDGE_STRING_DIGITS  1024      /* likewise; its buffers have 2048 */


/* The end of the string whose content begins at p: a quote after an even
 * number of backslashes.  NULL: it is not before `end`. */

static const char *
judge_string_end(const char *p, const char *end)
{
    size_t       n;
    const char  *quote;

    for (quote = p; quote < end; quote++) {
        quote = memchr(quote, '"', (size_t) (end - quote));
        if (quote == NULL) {
            return NULL;
        }

        for (n = 0; quote - n > p && quote[-1 - (ptrdiff_t) n] == '\\'; n++) {
            /* void */
        }

        if (n % 2 == 0) {
            return quote;
        }
    }

    return NULL;
}


/* The digits that the text begins with, with what else a number may have. */

static judge_str_t
judge_string_number(judge_str_t text)
{
    size_t  n;

    text = judge_str_trim(text, " \t\r\n");

    for (n = 0; n < text.len && text.data[n] != '\0'
                && strchr("0123456789+-.eE", text.data[n]) != NULL; n++)
    {
        /* void */
    }

    return (judge_str_t) { n, text.data };
}


judge_str_t
judge_json_long(judge_str_t text, size_t from)
{
    judge_str_t  number;
    const char  *p, *quote, *end;

    if (from == 0) {
        number = judge_string_number(text);
        if (number.len >= JUDGE_STRING_DIGITS) {
            return number;
        }
    }

    end = text.data + text.len;

    for (p = text.data + from; p < end; p = quote + 1) {
        p = memchr(p, '"', (size_t) (end - p));
        quote = p ? judge_string_end(++p, end) : NULL;
        if (quote == NULL) {
            break;
        }

        if (quote - p >= JUDGE_STRING_LONG) {
            return (judge_str_t) { (size_t) (quote - p), p };
        }
    }

    return (judge_str_t) { 0, NULL };
}


static uint32_t
judge_string_unit(const char *digits)
{
    int       i;
    uint32_t  unit;

    for (unit = 0, i = 0; i < 4; i++) {
        unit = (unit << 4) | (uint32_t) judge_ascii_hex(digits[i]);
    }

    return unit;
}


/* Writes the character of an escape; returns the byte after the escape.  The
 * scanner has checked it. */

static const char *
judge_string_escape(const char *p, char **to)
{
    uint32_t            c;
    const char         *found;
    static const char   names[] = "bfnrt", bytes[] = "\b\f\n\r\t";

    if (*p != 'u') {
        found = strchr(names, *p);
        *(*to)++ = found ? bytes[found - names] : *p;
        return p + 1;
    }

    c = judge_string_unit(p + 1);
    p += 5;

    if (c >= 0xd800 && c <= 0xdbff) {
        c = 0x10000 + ((c - 0xd800) << 10)
            + (judge_string_unit(p + 2) - 0xdc00);
        p += 6;
    }

    *to += judge_utf8_put(*to, c);

    return p;
}


judge_str_t
judge_json_unescape(judge_arena_t *arena, judge_str_t content)
{
    char        *s, *to;
    size_t       n;
    const char  *p, *end, *next;

    s = judge_alloc(arena, content.len + 1);
    if (s == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    to = s;
    end = content.data + content.len;

    for (p = content.data; p < end; /* void */ ) {
        next = memchr(p, '\\', (size_t) (end - p));
        n = (size_t) ((next ? next : end) - p);
        memcpy(to, p, n);
        to += n;
        p += n;

        if (next) {
            p = judge_string_escape(p + 1, &to);
        }
    }

    *to = '\0';

    return (judge_str_t) { (size_t) (to - s), s };
}
