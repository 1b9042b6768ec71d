/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The checks of a judge's criteria, decided for one text. */


#ifndef JUDGE_CHECKS_H
#define JUDGE_CHECKS_H


#include "base/core/allowance.h"
#include "analysis/builtin/engine.h"


/* The most that a criterion scores when a check that caps is not met. */
#define JUDGE_CHECK_CAP  20.0

/* The allowance of all checks of one evaluation: about a second on a machine
 * of today; more for a long text, so that linear checks can finish. */
#define JUDGE_CHECKS_STEPS  400000000
#define JUDGE_CHECKS_BYTE   1000       /* more steps for each byte of text */
#define JUDGE_CHECKS_BYTES  ((size_t) 128 << 20)

/* Reads the checks of criteria that judge_rubric_read() has made, as
 * judge_checks_read() does.  JUDGE_OK, JUDGE_NOMEM or JUDGE_INVALID. */
judge_rc_e judge_checks_rubric(judge_arena_t *arena, judge_arena_t *values,
    judge_rubric_t *rubric);

/*
 * Decides the checks that are on and adjusts the scores of the verdict.  This
 * runs after corrections were applied, since a decidable requirement holds
 * whatever people or models say.  For a criterion made of checks only
 * (engine.h: judge_criterion_t.decided) the score is the weighted share of
 * what is met.  Otherwise the score that was judged counts as one check of
 * weight 1 among those that don't cap; those that cap bound the result.  The
 * overall score follows from those of the criteria.  The verdict on an empty
 * text stays as it is.  A check may use half of what is left of the allowance,
 * and is undecided where that does not suffice; allowance NULL:
 * judge_checks_allowance() of the text.  JUDGE_OK, JUDGE_NOMEM, or
 * JUDGE_STALE: the evaluation was cancelled.
 */
judge_rc_e judge_checks_apply(judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_item_t *item,
    judge_verdict_t *verdict, judge_allowance_t *allowance);

/* For a text of `len` bytes; the caller may set cancelled(). */
judge_allowance_t judge_checks_allowance(size_t len);


#endif /* JUDGE_CHECKS_H */
