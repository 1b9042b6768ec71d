/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


#define JUDGE_RIDGE_STEPS  100
#define JUDGE_RIDGE_NEAR   1e-8        /* of the squared residual: the end */
#define JUDGE_RIDGE_ROWS   30000       /* more would change nothing */


/* Sets the weights theta for the dual coefficients p of the n items `use`. */

static void
judge_ridge_theta(const judge_learner_t *l, const uint32_t *use, size_t n,
    const double *p, double *theta)
{
    size_t                    u, j, nin = l->nin;
    double                    a, words;
    const float              *in;
    const judge_ngram_set_t  *g = &l->grams;

    memset(theta, 0, (nin + JUDGE_NGRAMS) * sizeof(double));
    a = judge_amplitude(l, JUDGE_KERNEL_FEATURES);
    words = judge_amplitude(l, JUDGE_KERNEL_GRAMS);

    for (u = 0; u < n; u++) {
        in = l->in + use[u] * nin;
        for (j = 0; j < nin; j++) {
            theta[j] += p[u] * a * (double) in[j];
        }

        for (j = g->offsets[use[u]]; j < g->offsets[use[u] + 1]; j++) {
            theta[nin + g->grams[j].bucket] += p[u] * words
                                               * (double) g->grams[j].value;
        }
    }
}


static double
judge_ridge_predict(const judge_learner_t *l, const double *theta,
    size_t item)
{
    size_t                    j, k, nin = l->nin;
    double                    sum[4] = { 0, 0, 0, 0 };
    const float              *in = l->in + item * nin;
    const judge_ngram_set_t  *g = &l->grams;

    /* four independent sums, which the processor adds in parallel */

    for (j = 0; j + 4 <= nin; j += 4) {
        for (k = 0; k < 4; k++) {
            sum[k] += theta[j + k] * (double) in[j + k];
        }
    }

    for ( /* void */ ; j < nin; j++) {
        sum[0] += theta[j] * (double) in[j];
    }

    for (j = g->offsets[item]; j < g->offsets[item + 1]; j++) {
        sum[1] += theta[nin + g->grams[j].bucket]
                  * (double) g->grams[j].value;
    }

    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}


static double
judge_ridge_square(const double *a, size_t n)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < n; i++) {
        sum += a[i] * a[i];
    }

    return sum;
}


/* Makes a step of conjugate gradients in the dual, from a squared residual to
 * the one that it returns.  The matrix, the items' covariance with noise, is
 * never built: theta gives its product q with the direction p. */

static double
judge_ridge_step(const judge_learner_t *l, const uint32_t *use, size_t n,
    const double *weight, double *v[4], double square, double *theta)
{
    size_t  i;
    double  pq, alpha, next, *x = v[0], *residual = v[1], *p = v[2], *q = v[3];

    judge_ridge_theta(l, use, n, p, theta);

    for (i = 0, pq = 0; i < n; i++) {
        q[i] = judge_ridge_predict(l, theta, use[i]) + p[i] / weight[use[i]];
        pq += p[i] * q[i];
    }

    alpha = square / pq;

    for (i = 0; i < n; i++) {
        x[i] += alpha * p[i];
        residual[i] -= alpha * q[i];
    }

    next = judge_ridge_square(residual, n);

    for (i = 0; i < n; i++) {
        p[i] = residual[i] + next / square * p[i];
    }

    return next;
}


/* From JUDGE_RIDGE_ROWS items on, only every second, third, ... is used. */

bool
judge_ridge(const judge_learner_t *l, const double *y, const double *weight,
    double *theta)
{
    size_t     i, step, n, all = l->set.nitems;
    double    *v[4], square, first;
    uint32_t  *use = malloc(all * sizeof(uint32_t));

    v[0] = calloc(4 * all, sizeof(double));

    if (use == NULL || v[0] == NULL) {
        free(use);
        free(v[0]);
        return false;
    }

    for (i = 1; i < 4; i++) {
        v[i] = v[i - 1] + all;
    }

    for (i = 0, n = 0; i < all; i += all / JUDGE_RIDGE_ROWS + 1) {
        if (weight[i] > 0) {
            v[1][n] = v[2][n] = y[i];
            use[n++] = (uint32_t) i;
        }
    }

    square = first = judge_ridge_square(v[1], n);

    for (step = 0;
         step < JUDGE_RIDGE_STEPS && square > JUDGE_RIDGE_NEAR * first; step++)
    {
        square = judge_ridge_step(l, use, n, weight, v, square, theta);
    }

    judge_ridge_theta(l, use, n, v[0], theta);
    free(use);
    free(v[0]);

    return true;
}
