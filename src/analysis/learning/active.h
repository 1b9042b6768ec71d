/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which items are worth a person's time next: by the variance that a Gaussian
 * process has left at an item, given those that are known (MacKay 1992), taken
 * greedily (Krause et al. 2008), so that what is alike is not asked twice.
 */


#ifndef JUDGE_ACTIVE_H
#define JUDGE_ACTIVE_H


#include "base/core/str.h"


#define JUDGE_ACTIVE_ITEMS  500        /* that are compared at most */

typedef struct {
    const float  *features;            /* NULL: not measured; it comes last */
    bool          known;               /* a person has scored it */
    double        gain;                /* out: 0 (nothing new) to 1 */
} judge_active_item_t;

/*
 * Fills `order` with the indexes of the items that are not known, the best
 * first, and *norder; time grows with the cube of n.  Deterministic: of
 * equal ones the first.  JUDGE_OK, or JUDGE_NOMEM.
 */
judge_rc_e judge_active_order(judge_arena_t *arena,
    judge_active_item_t *items, size_t n, size_t nfeatures, size_t *order,
    size_t *norder);


#endif /* JUDGE_ACTIVE_H */
