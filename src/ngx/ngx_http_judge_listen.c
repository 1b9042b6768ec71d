/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Nodes that share a store notify each other of changed counters in shared
 * memory, which waiting requests compare.  A node's first worker sends and
 * receives.  A text has `k` if API keys have changed, and four hexadecimal
 * digits for each changed counter, or `*` for all; an empty text means a
 * commit.  While a node can't listen, it wakes all waiting requests once a
 * second.
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_idle.h"
#include "ngx/ngx_http_judge_zone.h"
#include "store/store_open.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"


#define NGX_HTTP_JUDGE_NOTIFY_EVERY  20    /* ms between notifications; changes
                                              until then wait for the tick */
#define NGX_HTTP_JUDGE_NOTIFY_MOST   1000  /* counters in a text; if more have
                                              changed, it has `*` */
#define NGX_HTTP_JUDGE_ALL         "k*"
#define NGX_HTTP_JUDGE_CLOCK_SKEW    5000  /* ms that clocks may differ */
#define NGX_HTTP_JUDGE_WARN_EVERY  60000

#define NGX_HTTP_JUDGE_COUNTERS    (JUDGE_METRICS_CHANGES                     \
                                    + JUDGE_METRICS_JUDGES)

_Static_assert(NGX_HTTP_JUDGE_COUNTERS <= 0x10000, "four digits");

struct ngx_http_judge_nodes {
    const judge_driver_t  *driver;
    judge_listener_t      *listener;       /* NULL: not connected */
    judge_listener_t      *opened;         /* result of `connecting` */
    ngx_connection_t      *connection;     /* NULL: the tick polls */
    judge_task_t           connecting;
    ngx_msec_t             tried_at;
    ngx_msec_t             notified_at;
    ngx_msec_t             warned_at;      /* 0: never */
    bool                   busy;           /* `connecting` runs */
    bool                   failed;         /* a failure was logged */
    bool                   received;       /* a notification was received */
    bool                   unsent;         /* `text` must be sent */
    uint64_t               commits;        /* counters that others know */
    uint64_t               keys;
    uint64_t               known[NGX_HTTP_JUDGE_COUNTERS];
    char                   text[1 + 4 * NGX_HTTP_JUDGE_NOTIFY_MOST + 1];
};


bool
ngx_http_judge_listens(ngx_http_judge_service_t *js)
{
    ngx_uint_t                i;
    ngx_http_judge_shared_t  *shared = js->zone->data;

    for (i = 0; i < shared->used && shared->slots[i].pid == 0; i++) {
        /* void */
    }

    return i == js->slot;
}


static void
ngx_http_judge_listen_stop(ngx_http_judge_nodes_t *nodes)
{
    if (nodes->connection) {
        ngx_close_connection(nodes->connection);
        nodes->connection = NULL;
    }

    if (nodes->listener) {
        nodes->driver->unlisten(nodes->listener);
        nodes->listener = NULL;
    }
}


/* Writes the changes to `text`; false: there are none. */

static bool
ngx_http_judge_listen_changes(ngx_http_judge_service_t *js)
{
    char                    *p;
    size_t                   i, n;
    uint64_t                 commits, keys, count;
    judge_metrics_t         *metrics = js->service.metrics;
    ngx_http_judge_nodes_t  *nodes = js->nodes;

    commits = judge_metrics_get(metrics, JUDGE_METRIC_COMMITS);
    keys = judge_metrics_get(metrics, JUDGE_METRIC_KEY_CHANGES);
    p = nodes->text;

    if (keys != nodes->keys) {
        *p++ = 'k';
    }

    for (i = 0, n = 0; i < NGX_HTTP_JUDGE_COUNTERS; i++) {
        count = __atomic_load_n(&metrics->changes[i], __ATOMIC_ACQUIRE);
        if (count == nodes->known[i]) {
            continue;
        }

        nodes->known[i] = count;
        if (n++ < NGX_HTTP_JUDGE_NOTIFY_MOST) {
            p += snprintf(p, 5, "%04zx", i);
        }
    }

    *p = '\0';
    if (n > NGX_HTTP_JUDGE_NOTIFY_MOST) {
        ngx_memcpy(nodes->text, NGX_HTTP_JUDGE_ALL,
                   sizeof(NGX_HTTP_JUDGE_ALL));
    }

    n += (commits != nodes->commits) + (keys != nodes->keys);
    nodes->commits = commits;
    nodes->keys = keys;

    return n != 0;
}


void
ngx_http_judge_listen_notify(ngx_http_judge_service_t *js)
{
    ngx_http_judge_nodes_t  *nodes = js->nodes;

    if (nodes == NULL || nodes->listener == NULL
        || ngx_current_msec - nodes->notified_at < NGX_HTTP_JUDGE_NOTIFY_EVERY)
    {
        return;
    }

    nodes->unsent = nodes->unsent || ngx_http_judge_listen_changes(js);

    if (nodes->unsent && nodes->driver->notify(nodes->listener, nodes->text)) {
        nodes->unsent = false;
        nodes->notified_at = ngx_current_msec;
        judge_metrics_add(js->service.metrics, JUDGE_METRIC_NOTES_SENT, 1);
    }
}


/* Counts changes of another node; they count as known, so that they are not
 * sent back. */

static void
ngx_http_judge_listen_received(void *data, const char *text)
{
    char                       digits[5] = "";
    size_t                     i;
    ngx_http_judge_service_t  *js = data;
    judge_metrics_t           *metrics = js->service.metrics;

    js->nodes->received = true;
    judge_metrics_add(metrics, JUDGE_METRIC_NOTES_RECEIVED, 1);

    if (*text == 'k') {
        judge_metrics_add(metrics, JUDGE_METRIC_KEY_CHANGES_RECEIVED, 1);
        text++;
    }

    for (i = 0; *text == '*' && i < NGX_HTTP_JUDGE_COUNTERS; i++) {
        judge_metrics_changed_at(metrics, i);
        js->nodes->known[i]++;
    }

    for ( /* void */ ; *text != '*' && ngx_strlen(text) >= 4; text += 4) {
        ngx_memcpy(digits, text, 4);
        i = strtoul(digits, NULL, 16) % NGX_HTTP_JUDGE_COUNTERS;
        judge_metrics_changed_at(metrics, i);
        js->nodes->known[i]++;
    }
}


static void
ngx_http_judge_listen_receive(ngx_http_judge_service_t *js)
{
    int64_t                  skew;
    ngx_http_judge_nodes_t  *nodes = js->nodes;

    if (!nodes->driver->receive(nodes->listener,
                                ngx_http_judge_listen_received, js, &skew))
    {
        ngx_http_judge_listen_stop(nodes);
    }

    if (llabs(skew) > NGX_HTTP_JUDGE_CLOCK_SKEW
        && (nodes->warned_at == 0 || ngx_current_msec - nodes->warned_at
                                   >= NGX_HTTP_JUDGE_WARN_EVERY))
    {
        nodes->warned_at = ngx_current_msec;
        ngx_log_error(NGX_LOG_WARN, js->tick.log, 0, "judge: the clock of this"
                      " machine is %L ms ahead of the database's: leases hold"
                      " by the clocks, let NTP set both", skew);
    }

    if (nodes->received) {
        nodes->received = false;
        ngx_http_judge_idle_end(js);
        js->service.wake(js);
        judge_waiters_tick(&js->service);
    }

    ngx_http_judge_listen_notify(js);
}


static void
ngx_http_judge_listen_event(ngx_event_t *ev)
{
    ngx_http_judge_listen_receive(((ngx_connection_t *) ev->data)->data);
}


/* The events are marked as a channel's, because nginx reports other
 * connections that are open when the worker exits as leaks. */

ngx_connection_t *
ngx_http_judge_watch(ngx_http_judge_service_t *js, int fd,
    ngx_event_handler_pt handler)
{
    ngx_connection_t  *c;

    c = ngx_nonblocking(fd) == -1 ? NULL
                                  : ngx_get_connection(fd, js->tick.log);
    if (c == NULL) {
        (void) close(fd);
        return NULL;
    }

    c->data = js;
    c->read->log = js->tick.log;
    c->write->log = js->tick.log;
    c->read->channel = 1;
    c->write->channel = 1;
    c->read->handler = handler;

    if (ngx_add_event(c->read, NGX_READ_EVENT, 0) != NGX_OK) {
        ngx_close_connection(c);
        return NULL;
    }

    return c;
}


static void
ngx_http_judge_listen_connect(judge_task_t *task)
{
    ngx_http_judge_service_t  *js = task->data;

    js->nodes->opened
        = js->nodes->driver->listen(ngx_http_judge_str(js->store));
}


/* Wakes all waiters, because notifications may have been missed before. */

static void
ngx_http_judge_listen_connected(judge_task_t *task)
{
    int                        fd;
    ngx_http_judge_service_t  *js = task->data;
    ngx_http_judge_nodes_t    *nodes = js->nodes;

    nodes->busy = false;
    nodes->listener = nodes->opened;
    nodes->opened = NULL;

    if (nodes->listener == NULL) {
        if (!nodes->failed) {
            ngx_log_error(NGX_LOG_WARN, js->tick.log, 0, "judge: no connection"
                          " for notifications from other nodes: waiting"
                          " requests compare the store once a second until"
                          " there is one");
        }
        nodes->failed = true;
        return;
    }

    nodes->failed = false;

    /* libpq closes its own descriptor: nginx needs a duplicate */
    fd = dup(nodes->driver->socket(nodes->listener));
    nodes->connection = fd == -1 ? NULL : ngx_http_judge_watch(js, fd,
                                            ngx_http_judge_listen_event);

    judge_waiters_all(&js->service);
    (void) ngx_http_judge_listen_changes(js);
    ngx_memcpy(nodes->text, NGX_HTTP_JUDGE_ALL, sizeof(NGX_HTTP_JUDGE_ALL));
    nodes->unsent = true;
    ngx_http_judge_listen_receive(js);
}


void
ngx_http_judge_listen_open(ngx_http_judge_service_t *js)
{
    js->nodes = js->settings.fleet
              ? ngx_calloc(sizeof(ngx_http_judge_nodes_t), js->tick.log)
              : NULL;

    if (js->nodes) {
        js->nodes->driver = judge_store_driver(ngx_http_judge_str(js->store));
    }
}


/* Without a connection all waiters are woken once a second. */

void
ngx_http_judge_listen_tick(ngx_http_judge_service_t *js)
{
    ngx_http_judge_nodes_t  *nodes = js->nodes;

    if (nodes == NULL || nodes->busy) {
        return;
    }

    if (!ngx_http_judge_listens(js)) {
        ngx_http_judge_listen_stop(nodes);

    } else if (nodes->listener) {
        ngx_http_judge_listen_receive(js);

    } else if (!ngx_exiting && ngx_current_msec - nodes->tried_at >= 1000) {
        nodes->tried_at = ngx_current_msec;
        judge_waiters_all(&js->service);
        nodes->busy = nodes->driver->listen != NULL;
        if (!nodes->busy) {
            return;
        }
        judge_service_compute(&js->service, &nodes->connecting,
                              ngx_http_judge_listen_connect,
                              ngx_http_judge_listen_connected, js);
    }
}


void
ngx_http_judge_listen_close(ngx_http_judge_service_t *js)
{
    if (js->nodes) {
        ngx_http_judge_listen_stop(js->nodes);
        ngx_free(js->nodes);
        js->nodes = NULL;
    }
}
