/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stddef.h>

#include "api/http/request.h"


void
judge_await_end_note(judge_req_t *r, judge_await_end_t *waiting,
    judge_str_t id)
{
    waiting->id = id;
    waiting->changes = judge_waiters_changes(r->service, id);
}


bool
judge_await_end_begin(judge_req_t *r, judge_await_end_t *waiting)
{
    waiting->seconds = judge_prefer_wait(r->headers[JUDGE_HEADER_PREFER]);
    if (waiting->seconds <= 0) {
        judge_reply_send(r);
        return false;
    }

    judge_reply_header(r, "Preference-Applied",
                       judge_str_printf(r->arena, "wait=%lld",
                                        (long long) waiting->seconds));
    waiting->until = judge_now(r->service) + waiting->seconds * 1000;

    return true;
}


static void
judge_await_end_woken(judge_waiter_t *waiter)
{
    judge_req_t        *r = waiter->data;
    judge_await_end_t  *waiting;

    waiting = (judge_await_end_t *) (void *)
              ((char *) waiter - offsetof(judge_await_end_t, waiter));

    if (judge_release_queued(r)) {
        judge_auth_recheck(r, waiting->read);
    }
}


bool
judge_await_end_rest(judge_req_t *r, judge_await_end_t *waiting,
    judge_step_pt read)
{
    judge_ms_t  recheck, now = judge_now(r->service);

    if (judge_waiters_over(now, waiting->until, waiting->seconds * 1000)) {
        return false;
    }

    if (judge_waiters_changes(r->service, waiting->id) != waiting->changes) {
        read(r);
        return true;
    }

    recheck = now + JUDGE_WAITERS_RECHECK;
    recheck = recheck < waiting->until ? recheck : waiting->until;
    waiting->read = read;
    waiting->waiter = (judge_waiter_t) {
        .id = waiting->id, .changes = waiting->changes, .stays = true,
        .until = judge_auth_until(r, recheck), .notify = judge_await_end_woken,
        .data = r
    };

    judge_hold_queued(r);
    judge_waiters_add(r->service, &waiting->waiter);

    return true;
}


/* --- Streams ------------------------------------------------------------- */

static void
judge_stream_woken(judge_waiter_t *waiter)
{
    judge_req_t  *r = waiter->data;

    r->watching = false;
    r->binding->wake(r);
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


void
judge_stream_report(judge_req_t *r, judge_stream_t *stream,
    judge_buf_t *events, bool last, judge_step_pt sent, judge_step_pt poll)
{
    judge_ms_t  now = judge_now(r->service);

    if (!last && events->len == 0
        && now - stream->sent_at >= JUDGE_STREAM_QUIET)
    {
        judge_buf_c(events, ": nothing new\n\n");
    }

    if (events->failed) {
        judge_fail_rc(r, JUDGE_NOMEM);

    } else if (last) {
        judge_stream_end(r, judge_buf_view(events));

    } else if (events->len == 0) {
        judge_stream_watch(r, r->params[0], stream->changes, poll);

    } else {
        stream->sent_at = now;
        judge_stream_write(r, judge_buf_view(events), sent);
    }
}
