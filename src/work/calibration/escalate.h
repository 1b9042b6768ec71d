/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which results of the built-in engine are escalated to a language model: a
 * judge sets how sure the engine must be, and the share of a random sample. */


#ifndef JUDGE_ESCALATE_H
#define JUDGE_ESCALATE_H


#include "work/render/evaluation_json.h"


typedef struct {
    judge_str_t  model;                /* absent: nothing is escalated */
    double       wider;                /* width in points, as in
                                          judge_rubric_t; 0: not set */
    double       threshold;
    double       sample;               /* share, up to 1 */
} judge_escalate_t;

/* Reads the judge's JSON, which may be absent; model is in the arena. */
void judge_escalate_read(judge_arena_t *arena, judge_str_t json,
    judge_escalate_t *escalate);

/* Why a result is escalated: JUDGE_ESCALATED_...; 0: it is not.  If there is
 * no interval, its width and the threshold are not considered.  The sample is
 * drawn by the evaluation's identifier, so that a retry decides alike. */
int64_t judge_escalate_why(const judge_escalate_t *escalate, judge_str_t id,
    const judge_verdict_t *verdict, const judge_width_t *overall);

/* The name, in answers, of the first of the reasons. */
const char *judge_escalate_name(int64_t why);


#endif /* JUDGE_ESCALATE_H */
