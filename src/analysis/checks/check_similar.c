/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The checks that compare a text with references, by similar.h. */


#include <math.h>

#include "analysis/checks/check_type.h"
#include "analysis/checks/similar.h"


/* The similarity to the most similar reference. */

static judge_rc_e
judge_like_best(judge_checked_t *c, const judge_check_t *check, double *best)
{
    double              like = 0;
    size_t              i, n, measure = (size_t) check->type->mode;
    judge_rc_e          rc;
    const judge_str_t  *references;

    references = check->ntexts ? check->texts : c->references;
    n = check->ntexts ? check->ntexts : c->nreferences;
    *best = 0;
    rc = JUDGE_OK;

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        judge_arena_reset(c->scratch);
        rc = judge_like(c->scratch, c->allowance, measure,
                        measure == JUDGE_LIKE_ROUGE_N ? check->words : 0,
                        judge_checked_within(c),
                        judge_str_trim(references[i], " \t\r\n"), &like);
        if (rc == JUDGE_OK && like > *best) {
            *best = like;
        }
    }

    return rc;
}


judge_rc_e
judge_check_likeness(judge_checked_t *c, const judge_check_t *check,
    judge_check_result_t *r)
{
    double      best;
    judge_rc_e  rc;

    if (check->ntexts == 0 && c->nreferences == 0) {
        return judge_check_say(c, r, (double) NAN,
                               "There is no reference to compare it with.");
    }

    rc = judge_like_best(c, check, &best);
    if (rc != JUDGE_OK) {
        return rc;
    }

    /* The tolerance lets 0.6 meet a bound of 0.6 despite rounding errors. */
    return judge_check_say(c, r, judge_check_within(best + 1e-9,
                                                    check->number, false),
                           "%.2f like the reference by %s; at least %.2f asked"
                           " for.", best, check->type->one, check->number);
}
