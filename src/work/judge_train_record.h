/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How the interface shows a training job: in answers and in events. */


#ifndef JUDGE_TRAIN_RECORD_H
#define JUDGE_TRAIN_RECORD_H


#include "base/judge_json.h"
#include "store/judge_store_training.h"


/* Writes the members of the record into an open object; now is 0 where what
 * is left can't be told.  The epochs of course become the metrics' losses;
 * NULL: no metrics, or no logs. */
void judge_train_record(judge_json_out_t *w, const judge_training_row_t *row,
    const judge_training_course_t *course,
    const judge_training_course_t *logs, judge_ms_t now);

/* {total_feedback_count, …}; data NULL: no memory. */
judge_str_t judge_train_summary(judge_arena_t *arena,
    const judge_training_summary_t *summary);

bool judge_train_ended(judge_str_t status);

/* Whole minutes, at least one. */
int64_t judge_train_minutes(judge_ms_t ms);


#endif /* JUDGE_TRAIN_RECORD_H */
