/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A buffer that doubles its memory, in an arena or on the heap. */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/str.h"


#define JUDGE_BUF_MIN    256
#define JUDGE_BUF_FIXED  1e13          /* hundredths below it are exact */
#define JUDGE_BUF_SHORT  1e4           /* "%g" rounds from here on */


void
judge_buf_init(judge_buf_t *b, judge_arena_t *arena)
{
    *b = (judge_buf_t) { .arena = arena };
}


void
judge_buf_free(judge_buf_t *b)
{
    if (b->arena == NULL) {
        free(b->data);
    }

    b->data = NULL;
    b->len = 0;
    b->capacity = 0;
}


static char *
judge_buf_realloc(judge_buf_t *b, size_t capacity)
{
    char  *p;

    if (b->arena == NULL) {
        return realloc(b->data, capacity);
    }

    if (judge_arena_extend(b->arena, b->data, capacity)) {
        return b->data;
    }

    p = judge_alloc(b->arena, capacity);
    if (p != NULL && b->len != 0) {
        memcpy(p, b->data, b->len);
    }

    return p;
}


static bool
judge_buf_grow(judge_buf_t *b, size_t more)
{
    char    *p;
    size_t   capacity;

    if (b->failed) {
        return false;
    }

    if (more > SIZE_MAX / 4 - b->len) {
        b->failed = true;
        return false;
    }

    capacity = b->capacity ? b->capacity : JUDGE_BUF_MIN / 2;

    do {
        capacity *= 2;
    } while (capacity < b->len + more);

    p = judge_buf_realloc(b, capacity);
    if (p == NULL) {
        b->failed = true;
        return false;
    }

    b->data = p;
    b->capacity = capacity;

    return true;
}


/* Makes room for `more` bytes after the content. */

static inline bool
judge_buf_reserve(judge_buf_t *b, size_t more)
{
    return (!b->failed && more <= b->capacity - b->len)
           || judge_buf_grow(b, more);
}


char *
judge_buf_room(judge_buf_t *b, size_t more)
{
    return judge_buf_reserve(b, more) ? b->data + b->len : NULL;
}


void
judge_buf_append(judge_buf_t *b, const void *data, size_t len)
{
    if (len == 0 || !judge_buf_reserve(b, len)) {
        return;
    }

    memcpy(b->data + b->len, data, len);
    b->len += len;
}


void
judge_buf_str(judge_buf_t *b, judge_str_t s)
{
    judge_buf_append(b, s.data, s.len);
}


void
judge_buf_c(judge_buf_t *b, const char *zero_terminated)
{
    judge_buf_append(b, zero_terminated, strlen(zero_terminated));
}


void
judge_buf_printf(judge_buf_t *b, const char *fmt, ...)
{
    va_list  args;

    va_start(args, fmt);
    judge_buf_vprintf(b, fmt, args);
    va_end(args);
}


/* vsnprintf() needs room for a zero byte, which is not part of the content. */

static void
judge_buf_stdio(judge_buf_t *b, const char *fmt, va_list args)
{
    int      n;
    size_t   room;
    va_list  again;

    if (!judge_buf_reserve(b, JUDGE_BUF_MIN / 2)) {
        return;
    }

    va_copy(again, args);
    room = b->capacity - b->len;
    n = vsnprintf(b->data + b->len, room, fmt, args);

    if (n >= 0 && (size_t) n >= room
        && judge_buf_reserve(b, (size_t) n + 1))
    {
        n = vsnprintf(b->data + b->len, (size_t) n + 1, fmt, again);
    }

    va_end(again);

    if (n < 0) {
        b->failed = true;
    }

    b->len += b->failed ? 0 : (size_t) n;
}


static void
judge_buf_size(judge_buf_t *b, size_t n)
{
    char  digits[24], *p;

    p = digits + sizeof(digits);

    do {
        *--p = (char) ('0' + n % 10);
        n /= 10;
    } while (n > 0);

    judge_buf_append(b, p, (size_t) (digits + sizeof(digits) - p));
}


/* Writes "%.2f" and "%.0f" as stdio does: the exact number is rounded, a tie
 * to the even digit.  False: it is too large or not finite. */

static bool
judge_buf_fixed(judge_buf_t *b, double v, bool cents)
{
    char      text[4] = ".00";
    double    scaled, unit = cents ? 100 : 1, rest, lost;
    uint64_t  n;

    scaled = fabs(v) * unit;
    if (!(scaled < JUDGE_BUF_FIXED)) {
        return false;
    }

    n = (uint64_t) scaled;
    rest = scaled - (double) n;
    lost = fabs(rest - 0.5) > 0 ? 0 : fma(fabs(v), unit, -scaled);
    n += rest > 0.5 || lost > 0
         || (!(rest < 0.5) && !(lost < 0) && n % 2 > 0);

    if (signbit(v)) {
        judge_buf_append(b, "-", 1);
    }

    judge_buf_size(b, (size_t) (cents ? n / 100 : n));

    if (cents) {
        text[1] = (char) ('0' + n / 10 % 10);
        text[2] = (char) ('0' + n % 10);
        judge_buf_append(b, text, 3);
    }

    return true;
}


/* Writes "%g" of a number with at most two decimals; false: it has more. */

static bool
judge_buf_short(judge_buf_t *b, double v)
{
    double  n = rint(fabs(v) * 100);

    if (!(fabs(v) < JUDGE_BUF_SHORT) || (signbit(v) && !(n > 0))
        || fabs(n / 100 - fabs(v)) > 0 || !judge_buf_fixed(b, v, true)
        || b->failed)
    {
        return b->failed;
    }

    while (b->data[b->len - 1] == '0') {
        b->len--;
    }

    b->len -= b->data[b->len - 1] == '.';

    return true;
}


/* Formats a number and consumes its argument; NULL: it did neither. */

static const char *
judge_buf_number(judge_buf_t *b, const char *fmt, va_list *args)
{
    bool     done, fixed = fmt[1] == '.' && fmt[3] == 'f'
                           && (fmt[2] == '2' || fmt[2] == '0');
    va_list  again;

    if (!fixed && fmt[1] != 'g') {
        return NULL;
    }

    va_copy(again, *args);
    done = fixed ? judge_buf_fixed(b, va_arg(again, double), fmt[2] == '2')
                 : judge_buf_short(b, va_arg(again, double));
    va_end(again);

    if (!done) {
        return NULL;
    }

    (void) va_arg(*args, double);

    return fmt + (fixed ? 4 : 2);
}


/* Most formats have only text, "%s", "%.*s", "%zu" and short numbers, which
 * are faster without stdio.  From the first other conversion on, it formats
 * the rest. */

void
judge_buf_vprintf(judge_buf_t *b, const char *fmt, va_list args)
{
    size_t       n;
    va_list      rest;
    const char  *text, *next;

    va_copy(rest, args);

    for ( ;; ) {
        for (n = 0; fmt[n] != '%' && fmt[n] != '\0'; n++) {
            /* void */
        }

        judge_buf_append(b, fmt, n);
        fmt += n;

        if (fmt[0] == '\0') {
            break;
        }

        if (fmt[1] == 's') {
            text = va_arg(rest, const char *);
            judge_buf_c(b, text != NULL ? text : "(null)");
            fmt += 2;

        } else if (strncmp(fmt, "%.*s", 4) == 0) {
            n = (size_t) va_arg(rest, int);
            text = va_arg(rest, const char *);
            judge_buf_append(b, text, text != NULL ? strnlen(text, n) : 0);
            fmt += 4;

        } else if (fmt[1] == 'z' && fmt[2] == 'u') {
            judge_buf_size(b, va_arg(rest, size_t));
            fmt += 3;

        } else if ((next = judge_buf_number(b, fmt, &rest)) != NULL) {
            fmt = next;

        } else {
            judge_buf_stdio(b, fmt, rest);
            break;
        }
    }

    va_end(rest);
}


judge_str_t
judge_buf_view(const judge_buf_t *b)
{
    if (b->failed) {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { b->len, b->data ? b->data : "" };
}
