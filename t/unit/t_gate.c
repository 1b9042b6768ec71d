/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The gate of deployment: how often what is no better passes it, and that what
 * is better does. */


#include <math.h>
#include <stdlib.h>

#include "base/core/hash.h"
#include "analysis/learning/agreement.h"
#include "tap.h"


#define T_ITEMS    40
#define T_TARGETS  6
#define T_TRIALS   80

static uint64_t  t_state;


/* About normal: the sum of twelve. */

static float
t_normal(void)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = -6; i < 12; i++) {
        sum += (double) (judge_mix_next(&t_state) >> 11) / 9007199254740992.0;
    }

    return (float) sum;
}


/* Errors of both are alike but for those of the targets before `better`, where
 * what is predicted errs half as much. */

static void
t_trial(size_t ntargets, size_t better, judge_gate_t *gate)
{
    size_t             i, t, at;
    float              item, truth[T_ITEMS * T_TARGETS];
    float              pred[T_ITEMS * T_TARGETS], before[T_ITEMS * T_TARGETS];
    double             pass[T_TARGETS];
    judge_arena_t     *arena = judge_arena_create(65536);
    judge_agreement_t  agree[T_TARGETS + 1];

    judge_agreement_set_t  set = {
        .nitems = T_ITEMS, .ntargets = ntargets, .nmean = ntargets,
        .human = truth, .pred = pred, .before = before, .pass = pass };

    for (i = 0; i < T_ITEMS; i++) {
        item = t_normal();
        for (t = 0; t < ntargets; t++) {
            at = i * ntargets + t;
            pass[t] = 50;
            truth[at] = 50 + 10 * item + 8 * t_normal();
            pred[at] = truth[at] + (t < better ? 5 : 10) * t_normal();
            before[at] = truth[at] + 10 * t_normal();
        }
    }

    if (judge_agreement(arena, &set, agree) != JUDGE_OK) {
        abort();
    }

    judge_gate(agree, ntargets, NULL, gate);
    judge_arena_destroy(arena);
}


static size_t
t_passed(size_t ntargets, size_t better)
{
    size_t        i, n;
    judge_gate_t  gate;

    for (i = 0, n = 0; i < T_TRIALS; i++) {
        t_trial(ntargets, better, &gate);
        n += gate.verdict == JUDGE_GATE_READY;
    }

    return n;
}


int
main(void)
{
    size_t        n, t, wrong;
    judge_gate_t  gate;

    t_state = 1;

    n = t_passed(1, 0);
    t_ok(n <= T_TRIALS / 20,
         "of nothing learned about one criterion few pass: %zu of %d", n,
         T_TRIALS);
    n = t_passed(T_TARGETS, 0);
    t_ok(n <= T_TRIALS / 20,
         "of nothing learned about six criteria few pass: %zu of %d", n,
         T_TRIALS);
    n = t_passed(T_TARGETS, T_TARGETS);
    t_ok(n == T_TRIALS, "all that errs half as much passes: %zu", n);

    t_trial(T_TARGETS, 1, &gate);
    t_ok(gate.verdict == JUDGE_GATE_READY && gate.taken[0],
         "a single criterion that errs half as much passes, too");

    for (t = 1, wrong = 0; t < T_TARGETS; t++) {
        wrong += gate.taken[t];
    }
    t_ok(wrong <= 1,
         "the criterion that passes does so alone: %zu others pass", wrong);

    t_trial(T_TARGETS, 0, &gate);
    t_ok(gate.verdict == JUDGE_GATE_NO_LESS
         || gate.verdict == JUDGE_GATE_CHANCE_ONLY,
         "the verdict says why a version is not ready");

    return t_done();
}
