/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/suggest/suggest.h"


static const judge_route_t *const  judge_suggest_tables[] = {
    judge_suggest_routes,
    NULL
};

const judge_extension_t  judge_extension_suggest = {
    .name = "suggest",
    .routes = judge_suggest_tables,
    .leased = &judge_suggest_runs
};
