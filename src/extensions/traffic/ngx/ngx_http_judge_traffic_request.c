/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* judge_request: reads and judges the body of a request after access checks
 * and before the location's content handler, in the same phase as nginx's
 * mirror. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


static ngx_int_t
ngx_http_judge_request_status(const ngx_http_judge_traffic_ctx_t *ctx)
{
    return ctx->guard != NGX_HTTP_JUDGE_GUARD_REFUSED ? NGX_DECLINED
           : ctx->found ? NGX_HTTP_FORBIDDEN : NGX_HTTP_JUDGE_UNPROCESSABLE;
}


/* A body that nginx wrote to a file is read in the thread, through a
 * duplicated descriptor, because the client may disconnect.  The last buffer
 * of a chunked body is neither in the file nor in memory. */

static void
ngx_http_judge_request_read(ngx_http_request_t *r)
{
    int                            file = -1;
    judge_str_t                    bytes;
    ngx_chain_t                   *cl;
    judge_exchange_t              *x;
    ngx_http_judge_traffic_ctx_t  *ctx = ngx_http_judge_traffic_ctx(r, 1);

    r->preserve_body = 1;
    r->read_event_handler = ngx_http_test_reading;
    r->write_event_handler = ngx_http_request_empty_handler;

    cl = r->request_body ? r->request_body->bufs : NULL;

    for ( /* void */ ; cl; cl = cl->next) {
        bytes = ngx_http_judge_traffic_bytes(cl->buf);
        if (bytes.len || !cl->buf->in_file) {
            judge_extract_feed(&ctx->body, ngx_http_judge_scratch,
                               bytes.data, bytes.len);

        } else if (cl->buf->file_last > (off_t) ctx->traffic->max) {
            judge_extract_skip(&ctx->body, JUDGE_SKIP_TOO_LARGE);

        } else if (file < 0) {
            file = dup(cl->buf->file->fd);
            if (file < 0) {
                judge_extract_skip(&ctx->body, JUDGE_SKIP_FAILED);
            }
        }
    }

    x = NULL;
    if (ctx->body.skip != JUDGE_SKIP_NONE) {
        ngx_http_judge_traffic_skip(ctx, ctx->body.skip);
    } else if (ctx->found) {
        if (ngx_http_judge_detect_look(ctx, file, 0) == NGX_AGAIN) {
            return;
        }
    } else {
        x = ngx_http_judge_traffic_take(ctx, 1);
    }

    if (x) {
        x->file = file;
    } else if (file >= 0) {
        (void) close(file);
    }

    ngx_http_judge_guard_run(ctx, x);
}


static void
ngx_http_judge_request_go(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_request_t  *r = ctx->r;

    ctx->status = ngx_http_judge_request_status(ctx);
    r->read_event_handler = ngx_http_block_reading;
    r->write_event_handler = ngx_http_core_run_phases;
    ngx_http_core_run_phases(r);
}


/* The verdict is dropped if the request was redirected while its body was read
 * or judged, because reading failed or the client left. */

static ngx_int_t
ngx_http_judge_request_again(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_int_t  rc = ctx->status;

    if (rc == NGX_DONE) {
        ngx_http_judge_traffic_leave(ctx);
        rc = NGX_DECLINED;
    }

    ctx->status = NGX_DECLINED;

    if (rc >= NGX_HTTP_BAD_REQUEST) {
        ngx_http_set_ctx(ctx->r, ctx, ngx_http_judge_traffic_module);
    }

    return rc;
}


/* Judges a request once, and not again after an internal redirect. */

ngx_int_t
ngx_http_judge_request_handler(ngx_http_request_t *r)
{
    ngx_int_t                       rc;
    judge_skip_e                    skip;
    ngx_http_judge_traffic_t       *t;
    ngx_http_judge_traffic_ctx_t   *ctx;
    ngx_http_judge_traffic_conf_t  *conf;

    static const char *const  ranges[] = { "range", "if-range", NULL };

    conf = ngx_http_get_module_loc_conf(r, ngx_http_judge_traffic_module);

    /* A part of a response can't be judged: the upstream has to send all. */
    if (conf->answers && conf->answers->guard && r == r->main) {
        ngx_http_judge_anew_hide(r, ranges);
        r->headers_in.range = NULL;
        r->headers_in.if_range = NULL;
    }

    t = conf->requests;
    if (t == NULL || r != r->main) {
        return NGX_DECLINED;
    }

    ctx = ngx_http_judge_traffic_ctx(r, 1);
    if (ctx) {
        return ngx_http_judge_request_again(ctx);
    }

    ctx = ngx_http_judge_traffic_begin(r, t);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    ctx->go = ngx_http_judge_request_go;
    ctx->status = NGX_DECLINED;
    skip = ngx_http_judge_traffic_admit(r, ctx);

    if (skip != JUDGE_SKIP_NONE) {
        ngx_http_judge_traffic_skip(ctx, skip);
        if (!ngx_http_judge_guard_blocks(ctx, skip)) {
            return NGX_DECLINED;
        }
        ngx_http_set_ctx(r, ctx, ngx_http_judge_traffic_module);
        return ngx_http_judge_request_status(ctx);
    }

    ctx->collecting = 1;
    ctx->status = NGX_DONE;
    rc = ngx_http_read_client_request_body(r, ngx_http_judge_request_read);
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE) {
        return rc;
    }

    ngx_http_finalize_request(r, NGX_DONE);

    return NGX_DONE;
}
