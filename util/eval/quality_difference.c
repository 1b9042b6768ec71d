/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How often a comparison of two batches finds a difference where there is
 * none, and how often its interval holds the true one:
 *
 *   build/quality_difference TRIALS
 *
 * Scores differ by noise that the items of a cluster have half in common, of
 * the normal distribution or of an exponential one around its mean.  Clusters
 * have the given number of items, or 1 to 9 of them.  Prints by rows the share
 * of the trials whose p-value is at most 0.05, and of those whose interval
 * holds the difference, in percent; last, what they would be if each item were
 * a cluster.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/core/hash.h"
#include "analysis/learning/difference.h"


#define DIFFERENCE_ITEMS  4000

typedef struct {
    float                    scores[2][DIFFERENCE_ITEMS];
    judge_difference_pair_t  pairs[DIFFERENCE_ITEMS];
} difference_trial_t;

static uint64_t  difference_state = 1;


static double
difference_uniform(void)
{
    return ((double) (judge_mix_next(&difference_state) >> 11) + 0.5)
           / 9007199254740992.0;
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
difference_fill(difference_trial_t *trial, size_t clusters, size_t size,
    bool skewed)
{
    size_t  i, k, n, items;
    double  common;

    for (i = 0, n = 0; i < clusters; i++) {
        items = size ? size
                : 1 + (size_t) (judge_mix_next(&difference_state) % 9);
        common = difference_noise(skewed);

        for (k = 0; k < items; k++, n++) {
            trial->pairs[n] = (judge_difference_pair_t) { { n, n }, i, 0 };
            trial->scores[1][n] = 50;
            trial->scores[0][n] = (float) (50 + 5 * (common
                                              + difference_noise(skewed)));
        }
    }

    return n;
}


static void
difference_row(difference_trial_t *trial, long trials, size_t clusters,
    size_t size, bool skewed)
{
    long                     i;
    size_t                   k, n, wrong[2] = { 0, 0 }, held[2] = { 0, 0 };
    judge_arena_t           *arena = judge_arena_create(1 << 20);
    judge_difference_t       d;
    judge_difference_set_t   set = { .ntargets = 1,
        .scores = { trial->scores[0], trial->scores[1] },
        .pairs = trial->pairs };

    for (i = 0; i < trials; i++) {
        n = difference_fill(trial, clusters, size, skewed);
        set.npairs = n;
        set.seed = (uint64_t) i;

        for (k = 0; k < 2; k++) {
            if (arena == NULL
                || judge_difference(arena, &set, &d) != JUDGE_OK)
            {
                (void) fprintf(stderr, "quality_difference: no memory\n");
                exit(1);
            }
            wrong[k] += d.p <= 0.05;
            held[k] += d.low <= 0 && d.high >= 0;
            judge_arena_reset(arena);

            for (n = 0; n < set.npairs; n++) {
                trial->pairs[n].cluster = n;
            }
        }
    }

    judge_arena_destroy(arena);
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


int
main(int argc, char **argv)
{
    long                 trials;
    size_t               i, k, skewed;
    difference_trial_t  *trial;

    static const size_t  clusters[] = { 6, 12, 30, 100 };
    static const size_t  sizes[] = { 1, 5, 0 };

    trials = argc == 2 ? strtol(argv[1], NULL, 10) : 0;
    trial = malloc(sizeof(difference_trial_t));
    if (trials < 1 || trial == NULL) {
        (void) fprintf(stderr, "usage: quality_difference TRIALS\n");
        return 2;
    }

    printf("%ld comparisons each, in which nothing differs; percent\n\n"
           "%8s  %-6s %-7s %9s %9s %9s %9s\n", trials, "clusters", "items",
           "noise", "p <= 0.05", "held", "by item:", "held");

    for (skewed = 0; skewed < 2; skewed++) {
        for (k = 0; k < 3; k++) {
            for (i = 0; i < 4; i++) {
                difference_row(trial, trials, clusters[i], sizes[k], skewed);
            }
        }
    }

    free(trial);

    return 0;
}
