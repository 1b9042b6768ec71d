/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/learning/learn_parts.h"
#include "analysis/llm/fewshot.h"
#include "analysis/llm/prompt.h"
#include "analysis/text/math.h"


#define JUDGE_FEWSHOT_LIKENESS  0.6f   /* weight of likeness to the text; the
                                          rest is that of variety */
#define JUDGE_FEWSHOT_FRAME     60     /* tokens around an example */
#define JUDGE_FEWSHOT_READ      32768  /* bytes of the text that are read */

typedef struct {
    judge_ngram_t  *grams;             /* a vector of length 1 */
    size_t          n;
    int64_t         tokens;            /* of the item as an example */
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
    size_t                   i;
    judge_ngram_t           *room;
    judge_fewshot_pool_t    *pool;
    judge_fewshot_vector_t  *vector;

    if (n == 0 || n > JUDGE_FEWSHOT_ITEMS) {
        return NULL;
    }

    room = malloc(JUDGE_NGRAM_MOST * sizeof(judge_ngram_t));
    pool = room ? judge_calloc(arena, sizeof(judge_fewshot_pool_t)) : NULL;

    if (pool) {
        pool->items = items;
        pool->n = n;
        pool->vectors = judge_array_alloc(arena, n,
                                          sizeof(judge_fewshot_vector_t));
        pool = pool->vectors ? pool : NULL;
    }

    for (i = 0; pool && i < n; i++) {
        vector = &pool->vectors[i];
        vector->n = judge_ngrams(items[i].text, room);
        vector->grams = judge_array_alloc(arena, vector->n + 1,
                                          sizeof(judge_ngram_t));
        if (vector->grams == NULL) {
            pool = NULL;
            break;
        }

        memcpy(vector->grams, room, vector->n * sizeof(judge_ngram_t));
        vector->tokens = JUDGE_FEWSHOT_FRAME
                         + judge_prompt_tokens(items[i].text)
                         + judge_prompt_tokens(items[i].reason);
    }

    free(room);

    return pool;
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


/* Raises each item's likeness to its cosine with these ngrams, if that is
 * higher; `dense` is all zero before and afterwards. */

static void
judge_fewshot_liken(const judge_fewshot_pool_t *pool, float *dense,
    const judge_ngram_t *grams, size_t n, float *likeness)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        dense[grams[i].bucket] = grams[i].value;
    }

    for (i = 0; i < pool->n; i++) {
        likeness[i] = fmaxf(likeness[i],
                            judge_fewshot_cosine(&pool->vectors[i], dense));
    }

    for (i = 0; i < n; i++) {
        dense[grams[i].bucket] = 0;
    }
}


/* Returns the item most like the text and least like those chosen before;
 * pool->n: none has room in `left` tokens. */

static size_t
judge_fewshot_next(const judge_fewshot_pool_t *pool, const float *likeness,
    const float *repeated, int64_t left)
{
    float   score, best = -INFINITY;
    size_t  i, k = pool->n;

    for (i = 0; i < pool->n; i++) {
        score = JUDGE_FEWSHOT_LIKENESS * likeness[i]
                - (1 - JUDGE_FEWSHOT_LIKENESS) * repeated[i];
        if (score > best && pool->vectors[i].tokens <= left) {
            best = score;
            k = i;
        }
    }

    return k;
}


judge_rc_e
judge_fewshot_choose(const judge_fewshot_pool_t *pool, judge_arena_t *scratch,
    judge_str_t text, const uint32_t *excluded, size_t *chosen, size_t *n)
{
    float          *dense, *likeness, *repeated;
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

    likeness = dense + JUDGE_NGRAMS;
    repeated = likeness + pool->n;

    text.len = text.len < JUDGE_FEWSHOT_READ ? text.len
                                               : JUDGE_FEWSHOT_READ;
    found = judge_ngrams(text, room);
    judge_fewshot_liken(pool, dense, room, found, likeness);

    for (i = 0; i < pool->n; i++) {
        repeated[i] = excluded && pool->items[i].group == *excluded ? INFINITY
                                                                    : 0;
    }

    while (*n < JUDGE_FEWSHOT_MOST) {
        k = judge_fewshot_next(pool, likeness, repeated, left);
        if (k == pool->n) {
            break;
        }

        chosen[(*n)++] = k;
        left -= pool->vectors[k].tokens;
        judge_fewshot_liken(pool, dense, pool->vectors[k].grams,
                            pool->vectors[k].n, repeated);
        repeated[k] = INFINITY;
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
