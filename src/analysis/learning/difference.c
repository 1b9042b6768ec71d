/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/text/math.h"
#include "analysis/learning/difference.h"


/* What the items of a cluster, or of a block of clusters, add up to. */
typedef struct {
    double  n;
    double  sum;                       /* of differences */
} judge_difference_unit_t;

typedef struct {
    const judge_difference_set_t  *set;
    judge_difference_unit_t        units[JUDGE_DIFFERENCE_UNITS];
    size_t                         nunits;
    uint64_t                       random;
} judge_difference_run_t;


/* Sums up a target by units, and drops those without a score. */

static void
judge_difference_sum(judge_difference_run_t *run, size_t t,
    judge_difference_t *out)
{
    size_t                         i;
    double                         d, here, there;
    judge_difference_unit_t       *u;
    const judge_difference_set_t  *set = run->set;

    memset(run->units, 0, sizeof(run->units));
    *out = (judge_difference_t) { .n = 0 };

    for (i = 0; i < set->npairs; i++) {
        here = (double) set->scores[0][set->pairs[i].places[0] * set->ntargets
                                       + t];
        there = (double) set->scores[1][set->pairs[i].places[1] * set->ntargets
                                        + t];
        out->missing[0] += isnan(here);
        out->missing[1] += isnan(there);
        d = here - there;
        if (isnan(d)) {
            continue;
        }

        u = &run->units[set->pairs[i].unit];
        u->n++;
        u->sum += d;
        out->n++;
        out->mean[0] += here;
        out->mean[1] += there;
        out->better += d > JUDGE_DIFFERENCE_EQUAL;
        out->worse += d < -JUDGE_DIFFERENCE_EQUAL;
    }

    d = (double) out->n;              /* 0 / 0 is NaN, as it should be */
    out->mean[0] /= d;
    out->mean[1] /= d;
    out->better /= d;
    out->worse /= d;
    out->difference = out->mean[0] - out->mean[1];

    for (i = 0, run->nunits = 0; i < JUDGE_DIFFERENCE_UNITS; i++) {
        if (run->units[i].n > 0) {
            run->units[run->nunits++] = run->units[i];
        }
    }

    out->clusters = run->nunits;
}


/* Returns the share of draws of n units below the interval: what the normal
 * distribution has below the quantile of Student's t (by Fisher and Cornish
 * 1960), because the bootstrap's spread is too small by a factor of
 * sqrt((n - 1) / n). */

static double
judge_difference_tail(size_t n)
{
    double  f = (double) n - 1, t;

    t = 1.959964 + 2.372272 / f + 2.822501 / (f * f) + 2.555851 / (f * f * f)
        + 1.589536 / (f * f * f * f);

    return 0.5 * erfc(t * sqrt((double) n / f) / sqrt(2));
}


void
judge_difference_percentiles(double *draws, size_t n, size_t clusters,
    double *low, double *high)
{
    size_t  b;
    double  place, part;

    qsort(draws, n, sizeof(double), judge_by_double);
    place = judge_difference_tail(clusters) * ((double) n - 1);
    b = (size_t) place;
    part = place - (double) b;
    *low = draws[b] + part * (draws[b + 1] - draws[b]);
    b = n - 1 - b;
    *high = draws[b] - part * (draws[b] - draws[b - 1]);
}


static void
judge_difference_interval(judge_difference_run_t *run, judge_difference_t *out)
{
    double                          draws[JUDGE_DIFFERENCE_DRAWS];
    size_t                          b, k, n = run->nunits;
    judge_difference_unit_t         all;
    const judge_difference_unit_t  *u;

    out->low = out->high = NAN;
    if (n < JUDGE_DIFFERENCE_LEAST) {
        return;
    }

    for (b = 0; b < JUDGE_DIFFERENCE_DRAWS; b++) {
        all = (judge_difference_unit_t) { 0, 0 };
        for (k = 0; k < n; k++) {
            u = &run->units[(judge_mix_next(&run->random) >> 32) * n >> 32];
            all.n += u->n;
            all.sum += u->sum;
        }
        draws[b] = all.sum / all.n;
    }

    judge_difference_percentiles(draws, JUDGE_DIFFERENCE_DRAWS, n, &out->low,
                                 &out->high);
}


/* Sets p to the share of choices of signs with which the units' sums add up to
 * as much as they do with their own, which are one choice. */

static void
judge_difference_signs(judge_difference_run_t *run, judge_difference_t *out)
{
    bool      exact;
    double    sum, absolute, limit;
    size_t    k, i, n = run->nunits, times, hits;
    uint64_t  bits;

    if (n == 0) {
        out->p = NAN;
        return;
    }

    for (k = 0, sum = 0, absolute = 0; k < n; k++) {
        sum += run->units[k].sum;
        absolute += fabs(run->units[k].sum);
    }

    exact = n <= JUDGE_DIFFERENCE_EXACT;
    times = exact ? (size_t) 1 << n : JUDGE_DIFFERENCE_SIGNS;
    limit = fabs(sum) - 1e-9 * absolute;         /* but for rounding */

    for (i = 0, hits = !exact; i < times; i++) {
        bits = i;
        for (k = 0, sum = 0; k < n; k++) {
            if (!exact && k % 64 == 0) {
                bits = judge_mix_next(&run->random);
            }
            sum += bits >> k % 64 & 1 ? run->units[k].sum
                                      : -run->units[k].sum;
        }
        hits += fabs(sum) >= limit;
    }

    out->p = (double) hits / (double) (times + !exact);
}


/* Holm 1979: of n p-values the smallest counts n-fold, the next n - 1-fold,
 * and none less than a smaller one. */

static void
judge_difference_holm(judge_difference_t *out, size_t ntargets)
{
    double  most;
    size_t  t, i, k, left;

    for (t = 1; t < ntargets; t++) {
        for (i = 1, most = out[t].p; i < ntargets; i++) {
            for (k = 1, left = 0; k < ntargets; k++) {
                left += out[k].p >= out[i].p;
            }
            if (out[i].p <= out[t].p) {
                most = fmax(most, (double) left * out[i].p);
            }
        }
        out[t].adjusted = isnan(out[t].p) ? NAN : fmin(most, 1);
    }
}


static int
judge_difference_by_cluster(const void *a, const void *b)
{
    const judge_difference_pair_t  *x = a, *y = b;

    return x->cluster != y->cluster ? (x->cluster < y->cluster ? -1 : 1)
           : (x->places[0] > y->places[0]) - (x->places[0] < y->places[0]);
}


static int
judge_difference_by_distance(const void *a, const void *b)
{
    const judge_difference_pair_t  *x = a, *y = b;

    return x->distance != y->distance ? (x->distance > y->distance ? -1 : 1)
           : (x->places[0] > y->places[0]) - (x->places[0] < y->places[0]);
}


void
judge_difference_units(judge_difference_pair_t *pairs, size_t n)
{
    size_t  i, clusters;

    qsort(pairs, n, sizeof(judge_difference_pair_t),
          judge_difference_by_cluster);

    for (i = 0, clusters = 1; i < n; i++) {
        clusters += i > 0 && pairs[i].cluster != pairs[i - 1].cluster;
        pairs[i].unit = clusters - 1;
    }

    for (i = 0; i < n && clusters > JUDGE_DIFFERENCE_UNITS; i++) {
        pairs[i].unit = pairs[i].unit * JUDGE_DIFFERENCE_UNITS / clusters;
    }
}


void
judge_difference_farthest(judge_difference_pair_t *pairs, size_t n)
{
    qsort(pairs, n, sizeof(judge_difference_pair_t),
          judge_difference_by_distance);
}


judge_rc_e
judge_difference(judge_arena_t *arena, const judge_difference_set_t *set,
    judge_difference_t *out)
{
    size_t                   t;
    judge_difference_run_t  *run;

    run = judge_calloc(arena, sizeof(judge_difference_run_t));
    if (run == NULL) {
        return JUDGE_NOMEM;
    }

    judge_difference_units(set->pairs, set->npairs);
    run->set = set;

    for (t = 0; t < set->ntargets; t++) {
        run->random = judge_mix(set->seed + t);
        judge_difference_sum(run, t, &out[t]);
        judge_difference_interval(run, &out[t]);
        judge_difference_signs(run, &out[t]);
    }

    out[0].adjusted = out[0].p;
    judge_difference_holm(out, set->ntargets);

    return JUDGE_OK;
}


const char *
judge_difference_verdict(const judge_difference_t *d)
{
    return !(d->adjusted <= 1 - JUDGE_DIFFERENCE_COVERAGE) ? "undecided"
           : d->difference > 0 ? "better" : "worse";
}
