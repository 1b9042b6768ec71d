/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rendering evaluations; the order of the fields is the interface's. */


#include <string.h>

#include "work/judge_evaluation_record.h"


#define JUDGE_DURATION_KEY  ",\"evaluation_duration_sec\":"


static void judge_record_scores(judge_json_out_t *w,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict);
static void judge_record_strings(judge_json_out_t *w, const char *key,
    const judge_str_t *strings, size_t n);
static void judge_record_provenance(judge_json_out_t *w,
    const judge_job_t *job);


judge_rc_e
judge_evaluation_record_ended(judge_buf_t *out, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, judge_ms_t evaluated_at)
{
    judge_json_out_t  w;

    judge_json_begin(&w, out);
    judge_json_object(&w);

    judge_json_put_str(&w, "evaluation_id", job->id);
    judge_json_put_str(&w, "content_id", job->content_id);
    judge_json_put_str(&w, "judge_id", job->judge_id);
    judge_json_put_str(&w, "batch_id", job->batch_id);
    judge_json_put_c(&w, "status", verdict ? "completed" : "failed");

    if (verdict) {
        judge_json_put_number2(&w, "overall_score", verdict->overall);
        judge_record_scores(&w, rubric, verdict);
        judge_json_put_str(&w, "summary", verdict->summary);
        judge_record_strings(&w, "strengths", verdict->strengths,
                             verdict->nstrengths);
        judge_record_strings(&w, "weaknesses", verdict->weaknesses,
                             verdict->nweaknesses);
        judge_record_strings(&w, "suggestions", verdict->suggestions,
                             verdict->nsuggestions);
        judge_json_put_c(&w, "engine",
                         JUDGE_ENGINE_NAME "/" JUDGE_ENGINE_VERSION);

    } else {
        judge_json_key(&w, "error");
        judge_json_object(&w);
        judge_json_put_c(&w, "code", failure->code);
        judge_json_put_str(&w, "message", failure->message);
        judge_json_object_end(&w);
    }

    judge_record_provenance(&w, job);
    judge_json_put_time(&w, "created_at", job->created_at);
    judge_json_put_time(&w, "evaluated_at", evaluated_at);
    judge_json_put_number(&w, "evaluation_duration_sec",
                          (double) (evaluated_at - job->created_at) / 1000);

    judge_json_object_end(&w);

    return judge_json_finish(&w);
}


static void
judge_record_scores(judge_json_out_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict)
{
    size_t  i;

    judge_json_key(w, "criteria_scores");
    judge_json_array(w);

    for (i = 0; i < rubric->ncriteria; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", rubric->criteria[i].id);
        judge_json_put_str(w, "name", rubric->criteria[i].name);
        judge_json_put_number2(w, "score", verdict->scores[i].score);
        judge_json_put_str(w, "feedback", verdict->scores[i].feedback);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_record_strings(judge_json_out_t *w, const char *key,
    const judge_str_t *strings, size_t n)
{
    size_t  i;

    judge_json_key(w, key);
    judge_json_array(w);

    for (i = 0; i < n; i++) {
        judge_json_str(w, strings[i]);
    }

    judge_json_array_end(w);
}


static void
judge_record_provenance(judge_json_out_t *w, const judge_job_t *job)
{
    judge_json_key(w, "provenance");
    judge_json_object(w);
    judge_json_put_c(w, "engine", JUDGE_ENGINE_NAME);
    judge_json_put_c(w, "model", JUDGE_ENGINE_NAME "/" JUDGE_ENGINE_VERSION);
    judge_json_put_int(w, "judge_version", job->judge_version);
    judge_json_put_bool(w, "cached", false);
    judge_json_put_int(w, "attempts", job->attempts);
    judge_json_put_int(w, "tokens_used", 0);
    judge_json_object_end(w);
}


judge_str_t
judge_evaluation_error(judge_arena_t *arena, const judge_failure_t *failure,
    judge_ms_t at)
{
    judge_buf_t       buf;
    judge_json_out_t  w;

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_object(&w);
    judge_json_put_c(&w, "code", failure->code);
    judge_json_put_str(&w, "message", failure->message);
    judge_json_put_time(&w, "at", at);
    judge_json_object_end(&w);

    if (judge_json_finish(&w) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_buf_view(&buf);
}


void
judge_evaluation_record(judge_json_out_t *w,
    const judge_evaluation_row_t *row, bool with_duration)
{
    judge_str_t  plain;

    if (row->body.data) {
        plain = with_duration ? row->body
                : judge_evaluation_body_plain(w->buf->arena, row->body);
        judge_json_raw(w, plain);
        return;
    }

    judge_json_object(w);
    judge_json_put_str(w, "evaluation_id", row->id);
    judge_json_put_str(w, "content_id", row->content_id);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_str(w, "batch_id", row->batch_id);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_int(w, "judge_version", row->judge_version);
    judge_json_put_int(w, "attempts", row->attempts);

    if (row->queue_at && row->owner.data == NULL) {
        judge_json_put_time(w, "next_attempt_at", row->queue_at);
    }

    judge_json_put_raw(w, "last_error", row->last_error);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_object_end(w);
}


judge_str_t
judge_evaluation_body_plain(judge_arena_t *arena, judge_str_t body)
{
    size_t       key, i;
    judge_str_t  plain;

    key = sizeof(JUDGE_DURATION_KEY) - 1;

    for (i = body.len; i-- > key; ) {
        if (body.data[i - key] == ','
            && memcmp(body.data + i - key, JUDGE_DURATION_KEY, key) == 0)
        {
            plain = judge_str_printf(arena, "%.*s}", (int) (i - key),
                                     body.data);
            return plain.data ? plain : body;
        }
    }

    return body;
}
