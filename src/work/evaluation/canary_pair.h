/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a canary, a version beside the active one of a judge, says of an
 * evaluation, next to what the active one says.  Any thread. */


#ifndef JUDGE_CANARY_PAIR_H
#define JUDGE_CANARY_PAIR_H


#include "analysis/builtin/engine.h"


/* Whether an evaluation belongs to that share of all, 0 to 1; by its
 * identifier, so that another try agrees, and a larger share has it, too. */
bool judge_canary_takes(double share, judge_str_t id);

/* The scores of both as they are stored (store_watch.h): those of the active
 * one, and room for the canary's.  Absent: no memory. */
judge_str_t judge_canary_given(judge_arena_t *arena,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);

/* Puts those of the canary there, of the criteria that `base` has, too. */
void judge_canary_scored(judge_str_t scores, const judge_rubric_t *base,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);


#endif /* JUDGE_CANARY_PAIR_H */
