/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


#define JUDGE_RIDGE_STEPS  100
#define JUDGE_RIDGE_NEAR   1e-8        /* of the square of what is left over */
#define JUDGE_RIDGE_ROWS   30000       /* more would change nothing */


typedef struct {
    const judge_learner_t  *l;
    const double           *weight;
    double                  amplitude[JUDGE_KERNELS];
    size_t                  n;
    uint32_t               *use;
    double                 *theta;
} judge_ridge_t;


static void judge_ridge_rows(judge_ridge_t *r);
static void judge_ridge_times(const judge_ridge_t *r, const double *p,
    double *out);
static void judge_ridge_theta(const judge_ridge_t *r, const double *p);
static double judge_ridge_dot(const double *a, const double *b, size_t n);


bool
judge_ridge(const judge_learner_t *l, size_t group, const double *y,
    const double *weight, double *theta)
{
    size_t         i, step, n = l->set.nitems;
    double        *x, *left, *p, *q, alpha, rest, first, next;
    judge_ridge_t  r = { .l = l, .weight = weight, .theta = theta };

    r.use = malloc(n * sizeof(uint32_t));
    x = calloc(4 * n, sizeof(double));
    if (r.use == NULL || x == NULL) {
        free(r.use);
        free(x);
        return false;
    }

    left = x + n;
    p = left + n;
    q = p + n;
    judge_ridge_rows(&r);

    for (i = 0; i < JUDGE_KERNELS; i++) {
        r.amplitude[i] = judge_amplitude(l, group, i);
    }

    for (i = 0; i < r.n; i++) {
        left[i] = p[i] = y[r.use[i]];
    }

    rest = first = judge_ridge_dot(left, left, r.n);

    for (step = 0; step < JUDGE_RIDGE_STEPS && rest > JUDGE_RIDGE_NEAR * first;
         step++)
    {
        judge_ridge_times(&r, p, q);
        alpha = rest / judge_ridge_dot(p, q, r.n);

        for (i = 0; i < r.n; i++) {
            x[i] += alpha * p[i];
            left[i] -= alpha * q[i];
        }

        next = judge_ridge_dot(left, left, r.n);
        for (i = 0; i < r.n; i++) {
            p[i] = left[i] + next / rest * p[i];
        }
        rest = next;
    }

    judge_ridge_theta(&r, x);
    free(r.use);
    free(x);

    return true;
}


/* Of more than enough, every second, third, ... */

static void
judge_ridge_rows(judge_ridge_t *r)
{
    size_t  i, every, n = r->l->set.nitems;

    every = n / JUDGE_RIDGE_ROWS + 1;

    for (i = 0; i < n; i += every) {
        if (r->weight[i] > 0) {
            r->use[r->n++] = (uint32_t) i;
        }
    }
}


/* What the items with these multipliers give the features and words. */

static void
judge_ridge_theta(const judge_ridge_t *r, const double *p)
{
    size_t                    u, i, j, nin = r->l->nin;
    double                    a;
    const float              *in;
    const judge_ngram_set_t  *g = &r->l->grams;

    memset(r->theta, 0, (nin + JUDGE_NGRAMS) * sizeof(double));

    for (u = 0; u < r->n; u++) {
        i = r->use[u];
        in = r->l->in + i * nin;
        a = p[u] * r->amplitude[JUDGE_KERNEL_FEATURES];

        for (j = 0; j < nin; j++) {
            r->theta[j] += a * (double) in[j];
        }

        a = p[u] * r->amplitude[JUDGE_KERNEL_GRAMS];

        for (j = a < 0 || a > 0 ? g->at[i] : 0;
             (a < 0 || a > 0) && j < g->at[i + 1]; j++)
        {
            r->theta[nin + g->grams[j].bucket] += a
                                                  * (double) g->grams[j].value;
        }
    }
}


double
judge_ridge_predict(const judge_learner_t *l, const double *theta,
    size_t item)
{
    size_t                    j, k, nin = l->nin;
    double                    sum[4] = { 0, 0, 0, 0 };
    const float              *in = l->in + item * nin;
    const judge_ngram_set_t  *g = &l->grams;

    /* four sums that need not wait for each other */

    for (j = 0; j + 4 <= nin; j += 4) {
        for (k = 0; k < 4; k++) {
            sum[k] += theta[j + k] * (double) in[j + k];
        }
    }

    for ( /* void */ ; j < nin; j++) {
        sum[0] += theta[j] * (double) in[j];
    }

    for (j = g->covered ? g->at[item] : 0;
         g->covered && j < g->at[item + 1]; j++)
    {
        sum[1] += theta[nin + g->grams[j].bucket]
                  * (double) g->grams[j].value;
    }

    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}


/* The covariance of the items, and their noise. */

static void
judge_ridge_times(const judge_ridge_t *r, const double *p, double *out)
{
    size_t  u;

    judge_ridge_theta(r, p);

    for (u = 0; u < r->n; u++) {
        out[u] = judge_ridge_predict(r->l, r->theta, r->use[u])
                 + p[u] / r->weight[r->use[u]];
    }
}


static double
judge_ridge_dot(const double *a, const double *b, size_t n)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < n; i++) {
        sum += a[i] * b[i];
    }

    return sum;
}
