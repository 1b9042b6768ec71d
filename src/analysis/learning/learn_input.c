/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Maps every feature by its quantiles to a normal distribution, so that long
 * tails and outliers do not dominate the regression, and all features have the
 * same scale.
 */


#include <math.h>
#include <stdlib.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_INPUT_RAW   0.15f        /* scale of raw scores, per point */
#define JUDGE_INPUT_MAX   3.0f         /* normal scores are within -3 to 3 */

/* The normal distribution's quantiles at (i + 0.5) / 32. */

static const float  judge_normal[JUDGE_CUTS] = {
    -2.15387469f, -1.67593972f, -1.41779714f, -1.22985876f, -1.07751557f,
    -0.94678176f, -0.83051088f, -0.72451438f, -0.62609901f, -0.53340971f,
    -0.44509652f, -0.36012989f, -0.27769044f, -0.19709908f, -0.11776987f,
    -0.03917609f, 0.03917609f, 0.11776987f, 0.19709908f, 0.27769044f,
    0.36012989f, 0.44509652f, 0.53340971f, 0.62609901f, 0.72451438f,
    0.83051088f, 0.94678176f, 1.07751557f, 1.22985876f, 1.41779714f,
    1.67593972f, 2.15387469f
};


bool
judge_input_learn(float *cuts, const judge_learn_set_t *set)
{
    float   *column = malloc(set->nitems * sizeof(float));
    size_t   i, j, q;

    for (j = 0; column && j < set->nfeatures; j++) {
        for (i = 0; i < set->nitems; i++) {
            column[i] = set->features[i * set->nfeatures + j];
            column[i] = isfinite(column[i]) ? column[i] : 0;
        }

        qsort(column, set->nitems, sizeof(float), judge_by_float);

        for (q = 0; q < JUDGE_CUTS; q++) {
            cuts[j * JUDGE_CUTS + q] =
                column[(2 * q + 1) * set->nitems / (2 * JUDGE_CUTS)];
        }
    }

    free(column);

    return column != NULL;
}


/* Interpolates between cuts; a value of several equal cuts gets the middle of
 * their quantiles; beyond the outer cuts the slope is that of the range. */

static float
judge_input_normal(const float *cuts, float value)
{
    float   span, z;
    size_t  below, above, step;

    value = isfinite(value) ? value : 0;

    for (below = 0, step = JUDGE_CUTS / 2; step > 0; step /= 2) {
        below += cuts[below + step - 1] < value ? step : 0;
    }

    below += cuts[below] < value;

    for (above = below; above < JUDGE_CUTS && cuts[above] <= value; above++) {
        /* void */
    }

    if (below != above) {
        return (judge_normal[below] + judge_normal[above - 1]) / 2;
    }

    span = cuts[JUDGE_CUTS - 1] - cuts[0];

    if (below == 0 || below == JUDGE_CUTS) {
        if (span <= 0) {
            return 0;
        }
        z = below == 0
            ? judge_normal[0] + 4 * (value - cuts[0]) / span
            : judge_normal[JUDGE_CUTS - 1]
              + 4 * (value - cuts[JUDGE_CUTS - 1]) / span;
        return z < -JUDGE_INPUT_MAX ? -JUDGE_INPUT_MAX
               : z > JUDGE_INPUT_MAX ? JUDGE_INPUT_MAX : z;
    }

    z = (value - cuts[below - 1]) / (cuts[below] - cuts[below - 1]);

    return judge_normal[below - 1]
           + z * (judge_normal[below] - judge_normal[below - 1]);
}


void
judge_input_apply(const float *cuts, size_t nfeatures,
    const double *middle, size_t ntargets, const float *features,
    const float *raw, float *out)
{
    size_t  j;

    for (j = 0; j < nfeatures; j++) {
        out[j] = judge_input_normal(cuts + j * JUDGE_CUTS, features[j]);
    }

    for (j = 0; j < ntargets; j++) {
        out[nfeatures + j] = isfinite(raw[j])
            ? JUDGE_INPUT_RAW * (raw[j] - (float) middle[j]) : 0;
    }
}
