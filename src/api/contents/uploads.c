/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Files: a client asks for an upload, sends the file to the pre-signed address
 * that it gets, and reads it back from another one. */


#include <unistd.h>

#include "base/text/ascii.h"
#include "store/store_upload.h"
#include "work/render/resource_json.h"
#include "work/service/metrics.h"
#include "work/uploads/object_store.h"
#include "work/uploads/upload_file.h"
#include "work/uploads/upload_reader.h"
#include "api/contents/contents.h"
#include "api/evaluations/model_choice.h"
#include "api/http/request.h"


#define JUDGE_UPLOAD_FIRST_CHECK  1000 /* ms until a store is first asked
                                          whether it has the file */


/* The context of a request for an upload: of a content, or of a reference of
 * a judge. */
typedef struct {
    judge_integer_t        size;
    judge_json_t          *metadata;
    judge_str_t            judge_id;
    judge_choice_t         priority;
    judge_model_choice_t   choice;
    judge_id_t             id;
    judge_id_t             evaluation_id;
    judge_pair_find_t      pair;       /* of the judge only */
    judge_call_t           call;       /* to an object store */
    judge_call_header_t    type;
    judge_upload_create_t  create;
} judge_uploads_promise_t;

typedef struct {
    judge_signed_query_t    query;
    judge_upload_find_t     find;
    judge_upload_receive_t  receive;
} judge_uploads_put_t;

typedef struct {
    judge_signed_query_t  query;
    judge_content_find_t  find;
    judge_reference_find_t  reference;
} judge_uploads_get_t;


static void judge_uploads_promise(judge_req_t *r);
static void judge_uploads_promise_judge(judge_req_t *r);
static void judge_uploads_promise_begun(judge_call_t *call);
static bool judge_uploads_promise_row(judge_req_t *r);
static bool judge_uploads_reference_row(judge_req_t *r);
static void judge_uploads_reference_write(judge_req_t *r,
    judge_json_writer_t *w);
static void judge_uploads_write(judge_req_t *r, judge_json_writer_t *w);
static void judge_uploads_put(judge_req_t *r);
static void judge_uploads_put_found(judge_req_t *r);
static void judge_uploads_put_written(judge_req_t *r);
static void judge_uploads_put_done(judge_req_t *r);
static void judge_uploads_get(judge_req_t *r);
static void judge_uploads_get_found(judge_req_t *r);


static const judge_field_t  judge_uploads_promise_fields[] = {
    judge_field_as("name", judge_uploads_promise_t, create.row.name, STRING,
                   JUDGE_REQUIRED, 1, JUDGE_CONTENT_NAME_MAX),
    judge_field_one_of_as("file_type", judge_uploads_promise_t,
                          create.row.file_type, WORD, JUDGE_REQUIRED,
                          judge_content_types),
    judge_field_as("file_extension", judge_uploads_promise_t,
                   create.row.extension, STRING, 0, 1, 10),
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
    judge_field_as("file_extension", judge_uploads_promise_t,
                   create.row.extension, STRING, JUDGE_REQUIRED, 1, 10),
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

static const judge_resource_t  judge_uploads_reference = {
    "ref", "reference content", "references"
};


#define judge_uploads_create                                                  \
    .kind = JUDGE_OP_UPLOAD_CREATE,                                           \
    .op = offsetof(judge_uploads_promise_t, create.op),                       \
    .now = offsetof(judge_uploads_promise_t, create.row.created_at),          \
    .write = judge_uploads_write, .status = 201

const judge_route_t  judge_upload_routes[] = {
    { judge_route(POST, "/evaluations/presigned-upload",
                  JUDGE_MAY_WRITE_CONTENT, JUDGE_ROUTE_CREATES,
                  judge_uploads_promise_t),
      .body = judge_uploads_promise_fields,
      .handler = judge_uploads_promise,
      .op = { judge_uploads_create, .prepare = judge_uploads_promise_row },
      .location = "/content/{id}" },
    { judge_route(POST, "/judges/reference_content",
                  JUDGE_MAY_WRITE_REFERENCES, JUDGE_ROUTE_CREATES,
                  judge_uploads_promise_t),
      .body = judge_uploads_reference_fields,
      .op = { judge_uploads_create,
              .prepare = judge_uploads_reference_row },
      .location = "/judges/reference_content/{id}" },
    { judge_route(GET, "/judges/reference_content/{reference_id}",
                  JUDGE_MAY_READ_JUDGES, 0, judge_reference_find_t),
      .resource = &judge_uploads_reference,
      .op = { judge_route_op(JUDGE_OP_REFERENCE_FIND, judge_reference_find_t,
                             ),
              .write = judge_uploads_reference_write } },
    { judge_route(PUT, "/uploads/{organization_id}/{upload_id}", 0,
                  JUDGE_ROUTE_PUBLIC, judge_uploads_put_t),
      .query = judge_uploads_put_query, .handler = judge_uploads_put },
    { judge_route(GET, "/files/{organization_id}/{content_id}", 0,
                  JUDGE_ROUTE_PUBLIC, judge_uploads_get_t),
      .query = judge_uploads_get_query, .handler = judge_uploads_get },
    { .pattern = NULL }
};


/* --- Contents and references --------------------------------------------- */

/* A file of text is limited to what a text may have. */

static int64_t
judge_uploads_max(judge_req_t *r, judge_str_t file_type)
{
    const judge_settings_t  *settings = &r->service->settings;

    return (int64_t) (judge_str_eq_c(file_type, "text")
                      && settings->max_text < settings->max_upload
                      ? settings->max_text : settings->max_upload);
}


static void
judge_uploads_unavailable(judge_req_t *r)
{
    judge_reply_header(r, "Retry-After", JUDGE_STR("5"));
    judge_fail(r, 503, "the object store of uploaded files can't be used at"
                       " present; try again later");
}


/* The file's extension, or the usual one of its type if it has none. */

static judge_str_t
judge_uploads_ending(const judge_upload_row_t *row)
{
    return row->extension.len
           ? row->extension
           : judge_str_c(judge_upload_type(row->file_type,
                                           row->extension)->extension);
}


/* Sets where in the store the file will be, and when the store is first
 * asked for it. */

static bool
judge_uploads_object(judge_req_t *r)
{
    judge_uploads_promise_t     *c = r->ctx;
    judge_upload_row_t          *row = &c->create.row;
    const judge_object_store_t  *objects = r->service->settings.objects;

    if (!objects->ready(r->service)) {
        judge_uploads_unavailable(r);
        return false;
    }

    row->queue_at = row->created_at + JUDGE_UPLOAD_FIRST_CHECK;
    row->file_path = objects->path(r->arena, r->service, r->org, row->id,
                                   judge_uploads_ending(row));

    return judge_check(r, row->file_path.data ? JUDGE_OK : JUDGE_NOMEM, NULL);
}


static bool
judge_uploads_row(judge_req_t *r, const char *prefix)
{
    judge_rc_e                rc;
    judge_uploads_promise_t  *c = r->ctx;
    judge_upload_row_t       *row = &c->create.row;

    rc = judge_id_make(&c->id, prefix, row->created_at);

    row->id = judge_id_str(&c->id);
    row->expires_at = row->created_at + r->service->settings.upload_valid;
    row->queue_at = row->expires_at + JUDGE_UPLOAD_GRACE;
    row->max_size = judge_uploads_max(r, row->file_type);

    if (row->extension.data == NULL) {
        row->extension = JUDGE_STR("");
    }

    return judge_check(r, rc, NULL)
           && (r->service->settings.objects == NULL
               || judge_uploads_object(r));
}


static void
judge_uploads_write(judge_req_t *r, judge_json_writer_t *w)
{
    bool                         reference;
    judge_str_t                  ending;
    judge_uploads_promise_t     *c = r->ctx;
    judge_upload_row_t          *row = &c->create.row;
    const judge_object_store_t  *objects = r->service->settings.objects;

    ending = judge_uploads_ending(row);
    reference = judge_str_eq_c(row->kind, "reference");

    judge_json_put_id(w, reference ? "reference_id" : "content_id", row->id);
    judge_json_put_str(w, "upload_url", row->file_path.data
                       ? objects->url(r->arena, r->service, "PUT",
                                      row->file_path, row->expires_at)
                       : judge_signed_query_url(r, JUDGE_PUT, "uploads",
                                                row->id, row->expires_at));
    judge_json_put_str(w, reference ? "reference_content_uri" : "content_uri",
                       judge_str_printf(r->arena, "judge://%.*s/%s/%.*s.%.*s",
                                        judge_str_args(r->org),
                                        reference ? "references" : "contents",
                                        judge_str_args(row->id),
                                        judge_str_args(ending)));
    judge_json_put_time(w, "expires_at", row->expires_at);
    judge_json_put_c(w, "method", "PUT");
    judge_json_key_object(w, "headers");
    judge_json_put_c(w, "Content-Type",
                     judge_upload_type_usual(row->file_type, row->extension));
    judge_json_object_end(w);

    if (row->multipart.data) {
        objects->write(w, r->service, row);
    }

    if (!reference) {
        judge_json_put_int(w, "max_size", row->max_size);
        judge_json_put_str(w, "job_id", row->evaluation_id);
    }
}


/* The extension must be that of a file which can be judged, and of this type;
 * an absent type accepts any, because the judge is not known yet. */

static bool
judge_uploads_extension(judge_req_t *r, judge_str_t file_type)
{
    char                        ch;
    size_t                      i;
    judge_str_t                 list, given;
    judge_uploads_promise_t    *c = r->ctx;
    const judge_upload_type_t  *type;

    given = c->create.row.extension;

    for (i = 0; i < given.len; i++) {
        ch = given.data[i];
        if (!judge_ascii_letter(ch) && !judge_ascii_digit(ch)) {
            return judge_fail(r, 400, "file_extension: expected 1 to 10"
                              " letters and digits without a dot, such as"
                              " txt");
        }
    }

    type = judge_upload_type(file_type, given);
    if (type && (file_type.len == 0 || !type->closed)) {
        return true;
    }

    list = judge_upload_type_list(r->arena, file_type);
    judge_fail(r, 400, "file_extension: expected one of%s%.*s files (%.*s);"
                       " %.*s is %s", file_type.len ? " " : "",
               (int) file_type.len, file_type.len ? file_type.data : "",
               (int) list.len, list.data ? list.data : "",
               judge_str_args(given),
               type ? "a document whose text can't be read here"
               : judge_upload_type((judge_str_t) { 0, NULL }, given)
               ? "one of another type" : "not known");

    return false;
}


/* --- POST /evaluations/presigned-upload ---------------------------------- */

/* A large file goes into an object store in parts, which needs an upload in
 * parts there first.  If the request then fails, that upload is swept up. */

static void
judge_uploads_promise_go(judge_req_t *r)
{
    judge_uploads_promise_t     *c = r->ctx;
    judge_upload_row_t          *row = &c->create.row;
    const judge_object_store_t  *objects = r->service->settings.objects;

    if (objects == NULL || !c->size.set || c->size.value <= JUDGE_OBJECT_WHOLE)
    {
        judge_resource_run(r);
        return;
    }

    row->created_at = judge_now(r->service);
    if (!judge_uploads_row(r, "cnt")) {
        return;
    }

    if (r->service->settings.upload_valid < JUDGE_OBJECT_PARTED) {
        row->expires_at = row->created_at + JUDGE_OBJECT_PARTED;
    }

    c->type.name = "Content-Type";
    c->type.value = judge_str_c(judge_upload_type_usual(row->file_type,
                                                        row->extension));
    c->call.headers = &c->type;
    c->call.nheaders = 1;
    c->call.arena = r->arena;
    c->call.done = judge_uploads_promise_begun;
    c->call.data = r;
    r->binding->hold(r);
    objects->begin(r->service, &c->call, row->file_path);
}


static void
judge_uploads_promise(judge_req_t *r)
{
    int64_t                   max;
    judge_uploads_promise_t  *c = r->ctx;

    if (!judge_uploads_extension(r, c->create.row.file_type)) {
        return;
    }

    max = judge_uploads_max(r, c->create.row.file_type);

    if (c->size.set && c->size.value > max) {
        judge_fail(r, 413, "size: expected at most %lld bytes%s",
                   (long long) max,
                   judge_str_eq_c(c->create.row.file_type, "text")
                   ? " of a text" : "");

    } else if (c->judge_id.data == NULL) {
        judge_uploads_promise_go(r);

    } else if (!(r->permissions
                 & (JUDGE_MAY_WRITE_EVALUATIONS | JUDGE_MAY_ALL)))
    {
        judge_fail(r, 403, "judge_id: the key lacks the permission %s",
                   judge_permission_name(JUDGE_MAY_WRITE_EVALUATIONS));

    } else {
        c->pair.op.kind = JUDGE_OP_PAIR_FIND;
        c->pair.active.judge_id = c->judge_id;
        judge_await(r, &c->pair.op, judge_uploads_promise_judge);
    }
}


static void
judge_uploads_promise_judge(judge_req_t *r)
{
    judge_uploads_promise_t  *c = r->ctx;
    judge_str_t               type = c->pair.active.content_type;

    if (c->pair.active.version == 0) {
        judge_fail(r, 404, "judge_id: there is no such judge");

    } else if (!judge_str_eq(c->create.row.file_type, type)) {
        judge_fail(r, 400, "file_type: expected %.*s, the judge's content"
                           " type", judge_str_args(type));

    } else if (judge_model_choice_apply(r, &c->choice, &c->pair.active,
                                        c->pair.default_model, type,
                                        &c->create.evaluation))
    {
        judge_uploads_promise_go(r);
    }
}


static void
judge_uploads_promise_begun(judge_call_t *call)
{
    judge_req_t              *r = call->data;
    judge_uploads_promise_t  *c;

    if (!r->binding->release(r)) {
        return;
    }

    c = r->ctx;
    c->create.row.multipart = r->service->settings.objects->begun(r->service,
                                                                  &c->call);
    if (c->create.row.multipart.data == NULL) {
        judge_uploads_unavailable(r);
    } else {
        judge_resource_run(r);
    }
}


static bool
judge_uploads_promise_row(judge_req_t *r)
{
    judge_rc_e                rc;
    judge_uploads_promise_t  *c = r->ctx;
    judge_upload_row_t       *row = &c->create.row;
    judge_evaluation_row_t   *evaluation = &c->create.evaluation;

    row->kind = JUDGE_STR("content");

    if (row->id.data == NULL && !judge_uploads_row(r, "cnt")) {
        return false;
    }

    if (c->size.set) {
        row->max_size = c->size.value;
    }

    if (c->metadata) {
        row->metadata = judge_content_metadata(r->arena,
                            judge_json_value_text(r->arena, c->metadata));
        if (row->metadata.data == NULL) {
            return judge_fail_rc(r, JUDGE_NOMEM);
        }
    }

    if (c->judge_id.data == NULL) {
        return true;
    }

    rc = judge_id_make(&c->evaluation_id, "evl", row->created_at);

    c->create.evaluates = true;
    row->evaluation_id = judge_id_str(&c->evaluation_id);
    evaluation->id = row->evaluation_id;
    evaluation->trace = r->headers[JUDGE_HEADER_TRACEPARENT];
    evaluation->priority = c->priority.set ? c->priority.value
                                           : JUDGE_PRIORITY_NORMAL;
    evaluation->content_id = row->id;
    evaluation->judge_id = c->judge_id;
    evaluation->judge_version = c->pair.active.version;
    evaluation->created_at = row->created_at;
    evaluation->deadline = row->queue_at + r->service->settings.deadline;

    return judge_check(r, rc, NULL);
}


/* --- POST /judges/reference_content -------------------------------------- */

static bool
judge_uploads_reference_row(judge_req_t *r)
{
    judge_uploads_promise_t  *c = r->ctx;
    judge_upload_row_t       *row = &c->create.row;

    row->kind = JUDGE_STR("reference");
    row->name = JUDGE_STR("reference");

    if (!judge_uploads_extension(r, (judge_str_t) { 0, NULL })) {
        return false;
    }

    row->file_type = judge_str_c(judge_upload_type((judge_str_t) { 0, NULL },
                                                   row->extension)->kind);

    return judge_uploads_row(r, "ref");
}


static void
judge_uploads_reference_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_reference_find_t       *c = r->ctx;
    const judge_reference_row_t  *row = &c->row;

    judge_json_put_id(w, "reference_id", row->id);
    judge_json_put_str(w, "reference_content_uri",
                       judge_reference_uri(r->arena, r->org, row));
    judge_json_put_c(w, "file_type", judge_reference_kind(row->extension));
    judge_json_put_str(w, "status", judge_str_eq_c(row->status, "waiting")
                                    ? JUDGE_STR("processing") : row->status);
    if (c->promised) {
        judge_json_put_c(w, "waiting_for", "upload");
    }
    judge_json_put_str(w, "reason", row->reason);
    judge_json_put_time(w, "created_at", row->created_at);
}


/* --- PUT /uploads/{organization_id}/{upload_id} -------------------------- */

static void
judge_uploads_put_find(judge_req_t *r)
{
    judge_uploads_put_t  *c = r->ctx;

    c->find = (judge_upload_find_t) {
        .op = { .kind = JUDGE_OP_UPLOAD_FIND }, .id = r->params[1]
    };
    judge_await(r, &c->find.op, judge_uploads_put_found);
}


static void
judge_uploads_put(judge_req_t *r)
{
    judge_uploads_put_t  *c = r->ctx;

    if (judge_signed_query_check(r, &c->query, "uploads")) {
        judge_uploads_put_find(r);
    }
}


static bool
judge_uploads_put_fits(judge_req_t *r, const judge_upload_find_t *find)
{
    judge_str_t                coding;
    const judge_upload_row_t  *row = &find->row;

    coding = r->headers[JUDGE_HEADER_CONTENT_ENCODING];

    if (find->came) {
        judge_fail(r, 409, "the file was uploaded before; ask for a new"
                           " address");

    } else if (find->op.rc != JUDGE_OK || row->expires_at == 0
               || !judge_str_eq_c(row->status, "waiting"))
    {
        judge_fail(r, 404, "no file is expected at this address any more; ask"
                           " for a new address");

    } else if (coding.data
               && !judge_str_caseeq(coding, JUDGE_STR("identity")))
    {
        judge_fail(r, 415, "Content-Encoding: expected none");

    } else if (r->content_length < 0) {
        judge_fail(r, 411, "Content-Length: it is required for an upload");

    } else if (r->content_length == 0) {
        judge_fail(r, 400, "body: expected a file, found no bytes");

    } else if (r->content_length > row->max_size) {
        judge_fail(r, 413, "the file is larger than %lld bytes",
                   (long long) row->max_size);

    } else if (!judge_upload_type_fits(row->file_type, row->extension,
                                       judge_content_type(r)))
    {
        judge_fail(r, 415, "Content-Type: expected %s",
                   judge_upload_type_usual(row->file_type, row->extension));

    } else {
        return true;
    }

    return false;
}


static void
judge_uploads_put_found(judge_req_t *r)
{
    judge_str_t           path;
    judge_uploads_put_t  *c = r->ctx;

    if (!judge_uploads_put_fits(r, &c->find)) {
        return;
    }

    c->receive.file_path = judge_upload_reader_name(r->arena, r->org,
                                                    c->find.row.id);
    path = judge_upload_reader_path(r->arena, r->service,
                                    c->receive.file_path);
    if (path.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_receive(r, path, (size_t) c->find.row.max_size,
                  judge_uploads_put_written);
}


static void
judge_uploads_put_committed(judge_req_t *r, judge_op_t *op)
{
    judge_metrics_add(r->service->metrics, JUDGE_METRIC_UPLOADS, 1);
    judge_metrics_add(r->service->metrics, JUDGE_METRIC_UPLOADED,
                      (uint64_t) ((judge_upload_receive_t *) op)->size);
    judge_leases_wake(r->service, &judge_upload_reads);
}


/* Runs in a thread.  Another upload of the same file was stored first, or the
 * upload was given up, as the row then says. */

static void
judge_uploads_put_unlink(judge_req_t *r)
{
    (void) unlink(r->file.data);
}


static void
judge_uploads_put_written(judge_req_t *r)
{
    bool                  reference;
    judge_json_writer_t  *w;
    judge_uploads_put_t  *c = r->ctx;

    reference = judge_str_eq_c(c->find.row.kind, "reference");

    w = judge_reply_begin(r, 200);
    judge_json_put_id(w, reference ? "reference_id" : "content_id",
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
judge_uploads_put_done(judge_req_t *r)
{
    judge_uploads_put_t  *c = r->ctx;

    if (c->receive.op.rc == JUDGE_OK) {
        judge_reply_send(r);
    } else {
        judge_compute(r, judge_uploads_put_unlink, judge_uploads_put_find);
    }
}


/* --- GET /files/{organization_id}/{content_id} --------------------------- */

/* The identifier is that of a content or of a judge's reference. */

static void
judge_uploads_get(judge_req_t *r)
{
    judge_uploads_get_t  *c = r->ctx;

    if (!judge_signed_query_check(r, &c->query, "files")) {
        return;
    }

    if (judge_id_wellformed(r->params[1], "ref")) {
        c->reference.op.kind = JUDGE_OP_REFERENCE_FIND;
        c->reference.id = r->params[1];
        judge_await(r, &c->reference.op, judge_uploads_get_found);
    } else {
        c->find.op.kind = JUDGE_OP_CONTENT_FIND;
        c->find.id = r->params[1];
        judge_await(r, &c->find.op, judge_uploads_get_found);
    }
}


/* The media type is one that a browser shows or saves, but never executes. */

static void
judge_uploads_get_found(judge_req_t *r)
{
    judge_str_t           file, path, type;
    judge_uploads_get_t  *c = r->ctx;

    file = c->reference.id.data ? c->reference.row.file_path
                                : c->find.row.file_path;
    if (file.data == NULL || judge_object_is_path(file)) {
        judge_fail(r, 404, "there is no such file");
        return;
    }

    path = judge_upload_reader_path(r->arena, r->service, file);
    if (path.data == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    type = c->reference.id.data
           ? judge_str_c(judge_reference_kind(c->reference.row.extension))
           : c->find.row.file_type;
    judge_send_file(r, path, judge_str_eq_c(type, "text")
                             ? "text/plain" : "application/octet-stream");
}
