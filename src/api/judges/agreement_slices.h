/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Agreement by what the metadata of the contents say: by language, by source,
 * by whoever wrote them.
 */


#ifndef JUDGE_AGREEMENT_SLICES_H
#define JUDGE_AGREEMENT_SLICES_H


#include "analysis/learning/agreement.h"
#include "work/training/training_data.h"


#define JUDGE_AGREEMENT_SLICES  20     /* those with most items */

typedef struct {
    judge_str_t        value;
    size_t             nitems;
    size_t             first;          /* item that has it */
    judge_agreement_t *agree;          /* as judge_agreement() fills it */
} judge_agreement_slice_t;

/*
 * Fills slices, the largest first, and how many there would be.  Results are
 * of `arena`.  JUDGE_OK or JUDGE_NOMEM; in any thread.
 */
judge_rc_e judge_agreement_slices(judge_arena_t *arena,
    const judge_training_data_t *data, const double *pass,
    judge_agreement_slice_t slices[JUDGE_AGREEMENT_SLICES], size_t *n,
    size_t *all);


#endif /* JUDGE_AGREEMENT_SLICES_H */
