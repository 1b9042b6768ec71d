/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Replaces nginx's error pages by JSON: the header filter changes length and
 * type, the body filter the page. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_request.h"


/* nginx has replaced its own codes 494 to 497 by 400. */

static struct {
    ngx_uint_t   status;
    const char  *sentence;
} ngx_http_judge_sentences[] = {
    { 400, "the request is malformed, or its headers are too large" },
    { 401, "this needs authentication" },
    { 403, "this is not allowed" },
    { 404, "there is nothing at this path" },
    { 405, "this path does not take that method; Allow names those it takes" },
    { 408, "the request did not come in time" },
    { 411, "Content-Length: it is required here" },
    { 412, "If-Match or If-Unmodified-Since: it does not hold" },
    { 413, "the body is larger than allowed here" },
    { 414, "the address is too long" },
    { 415, "the type of the body is not served" },
    { 416, "Range: it lies outside of the file" },
    { 429, "too many requests; try again later" },
    { 500, "the service failed; try again later" },
    { 501, "this is not served" },
    { 502, "the service behind failed" },
    { 503, "the service is busy; try again later" },
    { 504, "the service behind did not answer" },
    { 505, "this version of HTTP is not served" },
    { 507, "the storage is full" },
    { 0, "the request was refused" },
};

static ngx_str_t  ngx_http_judge_content_type =
    ngx_string("application/json");

static ngx_http_output_header_filter_pt  ngx_http_judge_next_header;
static ngx_http_output_body_filter_pt    ngx_http_judge_next_body;


/* Whether the response is an error page of nginx, not the module's answer. */

static bool
ngx_http_judge_replaces(ngx_http_request_t *r)
{
    ngx_http_judge_ctx_t       *ctx;
    ngx_http_judge_loc_conf_t  *jlcf;

    if (r != r->main || r->headers_out.status < 400) {
        return false;
    }

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);
    jlcf = ngx_http_get_module_loc_conf(r, ngx_http_judge_module);

    return jlcf->errors && (ctx == NULL || !ctx->answered);
}


/* Makes the page, once for each filter, with the same bytes. */

static ngx_int_t
ngx_http_judge_error_page(ngx_http_request_t *r, ngx_str_t *page)
{
    u_char                        *p;
    ngx_str_t                      path;
    ngx_uint_t                     i, status = r->headers_out.status;
    judge_str_t                    text;
    judge_buf_t                    buf;
    judge_arena_t                 *arena;
    judge_json_writer_t            w;
    const ngx_http_judge_pages_t  *pages;

    for (i = 0; ngx_http_judge_sentences[i].status
                && ngx_http_judge_sentences[i].status != status; i++)
    {
        /* void */
    }

    arena = judge_arena_create(1024);
    if (arena == NULL) {
        return NGX_ERROR;
    }

    text = judge_str_c(ngx_http_judge_sentences[i].sentence);
    pages = ngx_http_judge_pages_find(r, &path);
    judge_json_begin_object(&w, &buf, arena);

    if (pages && pages->problem) {
        pages->problem(&w, (int) status, text);
    } else {
        judge_json_put_str(&w, "detail", text);
    }

    text = judge_json_text(&w);
    p = text.data ? ngx_pnalloc(r->pool, text.len) : NULL;
    if (p) {
        page->data = p;
        page->len = text.len;
        ngx_memcpy(p, text.data, text.len);
    }

    judge_arena_destroy(arena);

    return p ? NGX_OK : NGX_ERROR;
}


static ngx_int_t
ngx_http_judge_error_header(ngx_http_request_t *r)
{
    ngx_str_t  body, path;

    if (!ngx_http_judge_replaces(r)) {
        return ngx_http_judge_next_header(r);
    }

    if (ngx_http_judge_error_page(r, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    ngx_http_clear_content_length(r);
    ngx_http_clear_accept_ranges(r);
    ngx_http_clear_last_modified(r);
    ngx_http_clear_etag(r);

    r->headers_out.content_type = ngx_http_judge_content_type;
    r->headers_out.content_type_len = ngx_http_judge_content_type.len;
    r->headers_out.content_type_lowcase = NULL;
    r->headers_out.charset.len = 0;
    r->headers_out.content_length_n = (off_t) body.len;

    if (r->headers_out.status == NGX_HTTP_SERVICE_UNAVAILABLE
        && ngx_http_judge_add_header(r, "Retry-After", JUDGE_STR("1")) == NULL)
    {
        return NGX_ERROR;
    }

    /* nginx refuses TRACE and CONNECT before it looks at the path. */
    if (r->headers_out.status == NGX_HTTP_NOT_ALLOWED
        && ngx_http_judge_add_header(r, "Allow",
               ngx_http_judge_pages_find(r, &path)
               ? JUDGE_STR("GET, HEAD, OPTIONS")
               : JUDGE_STR("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"))
           == NULL)
    {
        return NGX_ERROR;
    }

    return ngx_http_judge_next_header(r);
}


/* nginx may send the page in several chains: the last one is replaced, and the
 * others are dropped. */

static ngx_int_t
ngx_http_judge_error_body(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_buf_t    *b;
    ngx_str_t     body;
    ngx_uint_t    last;
    ngx_chain_t  *cl, out;

    if (in == NULL || !ngx_http_judge_replaces(r)) {
        return ngx_http_judge_next_body(r, in);
    }

    last = 0;
    for (cl = in; cl; cl = cl->next) {
        last |= cl->buf->last_buf;
        cl->buf->pos = cl->buf->last;
        if (cl->buf->in_file) {
            cl->buf->file_pos = cl->buf->file_last;
        }
    }

    if (!last) {
        return NGX_OK;
    }

    b = ngx_calloc_buf(r->pool);
    if (b == NULL || ngx_http_judge_error_page(r, &body) != NGX_OK) {
        return NGX_ERROR;
    }

    b->pos = body.data;
    b->last = body.data + body.len;
    b->memory = 1;
    b->last_buf = 1;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_judge_next_body(r, &out);
}


ngx_int_t
ngx_http_judge_error_init(ngx_conf_t *cf)
{
    ngx_http_judge_next_header = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_judge_error_header;

    ngx_http_judge_next_body = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_judge_error_body;

    return NGX_OK;
}
