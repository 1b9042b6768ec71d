/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/text/number.h"
#include "work/render/training_json.h"


static void judge_training_json_progress(judge_json_writer_t *w,
    const judge_training_row_t *row, judge_ms_t now);
static void judge_training_json_metrics(judge_json_writer_t *w,
    const judge_training_row_t *row, const judge_training_course_t *course);
static void judge_training_json_losses(judge_json_writer_t *w, const char *key,
    const judge_training_course_t *course, bool validation);
static void judge_training_json_results(judge_json_writer_t *w,
    const judge_training_row_t *row);
static void judge_training_json_logs(judge_json_writer_t *w,
    const judge_training_course_t *course);
static void judge_training_json_members(judge_json_writer_t *w,
    judge_str_t object);


void
judge_training_json(judge_json_writer_t *w, const judge_training_row_t *row,
    const judge_training_course_t *course,
    const judge_training_course_t *logs, judge_ms_t now)
{
    judge_json_put_str(w, "job_id", row->id);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_str(w, "training_type", row->type);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_raw(w, "feedback_data_summary", row->summary);
    judge_json_put_int(w, "estimated_duration",
                       judge_training_minutes(row->estimate));
    judge_training_json_progress(w, row, now);
    judge_json_put_raw(w, "training_config", row->config);
    judge_json_put_raw(w, "execution_options", row->options);

    if (course) {
        judge_training_json_metrics(w, row, course);
    }

    if (row->results.data && judge_str_eq_c(row->status, "completed")) {
        judge_training_json_results(w, row);
    }

    if (row->error.data) {
        judge_json_put_raw(w, "error_info", row->error);
    }

    judge_json_put_str(w, "execution_id", row->execution_id);
    judge_json_put_time(w, "created_at", row->created_at);

    if (row->started_at) {
        judge_json_put_time(w, "started_at", row->started_at);
    }
    if (row->completed_at) {
        judge_json_put_time(w, "completed_at", row->completed_at);
    }

    judge_json_put_str(w, "created_by", row->created_by);

    if (logs) {
        judge_training_json_logs(w, logs);
    }
}


/* What is left, in minutes: by how long it took so far. */

static void
judge_training_json_progress(judge_json_writer_t *w,
    const judge_training_row_t *row, judge_ms_t now)
{
    bool    ended;
    double  left;

    ended = judge_training_ended(row->status);
    left = ended ? 0 : (double) row->estimate / 60000;

    if (!ended && row->started_at && row->progress > 0 && now) {
        left = (double) (now - row->started_at) / 60000
               * (1 - row->progress) / row->progress;
    }

    judge_json_key_object(w, "progress");
    judge_json_put_int(w, "current_epoch", row->epoch);
    judge_json_put_int(w, "total_epochs", row->epochs);
    judge_json_put_number2(w, "epoch_progress", row->epochs
                           ? 100 * (double) row->epoch / (double) row->epochs
                           : 0);
    judge_json_put_number2(w, "overall_progress", 100 * row->progress);
    judge_json_put_number2(w, "estimated_time_remaining", left);
    judge_json_put_str(w, "phase", row->phase.data && !ended ? row->phase
                                                             : row->status);
    judge_json_object_end(w);
}


static void
judge_training_json_metrics(judge_json_writer_t *w,
    const judge_training_row_t *row, const judge_training_course_t *course)
{
    judge_json_key_object(w, "metrics");
    judge_training_json_losses(w, "training_loss", course, false);
    judge_training_json_losses(w, "validation_loss", course, true);
    judge_training_json_members(w, row->metrics);
    judge_json_object_end(w);
}


static void
judge_training_json_losses(judge_json_writer_t *w, const char *key,
    const judge_training_course_t *course, bool validation)
{
    size_t                         i;
    const judge_training_epoch_t  *epoch;

    judge_json_key_array(w, key);

    for (i = 0; i < course->nepochs; i++) {
        epoch = &course->epochs[i];

        if (!validation) {
            judge_json_number(w, round(epoch->training_loss * 1e4) / 1e4);
        } else if (epoch->validated) {
            judge_json_number(w, round(epoch->validation_loss * 1e4) / 1e4);
        } else {
            judge_json_null(w);
        }
    }

    judge_json_array_end(w);
}


static void
judge_training_json_results(judge_json_writer_t *w,
    const judge_training_row_t *row)
{
    char  version[JUDGE_NUMBER_LEN];

    judge_json_key_object(w, "results");

    if (row->new_version) {
        (void) judge_integer_format(row->new_version, version);
        judge_json_put_c(w, "new_model_version", version);
        judge_json_put_bool(w, "deployed", row->deployed);
    }

    judge_training_json_members(w, row->results);
    judge_json_object_end(w);
}


static void
judge_training_json_logs(judge_json_writer_t *w,
    const judge_training_course_t *course)
{
    size_t  i;

    judge_json_key_array(w, "logs");

    for (i = 0; i < course->nlogs; i++) {
        judge_json_object(w);
        judge_json_put_time(w, "at", course->logs[i].at);
        judge_json_put_str(w, "level", course->logs[i].level);
        judge_json_put_str(w, "message", course->logs[i].message);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


/* The members of an object that was stored, into the one that is open. */

static void
judge_training_json_members(judge_json_writer_t *w, judge_str_t object)
{
    judge_json_t  *root, *v;

    if (object.data == NULL
        || judge_json_parse(w->buf->arena, object, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return;
    }

    for (v = root->first; v; v = v->next) {
        judge_json_key_str(w, v->key);
        judge_json_value(w, v);
    }
}


judge_str_t
judge_training_summary(judge_arena_t *arena,
    const judge_training_summary_t *summary)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_int(&w, "total_feedback_count", summary->total);
    judge_json_put_int(&w, "correction_count", summary->corrections);
    judge_json_put_int(&w, "rating_count", summary->ratings);
    judge_json_put_int(&w, "evaluation_count", summary->evaluations);
    judge_json_key_object(&w, "date_range");

    if (summary->earliest) {
        judge_json_put_time(&w, "earliest", summary->earliest);
        judge_json_put_time(&w, "latest", summary->latest);
    }

    judge_json_object_end(&w);

    return judge_json_text(&w);
}


bool
judge_training_ended(judge_str_t status)
{
    return judge_str_eq_c(status, "completed")
           || judge_str_eq_c(status, "failed")
           || judge_str_eq_c(status, "cancelled");
}


int64_t
judge_training_minutes(judge_ms_t ms)
{
    return ms > 60000 ? (ms + 59999) / 60000 : 1;
}
