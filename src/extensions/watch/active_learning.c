/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "extensions/watch/watch.h"


/* The length scale of the Cauchy kernel, in standard deviations of a feature;
 * and the noise variance of people's scores, where the prior variance is 1. */
#define JUDGE_ACTIVE_SCALE  1.5
#define JUDGE_ACTIVE_NOISE  0.5

/* After this many choices the gains are no longer updated: bounds the time. */
#define JUDGE_ACTIVE_BEST  100

typedef struct {
    judge_active_item_t  *items;
    size_t                n;
    size_t                nfeatures;
    size_t                nvaried;     /* features that are not constant */
    float                *x;           /* standardized features, row by item */
    double               *covariance;  /* n x n, posterior */
    double               *pivot;
    bool                 *chosen;
} judge_active_t;


/* A missing feature value counts as the mean. */

static void
judge_active_standardize(judge_active_t *a, size_t feature)
{
    size_t  i, n;
    float   v;
    double  sum, squares, mean, spread;

    for (i = 0, n = 0, sum = 0, squares = 0; i < a->n; i++) {
        v = a->items[i].features ? a->items[i].features[feature] : NAN;
        a->x[i * a->nfeatures + feature] = v;
        if (isfinite(v)) {
            sum += (double) v;
            squares += (double) v * (double) v;
            n++;
        }
    }

    mean = n ? sum / (double) n : 0;
    spread = n ? sqrt(fmax(0, squares / (double) n - mean * mean)) : 0;
    a->nvaried += spread > 0;

    for (i = 0; i < a->n; i++) {
        v = a->x[i * a->nfeatures + feature];
        a->x[i * a->nfeatures + feature] = isfinite(v) && spread > 0
            ? (float) (((double) v - mean) / spread) : 0;
    }
}


static double
judge_active_kernel(const judge_active_t *a, size_t i, size_t k)
{
    size_t        f;
    float         d;
    double        sum;
    const float  *x = a->x + i * a->nfeatures, *y = a->x + k * a->nfeatures;

    if (a->items[i].features == NULL || a->items[k].features == NULL) {
        return 0;
    }

    for (f = 0, sum = 0; f < a->nfeatures; f++) {
        d = x[f] - y[f];
        sum += (double) (d * d);
    }

    return 1 / (1 + sum / (double) (a->nvaried ? a->nvaried : 1)
                    / (2 * JUDGE_ACTIVE_SCALE * JUDGE_ACTIVE_SCALE));
}


/* Chooses item p: conditions the posterior covariance on a score of it. */

static void
judge_active_take(judge_active_t *a, size_t p)
{
    size_t  i, k;
    double  scale, *row;

    a->chosen[p] = true;
    if (a->items[p].features == NULL) {
        return;
    }

    memcpy(a->pivot, a->covariance + p * a->n, a->n * sizeof(double));

    for (i = 0; i < a->n; i++) {
        row = a->covariance + i * a->n;
        scale = a->pivot[i] / (a->pivot[p] + JUDGE_ACTIVE_NOISE);
        for (k = 0; k < a->n; k++) {
            row[k] -= scale * a->pivot[k];
        }
    }
}


/* Computes by how much a score of each item would reduce the mean variance. */

static void
judge_active_gains(judge_active_t *a)
{
    size_t         i, k;
    double         sum;
    const double  *row;

    for (i = 0; i < a->n; i++) {
        if (a->chosen[i] || a->items[i].features == NULL) {
            continue;
        }

        row = a->covariance + i * a->n;
        for (k = 0, sum = 0; k < a->n; k++) {
            sum += row[k] * row[k];
        }
        a->items[i].gain = sum / (row[i] + JUDGE_ACTIVE_NOISE)
                           / (double) a->n;
    }
}


static size_t
judge_active_best(const judge_active_t *a)
{
    size_t  i, best;

    for (i = 0, best = a->n; i < a->n; i++) {
        if (!a->chosen[i] && (best == a->n
                             || a->items[i].gain > a->items[best].gain))
        {
            best = i;
        }
    }

    return best;
}


judge_rc_e
judge_active_order(judge_arena_t *arena, judge_active_item_t *items, size_t n,
    size_t nfeatures, size_t *order, size_t *norder)
{
    size_t          i, k;
    judge_active_t  a = { .items = items, .n = n, .nfeatures = nfeatures };

    *norder = 0;
    a.x = judge_array_alloc(arena, n * nfeatures + 1, sizeof(float));
    a.covariance = judge_array_alloc(arena, n * n + 1, sizeof(double));
    a.pivot = judge_array_alloc(arena, n + 1, sizeof(double));
    a.chosen = judge_array_alloc(arena, n + 1, sizeof(bool));
    if (!a.x || !a.covariance || !a.pivot || !a.chosen) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < nfeatures; i++) {
        judge_active_standardize(&a, i);
    }

    for (i = 0; i < n; i++) {
        items[i].gain = 0;
        for (k = 0; k < n; k++) {
            a.covariance[i * n + k] = judge_active_kernel(&a, i, k);
        }
    }

    for (i = 0; i < n; i++) {
        if (items[i].known) {
            judge_active_take(&a, i);
        }
    }

    judge_active_gains(&a);

    while ((i = judge_active_best(&a)) < n) {
        order[(*norder)++] = i;
        judge_active_take(&a, i);

        if (*norder <= JUDGE_ACTIVE_BEST) {
            judge_active_gains(&a);
        }
    }

    return JUDGE_OK;
}
