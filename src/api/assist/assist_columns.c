/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* POST /llm/detect-csv-columns: which column of a table is which field. */


#include "api/assist/assist_call.h"
#include "api/http/request.h"


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


static void judge_assist_columns(judge_req_t *r);


static const judge_field_t  judge_assist_columns_options[] = {
    judge_field_as("confidence_threshold", judge_assist_columns_t,
                   options.confidence_threshold, NUMBER, 0, 0, 1),
    judge_field_as("suggest_transformations", judge_assist_columns_t,
                   options.suggest_transformations, BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_assist_columns_fields[] = {
    judge_field(judge_assist_columns_t, csv_sample, STRING, JUDGE_REQUIRED, 1,
                JUDGE_COLUMNS_SAMPLE_MAX),
    judge_field_strings(judge_assist_columns_t, expected_fields,
                        JUDGE_REQUIRED, 1, 20, 100),
    { .name = "detection_options", .type = JUDGE_FIELD_OBJECT,
      .fields = judge_assist_columns_options },
    judge_field_as("model", judge_assist_columns_t, llm.choice.model, STRING,
                   0, 1, JUDGE_LLM_NAME),
    { .name = NULL }
};


const judge_route_t  judge_assist_columns_routes[] = {
    { judge_route(POST, "/llm/detect-csv-columns", JUDGE_MAY_USE_LLM, 0,
                  judge_assist_columns_t),
      .body = judge_assist_columns_fields, .handler = judge_assist_columns },
    { .pattern = NULL }
};


static judge_rc_e
judge_assist_columns_builtin(judge_req_t *r)
{
    judge_rc_e               rc;
    judge_assist_columns_t  *c = r->ctx;

    c->request.csv_sample = c->csv_sample;
    c->request.confidence_threshold = c->options.confidence_threshold.set
                                      ? c->options.confidence_threshold.value
                                      : JUDGE_COLUMNS_THRESHOLD;
    c->request.suggest_transformations =
        !c->options.suggest_transformations.set
        || c->options.suggest_transformations.value;

    rc = judge_columns_detect(r->arena, &c->request, &c->builtin,
                              &c->llm.error);
    if (rc != JUDGE_OK) {
        return rc;
    }

    c->ncolumns = c->builtin.ndetected + c->builtin.nunmapped;
    if (c->ncolumns == 0) {
        c->llm.order.count = 0;
        return JUDGE_OK;
    }

    c->hints = judge_array_alloc(r->arena, c->ncolumns,
                                 sizeof(judge_column_hint_t));

    return c->hints ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_assist_columns_prompt(judge_req_t *r, judge_llm_call_t *ask)
{
    judge_assist_columns_t  *c = r->ctx;

    return judge_assist_prompt_columns(ask->arena, &ask->prompt, &c->request,
                                       c->ncolumns, &c->llm.ask.request);
}


static judge_rc_e
judge_assist_columns_read(judge_req_t *r, judge_arena_t *arena,
    judge_str_t answer)
{
    judge_assist_columns_t  *c = r->ctx;

    return judge_assist_reply_columns(arena, &c->llm.ask.request, &c->request,
                                      c->ncolumns, answer, &c->llm.ask.answer,
                                      c->hints);
}


/* The detection is repeated with the model's mapping as its hints. */

static judge_rc_e
judge_assist_columns_kept(judge_req_t *r, judge_arena_t *arena)
{
    judge_assist_columns_t   *c = r->ctx;
    judge_columns_request_t   hinted;

    hinted = c->request;
    hinted.hints = c->hints;
    hinted.nhints = c->ncolumns;

    return judge_columns_detect(arena, &hinted, &c->modelled, NULL);
}


static void
judge_assist_columns_one(judge_json_writer_t *w, const judge_column_t *column)
{
    judge_json_object(w);
    judge_json_put_str(w, "csv_column_name", column->name);
    judge_json_put_int(w, "csv_column_index", (int64_t) column->index);
    judge_json_put_c(w, "mapped_field",
                     judge_column_fields[column->field].name);
    judge_json_put_number2(w, "confidence", column->confidence);
    judge_json_put_strings(w, "sample_values", column->samples,
                           column->nsamples);
    judge_json_put_c(w, "data_type", column->data_type);
    judge_json_put_strings(w, "suggested_transformations",
                           column->transformations, column->ntransformations);
    judge_json_object_end(w);
}


static void
judge_assist_columns_insights(judge_json_writer_t *w,
    const judge_columns_t *columns, judge_str_t fallback)
{
    judge_json_key_object(w, "data_quality_insights");
    judge_json_put_int(w, "estimated_rows", (int64_t) columns->estimated_rows);
    judge_json_put_strings(w, "potential_issues", columns->issues.items,
                           columns->issues.n);
    judge_assist_strings(w, "recommendations",
                         columns->recommendations.items,
                         columns->recommendations.n, fallback);
    judge_json_object_end(w);
}


/* If several columns have the same name, metadata has the first one. */

static void
judge_assist_columns_record(judge_json_writer_t *w,
    const judge_columns_t *columns, const judge_str_t *values)
{
    bool                   metadata;
    size_t                 i, k;
    const judge_column_t  *c = columns->detected;

    metadata = false;
    judge_json_object(w);

    for (i = 0; i < columns->ndetected; i++) {
        if (values[i].data && c[i].field != JUDGE_COLUMN_METADATA) {
            judge_json_put_str(w, judge_column_fields[c[i].field].name,
                               values[i]);
        }
    }

    for (i = 0; i < columns->ndetected; i++) {
        if (values[i].data == NULL || c[i].field != JUDGE_COLUMN_METADATA) {
            continue;
        }

        if (!metadata) {
            judge_json_key_object(w, "metadata");
            metadata = true;
        }

        for (k = 0; k < i; k++) {
            if (values[k].data && c[k].field == JUDGE_COLUMN_METADATA
                && judge_str_eq(c[k].name, c[i].name))
            {
                break;
            }
        }

        if (k == i) {
            judge_json_key_str(w, c[i].name);
            judge_json_str(w, values[i]);
        }
    }

    if (metadata) {
        judge_json_object_end(w);
    }

    judge_json_object_end(w);
}


static void
judge_assist_columns_preview(judge_json_writer_t *w,
    const judge_columns_t *columns)
{
    size_t  i;

    judge_json_key_object(w, "import_preview");
    judge_json_key_array(w, "sample_records");

    for (i = 0; i < columns->nrecords; i++) {
        judge_assist_columns_record(w, columns, columns->records[i]);
    }

    judge_json_array_end(w);
    judge_json_put_number2(w, "estimated_success_rate", columns->success_rate);
    judge_json_object_end(w);
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
    judge_json_key_array(w, "detected_columns");

    for (i = 0; i < columns->ndetected; i++) {
        judge_assist_columns_one(w, &columns->detected[i]);
    }

    judge_json_array_end(w);
    judge_json_put_strings(w, "unmapped_columns", columns->unmapped,
                           columns->nunmapped);
    judge_assist_columns_insights(w, columns, fallback);
    judge_assist_columns_preview(w, columns);
    judge_json_put_int(w, "tokens_used", c->llm.used);
    judge_reply_end(r);
}


static const judge_assist_steps_t  judge_assist_columns_steps = {
    judge_assist_columns_builtin, judge_assist_columns_prompt,
    judge_assist_columns_read, judge_assist_columns_kept,
    judge_assist_columns_answer
};


static void
judge_assist_columns(judge_req_t *r)
{
    size_t                   i;
    judge_str_t             *names;
    judge_column_field_e     field;
    judge_assist_columns_t  *c = r->ctx;

    names = c->expected_fields.items;

    for (i = 0; i < c->expected_fields.count; i++) {
        if (!judge_column_field_find(names[i], &field)) {
            judge_fail(r, 400, "expected_fields[%zu]: expected one of content,"
                               " title, description, category, metadata, id",
                       i);
            return;
        }

        c->request.expected |= 1u << field;
    }

    judge_assist_run(r, &judge_assist_columns_steps);
}
