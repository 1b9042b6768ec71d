/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An arena is a list of chunks that are freed all at once; blocks are cut from
 * the front of a chunk.  The arena itself is in its first chunk.  Under
 * AddressSanitizer unused memory is poisoned and every block is followed by a
 * gap, so that an overflow within a chunk is detected, too.
 */


#include <stdlib.h>
#include <string.h>

#include "base/core/allowance.h"


#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define JUDGE_ARENA_ASAN  1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define JUDGE_ARENA_ASAN  1
#endif

#if (JUDGE_ARENA_ASAN)

#include <sanitizer/asan_interface.h>

#define JUDGE_ARENA_GAP  16


/* Must not be inlined: gcc would conclude from the sanitizer's pointer to
 * const that the bytes are read, and warn that malloc() has not set them. */

__attribute__((noinline))
static void
judge_arena_hide(void *p, size_t n)
{
    __asan_poison_memory_region(p, n);
}


static void
judge_arena_show(void *p, size_t n)
{
    __asan_unpoison_memory_region(p, n);
}

#else

#define JUDGE_ARENA_GAP  0
#define judge_arena_hide(p, n)  (void) (p)
#define judge_arena_show(p, n)  (void) (p)

#endif


#define JUDGE_ARENA_ALIGN      16
#define JUDGE_ARENA_FIRST_MIN  512
#define JUDGE_ARENA_CHUNK_MAX  (256 * 1024)
#define JUDGE_ARENA_BLOCK_MAX  ((size_t) 1 << 32)    /* larger: a bug */


typedef struct judge_chunk  judge_chunk_t;

struct judge_chunk {
    judge_chunk_t  *next;
    char           *pos;
    char           *end;
    char           *last;              /* the last allocated block */
};

struct judge_arena {
    judge_chunk_t  *first;
    judge_chunk_t  *current;           /* blocks are cut from this one */
    size_t          chunk;             /* size of the next chunk */
    size_t          size;
    judge_allowance_t  *allowance;     /* NULL: no bound */
    size_t          taken;             /* bytes taken from the allowance */
};


static size_t
judge_arena_round(size_t size)
{
    return (size + (JUDGE_ARENA_ALIGN - 1))
           & ~((size_t) JUDGE_ARENA_ALIGN - 1);
}


static judge_chunk_t *
judge_chunk_create(size_t size)
{
    size_t          head;
    judge_chunk_t  *c;

    head = judge_arena_round(sizeof(judge_chunk_t));

    if (size > SIZE_MAX - head) {
        return NULL;
    }

    c = malloc(head + size);
    if (c == NULL) {
        return NULL;
    }

    c->next = NULL;
    c->pos = (char *) c + head;
    c->end = c->pos + size;
    c->last = NULL;

    judge_arena_hide(c->pos, size);

    return c;
}


static void
judge_chunks_free(judge_chunk_t *c)
{
    judge_chunk_t  *next;

    for (/* void */; c != NULL; c = next) {
        next = c->next;
        judge_arena_show(c->pos, (size_t) (c->end - c->pos));
        free(c);
    }
}


static void *
judge_chunk_cut(judge_chunk_t *c, size_t size, size_t padded)
{
    char  *p;

    if ((size_t) (c->end - c->pos) < padded) {
        return NULL;
    }

    p = c->pos;
    c->pos += padded;
    c->last = p;

    judge_arena_show(p, size);
    (void) size;

    return p;
}


void
judge_arena_bound(judge_arena_t *a, judge_allowance_t *allowance)
{
    a->allowance = allowance;
}


/* The gaps are not counted, so that sanitizers don't change any result. */

static bool
judge_arena_take(judge_arena_t *a, size_t bytes)
{
    if (a->allowance == NULL) {
        return true;
    }

    if (bytes > a->allowance->bytes) {
        a->allowance->refused = true;
        return false;
    }

    a->allowance->bytes -= bytes;
    a->taken += bytes;

    return true;
}


static void
judge_arena_give(judge_arena_t *a)
{
    if (a->allowance) {
        a->allowance->bytes += a->taken;
        a->taken = 0;
    }
}


judge_arena_t *
judge_arena_create(size_t first_chunk_bytes)
{
    size_t          size;
    judge_arena_t  *a;
    judge_chunk_t  *c;

    size = first_chunk_bytes;

    if (size < JUDGE_ARENA_FIRST_MIN) {
        size = JUDGE_ARENA_FIRST_MIN;
    }

    if (size > JUDGE_ARENA_BLOCK_MAX) {
        return NULL;
    }

    size = judge_arena_round(size);

    c = judge_chunk_create(size);
    if (c == NULL) {
        return NULL;
    }

    a = judge_chunk_cut(c, sizeof(judge_arena_t),
                        judge_arena_round(sizeof(judge_arena_t)));

    a->first = c;
    a->current = c;
    a->chunk = size;
    a->size = size;
    a->allowance = NULL;
    a->taken = 0;

    return a;
}


void
judge_arena_destroy(judge_arena_t *a)
{
    if (a != NULL) {
        judge_arena_give(a);
        judge_chunks_free(a->first);
    }
}


void
judge_arena_reset(judge_arena_t *a)
{
    judge_chunk_t  *c;

    judge_arena_give(a);
    c = a->first;

    judge_chunks_free(c->next);

    c->next = NULL;
    c->pos = (char *) a + judge_arena_round(sizeof(judge_arena_t));
    c->last = NULL;

    judge_arena_hide(c->pos, (size_t) (c->end - c->pos));

    a->current = c;
    a->size = (size_t) (c->end - (char *) a);
    a->chunk = a->size;
}


size_t
judge_arena_size(const judge_arena_t *a)
{
    return a->size;
}


/* A small block gets a new current chunk, twice as large as the previous one.
 * A large block gets a chunk of its own, so that the rest of the current chunk
 * is not lost. */

static void *
judge_alloc_chunk(judge_arena_t *a, size_t size, size_t padded)
{
    size_t          bytes;
    judge_chunk_t  *c;

    if (a->chunk < JUDGE_ARENA_CHUNK_MAX) {
        a->chunk *= 2;
    }

    bytes = (padded > a->chunk / 4) ? padded : a->chunk;

    c = judge_chunk_create(bytes);
    if (c == NULL) {
        return NULL;
    }

    a->size += bytes;

    c->next = a->first->next;
    a->first->next = c;

    if (bytes > padded) {
        a->current = c;
    }

    return judge_chunk_cut(c, size, padded);
}


void *
judge_alloc(judge_arena_t *a, size_t size)
{
    void    *p;
    size_t   padded;

    if (size > JUDGE_ARENA_BLOCK_MAX
        || !judge_arena_take(a, judge_arena_round(size ? size : 1)))
    {
        return NULL;
    }

    /* even a block of no bytes needs an address that no other block has */
    padded = judge_arena_round((size ? size : 1) + JUDGE_ARENA_GAP);

    p = judge_chunk_cut(a->current, size, padded);
    if (p != NULL) {
        return p;
    }

    return judge_alloc_chunk(a, size, padded);
}


bool
judge_arena_extend(judge_arena_t *a, void *last, size_t size)
{
    size_t          padded;
    judge_chunk_t  *c;

    c = a->current;

    if (last == NULL || c->last != last || size > JUDGE_ARENA_BLOCK_MAX) {
        return false;
    }

    padded = judge_arena_round((size ? size : 1) + JUDGE_ARENA_GAP);

    if ((size_t) (c->end - c->last) < padded
        || (c->last + padded > c->pos
            && !judge_arena_take(a, padded - (size_t) (c->pos - c->last))))
    {
        return false;
    }

    c->pos = c->last + padded;

    judge_arena_show(c->last, size);

    return true;
}


void *
judge_calloc(judge_arena_t *a, size_t size)
{
    void  *p;

    p = judge_alloc(a, size);
    if (p != NULL) {
        memset(p, 0, size);
    }

    return p;
}


void *
judge_array_alloc(judge_arena_t *a, size_t n, size_t size)
{
    size_t  bytes;

    if (__builtin_mul_overflow(n, size, &bytes)) {
        return NULL;
    }

    return judge_calloc(a, bytes);
}
