/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The extension, and the routes of evals, runs, files and items. */


#include "extensions/openai/openai.h"
#include "work/service/extension.h"


/* A route, and its operation on the object of its path. */
#define judge_openai_route(verb, path, may, traits)                           \
    judge_route(verb, path, JUDGE_MAY_##may, traits, judge_openai_t)
#define judge_openai_op(operation, what, answer)                              \
    .op = { .kind = JUDGE_OP_OPENAI_##operation,                              \
            .op = offsetof(judge_openai_t, one.op),                           \
            .prepare = judge_openai_prepare,                                  \
            .missing = "there is no such " what, answer }


static const char *const  judge_openai_orders[] = { "asc", "desc", NULL };

static const char *const  judge_openai_sorts[] = {
    "created_at", "updated_at", NULL
};

/* States of runs, then of output items. */
static const char *const  judge_openai_states[] = {
    "queued", "in_progress", "completed", "canceled", "failed",
    "pass", "fail", "error", NULL
};

static const char *const  judge_openai_forms[] = {
    "multipart/form-data", NULL
};

static const judge_field_t  judge_openai_query[] = {
    judge_field(judge_openai_t, after, STRING, 0, 1, JUDGE_OPENAI_ID_MAX),
    judge_field(judge_openai_t, limit, INTEGER, 0, 0, 100),
    judge_field_one_of(judge_openai_t, order, WORD, 0, judge_openai_orders),
    judge_field_one_of(judge_openai_t, order_by, WORD, 0, judge_openai_sorts),
    judge_field_one_of(judge_openai_t, status, WORD, 0, judge_openai_states),
    { .name = NULL }
};

static const judge_field_t  judge_openai_file_query[] = {
    judge_field(judge_openai_t, after, STRING, 0, 1, JUDGE_OPENAI_ID_MAX),
    judge_field(judge_openai_t, limit, INTEGER, 0, 1, 10000),
    judge_field_one_of(judge_openai_t, order, WORD, 0, judge_openai_orders),
    judge_field(judge_openai_t, purpose, STRING, 0, 1, 40),
    { .name = NULL }
};

static const judge_field_t  judge_openai_changes[] = {
    judge_field(judge_openai_t, name, STRING, 0, 0, JUDGE_OPENAI_NAME),
    judge_field(judge_openai_t, metadata, ANY_OBJECT, 0, 0, 0),
    { .name = NULL }
};

static const judge_route_t  judge_openai_object_routes[] = {
    { judge_openai_route(POST, JUDGE_OPENAI_EVALS, WRITE_JUDGES, 0),
      .body = judge_openai_eval_fields, .handler = judge_openai_eval_create },
    { judge_openai_route(GET, JUDGE_OPENAI_EVALS, READ_JUDGES, 0),
      .query = judge_openai_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_EVALS "/{eval_id}", READ_JUDGES, 0),
      judge_openai_op(FIND, "eval", .write = judge_openai_answer) },
    { judge_openai_route(POST, JUDGE_OPENAI_EVALS "/{eval_id}", WRITE_JUDGES,
                         0), .body = judge_openai_changes,
      judge_openai_op(UPDATE, "eval", .write = judge_openai_answer) },
    { judge_openai_route(DELETE, JUDGE_OPENAI_EVALS "/{eval_id}", WRITE_JUDGES,
                         0),
      judge_openai_op(DELETE, "eval", .write = judge_openai_deleted) },

    { judge_openai_route(POST, JUDGE_OPENAI_RUNS, WRITE_EVALUATIONS,
                         JUDGE_ROUTE_LARGE_BODY),
      .body = judge_openai_run_fields,
      .op = { judge_route_run(JUDGE_OP_OPENAI_FIND, judge_openai_t, one.),
              .prepare = judge_openai_run_prepare,
              .missing = "there is no such eval",
              .next = judge_openai_run_create } },
    { judge_openai_route(GET, JUDGE_OPENAI_RUNS, READ_EVALUATIONS, 0),
      .query = judge_openai_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_RUNS "/{run_id}", READ_EVALUATIONS,
                         0),
      judge_openai_op(FIND, "run", .write = judge_openai_answer) },
    { judge_openai_route(POST, JUDGE_OPENAI_RUNS "/{run_id}",
                         WRITE_EVALUATIONS, 0),
      judge_openai_op(CANCEL, "run", .write = judge_openai_answer) },
    { judge_openai_route(DELETE, JUDGE_OPENAI_RUNS "/{run_id}",
                         WRITE_EVALUATIONS, 0),
      judge_openai_op(DELETE, "run", .write = judge_openai_deleted) },

    { judge_openai_route(GET, JUDGE_OPENAI_OUTPUTS, READ_EVALUATIONS, 0),
      .query = judge_openai_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_OUTPUTS "/{output_item_id}",
                         READ_EVALUATIONS, 0),
      judge_openai_op(ITEM_FIND, "output item",
                      .write = judge_openai_answer) },

    { judge_openai_route(POST, JUDGE_OPENAI_FILES, WRITE_CONTENT,
                         JUDGE_ROUTE_LARGE_BODY),
      .consume = judge_openai_file_take, .accepts = judge_openai_forms,
      .handler = judge_openai_file_create },
    { judge_openai_route(GET, JUDGE_OPENAI_FILES, READ_CONTENT, 0),
      .query = judge_openai_file_query, .handler = judge_openai_list },
    { judge_openai_route(GET, JUDGE_OPENAI_FILES "/{file_id}", READ_CONTENT,
                         0),
      judge_openai_op(FIND, "file", .write = judge_openai_answer) },
    { judge_openai_route(GET, JUDGE_OPENAI_FILES "/{file_id}/content",
                         READ_CONTENT, 0),
      judge_openai_op(ITEM_FIND, "file", .next = judge_openai_content) },
    { judge_openai_route(DELETE, JUDGE_OPENAI_FILES "/{file_id}",
                         WRITE_CONTENT, 0),
      judge_openai_op(DELETE, "file", .write = judge_openai_deleted) },
    { .pattern = NULL }
};

static const judge_route_t *const  judge_openai_tables[] = {
    judge_openai_object_routes,
    judge_openai_moderation_routes,
    judge_openai_grader_routes,
    NULL
};

/* Only locations with judge_openai have the routes; workers that evaluate also
 * grade runs. */

const judge_extension_t  judge_extension_openai = {
    .name = "openai",
    .leased = &judge_openai_leased
};


const judge_route_t *
judge_openai_routes(size_t i)
{
    return judge_openai_tables[i];
}
