/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What chance alone does, simulated:
 *
 *   build/quality_chance null|difference TRIALS
 *
 * null: how often the gate of deployment lets pass a training of which nothing
 * came.  The scores that it predicts for items held out err as much as those
 * in use, about the same people's scores.  Errors of the criteria of an item
 * have half of their variance in common, and in groups of five those of the
 * items, too, a third.  Prints the percentage that passes, by criteria and
 * items.
 *
 * difference: how often two batches are found to differ where nothing does,
 * and how often the interval holds the difference.  Scores differ by noise
 * that the items of a cluster have half in common, of the normal distribution
 * or of an exponential one around its mean.  Clusters have the given number of
 * items, or 1 to 9.  Prints by rows the percentage with a p-value of at most
 * 0.05, and that of the intervals; last, what they would be if each item were
 * a cluster.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/learning/difference.h"
#include "analysis/learning/gate.h"


#define CHANCE_TARGETS  20
#define CHANCE_ITEMS    200            /* held out */
#define CHANCE_GROUP    5
#define CHANCE_PAIRS    4000

static uint64_t        chance_state = 1;
static judge_arena_t  *chance_arena;


static void
chance_check(judge_rc_e rc)
{
    if (rc != JUDGE_OK) {
        (void) fprintf(stderr, "quality_chance: out of memory\n");
        exit(1);
    }
}


static double
chance_uniform(void)
{
    return (double) (judge_mix_next(&chance_state) >> 11)
           / 9007199254740992.0;
}


/* --- Nothing was learned ------------------------------------------------- */

static float     null_human[CHANCE_ITEMS * CHANCE_TARGETS];
static float     null_pred[2][CHANCE_ITEMS * CHANCE_TARGETS];
static uint32_t  null_group[CHANCE_ITEMS];


/* About normal: the sum of twelve. */

static double
null_normal(void)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = -6; i < 12; i++) {
        sum += chance_uniform();
    }

    return sum;
}


static void
null_fill(size_t nitems, size_t ntargets, bool grouped)
{
    size_t  i, t, at, side;
    double  group[2] = { 0, 0 }, item[2], truth;

    for (i = 0; i < nitems; i++) {
        for (side = 0; side < 2; side++) {
            if (i % CHANCE_GROUP == 0) {
                group[side] = grouped ? 10 / sqrt(3) * null_normal() : 0;
            }
            item[side] = 10 / sqrt(2) * null_normal() + group[side];
        }

        null_group[i] = (uint32_t) (grouped ? i / CHANCE_GROUP : i);
        truth = 50 + 12 * null_normal();

        for (t = 0; t < ntargets; t++) {
            at = i * ntargets + t;
            null_human[at] = (float) (truth + 8 * null_normal());
            for (side = 0; side < 2; side++) {
                null_pred[side][at] = (float)
                    ((double) null_human[at] + item[side]
                     + 10 / sqrt(2) * null_normal());
            }
        }
    }
}


static bool
null_passes(size_t nitems, size_t ntargets, bool grouped)
{
    size_t             t;
    double             pass[CHANCE_TARGETS];
    judge_gate_t       gate;
    judge_agreement_t  agree[CHANCE_TARGETS + 1];

    judge_agreement_set_t  both = {
        .nitems = nitems, .ntargets = ntargets, .nmean = ntargets,
        .human = null_human, .pred = null_pred[0], .before = null_pred[1],
        .pass = pass, .group = null_group, .intervals = true };

    for (t = 0; t < ntargets; t++) {
        pass[t] = 60;
    }

    null_fill(nitems, ntargets, grouped);
    chance_check(judge_agreement(chance_arena, &both, agree));
    judge_gate(agree, ntargets, NULL, &gate);
    judge_arena_reset(chance_arena);

    return gate.verdict == JUDGE_GATE_READY;
}


static void
null_print(long trials)
{
    long    i, passed;
    size_t  t, row, n;

    static const size_t  targets[] = { 1, 6, 20 };
    static const size_t  items[] = { 25, 50, 200 };

    printf("%ld trainings each, of which nothing came; percent that pass\n\n"
           "%-12s %8s %8s %8s\n", trials, "items", "1", "6",
           "20 criteria");

    for (row = 0; row < 6; row++) {
        n = items[row % 3];
        printf("%-4zu %-7s", n, row < 3 ? "" : "by five");
        for (t = 0; t < 3; t++) {
            for (i = 0, passed = 0; i < trials; i++) {
                passed += null_passes(n, targets[t], row >= 3);
            }
            printf(" %8.1f", 100 * (double) passed / (double) trials);
            (void) fflush(stdout);
        }
        printf("\n");
    }
}


/* --- Nothing differs ----------------------------------------------------- */

static float                    difference_scores[2][CHANCE_PAIRS];
static judge_difference_pair_t  difference_pairs[CHANCE_PAIRS];


static double
difference_uniform(void)
{
    return chance_uniform() + 0.5 / 9007199254740992.0;
}


/* Of mean 0 and variance 1. */

static double
difference_noise(bool skewed)
{
    double  u = difference_uniform();

    return skewed ? -log(u) - 1
           : sqrt(-2 * log(u)) * cos(2 * 3.14159265358979
                                     * difference_uniform());
}


static size_t
difference_fill(size_t clusters, size_t size, bool skewed)
{
    size_t  i, k, n, items;
    double  common;

    for (i = 0, n = 0; i < clusters; i++) {
        items = size ? size
                : 1 + (size_t) (judge_mix_next(&chance_state) % 9);
        common = difference_noise(skewed);

        for (k = 0; k < items; k++, n++) {
            difference_pairs[n] = (judge_difference_pair_t)
                                  { { n, n }, i, 0 };
            difference_scores[1][n] = 50;
            difference_scores[0][n] = (float) (50 + 5 * (common
                                              + difference_noise(skewed)));
        }
    }

    return n;
}


static void
difference_row(long trials, size_t clusters, size_t size, bool skewed)
{
    long                    i, wrong[2] = { 0, 0 }, held[2] = { 0, 0 };
    size_t                  k, n;
    judge_difference_t      d;
    judge_difference_set_t  set = {
        .ntargets = 1, .pairs = difference_pairs,
        .scores = { difference_scores[0], difference_scores[1] } };

    for (i = 0; i < trials; i++) {
        set.npairs = difference_fill(clusters, size, skewed);
        set.seed = (uint64_t) i;

        for (k = 0; k < 2; k++) {
            chance_check(judge_difference(chance_arena, &set, &d));
            wrong[k] += d.p <= 0.05;
            held[k] += d.low <= 0 && d.high >= 0;
            judge_arena_reset(chance_arena);

            for (n = 0; n < set.npairs; n++) {
                difference_pairs[n].cluster = n;
            }
        }
    }

    printf("%8zu  %-6s %-7s", clusters,
           size == 1 ? "1" : size ? "5" : "1 to 9",
           skewed ? "skewed" : "normal");
    for (k = 0; k < 2; k++) {
        printf(" %9.1f %9.1f", 100.0 * (double) wrong[k] / (double) trials,
               100.0 * (double) held[k] / (double) trials);
    }
    printf("\n");
    (void) fflush(stdout);
}


static void
difference_print(long trials)
{
    size_t  row;

    static const size_t  clusters[] = { 6, 12, 30, 100 };
    static const size_t  sizes[] = { 1, 5, 0 };

    printf("%ld comparisons each, in which nothing differs; percent\n\n"
           "%8s  %-6s %-7s %9s %9s %9s %9s\n", trials, "clusters", "items",
           "noise", "p <= 0.05", "held", "by item:", "held");

    for (row = 0; row < 24; row++) {
        difference_row(trials, clusters[row % 4], sizes[row / 4 % 3],
                       row >= 12);
    }
}


int
main(int argc, char **argv)
{
    long  trials = argc == 3 ? strtol(argv[2], NULL, 10) : 0;

    chance_arena = judge_arena_create(1 << 20);
    chance_check(chance_arena ? JUDGE_OK : JUDGE_NOMEM);

    if (trials > 0 && strcmp(argv[1], "null") == 0) {
        null_print(trials);
    } else if (trials > 0 && strcmp(argv[1], "difference") == 0) {
        difference_print(trials);
    } else {
        (void) fprintf(stderr, "usage: quality_chance null|difference"
                               " TRIALS\n");
        return 2;
    }

    judge_arena_destroy(chance_arena);

    return 0;
}
