/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Renders evaluations; the order of members is part of the interface. */


#include <math.h>
#include <string.h>

#include "analysis/builtin/engine_version.h"
#include "analysis/llm/reply.h"
#include "analysis/text/math.h"
#include "store/packing/packing.h"
#include "work/calibration/calibrator.h"
#include "work/render/evaluation_json.h"
#include "work/render/resource_json.h"
#include "work/render/scores_json.h"


#define JUDGE_DURATION_KEY  ",\"evaluation_duration_sec\":"

static const judge_origin_t  judge_record_builtin = {
    .engine = JUDGE_ENGINE_NAME,
    .version = JUDGE_ENGINE_VERSION,
    .model = judge_str(JUDGE_ENGINE_NAME "/" JUDGE_ENGINE_VERSION)
};


static const char *const  judge_review_reasons[JUDGE_REVIEW_REASONS + 1] = {
    "near_threshold", "interval_wide", "unlike_seen", "checks_contradict",
    "language_unsupported", "features_missing", "item_altered",
    "quotes_missing", "answers_apart", "panel_disagrees", NULL
};


static void
judge_record_engine(judge_json_writer_t *w, const judge_origin_t *origin)
{
    judge_json_key(w, "engine");
    judge_json_printf(w, "%s/%s", origin->engine, origin->version);
}


/* Models prefer texts that models of their own family have written. */

static void
judge_record_warnings(judge_json_writer_t *w, const judge_origin_t *origin)
{
    if (origin->nrelated == 0) {
        return;
    }

    judge_json_key_array(w, "warnings");
    judge_json_object(w);
    judge_json_put_c(w, "warning", "same_family");
    judge_json_put_c(w, "reason", "The text was written by a model of the same"
                     " family as these, which may score it too high.");
    judge_json_put_strings(w, "models", origin->related, origin->nrelated);
    judge_json_object_end(w);
    judge_json_array_end(w);
}


static void
judge_record_verdict(judge_json_writer_t *w, const judge_rubric_t *rubric,
    const judge_verdict_t *verdict, const judge_origin_t *origin)
{
    judge_written_t       written[JUDGE_WRITTEN] = { 0 };
    const judge_width_t  *width;

    judge_json_put_number2(w, "overall_score", verdict->overall);
    width = judge_overall_width(rubric, verdict, origin);
    if (width) {
        judge_record_interval(w, width, verdict->overall);
    }
    judge_record_scores(w, rubric, verdict, origin, written);
    judge_json_put_str(w, "summary", verdict->summary);
    judge_json_put_strings(w, "strengths", verdict->strengths,
                           verdict->nstrengths);
    judge_json_put_strings(w, "weaknesses", verdict->weaknesses,
                           verdict->nweaknesses);
    judge_json_put_strings(w, "suggestions", verdict->suggestions,
                           verdict->nsuggestions);

    if (origin->has_interval) {
        judge_json_key_object(w, "score_interval");
        judge_json_put_number2(w, "low", origin->low);
        judge_json_put_number2(w, "high", origin->high);
        judge_json_put_number2(w, "coverage", origin->coverage);
        judge_json_object_end(w);
    }

    judge_review_json(w, origin->reasons);
    judge_record_warnings(w, origin);

    judge_json_put_c(w, "language", verdict->language);

    judge_json_put_raw(w, "processing_metadata", origin->processing);
    judge_record_engine(w, origin);
}


/* Writes the names whose bits are set; `names` ends with NULL. */

static void
judge_record_names(judge_json_writer_t *w, const char *key,
    const char *const *names, unsigned bits)
{
    size_t  i;

    judge_json_key_array(w, key);

    for (i = 0; names[i]; i++) {
        if (bits & 1u << i) {
            judge_json_str(w, judge_str_c(names[i]));
        }
    }

    judge_json_array_end(w);
}


static void
judge_record_models(judge_json_writer_t *w, const judge_origin_t *origin)
{
    size_t                   i;
    const judge_no_model_t  *model;

    if (origin->nfailed == 0) {
        return;
    }

    judge_json_key_array(w, "models_failed");

    for (i = 0; i < origin->nfailed; i++) {
        model = &origin->failed[i];
        judge_json_object(w);
        judge_json_put_str(w, "model", model->name);
        judge_json_put_c(w, "code", model->code);
        judge_json_put_str(w, "message", model->message);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_record_attempts(judge_json_writer_t *w, const judge_job_t *job)
{
    judge_json_put_int(w, "attempts", job->attempts);

    if (job->given_back) {
        judge_json_put_int(w, "given_back", job->given_back);
        judge_json_put_raw(w, "last_error", job->last_error);
    }
}


static void
judge_record_provenance(judge_json_writer_t *w, const judge_job_t *job,
    const judge_origin_t *origin, const judge_verdict_t *verdict)
{
    judge_json_key_object(w, "provenance");

    judge_json_put_c(w, "engine", origin->engine);
    judge_json_put_str(w, "model", origin->model);
    judge_json_put_str(w, "fallback_model", origin->fallback);
    judge_json_put_str(w, "model_served", origin->served);
    judge_json_put_str(w, "prompt_hash", origin->prompt_hash);
    judge_json_put_int(w, "judge_version", job->judge_version);

    if (origin->raw || origin->examples) {
        judge_json_put_str(w, "calibrator", origin->calibrator);
    }

    if (origin->changed) {
        judge_json_put_c(w, "calibrator_state", JUDGE_CALIBRATOR_CHANGED);
    }

    if (origin->reported) {
        judge_json_put_c(w, "overall", "reported");
    }

    if (origin->raw && !isnan(origin->raw_overall)) {
        judge_json_put_number2(w, "raw_overall_score", origin->raw_overall);
    } else if (verdict && verdict->checked) {
        judge_json_put_number2(w, "raw_overall_score", verdict->judged);
    }

    if (origin->examples) {
        judge_json_put_int(w, "examples_shown", (int64_t) origin->examples);
    }

    judge_json_put_bool(w, "cached", false);
    judge_record_attempts(w, job);
    judge_json_put_int(w, "tokens_used", origin->tokens);

    if (origin->samples > 1) {
        judge_json_put_int(w, "samples", (int64_t) origin->samples);
        judge_json_put_int(w, "samples_answered", (int64_t) origin->answered);
    }

    if (origin->checked) {
        judge_json_put_int(w, "passages_altered", (int64_t) origin->altered);
        judge_json_put_int(w, "evidence_missing", (int64_t) origin->missing);
        if (origin->tolerated) {
            judge_record_names(w, "tolerated", judge_tolerated_names,
                               origin->tolerated);
        }
    }

    judge_record_models(w, origin);
    judge_reference_errors_json(w, job->org, job->others, job->nothers,
                                job->file_type, origin->prompt_hash.data);
    judge_json_object_end(w);
}


/* Writes which engine decided, if the judge may escalate to a model. */

static void
judge_record_decided(judge_json_writer_t *w, const judge_job_t *job,
    const judge_origin_t *origin)
{
    if (origin->why == NULL) {
        return;
    }

    judge_json_key_object(w, "decided_by");
    judge_json_put_c(w, "engine", origin->engine);
    judge_json_put_int(w, "judge_version", job->judge_version);
    judge_json_put_str(w, "model", job->model);
    judge_json_put_c(w, "why", origin->why);

    if (origin->has_first) {
        judge_json_put_number2(w, "builtin_score", origin->first);
    }

    judge_json_object_end(w);
}


static void
judge_record_end(judge_json_writer_t *w, const judge_job_t *job,
    judge_ms_t evaluated_at)
{
    judge_json_put_time(w, "created_at", job->created_at);
    judge_json_put_time(w, "evaluated_at", evaluated_at);
    judge_json_put_number(w, "evaluation_duration_sec",
                          (double) (evaluated_at - job->created_at) / 1000);
    judge_json_object_end(w);
}


judge_rc_e
judge_evaluation_json_ended(judge_buf_t *out, const judge_job_t *job,
    const judge_rubric_t *rubric, const judge_verdict_t *verdict,
    const judge_failure_t *failure, const judge_origin_t *origin,
    judge_ms_t evaluated_at)
{
    judge_json_writer_t  w;

    origin = origin ? origin : &judge_record_builtin;

    judge_buf_c(out, JUDGE_COMPACT_HEAD);
    judge_json_begin(&w, out);
    judge_json_object(&w);

    judge_json_put_id(&w, "evaluation_id", job->id);
    judge_json_put_str(&w, "content_id", job->content_id);
    judge_json_put_str(&w, "judge_id", job->judge_id);
    judge_json_put_str(&w, "batch_id", job->batch_id);
    judge_json_put_c(&w, "status", failure ? "failed" : "completed");

    if (failure) {
        judge_json_key_object(&w, "error");
        judge_json_put_c(&w, "code", failure->code);
        judge_json_put_str(&w, "message", failure->message);
        judge_json_put_str(&w, "answer", failure->answer);
        judge_json_object_end(&w);

    } else {
        judge_record_verdict(&w, rubric, verdict, origin);
    }

    if (verdict) {
        judge_record_unjudged(&w, rubric, verdict);
        judge_record_flags(&w, verdict);
        judge_record_turns(&w, rubric, verdict);
        judge_json_put_number2(&w, "coverage", verdict->coverage);
    }

    if (verdict && failure) {
        judge_record_engine(&w, origin);
    }

    judge_record_provenance(&w, job, origin, verdict);
    judge_record_decided(&w, job, origin);
    judge_record_end(&w, job, evaluated_at);

    return judge_json_finish(&w);
}


void
judge_review_json(judge_json_writer_t *w, unsigned reasons)
{
    judge_json_put_bool(w, "needs_review", reasons != 0);
    judge_record_names(w, "review_reasons", judge_review_reasons, reasons);
}


static unsigned
judge_review_read(const judge_json_t *record)
{
    size_t               i;
    unsigned             reasons = 0;
    const judge_json_t  *v;

    for (v = judge_json_first(record, "review_reasons"); v; v = v->next) {
        i = v->type == JUDGE_JSON_STRING
            ? judge_str_index_c(judge_review_reasons, v->string)
            : JUDGE_REVIEW_REASONS;
        reasons |= i < JUDGE_REVIEW_REASONS ? 1u << i : 0;
    }

    return reasons;
}


/* Copies a member of a stored record into another evaluation's record: skips
 * members of the first evaluation only, and sets the cost to 0, because the
 * first evaluation paid for it. */

static void
judge_record_reuse(judge_json_writer_t *w, const judge_json_t *value,
    const judge_job_t *job)
{
    const judge_json_t  *v;
    static const char   *const own[] = {
        "id", "evaluation_id", "content_id", "judge_id", "batch_id",
        "created_at", "evaluated_at", "evaluation_duration_sec", NULL
    };
    static const char   *const tried[] = { "given_back", "last_error", NULL };

    if (own[judge_str_index_c(own, value->key)]) {
        return;
    }

    judge_json_key_str(w, value->key);

    if (!judge_str_eq_c(value->key, "provenance")
        || value->type != JUDGE_JSON_OBJECT)
    {
        judge_json_value(w, value);
        return;
    }

    judge_json_object(w);

    for (v = value->first; v; v = v->next) {
        if (judge_str_eq_c(v->key, "attempts")) {
            judge_record_attempts(w, job);
        } else if (tried[judge_str_index_c(tried, v->key)]) {
            continue;
        } else if (judge_str_eq_c(v->key, "cached")) {
            judge_json_put_bool(w, "cached", true);
        } else if (judge_str_eq_c(v->key, "tokens_used")) {
            judge_json_put_int(w, "tokens_used", 0);
        } else {
            judge_json_key_str(w, v->key);
            judge_json_value(w, v);
        }
    }

    judge_json_object_end(w);
}


judge_rc_e
judge_evaluation_json_again(judge_buf_t *out, const judge_job_t *job,
    judge_str_t stored, judge_ms_t evaluated_at, double *overall,
    int64_t *reasons)
{
    judge_rc_e            rc;
    judge_json_t         *root, *v;
    judge_json_writer_t   w;

    rc = judge_json_parse(out->arena, stored, &root, NULL);
    if (rc != JUDGE_OK) {
        return rc;
    }

    v = judge_json_get(root, "overall_score");
    if (v == NULL || (v->type != JUDGE_JSON_INTEGER
                      && v->type != JUDGE_JSON_NUMBER))
    {
        return JUDGE_INVALID;
    }

    *overall = judge_json_double(v);
    *reasons = judge_review_read(root);

    judge_json_begin(&w, out);
    judge_json_object(&w);
    judge_json_put_id(&w, "evaluation_id", job->id);
    judge_json_put_str(&w, "content_id", job->content_id);
    judge_json_put_str(&w, "judge_id", job->judge_id);
    judge_json_put_str(&w, "batch_id", job->batch_id);

    for (v = root->first; v; v = v->next) {
        judge_record_reuse(&w, v, job);
    }

    judge_record_end(&w, job, evaluated_at);

    return judge_json_finish(&w);
}


judge_str_t
judge_evaluation_error(judge_arena_t *arena, const judge_failure_t *failure,
    judge_ms_t at)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_c(&w, "code", failure->code);
    judge_json_put_str(&w, "message", failure->message);
    judge_json_put_time(&w, "at", at);

    return judge_json_text(&w);
}


judge_str_t
judge_evaluation_body(judge_arena_t *arena, const judge_evaluation_row_t *row)
{
    return judge_str_starts(row->body, JUDGE_STR("{\"id\":"))
           || row->body.len == 0
           ? row->body
           : judge_str_printf(arena, "{\"id\":\"%.*s\",%.*s",
                              judge_str_args(row->id), (int) row->body.len - 1,
                              row->body.data + 1);
}


/* Returns the stored body without its last member, the duration. */

static judge_str_t
judge_evaluation_body_plain(judge_arena_t *arena, judge_str_t body)
{
    size_t       comma;
    judge_str_t  plain;

    for (comma = body.len; comma > 0 && body.data[--comma] != ','; ) {
        /* void */
    }

    if (!judge_str_starts(judge_str_from(body, comma),
                          JUDGE_STR(JUDGE_DURATION_KEY)))
    {
        return body;
    }

    plain = judge_str_printf(arena, "%.*s}", (int) comma, body.data);

    return plain.data ? plain : body;
}


void
judge_evaluation_json(judge_json_writer_t *w,
    const judge_evaluation_row_t *row, bool with_duration)
{
    judge_str_t  body;

    if (row->body.data) {
        body = judge_evaluation_body(w->buf->arena, row);
        if (!with_duration) {
            body = judge_evaluation_body_plain(w->buf->arena, body);
        }
        judge_json_raw(w, body);
        return;
    }

    judge_json_object(w);
    judge_json_put_id(w, "evaluation_id", row->id);
    judge_json_put_str(w, "content_id", row->content_id);
    judge_json_put_str(w, "judge_id", row->judge_id);
    judge_json_put_str(w, "batch_id", row->batch_id);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_int(w, "judge_version", row->judge_version);
    if (row->learning || row->unclaimed || row->refitting) {
        judge_json_put_c(w, "waiting_for", row->learning ? "references"
                                           : row->unclaimed ? "worker"
                                           : "training");
    }
    judge_json_put_int(w, "attempts", row->attempts);

    if (row->queue_at && row->owner.data == NULL) {
        judge_json_put_time(w, "next_attempt_at", row->queue_at);
    }

    if (row->progress > 0) {
        judge_json_put_number2(w, "progress_percentage", row->progress);
    }

    judge_json_put_raw(w, "last_error", row->last_error);
    judge_json_put_time(w, "created_at", row->created_at);
    judge_json_object_end(w);
}


/* The record of an evaluation that has ended is stored as it is shown. */

judge_str_t
judge_evaluation_text(judge_arena_t *arena, const judge_evaluation_row_t *row,
    bool with_duration)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    if (row->body.data && with_duration) {
        return judge_evaluation_body(arena, row);
    }

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_evaluation_json(&w, row, with_duration);

    return judge_json_finish(&w) == JUDGE_OK ? judge_buf_view(&buf)
                                             : (judge_str_t) { 0, NULL };
}
