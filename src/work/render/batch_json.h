/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The batch record: how the interface shows a batch. */


#ifndef JUDGE_BATCH_JSON_H
#define JUDGE_BATCH_JSON_H


#include "base/json/json.h"
#include "store/store_batch.h"


/*
 * Writes the members of the record into an open object; content_ids where
 * the row has them, failure_summary where there are failures, and
 * estimated_completion_time unless `estimate` is 0.
 */
void judge_batch_json(judge_json_writer_t *w, const judge_batch_row_t *row,
    const judge_batch_failure_t *failures, size_t nfailures,
    judge_ms_t estimate);

/* Only how far it is: total, completed, failed, progress_percentage. */
void judge_batch_progress(judge_json_writer_t *w,
    const judge_batch_row_t *row);

/* The member results_summary. */
void judge_batch_summary(judge_json_writer_t *w, const judge_batch_row_t *row);

/* Whether the batch is final unless a client changes it. */
bool judge_batch_ended(const judge_batch_row_t *row);


#endif /* JUDGE_BATCH_JSON_H */
