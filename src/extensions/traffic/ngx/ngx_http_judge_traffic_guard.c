/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* mode=guard: header and body of a response are held back until it is judged.
 * After its last byte the request waits for the event `resume`.  If the
 * request ends earlier, the exchange continues without it. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


static bool
ngx_http_judge_guard_stops(const ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    return ngx_http_judge_report_strict(ctx, skip) && skip != JUDGE_SKIP_NONE
           && !(skip == JUDGE_SKIP_TYPE && ctx->named)
           && (skip != JUDGE_SKIP_STATUS
               || ngx_http_judge_traffic_behind(ctx->r));
}


bool
ngx_http_judge_guard_blocks(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    if (!ngx_http_judge_guard_stops(ctx, skip)) {
        return false;
    }

    ngx_http_judge_report_verdict(ctx, NULL);

    return true;
}


ngx_int_t
ngx_http_judge_guard_headers(ngx_http_judge_traffic_ctx_t *ctx)
{
    size_t  i;
    bool    hidden = ctx->traffic->message.len
                     && judge_str_eq_c(ctx->passed, "0");
    const struct {
        const char   *name;
        judge_str_t   value;
    } headers[] = {
        { "Judge-Score", hidden ? JUDGE_STR("") : ctx->score },
        { "Judge-Evaluation", ctx->evaluation },
        { "Judge-Blocked", ctx->blocked }
    };
    const ngx_http_judge_traffic_ctx_t  *refused;

    refused = ngx_http_judge_traffic_ctx(ctx->r, NGX_HTTP_JUDGE_ANY_REFUSED);
    if (refused && refused != ctx) {
        return NGX_OK;
    }

    for (i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
        if (headers[i].value.len
            && !ngx_http_judge_add_header(ctx->r, headers[i].name,
                                          headers[i].value))
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* Sends the header of the answer that replaces a refused response, whose own
 * header was cleared. */

static ngx_int_t
ngx_http_judge_guard_refuse(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_request_t  *r = ctx->r;

    ngx_str_set(&r->headers_out.content_type, "application/json");
    r->headers_out.content_type_len = r->headers_out.content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    r->headers_out.charset.len = 0;
    r->headers_out.content_length_n = (off_t) ctx->detail.len;

    return ngx_http_judge_guard_headers(ctx);
}


/* Holds back a chain of events.  Other bodies are held back when they are
 * collected, and a response that will be refused is not needed. */

static ngx_int_t
ngx_http_judge_guard_hold(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *in)
{
    for ( /* void */ ; in; in = in->next) {
        if (ctx->collecting && ctx->body.kind == JUDGE_EXTRACT_EVENTS
            && ngx_http_judge_held_add(ctx,
                                       ngx_http_judge_traffic_bytes(in->buf))
               != NGX_OK)
        {
            return NGX_ERROR;
        }

        in->buf->pos = in->buf->last;
        in->buf->file_pos = in->buf->file_last;
    }

    return NGX_OK;
}


void
ngx_http_judge_guard_replace(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_request_t  *r = ctx->r;

    r->buffered &= ~NGX_HTTP_JUDGE_BUFFERED;
    ngx_http_judge_held_drop(ctx);
    ctx->guard = NGX_HTTP_JUDGE_GUARD_REFUSED;
    ngx_http_clean_header(r);
    ngx_http_finalize_request(r, NGX_HTTP_JUDGE_UNPROCESSABLE);
}


static void
ngx_http_judge_guard_go(ngx_http_judge_traffic_ctx_t *ctx)
{
    if (ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED
        && ctx->skip != JUDGE_SKIP_STATUS)
    {
        ngx_http_judge_guard_replace(ctx);
    } else {
        ctx->r->write_event_handler(ctx->r);
    }
}


ngx_int_t
ngx_http_judge_guard_header(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    bool                 error;
    ngx_http_request_t  *r = ctx->r;

    if (ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED) {
        return ngx_http_judge_guard_refuse(ctx);
    }

    /* an error keeps its status: its body gets the verdict */
    error = skip == JUDGE_SKIP_STATUS && r->headers_out.status >= NGX_HTTP_OK
            && ngx_http_judge_guard_stops(ctx, skip);

    if (!error && ngx_http_judge_guard_blocks(ctx, skip)) {
        ngx_http_clean_header(r);
        return NGX_HTTP_JUDGE_UNPROCESSABLE;
    }

    if (skip != JUDGE_SKIP_NONE && !error) {
        return NGX_OK;
    }

    ctx->guard = NGX_HTTP_JUDGE_GUARD_HOLD;
    ctx->go = ngx_http_judge_guard_go;
    r->preserve_body = 1;
    ngx_http_clear_accept_ranges(r);
    r->allow_ranges = 0;

    return NGX_DECLINED;
}


static void
ngx_http_judge_guard_done(judge_exchange_t *x)
{
    ngx_http_judge_traffic_ctx_t  *ctx = x->data;

    ctx->judging = NULL;
    if (!ctx->live && ctx->timer.timer_set) {
        ngx_del_timer(&ctx->timer);
    }

    if (ngx_http_judge_traffic_left(ctx)) {
        return;
    }

    if (x->skip == JUDGE_SKIP_NONE && x->body.rewrite
        && x->overall >= ctx->traffic->min
        && ngx_http_judge_anew(ctx, &x->body, judge_buf_view(&x->anew))
           != NGX_OK)
    {
        ngx_http_judge_traffic_reason(ctx, JUDGE_SKIP_FAILED);
        ngx_http_judge_report_verdict(ctx, NULL);
    } else {
        ngx_http_judge_traffic_reason(ctx, x->skip);
        ngx_http_judge_report_verdict(ctx, x);
    }
    ngx_post_event(&ctx->resume, &ngx_posted_events);
}


/* Called if the verdict is late, perhaps because a database hangs.  The
 * exchange continues without the request. */

void
ngx_http_judge_guard_leave(ngx_http_judge_traffic_ctx_t *ctx)
{
    ctx->judging->done = NULL;
    ctx->judging = NULL;
    ngx_http_judge_traffic_reason(ctx, JUDGE_SKIP_DROPPED);
    ngx_http_judge_report_verdict(ctx, NULL);
}


static void
ngx_http_judge_guard_late(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_judge_guard_leave(ctx);
    ngx_post_event(&ctx->resume, &ngx_posted_events);
}


void
ngx_http_judge_guard_run(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x)
{
    if (x == NULL) {
        if (ctx->guard < NGX_HTTP_JUDGE_GUARD_PASS) {
            ngx_http_judge_report_verdict(ctx, NULL);
        }
        ngx_post_event(&ctx->resume, &ngx_posted_events);
        return;
    }

    if (!ctx->live) {
        ctx->late = ngx_http_judge_guard_late;
        ngx_add_timer(&ctx->timer, ctx->traffic->timeout);
    }

    ctx->judging = x;
    x->urgent = true;
    x->done = ngx_http_judge_guard_done;
    x->data = ctx;
    judge_exchange_run(x);
}


ngx_int_t
ngx_http_judge_guard_body(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *in,
    ngx_uint_t last)
{
    ngx_int_t  rc;

    /* A response that can't be judged is sent at once, unless blocked. */
    if (!ctx->collecting && !ctx->traffic->block) {
        ctx->guard = NGX_HTTP_JUDGE_GUARD_PASS;
        rc = ngx_http_judge_guard_send(ctx);
        return rc == NGX_ERROR || rc > NGX_OK || ctx->r->header_only
               ? rc : ngx_http_judge_held_pass(ctx->r, in);
    }

    if (!ctx->collecting) {
        ngx_http_judge_held_drop(ctx);
    }

    if (ngx_http_judge_guard_hold(ctx, in) != NGX_OK) {
        return NGX_ERROR;
    }

    if (!last) {
        return NGX_OK;
    }

    ctx->over = 1;
    ctx->r->buffered |= NGX_HTTP_JUDGE_BUFFERED;

    if (ctx->collecting && ctx->found
        && ngx_http_judge_detect_look(ctx, -1, 0) == NGX_AGAIN)
    {
        return NGX_AGAIN;
    }

    ngx_http_judge_guard_run(ctx, ctx->collecting
                                  ? ngx_http_judge_traffic_take(ctx, 1)
                                  : NULL);

    return NGX_AGAIN;
}


/* Sends the header, and the data held back or their replacement. */

ngx_int_t
ngx_http_judge_guard_send(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_judge_guard_e  verdict = ctx->guard;

    ctx->r->buffered &= ~NGX_HTTP_JUDGE_BUFFERED;
    ctx->guard = NGX_HTTP_JUDGE_GUARD_OFF;

    if (verdict == NGX_HTTP_JUDGE_GUARD_PASS) {
        return ngx_http_judge_guard_headers(ctx) == NGX_OK
               ? ngx_http_judge_held_release(ctx, ctx->held.len, ctx->over)
               : NGX_ERROR;
    }

    /* An error keeps its status, but not its body. */
    if (!ctx->r->header_sent && ngx_http_judge_guard_refuse(ctx) != NGX_OK) {
        return NGX_ERROR;
    }

    return ngx_http_judge_held_replace(ctx, ctx->detail) == NGX_OK
           ? ngx_http_judge_held_release(ctx, ctx->held.len, 1) : NGX_ERROR;
}
