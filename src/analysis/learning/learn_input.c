/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Every feature is mapped by its quantiles to the shape of a normal
 * distribution, so that a long tail or an outlier pulls no regression, and
 * all have the same scale.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


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


static int judge_input_compare(const void *a, const void *b);
static size_t judge_input_count(const float *cuts, float value, bool equal);


bool
judge_input_learn(judge_input_t *input, const judge_learn_set_t *set)
{
    float   *column;
    size_t   i, j, q;

    input->nfeatures = set->nfeatures;
    input->nraw = set->ntargets;
    input->cuts = calloc(set->nfeatures ? set->nfeatures : 1,
                         JUDGE_CUTS * sizeof(float));
    column = malloc(set->nitems * sizeof(float));
    if (input->cuts == NULL || column == NULL) {
        free(column);
        return false;
    }

    for (j = 0; j < set->nfeatures; j++) {
        for (i = 0; i < set->nitems; i++) {
            column[i] = set->features[i * set->nfeatures + j];
            if (!isfinite(column[i])) {
                column[i] = 0;
            }
        }

        qsort(column, set->nitems, sizeof(float), judge_input_compare);

        for (q = 0; q < JUDGE_CUTS; q++) {
            input->cuts[j * JUDGE_CUTS + q] =
                column[(2 * q + 1) * set->nitems / (2 * JUDGE_CUTS)];
        }
    }

    free(column);

    return true;
}


static int
judge_input_compare(const void *a, const void *b)
{
    float  x = *(const float *) a, y = *(const float *) b;

    return x < y ? -1 : x > y;
}


/* How many cuts are less, or if equal ones count, too, are not more. */

static size_t
judge_input_count(const float *cuts, float value, bool equal)
{
    size_t  low = 0, high = JUDGE_CUTS, middle;

    while (low < high) {
        middle = (low + high) / 2;
        if (cuts[middle] < value || (equal && cuts[middle] == value)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    return low;
}


/* Between two cuts in proportion; where many items have the same value, the
 * middle of the quantiles that they take; outside by the outer slope. */

static float
judge_input_normal(const float *cuts, float value)
{
    float   span, z;
    size_t  below, above;

    if (!isfinite(value)) {
        value = 0;
    }

    below = judge_input_count(cuts, value, false);
    above = below < JUDGE_CUTS && cuts[below] <= value
            ? judge_input_count(cuts, value, true) : below;

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
judge_input_apply(const judge_input_t *input, const float *features,
    const float *raw, float *out)
{
    size_t  j;

    for (j = 0; j < input->nfeatures; j++) {
        out[j] = judge_input_normal(input->cuts + j * JUDGE_CUTS,
                                    features[j]);
    }

    for (j = 0; j < input->nraw; j++) {
        out[input->nfeatures + j] =
            isfinite(raw[j]) ? JUDGE_INPUT_RAW * (raw[j] - 50) : 0;
    }
}
