/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which results of the built-in engine are left to a language model: a judge
 * says so where the engine is not sure enough, or for a sample.
 */


#ifndef JUDGE_ESCALATE_H
#define JUDGE_ESCALATE_H


#include "work/render/evaluation_json.h"


typedef struct {
    judge_str_t  model;                /* absent: nothing is escalated */
    double       wider;                /* points, as in judge_rubric_t; 0: none
                                          of these */
    double       threshold;
    double       sample;               /* share, up to 1 */
} judge_escalate_t;

/* Out of the judge's JSON, which may be absent; model refers to the arena. */
void judge_escalate_read(judge_arena_t *arena, judge_str_t json,
    judge_escalate_t *escalate);

/*
 * Why the result is left to the model: JUDGE_ESCALATED_...; 0: it is not.
 * Where no interval is known, neither its width nor a threshold asks for it.
 * The sample is made by the evaluation's identifier: another try agrees.
 */
int64_t judge_escalate_why(const judge_escalate_t *escalate, judge_str_t id,
    const judge_verdict_t *verdict, const judge_width_t *overall);

/* The first of the reasons by its name in answers. */
const char *judge_escalate_name(int64_t why);


#endif /* JUDGE_ESCALATE_H */
