/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Holds back bytes of an answer from the client, on the heap, and sends them.
 * What is sent is freed as soon as nginx has no use for it any more.
 */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


ngx_http_output_header_filter_pt  ngx_http_judge_next_header;
ngx_http_output_body_filter_pt    ngx_http_judge_next_body;


void
ngx_http_judge_held_account(ngx_http_judge_traffic_ctx_t *ctx)
{
    size_t  size;

    size = (ctx->collecting ? judge_extract_size(&ctx->body) : 0)
           + ctx->held.len + ctx->sending + ctx->anew.capacity;
    size += ctx->stream ? judge_detect_stream_size(ctx->stream) : 0;
    ctx->traffic->used += size;
    ctx->traffic->used -= ctx->used;
    ctx->used = size;
}


/* All that a body may need is allocated at once, as far as there is memory for
 * it.  Only the pages that it fills take memory, whereas a buffer that grows
 * leaves holes behind. */

ngx_int_t
ngx_http_judge_held_begin(ngx_http_judge_traffic_ctx_t *ctx)
{
    off_t                      length = ctx->r->headers_out.content_length_n;
    size_t                     size;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    size = ngx_min(length < 0 ? t->max : (size_t) length,
                   t->memory - t->used);

    return ctx->body.kind == JUDGE_EXTRACT_EVENTS
           || judge_buf_room(&ctx->held, size) ? NGX_OK : NGX_ERROR;
}


ngx_int_t
ngx_http_judge_held_add(ngx_http_judge_traffic_ctx_t *ctx,
    judge_str_t bytes)
{
    judge_buf_str(&ctx->held, bytes);
    ngx_http_judge_held_account(ctx);

    return ctx->held.failed ? NGX_ERROR : NGX_OK;
}


void
ngx_http_judge_held_drop(ngx_http_judge_traffic_ctx_t *ctx)
{
    judge_buf_free(&ctx->held);
    ngx_http_judge_held_account(ctx);
}


ngx_int_t
ngx_http_judge_held_replace(ngx_http_judge_traffic_ctx_t *ctx,
    judge_str_t body)
{
    ngx_http_request_t  *r = ctx->r;

    ngx_http_judge_held_drop(ctx);
    ngx_http_clear_etag(r);
    ngx_http_clear_last_modified(r);

    if (r->headers_out.content_encoding) {
        r->headers_out.content_encoding->hash = 0;
        r->headers_out.content_encoding = NULL;
    }

    ngx_http_clear_content_length(r);
    r->headers_out.content_length_n = (off_t) body.len;

    return ngx_http_judge_held_add(ctx, body);
}


/* Frees what these buffers had, as far as it is not freed yet. */

static void
ngx_http_judge_held_empty(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *cl)
{
    for ( /* void */ ; cl && cl->buf->start; cl = cl->next) {
        ctx->sending -= (size_t) (cl->buf->end - cl->buf->start);
        ngx_free(cl->buf->start);
        cl->buf->start = NULL;
    }
}


void
ngx_http_judge_held_free(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_judge_held_empty(ctx, ctx->busy);
    ctx->busy = NULL;
    ngx_http_judge_held_drop(ctx);
}


/* nginx adds buffers that it has sent to the front of the free ones. */

void
ngx_http_judge_held_sent(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *out)
{
    ngx_chain_update_chains(ctx->r->pool, &ctx->free, &ctx->busy, &out,
                        (ngx_buf_tag_t) &ngx_http_judge_traffic_module);
    ngx_http_judge_held_empty(ctx, ctx->free);
    ngx_http_judge_held_account(ctx);
}


/* Moves the first n bytes to a buffer; all of them are not copied. */

static ngx_int_t
ngx_http_judge_held_cut(ngx_http_judge_traffic_ctx_t *ctx, ngx_buf_t *b,
    size_t n)
{
    judge_buf_t  *held = &ctx->held;

    if (n == held->len) {
        b->start = (u_char *) held->data;
        judge_buf_init(held, NULL);

    } else {
        b->start = ngx_alloc(n, ctx->r->connection->log);
        if (b->start == NULL) {
            return NGX_ERROR;
        }
        ngx_memcpy(b->start, held->data, n);
        held->len -= n;
        ngx_memmove(held->data, held->data + n, held->len);
    }

    b->pos = b->start;
    b->last = b->start + n;
    b->end = b->last;
    b->temporary = 1;
    ctx->sending += n;

    return NGX_OK;
}


ngx_int_t
ngx_http_judge_held_pass(ngx_http_request_t *r, ngx_chain_t *out)
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


ngx_int_t
ngx_http_judge_held_release(ngx_http_judge_traffic_ctx_t *ctx, size_t n,
    ngx_uint_t end)
{
    ngx_int_t     rc;
    ngx_buf_t    *b;
    ngx_chain_t  *out = NULL;

    if (n == 0 && !end && ctx->live) {
        return NGX_OK;
    }

    if (n || end) {
        out = ngx_chain_get_free_buf(ctx->r->pool, &ctx->free);
        if (out == NULL) {
            return NGX_ERROR;
        }

        b = out->buf;
        ngx_memzero(b, sizeof(ngx_buf_t));
        b->tag = (ngx_buf_tag_t) &ngx_http_judge_traffic_module;
        b->flush = !end;
        b->last_buf = end != 0;
        b->last_in_chain = end != 0;
        if (n && ngx_http_judge_held_cut(ctx, b, n) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    rc = ngx_http_judge_held_pass(ctx->r, out);
    ngx_http_judge_held_sent(ctx, out);

    return rc;
}
