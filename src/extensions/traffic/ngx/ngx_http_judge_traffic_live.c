/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Judges streams of events while they are sent (stream=window|end).  Only
 * whole events are sent, so that an event with an error can follow at any
 * time.  The text is judged again when at least an eighth was added, so that
 * all judgings of a stream cost only a few times as much as one of the whole
 * text.
 *
 * All received data are copied.  While the client does not read what was sent,
 * the last byte of one of nginx's buffers is not marked as consumed: nginx
 * then waits for that and for those after it, and stops reading from the
 * upstream.
 */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_PART   8            /* least part of new text */


/* --- Clients that read slowly ------------------------------------------- */

/* Marks nginx's buffer as consumed, because the client has read all. */

static void
ngx_http_judge_live_settle(ngx_http_judge_traffic_ctx_t *ctx)
{
    if (ctx->unread) {
        ctx->unread->pos = ctx->unread->last;
        ctx->unread = NULL;
    }
}


ngx_int_t
ngx_http_judge_live_flush(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_int_t  rc;

    rc = ngx_http_judge_held_pass(ctx->r, NULL);
    ngx_http_judge_held_sent(ctx, NULL);
    if (ctx->busy == NULL) {
        ngx_http_judge_live_settle(ctx);
    }

    return rc;
}


/* The number of held bytes that belong to whole events. */

static size_t
ngx_http_judge_live_whole(const ngx_http_judge_traffic_ctx_t *ctx)
{
    size_t  part;

    part = ctx->collecting && !ctx->over ? ctx->body.raw.len : 0;

    return ctx->held.len - ngx_min(part, ctx->held.len);
}


/* --- Judging ------------------------------------------------------------- */

static void
ngx_http_judge_live_timer(ngx_http_judge_traffic_ctx_t *ctx, ngx_uint_t anew)
{
    if (ctx->timer.timer_set && anew) {
        ngx_del_timer(&ctx->timer);
    }

    if (!ctx->timer.timer_set
        && (ctx->judging || ngx_http_judge_live_whole(ctx)))
    {
        ngx_add_timer(&ctx->timer, ctx->traffic->delay);
    }
}


/* Judges the text so far, if it has the window's length or is complete. */

static void
ngx_http_judge_live_judge(ngx_http_judge_traffic_ctx_t *ctx, size_t due)
{
    size_t             text;
    judge_exchange_t  *x;

    if (ctx->judging || ctx->final || ctx->resume.posted || !ctx->collecting) {
        return;
    }

    text = ctx->body.length;
    if (!ctx->over && text < ngx_max(due, ctx->traffic->window)) {
        return;
    }

    ctx->mark = ngx_http_judge_live_whole(ctx);
    ctx->judged = text;
    ctx->due = text + ngx_max(ctx->traffic->window,
                              text / NGX_HTTP_JUDGE_PART);
    ctx->final = ctx->over;

    x = ngx_http_judge_traffic_take(ctx, ctx->final);
    ngx_http_judge_guard_run(ctx, x);
    ngx_http_judge_live_timer(ctx, 1);
}


/* Calls nginx's own function that closes the upstream. */

static void
ngx_http_judge_live_leave(ngx_http_request_t *r)
{
    ngx_http_cleanup_pt  handler;

    if (r->upstream && r->upstream->cleanup) {
        handler = *r->upstream->cleanup;
        r->main->count++;
        handler(r);
    }
}


/* Refuses the stream: with 422 if nothing was sent yet, else by an event. */

static void
ngx_http_judge_live_end(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_int_t            rc;
    judge_str_t          message, event;
    ngx_http_request_t  *r = ctx->r;

    ctx->live = 0;
    ctx->guard = NGX_HTTP_JUDGE_GUARD_OFF;
    if (ctx->timer.timer_set) {
        ngx_del_timer(&ctx->timer);
    }

    if (ctx->collecting && ctx->skip != JUDGE_SKIP_NONE) {
        ngx_http_judge_traffic_skip(ctx, ctx->skip);
    } else if (ctx->collecting) {
        ngx_http_judge_traffic_drop(ctx);
    }

    ngx_http_judge_held_drop(ctx);
    ngx_http_judge_live_leave(r);

    if (!r->header_sent) {
        ngx_http_judge_guard_replace(ctx);
        return;
    }

    message = ctx->why.len == 0
              ? judge_str_printf(ctx->arena, "the answer could not be judged:"
                                 " %s", judge_skip_name(ctx->skip))
              : ctx->skip == JUDGE_SKIP_NONE && ctx->found == NULL
                && ctx->traffic->message.len == 0
              ? judge_str_printf(ctx->arena, "%.*s: %.*s of 100 (%.*s)",
                                 judge_str_args(ctx->why),
                                 judge_str_args(ctx->score),
                                 judge_str_args(ctx->evaluation))
              : ctx->why;
    event = judge_extract_error(ctx->arena, ctx->provider, ctx->events,
                                ctx->skip != JUDGE_SKIP_NONE ? "not_judged"
                                : ctx->found ? "blocked"
                                : "judged_below_minimum", message);

    r->buffered &= ~NGX_HTTP_JUDGE_BUFFERED;
    rc = ngx_http_judge_held_add(ctx, event);
    if (rc == NGX_OK) {
        rc = ngx_http_judge_held_release(ctx, ctx->held.len, 1);
    }

    ngx_http_finalize_request(r, rc);
}


/* Continues after a verdict. */

static void
ngx_http_judge_live_go(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_int_t               rc;
    ngx_uint_t              unread;
    ngx_http_request_t     *r = ctx->r;
    ngx_http_judge_guard_e  verdict;

    verdict = ctx->guard;
    ctx->guard = NGX_HTTP_JUDGE_GUARD_HOLD;

    if (verdict == NGX_HTTP_JUDGE_GUARD_REFUSED) {
        ngx_http_judge_live_end(ctx);
        return;
    }

    if (ctx->final || !ctx->collecting) {
        ctx->live = 0;
        ctx->guard = NGX_HTTP_JUDGE_GUARD_OFF;
        r->buffered &= ~NGX_HTTP_JUDGE_BUFFERED;
        rc = ngx_http_judge_held_release(ctx, ctx->held.len, ctx->over);

    } else {
        rc = ngx_http_judge_held_release(ctx, ngx_min(ctx->mark,
                                                      ctx->held.len), 0);
        ctx->mark = 0;
        ctx->evaluation.len = 0;       /* it was not stored */
        ngx_http_judge_live_judge(ctx, ctx->due);
    }

    ngx_http_judge_live_timer(ctx, ctx->judging == NULL);

    unread = ctx->unread != NULL && (ctx->busy == NULL || !ctx->live);
    if (unread) {
        ngx_http_judge_live_settle(ctx);
    }

    /* nginx sends the rest when the client can read more. */
    if (!ctx->over && r->connection->buffered
        && ngx_handle_write_event(r->connection->write, 0) != NGX_OK)
    {
        rc = NGX_ERROR;
    }

    if (rc == NGX_ERROR) {
        ngx_http_judge_live_leave(r);
        ngx_http_finalize_request(r, rc);

    } else if (unread || (ctx->over && !ctx->live)) {
        r->write_event_handler(r);
    }
}


/* Called when events were held back, or judged, for the maximum delay. */

static void
ngx_http_judge_live_late(ngx_http_judge_traffic_ctx_t *ctx)
{
    if (ctx->judging) {
        ngx_http_judge_guard_leave(ctx);
        ngx_http_judge_live_go(ctx);

    } else if (!ctx->resume.posted) {
        ngx_http_judge_live_judge(ctx, ctx->judged + 1);

        if (ctx->judging == NULL && !ctx->resume.posted
            && (!ctx->traffic->block || ctx->body.length == ctx->judged))
        {
            ctx->mark = ngx_http_judge_live_whole(ctx);
            ctx->guard = NGX_HTTP_JUDGE_GUARD_PASS;
            ngx_http_judge_live_go(ctx);
        }
    }
}


/* A response that nginx reads from a file, such as its cache, can't be ended
 * early.  With buffering nginx would pass events on only in full buffers. */

ngx_uint_t
ngx_http_judge_live_header(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_request_t  *r = ctx->r;

    if (ctx->traffic->stream == NGX_HTTP_JUDGE_STREAM_HOLD
        || ctx->body.kind != JUDGE_EXTRACT_EVENTS || ctx->body.inflate
        || r->upstream == NULL || r->upstream->cleanup == NULL
        || r->upstream->cacheable || r->upstream->store)
    {
        return 0;
    }

    ctx->go = ngx_http_judge_live_go;
    ctx->late = ngx_http_judge_live_late;
    ctx->due = ctx->traffic->window;
    r->upstream->buffering = 0;
    ngx_http_clear_content_length(r);

    return 1;
}


/* Marks a buffer as consumed, or all but its last byte, if others are still
 * being sent. */

static void
ngx_http_judge_live_consume(ngx_http_judge_traffic_ctx_t *ctx, ngx_buf_t *b,
    ngx_uint_t last)
{
    if (b->in_file) {
        b->file_pos = b->file_last;

    } else if (ngx_buf_in_memory(b) && b->pos < b->last && ctx->busy && !last
               && ctx->unread == NULL)
    {
        ctx->unread = b;
        b->pos = b->last - 1;
        return;
    }

    b->pos = b->last;
}


ngx_int_t
ngx_http_judge_live_body(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *in,
    ngx_uint_t last)
{
    ngx_int_t            rc;
    ngx_http_request_t  *r = ctx->r;

    ngx_http_judge_held_sent(ctx, NULL);

    for ( /* void */ ; in; in = in->next) {
        if (ngx_http_judge_held_add(ctx,
                                    ngx_http_judge_traffic_bytes(in->buf))
            != NGX_OK)
        {
            return NGX_ERROR;
        }
        ngx_http_judge_live_consume(ctx, in->buf, last);
    }

    rc = NGX_OK;
    ctx->over |= last;

    if (ctx->collecting) {
        if (ctx->traffic->stream == NGX_HTTP_JUDGE_STREAM_END
            && !ctx->over && !ctx->body.ended && !ctx->resume.posted)
        {
            rc = ngx_http_judge_held_release(ctx,
                                        ngx_http_judge_live_whole(ctx), 0);
        }
        ngx_http_judge_live_judge(ctx, ctx->due);

    } else if (!ctx->final && ctx->guard != NGX_HTTP_JUDGE_GUARD_REFUSED) {
        if (ctx->judging) {
            ctx->judging->done = NULL;
            ctx->judging = NULL;
        }
        ctx->guard = NGX_HTTP_JUDGE_GUARD_HOLD;  /* whatever `resume` is for */
        ngx_http_judge_guard_run(ctx, NULL);
    }

    ngx_http_judge_live_timer(ctx, 0);

    if (ctx->over) {
        r->buffered |= NGX_HTTP_JUDGE_BUFFERED;
        return NGX_AGAIN;
    }

    return rc;
}


/* --- Streams that are blocked or masked as they pass (judge_detect) ------ */

/* Ends the stream with an error, even if on_error= lets others pass: the rest
 * that is held back is incomplete.  The request ends outside of the filter. */

static ngx_int_t
ngx_http_judge_detect_end(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_judge_detect_verdict(ctx);
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
        ngx_http_judge_live_consume(ctx, in->buf, last);
    }

    if (ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED) {
        return NGX_AGAIN;
    }

    if (last && ctx->collecting && ctx->found->blocked == NULL) {
        skip = judge_detect_stream_pump(ctx->stream, 1, &ctx->held);
        if (skip != JUDGE_SKIP_NONE) {
            ngx_http_judge_traffic_skip(ctx, skip);
        }
    }

    if (!ctx->collecting || ctx->found->blocked) {
        return ngx_http_judge_detect_end(ctx);
    }

    if (last) {
        ngx_http_judge_detect_verdict(ctx);
        ngx_http_judge_traffic_drop(ctx);
        ctx->live = 0;
        ctx->guard = NGX_HTTP_JUDGE_GUARD_OFF;
    }

    rc = ngx_http_judge_held_release(ctx, ctx->held.len, last);
    if (ctx->unread && (ctx->busy == NULL || last)) {
        ngx_http_judge_live_settle(ctx);
    }

    return rc;
}
