/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The state of a request that is judged, or whose response is. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_SCRATCH  8192


static judge_arena_t  *ngx_http_judge_scratch;   /* one for each worker */


judge_arena_t *
ngx_http_judge_traffic_scratch(void)
{
    return ngx_http_judge_scratch;
}


void
ngx_http_judge_traffic_reason(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    ctx->skip = skip;
    ctx->reason.data = (u_char *) judge_skip_name(skip);
    ctx->reason.len = ngx_strlen(ctx->reason.data);
}


void
ngx_http_judge_traffic_drop(ngx_http_judge_traffic_ctx_t *ctx)
{
    ctx->collecting = 0;
    judge_extract_free(&ctx->body);
    if (!ctx->traffic->guard) {
        ngx_http_judge_held_free(ctx);
    }
    ngx_http_judge_held_account(ctx);
}


void
ngx_http_judge_traffic_skip(ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    ngx_http_judge_traffic_reason(ctx, skip);
    ngx_http_judge_traffic_drop(ctx);

    if (ctx->traffic->service && ctx->traffic->service->open) {
        judge_exchange_skipped(&ctx->traffic->service->service, skip);
    }
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


/* Called when the request ends: a text that is still incomplete is skipped. */

static void
ngx_http_judge_traffic_cleanup(void *data)
{
    ngx_http_judge_traffic_ctx_t  *ctx = data;

    if (ctx->collecting) {
        ngx_http_judge_traffic_skip(ctx, JUDGE_SKIP_CUT_OFF);
    }

    ngx_http_judge_traffic_leave(ctx);
    ctx->collecting = 0;
    judge_detect_stream_free(ctx->stream);
    ctx->stream = NULL;
    judge_buf_free(&ctx->anew);
    ngx_http_judge_held_free(ctx);
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
    ctx->after = r->post_action;
    ctx->last = &ctx->out;
    judge_buf_init(&ctx->anew, NULL);
    ctx->resume.data = ctx;
    ctx->resume.log = r->connection->log;
    ctx->timer.data = ctx;
    ctx->timer.log = r->connection->log;

    return ctx;
}


ngx_uint_t
ngx_http_judge_traffic_left(const ngx_http_judge_traffic_ctx_t *ctx)
{
    return ctx->r->post_action != ctx->after;
}


/* An internal redirect clears the contexts of modules, so the state is found
 * by its cleanup handler. */

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


ngx_http_judge_traffic_t *
ngx_http_judge_traffic_of(const ngx_http_judge_traffic_conf_t *conf,
    ngx_flag_t asks)
{
    ngx_http_judge_detect_t  *d = conf->detect;

    return d == NULL ? (asks ? conf->request : conf->traffic)
           : asks ? (d->directions & JUDGE_DETECT_REQUEST ? &d->request : NULL)
           : d->directions & JUDGE_DETECT_ANSWER ? d->answer : NULL;
}
