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
    ngx_string("/mcp"), ngx_http_judge_mcp, NULL
};

static ngx_command_t  ngx_http_judge_mcp_commands[] = {

    { ngx_string("judge_mcp"),
      NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_http_judge_pages,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      &ngx_http_judge_mcp_pages },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_judge_mcp_module_ctx;


ngx_module_t  ngx_http_judge_mcp_module = {
    NGX_MODULE_V1, .ctx = &ngx_http_judge_mcp_module_ctx,
    .commands = ngx_http_judge_mcp_commands, .type = NGX_HTTP_MODULE
};
