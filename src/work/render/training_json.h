/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How the interface shows a training job: in answers and in events. */


#ifndef JUDGE_TRAINING_JSON_H
#define JUDGE_TRAINING_JSON_H


#include "base/json/json.h"
#include "store/store_training.h"


/* Writes the members of the record into an open object; now is 0 where what
 * is left can't be told.  The epochs of course become the metrics' losses;
 * NULL: no metrics, or no logs. */
void judge_training_json(judge_json_writer_t *w,
    const judge_training_row_t *row,
    const judge_training_course_t *course,
    const judge_training_course_t *logs, judge_ms_t now);

/* {total_feedback_count, …}; data NULL: no memory. */
judge_str_t judge_training_summary(judge_arena_t *arena,
    const judge_training_summary_t *summary);

bool judge_training_ended(judge_str_t status);

/* Whole minutes, at least one. */
int64_t judge_training_minutes(judge_ms_t ms);


#endif /* JUDGE_TRAINING_JSON_H */
