/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>

#include "rows.h"


judge_str_t
t_row_id(t_api_t *api, const char *prefix)
{
    judge_id_t  id;

    if (judge_id_make(&id, prefix, api->now) != JUDGE_OK) {
        exit(1);
    }

    return judge_str_dup(api->arena, judge_id_str(&id));
}


judge_judge_create_t *
t_judge_row(t_api_t *api)
{
    judge_judge_create_t  *o;

    o = judge_calloc(api->arena, sizeof(judge_judge_create_t));
    o->op.kind = JUDGE_OP_JUDGE_CREATE;
    o->op.org = api->org;
    o->op.arena = api->arena;
    o->row = (judge_judge_row_t) {
        .id = t_row_id(api, "jdg"), .content_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"), .created_at = api->now, .version = 1,
        .version_created_at = api->now, .criteria_count = 1,
        .name = JUDGE_STR("N"), .changes_summary = JUDGE_STR(""),
        .description = JUDGE_STR(""),
        .criteria = JUDGE_STR("[{\"criterion_id\":\"c\",\"name\":\"C\","
                              "\"description\":\"d\"}]")
    };

    return o;
}


judge_str_t
t_make_judge(t_api_t *api)
{
    judge_judge_create_t  *o;

    o = t_judge_row(api);
    t_is_int(t_op(api, &o->op, JUDGE_OP_JUDGE_CREATE), JUDGE_OK,
             "a judge is stored");

    return o->row.id;
}
