/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Media: evaluations by external workers, with keyframes, and videos on social
 * media (docs/media.md). */


#ifndef JUDGE_EXTENSION_MEDIA_H
#define JUDGE_EXTENSION_MEDIA_H


#include "base/json/fields.h"
#include "store/store_job.h"
#include "work/service/extension.h"
#include "work/calibration/calibrator_cache.h"
#include "api/http/request.h"


extern const judge_route_t  judge_social_routes[];
extern const judge_route_t  judge_callback_routes[];
extern const judge_route_t  judge_work_routes[];
extern const judge_route_t  judge_keyframe_routes[];

extern const judge_extension_t  judge_extension_media;


/* --- Results of workers -------------------------------------------------- */

/*
 * The result of an evaluation as an external worker reports it.
 *
 * The report of a completed evaluation has scores from 0 to 100 of the
 * criteria of the judge's version, named by criterion_id or by name, each at
 * most once.  The overall score is taken as it is sent; if left out, it is the
 * weighted mean.  A criterion that is missing, or has "measurable": false in
 * place of a score, does not count; at least one must have a score.  A failed
 * evaluation has no scores.
 */

/*
 * Reads a report and renders the evaluation's record into *result.  It depends
 * only on the evaluation, the report and what the judge's version has learned
 * (`calibrator`).  evaluated_at is `now`, or the stored time if the
 * evaluation has ended, so that a repeated report gives the stored record.
 *
 * JUDGE_INVALID: *error is a sentence for the worker.  `unknown` gets the
 * fields that reports don't have.
 */
judge_rc_e judge_callback_read(judge_arena_t *arena,
    const judge_json_t *report, const judge_callback_find_t *find,
    judge_calibrator_entry_t *calibrator, judge_ms_t now,
    judge_result_t *result, judge_str_t *error, judge_unknown_t *unknown);

/* Whether the report is of progress only: its status is "processing". */
bool judge_callback_is_progress(const judge_json_t *report);

/* Reads the percentage of such a report, 0 to 100.  JUDGE_INVALID as above. */
judge_rc_e judge_callback_progress(judge_arena_t *arena,
    const judge_json_t *report, const judge_callback_find_t *find,
    double *percent, judge_str_t *error, judge_unknown_t *unknown);

/* The number of attempts that the record shows. */
int64_t judge_worker_result_attempts(const judge_evaluation_row_t *row);


#endif /* JUDGE_EXTENSION_MEDIA_H */
