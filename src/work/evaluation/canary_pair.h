/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The scores that a canary, a version in addition to the judge's active one,
 * gives to an evaluation, paired with the active version's.  Any thread. */


#ifndef JUDGE_CANARY_PAIR_H
#define JUDGE_CANARY_PAIR_H


#include "analysis/builtin/engine.h"


/* Whether an evaluation belongs to the share, 0 to 1.  This depends on its
 * identifier only: a retry decides alike, and a larger share contains it. */
bool judge_canary_takes(double share, judge_str_t id);

/* Makes the stored form of the pair (store_watch.h) with the active version's
 * scores and room for the canary's.  Absent: out of memory. */
judge_str_t judge_canary_given(judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);

/* Fills in the canary's scores for the criteria that `base` has, too. */
void judge_canary_scored(judge_str_t scores, const judge_rubric_t *base,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);


#endif /* JUDGE_CANARY_PAIR_H */
