/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A worker without work skips most of each tick: it looks only for
 * notifications, dead workers, a moved store and memory to free.  It runs no
 * statement, but in a fleet a node's first worker reads once a second when the
 * earliest row of a queue is due.  What ends this is a request, a commit, or
 * the time at which that row is due.  A commit of this node is known by the
 * zone and by a datagram, one of another node by its notification, and one of
 * another process, such as the command-line tool, by inotify(7), which watches
 * the log of the store only while the worker is idle: a busy one compares
 * versions anyway.
 */


#include <ngx_config.h>

#if (NGX_LINUX)
#include <sys/inotify.h>
#endif

#include "ngx/ngx_http_judge_executor.h"
#include "ngx/ngx_http_judge_idle.h"
#include "ngx/ngx_http_judge_outbound.h"
#include "ngx/ngx_http_judge_zone.h"
#include "store/store_open.h"
#include "store/store_queue.h"
#include "work/service/background.h"
#include "work/service/metrics.h"


#define NGX_HTTP_JUDGE_IDLE_AFTER   600    /* ms without work: longer than the
                                              250 between reads of a queue */
#define NGX_HTTP_JUDGE_IDLE_WORK    1000   /* ms between two ticks from then */
#define NGX_HTTP_JUDGE_IDLE_WHOLLY  3000   /* ms without work after which ticks
                                              are skipped: counts in shared
                                              memory are stored in 2000 */
#define NGX_HTTP_JUDGE_IDLE_TICK    60000  /* ms between two ticks then, for
                                              rare sweeps */
#define NGX_HTTP_JUDGE_IDLE_LOOK    200    /* ms between two comparisons of the
                                              store's version */
#define NGX_HTTP_JUDGE_IDLE_WATCHED 2000   /* with notifications */


#if (NGX_LINUX)

static void
ngx_http_judge_idle_watched(ngx_event_t *ev)
{
    u_char                     buf[1024];
    ngx_connection_t          *c = ev->data;
    ngx_http_judge_service_t  *js = c->data;

    while (read(c->fd, buf, sizeof(buf)) > 0) { /* void */ }

    js->watching = 0;
    ngx_http_judge_idle_end(js);
}

#endif


/* Without inotify the worker compares the store's version more often. */

void
ngx_http_judge_idle_open(ngx_http_judge_service_t *js)
{
#if (NGX_LINUX)
    int          fd;
    const char  *log;

    log = judge_store_driver(ngx_http_judge_str(js->store))->log_file;
    fd = log ? inotify_init1(IN_NONBLOCK|IN_CLOEXEC) : -1;
    if (fd == -1) {
        return;
    }

    js->log_path = ngx_alloc(js->store.len + ngx_strlen(log) + 2,
                             js->tick.log);
    if (js->log_path == NULL) {
        (void) close(fd);
        return;
    }

    *ngx_sprintf(js->log_path, "%V/%s", &js->store, log) = '\0';
    js->watch = ngx_http_judge_watch(js, fd, ngx_http_judge_idle_watched);
#endif
}


void
ngx_http_judge_idle_close(ngx_http_judge_service_t *js)
{
    if (js->watch) {
        ngx_close_connection(js->watch);
        js->watch = NULL;
    }

    if (js->log_path) {
        ngx_free(js->log_path);
        js->log_path = NULL;
    }

    js->watching = 0;
}


/* Whether the next commit of another process will be notified. */

static bool
ngx_http_judge_idle_watch(ngx_http_judge_service_t *js)
{
#if (NGX_LINUX)
    if (js->watch && !js->watching) {
        js->watching = inotify_add_watch(js->watch->fd,
                                         (char *) js->log_path,
                                         IN_MODIFY|IN_ONESHOT) != -1;
    }
#endif

    return js->watching || js->settings.fleet;
}


/* Whether the store is unchanged since the last call.  Commits of another node
 * to a database are known by its notifications. */

static bool
ngx_http_judge_unchanged(ngx_http_judge_service_t *js)
{
    bool                  known, same;
    judge_data_version_t  version;

    known = ngx_http_judge_executor_version(js->executor, &version);

    if (js->settings.fleet) {
        version.words[0] = judge_metrics_get(js->service.metrics,
                                          JUDGE_METRIC_NOTES_RECEIVED);
        known = true;
    }

    same = known
           && ngx_memcmp(&version, &js->store_version, sizeof(version)) == 0;
    js->store_version = version;

    return same;
}


static void
ngx_http_judge_idle_due(judge_op_t *op)
{
    ngx_http_judge_service_t  *js = op->data;

    /* 1 is long past: an unknown time counts as due */
    js->due_at = op->rc == JUDGE_OK ? ((judge_queue_due_t *) op)->due : 1;
    js->asking = 0;
    judge_service_op_free(op);
}


/* Reads when the earliest row of any queue is due. */

static void
ngx_http_judge_idle_ask(ngx_http_judge_service_t *js)
{
    judge_queue_due_t  *due;

    due = judge_service_op(sizeof(judge_queue_due_t), JUDGE_OP_QUEUE_DUE,
                           ngx_http_judge_idle_due, js);
    if (due == NULL) {
        return;
    }

    js->asked_at = ngx_current_msec;
    due->evaluates = js->settings.evaluates;
    js->due_known = 1;
    js->asking = 1;
    judge_submit(&js->service, &due->op);
}


/* Returns how long a worker without work can wait for its next tick; 0: it
 * can't.  A node's first worker reads the database once a second, because the
 * command-line tool sends no notifications. */

static ngx_msec_t
ngx_http_judge_idle_wholly(ngx_http_judge_service_t *js)
{
    judge_ms_t  wait;

    if (js->settings.fleet && ngx_http_judge_listens(js) && !js->asking
        && ngx_current_msec - js->asked_at >= NGX_HTTP_JUDGE_IDLE_WORK)
    {
        js->due_known = 0;
    }

    if (!js->due_known) {
        ngx_http_judge_idle_ask(js);
    }

    if (js->asking) {
        return JUDGE_BACKGROUND_TICK;
    }

    wait = ngx_http_judge_idle_watch(js) ? NGX_HTTP_JUDGE_IDLE_WATCHED
                                         : NGX_HTTP_JUDGE_IDLE_LOOK;

    /* A commit may have come before it was watched. */
    if (!js->due_known || !ngx_http_judge_unchanged(js)
        || ngx_current_msec - js->ticked_at >= NGX_HTTP_JUDGE_IDLE_TICK)
    {
        return 0;
    }

    if (js->due_at && js->due_at - judge_now(&js->service) < wait) {
        wait = js->due_at - judge_now(&js->service);
    }

    js->idle = wait > 0;
    js->tick.cancelable = js->idle;

    return (ngx_msec_t) ngx_max(wait, 0);
}


ngx_msec_t
ngx_http_judge_idle(ngx_http_judge_service_t *js)
{
    bool  active;

    js->idle = 0;
    active = !ngx_http_judge_unchanged(js) || ngx_exiting || js->requests
             || js->begun != js->begun_before
             || ngx_http_judge_executor_lost(js->executor)
             || ngx_http_judge_calls_busy(js)
             || judge_background_busy(&js->service)
             || (ngx_http_judge_executor_busy(js->executor) && !js->asking);
    js->begun_before = js->begun;

    if (active) {
        ngx_http_judge_idle_not(js);
        return 0;
    }

    if (ngx_current_msec - js->active_at < NGX_HTTP_JUDGE_IDLE_AFTER) {
        return 0;
    }

    if (ngx_current_msec - js->ticked_at < NGX_HTTP_JUDGE_IDLE_WORK) {
        return NGX_HTTP_JUDGE_IDLE_LOOK;
    }

    return ngx_current_msec - js->active_at < NGX_HTTP_JUDGE_IDLE_WHOLLY
           ? 0 : ngx_http_judge_idle_wholly(js);
}
