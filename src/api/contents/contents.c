/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that create contents of text, and read, list and delete
 * contents. */


#include <unistd.h>

#include "base/crypto/crypto.h"
#include "work/render/resource_json.h"
#include "work/service/extension.h"
#include "work/service/signed_url.h"
#include "work/uploads/object_store.h"
#include "work/uploads/upload_reader.h"
#include "api/contents/contents.h"
#include "api/http/request.h"


typedef struct {
    judge_json_t           *metadata;
    judge_json_t           *messages;  /* in place of the text */
    judge_id_t              id;
    judge_content_create_t  create;
    judge_content_find_t    find;      /* of a repeat */
} judge_contents_create_t;

typedef struct {
    judge_list_query_t    query;
    judge_content_list_t  list;
} judge_contents_list_t;


static bool judge_contents_create(judge_req_t *r);
static void judge_contents_record(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static void judge_contents_replayed(judge_req_t *r);
static void judge_contents_deleted(judge_req_t *r);


static const judge_field_t  judge_contents_create_fields[] = {
    judge_field_as("name", judge_contents_create_t, create.row.name, STRING,
                   JUDGE_REQUIRED, 1, 255),
    judge_field_one_of_as("file_type", judge_contents_create_t,
                          create.row.file_type, WORD, JUDGE_REQUIRED,
                          judge_content_types),
    judge_field_as("text_content", judge_contents_create_t,
                   create.row.text_content, STRING, 0, 1, -1),
    judge_field(judge_contents_create_t, messages, ANY, 0, 0, 0),
    judge_field_as("description", judge_contents_create_t,
                   create.row.description, STRING, 0, 0, 5000),
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
    { judge_route(POST, "/content", JUDGE_MAY_WRITE_CONTENT,
                  JUDGE_ROUTE_CREATES | JUDGE_ROUTE_REREAD,
                  judge_contents_create_t),
      .body = judge_contents_create_fields,
      .op = { .kind = JUDGE_OP_CONTENT_CREATE,
              .op = offsetof(judge_contents_create_t, create.op),
              .now = offsetof(judge_contents_create_t, create.row.created_at),
              .prepare = judge_contents_create,
              .record = judge_contents_record, .status = 201,
              .row = offsetof(judge_contents_create_t, create.row) },
      .location = "/content/{id}", .replayed = judge_contents_replayed },
    { judge_route(GET, "/content", JUDGE_MAY_READ_CONTENT, 0,
                  judge_contents_list_t),
      .query = judge_contents_list_query,
      .resource = &judge_contents_resource,
      .list = { judge_route_list(JUDGE_OP_CONTENT_LIST, judge_contents_list_t,
                                 judge_content_row_t),
                .record = judge_contents_record } },
    { judge_route(GET, "/content/{content_id}", JUDGE_MAY_READ_CONTENT, 0,
                  judge_content_find_t),
      .resource = &judge_contents_resource,
      .op = { judge_route_op(JUDGE_OP_CONTENT_FIND, judge_content_find_t, ),
              .record = judge_contents_record,
              .row = offsetof(judge_content_find_t, row) } },
    { judge_route(DELETE, "/content/{content_id}", JUDGE_MAY_WRITE_CONTENT, 0,
                  judge_content_delete_t),
      .resource = &judge_contents_resource,
      .op = { judge_route_op_now(JUDGE_OP_CONTENT_DELETE,
                                 judge_content_delete_t, ),
              .next = judge_contents_deleted } },
    { .pattern = NULL }
};


static bool
judge_contents_create(judge_req_t *r)
{
    judge_contents_create_t  *c = r->ctx;

    if (!judge_str_eq_c(c->create.row.file_type, "text")) {
        return judge_fail(r, 400, "file_type: expected text, because files of"
                          " other types are uploaded");
    }

    return judge_content_require(r, c->messages, c->metadata, &c->create.row)
           && judge_content_text(r, &c->create.row,
                                 c->messages ? NULL : c->metadata, &c->id);
}


/* Only the transcript is kept: what was parsed of the messages, such as the
 * arguments of calls, may need 32 times their memory. */

static judge_rc_e
judge_content_transcript(judge_arena_t *arena, const judge_json_t *messages,
    judge_str_t path, judge_str_t *text, judge_str_t *error)
{
    judge_rc_e             rc;
    judge_str_t            why;
    judge_arena_t         *scratch;
    judge_conversation_t   c;

    scratch = judge_arena_create(16 * 1024);
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_extensions_conversation(scratch, messages, path, &c, &why);

    if (rc == JUDGE_INVALID) {
        rc = judge_invalid(error, judge_str_dup(arena, why));
    } else if (rc == JUDGE_OK) {
        *text = judge_str_dup(arena, c.text);
        rc = text->data ? JUDGE_OK : JUDGE_NOMEM;
    }

    judge_arena_destroy(scratch);

    return rc;
}


judge_str_t
judge_content_metadata(judge_arena_t *arena, judge_str_t text)
{
    return judge_str_starts(text, JUDGE_STR(JUDGE_MESSAGES_HEAD))
           ? judge_str_printf(arena, "{ %.*s", (int) text.len - 1,
                              text.data + 1)
           : text;
}


/* The length is checked first, because it bounds what is parsed. */

judge_rc_e
judge_content_messages(judge_arena_t *arena, const judge_json_t *messages,
    judge_str_t path, const judge_json_t *metadata, judge_content_row_t *row,
    judge_str_t *error)
{
    judge_buf_t            buf;
    judge_json_writer_t    w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_key(&w, JUDGE_MESSAGES_KEY);
    judge_json_value(&w, messages);
    judge_json_members(&w, metadata, NULL);

    row->metadata = judge_json_text(&w);
    if (row->metadata.data == NULL) {
        return JUDGE_NOMEM;
    }

    if (row->metadata.len > JUDGE_METADATA_MAX) {
        return judge_invalid(error, judge_str_printf(arena,
                   "%.*s: expected at most %d bytes of JSON, with the"
                   " metadata", judge_str_args(path), JUDGE_METADATA_MAX));
    }

    return judge_content_transcript(arena, messages, path, &row->text_content,
                                    error);
}


bool
judge_content_require(judge_req_t *r, const judge_json_t *messages,
    const judge_json_t *metadata, judge_content_row_t *row)
{
    judge_rc_e   rc;
    judge_str_t  error;

    if (messages == NULL && row->text_content.data == NULL) {
        return judge_fail(r, 400, "text_content: required, or messages in"
                          " place of it");
    }

    if (messages == NULL) {
        return true;
    }

    if (row->text_content.data) {
        return judge_fail(r, 400, "messages: expected either messages or"
                          " text_content, not both");
    }

    rc = judge_content_messages(r->arena, messages, JUDGE_STR("messages"),
                                metadata, row, &error);

    return judge_check(r, rc, &error);
}


bool
judge_content_text(judge_req_t *r, judge_content_row_t *row,
    const judge_json_t *metadata, judge_id_t *id)
{
    size_t      max;
    judge_rc_e  rc;

    max = r->service->settings.max_text;

    if (row->text_content.len > max) {
        return judge_fail(r, 400, "%s: expected at most %zu bytes",
                          row->metadata.data ? "messages" : "text_content",
                          max);
    }

    if (metadata) {
        row->metadata = judge_content_metadata(r->arena,
                            judge_json_value_text(r->arena, metadata));
        if (row->metadata.data == NULL) {
            return judge_fail_rc(r, JUDGE_NOMEM);
        }
    }

    rc = judge_id_make(id, "cnt", row->created_at);
    row->id = judge_id_str(id);
    row->file_type = JUDGE_STR("text");
    row->status = JUDGE_STR("ready");
    row->size = (int64_t) row->text_content.len;

    return judge_check(r, rc, NULL);
}


/* A list leaves out the texts, which may be long.  A file's address is signed
 * anew for each answer. */

static void
judge_contents_record(judge_req_t *r, judge_json_writer_t *w,
    const void *record)
{
    judge_ms_t                  until;
    judge_str_t                 url;
    const judge_content_row_t  *row = record;

    url = row->file_url;
    until = judge_now(r->service) + r->service->settings.upload_valid;

    if (judge_object_is_path(row->file_path)) {
        url = judge_object_url(r->arena, r->service, row->file_path, until);
    } else if (row->file_path.data) {
        url = judge_signed_query_url(r, JUDGE_GET, "files", row->id, until);
    }

    judge_content_json(w, row, url);
}


static void
judge_contents_reread(judge_req_t *r)
{
    judge_contents_create_t  *c = r->ctx;

    judge_contents_record(r, judge_reply_begin(r, 201), &c->find.row);
    judge_reply_end(r);
}


static void
judge_contents_replayed(judge_req_t *r)
{
    judge_contents_create_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_CONTENT_FIND;
    c->find.id = judge_reply_id(r);
    judge_await_found(r, &c->find.op, "the content has been deleted",
                      judge_contents_reread);
}


/* Runs in a thread.  A file that a crash leaves is swept up later. */

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
judge_contents_removed(judge_req_t *r)
{
    judge_reply_empty(r, 204);
}


static void
judge_contents_deleted(judge_req_t *r)
{
    judge_content_delete_t  *c = r->ctx;

    if (judge_object_is_path(c->file_path)) {
        judge_object_remove(r->service, c->file_path,
                            (judge_str_t) { 0, NULL });

    } else if (c->file_path.data) {
        judge_compute(r, judge_contents_unlink, judge_contents_removed);
        return;
    }

    judge_contents_removed(r);
}


/* --- Pre-signed addresses ------------------------------------------------ */

judge_str_t
judge_signed_query_url(judge_req_t *r, judge_method_e method,
    const char *folder, judge_str_t id, judge_ms_t expires)
{
    judge_signed_object_t  address;

    address = (judge_signed_object_t) { r->service->secret, (int) method,
                                        folder, r->org, id };

    return judge_signed_url(r->arena, r->base_url, &address, expires);
}


bool
judge_signed_query_check(judge_req_t *r, const judge_signed_query_t *query,
    const char *folder)
{
    judge_str_t      signature;
    judge_signed_object_t  address;

    if (!query->expires.set || query->signature.data == NULL) {
        return judge_fail(r, 403, "the address is not signed");
    }

    address = (judge_signed_object_t) {
        r->service->secret, (int) r->route->method, folder, r->params[0],
        r->params[1]
    };
    signature = judge_signed_url_signature(r->arena, &address,
                                           query->expires.value);
    if (signature.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);

    } else if (!judge_secret_eq(signature, query->signature)) {
        judge_fail(r, 403, "the address was altered or was not made here");

    } else if (judge_now(r->service) >= query->expires.value * 1000) {
        judge_fail(r, 403, "the address has expired; ask for a new one");

    } else {
        r->org = r->params[0];
        return true;
    }

    return false;
}
