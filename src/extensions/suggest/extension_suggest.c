/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/suggest/suggest.h"
#include "work/service/extension.h"


static const judge_route_t *const  judge_suggest_tables[] = {
    judge_suggest_routes,
    NULL
};

const judge_extension_t  judge_extension_suggest = {
    .name = "suggest",
    .routes = judge_suggest_tables,
    .background = {
        .create = judge_suggest_create,
        .destroy = judge_suggest_destroy,
        .tick = judge_suggest_tick,
        .stop = judge_suggest_stop,
        .busy = judge_suggest_busy
    }
};
