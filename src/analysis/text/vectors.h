/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Texts are compared by meaning with the vectors of 50,000 English words in
 * vectors.bin, which util/gen/vectors makes.  It is linked into the program as
 * read-only data.
 *
 * A text's vector is the sum of those of its words, each times a weight by how
 * rare the word is (smooth inverse frequency; Arora et al. 2017).  The sums
 * are whole numbers, so that the order of adding does not matter.
 */


#ifndef JUDGE_VECTORS_H
#define JUDGE_VECTORS_H


#include "analysis/text/text.h"


#define JUDGE_VECTOR_SIZE  64

typedef struct {
    int32_t   v[JUDGE_VECTOR_SIZE];
    uint32_t  words;                   /* how many were added */
} judge_meaning_t;

/* A direction of length 256, roughly, and the feature that says how far a text
 * points that way.  util/gen/axes makes gen/judge_vectors.c of axes.txt. */
typedef struct {
    uint8_t          feature;
    judge_meaning_t  direction;
} judge_axis_t;

extern const judge_axis_t  judge_axes[];
extern const size_t        judge_axes_count;

/* The weights of words, 1 to 255, by their judge_word_t.rarity. */
extern const uint8_t       judge_vector_weights[256];

/* Returns the vector of a word, of length 256 roughly, by judge_word_hash() of
 * it in small letters; NULL: it has none. */
const int8_t *judge_vector(uint64_t hash);

/* Fetches the memory that judge_vector() needs. */
void judge_vector_prefetch(uint64_t hash);

/* Adds a word times a weight: at most 255, or 1020 for one that is added once.
 * Then 32 bits hold the sums, as words behind the first 2^15 are ignored. */
void judge_meaning_add(judge_meaning_t *meaning, const int8_t *vector,
    unsigned weight);

/* Returns the cosine of two texts, or of a text and a direction, -1 to 1; 0
 * where a text has no known word. */
double judge_meaning_cosine(const judge_meaning_t *a,
    const judge_meaning_t *b);

/* Returns the cosine of two words, -1 to 1. */
double judge_vector_cosine(const int8_t *a, const int8_t *b);


#endif /* JUDGE_VECTORS_H */
