/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Checks whether the bucket has the file of an upload, and reads it; completes
 * files that are uploaded in parts ("Uploading and copying objects using
 * multipart upload", Amazon S3 User Guide).  The bucket is asked for its list
 * of parts, so that clients need not report the ETags of parts.
 */


#include <stdlib.h>
#include <string.h>

#include "extensions/s3/bucket.h"
#include "work/uploads/upload_file.h"


#define JUDGE_BUCKET_LIST    (128 * 1024)      /* bytes of a list of parts */
#define JUDGE_BUCKET_PART    (64 << 20)        /* bytes of a part, at least */
#define JUDGE_BUCKET_PARTS   100               /* parts of a file, at most */
#define JUDGE_BUCKET_NAME    1024              /* bytes of an upload's id */


/* --- Putting parts together ---------------------------------------------- */

/* Returns the text before the end tag `end`, such as "/Part>", and moves the
 * beginning of the list after the tag. */

static judge_str_t
judge_bucket_parts_next(judge_str_t *list, const char *end)
{
    judge_str_t  after, from = *list;

    after = judge_s3_element(list, end);

    return after.data ? (judge_str_t) { (size_t) (after.data - from.data),
                                        from.data }
                      : after;
}


/* Makes the body of the completing request.  The order of elements in a part
 * differs between stores, which have escaped the values.  false: parts are
 * missing, or memory is exhausted. */

static bool
judge_bucket_parts_body(judge_object_lookup_t *lookup)
{
    int64_t       total;
    judge_buf_t   buf;
    judge_str_t   list, part, rest, number, tag, size;

    list = lookup->call.answer;
    total = 0;
    judge_buf_init(&buf, lookup->arena);
    judge_buf_c(&buf, "<CompleteMultipartUpload>");

    while ((part = judge_bucket_parts_next(&list, "/Part")).data) {
        rest = part;
        number = judge_s3_element(&rest, "PartNumber");
        rest = part;
        tag = judge_s3_element(&rest, "ETag");
        rest = part;
        size = judge_s3_element(&rest, "Size");

        if (number.len == 0 || tag.len == 0 || size.len == 0
            || size.len > 15)
        {
            return false;
        }

        total += strtoll(size.data, NULL, 10);
        judge_buf_printf(&buf, "<Part><PartNumber>%.*s</PartNumber><ETag>%.*s"
                         "</ETag></Part>", judge_str_args(number),
                         judge_str_args(tag));
    }

    judge_buf_c(&buf, "</CompleteMultipartUpload>");
    lookup->call.body = judge_buf_view(&buf);

    return total == lookup->row->max_size && !buf.failed;
}


/* The store may report a failure with status 200, so the file is looked for in
 * any case. */

static void
judge_bucket_parts_completed(judge_call_t *call)
{
    judge_str_t             answer = call->answer;
    judge_object_lookup_t  *lookup = call->data;

    if (call->outcome != JUDGE_CALL_OK || call->status != 200
        || judge_s3_element(&answer, "Code").data)
    {
        lookup->failed = true;
        judge_bucket_failed(lookup->service, call);
    }

    judge_bucket_lookup(lookup);
}


static judge_s3_request_t
judge_bucket_parts_request(const judge_object_lookup_t *lookup,
    const char *method)
{
    return (judge_s3_request_t) {
        .method = method, .key = judge_s3_uri_key(lookup->row->file_path),
        .nparams = 1, .params = { { "uploadId", lookup->row->multipart } }
    };
}


static void
judge_bucket_parts_listed(judge_call_t *call)
{
    judge_s3_request_t      request;
    judge_object_lookup_t  *lookup = call->data;

    request = judge_bucket_parts_request(lookup, "POST");

    if (call->outcome != JUDGE_CALL_OK || call->status != 200) {
        lookup->failed = call->outcome != JUDGE_CALL_OK || call->status != 404;
        if (lookup->failed) {
            judge_bucket_failed(lookup->service, call);
        }

    } else if (judge_bucket_parts_body(lookup)) {
        call->done = judge_bucket_parts_completed;
        judge_bucket_call(lookup->service, call, &request);
        return;
    }

    lookup->outcome = lookup->failed ? JUDGE_OBJECT_UNKNOWN
                                     : JUDGE_OBJECT_MISSING;
    lookup->done(lookup);
}


static void
judge_bucket_join(judge_object_lookup_t *lookup)
{
    judge_s3_request_t  request = judge_bucket_parts_request(lookup, "GET");

    lookup->call = (judge_call_t) {
        .max_answer = JUDGE_BUCKET_LIST, .arena = lookup->arena,
        .done = judge_bucket_parts_listed, .data = lookup
    };
    judge_bucket_call(lookup->service, &lookup->call, &request);
}


/* --- Looking ------------------------------------------------------------- */

/* A store may list a file before all of its parts are in it: the file does not
 * count as present then. */

static void
judge_bucket_lookup_asked(judge_call_t *call)
{
    bool                       there, gone, received, part;
    judge_object_lookup_t     *lookup = call->data;
    const judge_upload_row_t  *row = lookup->row;

    received = judge_str_eq_c(row->status, "received");
    there = call->outcome == JUDGE_CALL_OK
            && (call->status == 200 || call->status == 206)
            && (received || call->length >= 0);
    part = there && !received && row->multipart.data
           && call->length != row->max_size;
    there = there && !part;
    gone = call->outcome == JUDGE_CALL_OK
           && (call->status == 404 || call->status == 416 || part);

    if (gone && !received && row->multipart.data && !lookup->joined) {
        lookup->joined = true;
        judge_bucket_join(lookup);
        return;
    }

    if (!there && !gone) {
        judge_bucket_failed(lookup->service, call);
    }

    lookup->outcome = there ? JUDGE_OBJECT_PRESENT
                      : gone && !lookup->failed ? JUDGE_OBJECT_MISSING
                      : JUDGE_OBJECT_UNKNOWN;
    lookup->done(lookup);
}


/* Only the beginning of media is read.  A text in UTF-16 may have twice the
 * bytes of the maximum. */

void
judge_bucket_lookup(judge_object_lookup_t *lookup)
{
    size_t                     most;
    judge_s3_request_t         request = { .method = "HEAD" };
    const judge_upload_row_t  *row = lookup->row;

    most = judge_str_eq_c(row->file_type, "text")
           ? 2 * lookup->service->settings.max_text + 4 : JUDGE_UPLOAD_HEAD;

    lookup->call = (judge_call_t) {
        .max_answer = 16 * 1024, .arena = lookup->arena,
        .done = judge_bucket_lookup_asked, .data = lookup
    };

    if (judge_str_eq_c(row->status, "received")) {
        request.method = "GET";
        lookup->range.name = "Range";
        lookup->range.value = judge_str_printf(lookup->arena, "bytes=0-%zu",
                                               most - 1);
        lookup->call.headers = &lookup->range;
        lookup->call.nheaders = 1;
        lookup->call.max_answer += most;
    }

    request.key = judge_s3_uri_key(row->file_path);
    judge_bucket_call(lookup->service, &lookup->call, &request);
}


void
judge_bucket_fetch(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path)
{
    judge_s3_request_t  request = { .method = "GET" };

    request.key = judge_s3_uri_key(file_path);
    judge_bucket_call(service, call, &request);
}


/* Refuses, before they are read, files that an upload to the service itself
 * would refuse at its beginning; here size and type are known only now. */

judge_rc_e
judge_bucket_read(const judge_object_lookup_t *lookup,
    judge_upload_finish_t *finish)
{
    size_t                     max = lookup->service->settings.max_text;
    judge_arena_t             *arena = lookup->arena;
    const judge_call_t        *call = &lookup->call;
    const judge_upload_row_t  *row = lookup->row;
    judge_str_t                bytes = call->answer, type = call->type;

    if (call->status != 200 && call->status != 206) {
        finish->reason = JUDGE_STR("the file is gone");
        return JUDGE_OK;
    }

    if (row->size > row->max_size) {
        finish->reason = judge_str_printf(arena, "the file is larger than %lld"
                                          " bytes", (long long) row->max_size);

    } else if (!judge_upload_type_fits(row->file_type, row->extension, type)) {
        finish->reason = judge_str_printf(arena, "Content-Type: expected %s,"
                             " found %.*s",
                             judge_upload_type_usual(row->file_type,
                                                     row->extension),
                             (int) type.len, type.data ? type.data : "");

    } else if (!judge_str_eq_c(row->file_type, "text")) {
        return judge_upload_file_media_bytes(arena, bytes, row->file_type,
                                             &finish->reason);

    } else if ((size_t) row->size > 2 * max + 4) {
        finish->reason = judge_str_printf(arena, "the text is longer than %zu"
                                          " bytes", max);

    } else if ((size_t) row->size != bytes.len) {
        finish->reason = JUDGE_STR("the file is not the one that came: its"
                                   " length is another");

    } else {
        return judge_upload_file_text_bytes(arena, bytes, max,
                                            &finish->text_content,
                                            &finish->reason);
    }

    return finish->reason.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- Uploading in parts -------------------------------------------------- */

void
judge_bucket_begin(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path)
{
    judge_s3_request_t  request = {
        .method = "POST", .key = judge_s3_uri_key(file_path), .nparams = 1,
        .params = { { "uploads", JUDGE_STR("") } }
    };

    call->max_answer = 16 * 1024;
    judge_bucket_call(service, call, &request);
}


judge_str_t
judge_bucket_begun(judge_service_t *service, const judge_call_t *call)
{
    judge_str_t  name, answer = call->answer;

    if (call->outcome == JUDGE_CALL_OK && call->status == 200) {
        name = judge_s3_element(&answer, "UploadId");
        if (name.len && name.len <= JUDGE_BUCKET_NAME
            && memchr(name.data, '&', name.len) == NULL)
        {
            return name;
        }
    }

    judge_bucket_failed(service, call);

    return (judge_str_t) { 0, NULL };
}


void
judge_bucket_parts_json(judge_json_writer_t *w, const judge_service_t *service,
    const judge_upload_row_t *row)
{
    size_t   i;
    int64_t  size, left;

    for (size = JUDGE_BUCKET_PART; row->max_size / size >= JUDGE_BUCKET_PARTS;
         size *= 2)
    {
        /* void */
    }

    judge_json_key_object(w, "multipart");
    judge_json_put_int(w, "part_size", size);
    judge_json_key_array(w, "parts");

    for (i = 1, left = row->max_size; left > 0; i++, left -= size) {
        judge_json_object(w);
        judge_json_put_int(w, "part_number", (int64_t) i);
        judge_json_put_int(w, "size", left < size ? left : size);
        judge_json_put_str(w, "upload_url",
                           judge_bucket_part_url(w->buf->arena, service,
                                                 row->file_path,
                                                 row->multipart, i,
                                                 row->expires_at));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);
    judge_json_object_end(w);
}
