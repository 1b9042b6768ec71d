/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "analysis/text/vectors.h"


#define JUDGE_VECTOR_HEAD    16        /* bytes before the hashes */
#define JUDGE_VECTOR_WORDS   50000
#define JUDGE_VECTOR_LENGTH  256.0
#define JUDGE_VECTOR_BITS    14        /* high bits of a hash, which the index
                                          is by */

/* gen/judge_vectors.c has vectors.bin in it, with the vectors aligned to cache
 * lines, and an index: where the hashes with the same high bits begin. */
extern const unsigned char  judge_vectors[];
extern const uint16_t       judge_vector_starts[];


static uint32_t
judge_vector_hash(size_t i)
{
    const unsigned char  *p = judge_vectors + JUDGE_VECTOR_HEAD + 4 * i;

    return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16
           | (uint32_t) p[3] << 24;
}


void
judge_vector_prefetch(uint64_t hash)
{
    uint32_t  wanted = (uint32_t) (hash ^ (hash >> 32));

    __builtin_prefetch(judge_vectors + JUDGE_VECTOR_HEAD
                       + 4 * judge_vector_starts[
                                 wanted >> (32 - JUDGE_VECTOR_BITS)]);
}


const int8_t *
judge_vector(uint64_t hash)
{
    size_t    i, end;
    uint32_t  wanted = (uint32_t) (hash ^ (hash >> 32));

    i = judge_vector_starts[wanted >> (32 - JUDGE_VECTOR_BITS)];
    end = judge_vector_starts[(wanted >> (32 - JUDGE_VECTOR_BITS)) + 1];

    while (i < end && judge_vector_hash(i) < wanted) {
        i++;
    }

    if (i == end || judge_vector_hash(i) != wanted) {
        return NULL;
    }

    return (const int8_t *) judge_vectors + JUDGE_VECTOR_HEAD
           + 4 * JUDGE_VECTOR_WORDS + JUDGE_VECTOR_SIZE * i;
}


void
judge_meaning_add(judge_meaning_t *restrict meaning,
    const int8_t *restrict vector, unsigned weight)
{
    size_t   i;
    int16_t  times = (int16_t) weight;

    if (meaning->words >= 1u << 15) {
        return;
    }

    for (i = 0; i < JUDGE_VECTOR_SIZE; i++) {
        meaning->v[i] += times * (int16_t) vector[i];
    }

    meaning->words++;
}


double
judge_meaning_cosine(const judge_meaning_t *a, const judge_meaning_t *b)
{
    size_t   i;
    double   dot = 0, aa = 0, bb = 0, x, y;

    for (i = 0; i < JUDGE_VECTOR_SIZE; i++) {
        x = a->v[i];
        y = b->v[i];
        dot += x * y;
        aa += x * x;
        bb += y * y;
    }

    return aa > 0 && bb > 0 ? dot / sqrt(aa * bb) : 0;
}


double
judge_vector_cosine(const int8_t *a, const int8_t *b)
{
    size_t   i;
    int32_t  dot;

    for (i = 0, dot = 0; i < JUDGE_VECTOR_SIZE; i++) {
        dot += a[i] * b[i];
    }

    return dot / (JUDGE_VECTOR_LENGTH * JUDGE_VECTOR_LENGTH);
}
