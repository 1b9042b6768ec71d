/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Judges: made, read, listed by version, deleted. */


#include "api/judges/judges.h"
#include "api/http/auth.h"
#include "api/http/await.h"
#include "api/judges/version_diff.h"
#include "api/http/enums.h"
#include "api/http/etag.h"
#include "api/http/routes.h"
#include "base/text/number.h"
#include "work/render/resource_json.h"


#define JUDGE_VERSION_MAX  2147483647

typedef struct {
    judge_str_t           name;
    judge_str_t           description;
    judge_choice_t        content_type;
    judge_list_t          criteria;
    judge_list_t          references;
    judge_str_t           model;
    judge_integer_t       samples;
    judge_references_check_t  check;
    judge_id_t            id;
    judge_judge_create_t  create;
} judge_judges_create_t;

typedef struct {
    judge_integer_t     version;
    judge_judge_find_t  find;
} judge_judges_get_t;

typedef struct {
    judge_list_query_t  query;
    judge_choice_t      content_type;
    judge_choice_t      status;
    judge_judge_list_t  list;
} judge_judges_list_t;


static void judge_judges_create(judge_req_t *r);
static void judge_judges_create_checked(judge_req_t *r);
static void judge_judges_create_insert(judge_req_t *r);
static judge_rc_e judge_judges_create_row(judge_req_t *r);
static void judge_judges_created(judge_req_t *r);
static void judge_judges_get(judge_req_t *r);
static void judge_judges_got(judge_req_t *r);
static void judge_judges_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_judges_write_versions(judge_req_t *r,
    judge_json_writer_t *w);


static const judge_field_t  judge_judges_create_fields[] = {
    { .name = "name", .type = JUDGE_FIELD_STRING, .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_judges_create_t, name), .min = 1,
      .max = 200 },
    { .name = "description", .type = JUDGE_FIELD_STRING,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_judges_create_t, description), .min = 0,
      .max = 5000 },
    { .name = "content_type", .type = JUDGE_FIELD_CHOICE,
      .flags = JUDGE_REQUIRED,
      .offset = offsetof(judge_judges_create_t, content_type),
      .choices = judge_content_types },
    judge_criteria_field(judge_judges_create_t, criteria, JUDGE_REQUIRED),
    judge_references_field(judge_judges_create_t, references),
    judge_judges_wish_fields(judge_judges_create_t),
    { .name = NULL }
};

static const judge_field_t  judge_judges_get_query[] = {
    { .name = "version", .type = JUDGE_FIELD_INTEGER,
      .offset = offsetof(judge_judges_get_t, version), .min = 1,
      .max = JUDGE_VERSION_MAX },
    { .name = NULL }
};

static const judge_field_t  judge_judges_list_query[] = {
    judge_list_query_fields(judge_judges_list_t, query),
    { .name = "content_type", .type = JUDGE_FIELD_CHOICE,
      .offset = offsetof(judge_judges_list_t, content_type),
      .choices = judge_content_types },
    { .name = "status", .type = JUDGE_FIELD_CHOICE,
      .offset = offsetof(judge_judges_list_t, status),
      .choices = judge_judge_statuses },
    { .name = NULL }
};

static const judge_route_filter_t  judge_judges_filters[] = {
    judge_route_filter(judge_judges_list_t, content_type, judge_content_types),
    judge_route_filter(judge_judges_list_t, status, judge_judge_statuses),
    { .choices = NULL }
};

const judge_resource_t  judge_judges_resource = { "jdg", "judge", "judges" };


#define judge_judges_post(path)                                               \
    { .method = JUDGE_POST, .pattern = path,                                  \
      .permission = JUDGE_MAY_WRITE_JUDGES, .flags = JUDGE_ROUTE_CREATES,     \
      .ctx_size = sizeof(judge_judges_create_t),                              \
      .etag = "\"1\"",                                                        \
      .body = judge_judges_create_fields, .handler = judge_judges_create }

#define judge_judges_get_one(path)                                            \
    { .method = JUDGE_GET, .pattern = path,                                   \
      .permission = JUDGE_MAY_READ_JUDGES,                                    \
      .ctx_size = sizeof(judge_judges_get_t),                                 \
      .query = judge_judges_get_query,                                        \
      .resource = &judge_judges_resource, .handler = judge_judges_get }

const judge_route_t  judge_judge_routes[] = {
    judge_judges_post("/api-key/judges"),
    judge_judges_post("/judges"),
    judge_judges_get_one("/api-key/judges/{judge_id}"),
    judge_judges_get_one("/judges/{judge_id}"),
    { .method = JUDGE_GET, .pattern = "/judges",
      .permission = JUDGE_MAY_READ_JUDGES,
      .ctx_size = sizeof(judge_judges_list_t),
      .query = judge_judges_list_query, .resource = &judge_judges_resource,
      .list = { judge_route_list(JUDGE_OP_JUDGE_LIST, judge_judges_list_t,
                                 judge_judge_row_t),
                .filters = judge_judges_filters,
                .write = judge_judges_write_row } },
    { .method = JUDGE_GET, .pattern = "/judges/{judge_id}/versions",
      .permission = JUDGE_MAY_READ_JUDGES,
      .ctx_size = sizeof(judge_judge_versions_t),
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_VERSIONS,
                             judge_judge_versions_t, ),
              .write = judge_judges_write_versions } },
    { .method = JUDGE_DELETE, .pattern = "/judges/{judge_id}",
      .permission = JUDGE_MAY_WRITE_JUDGES,
      .ctx_size = sizeof(judge_judge_delete_t),
      .resource = &judge_judges_resource,
      .op = { judge_route_op(JUDGE_OP_JUDGE_DELETE, judge_judge_delete_t, ),
              .now = offsetof(judge_judge_delete_t, now),
              .conflict = "evaluations of this judge are under way; delete it"
                          " when they have ended" } },
    { .pattern = NULL }
};


static void
judge_judges_create(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    if (judge_judges_check(r, &c->criteria)
        && judge_model_wish_check(r, c->model,
                                  judge_enum_name(judge_content_types,
                                                  c->content_type)))
    {
        judge_references_check(r, &c->references, &c->check,
                               judge_judges_create_checked,
                               judge_judges_create_insert);
    }
}


static void
judge_judges_create_checked(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    if (judge_references_found(r, &c->check)) {
        judge_judges_create_insert(r);
    }
}


static void
judge_judges_create_insert(judge_req_t *r)
{
    judge_rc_e              rc;
    judge_json_writer_t    *w;
    judge_judges_create_t  *c = r->ctx;

    rc = judge_judges_create_row(r);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    w = judge_reply_begin(r, 201);
    judge_judge_json(w, &c->create.row);
    if (!judge_reply_ready(r)) {
        return;
    }

    /* That it learns is seen from its references, not stored. */
    c->create.row.status = JUDGE_STR("ready");
    c->create.op.kind = JUDGE_OP_JUDGE_CREATE;
    judge_await_create(r, &c->create.op, NULL, judge_judges_created);
}


static judge_rc_e
judge_judges_create_row(judge_req_t *r)
{
    judge_ms_t              now;
    judge_rc_e              rc;
    judge_str_t             error, references;
    judge_list_t            criteria;
    judge_judges_create_t  *c = r->ctx;

    now = judge_now(r->service);

    rc = judge_id_make(&c->id, "jdg", now);
    if (rc == JUDGE_OK) {
        rc = judge_criteria_identify(r->arena, &c->criteria, NULL, now,
                                     &criteria, &error);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_judges_references(r->arena, &c->references, &references);
    if (rc != JUDGE_OK) {
        return rc;
    }

    c->create.row = (judge_judge_row_t) {
        .id = judge_id_str(&c->id),
        .content_type = judge_enum_name(judge_content_types, c->content_type),
        .status = c->check.pending ? JUDGE_STR("learning")
                                   : JUDGE_STR("ready"),
        .active = 1,
        .latest = 1,
        .created_at = now,
        .updated_at = now,
        .version = 1,
        .version_created_at = now,
        .criteria_count = (int64_t) criteria.count,
        .name = c->name,
        .changes_summary = JUDGE_STR(JUDGE_VERSION_DIFF_FIRST),
        .description = c->description,
        .criteria = judge_criteria_write(r->arena, &criteria),
        .reference_uris = references,
        .model = judge_judges_wish(c->model),
        .samples = c->samples.set ? c->samples.value : 0
    };

    if (c->create.row.criteria.data == NULL) {
        return JUDGE_NOMEM;
    }

    return judge_references_identify(r->arena, &c->create.row);
}


static void
judge_judges_created(judge_req_t *r)
{
    judge_judges_create_t  *c = r->ctx;

    if (c->create.op.rc != JUDGE_OK) {
        judge_fail_rc(r, c->create.op.rc);
        return;
    }

    judge_reply_header(r, "ETag", judge_str_c(r->route->etag));
    judge_reply_send(r);
}


static void
judge_judges_get(judge_req_t *r)
{
    judge_judges_get_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_JUDGE_FIND;
    c->find.id = r->params[0];
    c->find.version = c->version.value;
    judge_await(r, &c->find.op, judge_judges_got);
}


static void
judge_judges_got(judge_req_t *r)
{
    judge_str_t           tag;
    judge_json_writer_t  *w;
    judge_judges_get_t   *c = r->ctx;

    if (c->find.op.rc != JUDGE_OK) {
        judge_fail(r, 404, "there is no such %s",
                   c->version.set ? "judge, or no such version of it"
                                  : "judge");
        return;
    }

    judge_judges_tag(r, c->find.row.version);

    tag = r->headers[JUDGE_HEADER_IF_NONE_MATCH];
    if (judge_judges_tagged(tag, c->find.row.version, true)) {
        judge_reply_empty(r, 304);
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_judge_json(w, &c->find.row);
    judge_reply_end(r);
}


static void
judge_judges_write_row(judge_req_t *r, judge_json_writer_t *w, const void *row)
{
    judge_json_object(w);
    judge_judge_json(w, row);
    judge_json_object_end(w);
}


static void
judge_judges_write_versions(judge_req_t *r, judge_json_writer_t *w)
{
    size_t                   i;
    judge_judge_row_t       *row;
    judge_judge_versions_t  *c = r->ctx;

    judge_json_put_str(w, "judge_id", c->id);
    judge_json_put_int(w, "current_version", c->active);
    judge_json_key(w, "versions");
    judge_json_array(w);

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


/* --- What the steps share ------------------------------------------------ */

bool
judge_judges_check(judge_req_t *r, const judge_list_t *criteria)
{
    judge_rc_e   rc;
    judge_str_t  error;

    rc = judge_criteria_check(r->arena, criteria, &error);
    if (rc == JUDGE_INVALID) {
        judge_fail(r, 400, "%.*s", (int) error.len, error.data);
        return false;
    }

    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return false;
    }

    return true;
}


judge_str_t
judge_judges_wish(judge_str_t model)
{
    return model.len ? model : (judge_str_t) { 0, NULL };
}


judge_rc_e
judge_judges_references(judge_arena_t *arena, const judge_list_t *references,
    judge_str_t *json)
{
    size_t                i;
    judge_rc_e            rc;
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_str_t    *uris;

    *json = (judge_str_t) { 0, NULL };
    if (references->count == 0) {
        return JUDGE_OK;
    }

    uris = references->items;
    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_array(&w);

    for (i = 0; i < references->count; i++) {
        judge_json_str(&w, uris[i]);
    }

    judge_json_array_end(&w);
    rc = judge_json_finish(&w);
    *json = judge_buf_view(&buf);

    return rc;
}


void
judge_judges_tag(judge_req_t *r, int64_t version)
{
    judge_reply_header(r, "ETag", judge_str_printf(r->arena, "\"%lld\"",
                                                   (long long) version));
}


bool
judge_judges_tagged(judge_str_t header, int64_t version, bool weak)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = judge_integer_format(version, text);

    return judge_etag_matches(header, (judge_str_t) { len, text }, weak);
}
