/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_openai. */


#include <ngx_config.h>

#include "extensions/openai/openai.h"
#include "ngx/ngx_http_judge.h"


static ngx_http_judge_pages_t  ngx_http_judge_openai_pages = {
    ngx_string("/openai/"), NULL, judge_openai_error, judge_openai_routes
};

static ngx_command_t  ngx_http_judge_openai_commands[] = {
    { ngx_string("judge_openai"),
      ngx_http_judge_pages_switch(ngx_http_judge_openai_pages) },
    ngx_null_command
};


ngx_module_t  ngx_http_judge_openai_module =
    ngx_http_judge_extension(ngx_http_judge_openai_commands);
