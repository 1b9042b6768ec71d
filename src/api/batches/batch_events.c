/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How a batch goes on, as server-sent events: `item` for each evaluation that
 * has ended, in that order, `progress` whenever the counts have changed, and
 * `done` at the end.  The identifier of an event is the number of the last
 * item sent, so that one who comes back with it gets what follows; that of
 * `done` says so, and who comes back with it is not let in again.  The store
 * is asked now and then: whichever worker ends an evaluation, all see it.
 */


#include <string.h>

#include "work/render/resource_json.h"
#include "api/batches/batches.h"
#include "api/http/request.h"


#define JUDGE_BATCH_EVENTS_POLL   250        /* ms */
#define JUDGE_BATCH_EVENTS_QUIET  15000      /* ms; then a comment is sent */
#define JUDGE_BATCH_EVENTS_PAGE   200

typedef struct {
    int64_t              after;        /* the last item that was sent */
    bool                 done;         /* and the end after it */
    bool                 reported;     /* these counts have been sent: */
    int64_t              total;
    int64_t              completed;
    int64_t              failed;
    judge_ms_t           sent_at;
    bool                 deleted;
    judge_batch_row_t    row;          /* only its numbers and the status */
    judge_batch_find_t   find;
    judge_batch_items_t  items;
} judge_batch_events_t;


static bool judge_batch_events(judge_req_t *r);
static void judge_batch_events_found(judge_req_t *r);
static void judge_batch_events_poll(judge_req_t *r);
static void judge_batch_events_polled(judge_req_t *r);
static void judge_batch_events_report(judge_req_t *r);
static void judge_batch_events_items(judge_batch_events_t *c,
    judge_buf_t *buf);
static void judge_batch_events_progress(judge_batch_events_t *c,
    judge_buf_t *buf);
static void judge_batch_events_done(judge_batch_events_t *c, judge_buf_t *buf);
static void judge_batch_events_open(judge_json_writer_t *w, judge_buf_t *buf,
    const char *event, int64_t id);
static void judge_batch_events_close(judge_json_writer_t *w);
static void judge_batch_events_send(judge_req_t *r, const judge_buf_t *buf,
    bool last);
static void judge_batch_events_sent(judge_req_t *r);


const judge_route_t  judge_batch_events_routes[] = {
    { judge_route(GET, "/batches/{batch_id}/events",
                  JUDGE_MAY_READ_EVALUATIONS, 0, judge_batch_events_t),
      .resource = &judge_batches_resource,
      .op = { judge_route_op(JUDGE_OP_BATCH_FIND, judge_batch_events_t, find.),
              .prepare = judge_batch_events,
              .next = judge_batch_events_found } },
    { .pattern = NULL }
};


/* An identifier that is none of ours means: from the beginning. */

static bool
judge_batch_events(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    if (!judge_last_event(r->headers[JUDGE_HEADER_LAST_EVENT_ID], &c->after,
                          &c->done))
    {
        c->after = 0;
        c->done = false;
    }

    c->find.brief = true;

    return true;
}


static void
judge_batch_events_found(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    if (c->done && c->find.row.last_seq <= c->after
        && judge_batch_ended(&c->find.row))
    {
        judge_reply_empty(r, 204);     /* so that it stays away */
        return;
    }

    c->sent_at = judge_now(r->service);
    judge_stream_events(r, judge_batch_events_poll);
}


static void
judge_batch_events_poll(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    judge_await_page(r, &c->find.op, judge_batch_events_polled);
}


/* The strings of the row are freed with the page; the constant of the same
 * name replaces its status. */

static void
judge_batch_events_polled(judge_req_t *r)
{
    size_t                 i;
    judge_batch_events_t  *c = r->ctx;

    c->items.rows = NULL;
    c->items.count = 0;
    c->items.page.more = false;
    c->deleted = c->find.op.rc != JUDGE_OK;

    if (c->deleted) {
        judge_batch_events_report(r);
        return;
    }

    c->row = c->find.row;
    for (i = 0; judge_batch_statuses[i]; i++) {
        if (judge_str_eq_c(c->find.row.status, judge_batch_statuses[i])) {
            c->row.status = judge_str_c(judge_batch_statuses[i]);
        }
    }

    if (c->row.last_seq <= c->after) {
        judge_batch_events_report(r);
        return;
    }

    c->items.op.kind = JUDGE_OP_BATCH_ITEMS;
    c->items.id = c->find.id;
    c->items.after = c->after;
    c->items.page.limit = JUDGE_BATCH_EVENTS_PAGE;
    judge_await_page(r, &c->items.op, judge_batch_events_report);
}


static void
judge_batch_events_report(judge_req_t *r)
{
    judge_ms_t             now;
    judge_buf_t            buf;
    judge_batch_events_t  *c = r->ctx;

    judge_buf_init(&buf, r->page);
    now = judge_now(r->service);

    if (c->deleted) {
        c->row.status = JUDGE_STR("deleted");
        judge_batch_events_done(c, &buf);
        judge_batch_events_send(r, &buf, true);
        return;
    }

    judge_batch_events_items(c, &buf);
    judge_batch_events_progress(c, &buf);

    if (judge_batch_ended(&c->row) && !c->items.page.more) {
        judge_batch_events_done(c, &buf);
        judge_batch_events_send(r, &buf, true);
        return;
    }

    if (buf.len == 0 && now - c->sent_at >= JUDGE_BATCH_EVENTS_QUIET) {
        judge_buf_c(&buf, ": nothing new\n\n");
    }

    if (buf.len == 0 && !buf.failed) {
        judge_stream_pause(r, JUDGE_BATCH_EVENTS_POLL,
                           judge_batch_events_poll);
        return;
    }

    c->sent_at = now;
    judge_batch_events_send(r, &buf, false);
}


static void
judge_batch_events_items(judge_batch_events_t *c, judge_buf_t *buf)
{
    size_t                         i;
    judge_json_writer_t            w;
    const judge_batch_item_row_t  *item = c->items.rows;

    for (i = 0; i < c->items.count; i++, item++) {
        judge_batch_events_open(&w, buf, "item", item->seq);
        judge_json_put_str(&w, "evaluation_id", item->id);
        judge_json_put_str(&w, "batch_id", c->find.id);
        judge_json_put_str(&w, "content_id", item->content_id);
        judge_json_put_str(&w, "judge_id", item->judge_id);
        judge_json_put_str(&w, "status", item->status);
        if (item->scored) {
            judge_json_put_number2(&w, "overall_score", item->overall_score);
        }
        judge_json_put_str(&w, "error_code", item->error_code);
        judge_batch_events_close(&w);
        c->after = item->seq;
    }
}


static void
judge_batch_events_progress(judge_batch_events_t *c, judge_buf_t *buf)
{
    judge_json_writer_t       w;
    const judge_batch_row_t  *row;

    row = &c->row;

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
    judge_json_put_str(&w, "batch_id", c->find.id);
    judge_json_put_str(&w, "status", row->status);
    judge_batch_progress(&w, row);
    judge_batch_events_close(&w);
}


static void
judge_batch_events_done(judge_batch_events_t *c, judge_buf_t *buf)
{
    judge_json_writer_t  w;

    judge_batch_events_open(&w, buf, "done", c->after);
    judge_json_put_str(&w, "batch_id", c->find.id);
    judge_json_put_str(&w, "status", c->row.status);

    if (!c->deleted) {
        judge_batch_progress(&w, &c->row);
        judge_batch_summary(&w, &c->row);
    }

    judge_batch_events_close(&w);
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
judge_batch_events_sent(judge_req_t *r)
{
    judge_batch_events_t  *c = r->ctx;

    if (c->items.page.more) {
        judge_batch_events_poll(r);
        return;
    }

    judge_stream_pause(r, JUDGE_BATCH_EVENTS_POLL, judge_batch_events_poll);
}
