/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/json/json.h"
#include "report.h"


/* Characters that the service takes. */
#define JUDGE_REPORT_FEEDBACK  5000
#define JUDGE_REPORT_LINE      1000
#define JUDGE_REPORT_MESSAGE   1000


static void judge_report_head(judge_json_writer_t *w,
    const judge_media_job_t *job, const char *status);
static void judge_report_scores(judge_json_writer_t *w,
    const judge_media_job_t *job, const judge_verdict_t *verdict);
static void judge_report_lines(judge_json_writer_t *w, const char *key,
    const judge_str_t *lines, size_t n);
static void judge_report_processing(judge_json_writer_t *w,
    const judge_report_t *report);
static void judge_report_foot(judge_json_writer_t *w,
    const judge_media_job_t *job, judge_str_t source);
static judge_str_t judge_report_cut(judge_str_t s, size_t most);


judge_str_t
judge_report_completed(judge_arena_t *arena, const judge_media_job_t *job,
    const judge_verdict_t *v, const judge_report_t *report)
{
    judge_buf_t          out;
    judge_json_writer_t  w;

    judge_buf_init(&out, arena);
    judge_json_begin(&w, &out);
    judge_report_head(&w, job, "completed");
    judge_json_key(&w, "results");
    judge_json_object(&w);
    judge_json_put_number2(&w, "overall_score", v->overall);
    judge_report_scores(&w, job, v);
    judge_json_put_str(&w, "summary",
                       judge_report_cut(v->summary, JUDGE_REPORT_FEEDBACK));
    judge_report_lines(&w, "strengths", v->strengths, v->nstrengths);
    judge_report_lines(&w, "weaknesses", v->weaknesses, v->nweaknesses);
    judge_report_lines(&w, "suggestions", v->suggestions, v->nsuggestions);
    judge_report_processing(&w, report);
    judge_json_object_end(&w);
    judge_report_foot(&w, job, report->source);

    if (judge_json_finish(&w) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_buf_view(&out);
}


judge_str_t
judge_report_failed(judge_arena_t *arena, const judge_media_job_t *job,
    const char *code, const char *message)
{
    judge_buf_t          out;
    judge_json_writer_t  w;

    judge_buf_init(&out, arena);
    judge_json_begin(&w, &out);
    judge_report_head(&w, job, "failed");
    judge_json_key(&w, "error");
    judge_json_object(&w);
    judge_json_put_c(&w, "code", code);
    judge_json_put_str(&w, "message",
                       judge_report_cut(judge_str_c(message),
                                        JUDGE_REPORT_MESSAGE));
    judge_json_object_end(&w);
    judge_report_foot(&w, job, (judge_str_t) { 0, NULL });

    if (judge_json_finish(&w) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_buf_view(&out);
}


static void
judge_report_head(judge_json_writer_t *w, const judge_media_job_t *job,
    const char *status)
{
    judge_json_object(w);
    judge_json_put_str(w, "evaluation_id", job->id);
    judge_json_put_str(w, "content_id", job->content);
    judge_json_put_c(w, "status", status);
}


static void
judge_report_scores(judge_json_writer_t *w, const judge_media_job_t *job,
    const judge_verdict_t *v)
{
    size_t  i;

    judge_json_key(w, "criteria_scores");
    judge_json_array(w);

    for (i = 0; i < job->rubric.ncriteria; i++) {
        judge_json_object(w);
        judge_json_put_str(w, "criterion_id", job->rubric.criteria[i].id);

        if (isnan(v->scores[i].score)) {
            judge_json_put_bool(w, "measurable", false);
        } else {
            judge_json_put_number2(w, "score", v->scores[i].score);
        }

        judge_json_put_str(w, "feedback",
                           judge_report_cut(v->scores[i].feedback,
                                            JUDGE_REPORT_FEEDBACK));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}


static void
judge_report_lines(judge_json_writer_t *w, const char *key,
    const judge_str_t *lines, size_t n)
{
    size_t  i;

    judge_json_key(w, key);
    judge_json_array(w);

    for (i = 0; i < n; i++) {
        judge_json_str(w, judge_report_cut(lines[i], JUDGE_REPORT_LINE));
    }

    judge_json_array_end(w);
}


/* Everything that was measured, by its name. */

static void
judge_report_processing(judge_json_writer_t *w, const judge_report_t *report)
{
    size_t         i;
    const double  *values = report->media->values;

    judge_json_key(w, "processing_metadata");
    judge_json_object(w);

    if (!isnan(values[JUDGE_M_DURATION])) {
        judge_json_put_number2(w, "duration", values[JUDGE_M_DURATION]);
    }

    if (values[JUDGE_M_WIDTH] >= 1 && values[JUDGE_M_HEIGHT] >= 1) {
        judge_json_key(w, "resolution");
        judge_json_object(w);
        judge_json_put_int(w, "width", (int64_t) values[JUDGE_M_WIDTH]);
        judge_json_put_int(w, "height", (int64_t) values[JUDGE_M_HEIGHT]);
        judge_json_object_end(w);
    }

    judge_json_put_number2(w, "processing_time", report->seconds);
    judge_json_key(w, "features");
    judge_json_object(w);

    for (i = 0; judge_media_name(i); i++) {
        if (!isnan(values[i])) {
            judge_json_put_number(w, judge_media_name(i),
                                  round(values[i] * 1e4) / 1e4);
        }
    }

    judge_json_object_end(w);
    judge_json_object_end(w);
}


static void
judge_report_foot(judge_json_writer_t *w, const judge_media_job_t *job,
    judge_str_t source)
{
    judge_json_key(w, "callback_metadata");
    judge_json_object(w);
    judge_json_put_time(w, "timestamp", judge_time_now());
    judge_json_put_str(w, "source_service",
                       source.data
                       ? judge_report_cut(source, 200)
                       : JUDGE_STR("media-worker " JUDGE_WORKER_VERSION));

    if (job->attempt > 1) {
        judge_json_put_int(w, "retry_count", job->attempt - 1);
    }

    judge_json_object_end(w);
    judge_json_object_end(w);
}


/* By bytes, which are not fewer than characters; never within one. */

static judge_str_t
judge_report_cut(judge_str_t s, size_t most)
{
    if (s.len > most) {
        s.len = most;
        while (s.len && ((unsigned char) s.data[s.len] & 0xc0) == 0x80) {
            s.len--;
        }
    }

    return s;
}
