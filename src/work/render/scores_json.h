/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Parts of an evaluation's record, for evaluation_json.c only: the scores of
 * the criteria, criteria without a score, and flags that cap the scores. */


#ifndef JUDGE_SCORES_JSON_H
#define JUDGE_SCORES_JSON_H


#include "base/json/json.h"
#include "work/calibration/calibrator.h"


#define JUDGE_WRITTEN  61              /* slots of a table by address, a prime;
                                          an entry replaces the one in its
                                          slot */

/* Where something stands in the output, which is compact: what criteria have
 * in common is written once. */
typedef struct {
    const void  *source;               /* the address of what was written */
    size_t       begin;
    size_t       end;
} judge_written_t;


void judge_record_scores(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_origin_t *origin,
    judge_written_t *written);

/* Writes the criteria without a score, with the results of their checks. */
void judge_record_unjudged(judge_json_writer_t *w,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);

void judge_record_flags(judge_json_writer_t *w,
    const judge_verdict_t *verdict);

/* Writes the answers that were judged one by one, if there are any. */
void judge_record_turns(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict);

/* Writes the member "interval" of a score. */
void judge_record_interval(judge_json_writer_t *w, const judge_width_t *width,
    double score);


#endif /* JUDGE_SCORES_JSON_H */
