/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Outgoing calls of a service: their location, concurrency, allowed addresses
 * and deadline. */


#ifndef NGX_HTTP_JUDGE_OUTBOUND_H
#define NGX_HTTP_JUDGE_OUTBOUND_H


#include "ngx/ngx_http_judge_background.h"
#include "base/net/concurrency.h"
#include "base/net/url.h"


/* The names of locations with `judge_outbound` and `judge_mail`. */
#define NGX_HTTP_JUDGE_WEBHOOKS  "webhooks"
#define NGX_HTTP_JUDGE_MAIL  "mail"

/* An outlet: a location for outgoing calls; in the cycle's pool. */
typedef struct {
    const char           *directive;       /* such as judge_outbound */
    ngx_str_t             name;            /* judge_call_t.route */
    ngx_str_t             service;         /* empty: the only one */
    ngx_str_t             location;
    ngx_http_judge_place_t place;
    ngx_http_conf_ctx_t  *conf;            /* of its server */
    ngx_http_core_loc_conf_t *clcf;
    ngx_resolver_t       *resolver;
    ngx_array_t           allowed;         /* of judge_cidr_t */
    ngx_uint_t            at_once;         /* concurrent calls of a worker */
    judge_ms_t            timeout;         /* for calls without their own */
    bool                  fixed;           /* proxy_pass names the server */
    judge_llm_t           model;

    /* For a directive of an extension, else NULL: */
    const char           *params;          /* its parameters, for errors */
    void                (*attach)(judge_settings_t *settings, void *conf,
                                  judge_ms_t timeout);
    void                 *extra;           /* the `conf` of attach() */

    /* Set in each worker process. */
    ngx_uint_t            active;
    ngx_uint_t            waiting;
    judge_concurrency_t   limit;           /* of one server; if fixed */
    uint32_t              deaths;          /* of judge_fleet_enter() */
    judge_call_t         *first;           /* list of waiting calls */
    judge_call_t        **last;
    ngx_event_t           next;
} ngx_http_judge_outlet_t;


/* judge_service_t.call; data is the ngx_http_judge_service_t. */
void ngx_http_judge_call(void *data, judge_call_t *call);

/* Ends waiting calls, and with `abort` those under way, too. */
void ngx_http_judge_calls_stop(ngx_http_judge_service_t *js, bool abort);
bool ngx_http_judge_calls_busy(ngx_http_judge_service_t *js);


#endif /* NGX_HTTP_JUDGE_OUTBOUND_H */
