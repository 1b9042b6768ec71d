/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Holds back bytes of an answer from the client, in pieces on the heap, and
 * sends them.
 */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


#define NGX_HTTP_JUDGE_PIECE  4064         /* bytes; 4 KB with `next` */

struct ngx_http_judge_piece_s {
    ngx_http_judge_piece_t  *next;
    u_char                   data[NGX_HTTP_JUDGE_PIECE];
};


ngx_http_output_header_filter_pt  ngx_http_judge_next_header;
ngx_http_output_body_filter_pt    ngx_http_judge_next_body;


void
ngx_http_judge_held_account(ngx_http_judge_traffic_ctx_t *ctx)
{
    size_t  size;

    size = (ctx->collecting ? judge_extract_size(&ctx->body) : 0) + ctx->room
           + ctx->anew.capacity;
    size += ctx->stream ? judge_detect_stream_size(ctx->stream) : 0;
    ctx->traffic->used += size;
    ctx->traffic->used -= ctx->used;
    ctx->used = size;
}


static ngx_chain_t *
ngx_http_judge_held_piece(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_buf_t               *b;
    ngx_chain_t             *cl;
    ngx_http_judge_piece_t  *piece;

    cl = ngx_chain_get_free_buf(ctx->r->pool, &ctx->free);
    if (cl == NULL) {
        return NULL;
    }

    b = cl->buf;
    if (b->start == NULL) {
        piece = ngx_alloc(sizeof(ngx_http_judge_piece_t),
                          ctx->r->connection->log);
        if (piece == NULL) {
            return NULL;
        }

        piece->next = ctx->pieces;
        ctx->pieces = piece;
        b->start = piece->data;
        b->pos = b->start;
        b->last = b->start;
        b->end = b->start + NGX_HTTP_JUDGE_PIECE;
        ctx->room += sizeof(ngx_http_judge_piece_t) + sizeof(ngx_buf_t)
                     + sizeof(ngx_chain_t);
        ngx_http_judge_held_account(ctx);
        b->temporary = 1;
        b->tag = (ngx_buf_tag_t) &ngx_http_judge_traffic_module;
    }

    b->flush = 0;
    cl->next = NULL;

    return cl;
}


ngx_int_t
ngx_http_judge_held_add(ngx_http_judge_traffic_ctx_t *ctx,
    judge_str_t bytes)
{
    size_t        n;
    ngx_chain_t  *cl;

    while (bytes.len) {
        if (ctx->tail == NULL || ctx->tail->last == ctx->tail->end) {
            cl = ngx_http_judge_held_piece(ctx);
            if (cl == NULL) {
                return NGX_ERROR;
            }

            ctx->tail = cl->buf;
            *ctx->last = cl;
            ctx->last = &cl->next;
        }

        n = ngx_min(bytes.len, (size_t) (ctx->tail->end - ctx->tail->last));
        ctx->tail->last = ngx_cpymem(ctx->tail->last, bytes.data, n);
        ctx->size += n;
        bytes = judge_str_from(bytes, n);
    }

    return NGX_OK;
}


void
ngx_http_judge_held_drop(ngx_http_judge_traffic_ctx_t *ctx)
{
    ctx->out = NULL;
    ctx->last = &ctx->out;
    ctx->tail = NULL;
    ctx->size = 0;
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


void
ngx_http_judge_held_free(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_judge_piece_t  *piece;

    ngx_http_judge_held_drop(ctx);

    while ((piece = ctx->pieces)) {
        ctx->pieces = piece->next;
        ngx_free(piece);
    }

    ctx->room = 0;
    ngx_http_judge_held_account(ctx);
}


/* Removes the first piece; if only a part of it is sent, copies the part. */

static ngx_chain_t *
ngx_http_judge_held_cut(ngx_http_judge_traffic_ctx_t *ctx, size_t *n)
{
    size_t        size;
    ngx_buf_t    *b;
    ngx_chain_t  *cl = ctx->out;

    b = cl->buf;
    size = (size_t) (b->last - b->pos);

    if (size > *n) {
        cl = ngx_http_judge_held_piece(ctx);
        if (cl) {
            cl->buf->last = ngx_cpymem(cl->buf->last, b->pos, *n);
            b->pos += *n;
            *n = 0;
        }
        return cl;
    }

    *n -= size;
    ctx->out = cl->next;
    if (ctx->out == NULL) {
        ctx->last = &ctx->out;
        ctx->tail = NULL;
    }

    return cl;
}


/* Moves pieces that nginx has sent to the list of free ones. */

void
ngx_http_judge_held_sent(ngx_http_judge_traffic_ctx_t *ctx, ngx_chain_t *out)
{
    ngx_chain_update_chains(ctx->r->pool, &ctx->free, &ctx->busy, &out,
                        (ngx_buf_tag_t) &ngx_http_judge_traffic_module);
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


/* Sends the first n bytes; with `end` they are the last ones. */

ngx_int_t
ngx_http_judge_held_release(ngx_http_judge_traffic_ctx_t *ctx, size_t n,
    ngx_uint_t end)
{
    ngx_int_t     rc;
    ngx_buf_t    *b;
    ngx_chain_t  *cl, *out, **last;

    if (n == 0 && !end && ctx->live) {
        return NGX_OK;
    }

    ctx->size -= n;
    out = NULL;
    last = &out;

    while (n) {
        cl = ngx_http_judge_held_cut(ctx, &n);
        if (cl == NULL) {
            return NGX_ERROR;
        }

        cl->buf->flush = n == 0 && !end;
        cl->next = NULL;
        *last = cl;
        last = &cl->next;
    }

    if (end) {
        cl = ngx_alloc_chain_link(ctx->r->pool);
        b = ngx_calloc_buf(ctx->r->pool);
        if (cl == NULL || b == NULL) {
            return NGX_ERROR;
        }

        b->last_buf = 1;
        b->last_in_chain = 1;
        cl->buf = b;
        cl->next = NULL;
        *last = cl;
    }

    rc = ngx_http_judge_held_pass(ctx->r, out);
    ngx_http_judge_held_sent(ctx, out);

    return rc;
}
