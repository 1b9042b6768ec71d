/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The raw score's line, and ridge regression. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


#define JUDGE_LINE_SLOPE  1.0          /* items that a slope of 1 counts for */
#define JUDGE_LINE_LEAST  0.05         /* slope: the order stays */
#define JUDGE_LINE_SHIFT  2.0          /* items that no shift counts for */


static void judge_ridge_means(const judge_rows_t *rows, size_t target,
    double *means, double *mean, double *total);
static void judge_ridge_sums(const judge_rows_t *rows, size_t target,
    const double *means, double mean, double *gram, double *moment,
    double *row);
static bool judge_ridge_solve(double *a, double *b, size_t n);


static size_t
judge_ridge_rows(const judge_rows_t *rows)
{
    return rows->nuse < JUDGE_RIDGE_ROWS ? rows->nuse : JUDGE_RIDGE_ROWS;
}


static bool
judge_rows_known(const judge_rows_t *rows, size_t i, size_t target)
{
    return judge_learn_known(rows->y, rows->weight,
                             i * rows->stride + target);
}


bool
judge_ridge(const judge_rows_t *rows, size_t target, const double *lambdas,
    float *w)
{
    bool     solved;
    size_t   j, k, n = rows->nin;
    double  *gram, *factor, *moment, *x, *means, mean, total, constant;

    gram = calloc(2 * n * n + 3 * n + 1, sizeof(double));
    if (gram == NULL) {
        return false;
    }

    factor = gram + n * n;
    moment = factor + n * n;
    x = moment + n;
    means = x + n;

    judge_ridge_means(rows, target, means, &mean, &total);
    judge_ridge_sums(rows, target, means, mean, gram, moment, x);

    for (k = 0; k < JUDGE_RIDGES; k++, w += n + 1) {
        memcpy(factor, gram, n * n * sizeof(double));
        memcpy(x, moment, n * sizeof(double));
        for (j = 0; j < n; j++) {
            factor[j * n + j] += lambdas[k];
        }

        solved = total > 0 && judge_ridge_solve(factor, x, n);
        constant = total > 0 ? mean : 50;

        for (j = 0; j < n; j++) {
            w[j] = solved ? (float) x[j] : 0;
            constant -= solved ? x[j] * means[j] : 0;
        }
        w[n] = (float) constant;
    }

    free(gram);

    return true;
}


static void
judge_ridge_means(const judge_rows_t *rows, size_t target, double *means,
    double *mean, double *total)
{
    size_t        u, i, j;
    double        weight;
    const float  *in;

    *mean = *total = 0;

    for (u = 0; u < judge_ridge_rows(rows); u++) {
        i = rows->use[u];
        if (!judge_rows_known(rows, i, target)) {
            continue;
        }

        weight = rows->weight[i * rows->stride + target];
        in = rows->in + i * rows->nin;
        *total += weight;
        *mean += weight * rows->y[i * rows->stride + target];
        for (j = 0; j < rows->nin; j++) {
            means[j] += weight * in[j];
        }
    }

    if (*total > 0) {
        *mean /= *total;
        for (j = 0; j < rows->nin; j++) {
            means[j] /= *total;
        }
    }
}


/* The lower triangle only; row is room for one, centered. */

static void
judge_ridge_sums(const judge_rows_t *rows, size_t target,
    const double *means, double mean, double *gram, double *moment,
    double *row)
{
    size_t        u, i, j, k;
    double        weight, x, y, *line;
    const float  *in;

    for (u = 0; u < judge_ridge_rows(rows); u++) {
        i = rows->use[u];
        if (!judge_rows_known(rows, i, target)) {
            continue;
        }

        weight = rows->weight[i * rows->stride + target];
        in = rows->in + i * rows->nin;
        y = rows->y[i * rows->stride + target] - mean;

        for (j = 0; j < rows->nin; j++) {
            row[j] = in[j] - means[j];
        }

        for (j = 0; j < rows->nin; j++) {
            x = weight * row[j];
            line = gram + j * rows->nin;
            moment[j] += x * y;
            for (k = 0; k <= j; k++) {
                line[k] += x * row[k];
            }
        }
    }
}


/* Cholesky: a becomes its factor, b the solution. */

static bool
judge_ridge_solve(double *a, double *b, size_t n)
{
    size_t  i, j, k;
    double  sum;

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++) {
            sum = a[i * n + j];
            for (k = 0; k < j; k++) {
                sum -= a[i * n + k] * a[j * n + k];
            }
            if (i == j && sum <= 0) {
                return false;
            }
            a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
        }
    }

    for (i = 0; i < n; i++) {
        for (k = 0; k < i; k++) {
            b[i] -= a[i * n + k] * b[k];
        }
        b[i] /= a[i * n + i];
    }

    for (i = n; i-- > 0; /* void */) {
        for (k = i + 1; k < n; k++) {
            b[i] -= a[k * n + i] * b[k];
        }
        b[i] /= a[i * n + i];
    }

    return true;
}


float
judge_linear(const float *w, const float *in, size_t nin)
{
    size_t  j, k;
    double  sums[4] = { (double) w[nin], 0, 0, 0 };

    /* Four sums that do not wait for each other. */
    for (j = 0; j + 4 <= nin; j += 4) {
        for (k = 0; k < 4; k++) {
            sums[k] += (double) w[j + k] * (double) in[j + k];
        }
    }

    for (; j < nin; j++) {
        sums[0] += (double) w[j] * (double) in[j];
    }

    return (float) ((sums[0] + sums[1]) + (sums[2] + sums[3]));
}


void
judge_line_learn(judge_line_t *line, const judge_rows_t *rows,
    const float *raw, size_t target)
{
    size_t  u, i, at;
    double  weight, total, x, y, sx, sy, sxx, sxy, center;

    total = sx = sy = 0;
    for (u = 0; u < rows->nuse; u++) {
        at = rows->use[u] * rows->stride + target;
        if (judge_rows_known(rows, rows->use[u], target)) {
            weight = rows->weight[at];
            total += weight;
            sx += weight * raw[at];
            sy += weight * rows->y[at];
        }
    }

    center = total > 0 ? sx / total : 50;

    /* Variance of raw scores by which the prior counts its items: 20². */
    sxx = JUDGE_LINE_SLOPE * 400;
    sxy = sxx;
    for (u = 0; u < rows->nuse; u++) {
        i = rows->use[u];
        at = i * rows->stride + target;
        if (judge_rows_known(rows, i, target)) {
            x = raw[at] - center;
            y = rows->y[at] - (total > 0 ? sy / total : 0);
            sxx += rows->weight[at] * x * x;
            sxy += rows->weight[at] * x * y;
        }
    }

    line->center = (float) center;
    line->slope = (float) (sxy > JUDGE_LINE_LEAST * sxx ? sxy / sxx
                                                    : JUDGE_LINE_LEAST);
    line->shift = (float) ((sy - total * center)
                           / (total + JUDGE_LINE_SHIFT));
}
