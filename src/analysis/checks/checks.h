/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The checks of a judge's criteria, decided for one text. */


#ifndef JUDGE_CHECKS_H
#define JUDGE_CHECKS_H


#include "analysis/builtin/engine.h"


/* A criterion that is not met gets at most so much where the check caps. */
#define JUDGE_CHECK_CAP  20.0

/* Reads the checks of criteria that judge_rubric_read() has made.  JUDGE_OK,
 * JUDGE_NOMEM or JUDGE_INVALID. */
judge_rc_e judge_checks_rubric(judge_arena_t *arena, judge_rubric_t *rubric);

/*
 * Decides the checks that are on, and brings the scores of the verdict to
 * them, after all that was learned: what can be decided holds whatever people
 * or models said.  Of a criterion that is made of checks (rubric.h:
 * judge_criterion_t.decided) they are the score: the share, by weight, of
 * what is met.  Else judgement counts as one check of weight 1 among those
 * that don't cap, and those that do bound the score.  The overall score moves
 * by the weighted mean of what its criteria moved.  A text without any
 * character is left as it is.  Memory is from `arena`; linear in the text, or
 * bounded.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_checks_apply(judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_item_t *item,
    judge_verdict_t *verdict);


#endif /* JUDGE_CHECKS_H */
