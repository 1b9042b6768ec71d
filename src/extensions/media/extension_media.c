/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/media/extension_media.h"
#include "extensions/media/media.h"


static const judge_route_t *const  judge_media_routes[] = {
    judge_social_routes,
    judge_callback_routes,
    judge_work_routes,
    judge_keyframe_routes,
    NULL
};

static const judge_measurements_t  judge_media_measurements = {
    .identity = judge_media_identity, .n = JUDGE_M_COUNT,
    .name = judge_media_name
};

const judge_extension_t  judge_extension_media = {
    .name = "media",
    .routes = judge_media_routes,
    .measurements = &judge_media_measurements
};
