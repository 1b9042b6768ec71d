/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The order of the fields is the interface's. */


#include "work/calibration/calibrator.h"
#include "work/render/resource_json.h"


static void judge_calibrator_record(judge_json_writer_t *w,
    const judge_judge_row_t *row);


void
judge_judge_json(judge_json_writer_t *w, const judge_judge_row_t *row)
{
    judge_json_put_str(w, "judge_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "description", row->description);
    judge_json_put_str(w, "content_type", row->content_type);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_raw(w, "criteria", row->criteria);
    judge_json_put_raw(w, "reference_content_uri", row->reference_uris);
    judge_judge_model_choice_json(w, row);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time(w, "updated_at", row->updated_at);
    judge_json_put_int(w, "version_number", row->version);
    judge_json_put_bool(w, "is_active", row->version == row->active);

    if (row->trained_by.data) {
        judge_calibrator_record(w, row);
    }
}


static void
judge_calibrator_record(judge_json_writer_t *w, const judge_judge_row_t *row)
{
    bool  known;

    known = judge_calibrator_known(row->trained_inputs);

    judge_json_key_object(w, "trained");
    judge_json_put_str(w, "job_id", row->trained_by);
    judge_json_put_c(w, "state", known ? "ready" : JUDGE_CALIBRATOR_CHANGED);

    if (!known) {
        judge_json_put_c(w, "message", JUDGE_CALIBRATOR_CHANGED_MESSAGE);
    }

    judge_json_object_end(w);
}


void
judge_judge_model_choice_json(judge_json_writer_t *w,
    const judge_judge_row_t *row)
{
    judge_json_put_str(w, "model", row->model);

    if (row->samples) {
        judge_json_put_int(w, "samples", row->samples);
    }
}


void
judge_content_json(judge_json_writer_t *w, const judge_content_row_t *row,
    judge_str_t file_url)
{
    judge_json_put_str(w, "id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "description", row->description);
    judge_json_put_str(w, "file_type", row->file_type);
    judge_json_put_int(w, "size", row->size);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_str(w, "text_content", row->text_content);
    judge_json_put_str(w, "file_path", row->file_path);
    judge_json_put_str(w, "file_url", file_url);
    judge_json_put_raw(w, "metadata", row->metadata);
    judge_json_put_time(w, "created_at", row->created_at);
}


void
judge_feedback_json(judge_json_writer_t *w, const judge_feedback_row_t *row)
{
    judge_json_put_str(w, "feedback_id", row->id);
    judge_json_put_str(w, "type", row->type);
    judge_json_put_raw(w, "content", row->content);
    judge_json_put_bool(w, "criterion_specific", row->criterion_specific);
    judge_json_put_raw(w, "target_criteria", row->target_criteria);
    judge_json_put_str(w, "severity", row->severity);
    judge_json_put_str(w, "submitted_by", row->submitted_by);
    judge_json_put_time(w, "submitted_at", row->submitted_at);
    judge_json_put_bool(w, "processed", row->processed);
    judge_json_put_str(w, "processing_notes", row->processing_notes);
}
