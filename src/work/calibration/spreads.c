/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "work/calibration/spreads.h"
#include "work/service/service.h"


static judge_width_t judge_spreads_width(const judge_spreads_t *spreads,
    judge_str_t criterion, double learned, size_t nlearned);
static judge_width_t judge_spreads_mean(const judge_width_t *widths,
    const judge_rubric_t *rubric);


bool
judge_spreads_init(judge_spreads_t *spreads)
{
    spreads->list = NULL;
    spreads->read_at = 0;

    return pthread_mutex_init(&spreads->mutex, NULL) == 0;
}


void
judge_spreads_free(judge_spreads_t *spreads)
{
    if (spreads->list) {
        judge_service_op_free(&spreads->list->op);
    }

    (void) pthread_mutex_destroy(&spreads->mutex);
}


void
judge_spreads_take(judge_spreads_t *spreads, judge_spread_list_t *list,
    judge_ms_t now)
{
    judge_spread_list_t  *old;

    old = list;

    if (pthread_mutex_trylock(&spreads->mutex) == 0) {
        old = spreads->list;
        spreads->list = list;
        (void) pthread_mutex_unlock(&spreads->mutex);
    }

    spreads->read_at = now;

    if (old) {
        judge_service_op_free(&old->op);
    }
}


const judge_width_t *
judge_spreads_widths(judge_spreads_t *spreads, judge_arena_t *arena,
    const judge_calibrator_t *calibrator, const judge_rubric_t *rubric)
{
    size_t          i, k, n;
    judge_width_t  *widths;
    const judge_str_t  overall = JUDGE_STR("");

    n = rubric->ncriteria;
    widths = judge_array_alloc(arena, n + 1, sizeof(judge_width_t));
    if (widths == NULL) {
        return NULL;
    }

    (void) pthread_mutex_lock(&spreads->mutex);

    for (i = 0; i < n; i++) {
        for (k = 0; calibrator && k < calibrator->ncriteria; k++) {
            if (judge_str_eq(calibrator->ids[k], rubric->criteria[i].id)) {
                break;
            }
        }

        widths[i] = calibrator && k < calibrator->ncriteria
                    ? judge_spreads_width(spreads, rubric->criteria[i].id,
                                          (double) calibrator->spreads[k],
                                          calibrator->nspreads)
                    : judge_spreads_width(spreads, rubric->criteria[i].id, 0,
                                          0);
    }

    widths[n] = calibrator
                ? judge_spreads_width(spreads, overall,
                      (double) calibrator->spreads[calibrator->ncriteria],
                      calibrator->nspreads)
                : judge_spreads_width(spreads, overall, 0, 0);

    (void) pthread_mutex_unlock(&spreads->mutex);

    if (!widths[n].corrected) {
        widths[n] = judge_spreads_mean(widths, rubric);
    }

    return widths;
}


static judge_width_t
judge_spreads_width(const judge_spreads_t *spreads, judge_str_t criterion,
    double learned, size_t nlearned)
{
    size_t                     i;
    const judge_spread_row_t  *row;

    for (i = 0; spreads->list && i < spreads->list->count; i++) {
        row = &spreads->list->rows[i];
        if (judge_str_eq(row->criterion_id, criterion)
            && (row->n >= JUDGE_SPREADS_LEAST || learned <= 0))
        {
            return (judge_width_t) { row->width, row->n, true };
        }
    }

    return learned > 0
           ? (judge_width_t) { learned, (int64_t) nlearned, true }
           : (judge_width_t) { JUDGE_SPREADS_PRIOR, 0, false };
}


/* Where nobody corrects the overall score: were the criteria wrong together,
 * it would be as wrong as their mean. */

static judge_width_t
judge_spreads_mean(const judge_width_t *widths, const judge_rubric_t *rubric)
{
    size_t         i;
    double         weights;
    judge_width_t  mean = { 0, INT64_MAX, true };

    for (i = 0, weights = 0; i < rubric->ncriteria; i++) {
        mean.width += widths[i].width * rubric->criteria[i].weight;
        weights += rubric->criteria[i].weight;
        mean.corrected = mean.corrected && widths[i].corrected;
        mean.n = widths[i].n < mean.n ? widths[i].n : mean.n;
    }

    mean.width /= weights;

    return mean;
}
