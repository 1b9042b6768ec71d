/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The buffer that grows by doubling, in an arena or on the heap.
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/str.h"


#define JUDGE_BUF_MIN  256


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


/* Room for `more` bytes behind the contents. */

static bool
judge_buf_reserve(judge_buf_t *b, size_t more)
{
    char    *p;
    size_t   capacity;

    if (b->failed) {
        return false;
    }

    if (more <= b->capacity - b->len) {
        return true;
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


void
judge_buf_vprintf(judge_buf_t *b, const char *fmt, va_list args)
{
    int      n;
    va_list  again;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);

    if (n < 0) {
        b->failed = true;
        return;
    }

    /* one more than is kept, for the zero byte of vsnprintf() */

    if (!judge_buf_reserve(b, (size_t) n + 1)) {
        return;
    }

    n = vsnprintf(b->data + b->len, (size_t) n + 1, fmt, args);

    if (n < 0) {
        b->failed = true;
        return;
    }

    b->len += (size_t) n;
}


judge_str_t
judge_buf_view(const judge_buf_t *b)
{
    if (b->failed) {
        return (judge_str_t) { 0, NULL };
    }

    return (judge_str_t) { b->len, b->data ? b->data : "" };
}
