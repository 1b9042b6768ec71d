/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What needs nothing but the features: how unlike the reference a text is.
 */


#include <string.h>

#include "analysis/builtin/prior.h"


/* As if the text had just been measured, as far as rates need it. */

static void
judge_prior_measured(const float *features, float v[JUDGE_FEATURES],
    judge_text_t *text, judge_measure_t *m)
{
    size_t  i;

    for (i = 0; i < JUDGE_FEATURES; i++) {
        v[i] = isfinite(features[i]) ? features[i] : 0;
    }

    memset(text, 0, sizeof(judge_text_t));
    memset(m, 0, sizeof(judge_measure_t));
    text->nwords = (size_t) (judge_exp(judge_clamp((double) v[JUDGE_F_WORDS],
                                                   0, 20)) - 0.5);
    m->text = text;
    m->v = v;
}


double
judge_prior_novelty(const float *features)
{
    size_t                    i, n;
    float                     v[JUDGE_FEATURES];
    double                    score, squares;
    judge_text_t              text;
    judge_measure_t           m;
    const judge_reference_t  *row;

    judge_prior_measured(features, v, &text, &m);

    for (i = 0, n = 0, squares = 0; i < JUDGE_FEATURES; i++) {
        row = &judge_references[i];

        if (row->n >= 2 && isfinite(features[i])) {
            score = judge_reference_score(row,
                        judge_reference_value(&m, i, (double) row->drawn));
            squares += score * score;
            n++;
        }
    }

    return judge_share(squares, (double) n);
}
