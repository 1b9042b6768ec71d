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
 * sqrt(); the kernels that see distance are Cauchy's.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/prior.h"
#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_GP_LIKELY    240         /* items that amplitudes are found by */
#define JUDGE_GP_TURNS     2
#define JUDGE_GP_STEPS     9           /* of amplitudes, from 0.001 to 10 */
#define JUDGE_GP_WIDTH     2.25        /* of the Cauchy kernel, squared */
#define JUDGE_GP_UNKNOWN   1e4         /* noise of what has no score */
#define JUDGE_GP_SLOPE     8.0         /* items of a spread of 15 that a slope
                                          counts for */
#define JUDGE_GP_SHIFT     2.0         /* items that no shift counts for */
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


static bool judge_gp_core(judge_learner_t *l);
static void judge_gp_scale(float *core, size_t n, size_t ncore,
    float *center, float *scale);
static double judge_gp_varied(const judge_learner_t *l);
static double judge_gp_grams(const judge_ngram_set_t *g, size_t a, size_t b);
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
static bool judge_gp_factor(judge_gp_fit_t *fit,
    const judge_gp_group_t *group, size_t n, double *determinant);
static void judge_gp_solve(const judge_gp_fit_t *fit, size_t n, size_t ny);
static bool judge_gp_group(judge_gp_fit_t *fit, judge_gp_group_t *group,
    judge_run_t *run, bool deviations);
static void judge_gp_predict(judge_learner_t *l, judge_run_t *run);


/* --- The kernels --------------------------------------------------------- */

bool
judge_gp_kernels(judge_learner_t *l)
{
    size_t        i, j, d, n, nin;
    double        sum, distance;
    float        *k[JUDGE_KERNELS];
    const float  *a, *b;

    n = l->set.nitems;
    nin = l->nin;
    l->kernels = malloc(JUDGE_KERNELS * n * n * sizeof(float));

    if (l->kernels == NULL || !judge_gp_core(l)) {
        return false;
    }

    for (i = 0; i < JUDGE_KERNELS; i++) {
        k[i] = l->kernels + i * n * n;
    }

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++) {
            a = l->in + i * nin;
            b = l->in + j * nin;

            for (d = 0, sum = 0; d < nin; d++) {
                sum += ((double) a[d] - (double) l->in_mean[d])
                       * ((double) b[d] - (double) l->in_mean[d]);
            }

            k[JUDGE_KERNEL_INPUTS][i * n + j] = (float) (sum
                                                         / l->in_varied);
            a = l->core + i * l->ncore;
            b = l->core + j * l->ncore;

            for (d = 0, sum = 0, distance = 0; d < l->ncore; d++) {
                sum += (double) a[d] * (double) b[d];
                distance += ((double) a[d] - (double) b[d])
                            * ((double) a[d] - (double) b[d]);
            }

            k[JUDGE_KERNEL_CORE][i * n + j] = (float) (sum
                                                       / (double) l->ncore);
            k[JUDGE_KERNEL_NEAR][i * n + j] = judge_cauchy(distance,
                                                           l->ncore);
            k[JUDGE_KERNEL_GRAMS][i * n + j]
                = (float) judge_gp_grams(&l->grams, i, j);

            for (d = 0; d < JUDGE_KERNELS; d++) {
                k[d][j * n + i] = k[d][i * n + j];
            }
        }
    }

    return true;
}


/* The factors of a text's quality; of what is no text the raw scores. */

void
judge_gp_view(bool text_features, const float *features, const float *raw,
    size_t ntargets, float *core)
{
    size_t  i;

    if (text_features) {
        judge_prior_factors(features, core);
        return;
    }

    for (i = 0; i < ntargets; i++) {
        core[i] = isfinite(raw[i]) ? (raw[i] - 50) / 20 : 0;
    }
}


static bool
judge_gp_core(judge_learner_t *l)
{
    size_t   i, d, n;
    double   sum;
    float   *center;

    n = l->set.nitems;
    l->ncore = l->set.text_features ? JUDGE_FACTORS : l->set.ntargets;
    l->core = malloc(n * l->ncore * sizeof(float));
    l->core_scale = calloc(2 * l->ncore, sizeof(float));
    l->in_mean = calloc(l->nin, sizeof(float));

    if (l->core == NULL || l->core_scale == NULL || l->in_mean == NULL) {
        return false;
    }

    for (i = 0; i < n; i++) {
        judge_gp_view(l->set.text_features,
                      l->set.features + i * l->set.nfeatures,
                      l->set.raw + i * l->set.ntargets, l->set.ntargets,
                      l->core + i * l->ncore);
    }

    center = l->core_scale + l->ncore;
    judge_gp_scale(l->core, n, l->ncore, center, l->core_scale);

    for (d = 0; d < l->nin; d++) {
        for (i = 0, sum = 0; i < n; i++) {
            sum += (double) l->in[i * l->nin + d];
        }

        l->in_mean[d] = (float) (sum / (double) n);
    }

    l->in_varied = judge_gp_varied(l);

    return true;
}


/* Of media few inputs are measured: what is the same of all must not lessen
 * what the others tell. */

static double
judge_gp_varied(const judge_learner_t *l)
{
    size_t  i, d, n;

    for (d = 0, n = 0; d < l->nin; d++) {
        for (i = 1; i < l->set.nitems; i++) {
            if (l->in[i * l->nin + d] < l->in[d]
                || l->in[i * l->nin + d] > l->in[d])
            {
                n++;
                break;
            }
        }
    }

    return n ? (double) n : 1;
}


/* To a mean of 0 and a variance of about 1: of few items it is not known
 * well, and drawn to 1. */

static void
judge_gp_scale(float *core, size_t n, size_t ncore, float *center,
    float *scale)
{
    size_t  i, d;
    double  mean, square, x;

    for (d = 0; d < ncore; d++) {
        mean = 0;
        square = 0;

        for (i = 0; i < n; i++) {
            mean += (double) core[i * ncore + d] / (double) n;
        }

        for (i = 0; i < n; i++) {
            x = (double) core[i * ncore + d] - mean;
            square += x * x;
        }

        center[d] = (float) mean;
        scale[d] = (float) (1 / sqrt((square + 20) / ((double) n + 20)));

        for (i = 0; i < n; i++) {
            core[i * ncore + d] = (core[i * ncore + d] - center[d])
                                  * scale[d];
        }
    }
}


float
judge_cauchy(double distance, size_t ncore)
{
    return (float) (1 / (1 + distance / (2 * JUDGE_GP_WIDTH
                                         * (double) ncore)));
}


/* Both are in the order of their buckets. */

static double
judge_gp_grams(const judge_ngram_set_t *g, size_t a, size_t b)
{
    size_t  i, j, ai, bi;
    double  sum;

    if (g->covered == 0) {
        return 0;
    }

    ai = g->at[a + 1];
    bi = g->at[b + 1];

    for (i = g->at[a], j = g->at[b], sum = 0; i < ai && j < bi; /* void */) {
        if (g->grams[i].bucket == g->grams[j].bucket) {
            sum += (double) g->grams[i++].value * (double) g->grams[j++].value;

        } else if (g->grams[i].bucket < g->grams[j].bucket) {
            i++;

        } else {
            j++;
        }
    }

    return sum;
}


/* --- Learning ------------------------------------------------------------ */

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
    groups[1] = (judge_gp_group_t) { .slope = 0.3, .deviations = true,
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

    width = 0.25 * sqrt(judge_clamp((double) n / 50, 1, 1e9));

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

            for (k = 0; k < j; k++) {
                sum -= a[k] * b[k];
            }

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
