/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A request without a client: made by the module, it runs a subrequest to an
 * internal location whose proxy_pass makes the call.
 */


#ifndef NGX_HTTP_JUDGE_BACKGROUND_H
#define NGX_HTTP_JUDGE_BACKGROUND_H


#include "ngx/ngx_http_judge.h"
#include "work/service/call.h"


typedef struct ngx_http_judge_background  ngx_http_judge_background_t;

/* Where a call goes. */
typedef struct {
    ngx_http_conf_ctx_t  *conf;            /* of the server that has it */
    ngx_str_t             location;
    judge_str_t           target;          /* $judge_url in the location */
    judge_str_t           authority;       /* $judge_host */
    judge_str_t           host;            /* $judge_name */
} ngx_http_judge_target_t;

/*
 * Starts it; ended() is called once, from the event loop, with call->outcome
 * and the answer; the pointer is invalid by then.  NULL: it could not be
 * started.
 */
ngx_http_judge_background_t *ngx_http_judge_background_start(
    judge_call_t *call, const ngx_http_judge_target_t *target,
    void (*ended)(judge_call_t *call));

/* Ends it now, with this outcome; not from within one of its events. */
void ngx_http_judge_background_abort(ngx_http_judge_background_t *b,
    judge_call_outcome_e outcome);

/* $judge_url, $judge_host, $judge_name; and the filter that collects the
 * answers. */
ngx_int_t ngx_http_judge_background_variables(ngx_conf_t *cf);
ngx_int_t ngx_http_judge_background_filter(ngx_conf_t *cf);


#endif /* NGX_HTTP_JUDGE_BACKGROUND_H */
