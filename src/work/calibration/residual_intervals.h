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
#include "work/render/evaluation_json.h"


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
 * which criteria were judged, and so have a part in the overall score.  Of a
 * text that is strange to the calibrator, or empty, no corrections show how
 * far people's scores lie: it gets the constant, or what is wider.  Returns
 * NULL if memory is out.
 */
const judge_width_t *judge_residual_intervals(
    const judge_residual_list_t *list, judge_arena_t *arena,
    const judge_calibrator_t *calibrator, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, bool strange);

/* Whether the interval around a score holds the threshold, and whether it is
 * wider than so many points; 0: it may be as wide as it likes. */
bool judge_width_holds(const judge_width_t *width, double score,
    double threshold);
bool judge_width_exceeds(const judge_width_t *width, double score,
    double points);


/* --- Escalation ---------------------------------------------------------- */

/* Which results of the built-in engine are escalated to a language model: a
 * judge sets how sure the engine must be, and the share of a random sample. */

typedef struct {
    judge_str_t  model;                /* absent: nothing is escalated */
    double       wider;                /* width in points, as in
                                          judge_rubric_t; 0: not set */
    double       threshold;
    double       sample;               /* share, up to 1 */
} judge_escalate_t;

/* Reads the judge's JSON, which may be absent; model is in the arena. */
void judge_escalate_read(judge_arena_t *arena, judge_str_t json,
    judge_escalate_t *escalate);

/* Why a result is escalated: JUDGE_ESCALATED_...; 0: it is not.  If there is
 * no interval, its width and the threshold are not considered.  The sample is
 * drawn by the evaluation's identifier, so that a retry decides alike. */
int64_t judge_escalate_why(const judge_escalate_t *escalate, judge_str_t id,
    const judge_verdict_t *verdict, const judge_width_t *overall);

/* The name, in answers, of the first of the reasons. */
const char *judge_escalate_name(int64_t why);


/* --- Review -------------------------------------------------------------- */

/* Whether a person should look at a result, and why. */

/* Reads the judge's review JSON, which may be absent, into the rubric. */
void judge_review_settings(judge_arena_t *arena, judge_str_t review,
    judge_rubric_t *rubric);

/*
 * Adds the verdict's reasons to those that the origin has already:
 *
 * - a threshold lies within the interval of a score: the judge's review
 *   threshold for the overall score, and for a criterion "fair", from which on
 *   it passes, if its interval comes from corrections;
 * - the interval of the overall score is wider than the judge allows;
 * - the checks contradict the score: none is met although it passes, or all
 *   are met although it is below "poor".
 *
 * judge_calibrator_apply() and the code of language models add the others.
 *
 * Runs in any thread, and allocates nothing.
 */
void judge_review_decide(const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, judge_origin_t *origin);


#endif /* JUDGE_RESIDUAL_INTERVALS_H */
