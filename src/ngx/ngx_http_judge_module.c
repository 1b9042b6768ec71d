/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_background.h"
#include "ngx/ngx_http_judge_conf.h"
#include "ngx/ngx_http_judge_request.h"


static ngx_int_t ngx_http_judge_filters(ngx_conf_t *cf);


static ngx_http_module_t  ngx_http_judge_module_ctx = {
    ngx_http_judge_background_variables,   /* preconfiguration */
    ngx_http_judge_filters,                /* postconfiguration */

    ngx_http_judge_create_main_conf,       /* create main configuration */
    ngx_http_judge_init_main_conf,         /* init main configuration */

    NULL,                                  /* create server configuration */
    NULL,                                  /* merge server configuration */

    ngx_http_judge_create_loc_conf,        /* create location configuration */
    ngx_http_judge_merge_loc_conf          /* merge location configuration */
};


ngx_module_t  ngx_http_judge_module = {
    NGX_MODULE_V1,
    &ngx_http_judge_module_ctx,            /* module context */
    ngx_http_judge_commands,               /* module directives */
    NGX_HTTP_MODULE,                       /* module type */
    NULL,                                  /* init master */
    NULL,                                  /* init module */
    ngx_http_judge_init_process,           /* init process */
    NULL,                                  /* init thread */
    NULL,                                  /* exit thread */
    ngx_http_judge_exit_process,           /* exit process */
    NULL,                                  /* exit master */
    NGX_MODULE_V1_PADDING
};


static ngx_int_t
ngx_http_judge_filters(ngx_conf_t *cf)
{
    if (ngx_http_judge_error_init(cf) != NGX_OK
        || ngx_http_judge_mask_init(cf) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_judge_background_filter(cf);
}
