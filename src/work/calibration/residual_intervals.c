/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "analysis/text/math.h"
#include "work/calibration/residual_intervals.h"


static double
judge_residual_learned(const judge_calibrator_t *calibrator,
    judge_str_t criterion)
{
    size_t  i;

    if (calibrator == NULL) {
        return 0;
    }

    i = calibrator->ncriteria;         /* of the overall score */
    if (criterion.len) {
        i = judge_str_index(calibrator->ids, i, criterion);
        if (i == calibrator->ncriteria) {
            return 0;
        }
    }

    return (double) calibrator->residuals[i];
}


/* The interval of a criterion, or with "" of the overall score. */

static judge_width_t
judge_residual_width(const judge_residual_list_t *list,
    const judge_calibrator_t *calibrator, judge_str_t criterion)
{
    size_t                     i;
    double                     learned;
    const judge_residual_row_t  *row;

    learned = judge_residual_learned(calibrator, criterion);

    for (i = 0; list && i < list->count; i++) {
        row = &list->rows[i];
        if (judge_str_eq(row->criterion_id, criterion)
            && (row->n >= JUDGE_RESIDUALS_LEAST || learned <= 0))
        {
            return (judge_width_t) { row->shift, row->width, row->n, true };
        }
    }

    return learned > 0
           ? (judge_width_t) { 0, learned, (int64_t) calibrator->nresiduals,
                               true }
           : (judge_width_t) { 0, JUDGE_RESIDUALS_UNKNOWN, 0, false };
}


/* The interval of an overall score without corrections: the weighted mean of
 * the intervals of the criteria that were judged.  It assumes the worst case,
 * that all scores err in the same direction. */

static judge_width_t
judge_residual_mean(const judge_width_t *widths, const judge_rubric_t *rubric,
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
        return (judge_width_t) { 0, JUDGE_RESIDUALS_UNKNOWN, 0, false };
    }

    mean.shift /= weights;
    mean.width /= weights;

    return mean;
}


const judge_width_t *
judge_residual_intervals(const judge_residual_list_t *list,
    judge_arena_t *arena, const judge_calibrator_t *calibrator,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict, bool strange)
{
    size_t          i, n;
    judge_width_t  *widths;

    n = rubric->ncriteria;
    widths = judge_array_alloc(arena, n + 1, sizeof(judge_width_t));
    if (widths == NULL) {
        return NULL;
    }

    for (i = 0; i < n; i++) {
        widths[i] = judge_residual_width(list, calibrator,
                                        rubric->criteria[i].id);
    }

    widths[n] = judge_residual_width(list, calibrator, JUDGE_STR(""));

    for (i = 0; strange && i <= n; i++) {
        widths[i] = (judge_width_t) {
            0, fmax(widths[i].width, JUDGE_RESIDUALS_UNKNOWN), 0, false
        };
    }

    if (!widths[n].corrected) {
        widths[n] = judge_residual_mean(widths, rubric, verdict);
    }

    return widths;
}


bool
judge_width_holds(const judge_width_t *width, double score, double threshold)
{
    return fabs(score + width->shift - threshold) < width->width;
}


bool
judge_width_exceeds(const judge_width_t *width, double score, double points)
{
    return points > 0
           && judge_clamp(score + width->shift + width->width, 0, 100)
              - judge_clamp(score + width->shift - width->width, 0, 100)
              > points;
}
