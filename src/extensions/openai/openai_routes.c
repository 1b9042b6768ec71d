/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/openai/openai.h"


static const judge_route_t *const  judge_openai_tables[] = {
    judge_openai_eval_routes,
    judge_openai_run_routes,
    judge_openai_item_routes,
    judge_openai_file_routes,
    judge_openai_moderation_routes,
    judge_openai_grader_routes,
    NULL
};


const judge_route_t *
judge_openai_routes(size_t i)
{
    return judge_openai_tables[i];
}
