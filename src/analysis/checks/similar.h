/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The similarity of a text to a reference, from 0 to 1, by a measure that has
 * a name: for checks (check_similar.c), and for graders that OpenAI defines,
 * each of which is what a public implementation computes. */


#ifndef JUDGE_SIMILAR_H
#define JUDGE_SIMILAR_H


#include "base/core/allowance.h"


/*
 * Of checks, which compare words without regard to capitals, and without
 * punctuation:
 *
 *   levenshtein  1 - distance / length of the longer one, in characters
 *   rouge_n      F1 of the n-grams of words (Lin 2004)
 *   rouge_l      F1 of the longest common subsequence of words (ibid.)
 *   bleu         n-grams of 1 to 4 words, with the penalty for brevity; from
 *                2 on with 1 added to both counts (Lin and Och 2004)
 *   gleu         the lesser of precision and recall of all n-grams of 1 to 4
 *                words (Wu et al. 2016)
 *   chrf         F2 of the n-grams of 1 to 6 characters without spaces, the
 *                mean of both shares over n (Popović 2015)
 *
 * Of graders:
 *
 *   cosine         of sums of the vectors of English words (vectors.h)
 *   fuzzy_match    RapidFuzz, fuzz.ratio: 2 * the longest common subsequence
 *                  of characters / the length of both
 *   bleu           SacreBLEU, sentence_bleu with its defaults
 *   gleu           NLTK, sentence_gleu of the words of SacreBLEU
 *   meteor         NLTK, meteor_score with words that are the same in small
 *                  letters, without stems and synonyms
 *   rouge_1 to _5  rouge-score without stems: F1 of n-grams of words; letters
 *                  beyond ASCII count, which rouge-score drops, and ideographs
 *                  are words
 *   rouge_l        the same of their longest common subsequence
 */
typedef enum {
    JUDGE_LIKE_LEVENSHTEIN,
    JUDGE_LIKE_ROUGE_N,
    JUDGE_LIKE_ROUGE_L,
    JUDGE_LIKE_BLEU,
    JUDGE_LIKE_GLEU,
    JUDGE_LIKE_CHRF,
    JUDGE_LIKE_GRADERS                 /* the first of the graders', by the
                                          index of its name: */
} judge_like_e;

extern const char *const  judge_like_graders[];          /* NULL ends them */

/* Computes a similarity; n is the words of an n-gram of rouge_n.  Memory comes
 * from the arena, and is not needed afterwards.  JUDGE_OK, JUDGE_NOMEM,
 * JUDGE_BUSY: it takes more steps than are left; or JUDGE_NOT_FOUND: cosine
 * knows no word of one of the texts.  Of long texts the beginning is compared:
 * 4,000 characters or words where time is quadratic, else 50,000 of them. */
judge_rc_e judge_like(judge_arena_t *arena, judge_allowance_t *allowance,
    size_t measure, size_t n, judge_str_t text, judge_str_t reference,
    double *out);


#endif /* JUDGE_SIMILAR_H */
