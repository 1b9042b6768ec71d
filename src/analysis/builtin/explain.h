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


#include "analysis/builtin/reader.h"


/* What moved a criterion's score enough to be mentioned, the worst first. */
typedef struct {
    size_t           n;
    judge_effect_t  *list;
} judge_effects_t;

/* Of n effects in any order.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_effects(judge_effects_t *effects, judge_arena_t *arena,
    const judge_effect_t *list, size_t n);

/* The feedback of one criterion.  data is NULL when memory is exhausted. */
judge_str_t judge_explain_criterion(const judge_measure_t *m,
    const judge_criterion_t *criterion, const judge_trait_match_t *match,
    const judge_reader_match_t *seen, const judge_effects_t *effects,
    double score);

/* "3.1 misspelled words in 100 words". */
void judge_explain_feature(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature);

/* Summary, strengths, weaknesses and suggestions; the scores are there. */
judge_rc_e judge_explain_verdict(judge_measure_t *m,
    const judge_rubric_t *rubric, const judge_effects_t *effects,
    judge_verdict_t *verdict);


#endif /* JUDGE_EXPLAIN_H */
