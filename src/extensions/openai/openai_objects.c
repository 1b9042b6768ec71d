/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What evals, runs, files and items share, and the routes that create none of
 * them. */


#include <stdlib.h>
#include <string.h>

#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_PAGE      20      /* rows of a list by default */
#define JUDGE_OPENAI_METADATA  16      /* members, */
#define JUDGE_OPENAI_KEY       64      /* bytes of keys and values, as at
                                          OpenAI */
#define JUDGE_OPENAI_VALUE     512

/* A route, and its operation on the object of its path. */
#define judge_openai_route(verb, path, may, traits)                           \
    judge_route(verb, path, JUDGE_MAY_##may, traits, judge_openai_t)
#define judge_openai_op(operation, what, answer)                              \
    .op = { .kind = JUDGE_OP_OPENAI_##operation,                              \
            .op = offsetof(judge_openai_t, one.op),                           \
            .row = offsetof(judge_openai_t, one.row),                         \
            .prepare = judge_openai_prepare,                                  \
            .missing = "there is no such " what, answer }

/* Evals, runs, files, or the items of runs. */
typedef struct {
    const char       *path;            /* prefix of its routes */
    const char       *name;            /* its name in the store, in errors */
    const char       *object;          /* value of the member "object" */
    const char       *deleted;         /* the same in the answer to DELETE */
    const char       *id;              /* member of the identifier there */
    const char       *prefix;          /* prefix of its identifiers */
    const char       *status;          /* status of a new one */
    int               created;         /* HTTP status when it is created */
    size_t            nparents;        /* number of them in the path */
    bool              newest;          /* lists begin with the newest by
                                          default */
    judge_op_kind_e   list;
    void            (*write)(judge_req_t *r, judge_json_writer_t *w,
                             const judge_openai_row_t *row);   /* writes the
                                          members that not all kinds have */
} judge_openai_kind_t;


static void
judge_openai_run_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row)
{
    judge_json_put_str(w, "report_url", judge_str_printf(r->arena,
                       "%.*s/console/#/openai-runs/%.*s/%.*s",
                       judge_str_args(r->base_url), (int) row->parent.len,
                       row->parent.data, judge_str_args(row->id)));
    judge_json_stored(w, row->body);
}


static void
judge_openai_item_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row)
{
    judge_json_t        *body;
    const judge_json_t  *item;

    item = judge_json_parse(r->arena, row->body, &body, NULL) == JUDGE_OK
           ? judge_json_member(body, "item", JUDGE_JSON_OBJECT) : NULL;
    if (item == NULL) {
        w->failed = true;
        return;
    }

    judge_json_put_str(w, "run_id", row->parent);
    judge_json_put_int(w, "datasource_item_id", row->position);
    judge_json_key(w, "datasource_item");
    judge_json_value(w, item);
}


/* The first prefix of a path counts, so longer ones come first. */

static const judge_openai_kind_t  judge_openai_kinds[] = {
    { .path = JUDGE_OPENAI_OUTPUTS, .name = "output item",
      .object = "eval.run.output_item", .prefix = "outputitem_", .nparents = 2,
      .list = JUDGE_OP_OPENAI_ITEM_LIST, .write = judge_openai_item_write },
    { .path = JUDGE_OPENAI_RUNS, .name = "run", .object = "eval.run",
      .deleted = "eval.run.deleted", .id = "run_id", .prefix = "evalrun_",
      .status = "queued", .created = 201, .nparents = 1,
      .list = JUDGE_OP_OPENAI_LIST, .write = judge_openai_run_write },
    { .path = JUDGE_OPENAI_EVALS, .name = "eval", .object = "eval",
      .deleted = "eval.deleted", .id = "eval_id", .prefix = "eval_",
      .status = "ready", .created = 201, .list = JUDGE_OP_OPENAI_LIST },
    { .path = JUDGE_OPENAI_FILES, .name = "file", .object = "file",
      .deleted = "file", .id = "id", .prefix = "file-",
      .status = "processed", .created = 200, .newest = true,
      .list = JUDGE_OP_OPENAI_LIST }
};


static const struct {
    int          status;
    const char  *code;
} judge_openai_codes[] = {
    { 401, "invalid_api_key" },
    { 403, "insufficient_permissions" },
    { 404, "not_found" },
    { 405, "method_not_supported" },
    { 409, "conflict" },
    { 413, "request_too_large" },
    { 429, "rate_limit_exceeded" },
    { 0, NULL }
};


/* --- For all files ------------------------------------------------------- */

judge_str_t
judge_openai_id(judge_arena_t *arena, const char *prefix, judge_ms_t now)
{
    judge_id_t   id;
    judge_str_t  s;

    if (judge_id_make_range(&id, "oai", now) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    s = judge_str_from(judge_id_str(&id), sizeof("oai_") - 1);

    return judge_str_printf(arena, "%s%.*s", prefix, judge_str_args(s));
}


bool
judge_openai_may_ask(judge_req_t *r, const char *what)
{
    return r->permissions & (JUDGE_MAY_USE_LLM | JUDGE_MAY_ALL)
           || judge_fail(r, 403, "the API key lacks the permission %s, which"
                         " %s need", judge_permission_name(JUDGE_MAY_USE_LLM),
                         what);
}


/* --- What a request is about --------------------------------------------- */

static const judge_openai_kind_t *
judge_openai_kind(const judge_req_t *r)
{
    const judge_openai_kind_t  *kind = judge_openai_kinds;

    while (strncmp(r->route->pattern, kind->path, strlen(kind->path)) != 0) {
        kind++;
    }

    return kind;
}


/* Sets the identifiers above the object, in the forms of the store. */

static void
judge_openai_above(const judge_req_t *r, judge_str_t *parent,
    judge_str_t *eval_id)
{
    size_t  n = judge_openai_kind(r)->nparents;

    *parent = n ? r->params[n - 1] : JUDGE_STR("");
    *eval_id = n > 1 ? r->params[0] : JUDGE_STR("");
}


/* Returns the number at the end of an item's identifier, which begins with
 * that of its run; negative: the item is not of this run. */

static int64_t
judge_openai_position(const judge_req_t *r, judge_str_t id)
{
    long         position;
    judge_str_t  digits, same, run = r->params[1];

    if (run.len < sizeof("evalrun_") || id.len < 5) {
        return -1;
    }

    run = judge_str_from(run, sizeof("evalrun_") - 1);
    digits = judge_str_dup(r->arena, judge_str_from(id, id.len - 5));
    position = digits.data ? strtol(digits.data, NULL, 10) : -1;
    same = judge_str_printf(r->arena, "outputitem_%.*s_%05ld",
                            judge_str_args(run), position);

    return same.data && judge_str_eq(id, same) ? position : -1;
}


static bool
judge_openai_metadata(judge_req_t *r, judge_str_t *text)
{
    bool                 fine;
    judge_openai_t      *c = r->ctx;
    const judge_json_t  *v;

    if (c->metadata == NULL) {
        return true;
    }

    fine = c->metadata->count <= JUDGE_OPENAI_METADATA;

    for (v = c->metadata->first; v && fine; v = v->next) {
        fine = v->type == JUDGE_JSON_STRING && v->key.len <= JUDGE_OPENAI_KEY
               && v->string.len <= JUDGE_OPENAI_VALUE
               && memchr(v->string.data, '\0', v->string.len) == NULL
               && memchr(v->key.data, '\0', v->key.len) == NULL;
    }

    if (!fine) {
        return judge_fail(r, 400, "metadata: expected at most %d members, with"
                          " names of at most %d bytes, and strings of at most"
                          " %d", JUDGE_OPENAI_METADATA, JUDGE_OPENAI_KEY,
                          JUDGE_OPENAI_VALUE);
    }

    *text = judge_json_value_text(r->arena, c->metadata);

    return judge_check(r, text->data ? JUDGE_OK : JUDGE_NOMEM, NULL);
}


static bool
judge_openai_prepare(judge_req_t *r)
{
    judge_openai_t             *c = r->ctx;
    judge_openai_one_t         *one = &c->one;
    const judge_openai_kind_t  *kind = judge_openai_kind(r);

    judge_openai_above(r, &one->parent, &one->eval_id);
    one->kind = kind->name;
    one->id = r->params[kind->nparents];
    one->name = c->name;
    one->now = judge_now(r->service);

    if (r->route->op.next) {
        one->parent = one->id;         /* a file has one item, its bytes */
    } else if (kind->nparents > 1) {
        one->position = judge_openai_position(r, one->id);
    }

    return judge_openai_metadata(r, &one->metadata);
}


/* --- Answers ------------------------------------------------------------- */

static void
judge_openai_write(judge_req_t *r, judge_json_writer_t *w, const void *data)
{
    const judge_openai_row_t   *row = data;
    const judge_openai_kind_t  *kind = judge_openai_kind(r);

    judge_json_put_c(w, "object", kind->object);
    judge_json_put_str(w, "id", row->id);
    judge_json_put_int(w, "created_at", row->created_at / 1000);
    judge_json_put_str(w, "name", row->name);

    if (kind->write) {
        judge_json_put_str(w, "eval_id", r->params[0]);
        judge_json_put_str(w, "status", row->status);
        kind->write(r, w, row);
    } else {
        judge_json_stored(w, row->body);
    }

    judge_json_stored(w, row->progress);
    judge_json_put_raw(w, "metadata", row->metadata);
}


static void
judge_openai_deleted(judge_req_t *r, judge_json_writer_t *w)
{
    judge_openai_t             *c = r->ctx;
    const judge_openai_kind_t  *kind = judge_openai_kind(r);

    judge_json_put_c(w, "object", kind->deleted);
    judge_json_put_bool(w, "deleted", true);
    judge_json_put_str(w, kind->id, c->one.id);
}


static void
judge_openai_content(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    r->answer.status = 200;
    r->answer.content_type = "application/jsonl";
    r->answer.body = c->one.row.body;
    judge_reply_send(r);
}


/* --- Lists --------------------------------------------------------------- */

static void
judge_openai_listed(judge_req_t *r)
{
    size_t                i;
    judge_str_t           none = { 0, NULL };
    judge_openai_t       *c = r->ctx;
    judge_openai_list_t  *list = &c->list;
    judge_json_writer_t  *w;

    if (list->op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, list->by_update ? 400 : 404, list->by_update
                   ? "after: it was deleted; expected one of this list"
                   : "there is no such run");
        return;
    }

    if (!judge_check(r, list->op.rc, NULL)) {
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "object", "list");
    judge_json_key_array(w, "data");

    for (i = 0; i < list->count; i++) {
        judge_json_object(w);
        judge_openai_write(r, w, &list->rows[i]);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_put_nullable(w, "first_id", i ? list->rows[0].id : none);
    judge_json_put_nullable(w, "last_id", i ? list->rows[i - 1].id : none);
    judge_json_put_bool(w, "has_more", list->page.more);
    judge_reply_end(r);
}


static void
judge_openai_list(judge_req_t *r)
{
    judge_openai_t             *c = r->ctx;
    judge_openai_list_t        *list = &c->list;
    const judge_openai_kind_t  *kind = judge_openai_kind(r);

    list->op.kind = kind->list;
    list->kind = kind->name;
    list->after = c->after;
    list->ascending = c->order.data ? judge_str_eq_c(c->order, "asc")
                                    : !kind->newest;
    list->by_update = c->order_by.data
                      && judge_str_eq_c(c->order_by, "updated_at");
    list->page.limit = c->limit.set && c->limit.value ? c->limit.value
                                                      : JUDGE_OPENAI_PAGE;
    list->status = c->status;
    if (c->purpose.data && !judge_str_eq_c(c->purpose, "evals")) {
        list->status = JUDGE_STR("none");        /* no other purpose */
    }

    judge_openai_above(r, &list->parent, &list->eval_id);
    list->position = list->ascending ? -1 : JUDGE_OPENAI_ITEMS;

    if (kind->nparents == 2 && c->after.data) {
        list->position = judge_openai_position(r, c->after);
        if (list->position < 0) {
            judge_fail(r, 400, "after: expected an item of this run");
            return;
        }

    } else if (c->after.data
               && (!judge_str_starts(c->after, judge_str_c(kind->prefix))
                   || c->after.len != strlen(kind->prefix) + 26))
    {
        judge_fail(r, 400, "after: expected an id of this list: %s and 26"
                           " characters", kind->prefix);
        return;
    }

    judge_await_page(r, &list->op, judge_openai_listed);
}


/* --- Creating ------------------------------------------------------------ */

static void
judge_openai_created(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    judge_openai_write(r, judge_reply_begin(r, judge_openai_kind(r)->created),
                       &c->create.row);
    judge_reply_end(r);
}


void
judge_openai_create(judge_req_t *r)
{
    judge_openai_t             *c = r->ctx;
    judge_openai_create_t      *create = &c->create;
    judge_openai_row_t         *row = &create->row;
    const judge_openai_kind_t  *kind = judge_openai_kind(r);

    if (kind->created == 201) {        /* not in files */
        row->metadata = JUDGE_STR("{}");
        c->name = c->name.data ? c->name : JUDGE_STR("");
    }

    if (!judge_openai_metadata(r, &row->metadata)) {
        return;
    }

    create->op.kind = JUDGE_OP_OPENAI_CREATE;
    create->kind = kind->name;
    create->child = kind->nparents > 0;
    row->parent = create->child ? r->params[0] : JUDGE_STR("");
    row->status = judge_str_c(kind->status);
    row->created_at = judge_now(r->service);
    row->id = judge_openai_id(r->arena, kind->prefix, row->created_at);
    row->name = c->name;

    if (judge_check(r, row->id.data ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_await_found(r, &create->op, "there is no such eval",
                          judge_openai_created);
    }
}


/* --- Errors -------------------------------------------------------------- */

/* Returns the path before ": ", if there is one. */

static judge_str_t
judge_openai_error_param(judge_str_t sentence)
{
    size_t  n;

    static const char  path[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_.[]";

    n = (size_t) (judge_str_trim(sentence, path).data - sentence.data);

    return n && judge_str_starts(judge_str_from(sentence, n), JUDGE_STR(": "))
           ? (judge_str_t) { n, sentence.data } : (judge_str_t) { 0, NULL };
}


void
judge_openai_error(judge_json_writer_t *w, int status, judge_str_t sentence)
{
    size_t       i;
    judge_str_t  code = { 0, NULL };

    for (i = 0; judge_openai_codes[i].code; i++) {
        if (judge_openai_codes[i].status == status) {
            code = judge_str_c(judge_openai_codes[i].code);
        }
    }

    judge_json_key_object(w, "error");
    judge_json_put_str(w, "message", sentence);
    judge_json_put_c(w, "type", status >= 500 ? "server_error"
                     : status == 429 ? "requests" : "invalid_request_error");
    judge_json_put_nullable(w, "param", judge_openai_error_param(sentence));
    judge_json_put_nullable(w, "code", code);
    judge_json_object_end(w);
}


/* --- Routes -------------------------------------------------------------- */

static const char *const  judge_openai_orders[] = { "asc", "desc", NULL };

static const char *const  judge_openai_sorts[] = {
    "created_at", "updated_at", NULL
};

/* States of runs, then of output items. */
static const char *const  judge_openai_states[] = {
    "queued", "in_progress", "completed", "canceled", "failed",
    "pass", "fail", "error", NULL
};

static const judge_field_t  judge_openai_query[] = {
    judge_field(judge_openai_t, after, STRING, 0, 1, JUDGE_OPENAI_ID_MAX),
    judge_field(judge_openai_t, limit, INTEGER, 0, 0, 100),
    judge_field_one_of(judge_openai_t, order, WORD, 0, judge_openai_orders),
    judge_field_one_of(judge_openai_t, order_by, WORD, 0, judge_openai_sorts),
    judge_field_one_of(judge_openai_t, status, WORD, 0, judge_openai_states),
    { .name = NULL }
};

static const judge_field_t  judge_openai_file_query[] = {
    judge_field(judge_openai_t, after, STRING, 0, 1, JUDGE_OPENAI_ID_MAX),
    judge_field(judge_openai_t, limit, INTEGER, 0, 1, 10000),
    judge_field_one_of(judge_openai_t, order, WORD, 0, judge_openai_orders),
    judge_field(judge_openai_t, purpose, STRING, 0, 1, 40),
    { .name = NULL }
};

static const judge_field_t  judge_openai_changes[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    { .name = NULL }
};

const judge_route_t  judge_openai_object_routes[] = {
    { judge_openai_route(GET, JUDGE_OPENAI_EVALS, READ_JUDGES, 0),
      .query = judge_openai_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_EVALS "/{eval_id}", READ_JUDGES, 0),
      judge_openai_op(FIND, "eval", .record = judge_openai_write) },
    { judge_openai_route(POST, JUDGE_OPENAI_EVALS "/{eval_id}", WRITE_JUDGES,
                         0), .body = judge_openai_changes,
      judge_openai_op(UPDATE, "eval", .record = judge_openai_write) },
    { judge_openai_route(DELETE, JUDGE_OPENAI_EVALS "/{eval_id}", WRITE_JUDGES,
                         0),
      judge_openai_op(DELETE, "eval", .write = judge_openai_deleted) },

    { judge_openai_route(GET, JUDGE_OPENAI_RUNS, READ_EVALUATIONS, 0),
      .query = judge_openai_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_RUNS "/{run_id}", READ_EVALUATIONS,
                         0),
      judge_openai_op(FIND, "run", .record = judge_openai_write) },
    { judge_openai_route(POST, JUDGE_OPENAI_RUNS "/{run_id}",
                         WRITE_EVALUATIONS, 0),
      judge_openai_op(CANCEL, "run", .record = judge_openai_write) },
    { judge_openai_route(DELETE, JUDGE_OPENAI_RUNS "/{run_id}",
                         WRITE_EVALUATIONS, 0),
      judge_openai_op(DELETE, "run", .write = judge_openai_deleted) },

    { judge_openai_route(GET, JUDGE_OPENAI_OUTPUTS, READ_EVALUATIONS, 0),
      .query = judge_openai_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_OUTPUTS "/{output_item_id}",
                         READ_EVALUATIONS, 0),
      judge_openai_op(ITEM_FIND, "output item",
                      .record = judge_openai_write) },

    { judge_openai_route(GET, JUDGE_OPENAI_FILES, READ_CONTENT, 0),
      .query = judge_openai_file_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_FILES "/{file_id}", READ_CONTENT,
                         0),
      judge_openai_op(FIND, "file", .record = judge_openai_write) },
    { judge_openai_route(GET, JUDGE_OPENAI_FILES "/{file_id}/content",
                         READ_CONTENT, 0),
      judge_openai_op(ITEM_FIND, "file", .next = judge_openai_content) },
    { judge_openai_route(DELETE, JUDGE_OPENAI_FILES "/{file_id}",
                         WRITE_CONTENT, 0),
      judge_openai_op(DELETE, "file", .write = judge_openai_deleted) },
    { .pattern = NULL }
};
