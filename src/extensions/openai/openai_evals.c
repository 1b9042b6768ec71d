/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Evals: what items look like, and the graders that test them. */


#include "analysis/checks/schema.h"
#include "extensions/openai/openai_judge.h"
#include "extensions/openai/openai_work.h"


static void judge_openai_eval_create(judge_req_t *r);
static void judge_openai_eval_list(judge_req_t *r);
static void judge_openai_eval_get(judge_req_t *r);
static void judge_openai_eval_update(judge_req_t *r);
static void judge_openai_eval_delete(judge_req_t *r);
static void judge_openai_eval_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row);


static const judge_field_t  judge_openai_eval_fields[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    judge_field_as("data_source_config", judge_openai_t, config, ANY_OBJECT,
                   JUDGE_REQUIRED, 0, 0),
    judge_field_as("testing_criteria", judge_openai_t, criteria, ANY,
                   JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};

static const judge_field_t  judge_openai_eval_changes[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    { .name = NULL }
};

const judge_route_t  judge_openai_eval_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_PATH "/evals", JUDGE_MAY_WRITE_JUDGES, 0,
                  judge_openai_t),
      .body = judge_openai_eval_fields, .handler = judge_openai_eval_create },
    { judge_route(GET, JUDGE_OPENAI_PATH "/evals", JUDGE_MAY_READ_JUDGES, 0,
                  judge_openai_t),
      .query = judge_openai_query, .handler = judge_openai_eval_list },
    { judge_route(GET, JUDGE_OPENAI_PATH "/evals/{eval_id}",
                  JUDGE_MAY_READ_JUDGES, 0, judge_openai_t),
      .handler = judge_openai_eval_get },
    { judge_route(POST, JUDGE_OPENAI_PATH "/evals/{eval_id}",
                  JUDGE_MAY_WRITE_JUDGES, 0, judge_openai_t),
      .body = judge_openai_eval_changes, .handler = judge_openai_eval_update },
    { judge_route(DELETE, JUDGE_OPENAI_PATH "/evals/{eval_id}",
                  JUDGE_MAY_WRITE_JUDGES, 0, judge_openai_t),
      .handler = judge_openai_eval_delete },
    { .pattern = NULL }
};

const judge_openai_kind_t  judge_openai_eval = {
    .name = "eval", .deleted = "eval.deleted", .id = "eval_id",
    .write = judge_openai_eval_write
};


/* --- Answers ------------------------------------------------------------- */

static void
judge_openai_eval_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row)
{
    judge_json_t  *body, *v;

    judge_json_put_c(w, "object", "eval");
    judge_json_put_str(w, "id", row->id);
    judge_json_put_str(w, "name", row->name.data ? row->name : JUDGE_STR(""));
    judge_json_put_int(w, "created_at", row->created_at / 1000);

    if (judge_json_parse(r->arena, row->body, &body, NULL) != JUDGE_OK) {
        body = NULL;
    }

    for (v = body ? body->first : NULL; v; v = v->next) {
        judge_json_key_str(w, v->key);
        judge_json_value(w, v);
    }

    judge_openai_put_metadata(w, row->metadata);
}


static void
judge_openai_eval_get(judge_req_t *r)
{
    judge_openai_get(r, &judge_openai_eval);
}


static void
judge_openai_eval_list(judge_req_t *r)
{
    judge_openai_list(r, &judge_openai_eval);
}


static void
judge_openai_eval_delete(judge_req_t *r)
{
    judge_openai_delete(r, &judge_openai_eval);
}


/* --- Creating ------------------------------------------------------------ */

static judge_rc_e
judge_openai_eval_invalid(judge_openai_t *c, judge_str_t sentence)
{
    c->error = sentence;

    return sentence.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


/* Items are as the schema says, and samples as OpenAI has them. */

static void
judge_openai_eval_config(judge_json_writer_t *w, const judge_json_t *schema,
    bool samples)
{
    judge_json_key_object(w, "data_source_config");
    judge_json_put_c(w, "type", "custom");
    judge_json_key_object(w, "schema");
    judge_json_put_c(w, "type", "object");
    judge_json_key_object(w, "properties");
    judge_json_key(w, "item");
    judge_json_value(w, schema);

    if (samples) {
        judge_json_put_raw(w, "sample", JUDGE_STR("{\"type\":\"object\"}"));
    }

    judge_json_object_end(w);
    judge_json_put_raw(w, "required", samples
                       ? JUDGE_STR("[\"item\",\"sample\"]")
                       : JUDGE_STR("[\"item\"]"));
    judge_json_object_end(w);
    judge_json_object_end(w);
}


static judge_rc_e
judge_openai_eval_check(judge_req_t *r, const judge_json_t **schema,
    bool *samples)
{
    judge_rc_e           rc;
    judge_str_t          type, why;
    judge_openai_t      *c = r->ctx;
    judge_json_t        *v;
    judge_schema_t      *compiled;

    type = judge_openai_string(c->config, "type");

    if (judge_str_eq_c(type, "logs")
        || judge_str_eq_c(type, "stored_completions"))
    {
        return judge_openai_eval_invalid(c, JUDGE_STR(
            "data_source_config.type: no completions are stored here; take"
            " \"custom\", and give the items to the run"));
    }

    if (!judge_str_eq_c(type, "custom")) {
        return judge_openai_eval_invalid(c, JUDGE_STR(
            "data_source_config.type: expected \"custom\""));
    }

    v = judge_json_get(c->config, "include_sample_schema");
    *samples = v && v->type == JUDGE_JSON_BOOLEAN && v->boolean;

    *schema = judge_json_get(c->config, "item_schema");
    if (*schema == NULL || (*schema)->type != JUDGE_JSON_OBJECT) {
        return judge_openai_eval_invalid(c, JUDGE_STR(
            "data_source_config.item_schema: expected a JSON Schema"));
    }

    rc = judge_schema_read(r->arena, *schema, &compiled, &why);
    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_openai_eval_invalid(c, judge_str_printf(r->arena,
               "data_source_config.item_schema: %.*s", (int) why.len,
               why.data));
}


/* What is checked before it is stored. */
typedef struct {
    judge_openai_plan_t    plan;
    judge_settings_find_t  judges;
} judge_openai_eval_t;


/* Makes what is stored, in a thread. */

static void
judge_openai_eval_make(judge_req_t *r)
{
    bool                  samples;
    judge_buf_t           buf;
    judge_openai_t       *c = r->ctx;
    const judge_json_t   *schema;
    judge_openai_eval_t  *eval;
    judge_json_writer_t   w;

    c->rc = judge_openai_eval_check(r, &schema, &samples);
    if (c->rc != JUDGE_OK) {
        return;
    }

    eval = judge_calloc(r->arena, sizeof(judge_openai_eval_t));
    if (eval == NULL) {
        c->rc = JUDGE_NOMEM;
        return;
    }

    c->data = eval;
    eval->plan.service = r->service;
    c->rc = judge_openai_plan_graders(&eval->plan, r->arena, c->criteria,
                                      &c->error);
    if (c->rc != JUDGE_OK) {
        return;
    }

    judge_json_begin_object(&w, &buf, r->arena);
    judge_openai_eval_config(&w, schema, samples);
    judge_json_key(&w, "testing_criteria");
    judge_json_value(&w, c->criteria);
    c->create.row.body = judge_json_text(&w);
    c->rc = c->create.row.body.data ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_openai_eval_created(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (!judge_check(r, c->create.op.rc, NULL)) {
        return;
    }

    judge_openai_eval_write(r, judge_reply_begin(r, 201), &c->create.row);
    judge_reply_end(r);
}


static void
judge_openai_eval_insert(judge_req_t *r)
{
    judge_openai_t         *c = r->ctx;
    judge_openai_eval_t    *eval = c->data;
    judge_openai_create_t  *create = &c->create;

    if (!judge_openai_judges_check(r, eval->plan.graders, eval->plan.ngraders,
                                   &eval->judges)
        || !judge_openai_metadata(r, c->metadata, &create->row.metadata))
    {
        return;
    }

    create->op.kind = JUDGE_OP_OPENAI_CREATE;
    create->kind = "eval";
    create->row.created_at = judge_now(r->service);
    create->row.id = judge_openai_id(r->arena, "eval_",
                                     create->row.created_at);
    create->row.parent = JUDGE_STR("");
    create->row.status = JUDGE_STR("ready");
    create->row.name = c->name;

    if (create->row.id.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_await(r, &create->op, judge_openai_eval_created);
}


static void
judge_openai_eval_made(judge_req_t *r)
{
    judge_openai_t       *c = r->ctx;
    judge_openai_eval_t  *eval = c->data;

    if (judge_check(r, c->rc, &c->error)) {
        judge_openai_judges_find(r, eval->plan.graders, eval->plan.ngraders,
                                 &eval->judges, judge_openai_eval_insert);
    }
}


static void
judge_openai_eval_create(judge_req_t *r)
{
    judge_compute(r, judge_openai_eval_make, judge_openai_eval_made);
}


/* --- Changing ------------------------------------------------------------ */

static void
judge_openai_eval_updated(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->update.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such eval");

    } else if (judge_check(r, c->update.op.rc, NULL)) {
        judge_openai_eval_write(r, judge_reply_begin(r, 200), &c->update.row);
        judge_reply_end(r);
    }
}


static void
judge_openai_eval_update(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    c->update.op.kind = JUDGE_OP_OPENAI_UPDATE;
    c->update.kind = "eval";
    c->update.id = r->params[0];
    c->update.name = c->name;
    c->update.now = judge_now(r->service);

    if (judge_openai_id_known(r, c->update.id, "eval")
        && judge_openai_metadata(r, c->metadata, &c->update.metadata))
    {
        judge_await(r, &c->update.op, judge_openai_eval_updated);
    }
}
