/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "api/judges/agreement_people.h"


static void
judge_agreement_people_score(const judge_opinion_t *rows, size_t n,
    size_t turn, float *human, float *pred, judge_ratings_t *ratings)
{
    size_t  i;
    double  one;

    for (i = 0; i < n; i++) {
        ratings->n++;
        ratings->sum += rows[i].score;
        ratings->squares += rows[i].score * rows[i].score;
    }

    one = rows[turn % n].score;
    *pred = (float) one;
    *human = (float) ((ratings->sum - one) / (double) (n - 1));
}


judge_rc_e
judge_agreement_people(judge_arena_t *arena, const judge_opinion_list_t *list,
    const judge_str_t *criteria, size_t ncriteria, const double *pass,
    judge_agreement_t *targets)
{
    size_t                  i, end, t, at, nitems, ntargets;
    float                  *human, *pred;
    judge_ratings_t        *ratings;
    judge_agreement_set_t   set;
    const judge_opinion_t  *rows = list->rows;

    ntargets = ncriteria + 1;

    for (i = 0, nitems = 0; i < list->count; i++) {
        nitems += i == 0 || !judge_str_eq(rows[i].evaluation_id,
                                          rows[i - 1].evaluation_id);
    }

    human = judge_array_alloc(arena, nitems * ntargets + 1, sizeof(float));
    pred = judge_array_alloc(arena, nitems * ntargets + 1, sizeof(float));
    ratings = judge_array_alloc(arena, nitems * ntargets + 1,
                                sizeof(judge_ratings_t));
    if (human == NULL || pred == NULL || ratings == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < nitems * ntargets; i++) {
        human[i] = NAN;
        pred[i] = NAN;
    }

    for (i = 0, nitems = 0; i < list->count; i = end) {
        nitems += i == 0 || !judge_str_eq(rows[i].evaluation_id,
                                          rows[i - 1].evaluation_id);

        for (end = i; end < list->count
                      && judge_str_eq(rows[end].evaluation_id,
                                      rows[i].evaluation_id)
                      && judge_str_eq(rows[end].criterion_id,
                                      rows[i].criterion_id); end++)
        {
            /* void */
        }

        t = rows[i].criterion_id.len
            ? judge_str_index(criteria, ncriteria, rows[i].criterion_id)
            : ncriteria;

        if ((t < ncriteria || rows[i].criterion_id.len == 0) && end - i > 1) {
            at = (nitems - 1) * ntargets + t;
            judge_agreement_people_score(rows + i, end - i, nitems,
                                         &human[at], &pred[at],
                                         &ratings[at]);
        }
    }

    set = (judge_agreement_set_t) {
        .nitems = nitems, .ntargets = ntargets, .nmean = ncriteria,
        .human = human, .pred = pred, .ratings = ratings, .pass = pass,
        .intervals = true
    };

    return judge_agreement(arena, &set, targets);
}
