/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/crypto/crypto.h"
#include "work/uploads/bucket.h"
#include "work/uploads/upload_file.h"


#define JUDGE_BUCKET_SCHEME   "s3://"
#define JUDGE_BUCKET_STORE    8        /* bytes of <store> in a key */


bool
judge_bucket_has(judge_str_t file_path)
{
    return file_path.data
           && judge_str_starts(file_path, JUDGE_STR(JUDGE_BUCKET_SCHEME));
}


judge_str_t
judge_bucket_folder(judge_arena_t *arena, const judge_service_t *service)
{
    char         hex[2 * JUDGE_BUCKET_STORE];
    uint8_t      mac[JUDGE_SHA256_LEN];
    judge_str_t  prefix = service->settings.bucket->prefix;

    if (judge_hmac_sha256(service->secret, JUDGE_STR("files"), mac)
        != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    judge_hex_put(hex, mac, JUDGE_BUCKET_STORE);

    return judge_str_printf(arena, "%.*s%.*s/", (int) prefix.len, prefix.data,
                            (int) sizeof(hex), hex);
}


judge_str_t
judge_bucket_path(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t org, judge_str_t id, judge_str_t extension)
{
    judge_str_t  folder, bucket;

    folder = judge_bucket_folder(arena, service);
    if (folder.data == NULL) {
        return folder;
    }

    bucket = service->settings.bucket->place.bucket;

    return judge_str_printf(arena, JUDGE_BUCKET_SCHEME
                            "%.*s/%.*s%.*s/%.*s.%.*s", (int) bucket.len,
                            bucket.data, (int) folder.len, folder.data,
                            (int) org.len, org.data, (int) id.len, id.data,
                            (int) extension.len, extension.data);
}


judge_str_t
judge_bucket_key(judge_str_t file_path)
{
    const char  *slash;

    file_path = judge_str_from(file_path, sizeof(JUDGE_BUCKET_SCHEME) - 1);
    slash = memchr(file_path.data, '/', file_path.len);

    return slash ? judge_str_from(file_path,
                                  (size_t) (slash + 1 - file_path.data))
                 : (judge_str_t) { 0, NULL };
}


const char *
judge_bucket_owner(const judge_service_t *service, judge_str_t folder,
    judge_str_t bucket, judge_str_t key, judge_str_t *org, judge_str_t *id)
{
    if (!judge_str_eq(bucket, service->settings.bucket->place.bucket)) {
        return "it is of another bucket";
    }

    if (!judge_str_starts(key, folder)
        || key.len < folder.len + 2 * JUDGE_ID_LEN + 2
        || key.data[folder.len + JUDGE_ID_LEN] != '/')
    {
        return "it is no file of this service";
    }

    key = judge_str_from(key, folder.len);
    *org = (judge_str_t) { JUDGE_ID_LEN, key.data };
    *id = (judge_str_t) { JUDGE_ID_LEN, key.data + JUDGE_ID_LEN + 1 };

    return NULL;
}


/* Pre-signs a request to the address that clients use. */

static judge_str_t
judge_bucket_sign(judge_arena_t *arena, const judge_service_t *service,
    judge_s3_request_t *request, judge_ms_t until)
{
    if (service->bucket_keys == NULL
        || service->bucket_keys->id.data == NULL)
    {
        return (judge_str_t) { 0, NULL };
    }

    request->now = judge_now(service);
    request->valid = (until - request->now) / 1000;
    request->valid = request->valid < 1 ? 1
                     : request->valid > JUDGE_S3_VALID_MAX
                     ? JUDGE_S3_VALID_MAX : request->valid;

    return judge_s3_presign(arena, &service->settings.bucket->shown,
                            service->bucket_keys, request);
}


judge_str_t
judge_bucket_part_url(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t file_path, judge_str_t multipart, size_t part,
    judge_ms_t until)
{
    judge_s3_request_t  request = {
        .method = "PUT", .key = judge_bucket_key(file_path), .nparams = 2,
        .params = {
            { "partNumber", judge_str_printf(arena, "%zu", part) },
            { "uploadId", multipart }
        }
    };

    return judge_bucket_sign(arena, service, &request, until);
}


judge_str_t
judge_bucket_url(judge_arena_t *arena, const judge_service_t *service,
    const char *method, judge_str_t file_path, judge_ms_t until)
{
    judge_s3_request_t  request = {
        .method = method, .key = judge_bucket_key(file_path), .params = {
            { "response-content-disposition", JUDGE_STR("attachment") },
            { "response-content-type",
              JUDGE_STR("application/octet-stream") }
        }
    };

    request.nparams = strcmp(method, "GET") == 0 ? 2 : 0;

    return judge_bucket_sign(arena, service, &request, until);
}


bool
judge_bucket_known(judge_arena_t *arena, judge_files_known_t *known,
    size_t most)
{
    memset(known, 0, sizeof(judge_files_known_t));
    known->names = judge_array_alloc(arena, most, sizeof(judge_str_t));
    known->orgs = judge_array_alloc(arena, most, sizeof(judge_str_t));
    known->ids = judge_array_alloc(arena, most, sizeof(judge_str_t));
    known->known = judge_array_alloc(arena, most, sizeof(bool));

    return known->names && known->orgs && known->ids && known->known;
}


/* Refuses files that PUT to this service would refuse, too, before it reads
 * them: here the size and type are known only after the upload. */

judge_rc_e
judge_bucket_read_file(judge_arena_t *arena, const judge_call_t *call,
    const judge_upload_row_t *row, size_t max, judge_upload_finish_t *finish)
{
    judge_str_t  bytes = call->answer, type = call->type;

    if (row->size == 0) {
        finish->reason = JUDGE_STR("the file has no bytes");
        return JUDGE_OK;
    }

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
        return judge_upload_reader_media_bytes(arena, bytes, row->file_type,
                                               &finish->reason);

    } else if ((size_t) row->size > 2 * max + 4) {
        finish->reason = judge_str_printf(arena, "the text is longer than %zu"
                                          " bytes", max);

    } else if ((size_t) row->size != bytes.len) {
        finish->reason = JUDGE_STR("the file is not the one that came: its"
                                   " length is another");

    } else {
        return judge_upload_reader_text_bytes(arena, bytes, max,
                                              &finish->text_content,
                                              &finish->reason);
    }

    return finish->reason.data ? JUDGE_OK : JUDGE_NOMEM;
}
