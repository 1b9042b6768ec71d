/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "extensions/watch/estimate.h"


/* rho^2 for which the interval is the narrowest at 1,000 items. */
#define JUDGE_SEQUENCE_RHO2  0.00633
#define JUDGE_SEQUENCE_Z     1.6449     /* normal quantile of 0.95 */
#define JUDGE_SEQUENCE_MOST  10000000   /* items needed, at most */


/* Half of the interval's width, in standard deviations of an item. */

static double
judge_sequence_half(double n)
{
    double  a;

    a = n * JUDGE_SEQUENCE_RHO2 + 1;

    return sqrt(2 * a / (n * n * JUDGE_SEQUENCE_RHO2)
                * log(sqrt(a) / (1 - JUDGE_SEQUENCE_COVERAGE)));
}


judge_interval_t
judge_sequence_mean(const judge_estimate_sum_t *sum)
{
    double  n, half;

    if (sum->n < JUDGE_SEQUENCE_LEAST) {
        return (judge_interval_t) { NAN, NAN };
    }

    n = (double) sum->n;
    half = judge_sequence_half(n) * sqrt(sum->squares / (n - 1));

    return (judge_interval_t) { sum->mean - half, sum->mean + half };
}


size_t
judge_sequence_needed(const judge_estimate_sum_t *sum, double points)
{
    double  sd, low, high, n;

    if (sum->n < JUDGE_SEQUENCE_LEAST) {
        return 0;
    }

    sd = sqrt(sum->squares / ((double) sum->n - 1));
    low = JUDGE_SEQUENCE_LEAST;
    high = JUDGE_SEQUENCE_MOST;

    while (high - low >= 1) {
        n = (low + high) / 2;
        if (sd * judge_sequence_half(n) > points) {
            low = n;
        } else {
            high = n;
        }
    }

    return (size_t) ceil(low);
}


judge_interval_t
judge_wilson_share(size_t k, size_t n)
{
    double  p, z2, middle, half;

    if (n == 0) {
        return (judge_interval_t) { NAN, NAN };
    }

    p = (double) k / (double) n;
    z2 = JUDGE_SEQUENCE_Z * JUDGE_SEQUENCE_Z / (double) n;
    middle = (p + z2 / 2) / (1 + z2);
    half = sqrt(z2 * p * (1 - p) + z2 * z2 / 4) / (1 + z2);

    return (judge_interval_t) { fmax(middle - half, 0),
                               fmin(middle + half, 1) };
}
