/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Active learning: which items a person should score next.  Each step takes
 * the item whose score would most reduce the mean posterior variance of a
 * Gaussian process over all items (Cohn 1996).  So only one of several similar
 * items is chosen, and outliers, which tell little about others, come late.
 */


#ifndef JUDGE_ACTIVE_LEARNING_H
#define JUDGE_ACTIVE_LEARNING_H


#include "base/core/str.h"


#define JUDGE_ACTIVE_ITEMS  500        /* most that callers may pass */

typedef struct {
    const float  *features;            /* NULL: not measured, ordered last */
    bool          known;               /* a person has scored the item */
    double        gain;                /* out: reduction of the mean variance,
                                          at the step that chose the item */
} judge_active_item_t;

/*
 * Fills `order` with the indexes of the items that are not known, the best
 * first, and *norder with their number.  Time grows with the cube of n.
 * Deterministic: ties go to the lower index.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_active_order(judge_arena_t *arena,
    judge_active_item_t *items, size_t n, size_t nfeatures, size_t *order,
    size_t *norder);


#endif /* JUDGE_ACTIVE_LEARNING_H */
