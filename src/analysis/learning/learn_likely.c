/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The amplitudes are those that maximize the marginal likelihood (Rasmussen &
 * Williams 2006, 5.4), which needs no held-out items: each is moved a step up
 * or down where that makes people's scores more likely.  A prior around the
 * amplitudes of other judges keeps 25 items from giving an extreme one; it is
 * wider for more items.
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_LIKELY_TRUST  80.0       /* from more items on the prior of the
                                          amplitudes is wider */
#define JUDGE_LIKELY_NONE   1e300      /* the loss where the factor fails */
#define JUDGE_LN_2PI        1.8378770664093453

static const double  judge_amplitudes[JUDGE_LIKELY_STEPS] = {
    0.001, 0.00316, 0.01, 0.0316, 0.1, 0.316, 1, 3.16, 10
};

const uint8_t  judge_amplitudes_usual[JUDGE_KERNELS] = { 5, 4 };

/* The scores of a target are a column.  [0] is of the current one, [1] of the
 * one whose Cholesky factor the matrix has. */
typedef struct {
    const judge_learner_t  *l;
    const judge_likely_t   *sample;
    double                 *matrix;
    double                  determinant;         /* its logarithm */
    double                 *y;
    double                 *x;
    double                 *noise[2];
    uint32_t               *row[2];    /* in the sample */
    size_t                  n[2];
} judge_likely_fit_t;


double
judge_amplitude(const judge_learner_t *l, size_t kernel)
{
    if (l->lines || kernel >= JUDGE_KERNELS
        || (kernel == JUDGE_KERNEL_GRAMS && l->grams.covered == 0)
        || (kernel == JUDGE_KERNEL_FEATURES && l->set.nfeatures == 0))
    {
        return 0;
    }

    return judge_amplitudes[l->progress.step[kernel]]
           / (kernel == JUDGE_KERNEL_FEATURES ? l->in_varied : 1);
}


/* Four independent sums in a fixed order: fast, and the same everywhere. */

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


/* --- Kernels ------------------------------------------------------------- */

static bool
judge_likely_kernels(const judge_learner_t *l, judge_likely_t *sample)
{
    size_t                    i, j, k, a, b, n = sample->n, nin = l->nin;
    float                     words[JUDGE_NGRAMS];
    double                    sum;
    const judge_ngram_set_t  *g = &l->grams;

    if (n == 0 || l->lines) {
        return true;
    }

    for (k = 0; k < JUDGE_KERNELS; k++) {
        sample->kernel[k] = calloc(n * n, sizeof(float));
        if (sample->kernel[k] == NULL) {
            return false;
        }
    }

    memset(words, 0, sizeof(words));

    for (i = 0; i < n; i++) {
        a = sample->use[i];

        for (k = g->offsets[a]; k < g->offsets[a + 1]; k++) {
            words[g->grams[k].bucket] = g->grams[k].value;
        }

        for (j = 0; j <= i; j++) {
            b = sample->use[j];

            for (k = 0, sum = 0; k < nin; k++) {
                sum += (double) l->in[a * nin + k]
                       * (double) l->in[b * nin + k];
            }
            sample->kernel[JUDGE_KERNEL_FEATURES][i * n + j] = (float) sum;

            for (k = g->offsets[b], sum = 0; k < g->offsets[b + 1]; k++) {
                sum += (double) words[g->grams[k].bucket]
                       * (double) g->grams[k].value;
            }
            sample->kernel[JUDGE_KERNEL_GRAMS][i * n + j] = (float) sum;
        }

        for (k = g->offsets[a]; k < g->offsets[a + 1]; k++) {
            words[g->grams[k].bucket] = 0;
        }
    }

    return true;
}


/* A fifth of the groups is held out, to measure how well the amplitudes that
 * fit the others do there. */

bool
judge_likely_create(judge_learner_t *l)
{
    size_t           i;
    judge_likely_t  *sample;

    for (i = 0; i < l->set.nitems; i++) {
        sample = l->set.group[i] < UINT32_MAX / 5 ? &l->held : &l->seen;
        if (sample->n < JUDGE_LIKELY_ITEMS) {
            sample->use[sample->n++] = (uint32_t) i;
        }
    }

    if (l->seen.n == 0) {
        l->seen = l->held;
        l->held.n = 0;
    }

    return judge_likely_kernels(l, &l->seen)
           && judge_likely_kernels(l, &l->held);
}


/* --- The likelihood ------------------------------------------------------ */

/* Puts the Cholesky factor of the covariance into the matrix's lower half;
 * false: there is none. */

static bool
judge_likely_factor(judge_likely_fit_t *fit)
{
    size_t  i, j, k, cell, n = fit->n[0];
    double  sum, *a, *b, amplitude[JUDGE_KERNELS];

    fit->determinant = 0;

    for (k = 0; k < JUDGE_KERNELS; k++) {
        amplitude[k] = judge_amplitude(fit->l, k);
    }

    for (i = 0; i < n; i++) {
        a = fit->matrix + i * n;

        for (j = 0; j <= i; j++) {
            sum = i == j ? fit->noise[0][i] : 0;
            cell = fit->row[0][i] * fit->sample->n + fit->row[0][j];

            for (k = 0; k < JUDGE_KERNELS; k++) {
                sum += amplitude[k] > 0
                       ? amplitude[k] * (double) fit->sample->kernel[k][cell]
                       : 0;
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


/* Adds y' K^-1 y of a column to *squares, as the squared length of L^-1 y for
 * the Cholesky factor L of K; false: K has none.  A column with the same items
 * and noise as the last one has its factor, which is not computed again. */

static bool
judge_likely_column(judge_likely_fit_t *fit, const judge_line_t *line,
    size_t target, double *squares)
{
    size_t                    u, i, n, cell;
    double                   *a;
    const judge_learn_set_t  *set = &fit->l->set;

    for (u = 0, n = 0; u < fit->sample->n; u++) {
        i = fit->sample->use[u];
        cell = i * set->ntargets + target;
        if (judge_learn_known(fit->l, i, target)) {
            fit->y[n] = (double) set->target[cell]
                        - judge_line(line, set->raw + i * set->ntargets,
                                     set->ntargets, target);
            fit->noise[0][n] = 1 / (double) set->weight[cell];
            fit->row[0][n++] = (uint32_t) u;
        }
    }

    fit->n[0] = n;

    if (n != fit->n[1]
        || memcmp(fit->row[0], fit->row[1], n * sizeof(uint32_t)) != 0
        || memcmp(fit->noise[0], fit->noise[1], n * sizeof(double)) != 0)
    {
        if (!judge_likely_factor(fit)) {
            return false;
        }
        fit->n[1] = n;
        memcpy(fit->row[1], fit->row[0], n * sizeof(uint32_t));
        memcpy(fit->noise[1], fit->noise[0], n * sizeof(double));
    }

    for (u = 0; u < n; u++) {
        a = fit->matrix + u * n;
        fit->x[u] = (fit->y[u] - judge_likely_dot(a, fit->x, u)) / a[u];
        *squares += fit->x[u] * fit->x[u];
    }

    return true;
}


/* Sets *loss to -ln of the marginal likelihood of a sample, with the noise
 * variance that maximizes it, and *n to its scores. */

static judge_rc_e
judge_likely_loss(const judge_learner_t *l, const judge_likely_t *sample,
    double *loss, double *n)
{
    size_t              t, room = sample->n;
    double              squares, determinant;
    judge_line_t        line;
    judge_likely_fit_t  fit = { .l = l, .sample = sample };

    *loss = *n = squares = determinant = 0;
    fit.matrix = malloc((room * room + 4 * room + 1) * sizeof(double));
    fit.row[0] = malloc((2 * room + 1) * sizeof(uint32_t));

    if (fit.matrix == NULL || fit.row[0] == NULL) {
        free(fit.matrix);
        free(fit.row[0]);
        return JUDGE_NOMEM;
    }

    fit.y = fit.matrix + room * room;
    fit.x = fit.y + room;
    fit.noise[0] = fit.x + room;
    fit.noise[1] = fit.noise[0] + room;
    fit.row[1] = fit.row[0] + room;
    judge_line_learn(l, l->seen.use, l->seen.n, &line);

    for (t = 0; t < l->set.ntargets && *loss < JUDGE_LIKELY_NONE; t++) {
        if (l->line_only[t] && !l->lines) {
            continue;
        }

        *loss = judge_likely_column(&fit, &line, t, &squares)
                ? 0 : JUDGE_LIKELY_NONE;
        *n += (double) fit.n[0];
        determinant += fit.n[0] ? fit.determinant : 0;
    }

    if (*n > 0 && *loss < JUDGE_LIKELY_NONE) {
        *loss = *n / 2 * (JUDGE_LN_2PI + judge_ln(squares / *n + 1e-6) + 1)
                + determinant / 2;
    }

    free(fit.matrix);
    free(fit.row[0]);

    return JUDGE_OK;
}


/* --- The search ---------------------------------------------------------- */

/* Returns -ln of the normal prior of the amplitudes, around the usual ones. */

static double
judge_likely_prior(const judge_learner_t *l)
{
    size_t  k;
    double  away, width, sum;

    width = 0.5 * judge_clamp((double) l->seen.n / JUDGE_LIKELY_TRUST, 1,
                               1e9);

    for (k = 0, sum = 0; k < JUDGE_KERNELS; k++) {
        away = ((double) l->progress.step[k]
                - (double) judge_amplitudes_usual[k]) / 2 / width;
        sum += away * away / 2;
    }

    return sum;
}


/* Moves one amplitude a step down or up where that lowers the loss. */

static judge_rc_e
judge_likely_step(judge_learner_t *l, size_t kernel, double *best,
    bool *moved)
{
    int         by;
    double      loss, n;
    uint8_t    *step, keep;
    judge_rc_e  rc;

    step = &l->progress.step[kernel];
    keep = *step;

    for (by = -1; by <= 1 && *step == keep; by += 2) {
        if (keep + by < 0 || keep + by >= JUDGE_LIKELY_STEPS) {
            continue;
        }

        *step = (uint8_t) (keep + by);
        rc = judge_likely_loss(l, &l->seen, &loss, &n);
        if (rc != JUDGE_OK) {
            return rc;
        }

        loss += judge_likely_prior(l);

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
    size_t      k;
    double      best, n, loss;
    judge_rc_e  rc;

    *moved = false;
    rc = judge_likely_loss(l, &l->seen, &best, &n);
    best += judge_likely_prior(l);

    for (k = 0; rc == JUDGE_OK && k < JUDGE_KERNELS; k++) {
        if (judge_amplitude(l, k) > 0) {
            rc = judge_likely_step(l, k, &best, moved);
        }
    }

    l->progress.training_loss = judge_share(best - judge_likely_prior(l), n);

    if (rc == JUDGE_OK) {
        rc = judge_likely_loss(l, &l->held, &loss, &n);
        l->progress.validation_loss = n > 0 ? loss / n : NAN;
    }

    return rc;
}
