/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* judge_detect: searches the collected body of a request or an answer at once,
 * and writes it anew if something in it is masked. */


#include <ngx_config.h>

#include <ngx_thread_pool.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


/* Bodies from this size on are searched in a thread.  The request waits for
 * it: r->blocked keeps it, even if the client leaves, and r->count, even if a
 * post_action then ends. */
#define NGX_HTTP_JUDGE_LOOK  (16 * 1024)

typedef struct {
    ngx_http_judge_traffic_ctx_t  *ctx;
    ngx_http_cleanup_t            *cleanup;
    int                            file;       /* or -1 */
    judge_skip_e                   skip;
    judge_buf_t                    out;        /* the body to be sent */
    ngx_uint_t                     passed;     /* the body has passed, and only
                                                  the end of the request
                                                  waits */
    unsigned                       ended:1;    /* the client has left */
} ngx_http_judge_look_t;


void
ngx_http_judge_detect_verdict(ngx_http_judge_traffic_ctx_t *ctx)
{
    judge_detect_t  *d = ctx->found;

    ctx->detected = judge_detect_counts(d, ctx->arena);
    if (ctx->detected.len) {
        ngx_http_judge_report_found(ctx);
    }

    if (!ctx->traffic->guard) {
        return;
    }

    if (d->blocked) {
        ctx->skip = JUDGE_SKIP_NONE;
        ctx->guard = NGX_HTTP_JUDGE_GUARD_REFUSED;
        ctx->why = d->blocked->message.data ? d->blocked->message
                   : judge_str_printf(ctx->arena,
                                      "the %s has what must not pass: %s",
                                      ctx->traffic->asks ? "request"
                                                         : "answer",
                                      d->label);
        ngx_http_judge_report_detail(ctx, NULL);
    } else if (ctx->skip == JUDGE_SKIP_NONE) {
        ctx->guard = NGX_HTTP_JUDGE_GUARD_PASS;
    } else {
        ngx_http_judge_report_verdict(ctx, NULL);
    }
}


/* --- Looking ------------------------------------------------------------- */

/* Searches what is held back of an answer, or what was read of a request and
 * its file, perhaps in a thread. */

static judge_skip_e
ngx_http_judge_detect_find(ngx_http_judge_traffic_ctx_t *ctx, int file,
    judge_buf_t *out)
{
    bool             encoded;
    judge_skip_e     skip;
    judge_detect_t  *d = ctx->found;

    encoded = ctx->traffic->asks && ctx->body.inflate && !ctx->body.rewrite;
    if (ctx->body.kind != JUDGE_EXTRACT_EVENTS) {
        judge_extract_feed(&ctx->body, d->scratch, ctx->held.data,
                           ctx->held.len);
    }
    if (file >= 0) {
        judge_extract_file(&ctx->body, d->scratch, file);
    }

    skip = ctx->body.skip;
    if (skip == JUDGE_SKIP_NONE) {
        skip = ctx->stream ? judge_detect_stream_pump(ctx->stream, 1,
                                                      &ctx->anew)
                           : judge_detect_body(d, &ctx->body, out);
        skip = encoded && d->masked ? JUDGE_SKIP_UNMASKED : skip;
    }

    return skip;
}


static void
ngx_http_judge_detect_found(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip, judge_buf_t *out)
{
    ngx_int_t                  rc = NGX_OK;
    judge_detect_t            *d = ctx->found;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    if (t->asks) {
        ctx->masks.known = ctx->masks.n;
    }

    if (skip == JUDGE_SKIP_NONE && !d->blocked && t->guard
        && (d->masked || (ctx->body.rewrite && out->len)))
    {
        rc = t->asks ? ngx_http_judge_anew(ctx, &ctx->body,
                                           judge_buf_view(out))
             : ngx_http_judge_held_replace(ctx, judge_buf_view(
                                     ctx->stream ? &ctx->anew : out));
    }

    ctx->collecting = 0;
    judge_extract_free(&ctx->body);
    ngx_http_judge_traffic_reason(ctx, rc == NGX_OK ? skip
                                                    : JUDGE_SKIP_FAILED);
    ngx_http_judge_detect_verdict(ctx);
}


/* --- In a thread --------------------------------------------------------- */

static void
ngx_http_judge_look_thread(void *data, ngx_log_t *log)
{
    ngx_http_judge_look_t  *look = data;

    look->skip = ngx_http_judge_detect_find(look->ctx, look->file, &look->out);
}


static void
ngx_http_judge_look_free(ngx_http_judge_look_t *look)
{
    if (look->file >= 0) {
        (void) close(look->file);
    }

    judge_arena_destroy(look->ctx->found->scratch);
    look->ctx->found->scratch = ngx_http_judge_scratch;
}


/* A worker that shuts down waits for timers, but not for threads. */

static void
ngx_http_judge_look_waits(ngx_event_t *ev)
{
    ngx_add_timer(ev, 1000);
}


/* nginx calls this at the end of a request; it waits, as it is blocked. */

static void
ngx_http_judge_look_ends(void *data)
{
    ((ngx_http_judge_look_t *) data)->ended = 1;
}


static void
ngx_http_judge_look_done(ngx_event_t *ev)
{
    ngx_uint_t                     left;
    ngx_http_judge_look_t         *look = ev->data;
    ngx_http_judge_traffic_ctx_t  *ctx = look->ctx;
    ngx_http_request_t            *r = ctx->r;
    ngx_connection_t              *c = r->connection;

    r->main->blocked--;
    if (ctx->timer.timer_set) {
        ngx_del_timer(&ctx->timer);
    }
    look->cleanup->handler = NULL;
    ngx_http_judge_look_free(look);

    if (look->ended) {
        c->write->handler(c->write);
        return;
    }

    left = !look->passed && ngx_http_judge_traffic_left(ctx);
    if (!left) {
        ngx_http_judge_detect_found(ctx, look->skip, &look->out);
    }
    if (!look->passed && !left) {
        r->main->count--;
        ngx_post_event(&ctx->resume, &ngx_posted_events);
        return;
    }

    ngx_http_finalize_request(r, NGX_DONE);
    ngx_http_run_posted_requests(c);
}


/* Starts a thread; NGX_DECLINED: none can be started. */

static ngx_int_t
ngx_http_judge_look_begin(ngx_http_judge_traffic_ctx_t *ctx, int file,
    ngx_uint_t passed)
{
    ngx_str_t               name = ngx_string("default");
    judge_arena_t          *scratch;
    judge_detect_t         *d = ctx->found;
    ngx_thread_pool_t      *pool;
    ngx_thread_task_t      *task;
    ngx_http_judge_look_t  *look;

    pool = ngx_thread_pool_get((ngx_cycle_t *) ngx_cycle, &name);
    task = ngx_thread_task_alloc(ctx->r->pool, sizeof(*look));
    scratch = judge_arena_create(NGX_HTTP_JUDGE_LOOK);
    if (pool == NULL || task == NULL || scratch == NULL) {
        judge_arena_destroy(scratch);
        return NGX_DECLINED;
    }

    look = task->ctx;
    look->ctx = ctx;
    look->file = file;
    look->passed = passed;
    judge_buf_init(&look->out, d->arena);
    task->handler = ngx_http_judge_look_thread;
    task->event.handler = ngx_http_judge_look_done;
    task->event.data = look;

    d->scratch = scratch;
    look->cleanup = ngx_http_cleanup_add(ctx->r, 0);
    if (look->cleanup == NULL
        || ngx_thread_task_post(pool, task) != NGX_OK)
    {
        look->file = -1;
        ngx_http_judge_look_free(look);
        return NGX_DECLINED;
    }

    look->cleanup->handler = ngx_http_judge_look_ends;
    look->cleanup->data = look;
    ctx->r->main->blocked++;
    ctx->r->main->count++;
    ctx->timer.handler = ngx_http_judge_look_waits;
    ngx_add_timer(&ctx->timer, 1000);

    return NGX_AGAIN;
}


ngx_int_t
ngx_http_judge_detect_look(ngx_http_judge_traffic_ctx_t *ctx, int file,
    ngx_uint_t passed)
{
    judge_buf_t   out;
    judge_skip_e  skip;

    if (ctx->traffic->asks) {
        ctx->body.type = ngx_http_judge_str(
                                  ctx->r->headers_in.content_type->value);
    }

    if ((file >= 0 || ctx->held.len + judge_extract_size(&ctx->body)
                      >= NGX_HTTP_JUDGE_LOOK)
        && ngx_http_judge_look_begin(ctx, file, passed) == NGX_AGAIN)
    {
        return NGX_AGAIN;
    }

    judge_buf_init(&out, ctx->found->arena);
    skip = ngx_http_judge_detect_find(ctx, file, &out);
    ngx_http_judge_detect_found(ctx, skip, &out);

    return NGX_OK;
}
