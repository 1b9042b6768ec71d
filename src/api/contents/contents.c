/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Contents: text that comes in with the request, and what is there. */


#include <unistd.h>

#include "work/render/resource_json.h"
#include "work/uploads/upload_reader.h"
#include "api/contents/contents.h"
#include "api/http/request.h"
#include "api/http/signed_query.h"


typedef struct {
    judge_str_t             name;
    judge_choice_t          file_type;
    judge_str_t             text_content;
    judge_str_t             description;
    judge_json_t           *metadata;
    judge_id_t              id;
    judge_content_create_t  create;
} judge_contents_create_t;

typedef struct {
    judge_list_query_t    query;
    judge_content_list_t  list;
} judge_contents_list_t;


static void judge_contents_create(judge_req_t *r);
static bool judge_contents_check(judge_req_t *r);
static judge_rc_e judge_contents_create_row(judge_req_t *r);
static void judge_contents_write(judge_req_t *r, judge_json_writer_t *w);
static void judge_contents_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_contents_deleted(judge_req_t *r);
static void judge_contents_unlink(judge_req_t *r);
static void judge_contents_gone(judge_req_t *r);
static void judge_contents_record(judge_req_t *r, judge_json_writer_t *w,
    const judge_content_row_t *row);


static const judge_field_t  judge_contents_create_fields[] = {
    judge_field(judge_contents_create_t, name, STRING, JUDGE_REQUIRED, 1, 255),
    judge_field_one_of(judge_contents_create_t, file_type, CHOICE,
                       JUDGE_REQUIRED, judge_content_types),
    judge_field(judge_contents_create_t, text_content, STRING, JUDGE_REQUIRED,
                1, -1),
    judge_field(judge_contents_create_t, description, STRING, 0, 0, 5000),
    judge_field(judge_contents_create_t, metadata, ANY_OBJECT, 0, 0,
                JUDGE_METADATA_MAX),
    { .name = NULL }
};

static const judge_field_t  judge_contents_list_query[] = {
    judge_list_query_fields(judge_contents_list_t, query),
    judge_field_one_of_as("file_type", judge_contents_list_t, list.file_type,
                          WORD, 0, judge_content_types),
    judge_field_one_of_as("status", judge_contents_list_t, list.status, WORD,
                          0, judge_content_statuses),
    { .name = NULL }
};

static const judge_resource_t  judge_contents_resource = {
    "cnt", "content", "contents"
};


const judge_route_t  judge_content_routes[] = {
    { .method = JUDGE_POST, .pattern = "/content",
      .permission = JUDGE_MAY_WRITE_CONTENT, .flags = JUDGE_ROUTE_CREATES,
      .ctx_size = sizeof(judge_contents_create_t),
      .body = judge_contents_create_fields,
      .handler = judge_contents_create },
    { .method = JUDGE_GET, .pattern = "/content",
      .permission = JUDGE_MAY_READ_CONTENT,
      .ctx_size = sizeof(judge_contents_list_t),
      .query = judge_contents_list_query,
      .resource = &judge_contents_resource,
      .list = { judge_route_list(JUDGE_OP_CONTENT_LIST, judge_contents_list_t,
                                 judge_content_row_t),
                .write = judge_contents_write_row } },
    { .method = JUDGE_GET, .pattern = "/content/{content_id}",
      .permission = JUDGE_MAY_READ_CONTENT,
      .ctx_size = sizeof(judge_content_find_t),
      .resource = &judge_contents_resource,
      .op = { judge_route_op(JUDGE_OP_CONTENT_FIND, judge_content_find_t, ),
              .write = judge_contents_write } },
    { .method = JUDGE_DELETE, .pattern = "/content/{content_id}",
      .permission = JUDGE_MAY_WRITE_CONTENT,
      .ctx_size = sizeof(judge_content_delete_t),
      .resource = &judge_contents_resource,
      .op = { judge_route_op(JUDGE_OP_CONTENT_DELETE,
                             judge_content_delete_t, ),
              .now = offsetof(judge_content_delete_t, now),
              .next = judge_contents_deleted } },
    { .pattern = NULL }
};


static void
judge_contents_create(judge_req_t *r)
{
    judge_rc_e                rc;
    judge_json_writer_t      *w;
    judge_contents_create_t  *c = r->ctx;

    if (!judge_contents_check(r)) {
        return;
    }

    rc = judge_contents_create_row(r);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    w = judge_reply_begin(r, 201);
    judge_contents_record(r, w, &c->create.row);
    if (!judge_reply_ready(r)) {
        return;
    }

    c->create.op.kind = JUDGE_OP_CONTENT_CREATE;
    judge_await_create(r, &c->create.op, NULL, NULL);
}


static bool
judge_contents_check(judge_req_t *r)
{
    size_t                    max;
    judge_contents_create_t  *c = r->ctx;

    max = r->service->settings.max_text;

    if (!judge_str_eq_c(judge_enum_name(judge_content_types, c->file_type),
                        "text"))
    {
        judge_fail(r, 400, "file_type: expected text, because files of other"
                           " types are uploaded");
        return false;
    }

    if (c->text_content.len > max) {
        judge_fail(r, 400, "text_content: expected at most %zu bytes", max);
        return false;
    }

    return true;
}


static judge_rc_e
judge_contents_create_row(judge_req_t *r)
{
    judge_ms_t                now;
    judge_rc_e                rc;
    judge_str_t               metadata;
    judge_contents_create_t  *c = r->ctx;

    now = judge_now(r->service);

    rc = judge_id_make(&c->id, "cnt", now);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_contents_metadata(r->arena, c->metadata, &metadata);
    if (rc != JUDGE_OK) {
        return rc;
    }

    c->create.row = (judge_content_row_t) {
        .id = judge_id_str(&c->id),
        .file_type = judge_enum_name(judge_content_types, c->file_type),
        .status = JUDGE_STR("ready"),
        .size = (int64_t) c->text_content.len,
        .created_at = now,
        .name = c->name,
        .description = c->description,
        .metadata = metadata,
        .text_content = c->text_content
    };

    return JUDGE_OK;
}


judge_rc_e
judge_contents_metadata(judge_arena_t *arena, const judge_json_t *metadata,
    judge_str_t *json)
{
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    *json = (judge_str_t) { 0, NULL };
    if (metadata == NULL) {
        return JUDGE_OK;
    }

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_value(&w, metadata);
    rc = judge_json_finish(&w);
    *json = judge_buf_view(&buf);

    return rc;
}


static void
judge_contents_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_content_find_t  *c = r->ctx;

    judge_contents_record(r, w, &c->row);
}


static void
judge_contents_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    judge_json_object(w);
    judge_contents_record(r, w, row);
    judge_json_object_end(w);
}


static void
judge_contents_deleted(judge_req_t *r)
{
    judge_content_delete_t  *c = r->ctx;

    if (c->file_path.data) {
        judge_compute(r, judge_contents_unlink, judge_contents_gone);
        return;
    }

    judge_contents_gone(r);
}


/* In a thread.  A file that stays, because of a crash, is swept up later. */

static void
judge_contents_unlink(judge_req_t *r)
{
    judge_str_t              path;
    judge_content_delete_t  *c = r->ctx;

    path = judge_upload_reader_path(r->arena, r->service, c->file_path);
    if (path.data) {
        (void) unlink(path.data);
    }
}


static void
judge_contents_gone(judge_req_t *r)
{
    judge_reply_empty(r, 204);
}


/* A list has no texts: they may be long.  The address of a file is signed
 * anew each time. */

static void
judge_contents_record(judge_req_t *r, judge_json_writer_t *w,
    const judge_content_row_t *row)
{
    judge_str_t  url;

    url = row->file_url;
    if (row->file_path.data) {
        url = judge_signed_query_url(r, JUDGE_GET, "files", r->org, row->id,
                                     judge_now(r->service)
                                     + r->service->settings.upload_valid);
    }

    judge_content_json(w, row, url);
}
