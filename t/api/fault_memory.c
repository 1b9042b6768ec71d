/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* In place of what src/ calls for memory (the linker's --wrap): see fault.h.
 * Arenas fail by the call, not by the chunk, so that each call's check is
 * seen. */


#include <stdlib.h>

#include "base/core/str.h"
#include "fault.h"


static struct {
    unsigned  left;                    /* calls until one fails; 0: never */
    bool      counts;
    bool      struck;
} t_memory;


void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
char *__real_strdup(const char *s);
void *__real_judge_alloc(judge_arena_t *a, size_t size);
void *__real_judge_calloc(judge_arena_t *a, size_t size);
void *__real_judge_array_alloc(judge_arena_t *a, size_t n, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
char *__wrap_strdup(const char *s);
void *__wrap_judge_alloc(judge_arena_t *a, size_t size);
void *__wrap_judge_calloc(judge_arena_t *a, size_t size);
void *__wrap_judge_array_alloc(judge_arena_t *a, size_t n, size_t size);


void
t_memory_arm(unsigned n)
{
    t_memory.left = n;
    t_memory.struck = false;
}


bool
t_memory_disarm(void)
{
    t_memory.left = 0;

    return t_memory.struck;
}


bool
t_memory_count(bool on)
{
    bool  before;

    before = t_memory.counts;
    t_memory.counts = on;

    return before;
}


static bool
t_memory_strikes(void)
{
    if (!t_memory.counts || t_memory.left == 0 || --t_memory.left > 0) {
        return false;
    }

    t_memory.struck = true;

    return true;
}


void *
__wrap_malloc(size_t size)
{
    return t_memory_strikes() ? NULL : __real_malloc(size);
}


void *
__wrap_calloc(size_t n, size_t size)
{
    return t_memory_strikes() ? NULL : __real_calloc(n, size);
}


void *
__wrap_realloc(void *p, size_t size)
{
    return t_memory_strikes() ? NULL : __real_realloc(p, size);
}


char *
__wrap_strdup(const char *s)
{
    return t_memory_strikes() ? NULL : __real_strdup(s);
}


/* The chunk that an arena takes is its call's own failure. */

#define T_MEMORY_ARENA(call)                                                  \
    void  *p;                                                                 \
    bool   counts;                                                            \
                                                                              \
    if (t_memory_strikes()) {                                                 \
        return NULL;                                                          \
    }                                                                         \
                                                                              \
    counts = t_memory_count(false);                                           \
    p = call;                                                                 \
    (void) t_memory_count(counts);                                            \
                                                                              \
    return p


void *
__wrap_judge_alloc(judge_arena_t *a, size_t size)
{
    T_MEMORY_ARENA(__real_judge_alloc(a, size));
}


void *
__wrap_judge_calloc(judge_arena_t *a, size_t size)
{
    T_MEMORY_ARENA(__real_judge_calloc(a, size));
}


void *
__wrap_judge_array_alloc(judge_arena_t *a, size_t n, size_t size)
{
    T_MEMORY_ARENA(__real_judge_array_alloc(a, n, size));
}
