/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/learning/learn_parts.h"
#include "analysis/llm/fewshot.h"
#include "analysis/llm/prompt.h"
#include "analysis/text/math.h"


#define JUDGE_FEWSHOT_CLOSE  0.6f      /* weight of likeness; the rest is that
                                          of variety */
#define JUDGE_FEWSHOT_FRAME  60        /* tokens around an item */
#define JUDGE_FEWSHOT_LOOKED  32768    /* bytes of the text at hand */

typedef struct {
    judge_ngram_t  *grams;             /* of length 1 */
    size_t          n;
    int64_t         tokens;
} judge_fewshot_vector_t;

struct judge_fewshot_pool {
    const judge_fewshot_t   *items;
    size_t                   n;
    judge_fewshot_vector_t  *vectors;
};


judge_fewshot_pool_t *
judge_fewshot_create(judge_arena_t *arena, const judge_fewshot_t *items,
    size_t n)
{
    size_t                 i;
    judge_rc_e             rc;
    judge_arena_t         *scratch;
    judge_ngram_t         *room;
    judge_fewshot_pool_t  *pool;

    if (n == 0 || n > JUDGE_FEWSHOT_ITEMS) {
        return NULL;
    }

    scratch = judge_arena_create(64 * 1024);
    room = scratch ? judge_array_alloc(scratch, JUDGE_NGRAM_MOST,
                                       sizeof(judge_ngram_t))
                   : NULL;
    pool = room ? judge_calloc(arena, sizeof(judge_fewshot_pool_t)) : NULL;
    rc = JUDGE_NOMEM;

    if (pool) {
        pool->items = items;
        pool->n = n;
        pool->vectors = judge_array_alloc(arena, n,
                                          sizeof(judge_fewshot_vector_t));
        rc = pool->vectors ? JUDGE_OK : JUDGE_NOMEM;
    }

    for (i = 0; rc == JUDGE_OK && i < n; i++) {
        pool->vectors[i].n = judge_ngrams(items[i].text, room);
        pool->vectors[i].grams = judge_array_alloc(arena,
                                                   pool->vectors[i].n + 1,
                                                   sizeof(judge_ngram_t));
        if (pool->vectors[i].grams == NULL) {
            rc = JUDGE_NOMEM;
            break;
        }

        memcpy(pool->vectors[i].grams, room,
               pool->vectors[i].n * sizeof(judge_ngram_t));
        pool->vectors[i].tokens = JUDGE_FEWSHOT_FRAME
                                  + judge_prompt_tokens(items[i].text)
                                  + judge_prompt_tokens(items[i].reason);
    }

    judge_arena_destroy(scratch);

    return rc == JUDGE_OK ? pool : NULL;
}


static float
judge_fewshot_cosine(const judge_fewshot_vector_t *vector, const float *dense)
{
    float   sum;
    size_t  i;

    for (i = 0, sum = 0; i < vector->n; i++) {
        sum += vector->grams[i].value * dense[vector->grams[i].bucket];
    }

    return sum;
}


/* Raises what each item is like to what it is like these; dense is zero
 * before and afterwards. */

static void
judge_fewshot_liken(const judge_fewshot_pool_t *pool, float *dense,
    const judge_ngram_t *grams, size_t n, float *like)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        dense[grams[i].bucket] = grams[i].value;
    }

    for (i = 0; i < pool->n; i++) {
        like[i] = fmaxf(like[i], judge_fewshot_cosine(&pool->vectors[i],
                                                      dense));
    }

    for (i = 0; i < n; i++) {
        dense[grams[i].bucket] = 0;
    }
}


/* What is most like the text and least like what is chosen already; pool->n:
 * nothing fits. */

static size_t
judge_fewshot_next(const judge_fewshot_pool_t *pool, const float *close,
    const float *doubled, int64_t left)
{
    float   score, best = -INFINITY;
    size_t  i, k = pool->n;

    for (i = 0; i < pool->n; i++) {
        score = JUDGE_FEWSHOT_CLOSE * close[i]
                - (1 - JUDGE_FEWSHOT_CLOSE) * doubled[i];
        if (score > best && pool->vectors[i].tokens <= left) {
            best = score;
            k = i;
        }
    }

    return k;
}


judge_rc_e
judge_fewshot_choose(const judge_fewshot_pool_t *pool, judge_arena_t *scratch,
    judge_str_t text, const uint32_t *apart, size_t *chosen, size_t *n)
{
    float          *dense, *close, *doubled;
    size_t          i, k, found;
    int64_t         left;
    judge_ngram_t  *room;

    *n = 0;
    left = JUDGE_FEWSHOT_TOKENS;
    room = judge_array_alloc(scratch, JUDGE_NGRAM_MOST,
                             sizeof(judge_ngram_t));
    dense = judge_array_alloc(scratch, JUDGE_NGRAMS + 2 * pool->n,
                              sizeof(float));
    if (room == NULL || dense == NULL) {
        return JUDGE_NOMEM;
    }

    close = dense + JUDGE_NGRAMS;
    doubled = close + pool->n;

    text.len = text.len < JUDGE_FEWSHOT_LOOKED ? text.len
                                               : JUDGE_FEWSHOT_LOOKED;
    found = judge_ngrams(text, room);
    judge_fewshot_liken(pool, dense, room, found, close);

    for (i = 0; i < pool->n; i++) {
        doubled[i] = apart && pool->items[i].group == *apart ? INFINITY : 0;
    }

    while (*n < JUDGE_FEWSHOT_MOST) {
        k = judge_fewshot_next(pool, close, doubled, left);
        if (k == pool->n) {
            break;
        }

        chosen[(*n)++] = k;
        left -= pool->vectors[k].tokens;
        judge_fewshot_liken(pool, dense, pool->vectors[k].grams,
                            pool->vectors[k].n, doubled);
        doubled[k] = INFINITY;
    }

    return JUDGE_OK;
}


const judge_fewshot_t *
judge_fewshot_items(const judge_fewshot_pool_t *pool, size_t *n)
{
    *n = pool->n;

    return pool->items;
}


judge_str_t
judge_fewshot_excerpt(judge_arena_t *arena, judge_str_t text, size_t most)
{
    judge_str_t  start;

    if (text.len <= most) {
        return judge_str_dup(arena, text);
    }

    start = judge_utf8_prefix(text, most - 3);

    return judge_str_printf(arena, "%.*s\xe2\x80\xa6", judge_str_args(start));
}
