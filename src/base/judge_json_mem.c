/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Memory for yajl: a fixed block that is cut from the front, and at most two
 * blocks of the heap, the one in use and the next one.
 */


#include <stdlib.h>
#include <string.h>

#include "base/judge_json_mem.h"


#define JUDGE_JSON_MEM_ALIGN  16


struct judge_json_block {              /* in front of what yajl sees */
    size_t  capacity;
    size_t  unused;                    /* keeps the alignment */
};


static void *
judge_json_mem_malloc(void *ctx, size_t size)
{
    size_t               bytes;
    judge_json_mem_t    *m;
    judge_json_block_t  *b;

    m = ctx;
    bytes = ((size + JUDGE_JSON_MEM_ALIGN - 1)
             & ~((size_t) JUDGE_JSON_MEM_ALIGN - 1))
            + sizeof(judge_json_block_t);

    if (bytes > (size_t) (m->end - m->pos)) {
        return NULL;
    }

    b = (judge_json_block_t *) (void *) m->pos;
    m->pos += bytes;
    b->capacity = size;

    return b + 1;
}


static void *
judge_json_mem_realloc(void *ctx, void *p, size_t size)
{
    judge_json_mem_t    *m;
    judge_json_block_t  *b, *spare;

    if (p == NULL) {
        return judge_json_mem_malloc(ctx, size);
    }

    m = ctx;
    b = (judge_json_block_t *) p - 1;

    if (size <= b->capacity) {
        return p;
    }

    spare = m->spare;

    if (spare == NULL || size > spare->capacity) {
        return NULL;                   /* never: room was made before */
    }

    memcpy(spare + 1, p, b->capacity);

    if (b == m->room) {
        free(b);
    }

    m->room = spare;
    m->spare = NULL;

    return spare + 1;
}


static void
judge_json_mem_release(void *ctx, void *p)
{
    /* all goes at once, in judge_json_mem_free() */

    (void) ctx;
    (void) p;
}


judge_json_mem_t *
judge_json_mem_create(size_t fixed)
{
    judge_json_mem_t  *m;

    m = malloc(sizeof(judge_json_mem_t) + fixed);
    if (m == NULL) {
        return NULL;
    }

    m->funcs.malloc = judge_json_mem_malloc;
    m->funcs.realloc = judge_json_mem_realloc;
    m->funcs.free = judge_json_mem_release;
    m->funcs.ctx = m;
    m->room = NULL;
    m->spare = NULL;
    m->pos = (char *) (m + 1);
    m->end = m->pos + fixed;

    return m;
}


void
judge_json_mem_free(judge_json_mem_t *m)
{
    if (m == NULL) {
        return;
    }

    free(m->room);
    free(m->spare);
    free(m);
}


judge_rc_e
judge_json_mem_reserve(judge_json_mem_t *m, size_t longest)
{
    size_t               capacity;
    judge_json_block_t  *b;

    if (longest > SIZE_MAX / 8) {
        return JUDGE_NOMEM;
    }

    /* yajl doubles its buffer until the string and a zero byte fit */

    capacity = 2 * (longest + 2);

    if ((m->room != NULL && m->room->capacity >= capacity)
        || (m->spare != NULL && m->spare->capacity >= capacity))
    {
        return JUDGE_OK;
    }

    capacity *= 2;                     /* or every longer string comes here */

    b = malloc(sizeof(judge_json_block_t) + capacity);
    if (b == NULL) {
        return JUDGE_NOMEM;
    }

    b->capacity = capacity;

    free(m->spare);
    m->spare = b;

    return JUDGE_OK;
}
