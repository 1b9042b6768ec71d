/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Files with the items of runs, as lines of JSON. */


#include <string.h>

#include "base/text/utf8.h"
#include "extensions/openai/openai.h"
#include "extensions/openai/openai_form.h"


static void judge_openai_file_take(judge_req_t *r, const char *data,
    size_t len);
static void judge_openai_file_create(judge_req_t *r);
static void judge_openai_file_list(judge_req_t *r);
static void judge_openai_file_get(judge_req_t *r);
static void judge_openai_file_content(judge_req_t *r);
static void judge_openai_file_delete(judge_req_t *r);
static void judge_openai_file_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row);


static const char *const  judge_openai_file_accepts[] = {
    "multipart/form-data", NULL
};

static const judge_field_t  judge_openai_file_query[] = {
    judge_field(judge_openai_t, after, STRING, 0, 1, 64),
    judge_field(judge_openai_t, limit, INTEGER, 0, 1, 10000),
    judge_field(judge_openai_t, order, STRING, 0, 3, 4),
    judge_field(judge_openai_t, purpose, STRING, 0, 1, 40),
    { .name = NULL }
};

const judge_route_t  judge_openai_file_routes[] = {
    { judge_route(POST, JUDGE_OPENAI_PATH "/files", JUDGE_MAY_WRITE_CONTENT,
                  JUDGE_ROUTE_LARGE_BODY, judge_openai_t),
      .consume = judge_openai_file_take, .accepts = judge_openai_file_accepts,
      .handler = judge_openai_file_create },
    { judge_route(GET, JUDGE_OPENAI_PATH "/files", JUDGE_MAY_READ_CONTENT, 0,
                  judge_openai_t),
      .query = judge_openai_file_query, .handler = judge_openai_file_list },
    { judge_route(GET, JUDGE_OPENAI_PATH "/files/{file_id}",
                  JUDGE_MAY_READ_CONTENT, 0, judge_openai_t),
      .handler = judge_openai_file_get },
    { judge_route(GET, JUDGE_OPENAI_PATH "/files/{file_id}/content",
                  JUDGE_MAY_READ_CONTENT, 0, judge_openai_t),
      .handler = judge_openai_file_content },
    { judge_route(DELETE, JUDGE_OPENAI_PATH "/files/{file_id}",
                  JUDGE_MAY_WRITE_CONTENT, 0, judge_openai_t),
      .handler = judge_openai_file_delete },
    { .pattern = NULL }
};

const judge_openai_kind_t  judge_openai_file = {
    .name = "file", .deleted = "file", .id = "id", .newest = true,
    .write = judge_openai_file_write
};


/* --- Answers ------------------------------------------------------------- */

static void
judge_openai_file_write(judge_req_t *r, judge_json_writer_t *w,
    const judge_openai_row_t *row)
{
    judge_json_t  *body, *bytes;

    if (judge_json_parse(r->arena, row->body, &body, NULL) != JUDGE_OK) {
        w->failed = true;
        return;
    }

    bytes = judge_json_get(body, "bytes");

    judge_json_put_c(w, "object", "file");
    judge_json_put_str(w, "id", row->id);
    judge_json_put_c(w, "purpose", "evals");
    judge_json_put_str(w, "filename", row->name);
    judge_json_put_int(w, "bytes", bytes ? bytes->integer : 0);
    judge_json_put_int(w, "created_at", row->created_at / 1000);
    judge_json_key(w, "expires_at");
    judge_json_null(w);
    judge_json_put_c(w, "status", "processed");
    judge_json_key(w, "status_details");
    judge_json_null(w);
}


static void
judge_openai_file_get(judge_req_t *r)
{
    judge_openai_get(r, &judge_openai_file);
}


/* There are no files for other purposes. */

static void
judge_openai_file_list(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (c->purpose.data && !judge_str_eq_c(c->purpose, "evals")) {
        c->status = JUDGE_STR("none");
    }

    judge_openai_list(r, &judge_openai_file);
}


static void
judge_openai_file_delete(judge_req_t *r)
{
    judge_openai_delete(r, &judge_openai_file);
}


static void
judge_openai_file_text(judge_req_t *r)
{
    judge_openai_t            *c = r->ctx;
    judge_openai_item_find_t  *find = c->data;

    if (find->op.rc == JUDGE_NOT_FOUND) {
        judge_fail(r, 404, "there is no such file");

    } else if (judge_check(r, find->op.rc, NULL)) {
        r->answer.status = 200;
        r->answer.content_type = "application/jsonl";
        r->answer.body = find->row.item;
        judge_reply_send(r);
    }
}


static void
judge_openai_file_found(judge_req_t *r)
{
    judge_openai_t            *c = r->ctx;
    judge_openai_item_find_t  *find;

    find = judge_calloc(r->arena, sizeof(judge_openai_item_find_t));
    if (find == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    c->data = find;
    find->op.kind = JUDGE_OP_OPENAI_ITEM_FIND;
    find->parent = c->find.id;
    judge_await(r, &find->op, judge_openai_file_text);
}


static void
judge_openai_file_content(judge_req_t *r)
{
    judge_openai_find(r, &judge_openai_file, judge_openai_file_found);
}


/* --- Uploading ----------------------------------------------------------- */

static void
judge_openai_file_take(judge_req_t *r, const char *data, size_t len)
{
    judge_buf_t     *body;
    judge_openai_t  *c = r->ctx;

    if (c->data == NULL) {
        body = judge_alloc(r->arena, sizeof(judge_buf_t));
        if (body == NULL) {
            judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
            return;
        }
        judge_buf_init(body, r->arena);
        c->data = body;
    }

    judge_buf_append(c->data, data, len);
}


static judge_rc_e
judge_openai_file_check(judge_openai_t *c, const judge_openai_form_t *purpose,
    const judge_openai_form_t *file)
{
    c->rc = JUDGE_INVALID;

    if (!judge_str_eq_c(purpose->value, "evals")) {
        c->error = JUDGE_STR("purpose: expected \"evals\"; there are files for"
                             " nothing else here");
    } else if (file->filename.len == 0 || file->filename.len > 255
               || judge_utf8_check(file->filename) != file->filename.len
               || memchr(file->filename.data, '\0', file->filename.len))
    {
        c->error = JUDGE_STR("file: expected a file with a name of at most 255"
                             " bytes");
    } else if (file->value.len == 0
               || judge_utf8_check(file->value) != file->value.len
               || memchr(file->value.data, '\0', file->value.len))
    {
        c->error = JUDGE_STR("file: expected lines of JSON in UTF-8");
    } else {
        c->rc = JUDGE_OK;
    }

    return c->rc;
}


/* In a thread. */

static void
judge_openai_file_make(judge_req_t *r)
{
    judge_buf_t             *body;
    judge_openai_t          *c = r->ctx;
    judge_openai_create_t   *create = &c->create;
    judge_openai_form_t      parts[] = {
        { .name = "purpose" }, { .name = "file" }, { .name = NULL }
    };

    body = c->data;
    if (body == NULL || body->failed) {
        c->rc = body ? JUDGE_NOMEM : JUDGE_INVALID;
        c->error = JUDGE_STR("body: expected a form");
        return;
    }

    c->rc = judge_openai_form(r->arena, r->headers[JUDGE_HEADER_CONTENT_TYPE],
                              judge_buf_view(body), parts);
    if (c->rc == JUDGE_INVALID) {
        c->error = JUDGE_STR("body: expected multipart/form-data with a"
                             " boundary, and each part once");
    }

    if (c->rc != JUDGE_OK
        || judge_openai_file_check(c, &parts[0], &parts[1]) != JUDGE_OK)
    {
        return;
    }

    create->items = judge_alloc(r->arena, sizeof(judge_str_t));
    create->row.body = judge_str_printf(r->arena, "{\"bytes\":%zu}",
                                        parts[1].value.len);
    if (create->items == NULL || create->row.body.data == NULL) {
        c->rc = JUDGE_NOMEM;
        return;
    }

    create->items[0] = parts[1].value;
    create->count = 1;
    create->row.name = parts[1].filename;
}


static void
judge_openai_file_created(judge_req_t *r)
{
    judge_openai_t  *c = r->ctx;

    if (judge_check(r, c->create.op.rc, NULL)) {
        judge_openai_file_write(r, judge_reply_begin(r, 200), &c->create.row);
        judge_reply_end(r);
    }
}


static void
judge_openai_file_made(judge_req_t *r)
{
    judge_openai_t         *c = r->ctx;
    judge_openai_create_t  *create = &c->create;

    if (!judge_check(r, c->rc, &c->error)) {
        return;
    }

    create->op.kind = JUDGE_OP_OPENAI_CREATE;
    create->kind = "file";
    create->row.created_at = judge_now(r->service);
    create->row.id = judge_openai_id(r->arena, "file-",
                                     create->row.created_at);
    create->row.parent = JUDGE_STR("");
    create->row.status = JUDGE_STR("processed");

    if (create->row.id.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_await(r, &create->op, judge_openai_file_created);
}


static void
judge_openai_file_create(judge_req_t *r)
{
    judge_compute(r, judge_openai_file_make, judge_openai_file_made);
}
