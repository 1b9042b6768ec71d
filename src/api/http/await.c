/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Asynchronous work of a request: operations of the store, computing in a
 * thread, streamed answers, and files. */


#include "api/http/request.h"


static void
judge_await_done(judge_op_t *op)
{
    bool          any;
    judge_req_t  *r = op->data;

    any = r->any_outcome;
    r->any_outcome = false;
    r->stored_any = true;
    r->audits = r->audits && !(op->audit && op->rc == JUDGE_OK);
    r->store_time += judge_now(r->service) - op->submitted_at;

    if (r->committed) {
        if (op->rc == JUDGE_OK) {
            r->committed(r, op);
        }
        r->committed = NULL;
    }

    if (!r->binding->release(r)) {
        return;
    }

    if (op->rc == JUDGE_OK && judge_op_place(op->kind) == JUDGE_OP_WRITE) {
        r->changed = true;
    }

    if (op == r->created && op->rc == JUDGE_OK) {
        r->stored = r->answer.body.data != NULL;
    }

    if (op->idempotency && op->idempotency->taken) {
        judge_fail(r, 409, "Idempotency-Key: it is in use by a request that"
                           " is still under way");
        return;
    }

    r->rc = op->rc;

    if (any || op->rc == JUDGE_OK || op->rc == JUDGE_NOT_FOUND
        || op->rc == JUDGE_CONFLICT || op->rc == JUDGE_STALE
        || op->rc == JUDGE_INVALID)
    {
        r->step(r);
    } else {
        judge_fail_rc(r, op->rc);
    }
}


void
judge_await(judge_req_t *r, judge_op_t *op, judge_step_pt next)
{
    op->audit = NULL;
    if (r->audits && judge_op_place(op->kind) == JUDGE_OP_WRITE
        && judge_audit_note(r, op) != JUDGE_OK)
    {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    r->step = next;
    op->arena = op->arena ? op->arena : r->arena;
    op->org = r->org.data ? r->org : op->org;
    op->done = judge_await_done;
    op->data = r;

    r->binding->hold(r);
    judge_submit(r->service, op);
}


void
judge_await_page(judge_req_t *r, judge_op_t *op, judge_step_pt next)
{
    op->arena = judge_req_page(r);

    if (judge_check(r, op->arena ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
        judge_await(r, op, next);
    }
}


void
judge_await_any(judge_req_t *r, judge_op_t *op, judge_step_pt next)
{
    r->any_outcome = true;
    judge_await(r, op, next);
}


void
judge_await_create(judge_req_t *r, judge_op_t *op,
    void (*committed)(judge_req_t *r, judge_op_t *op), judge_step_pt next)
{
    if (r->idempotency.key.data) {
        r->idempotency.status = r->answer.status;
        r->idempotency.body = r->answer.body;

        if (r->route->flags & JUDGE_ROUTE_REREAD) {
            r->idempotency.body = judge_str_printf(r->arena,
                "{\"id\":\"%.*s\"}", judge_str_args(judge_reply_id(r)));
            if (r->idempotency.body.data == NULL) {
                (void) judge_check(r, JUDGE_NOMEM, NULL);
                return;
            }
        }

        r->idempotency.now = judge_now(r->service);
        op->idempotency = &r->idempotency;
    }

    r->committed = committed;
    r->created = op;
    judge_await(r, op, next);
}


void
judge_hold_queued(judge_req_t *r)
{
    r->queued = true;
    r->queued_at = judge_now(r->service);
    r->binding->hold(r);
}


bool
judge_release_queued(judge_req_t *r)
{
    r->queue_time += judge_now(r->service) - r->queued_at;

    return r->binding->release(r);
}


static void
judge_compute_run(judge_task_t *task)
{
    judge_req_t  *r = task->data;

    r->run(r);
}


static void
judge_compute_done(judge_task_t *task)
{
    judge_req_t  *r = task->data;

    if (!r->binding->release(r)) {
        return;
    }

    if (r->rc == JUDGE_NOT_FOUND && r->error.data) {
        judge_fail(r, 404, "%.*s", judge_str_args(r->error));

    } else if (r->rc == JUDGE_OK || judge_check(r, r->rc, r->error.data
                                                         ? &r->error : NULL))
    {
        r->step(r);
    }
}


void
judge_compute(judge_req_t *r, void (*run)(judge_req_t *r), judge_step_pt next)
{
    r->run = run;
    r->rc = JUDGE_OK;
    r->error = (judge_str_t) { 0, NULL };
    r->step = next;
    r->task = (judge_task_t) { .run = judge_compute_run,
                               .done = judge_compute_done, .data = r };

    r->binding->hold(r);
    r->service->compute(r->service->data, &r->task);
}


static void
judge_await_computes(judge_req_t *r)
{
    if (judge_check(r, r->rc, NULL)) {
        judge_compute(r, r->run, r->computed);
    }
}


void
judge_await_compute(judge_req_t *r, judge_op_t *op,
    void (*run)(judge_req_t *r), judge_step_pt next)
{
    r->run = run;
    r->computed = next;
    judge_await(r, op, judge_await_computes);
}


void
judge_stream_begin(judge_req_t *r, int status, const char *type,
    judge_step_pt next)
{
    r->step = next;
    r->answer.status = status;
    r->answer.content_type = type;
    r->answer.body = (judge_str_t) { 0, NULL };
    r->binding->stream(r);
}


static void
judge_stream_events_begun(judge_req_t *r)
{
    judge_stream_write(r, JUDGE_STR("retry: 1000\n\n"), r->streamed);
}


void
judge_stream_events(judge_req_t *r, judge_step_pt next)
{
    judge_reply_header(r, "Cache-Control", JUDGE_STR("no-store"));
    judge_reply_header(r, "X-Accel-Buffering", JUDGE_STR("no"));
    r->streamed = next;
    judge_stream_begin(r, 200, "text/event-stream", judge_stream_events_begun);
}


void
judge_stream_write(judge_req_t *r, judge_str_t data, judge_step_pt next)
{
    r->step = next;
    r->binding->write(r, data, false);
}


void
judge_stream_pause(judge_req_t *r, judge_ms_t ms, judge_step_pt next)
{
    r->step = next;
    r->binding->pause(r, ms);
}


void
judge_stream_end(judge_req_t *r, judge_str_t data)
{
    r->binding->write(r, data, true);
}


void
judge_receive(judge_req_t *r, judge_str_t path, size_t max, judge_step_pt next)
{
    r->step = next;
    r->file = path;
    r->receive_max = max;
    r->binding->receive(r);
}


void
judge_req_received(judge_req_t *r, judge_rc_e rc)
{
    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    r->step(r);
}


void
judge_send_file(judge_req_t *r, judge_str_t path, const char *type)
{
    r->answer.status = 200;
    r->answer.content_type = type;
    r->file = path;
    r->binding->send_file(r);
}
