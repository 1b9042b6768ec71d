/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* GET /evaluations/{evaluation_id}/explanation: how each score came about, as
 * the scoring noted it in the stored record. */


#include "work/render/evaluation_json.h"
#include "api/http/request.h"


static const char *const  judge_explanation_whole[] = {
    "evaluation_id", "judge_id", "status", "overall_score", "coverage",
    "engine", "flags", NULL
};

static const char *const  judge_explanation_each[] = {
    "criterion_id", "name", "judged_by", "score", "reason", "stages",
    "measures", "checks", NULL
};

static const judge_resource_t  judge_explanation_resource = {
    .prefix = "evl", .name = "evaluation"
};


/* Copies those of the named members that exist. */

static void
judge_explanation_members(judge_json_writer_t *w, const judge_json_t *from,
    const char *const *names)
{
    const judge_json_t  *value;

    for ( /* void */ ; *names; names++) {
        value = judge_json_get(from, *names);

        if (value) {
            judge_json_key(w, *names);
            judge_json_value(w, value);
        }
    }
}


static void
judge_explanation_criteria(judge_json_writer_t *w, const judge_json_t *rows)
{
    const judge_json_t  *row;

    for (row = rows ? rows->first : NULL; row; row = row->next) {
        judge_json_object(w);
        judge_explanation_members(w, row, judge_explanation_each);
        judge_json_object_end(w);
    }
}


static void
judge_explanation_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_str_t               body;
    judge_json_t             *record;
    judge_evaluation_find_t  *c = r->ctx;

    body = judge_evaluation_body(r->arena, &c->row);

    if (body.data == NULL
        || judge_json_parse(r->arena, body, &record, NULL) != JUDGE_OK)
    {
        judge_json_put_str(w, "evaluation_id", c->row.id);
        judge_json_put_str(w, "judge_id", c->row.judge_id);
        judge_json_put_str(w, "status", c->row.status);
        judge_json_key_array(w, "criteria");
        judge_json_array_end(w);
        return;
    }

    judge_explanation_members(w, record, judge_explanation_whole);
    judge_json_key_array(w, "criteria");
    judge_explanation_criteria(w, judge_json_get(record, "criteria_scores"));
    judge_explanation_criteria(w, judge_json_get(record, "not_judged"));
    judge_json_array_end(w);
}


const judge_route_t  judge_explanation_routes[] = {
    { judge_route(GET, "/evaluations/{evaluation_id}/explanation",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_evaluation_find_t),
      .resource = &judge_explanation_resource,
      .op = { judge_route_op(JUDGE_OP_EVALUATION_FIND,
                             judge_evaluation_find_t, ),
              .write = judge_explanation_write } },
    { .pattern = NULL }
};
