/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The filters run before those that compress, select ranges and encode chunks,
 * and after the one that reads files.  Without mode=guard they only copy the
 * body.
 */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


/* Ignores subrequests, which are parts of a response or not for the client. */

static ngx_int_t
ngx_http_judge_traffic_header(ngx_http_request_t *r)
{
    ngx_int_t                       rc;
    judge_skip_e                    skip;
    ngx_http_judge_traffic_t       *t;
    ngx_http_judge_traffic_ctx_t   *ctx, *refused;
    ngx_http_judge_traffic_conf_t  *conf;

    conf = ngx_http_get_module_loc_conf(r, ngx_http_judge_traffic_module);
    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_traffic_module);

    if (ctx && ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED && r == r->main) {
        rc = ngx_http_judge_guard_header(ctx, ctx->skip);
        return rc == NGX_OK ? ngx_http_judge_next_header(r) : rc;
    }

    refused = ctx || r != r->main || !r->internal ? NULL
              : ngx_http_judge_traffic_ctx(r, NGX_HTTP_JUDGE_ANY_REFUSED);
    if (refused && ngx_http_judge_guard_headers(refused) != NGX_OK) {
        return NGX_ERROR;
    }

    t = conf->answers;
    if (t == NULL || r != r->main || ctx) {
        return ngx_http_judge_next_header(r);
    }

    ctx = ngx_http_judge_traffic_begin(r, t);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    ngx_http_set_ctx(r, ctx, ngx_http_judge_traffic_module);
    skip = ngx_http_judge_traffic_admit(r, ctx);

    if (skip == JUDGE_SKIP_NONE) {
        ctx->collecting = 1;
        r->filter_need_in_memory = 1;
        if (ngx_http_judge_held_begin(ctx) != NGX_OK) {
            return NGX_ERROR;
        }
        if (t->detect && t->guard && ctx->body.kind == JUDGE_EXTRACT_EVENTS) {
            ctx->stream = judge_detect_stream_create(ctx->found, &ctx->body);
            if (ctx->stream == NULL) {
                return NGX_ERROR;
            }
        }
    } else {
        ngx_http_judge_traffic_skip(ctx, skip);
    }

    rc = ctx->traffic->guard ? ngx_http_judge_guard_header(ctx, skip) : NGX_OK;
    if (rc == NGX_DECLINED) {
        ctx->live = ngx_http_judge_live_header(ctx);
        return NGX_OK;
    }

    return rc == NGX_OK ? ngx_http_judge_next_header(r) : rc;
}


/* Collects the body; a body over a limit is skipped as a whole. */

static ngx_int_t
ngx_http_judge_traffic_collect(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_chain_t *in)
{
    size_t                     size = 0;
    judge_str_t                bytes;
    ngx_chain_t               *cl;
    judge_skip_e               skip = JUDGE_SKIP_NONE;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    for (cl = in; cl; cl = cl->next) {
        size += ngx_http_judge_traffic_bytes(cl->buf).len;
        if (!ngx_buf_in_memory(cl->buf) && ngx_buf_size(cl->buf)) {
            skip = JUDGE_SKIP_FAILED;
        }
    }

    if (size > t->max - ctx->held.len
        && ctx->body.kind != JUDGE_EXTRACT_EVENTS)
    {
        skip = JUDGE_SKIP_TOO_LARGE;
    } else if (t->used + size > t->memory) {
        skip = JUDGE_SKIP_DROPPED;
    }

    for (cl = in; cl && skip == JUDGE_SKIP_NONE; cl = cl->next) {
        bytes = ngx_http_judge_traffic_bytes(cl->buf);
        if (ctx->body.kind == JUDGE_EXTRACT_EVENTS) {
            judge_extract_feed(&ctx->body, ngx_http_judge_scratch,
                               bytes.data, bytes.len);
            skip = ctx->stream
                   ? judge_detect_stream_pump(ctx->stream, 0, ctx->live
                                              ? &ctx->held : &ctx->anew)
                   : ctx->body.skip;

        } else if (ngx_http_judge_held_add(ctx, bytes) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    ctx->events = ctx->body.events;
    if (ctx->body.format) {
        ctx->provider = ctx->body.format->provider;
    }

    ngx_http_judge_held_account(ctx);

    if (skip == JUDGE_SKIP_NONE && ctx->used > ngx_max(3 * t->max,
                                                       t->memory / 4))
    {
        skip = JUDGE_SKIP_TOO_LARGE;
    }

    if (skip != JUDGE_SKIP_NONE) {
        ngx_http_judge_traffic_skip(ctx, skip);
    }

    return NGX_OK;
}


/* Whether the chain has the last byte of the response. */

static ngx_uint_t
ngx_http_judge_traffic_last(ngx_chain_t *in)
{
    for ( /* void */ ; in; in = in->next) {
        if (in->buf->last_buf) {
            return 1;
        }
    }

    return 0;
}


/* All of an answer has passed. */

static void
ngx_http_judge_traffic_end(ngx_http_judge_traffic_ctx_t *ctx)
{
    judge_exchange_t  *x;

    if (ctx->found) {
        (void) ngx_http_judge_detect_look(ctx, -1, 1);
    } else if ((x = ngx_http_judge_traffic_take(ctx, 1))) {
        judge_exchange_run(x);
    }
}


static ngx_int_t
ngx_http_judge_traffic_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_int_t                      rc;
    ngx_uint_t                     last;
    ngx_http_judge_traffic_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_traffic_module);

    if (ctx && r == r->main && !ctx->live
        && ctx->guard >= NGX_HTTP_JUDGE_GUARD_PASS)
    {
        return ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED && in == NULL
               && ctx->skip != JUDGE_SKIP_STATUS
               ? ngx_http_judge_next_body(r, NULL)
               : ngx_http_judge_guard_send(ctx);
    }

    if (ctx && r == r->main && in == NULL && ctx->unread) {
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

    last = ngx_http_judge_traffic_last(in);
    if (ctx->collecting && ngx_http_judge_traffic_collect(ctx, in) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ctx->live) {
        return ctx->stream ? ngx_http_judge_detect_live(ctx, in, last)
                           : ngx_http_judge_live_body(ctx, in, last);
    }

    if (ctx->guard != NGX_HTTP_JUDGE_GUARD_OFF) {
        return ngx_http_judge_guard_body(ctx, in, last);
    }

    /* The client must not wait for the judging. */
    rc = ngx_http_judge_next_body(r, in);
    if (last && ctx->collecting) {
        ngx_http_judge_traffic_end(ctx);
    }

    return rc;
}


ngx_int_t
ngx_http_judge_traffic_handlers(ngx_conf_t *cf)
{
    ngx_http_handler_pt        *h;
    ngx_http_core_main_conf_t  *cmcf;

    cmcf = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);

    h = ngx_array_push(&cmcf->phases[NGX_HTTP_PRECONTENT_PHASE].handlers);
    if (h == NULL) {
        return NGX_ERROR;
    }

    *h = ngx_http_judge_request_handler;

    ngx_http_judge_next_header = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_judge_traffic_header;

    ngx_http_judge_next_body = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_judge_traffic_body;

    return NGX_OK;
}
