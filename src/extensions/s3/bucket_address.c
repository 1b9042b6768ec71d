/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "base/crypto/crypto.h"
#include "extensions/s3/bucket.h"


#define JUDGE_BUCKET_SCHEME   "s3://"
#define JUDGE_BUCKET_STORE    8        /* bytes of <store> in a key */


judge_str_t
judge_bucket_folder(judge_arena_t *arena, const judge_service_t *service)
{
    char         hex[2 * JUDGE_BUCKET_STORE];
    uint8_t      mac[JUDGE_SHA256_LEN];
    judge_str_t  prefix = judge_bucket_conf(service)->prefix;

    if (judge_hmac_sha256(service->secret, JUDGE_STR("files"), mac)
        != JUDGE_OK)
    {
        return (judge_str_t) { 0, NULL };
    }

    judge_hex_put(hex, mac, JUDGE_BUCKET_STORE);

    return judge_str_printf(arena, "%.*s%.*s/", judge_str_args(prefix),
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

    bucket = judge_bucket_conf(service)->place.bucket;

    return judge_str_printf(arena, JUDGE_BUCKET_SCHEME
                            "%.*s/%.*s%.*s/%.*s.%.*s", judge_str_args(bucket),
                            judge_str_args(folder), judge_str_args(org),
                            judge_str_args(id), judge_str_args(extension));
}


const char *
judge_bucket_owner(const judge_service_t *service, judge_str_t folder,
    judge_str_t bucket, judge_str_t key, judge_str_t *org, judge_str_t *id)
{
    if (!judge_str_eq(bucket, judge_bucket_conf(service)->place.bucket)) {
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


/* Pre-signs a request with the address that clients use. */

static judge_str_t
judge_bucket_sign(judge_arena_t *arena, const judge_service_t *service,
    judge_s3_request_t *request, judge_ms_t until)
{
    const judge_bucket_secrets_t  *secrets = judge_bucket_current(service);

    if (secrets == NULL || secrets->keys.id.data == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    request->now = judge_now(service);
    request->valid = (until - request->now) / 1000;
    request->valid = request->valid < 1 ? 1
                     : request->valid > JUDGE_S3_VALID_MAX
                     ? JUDGE_S3_VALID_MAX : request->valid;

    return judge_s3_presign(arena, &judge_bucket_conf(service)->shown,
                            &secrets->keys, request);
}


judge_str_t
judge_bucket_part_url(judge_arena_t *arena, const judge_service_t *service,
    judge_str_t file_path, judge_str_t multipart, size_t part,
    judge_ms_t until)
{
    judge_s3_request_t  request = {
        .method = "PUT", .key = judge_s3_uri_key(file_path), .nparams = 2,
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
        .method = method, .key = judge_s3_uri_key(file_path), .params = {
            { "response-content-disposition", JUDGE_STR("attachment") },
            { "response-content-type",
              JUDGE_STR("application/octet-stream") }
        }
    };

    request.nparams = strcmp(method, "GET") == 0 ? 2 : 0;

    return judge_bucket_sign(arena, service, &request, until);
}
