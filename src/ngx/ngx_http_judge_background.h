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
    judge_str_t           url;             /* $judge_url in the location */
    judge_str_t           host;            /* $judge_host */
    judge_str_t           name;            /* $judge_name */
} ngx_http_judge_target_t;

/* Starts a call; NULL: it could not be started, and ended() is not called.
 * Else the event loop calls ended() once, when call->outcome and the answer
 * are set and the returned pointer is no longer valid; the target's strings
 * must live until then. */
ngx_http_judge_background_t *ngx_http_judge_background_start(
    judge_call_t *call, const ngx_http_judge_target_t *target,
    void (*ended)(judge_call_t *call));

/* Ends the call at once: calls ended() before it returns.  If the call has
 * ended meanwhile, its outcome stays.  It must not be called within an event
 * of the call. */
void ngx_http_judge_background_abort(ngx_http_judge_background_t *b,
    judge_call_outcome_e outcome);

/* Whether the connection is the fake one of a call. */
#define ngx_http_judge_is_background(r)                                       \
    ((r)->connection->fd == (ngx_socket_t) -1)

/* $judge_url, $judge_host and $judge_name. */
extern ngx_http_variable_t  ngx_http_judge_background_vars[];

/* Adds the filter that collects answers. */
ngx_int_t ngx_http_judge_background_filter(ngx_conf_t *cf);


#endif /* NGX_HTTP_JUDGE_BACKGROUND_H */
