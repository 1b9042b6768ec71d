/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How alike items are to the Gaussian processes: the kernels over what is
 * known of them.  Those that see distance are Cauchy's, which need no function
 * of the C library.
 */


#include <math.h>
#include <stdlib.h>

#include "analysis/builtin/prior.h"
#include "analysis/learning/learn_parts.h"


#define JUDGE_GP_WIDTH  2.25           /* of the Cauchy kernel, squared */


static bool judge_gp_core(judge_learner_t *l);
static void judge_gp_scale(float *core, size_t n, size_t ncore,
    float *center, float *scale);
static double judge_gp_varied(const judge_learner_t *l);
static double judge_gp_grams(const judge_ngram_set_t *g, size_t a, size_t b);


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
