/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "work/calibration/spreads.h"
#include "work/service/service.h"


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


/* The width that the training measured; 0: none. */

static double
judge_spreads_learned(const judge_calibrator_t *calibrator,
    judge_str_t criterion)
{
    size_t  i;

    if (calibrator == NULL) {
        return 0;
    }

    for (i = 0; criterion.len && i < calibrator->ncriteria; i++) {
        if (judge_str_eq(calibrator->ids[i], criterion)) {
            return (double) calibrator->spreads[i];
        }
    }

    return criterion.len ? 0
           : (double) calibrator->spreads[calibrator->ncriteria];
}


/* The interval of a criterion, or with "" of the overall score. */

static judge_width_t
judge_spreads_width(const judge_spread_list_t *list,
    const judge_calibrator_t *calibrator, judge_str_t criterion)
{
    size_t                     i;
    double                     learned;
    const judge_spread_row_t  *row;

    learned = judge_spreads_learned(calibrator, criterion);

    for (i = 0; list && i < list->count; i++) {
        row = &list->rows[i];
        if (judge_str_eq(row->criterion_id, criterion)
            && (row->n >= JUDGE_SPREADS_LEAST || learned <= 0))
        {
            return (judge_width_t) { row->shift, row->width, row->n, true };
        }
    }

    return learned > 0
           ? (judge_width_t) { 0, learned, (int64_t) calibrator->nspreads,
                               true }
           : (judge_width_t) { 0, JUDGE_SPREADS_PRIOR, 0, false };
}


/* The interval of an overall score that nobody corrects: the weighted mean of
 * those of the criteria that were judged, which assumes that all are wrong in
 * the same direction. */

static judge_width_t
judge_spreads_mean(const judge_width_t *widths, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t         i;
    double         weights;
    judge_width_t  mean = { 0, 0, INT64_MAX, true };

    for (i = 0, weights = 0; i < rubric->ncriteria; i++) {
        if (isnan(verdict->scores[i].score)) {
            continue;
        }

        mean.shift += widths[i].shift * rubric->criteria[i].weight;
        mean.width += widths[i].width * rubric->criteria[i].weight;
        weights += rubric->criteria[i].weight;
        mean.corrected = mean.corrected && widths[i].corrected;
        mean.n = widths[i].n < mean.n ? widths[i].n : mean.n;
    }

    if (weights <= 0) {
        return (judge_width_t) { 0, JUDGE_SPREADS_PRIOR, 0, false };
    }

    mean.shift /= weights;
    mean.width /= weights;

    return mean;
}


static void
judge_spreads_read(const judge_spread_list_t *list,
    const judge_calibrator_t *calibrator, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, judge_width_t *widths)
{
    size_t  i, n;

    n = rubric->ncriteria;

    for (i = 0; i < n; i++) {
        widths[i] = judge_spreads_width(list, calibrator,
                                        rubric->criteria[i].id);
    }

    widths[n] = judge_spreads_width(list, calibrator, JUDGE_STR(""));

    if (!widths[n].corrected) {
        widths[n] = judge_spreads_mean(widths, rubric, verdict);
    }
}


const judge_width_t *
judge_spreads_widths(judge_spreads_t *spreads, judge_arena_t *arena,
    const judge_calibrator_t *calibrator, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    judge_width_t  *widths;

    widths = judge_array_alloc(arena, rubric->ncriteria + 1,
                               sizeof(judge_width_t));
    if (widths == NULL) {
        return NULL;
    }

    if (spreads) {
        (void) pthread_mutex_lock(&spreads->mutex);
        judge_spreads_read(spreads->list, calibrator, rubric, verdict, widths);
        (void) pthread_mutex_unlock(&spreads->mutex);

    } else {
        judge_spreads_read(NULL, calibrator, rubric, verdict, widths);
    }

    return widths;
}
