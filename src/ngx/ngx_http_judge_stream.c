/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The next piece is requested after the previous one was sent, so that a
 * client that reads slowly needs no more memory; and always by the event loop,
 * so that the calls never nest. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_request.h"


static void ngx_http_judge_stream_writable(ngx_http_request_t *r);


/* Whether all of the piece is on its way.  A filter that drops flushes, such
 * as that of SSI, has nginx keep what is short until more comes; and what a
 * subrequest writes waits for the parts of the page before it. */

static ngx_int_t
ngx_http_judge_stream_drain(ngx_http_judge_ctx_t *ctx)
{
    ngx_buf_t           *b = &ctx->piece;
    ngx_connection_t    *c;
    ngx_http_request_t  *r = ctx->r;

    c = r->connection;

    if (r->main->out && !c->buffered
        && ngx_http_write_filter(r->main, NULL) == NGX_ERROR)
    {
        return NGX_ERROR;
    }

    return r->main->out || r->buffered || c->buffered
           || (r != r->main && ngx_buf_size(b) != 0) ? NGX_AGAIN : NGX_OK;
}


/* Called after output: requests the next piece, or waits for the socket.  The
 * timer is that of limit_rate while nginx delays what is written. */

static void
ngx_http_judge_stream_out(ngx_http_judge_ctx_t *ctx)
{
    ngx_int_t                  rc;
    ngx_event_t               *wev;
    ngx_http_request_t        *r = ctx->r;
    ngx_http_core_loc_conf_t  *clcf;

    wev = r->connection->write;
    rc = ngx_http_judge_stream_drain(ctx);

    if (rc == NGX_OK) {
        if (wev->timer_set && !wev->delayed) {
            ngx_del_timer(wev);
        }
        r->write_event_handler = ngx_http_request_empty_handler;

        if (!ctx->ready.posted) {
            ngx_post_event(&ctx->ready, &ngx_posted_events);
        }
        return;
    }

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    r->write_event_handler = ngx_http_judge_stream_writable;
    if (!wev->delayed && r == r->connection->data) {
        ngx_add_timer(wev, clcf->send_timeout);
    }

    if (rc == NGX_ERROR
        || ngx_handle_write_event(wev, clcf->send_lowat) != NGX_OK)
    {
        ngx_http_judge_answer_end(ctx, NGX_ERROR);
    }
}


/* Ends a stream that waits for events if the worker shuts down. */

static void
ngx_http_judge_stream_ready(ngx_event_t *ev)
{
    bool                   paused;
    ngx_connection_t      *c;
    ngx_http_judge_ctx_t  *ctx = ev->data;

    c = ctx->r->connection;
    paused = ctx->paused;
    ctx->paused = 0;

    if (paused && ngx_exiting) {
        ev->timedout = 0;
        ngx_http_judge_answer_end(ctx, NGX_ERROR);
        return;
    }

    ev->timedout = 0;
    judge_req_ready(&ctx->req);
    ngx_http_run_posted_requests(c);
}


void
ngx_http_judge_stream(judge_req_t *req)
{
    ngx_int_t              rc;
    ngx_http_request_t    *r;
    ngx_http_judge_ctx_t  *ctx = req->server;

    r = ctx->r;
    if (!ngx_http_judge_answer_admit(ctx)) {
        return;
    }

    ctx->ready.handler = ngx_http_judge_stream_ready;
    ctx->ready.data = ctx;
    ctx->ready.log = r->connection->log;
    r->disable_not_modified = 1;

    rc = ngx_http_judge_answer_begin(ctx, -1);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        ngx_http_judge_answer_end(ctx, rc);
        return;
    }

    /* Without a flush nginx would wait for more bytes. */
    rc = ngx_http_send_special(r, NGX_HTTP_FLUSH);
    if (rc == NGX_ERROR) {
        ngx_http_judge_answer_end(ctx, rc);
        return;
    }

    r->read_event_handler = ngx_http_test_reading;
    ngx_http_judge_stream_out(ctx);
}


void
ngx_http_judge_stream_write(judge_req_t *req, judge_str_t data, bool last)
{
    ngx_int_t              rc;
    ngx_buf_t             *b;
    ngx_chain_t            out;
    ngx_http_judge_ctx_t  *ctx = req->server;

    b = &ctx->piece;                   /* the previous one was sent */
    ngx_memzero(b, sizeof(ngx_buf_t));

    b->pos = (u_char *) data.data;
    b->last = b->pos + data.len;
    b->memory = data.len != 0;
    b->flush = 1;
    b->last_buf = last && ctx->r == ctx->r->main;
    b->last_in_chain = last;
    out.buf = b;
    out.next = NULL;

    rc = ngx_http_output_filter(ctx->r, &out);

    if (last || rc == NGX_ERROR) {
        ngx_http_judge_answer_end(ctx, rc);
        return;
    }

    ngx_http_judge_stream_out(ctx);
}


static void
ngx_http_judge_stream_writable(ngx_http_request_t *r)
{
    ngx_http_judge_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);

    if (r->connection->write->timedout) {
        r->connection->timedout = 1;
        ngx_http_judge_answer_end(ctx, NGX_ERROR);

    } else if (ngx_http_output_filter(r, NULL) == NGX_ERROR) {
        ngx_http_judge_answer_end(ctx, NGX_ERROR);

    } else {
        ngx_http_judge_stream_out(ctx);
    }
}


void
ngx_http_judge_stream_pause(judge_req_t *req, judge_ms_t ms)
{
    ngx_http_judge_ctx_t  *ctx = req->server;

    ctx->paused = 1;
    ngx_add_timer(&ctx->ready, (ngx_msec_t) ms);
}


void
ngx_http_judge_stream_wake(judge_req_t *req)
{
    ngx_http_judge_ctx_t  *ctx = req->server;

    if (ctx->ready.timer_set) {
        ngx_del_timer(&ctx->ready);
        ngx_post_event(&ctx->ready, &ngx_posted_events);
    }
}


void
ngx_http_judge_stream_cleanup(ngx_http_judge_ctx_t *ctx)
{
    if (ctx->ready.timer_set) {
        ngx_del_timer(&ctx->ready);
    }

    if (ctx->ready.posted) {
        ngx_delete_posted_event(&ctx->ready);
    }
}
