/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "base/json/fields.h"
#include "analysis/llm/rubric.h"
#include "analysis/media/media.h"
#include "work/evaluation/worker_result.h"
#include "work/render/evaluation_json.h"


#define JUDGE_WORKER_RESULT_LINES  50  /* strengths and the like, of each */
#define JUDGE_WORKER_RESULT_FEATURES  16384 /* bytes */
#define JUDGE_WORKER_RESULT_VALUE_MAX 1e12  /* of one of them */


typedef struct {
    judge_str_t      criterion_id;
    judge_str_t      name;
    judge_number_t   score;
    judge_boolean_t  measurable;
    judge_str_t      feedback;
} judge_worker_result_score_t;

typedef struct {
    judge_integer_t  width;
    judge_integer_t  height;
} judge_worker_result_resolution_t;

typedef struct {
    judge_number_t                    duration;          /* s */
    judge_worker_result_resolution_t  resolution;
    bool                              has_resolution;
    judge_number_t                    processing_time;   /* s */
    judge_json_t                     *features;
} judge_worker_result_processing_t;

typedef struct {
    judge_number_t                    overall_score;
    judge_list_t                      scores;
    judge_str_t                       summary;
    judge_list_t                      strengths;
    judge_list_t                      weaknesses;
    judge_list_t                      suggestions;
    judge_worker_result_processing_t  processing;
    bool                              has_processing;
} judge_worker_result_results_t;

typedef struct {
    judge_instant_t  timestamp;
    judge_str_t      source_service;
    judge_integer_t  retry_count;
} judge_worker_result_source_t;

typedef struct {
    judge_str_t  code;
    judge_str_t  message;
} judge_worker_result_error_t;

typedef struct {
    judge_str_t                    content_id;
    judge_choice_t                 status;
    judge_worker_result_results_t  results;
    bool                           has_results;
    judge_worker_result_error_t    error;
    judge_worker_result_source_t   source;
} judge_worker_result_t;

typedef struct {
    judge_str_t     content_id;
    judge_number_t  progress;
} judge_worker_result_chunk_t;

/* A report on its way into a record. */
typedef struct {
    judge_arena_t                *arena;
    const judge_callback_find_t  *find;
    judge_calibrator_entry_t     *calibrator;
    judge_worker_result_t         report;
    judge_rubric_t                rubric;
    judge_verdict_t               verdict;
    judge_failure_t               failure;
    judge_str_t                  *error;
} judge_worker_result_work_t;


static judge_rc_e judge_worker_result_check(judge_worker_result_work_t *x);
static judge_rc_e judge_worker_result_scores(judge_worker_result_work_t *x);
static judge_rc_e judge_worker_result_score(judge_worker_result_work_t *x,
    size_t i,
    bool *seen);
static size_t judge_worker_result_criterion(const judge_rubric_t *rubric,
    const judge_worker_result_score_t *score);
static judge_rc_e judge_worker_result_overall(judge_worker_result_work_t *x);
static judge_rc_e judge_worker_result_verdict(judge_worker_result_work_t *x);
static judge_str_t judge_worker_result_summary(judge_worker_result_work_t *x);
static judge_rc_e judge_worker_result_failure(judge_worker_result_work_t *x);
static judge_rc_e judge_worker_result_processing(judge_worker_result_work_t *x,
    judge_str_t *json);
static judge_rc_e judge_worker_result_features(judge_worker_result_work_t *x,
    judge_str_t *features);
static judge_rc_e judge_worker_result_record(judge_worker_result_work_t *x,
    judge_ms_t now, judge_result_t *result);
static judge_rc_e judge_worker_result_calibrate(judge_worker_result_work_t *x,
    judge_origin_t *origin);
static judge_rc_e judge_worker_result_refuse(judge_worker_result_work_t *x,
    judge_str_t sentence);


static const char *const  judge_worker_result_statuses[] = {
    "completed", "failed", NULL
};

#define JUDGE_WORKER_RESULT_COMPLETED  0

#define judge_in(of, member)  offsetof(of, member)

#define judge_worker_result_lines(member)                                     \
    { .name = #member, .type = JUDGE_FIELD_STRINGS,                           \
      .offset = judge_in(judge_worker_result_results_t, member), .min = 0,    \
      .max = JUDGE_WORKER_RESULT_LINES, .item_max = 1000 }

static const judge_field_t  judge_worker_result_score_fields[] = {
    { .name = "criterion_id", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_score_t, criterion_id), .min = 1,
      .max = 200 },
    { .name = "name", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_score_t, name), .min = 1,
      .max = 200 },
    { .name = "score", .type = JUDGE_FIELD_NUMBER,
      .offset = judge_in(judge_worker_result_score_t, score), .max = 100 },
    { .name = "measurable", .type = JUDGE_FIELD_BOOLEAN,
      .offset = judge_in(judge_worker_result_score_t, measurable) },
    { .name = "feedback", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_score_t, feedback), .max = 5000 },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_resolution_fields[] = {
    { .name = "width", .type = JUDGE_FIELD_INTEGER, .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_worker_result_resolution_t, width), .min = 1,
      .max = 1000000 },
    { .name = "height", .type = JUDGE_FIELD_INTEGER, .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_worker_result_resolution_t, height), .min = 1,
      .max = 1000000 },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_processing_fields[] = {
    { .name = "duration", .type = JUDGE_FIELD_NUMBER,
      .offset = judge_in(judge_worker_result_processing_t, duration),
      .max = 1e9 },
    { .name = "resolution", .type = JUDGE_FIELD_OBJECT,
      .offset = judge_in(judge_worker_result_processing_t, resolution),
      .set_offset = judge_in(judge_worker_result_processing_t, has_resolution),
      .fields = judge_worker_result_resolution_fields },
    { .name = "processing_time", .type = JUDGE_FIELD_NUMBER,
      .offset = judge_in(judge_worker_result_processing_t, processing_time),
      .max = 1e9 },
    { .name = "features", .type = JUDGE_FIELD_ANY_OBJECT,
      .offset = judge_in(judge_worker_result_processing_t, features),
      .max = JUDGE_WORKER_RESULT_FEATURES },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_results_fields[] = {
    { .name = "overall_score", .type = JUDGE_FIELD_NUMBER,
      .offset = judge_in(judge_worker_result_results_t, overall_score),
      .max = 100 },
    { .name = "criteria_scores", .type = JUDGE_FIELD_LIST,
      .offset = judge_in(judge_worker_result_results_t, scores), .min = 0,
      .max = 64, .fields = judge_worker_result_score_fields,
      .item_size = sizeof(judge_worker_result_score_t) },
    { .name = "summary", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_results_t, summary),
      .max = 5000 },
    judge_worker_result_lines(strengths),
    judge_worker_result_lines(weaknesses),
    judge_worker_result_lines(suggestions),
    { .name = "processing_metadata", .type = JUDGE_FIELD_OBJECT,
      .offset = judge_in(judge_worker_result_results_t, processing),
      .set_offset = judge_in(judge_worker_result_results_t, has_processing),
      .fields = judge_worker_result_processing_fields },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_error_fields[] = {
    { .name = "code", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_error_t, code), .min = 1,
      .max = 64 },
    { .name = "message", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_error_t, message), .min = 1,
      .max = 1000 },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_source_fields[] = {
    { .name = "timestamp", .type = JUDGE_FIELD_TIME,
      .offset = judge_in(judge_worker_result_source_t, timestamp) },
    { .name = "source_service", .type = JUDGE_FIELD_STRING,
      .offset = judge_in(judge_worker_result_source_t, source_service),
      .max = 200 },
    { .name = "retry_count", .type = JUDGE_FIELD_INTEGER,
      .offset = judge_in(judge_worker_result_source_t, retry_count),
      .max = 1e9 },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_chunk_fields[] = {
    { .name = "content_id", .type = JUDGE_FIELD_STRING,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_worker_result_chunk_t, content_id), .min = 1,
      .max = 200 },
    { .name = "progress_percentage", .type = JUDGE_FIELD_NUMBER,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_worker_result_chunk_t, progress), .max = 100 },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_fields[] = {
    { .name = "content_id", .type = JUDGE_FIELD_STRING,
      .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_worker_result_t, content_id), .min = 1,
      .max = 200 },
    { .name = "status", .type = JUDGE_FIELD_CHOICE, .flags = JUDGE_REQUIRED,
      .offset = judge_in(judge_worker_result_t, status),
      .choices = judge_worker_result_statuses },
    { .name = "results", .type = JUDGE_FIELD_OBJECT,
      .offset = judge_in(judge_worker_result_t, results),
      .set_offset = judge_in(judge_worker_result_t, has_results),
      .fields = judge_worker_result_results_fields },
    { .name = "error", .type = JUDGE_FIELD_OBJECT,
      .offset = judge_in(judge_worker_result_t, error),
      .fields = judge_worker_result_error_fields },
    { .name = "callback_metadata", .type = JUDGE_FIELD_OBJECT,
      .offset = judge_in(judge_worker_result_t, source),
      .fields = judge_worker_result_source_fields },
    { .name = NULL }
};


judge_rc_e
judge_callback_read(judge_arena_t *arena, const judge_json_t *report,
    const judge_callback_find_t *find, judge_calibrator_entry_t *calibrator,
    judge_ms_t now, judge_result_t *result, judge_str_t *error)
{
    judge_rc_e                  rc;
    judge_worker_result_work_t  x;

    memset(&x, 0, sizeof(judge_worker_result_work_t));
    x.arena = arena;
    x.find = find;
    x.calibrator = calibrator;
    x.error = error;

    rc = judge_fields_bind(arena, judge_worker_result_fields, report,
                           JUDGE_STR(""), &x.report, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_worker_result_check(&x);
    if (rc != JUDGE_OK) {
        return rc;
    }

    return judge_worker_result_record(&x, now, result);
}


bool
judge_callback_is_progress(const judge_json_t *report)
{
    judge_json_t  *status;

    status = judge_json_get(report, "status");

    return status && status->type == JUDGE_JSON_STRING
           && judge_str_eq_c(status->string, "processing");
}


judge_rc_e
judge_callback_progress(judge_arena_t *arena, const judge_json_t *report,
    const judge_callback_find_t *find, double *percent, judge_str_t *error)
{
    judge_rc_e                   rc;
    judge_worker_result_chunk_t  chunk;

    memset(&chunk, 0, sizeof(judge_worker_result_chunk_t));
    rc = judge_fields_bind(arena, judge_worker_result_chunk_fields, report,
                           JUDGE_STR(""), &chunk, error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_str_eq(chunk.content_id, find->row.content_id)) {
        *error = JUDGE_STR("content_id: expected the content of the"
                           " evaluation");
        return JUDGE_INVALID;
    }

    *percent = chunk.progress.value;

    return JUDGE_OK;
}


int64_t
judge_worker_result_attempts(const judge_evaluation_row_t *row)
{
    return row->attempts > 0 ? row->attempts : 1;
}


static judge_rc_e
judge_worker_result_check(judge_worker_result_work_t *x)
{
    judge_worker_result_t  *report = &x->report;

    if (!judge_str_eq(report->content_id, x->find->row.content_id)) {
        return judge_worker_result_refuse(x,
                                          JUDGE_STR("content_id: expected the"
                                          " content of the evaluation"));
    }

    if (report->status.value == JUDGE_WORKER_RESULT_COMPLETED) {
        if (!report->has_results) {
            return judge_worker_result_refuse(x, JUDGE_STR(
                                              "results: required with"
                                              " the status completed"));
        }

        return judge_worker_result_scores(x);
    }

    if (report->results.overall_score.set || report->results.scores.count) {
        return judge_worker_result_refuse(x, JUDGE_STR("results: expected no"
                                          " scores with the status failed"));
    }

    return judge_worker_result_failure(x);
}


static judge_rc_e
judge_worker_result_scores(judge_worker_result_work_t *x)
{
    bool                         *seen;
    size_t                        i;
    judge_rc_e                    rc;
    const judge_callback_find_t  *find = x->find;

    rc = judge_rubric_read(x->arena, find->judge_name,
                           find->judge_description, find->criteria,
                           &x->rubric);
    if (rc != JUDGE_OK) {
        return JUDGE_ERROR;            /* it was checked when it was stored */
    }

    seen = judge_array_alloc(x->arena, x->rubric.ncriteria, sizeof(bool));
    x->verdict.scores = judge_array_alloc(x->arena, x->rubric.ncriteria,
                                          sizeof(judge_criterion_score_t));
    if (seen == NULL || x->verdict.scores == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < x->report.results.scores.count; i++) {
        rc = judge_worker_result_score(x, i, seen);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    for (i = 0; i < x->rubric.ncriteria; i++) {
        if (!seen[i]) {
            return judge_worker_result_refuse(x, judge_str_printf(x->arena,
                       "results.criteria_scores: the criterion %.*s has no"
                       " score", (int) x->rubric.criteria[i].id.len,
                       x->rubric.criteria[i].id.data));
        }
    }

    return judge_worker_result_overall(x);
}


static judge_rc_e
judge_worker_result_score(judge_worker_result_work_t *x, size_t i, bool *seen)
{
    size_t                        n;
    judge_worker_result_score_t  *score;
    const judge_criterion_t      *criterion;

    score = (judge_worker_result_score_t *) x->report.results.scores.items + i;

    n = judge_worker_result_criterion(&x->rubric, score);
    if (n == x->rubric.ncriteria) {
        return judge_worker_result_refuse(x, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu].%s: the judge has no such"
                   " criterion", i,
                   score->criterion_id.data ? "criterion_id" : "name"));
    }

    criterion = &x->rubric.criteria[n];

    if (score->name.data && !judge_str_eq(score->name, criterion->name)) {
        return judge_worker_result_refuse(x, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu].name: expected \"%.*s\", as"
                   " the criterion is called", i, (int) criterion->name.len,
                   criterion->name.data));
    }

    if (seen[n]) {
        return judge_worker_result_refuse(x, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu]: the criterion has a score"
                   " already", i));
    }

    if (score->score.set == (score->measurable.set
                             && !score->measurable.value))
    {
        return judge_worker_result_refuse(x, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu].score: %s", i,
                   score->score.set
                   ? "expected none where measurable is false"
                   : "required, expected a number from 0 to 100"));
    }

    seen[n] = true;
    x->verdict.scores[n].score = score->score.set
                                 ? round(score->score.value * 100) / 100
                                 : NAN;
    x->verdict.scores[n].feedback = score->feedback.data ? score->feedback
                                                         : JUDGE_STR("");

    return JUDGE_OK;
}


static size_t
judge_worker_result_criterion(const judge_rubric_t *rubric,
    const judge_worker_result_score_t *score)
{
    size_t  i;

    for (i = 0; i < rubric->ncriteria; i++) {
        if (score->criterion_id.data
            ? judge_str_eq(score->criterion_id, rubric->criteria[i].id)
            : score->name.data && judge_str_eq(score->name,
                                               rubric->criteria[i].name))
        {
            break;
        }
    }

    return i;
}


static judge_rc_e
judge_worker_result_overall(judge_worker_result_work_t *x)
{
    double          sum, weights, mean;
    size_t          i;
    judge_number_t  overall;

    for (sum = 0, weights = 0, i = 0; i < x->rubric.ncriteria; i++) {
        if (!isnan(x->verdict.scores[i].score)) {
            sum += x->rubric.criteria[i].weight * x->verdict.scores[i].score;
            weights += x->rubric.criteria[i].weight;
        }
    }

    if (weights == 0) {
        return judge_worker_result_refuse(x,
                                          JUDGE_STR("results.criteria_scores:"
                   " expected a score of one criterion at least; where none"
                   " can be measured the evaluation has failed"));
    }
    mean = sum / weights;

    overall = x->report.results.overall_score;
    if (!overall.set) {
        overall.value = mean;

    } else if (fabs(overall.value - mean) > JUDGE_WORKER_RESULT_TOLERANCE) {
        return judge_worker_result_refuse(x, judge_str_printf(x->arena,
                   "results.overall_score: expected the weighted mean of the"
                   " criteria's scores, %.2f, or no value", mean));
    }

    x->verdict.overall = round(overall.value * 100) / 100;

    return judge_worker_result_verdict(x);
}


static judge_rc_e
judge_worker_result_verdict(judge_worker_result_work_t *x)
{
    judge_verdict_t                      *verdict = &x->verdict;
    const judge_worker_result_results_t  *results = &x->report.results;

    verdict->strengths = results->strengths.items;
    verdict->nstrengths = results->strengths.count;
    verdict->weaknesses = results->weaknesses.items;
    verdict->nweaknesses = results->weaknesses.count;
    verdict->suggestions = results->suggestions.items;
    verdict->nsuggestions = results->suggestions.count;
    verdict->summary = results->summary.len ? results->summary
                                            : judge_worker_result_summary(x);

    return verdict->summary.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* The explanation where the worker sends none, made of its numbers alone. */

static judge_str_t
judge_worker_result_summary(judge_worker_result_work_t *x)
{
    size_t                          i, low, high;
    const judge_criterion_t        *criteria = x->rubric.criteria;
    const judge_criterion_score_t  *scores = x->verdict.scores;

    for (low = 0; isnan(scores[low].score); low++) { /* void */ }

    for (high = low, i = low; i < x->rubric.ncriteria; i++) {
        low = scores[i].score < scores[low].score ? i : low;
        high = scores[i].score > scores[high].score ? i : high;
    }

    if (scores[low].score == scores[high].score) {
        return judge_str_printf(x->arena, "Overall %.4g of 100.",
                                x->verdict.overall);
    }

    return judge_str_printf(x->arena, "Overall %.4g of 100; highest %.*s"
                            " (%.4g), lowest %.*s (%.4g).",
                            x->verdict.overall,
                            (int) criteria[high].name.len,
                            criteria[high].name.data, scores[high].score,
                            (int) criteria[low].name.len,
                            criteria[low].name.data, scores[low].score);
}


/* The code stands among ours in the counts of a batch. */

static judge_rc_e
judge_worker_result_failure(judge_worker_result_work_t *x)
{
    size_t       i;
    judge_str_t  code = x->report.error.code;
    judge_str_t  message = x->report.error.message;

    if (code.data == NULL) {
        code = JUDGE_STR("WORKER_FAILED");
    }

    if (message.data == NULL) {
        message = JUDGE_STR("the worker could not evaluate the content");
    }

    for (i = 0; i < code.len; i++) {
        if (!((code.data[i] >= 'A' && code.data[i] <= 'Z')
              || (code.data[i] >= '0' && code.data[i] <= '9')
              || code.data[i] == '_'))
        {
            return judge_worker_result_refuse(x,
                                              JUDGE_STR("error.code: expected"
                       " capital letters, digits and underscores"));
        }
    }

    code = judge_str_dup(x->arena, code);
    x->failure.code = code.data;
    x->failure.message = message;

    return code.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_worker_result_processing(judge_worker_result_work_t *x,
    judge_str_t *json)
{
    judge_rc_e                               rc;
    judge_buf_t                              buf;
    judge_json_writer_t                      w;
    const judge_worker_result_processing_t  *p = &x->report.results.processing;

    if (!x->report.results.has_processing) {
        return JUDGE_OK;
    }

    judge_buf_init(&buf, x->arena);
    judge_json_begin(&w, &buf);
    judge_json_object(&w);

    if (p->duration.set) {
        judge_json_put_number(&w, "duration", p->duration.value);
    }

    if (p->has_resolution) {
        judge_json_key(&w, "resolution");
        judge_json_object(&w);
        judge_json_put_int(&w, "width", p->resolution.width.value);
        judge_json_put_int(&w, "height", p->resolution.height.value);
        judge_json_object_end(&w);
    }

    if (p->processing_time.set) {
        judge_json_put_number(&w, "processing_time",
                              p->processing_time.value);
    }

    judge_json_object_end(&w);
    rc = judge_json_finish(&w);
    *json = judge_buf_view(&buf);

    return rc;
}


/* What was measured, by the names of media.h; others are not kept, and
 * what is missing is 0. */

static judge_rc_e
judge_worker_result_features(judge_worker_result_work_t *x,
    judge_str_t *features)
{
    size_t               i;
    float               *values;
    const judge_json_t  *reported, *v;

    reported = x->report.results.processing.features;
    if (reported == NULL) {
        return JUDGE_OK;
    }

    values = judge_array_alloc(x->arena, JUDGE_M_COUNT, sizeof(float));
    if (values == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        v = judge_json_get(reported, judge_media_name(i));

        if (v && (v->type == JUDGE_JSON_INTEGER
                  || v->type == JUDGE_JSON_NUMBER)
            && fabs(judge_json_double(v)) < JUDGE_WORKER_RESULT_VALUE_MAX)
        {
            values[i] = (float) judge_json_double(v);
        }
    }

    x->verdict.features = values;
    x->verdict.nfeatures = JUDGE_M_COUNT;
    *features = judge_calibrator_vector(x->arena,
                    judge_calibrator_inputs(JUDGE_ENGINE_WORKER, true), values,
                    JUDGE_M_COUNT);

    return features->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_worker_result_record(judge_worker_result_work_t *x, judge_ms_t now,
    judge_result_t *result)
{
    bool                           completed;
    judge_rc_e                     rc;
    judge_buf_t                    body;
    judge_job_t                    job;
    judge_origin_t                 origin;
    const judge_evaluation_row_t  *row = &x->find->row;

    completed = x->report.status.value == JUDGE_WORKER_RESULT_COMPLETED;

    memset(&job, 0, sizeof(judge_job_t));
    job.org = row->org;
    job.id = row->id;
    job.attempts = judge_worker_result_attempts(row);
    job.created_at = row->created_at;
    job.content_id = row->content_id;
    job.judge_id = row->judge_id;
    job.judge_version = row->judge_version;
    job.batch_id = row->batch_id;

    memset(&origin, 0, sizeof(judge_origin_t));
    origin.engine = JUDGE_ENGINE_WORKER;
    origin.version = "1";
    origin.model = x->report.source.source_service;
    memset(result, 0, sizeof(judge_result_t));

    rc = judge_worker_result_processing(x, &origin.processing);
    if (rc == JUDGE_OK) {
        rc = judge_worker_result_features(x, &result->features);
    }
    if (rc == JUDGE_OK && completed) {
        rc = judge_worker_result_calibrate(x, &origin);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    result->org = row->org;
    result->id = row->id;
    result->status = completed ? JUDGE_STR("completed") : JUDGE_STR("failed");
    result->evaluated_at = row->evaluated_at ? row->evaluated_at : now;
    result->overall_score = x->verdict.overall;
    result->scored = completed;

    if (!completed) {
        result->error_code = judge_str_c(x->failure.code);
        result->last_error = judge_evaluation_error(x->arena, &x->failure,
                                                    result->evaluated_at);
    }

    judge_buf_init(&body, x->arena);
    rc = judge_evaluation_json_ended(&body, &job, &x->rubric,
                                     completed ? &x->verdict : NULL,
                                     completed ? NULL : &x->failure,
                                     &origin, result->evaluated_at);
    result->body = judge_buf_view(&body);

    return rc;
}


/* What the judge has learned, on top of the worker's scores. */

static judge_rc_e
judge_worker_result_calibrate(judge_worker_result_work_t *x,
    judge_origin_t *origin)
{
    judge_item_t  item;

    memset(&item, 0, sizeof(judge_item_t));

    return judge_calibrator_calibrate(x->calibrator, x->arena, &x->rubric,
                                      &item, &x->verdict, origin);
}


static judge_rc_e
judge_worker_result_refuse(judge_worker_result_work_t *x, judge_str_t sentence)
{
    *x->error = sentence;

    return sentence.data ? JUDGE_INVALID : JUDGE_NOMEM;
}
