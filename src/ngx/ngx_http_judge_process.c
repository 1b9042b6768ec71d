/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* If the store can't be opened, the worker does not exit, because it may serve
 * other sites: the service answers with 503 and tries again. */


#include <ngx_config.h>

#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "api/http/response_cache.h"
#include "base/crypto/crypto.h"
#include "ngx/ngx_http_judge_executor.h"
#include "ngx/ngx_http_judge_idle.h"
#include "ngx/ngx_http_judge_outbound.h"
#include "ngx/ngx_http_judge_zone.h"
#include "store/store_open.h"
#include "store/store_queue.h"
#include "store/store_upload.h"
#include "work/service/background.h"
#include "work/service/extension.h"


#define NGX_HTTP_JUDGE_TRY_EVERY    1000   /* ms between two tries */
#define NGX_HTTP_JUDGE_CLOSE_STORE  4000   /* ms from closing a lost store to
                                              the first try to open it: other
                                              workers close it meanwhile */
#define NGX_HTTP_JUDGE_SWEEP_EVERY  1000
#define NGX_HTTP_JUDGE_USAGE_ROWS   256      /* rows per commit */
#define NGX_HTTP_JUDGE_LEAVE_CALLS  5000
#define NGX_HTTP_JUDGE_CALLS_SHARE  4      /* outgoing calls may use 1/4 of a
                                              worker's connections */

/* A worker that began fewer requests in this time is idle. */
#define NGX_HTTP_JUDGE_REST           15000    /* ms */
#define NGX_HTTP_JUDGE_REST_REQUESTS  150

#define NGX_HTTP_JUDGE_ARENAS  4               /* malloc's, for 32 threads */
#define NGX_HTTP_JUDGE_TRIM_THRESHOLD  (2 * 1024 * 1024)
#define NGX_HTTP_JUDGE_MMAP_THRESHOLD  (1024 * 1024)


/* Returns the configuration; NULL: this process is no worker. */

static ngx_http_judge_main_conf_t *
ngx_http_judge_configured(ngx_cycle_t *cycle)
{
    return ngx_process == NGX_PROCESS_WORKER
           || ngx_process == NGX_PROCESS_SINGLE
           ? ngx_http_cycle_get_module_main_conf(cycle, ngx_http_judge_module)
           : NULL;
}


/*
 * glibc's malloc does not return freed memory, and has more arenas the more
 * threads compete: after a load it may have many times the memory in use.
 * Setting one bound ends the dynamic adaptation of all, so that the threshold
 * for mmap() must be set, too, or each page of an answer would be mapped.
 */

static void
ngx_http_judge_malloc(void)
{
#if defined(__GLIBC__)
    (void) mallopt(M_ARENA_MAX, NGX_HTTP_JUDGE_ARENAS);
    (void) mallopt(M_TRIM_THRESHOLD, NGX_HTTP_JUDGE_TRIM_THRESHOLD);
    (void) mallopt(M_MMAP_THRESHOLD, NGX_HTTP_JUDGE_MMAP_THRESHOLD);
#endif
}


static void
ngx_http_judge_shut(ngx_http_judge_service_t *js)
{
    js->open = 0;
    ngx_http_judge_idle_close(js);
    ngx_http_judge_listen_close(js);
    ngx_http_judge_wake_close(js);

    judge_background_destroy(&js->service);
    judge_auth_destroy(js->service.auth);
    judge_response_cache_destroy(js->service.responses);
    ngx_http_judge_executor_close(js->executor);

    js->service.auth = NULL;
    js->service.responses = NULL;
    js->executor = NULL;
}


/* Reads the secret that signs addresses, which is generated once per store. */

static ngx_int_t
ngx_http_judge_secret(ngx_http_judge_service_t *js)
{
    ngx_int_t        rc;
    judge_arena_t   *arena;
    judge_secret_t   secret;

    arena = judge_arena_create(1024);
    if (arena == NULL
        || judge_random(js->stored, sizeof(js->stored)) != JUDGE_OK)
    {
        judge_arena_destroy(arena);
        return NGX_ERROR;
    }

    ngx_memzero(&secret, sizeof(judge_secret_t));
    secret.op.kind = JUDGE_OP_SECRET;
    secret.op.arena = arena;
    secret.name = JUDGE_STR("addresses");
    secret.value = (judge_str_t) { sizeof(js->stored), (char *) js->stored };
    ngx_http_judge_executor_run(js->executor, &secret.op);

    rc = NGX_ERROR;
    if (secret.op.rc == JUDGE_OK && secret.value.len == sizeof(js->stored)) {
        ngx_memcpy(js->stored, secret.value.data, sizeof(js->stored));
        rc = NGX_OK;
    }

    judge_arena_destroy(arena);

    return rc;
}


/* Opens the store, in a thread unless the worker has just started. */

static void
ngx_http_judge_find(judge_task_t *task)
{
    ngx_http_judge_service_t  *js = task->data;

    js->found = ngx_http_judge_executor_connect(js->executor)
                && ngx_http_judge_secret(js) == NGX_OK;
}


/* Releases an owner's leases; if that fails, they expire. */

static void
ngx_http_judge_leases_release(ngx_http_judge_service_t *js, judge_str_t owner)
{
    judge_queue_release_t  *release;

    release = judge_service_op(sizeof(judge_queue_release_t),
                               JUDGE_OP_QUEUE_RELEASE, judge_service_op_free,
                               NULL);
    if (release == NULL) {
        return;
    }

    release->owner = judge_str_dup(release->op.arena, owner);
    release->now = judge_now(&js->service);
    release->until = release->now + js->settings.lease;

    if (release->owner.len == owner.len) {
        judge_submit(&js->service, &release->op);
    } else {
        judge_service_op_free(&release->op);
    }
}


static void
ngx_http_judge_found(judge_task_t *task)
{
    ngx_http_judge_service_t  *js = task->data;
    ngx_http_judge_shared_t   *shared = js->zone->data;

    js->try_at = ngx_current_msec + NGX_HTTP_JUDGE_TRY_EVERY;
    js->searching = 0;

    if (!js->found) {
        return;
    }

    ngx_memcpy(js->secret, js->stored, sizeof(js->secret));
    ngx_http_judge_executor_found(js->executor);

    ngx_log_error(NGX_LOG_INFO, js->tick.log, 0,
                  "judge: the database is open");

    /* Owners of older leases than the zone have exited, unless they are on
     * another node. */
    if (!atomic_flag_test_and_set(&shared->entered) && !js->settings.fleet) {
        ngx_http_judge_leases_release(js, (judge_str_t) { 0, NULL });
    }
}


static judge_ms_t
ngx_http_judge_now(void *data)
{
    ngx_time_t  *now;

    now = ngx_timeofday();

    return (judge_ms_t) now->sec * 1000 + (judge_ms_t) now->msec;
}


static void
ngx_http_judge_warn(void *data, judge_str_t line)
{
    ngx_log_error(NGX_LOG_WARN, ngx_cycle->log, 0, "judge: %*s", line.len,
                  line.data);
}


static void
ngx_http_judge_close_store(judge_task_t *task)
{
    ngx_http_judge_service_t  *js = task->data;

    ngx_http_judge_executor_disconnect(js->executor);
}


static void
ngx_http_judge_closed_store(judge_task_t *task)
{
    ngx_http_judge_service_t  *js = task->data;

    js->searching = 0;
}


static void
ngx_http_judge_open(ngx_http_judge_service_t *js)
{
    judge_service_t  *service = &js->service;

    js->try_at = ngx_current_msec + NGX_HTTP_JUDGE_TRY_EVERY;

    ngx_memzero(service, sizeof(judge_service_t));
    ngx_http_judge_zone_share(js->zone->data, &js->settings, service);

    js->executor = ngx_http_judge_executor_create(js, ngx_cycle->log);
    if (js->executor == NULL) {
        return;
    }

    service->settings = js->settings;
    service->settings.webhook_calls = ngx_min(js->settings.webhook_calls,
        ngx_max(1, ngx_cycle->connection_n / NGX_HTTP_JUDGE_CALLS_SHARE));
    service->store.submit = ngx_http_judge_executor_submit;
    service->store.version = ngx_http_judge_executor_version;
    service->store.data = js->executor;
    service->now = ngx_http_judge_now;
    service->compute = ngx_http_judge_compute;
    service->leaving = ngx_http_judge_terminating;
    service->warn = ngx_http_judge_warn;
    service->data = js->executor;
    service->call = ngx_http_judge_call;
    service->wake = ngx_http_judge_wake;
    service->network = js;
    service->auth = judge_auth_create((size_t) js->settings.keys);
    service->responses = judge_response_cache_create(js->settings.answers);

    /* a random secret is used until the store's was read */
    service->secret = (judge_str_t) { sizeof(js->secret),
                                      (char *) js->secret };

    if (service->auth == NULL || service->responses == NULL
        || !judge_background_create(service)
        || judge_random(js->secret, sizeof(js->secret)) != JUDGE_OK)
    {
        ngx_http_judge_shut(js);
        return;
    }

    js->slot = ngx_http_judge_zone_enter(js->zone,
                                         judge_service_owner(service));
    service->worker = js->slot;
    ngx_http_judge_wake_open(js);
    ngx_http_judge_listen_open(js);
    ngx_http_judge_idle_open(js);
    js->open = 1;

    js->finding.run = ngx_http_judge_find;
    js->finding.done = ngx_http_judge_found;
    js->finding.data = js;
    js->closing.run = ngx_http_judge_close_store;
    js->closing.done = ngx_http_judge_closed_store;
    js->closing.data = js;
    ngx_http_judge_find(&js->finding);
    ngx_http_judge_found(&js->finding);
}


/* Closes the connections to a lost store, and later opens it again; meanwhile
 * all operations of requests are refused. */

static void
ngx_http_judge_search(ngx_http_judge_service_t *js)
{
    if (js->searching || ngx_http_judge_executor_busy(js->executor)) {
        return;
    }

    if (js->found) {
        js->found = false;
        js->try_at = ngx_current_msec + NGX_HTTP_JUDGE_CLOSE_STORE;
        js->searching = 1;
        ngx_http_judge_compute(js->executor, &js->closing);
        return;
    }

    if (!ngx_exiting && (ngx_msec_int_t) (ngx_current_msec - js->try_at) >= 0)
    {
        js->searching = 1;
        ngx_http_judge_compute(js->executor, &js->finding);
    }
}


/* Waits a few seconds for calls to end, then aborts them. */

static void
ngx_http_judge_calls_leave(ngx_http_judge_service_t *js)
{
    if (js->exiting_since == 0) {
        js->exiting_since = ngx_current_msec;
    }

    ngx_http_judge_calls_stop(js, ngx_current_msec - js->exiting_since
                                  >= NGX_HTTP_JUDGE_LEAVE_CALLS);
}


static void
ngx_http_judge_sweep(ngx_http_judge_service_t *js)
{
    judge_id_t  owner;

    if (ngx_current_msec - js->swept_at < NGX_HTTP_JUDGE_SWEEP_EVERY) {
        return;
    }

    js->swept_at = ngx_current_msec;
    ngx_http_judge_executor_check(js->executor);

    while (ngx_http_judge_zone_sweep(js->zone, &owner)) {
        ngx_log_error(NGX_LOG_NOTICE, js->tick.log, 0,
                      "judge: work of a dead worker is taken over");
        ngx_http_judge_leases_release(js, judge_id_str(&owner));
        judge_waiters_all(&js->service);
        judge_fleet_died(&js->service);
    }
}


static void
ngx_http_judge_trim(judge_task_t *task)
{
#if defined(__GLIBC__)
    (void) malloc_trim(0);
#endif
}


static void
ngx_http_judge_trimmed(judge_task_t *task)
{
    task->data = NULL;
}


/* Returns memory that an idle worker has freed to the system, once after each
 * busy time, and in a thread, because this may need thousands of system calls.
 * No directive asks for it, because other requests don't notice.  By default
 * glibc has eight arenas a processor, and keeps freed memory. */

static void
ngx_http_judge_rest(ngx_http_judge_service_t *js)
{
    static judge_task_t  trim = {
        .run = ngx_http_judge_trim,
        .done = ngx_http_judge_trimmed
    };

    bool  rests;

    if (ngx_current_msec - js->load_checked_at < NGX_HTTP_JUDGE_REST) {
        return;
    }

    rests = js->begun < NGX_HTTP_JUDGE_REST_REQUESTS;

    /* The executor is busy while it checks the store, once a second; then
     * memory is freed at the next tick. */
    if (rests && (trim.data || ngx_http_judge_executor_busy(js->executor))) {
        return;
    }

    js->load_checked_at = ngx_current_msec;
    js->begun = 0;

    if (rests) {
        ngx_http_judge_executor_shrink(js->executor);
    }

    if (rests && (ngx_msec_int_t) (js->active_at - js->trimmed_at) >= 0) {
        js->trimmed_at = ngx_current_msec;
        trim.data = js;
        ngx_http_judge_compute(js->executor, &trim);
    }
}


/* A worker that shuts down exits when no timer is set; therefore this timer is
 * set again until nothing is under way. */

static void
ngx_http_judge_tick(ngx_event_t *ev)
{
    ngx_msec_t                 wait;
    ngx_http_judge_service_t  *js = ev->data;

    if (!js->open) {
        if (ngx_exiting) {
            return;
        }

        if ((ngx_msec_int_t) (ngx_current_msec - js->try_at) >= 0) {
            ngx_http_judge_open(js);
        }

        ngx_add_timer(ev, JUDGE_BACKGROUND_TICK);
        return;
    }

    wait = ngx_http_judge_idle(js);
    if (wait) {
        if (js->idle) {
            ngx_http_judge_listen_tick(js);
            judge_fleet_tick(&js->service);
            ngx_http_judge_rest(js);
            ngx_http_judge_sweep(js);
            wait = js->idle ? wait : JUDGE_BACKGROUND_TICK;
        }
        ngx_add_timer(ev, wait);
        return;
    }

    js->ticked_at = ngx_current_msec;

    if (ngx_exiting) {
        judge_background_stop(&js->service);
        ngx_http_judge_calls_leave(js);
    }

    if (!ngx_http_judge_executor_lost(js->executor)) {
        ngx_http_judge_listen_tick(js);
    } else {
        ngx_http_judge_search(js);
    }

    ngx_http_judge_wake_clear(js);
    judge_background_tick(&js->service);
    ngx_http_judge_executor_count(js->executor);

    if (ngx_exiting && !js->requests && !judge_background_busy(&js->service)
        && !ngx_http_judge_calls_busy(js)
        && !ngx_http_judge_executor_busy(js->executor))
    {
        return;
    }

    ngx_http_judge_sweep(js);
    ngx_http_judge_rest(js);
    ngx_add_timer(ev, JUDGE_BACKGROUND_TICK);
}


/* A request may arrive on a kept-alive connection after the last tick; then
 * without this timer the worker would exit before the request's answer. */

void
ngx_http_judge_stay(ngx_http_judge_service_t *js)
{
    if (ngx_exiting) {
        ngx_http_judge_idle_end(js);
    }

    if (ngx_exiting && !js->tick.timer_set) {
        ngx_add_timer(&js->tick, JUDGE_BACKGROUND_TICK);
    }
}


/* Releases the leases of this worker, and writes usage and the extensions'
 * data from shared memory to the store. */

static void
ngx_http_judge_leave(ngx_http_judge_service_t *js)
{
    size_t                  i;
    judge_key_usage_t       usage;
    judge_usage_row_t       rows[NGX_HTTP_JUDGE_USAGE_ROWS];
    judge_queue_release_t   release;

    if (ngx_http_judge_executor_lost(js->executor)) {
        return;
    }

    ngx_memzero(&release, sizeof(judge_queue_release_t));
    release.op.kind = JUDGE_OP_QUEUE_RELEASE;
    release.owner = judge_service_owner(&js->service);
    release.now = judge_now(&js->service);
    release.until = release.now + js->settings.lease;
    release.left = 1;
    ngx_http_judge_executor_run(js->executor, &release.op);

    for (i = 0; judge_extensions[i]; i++) {
        if (judge_extensions[i]->shared.left) {
            judge_extensions[i]->shared.left(&js->service,
                                             ngx_http_judge_executor_run,
                                             js->executor);
        }
    }

    do {
        ngx_memzero(&usage, sizeof(judge_key_usage_t));
        usage.op.kind = JUDGE_OP_KEY_USAGE;
        usage.rows = rows;
        usage.count = judge_usage_take(js->service.usage, rows,
                                       NGX_HTTP_JUDGE_USAGE_ROWS);
        if (usage.count) {
            ngx_http_judge_executor_run(js->executor, &usage.op);
        }
    } while (usage.count == NGX_HTTP_JUDGE_USAGE_ROWS
             && usage.op.rc == JUDGE_OK);

    if (usage.op.rc != JUDGE_OK) {
        judge_usage_return(js->service.usage, &usage);
    }
}


ngx_int_t
ngx_http_judge_init_process(ngx_cycle_t *cycle)
{
    ngx_uint_t                   i;
    ngx_http_judge_service_t    *js, **services;
    ngx_http_judge_main_conf_t  *jmcf;

    jmcf = ngx_http_judge_configured(cycle);
    if (jmcf == NULL) {
        return NGX_OK;
    }

    if (jmcf->tuning) {
        ngx_http_judge_malloc();
        ngx_http_judge_compute_as_batch();
    }

    services = jmcf->services.elts;

    for (i = 0; i < jmcf->services.nelts; i++) {
        js = services[i];

        ngx_queue_init(&js->calls);
        ngx_queue_init(&js->unread);
        js->slot = NGX_HTTP_JUDGE_SLOTS;
        js->tick.handler = ngx_http_judge_tick;
        js->tick.data = js;
        js->tick.log = cycle->log;

        ngx_http_judge_open(js);
        ngx_add_timer(&js->tick, JUDGE_BACKGROUND_TICK);
    }

    return NGX_OK;
}


/* nginx has ended the thread pool before: no task runs. */

void
ngx_http_judge_exit_process(ngx_cycle_t *cycle)
{
    ngx_uint_t                   i;
    ngx_http_judge_service_t   **services;
    ngx_http_judge_main_conf_t  *jmcf;

    jmcf = ngx_http_judge_configured(cycle);
    if (jmcf == NULL) {
        return;
    }

    services = jmcf->services.elts;

    for (i = 0; i < jmcf->services.nelts; i++) {
        if (services[i]->open) {
            ngx_http_judge_leave(services[i]);
            ngx_http_judge_zone_leave(services[i]->zone, services[i]->slot);
            ngx_http_judge_shut(services[i]);
        }
    }
}
