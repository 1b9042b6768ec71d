/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Variables for access logs: organization and key, the route's pattern, and
 * the times that a request waited; never a secret.  An unknown value is "not
 * found", which a log shows as "-". */


#include <ngx_config.h>

#include "api/http/request.h"
#include "ngx/ngx_http_judge_background.h"
#include "ngx/ngx_http_judge_request.h"


/* NULL: the request is not for the service, or ended before its handler ran.
 * The service's outgoing requests have another context. */

static judge_req_t *
ngx_http_judge_log_request(ngx_http_request_t *r)
{
    ngx_http_judge_ctx_t  *ctx;

    if (r != r->main || ngx_http_judge_is_background(r)) {
        return NULL;
    }

    ctx = ngx_http_get_module_ctx(r, ngx_http_judge_module);

    return ctx && ctx->req.arena ? &ctx->req : NULL;
}


static ngx_int_t
ngx_http_judge_log_found(ngx_http_variable_value_t *v, judge_str_t s)
{
    v->not_found = s.len == 0;
    v->valid = s.len != 0;
    v->no_cacheable = 1;
    v->len = (unsigned) s.len;
    v->data = (u_char *) s.data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_judge_log_string(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    judge_str_t   s = JUDGE_STR("");
    judge_req_t  *req = ngx_http_judge_log_request(r);

    if (req) {
        s = *(judge_str_t *) ((char *) req + data);
    }

    return ngx_http_judge_log_found(v, s);
}


static ngx_int_t
ngx_http_judge_log_route(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    judge_req_t  *req = ngx_http_judge_log_request(r);

    return ngx_http_judge_log_found(v, req && req->route
                                       ? judge_str_c(req->route->pattern)
                                       : JUDGE_STR(""));
}


/* Formats a time in seconds, as nginx's own variables do. */

static ngx_int_t
ngx_http_judge_log_time(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    u_char       *p;
    judge_ms_t    ms;
    judge_str_t   s = JUDGE_STR("");
    judge_req_t  *req = ngx_http_judge_log_request(r);

    if (req && (data ? req->queued : req->stored_any)) {
        p = ngx_pnalloc(r->pool, NGX_TIME_T_LEN + 4);
        if (p == NULL) {
            return NGX_ERROR;
        }

        ms = data ? req->queue_time : req->store_time;
        ms = ngx_max(ms, 0);
        s.data = (char *) p;
        s.len = ngx_sprintf(p, "%T.%03M", (time_t) ms / 1000,
                            (ngx_msec_t) ms % 1000)
                - p;
    }

    return ngx_http_judge_log_found(v, s);
}


ngx_http_variable_t  ngx_http_judge_log_vars[] = {

    { ngx_string("judge_organization"), NULL, ngx_http_judge_log_string,
      offsetof(judge_req_t, org), NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("judge_key_id"), NULL, ngx_http_judge_log_string,
      offsetof(judge_req_t, key_id), NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("judge_route"), NULL, ngx_http_judge_log_route,
      0, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("judge_store_time"), NULL, ngx_http_judge_log_time,
      0, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("judge_queue_time"), NULL, ngx_http_judge_log_time,
      1, NGX_HTTP_VAR_NOCACHEABLE, 0 },

      ngx_http_null_variable
};
