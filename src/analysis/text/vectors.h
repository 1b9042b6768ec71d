/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Vectors of 50,000 English words, by which texts are compared by meaning:
 * vectors.bin, which util/gen/vectors makes and which is part of the program's
 * read-only data.
 *
 * A text's vector is the sum of its words', each by how rare it is (smooth
 * inverse frequency; Arora et al. 2017).  All of it is done in whole numbers,
 * so that the order of adding does not matter.
 */


#ifndef JUDGE_VECTORS_H
#define JUDGE_VECTORS_H


#include "analysis/text/text.h"


#define JUDGE_VECTOR_SIZE  64

typedef struct {
    int32_t   v[JUDGE_VECTOR_SIZE];
    uint32_t  words;                   /* that have a vector */
} judge_meaning_t;

/* A direction, its length about 256, and the feature that tells how far a text
 * goes that way.  gen/judge_vectors.c, made by util/gen/axes. */
typedef struct {
    uint8_t  feature;
    int16_t  v[JUDGE_VECTOR_SIZE];
} judge_axis_t;

extern const judge_axis_t  judge_axes[];
extern const size_t        judge_axes_count;

/* How much words count, 1 to 255, by their judge_word_t.rarity. */
extern const uint8_t       judge_vector_weights[256];

/* The vector of a word in small letters, by judge_word_hash(), its length
 * about 256; NULL: it has none. */
const int8_t *judge_vector(uint64_t hash);

/* Fetches the memory that looking it up needs. */
void judge_vector_prefetch(uint64_t hash);

/* Adds a word, its weight below 2^15; at most 2^15 times. */
void judge_meaning_add(judge_meaning_t *meaning, const int8_t *vector,
    unsigned weight);

/* The cosine of two texts, -1 to 1; 0 where one has no known word. */
double judge_meaning_cosine(const judge_meaning_t *a,
    const judge_meaning_t *b);

/* The same of a text and an axis. */
double judge_meaning_along(const judge_meaning_t *meaning,
    const judge_axis_t *axis);

/* The cosine of two words, -1 to 1. */
double judge_vector_cosine(const int8_t *a, const int8_t *b);


#endif /* JUDGE_VECTORS_H */
