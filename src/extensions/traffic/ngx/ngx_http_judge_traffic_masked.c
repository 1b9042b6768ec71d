/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* judge_detect: a stream of events is blocked or masked as it passes. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


/* Ends the stream with an error, even if on_error= lets others pass: the rest
 * that is held back is incomplete.  The request ends outside of the filter. */

static ngx_int_t
ngx_http_judge_detect_end(ngx_http_judge_traffic_ctx_t *ctx)
{
    ctx->events = ctx->body.events;
    ctx->provider = ctx->body.format ? ctx->body.format->provider
                                   : JUDGE_EXTRACT_OTHER;
    ngx_http_judge_detect_verdict(ctx);
    if (ctx->found->blocked == NULL) {
        ngx_http_judge_guard_verdict(ctx, NULL);
    }

    ctx->guard = NGX_HTTP_JUDGE_GUARD_REFUSED;
    ctx->r->buffered |= NGX_HTTP_JUDGE_BUFFERED;
    ngx_post_event(&ctx->resume, &ngx_posted_events);

    return NGX_AGAIN;
}


ngx_int_t
ngx_http_judge_detect_live(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *in,
    ngx_uint_t last)
{
    ngx_int_t     rc;
    judge_skip_e  skip;

    ngx_http_judge_held_sent(ctx, NULL);

    for ( /* void */ ; in; in = in->next) {
        if (ngx_http_judge_live_consume(ctx, in->buf, last) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    if (ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED) {
        return NGX_AGAIN;
    }

    if (last && ctx->collecting && ctx->found->blocked == NULL) {
        skip = judge_detect_stream_pump(ctx->stream, 1, &ctx->anew);
        if (skip != JUDGE_SKIP_NONE) {
            ngx_http_judge_traffic_skip(ctx, skip);
        }
    }

    if (!ctx->collecting || ctx->found->blocked) {
        return ngx_http_judge_detect_end(ctx);
    }

    if (ngx_http_judge_held_add(ctx, (u_char *) ctx->anew.data, ctx->anew.len)
        != NGX_OK)
    {
        return NGX_ERROR;
    }
    ctx->anew.len = 0;

    if (last) {
        ngx_http_judge_detect_verdict(ctx);
        ngx_http_judge_traffic_drop(ctx);
        ctx->live = 0;
        ctx->guard = NGX_HTTP_JUDGE_GUARD_OFF;
    }

    rc = ngx_http_judge_held_release(ctx, ctx->size, last);
    if (ctx->unread && (ctx->busy == NULL || last)) {
        ngx_http_judge_live_settle(ctx);
    }

    return rc;
}
