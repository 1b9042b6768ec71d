/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Store operations of a request, and their outcomes. */


#include "api/http/await.h"


static void judge_await_submit(judge_req_t *r, judge_op_t *op,
    judge_step_pt next, void (*done)(judge_op_t *op));
static void judge_await_done(judge_op_t *op);
static void judge_await_any_done(judge_op_t *op);
static void judge_await_created(judge_req_t *r);


void
judge_await(judge_req_t *r, judge_op_t *op, judge_step_pt next)
{
    op->arena = r->arena;
    judge_await_submit(r, op, next, judge_await_done);
}


void
judge_await_page(judge_req_t *r, judge_op_t *op, judge_step_pt next)
{
    op->arena = judge_req_page(r);
    if (op->arena == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_await_submit(r, op, next, judge_await_done);
}


void
judge_await_create(judge_req_t *r, judge_op_t *op,
    void (*committed)(judge_req_t *r, judge_op_t *op), judge_step_pt next)
{
    if (r->idempotency.key.data) {
        r->idempotency.status = r->answer.status;
        r->idempotency.body = r->answer.body;
        r->idempotency.now = judge_now(r->service);
        op->idempotency = &r->idempotency;
    }

    r->committed = committed;
    r->created = op;
    judge_await(r, op, next ? next : judge_await_created);
}


static void
judge_await_created(judge_req_t *r)
{
    if (r->created->rc != JUDGE_OK) {
        judge_fail_rc(r, r->created->rc);
        return;
    }

    judge_reply_send(r);
}


void
judge_await_any(judge_req_t *r, judge_op_t *op, judge_step_pt next)
{
    op->arena = r->arena;
    judge_await_submit(r, op, next, judge_await_any_done);
}


static void
judge_await_submit(judge_req_t *r, judge_op_t *op, judge_step_pt next,
    void (*done)(judge_op_t *op))
{
    r->step = next;
    op->org = r->org.data ? r->org : op->org;
    op->done = done;
    op->data = r;

    r->binding->hold(r);
    judge_submit(r->service, op);
}


static void
judge_await_done(judge_op_t *op)
{
    judge_req_t  *r = op->data;

    if (r->committed) {
        if (op->rc == JUDGE_OK) {
            r->committed(r, op);
        }
        r->committed = NULL;
    }

    if (!r->binding->release(r)) {
        return;
    }

    if (op->idempotency && op->idempotency->taken) {
        judge_fail(r, 409, "Idempotency-Key: it is in use by a request that"
                           " is still under way");
        return;
    }

    switch (op->rc) {
    case JUDGE_OK:
    case JUDGE_NOT_FOUND:
    case JUDGE_CONFLICT:
    case JUDGE_STALE:
    case JUDGE_INVALID:
        r->step(r);
        return;

    default:
        judge_fail_rc(r, op->rc);
        return;
    }
}


static void
judge_await_any_done(judge_op_t *op)
{
    judge_req_t  *r = op->data;

    if (r->binding->release(r)) {
        r->step(r);
    }
}
