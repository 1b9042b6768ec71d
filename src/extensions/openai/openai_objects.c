/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What evals, runs and files have in common. */


#include <string.h>

#include "extensions/openai/openai.h"


#define JUDGE_OPENAI_ID_MAX   64
#define JUDGE_OPENAI_KEY      64       /* characters of metadata, as OpenAI */
#define JUDGE_OPENAI_VALUE    512      /* has it */


static const char *const  judge_openai_orders[] = { "asc", "desc", NULL };

static const char *const  judge_openai_sorts[] = {
    "created_at", "updated_at", NULL
};

const judge_field_t  judge_openai_query[] = {
    judge_field(judge_openai_t, after, STRING, 0, 1, JUDGE_OPENAI_ID_MAX),
    judge_field(judge_openai_t, limit, INTEGER, 0, 0, 100),
    judge_field_one_of(judge_openai_t, order, WORD, 0, judge_openai_orders),
    judge_field_one_of(judge_openai_t, order_by, WORD, 0, judge_openai_sorts),
    judge_field(judge_openai_t, status, STRING, 0, 1, 20),
    judge_field(judge_openai_t, purpose, STRING, 0, 1, 40),
    { .name = NULL }
};


judge_str_t
judge_openai_id(judge_arena_t *arena, const char *prefix, judge_ms_t now)
{
    judge_id_t   id;
    judge_str_t  s;

    if (judge_id_make(&id, "oai", now) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    s = judge_str_from(judge_id_str(&id), sizeof("oai_") - 1);

    return judge_str_printf(arena, "%s%.*s", prefix, (int) s.len, s.data);
}


bool
judge_openai_id_known(judge_req_t *r, judge_str_t id, const char *what)
{
    size_t  i;

    for (i = 0; i < id.len && i <= JUDGE_OPENAI_ID_MAX; i++) {
        if (id.data[i] == '\0'
            || strchr("abcdefghijklmnopqrstuvwxyz0123456789_-"
                      "ABCDEFGHIJKLMNOPQRSTUVWXYZ", id.data[i])
               == NULL)
        {
            break;
        }
    }

    if (i == id.len && i > 0) {
        return true;
    }

    judge_fail(r, 404, "there is no such %s", what);

    return false;
}


bool
judge_openai_may_ask(judge_req_t *r, const char *what)
{
    if (r->permissions & (JUDGE_MAY_USE_LLM | JUDGE_MAY_ALL)) {
        return true;
    }

    judge_fail(r, 403, "the API key lacks the permission %s, which %s need",
               judge_permission_name(JUDGE_MAY_USE_LLM), what);

    return false;
}


judge_str_t
judge_openai_string(const judge_json_t *object, const char *name)
{
    judge_json_t  *v;

    v = object && object->type == JUDGE_JSON_OBJECT
        ? judge_json_get(object, name) : NULL;

    return v && v->type == JUDGE_JSON_STRING ? v->string
                                             : (judge_str_t) { 0, NULL };
}


const judge_json_t *
judge_openai_object(const judge_json_t *object, const char *name)
{
    judge_json_t  *v;

    v = object && object->type == JUDGE_JSON_OBJECT
        ? judge_json_get(object, name) : NULL;

    return v && v->type == JUDGE_JSON_OBJECT ? v : NULL;
}


/* --- Metadata ------------------------------------------------------------ */

bool
judge_openai_metadata(judge_req_t *r, const judge_json_t *metadata,
    judge_str_t *text)
{
    const judge_json_t  *v;

    *text = (judge_str_t) { 0, NULL };

    if (metadata == NULL) {
        return true;
    }

    if (metadata->count > JUDGE_OPENAI_METADATA) {
        judge_fail(r, 400, "metadata: expected at most %d members",
                   JUDGE_OPENAI_METADATA);
        return false;
    }

    for (v = metadata->first; v; v = v->next) {
        if (v->type != JUDGE_JSON_STRING || v->key.len > JUDGE_OPENAI_KEY
            || v->string.len > JUDGE_OPENAI_VALUE
            || memchr(v->string.data, '\0', v->string.len)
            || memchr(v->key.data, '\0', v->key.len))
        {
            judge_fail(r, 400, "metadata: expected names of at most %d bytes,"
                       " and strings of at most %d", JUDGE_OPENAI_KEY,
                       JUDGE_OPENAI_VALUE);
            return false;
        }
    }

    *text = judge_json_value_text(r->arena, metadata);
    if (text->data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return false;
    }

    return true;
}


void
judge_openai_put_metadata(judge_json_writer_t *w, judge_str_t text)
{
    judge_json_put_raw(w, "metadata", text.data ? text : JUDGE_STR("{}"));
}


static void
judge_openai_put_id(judge_json_writer_t *w, const char *key, judge_str_t id)
{
    judge_json_key(w, key);

    if (id.data) {
        judge_json_str(w, id);
    } else {
        judge_json_null(w);
    }
}


void
judge_openai_list_end(judge_json_writer_t *w, judge_str_t first,
    judge_str_t last, bool more)
{
    judge_json_array_end(w);
    judge_openai_put_id(w, "first_id", first);
    judge_openai_put_id(w, "last_id", last);
    judge_json_put_bool(w, "has_more", more);
}


/* --- Handlers ------------------------------------------------------------ */

/* The identifiers of the path; false: it was answered. */

static bool
judge_openai_path(judge_req_t *r, judge_str_t *parent, judge_str_t *id)
{
    judge_openai_t  *c = r->ctx;

    *parent = c->kind->of_eval ? r->params[0] : JUDGE_STR("");
    *id = r->params[c->kind->of_eval ? 1 : 0];

    return judge_openai_id_known(r, *id, c->kind->name)
           && (parent->len == 0 || judge_openai_id_known(r, *parent, "eval"));
}


static void
judge_openai_found(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->find.op.rc == JUDGE_OK) {
        c->next(r);
    } else if (c->find.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such %s", c->find.kind);
    } else {
        judge_fail_rc(r, c->find.op.rc);
    }
}


static void
judge_openai_answer(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    c->kind->write(r, judge_reply_begin(r, 200), &c->find.row);
    judge_reply_end(r);
}


static void
judge_openai_listed(judge_req_t *r)
{
    size_t                i;
    judge_str_t           none = { 0, NULL };
    judge_openai_t       *c = r->ctx;
    judge_openai_list_t  *list = &c->list;
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "object", "list");
    judge_json_key_array(w, "data");

    for (i = 0; i < list->count; i++) {
        judge_json_object(w);
        c->kind->write(r, w, &list->rows[i]);
        judge_json_object_end(w);
    }

    judge_openai_list_end(w, list->count ? list->rows[0].id : none,
                          list->count ? list->rows[list->count - 1].id : none,
                          list->page.more);
    judge_reply_end(r);
}


static void
judge_openai_deleted(judge_req_t *r)
{
    judge_openai_t       *c = r->ctx;
    judge_json_writer_t  *w;

    if (c->gone.op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such %s", c->kind->name);
        return;
    }

    if (c->gone.op.rc != JUDGE_OK) {
        judge_fail_rc(r, c->gone.op.rc);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "object", c->kind->deleted);
    judge_json_put_bool(w, "deleted", true);
    judge_json_put_str(w, c->kind->id, c->gone.id);
    judge_reply_end(r);
}


void
judge_openai_find(judge_req_t *r, const judge_openai_kind_t *kind,
    judge_step_pt next)
{
    judge_openai_t  *c = r->ctx;

    c->kind = kind;
    c->next = next;
    c->find.op.kind = JUDGE_OP_OPENAI_FIND;
    c->find.kind = kind->name;

    if (judge_openai_path(r, &c->find.parent, &c->find.id)) {
        judge_await(r, &c->find.op, judge_openai_found);
    }
}


void
judge_openai_get(judge_req_t *r, const judge_openai_kind_t *kind)
{
    judge_openai_find(r, kind, judge_openai_answer);
}


void
judge_openai_list(judge_req_t *r, const judge_openai_kind_t *kind)
{
    judge_openai_t       *c = r->ctx;
    judge_openai_list_t  *list = &c->list;

    c->kind = kind;
    list->op.kind = JUDGE_OP_OPENAI_LIST;
    list->kind = kind->name;
    list->parent = kind->of_eval ? r->params[0] : JUDGE_STR("");
    list->status = c->status;
    list->after = c->after;
    list->ascending = c->order.data ? judge_str_eq_c(c->order, "asc")
                                    : !kind->newest;
    list->by_update = c->order_by.data
                      && judge_str_eq_c(c->order_by, "updated_at");
    list->page.limit = c->limit.set && c->limit.value ? c->limit.value
                                                      : JUDGE_OPENAI_PAGE;

    if (!kind->of_eval || judge_openai_id_known(r, list->parent, "eval")) {
        judge_await_page(r, &list->op, judge_openai_listed);
    }
}


void
judge_openai_delete(judge_req_t *r, const judge_openai_kind_t *kind)
{
    judge_openai_t  *c = r->ctx;

    c->kind = kind;
    c->gone.op.kind = JUDGE_OP_OPENAI_DELETE;
    c->gone.kind = kind->name;
    c->gone.now = judge_now(r->service);

    if (judge_openai_path(r, &c->gone.parent, &c->gone.id)) {
        judge_await(r, &c->gone.op, judge_openai_deleted);
    }
}
