/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether what was learned is better than what is in use, and of which
 * criteria it is to be taken: on items held out, by the intervals of
 * judge_agreement().
 *
 * Both questions are asked of the same items, so that one who looks at many
 * criteria finds a better one by chance.  Half of the chance that is allowed
 * belongs to the mean over the criteria, the other half to each by itself,
 * by the step-down of Holm 1979: where nothing was learned, one training in
 * forty is taken for better, however many criteria there are
 * (util/quality null).  Chances are Student's, of the bootstrap's standard
 * deviation, since the ends of a bootstrap of few items lie too close.
 */


#ifndef JUDGE_GATE_H
#define JUDGE_GATE_H


#include "analysis/learning/agreement.h"


#define JUDGE_GATE_CHANCE   0.025      /* that what is no better passes */
#define JUDGE_GATE_TARGETS  65
#define JUDGE_GATE_ORDER    0.02       /* of rank correlation, that may be
                                          lost for a smaller error */

typedef enum {
    JUDGE_GATE_READY,
    JUDGE_GATE_NO_LESS,                /* it errs no less */
    JUDGE_GATE_CHANCE_ONLY,            /* it may be chance */
    JUDGE_GATE_ORDER_WORSE             /* it errs less, but ranks worse */
} judge_gate_e;

typedef struct {
    judge_gate_e  verdict;
    bool          taken[JUDGE_GATE_TARGETS];     /* by target */
} judge_gate_t;

/*
 * agree is what judge_agreement() made of predictions and those in use, of
 * ntargets targets, with intervals and the mean behind them; frozen targets
 * have no part in it (NULL: none is).  ready or not, taken says what is best.
 */
void judge_gate(const judge_agreement_t *agree, size_t ntargets,
    const uint8_t *frozen, judge_gate_t *gate);

/* Whether the error is smaller beyond doubt and the order no worse, or the
 * error halved. */
bool judge_gate_better(const judge_agreement_t *mean, double chance);


#endif /* JUDGE_GATE_H */
