/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "work/calibration/residual_intervals.h"


/* Defaults for a criterion without thresholds. */
#define JUDGE_REVIEW_PASS  60.0
#define JUDGE_REVIEW_POOR  20.0


void
judge_review_settings(judge_arena_t *arena, judge_str_t review,
    judge_rubric_t *rubric)
{
    const judge_json_t  *root;

    root = judge_json_read(arena, review);
    (void) judge_json_read_number(root, "interval_wider_than",
                                  &rubric->review_wider);
    (void) judge_json_read_number(root, "near_threshold",
                                  &rubric->review_threshold);
}


/* Without corrections only the judge's review threshold counts, because the
 * default interval is so wide that it contains nearly any threshold. */

static bool
judge_review_crosses(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_width_t *widths,
    const judge_width_t *overall)
{
    size_t                          i;
    const judge_criterion_score_t  *score;

    if (rubric->review_threshold > 0 && overall
        && judge_width_holds(overall, verdict->overall,
                             rubric->review_threshold))
    {
        return true;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        score = &verdict->scores[i];

        if (rubric->criteria[i].has_thresholds && widths[i].corrected
            && judge_score_has_interval(score)
            && judge_width_holds(&widths[i], score->score,
                                 rubric->criteria[i].fair))
        {
            return true;
        }
    }

    return false;
}


/* Compares the checks with the score before they were applied to it. */

static bool
judge_review_contradicted(const judge_criterion_t *criterion,
    const judge_criterion_score_t *score)
{
    size_t  i, met, missed;
    double  pass, poor;

    if (score->nchecks == 0 || isnan(score->judged)) {
        return false;
    }

    pass = criterion->has_thresholds ? criterion->fair : JUDGE_REVIEW_PASS;
    poor = criterion->has_thresholds ? criterion->poor : JUDGE_REVIEW_POOR;

    for (i = 0, met = 0, missed = 0; i < score->nchecks; i++) {
        met += score->checks[i].share >= 1;
        missed += score->checks[i].share <= 0;
    }

    return (missed && met == 0 && score->judged >= pass)
           || (met && missed == 0 && score->judged < poor);
}


void
judge_review_decide(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, judge_origin_t *origin)
{
    size_t                i;
    const judge_width_t  *overall;

    overall = judge_overall_width(rubric, verdict, origin);

    if (origin->widths
        && judge_review_crosses(rubric, verdict, origin->widths, overall))
    {
        origin->reasons |= JUDGE_REVIEW_THRESHOLD;
    }

    if (overall && judge_width_exceeds(overall, verdict->overall,
                                       rubric->review_wider))
    {
        origin->reasons |= JUDGE_REVIEW_WIDE;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        if (!isnan(verdict->scores[i].score)
            && judge_review_contradicted(&rubric->criteria[i],
                                         &verdict->scores[i]))
        {
            origin->reasons |= JUDGE_REVIEW_CHECKS;
        }
    }
}
