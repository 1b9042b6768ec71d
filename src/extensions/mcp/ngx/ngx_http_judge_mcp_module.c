/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_mcp, and the headers that its locations read. */


#include <ngx_config.h>

#include "extensions/mcp/mcp.h"
#include "ngx/ngx_http_judge.h"


static ngx_int_t
ngx_http_judge_mcp(ngx_http_request_t *r, ngx_str_t *path)
{
    judge_mcp_head_t  *head;

    if (!ngx_http_judge_is(path, "/mcp")) {
        return NGX_DECLINED;
    }

    head = ngx_palloc(r->pool, sizeof(judge_mcp_head_t));
    if (head == NULL) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    head->origin = ngx_http_judge_header(&r->headers_in.headers, "origin");
    head->version = ngx_http_judge_header(&r->headers_in.headers,
                                          "mcp-protocol-version");

    return ngx_http_judge_serve(r, judge_mcp_routes, head, NULL);
}


static ngx_http_judge_pages_t  ngx_http_judge_mcp_pages = {
    ngx_string("/mcp"), ngx_http_judge_mcp, NULL, NULL
};

static ngx_command_t  ngx_http_judge_mcp_commands[] = {
    { ngx_string("judge_mcp"),
      ngx_http_judge_pages_switch(ngx_http_judge_mcp_pages) },
    ngx_null_command
};


ngx_module_t  ngx_http_judge_mcp_module =
    ngx_http_judge_extension(ngx_http_judge_mcp_commands);
