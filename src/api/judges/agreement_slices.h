/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Agreement by the values of a member of the contents' metadata, such as
 * language, source or author. */


#ifndef JUDGE_AGREEMENT_SLICES_H
#define JUDGE_AGREEMENT_SLICES_H


#include "analysis/learning/agreement.h"
#include "work/training/training_data.h"


#define JUDGE_AGREEMENT_SLICES  20     /* the ones with most items */

typedef struct {
    judge_str_t        value;
    size_t             nitems;
    size_t             first;          /* index of the first item with it */
    judge_agreement_t *agree;          /* as judge_agreement() fills it */
} judge_agreement_slice_t;

/* Fills slices, the largest first, and how many there are in all.  Results are
 * allocated in `arena`.  Runs in any thread; JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_agreement_slices(judge_arena_t *arena,
    const judge_training_data_t *data, const double *pass,
    judge_agreement_slice_t slices[JUDGE_AGREEMENT_SLICES], size_t *n,
    size_t *all);


#endif /* JUDGE_AGREEMENT_SLICES_H */
