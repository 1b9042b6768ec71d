/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Memory for yajl: a fixed block for what it allocates once, and for each of
 * its buffers two blocks of the heap, the one in use and a larger one. */


#include <stdlib.h>
#include <string.h>

#include "base/json/json_mem.h"


#define JUDGE_JSON_MEM_ALIGN  16


struct judge_json_block {              /* precedes each allocation */
    size_t  capacity;
    size_t  unused;                    /* for the alignment */
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


/* Returns a large enough block's index; JUDGE_JSON_MEM_BUFFERS: none is. */

static size_t
judge_json_mem_find(judge_json_block_t **blocks, size_t capacity)
{
    size_t  i;

    for (i = 0; i < JUDGE_JSON_MEM_BUFFERS; i++) {
        if (blocks[i] != NULL && blocks[i]->capacity >= capacity) {
            break;
        }
    }

    return i;
}


static void *
judge_json_mem_realloc(void *ctx, void *p, size_t size)
{
    size_t               i, k;
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

    k = judge_json_mem_find(m->spare, size);

    if (k == JUDGE_JSON_MEM_BUFFERS) {
        return NULL;                   /* impossible after reserve() */
    }

    spare = m->spare[k];
    m->spare[k] = NULL;
    memcpy(spare + 1, p, b->capacity);

    /* replaces the old block, unless that is part of the fixed block */

    for (i = 0; m->room[i] != NULL && m->room[i] != b; i++) {
        /* void */
    }

    free(m->room[i]);
    m->room[i] = spare;

    return spare + 1;
}


static void
judge_json_mem_release(void *ctx, void *p)
{
    /* judge_json_mem_free() frees everything at once */

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
    memset(m->room, 0, sizeof(m->room));
    memset(m->spare, 0, sizeof(m->spare));
    m->pos = (char *) (m + 1);
    m->end = m->pos + fixed;

    return m;
}


void
judge_json_mem_free(judge_json_mem_t *m)
{
    size_t  i;

    if (m == NULL) {
        return;
    }

    for (i = 0; i < JUDGE_JSON_MEM_BUFFERS; i++) {
        free(m->room[i]);
        free(m->spare[i]);
    }

    free(m);
}


judge_rc_e
judge_json_mem_reserve(judge_json_mem_t *m, size_t longest)
{
    size_t               capacity, i, fit;
    judge_json_block_t  *b;

    if (longest > SIZE_MAX / 8) {
        return JUDGE_NOMEM;
    }

    /* yajl doubles its buffer until the token and a zero byte fit */

    capacity = 2 * (longest + 2);

    for (i = 0, fit = 0; i < JUDGE_JSON_MEM_BUFFERS; i++) {
        fit += m->room[i] != NULL && m->room[i]->capacity >= capacity;
        fit += m->spare[i] != NULL && m->spare[i]->capacity >= capacity;
    }

    for (i = 0; fit < JUDGE_JSON_MEM_BUFFERS; i++) {
        if (m->spare[i] != NULL && m->spare[i]->capacity >= capacity) {
            continue;
        }

        /* twice as much, so that not every longer token needs malloc() */

        b = malloc(sizeof(judge_json_block_t) + 2 * capacity);
        if (b == NULL) {
            return JUDGE_NOMEM;
        }

        b->capacity = 2 * capacity;

        free(m->spare[i]);
        m->spare[i] = b;
        fit++;
    }

    return JUDGE_OK;
}
