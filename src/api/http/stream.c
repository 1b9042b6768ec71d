/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What takes longer than a step: computing in a thread, answers that are sent
 * in pieces, and files. */


#include "api/http/request.h"


static void judge_stream_run(judge_task_t *task);
static void judge_stream_done(judge_task_t *task);
static void judge_stream_events_begun(judge_req_t *r);


void
judge_compute(judge_req_t *r, void (*run)(judge_req_t *r),
    judge_step_pt next)
{
    r->run = run;
    r->step = next;
    r->task = (judge_task_t) { .run = judge_stream_run,
                               .done = judge_stream_done, .data = r };

    r->binding->hold(r);
    r->service->compute(r->service->data, &r->task);
}


static void
judge_stream_run(judge_task_t *task)
{
    judge_req_t  *r = task->data;

    r->run(r);
}


static void
judge_stream_done(judge_task_t *task)
{
    judge_req_t  *r = task->data;

    if (r->binding->release(r)) {
        r->step(r);
    }
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


void
judge_stream_events(judge_req_t *r, judge_step_pt next)
{
    judge_reply_header(r, "Cache-Control", JUDGE_STR("no-store"));
    judge_reply_header(r, "X-Accel-Buffering", JUDGE_STR("no"));
    r->streamed = next;
    judge_stream_begin(r, 200, "text/event-stream", judge_stream_events_begun);
}


static void
judge_stream_events_begun(judge_req_t *r)
{
    judge_stream_write(r, JUDGE_STR("retry: 1000\n\n"), r->streamed);
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
judge_req_ready(judge_req_t *r)
{
    r->step(r);
}


void
judge_receive(judge_req_t *r, judge_str_t path, size_t max,
    judge_step_pt next)
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
