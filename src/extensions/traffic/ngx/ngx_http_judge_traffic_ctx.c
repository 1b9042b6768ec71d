/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The state of a request that is judged, or whose response is. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_SCRATCH  8192
#define NGX_HTTP_JUDGE_ARENA    1024


judge_arena_t  *ngx_http_judge_scratch;


judge_str_t
ngx_http_judge_traffic_bytes(const ngx_buf_t *b)
{
    return ngx_buf_in_memory(b)
           ? (judge_str_t) { (size_t) (b->last - b->pos), (char *) b->pos }
           : JUDGE_STR("");
}


void
ngx_http_judge_traffic_count(ngx_http_judge_traffic_ctx_t *ctx,
    ngx_uint_t metric, size_t i, size_t n)
{
    ngx_http_judge_service_t  *js = ctx->traffic->service;

    if (js && js->open) {
        judge_extensions_add(&js->service, &judge_extension_traffic, metric, i,
                             n);
    }
}


void
ngx_http_judge_traffic_reason(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    ctx->skip = skip;
    ctx->reason = judge_str_c(judge_skip_name(skip));
}


void
ngx_http_judge_traffic_drop(ngx_http_judge_traffic_ctx_t *ctx)
{
    ctx->collecting = 0;
    judge_extract_free(&ctx->body);
    if (!ctx->traffic->guard) {
        ngx_http_judge_held_drop(ctx);
    }
    ngx_http_judge_held_account(ctx);
}


void
ngx_http_judge_traffic_skip(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    ngx_http_judge_traffic_reason(ctx, skip);
    ngx_http_judge_traffic_drop(ctx);
    ngx_http_judge_traffic_count(ctx, JUDGE_TRAFFIC_SKIPPED, skip, 1);
}


void
ngx_http_judge_traffic_leave(ngx_http_judge_traffic_ctx_t *ctx)
{
    if (ctx->judging) {
        ctx->judging->done = NULL;
        ctx->judging = NULL;
    }

    if (ctx->resume.posted) {
        ngx_delete_posted_event(&ctx->resume);
    }

    if (ctx->timer.timer_set) {
        ngx_del_timer(&ctx->timer);
    }
}


ngx_uint_t
ngx_http_judge_traffic_left(const ngx_http_judge_traffic_ctx_t *ctx)
{
    return ctx->r->post_action != ctx->post_action;
}


/* The handler of `resume` and, unless a thread has it, of the timer. */

static void
ngx_http_judge_traffic_resume(ngx_event_t *ev)
{
    ngx_http_judge_traffic_ctx_t  *ctx = ev->data;
    ngx_connection_t              *c = ctx->r->connection;

    if (!ngx_http_judge_traffic_left(ctx)) {
        (ev == &ctx->timer ? ctx->late : ctx->go)(ctx);
        ngx_http_run_posted_requests(c);
    }
}


/* Called when the request ends: a text that is still incomplete is skipped. */

static void
ngx_http_judge_traffic_cleanup(void *data)
{
    ngx_http_judge_traffic_ctx_t  *ctx = data;

    if (ctx->collecting) {
        ngx_http_judge_traffic_skip(ctx, JUDGE_SKIP_CUT_OFF);
    }

    ngx_http_judge_traffic_leave(ctx);
    judge_detect_stream_free(ctx->stream);
    ctx->stream = NULL;
    judge_buf_free(&ctx->anew);
    ngx_http_judge_held_free(ctx);
    judge_arena_destroy(ctx->arena);
}


/* An internal redirect clears the contexts of modules, so the state is found
 * by its cleanup handler. */

ngx_http_judge_traffic_ctx_t *
ngx_http_judge_traffic_ctx(ngx_http_request_t *r, ngx_int_t asks)
{
    ngx_pool_cleanup_t            *cln;
    ngx_http_judge_traffic_ctx_t  *ctx;

    for (cln = r->main->pool->cleanup; cln; cln = cln->next) {
        ctx = cln->data;
        if (cln->handler == ngx_http_judge_traffic_cleanup
            && (asks == NGX_HTTP_JUDGE_ANY_REFUSED
                ? ctx->guard == NGX_HTTP_JUDGE_GUARD_REFUSED
                : ctx->traffic->asks == asks))
        {
            return ctx;
        }
    }

    return NULL;
}


/* Prepares the search of judge_detect.  The placeholders of a request are also
 * those of its answer. */

static ngx_int_t
ngx_http_judge_traffic_detects(ngx_http_judge_traffic_ctx_t *ctx)
{
    judge_detect_t                *d;
    ngx_http_judge_traffic_t      *t = ctx->traffic;
    ngx_http_judge_traffic_ctx_t  *asked;

    asked = t->asks ? NULL : ngx_http_judge_traffic_ctx(ctx->r, 1);
    d = judge_calloc(ctx->arena, sizeof(judge_detect_t));
    if (d == NULL) {
        return NGX_ERROR;
    }

    d->rules = t->detect->rules;
    d->directions = t->asks ? JUDGE_DETECT_REQUEST : JUDGE_DETECT_ANSWER;
    d->arena = ctx->arena;
    ctx->masks.arena = ctx->arena;
    d->scratch = ngx_http_judge_scratch;
    d->masks = asked && asked->found ? &asked->masks : &ctx->masks;
    d->keep = t->keeps;
    d->restore = !t->asks && t->restore;
    ctx->found = d;

    return NGX_OK;
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
    ctx->arena = judge_arena_create(NGX_HTTP_JUDGE_ARENA);
    ctx->traffic = t;
    ctx->post_action = r->post_action;
    judge_buf_init(&ctx->held, NULL);
    judge_buf_init(&ctx->anew, NULL);
    ctx->resume.handler = ngx_http_judge_traffic_resume;
    ctx->resume.data = ctx;
    ctx->resume.log = r->connection->log;
    ctx->timer.handler = ngx_http_judge_traffic_resume;
    ctx->timer.data = ctx;
    ctx->timer.log = r->connection->log;

    return ctx->arena == NULL
           || (t->detect && ngx_http_judge_traffic_detects(ctx) != NGX_OK)
           ? NULL : ctx;
}
