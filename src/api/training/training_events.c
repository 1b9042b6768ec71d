/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How a training job goes on, as server-sent events: `progress` whenever
 * something has changed, and `done` at the end, each with the job's record.
 * The identifier of an event is the number of the change, so that one who
 * comes back with it gets only what is new.
 */


#include "base/text/number.h"
#include "work/render/resource_json.h"
#include "api/http/request.h"
#include "api/training/training_jobs.h"


#define JUDGE_TRAINING_POLL   250      /* ms */
#define JUDGE_TRAINING_QUIET  15000    /* ms; then a comment is sent */

typedef struct {
    int64_t                after;      /* the last change that was sent */
    judge_ms_t             sent_at;
    judge_training_find_t  find;
} judge_training_events_t;


static bool judge_training_events(judge_req_t *r);
static void judge_training_events_found(judge_req_t *r);
static void judge_training_events_poll(judge_req_t *r);
static void judge_training_events_send(judge_req_t *r);
static void judge_training_events_event(judge_req_t *r, judge_buf_t *buf,
    const char *event);
static void judge_training_events_sent(judge_req_t *r);


#define judge_training_events_one(path)                                       \
    { .method = JUDGE_GET, .pattern = path,                                   \
      .permission = JUDGE_MAY_READ_TRAINING,                                  \
      .ctx_size = sizeof(judge_training_events_t),                            \
      .resource = &judge_training_jobs_resource,                              \
      .op = { judge_route_op(JUDGE_OP_TRAINING_FIND,                          \
                             judge_training_events_t, find.),                 \
              .prepare = judge_training_events,                               \
              .next = judge_training_events_found } }

const judge_route_t  judge_training_events_routes[] = {
    judge_training_events_one("/training/jobs/{job_id}/events"),
    judge_training_events_one("/training-jobs/{job_id}/events"),
    { .pattern = NULL }
};


static bool
judge_training_events(judge_req_t *r)
{
    judge_str_t               last;
    judge_training_events_t  *c = r->ctx;

    last = r->headers[JUDGE_HEADER_LAST_EVENT_ID];
    if (last.data == NULL || judge_integer_parse(last, &c->after) != JUDGE_OK)
    {
        c->after = -1;
    }

    return true;
}


static void
judge_training_events_found(judge_req_t *r)
{
    judge_training_events_t  *c = r->ctx;

    c->sent_at = judge_now(r->service);
    judge_stream_events(r, judge_training_events_poll);
}


static void
judge_training_events_poll(judge_req_t *r)
{
    judge_training_events_t  *c = r->ctx;

    judge_await_page(r, &c->find.op, judge_training_events_send);
}


static void
judge_training_events_send(judge_req_t *r)
{
    bool                      ended;
    judge_ms_t                now;
    judge_buf_t               buf;
    judge_training_events_t  *c = r->ctx;

    now = judge_now(r->service);
    judge_buf_init(&buf, r->page);
    ended = c->find.op.rc != JUDGE_OK
            || judge_training_ended(c->find.row.status);

    if (c->find.op.rc == JUDGE_OK
        && (ended || c->find.row.seq != c->after))
    {
        judge_training_events_event(r, &buf, ended ? "done" : "progress");
        c->after = c->find.row.seq;

    } else if (!ended && now - c->sent_at >= JUDGE_TRAINING_QUIET) {
        judge_buf_c(&buf, ": nothing new\n\n");
    }

    if (buf.failed) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    if (ended) {
        judge_stream_end(r, judge_buf_view(&buf));
        return;
    }

    if (buf.len == 0) {
        judge_stream_pause(r, JUDGE_TRAINING_POLL,
                           judge_training_events_poll);
        return;
    }

    c->sent_at = now;
    judge_stream_write(r, judge_buf_view(&buf), judge_training_events_sent);
}


static void
judge_training_events_event(judge_req_t *r, judge_buf_t *buf,
    const char *event)
{
    judge_json_writer_t       w;
    judge_training_course_t   none;
    judge_training_events_t  *c = r->ctx;

    none = (judge_training_course_t) { .nepochs = 0 };

    judge_buf_printf(buf, "id: %lld\nevent: %s\ndata: ",
                     (long long) c->find.row.seq, event);
    judge_json_begin(&w, buf);
    judge_json_object(&w);
    judge_training_json(&w, &c->find.row,
                        judge_training_ended(c->find.row.status)
                        ? &none : NULL,
                        NULL, judge_now(r->service));
    judge_json_object_end(&w);
    if (judge_json_finish(&w) != JUDGE_OK) {
        buf->failed = true;
    }
    judge_buf_c(buf, "\n\n");
}


static void
judge_training_events_sent(judge_req_t *r)
{
    judge_stream_pause(r, JUDGE_TRAINING_POLL, judge_training_events_poll);
}
