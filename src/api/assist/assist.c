/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria out of prose, and what the columns of a table are.
 */


#include "api/http/auth.h"
#include "api/http/enums.h"
#include "api/assist/assist_call.h"
#include "api/http/routes.h"


typedef struct {
    judge_integer_t  max_criteria_count;
    judge_boolean_t  include_weights;
    judge_boolean_t  include_thresholds;
} judge_assist_criteria_options_t;

typedef struct {
    judge_assist_t                   llm;
    judge_str_t                      description;
    judge_choice_t                   content_type;
    judge_assist_criteria_options_t  options;
    judge_parse_request_t            request;
    judge_parsed_criteria_t          builtin;
    judge_parsed_criteria_t          modelled;
} judge_assist_criteria_t;

typedef struct {
    judge_number_t   confidence_threshold;
    judge_boolean_t  suggest_transformations;
} judge_assist_columns_options_t;

typedef struct {
    judge_assist_t                  llm;
    judge_str_t                     csv_sample;
    judge_list_t                    expected_fields;
    judge_assist_columns_options_t  options;
    judge_columns_request_t         request;
    judge_columns_t                 builtin;
    judge_columns_t                 modelled;
    size_t                          ncolumns;
    judge_column_hint_t            *hints;
} judge_assist_columns_t;


static void judge_assist_criteria(judge_req_t *r);
static void judge_assist_criteria_chosen(judge_req_t *r);
static void judge_assist_criteria_run(judge_req_t *r);
static void judge_assist_criteria_ran(judge_req_t *r);
static judge_rc_e judge_assist_criteria_build(judge_llm_call_t *ask);
static judge_rc_e judge_assist_criteria_read(judge_llm_call_t *ask,
    judge_str_t answer);
static void judge_assist_criteria_answer(judge_req_t *r);
static void judge_assist_criterion(judge_json_writer_t *w,
    const judge_parsed_criteria_t *prose, const judge_parsed_criterion_t *c);
static void judge_assist_columns(judge_req_t *r);
static bool judge_assist_expected(judge_req_t *r, judge_assist_columns_t *c);
static void judge_assist_columns_chosen(judge_req_t *r);
static void judge_assist_columns_run(judge_req_t *r);
static void judge_assist_columns_ran(judge_req_t *r);
static judge_rc_e judge_assist_columns_build(judge_llm_call_t *ask);
static judge_rc_e judge_assist_columns_read(judge_llm_call_t *ask,
    judge_str_t answer);
static void judge_assist_columns_answer(judge_req_t *r);
static void judge_assist_column(judge_json_writer_t *w,
    const judge_column_t *column);
static void judge_assist_insights(judge_json_writer_t *w,
    const judge_columns_t *columns, judge_str_t fallback);
static void judge_assist_preview(judge_json_writer_t *w,
    const judge_columns_t *columns);
static void judge_assist_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n, judge_str_t last);


static const judge_field_t  judge_assist_criteria_options[] = {
    { .name = "max_criteria_count", .type = JUDGE_FIELD_INTEGER,
      .offset = offsetof(judge_assist_criteria_t, options.max_criteria_count),
      .min = 1, .max = JUDGE_PARSE_CRITERIA },
    { .name = "include_weights", .type = JUDGE_FIELD_BOOLEAN,
      .offset = offsetof(judge_assist_criteria_t, options.include_weights) },
    { .name = "include_thresholds", .type = JUDGE_FIELD_BOOLEAN,
      .offset = offsetof(judge_assist_criteria_t,
                         options.include_thresholds) },
    { .name = NULL }
};

static const judge_field_t  judge_assist_criteria_fields[] = {
    { .name = "description", .type = JUDGE_FIELD_STRING,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_assist_criteria_t, description), .min = 1,
      .max = JUDGE_PARSE_MAX },
    { .name = "content_type", .type = JUDGE_FIELD_CHOICE,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_assist_criteria_t, content_type),
      .choices = judge_content_types },
    { .name = "parsing_options", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_assist_criteria_options },
    { .name = "model", .type = JUDGE_FIELD_STRING,
      .offset = offsetof(judge_assist_criteria_t, llm.choice.model), .min = 1,
      .max = JUDGE_LLM_NAME },
    { .name = NULL }
};

static const judge_field_t  judge_assist_columns_options[] = {
    { .name = "confidence_threshold", .type = JUDGE_FIELD_NUMBER,
      .offset = offsetof(judge_assist_columns_t, options.confidence_threshold),
      .min = 0, .max = 1 },
    { .name = "suggest_transformations", .type = JUDGE_FIELD_BOOLEAN,
      .offset = offsetof(judge_assist_columns_t,
                         options.suggest_transformations) },
    { .name = NULL }
};

static const judge_field_t  judge_assist_columns_fields[] = {
    { .name = "csv_sample", .type = JUDGE_FIELD_STRING,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_assist_columns_t, csv_sample), .min = 1,
      .max = JUDGE_COLUMNS_SAMPLE_MAX },
    { .name = "expected_fields", .type = JUDGE_FIELD_STRINGS,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_assist_columns_t, expected_fields), .min = 1,
      .max = 20, .item_max = 100 },
    { .name = "detection_options", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_assist_columns_options },
    { .name = "model", .type = JUDGE_FIELD_STRING,
      .offset = offsetof(judge_assist_columns_t, llm.choice.model), .min = 1,
      .max = JUDGE_LLM_NAME },
    { .name = NULL }
};


const judge_route_t  judge_llm_routes[] = {
    { .method = JUDGE_POST, .pattern = "/llm/parse-criteria",
      .permission = JUDGE_MAY_USE_LLM,
      .ctx_size = sizeof(judge_assist_criteria_t),
      .body = judge_assist_criteria_fields, .handler = judge_assist_criteria },
    { .method = JUDGE_POST, .pattern = "/llm/detect-csv-columns",
      .permission = JUDGE_MAY_USE_LLM,
      .ctx_size = sizeof(judge_assist_columns_t),
      .body = judge_assist_columns_fields, .handler = judge_assist_columns },
    { .pattern = NULL }
};


static void
judge_assist_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n, judge_str_t last)
{
    size_t  i;

    judge_json_key(w, key);
    judge_json_array(w);

    for (i = 0; i < n; i++) {
        judge_json_str(w, strings[i]);
    }

    if (last.data) {
        judge_json_str(w, last);
    }

    judge_json_array_end(w);
}


/* --- POST /llm/parse-criteria -------------------------------------------- */


static void
judge_assist_criteria(judge_req_t *r)
{
    judge_assist_begin(r, judge_assist_criteria_chosen);
}


static void
judge_assist_criteria_chosen(judge_req_t *r)
{
    judge_assist_criteria_t  *c = r->ctx;

    if (!judge_assist_chosen(r)) {
        return;
    }

    c->request.description = c->description;
    (void) judge_parse_type_find(judge_enum_name(judge_content_types,
                                                 c->content_type),
                                 &c->request.content_type);
    c->request.max_criteria = c->options.max_criteria_count.set
                              ? (unsigned) c->options.max_criteria_count.value
                              : 0;
    c->request.weights = !c->options.include_weights.set
                         || c->options.include_weights.value;
    c->request.thresholds = !c->options.include_thresholds.set
                            || c->options.include_thresholds.value;

    judge_compute(r, judge_assist_criteria_run, judge_assist_criteria_ran);
}


static void
judge_assist_criteria_run(judge_req_t *r)
{
    judge_assist_criteria_t  *c = r->ctx;

    c->llm.rc = judge_criteria_parse(r->arena, &c->request, &c->builtin,
                                     &c->llm.error);
}


static void
judge_assist_criteria_ran(judge_req_t *r)
{
    judge_assist_criteria_t  *c = r->ctx;

    if (!judge_assist_fine(r)) {
        return;
    }

    if (c->llm.order.count == 0) {
        judge_assist_criteria_answer(r);
        return;
    }

    judge_assist_call(r, judge_assist_criteria_build,
                      judge_assist_criteria_read,
                      judge_assist_criteria_answer);
}


static judge_rc_e
judge_assist_criteria_build(judge_llm_call_t *ask)
{
    judge_rc_e                rc;
    judge_req_t              *r = ask->data;
    judge_assist_criteria_t  *c = r->ctx;

    rc = judge_assist_prompt_criteria(ask->arena, &ask->prompt, &c->request,
                                      &c->llm.asked);
    ask->body = c->llm.asked.body;
    ask->tokens = c->llm.asked.tokens;

    return rc;
}


static judge_rc_e
judge_assist_criteria_read(judge_llm_call_t *ask, judge_str_t answer)
{
    judge_rc_e                rc;
    judge_req_t              *r = ask->data;
    judge_assist_criteria_t  *c = r->ctx;

    rc = judge_assist_reply_criteria(ask->arena, &c->llm.asked, &c->request,
                                     answer, &c->llm.reply, &c->modelled);
    judge_assist_report(ask);

    return rc;
}


static void
judge_assist_criteria_answer(judge_req_t *r)
{
    size_t                          i;
    judge_str_t                     fallback;
    judge_json_writer_t            *w;
    const judge_parsed_criteria_t  *prose;
    judge_assist_criteria_t        *c = r->ctx;

    prose = c->llm.answered ? &c->modelled : &c->builtin;
    fallback = judge_assist_fallback(r);

    w = judge_reply_begin(r, 200);
    judge_json_key(w, "parsed_criteria");
    judge_json_array(w);

    for (i = 0; i < prose->ncriteria; i++) {
        judge_assist_criterion(w, prose, &prose->criteria[i]);
    }

    judge_json_array_end(w);
    judge_json_put_number2(w, "parsing_confidence", prose->confidence);
    judge_assist_strings(w, "suggestions", prose->suggestions,
                         prose->nsuggestions, fallback);
    judge_json_put_int(w, "tokens_used", c->llm.used);
    judge_reply_end(r);
}


static void
judge_assist_criterion(judge_json_writer_t *w,
    const judge_parsed_criteria_t *prose,
    const judge_parsed_criterion_t *c)
{
    judge_str_t  none = { 0, NULL };

    judge_json_object(w);
    judge_json_put_str(w, "name", c->name);
    judge_json_put_str(w, "description", c->description);

    if (prose->weights) {
        judge_json_put_number(w, "suggested_weight", c->weight);
    }

    if (prose->thresholds) {
        judge_json_key(w, "suggested_thresholds");
        judge_json_object(w);
        judge_json_put_number2(w, "excellent", c->excellent);
        judge_json_put_number2(w, "good", c->good);
        judge_json_put_number2(w, "fair", c->fair);
        judge_json_put_number2(w, "poor", c->poor);
        judge_json_object_end(w);
    }

    judge_assist_strings(w, "examples", c->examples, c->nexamples, none);
    judge_json_object_end(w);
}


/* --- POST /llm/detect-csv-columns ---------------------------------------- */


static void
judge_assist_columns(judge_req_t *r)
{
    judge_assist_columns_t  *c = r->ctx;

    if (judge_assist_expected(r, c)) {
        judge_assist_begin(r, judge_assist_columns_chosen);
    }
}


static bool
judge_assist_expected(judge_req_t *r, judge_assist_columns_t *c)
{
    size_t                 i;
    judge_str_t           *names;
    judge_column_field_e   field;

    names = c->expected_fields.items;

    for (i = 0; i < c->expected_fields.count; i++) {
        if (!judge_column_field_find(names[i], &field)) {
            judge_fail(r, 400, "expected_fields[%zu]: expected one of content,"
                               " title, description, category, metadata, id",
                       i);
            return false;
        }

        c->request.expected |= 1u << field;
    }

    return true;
}


static void
judge_assist_columns_chosen(judge_req_t *r)
{
    judge_assist_columns_t  *c = r->ctx;

    if (!judge_assist_chosen(r)) {
        return;
    }

    c->request.csv_sample = c->csv_sample;
    c->request.confidence_threshold = c->options.confidence_threshold.set
                                      ? c->options.confidence_threshold.value
                                      : JUDGE_COLUMNS_THRESHOLD;
    c->request.suggest_transformations =
        !c->options.suggest_transformations.set
        || c->options.suggest_transformations.value;

    judge_compute(r, judge_assist_columns_run, judge_assist_columns_ran);
}


static void
judge_assist_columns_run(judge_req_t *r)
{
    judge_assist_columns_t  *c = r->ctx;

    c->llm.rc = judge_columns_detect(r->arena, &c->request, &c->builtin,
                                     &c->llm.error);
}


static void
judge_assist_columns_ran(judge_req_t *r)
{
    judge_assist_columns_t  *c = r->ctx;

    if (!judge_assist_fine(r)) {
        return;
    }

    c->ncolumns = c->builtin.ndetected + c->builtin.nunmapped;

    if (c->llm.order.count == 0 || c->ncolumns == 0) {
        judge_assist_columns_answer(r);
        return;
    }

    c->hints = judge_array_alloc(r->arena, c->ncolumns,
                                 sizeof(judge_column_hint_t));
    if (c->hints == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_assist_call(r, judge_assist_columns_build, judge_assist_columns_read,
                      judge_assist_columns_answer);
}


static judge_rc_e
judge_assist_columns_build(judge_llm_call_t *ask)
{
    judge_rc_e               rc;
    judge_req_t             *r = ask->data;
    judge_assist_columns_t  *c = r->ctx;

    rc = judge_assist_prompt_columns(ask->arena, &ask->prompt, &c->request,
                                     c->ncolumns, &c->llm.asked);
    ask->body = c->llm.asked.body;
    ask->tokens = c->llm.asked.tokens;

    return rc;
}


/* With what the model says of the columns all the rest is found again. */

static judge_rc_e
judge_assist_columns_read(judge_llm_call_t *ask, judge_str_t answer)
{
    judge_rc_e                rc;
    judge_req_t              *r = ask->data;
    judge_assist_columns_t   *c = r->ctx;
    judge_columns_request_t   hinted;

    rc = judge_assist_reply_columns(ask->arena, &c->llm.asked, &c->request,
                                    c->ncolumns, answer, &c->llm.reply,
                                    c->hints);
    judge_assist_report(ask);

    if (rc != JUDGE_OK || ask->reply != JUDGE_REPLY_OK) {
        return rc;
    }

    hinted = c->request;
    hinted.hints = c->hints;
    hinted.nhints = c->ncolumns;

    return judge_columns_detect(ask->arena, &hinted, &c->modelled, NULL);
}


static void
judge_assist_columns_answer(judge_req_t *r)
{
    size_t                   i;
    judge_str_t              fallback, none = { 0, NULL };
    judge_json_writer_t     *w;
    judge_assist_columns_t  *c = r->ctx;
    const judge_columns_t   *columns;

    columns = c->llm.answered ? &c->modelled : &c->builtin;
    fallback = c->ncolumns ? judge_assist_fallback(r) : none;

    w = judge_reply_begin(r, 200);
    judge_json_key(w, "detected_columns");
    judge_json_array(w);

    for (i = 0; i < columns->ndetected; i++) {
        judge_assist_column(w, &columns->detected[i]);
    }

    judge_json_array_end(w);
    judge_assist_strings(w, "unmapped_columns", columns->unmapped,
                         columns->nunmapped, none);
    judge_assist_insights(w, columns, fallback);
    judge_assist_preview(w, columns);
    judge_json_put_int(w, "tokens_used", c->llm.used);
    judge_reply_end(r);
}


static void
judge_assist_column(judge_json_writer_t *w, const judge_column_t *column)
{
    judge_str_t  none = { 0, NULL };

    judge_json_object(w);
    judge_json_put_str(w, "csv_column_name", column->name);
    judge_json_put_int(w, "csv_column_index", (int64_t) column->index);
    judge_json_put_c(w, "mapped_field",
                     judge_column_fields[column->field].name);
    judge_json_put_number2(w, "confidence", column->confidence);
    judge_assist_strings(w, "sample_values", column->samples, column->nsamples,
                         none);
    judge_json_put_c(w, "data_type", column->data_type);
    judge_assist_strings(w, "suggested_transformations",
                         column->transformations,
                         column->ntransformations, none);
    judge_json_object_end(w);
}


static void
judge_assist_insights(judge_json_writer_t *w, const judge_columns_t *columns,
    judge_str_t fallback)
{
    judge_str_t  none = { 0, NULL };

    judge_json_key(w, "data_quality_insights");
    judge_json_object(w);
    judge_json_put_int(w, "estimated_rows",
                       (int64_t) columns->estimated_rows);
    judge_assist_strings(w, "potential_issues", columns->issues,
                         columns->nissues, none);
    judge_assist_strings(w, "recommendations", columns->recommendations,
                         columns->nrecommendations, fallback);
    judge_json_object_end(w);
}


/* Of columns of the same name the first counts. */

static void
judge_assist_values(judge_json_writer_t *w, const judge_column_value_t *values,
    size_t n)
{
    size_t  i, k;

    for (i = 0; i < n; i++) {
        for (k = 0; k < i && !judge_str_eq(values[k].name, values[i].name);
             k++)
        {
            /* void */
        }

        if (k == i) {
            judge_json_key_str(w, values[i].name);
            judge_json_str(w, values[i].value);
        }
    }
}


static void
judge_assist_preview(judge_json_writer_t *w, const judge_columns_t *columns)
{
    size_t                        i;
    const judge_column_record_t  *record;

    judge_json_key(w, "import_preview");
    judge_json_object(w);
    judge_json_key(w, "sample_records");
    judge_json_array(w);

    for (i = 0; i < columns->nrecords; i++) {
        record = &columns->records[i];
        judge_json_object(w);
        judge_assist_values(w, record->fields, record->nfields);

        if (record->nmetadata) {
            judge_json_key(w, "metadata");
            judge_json_object(w);
            judge_assist_values(w, record->metadata, record->nmetadata);
            judge_json_object_end(w);
        }

        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_number2(w, "estimated_success_rate",
                           columns->success_rate);
    judge_json_object_end(w);
}
