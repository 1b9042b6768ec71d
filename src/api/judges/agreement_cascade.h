/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * For a judge that escalates unsure scores to a language model: how well the
 * overall scores agree with people's, in four sets: all as they were decided,
 * all as the built-in engine alone would have decided, only those that the
 * model decided, and the engine's scores of the latter.
 */


#ifndef JUDGE_AGREEMENT_CASCADE_H
#define JUDGE_AGREEMENT_CASCADE_H


#include "analysis/learning/agreement.h"
#include "work/training/training_data.h"


typedef enum {
    JUDGE_CASCADE_DECIDED,
    JUDGE_CASCADE_BUILTIN,
    JUDGE_CASCADE_MODEL,
    JUDGE_CASCADE_BUILTIN_THERE,
    JUDGE_CASCADE_COUNT
} judge_cascade_e;

/* The names of the sets in answers. */
extern const char *const  judge_cascade_names[JUDGE_CASCADE_COUNT];

/* Fills agree[]; n is 0 in all if no item was decided by escalation.  People's
 * overall score is the one they gave, or else the given one plus the weighted
 * corrections of criteria.  Runs in any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_agreement_cascade(judge_arena_t *arena,
    const judge_training_data_t *l, const double *weights, double pass,
    judge_agreement_t agree[JUDGE_CASCADE_COUNT]);


#endif /* JUDGE_AGREEMENT_CASCADE_H */
