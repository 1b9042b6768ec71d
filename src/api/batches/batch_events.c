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


#include <string.h>

#include "work/evaluation/batch_pages.h"
#include "work/render/resource_json.h"
#include "work/service/live.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


typedef struct {
    int64_t              after;        /* the last item that was sent */
    bool                 done;         /* the client has seen the end, too */
    bool                 reported;     /* the next three counts were sent */
    int64_t              total;
    int64_t              completed;
    int64_t              failed;
    judge_ms_t           sent_at;
    uint64_t             changes;      /* counter, read before the row was */
    bool                 deleted;
    judge_batch_row_t    row;          /* only its numbers and the status */
    judge_batch_want_t   want;
} judge_batch_events_t;


static void judge_batch_events(judge_req_t *r);
static void judge_batch_events_poll(judge_req_t *r);
static void judge_batch_events_ready(judge_batch_want_t *want);
static void judge_batch_events_sent(judge_req_t *r);


const judge_route_t  judge_batch_events_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/events",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_batch_events_t),
      .resource = &judge_batches_resource, .handler = judge_batch_events },
    { .pattern = NULL }
};


/* Copies the row.  Its strings do not outlive this step, so that the status is
 * replaced by the constant with the same text. */

static judge_rc_e
judge_batch_events_copy(judge_req_t *r)
{
    size_t                 i;
    judge_rc_e             rc;
    judge_live_entry_t    *entry;
    judge_batch_events_t  *c = r->ctx;

    c->changes = r->changes;
    rc = judge_live_take(r->service, &entry);
    if (rc != JUDGE_OK) {
        return rc;
    }

    c->row = entry->batch;
    for (i = 0; judge_batch_statuses[i]; i++) {
        if (judge_str_eq_c(entry->batch.status, judge_batch_statuses[i])) {
            c->row.status = judge_str_c(judge_batch_statuses[i]);
        }
    }

    return JUDGE_OK;
}


/* A Last-Event-ID that no event of ours can have starts at the beginning. */

static void
judge_batch_events(judge_req_t *r)
{
    judge_rc_e             rc;
    judge_batch_events_t  *c = r->ctx;

    if (!judge_last_event(r->headers[JUDGE_HEADER_LAST_EVENT_ID], &c->after,
                          &c->done))
    {
        c->after = 0;
        c->done = false;
    }

    if (!judge_await_live(r, judge_batch_events)) {
        return;
    }

    rc = judge_batch_events_copy(r);
    if (rc == JUDGE_NOT_FOUND) {
        judge_resource_missing(r);
        return;
    }

    if (rc != JUDGE_OK) {
        judge_fail_rc(r, rc);
        return;
    }

    if (c->done && c->row.last_seq <= c->after && judge_batch_ended(&c->row)) {
        judge_reply_empty(r, 204);     /* an EventSource reconnects no more */
        return;
    }

    c->sent_at = judge_now(r->service);
    judge_stream_events(r, judge_batch_events_poll);
}


static void
judge_batch_events_open(judge_json_writer_t *w, judge_buf_t *buf,
    const char *event, int64_t id)
{
    judge_buf_printf(buf, "id: %lld%s\nevent: %s\ndata: ", (long long) id,
                     strcmp(event, "done") == 0 ? JUDGE_EVENT_DONE : "",
                     event);
    judge_json_begin(w, buf);
    judge_json_object(w);
}


static void
judge_batch_events_close(judge_json_writer_t *w)
{
    judge_buf_t  *buf;

    buf = w->buf;
    judge_json_object_end(w);
    if (judge_json_finish(w) != JUDGE_OK) {
        buf->failed = true;
    }
    judge_buf_c(buf, "\n\n");
}


static void
judge_batch_events_done(judge_req_t *r, judge_buf_t *buf)
{
    judge_json_writer_t    w;
    judge_batch_events_t  *c = r->ctx;

    judge_batch_events_open(&w, buf, "done", c->after);
    judge_json_put_str(&w, "batch_id", r->params[0]);
    judge_json_put_str(&w, "status", c->row.status);

    if (!c->deleted) {
        judge_batch_progress(&w, &c->row);
        judge_batch_summary(&w, &c->row);
    }

    judge_batch_events_close(&w);
}


static void
judge_batch_events_send(judge_req_t *r, const judge_buf_t *buf, bool last)
{
    if (buf->failed) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    if (last) {
        judge_stream_end(r, judge_buf_view(buf));
    } else {
        judge_stream_write(r, judge_buf_view(buf), judge_batch_events_sent);
    }
}


static void
judge_batch_events_progress(judge_req_t *r, judge_buf_t *buf)
{
    judge_json_writer_t       w;
    judge_batch_events_t     *c = r->ctx;
    const judge_batch_row_t  *row = &c->row;

    if (c->reported && c->total == row->total && c->completed == row->completed
        && c->failed == row->failed)
    {
        return;
    }

    c->reported = true;
    c->total = row->total;
    c->completed = row->completed;
    c->failed = row->failed;

    judge_batch_events_open(&w, buf, "progress", c->after);
    judge_json_put_str(&w, "batch_id", r->params[0]);
    judge_json_put_str(&w, "status", row->status);
    judge_batch_progress(&w, row);
    judge_batch_events_close(&w);
}


static void
judge_batch_events_report(judge_req_t *r, judge_str_t items)
{
    judge_ms_t             now;
    judge_buf_t            buf;
    judge_batch_events_t  *c = r->ctx;

    if (judge_req_page(r) == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    judge_buf_init(&buf, r->page);
    now = judge_now(r->service);

    if (c->deleted) {
        c->row.status = JUDGE_STR("deleted");
        judge_batch_events_done(r, &buf);
        judge_batch_events_send(r, &buf, true);
        return;
    }

    judge_buf_append(&buf, items.data, items.len);
    judge_batch_events_progress(r, &buf);

    if (judge_batch_ended(&c->row) && c->row.last_seq <= c->after) {
        judge_batch_events_done(r, &buf);
        judge_batch_events_send(r, &buf, true);
        return;
    }

    if (buf.len == 0 && now - c->sent_at >= JUDGE_STREAM_QUIET) {
        judge_buf_c(&buf, ": nothing new\n\n");
    }

    if (buf.len == 0 && !buf.failed) {
        judge_stream_watch(r, r->params[0], c->changes,
                           judge_batch_events_poll);
        return;
    }

    c->sent_at = now;
    judge_batch_events_send(r, &buf, false);
}


/* Pages of items are cached, so that all streams of a batch share one read. */

static void
judge_batch_events_poll(judge_req_t *r)
{
    judge_rc_e             rc;
    judge_str_t            items;
    judge_batch_events_t  *c = r->ctx;

    if (!judge_await_live(r, judge_batch_events_poll)) {
        return;
    }

    rc = judge_batch_events_copy(r);
    c->deleted = rc == JUDGE_NOT_FOUND;

    if (rc != JUDGE_OK && !c->deleted) {
        judge_fail_rc(r, rc);
        return;
    }

    if (c->deleted || c->row.last_seq <= c->after) {
        judge_batch_events_report(r, JUDGE_STR(""));
        return;
    }

    c->want = (judge_batch_want_t) {
        .org = r->org,
        .id = r->params[0],
        .last = c->row.last_seq,
        .undone = judge_batch_undone(&c->row),
        .ready = judge_batch_events_ready,
        .data = r
    };

    do {                               /* all of a page may be deleted */
        c->want.after = c->after;
        if (!judge_batch_pages_find(r->service, &c->want, &items, &c->after)) {
            r->binding->hold(r);
            judge_batch_pages_read(r->service, &c->want);
            return;
        }
    } while (items.len == 0 && c->after < c->row.last_seq);

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

    if (c->after < c->row.last_seq) {
        judge_batch_events_poll(r);
        return;
    }

    judge_stream_rest(r, judge_batch_events_poll);
}
