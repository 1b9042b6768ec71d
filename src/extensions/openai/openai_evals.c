/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evals: what items look like, and the graders that test them. */


#include "analysis/checks/schema.h"
#include "extensions/openai/openai_work.h"


/* What is checked before it is stored. */
typedef struct {
    judge_openai_plan_t    plan;
    judge_settings_find_t  judges;
} judge_openai_eval_t;

static const judge_field_t  judge_openai_config_fields[] = {
    judge_field_as("type", judge_openai_t, config.type, STRING, JUDGE_REQUIRED,
                   1, 64),
    judge_field_as("item_schema", judge_openai_t, config.schema, ANY_OBJECT, 0,
                   0, 0),
    judge_field_as("include_sample_schema", judge_openai_t, config.samples,
                   BOOLEAN, 0, 0, 0),
    { .name = NULL }
};

const judge_field_t  judge_openai_eval_fields[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    { .name = "data_source_config", .type = JUDGE_FIELD_OBJECT,
      .flags = JUDGE_REQUIRED, .fields = judge_openai_config_fields },
    judge_field_as("testing_criteria", judge_openai_t, criteria, ANY,
                   JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};


static judge_rc_e
judge_openai_eval_check(judge_req_t *r)
{
    judge_rc_e       rc;
    judge_str_t      why;
    judge_openai_t  *c = r->ctx;
    judge_schema_t  *compiled;

    if (judge_str_eq_c(c->config.type, "logs")
        || judge_str_eq_c(c->config.type, "stored_completions"))
    {
        return judge_openai_invalid(&c->error, JUDGE_STR(
            "data_source_config.type: no completions are stored here; take"
            " \"custom\", and give the items to the run"));
    }

    if (!judge_str_eq_c(c->config.type, "custom")) {
        return judge_openai_invalid(&c->error, JUDGE_STR(
            "data_source_config.type: expected \"custom\""));
    }

    if (c->config.schema == NULL) {
        return judge_openai_invalid(&c->error, JUDGE_STR(
            "data_source_config.item_schema: expected a JSON Schema"));
    }

    rc = judge_schema_read(r->arena, c->config.schema, &compiled, &why);
    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_openai_invalid(&c->error, judge_str_printf(r->arena,
               "data_source_config.item_schema: %.*s", (int) why.len,
               why.data));
}


/* Makes what is stored, in a thread: items are as the schema says, and samples
 * as OpenAI has them. */

static void
judge_openai_eval_make(judge_req_t *r)
{
    bool                  samples;
    judge_str_t           schema, criteria;
    judge_openai_t       *c = r->ctx;
    judge_openai_row_t   *row = &c->create.row;
    judge_openai_eval_t  *eval = c->data;

    eval->plan.service = r->service;
    c->rc = judge_openai_eval_check(r);
    c->rc = c->rc ? c->rc
            : judge_openai_plan_graders(&eval->plan, r->arena, c->criteria,
                                        &c->error);
    if (c->rc != JUDGE_OK) {
        return;
    }

    samples = c->config.samples.value;
    schema = judge_json_value_text(r->arena, c->config.schema);
    criteria = judge_json_value_text(r->arena, c->criteria);
    row->body = judge_str_printf(r->arena, "{\"data_source_config\":{\"type\":"
        "\"custom\",\"schema\":{\"type\":\"object\",\"properties\":{\"item\":"
        "%.*s%s},\"required\":[\"item\"%s]}},\"testing_criteria\":%.*s}",
        (int) schema.len, schema.data,
        samples ? ",\"sample\":{\"type\":\"object\"}" : "",
        samples ? ",\"sample\"" : "", (int) criteria.len, criteria.data);
    row->metadata = JUDGE_STR("{}");
    c->name = c->name.data ? c->name : JUDGE_STR("");
    c->rc = schema.data && criteria.data && row->body.data ? JUDGE_OK
                                                           : JUDGE_NOMEM;
}


static void
judge_openai_eval_judged(judge_req_t *r)
{
    judge_openai_t       *c = r->ctx;
    judge_openai_eval_t  *eval = c->data;

    if (judge_openai_judges_check(r, eval->plan.graders, eval->plan.ngraders,
                                  &eval->judges))
    {
        judge_openai_create(r);
    }
}


static void
judge_openai_eval_made(judge_req_t *r)
{
    judge_openai_t       *c = r->ctx;
    judge_openai_eval_t  *eval = c->data;

    if (judge_check(r, c->rc, &c->error)) {
        judge_openai_judges_find(r, eval->plan.graders, eval->plan.ngraders,
                                 &eval->judges, judge_openai_eval_judged);
    }
}


void
judge_openai_eval_create(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    c->data = judge_calloc(r->arena, sizeof(judge_openai_eval_t));

    if (judge_check(r, c->data ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_compute(r, judge_openai_eval_make, judge_openai_eval_made);
    }
}
