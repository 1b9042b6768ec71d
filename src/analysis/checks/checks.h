/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The checks of a judge's criteria, decided for one text. */


#ifndef JUDGE_CHECKS_H
#define JUDGE_CHECKS_H


#include "base/core/allowance.h"
#include "analysis/builtin/engine.h"


/* A criterion that is not met gets at most so much where the check caps. */
#define JUDGE_CHECK_CAP  20.0

/* What all checks of one evaluation may use: about a second on a machine of
 * today, and more for a long text, since what is linear in it must go on. */
#define JUDGE_CHECKS_STEPS  400000000
#define JUDGE_CHECKS_BYTE   1000       /* steps more for one of the text */
#define JUDGE_CHECKS_BYTES  ((size_t) 128 << 20)

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
 * character is left as it is.  What they may use is in the allowance; a check
 * gets half of what those before it have left, and where that is too little it
 * is not decided; NULL: that of the text.  JUDGE_OK, JUDGE_NOMEM, or
 * JUDGE_STALE: it was cancelled.
 */
judge_rc_e judge_checks_apply(judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_item_t *item,
    judge_verdict_t *verdict, judge_allowance_t *allowance);

/* For a text of so many bytes; cancelled() is the caller's to set. */
judge_allowance_t judge_checks_allowance(size_t len);


#endif /* JUDGE_CHECKS_H */
