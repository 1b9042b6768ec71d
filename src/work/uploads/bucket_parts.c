/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Files that are uploaded in parts ("Uploading and copying objects using
 * multipart upload", Amazon S3 User Guide).  The bucket is asked which parts
 * it has, so that clients need not report the ETags of parts. */


#include <stdlib.h>
#include <string.h>

#include "work/uploads/bucket.h"


#define JUDGE_BUCKET_PART    (64 << 20)        /* bytes of a part, at least */
#define JUDGE_BUCKET_PARTS   100               /* parts of a file, at most */
#define JUDGE_BUCKET_LIST    (128 * 1024)      /* bytes of a list of parts */
#define JUDGE_BUCKET_NAME    1024              /* bytes of an upload's id */


static void judge_bucket_parts_listed(judge_call_t *call);
static bool judge_bucket_parts_body(judge_bucket_assembly_t *assembly);
static void judge_bucket_parts_completed(judge_call_t *call);


/* Returns the text before the end tag `end`, such as "/Part>", and moves the
 * list behind it. */

static judge_str_t
judge_bucket_parts_next(judge_str_t *list, const char *end)
{
    judge_str_t  after, from = *list;

    after = judge_s3_element(list, end);

    return after.data ? (judge_str_t) { (size_t) (after.data - from.data),
                                        from.data }
                      : after;
}


void
judge_bucket_begin(judge_service_t *service, judge_call_t *call,
    judge_str_t file_path)
{
    judge_s3_request_t  request = {
        .method = "POST", .key = judge_bucket_key(file_path), .nparams = 1,
        .params = { { "uploads", JUDGE_STR("") } }
    };

    call->max_answer = JUDGE_BUCKET_LIST;
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


/* --- Putting them together ----------------------------------------------- */

void
judge_bucket_assemble(judge_bucket_assembly_t *assembly)
{
    judge_s3_request_t  request = {
        .method = "GET", .key = judge_bucket_key(assembly->file_path),
        .nparams = 1, .params = { { "uploadId", assembly->multipart } }
    };

    assembly->call = (judge_call_t) {
        .max_answer = JUDGE_BUCKET_LIST, .arena = assembly->arena,
        .done = judge_bucket_parts_listed, .data = assembly
    };
    judge_bucket_call(assembly->service, &assembly->call, &request);
}


static void
judge_bucket_parts_listed(judge_call_t *call)
{
    judge_bucket_assembly_t  *assembly = call->data;
    judge_s3_request_t        request = {
        .method = "POST", .key = judge_bucket_key(assembly->file_path),
        .nparams = 1, .params = { { "uploadId", assembly->multipart } }
    };

    if (call->outcome != JUDGE_CALL_OK || call->status != 200) {
        assembly->failed = call->outcome != JUDGE_CALL_OK
                           || call->status != 404;
        if (assembly->failed) {
            judge_bucket_failed(assembly->service, call);
        }
        assembly->done(assembly->data, false);
        return;
    }

    if (!judge_bucket_parts_body(assembly)) {
        assembly->done(assembly->data, false);
        return;
    }

    call->done = judge_bucket_parts_completed;
    judge_bucket_call(assembly->service, call, &request);
}


/* Makes the body of the completing request.  The order of elements in a part
 * differs between stores; their values are escaped already.  false: parts are
 * missing, or memory is out. */

static bool
judge_bucket_parts_body(judge_bucket_assembly_t *assembly)
{
    int64_t       total;
    judge_buf_t   buf;
    judge_str_t   list, part, rest, number, tag, size;

    list = assembly->call.answer;
    total = 0;
    judge_buf_init(&buf, assembly->arena);
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
                         "</ETag></Part>", (int) number.len, number.data,
                         (int) tag.len, tag.data);
    }

    judge_buf_c(&buf, "</CompleteMultipartUpload>");
    assembly->call.body = judge_buf_view(&buf);

    return total == assembly->size && !buf.failed;
}


/* The store may report a failure with status 200.  The caller then asks for
 * the file in any case. */

static void
judge_bucket_parts_completed(judge_call_t *call)
{
    judge_str_t               answer = call->answer;
    judge_bucket_assembly_t  *assembly = call->data;

    if (call->outcome != JUDGE_CALL_OK || call->status != 200
        || judge_s3_element(&answer, "Code").data)
    {
        assembly->failed = true;
        judge_bucket_failed(assembly->service, call);
    }

    assembly->done(assembly->data, true);
}
