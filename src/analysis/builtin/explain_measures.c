/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The numbers that moved a score most, as people read them. */


#include <math.h>

#include "analysis/builtin/explain.h"
#include "analysis/text/say.h"


#define JUDGE_SHOWN  4                 /* of a criterion */


/* The number that stands for a value that was measured. */

static double
judge_explain_value(const judge_feature_t *row, double value)
{
    double  unit;

    unit = row->decimals == 0 ? 1 : row->decimals == 1 ? 10 : 100;

    if (row->logarithm) {
        value = judge_exp(value) - 1;
    }

    value = row->scale != 0 ? value * (double) row->scale : value;

    return floor(judge_clamp(value, -1e12, 1e12) * unit + 0.5) / unit;
}


judge_rc_e
judge_explain_measures(const judge_ground_t *g, const judge_aspect_score_t *a,
    judge_criterion_score_t *s)
{
    size_t                         i, k, n, order[JUDGE_ASPECT_FEATURES];
    double                         low;
    const judge_feature_t         *row;
    const judge_aspect_feature_t  *f = a->aspect->features;

    for (i = 0, n = 0; i < a->aspect->nfeatures; i++) {
        if (judge_features[f[i].feature].called && fabs(a->points[i]) > 0) {
            for (k = n++; k > 0 && fabs(a->points[order[k - 1]])
                                   < fabs(a->points[i]); k--)
            {
                order[k] = order[k - 1];
            }

            order[k] = i;
        }
    }

    s->nmeasures = n < JUDGE_SHOWN ? n : JUDGE_SHOWN;
    s->measures = judge_array_alloc(g->arena, s->nmeasures + 1,
                                    sizeof(judge_shown_t));

    for (i = 0; s->measures != NULL && i < s->nmeasures; i++) {
        f = &a->aspect->features[order[i]];
        row = &judge_features[f->feature];
        low = (double) (f->mean - f->spread);
        low = row->logarithm || row->unit != JUDGE_UNIT_NONE ? fmax(low, 0)
                                                             : low;
        s->measures[i] = (judge_shown_t) {
            .name = judge_say(g->language, row->called),
            .unit = row->scale >= 100 ? "%" : NULL,
            .raises = a->points[order[i]] > 0,
            .value = judge_explain_value(row, (double) g->m->v[f->feature]),
            .typical = true,
            .low = judge_explain_value(row, low),
            .high = judge_explain_value(row, (double) (f->mean + f->spread))
        };
    }

    return s->measures != NULL ? JUDGE_OK : JUDGE_NOMEM;
}
