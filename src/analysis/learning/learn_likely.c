/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How strongly features and words count is found by marginal likelihood
 * (Rasmussen & Williams 2006, 5.4), which needs nothing held out: each
 * amplitude goes up or down by a step where that makes people's scores more
 * likely.  They are drawn to what other judges needed, the less the more items
 * there are: without that, 25 items would seem to prove anything.
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_LIKELY_TRUST  80.0       /* items up to which the usual ones are
                                          trusted in full */
#define JUDGE_LN_2PI        1.8378770664093453

static const double  judge_amplitudes[JUDGE_LIKELY_STEPS] = {
    0.001, 0.00316, 0.01, 0.0316, 0.1, 0.316, 1, 3.16, 10
};

const judge_amplitudes_t  judge_amplitudes_usual = {
    { { 5, 4 }, { 2, 2 } }
};

typedef struct {
    const judge_learner_t  *l;
    const judge_likely_t   *some;
    double                 *matrix;
    size_t                  nfactor;   /* rows of it; 0: none yet */
    double                  determinant;
    double                 *y;         /* by row, of a column */
    double                 *x;
    uint32_t               *row;       /* of `some`, that know the column; then
                                          those of the factor */
    double                 *noise;     /* likewise */
    size_t                  n;
} judge_likely_fit_t;

/* What is not likely: -ln of it, but for the noise. */
typedef struct {
    double  fits;                      /* squares by the inverse */
    double  determinant;
    double  n;
} judge_likely_sum_t;


static bool judge_likely_kernels(const judge_learner_t *l,
    judge_likely_t *some);
static judge_rc_e judge_likely_loss(const judge_learner_t *l,
    const judge_likely_t *some, size_t group, double *loss, double *n);
static bool judge_likely_sum(judge_likely_fit_t *fit, size_t group,
    judge_likely_sum_t *sum);
static void judge_likely_column(judge_likely_fit_t *fit,
    const judge_line_t *line, size_t group, size_t t);
static double judge_likely_dot(const double *a, const double *b, size_t n);
static bool judge_likely_factor(judge_likely_fit_t *fit, size_t group);
static double judge_likely_fits(judge_likely_fit_t *fit);


double
judge_amplitude(const judge_learner_t *l, size_t group, size_t kernel)
{
    if (l->simple || kernel >= JUDGE_KERNELS
        || (kernel == JUDGE_KERNEL_GRAMS && l->grams.covered == 0)
        || (kernel == JUDGE_KERNEL_FEATURES && l->set.nfeatures == 0))
    {
        return 0;
    }

    return judge_amplitudes[l->amplitudes.step[group][kernel]]
           / (kernel == JUDGE_KERNEL_FEATURES ? l->in_varied : 1);
}


/* A fifth of the groups is held out, to see that what is likely is likely of
 * others, too. */

bool
judge_likely_create(judge_learner_t *l)
{
    size_t           i;
    judge_likely_t  *some;

    for (i = 0; i < l->set.nitems; i++) {
        some = l->set.group[i] < UINT32_MAX / 5 ? &l->held : &l->seen;
        if (some->n < JUDGE_LIKELY_ITEMS) {
            some->use[some->n++] = (uint32_t) i;
        }
    }

    if (l->seen.n == 0) {
        l->seen = l->held;
        l->held.n = 0;
    }

    return judge_likely_kernels(l, &l->seen)
           && judge_likely_kernels(l, &l->held);
}


/* Both are in the order of their buckets. */

static double
judge_likely_grams(const judge_ngram_set_t *g, size_t a, size_t b)
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


static bool
judge_likely_kernels(const judge_learner_t *l, judge_likely_t *some)
{
    size_t        i, j, d, n = some->n, nin = l->nin;
    double        sum;
    float        *k[JUDGE_KERNELS];
    const float  *a, *b;

    if (n == 0 || l->simple) {
        return true;
    }

    for (i = 0; i < JUDGE_KERNELS; i++) {
        k[i] = some->kernel[i] = malloc(n * n * sizeof(float));
        if (k[i] == NULL) {
            return false;
        }
    }

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++) {
            a = l->in + some->use[i] * nin;
            b = l->in + some->use[j] * nin;

            for (d = 0, sum = 0; d < nin; d++) {
                sum += (double) a[d] * (double) b[d];
            }

            k[JUDGE_KERNEL_FEATURES][i * n + j] = (float) sum;
            k[JUDGE_KERNEL_GRAMS][i * n + j] = (float) judge_likely_grams(
                &l->grams, some->use[i], some->use[j]);
        }
    }

    return true;
}


/* --- The ascent ---------------------------------------------------------- */

/* -ln of how likely the amplitudes of a group are, by what is usual. */

static double
judge_likely_usual(const judge_learner_t *l, size_t group)
{
    size_t  k;
    double  away, width, sum;

    width = 0.5 * judge_clamp((double) l->seen.n / JUDGE_LIKELY_TRUST, 1,
                               1e9);

    for (k = 0, sum = 0; k < JUDGE_KERNELS; k++) {
        away = ((double) l->amplitudes.step[group][k]
                - (double) judge_amplitudes_usual.step[group][k]) / 2 / width;
        sum += away * away / 2;
    }

    return sum;
}


/* One amplitude, a step down or up where that is more likely. */

static judge_rc_e
judge_likely_step(judge_learner_t *l, size_t group, size_t kernel,
    double *best, bool *moved)
{
    int         by;
    double      loss, n;
    uint8_t    *step, keep;
    judge_rc_e  rc;

    step = &l->amplitudes.step[group][kernel];
    keep = *step;

    for (by = -1; by <= 1 && *step == keep; by += 2) {
        if (keep + by < 0 || keep + by >= JUDGE_LIKELY_STEPS) {
            continue;
        }

        *step = (uint8_t) (keep + by);
        rc = judge_likely_loss(l, &l->seen, group, &loss, &n);
        if (rc != JUDGE_OK) {
            return rc;
        }

        loss += judge_likely_usual(l, group);

        if (loss < *best - 1e-9) {
            *best = loss;
            *moved = true;
        } else {
            *step = keep;
        }
    }

    return JUDGE_OK;
}


judge_rc_e
judge_likely_pass(judge_learner_t *l, bool *moved)
{
    size_t      g, k;
    double      best, n, held, loss, seen, total[2] = { 0, 0 };
    judge_rc_e  rc;

    rc = JUDGE_OK;
    *moved = false;
    seen = held = 0;

    for (g = 0; g < JUDGE_GROUPS && rc == JUDGE_OK; g++) {
        rc = judge_likely_loss(l, &l->seen, g, &best, &n);
        best += judge_likely_usual(l, g);

        for (k = 0; rc == JUDGE_OK && k < JUDGE_KERNELS; k++) {
            if (judge_amplitude(l, g, k) > 0) {
                rc = judge_likely_step(l, g, k, &best, moved);
            }
        }

        total[0] += n;
        seen += best - judge_likely_usual(l, g);

        if (rc == JUDGE_OK) {
            rc = judge_likely_loss(l, &l->held, g, &loss, &n);
            total[1] += n;
            held += loss;
        }
    }

    l->progress.training_loss = total[0] > 0 ? seen / total[0] : 0;
    l->progress.validation_loss = total[1] > 0 ? held / total[1] : NAN;

    return rc;
}


/* --- The likelihood ------------------------------------------------------ */

/* n: scores that it is about.  The noise is the most likely one. */

static judge_rc_e
judge_likely_loss(const judge_learner_t *l, const judge_likely_t *some,
    size_t group, double *loss, double *n)
{
    size_t              t, columns, room = some->n;
    judge_line_t        line;
    judge_likely_sum_t  sum = { 0, 0, 0 };
    judge_likely_fit_t  fit = { .l = l, .some = some };

    *loss = *n = 0;
    columns = group == JUDGE_GROUP_MEAN ? 1
              : l->set.ntargets > 1 ? l->set.ntargets : 0;
    fit.matrix = malloc((room * room + 4 * room + 1) * sizeof(double));
    fit.row = malloc((2 * room + 1) * sizeof(uint32_t));

    if (fit.matrix == NULL || fit.row == NULL) {
        free(fit.matrix);
        free(fit.row);
        return JUDGE_NOMEM;
    }

    fit.y = fit.matrix + room * room;
    fit.x = fit.y + room;
    fit.noise = fit.x + room;
    judge_line_learn(l, l->seen.use, l->seen.n, &line);

    for (t = 0; t < columns && *loss < 1e300; t++) {
        judge_likely_column(&fit, &line, group, t);
        *loss = judge_likely_sum(&fit, group, &sum) ? 0 : 1e300;
    }

    if (sum.n > 0 && *loss < 1e300) {
        *loss = sum.n / 2 * (JUDGE_LN_2PI
                             + judge_ln(sum.fits / sum.n + 1e-6) + 1)
                + sum.determinant / 2;
    }

    *n = sum.n;
    free(fit.matrix);
    free(fit.row);

    return JUDGE_OK;
}


/* A column that the same items know as the one before has the same factor. */

static bool
judge_likely_sum(judge_likely_fit_t *fit, size_t group,
    judge_likely_sum_t *sum)
{
    size_t     room = fit->some->n, n = fit->n;
    double    *noise = fit->noise + room;
    uint32_t  *row = fit->row + room;

    if (n == 0) {
        return true;
    }

    if (n != fit->nfactor
        || memcmp(row, fit->row, n * sizeof(uint32_t)) != 0
        || memcmp(noise, fit->noise, n * sizeof(double)) != 0)
    {
        if (!judge_likely_factor(fit, group)) {
            return false;
        }
        fit->nfactor = n;
        memcpy(row, fit->row, n * sizeof(uint32_t));
        memcpy(noise, fit->noise, n * sizeof(double));
    }

    sum->fits += judge_likely_fits(fit);
    sum->determinant += fit->determinant;
    sum->n += (double) n;

    return true;
}


/* What lines leave over of the mean, or of a criterion's own. */

static void
judge_likely_column(judge_likely_fit_t *fit, const judge_line_t *line,
    size_t group, size_t t)
{
    size_t                  u, i, at;
    judge_line_item_t       item;
    const judge_learner_t  *l = fit->l;

    fit->n = 0;

    for (u = 0; u < fit->some->n; u++) {
        i = fit->some->use[u];
        item = judge_line_item(l, line, i);

        if (group == JUDGE_GROUP_MEAN && item.known) {
            fit->y[fit->n] = item.y - line->slope * item.x;
            fit->noise[fit->n] = 1 / item.weight;
            fit->row[fit->n++] = (uint32_t) u;

        } else if (group == JUDGE_GROUP_OWN && item.known > 1
                   && judge_learn_known(l, i, t))
        {
            at = i * l->set.ntargets;
            fit->y[fit->n] = (double) l->set.target[at + t] - line->base[t]
                             - item.y
                             - line->own[t] * judge_line_own(
                                   line, l->set.raw + at, t, item.x);
            fit->noise[fit->n] = 1 / (double) l->set.weight[at + t];
            fit->row[fit->n++] = (uint32_t) u;
        }
    }
}


/* Cholesky's factor of the covariance, in the lower half. */

static bool
judge_likely_factor(judge_likely_fit_t *fit, size_t group)
{
    size_t  i, j, k, at, n = fit->n;
    double  sum, *a, *b, amplitude[JUDGE_KERNELS];

    fit->determinant = 0;

    for (k = 0; k < JUDGE_KERNELS; k++) {
        amplitude[k] = judge_amplitude(fit->l, group, k);
    }

    for (i = 0; i < n; i++) {
        a = fit->matrix + i * n;

        for (j = 0; j <= i; j++) {
            sum = i == j ? fit->noise[i] : 0;
            at = fit->row[i] * fit->some->n + fit->row[j];

            for (k = 0; k < JUDGE_KERNELS; k++) {
                sum += amplitude[k] > 0
                       ? amplitude[k] * (double) fit->some->kernel[k][at] : 0;
            }

            b = fit->matrix + j * n;
            sum -= judge_likely_dot(a, b, j);

            if (i != j) {
                a[j] = sum / b[j];
                continue;
            }

            if (!(sum > 1e-12)) {
                return false;
            }

            a[i] = sqrt(sum);
            fit->determinant += judge_ln(sum);
        }
    }

    return true;
}


/* In four sums of a fixed order, which need not wait for each other. */

static double
judge_likely_dot(const double *a, const double *b, size_t n)
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


/* y by the inverse of the covariance by y: the square of the factor's
 * inverse by y. */

static double
judge_likely_fits(judge_likely_fit_t *fit)
{
    size_t  i;
    double  fits, *a;

    for (i = 0, fits = 0; i < fit->n; i++) {
        a = fit->matrix + i * fit->n;
        fit->x[i] = (fit->y[i] - judge_likely_dot(a, fit->x, i)) / a[i];
        fits += fit->x[i] * fit->x[i];
    }

    return fits;
}
