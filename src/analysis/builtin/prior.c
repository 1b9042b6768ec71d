/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "analysis/builtin/prior.h"


static double
judge_prior_distance(const judge_aspect_feature_t *f, const float *features)
{
    double  z;

    z = ((double) features[f->feature] - (double) f->mean)
        / (double) f->spread;

    return judge_clamp(z, -JUDGE_ASPECT_BOUND, JUDGE_ASPECT_BOUND);
}


double
judge_prior_novelty(const float *features)
{
    size_t                         i, k, n;
    double                         z, squares;
    const judge_aspect_feature_t  *f;

    for (i = 1, n = 0, squares = 0; i < JUDGE_ASPECTS; i++) {
        for (k = 0; k < judge_aspects[i].nfeatures; k++) {
            f = &judge_aspects[i].features[k];

            if (judge_aspects[i].beside == JUDGE_BESIDE_NOTHING
                && isfinite(features[f->feature]))
            {
                z = judge_prior_distance(f, features);
                squares += z * z;
                n++;
            }
        }
    }

    return judge_share(squares, (double) n);
}
