/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "extensions/watch/drift.h"


const char *const  judge_drift_names[] = { "none", "some", "strong" };


/* Returns the level of a single test: there are two tests of each target, and
 * one of the share of evaluations that fail. */

static double
judge_drift_chance(size_t ntargets)
{
    return JUDGE_DRIFT_CHANCE / JUDGE_DRIFT_LOOKS
           / (2 * (double) ntargets + 1);
}


/* The normal quantile for an upper tail of `chance` (Abramowitz & Stegun
 * 26.2.23). */

static double
judge_drift_normal(double chance)
{
    double  t = sqrt(-2 * log(chance));

    return t - (2.515517 + t * (0.802853 + t * 0.010328))
               / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
}


static judge_drift_e
judge_drift_grade(double value, double some, double strong, double chance)
{
    return value <= chance || value < some ? JUDGE_DRIFT_NONE
           : value < strong ? JUDGE_DRIFT_SOME : JUDGE_DRIFT_STRONG;
}


static void
judge_drift_count(judge_drift_t *d)
{
    size_t  i, k;

    for (k = 0; k < 2; k++) {
        d->n[k] = 0;
        d->mean[k] = 0;

        for (i = 0; i < JUDGE_DRIFT_BINS; i++) {
            d->n[k] += d->bins[k][i];
            d->mean[k] += (double) d->bins[k][i] * (2.5 + 5 * (double) i);
        }
        d->mean[k] /= d->n[k] ? (double) d->n[k] : 1;
    }
}


/* Half a score is added to each bin, so that the logarithm is finite.  The
 * chi-square quantile is the approximation of Wilson and Hilferty 1931. */

static judge_drift_e
judge_drift_psi(judge_drift_t *d, size_t ntargets)
{
    size_t  i, bins;
    double  share[2], n[2], freedom, chance;

    d->psi = 0;
    n[0] = n[1] = 0;

    for (i = 0, bins = 0; i < JUDGE_DRIFT_BINS; i++) {
        n[0] += (double) d->bins[0][i];
        n[1] += (double) d->bins[1][i];

        if (n[0] * 10 >= (double) d->n[0] || i + 1 == JUDGE_DRIFT_BINS) {
            share[0] = (n[0] + 0.5) / ((double) d->n[0] + 5);
            share[1] = (n[1] + 0.5) / ((double) d->n[1] + 5);
            d->psi += (share[1] - share[0]) * log(share[1] / share[0]);
            n[0] = n[1] = 0;
            bins++;
        }
    }

    freedom = bins > 1 ? (double) bins - 1 : 1;
    chance = 1 - 2 / (9 * freedom)
             + judge_drift_normal(judge_drift_chance(ntargets))
               * sqrt(2 / (9 * freedom));
    chance = freedom * chance * chance * chance
             * (1 / (double) d->n[0] + 1 / (double) d->n[1]);

    return judge_drift_grade(d->psi, JUDGE_DRIFT_PSI_SOME,
                             JUDGE_DRIFT_PSI_STRONG, chance);
}


static judge_drift_e
judge_drift_ks(judge_drift_t *d, size_t ntargets)
{
    size_t  i;
    double  below[2], chance;

    d->ks = 0;
    below[0] = below[1] = 0;

    for (i = 0; i < JUDGE_DRIFT_BINS; i++) {
        below[0] += (double) d->bins[0][i] / (double) d->n[0];
        below[1] += (double) d->bins[1][i] / (double) d->n[1];

        if (fabs(below[1] - below[0]) >= d->ks && i + 1 < JUDGE_DRIFT_BINS) {
            d->ks = fabs(below[1] - below[0]);
            d->mark = 5 * (double) (i + 1);
            d->below[0] = below[0];
            d->below[1] = below[1];
        }
    }

    chance = sqrt(-log(judge_drift_chance(ntargets) / 2) / 2)
             * sqrt(1 / (double) d->n[0] + 1 / (double) d->n[1]);

    return judge_drift_grade(d->ks, JUDGE_DRIFT_KS_SOME,
                             JUDGE_DRIFT_KS_STRONG, chance);
}


void
judge_drift(judge_drift_t *d, size_t ntargets)
{
    judge_drift_e  psi, ks;

    judge_drift_count(d);
    d->verdict = JUDGE_DRIFT_NONE;
    d->known = d->n[0] >= JUDGE_DRIFT_LEAST && d->n[1] >= JUDGE_DRIFT_LEAST;

    if (d->known) {
        psi = judge_drift_psi(d, ntargets);
        ks = judge_drift_ks(d, ntargets);
        d->verdict = psi > ks ? psi : ks;
    }
}


judge_drift_e
judge_drift_failed(const int64_t failed[2], const int64_t completed[2],
    size_t ntargets)
{
    double  n[2], p[2], all;

    n[0] = (double) (failed[0] + completed[0]);
    n[1] = (double) (failed[1] + completed[1]);
    if (n[0] < JUDGE_DRIFT_LEAST || n[1] < JUDGE_DRIFT_LEAST) {
        return JUDGE_DRIFT_NONE;
    }

    p[0] = (double) failed[0] / n[0];
    p[1] = (double) failed[1] / n[1];
    all = (double) (failed[0] + failed[1]) / (n[0] + n[1]);

    return judge_drift_grade(p[1] - p[0], JUDGE_DRIFT_FAILED_SOME,
                             JUDGE_DRIFT_FAILED_STRONG,
                             judge_drift_normal(judge_drift_chance(ntargets))
                             * sqrt(all * (1 - all)
                                    * (1 / n[0] + 1 / n[1])));
}
