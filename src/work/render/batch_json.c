/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rendering batches; the order of the fields is the interface's. */


#include "work/render/batch_json.h"


static const char *const  judge_batch_priorities[] = {
    [JUDGE_PRIORITY_HIGH] = "high",
    [JUDGE_PRIORITY_NORMAL] = "normal",
    [JUDGE_PRIORITY_LOW] = "low"
};

static const char *const  judge_batch_classes[JUDGE_BATCH_SCORES] = {
    "0-9", "10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70-79",
    "80-89", "90-100"
};


void
judge_batch_json(judge_json_writer_t *w, const judge_batch_row_t *row,
    const judge_batch_failure_t *failures, size_t nfailures,
    judge_ms_t estimate)
{
    size_t  i;

    judge_json_put_str(w, "id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "description", row->description);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_c(w, "priority", judge_batch_priorities[row->priority]);
    judge_json_put_raw(w, "judge_ids", row->judge_ids);
    judge_json_put_raw(w, "content_ids", row->content_ids);
    judge_batch_progress(w, row);
    judge_batch_summary(w, row);

    if (nfailures) {
        judge_json_key_object(w, "failure_summary");
        for (i = 0; i < nfailures; i++) {
            judge_json_key_str(w, failures[i].code);
            judge_json_int(w, failures[i].count);
        }
        judge_json_object_end(w);
    }

    if (estimate) {
        judge_json_put_time(w, "estimated_completion_time", estimate);
    }

    judge_json_put_time(w, "created_at", row->created_at);

    if (row->started_at) {
        judge_json_put_time(w, "started_at", row->started_at);
    }

    if (row->completed_at) {
        judge_json_put_time(w, "completed_at", row->completed_at);
    }
}


void
judge_batch_progress(judge_json_writer_t *w, const judge_batch_row_t *row)
{
    double  percentage;

    percentage = row->total ? 100.0 * (double) (row->completed + row->failed)
                              / (double) row->total
                            : 100;

    judge_json_put_int(w, "total_evaluations", row->total);
    judge_json_put_int(w, "completed_evaluations", row->completed);
    judge_json_put_int(w, "failed_evaluations", row->failed);
    judge_json_put_number2(w, "progress_percentage", percentage);
}


void
judge_batch_summary(judge_json_writer_t *w, const judge_batch_row_t *row)
{
    size_t  i;

    judge_json_key_object(w, "results_summary");

    if (row->score_count) {
        judge_json_put_number2(w, "average_score",
                               (double) row->score_sum / 100
                               / (double) row->score_count);
    }

    judge_json_key_object(w, "score_distribution");
    for (i = 0; i < JUDGE_BATCH_SCORES; i++) {
        judge_json_put_int(w, judge_batch_classes[i], row->scores[i]);
    }
    judge_json_object_end(w);

    judge_json_object_end(w);
}


bool
judge_batch_ended(const judge_batch_row_t *row)
{
    return judge_str_eq_c(row->status, "completed")
           || judge_str_eq_c(row->status, "failed");
}
