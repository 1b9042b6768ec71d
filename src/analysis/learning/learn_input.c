/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The input of a feature is its distance from the mean in spreads, so that all
 * have the same scale, and bounded, so that no outlier dominates the
 * regression.
 */


#include <math.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_INPUT_RAW   0.15f        /* of a point of a raw score */
#define JUDGE_INPUT_MAX   3.0          /* spreads */


void
judge_input_learn(judge_scale_t *scales, const judge_learn_set_t *set)
{
    size_t  i, j;
    double  v, mean, squares, n = (double) set->nitems;

    for (j = 0; j < set->nfeatures; j++) {
        for (i = 0, mean = 0; i < set->nitems; i++) {
            v = (double) set->features[i * set->nfeatures + j];
            mean += isfinite(v) ? v / n : 0;
        }

        for (i = 0, squares = 0; i < set->nitems; i++) {
            v = (double) set->features[i * set->nfeatures + j];
            v = (isfinite(v) ? v : 0) - mean;
            squares += v * v / n;
        }

        scales[j] = (judge_scale_t) { (float) mean, (float) sqrt(squares) };
    }
}


static float
judge_input_feature(const judge_scale_t *scale, float value)
{
    double  v = isfinite(value) ? (double) value : 0;

    return !judge_scale_varies(scale) ? 0
           : (float) judge_clamp((v - (double) scale->mean)
                                 / (double) scale->spread,
                                 -JUDGE_INPUT_MAX, JUDGE_INPUT_MAX);
}


void
judge_input_apply(const judge_scale_t *scales, size_t nfeatures,
    const double *middle, size_t ntargets, const float *features,
    const float *raw, float *out)
{
    size_t  j;

    for (j = 0; j < nfeatures; j++) {
        out[j] = judge_input_feature(&scales[j], features[j]);
    }

    for (j = 0; j < ntargets; j++) {
        out[nfeatures + j] = isfinite(raw[j])
            ? JUDGE_INPUT_RAW * (raw[j] - (float) middle[j]) : 0;
    }
}
