/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Nodes on one store tell each other what has changed: which of the counters
 * of the zone that waiters look at.  Of each node the first worker listens and
 * tells; a text is `k` if API keys have changed, and four hexadecimal digits
 * for each counter, or `*` for all; an empty one says that something was
 * committed.  While it can't listen, all who wait look once a second.
 */


#include <ngx_config.h>

#include "ngx/ngx_http_judge_zone.h"
#include "store/store_open.h"
#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"


#define NGX_HTTP_JUDGE_TELL_EVERY  20      /* ms, at most so often; what comes
                                              sooner waits for the tick */
#define NGX_HTTP_JUDGE_TELL_MOST   1000    /* counters, else all */
#define NGX_HTTP_JUDGE_ALL         "k*"
#define NGX_HTTP_JUDGE_APART       5000    /* ms that clocks may differ */
#define NGX_HTTP_JUDGE_WARN_EVERY  60000

#define NGX_HTTP_JUDGE_COUNTERS    (JUDGE_METRICS_ENDINGS                     \
                                    + JUDGE_METRICS_JUDGES)

_Static_assert(NGX_HTTP_JUDGE_COUNTERS <= 0x10000, "four digits");

struct ngx_http_judge_ear {
    const judge_driver_t  *driver;
    judge_listener_t      *listener;       /* NULL: not now */
    judge_listener_t      *made;           /* a thread's */
    ngx_connection_t      *connection;     /* NULL: the tick looks */
    judge_task_t           connecting;
    ngx_msec_t             tried_at;
    ngx_msec_t             told_at;
    ngx_msec_t             warned_at;      /* 0: never */
    bool                   busy;           /* it is connecting */
    bool                   failed;         /* the log says so */
    bool                   any;            /* was heard */
    bool                   unsent;         /* the text */
    uint64_t               commits;        /* that others know of, */
    uint64_t               keys;           /* as they do of these */
    uint64_t               known[NGX_HTTP_JUDGE_COUNTERS];
    char                   text[1 + 4 * NGX_HTTP_JUDGE_TELL_MOST + 1];
};


/* The first one there is. */

static bool
ngx_http_judge_listens(ngx_http_judge_service_t *js)
{
    ngx_uint_t              i, n;
    ngx_http_judge_slot_t  *slots;

    slots = ngx_http_judge_zone_slots(js->zone->data, &n);
    for (i = 0; i < n && slots[i].pid == 0; i++) { /* void */ }

    return i == js->slot;
}


static void
ngx_http_judge_listen_stop(ngx_http_judge_ear_t *ear)
{
    if (ear->connection) {
        ngx_close_connection(ear->connection);
        ear->connection = NULL;
    }

    if (ear->listener) {
        ear->driver->ignore(ear->listener);
        ear->listener = NULL;
    }
}


/* Makes the text of it; false: there are none. */

static bool
ngx_http_judge_listen_news(ngx_http_judge_service_t *js)
{
    char                  *p;
    size_t                 i, n;
    uint64_t               commits, keys, now;
    judge_metrics_t       *metrics = js->service.metrics;
    ngx_http_judge_ear_t  *ear = js->ear;

    commits = judge_metrics_get(metrics, JUDGE_METRIC_COMMITS);
    keys = judge_metrics_get(metrics, JUDGE_METRIC_KEY_CHANGES);
    p = ear->text;

    if (keys != ear->keys) {
        *p++ = 'k';
    }

    for (i = 0, n = 0; i < NGX_HTTP_JUDGE_COUNTERS; i++) {
        now = __atomic_load_n(&metrics->endings[i], __ATOMIC_ACQUIRE);
        if (now == ear->known[i]) {
            continue;
        }

        ear->known[i] = now;
        if (n++ < NGX_HTTP_JUDGE_TELL_MOST) {
            p += snprintf(p, 5, "%04zx", i);
        }
    }

    *p = '\0';
    if (n > NGX_HTTP_JUDGE_TELL_MOST) {
        ngx_memcpy(ear->text, NGX_HTTP_JUDGE_ALL, sizeof(NGX_HTTP_JUDGE_ALL));
    }

    n += (commits != ear->commits) + (keys != ear->keys);
    ear->commits = commits;
    ear->keys = keys;

    return n != 0;
}


void
ngx_http_judge_listen_tell(ngx_http_judge_service_t *js)
{
    ngx_http_judge_ear_t  *ear = js->ear;

    if (ear == NULL || ear->listener == NULL
        || ngx_current_msec - ear->told_at < NGX_HTTP_JUDGE_TELL_EVERY)
    {
        return;
    }

    ear->unsent = ear->unsent || ngx_http_judge_listen_news(js);

    if (ear->unsent && ear->driver->tell(ear->listener, ear->text)) {
        ear->unsent = false;
        ear->told_at = ngx_current_msec;
        judge_metrics_add(js->service.metrics, JUDGE_METRIC_NOTES_SENT, 1);
    }
}


/* A change that another node has sent is not sent back. */

static void
ngx_http_judge_listen_heard(void *data, const char *text)
{
    char                       digits[5] = "";
    size_t                     i;
    ngx_http_judge_service_t  *js = data;
    judge_metrics_t           *metrics = js->service.metrics;

    js->ear->any = true;
    judge_metrics_add(metrics, JUDGE_METRIC_NOTES_RECEIVED, 1);

    if (*text == 'k') {
        judge_metrics_add(metrics, JUDGE_METRIC_KEY_CHANGES_HEARD, 1);
        text++;
    }

    for (i = 0; *text == '*' && i < NGX_HTTP_JUDGE_COUNTERS; i++) {
        judge_metrics_changed_at(metrics, i);
        js->ear->known[i]++;
    }

    for ( /* void */ ; *text != '*' && ngx_strlen(text) >= 4; text += 4) {
        ngx_memcpy(digits, text, 4);
        i = strtoul(digits, NULL, 16) % NGX_HTTP_JUDGE_COUNTERS;
        judge_metrics_changed_at(metrics, i);
        js->ear->known[i]++;
    }
}


static void
ngx_http_judge_listen_hear(ngx_http_judge_service_t *js)
{
    int64_t                apart;
    ngx_http_judge_ear_t  *ear = js->ear;

    if (!ear->driver->hear(ear->listener, ngx_http_judge_listen_heard, js,
                           &apart))
    {
        ngx_http_judge_listen_stop(ear);
    }

    if (llabs(apart) > NGX_HTTP_JUDGE_APART
        && (ear->warned_at == 0 || ngx_current_msec - ear->warned_at
                                   >= NGX_HTTP_JUDGE_WARN_EVERY))
    {
        ear->warned_at = ngx_current_msec;
        ngx_log_error(NGX_LOG_WARN, js->tick.log, 0, "judge: the clock of this"
                      " machine is %L ms ahead of the database's: leases hold"
                      " by the clocks, let NTP set both", apart);
    }

    if (ear->any) {
        ear->any = false;
        js->service.wake(js);
        judge_waiters_tick(&js->service);
    }

    ngx_http_judge_listen_tell(js);
}


static void
ngx_http_judge_listen_event(ngx_event_t *ev)
{
    ngx_http_judge_listen_hear(((ngx_connection_t *) ev->data)->data);
}


/* nginx expects such a connection to be open when the worker exits. */

ngx_connection_t *
ngx_http_judge_listen_watch(ngx_http_judge_service_t *js, int fd,
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

    js->ear->made = js->ear->driver->listen(ngx_http_judge_str(js->store));
}


/* Notifications may have been missed meanwhile: all who wait look. */

static void
ngx_http_judge_listen_connected(judge_task_t *task)
{
    int                        fd;
    ngx_http_judge_service_t  *js = task->data;
    ngx_http_judge_ear_t      *ear = js->ear;

    ear->busy = false;
    ear->listener = ear->made;
    ear->made = NULL;

    if (ear->listener == NULL) {
        if (!ear->failed) {
            ngx_log_error(NGX_LOG_WARN, js->tick.log, 0, "judge: other nodes"
                          " are not heard: who waits looks once a second");
        }
        ear->failed = true;
        return;
    }

    ear->failed = false;

    /* libpq closes its own. */
    fd = dup(ear->driver->heed(ear->listener));
    ear->connection = fd == -1 ? NULL : ngx_http_judge_listen_watch(js, fd,
                                            ngx_http_judge_listen_event);

    judge_waiters_all(&js->service);
    (void) ngx_http_judge_listen_news(js);
    ngx_memcpy(ear->text, NGX_HTTP_JUDGE_ALL, sizeof(NGX_HTTP_JUDGE_ALL));
    ear->unsent = true;
    ngx_http_judge_listen_hear(js);
}


void
ngx_http_judge_listen_open(ngx_http_judge_service_t *js)
{
    const judge_driver_t  *driver;

    driver = judge_store_driver(ngx_http_judge_str(js->store));
    js->ear = js->settings.fleet && driver->listen
              ? ngx_calloc(sizeof(ngx_http_judge_ear_t), js->tick.log) : NULL;

    if (js->ear) {
        js->ear->driver = driver;
    }
}


void
ngx_http_judge_listen_tick(ngx_http_judge_service_t *js)
{
    ngx_http_judge_ear_t  *ear = js->ear;

    if (ear == NULL || ear->busy) {
        return;
    }

    if (!ngx_http_judge_listens(js)) {
        ngx_http_judge_listen_stop(ear);

    } else if (ear->listener) {
        ngx_http_judge_listen_hear(js);

    } else if (!ngx_exiting && ngx_current_msec - ear->tried_at >= 1000) {
        ear->tried_at = ngx_current_msec;
        ear->busy = true;
        judge_waiters_all(&js->service);
        judge_service_compute(&js->service, &ear->connecting,
                              ngx_http_judge_listen_connect,
                              ngx_http_judge_listen_connected, js);
    }
}


void
ngx_http_judge_listen_close(ngx_http_judge_service_t *js)
{
    if (js->ear) {
        ngx_http_judge_listen_stop(js->ear);
        ngx_free(js->ear);
        js->ear = NULL;
    }
}
