/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Learning from few items: Gaussian processes (Rasmussen & Williams 2006) on
 * what a line over the engine's scores leaves over.  The mean of an item's
 * scores and each criterion's deviation from it are learned apart, as people
 * agree on the first with a few items and on the second with many.  The
 * covariance is a sum of kernels, whose amplitudes are found by marginal
 * likelihood, drawn to what other judges needed: without that, 25 items would
 * seem to prove anything.
 *
 * No function of the C library that may differ between machines is called but
 * sqrt().
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_GP_LIKELY    400         /* items that amplitudes are found by */
#define JUDGE_GP_TRUST     80.0        /* items up to which the usual ones are
                                          trusted in full */
#define JUDGE_GP_TURNS     2
#define JUDGE_GP_STEPS     9           /* of amplitudes, from 0.001 to 10 */
#define JUDGE_GP_UNKNOWN   1e4         /* noise of what has no score */
#define JUDGE_GP_SLOPE     8.0         /* items of a spread of 15 that a slope
                                          counts for */
#define JUDGE_LN10         2.302585092994046

/* The mean of the scores, or their deviations from it. */
typedef struct {
    double         slope;              /* that the line is drawn to */
    bool           deviations;
    size_t         ny;                 /* columns */
    double        *y;                  /* of what is left over, n x ny */
    double        *noise;              /* n */
    double         amplitude[JUDGE_KERNELS];
} judge_gp_group_t;

typedef struct {
    judge_learner_t  *l;
    const uint32_t   *use;
    size_t            n;
    double           *matrix;          /* room for n x n */
    double           *x;               /* ... n x ny, solved in place */
} judge_gp_fit_t;


static const double  judge_amplitudes[JUDGE_GP_STEPS] = {
    0.001, 0.00316, 0.01, 0.0316, 0.1, 0.316, 1, 3.16, 10
};

/* The step that an amplitude is drawn to, of the mean and of deviations. */
static const uint8_t  judge_usual[2][JUDGE_KERNELS] = {
    { 3, 4, 3, 4 }, { 2, 2, 2, 2 }
};

#define JUDGE_GP_USUAL(group, k)  judge_usual[(group)->deviations][k]


static void judge_gp_targets(const judge_gp_fit_t *fit, judge_run_t *run,
    judge_gp_group_t groups[2]);
static void judge_gp_item(const judge_learner_t *l, size_t item, double *mean,
    double *raw, double *weight);
static void judge_gp_line(const judge_gp_fit_t *fit, judge_run_t *run,
    judge_gp_group_t groups[2]);
static void judge_gp_amplitudes(judge_gp_fit_t *fit,
    judge_gp_group_t *group);
static double judge_gp_likelihood(judge_gp_fit_t *fit,
    judge_gp_group_t *group);
static double judge_gp_dot(const double *a, const double *b, size_t n);
static bool judge_gp_factor(judge_gp_fit_t *fit,
    const judge_gp_group_t *group, size_t n, double *determinant);
static void judge_gp_solve(const judge_gp_fit_t *fit, size_t n, size_t ny);
static bool judge_gp_group(judge_gp_fit_t *fit, judge_gp_group_t *group,
    judge_run_t *run, bool deviations);
static void judge_gp_predict(judge_learner_t *l, judge_run_t *run);


bool
judge_gp_learn(judge_learner_t *l, judge_run_t *run)
{
    bool              ok;
    size_t            t, n, cells;
    double           *room;
    judge_gp_fit_t    fit;
    judge_gp_group_t  groups[2];

    n = run->nuse;
    cells = n * (l->set.ntargets + 1);
    room = calloc(n * n + 2 * cells + 2 * n + 1, sizeof(double));
    if (room == NULL) {
        return false;
    }

    fit = (judge_gp_fit_t) { l, run->use, n, room, room + n * n };
    groups[0] = (judge_gp_group_t) { .slope = 0.6, .ny = 1,
                                     .y = fit.x + cells };
    groups[1] = (judge_gp_group_t) { .slope = 0.5, .deviations = true,
                                     .ny = l->set.ntargets,
                                     .y = groups[0].y + n };
    groups[0].noise = groups[1].y + n * l->set.ntargets;
    groups[1].noise = groups[0].noise + n;

    for (t = 0, ok = true; t < l->set.ntargets && ok; t++) {
        run->targets[t].dual = calloc(JUDGE_KERNELS * l->set.nitems,
                                      sizeof(float));
        run->targets[t].gp = calloc(2 * l->set.nitems, sizeof(float));
        ok = run->targets[t].dual != NULL && run->targets[t].gp != NULL;
        run->targets[t].gp_line = run->targets[t].gp + l->set.nitems;
    }

    if (ok) {
        judge_gp_targets(&fit, run, groups);
        ok = judge_gp_group(&fit, &groups[0], run, false)
             && (l->set.ntargets == 1
                 || judge_gp_group(&fit, &groups[1], run, true));
    }

    if (ok) {
        judge_gp_predict(l, run);
    }

    free(room);

    return ok;
}


/* What the scores are, and what the lines leave over. */

static void
judge_gp_targets(const judge_gp_fit_t *fit, judge_run_t *run,
    judge_gp_group_t groups[2])
{
    size_t                  u, t, at;
    double                  mean, raw, weight;
    const judge_learner_t  *l = fit->l;

    for (u = 0; u < fit->n; u++) {
        judge_gp_item(l, fit->use[u], &mean, &raw, &weight);
        groups[0].y[u] = mean;
        groups[0].noise[u] = weight > 0 ? 1 / weight : JUDGE_GP_UNKNOWN;
        groups[1].noise[u] = groups[0].noise[u];

        for (t = 0; t < l->set.ntargets; t++) {
            at = fit->use[u] * l->set.ntargets + t;
            groups[1].y[u * l->set.ntargets + t]
                = judge_learn_known(l->set.target, l->set.weight, at)
                  ? (double) l->set.target[at] - mean : NAN;
        }
    }

    judge_gp_line(fit, run, groups);
}


/* Means over the targets that are known: of scores, raw scores, weights. */

static void
judge_gp_item(const judge_learner_t *l, size_t item, double *mean,
    double *raw, double *weight)
{
    size_t  t, at, n;

    *mean = *raw = *weight = 0;

    for (t = 0, n = 0; t < l->set.ntargets; t++) {
        at = item * l->set.ntargets + t;

        if (judge_learn_known(l->set.target, l->set.weight, at)) {
            *mean += (double) l->set.target[at];
            *raw += judge_raw(l->set.raw[at]);
            *weight += (double) l->set.weight[at];
            n++;
        }
    }

    if (n > 0) {
        *mean /= (double) n;
        *raw /= (double) n;
        *weight /= (double) n;
    }
}


/* y = base + slope * (x - center); y becomes what is left over. */

static judge_gp_line_t
judge_gp_line_learn(const judge_gp_group_t *group, const double *x, size_t n,
    size_t column)
{
    size_t           u;
    double           w, total, sx, sy, sxx, sxy, y;
    judge_gp_line_t  line;

    total = sx = sy = 0;

    for (u = 0; u < n; u++) {
        y = group->y[u * group->ny + column];
        w = isnan(y) ? 0 : 1 / group->noise[u];
        total += w;
        sx += w * x[u];
        sy += w * (isnan(y) ? 0 : y);
    }

    line.center = judge_share(sx, total);
    line.base = judge_share(sy, total);
    sxx = JUDGE_GP_SLOPE * 15 * 15;
    sxy = group->slope * sxx;

    for (u = 0; u < n; u++) {
        y = group->y[u * group->ny + column];
        w = isnan(y) ? 0 : 1 / group->noise[u];
        sxx += w * (x[u] - line.center) * (x[u] - line.center);
        sxy += w * (x[u] - line.center) * (isnan(y) ? 0 : y - line.base);
    }

    line.slope = sxy > 0 ? sxy / sxx : 0;

    for (u = 0; u < n; u++) {
        y = group->y[u * group->ny + column];
        group->y[u * group->ny + column] = isnan(y) ? 0
            : y - line.base - line.slope * (x[u] - line.center);
    }

    return line;
}


static void
judge_gp_line(const judge_gp_fit_t *fit, judge_run_t *run,
    judge_gp_group_t groups[2])
{
    size_t                  u, t, nt;
    double                  mean, weight, *raw, *x;
    judge_gp_line_t         line;
    const judge_learner_t  *l = fit->l;

    nt = l->set.ntargets;
    raw = fit->x;
    x = raw + fit->n;

    for (u = 0; u < fit->n; u++) {
        judge_gp_item(l, fit->use[u], &mean, &raw[u], &weight);
    }

    line = judge_gp_line_learn(&groups[0], raw, fit->n, 0);

    for (t = 0; t < nt; t++) {
        run->targets[t].mean_line = line;

        for (u = 0; u < fit->n; u++) {
            x[u] = judge_raw(l->set.raw[fit->use[u] * nt + t]) - raw[u];
        }

        run->targets[t].own_line = judge_gp_line_learn(&groups[1], x, fit->n,
                                                       t);
    }
}


/* Found once, on all items, and taken for the folds, too. */

static bool
judge_gp_group(judge_gp_fit_t *fit, judge_gp_group_t *group,
    judge_run_t *run, bool deviations)
{
    size_t                  u, t, k;
    double                  determinant, *found;
    const judge_learner_t  *l = fit->l;

    found = fit->l->amplitudes[deviations];

    if (found[0] < 0) {
        judge_gp_amplitudes(fit, group);
        memcpy(found, group->amplitude, sizeof(group->amplitude));
    }

    memcpy(group->amplitude, found, sizeof(group->amplitude));
    memcpy(fit->x, group->y, fit->n * group->ny * sizeof(double));

    if (!judge_gp_factor(fit, group, fit->n, &determinant)) {
        return true;                   /* nothing is added to the line */
    }

    judge_gp_solve(fit, fit->n, group->ny);

    for (t = 0; t < l->set.ntargets; t++) {
        for (k = 0; k < JUDGE_KERNELS; k++) {
            for (u = 0; u < fit->n; u++) {
                run->targets[t].dual[k * l->set.nitems + fit->use[u]]
                    += (float) (group->amplitude[k]
                                * fit->x[u * group->ny
                                         + (deviations ? t : 0)]);
            }
        }
    }

    return true;
}


/* One after the other, the best of the steps. */

static void
judge_gp_amplitudes(judge_gp_fit_t *fit, judge_gp_group_t *group)
{
    size_t  turn, k, s;
    double  best, likely, keep;

    for (k = 0; k < JUDGE_KERNELS; k++) {
        group->amplitude[k] = judge_amplitudes[JUDGE_GP_USUAL(group, k)];
    }

    if (fit->l->grams.covered == 0) {
        group->amplitude[JUDGE_KERNEL_GRAMS] = 0;
    }

    if (fit->l->set.nitems > JUDGE_GP_POINTS) {
        group->amplitude[JUDGE_KERNEL_NEAR] = 0;
    }

    best = judge_gp_likelihood(fit, group);

    for (turn = 0; turn < JUDGE_GP_TURNS; turn++) {
        for (k = 0; k < JUDGE_KERNELS; k++) {
            if (group->amplitude[k] <= 0) {
                continue;
            }

            for (s = 0; s < JUDGE_GP_STEPS; s++) {
                keep = group->amplitude[k];
                group->amplitude[k] = judge_amplitudes[s];
                likely = judge_gp_likelihood(fit, group);

                if (likely > best) {
                    best = likely;

                } else {
                    group->amplitude[k] = keep;
                }
            }
        }
    }
}


/* The logarithm of the marginal likelihood, its scale at the best, with that
 * of how likely the amplitudes are. */

static double
judge_gp_likelihood(judge_gp_fit_t *fit, judge_gp_group_t *group)
{
    size_t  u, t, k, n;
    double  determinant, fits, width, away, sum;

    n = fit->n < JUDGE_GP_LIKELY ? fit->n : JUDGE_GP_LIKELY;
    memcpy(fit->x, group->y, n * group->ny * sizeof(double));

    if (!judge_gp_factor(fit, group, n, &determinant)) {
        return -1e300;
    }

    judge_gp_solve(fit, n, group->ny);

    for (t = 0, sum = 0; t < group->ny; t++) {
        for (u = 0, fits = 0; u < n; u++) {
            fits += fit->x[u * group->ny + t] * group->y[u * group->ny + t];
        }

        sum -= (double) n / 2 * judge_ln(fits / (double) n + 1e-9)
               + determinant / 2;
    }

    width = 0.25 * judge_clamp((double) n / JUDGE_GP_TRUST, 1, 1e9);

    for (k = 0; k < JUDGE_KERNELS; k++) {
        if (group->amplitude[k] > 0) {
            away = (judge_ln(group->amplitude[k]
                             / judge_amplitudes[JUDGE_GP_USUAL(group, k)])
                    / JUDGE_LN10) / width;
            sum -= away * away / 2;
        }
    }

    return sum;
}


/* In four sums of a fixed order, which need not wait for each other. */

static double
judge_gp_dot(const double *a, const double *b, size_t n)
{
    size_t  k;
    double  sum[4] = { 0, 0, 0, 0 };

    for (k = 0; k + 4 <= n; k += 4) {
        sum[0] += a[k] * b[k];
        sum[1] += a[k + 1] * b[k + 1];
        sum[2] += a[k + 2] * b[k + 2];
        sum[3] += a[k + 3] * b[k + 3];
    }

    for ( /* void */ ; k < n; k++) {
        sum[0] += a[k] * b[k];
    }

    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}


/* Cholesky's factor of the covariance of the first n, in the lower half. */

static bool
judge_gp_factor(judge_gp_fit_t *fit, const judge_gp_group_t *group, size_t n,
    double *determinant)
{
    size_t        i, j, k, items;
    double        sum, *a, *b;
    const float  *kernel;

    items = fit->l->set.nitems;
    *determinant = 0;

    for (i = 0; i < n; i++) {
        a = fit->matrix + i * n;

        for (j = 0; j <= i; j++) {
            sum = i == j ? group->noise[i] : 0;
            kernel = fit->l->kernels + fit->use[i] * items + fit->use[j];

            for (k = 0; k < JUDGE_KERNELS; k++) {
                sum += group->amplitude[k] * (double) kernel[k * items
                                                             * items];
            }

            b = fit->matrix + j * n;
            sum -= judge_gp_dot(a, b, j);

            if (i != j) {
                a[j] = sum / b[j];
                continue;
            }

            if (!(sum > 1e-12)) {
                return false;
            }

            a[i] = sqrt(sum);
            *determinant += judge_ln(sum);
        }
    }

    return true;
}


static void
judge_gp_solve(const judge_gp_fit_t *fit, size_t n, size_t ny)
{
    size_t  i, k, t;
    double  factor, *x, *y;

    for (i = 0; i < n; i++) {
        x = fit->x + i * ny;

        for (k = 0; k < i; k++) {
            factor = fit->matrix[i * n + k];
            y = fit->x + k * ny;

            for (t = 0; t < ny; t++) {
                x[t] -= factor * y[t];
            }
        }

        for (t = 0; t < ny; t++) {
            x[t] /= fit->matrix[i * n + i];
        }
    }

    for (i = n; i-- > 0; /* void */) {
        x = fit->x + i * ny;

        for (k = i + 1; k < n; k++) {
            factor = fit->matrix[k * n + i];
            y = fit->x + k * ny;

            for (t = 0; t < ny; t++) {
                x[t] -= factor * y[t];
            }
        }

        for (t = 0; t < ny; t++) {
            x[t] /= fit->matrix[i * n + i];
        }
    }
}


double
judge_gp_lines(const judge_gp_line_t *mean, const judge_gp_line_t *own,
    double raw_mean, double raw)
{
    return mean->base + mean->slope * (raw_mean - mean->center)
           + own->base + own->slope * (raw - raw_mean - own->center);
}


static void
judge_gp_predict(judge_learner_t *l, judge_run_t *run)
{
    size_t               i, t, u, k, n;
    double               sum, raw;
    const float         *kernel;
    judge_run_target_t  *target;

    n = l->set.nitems;

    for (i = 0; i < n; i++) {
        raw = judge_raw_mean(l->set.raw + i * l->set.ntargets,
                             l->set.ntargets);

        for (t = 0; t < l->set.ntargets; t++) {
            target = &run->targets[t];
            target->gp_line[i] = (float) judge_gp_lines(
                &target->mean_line, &target->own_line, raw,
                judge_raw(l->set.raw[i * l->set.ntargets + t]));

            for (k = 0, sum = 0; k < JUDGE_KERNELS; k++) {
                kernel = l->kernels + (k * n + i) * n;

                for (u = 0; u < n; u++) {
                    sum += (double) target->dual[k * n + u]
                           * (double) kernel[u];
                }
            }

            target->gp[i] = (float) sum;
        }
    }
}
