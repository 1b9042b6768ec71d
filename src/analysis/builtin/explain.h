/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback in words: each sentence names a measurement with its number, or
 * quotes a passage with its place.  There are no other sentences.
 */


#ifndef JUDGE_EXPLAIN_H
#define JUDGE_EXPLAIN_H


#include "analysis/builtin/trait.h"


/* A term of a criterion with what it did to the score. */
typedef struct {
    const judge_term_t  *term;
    double               effect;       /* -1 to 1 times its weight */
} judge_effect_t;

#define JUDGE_EFFECTS  48

/* All of a criterion, the worst first; a feature appears once. */
typedef struct {
    size_t          n;
    judge_effect_t  list[JUDGE_EFFECTS];
} judge_effects_t;

void judge_effects(judge_effects_t *effects, const judge_measure_t *m,
    const judge_trait_match_t *match);

/* The feedback of one criterion.  data is NULL when memory is exhausted. */
judge_str_t judge_explain_criterion(const judge_measure_t *m,
    const judge_criterion_t *criterion, const judge_trait_match_t *match,
    const judge_effects_t *effects, double score);

/* "3.1 misspelled words in 100 words". */
void judge_explain_feature(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature);

/* Summary, strengths, weaknesses and suggestions; the scores are there. */
judge_rc_e judge_explain_verdict(judge_measure_t *m,
    const judge_rubric_t *rubric, const judge_effects_t *effects,
    judge_verdict_t *verdict);


#endif /* JUDGE_EXPLAIN_H */
