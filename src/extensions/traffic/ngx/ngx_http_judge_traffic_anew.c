/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Replaces the body of a request, and the headers that describe it. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


/* nginx can't remove a header from its list; it is renamed to one that is not
 * passed on. */

void
ngx_http_judge_anew_hide(ngx_http_request_t *r, const char *const *names)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *h;

    for (part = &r->headers_in.headers.part; part; part = part->next) {
        for (i = 0, h = part->elts; i < part->nelts; i++) {
            if (judge_str_caseamong(ngx_http_judge_str(h[i].key), names)) {
                ngx_str_set(&h[i].key, "Keep-Alive");
                ngx_str_set(&h[i].value, "");
                h[i].lowcase_key = (u_char *) "keep-alive";
                h[i].hash = ngx_hash_key(h[i].lowcase_key, h[i].key.len);
            }
        }
    }
}


/* Servers behind nginx are told the length by one or the other. */

static ngx_int_t
ngx_http_judge_anew_length(ngx_http_request_t *r, size_t len)
{
    u_char           *p;
    ngx_table_elt_t  *h;

    p = ngx_pnalloc(r->pool, NGX_SIZE_T_LEN);
    h = ngx_list_push(&r->headers_in.headers);
    if (h == NULL || p == NULL) {
        return NGX_ERROR;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));
    ngx_str_set(&h->key, "Content-Length");
    h->lowcase_key = (u_char *) "content-length";
    h->hash = ngx_hash_key(h->lowcase_key, h->key.len);
    h->value.data = p;
    h->value.len = (size_t) (ngx_sprintf(p, "%uz", len) - p);
    r->headers_in.content_length = h;
    r->headers_in.content_length_n = (off_t) len;
    r->headers_in.chunked = 0;

    return NGX_OK;
}


/* A zero byte follows the value, as everywhere in nginx's headers. */

static ngx_int_t
ngx_http_judge_anew_type(ngx_http_judge_traffic_ctx_t *ctx,
    const judge_extract_t *e)
{
    judge_buf_t       buf;
    ngx_table_elt_t  *h = ctx->r->headers_in.content_type;

    judge_buf_init(&buf, ctx->arena);
    judge_extract_anew_type(&buf, ngx_http_judge_str(h->value), e->kind,
                            e->boundary);
    judge_buf_append(&buf, "", 1);
    if (buf.failed) {
        return NGX_ERROR;
    }

    h->value.data = (u_char *) buf.data;
    h->value.len = buf.len - 1;

    return NGX_OK;
}


ngx_int_t
ngx_http_judge_anew(ngx_http_judge_traffic_ctx_t *ctx,
    const judge_extract_t *e, judge_str_t body)
{
    ngx_buf_t           *b;
    ngx_chain_t         *cl;
    ngx_http_request_t  *r = ctx->r;

    static const char *const  names[] = { "content-encoding", "content-length",
                                          "transfer-encoding", NULL };

    b = body.data ? ngx_create_temp_buf(r->pool, body.len + 1) : NULL;
    cl = ngx_alloc_chain_link(r->pool);
    if (b == NULL || cl == NULL
        || (e->rewrite && ngx_http_judge_anew_type(ctx, e) != NGX_OK))
    {
        return NGX_ERROR;
    }

    b->last = ngx_cpymem(b->pos, body.data, body.len);
    b->last_buf = 1;
    cl->buf = b;
    cl->next = NULL;
    r->request_body->bufs = body.len ? cl : NULL;      /* no empty buffers */
    r->request_body->temp_file = NULL;
    ngx_http_judge_anew_hide(r, names);
    r->headers_in.transfer_encoding = NULL;

    return ngx_http_judge_anew_length(r, body.len);
}
