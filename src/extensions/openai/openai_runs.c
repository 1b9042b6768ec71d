/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Making runs of evals, with their items. */


#include <string.h>

#include "analysis/checks/schema.h"
#include "extensions/openai/openai_work.h"


#define JUDGE_OPENAI_CHECKS  200000    /* steps of a schema for an item */
#define JUDGE_OPENAI_SHOWN   16384     /* bytes of items that are shown as they
                                          were asked for */

typedef struct {
    judge_json_t         *eval;
    judge_openai_plan_t   plan;
    judge_schema_t       *schema;
    judge_regex_t        *reader;
    size_t                bytes;       /* of the items */
} judge_openai_make_t;

const judge_field_t  judge_openai_run_fields[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    judge_field_as("data_source", judge_openai_t, source, ANY_OBJECT,
                   JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};


/* --- The items ----------------------------------------------------------- */

/* An item is an object with `item`, and with `sample` where the answer of a
 * model is given. */

static judge_rc_e
judge_openai_item_check(judge_req_t *r, const judge_json_t *v,
    judge_str_t *text, judge_str_t *why)
{
    judge_rc_e            rc;
    judge_openai_t       *c = r->ctx;
    judge_allowance_t     steps = { .steps = JUDGE_OPENAI_CHECKS };
    const judge_json_t   *item;
    judge_openai_make_t  *make = c->data;

    item = judge_openai_object(v, "item");
    if (item == NULL) {
        return judge_openai_invalid(why, JUDGE_STR(
                   "expected an object with the member \"item\""));
    }

    judge_regex_charge(make->reader, &steps);
    rc = judge_schema_check(make->schema, item, r->arena, make->reader, &steps,
                            why);
    if (rc == JUDGE_BUSY) {
        return judge_openai_invalid(why, JUDGE_STR(
                   "the schema takes too long for it"));
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    *text = judge_json_value_text(r->arena, v);
    if (text->len > r->service->settings.max_text) {
        return judge_openai_invalid(why, JUDGE_STR("it is too large"));
    }

    return text->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_item_add(judge_req_t *r, const judge_json_t *v)
{
    judge_rc_e              rc;
    judge_str_t             why, *text;
    judge_openai_t         *c = r->ctx;
    judge_openai_make_t    *make = c->data;
    judge_openai_create_t  *create = &c->create;

    if (create->count == JUDGE_OPENAI_ITEMS) {
        return judge_openai_invalid(&c->error, judge_str_printf(r->arena,
                   "data_source.source: expected at most %d items",
                   JUDGE_OPENAI_ITEMS));
    }

    text = &create->items[create->count++];
    rc = judge_openai_item_check(r, v, text, &why);
    make->bytes += text->len;

    if (rc != JUDGE_INVALID) {
        return rc;
    }

    return judge_openai_invalid(&c->error, judge_str_printf(r->arena,
               "data_source.source: item %zu: %.*s", create->count,
               (int) (why.len < 500 ? why.len : 500), why.data));
}


static judge_rc_e
judge_openai_items_of_file(judge_req_t *r, judge_str_t rest)
{
    size_t           line;
    judge_rc_e       rc;
    judge_str_t      text, why;
    const char      *end;
    judge_json_t    *v;
    judge_openai_t  *c = r->ctx;

    for (line = 1; rest.len; line++) {
        end = memchr(rest.data, '\n', rest.len);
        text = (judge_str_t) { end ? (size_t) (end - rest.data) : rest.len,
                               rest.data };
        rest = judge_str_from(rest, text.len + (end ? 1 : 0));
        text = judge_str_trim(text, " \t\r");
        if (text.len == 0) {
            continue;
        }

        rc = judge_json_parse(r->arena, text, &v, &why);
        if (rc == JUDGE_INVALID) {
            return judge_openai_invalid(&c->error, judge_str_printf(r->arena,
                       "data_source.source.id: line %zu of the file: %.*s",
                       line, (int) why.len, why.data));
        }

        rc = rc == JUDGE_OK ? judge_openai_item_add(r, v) : rc;
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_items_read(judge_req_t *r)
{
    judge_rc_e            rc;
    judge_str_t           why;
    judge_openai_t       *c = r->ctx;
    const judge_json_t   *v;
    judge_openai_make_t  *make = c->data;

    v = judge_openai_object(make->eval, "data_source_config");
    v = judge_openai_object(v, "schema");
    v = judge_openai_object(v, "properties");
    v = judge_openai_object(v, "item");

    make->reader = judge_regex_reader(r->arena);
    c->create.items = judge_array_alloc(r->arena, JUDGE_OPENAI_ITEMS,
                                        sizeof(judge_str_t));
    if (make->reader == NULL || c->create.items == NULL) {
        return JUDGE_NOMEM;
    }

    rc = v ? judge_schema_read(r->arena, v, &make->schema, &why) : JUDGE_ERROR;
    if (rc != JUDGE_OK) {
        return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
    }

    v = make->plan.source.content;

    if (judge_str_eq_c(make->plan.source.type, "file_id")) {
        rc = c->one.id.data
             ? judge_openai_items_of_file(r, c->one.row.body)
             : judge_openai_invalid(&c->error, JUDGE_STR(
                   "data_source.source.id: expected a file's id"));

    } else if (v == NULL || v->type != JUDGE_JSON_ARRAY) {
        rc = judge_openai_invalid(&c->error, JUDGE_STR(
                 "data_source.source.content: expected an array"));
    } else {
        for (v = v->first; v && rc == JUDGE_OK; v = v->next) {
            rc = judge_openai_item_add(r, v);
        }
    }

    return rc != JUDGE_OK || c->create.count ? rc
           : judge_openai_invalid(&c->error, JUDGE_STR(
                 "data_source.source: expected at least one item"));
}


/* --- The run ------------------------------------------------------------- */

/* How far it has come, as its clients see it: nothing is done. */

static judge_str_t
judge_openai_run_progress(judge_req_t *r, const judge_json_t *criteria)
{
    judge_buf_t          buf;
    judge_openai_t      *c = r->ctx;
    const judge_json_t  *v;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_key_object(&w, "result_counts");
    judge_json_put_int(&w, "total", (int64_t) c->create.count);
    judge_json_put_int(&w, "passed", 0);
    judge_json_put_int(&w, "failed", 0);
    judge_json_put_int(&w, "errored", 0);
    judge_json_object_end(&w);
    judge_json_key_array(&w, "per_testing_criteria_results");

    for (v = criteria->first; v; v = v->next) {
        judge_json_object(&w);
        judge_json_put_str(&w, "testing_criteria",
                           judge_openai_string(v, "name"));
        judge_json_put_int(&w, "passed", 0);
        judge_json_put_int(&w, "failed", 0);
        judge_json_object_end(&w);
    }

    judge_json_array_end(&w);
    judge_json_put_raw(&w, "per_model_usage", JUDGE_STR("[]"));
    judge_json_put_raw(&w, "error", JUDGE_STR("null"));

    return judge_json_text(&w);
}


/* What the run was asked for.  Many items are not repeated there: each stands
 * in its row. */

static judge_str_t
judge_openai_run_body(judge_req_t *r)
{
    judge_buf_t           buf;
    judge_str_t           model;
    judge_json_t         *content;
    judge_openai_t       *c = r->ctx;
    judge_json_writer_t   w;
    judge_openai_make_t  *make = c->data;

    content = make->plan.source.content;
    if (content && content->type == JUDGE_JSON_ARRAY
        && make->bytes > JUDGE_OPENAI_SHOWN)
    {
        content->first = content->last = NULL;
        content->count = 0;
    }

    model = make->plan.sampler.model;
    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_put_str(&w, "model", model.data ? model : JUDGE_STR(""));
    judge_json_key(&w, "data_source");
    judge_json_value(&w, c->source);

    return judge_json_text(&w);
}


/* In a thread. */

static void
judge_openai_run_make(judge_req_t *r)
{
    judge_json_t         *criteria;
    judge_openai_t       *c = r->ctx;
    judge_openai_row_t   *row = &c->create.row;
    judge_openai_make_t  *make;

    c->rc = JUDGE_NOMEM;
    make = judge_calloc(r->arena, sizeof(judge_openai_make_t));
    if (make == NULL) {
        return;
    }

    c->data = make;
    make->plan.service = r->service;

    c->rc = judge_json_parse(r->arena, c->create.row.body, &make->eval, NULL);
    if (c->rc != JUDGE_OK) {
        return;
    }

    criteria = judge_json_get(make->eval, "testing_criteria");
    c->rc = judge_openai_plan_read(&make->plan, r->arena, c->source, criteria,
                                   &c->error);
    c->rc = c->rc ? c->rc : judge_openai_items_read(r);
    if (c->rc != JUDGE_OK) {
        return;
    }

    row->progress = judge_openai_run_progress(r, criteria);
    row->body = judge_openai_run_body(r);
    row->metadata = JUDGE_STR("{}");
    c->name = c->name.data ? c->name : JUDGE_STR("");
    c->rc = row->progress.data && row->body.data ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_openai_run_made(judge_req_t *r)
{
    judge_openai_t       *c = r->ctx;
    judge_openai_make_t  *make = c->data;

    if (c->rc == JUDGE_OK && make->plan.asks
        && !judge_openai_may_ask(r, "runs with models"))
    {
        return;
    }

    c->create.queue_at = judge_now(r->service);
    judge_openai_create(r);
}


static void
judge_openai_run_filed(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->one.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 400, "data_source.source.id: there is no such file");

    } else if (judge_check(r, c->one.op.rc, NULL)) {
        judge_compute(r, judge_openai_run_make, judge_openai_run_made);
    }
}


/* The eval's body waits where that of the run will stand. */

static void
judge_openai_run_evaled(judge_req_t *r)
{
    judge_str_t          id;
    judge_openai_t      *c = r->ctx;
    const judge_json_t  *source;

    if (c->one.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such eval");
        return;
    }

    if (!judge_check(r, c->one.op.rc, NULL)) {
        return;
    }

    c->create.row.body = c->one.row.body;
    source = judge_openai_object(c->source, "source");
    id = judge_str_eq_c(judge_openai_string(source, "type"), "file_id")
         ? judge_openai_string(source, "id") : (judge_str_t) { 0, NULL };

    c->one = (judge_openai_one_t) {
        .op.kind = JUDGE_OP_OPENAI_ITEM_FIND, .id = id, .parent = id,
        .of = JUDGE_STR("")
    };

    if (id.data == NULL) {
        judge_compute(r, judge_openai_run_make, judge_openai_run_made);

    } else if (judge_openai_id_known(r, id, "file")) {
        judge_await(r, &c->one.op, judge_openai_run_filed);
    }
}


void
judge_openai_run_create(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    c->one = (judge_openai_one_t) {
        .op.kind = JUDGE_OP_OPENAI_FIND, .kind = "eval", .id = r->params[0],
        .parent = JUDGE_STR("")
    };

    if (judge_openai_id_known(r, c->one.id, "eval")) {
        judge_await(r, &c->one.op, judge_openai_run_evaled);
    }
}
