/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What similarities of sequences are made of: check_similar.c, and the graders
 * of OpenAI's clients. */


#ifndef JUDGE_SIMILAR_H
#define JUDGE_SIMILAR_H


#include "base/core/str.h"


#define JUDGE_LIKE_TABLE  4000         /* words or characters compared where
                                          time is quadratic */
#define JUDGE_LIKE_GRAMS  50000        /* and where it is not quadratic */

/* A sequence of words, as hashes, or of characters. */
typedef struct {
    uint64_t  *hash;
    size_t     n;
} judge_like_seq_t;

/* How many n-grams each of the two has, and how many they share. */
typedef struct {
    double  text;
    double  reference;
    double  both;
} judge_like_counts_t;


static inline size_t
judge_like_most(size_t n)
{
    return n < JUDGE_LIKE_TABLE ? n : JUDGE_LIKE_TABLE;
}

/* The edit distance, or the length of the longest common subsequence, of the
 * first JUDGE_LIKE_TABLE of each. */
judge_rc_e judge_like_table(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, bool edits, size_t *out);

judge_rc_e judge_like_grams(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, judge_like_counts_t *out);

/* 2 * their longest common subsequence / the length of both, of the first
 * JUDGE_LIKE_TABLE of each; n is not used. */
judge_rc_e judge_like_longest(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out);

/* F1 of the n-grams. */
judge_rc_e judge_like_rouge(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out);

/* The lesser of precision and recall of all n-grams of 1 to n. */
judge_rc_e judge_like_gleu(judge_arena_t *arena, const judge_like_seq_t *a,
    const judge_like_seq_t *b, size_t n, double *out);


#endif /* JUDGE_SIMILAR_H */
