/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "analysis/learning/agreement.h"


/* Whether the order is no worse, or the error is halved. */

static bool
judge_gate_order(const judge_agreement_t *agree)
{
    const judge_agreement_value_t  *order;

    order = &agree->gain[JUDGE_AGREEMENT_SPEARMAN];

    return !(order->high < 0 && order->value < -JUDGE_GATE_ORDER)
           || 2 * agree->pred[JUDGE_AGREEMENT_RMSE].value
              <= agree->before[JUDGE_AGREEMENT_RMSE].value;
}


/* Takes targets by Holm's step-down: of those left, the one with the smallest
 * p-value is tested at chance / left, until a test fails.  Returns how many
 * passed. */

static size_t
judge_gate_single(const judge_agreement_t *agree, size_t ntargets,
    const uint8_t *frozen, size_t left, double chance, judge_gate_t *gate)
{
    size_t  t, best, found;
    double  p, least;

    for (found = 0; left > 0; left--, found++) {
        least = 2;
        best = 0;

        for (t = 0; t < ntargets; t++) {
            p = agree[t].gain[JUDGE_AGREEMENT_RMSE].better;
            if (!gate->taken[t] && !(frozen && frozen[t]) && p < least) {
                least = p;
                best = t;
            }
        }

        if (!(least < chance / (double) left)
            || !judge_gate_order(&agree[best]))
        {
            break;
        }

        gate->taken[best] = true;
    }

    return found;
}


void
judge_gate(const judge_agreement_t *agree, size_t ntargets,
    const uint8_t *frozen, judge_gate_t *gate)
{
    size_t                          t, n;
    double                          chance;
    const judge_agreement_t        *mean = &agree[ntargets];
    const judge_agreement_value_t  *gain;

    memset(gate, 0, sizeof(judge_gate_t));

    for (t = 0, n = 0; t < ntargets; t++) {
        n += !(frozen && frozen[t]) && agree[t].n;
    }

    chance = n > 1 ? JUDGE_GATE_CHANCE / 2 : JUDGE_GATE_CHANCE;
    gain = &mean->gain[JUDGE_AGREEMENT_RMSE];

    if (judge_gate_better(mean, chance)) {
        for (t = 0; t < ntargets; t++) {
            gate->taken[t] = !(frozen && frozen[t])
                && !(agree[t].gain[JUDGE_AGREEMENT_RMSE].worse
                     < JUDGE_GATE_CHANCE);
        }
        gate->verdict = JUDGE_GATE_READY;
        return;
    }

    if (n > 1 && judge_gate_single(agree, ntargets, frozen, n, chance, gate)) {
        gate->verdict = JUDGE_GATE_READY;
        return;
    }

    for (t = 0; t < ntargets; t++) {
        gate->taken[t] = !(frozen && frozen[t]);
    }

    gate->verdict = !(gain->value > 0) ? JUDGE_GATE_NO_LESS
                    : gain->better < chance ? JUDGE_GATE_ORDER_WORSE
                    : JUDGE_GATE_CHANCE_ONLY;
}


bool
judge_gate_better(const judge_agreement_t *mean, double chance)
{
    return mean->gain[JUDGE_AGREEMENT_RMSE].better < chance
           && judge_gate_order(mean);
}


bool
judge_gate_predicts(const judge_agreement_t *agree)
{
    double  before = agree->before[JUDGE_AGREEMENT_RMSE].value;

    return agree->pred[JUDGE_AGREEMENT_SPEARMAN].low > 0
           && agree->gain[JUDGE_AGREEMENT_RMSE].value
              >= JUDGE_GATE_SHARE * before;
}
