/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_openai. */


#include <ngx_config.h>

#include "extensions/openai/openai.h"
#include "ngx/ngx_http_judge.h"


static ngx_int_t
ngx_http_judge_openai(ngx_http_request_t *r, ngx_str_t *path)
{
    return ngx_http_judge_serve(r, judge_openai_routes, NULL,
                                judge_openai_error);
}


static ngx_http_judge_pages_t  ngx_http_judge_openai_pages = {
    ngx_string("/openai/"), ngx_http_judge_openai, judge_openai_error
};

static ngx_command_t  ngx_http_judge_openai_commands[] = {

    { ngx_string("judge_openai"),
      NGX_HTTP_LOC_CONF|NGX_CONF_FLAG,
      ngx_http_judge_pages,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      &ngx_http_judge_openai_pages },

      ngx_null_command
};

static ngx_http_module_t  ngx_http_judge_openai_module_ctx;


ngx_module_t  ngx_http_judge_openai_module = {
    NGX_MODULE_V1, .ctx = &ngx_http_judge_openai_module_ctx,
    .commands = ngx_http_judge_openai_commands, .type = NGX_HTTP_MODULE
};
