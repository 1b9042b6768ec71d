/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How often the gate of deployment lets pass what is no better:
 *
 *   build/quality_null TRIALS
 *
 * A trial is a training of which nothing came: the scores that it predicts for
 * items held out err as much as those in use, about the same people's scores.
 * Errors of the criteria of an item have half of their variance in common, and
 * in groups of five those of the items, too, a third.  Prints the share of the
 * trials that pass, in percent, by criteria and items.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/core/hash.h"
#include "analysis/learning/gate.h"


#define NULL_TARGETS  20
#define NULL_ITEMS    200
#define NULL_GROUP    5

typedef struct {
    float     human[NULL_ITEMS * NULL_TARGETS];
    float     pred[2][NULL_ITEMS * NULL_TARGETS];
    uint32_t  group[NULL_ITEMS];
} null_set_t;

static uint64_t  null_state = 1;


/* About normal: the sum of twelve. */

static double
null_normal(void)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = -6; i < 12; i++) {
        sum += (double) (judge_mix_next(&null_state) >> 11)
               / 9007199254740992.0;
    }

    return sum;
}


static void
null_fill(null_set_t *set, size_t nitems, size_t ntargets, bool grouped)
{
    size_t  i, t, side;
    double  group[2] = { 0, 0 }, item[2], truth;

    for (i = 0; i < nitems; i++) {
        for (side = 0; side < 2; side++) {
            if (i % NULL_GROUP == 0) {
                group[side] = grouped ? 10 / sqrt(3) * null_normal() : 0;
            }
            item[side] = 10 / sqrt(2) * null_normal() + group[side];
        }

        set->group[i] = (uint32_t) (grouped ? i / NULL_GROUP : i);
        truth = 50 + 12 * null_normal();

        for (t = 0; t < ntargets; t++) {
            set->human[i * ntargets + t] = (float) (truth
                                                    + 8 * null_normal());
            for (side = 0; side < 2; side++) {
                set->pred[side][i * ntargets + t] = (float)
                    ((double) set->human[i * ntargets + t] + item[side]
                     + 10 / sqrt(2) * null_normal());
            }
        }
    }
}


static bool
null_passes(null_set_t *set, size_t nitems, size_t ntargets, bool grouped)
{
    size_t             t;
    double             pass[NULL_TARGETS];
    judge_gate_t       gate;
    judge_arena_t     *arena = judge_arena_create(1 << 20);
    judge_agreement_t  agree[NULL_TARGETS + 1];

    judge_agreement_set_t  both = {
        .nitems = nitems, .ntargets = ntargets, .nmean = ntargets,
        .human = set->human, .pred = set->pred[0], .before = set->pred[1],
        .pass = pass, .group = set->group, .intervals = true };

    for (t = 0; t < ntargets; t++) {
        pass[t] = 60;
    }

    null_fill(set, nitems, ntargets, grouped);

    if (arena == NULL || judge_agreement(arena, &both, agree) != JUDGE_OK) {
        (void) fprintf(stderr, "quality_null: out of memory\n");
        exit(1);
    }

    judge_gate(agree, ntargets, NULL, &gate);
    judge_arena_destroy(arena);

    return gate.verdict == JUDGE_GATE_READY;
}


int
main(int argc, char **argv)
{
    bool         grouped;
    long         trials, i;
    size_t       t, n, passed;
    null_set_t  *set;

    static const size_t  targets[] = { 1, 6, 20 };
    static const size_t  items[] = { 25, 50, 200 };

    trials = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    set = malloc(sizeof(null_set_t));
    if (trials < 1 || set == NULL) {
        (void) fprintf(stderr, "usage: quality_null TRIALS\n");
        return 2;
    }

    printf("%ld trainings each, of which nothing came; percent that pass\n\n"
           "%-12s %8s %8s %8s\n", trials, "items", "1", "6",
           "20 criteria");

    for (grouped = false; ; grouped = true) {
        for (n = 0; n < sizeof(items) / sizeof(size_t); n++) {
            printf("%-4zu %-7s", items[n], grouped ? "by five" : "");
            for (t = 0; t < sizeof(targets) / sizeof(size_t); t++) {
                for (i = 0, passed = 0; i < trials; i++) {
                    passed += null_passes(set, items[n], targets[t], grouped);
                }
                printf(" %8.1f", 100 * (double) passed / (double) trials);
                (void) fflush(stdout);
            }
            printf("\n");
        }
        if (grouped) {
            break;
        }
    }

    free(set);

    return 0;
}
