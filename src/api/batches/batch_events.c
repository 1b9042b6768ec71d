/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The progress of a batch as server-sent events: `item` for each evaluation,
 * in the order in which they end, `progress` whenever the counts have changed,
 * and `done` at the end.  The id of an event is the number of the last item
 * sent, so that a client that reconnects with it gets the items that follow;
 * one that reconnects with the id of `done` gets 204, which stops an
 * EventSource.  An evaluation may end in any worker: it wakes all streams.
 */


#include "work/evaluation/batch_pages.h"
#include "work/render/event_json.h"
#include "work/render/resource_json.h"
#include "work/service/metrics.h"
#include "work/service/progress.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


typedef struct {
    judge_stream_t       stream;       /* its events are items */
    bool                 reported;     /* the next three counts were sent */
    int64_t              total;
    int64_t              completed;
    int64_t              failed;
    uint64_t             commits;      /* their counter before the read */
    judge_batch_find_t   find;
    judge_progress_state_t  now;       /* the current progress */
    judge_step_pt        next;         /* after judge_batch_events_read() */
    bool                 deleted;
    judge_batch_want_t   want;
} judge_batch_events_t;


static void judge_batch_events(judge_req_t *r);
static void judge_batch_events_read_done(judge_req_t *r);
static void judge_batch_events_begin(judge_req_t *r);
static void judge_batch_events_poll(judge_req_t *r);
static void judge_batch_events_found(judge_req_t *r);
static void judge_batch_events_ready(judge_batch_want_t *want);
static void judge_batch_events_sent(judge_req_t *r);


const judge_route_t  judge_batch_events_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/events",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_batch_events_t),
      .resource = &judge_batches_resource, .handler = judge_batch_events },
    { .pattern = NULL }
};


/* Reads the progress of the batch from the zone, or else from the store. */

static void
judge_batch_events_read(judge_req_t *r, judge_step_pt next)
{
    judge_str_t            id = r->params[0];
    judge_service_t       *service = r->service;
    judge_batch_events_t  *c = r->ctx;

    c->next = next;
    c->stream.changes = judge_waiters_changes(service, id);

    if (judge_progress_find(service->progress, r->org, id, judge_now(service),
                            &c->now)
        && (!service->settings.fleet || c->now.changes == c->stream.changes))
    {
        judge_metrics_add(service->metrics, JUDGE_METRIC_PROGRESS, 1);
        next(r);
        return;
    }

    judge_metrics_add(service->metrics, JUDGE_METRIC_PROGRESS_READ, 1);
    c->commits = judge_metrics_get(service->metrics, JUDGE_METRIC_COMMITS);
    c->find = (judge_batch_find_t) { .op = { .kind = JUDGE_OP_BATCH_FIND },
                                     .id = id, .brief = true };
    judge_await_page(r, &c->find.op, judge_batch_events_read_done);
}


static void
judge_batch_events_read_done(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    c->deleted = c->find.op.rc != JUDGE_OK;

    if (!c->deleted) {
        judge_progress_state(&c->now, r->org, &c->find.row,
                             judge_now(r->service));
        c->now.changes = c->stream.changes;
        judge_progress_keep(r->service, &c->now, c->commits);
    }

    c->next(r);
}


static bool
judge_batch_events_ended(const judge_batch_events_t *c)
{
    return judge_batch_ended(judge_str_c(c->now.status))
           && c->now.row.last_seq <= c->stream.after;
}


/* An invalid Last-Event-ID starts at the beginning. */

static void
judge_batch_events(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    if (!judge_last_event(r->headers[JUDGE_HEADER_LAST_EVENT_ID],
                          &c->stream.after, &c->stream.done))
    {
        c->stream.after = 0;
        c->stream.done = false;
    }

    judge_batch_events_read(r, judge_batch_events_begin);
}


static void
judge_batch_events_begin(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    if (c->deleted) {
        judge_resource_missing(r);

    } else if (c->stream.done && judge_batch_events_ended(c)) {
        judge_reply_empty(r, 204);     /* an EventSource then stops */

    } else {
        c->stream.sent_at = judge_now(r->service);
        judge_stream_events(r, judge_batch_events_poll);
    }
}


static void
judge_batch_events_done(judge_req_t *r, judge_buf_t *buf)
{
    judge_json_writer_t    w;
    judge_batch_events_t  *c = r->ctx;

    judge_event_open(&w, buf, "done", c->stream.after);
    judge_json_put_str(&w, "batch_id", r->params[0]);
    judge_json_put_c(&w, "status", c->deleted ? "deleted" : c->now.status);

    if (!c->deleted) {
        judge_batch_progress(&w, &c->now.row, true);
    }

    judge_event_close(&w);
}


static void
judge_batch_events_progress(judge_req_t *r, judge_buf_t *buf)
{
    judge_json_writer_t       w;
    judge_batch_events_t     *c = r->ctx;
    const judge_batch_row_t  *row = &c->now.row;

    if (c->reported && c->total == row->total && c->completed == row->completed
        && c->failed == row->failed)
    {
        return;
    }

    c->reported = true;
    c->total = row->total;
    c->completed = row->completed;
    c->failed = row->failed;

    judge_event_open(&w, buf, "progress", c->stream.after);
    judge_json_put_str(&w, "batch_id", r->params[0]);
    judge_json_put_c(&w, "status", c->now.status);
    judge_batch_progress(&w, row, false);
    judge_event_close(&w);
}


static void
judge_batch_events_report(judge_req_t *r, judge_str_t items)
{
    bool                   last;
    judge_buf_t            buf;
    judge_batch_events_t  *c = r->ctx;

    if (judge_req_page(r) == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_buf_init(&buf, r->page);
    last = c->deleted || judge_batch_events_ended(c);

    if (!c->deleted) {
        judge_buf_append(&buf, items.data, items.len);
        judge_batch_events_progress(r, &buf);
    }

    if (last) {
        judge_batch_events_done(r, &buf);
    }

    judge_stream_report(r, &c->stream, &buf, last, judge_batch_events_sent,
                        judge_batch_events_poll);
}


static void
judge_batch_events_poll(judge_req_t *r)
{
    judge_batch_events_read(r, judge_batch_events_found);
}


/* Pages of items are cached, so that all streams of a batch share one read. */

static void
judge_batch_events_found(judge_req_t *r)
{
    judge_str_t            items;
    judge_batch_events_t  *c = r->ctx;

    if (c->deleted || !c->reported || c->now.row.last_seq <= c->stream.after) {
        judge_batch_events_report(r, JUDGE_STR(""));
        return;
    }

    c->want = (judge_batch_want_t) {
        .org = r->org,
        .id = r->params[0],
        .last = c->now.row.last_seq,
        .undone = judge_batch_undone(&c->now.row),
        .ready = judge_batch_events_ready,
        .data = r
    };

    do {                               /* all of a page may be deleted */
        c->want.after = c->stream.after;
        if (!judge_batch_pages_find(r->service, &c->want, &items,
                                    &c->stream.after))
        {
            r->binding->hold(r);
            judge_batch_pages_read(r->service, &c->want);
            return;
        }
    } while (items.len == 0 && c->stream.after < c->now.row.last_seq);

    judge_batch_events_report(r, items);
}


static void
judge_batch_events_ready(judge_batch_want_t *want)
{
    judge_req_t  *r = want->data;

    if (!r->binding->release(r)) {
        return;
    }

    if (want->rc == JUDGE_OK) {
        judge_batch_events_poll(r);
    } else {
        judge_fail_rc(r, want->rc);
    }
}


static void
judge_batch_events_sent(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    if (c->stream.after < c->now.row.last_seq) {
        judge_batch_events_poll(r);
        return;
    }

    judge_stream_pause(r, JUDGE_STREAM_REST, judge_batch_events_poll);
}
