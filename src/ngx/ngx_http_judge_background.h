/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Makes calls by nginx's own proxy: the module creates a request without a
 * client, and runs a subrequest to an internal location with proxy_pass. */


#ifndef NGX_HTTP_JUDGE_BACKGROUND_H
#define NGX_HTTP_JUDGE_BACKGROUND_H


#include "ngx/ngx_http_judge.h"
#include "work/service/call.h"


typedef struct ngx_http_judge_background  ngx_http_judge_background_t;

typedef struct {
    ngx_http_conf_ctx_t  *conf;            /* the location's server */
    ngx_str_t             location;
    judge_str_t           target;          /* $judge_url in the location */
    judge_str_t           authority;       /* $judge_host */
    judge_str_t           host;            /* $judge_name */
} ngx_http_judge_target_t;

/* Starts a call; NULL: it could not be started.  The event loop calls ended()
 * once, when call->outcome and the answer are set and the returned pointer is
 * no longer valid. */
ngx_http_judge_background_t *ngx_http_judge_background_start(
    judge_call_t *call, const ngx_http_judge_target_t *target,
    void (*ended)(judge_call_t *call));

/* Ends the call at once, but must not be called within one of its events. */
void ngx_http_judge_background_abort(ngx_http_judge_background_t *b,
    judge_call_outcome_e outcome);

/* Add the variables $judge_url, $judge_host and $judge_name, and the filter
 * that collects answers. */
ngx_int_t ngx_http_judge_background_variables(ngx_conf_t *cf);
ngx_int_t ngx_http_judge_background_filter(ngx_conf_t *cf);


#endif /* NGX_HTTP_JUDGE_BACKGROUND_H */
