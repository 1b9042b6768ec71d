/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Outgoing calls of a service: the location they go through, how many at once,
 * which addresses they may reach, and their deadline.
 */


#ifndef NGX_HTTP_JUDGE_OUTBOUND_H
#define NGX_HTTP_JUDGE_OUTBOUND_H


#include "ngx/ngx_http_judge_background.h"
#include "base/net/url.h"
#include "work/uploads/bucket.h"


/* The routes of locations with `judge_outbound` and `judge_mail`. */
#define NGX_HTTP_JUDGE_WEBHOOKS  "webhooks"
#define NGX_HTTP_JUDGE_MAIL  "mail"

/* A location that calls go through; in the cycle's pool. */
typedef struct {
    const char           *directive;       /* its name */
    ngx_str_t             name;            /* of the route */
    ngx_str_t             service;         /* empty: the only one */
    ngx_str_t             location;
    ngx_http_judge_place_t place;
    ngx_http_conf_ctx_t  *conf;            /* of its server */
    ngx_http_core_loc_conf_t *clcf;
    ngx_resolver_t       *resolver;
    ngx_array_t           allowed;         /* of judge_cidr_t */
    ngx_uint_t            at_once;         /* calls in a worker */
    judge_ms_t            timeout;         /* of one, where not fixed */
    bool                  fixed;           /* it knows its server */
    judge_llm_t           model;
    judge_bucket_conf_t  *bucket;          /* a judge_files; else NULL */

    /* Of this worker process. */
    ngx_uint_t            active;
    uint32_t              deaths;          /* of the last call's entry */
    judge_call_t         *first;           /* that wait for room */
    judge_call_t        **last;
    ngx_event_t           next;
} ngx_http_judge_route_t;


/* For judge_service_t; data is the ngx_http_judge_service_t. */
void ngx_http_judge_call(void *data, judge_call_t *call);

/* Ends the calls that wait, and with `abort` those under way, too. */
void ngx_http_judge_calls_stop(ngx_http_judge_service_t *js, bool abort);
bool ngx_http_judge_calls_busy(ngx_http_judge_service_t *js);


#endif /* NGX_HTTP_JUDGE_OUTBOUND_H */
