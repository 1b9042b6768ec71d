/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/s3/bucket.h"


static void
judge_s3_tick(judge_service_t *service)
{
    judge_bucket_tick(service);
    judge_bucket_sweep_tick(service);
}


static const judge_route_t *const  judge_s3_routes[] = {
    judge_bucket_events_routes, NULL
};

const judge_object_store_t  judge_extension_s3_objects = {
    .ready = judge_bucket_ready,
    .path = judge_bucket_path,
    .url = judge_bucket_url,
    .begin = judge_bucket_begin,
    .begun = judge_bucket_begun,
    .write = judge_bucket_parts_json,
    .lookup = judge_bucket_lookup,
    .read = judge_bucket_read,
    .fetch = judge_bucket_fetch,
    .remove = judge_bucket_delete
};

const judge_extension_t  judge_extension_s3 = {
    .name = "s3",
    .routes = judge_s3_routes,
    .background = {
        .size = sizeof(judge_bucket_t),
        .create = judge_bucket_create,
        .destroy = judge_bucket_destroy,
        .tick = judge_s3_tick,
        .busy = judge_bucket_busy
    }
};
