/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Runs of evals: creating them with their items, and what is said of them. */


#include <string.h>

#include "analysis/checks/schema.h"
#include "extensions/openai/openai.h"
#include "extensions/openai/openai_work.h"


#define JUDGE_OPENAI_CHECKS  200000    /* steps of a schema for an item */


static void judge_openai_run_create(judge_req_t *r);
static void judge_openai_run_list(judge_req_t *r);
static void judge_openai_run_get(judge_req_t *r);
static void judge_openai_run_cancel(judge_req_t *r);
static void judge_openai_run_delete(judge_req_t *r);
static void judge_openai_run_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row);


#define JUDGE_OPENAI_RUNS  JUDGE_OPENAI_PATH "/evals/{eval_id}/runs"

static const judge_field_t  judge_openai_run_fields[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    judge_field_as("data_source", judge_openai_t, source, ANY_OBJECT,
                   JUDGE_REQUIRED, 0, 0),
    { .name = NULL }
};

const judge_route_t  judge_openai_run_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_RUNS, JUDGE_MAY_WRITE_EVALUATIONS,
                  JUDGE_ROUTE_LARGE_BODY, judge_openai_t),
      .body = judge_openai_run_fields, .handler = judge_openai_run_create },
    { judge_route(GET, JUDGE_OPENAI_RUNS, JUDGE_MAY_READ_EVALUATIONS, 0,
                  judge_openai_t),
      .query = judge_openai_query, .handler = judge_openai_run_list },
    { judge_route(GET, JUDGE_OPENAI_RUNS "/{run_id}",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_openai_t),
      .handler = judge_openai_run_get },
    { judge_route(POST, JUDGE_OPENAI_RUNS "/{run_id}",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_openai_t),
      .handler = judge_openai_run_cancel },
    { judge_route(DELETE, JUDGE_OPENAI_RUNS "/{run_id}",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_openai_t),
      .handler = judge_openai_run_delete },
    { .pattern = NULL }
};

const judge_openai_kind_t  judge_openai_run = {
    .name = "run", .deleted = "eval.run.deleted", .id = "run_id",
    .of_eval = true, .write = judge_openai_run_write
};


/* --- Answers ------------------------------------------------------------- */

static void
judge_openai_run_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row)
{
    judge_str_t               model;
    judge_json_t             *body;
    const judge_json_t       *source;
    judge_openai_progress_t  *progress;

    progress = judge_alloc(r->arena, sizeof(judge_openai_progress_t));
    if (progress == NULL
        || judge_json_parse(r->arena, row->body, &body, NULL) != JUDGE_OK
        || judge_openai_progress_read(r->arena, row->progress, progress)
           != JUDGE_OK)
    {
        w->failed = true;
        return;
    }

    source = judge_openai_object(body, "data_source");
    model = judge_openai_string(source, "model");

    judge_json_put_c(w, "object", "eval.run");
    judge_json_put_str(w, "id", row->id);
    judge_json_put_str(w, "eval_id", row->parent);
    judge_json_put_str(w, "name", row->name.data ? row->name : JUDGE_STR(""));
    judge_json_put_int(w, "created_at", row->created_at / 1000);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_str(w, "model", model.data ? model : JUDGE_STR(""));
    judge_json_put_str(w, "report_url",
                       judge_str_printf(r->arena, "%.*s/console/#/openai/"
                                        "%.*s/%.*s", (int) r->base_url.len,
                                        r->base_url.data,
                                        (int) row->parent.len,
                                        row->parent.data, (int) row->id.len,
                                        row->id.data));
    judge_openai_progress_write(w, progress, judge_json_get(body, "names"));

    judge_json_key(w, "data_source");
    judge_json_value(w, source);
    judge_openai_put_metadata(w, row->metadata);
}


static void
judge_openai_run_get(judge_req_t *r)
{
    judge_openai_get(r, &judge_openai_run);
}


static void
judge_openai_run_list(judge_req_t *r)
{
    judge_openai_list(r, &judge_openai_run);
}


static void
judge_openai_run_delete(judge_req_t *r)
{
    judge_openai_delete(r, &judge_openai_run);
}


static void
judge_openai_run_canceled(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->cancel.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such run");

    } else if (judge_check(r, c->cancel.op.rc, NULL)) {
        judge_openai_run_write(r, judge_reply_begin(r, 200), &c->cancel.row);
        judge_reply_end(r);
    }
}


static void
judge_openai_run_cancel(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    c->cancel.op.kind = JUDGE_OP_OPENAI_CANCEL;
    c->cancel.parent = r->params[0];
    c->cancel.id = r->params[1];
    c->cancel.now = judge_now(r->service);

    if (judge_openai_id_known(r, c->cancel.parent, "eval")
        && judge_openai_id_known(r, c->cancel.id, "run"))
    {
        judge_await(r, &c->cancel.op, judge_openai_run_canceled);
    }
}


/* --- The items of a run -------------------------------------------------- */

/* What the thread fills in. */
typedef struct {
    judge_openai_item_find_t  file;
    judge_json_t             *eval;
    const judge_json_t       *content; /* of the request; NULL: a file's */
    judge_schema_t           *schema;
    judge_regex_t            *reader;
    judge_str_t              *items;
    size_t                    count;
    size_t                    room;
    bool                      asks;    /* language models */
} judge_openai_items_t;


static judge_rc_e
judge_openai_run_invalid(judge_openai_t *c, judge_str_t sentence)
{
    c->error = sentence;

    return sentence.data ? JUDGE_INVALID : JUDGE_NOMEM;
}


static judge_rc_e
judge_openai_item_invalid(judge_req_t *r, size_t i, judge_str_t why)
{
    return judge_openai_run_invalid(r->ctx, judge_str_printf(r->arena,
               "data_source.source: item %zu: %.*s", i + 1,
               (int) (why.len < 500 ? why.len : 500), why.data));
}


/* An item is an object with `item`, and with `sample` where the answer of a
 * model is given. */

static judge_rc_e
judge_openai_item_add(judge_req_t *r, judge_openai_items_t *items,
    const judge_json_t *v)
{
    size_t               n;
    judge_rc_e           rc;
    judge_str_t          text, why;
    judge_allowance_t    steps = { .steps = JUDGE_OPENAI_CHECKS };
    const judge_json_t  *item;

    n = items->count;
    if (n == items->room) {
        return judge_openai_run_invalid(r->ctx, judge_str_printf(r->arena,
                   "data_source.source: expected at most %d items",
                   JUDGE_OPENAI_ITEMS));
    }

    item = judge_openai_object(v, "item");
    if (item == NULL) {
        return judge_openai_item_invalid(r, n,
                   JUDGE_STR("expected an object with the member \"item\""));
    }

    judge_regex_charge(items->reader, &steps);
    rc = judge_schema_check(items->schema, item, r->arena, items->reader,
                            &steps, &why);
    if (rc == JUDGE_BUSY) {
        rc = JUDGE_INVALID;
        why = JUDGE_STR("the schema takes too long for it");
    }

    if (rc == JUDGE_INVALID) {
        return judge_openai_item_invalid(r, n, why);
    }

    text = judge_json_value_text(r->arena, v);
    if (rc != JUDGE_OK || text.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (text.len > r->service->settings.max_text) {
        return judge_openai_item_invalid(r, n,
                                         JUDGE_STR("it is too large"));
    }

    items->items[items->count++] = text;

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_items_of_file(judge_req_t *r, judge_openai_items_t *items)
{
    size_t        line;
    judge_rc_e    rc;
    judge_str_t   rest, text, why;
    const char   *end;
    judge_json_t *v;

    rest = items->file.row.item;

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
            return judge_openai_run_invalid(r->ctx, judge_str_printf(r->arena,
                       "data_source.source.id: line %zu of the file: %.*s",
                       line, (int) why.len, why.data));
        }

        rc = rc == JUDGE_OK ? judge_openai_item_add(r, items, v) : rc;
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_openai_items_read(judge_req_t *r, judge_openai_items_t *items)
{
    judge_rc_e           rc;
    judge_str_t          why;
    const judge_json_t  *v;

    v = judge_openai_object(items->eval, "data_source_config");
    v = judge_openai_object(v, "schema");
    v = judge_openai_object(v, "properties");
    v = judge_openai_object(v, "item");
    if (v == NULL) {
        return JUDGE_ERROR;
    }

    items->room = JUDGE_OPENAI_ITEMS;
    items->items = judge_array_alloc(r->arena, items->room,
                                     sizeof(judge_str_t));
    items->reader = judge_regex_reader(r->arena);
    if (items->items == NULL || items->reader == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_schema_read(r->arena, v, &items->schema, &why);
    if (rc == JUDGE_OK && items->content == NULL) {
        rc = judge_openai_items_of_file(r, items);
    }

    v = items->content ? items->content->first : NULL;

    for ( /* void */ ; v && rc == JUDGE_OK; v = v->next) {
        rc = judge_openai_item_add(r, items, v);
    }

    if (rc == JUDGE_OK && items->count == 0) {
        rc = judge_openai_run_invalid(r->ctx, JUDGE_STR(
                 "data_source.source: expected at least one item"));
    }

    return rc;
}


/* --- Creating ------------------------------------------------------------ */

/* What the run was asked for.  The items of a request stand in their own rows,
 * and are not repeated here. */

static judge_str_t
judge_openai_run_body(judge_req_t *r, const judge_openai_items_t *items)
{
    judge_buf_t           buf;
    judge_json_t         *v, *m, *list;
    judge_openai_t       *c = r->ctx;
    judge_json_writer_t   w;

    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_key_object(&w, "data_source");

    for (v = c->source->first; v; v = v->next) {
        judge_json_key_str(&w, v->key);

        if (!judge_str_eq_c(v->key, "source")) {
            judge_json_value(&w, v);
            continue;
        }

        judge_json_object(&w);
        for (m = v->first; m; m = m->next) {
            judge_json_key_str(&w, m->key);
            if (m == items->content) {
                judge_json_raw(&w, JUDGE_STR("[]"));
            } else {
                judge_json_value(&w, m);
            }
        }
        judge_json_object_end(&w);
    }

    judge_json_object_end(&w);
    judge_json_key_array(&w, "names");

    list = judge_json_get(items->eval, "testing_criteria");
    for (v = list ? list->first : NULL; v; v = v->next) {
        judge_json_str(&w, judge_openai_string(v, "name"));
    }

    judge_json_array_end(&w);

    return judge_json_text(&w);
}


/* Whether the run makes samples or has graders by models. */

static bool
judge_openai_run_asks(const judge_openai_plan_t *plan)
{
    bool                    asks = plan->samples;
    size_t                  i;
    const openai_grader_t  *of[JUDGE_OPENAI_CALLS];

    for (i = 0; i < plan->ngraders && !asks; i++) {
        asks = judge_openai_grader_asks(plan->graders[i], false, of) > 0;
    }

    return asks;
}


static void
judge_openai_run_make(judge_req_t *r)
{
    judge_json_t             *list;
    judge_openai_t           *c = r->ctx;
    judge_openai_plan_t      *plan;
    judge_openai_items_t     *items = c->data;
    judge_openai_progress_t  *progress;

    plan = judge_calloc(r->arena, sizeof(judge_openai_plan_t));
    if (plan == NULL) {
        c->rc = JUDGE_NOMEM;
        return;
    }

    plan->service = r->service;
    list = judge_json_get(items->eval, "testing_criteria");
    c->rc = judge_openai_plan_read(plan, r->arena, c->source, list, &c->error);
    c->rc = c->rc ? c->rc : judge_openai_items_read(r, items);
    if (c->rc != JUDGE_OK) {
        return;
    }

    items->asks = judge_openai_run_asks(plan);
    c->rc = JUDGE_NOMEM;
    progress = judge_calloc(r->arena, sizeof(judge_openai_progress_t));
    if (progress == NULL) {
        return;
    }

    progress->total = (int64_t) items->count;
    progress->ncriteria = list ? list->count : 0;

    c->create.row.progress = judge_openai_progress_text(r->arena, progress);
    c->create.row.body = judge_openai_run_body(r, items);

    if (c->create.row.progress.data && c->create.row.body.data) {
        c->rc = JUDGE_OK;
    }
}


static void
judge_openai_run_created(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->create.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such eval");

    } else if (judge_check(r, c->create.op.rc, NULL)) {
        judge_openai_run_write(r, judge_reply_begin(r, 201), &c->create.row);
        judge_reply_end(r);
    }
}


static void
judge_openai_run_made(judge_req_t *r)
{
    judge_openai_t         *c = r->ctx;
    judge_openai_items_t   *items = c->data;
    judge_openai_create_t  *create = &c->create;

    if (!judge_check(r, c->rc, &c->error)
        || (items->asks && !judge_openai_may_ask(r, "runs with models"))
        || !judge_openai_metadata(r, c->metadata, &create->row.metadata))
    {
        return;
    }

    create->op.kind = JUDGE_OP_OPENAI_CREATE;
    create->kind = "run";
    create->child = true;
    create->items = items->items;
    create->count = items->count;
    create->row.created_at = judge_now(r->service);
    create->row.id = judge_openai_id(r->arena, "evalrun_",
                                     create->row.created_at);
    create->row.parent = r->params[0];
    create->row.status = JUDGE_STR("queued");
    create->row.name = c->name;
    create->queue_at = create->row.created_at;

    if (create->row.id.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_await(r, &create->op, judge_openai_run_created);
}


static void
judge_openai_run_filed(judge_req_t *r)
{
    judge_openai_t        *c = r->ctx;
    judge_openai_items_t  *items = c->data;

    if (c->find.op.rc == JUDGE_NOT_FOUND
        || items->file.op.rc == JUDGE_NOT_FOUND)
    {
        judge_fail(r, 400, "data_source.source.id: there is no such file");

    } else if (judge_check(r, items->file.op.rc, NULL)) {
        judge_compute(r, judge_openai_run_make, judge_openai_run_made);
    }
}


static void
judge_openai_run_file(judge_req_t *r)
{
    judge_openai_t        *c = r->ctx;
    judge_openai_items_t  *items = c->data;

    if (c->find.op.rc != JUDGE_OK) {
        judge_openai_run_filed(r);
        return;
    }

    items->file.op.kind = JUDGE_OP_OPENAI_ITEM_FIND;
    items->file.parent = c->find.id;
    judge_await(r, &items->file.op, judge_openai_run_filed);
}


static void
judge_openai_run_evaled(judge_req_t *r)
{
    judge_str_t            type;
    judge_openai_t        *c = r->ctx;
    const judge_json_t    *source;
    judge_openai_items_t  *items;

    items = judge_calloc(r->arena, sizeof(judge_openai_items_t));
    if (items == NULL
        || judge_json_parse(r->arena, c->find.row.body, &items->eval, NULL)
           != JUDGE_OK)
    {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    c->data = items;
    source = judge_openai_object(c->source, "source");
    type = judge_openai_string(source, "type");

    if (judge_str_eq_c(type, "file_content")) {
        items->content = judge_json_get(source, "content");

        if (items->content == NULL
            || items->content->type != JUDGE_JSON_ARRAY)
        {
            judge_fail(r, 400, "data_source.source.content: expected an"
                               " array");
            return;
        }
        judge_compute(r, judge_openai_run_make, judge_openai_run_made);

    } else if (judge_str_eq_c(type, "file_id")) {
        c->find = (judge_openai_find_t) {
            .op.kind = JUDGE_OP_OPENAI_FIND, .kind = "file",
            .id = judge_openai_string(source, "id"), .parent = JUDGE_STR("")
        };

        if (c->find.id.data == NULL) {
            judge_fail(r, 400, "data_source.source.id: expected a file's id");
        } else if (judge_openai_id_known(r, c->find.id, "file")) {
            judge_await(r, &c->find.op, judge_openai_run_file);
        }

    } else if (judge_str_eq_c(type, "stored_completions")
               || judge_str_eq_c(type, "responses"))
    {
        judge_fail(r, 400, "data_source.source.type: no completions and"
                           " responses are stored here; give the items as"
                           " \"file_content\" or \"file_id\"");
    } else {
        judge_fail(r, 400, "data_source.source.type: expected"
                           " \"file_content\" or \"file_id\"");
    }
}


static void
judge_openai_run_create(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (judge_openai_id_known(r, r->params[0], "eval")) {
        c->find.id = r->params[0];
        c->find.parent = JUDGE_STR("");
        judge_openai_find(r, &judge_openai_eval, judge_openai_run_evaled);
    }
}
