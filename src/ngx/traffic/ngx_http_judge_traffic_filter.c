/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The filters: they stand before those that compress, cut ranges and frame,
 * and behind the one that reads files.  What passes is copied; the client gets
 * it as it would without them.
 */


#include <ngx_config.h>

#include "ngx/traffic/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_SCRATCH  8192


static ngx_http_output_header_filter_pt  ngx_http_judge_next_header;
static ngx_http_output_body_filter_pt    ngx_http_judge_next_body;

static judge_arena_t  *ngx_http_judge_scratch;   /* of this worker */


void
ngx_http_judge_traffic_reason(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    ctx->skip = skip;
    ctx->reason.data = (u_char *) judge_skip_name(skip);
    ctx->reason.len = ngx_strlen(ctx->reason.data);
}


void
ngx_http_judge_traffic_account(ngx_http_judge_traffic_ctx_t *ctx)
{
    size_t  size;

    size = (ctx->collecting ? judge_extract_size(&ctx->body) : 0) + ctx->room;
    ctx->traffic->held += size;
    ctx->traffic->held -= ctx->held;
    ctx->held = size;
}


void
ngx_http_judge_traffic_drop(ngx_http_judge_traffic_ctx_t *ctx)
{
    ctx->collecting = 0;
    judge_extract_free(&ctx->body);
    if (!ctx->traffic->guard) {
        ngx_http_judge_live_free(ctx);
    }
    ngx_http_judge_traffic_account(ctx);
}


void
ngx_http_judge_traffic_skip(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    ngx_http_judge_traffic_reason(ctx, skip);
    ngx_http_judge_traffic_drop(ctx);

    if (ctx->traffic->service->open) {
        judge_exchange_skipped(&ctx->traffic->service->service, skip);
    }
}


/* The request is over: what has not come to its end never will. */

static void
ngx_http_judge_traffic_cleanup(void *data)
{
    ngx_http_judge_traffic_ctx_t  *ctx = data;

    if (ctx->collecting) {
        ngx_http_judge_traffic_skip(ctx, JUDGE_SKIP_CUT_OFF);
    }

    if (ctx->judging) {
        ctx->judging->done = NULL;
    }

    if (ctx->resume.posted) {
        ngx_delete_posted_event(&ctx->resume);
    }

    if (ctx->timer.timer_set) {
        ngx_del_timer(&ctx->timer);
    }

    ctx->collecting = 0;
    ngx_http_judge_live_free(ctx);
}


ngx_http_judge_traffic_ctx_t *
ngx_http_judge_traffic_begin(ngx_http_request_t *r,
    ngx_http_judge_traffic_t *t)
{
    ngx_pool_cleanup_t            *cln;
    ngx_http_judge_traffic_ctx_t  *ctx;

    if (ngx_http_judge_scratch == NULL) {
        ngx_http_judge_scratch = judge_arena_create(NGX_HTTP_JUDGE_SCRATCH);
    }

    ctx = ngx_pcalloc(r->pool, sizeof(ngx_http_judge_traffic_ctx_t));
    cln = ngx_pool_cleanup_add(r->pool, 0);

    if (ctx == NULL || cln == NULL || ngx_http_judge_scratch == NULL) {
        return NULL;
    }

    cln->handler = ngx_http_judge_traffic_cleanup;
    cln->data = ctx;

    ctx->r = r;
    ctx->traffic = t;
    ctx->last = &ctx->out;
    ctx->resume.data = ctx;
    ctx->resume.log = r->connection->log;
    ctx->timer.data = ctx;
    ctx->timer.log = r->connection->log;

    return ctx;
}


/* Subrequests bring parts of an answer, or nothing for the client. */

static ngx_int_t
ngx_http_judge_traffic_header(ngx_http_request_t *r)
{
    ngx_int_t                       rc;
    judge_skip_e                    skip;
    ngx_http_judge_traffic_ctx_t   *ctx;
    ngx_http_judge_traffic_conf_t  *conf;

    conf = ngx_http_get_module_loc_conf(r, ngx_http_judge_traffic_module);
    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_traffic_module);

    if (ctx && ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED && r == r->main) {
        rc = ngx_http_judge_guard_header(ctx, ctx->skip);
        return rc == NGX_OK ? ngx_http_judge_next_header(r) : rc;
    }

    if (conf->traffic == NULL || r != r->main || ctx) {
        return ngx_http_judge_next_header(r);
    }

    ctx = ngx_http_judge_traffic_begin(r, conf->traffic);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    ngx_http_set_ctx(r, ctx, ngx_http_judge_traffic_module);
    skip = ngx_http_judge_traffic_admit(r, ctx);

    if (skip == JUDGE_SKIP_NONE) {
        ctx->collecting = 1;
        r->filter_need_in_memory = 1;
    } else {
        ngx_http_judge_traffic_skip(ctx, skip);
    }

    rc = ctx->traffic->guard ? ngx_http_judge_guard_header(ctx, skip) : NGX_OK;
    if (rc != NGX_OK) {
        return rc == NGX_DECLINED ? NGX_OK : rc;
    }

    return ngx_http_judge_next_header(r);
}


/* All of it, or nothing, for which there is a reason then. */

static ngx_int_t
ngx_http_judge_traffic_collect(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in)
{
    size_t                     n, size = 0;
    ngx_chain_t               *cl;
    judge_skip_e               skip = JUDGE_SKIP_NONE;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    for (cl = in; cl; cl = cl->next) {
        if (ngx_buf_in_memory(cl->buf)) {
            size += (size_t) (cl->buf->last - cl->buf->pos);
        } else if (ngx_buf_size(cl->buf)) {
            skip = JUDGE_SKIP_FAILED;
        }
    }

    if (size > t->max - ctx->size && ctx->body.kind != JUDGE_EXTRACT_EVENTS) {
        skip = JUDGE_SKIP_TOO_LARGE;
    } else if (t->held + size > t->memory) {
        skip = JUDGE_SKIP_DROPPED;
    }

    for (cl = in; cl && skip == JUDGE_SKIP_NONE; cl = cl->next) {
        n = ngx_buf_in_memory(cl->buf)
            ? (size_t) (cl->buf->last - cl->buf->pos) : 0;

        if (ctx->body.kind == JUDGE_EXTRACT_EVENTS) {
            judge_extract_feed(&ctx->body, ngx_http_judge_scratch,
                               (char *) cl->buf->pos, n);
            skip = ctx->body.skip;

        } else if (ngx_http_judge_live_hold(ctx, cl->buf->pos, n) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    ngx_http_judge_traffic_account(ctx);

    if (skip == JUDGE_SKIP_NONE && ctx->held > ngx_max(3 * t->max,
                                                       t->memory / 4))
    {
        skip = JUDGE_SKIP_TOO_LARGE;
    }

    if (skip != JUDGE_SKIP_NONE) {
        ngx_http_judge_traffic_skip(ctx, skip);
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_judge_traffic_pass(ngx_http_request_t *r, ngx_chain_t *out)
{
    ngx_int_t  rc;

    if (!r->header_sent) {
        rc = ngx_http_judge_next_header(r);
        if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
            return rc;
        }
    }

    return ngx_http_judge_next_body(r, out);
}


static ngx_int_t
ngx_http_judge_traffic_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t                      rc;
    ngx_uint_t                     last;
    ngx_chain_t                   *cl;
    judge_exchange_t              *x;
    ngx_http_judge_traffic_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_traffic_module);

    if (ctx && r == r->main && !ctx->live
        && ctx->guard >= NGX_HTTP_JUDGE_GUARD_PASS)
    {
        return ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED && in == NULL
               ? ngx_http_judge_next_body(r, NULL)
               : ngx_http_judge_guard_send(ctx);
    }

    if (ctx && r == r->main && in == NULL && ctx->owed) {
        return ngx_http_judge_live_flush(ctx);
    }

    if (ctx == NULL || r != r->main || in == NULL
        || (!ctx->collecting && ctx->guard == NGX_HTTP_JUDGE_GUARD_OFF
            && !ctx->live))
    {
        return ngx_http_judge_next_body(r, in);
    }

    if (r->headers_out.status == NGX_HTTP_PARTIAL_CONTENT
        && !ctx->traffic->guard)
    {
        ngx_http_judge_traffic_skip(ctx, JUDGE_SKIP_STATUS);
        return ngx_http_judge_next_body(r, in);
    }

    for (cl = in, last = 0; cl; cl = cl->next) {
        last |= cl->buf->last_buf;
    }

    if (ctx->collecting
        && ngx_http_judge_traffic_collect(ctx, in) != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ctx->live) {
        return ngx_http_judge_live_body(ctx, in, last);
    }

    if (ctx->guard != NGX_HTTP_JUDGE_GUARD_OFF) {
        return ngx_http_judge_guard_body(ctx, in, last);
    }

    /* The last byte first; then what is made of it. */
    rc = ngx_http_judge_next_body(r, in);

    if (last && ctx->collecting && (x = ngx_http_judge_traffic_take(ctx, 1))) {
        judge_exchange_run(x);
    }

    return rc;
}


ngx_int_t
ngx_http_judge_traffic_filters(ngx_conf_t *cf)
{
    ngx_http_judge_next_header = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_judge_traffic_header;

    ngx_http_judge_next_body = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_judge_traffic_body;

    return NGX_OK;
}


/* An internal redirect forgets the contexts; this finds the last one. */

ngx_http_judge_traffic_ctx_t *
ngx_http_judge_traffic_ctx(ngx_http_request_t *r, ngx_flag_t asks)
{
    ngx_pool_cleanup_t            *cln;
    ngx_http_judge_traffic_ctx_t  *ctx;

    for (cln = r->main->pool->cleanup; cln; cln = cln->next) {
        ctx = cln->data;
        if (cln->handler == ngx_http_judge_traffic_cleanup
            && ctx->traffic->asks == asks)
        {
            return ctx;
        }
    }

    return NULL;
}


judge_exchange_t *
ngx_http_judge_traffic_take(ngx_http_judge_traffic_ctx_t *ctx, ngx_uint_t end)
{
    ngx_chain_t               *cl;
    judge_extract_t            all;
    judge_exchange_t          *x;
    ngx_http_judge_service_t  *js = ctx->traffic->service;

    for (cl = ctx->out; cl && ctx->body.kind != JUDGE_EXTRACT_EVENTS;
         cl = cl->next)
    {
        judge_extract_feed(&ctx->body, ngx_http_judge_scratch,
                           (char *) cl->buf->pos,
                           (size_t) (cl->buf->last - cl->buf->pos));
    }

    all = ctx->body;
    if (!end) {
        judge_extract_snapshot(&all, &ctx->body);
    }

    x = js->open ? ngx_http_judge_traffic_exchange(ctx->r, ctx) : NULL;

    if (!end) {
        judge_extract_free(&ctx->body);
        ctx->body = all;
    }

    if (x == NULL) {
        ngx_http_judge_traffic_skip(ctx, JUDGE_SKIP_FAILED);
        return NULL;
    }

    ngx_http_judge_stay(js);
    if (!end) {
        x->running = true;
        x->min = ctx->traffic->min;
        return x;
    }

    ngx_http_judge_traffic_drop(ctx);

    return x;
}


judge_arena_t *
ngx_http_judge_traffic_scratch(void)
{
    return ngx_http_judge_scratch;
}
