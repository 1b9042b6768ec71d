/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that create, check, read, list and delete judges, and list
 * their versions. */


#include "work/render/resource_json.h"
#include "api/evaluations/model_choice.h"
#include "api/http/response_cache.h"
#include "api/judges/criteria.h"
#include "api/judges/judge_version.h"


#define JUDGE_VERSION_MAX  2147483647

typedef struct {
    judge_version_body_t  body;
    judge_id_t            id;
    judge_version_t       version;
    void                (*make)(judge_req_t *r); /* makes it, in a thread, */
    judge_step_pt         made;        /* and the step that follows */
    judge_judge_create_t  create;
} judge_judges_create_t;

typedef struct {
    judge_integer_t     version;
    judge_judge_find_t  find;
} judge_judges_get_t;

typedef struct {
    judge_list_query_t  query;
    judge_judge_list_t  list;
} judge_judges_list_t;


static void judge_judges_create(judge_req_t *r);
static bool judge_judges_create_row(judge_req_t *r);
static void judge_judges_create_write(judge_req_t *r, judge_json_writer_t *w);
static void judge_judges_created(judge_req_t *r);
static void judge_judges_check(judge_req_t *r);
static void judge_judges_get(judge_req_t *r);
static void judge_judges_got(judge_req_t *r);
static void judge_judges_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_judges_write_versions(judge_req_t *r,
    judge_json_writer_t *w);


static const judge_field_t  judge_judges_get_query[] = {
    judge_field(judge_judges_get_t, version, INTEGER, 0, 1, JUDGE_VERSION_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_judges_list_query[] = {
    judge_list_query_fields(judge_judges_list_t, query),
    judge_field_one_of_as("content_type", judge_judges_list_t,
                          list.content_type, WORD, 0, judge_content_types),
    judge_field_one_of_as("status", judge_judges_list_t, list.status, WORD, 0,
                          judge_judge_statuses),
    { .name = NULL }
};


#define judge_judges_post(path)                                               \
    { judge_route(POST, path, JUDGE_MAY_WRITE_JUDGES, JUDGE_ROUTE_CREATES,    \
                  judge_judges_create_t),                                     \
      .etag = "\"1\"", .location = path "/{id}",                              \
      .body = judge_version_create_fields, .handler = judge_judges_create,    \
      .op = { .kind = JUDGE_OP_JUDGE_CREATE,                                  \
              .op = offsetof(judge_judges_create_t, create.op),               \
              .prepare = judge_judges_create_row,                             \
              .write = judge_judges_create_write, .status = 201,              \
              .next = judge_judges_created } }

#define judge_judges_get_one(path)                                            \
    { judge_route(GET, path, JUDGE_MAY_READ_JUDGES, JUDGE_ROUTE_CACHED,       \
                  judge_judges_get_t),                                        \
      .query = judge_judges_get_query,                                        \
      .resource = &judge_judges_resource, .handler = judge_judges_get }

const judge_route_t  judge_judge_routes[] = {
    judge_judges_post("/api-key/judges"),
    judge_judges_post("/judges"),
    { judge_route(POST, "/judges/check", JUDGE_MAY_READ_JUDGES, 0,
                  judge_judges_create_t),
      .body = judge_version_create_fields, .handler = judge_judges_check },
    judge_judges_get_one("/api-key/judges/{judge_id}"),
    judge_judges_get_one("/judges/{judge_id}"),
    { judge_route(GET, "/judges", JUDGE_MAY_READ_JUDGES, 0,
                  judge_judges_list_t),
      .query = judge_judges_list_query, .resource = &judge_judges_resource,
      .list = { judge_route_list(JUDGE_OP_JUDGE_LIST, judge_judges_list_t,
                                 judge_judge_row_t),
                .record = judge_judges_write_row } },
    { judge_route(GET, "/judges/{judge_id}/versions", JUDGE_MAY_READ_JUDGES, 0,
                  judge_judge_versions_t),
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_VERSIONS,
                             judge_judge_versions_t, ),
              .write = judge_judges_write_versions } },
    { .pattern = NULL }
};


static void
judge_judges_stored(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    judge_compute(r, c->make, c->made);
}


static void
judge_judges_models(judge_req_t *r)
{
    judge_version_body_t  *body = r->ctx;

    if (judge_model_choice_check(r, body->row.model, body->row.content_type)
        && judge_model_choice_asks(r, body->escalate.model))
    {
        judge_version_check_stored(r, judge_judges_stored);
    }
}


static void
judge_judges_make(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    r->rc = judge_version_make(r, NULL, &c->version, &r->error);
}


static void
judge_judges_create(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    c->make = judge_judges_make;
    c->made = judge_resource_run;
    judge_version_check(r, judge_judges_models);
}


static bool
judge_judges_create_row(judge_req_t *r)
{
    judge_ms_t              now;
    judge_judges_create_t  *c = r->ctx;
    judge_judge_row_t      *row = &c->create.row;

    now = judge_now(r->service);

    if (!judge_check(r, judge_id_make(&c->id, "jdg", now), NULL)
        || !judge_version_judged(r, &c->version))
    {
        return false;
    }

    *row = c->version.row;
    row->id = judge_id_str(&c->id);
    row->content_type = c->body.row.content_type;
    row->active = row->latest = row->version = 1;
    row->created_at = row->updated_at = row->version_created_at = now;
    row->changes_summary = JUDGE_STR(JUDGE_VERSION_FIRST);

    return true;
}


/* "learning" is shown, but not stored: reads derive it from the references. */

static void
judge_judges_create_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_judges_create_t  *c = r->ctx;
    judge_judge_row_t      *row = &c->create.row;

    row->status = c->body.check.pending ? JUDGE_STR("learning")
                                        : JUDGE_STR("ready");
    judge_judge_json(w, row);
    judge_version_warnings(w, &c->version);
    row->status = JUDGE_STR("ready");
}


static void
judge_judges_created(judge_req_t *r)
{
    judge_reply_header(r, "ETag", judge_str_c(r->route->etag));
    judge_reply_send(r);
}


/* Writes the judge that the body would create; nothing is stored. */

static void
judge_judges_show(judge_req_t *r)
{
    judge_version_t       *version;
    judge_json_writer_t   *w;
    judge_judges_create_t *c = r->ctx;

    judge_judges_make(r);

    if (r->rc == JUDGE_OK) {
        version = &c->version;
        w = judge_reply_begin(r, 200);
        judge_json_put_str(w, "name", version->row.name);
        judge_json_put_raw(w, "criteria", version->row.criteria);
        judge_version_warnings(w, version);
        judge_advice_write(w, r->arena, &version->criteria);
    }
}


static void
judge_judges_check(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    c->make = judge_judges_show;
    c->made = judge_reply_end;
    judge_version_check(r, judge_judges_models);
}


static void
judge_judges_get(judge_req_t *r)
{
    judge_judges_get_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = r->params[0];
    c->find.version = c->version.value;
    judge_await_found(r, &c->find.op, c->version.set
                      ? "there is no such judge, or no such version of it"
                      : NULL, judge_judges_got);
}


static void
judge_judges_got(judge_req_t *r)
{
    judge_str_t           tag;
    judge_json_writer_t  *w;
    judge_judges_get_t   *c = r->ctx;

    judge_etag_version(r, c->find.row.version);

    tag = r->headers[JUDGE_HEADER_IF_NONE_MATCH];
    if (judge_etag_version_matches(tag, c->find.row.version, true)) {
        r->answer.status = 304;
        judge_response_keep(r);
        judge_reply_empty(r, 304);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_judge_json(w, &c->find.row);
    judge_reference_errors_json(w, r->org, c->find.references,
                                c->find.nreferences, c->find.row.content_type,
                                false);
    if (judge_reply_ready(r)) {
        judge_response_keep(r);
        judge_reply_send(r);
    }
}


static void
judge_judges_write_row(judge_req_t *r, judge_json_writer_t *w, const void *row)
{
    judge_judge_json(w, row);
}


static void
judge_judges_write_versions(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                   i;
    judge_judge_row_t       *row;
    judge_judge_versions_t  *c = r->ctx;

    judge_json_put_id(w, "judge_id", c->id);
    judge_json_put_int(w, "current_version", c->active);
    judge_json_key_array(w, "versions");

    for (i = 0; i < c->count; i++) {
        row = &c->rows[i];
        judge_json_object(w);
        judge_json_put_int(w, "version_number", row->version);
        judge_json_put_bool(w, "is_active", row->version == c->active);
        judge_json_put_time(w, "created_at", row->version_created_at);
        judge_json_put_str(w, "changes_summary", row->changes_summary);
        judge_json_put_int(w, "criteria_count", row->criteria_count);
        judge_json_put_str(w, "name", row->name);
        judge_judge_model_choice_json(w, row);
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
}
