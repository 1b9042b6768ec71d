/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The endpoints that read, list, start, retry and delete batches. */


#include <string.h>

#include "work/render/resource_json.h"
#include "work/service/usage.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


typedef struct {
    judge_batch_get_t    get;          /* the answer */
    judge_batch_start_t  start;
    judge_batch_slice_t  slice;
} judge_batches_start_t;

typedef struct {
    judge_list_query_t  query;
    judge_batch_list_t  list;
} judge_batches_list_t;


static void judge_batches_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row);
static bool judge_batches_start(judge_req_t *r);
static void judge_batches_slices(judge_req_t *r);
static void judge_batches_started(judge_req_t *r);
static void judge_batches_write(judge_req_t *r, judge_json_writer_t *w);


static const judge_field_t  judge_batches_list_query[] = {
    judge_list_query_fields(judge_batches_list_t, query),
    judge_field_one_of_as("status", judge_batches_list_t, list.status, WORD, 0,
                          judge_batch_statuses),
    { .name = NULL }
};

const judge_resource_t  judge_batches_resource = { "bat", "batch", "batches" };


const judge_route_t  judge_batch_routes[] = {
    { judge_route(GET, "/batches/{batch_id}", JUDGE_MAY_READ_EVALUATIONS,
                  0, judge_batch_get_t),
      .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_GET, judge_batch_get_t, ),
              .write = judge_batches_write } },
    { judge_route(GET, "/batches", JUDGE_MAY_READ_EVALUATIONS, 0,
                  judge_batches_list_t),
      .query = judge_batches_list_query, .resource = &judge_batches_resource,
      .list = { judge_route_list(JUDGE_OP_BATCH_LIST, judge_batches_list_t,
                                 judge_batch_row_t),
                .record = judge_batches_write_row } },
    { judge_route(DELETE, "/batches/{batch_id}", JUDGE_MAY_WRITE_EVALUATIONS,
                  0, judge_batch_delete_t),
      .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_DELETE,
                             judge_batch_delete_t, ) } },
    { judge_route(POST, "/batches/{batch_id}/start",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_batches_start_t),
      .resource = &judge_batches_resource,
      .op = { judge_route_op_now(JUDGE_OP_BATCH_START, judge_batches_start_t,
                                 start.),
              .prepare = judge_batches_start,
              .conflict = "the batch has been started already",
              .next = judge_batches_slices } },
    { judge_route(POST, "/batches/{batch_id}/retry",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_batches_start_t),
      .resource = &judge_batches_resource,
      .op = { judge_route_op_now(JUDGE_OP_BATCH_RETRY, judge_batches_start_t,
                                 start.),
              .prepare = judge_batches_start,
              .conflict = "no evaluation of the batch has failed",
              .next = judge_batches_slices } },
    { .pattern = NULL }
};


judge_rc_e
judge_batch_judges(judge_arena_t *arena, const judge_batch_row_t *row,
    judge_str_t **ids, int64_t **versions, size_t *n)
{
    size_t         i;
    judge_json_t  *id, *version;

    if (judge_json_parse(arena, row->judge_ids, &id, NULL) != JUDGE_OK
        || judge_json_parse(arena, row->judge_versions, &version, NULL)
           != JUDGE_OK
        || id->type != JUDGE_JSON_ARRAY || version->type != JUDGE_JSON_ARRAY
        || id->count != version->count)
    {
        return JUDGE_ERROR;
    }

    *n = id->count;
    *ids = judge_array_alloc(arena, *n, sizeof(judge_str_t));
    *versions = judge_array_alloc(arena, *n, sizeof(int64_t));
    if (*ids == NULL || *versions == NULL) {
        return JUDGE_NOMEM;
    }

    id = id->first;
    version = version->first;

    for (i = 0; i < *n; i++, id = id->next, version = version->next) {
        if (id->type != JUDGE_JSON_STRING
            || version->type != JUDGE_JSON_INTEGER)
        {
            return JUDGE_ERROR;
        }
        (*ids)[i] = id->string;
        (*versions)[i] = version->integer;
    }

    return JUDGE_OK;
}


bool
judge_batch_judge(judge_req_t *r, const judge_batch_row_t *row,
    const char *field, judge_str_t named, judge_str_t *judge_id,
    int64_t *version, int64_t *count)
{
    size_t        i, n;
    int64_t      *versions;
    judge_str_t  *ids;

    if (!judge_check(r, judge_batch_judges(r->arena, row, &ids, &versions, &n),
                     NULL))
    {
        return false;
    }

    i = named.data ? judge_str_index(ids, n, named) : n == 1 ? 0 : n;

    if (i == n) {
        return judge_fail(r, 400, named.data
                          ? "%s: expected one of the judges of the batch"
                          : "%s: required, for the batch has several judges",
                          field);
    }

    *judge_id = ids[i];
    *version = versions[i];
    *count = (int64_t) n;

    return true;
}


/* A list leaves out content_ids, because a batch may have many. */

static void
judge_batches_write_row(judge_req_t *r, judge_json_writer_t *w,
    const void *row)
{
    judge_batch_json(w, row, NULL, 0,
                     judge_throughput_estimate(r->service, row));
}


static bool
judge_batches_start(judge_req_t *r)
{
    judge_batches_start_t  *c = r->ctx;
    judge_batch_start_t    *start = &c->start;

    start->deadline = start->now + r->service->settings.deadline;
    start->callback_deadline = start->now
                               + r->service->settings.callback_deadline;

    return true;
}


/* Queues the evaluations of a started or retried batch in slices, then
 * answers. */

static void
judge_batches_slices(judge_req_t *r)
{
    judge_batches_start_t  *c = r->ctx;

    if (!judge_batch_slice(r, &c->slice, r->params[0], judge_batches_slices)) {
        c->get.op.kind = JUDGE_OP_BATCH_GET;
        c->get.id = r->params[0];
        judge_await_found(r, &c->get.op, NULL, judge_batches_started);
    }
}


bool
judge_batch_slice(judge_req_t *r, judge_batch_slice_t *slice, judge_str_t id,
    judge_step_pt next)
{
    if (slice->op.rc != JUDGE_OK) {
        return false;
    }

    memset(slice, 0, sizeof(judge_batch_slice_t));
    slice->op.kind = JUDGE_OP_BATCH_SLICE;
    slice->id = id;
    slice->now = judge_now(r->service);
    judge_await_any(r, &slice->op, next);

    return true;
}


static void
judge_batches_started(judge_req_t *r)
{
    judge_batches_write(r, judge_reply_begin(r, 200));
    judge_reply_end(r);
}


/* The context begins with the batch. */

static void
judge_batches_write(judge_req_t *r, judge_json_writer_t *w)
{
    judge_batch_get_t  *get = r->ctx;

    judge_batch_json(w, &get->row, get->failures, get->nfailures,
                     judge_throughput_estimate(r->service, &get->row));
}


void
judge_batch_creation_answer(judge_req_t *r, judge_json_writer_t *w)
{
    judge_batch_creation_t  *m = r->ctx;
    judge_batch_row_t       *row = &m->create.row;

    judge_json_put_id(w, "batch_id", row->id);
    judge_json_put_str(w, "name", row->name);
    judge_json_put_str(w, "status", row->status);
    judge_json_put_int(w, "total_evaluations", row->total);
    judge_json_put_time_if(w, "estimated_completion_time",
                           judge_throughput_estimate(r->service, row));
    judge_json_put_time(w, "created_at", row->created_at);
}
