/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether the process answers, and whether the service works. */


#include "work/evaluation/queue.h"
#include "api/http/await.h"
#include "api/http/routes.h"


/* With an evaluation waiting for so long and none finished, not ready. */
#define JUDGE_HEALTH_STALL  60000      /* ms */

typedef struct {
    judge_probe_t       probe;
    judge_queue_peek_t  peek;
} judge_health_t;


static void judge_health_alive(judge_req_t *r);
static void judge_health_ready(judge_req_t *r);
static void judge_health_probed(judge_req_t *r);
static void judge_health_peeked(judge_req_t *r);


const judge_route_t  judge_health_routes[] = {
    { .method = JUDGE_GET, .pattern = "/healthz",
      .flags = JUDGE_ROUTE_PUBLIC, .handler = judge_health_alive },
    { .method = JUDGE_GET, .pattern = "/readyz",
      .flags = JUDGE_ROUTE_PUBLIC, .ctx_size = sizeof(judge_health_t),
      .handler = judge_health_ready },
    { .pattern = NULL }
};


static void
judge_health_alive(judge_req_t *r)
{
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "status", "ok");
    judge_reply_end(r);
}


/* A store that fails is the answer here, too. */

static void
judge_health_ready(judge_req_t *r)
{
    judge_health_t  *c = r->ctx;

    c->probe.op.kind = JUDGE_OP_PROBE;
    c->probe.now = judge_now(r->service);
    judge_await_any(r, &c->probe.op, judge_health_probed);
}


static void
judge_health_probed(judge_req_t *r)
{
    judge_health_t  *c = r->ctx;

    if (c->probe.op.rc != JUDGE_OK) {
        judge_reply_header(r, "Retry-After", JUDGE_STR("1"));
        judge_fail(r, 503, "the store does not take a write");
        return;
    }

    c->peek.op.kind = JUDGE_OP_QUEUE_PEEK;
    c->peek.now = judge_now(r->service) - JUDGE_HEALTH_STALL;
    judge_await(r, &c->peek.op, judge_health_peeked);
}


/* A long queue is no fault as long as evaluations finish. */

static void
judge_health_peeked(judge_req_t *r)
{
    judge_ms_t            idle;
    judge_health_t       *c = r->ctx;
    judge_json_writer_t  *w;

    idle = judge_now(r->service) - judge_queue_progress(r->service);

    if (c->peek.pending && r->service->settings.evaluates
        && idle > JUDGE_HEALTH_STALL)
    {
        judge_reply_header(r, "Retry-After", JUDGE_STR("1"));
        judge_fail(r, 503, "the queue does not drain");
        return;
    }

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "status", "ready");
    judge_reply_end(r);
}
