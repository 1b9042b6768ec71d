/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "analysis/learning/active.h"


/* Of the Cauchy kernel, in standard deviations of a feature; and the variance
 * of people's scores beside the kernel's 1. */
#define JUDGE_ACTIVE_SCALE  1.5
#define JUDGE_ACTIVE_NOISE  0.5

typedef struct {
    judge_active_item_t  *items;
    size_t                n;
    size_t                nfeatures;
    float                *spread;      /* by feature; 0: it is the same */
    float                *x;           /* standardized, a row each */
    double               *factor;      /* of Cholesky, a row each */
    size_t                nfactors;
    bool                 *taken;
} judge_active_t;


static judge_rc_e judge_active_begin(judge_active_t *a, judge_arena_t *arena);
static void judge_active_standardize(judge_active_t *a, size_t feature);
static void judge_active_take(judge_active_t *a, size_t p);
static double judge_active_kernel(const judge_active_t *a, size_t i,
    size_t k);


judge_rc_e
judge_active_order(judge_arena_t *arena, judge_active_item_t *items, size_t n,
    size_t nfeatures, size_t *order, size_t *norder)
{
    size_t          i, best;
    judge_active_t  a = { .items = items, .n = n, .nfeatures = nfeatures };

    *norder = 0;

    if (judge_active_begin(&a, arena) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        if (items[i].known) {
            judge_active_take(&a, i);
        }
    }

    for ( ;; ) {
        for (i = 0, best = n; i < n; i++) {
            if (!a.taken[i]
                && (best == n || items[i].gain > items[best].gain))
            {
                best = i;
            }
        }

        if (best == n) {
            return JUDGE_OK;
        }

        order[(*norder)++] = best;
        judge_active_take(&a, best);
    }
}


static judge_rc_e
judge_active_begin(judge_active_t *a, judge_arena_t *arena)
{
    size_t  i;

    a->spread = judge_array_alloc(arena, a->nfeatures + 1, sizeof(float));
    a->x = judge_array_alloc(arena, a->n * a->nfeatures + 1, sizeof(float));
    a->factor = judge_array_alloc(arena, a->n * a->n + 1, sizeof(double));
    a->taken = judge_array_alloc(arena, a->n + 1, sizeof(bool));
    if (a->spread == NULL || a->x == NULL || a->factor == NULL
        || a->taken == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < a->n; i++) {
        a->taken[i] = false;
        a->items[i].gain = a->items[i].features ? 1 : 0;
    }

    for (i = 0; i < a->nfeatures; i++) {
        judge_active_standardize(a, i);
    }

    return JUDGE_OK;
}


static void
judge_active_standardize(judge_active_t *a, size_t feature)
{
    size_t  i, n;
    double  v, sum, squares, mean, spread;

    sum = 0;
    squares = 0;

    for (i = 0, n = 0; i < a->n; i++) {
        if (a->items[i].features && isfinite(a->items[i].features[feature])) {
            v = (double) a->items[i].features[feature];
            sum += v;
            squares += v * v;
            n++;
        }
    }

    mean = n ? sum / (double) n : 0;
    spread = n ? sqrt(fmax(0, squares / (double) n - mean * mean)) : 0;

    for (i = 0; i < a->n; i++) {
        v = a->items[i].features ? (double) a->items[i].features[feature]
                                 : mean;
        a->x[i * a->nfeatures + feature] = isfinite(v) && spread > 0
                                           ? (float) ((v - mean) / spread)
                                           : 0;
    }

    a->spread[feature] = (float) spread;
}


/* A step of Cholesky's decomposition with p as the pivot: what is left of the
 * variance at each item when the score of p is known. */

static void
judge_active_take(judge_active_t *a, size_t p)
{
    size_t   i, k;
    double   scale, v, *row, *pivot;

    a->taken[p] = true;
    if (a->items[p].features == NULL) {
        return;
    }

    pivot = a->factor + p * a->n;
    for (k = 0, scale = 1 + JUDGE_ACTIVE_NOISE; k < a->nfactors; k++) {
        scale -= pivot[k] * pivot[k];
    }
    scale = sqrt(fmax(scale, JUDGE_ACTIVE_NOISE));

    for (i = 0; i < a->n; i++) {
        row = a->factor + i * a->n;
        v = judge_active_kernel(a, i, p);
        for (k = 0; k < a->nfactors; k++) {
            v -= row[k] * pivot[k];
        }
        row[a->nfactors] = v / scale;

        if (!a->taken[i] && a->items[i].features) {
            a->items[i].gain = fmax(0, a->items[i].gain
                                       - row[a->nfactors]
                                         * row[a->nfactors]);
        }
    }

    a->nfactors++;
}


static double
judge_active_kernel(const judge_active_t *a, size_t i, size_t k)
{
    size_t       f, n;
    float        d;
    double       sum;
    const float *x, *y;

    x = a->x + i * a->nfeatures;
    y = a->x + k * a->nfeatures;
    sum = 0;

    for (f = 0, n = 0; f < a->nfeatures; f++) {
        d = x[f] - y[f];
        sum += (double) (d * d);
        n += a->spread[f] > 0;
    }

    return 1 / (1 + sum / (double) (n ? n : 1)
                    / (2 * JUDGE_ACTIVE_SCALE * JUDGE_ACTIVE_SCALE));
}
