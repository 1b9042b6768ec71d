/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Batches: read, listed, started, tried again, deleted. */


#include "api/batches/batches.h"
#include "api/http/auth.h"
#include "api/http/await.h"
#include "api/http/enums.h"
#include "api/http/routes.h"
#include "work/render/batch_json.h"
#include "work/service/throughput.h"


/* Every context that ends with showing the batch begins with this. */
typedef struct {
    judge_str_t             id;
    judge_batch_find_t      find;
    judge_batch_failures_t  failures;
} judge_batches_get_t;

typedef struct {
    judge_batches_get_t  get;
    judge_batch_start_t  start;
} judge_batches_start_t;

typedef struct {
    judge_batches_get_t  get;
    judge_batch_retry_t  retry;
} judge_batches_retry_t;

typedef struct {
    judge_list_query_t  query;
    judge_choice_t      status;
    judge_batch_list_t  list;
} judge_batches_list_t;


static void judge_batches_list(judge_req_t *r);
static void judge_batches_listed(judge_req_t *r);
static void judge_batches_get(judge_req_t *r);
static void judge_batches_show(judge_req_t *r);
static void judge_batches_found(judge_req_t *r);
static void judge_batches_answer(judge_req_t *r);
static void judge_batches_start(judge_req_t *r);
static void judge_batches_started(judge_req_t *r);
static void judge_batches_retry(judge_req_t *r);
static void judge_batches_retried(judge_req_t *r);
static void judge_batches_delete(judge_req_t *r);
static void judge_batches_deleted(judge_req_t *r);
static judge_ms_t judge_batches_estimate(judge_req_t *r,
    const judge_batch_row_t *row);


static const judge_field_t  judge_batches_list_query[] = {
    judge_list_query_fields(judge_batches_list_t, query),
    { .name = "status", .type = JUDGE_FIELD_CHOICE,
      .offset = offsetof(judge_batches_list_t, status),
      .choices = judge_batch_statuses },
    { .name = NULL }
};


const judge_route_t  judge_batch_routes[] = {
    { .method = JUDGE_GET, .pattern = "/batches/{batch_id}",
      .permission = JUDGE_MAY_READ_EVALUATIONS,
      .ctx_size = sizeof(judge_batches_get_t),
      .handler = judge_batches_get },
    { .method = JUDGE_GET, .pattern = "/batches",
      .permission = JUDGE_MAY_READ_EVALUATIONS,
      .ctx_size = sizeof(judge_batches_list_t),
      .query = judge_batches_list_query, .handler = judge_batches_list },
    { .method = JUDGE_DELETE, .pattern = "/batches/{batch_id}",
      .permission = JUDGE_MAY_WRITE_EVALUATIONS,
      .ctx_size = sizeof(judge_batch_delete_t),
      .handler = judge_batches_delete },
    { .method = JUDGE_POST, .pattern = "/batches/{batch_id}/start",
      .permission = JUDGE_MAY_WRITE_EVALUATIONS,
      .ctx_size = sizeof(judge_batches_start_t),
      .handler = judge_batches_start },
    { .method = JUDGE_POST, .pattern = "/batches/{batch_id}/retry",
      .permission = JUDGE_MAY_WRITE_EVALUATIONS,
      .ctx_size = sizeof(judge_batches_retry_t),
      .handler = judge_batches_retry },
    { .pattern = NULL }
};


static void
judge_batches_list(judge_req_t *r)
{
    judge_batches_list_t  *c = r->ctx;

    if (!judge_list_page(r, &c->query, "bat", &c->list.page)) {
        return;
    }

    c->list.op.kind = JUDGE_OP_BATCH_LIST;
    c->list.status = judge_enum_name(judge_batch_statuses, c->status);
    judge_await_page(r, &c->list.op, judge_batches_listed);
}


/* A list has no content_ids: there may be many. */

static void
judge_batches_listed(judge_req_t *r)
{
    size_t                 i;
    judge_json_writer_t   *w;
    judge_batches_list_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_json_key(w, "batches");
    judge_json_array(w);

    for (i = 0; i < c->list.count; i++) {
        judge_json_object(w);
        judge_batch_json(w, &c->list.rows[i], NULL, 0,
                         judge_batches_estimate(r, &c->list.rows[i]));
        judge_json_object_end(w);
    }

    judge_json_array_end(w);

    if (c->list.count) {
        judge_reply_cursor(r, w, &c->list.page,
                           c->list.rows[c->list.count - 1].id);
    }

    judge_reply_end(r);
}


static void
judge_batches_get(judge_req_t *r)
{
    judge_batches_get_t  *c = r->ctx;

    if (judge_batch_param(r, &c->id)) {
        judge_batches_show(r);
    }
}


static void
judge_batches_show(judge_req_t *r)
{
    judge_batches_get_t  *c = r->ctx;

    c->find.op.kind = JUDGE_OP_BATCH_FIND;
    c->find.id = c->id;
    judge_await(r, &c->find.op, judge_batches_found);
}


/* Failures are counted by their codes where there are any. */

static void
judge_batches_found(judge_req_t *r)
{
    judge_batches_get_t  *c = r->ctx;

    if (c->find.op.rc != JUDGE_OK) {
        judge_batch_missing(r);
        return;
    }

    if (c->find.row.failed == 0) {
        judge_batches_answer(r);
        return;
    }

    c->failures.op.kind = JUDGE_OP_BATCH_FAILURES;
    c->failures.id = c->id;
    judge_await(r, &c->failures.op, judge_batches_answer);
}


static void
judge_batches_answer(judge_req_t *r)
{
    judge_json_writer_t  *w;
    judge_batches_get_t  *c = r->ctx;

    w = judge_reply_begin(r, 200);
    judge_batch_json(w, &c->find.row, c->failures.rows, c->failures.count,
                     judge_batches_estimate(r, &c->find.row));
    judge_reply_end(r);
}


static void
judge_batches_start(judge_req_t *r)
{
    judge_batches_start_t  *c = r->ctx;

    if (!judge_batch_param(r, &c->get.id)) {
        return;
    }

    c->start.op.kind = JUDGE_OP_BATCH_START;
    c->start.id = c->get.id;
    c->start.now = judge_now(r->service);
    c->start.deadline = c->start.now + r->service->settings.deadline;
    c->start.callback_deadline = c->start.now
                                 + r->service->settings.callback_deadline;
    judge_await(r, &c->start.op, judge_batches_started);
}


static void
judge_batches_started(judge_req_t *r)
{
    judge_batches_start_t  *c = r->ctx;

    switch (c->start.op.rc) {
    case JUDGE_OK:
        judge_batches_show(r);
        return;

    case JUDGE_CONFLICT:
        judge_fail(r, 409, "the batch has been started already");
        return;

    default:
        judge_batch_missing(r);
        return;
    }
}


static void
judge_batches_retry(judge_req_t *r)
{
    judge_batches_retry_t  *c = r->ctx;

    if (!judge_batch_param(r, &c->get.id)) {
        return;
    }

    c->retry.op.kind = JUDGE_OP_BATCH_RETRY;
    c->retry.id = c->get.id;
    c->retry.now = judge_now(r->service);
    c->retry.deadline = c->retry.now + r->service->settings.deadline;
    c->retry.callback_deadline = c->retry.now
                                 + r->service->settings.callback_deadline;
    judge_await(r, &c->retry.op, judge_batches_retried);
}


static void
judge_batches_retried(judge_req_t *r)
{
    judge_batches_retry_t  *c = r->ctx;

    switch (c->retry.op.rc) {
    case JUDGE_OK:
        judge_batches_show(r);
        return;

    case JUDGE_CONFLICT:
        judge_fail(r, 409, "no evaluation of the batch has failed");
        return;

    default:
        judge_batch_missing(r);
        return;
    }
}


static void
judge_batches_delete(judge_req_t *r)
{
    judge_batch_delete_t  *c = r->ctx;

    if (!judge_batch_param(r, &c->id)) {
        return;
    }

    c->op.kind = JUDGE_OP_BATCH_DELETE;
    judge_await(r, &c->op, judge_batches_deleted);
}


static void
judge_batches_deleted(judge_req_t *r)
{
    judge_batch_delete_t  *c = r->ctx;

    if (c->op.rc != JUDGE_OK) {
        judge_batch_missing(r);
        return;
    }

    judge_reply_empty(r, 204);
}


bool
judge_batch_param(judge_req_t *r, judge_str_t *id)
{
    *id = r->params[0];

    if (judge_id_wellformed(*id, "bat")) {
        return true;
    }

    judge_batch_missing(r);

    return false;
}


void
judge_batch_missing(judge_req_t *r)
{
    judge_fail(r, 404, "there is no such batch");
}


/* Only for what is scored here: how fast others work is not known. */

static judge_ms_t
judge_batches_estimate(judge_req_t *r, const judge_batch_row_t *row)
{
    if (!judge_str_eq_c(row->status, "evaluating")
        || !judge_str_eq_c(row->content_type, "text"))
    {
        return 0;
    }

    return judge_throughput_estimate(r->service->meter,
                                     row->total - row->completed - row->failed,
                                     judge_now(r->service));
}
