/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Files: a place is promised, the file comes to a pre-signed address, and is
 * read back from another one. */


#include <string.h>
#include <unistd.h>

#include "store/store_upload.h"
#include "work/service/metrics.h"
#include "work/uploads/upload_reader.h"
#include "api/contents/contents.h"
#include "api/evaluations/model_choice.h"
#include "api/http/request.h"
#include "api/http/media_type.h"
#include "api/http/signed_query.h"
#include "api/judges/references.h"


#define JUDGE_UPLOAD_GRACE  60000      /* ms for one that began in time */


typedef struct {
    judge_str_t            name;
    judge_choice_t         file_type;
    judge_str_t            file_extension;
    judge_integer_t        size;
    judge_json_t          *metadata;
    judge_str_t            judge_id;
    judge_choice_t         priority;
    judge_model_choice_t   choice;
    judge_wish_t           wish;
    judge_id_t             id;
    judge_id_t             evaluation_id;
    judge_judge_find_t     judge;
    judge_upload_create_t  create;
} judge_uploads_promise_t;

typedef struct {
    judge_str_t            file_extension;
    judge_id_t             id;
    judge_upload_create_t  create;
} judge_uploads_reference_t;

typedef struct {
    judge_signed_query_t    query;
    judge_upload_find_t     find;
    judge_upload_receive_t  receive;
} judge_uploads_put_t;

typedef struct {
    judge_signed_query_t  query;
    judge_content_find_t  find;
} judge_uploads_get_t;


static void judge_uploads_promise(judge_req_t *r);
static void judge_uploads_promise_judge(judge_req_t *r);
static void judge_uploads_promise_model(judge_req_t *r);
static void judge_uploads_promise_insert(judge_req_t *r);
static judge_rc_e judge_uploads_promise_row(judge_req_t *r);
static bool judge_uploads_promise_keep(judge_req_t *r);
static void judge_uploads_reference(judge_req_t *r);
static void judge_uploads_reference_row(judge_req_t *r);
static bool judge_uploads_extension(judge_req_t *r, judge_str_t extension);
static void judge_uploads_put(judge_req_t *r);
static void judge_uploads_put_found(judge_req_t *r);
static bool judge_uploads_put_fits(judge_req_t *r,
    const judge_upload_row_t *row);
static void judge_uploads_put_written(judge_req_t *r);
static void judge_uploads_put_committed(judge_req_t *r, judge_op_t *op);
static void judge_uploads_put_done(judge_req_t *r);
static void judge_uploads_put_unlink(judge_req_t *r);
static void judge_uploads_put_late(judge_req_t *r);
static void judge_uploads_get(judge_req_t *r);
static void judge_uploads_get_found(judge_req_t *r);


static const judge_field_t  judge_uploads_promise_fields[] = {
    judge_field(judge_uploads_promise_t, name, STRING, JUDGE_REQUIRED, 1,
                JUDGE_CONTENT_NAME_MAX),
    judge_field_one_of(judge_uploads_promise_t, file_type, CHOICE,
                       JUDGE_REQUIRED, judge_content_types),
    judge_field(judge_uploads_promise_t, file_extension, STRING, 0, 1, 10),
    judge_field(judge_uploads_promise_t, size, INTEGER, 0, 1, 1e15),
    judge_field(judge_uploads_promise_t, metadata, ANY_OBJECT, 0, 0,
                JUDGE_METADATA_MAX),
    judge_field(judge_uploads_promise_t, judge_id, STRING, 0, 1, 200),
    judge_field_one_of(judge_uploads_promise_t, priority, CHOICE, 0,
                       judge_priorities),
    judge_model_choice_fields(judge_uploads_promise_t, choice),
    { .name = NULL }
};

static const judge_field_t  judge_uploads_reference_fields[] = {
    judge_field(judge_uploads_reference_t, file_extension, STRING,
                JUDGE_REQUIRED, 1, 10),
    { .name = NULL }
};

static const judge_field_t  judge_uploads_put_query[] = {
    judge_signed_query_fields(judge_uploads_put_t, query),
    { .name = NULL }
};

static const judge_field_t  judge_uploads_get_query[] = {
    judge_signed_query_fields(judge_uploads_get_t, query),
    { .name = NULL }
};


const judge_route_t  judge_upload_routes[] = {
    { .method = JUDGE_POST, .pattern = "/evaluations/presigned-upload",
      .permission = JUDGE_MAY_WRITE_CONTENT, .flags = JUDGE_ROUTE_CREATES,
      .ctx_size = sizeof(judge_uploads_promise_t),
      .body = judge_uploads_promise_fields,
      .handler = judge_uploads_promise },
    { .method = JUDGE_POST, .pattern = "/judges/reference_content",
      .permission = JUDGE_MAY_WRITE_REFERENCES, .flags = JUDGE_ROUTE_CREATES,
      .ctx_size = sizeof(judge_uploads_reference_t),
      .body = judge_uploads_reference_fields,
      .handler = judge_uploads_reference },
    { .method = JUDGE_PUT,
      .pattern = "/uploads/{organization_id}/{upload_id}",
      .flags = JUDGE_ROUTE_PUBLIC, .ctx_size = sizeof(judge_uploads_put_t),
      .query = judge_uploads_put_query, .handler = judge_uploads_put },
    { .method = JUDGE_GET,
      .pattern = "/files/{organization_id}/{content_id}",
      .flags = JUDGE_ROUTE_PUBLIC, .ctx_size = sizeof(judge_uploads_get_t),
      .query = judge_uploads_get_query, .handler = judge_uploads_get },
    { .pattern = NULL }
};


/* --- POST /evaluations/presigned-upload ---------------------------------- */

static void
judge_uploads_promise(judge_req_t *r)
{
    judge_uploads_promise_t  *c = r->ctx;

    if (!judge_uploads_extension(r, c->file_extension)) {
        return;
    }

    if (c->size.set
        && (uint64_t) c->size.value > r->service->settings.max_upload)
    {
        judge_fail(r, 413, "size: expected at most %zu bytes",
                   r->service->settings.max_upload);
        return;
    }

    if (c->judge_id.data == NULL) {
        judge_uploads_promise_insert(r);
        return;
    }

    if (!(r->permissions & (JUDGE_MAY_WRITE_EVALUATIONS | JUDGE_MAY_ALL))) {
        judge_fail(r, 403, "judge_id: the key lacks the permission %s",
                   judge_permission_name(JUDGE_MAY_WRITE_EVALUATIONS));
        return;
    }

    c->judge.op.kind = JUDGE_OP_JUDGE_FIND;
    c->judge.id = c->judge_id;
    judge_await(r, &c->judge.op, judge_uploads_promise_judge);
}


static void
judge_uploads_promise_judge(judge_req_t *r)
{
    judge_str_t               type;
    judge_uploads_promise_t  *c = r->ctx;

    if (c->judge.op.rc != JUDGE_OK) {
        judge_fail(r, 404, "judge_id: there is no such judge");
        return;
    }

    type = judge_enum_name(judge_content_types, c->file_type);
    if (!judge_str_eq(type, c->judge.row.content_type)) {
        judge_fail(r, 400, "file_type: expected %.*s, the judge's content"
                           " type", (int) c->judge.row.content_type.len,
                   c->judge.row.content_type.data);
        return;
    }

    c->wish = (judge_wish_t) { .judge_id = c->judge.row.id };
    judge_model_choice_read_for(r, &c->choice, &c->wish, 1,
                                judge_uploads_promise_model);
}


static void
judge_uploads_promise_model(judge_req_t *r)
{
    judge_uploads_promise_t  *c = r->ctx;

    if (judge_model_choice_apply(r, &c->choice, &c->wish,
                                 c->judge.row.content_type,
                                 &c->create.evaluation))
    {
        judge_uploads_promise_insert(r);
    }
}


static void
judge_uploads_promise_insert(judge_req_t *r)
{
    judge_rc_e                rc;
    judge_uploads_promise_t  *c = r->ctx;

    rc = judge_uploads_promise_row(r);
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    if (judge_uploads_promise_keep(r)) {
        c->create.op.kind = JUDGE_OP_UPLOAD_CREATE;
        judge_await_create(r, &c->create.op, NULL, NULL);
    }
}


static judge_rc_e
judge_uploads_promise_row(judge_req_t *r)
{
    judge_ms_t                now;
    judge_rc_e                rc;
    judge_str_t               type;
    judge_upload_row_t       *row;
    judge_uploads_promise_t  *c = r->ctx;

    row = &c->create.row;
    now = judge_now(r->service);
    type = judge_enum_name(judge_content_types, c->file_type);

    rc = judge_id_make(&c->id, "cnt", now);
    if (rc == JUDGE_OK && c->judge_id.data) {
        rc = judge_id_make(&c->evaluation_id, "evl", now);
    }
    if (rc == JUDGE_OK) {
        rc = judge_contents_metadata(r->arena, c->metadata, &row->metadata);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    row->id = judge_id_str(&c->id);
    row->kind = JUDGE_STR("content");
    row->created_at = now;
    row->expires_at = now + r->service->settings.upload_valid;
    row->queue_at = row->expires_at + JUDGE_UPLOAD_GRACE;
    row->max_size = c->size.set ? c->size.value
                                : (int64_t) r->service->settings.max_upload;
    row->file_type = type;
    row->extension = c->file_extension.data
                     ? c->file_extension : judge_media_extension(type);
    row->name = c->name;

    if (c->judge_id.data) {
        c->create.evaluates = true;
        row->evaluation_id = judge_id_str(&c->evaluation_id);
        c->create.evaluation = (judge_evaluation_row_t) {
            .id = row->evaluation_id,
            .priority = c->priority.set ? c->priority.value
                                        : JUDGE_PRIORITY_NORMAL,
            .content_id = row->id,
            .judge_id = c->judge_id,
            .judge_version = c->judge.row.version,
            .created_at = now,
            .deadline = row->queue_at + r->service->settings.deadline,
            .model = c->create.evaluation.model,
            .samples = c->create.evaluation.samples,
            .fresh = c->create.evaluation.fresh
        };
    }

    return JUDGE_OK;
}


static bool
judge_uploads_promise_keep(judge_req_t *r)
{
    judge_str_t               type;
    judge_json_writer_t      *w;
    judge_upload_row_t       *row;
    judge_uploads_promise_t  *c = r->ctx;

    row = &c->create.row;
    type = judge_media_type(row->file_type, row->extension);

    w = judge_reply_begin(r, 201);
    judge_json_put_str(w, "content_id", row->id);
    judge_json_put_str(w, "upload_url",
                       judge_signed_query_url(r, JUDGE_PUT, "uploads", r->org,
                                              row->id, row->expires_at));
    judge_json_put_str(w, "content_uri",
                       judge_str_printf(r->arena,
                                        "judge://%.*s/contents/%.*s.%.*s",
                                        (int) r->org.len, r->org.data,
                                        (int) row->id.len, row->id.data,
                                        (int) row->extension.len,
                                        row->extension.data));
    judge_json_put_time(w, "expires_at", row->expires_at);
    judge_json_put_c(w, "method", "PUT");
    judge_json_key_object(w, "headers");
    judge_json_put_str(w, "Content-Type", type);
    judge_json_object_end(w);
    judge_json_put_int(w, "max_size", row->max_size);
    judge_json_put_str(w, "job_id", row->evaluation_id);

    return judge_reply_ready(r);
}


/* 1 to 10 letters and digits; bound for its length already. */

static bool
judge_uploads_extension(judge_req_t *r, judge_str_t extension)
{
    char    c;
    size_t  i;

    for (i = 0; i < extension.len; i++) {
        c = extension.data[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')
              || (c >= '0' && c <= '9')))
        {
            judge_fail(r, 400, "file_extension: expected 1 to 10 letters and"
                               " digits without a dot, such as txt");
            return false;
        }
    }

    return true;
}


/* --- POST /judges/reference_content -------------------------------------- */

static void
judge_uploads_reference(judge_req_t *r)
{
    judge_rc_e                  rc;
    judge_json_writer_t        *w;
    judge_upload_row_t         *row;
    judge_uploads_reference_t  *c = r->ctx;

    if (!judge_uploads_extension(r, c->file_extension)) {
        return;
    }

    rc = judge_id_make(&c->id, "ref", judge_now(r->service));
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    judge_uploads_reference_row(r);
    row = &c->create.row;

    w = judge_reply_begin(r, 201);
    judge_json_put_str(w, "upload_url",
                       judge_signed_query_url(r, JUDGE_PUT, "uploads", r->org,
                                              row->id, row->expires_at));
    judge_json_put_str(w, "reference_content_uri",
                       judge_reference_uri(r->arena, r->org, row->id,
                                           row->extension));
    judge_json_put_time(w, "expires_at", row->expires_at);
    judge_json_put_c(w, "method", "PUT");
    judge_json_key_object(w, "headers");
    judge_json_put_str(w, "Content-Type",
                       judge_media_type(row->file_type, row->extension));
    judge_json_object_end(w);

    if (judge_reply_ready(r)) {
        c->create.op.kind = JUDGE_OP_UPLOAD_CREATE;
        judge_await_create(r, &c->create.op, NULL, NULL);
    }
}


static void
judge_uploads_reference_row(judge_req_t *r)
{
    judge_upload_row_t         *row;
    judge_uploads_reference_t  *c = r->ctx;

    row = &c->create.row;
    row->id = judge_id_str(&c->id);
    row->kind = JUDGE_STR("reference");
    row->created_at = judge_now(r->service);
    row->expires_at = row->created_at + r->service->settings.upload_valid;
    row->queue_at = row->expires_at + JUDGE_UPLOAD_GRACE;
    row->max_size = (int64_t) r->service->settings.max_upload;
    row->file_type = judge_media_kind(c->file_extension);
    row->extension = c->file_extension;
    row->name = JUDGE_STR("reference");
}


/* --- PUT /uploads/{organization_id}/{upload_id} -------------------------- */

static void
judge_uploads_put(judge_req_t *r)
{
    judge_uploads_put_t  *c = r->ctx;

    if (!judge_signed_query_check(r, &c->query, JUDGE_PUT, "uploads")) {
        return;
    }

    r->org = r->params[0];
    c->find.op.kind = JUDGE_OP_UPLOAD_FIND;
    c->find.id = r->params[1];
    judge_await(r, &c->find.op, judge_uploads_put_found);
}


static void
judge_uploads_put_found(judge_req_t *r)
{
    judge_str_t           path;
    judge_upload_row_t   *row;
    judge_uploads_put_t  *c = r->ctx;

    row = &c->find.row;

    if (c->find.op.rc != JUDGE_OK || !judge_str_eq_c(row->status, "waiting"))
    {
        judge_fail(r, 409, "the file was uploaded before; ask for a new"
                           " address");
        return;
    }

    if (!judge_uploads_put_fits(r, row)) {
        return;
    }

    c->receive.file_path = judge_upload_reader_name(r->arena, r->org, row->id);
    path = judge_upload_reader_path(r->arena, r->service,
                                    c->receive.file_path);
    if (path.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_receive(r, path, (size_t) row->max_size,
                  judge_uploads_put_written);
}


static bool
judge_uploads_put_fits(judge_req_t *r, const judge_upload_row_t *row)
{
    judge_str_t  type;

    if (r->content_length < 0) {
        judge_fail(r, 411, "Content-Length: it is required for an upload");
        return false;
    }

    if (r->content_length == 0) {
        judge_fail(r, 400, "body: expected a file, found no bytes");
        return false;
    }

    if (r->content_length > row->max_size) {
        judge_fail(r, 413, "the file is larger than %lld bytes",
                   (long long) row->max_size);
        return false;
    }

    if (!judge_media_type_fits(r->headers[JUDGE_HEADER_CONTENT_TYPE],
                               row->file_type, row->extension))
    {
        type = judge_media_type(row->file_type, row->extension);
        judge_fail(r, 415, "Content-Type: expected %.*s", (int) type.len,
                   type.data);
        return false;
    }

    return true;
}


static void
judge_uploads_put_written(judge_req_t *r)
{
    bool                  reference;
    judge_json_writer_t  *w;
    judge_uploads_put_t  *c = r->ctx;

    reference = judge_str_eq_c(c->find.row.kind, "reference");

    w = judge_reply_begin(r, 200);
    judge_json_put_str(w, reference ? "reference_id" : "content_id",
                       c->find.row.id);
    judge_json_put_c(w, "status", "uploaded");
    judge_json_put_int(w, "size", (int64_t) r->received);
    if (!judge_reply_ready(r)) {
        return;
    }

    c->receive.op.kind = JUDGE_OP_UPLOAD_RECEIVE;
    c->receive.id = c->find.row.id;
    c->receive.size = (int64_t) r->received;
    c->receive.now = judge_now(r->service);
    judge_await_create(r, &c->receive.op, judge_uploads_put_committed,
                       judge_uploads_put_done);
}


static void
judge_uploads_put_committed(judge_req_t *r, judge_op_t *op)
{
    judge_metrics_add(r->service->metrics, JUDGE_METRIC_UPLOADS, 1);
    judge_metrics_add(r->service->metrics, JUDGE_METRIC_UPLOADED,
                      (uint64_t) ((judge_upload_receive_t *) op)->size);
    judge_upload_reader_poke(r->service);
}


static void
judge_uploads_put_done(judge_req_t *r)
{
    judge_uploads_put_t  *c = r->ctx;

    if (c->receive.op.rc != JUDGE_OK) {
        judge_compute(r, judge_uploads_put_unlink, judge_uploads_put_late);
        return;
    }

    judge_reply_send(r);
}


/* In a thread.  Of two that came at once this one is too many. */

static void
judge_uploads_put_unlink(judge_req_t *r)
{
    (void) unlink(r->file.data);
}


static void
judge_uploads_put_late(judge_req_t *r)
{
    judge_fail(r, 409, "the file was uploaded before; ask for a new"
                       " address");
}


/* --- GET /files/{organization_id}/{content_id} --------------------------- */

static void
judge_uploads_get(judge_req_t *r)
{
    judge_uploads_get_t  *c = r->ctx;

    if (!judge_signed_query_check(r, &c->query, JUDGE_GET, "files")) {
        return;
    }

    r->org = r->params[0];
    c->find.op.kind = JUDGE_OP_CONTENT_FIND;
    c->find.id = r->params[1];
    judge_await(r, &c->find.op, judge_uploads_get_found);
}


static void
judge_uploads_get_found(judge_req_t *r)
{
    judge_str_t           path;
    judge_uploads_get_t  *c = r->ctx;

    if (c->find.op.rc != JUDGE_OK || c->find.row.file_path.data == NULL) {
        judge_fail(r, 404, "there is no such file");
        return;
    }

    path = judge_upload_reader_path(r->arena, r->service,
                                    c->find.row.file_path);
    if (path.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_send_file(r, path, judge_media_download(c->find.row.file_type));
}
