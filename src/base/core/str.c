/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Comparison and copies of strings with a length. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <stdio.h>
#include <string.h>

#include "base/core/str.h"
#include "base/text/ascii.h"


judge_str_t
judge_str_c(const char *zero_terminated)
{
    if (zero_terminated == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { strlen(zero_terminated), zero_terminated };
}


bool
judge_str_eq(judge_str_t a, judge_str_t b)
{
    if (a.len != b.len) {
        return false;
    }

    /* memcmp() of NULL is undefined, even for no bytes */
    return a.len == 0 || memcmp(a.data, b.data, a.len) == 0;
}


const char *
judge_str_find(judge_str_t s, judge_str_t part)
{
    return s.len ? memmem(s.data, s.len, part.data, part.len) : NULL;
}


bool
judge_str_cut(judge_str_t *rest, judge_str_t end, judge_str_t *part)
{
    const char  *at;

    at = judge_str_find(*rest, end);
    if (at == NULL) {
        return false;
    }

    *part = (judge_str_t) { (size_t) (at - rest->data), rest->data };
    *rest = judge_str_from(*rest, part->len + end.len);

    return true;
}


judge_str_t
judge_str_until(judge_str_t *rest, char byte)
{
    judge_str_t  before;

    if (!judge_str_cut(rest, (judge_str_t) { 1, &byte }, &before)) {
        before = *rest;
        *rest = judge_str_from(before, before.len);
    }

    return before;
}


size_t
judge_str_index(const judge_str_t *list, size_t n, judge_str_t s)
{
    size_t  i;

    for (i = 0; i < n && !judge_str_eq(list[i], s); i++) {
        /* void */
    }

    return i;
}


size_t
judge_str_index_c(const char *const *names, judge_str_t s)
{
    size_t  i;

    for (i = 0; names[i] && !judge_str_eq_c(s, names[i]); i++) { /* void */ }

    return i;
}


bool
judge_str_eq_c(judge_str_t a, const char *zero_terminated)
{
    return judge_str_eq(a, judge_str_c(zero_terminated));
}


bool
judge_str_caseeq(judge_str_t a, judge_str_t b)
{
    size_t  i;

    if (a.len != b.len) {
        return false;
    }

    /* strncasecmp() would depend on the locale */

    for (i = 0; i < a.len; i++) {
        if (judge_ascii_lower(a.data[i]) != judge_ascii_lower(b.data[i])) {
            return false;
        }
    }

    return true;
}


bool
judge_str_starts(judge_str_t s, judge_str_t prefix)
{
    if (s.len < prefix.len) {
        return false;
    }

    s.len = prefix.len;

    return judge_str_eq(s, prefix);
}


bool
judge_str_casestarts(judge_str_t s, judge_str_t prefix)
{
    return s.len >= prefix.len
           && judge_str_caseeq((judge_str_t) { prefix.len, s.data }, prefix);
}


bool
judge_str_caseamong(judge_str_t s, const char *const *words)
{
    for ( ; *words != NULL; words++) {
        /* Most words differ in the first letter, and need no call. */

        if ((s.len == 0 || ((s.data[0] ^ **words) & 0xdf) == 0)
            && judge_str_caseeq(s, judge_str_c(*words)))
        {
            return true;
        }
    }

    return false;
}


judge_str_t
judge_str_from(judge_str_t s, size_t n)
{
    return (judge_str_t) { s.len - n, s.data + n };
}


judge_str_t
judge_str_trim(judge_str_t s, const char *bytes)
{
    size_t  n;

    n = strlen(bytes);

    while (s.len > 0 && memchr(bytes, s.data[0], n) != NULL) {
        s = judge_str_from(s, 1);
    }

    while (s.len > 0 && memchr(bytes, s.data[s.len - 1], n) != NULL) {
        s.len--;
    }

    return s;
}


judge_str_t
judge_str_dup(judge_arena_t *a, judge_str_t s)
{
    char  *p;

    if (s.data == NULL || s.len == SIZE_MAX) {
        return (judge_str_t) { 0, NULL };
    }

    p = judge_alloc(a, s.len + 1);
    if (p == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    memcpy(p, s.data, s.len);
    p[s.len] = '\0';

    return (judge_str_t) { s.len, p };
}


judge_rc_e
judge_invalid(judge_str_t *error, judge_str_t sentence)
{
    *error = sentence;

    return sentence.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


judge_str_t
judge_str_printf(judge_arena_t *a, const char *fmt, ...)
{
    char         text[256];
    va_list      args;
    judge_buf_t  b = { .arena = a, .data = text, .capacity = sizeof(text) };

    va_start(args, fmt);
    judge_buf_vprintf(&b, fmt, args);
    va_end(args);

    if (b.data == text && !b.failed) {
        return judge_str_dup(a, (judge_str_t) { b.len, text });
    }

    judge_buf_append(&b, "", 1);

    return b.failed ? (judge_str_t) { 0, NULL }
                    : (judge_str_t) { b.len - 1, b.data };
}
