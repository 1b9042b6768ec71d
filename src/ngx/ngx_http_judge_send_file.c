/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Answers with a stored file; nginx handles ranges. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_answer.h"
#include "ngx/ngx_http_judge_file.h"


static ngx_int_t ngx_http_judge_open_file(ngx_http_judge_ctx_t *ctx,
    ngx_open_file_info_t *of, ngx_str_t *path);
static ngx_int_t ngx_http_judge_file_header(ngx_http_judge_ctx_t *ctx,
    ngx_open_file_info_t *of);
static ngx_int_t ngx_http_judge_file_body(ngx_http_judge_ctx_t *ctx,
    ngx_open_file_info_t *of, ngx_str_t *path);


void
ngx_http_judge_send_file(judge_req_t *req)
{
    ngx_int_t              rc;
    ngx_str_t              path;
    ngx_connection_t      *c;
    ngx_open_file_info_t   of;
    ngx_http_judge_ctx_t  *ctx = req->server;

    c = ctx->r->connection;
    path.len = req->file.len;
    path.data = (u_char *) req->file.data;

    if (ngx_http_judge_open_file(ctx, &of, &path) != NGX_OK) {
        judge_fail(req, 404, "there is no such file");
        return;
    }

    if (ngx_http_discard_request_body(ctx->r) != NGX_OK) {
        ctx->r->keepalive = 0;
    }

    ctx->answered = 1;
    rc = ngx_http_judge_file_header(ctx, &of);
    if (rc == NGX_OK && !ctx->r->header_only) {
        rc = ngx_http_judge_file_body(ctx, &of, &path);
    }

    /* An unsatisfiable range: the error filter replaces nginx's page. */
    if (rc >= NGX_HTTP_SPECIAL_RESPONSE && !ctx->r->header_sent) {
        ctx->answered = 0;
    }

    ngx_http_finalize_request(ctx->r, rc);
    ngx_http_run_posted_requests(c);
}


static ngx_int_t
ngx_http_judge_open_file(ngx_http_judge_ctx_t *ctx, ngx_open_file_info_t *of,
    ngx_str_t *path)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(ctx->r, ngx_http_core_module);

    ngx_memzero(of, sizeof(ngx_open_file_info_t));
    of->read_ahead = clcf->read_ahead;
    of->directio = clcf->directio;

    if (ngx_open_cached_file(NULL, path, of, ctx->r->pool) != NGX_OK
        || !of->is_file)
    {
        return NGX_ERROR;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_file_header(ngx_http_judge_ctx_t *ctx,
    ngx_open_file_info_t *of)
{
    ngx_http_request_t  *r = ctx->r;

    judge_reply_header(&ctx->req, "Content-Disposition",
                       JUDGE_STR("attachment"));
    judge_reply_header(&ctx->req, "X-Content-Type-Options",
                       JUDGE_STR("nosniff"));

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = of->size;
    r->headers_out.last_modified_time = of->mtime;
    r->allow_ranges = 1;

    if (ngx_http_judge_answer_headers(ctx) != NGX_OK
        || ngx_http_set_etag(r) != NGX_OK)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return ngx_http_send_header(r);
}


static ngx_int_t
ngx_http_judge_file_body(ngx_http_judge_ctx_t *ctx, ngx_open_file_info_t *of,
    ngx_str_t *path)
{
    ngx_buf_t    *b;
    ngx_chain_t   out;

    b = ngx_calloc_buf(ctx->r->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->file = ngx_pcalloc(ctx->r->pool, sizeof(ngx_file_t));
    if (b->file == NULL) {
        return NGX_ERROR;
    }

    b->file_last = of->size;
    b->in_file = of->size != 0;
    b->last_buf = 1;
    b->last_in_chain = 1;
    b->file->fd = of->fd;
    b->file->name = *path;
    b->file->log = ctx->r->connection->log;
    b->file->directio = of->is_directio;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(ctx->r, &out);
}
