/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Renders resources; the order of members is part of the interface. */


#include <math.h>

#include "base/text/number.h"
#include "analysis/aspects/method.h"
#include "analysis/builtin/conversation.h"
#include "analysis/checks/checks.h"
#include "analysis/builtin/engine.h"
#include "work/calibration/calibrator.h"
#include "work/render/resource_json.h"


const char *const  judge_priorities[] = {
    "high", "normal", "low", NULL
};

const judge_field_t  judge_judge_text_fields[] = {
    judge_judge_texts(judge_judge_row_t, , JUDGE_REQUIRED),
    { .name = NULL }
};

static const char *const  judge_batch_classes[JUDGE_BATCH_SCORES] = {
    "0-9", "10-19", "20-29", "30-39", "40-49", "50-59", "60-69", "70-79",
    "80-89", "90-100"
};


/* Whether a language model is named: by the judge, or for texts by the
 * organization's default. */

static bool
judge_judge_json_named(const judge_judge_row_t *row, bool text)
{
    judge_str_t  name;

    name = row->model.data || !text ? row->model : row->default_model;

    return name.data && !judge_str_eq_c(name, JUDGE_ENGINE_NAME);
}


static void
judge_judge_json_criterion(judge_json_writer_t *w, const judge_json_t *item,
    const judge_criterion_t *c)
{
    static const char *const  chosen[] = {
        "judged_by", "judged_by_reason", NULL
    };

    judge_json_object(w);
    judge_json_members(w, item, chosen);
    judge_json_put_c(w, "judged_by", judge_judged_by_names[c->judged_by]);
    judge_json_put_str(w, "judged_by_reason", c->reason);
    judge_json_object_end(w);
}


judge_str_t
judge_judge_json_chosen(judge_arena_t *arena, const judge_judge_row_t *row,
    const uint8_t *shown)
{
    size_t               i;
    bool                 text, named;
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_t        *root, *item;
    judge_rubric_t       rubric;
    judge_criterion_t   *c;
    judge_json_writer_t  w;

    if (judge_rubric_read(arena, row->name, row->description, row->criteria,
                          &rubric) != JUDGE_OK
        || judge_checks_rubric(arena, arena, &rubric) != JUDGE_OK
        || judge_json_parse(arena, row->criteria, &root, NULL) != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    text = judge_str_eq_c(row->content_type, "text");
    named = judge_judge_json_named(row, text);
    judge_json_begin_array(&w, &buf, arena);

    for (i = 0, item = root->first; item; i++, item = item->next) {
        c = &rubric.criteria[i];
        c->untaught |= shown && shown[i] == JUDGE_BY_NOTHING;
        rc = text ? judge_method_choose(arena, c, named)
                  : judge_method_media(c, named);
        if (rc == JUDGE_NOMEM) {
            return (judge_str_t) { 0, NULL };
        }

        if (shown && shown[i] == JUDGE_BY_CORRECTIONS
            && c->judged_by != JUDGE_BY_CHECKS)
        {
            c->judged_by = JUDGE_BY_CORRECTIONS;
            c->reason = judge_str_c(judge_calibrator_learned);
        }

        judge_judge_json_criterion(&w, item, c);
    }

    return judge_json_text(&w);
}


/* Older versions stored criteria without judged_by: then it is chosen here.
 * The search does not match inside strings, where quotes are escaped. */

static void
judge_judge_json_criteria(judge_json_writer_t *w, const judge_judge_row_t *row)
{
    judge_str_t     chosen;
    judge_arena_t  *scratch;

    if (row->criteria.data == NULL
        || judge_str_find(row->criteria, JUDGE_STR("\"judged_by\":")))
    {
        judge_json_put_raw(w, "criteria", row->criteria);
        return;
    }

    scratch = judge_arena_create(16 * 1024);
    chosen = scratch ? judge_judge_json_chosen(scratch, row, NULL)
                     : (judge_str_t) { 0, NULL };
    judge_json_put_raw(w, "criteria", chosen.data ? chosen : row->criteria);
    judge_arena_destroy(scratch);
}


void
judge_judge_json(judge_json_writer_t *w, const judge_judge_row_t *row)
{
    bool                  known;
    const judge_field_t  *f;

    judge_json_put_id(w, "judge_id", row->id);
    for (f = judge_judge_text_fields; f->name; f++) {
        judge_json_put_str(w, f->name, *judge_judge_text(row, f));
    }
    judge_json_put_str(w, "content_type", row->content_type);
    judge_json_put_str(w, "status", row->status);
    judge_judge_json_criteria(w, row);
    judge_json_put_raw(w, "reference_content_uri", row->reference_uris);
    judge_judge_model_choice_json(w, row);
    judge_json_put_str(w, "feedback_language", row->feedback_language);
    judge_json_put_str(w, "scope", row->scope);
    judge_json_put_raw(w, "review", row->review);
    judge_json_put_raw(w, "escalate", row->escalate);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_put_time(w, "updated_at", row->updated_at);
    judge_json_put_int(w, "version_number", row->version);
    judge_json_put_bool(w, "is_active", row->version == row->active);

    if (row->trained_by.data) {
        known = judge_calibrator_known(row->trained_inputs);

        judge_json_key_object(w, "trained");
        judge_json_put_str(w, "job_id", row->trained_by);
        judge_json_put_c(w, "state",
                         known ? "ready" : JUDGE_CALIBRATOR_CHANGED);
        if (!known) {
            judge_json_put_c(w, "message", JUDGE_CALIBRATOR_CHANGED_MESSAGE);
        }
        judge_json_object_end(w);
    }
}


void
judge_judge_model_choice_json(judge_json_writer_t *w,
    const judge_judge_row_t *row)
{
    if (row->panel.data) {
        judge_json_put_raw(w, "panel", row->panel);
    } else {
        judge_json_put_str(w, "model", row->model);
    }

    if (row->samples) {
        judge_json_put_int(w, "samples", row->samples);
    }
}


/* Splits metadata that begins with the messages of a conversation, without
 * parsing it: *messages is their JSON, *rest that of the other members, absent
 * if there are none. */

static void
judge_content_split(judge_json_writer_t *w, judge_str_t metadata,
    judge_str_t *messages, judge_str_t *rest)
{
    bool         string;
    size_t       i, depth;
    judge_str_t  s, head = JUDGE_STR(JUDGE_MESSAGES_HEAD);

    *rest = metadata;
    *messages = (judge_str_t) { 0, NULL };
    if (metadata.data == NULL || !judge_str_starts(metadata, head)) {
        return;
    }

    s = judge_str_from(metadata, head.len - 1);

    for (i = 0, depth = 0, string = false; i < s.len; i++) {
        if (s.data[i] == '"') {
            string = !string;
        } else if (string) {
            i += s.data[i] == '\\';
        } else if (s.data[i] == '[' || s.data[i] == '{') {
            depth++;
        } else if ((s.data[i] == ']' || s.data[i] == '}') && --depth == 0) {
            break;
        }
    }

    if (i < s.len) {
        *messages = (judge_str_t) { i + 1, s.data };
        s = judge_str_from(s, i + 1);
        *rest = (judge_str_t) { 0, NULL };
        if (s.len > 2) {
            *rest = judge_str_printf(w->buf->arena, "{%.*s", (int) s.len - 1,
                                     s.data + 1);
            w->buf->failed = w->buf->failed || rest->data == NULL;
        }
    }
}


void
judge_content_json(judge_json_writer_t *w, const judge_content_row_t *row,
    judge_str_t file_url)
{
    judge_str_t  messages, rest;

    judge_content_split(w, row->metadata, &messages, &rest);

    judge_json_put_id(w, "content_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "description", row->description);
    judge_json_put_str(w, "file_type", row->file_type);
    judge_json_put_int(w, "size", row->size);
    judge_json_put_str(w, "status", row->status);
    if (row->promised) {
        judge_json_put_c(w, "waiting_for", "upload");
    }
    judge_json_put_str(w, "text_content", row->text_content);
    if (row->text_content.data) {
        judge_json_put_raw(w, "messages", messages);
    }
    judge_json_put_str(w, "file_path", row->file_path);
    judge_json_put_str(w, "file_url", file_url);
    judge_json_put_raw(w, "metadata", rest);
    judge_json_put_time(w, "created_at", row->created_at);
}


void
judge_feedback_json(judge_json_writer_t *w, const judge_feedback_row_t *row)
{
    judge_json_put_id(w, "feedback_id", row->id);
    judge_json_put_str(w, "type", row->type);
    judge_json_put_raw(w, "content", row->content);
    judge_json_put_bool(w, "criterion_specific", row->criterion_specific);
    judge_json_put_raw(w, "target_criteria", row->target_criteria);
    judge_json_put_str(w, "severity", row->severity);
    judge_json_put_str(w, "submitted_by", row->submitted_by);
    judge_json_put_str(w, "submitted_by_person", row->submitted_by_person);
    judge_json_put_time(w, "submitted_at", row->submitted_at);
    judge_json_put_str(w, "updated_by", row->updated_by);
    judge_json_put_str(w, "updated_by_person", row->updated_by_person);
    judge_json_put_time_if(w, "updated_at", row->updated_at);
    judge_json_put_bool(w, "processed", row->processed);
    judge_json_put_str(w, "processing_notes", row->processing_notes);
}


/* --- Batches ------------------------------------------------------------- */

void
judge_job_empty_json(judge_json_writer_t *w, judge_str_t status)
{
    if (judge_str_eq_c(status, "failed")) {
        judge_json_key_object(w, "error");
        judge_json_put_c(w, "code", "CONTENTS_DELETED");
        judge_json_put_c(w, "message", "all of its contents were deleted, and"
                                       " their evaluations with them");
        judge_json_object_end(w);
    }
}


void
judge_batch_progress(judge_json_writer_t *w, const judge_batch_row_t *row,
    bool with_results)
{
    size_t  i;
    double  percentage;

    percentage = row->total ? 100.0 * (double) (row->completed + row->failed)
                              / (double) row->total
                            : 100;

    judge_json_put_int(w, "total_evaluations", row->total);
    judge_json_put_int(w, "completed_evaluations", row->completed);
    judge_json_put_int(w, "failed_evaluations", row->failed);
    judge_json_put_number2(w, "progress_percentage", percentage);

    if (!with_results) {
        return;
    }

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

    if (row->escalated) {
        judge_json_put_int(w, "escalated", row->escalated);
    }

    judge_json_object_end(w);
}


void
judge_batch_json(judge_json_writer_t *w, const judge_batch_row_t *row,
    const judge_batch_failure_t *failures, size_t nfailures,
    judge_ms_t estimate)
{
    size_t  i;

    judge_json_put_id(w, "batch_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "description", row->description);
    judge_json_put_str(w, "status", row->status);
    if (row->total == 0) {
        judge_job_empty_json(w, row->status);
    }
    judge_json_put_c(w, "priority", judge_priorities[row->priority]);
    judge_json_put_raw(w, "judge_ids", row->judge_ids);
    judge_json_put_raw(w, "content_ids", row->content_ids);
    judge_batch_progress(w, row, true);

    if (nfailures) {
        judge_json_key_object(w, "failure_summary");
        for (i = 0; i < nfailures; i++) {
            judge_json_key_str(w, failures[i].code);
            judge_json_int(w, failures[i].count);
        }
        judge_json_object_end(w);
    }

    judge_json_put_time_if(w, "estimated_completion_time", estimate);

    judge_json_put_time(w, "created_at", row->created_at);

    judge_json_put_time_if(w, "started_at", row->started_at);

    judge_json_put_time_if(w, "completed_at", row->completed_at);
}


bool
judge_batch_ended(judge_str_t status)
{
    return judge_str_eq_c(status, "completed")
           || judge_str_eq_c(status, "failed");
}


/* --- Work for external workers ------------------------------------------- */

void
judge_external_json(judge_json_writer_t *w, const judge_service_t *service,
    judge_str_t base, judge_str_t org, const judge_work_item_t *item,
    judge_ms_t file_until)
{
    const judge_content_row_t  *content = &item->content;

    judge_json_put_id(w, "evaluation_id", item->id);
    judge_json_put_c(w, "priority", judge_priorities[item->priority]);
    judge_json_put_str(w, "batch_id", item->batch_id);
    judge_json_put_time(w, "created_at", item->created_at);
    judge_json_put_time(w, "deadline", item->deadline);

    judge_json_key_object(w, "content");
    judge_json_put_id(w, "content_id", content->id);
    judge_json_put_str(w, "name", content->name);
    judge_json_put_str(w, "file_type", content->file_type);

    /* An uploaded file has a download address; any other keeps the address
     * that it was created with. */
    if (content->file_path.data) {
        judge_json_put_int(w, "size", content->size);
        judge_json_put_str(w, "download_url",
                           judge_file_url(w->buf->arena, service, base, org,
                                          item->content_id,
                                          content->file_path, file_until));
    } else {
        judge_json_put_str(w, "url", content->file_url);
    }

    judge_json_put_raw(w, "metadata", content->metadata);
    judge_json_object_end(w);

    judge_json_key_object(w, "judge");
    judge_json_put_id(w, "judge_id", item->judge_id);
    judge_json_put_int(w, "version", item->judge_version);
    judge_json_put_str(w, "name", item->judge_name);
    judge_json_put_str(w, "description", item->judge_description);
    judge_json_put_raw(w, "criteria", item->criteria);
    judge_references_json(w, service, base, org, item->reference_uris,
                          content->file_type, file_until);
    judge_json_object_end(w);

    judge_json_put_str(w, "callback_url",
                       judge_str_printf(w->buf->arena,
                             "%.*s/api/video-evaluations/callback",
                             judge_str_args(base)));
}


/* --- Training jobs ------------------------------------------------------- */

/* The remaining time of a running job is estimated from its progress. */

static void
judge_training_json_progress(judge_json_writer_t *w,
    const judge_training_row_t *row, judge_ms_t now)
{
    bool        ended;
    double      left;
    judge_ms_t  took;

    ended = judge_training_ended(row->status);
    took = row->started_at == 0 ? 0
           : ended ? row->completed_at - row->started_at
           : now > row->started_at ? now - row->started_at : 0;
    left = ended ? 0
           : row->progress > 0 && took
             ? (double) took * (1 - row->progress) / row->progress
           : row->estimate > took ? (double) (row->estimate - took) : 0;

    judge_json_put_int(w, "estimated_duration",
                       judge_training_minutes(row->started_at
                                              ? took + (judge_ms_t) left
                                              : row->estimate));

    if (!ended && row->started_at && now) {
        judge_json_put_time(w, "estimated_completion_time",
                            now + (judge_ms_t) left);
    }

    judge_json_key_object(w, "progress");
    judge_json_put_int(w, "current_epoch", row->epoch);
    judge_json_put_int(w, "total_epochs", row->epochs);
    judge_json_put_number2(w, "epoch_progress", row->epochs
                           ? 100 * (double) row->epoch / (double) row->epochs
                           : 0);
    judge_json_put_number2(w, "overall_progress", 100 * row->progress);
    judge_json_put_number2(w, "estimated_time_remaining", left / 60000);
    judge_json_put_str(w, "phase", row->phase.data && !ended ? row->phase
                                                             : row->status);
    judge_json_object_end(w);
}


static void
judge_training_json_losses(judge_json_writer_t *w, const char *key,
    const judge_training_course_t *course, bool validation)
{
    size_t                         i;
    double                         loss;
    const judge_training_epoch_t  *epoch;

    judge_json_key_array(w, key);

    for (i = 0; i < course->nepochs; i++) {
        epoch = &course->epochs[i];
        loss = validation ? epoch->validation_loss : epoch->training_loss;

        if (validation && !epoch->validated) {
            judge_json_null(w);
        } else {
            judge_json_number(w, round(loss * 1e4) / 1e4);
        }
    }

    judge_json_array_end(w);
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


void
judge_training_json(judge_json_writer_t *w, const judge_training_row_t *row,
    const judge_training_course_t *course,
    const judge_training_course_t *logs, judge_ms_t now,
    const judge_service_t *service)
{
    char  version[JUDGE_NUMBER_LEN];

    judge_json_put_id(w, "job_id", row->id);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_str(w, "training_type", row->type);
    judge_json_put_str(w, "status", row->status);
    if (row->refits) {
        judge_json_put_c(w, "reason", JUDGE_CALIBRATOR_CHANGED);
    }
    judge_json_put_raw(w, "feedback_data_summary", row->summary);
    judge_training_json_progress(w, row, now);
    judge_json_put_raw(w, "training_config", row->config);
    judge_json_put_raw(w, "execution_options", row->options);

    if (course) {
        judge_json_key_object(w, "metrics");
        judge_training_json_losses(w, "training_loss", course, false);
        judge_training_json_losses(w, "validation_loss", course, true);
        judge_json_stored(w, row->metrics);
        judge_json_object_end(w);
    }

    if (row->results.data && judge_str_eq_c(row->status, "completed")) {
        judge_json_key_object(w, "results");

        if (row->new_version) {
            (void) judge_integer_format(row->new_version, version);
            judge_json_put_c(w, "new_model_version", version);
            judge_json_put_bool(w, "deployed", row->deployed);
        }

        judge_json_stored(w, row->results);
        judge_json_object_end(w);
    }

    if (judge_str_eq_c(row->status, "failed")) {
        judge_json_put_raw(w, "error_info", row->error);
    } else if (judge_str_eq_c(row->status, "cancelled")) {
        judge_json_put_int(w, "cancelled_at_epoch", row->epoch);
    }
    judge_json_put_str(w, "execution_id", row->execution_id);
    judge_json_put_time(w, "created_at", row->created_at);

    judge_json_put_time_if(w, "started_at", row->started_at);
    judge_json_put_time_if(w, "completed_at", row->completed_at);
    judge_json_put_str(w, "created_by", row->created_by);
    judge_training_json_notices(w, row->options, service);

    if (logs) {
        judge_training_json_logs(w, logs);
    }
}


void
judge_training_json_notices(judge_json_writer_t *w, judge_str_t options,
    const judge_service_t *service)
{
    judge_str_t  email;

    email = judge_json_string(judge_json_read(w->buf->arena, options),
                              "notification_email");
    judge_json_put_str(w, "notification_email", email);
    if (email.data && service && service->settings.mail_timeout == 0) {
        judge_notices_json(w);
    }
}


void
judge_notices_json(judge_json_writer_t *w)
{
    judge_json_key_array(w, "notices");
    judge_json_str(w, JUDGE_STR("The service sends no e-mail about this: what"
                                " was asked for is kept, and goes out with"
                                " webhooks as data.notification_email."));
    judge_json_array_end(w);
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
    judge_json_put_int(&w, "teaching_count", summary->teaching);
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
