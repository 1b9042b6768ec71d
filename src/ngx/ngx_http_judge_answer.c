/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sends what the handlers have prepared, in one piece; answers in pieces and
 * from files share its headers and its limit.
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_answer.h"


#define NGX_HTTP_JUDGE_LARGE  (64 * 1024)  /* bytes of an answer */


static ngx_int_t ngx_http_judge_answer_send(ngx_http_judge_ctx_t *ctx);


void
ngx_http_judge_answer(judge_req_t *req)
{
    bool                   later;
    ngx_int_t              rc;
    ngx_connection_t      *c;
    ngx_http_request_t    *r;
    ngx_http_judge_ctx_t  *ctx = req->server;

    r = ctx->r;
    c = r->connection;
    later = ctx->later;

    if (ctx->answered) {               /* a stream that can't go on */
        r->keepalive = 0;
        ngx_http_finalize_request(r, NGX_ERROR);
        if (later) {
            ngx_http_run_posted_requests(c);
        }
        return;
    }

    if (req->answer.body.len > NGX_HTTP_JUDGE_LARGE
        && !ngx_http_judge_answer_admit(ctx))
    {
        return;
    }

    if (!ctx->body) {
        rc = ngx_http_discard_request_body(r);
        if (rc != NGX_OK) {
            r->keepalive = 0;
        }
    }

    rc = ngx_http_judge_answer_send(ctx);
    ngx_http_finalize_request(r, rc);

    if (later) {
        ngx_http_run_posted_requests(c);
    }
}


/*
 * Large answers count from their beginning until their request is over: unread
 * ones take at most max_unread, those of one organization at most half of it.
 * A single one is sent whatever its size, and so is the answer to a request
 * that may have changed something.
 */

bool
ngx_http_judge_answer_admit(ngx_http_judge_ctx_t *ctx)
{
    bool                   over;
    size_t                 all, own, max, weight;
    ngx_queue_t           *q, *unread;
    ngx_http_judge_ctx_t  *other;

    weight = judge_req_weight(&ctx->req);
    if (weight <= NGX_HTTP_JUDGE_LARGE) {
        return true;
    }

    all = 0;
    own = 0;
    unread = &ctx->js->unread;

    for (q = ngx_queue_head(unread); q != ngx_queue_sentinel(unread);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_judge_ctx_t, unread);
        all += other->weight;
        if (judge_str_eq(other->req.org, ctx->req.org)) {
            own += other->weight;
        }
    }

    max = ctx->js->service.settings.max_unread;
    over = own && own + weight > max / 2;

    if (ctx->req.method == JUDGE_GET
        && (over || (all && all + weight > max)))
    {
        judge_fail_unread(&ctx->req, over);
        return false;
    }

    ctx->weight = weight;
    ngx_queue_insert_tail(unread, &ctx->unread);

    return true;
}


static ngx_int_t
ngx_http_judge_answer_send(ngx_http_judge_ctx_t *ctx)
{
    ngx_int_t            rc;
    ngx_buf_t           *b;
    ngx_chain_t          out;
    judge_answer_t      *answer;
    ngx_http_request_t  *r = ctx->r;

    answer = &ctx->req.answer;
    ctx->answered = 1;

    r->headers_out.status = (ngx_uint_t) answer->status;
    r->headers_out.content_length_n = (off_t) answer->body.len;
    r->disable_not_modified = 1;       /* conditions are the handlers' */

    if (ngx_http_judge_answer_headers(ctx) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (answer->status == 204 || answer->status == 304
        || answer->body.len == 0)
    {
        if (answer->status == 204 || answer->status == 304) {
            ngx_http_clear_content_length(r);
        }
        r->header_only = 1;
    }

    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    b = ngx_calloc_buf(r->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->pos = (u_char *) answer->body.data;
    b->last = b->pos + answer->body.len;
    b->memory = 1;
    b->last_buf = 1;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


ngx_int_t
ngx_http_judge_answer_headers(ngx_http_judge_ctx_t *ctx)
{
    size_t               i;
    judge_answer_t      *answer;
    ngx_table_elt_t     *h;
    ngx_http_request_t  *r = ctx->r;

    answer = &ctx->req.answer;

    if (answer->content_type) {
        r->headers_out.content_type.len = ngx_strlen(answer->content_type);
        r->headers_out.content_type.data = (u_char *) answer->content_type;
        r->headers_out.content_type_len = r->headers_out.content_type.len;
        r->headers_out.content_type_lowcase = NULL;
    }

    for (i = 0; i < answer->nheaders; i++) {
        h = ngx_list_push(&r->headers_out.headers);
        if (h == NULL) {
            return NGX_ERROR;
        }

        h->hash = 1;
        h->key.len = ngx_strlen(answer->headers[i].name);
        h->key.data = (u_char *) answer->headers[i].name;
        h->value.len = answer->headers[i].value.len;
        h->value.data = (u_char *) answer->headers[i].value.data;
    }

    return NGX_OK;
}


/* A client that has disconnected gets no answer. */

void
ngx_http_judge_answer_body_failed(ngx_http_judge_ctx_t *ctx, ngx_int_t rc)
{
    ngx_http_request_t  *r = ctx->r;

    r->keepalive = 0;
    r->lingering_close = 0;

    if (r->connection->error || rc == NGX_HTTP_CLIENT_CLOSED_REQUEST) {
        ngx_http_finalize_request(r, NGX_HTTP_CLIENT_CLOSED_REQUEST);
        return;
    }

    switch (rc) {
    case NGX_HTTP_REQUEST_TIME_OUT:
        judge_fail(&ctx->req, 408, "the body did not come in time");
        return;

    case NGX_HTTP_REQUEST_ENTITY_TOO_LARGE:
        judge_fail(&ctx->req, 413, "the body is larger than allowed here");
        return;

    case NGX_HTTP_BAD_REQUEST:
        judge_fail(&ctx->req, 400, "body: it ended before it was complete,"
                                   " or its chunks are malformed");
        return;

    default:
        judge_fail_rc(&ctx->req, JUDGE_ERROR);
        return;
    }
}


bool
ngx_http_judge_answer_started(ngx_http_request_t *r)
{
    ngx_http_judge_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);

    return ctx && ctx->answered;
}
