/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether the process answers, and whether the service works. */


#include "base/core/version.h"
#include "analysis/builtin/engine.h"
#include "analysis/builtin/engine_version.h"
#include "store/store_queue.h"
#include "work/evaluation/queue.h"
#include "api/http/request.h"


/* /readyz fails while an evaluation has waited and none has ended for so
 * long. */
#define JUDGE_HEALTH_STALL  60000      /* ms */

/* Probes are rare, because each is a commit and anybody may ask for one. */
#define JUDGE_HEALTH_PROBE_EVERY  1000     /* ms */

typedef struct judge_health  judge_health_t;

struct judge_health {
    judge_req_t         *request;
    judge_health_t      *next;         /* waits for the same probe */
    judge_queue_peek_t   peek;
};


static void judge_health_alive(judge_req_t *r);
static void judge_health_ready(judge_req_t *r);
static void judge_health_probe_done(judge_op_t *op);
static void judge_health_peeked(judge_req_t *r);


const judge_route_t  judge_health_routes[] = {
    { .method = JUDGE_GET, .pattern = "/healthz",
      .flags = JUDGE_ROUTE_PUBLIC, .handler = judge_health_alive },
    { judge_route(GET, "/readyz", 0, JUDGE_ROUTE_PUBLIC, judge_health_t),
      .handler = judge_health_ready },
    { .pattern = NULL }
};


static void
judge_health_alive(judge_req_t *r)
{
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 200);
    judge_json_put_c(w, "status", "ok");
    judge_json_put_c(w, "version", JUDGE_VERSION);
    judge_json_put_c(w, "engine", JUDGE_ENGINE_NAME "/" JUDGE_ENGINE_VERSION);
    judge_reply_end(r);
}


static void
judge_health_probed(judge_req_t *r)
{
    const char      *store_error;
    judge_health_t  *c = r->ctx;

    if (r->service->readiness.rc != JUDGE_OK) {
        judge_reply_header(r, "Retry-After", JUDGE_STR("1"));
        store_error = atomic_load(&r->service->store_error);
        judge_fail(r, 503, "the store does not take a write%s%s",
                   store_error ? ": " : "", store_error ? store_error : "");
        return;
    }

    c->peek.op.kind = JUDGE_OP_QUEUE_PEEK;
    c->peek.now = judge_now(r->service) - JUDGE_HEALTH_STALL;
    c->peek.ranges = true;
    judge_await(r, &c->peek.op, judge_health_peeked);
}


/* Requests that come while a probe is under way wait for its outcome; the
 * outcome is reused until JUDGE_HEALTH_PROBE_EVERY has passed. */

static void
judge_health_ready(judge_req_t *r)
{
    judge_ms_t          now;
    judge_health_t     *c = r->ctx;
    judge_readiness_t  *ready = &r->service->readiness;

    now = judge_now(r->service);

    if (!ready->probing && ready->probed && now >= ready->at
        && now - ready->at < JUDGE_HEALTH_PROBE_EVERY)
    {
        judge_health_probed(r);
        return;
    }

    r->binding->hold(r);
    c->request = r;
    c->next = ready->waiting;
    ready->waiting = c;

    if (!ready->probing) {
        ready->probing = true;
        ready->at = now;
        ready->probe = (judge_probe_t) {
            .op = { .kind = JUDGE_OP_PROBE, .data = r->service,
                    .done = judge_health_probe_done },
            .now = now
        };
        judge_submit(r->service, &ready->probe.op);
    }
}


static void
judge_health_probe_done(judge_op_t *op)
{
    judge_req_t        *r;
    judge_health_t     *c, *next;
    judge_service_t    *service = op->data;
    judge_readiness_t  *ready = &service->readiness;

    ready->probing = false;
    ready->probed = true;
    ready->rc = op->rc;

    c = ready->waiting;
    ready->waiting = NULL;

    for (; c; c = next) {
        next = c->next;                /* release() may free c */
        r = c->request;

        if (r->binding->release(r)) {
            judge_health_probed(r);
        }
    }
}


/* A long queue is healthy as long as evaluations finish. */

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
