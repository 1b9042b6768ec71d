/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Decides whether a learned model is better than the one in use, and for which
 * criteria it is taken, by judge_agreement() on held-out items.
 *
 * Who tests many criteria finds a better one by chance.  So half of the
 * significance level goes to the test of the mean over the criteria, the other
 * half to tests of each criterion, by the step-down procedure of Holm 1979.  A
 * model that learned nothing passes in one training out of forty, however many
 * criteria there are (util/eval/quality null).  P-values are by Student's t
 * with the bootstrap's standard deviation, as the percentiles of a bootstrap
 * of few items lie too close together.
 */


#ifndef JUDGE_GATE_H
#define JUDGE_GATE_H


#include "analysis/learning/agreement.h"


#define JUDGE_GATE_CHANCE   0.025      /* significance level */
#define JUDGE_GATE_TARGETS  65
#define JUDGE_GATE_ORDER    0.02       /* loss of rank correlation accepted for
                                          a smaller error */

typedef enum {
    JUDGE_GATE_READY,
    JUDGE_GATE_NO_LESS,                /* the error is not smaller */
    JUDGE_GATE_CHANCE_ONLY,            /* smaller, but not significantly */
    JUDGE_GATE_ORDER_WORSE             /* smaller, but the order is worse */
} judge_gate_e;

typedef struct {
    judge_gate_e  verdict;
    bool          taken[JUDGE_GATE_TARGETS];     /* by target */
} judge_gate_t;

/*
 * agree has ntargets + 1 results of judge_agreement() with intervals, pred by
 * the learned model and before by the one in use; the last is the mean.
 * frozen[t]: target t is left out; NULL: none.  `taken` is set whatever the
 * verdict: where it is not READY, all targets that are not frozen.
 */
void judge_gate(const judge_agreement_t *agree, size_t ntargets,
    const uint8_t *frozen, judge_gate_t *gate);

/* Whether the error is smaller, significant at the level `chance`, and either
 * the order is no worse or the error is halved. */
bool judge_gate_better(const judge_agreement_t *mean, double chance);


#endif /* JUDGE_GATE_H */
