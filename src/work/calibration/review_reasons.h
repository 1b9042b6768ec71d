/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether a person should look at a result, and why. */


#ifndef JUDGE_REVIEW_REASONS_H
#define JUDGE_REVIEW_REASONS_H


#include "work/render/evaluation_json.h"


/* Reads the judge's review JSON, which may be absent, into the rubric. */
void judge_review_settings(judge_arena_t *arena, judge_str_t review,
    judge_rubric_t *rubric);

/*
 * Adds the verdict's reasons to those that the origin has already:
 *
 * - a threshold lies within the interval of a score: the judge's review
 *   threshold for the overall score, and for a criterion "fair", from which on
 *   it passes, if its interval comes from corrections;
 * - the interval of the overall score is wider than the judge allows;
 * - the checks contradict the score: none is met although it passes, or all
 *   are met although it is below "poor".
 *
 * judge_calibrator_apply() and the code of language models add the others.
 *
 * Runs in any thread, and allocates nothing.
 */
void judge_review_decide(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, judge_origin_t *origin);


#endif /* JUDGE_REVIEW_REASONS_H */
