/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Of a judge that asks a language model where it is not sure: how well the
 * overall scores agree with those of people as they were decided, had the
 * built-in engine decided all, where the model was asked, and what the engine
 * said there.
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

/* As they are called in answers. */
extern const char *const  judge_cascade_names[JUDGE_CASCADE_COUNT];

/*
 * Fills agree[]; without items where somebody chose n is 0 in all.  People's
 * overall score is theirs, or the given one with what they corrected of the
 * criteria, by their weights.  Any thread; JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_agreement_cascade(judge_arena_t *arena,
    const judge_training_data_t *l, const double *weights, double pass,
    judge_agreement_t agree[JUDGE_CASCADE_COUNT]);


#endif /* JUDGE_AGREEMENT_CASCADE_H */
