/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which items are worth a person's time next: those after which a Gaussian
 * process would be most certain of all of them (Cohn 1996: the mean variance
 * is what is lessened), one after the other, so that what is alike is not
 * asked twice and what is odd not first.
 */


#ifndef JUDGE_ACTIVE_LEARNING_H
#define JUDGE_ACTIVE_LEARNING_H


#include "base/core/str.h"


#define JUDGE_ACTIVE_ITEMS  500        /* that are compared at most */

typedef struct {
    const float  *features;            /* NULL: not measured; it comes last */
    bool          known;               /* a person has scored it */
    double        gain;                /* out: the share of the variance of
                                          all items that goes, when its turn
                                          comes */
} judge_active_item_t;

/*
 * Fills `order` with the indexes of the items that are not known, the best
 * first, and *norder; time grows with the cube of n.  Deterministic: of
 * equal ones the first.  JUDGE_OK, or JUDGE_NOMEM.
 */
judge_rc_e judge_active_order(judge_arena_t *arena,
    judge_active_item_t *items, size_t n, size_t nfeatures, size_t *order,
    size_t *norder);


#endif /* JUDGE_ACTIVE_LEARNING_H */
