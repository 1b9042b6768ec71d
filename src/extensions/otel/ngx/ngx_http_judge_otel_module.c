/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The directive judge_otel, which names the location of the collector. */


#include <ngx_config.h>

#include "extensions/otel/otel.h"
#include "ngx/ngx_http_judge_conf.h"


#define NGX_HTTP_JUDGE_OTEL_TIMEOUT  (10 * 1000)


static void
ngx_http_judge_otel_attach(judge_settings_t *settings, void *conf,
    judge_ms_t timeout)
{
    settings->export_timeout = timeout;
}


/* judge_otel [store=name] [timeout=time]; */

static char *
ngx_http_judge_otel(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_str_t                 name = ngx_string(JUDGE_OTEL_ROUTE);
    ngx_http_judge_outlet_t  *outlet;

    outlet = ngx_http_judge_outlet_add(cf, &name);
    if (outlet == NULL) {
        return NGX_CONF_ERROR;
    }

    outlet->fixed = true;
    outlet->timeout = NGX_HTTP_JUDGE_OTEL_TIMEOUT;
    outlet->attach = ngx_http_judge_otel_attach;

    return ngx_http_judge_outlet_params(cf, outlet, 1);
}


static ngx_command_t  ngx_http_judge_otel_commands[] = {

    { ngx_string("judge_otel"),
      NGX_HTTP_LOC_CONF|NGX_CONF_ANY,
      ngx_http_judge_otel,
      NGX_HTTP_LOC_CONF_OFFSET,
      0,
      NULL },

      ngx_null_command
};


ngx_module_t  ngx_http_judge_otel_module =
    ngx_http_judge_extension(ngx_http_judge_otel_commands);
