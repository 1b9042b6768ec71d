/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A call waits while its location has its maximum of calls under way, or as
 * many as the location's only server was found to take.  Then its host is
 * resolved and every address is checked.  nginx gets the address that was
 * checked, not the name, which could resolve to another address the next time
 * (DNS rebinding).
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_outbound.h"
#include "base/net/retry.h"
#include "work/service/fleet.h"
#include "work/service/metrics.h"


#define NGX_HTTP_JUDGE_STARTS_PER_PASS  32 /* calls per pass of the loop */
#define NGX_HTTP_JUDGE_RESOLVE          5000   /* ms to resolve a name */
#define NGX_HTTP_JUDGE_FULL             50 /* ms until a retry when full */

typedef struct {
    judge_call_t                 *call;
    ngx_http_judge_service_t     *js;
    ngx_http_judge_outlet_t      *outlet;
    uint32_t                      deaths;  /* set by judge_fleet_enter() */
    ngx_http_judge_background_t  *background;
    ngx_resolver_ctx_t           *resolving;
    ngx_event_t                   deadline;
    ngx_msec_t                    began;
    ngx_queue_t                   queue;
    judge_url_t                   url;
} ngx_http_judge_active_t;


/* Sets the numbers of a model's calls in the metrics. */

static void
ngx_http_judge_outlet_count(ngx_http_judge_service_t *js,
    const ngx_http_judge_outlet_t *outlet)
{
    size_t            i, gauge;
    judge_ms_t        wait;
    judge_service_t  *service = &js->service;

    for (i = 0; i < js->settings.nmodels && i < JUDGE_METRICS_MODELS; i++) {
        if (judge_str_eq(js->settings.models[i].name, outlet->model.name)) {
            gauge = JUDGE_GAUGE_CALLS + i * JUDGE_METRICS_CALLS;
            judge_metrics_set(service, gauge,
                judge_concurrency_allowed(&outlet->limit,
                                     (judge_ms_t) ngx_current_msec, &wait));
            judge_metrics_set(service, gauge + 1, outlet->active);
            judge_metrics_set(service, gauge + 2, outlet->waiting);
            return;
        }
    }
}


/* If the calls of all workers are limited together, a worker that has its
 * share leaves the rest to others. */

static bool
ngx_http_judge_call_yields(ngx_http_judge_active_t *a)
{
    int64_t           bound, active;
    ngx_core_conf_t  *ccf;

    if (a->outlet->model.in_all == 0) {
        return false;
    }

    ccf = (ngx_core_conf_t *) ngx_get_conf(ngx_cycle->conf_ctx,
                                           ngx_core_module);
    bound = judge_fleet_calls(&a->js->service, &a->outlet->model, &active);

    return (int64_t) a->outlet->active >= bound / ccf->worker_processes;
}


/* Learns from the answer of a location's only server how many calls it takes.
 * Some providers answer 529 when they are overloaded. */

static void
ngx_http_judge_call_learn(ngx_http_judge_active_t *a)
{
    judge_ms_t                now, wait = 0;
    judge_call_t             *call = a->call;
    ngx_http_judge_outlet_t  *outlet = a->outlet;

    if (!outlet->fixed || call->outcome != JUDGE_CALL_OK) {
        return;
    }

    now = (judge_ms_t) ngx_current_msec;

    if (call->status != 429 && call->status != 503 && call->status != 529) {
        judge_concurrency_answered(&outlet->limit, outlet->active + 1
                                       >= (ngx_uint_t) outlet->limit.width);
        return;
    }

    if (call->retry_after.data
        && judge_retry_after_parse(call->retry_after,
                                   judge_now(&a->js->service), &wait)
           != JUDGE_OK)
    {
        wait = 0;
    }

    judge_metrics_add(a->js->service.metrics, JUDGE_METRIC_REFUSED_CALLS, 1);
    judge_concurrency_refused(&outlet->limit, (judge_ms_t) a->began, now,
                              wait);
}


/* The event loop starts the next call, so that ends of calls don't nest. */

static void
ngx_http_judge_call_ended(judge_call_t *call)
{
    ngx_event_t              *next;
    ngx_http_judge_active_t  *a = call->server;

    call->took = (judge_ms_t) (ngx_current_msec - a->began);

    if (a->deadline.timer_set) {
        ngx_del_timer(&a->deadline);
    }

    ngx_queue_remove(&a->queue);
    a->outlet->active--;
    ngx_http_judge_call_learn(a);
    ngx_http_judge_outlet_count(a->js, a->outlet);
    judge_fleet_leave(&a->js->service, &a->outlet->model, a->deaths);

    next = &a->outlet->next;
    if (a->outlet->first && ngx_http_judge_call_yields(a)) {
        ngx_add_timer(next, NGX_HTTP_JUDGE_FULL);
    } else if (a->outlet->first && !next->posted) {
        ngx_post_event(next, &ngx_posted_next_events);
    }

    call->done(call);
}


static void
ngx_http_judge_call_fail(ngx_http_judge_active_t *a,
    judge_call_outcome_e outcome)
{
    a->call->outcome = outcome;
    ngx_http_judge_call_ended(a->call);
}


static void
ngx_http_judge_call_run(ngx_http_judge_active_t *a, judge_str_t url)
{
    ngx_http_judge_target_t  target;

    target.conf = a->outlet->conf;
    target.location = a->outlet->location;
    target.url = url;
    target.host = a->url.authority;
    target.name = a->url.host;

    a->background = ngx_http_judge_background_start(a->call, &target,
                                                    ngx_http_judge_call_ended);
    if (a->background == NULL) {
        ngx_http_judge_call_fail(a, JUDGE_CALL_FAULT);
    }
}


static void
ngx_http_judge_call_connect(ngx_http_judge_active_t *a,
    const judge_address_t *address)
{
    char         text[JUDGE_ADDRESS_TEXT];
    judge_str_t  url;

    judge_address_format(address, text);

    url = judge_str_printf(a->call->arena,
                           address->len == 4 ? "%s://%s:%u%.*s"
                                             : "%s://[%s]:%u%.*s",
                           a->url.tls ? "https" : "http", text,
                           (unsigned) a->url.port,
                           judge_str_args(a->url.target));
    if (url.data == NULL) {
        ngx_http_judge_call_fail(a, JUDGE_CALL_FAULT);
        return;
    }

    ngx_http_judge_call_run(a, url);
}


static bool
ngx_http_judge_call_address(struct sockaddr *sockaddr,
    judge_address_t *address)
{
    switch (sockaddr->sa_family) {

    case AF_INET:
        address->len = 4;
        ngx_memcpy(address->bytes,
                   &((struct sockaddr_in *) sockaddr)->sin_addr, 4);
        return true;

#if (NGX_HAVE_INET6)
    case AF_INET6:
        address->len = 16;
        ngx_memcpy(address->bytes,
                   &((struct sockaddr_in6 *) sockaddr)->sin6_addr, 16);
        return true;
#endif

    default:
        return false;
    }
}


/* The call is refused if one of the name's addresses is not allowed. */

static void
ngx_http_judge_call_resolved(ngx_resolver_ctx_t *ctx)
{
    ngx_uint_t                i;
    judge_address_t           address, first;
    ngx_http_judge_active_t  *a = ctx->data;

    first.len = 0;

    for (i = 0; ctx->state == 0 && i < ctx->naddrs; i++) {
        if (!ngx_http_judge_call_address(ctx->addrs[i].sockaddr, &address)
            || !judge_address_is_allowed(&address, a->outlet->allowed.elts,
                                         a->outlet->allowed.nelts))
        {
            ngx_resolve_name_done(ctx);
            a->resolving = NULL;
            ngx_http_judge_call_fail(a, JUDGE_CALL_FORBIDDEN);
            return;
        }

        if (i == 0) {
            first = address;
        }
    }

    ngx_resolve_name_done(ctx);
    a->resolving = NULL;

    if (first.len == 0) {
        ngx_http_judge_call_fail(a, JUDGE_CALL_UNRESOLVED);
        return;
    }

    ngx_http_judge_call_connect(a, &first);
}


static void
ngx_http_judge_call_resolve(ngx_http_judge_active_t *a)
{
    ngx_resolver_ctx_t  *ctx;

    if (judge_url_parse(a->call->arena, a->call->url, &a->url, NULL)
        != JUDGE_OK)
    {
        ngx_http_judge_call_fail(a, JUDGE_CALL_INVALID);
        return;
    }

    if (a->url.address.len) {
        if (judge_address_is_allowed(&a->url.address, a->outlet->allowed.elts,
                                     a->outlet->allowed.nelts))
        {
            ngx_http_judge_call_connect(a, &a->url.address);
        } else {
            ngx_http_judge_call_fail(a, JUDGE_CALL_FORBIDDEN);
        }
        return;
    }

    ctx = a->outlet->resolver ? ngx_resolve_start(a->outlet->resolver, NULL)
                             : NGX_NO_RESOLVER;
    if (ctx == NULL || ctx == NGX_NO_RESOLVER) {
        ngx_log_error(NGX_LOG_ERR, ngx_cycle->log, 0,
                      "judge: no resolver for \"%*s\": add a \"resolver\""
                      " to the server of location \"%V\"", a->url.host.len,
                      a->url.host.data, &a->outlet->location);
        ngx_http_judge_call_fail(a, JUDGE_CALL_UNRESOLVED);
        return;
    }

    ctx->name.len = a->url.host.len;
    ctx->name.data = (u_char *) a->url.host.data;
    ctx->handler = ngx_http_judge_call_resolved;
    ctx->data = a;
    ctx->timeout = NGX_HTTP_JUDGE_RESOLVE;
    a->resolving = ctx;

    if (ngx_resolve_name(ctx) != NGX_OK) {
        a->resolving = NULL;
        ngx_http_judge_call_fail(a, JUDGE_CALL_UNRESOLVED);
    }
}


static void
ngx_http_judge_call_abort(ngx_http_judge_active_t *a,
    judge_call_outcome_e outcome)
{
    if (a->resolving) {
        ngx_resolve_name_done(a->resolving);
        a->resolving = NULL;
    }

    if (a->background) {
        ngx_http_judge_background_abort(a->background, outcome);
    } else {
        ngx_http_judge_call_fail(a, outcome);
    }
}


static void
ngx_http_judge_call_late(ngx_event_t *ev)
{
    ngx_http_judge_call_abort(ev->data, JUDGE_CALL_TIMEOUT);
}


static void
ngx_http_judge_call_start(ngx_http_judge_service_t *js,
    ngx_http_judge_outlet_t *outlet, judge_call_t *call)
{
    ngx_http_judge_active_t  *a;

    a = judge_calloc(call->arena, sizeof(ngx_http_judge_active_t));
    if (a == NULL) {
        judge_fleet_leave(&js->service, &outlet->model, outlet->deaths);
        call->outcome = JUDGE_CALL_FAULT;
        call->done(call);
        return;
    }

    a->call = call;
    a->js = js;
    a->outlet = outlet;
    a->deaths = outlet->deaths;
    a->began = ngx_current_msec;
    call->server = a;

    outlet->active++;
    ngx_queue_insert_tail(&js->calls, &a->queue);

    a->deadline.handler = ngx_http_judge_call_late;
    a->deadline.data = a;
    a->deadline.log = ngx_cycle->log;
    ngx_add_timer(&a->deadline, (ngx_msec_t) call->timeout);

    if (outlet->fixed) {
        ngx_http_judge_call_run(a, JUDGE_STR(""));
    } else {
        ngx_http_judge_call_resolve(a);
    }
}


/* Starts waiting calls, but only some per pass of the event loop, so that
 * clients' requests are not delayed. */

static void
ngx_http_judge_outlet_next(ngx_event_t *ev)
{
    ngx_uint_t                 n, allowed;
    judge_ms_t                 wait = 0;
    judge_call_t              *call;
    ngx_http_judge_outlet_t   *outlet = ev->data;
    ngx_http_judge_service_t  *js;

    allowed = !outlet->fixed ? outlet->at_once
              : judge_concurrency_allowed(&outlet->limit,
                                      (judge_ms_t) ngx_current_msec, &wait);
    if (wait) {
        ngx_add_timer(ev, (ngx_msec_t) wait);
        return;
    }

    for (n = 0; outlet->first && outlet->active < allowed; n++) {

        if (n == NGX_HTTP_JUDGE_STARTS_PER_PASS) {
            ngx_post_event(ev, &ngx_posted_next_events);
            return;
        }

        js = outlet->first->server;
        if (!judge_fleet_enter(&js->service, &outlet->model,
                               &outlet->deaths)) {
            ngx_add_timer(ev, NGX_HTTP_JUDGE_FULL);
            return;
        }

        call = outlet->first;
        outlet->first = call->next;
        if (outlet->first == NULL) {
            outlet->last = &outlet->first;
        }
        call->next = NULL;
        outlet->waiting--;

        ngx_http_judge_call_start(call->server, outlet, call);
        ngx_http_judge_outlet_count(js, outlet);
    }
}


void
ngx_http_judge_call(void *data, judge_call_t *call)
{
    ngx_uint_t                 i;
    ngx_http_judge_outlet_t   *outlet;
    ngx_http_judge_service_t  *js = data;

    call->next = NULL;
    call->server = js;                 /* once started, an active_t */
    call->took = 0;
    call->status = 0;
    call->length = -1;

    outlet = js->outlets.elts;

    for (i = 0; i < js->outlets.nelts; i++, outlet++) {
        if (judge_str_eq(ngx_http_judge_str(outlet->name), call->route)) {
            break;
        }
    }

    if (i == js->outlets.nelts || ngx_exiting) {
        call->outcome = i < js->outlets.nelts ? JUDGE_CALL_STOPPED
                                             : JUDGE_CALL_UNCONFIGURED;
        call->done(call);
        return;
    }

    if (outlet->last == NULL) {
        outlet->last = &outlet->first;
        judge_concurrency_init(&outlet->limit, (uint32_t) outlet->at_once);
        outlet->next.handler = ngx_http_judge_outlet_next;
        outlet->next.data = outlet;
        outlet->next.log = ngx_cycle->log;
        outlet->next.cancelable = 1;   /* an exiting worker starts no call */
    }

    *outlet->last = call;
    outlet->last = &call->next;
    outlet->waiting++;

    if (!outlet->next.posted) {
        ngx_post_event(&outlet->next, &ngx_posted_events);
    }
}


void
ngx_http_judge_calls_stop(ngx_http_judge_service_t *js, bool abort)
{
    ngx_uint_t                i;
    ngx_queue_t              *q;
    judge_call_t             *call;
    ngx_http_judge_outlet_t  *outlets;

    outlets = js->outlets.elts;

    for (i = 0; i < js->outlets.nelts; i++) {
        while ((call = outlets[i].first)) {
            outlets[i].first = call->next;
            outlets[i].waiting--;
            if (outlets[i].first == NULL) {
                outlets[i].last = &outlets[i].first;
            }
            call->outcome = JUDGE_CALL_STOPPED;
            call->done(call);
        }
    }

    while (abort && !ngx_queue_empty(&js->calls)) {
        q = ngx_queue_head(&js->calls);
        ngx_http_judge_call_abort(
            ngx_queue_data(q, ngx_http_judge_active_t, queue),
            JUDGE_CALL_STOPPED);
    }
}


bool
ngx_http_judge_calls_busy(ngx_http_judge_service_t *js)
{
    return !ngx_queue_empty(&js->calls);
}
