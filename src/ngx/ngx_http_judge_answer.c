/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Sends the answer that a handler has prepared, in one piece or from a file.
 * _answer_begin() and _answer_admit() are for streamed answers, too. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_request.h"


#define NGX_HTTP_JUDGE_LARGE  (64 * 1024)  /* bytes of a large answer */


static ngx_int_t
ngx_http_judge_answer_send(ngx_http_judge_ctx_t *ctx)
{
    bool                 empty;
    off_t                length;
    ngx_int_t            rc;
    ngx_buf_t           *b;
    ngx_chain_t          out;
    judge_answer_t      *answer = &ctx->req.answer;
    ngx_http_request_t  *r = ctx->r;

    empty = answer->status == 204 || answer->status == 304;
    length = empty ? -1 : (off_t) answer->body.len;
    r->disable_not_modified = 1;       /* handlers check conditions */

    if (empty || answer->body.len == 0) {
        r->header_only = 1;
    }

    rc = ngx_http_judge_answer_begin(ctx, length);
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
    b->last_buf = r == r->main;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


void
ngx_http_judge_answer(judge_req_t *req)
{
    ngx_http_judge_ctx_t  *ctx = req->server;

    if (ctx->answered) {               /* a stream failed: close it */
        ctx->r->keepalive = 0;
        ngx_http_judge_answer_end(ctx, NGX_ERROR);

    } else if (req->answer.body.len <= NGX_HTTP_JUDGE_LARGE
               || ngx_http_judge_answer_admit(ctx))
    {
        ngx_http_judge_answer_end(ctx, ngx_http_judge_answer_send(ctx));
    }
}


void
ngx_http_judge_answer_end(ngx_http_judge_ctx_t *ctx, ngx_int_t rc)
{
    bool               phase_ended;
    ngx_connection_t  *c;

    phase_ended = ctx->phase_ended;
    c = ctx->r->connection;

    ngx_http_finalize_request(ctx->r, rc);

    if (phase_ended) {
        ngx_http_run_posted_requests(c);
    }
}


/*
 * Limits the memory of large answers, which are counted from their beginning
 * until their request ends: together they may have max_unread bytes, those of
 * an organization a half, and those of an API key a quarter.  The only large
 * answer is always sent, and so is one whose request may have changed data.
 */

bool
ngx_http_judge_answer_admit(ngx_http_judge_ctx_t *ctx)
{
    size_t                 all, org, key, max, weight;
    const char            *whose;
    ngx_queue_t           *q, *unread;
    ngx_http_judge_ctx_t  *other;

    weight = judge_req_weight(&ctx->req);
    if (weight <= NGX_HTTP_JUDGE_LARGE) {
        return true;
    }

    all = 0;
    org = 0;
    key = 0;
    unread = &ctx->js->unread;

    for (q = ngx_queue_head(unread); q != ngx_queue_sentinel(unread);
         q = ngx_queue_next(q))
    {
        other = ngx_queue_data(q, ngx_http_judge_ctx_t, unread);
        all += other->weight;
        if (judge_str_eq(other->req.org, ctx->req.org)) {
            org += other->weight;
        }
        if (judge_str_eq(other->req.key_id, ctx->req.key_id)) {
            key += other->weight;
        }
    }

    max = ctx->js->service.settings.max_unread;
    whose = key && key + weight > max / 4 ? "API key"
            : org && org + weight > max / 2 ? "organization" : NULL;

    if (ctx->req.method == JUDGE_GET
        && (whose || (all && all + weight > max)))
    {
        judge_fail_unread(&ctx->req, whose);
        return false;
    }

    ctx->weight = weight;
    ngx_queue_insert_tail(unread, &ctx->unread);

    return true;
}


judge_str_t
ngx_http_judge_header(const ngx_list_t *headers, const char *name)
{
    ngx_uint_t              i;
    judge_str_t             value = { 0, NULL };
    ngx_table_elt_t        *h;
    const ngx_list_part_t  *part;

    for (part = &headers->part; part; part = part->next) {
        for (i = 0, h = part->elts; i < part->nelts; i++) {
            if (judge_str_caseeq(ngx_http_judge_str(h[i].key),
                                 judge_str_c(name)))
            {
                value = value.data ? JUDGE_STR("")
                                   : ngx_http_judge_str(h[i].value);
            }
        }
    }

    return value;
}


ngx_table_elt_t *
ngx_http_judge_add_header(ngx_http_request_t *r, const char *name,
    judge_str_t value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&r->headers_out.headers);
    if (h) {
        ngx_memzero(h, sizeof(ngx_table_elt_t));
        h->hash = 1;
        h->key.data = (u_char *) name;
        h->key.len = ngx_strlen(name);
        h->value.data = (u_char *) value.data;
        h->value.len = value.len;
    }

    return h;
}


/* Tells caches to keep nothing of an organization; what has an ETag may be
 * kept by the client, which then asks whether it still holds.  False: out of
 * memory. */

static bool
ngx_http_judge_answer_caching(ngx_http_judge_ctx_t *ctx)
{
    size_t           i;
    judge_str_t      value = JUDGE_STR("no-store");
    judge_answer_t  *answer = &ctx->req.answer;

    if (ctx->req.org.data == NULL) {
        return true;
    }

    for (i = 0; i < answer->nheaders; i++) {
        if (strcmp(answer->headers[i].name, "Cache-Control") == 0) {
            return true;
        }

        if (strcmp(answer->headers[i].name, "ETag") == 0) {
            value = JUDGE_STR("private, no-cache");
        }
    }

    return ngx_http_judge_add_header(ctx->r, "Cache-Control", value) != NULL;
}


ngx_int_t
ngx_http_judge_answer_begin(ngx_http_judge_ctx_t *ctx, off_t length)
{
    size_t               i;
    judge_answer_t      *answer = &ctx->req.answer;
    ngx_http_request_t  *r = ctx->r;

    if (!ctx->body && r->headers_in.expect) {
        r->expect_tested = 1;          /* the client need not send the body */
        r->keepalive = 0;
    }

    if (!ctx->body && ngx_http_discard_request_body(r) != NGX_OK) {
        r->keepalive = 0;
    }

    ctx->answered = 1;
    r->headers_out.status = (ngx_uint_t) answer->status;
    r->headers_out.content_length_n = length;

    if (answer->content_type) {
        r->headers_out.content_type.len = ngx_strlen(answer->content_type);
        r->headers_out.content_type.data = (u_char *) answer->content_type;
        r->headers_out.content_type_len = r->headers_out.content_type.len;
        r->headers_out.content_type_lowcase = NULL;
    }

    for (i = 0; i < answer->nheaders; i++) {
        if (ngx_http_judge_add_header(r, answer->headers[i].name,
                                      answer->headers[i].value)
            == NULL)
        {
            return NGX_HTTP_INTERNAL_SERVER_ERROR;
        }
    }

    return ngx_http_judge_answer_caching(ctx)
           ? ngx_http_send_header(r) : NGX_HTTP_INTERNAL_SERVER_ERROR;
}


/* Answers a request whose body failed, unless its client has disconnected. */

void
ngx_http_judge_answer_body_failed(ngx_http_judge_ctx_t *ctx, ngx_int_t rc)
{
    ngx_http_request_t  *r = ctx->r;

    r->keepalive = 0;
    r->lingering_close = 0;

    /* The write handler must end the request: after a callback of the store,
     * no function of nginx is on the stack that would end it. */
    if (r->connection->error || rc == NGX_HTTP_CLIENT_CLOSED_REQUEST) {
        ngx_post_event(r->connection->write, &ngx_posted_events);
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


/* --- A stored file, of which nginx handles ranges ------------------------ */

static ngx_int_t
ngx_http_judge_answer_file(ngx_http_request_t *r, ngx_open_file_info_t *of,
    ngx_str_t *path)
{
    ngx_buf_t    *b;
    ngx_chain_t   out;

    b = ngx_calloc_buf(r->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->file = ngx_pcalloc(r->pool, sizeof(ngx_file_t));
    if (b->file == NULL) {
        return NGX_ERROR;
    }

    b->file_last = of->size;
    b->in_file = of->size != 0;
    b->last_buf = r == r->main;
    b->last_in_chain = 1;
    b->file->fd = of->fd;
    b->file->name = *path;
    b->file->log = r->connection->log;
    b->file->directio = of->is_directio;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


/* Any other error than that there is no such file may pass. */

static void
ngx_http_judge_answer_unopened(judge_req_t *req, const ngx_str_t *path,
    const ngx_open_file_info_t *of)
{
    ngx_http_judge_ctx_t  *ctx = req->server;

    if (of->err == NGX_ENOENT || of->err == NGX_ENOTDIR) {
        judge_fail(req, 404, "there is no such file");
        return;
    }

    ngx_log_error(NGX_LOG_ERR, ctx->r->connection->log, of->err,
                  "judge: opening \"%V\" failed", path);
    judge_fail_rc(req, JUDGE_ERROR);
}


void
ngx_http_judge_send_file(judge_req_t *req)
{
    ngx_int_t                  rc;
    ngx_str_t                  path;
    ngx_open_file_info_t       of;
    ngx_http_judge_ctx_t      *ctx = req->server;
    ngx_http_request_t        *r = ctx->r;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    path.len = req->file.len;
    path.data = (u_char *) req->file.data;

    ngx_memzero(&of, sizeof(ngx_open_file_info_t));
    of.read_ahead = clcf->read_ahead;
    of.directio = clcf->directio;

    if (ngx_open_cached_file(NULL, &path, &of, r->pool) != NGX_OK) {
        ngx_http_judge_answer_unopened(req, &path, &of);
        return;
    }

    if (!of.is_file) {
        judge_fail(req, 404, "there is no such file");
        return;
    }

    judge_reply_header(req, "Content-Disposition", JUDGE_STR("attachment"));
    judge_reply_header(req, "X-Content-Type-Options", JUDGE_STR("nosniff"));

    req->answer.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = of.size;
    r->headers_out.last_modified_time = of.mtime;
    r->allow_ranges = 1;

    rc = ngx_http_set_etag(r) == NGX_OK
         ? ngx_http_judge_answer_begin(ctx, of.size)
         : NGX_HTTP_INTERNAL_SERVER_ERROR;

    if (rc == NGX_OK && !r->header_only) {
        rc = ngx_http_judge_answer_file(r, &of, &path);
    }

    /* The range was refused: the error filter may replace nginx's page. */
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE && !r->header_sent) {
        ctx->answered = 0;
    }

    ngx_http_judge_answer_end(ctx, rc);
}
