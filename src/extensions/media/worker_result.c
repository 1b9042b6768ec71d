/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "base/json/fields.h"
#include "analysis/builtin/engine.h"
#include "extensions/media/media.h"
#include "work/calibration/residual_intervals.h"
#include "work/evaluation/claimed_evaluation.h"
#include "extensions/media/extension_media.h"


#define JUDGE_WORKER_RESULT_FEATURES  16384 /* bytes */
#define JUDGE_WORKER_RESULT_VALUE_MAX 1e12  /* value of a feature */


typedef struct {
    judge_str_t      criterion_id;
    judge_str_t      name;
    judge_number_t   score;
    judge_boolean_t  measurable;
    judge_str_t      feedback;
} judge_report_score_t;

typedef struct {
    judge_integer_t  width;
    judge_integer_t  height;
} judge_report_resolution_t;

typedef struct {
    judge_number_t              duration;        /* s */
    judge_report_resolution_t   resolution;
    bool                        has_resolution;
    judge_number_t              processing_time; /* s */
    judge_json_t               *features;
} judge_report_processing_t;

typedef struct {
    judge_number_t             overall_score;
    judge_list_t               criteria_scores;
    judge_str_t                summary;
    judge_list_t               strengths;
    judge_list_t               weaknesses;
    judge_list_t               suggestions;
    judge_report_processing_t  processing_metadata;
    bool                       has_processing_metadata;
} judge_report_results_t;

/* The members of `error` and `callback_metadata` are bound to the members of
 * the report itself. */
typedef struct {
    judge_str_t             content_id;
    judge_choice_t          status;
    judge_report_results_t  results;
    bool                    has_results;
    judge_str_t             code;
    judge_str_t             message;
    judge_instant_t         timestamp;
    judge_str_t             source_service;
    judge_integer_t         retry_count;
    judge_number_t          progress_percentage;
    judge_json_t           *ignored;      /* members accepted but not used */
} judge_report_t;

/* State while a report is turned into a record. */
typedef struct {
    judge_arena_t                *arena;
    const judge_callback_find_t  *find;
    judge_calibrator_entry_t     *calibrator;
    judge_report_t                report;
    judge_rubric_t                rubric;
    judge_verdict_t               verdict;
    judge_failure_t               failure;
    judge_str_t                  *error;
} judge_report_work_t;


static const char *const  judge_worker_result_statuses[] = {
    "completed", "failed", NULL
};

#define JUDGE_WORKER_RESULT_COMPLETED  0

/* A field that is an object; has_<member> tells whether the report has it. */
#define judge_worker_result_object(of, member, table)                         \
    { .name = #member, .type = JUDGE_FIELD_OBJECT, .fields = table,           \
      .offset = offsetof(of, member),                                         \
      .set_offset = offsetof(of, has_##member) }

static const judge_field_t  judge_worker_result_score_fields[] = {
    judge_field(judge_report_score_t, criterion_id, STRING, 0, 1, 200),
    judge_field(judge_report_score_t, name, STRING, 0, 1, 200),
    judge_field(judge_report_score_t, score, NUMBER, 0, 0, 100),
    judge_field(judge_report_score_t, measurable, BOOLEAN, 0, 0, 0),
    judge_field(judge_report_score_t, feedback, STRING, 0, 0, 5000),
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_resolution_fields[] = {
    judge_field(judge_report_resolution_t, width, INTEGER, JUDGE_REQUIRED, 1,
                1000000),
    judge_field(judge_report_resolution_t, height, INTEGER, JUDGE_REQUIRED, 1,
                1000000),
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_processing_fields[] = {
    judge_field(judge_report_processing_t, duration, NUMBER, 0, 0, 1e9),
    judge_worker_result_object(judge_report_processing_t, resolution,
                               judge_worker_result_resolution_fields),
    judge_field(judge_report_processing_t, processing_time, NUMBER, 0, 0, 1e9),
    judge_field(judge_report_processing_t, features, ANY_OBJECT, 0, 0,
                JUDGE_WORKER_RESULT_FEATURES),
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_results_fields[] = {
    judge_field(judge_report_results_t, overall_score, NUMBER, 0, 0, 100),
    { .name = "criteria_scores", .type = JUDGE_FIELD_LIST, .max = 64,
      .offset = offsetof(judge_report_results_t, criteria_scores),
      .fields = judge_worker_result_score_fields,
      .item_size = sizeof(judge_report_score_t) },
    judge_field(judge_report_results_t, summary, STRING, 0, 0, 5000),
    judge_field_strings(judge_report_results_t, strengths, 0, 0, 50, 1000),
    judge_field_strings(judge_report_results_t, weaknesses, 0, 0, 50, 1000),
    judge_field_strings(judge_report_results_t, suggestions, 0, 0, 50, 1000),
    judge_worker_result_object(judge_report_results_t, processing_metadata,
                               judge_worker_result_processing_fields),
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_error_fields[] = {
    judge_field(judge_report_t, code, STRING, 0, 1, 64),
    judge_field(judge_report_t, message, STRING, 0, 1, 1000),
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_source_fields[] = {
    judge_field(judge_report_t, timestamp, TIME, 0, 0, 0),
    judge_field(judge_report_t, source_service, STRING, 0, 0, 200),
    judge_field(judge_report_t, retry_count, INTEGER, 0, 0, 1e9),
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_fields[] = {
    judge_field_as("evaluation_id", judge_report_t, ignored, ANY, 0, 0, 0),
    judge_field(judge_report_t, content_id, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field_one_of(judge_report_t, status, CHOICE, JUDGE_REQUIRED,
                       judge_worker_result_statuses),
    judge_field(judge_report_t, progress_percentage, NUMBER, 0, 0, 100),
    judge_worker_result_object(judge_report_t, results,
                               judge_worker_result_results_fields),
    { .name = "error", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_worker_result_error_fields },
    { .name = "callback_metadata", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_worker_result_source_fields },
    { .name = NULL }
};

static const judge_field_t  judge_worker_result_progress_fields[] = {
    judge_field_as("evaluation_id", judge_report_t, ignored, ANY, 0, 0, 0),
    judge_field_as("status", judge_report_t, ignored, ANY, 0, 0, 0),
    judge_field_as("callback_metadata", judge_report_t, ignored, ANY, 0, 0, 0),
    judge_field(judge_report_t, content_id, STRING, JUDGE_REQUIRED, 1, 200),
    judge_field(judge_report_t, progress_percentage, NUMBER, JUDGE_REQUIRED, 0,
                100),
    { .name = NULL }
};


static void
judge_worker_result_take(const judge_report_score_t *sent,
    judge_criterion_score_t *s)
{
    s->score = sent->score.set ? round(sent->score.value * 100) / 100 : NAN;
    s->judged_by = JUDGE_BY_WORKER;
    s->feedback = sent->feedback.data ? sent->feedback : JUDGE_STR("");

    if (!sent->score.set) {
        s->reason = sent->feedback.len ? sent->feedback
                    : JUDGE_STR("The worker can't judge it in this content.");
    }
}


static judge_rc_e
judge_worker_result_score(judge_report_work_t *x, size_t i, bool *scored)
{
    size_t                    n;
    judge_report_score_t     *score;
    const judge_criterion_t  *criterion = x->rubric.criteria;

    score = (judge_report_score_t *)
            x->report.results.criteria_scores.items + i;

    for (n = 0; n < x->rubric.ncriteria; n++, criterion++) {
        if (score->criterion_id.data
            ? judge_str_eq(score->criterion_id, criterion->id)
            : score->name.data && judge_str_eq(score->name, criterion->name))
        {
            break;
        }
    }

    if (n == x->rubric.ncriteria) {
        return judge_invalid(x->error, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu].%s: the judge has no such"
                   " criterion", i,
                   score->criterion_id.data ? "criterion_id" : "name"));
    }

    if (score->name.data && !judge_str_eq(score->name, criterion->name)) {
        return judge_invalid(x->error, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu].name: expected \"%.*s\", as"
                   " the criterion is called", i,
                   judge_str_args(criterion->name)));
    }

    if (scored[n]) {
        return judge_invalid(x->error, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu]: the criterion has a score"
                   " already", i));
    }

    if (score->score.set == (score->measurable.set
                             && !score->measurable.value))
    {
        return judge_invalid(x->error, judge_str_printf(x->arena,
                   "results.criteria_scores[%zu].score: %s", i,
                   score->score.set
                   ? "expected none where measurable is false"
                   : "required, expected a number from 0 to 100"));
    }

    scored[n] = true;
    judge_worker_result_take(score, &x->verdict.scores[n]);

    return JUDGE_OK;
}


/* Makes a summary from the scores if the worker sends none. */

static judge_str_t
judge_worker_result_summary(judge_report_work_t *x)
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
                            judge_str_args(criteria[high].name),
                            scores[high].score, (int) criteria[low].name.len,
                            criteria[low].name.data, scores[low].score);
}


static judge_rc_e
judge_worker_result_overall(judge_report_work_t *x)
{
    judge_verdict_t               *verdict = &x->verdict;
    const judge_report_results_t  *results = &x->report.results;

    judge_verdict_total(&x->rubric, verdict);

    if (isnan(verdict->overall)) {
        return judge_invalid(x->error,
                   JUDGE_STR("results.criteria_scores: expected a score of one"
                             " criterion at least; where none can be measured"
                             " the evaluation has failed"));
    }

    if (results->overall_score.set) {
        verdict->overall = round(results->overall_score.value * 100) / 100;
    }

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


static judge_rc_e
judge_worker_result_scores(judge_report_work_t *x)
{
    bool                         *scored;
    size_t                        i;
    judge_rc_e                    rc;
    const judge_callback_find_t  *find = x->find;

    rc = judge_rubric_read(x->arena, find->judge_name, find->judge_description,
                           find->criteria, &x->rubric);
    if (rc != JUDGE_OK) {
        return JUDGE_ERROR;            /* stored criteria were valid once */
    }

    judge_review_settings(x->arena, find->review, &x->rubric);

    scored = judge_array_alloc(x->arena, x->rubric.ncriteria, sizeof(bool));
    x->verdict.scores = judge_array_alloc(x->arena, x->rubric.ncriteria,
                                          sizeof(judge_criterion_score_t));
    if (scored == NULL || x->verdict.scores == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < x->report.results.criteria_scores.count; i++) {
        rc = judge_worker_result_score(x, i, scored);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    for (i = 0; i < x->rubric.ncriteria; i++) {
        if (!scored[i]) {
            x->verdict.scores[i].score = NAN;
            x->verdict.scores[i].reason
                = JUDGE_STR("The worker sent no score of it.");
        }
    }

    return judge_worker_result_overall(x);
}


/* A batch counts failures by code, so that a worker's code must have the form
 * of the service's own. */

static judge_rc_e
judge_worker_result_failure(judge_report_work_t *x)
{
    size_t       i;
    judge_str_t  code = x->report.code;
    judge_str_t  message = x->report.message;

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
            return judge_invalid(x->error,
                       JUDGE_STR("error.code: expected capital letters, digits"
                                 " and underscores"));
        }
    }

    code = judge_str_dup(x->arena, code);
    x->failure.code = code.data;
    x->failure.message = message;

    return code.data ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_worker_result_job(const judge_callback_find_t *find, judge_job_t *job)
{
    const judge_evaluation_row_t  *row = &find->row;

    *job = (judge_job_t) {
        .org = row->org,
        .id = row->id,
        .attempts = judge_worker_result_attempts(row),
        .created_at = row->created_at,
        .content_id = row->content_id,
        .judge_id = row->judge_id,
        .judge_version = row->judge_version,
        .batch_id = row->batch_id,
        .given_back = row->given_back,
        .last_error = row->last_error,
        .file_type = find->content_type,
        .others = find->references,
        .nothers = find->nreferences
    };
}


static judge_rc_e
judge_worker_result_processing(judge_report_work_t *x, judge_str_t *json)
{
    judge_rc_e                  rc;
    judge_buf_t                 buf;
    judge_json_writer_t         w;
    judge_report_results_t     *results = &x->report.results;
    judge_report_processing_t  *p = &results->processing_metadata;

    if (!results->has_processing_metadata) {
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
        judge_json_put_number(&w, "processing_time", p->processing_time.value);
    }

    judge_json_object_end(&w);
    rc = judge_json_finish(&w);
    *json = judge_buf_view(&buf);

    return rc;
}


/* Reads the features by their names in media.h.  Unknown names are ignored;
 * those that are missing or out of range become NAN. */

static judge_rc_e
judge_worker_result_features(judge_report_work_t *x, judge_str_t *features)
{
    size_t               i;
    float               *values;
    const judge_json_t  *reported, *v;

    reported = x->report.results.processing_metadata.features;
    if (reported == NULL) {
        return JUDGE_OK;
    }

    values = judge_array_alloc(x->arena, JUDGE_M_COUNT, sizeof(float));
    if (values == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        v = judge_json_get(reported, judge_media_name(i));
        values[i] = NAN;

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
                    judge_calibrator_inputs_hash(JUDGE_ENGINE_WORKER, true),
                    values, JUDGE_M_COUNT);

    return features->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Applies what the judge has learned to the worker's scores, and renders the
 * record. */

static judge_rc_e
judge_worker_result_record(judge_report_work_t *x, judge_ms_t now,
    judge_result_t *result)
{
    judge_rc_e                     rc;
    judge_job_t                    job;
    judge_item_t                   item = { 0 };
    const judge_evaluation_row_t  *row = &x->find->row;
    judge_origin_t                 origin = {
        .engine = JUDGE_ENGINE_WORKER,
        .version = "1", .model = x->report.source_service,
        .reported = x->report.results.overall_score.set
    };

    judge_worker_result_job(x->find, &job);

    *result = (judge_result_t) {
        .org = row->org,
        .id = row->id,
        .evaluated_at = row->evaluated_at ? row->evaluated_at : now
    };

    rc = judge_worker_result_processing(x, &origin.processing);
    rc = rc ? rc : judge_worker_result_features(x, &result->features);

    if (rc == JUDGE_OK && x->failure.code) {
        return judge_claimed_fail(x->arena, &job, &x->failure, &origin,
                                  result->evaluated_at, result);
    }

    if (rc == JUDGE_OK) {
        rc = judge_calibrator_calibrate(x->calibrator, x->arena, &x->rubric,
                                        &item, &x->verdict, &origin);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_review_decide(&x->rubric, &x->verdict, &origin);

    return judge_claimed_complete(x->arena, &job, &x->rubric, &x->verdict,
                                  NULL, &origin, result->evaluated_at, result);
}


judge_rc_e
judge_callback_read(judge_arena_t *arena, const judge_json_t *report,
    const judge_callback_find_t *find, judge_calibrator_entry_t *calibrator,
    judge_ms_t now, judge_result_t *result, judge_str_t *error,
    judge_unknown_t *unknown)
{
    judge_rc_e               rc;
    judge_report_work_t      x = {
        .arena = arena, .find = find, .calibrator = calibrator, .error = error
    };
    judge_report_results_t  *results = &x.report.results;

    rc = judge_fields_bind_known(arena, judge_worker_result_fields, report,
                                 JUDGE_STR(""), &x.report, error, unknown);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_str_eq(x.report.content_id, find->row.content_id)) {
        rc = judge_invalid(x.error,
                 JUDGE_STR("content_id: expected the content of the"
                           " evaluation"));

    } else if (x.report.status.value == JUDGE_WORKER_RESULT_COMPLETED) {
        rc = x.report.has_results
             ? judge_worker_result_scores(&x)
             : judge_invalid(x.error,
                   JUDGE_STR("results: required with the status completed"));

    } else if (results->overall_score.set || results->criteria_scores.count) {
        rc = judge_invalid(x.error,
                 JUDGE_STR("results: expected no scores with the status"
                           " failed"));

    } else {
        rc = judge_worker_result_failure(&x);
    }

    return rc == JUDGE_OK ? judge_worker_result_record(&x, now, result) : rc;
}


bool
judge_callback_is_progress(const judge_json_t *report)
{
    return judge_str_eq_c(judge_json_string(report, "status"), "processing");
}


judge_rc_e
judge_callback_progress(judge_arena_t *arena, const judge_json_t *report,
    const judge_callback_find_t *find, double *percent, judge_str_t *error,
    judge_unknown_t *unknown)
{
    judge_rc_e      rc;
    judge_report_t  chunk = { 0 };

    rc = judge_fields_bind_known(arena, judge_worker_result_progress_fields,
                                 report, JUDGE_STR(""), &chunk, error,
                                 unknown);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (!judge_str_eq(chunk.content_id, find->row.content_id)) {
        *error = JUDGE_STR("content_id: expected the content of the"
                           " evaluation");
        return JUDGE_INVALID;
    }

    *percent = chunk.progress_percentage.value;

    return JUDGE_OK;
}


int64_t
judge_worker_result_attempts(const judge_evaluation_row_t *row)
{
    return row->attempts > 0 ? row->attempts : 1;
}
