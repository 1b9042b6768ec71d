/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "analysis/text/math.h"
#include "api/judges/agreement_cascade.h"


const char *const  judge_cascade_names[JUDGE_CASCADE_COUNT] = {
    "as_decided", "builtin_alone", "model", "builtin_there"
};


/* Returns the item's score under that policy; NaN: it is not counted. */

static float
judge_agreement_cascade_pred(const judge_training_data_t *l,
    judge_cascade_e which, size_t i)
{
    float                         shown;
    const judge_training_item_t  *item = &l->items[i];

    shown = l->shown[i * l->ntargets + l->ncriteria];

    if (!item->decided) {
        return NAN;
    }

    switch (which) {
    case JUDGE_CASCADE_DECIDED:
        return shown;

    case JUDGE_CASCADE_BUILTIN:
        return isnan(item->builtin) ? shown : item->builtin;

    case JUDGE_CASCADE_MODEL:
        return isnan(item->builtin) ? NAN : shown;

    default:
        return item->builtin;
    }
}


/* NaN: the item has no overall score.  Only what was judged has a part in
 * it. */

static float
judge_agreement_cascade_human(const judge_training_data_t *l,
    const double *weights, size_t i)
{
    size_t        t;
    double        sum, all;
    const float  *target = &l->target[i * l->ntargets];
    const float  *shown = &l->shown[i * l->ntargets];

    if (!isnan(target[l->ncriteria])) {
        return target[l->ncriteria];
    }

    for (t = 0, sum = 0, all = 0; t < l->ncriteria; t++) {
        if (!isnan(shown[t])) {
            all += weights[t];
            sum += isnan(target[t]) ? 0 : weights[t] * ((double) target[t]
                                                        - (double) shown[t]);
        }
    }

    return isnan(shown[l->ncriteria]) || all <= 0 ? NAN
           : (float) judge_clamp((double) shown[l->ncriteria] + sum / all, 0,
                                 100);
}


judge_rc_e
judge_agreement_cascade(judge_arena_t *arena, const judge_training_data_t *l,
    const double *weights, double pass,
    judge_agreement_t agree[JUDGE_CASCADE_COUNT])
{
    float                  *human, *pred;
    size_t                  i, n, which;
    uint32_t               *group;
    judge_rc_e              rc;
    judge_agreement_t       both[2];
    judge_agreement_set_t   set;

    human = judge_array_alloc(arena, l->n + 1, sizeof(float));
    pred = judge_array_alloc(arena, l->n + 1, sizeof(float));
    group = judge_array_alloc(arena, l->n + 1, sizeof(uint32_t));
    if (human == NULL || pred == NULL || group == NULL) {
        return JUDGE_NOMEM;
    }

    set = (judge_agreement_set_t) {
        .ntargets = 1, .nmean = 1, .human = human, .pred = pred,
        .pass = &pass, .group = group, .intervals = true
    };

    for (which = 0, rc = JUDGE_OK; which < JUDGE_CASCADE_COUNT
                                   && rc == JUDGE_OK; which++)
    {
        for (i = 0, n = 0; i < l->n; i++) {
            pred[n] = judge_agreement_cascade_pred(l, (judge_cascade_e) which,
                                                   i);
            human[n] = judge_agreement_cascade_human(l, weights, i);
            group[n] = l->items[i].group;
            n += !isnan(pred[n]) && !isnan(human[n]);
        }

        memset(&agree[which], 0, sizeof(judge_agreement_t));
        set.nitems = n;

        if (n) {
            rc = judge_agreement(arena, &set, both);
            agree[which] = both[0];
        }
    }

    return rc;
}
