/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The pages are part of the module and sent as they are stored, compressed by
 * gzip, which every browser accepts, whatever the request accepts.  They only
 * call the interface of the service, with the API key of the user. */


#include <ngx_config.h>

#include "ngx/ngx_http_judge.h"
#include "extensions/console/console.h"


#define NGX_HTTP_JUDGE_CONSOLE  "/console"


/* The headers allow only the service's own files and addresses, and no inline
 * scripts or styles. */

static const struct {
    const char  *name;
    const char  *value;
} ngx_http_judge_console_fixed[] = {
    { "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self';"
      " img-src 'self' blob:; connect-src 'self'; base-uri 'none';"
      " form-action 'none'; frame-ancestors 'none'" },
    { "X-Content-Type-Options", "nosniff" },
    { "Referrer-Policy", "no-referrer" },
    { "Cross-Origin-Opener-Policy", "same-origin" },
    { "Cache-Control", "no-cache" },
    { NULL, NULL }
};


/* The redirect is relative, so that it is right for any proxy in front. */

static ngx_int_t
ngx_http_judge_console_redirect(ngx_http_request_t *r, const char *where)
{
    r->headers_out.location = ngx_http_judge_add_header(r, "Location",
                                                        judge_str_c(where));
    if (r->headers_out.location == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    return NGX_HTTP_MOVED_PERMANENTLY;
}


static ngx_int_t
ngx_http_judge_console_headers(ngx_http_request_t *r)
{
    ngx_uint_t   i;
    const char  *name;

    for (i = 0; ngx_http_judge_console_fixed[i].name; i++) {
        name = ngx_http_judge_console_fixed[i].name;

        if (ngx_http_judge_add_header(r, name,
                          judge_str_c(ngx_http_judge_console_fixed[i].value))
            == NULL)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_console_send(ngx_http_request_t *r,
    const judge_console_file_t *file)
{
    ngx_int_t     rc;
    ngx_buf_t    *b;
    ngx_chain_t   out;

    rc = ngx_http_discard_request_body(r);
    if (rc != NGX_OK) {
        return rc;
    }

    b = ngx_calloc_buf(r->pool);
    if (b == NULL || ngx_http_judge_console_headers(r) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.etag = ngx_http_judge_add_header(r, "ETag", file->etag);
    r->headers_out.content_encoding =
        ngx_http_judge_add_header(r, "Content-Encoding", JUDGE_STR("gzip"));

    if (r->headers_out.etag == NULL || r->headers_out.content_encoding == NULL)
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_length_n = file->bytes.len;
    r->headers_out.content_type.data = (u_char *) file->type.data;
    r->headers_out.content_type.len = file->type.len;
    r->headers_out.content_type_len = file->type.len;

    rc = ngx_http_send_header(r);
    if (rc == NGX_ERROR || rc > NGX_OK || r->header_only) {
        return rc;
    }

    b->pos = (u_char *) file->bytes.data;
    b->last = b->pos + file->bytes.len;
    b->memory = 1;
    b->last_buf = (r == r->main) ? 1 : 0;
    b->last_in_chain = 1;

    out.buf = b;
    out.next = NULL;

    return ngx_http_output_filter(r, &out);
}


static ngx_int_t
ngx_http_judge_console(ngx_http_request_t *r, ngx_str_t *path)
{
    size_t                       len;
    ngx_str_t                    name;
    const judge_console_file_t  *file;

    len = sizeof(NGX_HTTP_JUDGE_CONSOLE) - 1;

    if (path->len > len && path->data[len] != '/') {
        return NGX_DECLINED;
    }

    if (r->method == NGX_HTTP_OPTIONS) {
        return ngx_http_judge_add_header(r, "Allow",
                                         JUDGE_STR("GET, HEAD, OPTIONS"))
               ? NGX_HTTP_NO_CONTENT : NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    if (!(r->method & (NGX_HTTP_GET|NGX_HTTP_HEAD))) {
        return NGX_HTTP_NOT_ALLOWED;
    }

    if (path->len == len) {
        return ngx_http_judge_console_redirect(r, "console/");
    }

    name.data = path->data + len + 1;
    name.len = path->len - len - 1;

    if (name.len == 0) {
        ngx_str_set(&name, "index.html");

    } else if (name.len == 9 && ngx_strncmp(name.data, "reference", 9) == 0) {
        return ngx_http_judge_console_redirect(r, "reference/");

    } else if (name.len == 10 && ngx_strncmp(name.data, "reference/", 10) == 0)
    {
        ngx_str_set(&name, "reference/index.html");
    }

    for (file = judge_console_files; file->name.len; file++) {
        if (file->name.len == name.len
            && ngx_memcmp(file->name.data, name.data, name.len) == 0)
        {
            return ngx_http_judge_console_send(r, file);
        }
    }

    return NGX_HTTP_NOT_FOUND;
}


static ngx_http_judge_pages_t  ngx_http_judge_console_pages = {
    ngx_string(NGX_HTTP_JUDGE_CONSOLE), ngx_http_judge_console, NULL, NULL
};

static ngx_command_t  ngx_http_judge_console_commands[] = {
    { ngx_string("judge_console"),
      ngx_http_judge_pages_switch(ngx_http_judge_console_pages) },
    ngx_null_command
};


ngx_module_t  ngx_http_judge_console_module =
    ngx_http_judge_extension(ngx_http_judge_console_commands);
