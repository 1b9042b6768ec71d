/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/core/hash.h"
#include "work/evaluation/evaluate.h"


#define JUDGE_CANARY_FRACTIONS  (1 << 24)        /* steps of a share */


/* The sample that is escalated to a language model is drawn by the same hash
 * without judge_mix(), which makes this share independent of that sample. */

bool
judge_canary_takes(double share, judge_str_t id)
{
    uint64_t  hash;

    hash = judge_mix(judge_fnv(JUDGE_FNV_START, id.data, id.len));

    return (double) (hash % JUDGE_CANARY_FRACTIONS)
           < share * JUDGE_CANARY_FRACTIONS;
}


judge_str_t
judge_canary_given(judge_arena_t *arena, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    float   *scores;
    size_t   i;

    scores = judge_array_alloc(arena, 2 * (rubric->ncriteria + 1),
                               sizeof(float));
    if (scores == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    for (i = 0; i <= rubric->ncriteria; i++) {
        scores[2 * i] = (float) (i ? verdict->scores[i - 1].score
                                   : verdict->overall);
        scores[2 * i + 1] = NAN;
    }

    return (judge_str_t) { 2 * (rubric->ncriteria + 1) * sizeof(float),
                           (char *) scores };
}


void
judge_canary_scored(judge_str_t scores, const judge_rubric_t *base,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict)
{
    float   *pairs = (float *) (void *) scores.data;
    size_t   i, k;

    pairs[1] = (float) verdict->overall;

    for (i = 0; i < base->ncriteria; i++) {
        for (k = 0; k < rubric->ncriteria; k++) {
            if (judge_str_eq(base->criteria[i].id, rubric->criteria[k].id)) {
                pairs[2 * i + 3] = (float) verdict->scores[k].score;
            }
        }
    }
}
