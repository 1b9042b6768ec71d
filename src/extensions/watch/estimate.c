/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "extensions/watch/estimate.h"


/* Welford's algorithm, which has no cancellation of large sums. */

void
judge_estimate_add(judge_estimate_sum_t *sum, double score)
{
    double  d;

    d = score - sum->mean;
    sum->n++;
    sum->mean += d / (double) sum->n;
    sum->squares += d * (score - sum->mean);
}


/* The expansion of Fisher and Cornish 1960 around the normal quantile; the
 * error is below 0.3 % from three degrees of freedom on. */

double
judge_estimate_t90(double freedom)
{
    return 1.6449 + 1.5238 / freedom + 1.4203 / (freedom * freedom)
           + 0.9831 / (freedom * freedom * freedom);
}


/* The lambda of least variance: the covariance of judge and people over the
 * variance of all the judge's scores, times 1 / (1 + n / m) for n corrected
 * and m other scores. */

static double
judge_estimate_lambda(double products, const judge_estimate_sum_t *seen,
    const judge_estimate_sum_t *others)
{
    double  n, m, d, squares;

    n = (double) seen->n;
    m = (double) others->n;
    d = seen->mean - others->mean;
    squares = seen->squares + others->squares + d * d * n * m / (n + m);

    if (n < 3 || m < 1 || squares < 1e-9) {
        return 0;
    }

    return fmax(products / (n - 1) / ((1 + n / m) * squares / (n + m - 1)), 0);
}


/* The variance of the mean residual of the corrections.  Squared residuals are
 * divided by (1 - leverage)^1.5, between the HC2 and the HC3 of MacKinnon and
 * White 1985: HC2 is too narrow for skewed scores, HC3 too wide for others. */

static double
judge_estimate_variance(const double *human, const double *given, size_t n,
    double human_mean, const judge_estimate_sum_t *seen, double lambda)
{
    size_t  i;
    double  d, f, rest, squares;

    for (i = 0, squares = 0; i < n; i++) {
        f = given[i] - seen->mean;
        d = human[i] - human_mean - lambda * f;
        rest = 1 - 1 / (double) n;

        if (lambda > 0 && seen->squares > 0) {
            rest = fmax(rest - f * f / seen->squares, 0.01);
            rest *= sqrt(rest);
        }

        squares += d * d / rest;
    }

    return squares / (double) n / (double) n;
}


judge_estimate_t
judge_estimate(const double *human, const double *given, size_t n,
    const judge_estimate_sum_t *others)
{
    size_t                i;
    double                mean, products, half;
    judge_estimate_t      e;
    judge_estimate_sum_t  people, seen;

    e = (judge_estimate_t) { NAN, NAN, NAN, 0 };
    if (n == 0) {
        return e;
    }

    people = seen = (judge_estimate_sum_t) { .n = 0 };
    for (i = 0; i < n; i++) {
        judge_estimate_add(&people, human[i]);
        judge_estimate_add(&seen, given[i]);
    }

    for (i = 0, products = 0; i < n; i++) {
        products += (human[i] - people.mean) * (given[i] - seen.mean);
    }

    e.lambda = judge_estimate_lambda(products, &seen, others);
    mean = people.mean + e.lambda * (others->mean - seen.mean);
    e.mean = fmin(fmax(mean, 0), 100);

    if (n < JUDGE_ESTIMATE_LEAST) {
        return e;
    }

    half = judge_estimate_variance(human, given, n, people.mean, &seen,
                                   e.lambda);
    if (e.lambda > 0 && others->n > 1) {
        half += e.lambda * e.lambda * others->squares
                / ((double) others->n - 1) / (double) others->n;
    }
    half = sqrt(half)
           * judge_estimate_t90((double) n - (e.lambda > 0 ? 2 : 1));

    e.low = fmin(fmax(mean - half, 0), 100);
    e.high = fmin(fmax(mean + half, 0), 100);

    return e;
}
