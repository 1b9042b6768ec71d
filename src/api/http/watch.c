/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Lets streams of events wait until a batch or training job changes. */


#include "api/http/request.h"


static void judge_stream_woken(judge_waiter_t *waiter);


void
judge_stream_rest(judge_req_t *r, judge_step_pt next)
{
    judge_stream_pause(r, JUDGE_STREAM_REST, next);
}


void
judge_stream_watch(judge_req_t *r, judge_str_t id, uint64_t changes,
    judge_step_pt next)
{
    judge_ms_t  now;

    now = judge_now(r->service);
    judge_stream_unwatch(r);

    r->watch = (judge_waiter_t) {
        .id = id,
        .changes = changes,
        .until = INT64_MAX,
        .notify = judge_stream_woken,
        .data = r
    };
    r->watching = true;
    judge_waiters_add(r->service, &r->watch);

    judge_stream_pause(r, judge_auth_until(r, now + JUDGE_STREAM_QUIET) - now,
                       next);
}


static void
judge_stream_woken(judge_waiter_t *waiter)
{
    judge_req_t  *r = waiter->data;

    r->watching = false;
    r->binding->wake(r);
}
