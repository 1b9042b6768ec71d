/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How far people's scores lie from those of one version of a judge: measured
 * by the corrections of its results, or else in training, or else a constant
 * that was measured with many judges. */


#ifndef JUDGE_RESIDUAL_INTERVALS_H
#define JUDGE_RESIDUAL_INTERVALS_H


#include "store/store_feedback.h"
#include "work/calibration/calibrator.h"


/* With so many corrections, the width that training measured is not used. */
#define JUDGE_RESIDUALS_LEAST  20

/* The half width, in points, of the interval around a score of a judge that
 * nobody has corrected yet.  How many of people's scores it contains depends
 * on the texts (docs/development/quality.md), so that no level is promised. */
#define JUDGE_RESIDUALS_UNKNOWN  45.0

/*
 * Widths in points, in the order of the rubric's criteria, then the overall
 * score's, in `arena`; in any thread.  list NULL: corrections do not count;
 * calibrator NULL: there is none, or it is not applied.  The verdict says
 * which criteria were judged, and so have a part in the overall score.
 * Returns NULL if memory is out.
 */
const judge_width_t *judge_residual_intervals(
    const judge_residual_list_t *list, judge_arena_t *arena,
    const judge_calibrator_t *calibrator, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict);

/* Whether the interval around a score holds the threshold, and whether it is
 * wider than so many points; 0: it may be as wide as it likes. */
bool judge_width_holds(const judge_width_t *width, double score,
    double threshold);
bool judge_width_exceeds(const judge_width_t *width, double score,
    double points);


#endif /* JUDGE_RESIDUAL_INTERVALS_H */
