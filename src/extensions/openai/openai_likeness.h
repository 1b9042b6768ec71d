/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Similarities of a text to a reference by the names that OpenAI's graders
 * have for them, from 0 to 1; each is what a public implementation computes:
 *
 *   fuzzy_match    RapidFuzz, fuzz.ratio: 2 * the longest common subsequence
 *                  of characters / the length of both
 *   bleu           SacreBLEU, sentence_bleu with its defaults
 *   gleu           NLTK, sentence_gleu of the words of SacreBLEU
 *   rouge_1 to _5  rouge-score without stems: F1 of n-grams of words
 *   rouge_l        the same of their longest common subsequence
 *   meteor         NLTK, meteor_score with words that are the same in small
 *                  letters, without stems and synonyms
 *   cosine         of sums of the vectors of English words (vectors.h)
 *
 * Letters beyond ASCII count as letters in ROUGE, which rouge-score drops.
 */


#ifndef JUDGE_OPENAI_LIKENESS_H
#define JUDGE_OPENAI_LIKENESS_H


#include "base/core/str.h"


extern const char *const  judge_openai_likenesses[];    /* NULL ends it */

/* By the index of its name: JUDGE_OK or JUDGE_NOMEM.  Of long texts the
 * beginning is compared: 4,000 characters or words where time is quadratic,
 * else 50,000 words. */
judge_rc_e judge_openai_likeness(judge_arena_t *arena, size_t metric,
    judge_str_t text, judge_str_t reference, double *out);

/* The text in small letters; absent without memory. */
judge_str_t judge_openai_small(judge_arena_t *arena, judge_str_t s);


#endif /* JUDGE_OPENAI_LIKENESS_H */
