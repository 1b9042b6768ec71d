/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A lane has a queue, to which the event loop pushes, and a thread task,
 * which runs all of the queue as a group.  The thread acquires the write lock
 * before it reads the queue, so that operations that are pushed while it waits
 * join the group.  The next group starts before the last one is answered.
 */


#include <ngx_config.h>

#include <stdatomic.h>
#include <ngx_thread_pool.h>

#include "ngx/ngx_http_judge_executor.h"
#include "ngx/ngx_http_judge_idle.h"
#include "ngx/ngx_http_judge_zone.h"
#include "store/store_open.h"
#include "work/evaluation/waiters.h"
#include "work/render/event_json.h"


#define NGX_HTTP_JUDGE_WAIT_TRIES  30      /* attempts to open the store, one a
                                              second, while another worker
                                              still has the lost one open */
#define NGX_HTTP_JUDGE_QUEUE_MAX  32768    /* operations in a lane's queue */
#define NGX_HTTP_JUDGE_SILENCE    10000    /* ms without an answer of a server,
                                              until operations are refused */


typedef struct {
    ngx_http_judge_executor_t  *executor;
    judge_runner_t             *db;
    ngx_thread_task_t           task;
    _Atomic(judge_op_t *)       queue;     /* newest first */
    judge_op_t                 *group;     /* running, then finished */
    judge_op_t                 *rest;      /* left for the next group */
    ngx_uint_t                  pending;
    ngx_msec_t                  started_at; /* when its task was posted */
    bool                        running;
    bool                        writes;
    bool                        changed;   /* waiting requests may go on */
} ngx_http_judge_lane_t;

/* The connections of an executor; the last is used by remote stores only. */
#define NGX_HTTP_JUDGE_CONNECTIONS(x)                                         \
    { &(x)->reader, &(x)->bulk.db, &(x)->write.db, &(x)->checkpointer,        \
      &(x)->quick.db }

struct ngx_http_judge_executor {
    ngx_http_judge_shared_t    *shared;
    ngx_http_judge_service_t   *js;
    judge_metrics_t            *metrics;
    judge_service_t            *service;
    ngx_thread_pool_t          *threads;
    ngx_log_t                  *log;
    judge_runner_t             *reader;    /* for reads on the event loop */
    ngx_event_t                 pass;      /* ends the loop's snapshot */
    judge_data_version_t        version;   /* store's, when it began */
    uint64_t                    nconnects; /* how often it was connected */
    bool                        has_snapshot;
    bool                        remote;    /* the store is on a server */
    ngx_http_judge_lane_t       quick;     /* for short reads, if remote */
    ngx_http_judge_lane_t       bulk;
    ngx_http_judge_lane_t       write;
    judge_runner_t             *checkpointer; /* for checkpoints */
    ngx_thread_task_t           checkpoint;
    int                         logged;    /* pages of the log when posted;
                                              the checkpoint reads it */
    bool                        checkpointing;
    ngx_uint_t                  computing;
    atomic_bool                 lost;      /* operations are refused: not yet
                                              connected, or the database was
                                              moved */
    _Atomic uint64_t            losses_at_open;      /* of the zone */
    ngx_uint_t                  attempts;  /* those that another worker
                                              prevented */
    int64_t                     size;      /* of the database, in bytes */
    ngx_thread_task_t           check;     /* checks whether it was moved */
    bool                        checking;
};


static void ngx_http_judge_lane_thread(void *data, ngx_log_t *log);
static void ngx_http_judge_lane_done(ngx_event_t *ev);


static void
ngx_http_judge_snapshot_end(ngx_http_judge_executor_t *x)
{
    if (x->has_snapshot) {
        judge_runner_end(x->reader);
        x->has_snapshot = false;
    }
}


static void
ngx_http_judge_pass_end(ngx_event_t *ev)
{
    ngx_http_judge_snapshot_end(ev->data);
}


ngx_http_judge_executor_t *
ngx_http_judge_executor_create(ngx_http_judge_service_t *js, ngx_log_t *log)
{
    ngx_str_t                   name = ngx_string("default");
    ngx_http_judge_executor_t  *x;

    x = ngx_calloc(sizeof(ngx_http_judge_executor_t), log);
    if (x == NULL) {
        return NULL;
    }

    x->log = log;
    x->js = js;
    x->shared = js->zone->data;
    x->metrics = js->service.metrics;
    x->service = &js->service;
    x->threads = ngx_thread_pool_get((ngx_cycle_t *) ngx_cycle, &name);

    if (x->threads == NULL) {
        ngx_free(x);
        return NULL;
    }

    atomic_init(&x->lost, true);

    x->pass.handler = ngx_http_judge_pass_end;
    x->pass.data = x;
    x->pass.log = log;

    x->write.writes = true;
    x->write.executor = x;
    x->bulk.executor = x;
    x->quick.executor = x;
    x->remote = judge_store_remote(ngx_http_judge_str(js->store));

    return x;
}


static void
ngx_http_judge_connections_close(ngx_http_judge_executor_t *x)
{
    size_t            i;
    judge_runner_t  **db[] = NGX_HTTP_JUDGE_CONNECTIONS(x);

    ngx_http_judge_snapshot_end(x);

    for (i = 0; i < sizeof(db) / sizeof(db[0]); i++) {
        judge_runner_close(*db[i]);
        *db[i] = NULL;
    }
}


void
ngx_http_judge_executor_disconnect(ngx_http_judge_executor_t *x)
{
    size_t    slot = x->service->worker;
    uint64_t  losses;

    losses = atomic_load(&x->shared->losses);
    ngx_http_judge_connections_close(x);

    if (slot < NGX_HTTP_JUDGE_SLOTS) {
        x->shared->slots[slot].closed = (ngx_atomic_uint_t) losses;
    }
}


/* All workers must close the database before one opens it again, or some would
 * use a log that was removed, and others a new one.  A worker that hangs is
 * waited for at most NGX_HTTP_JUDGE_WAIT_TRIES times. */

bool
ngx_http_judge_executor_connect(ngx_http_judge_executor_t *x)
{
    bool              open;
    size_t            i;
    uint64_t          losses;
    judge_str_t       directory, error, rights;
    judge_arena_t    *arena;
    judge_runner_t  **db[] = NGX_HTTP_JUDGE_CONNECTIONS(x);
    size_t            n = sizeof(db) / sizeof(db[0]) - !x->remote;

    losses = atomic_load(&x->shared->losses);
    ngx_http_judge_executor_disconnect(x);

    if (!ngx_http_judge_zone_all_closed(x->shared, losses)
        && x->attempts++ < NGX_HTTP_JUDGE_WAIT_TRIES)
    {
        return false;
    }

    arena = judge_arena_create(4096);
    if (arena == NULL) {
        return false;
    }

    x->attempts = 0;
    atomic_store(&x->losses_at_open, losses);

    directory = ngx_http_judge_str(x->js->store);
    error = JUDGE_STR("out of memory");
    open = judge_store_migrate(arena, directory, &error) == JUDGE_OK;

    for (i = 0; open && i < n; i++) {
        *db[i] = judge_store_open(arena, directory, db[i] == &x->write.db,
                                  &error);
        open = *db[i] != NULL
               && judge_runner_keep(*db[i], x->service->settings.pages / n)
                  == JUDGE_OK;
    }

    if (open) {
        judge_runner_render(x->write.db, judge_event_render,
                            x->service->settings.export_timeout != 0);
    } else {
        atomic_store(&x->service->store_error,
                     judge_store_diagnose(arena, directory, &rights));
        ngx_log_error(NGX_LOG_EMERG, x->log, 0, "judge_store: %*s%s%*s",
                      error.len, error.data, rights.len ? "; " : "",
                      rights.len, rights.data);
    }

    judge_arena_destroy(arena);

    if (open && judge_runner_size(x->write.db) < x->size) {
        atomic_store(&x->service->store_error,
                     "the store is shorter than it was");
        ngx_log_error(NGX_LOG_EMERG, x->log, 0, "judge_store: the database is"
                      " shorter than it was; put a whole one in its place");
        return false;
    }

    return open;
}


void
ngx_http_judge_executor_close(ngx_http_judge_executor_t *x)
{
    if (x == NULL) {
        return;
    }

    ngx_http_judge_connections_close(x);
    ngx_free(x);
}


static void
ngx_http_judge_mark_lost(ngx_http_judge_executor_t *x)
{
    if (!atomic_exchange(&x->lost, true)) {
        atomic_store(&x->service->store_error,
                     "the store is not in its place");
        ngx_log_error(NGX_LOG_ERR, x->log, 0, "judge: the database was moved,"
                      " replaced, cut or removed: nothing is read or written"
                      " until it is back");
    }
}


/* A loss that one worker finds is counted in the zone, for all of them. */

bool
ngx_http_judge_executor_lost(ngx_http_judge_executor_t *x)
{
    if (atomic_load(&x->losses_at_open) != atomic_load(&x->shared->losses)) {
        ngx_http_judge_mark_lost(x);
    }

    return atomic_load(&x->lost);
}


void
ngx_http_judge_executor_found(ngx_http_judge_executor_t *x)
{
    x->nconnects++;
    atomic_store(&x->service->store_error, NULL);
    atomic_store(&x->lost, false);
}


/* This is checked before each group, because a commit to a file that was moved
 * is lost, and every second, because there may be no group. */

static bool
ngx_http_judge_moved(ngx_http_judge_executor_t *x, judge_runner_t *db)
{
    uint64_t  known;

    if (ngx_http_judge_executor_lost(x)) {
        return true;
    }

    if (!judge_runner_moved(db)) {
        return false;
    }

    /* Counts the loss once, however many workers find it. */
    known = atomic_load(&x->losses_at_open);
    (void) atomic_compare_exchange_strong(&x->shared->losses, &known,
                                          known + 1);
    ngx_http_judge_mark_lost(x);

    return true;
}


static void
ngx_http_judge_check_thread(void *data, ngx_log_t *log)
{
    ngx_http_judge_executor_t  *x = data;

    (void) ngx_http_judge_moved(x, x->checkpointer);
}


static void
ngx_http_judge_check_done(ngx_event_t *ev)
{
    ngx_http_judge_executor_t  *x = ev->data;

    x->checking = false;
    x->size = judge_runner_size(x->checkpointer);
}


/* Uses the checkpoints' connection, for which no operation waits. */

void
ngx_http_judge_executor_check(ngx_http_judge_executor_t *x)
{
    if (!x->checking && !x->checkpointing && !ngx_http_judge_executor_lost(x))
    {
        x->checking = ngx_http_judge_executor_post(x, &x->check, x,
                         ngx_http_judge_check_thread,
                         ngx_http_judge_check_done)
                     == NGX_OK;
    }
}


/* The caller must have the lock of commits.  Returns whether waiting requests
 * may go on; those of the other workers have been woken. */

static bool
ngx_http_judge_committed(ngx_http_judge_executor_t *x)
{
    atomic_fetch_add_explicit(&x->shared->commits, 1, memory_order_release);
    judge_metrics_add(x->metrics, JUDGE_METRIC_COMMITS, 1);

    if (!judge_progress_committed(x->service, x->write.db)) {
        return false;
    }

    ngx_http_judge_wake(x->js);

    return true;
}


void
ngx_http_judge_executor_run(void *executor, judge_op_t *op)
{
    ngx_http_judge_executor_t  *x = executor;

    op->next = NULL;
    op->rc = JUDGE_BUSY;

    if (ngx_http_judge_zone_lock(x->shared)) {
        if (!judge_runner_moved(x->write.db)) {
            judge_runner_group(x->write.db, op);
            (void) ngx_http_judge_committed(x);
        }
        ngx_http_judge_zone_unlock(x->shared);
    }
}


bool
ngx_http_judge_executor_busy(ngx_http_judge_executor_t *x)
{
    return x->write.pending || x->bulk.pending || x->quick.pending
           || x->computing || x->checkpointing || x->checking
           || x->has_snapshot;
}


void
ngx_http_judge_executor_shrink(ngx_http_judge_executor_t *x)
{
    size_t            i;
    judge_runner_t  **db[] = NGX_HTTP_JUDGE_CONNECTIONS(x);

    if (ngx_http_judge_executor_lost(x)) {
        return;
    }

    for (i = 0; i < sizeof(db) / sizeof(db[0]) - !x->remote; i++) {
        judge_runner_shrink(*db[i]);
    }
}


void
ngx_http_judge_executor_count(ngx_http_judge_executor_t *x)
{
    size_t            i, bytes = 0;
    judge_runner_t  **db[] = NGX_HTTP_JUDGE_CONNECTIONS(x);

    if (ngx_http_judge_executor_lost(x)) {
        return;
    }

    for (i = 0; i < sizeof(db) / sizeof(db[0]) - !x->remote; i++) {
        bytes += judge_runner_kept(*db[i]);
    }

    judge_metrics_set_cache(x->service, JUDGE_CACHE_PAGES,
                            bytes / JUDGE_DRIVER_PAGE, bytes);
}


/* --- Store operations ---------------------------------------------------- */

/* Removes all waiting operations from the queue, oldest first.  Reads follow
 * those that the last group left, and organizations alternate. */

static judge_op_t *
ngx_http_judge_lane_take(ngx_http_judge_lane_t *lane)
{
    judge_op_t  *op, *next, *first, **last;

    op = atomic_exchange_explicit(&lane->queue, NULL, memory_order_acquire);

    for (first = NULL; op; op = next) {
        next = op->next;
        op->next = first;
        first = op;
    }

    if (lane->writes) {
        return first;
    }

    for (last = &lane->rest; *last; last = &(*last)->next) { /* void */ }

    *last = first;
    first = judge_runner_in_turn(lane->rest);
    lane->rest = NULL;

    return first;
}


static void
ngx_http_judge_refuse(judge_op_t *ops)
{
    for ( /* void */ ; ops; ops = ops->next) {
        ops->rc = JUDGE_BUSY;
    }
}


static ngx_uint_t
ngx_http_judge_count(const judge_op_t *ops)
{
    ngx_uint_t  n;

    for (n = 0; ops; ops = ops->next) {
        n++;
    }

    return n;
}


static void
ngx_http_judge_lane_answer(judge_op_t *ops)
{
    judge_op_t  *op, *next;

    for (op = ops; op; op = next) {
        next = op->next;               /* done() may free it */
        op->done(op);
    }
}


static void
ngx_http_judge_lane_start(ngx_http_judge_lane_t *lane)
{
    judge_op_t  *ops;

    lane->running = true;
    lane->started_at = ngx_current_msec;
    if (ngx_http_judge_executor_post(lane->executor, &lane->task, lane,
                                     ngx_http_judge_lane_thread,
                                     ngx_http_judge_lane_done)
        == NGX_OK)
    {
        return;
    }

    lane->running = false;

    while ((ops = ngx_http_judge_lane_take(lane))) {
        ngx_http_judge_refuse(ops);
        lane->pending -= ngx_http_judge_count(ops);
        ngx_http_judge_lane_answer(ops);
    }
}


static void
ngx_http_judge_lane_push(ngx_http_judge_lane_t *lane, judge_op_t *op)
{
    if (lane->pending >= NGX_HTTP_JUDGE_QUEUE_MAX
        || (lane->executor->remote && lane->running
            && ngx_current_msec - lane->started_at > NGX_HTTP_JUDGE_SILENCE))
    {
        op->rc = JUDGE_BUSY;
        op->done(op);
        return;
    }

    lane->pending++;
    op->next = atomic_load_explicit(&lane->queue, memory_order_relaxed);

    while (!atomic_compare_exchange_weak_explicit(&lane->queue, &op->next, op,
                                                  memory_order_release,
                                                  memory_order_relaxed))
    {
        /* void */
    }

    if (!lane->running) {
        ngx_http_judge_lane_start(lane);
    }
}


/* The engine's version, to which the connection and commits are added.  Where
 * the engine has none, the first words are zero. */

bool
ngx_http_judge_executor_version(void *data, judge_data_version_t *version)
{
    ngx_http_judge_executor_t  *x = data;

    ngx_memzero(version, sizeof(judge_data_version_t));
    version->words[6] = x->nconnects;
    version->words[7] = atomic_load_explicit(&x->shared->commits,
                                             memory_order_acquire);

    return !ngx_http_judge_executor_lost(x)
           && judge_runner_version(x->reader, version->words);
}


/* All reads in a pass of the event loop share a snapshot, unless any process
 * has committed since: a client whose write was answered must find it. */

static void
ngx_http_judge_read(ngx_http_judge_executor_t *x, judge_op_t *op)
{
    judge_data_version_t  version;

    (void) ngx_http_judge_executor_version(x, &version);

    if (ngx_memcmp(&x->version, &version, sizeof(version)) != 0) {
        ngx_http_judge_snapshot_end(x);
    }

    if (!x->has_snapshot) {
        x->version = version;
        op->rc = judge_runner_begin(x->reader);
        if (op->rc != JUDGE_OK) {
            return;
        }

        x->has_snapshot = true;
        if (!x->pass.posted) {
            ngx_post_event(&x->pass, &ngx_posted_events);
        }
    }

    (void) judge_runner_read(x->reader, op);
    x->has_snapshot = judge_runner_has_snapshot(x->reader);

    if (op->rc == JUDGE_ERROR || op->rc == JUDGE_BUSY) {
        ngx_http_judge_op_log(x->reader, op, x->log);
    }
}


void
ngx_http_judge_executor_submit(void *data, judge_op_t *op)
{
    judge_op_place_e            place;
    ngx_http_judge_executor_t  *x = data;

    place = judge_op_place(op->kind);

    if (ngx_http_judge_executor_lost(x)) {
        op->rc = JUDGE_BUSY;
        op->done(op);

    } else if (place == JUDGE_OP_INLINE && x->remote) {
        ngx_http_judge_lane_push(&x->quick, op);

    } else if (place == JUDGE_OP_INLINE) {
        ngx_http_judge_read(x, op);
        op->done(op);

    } else {
        ngx_http_judge_lane_push(place == JUDGE_OP_BULK ? &x->bulk : &x->write,
                                 op);
    }
}


static void
ngx_http_judge_group(ngx_http_judge_lane_t *lane, ngx_log_t *log)
{
    judge_op_t  *op;

    if (lane->group == NULL) {
        return;
    }

    if (ngx_http_judge_moved(lane->executor, lane->db)) {
        ngx_http_judge_refuse(lane->group);
        return;
    }

    judge_runner_group(lane->db, lane->group);
    lane->changed = ngx_http_judge_committed(lane->executor);
    judge_metrics_add(lane->executor->metrics, JUDGE_METRIC_WRITES,
                      ngx_http_judge_count(lane->group));

    for (op = lane->group; op; op = op->next) {
        if (op->rc == JUDGE_ERROR || op->rc == JUDGE_BUSY) {
            atomic_store(&lane->executor->service->store_error,
                         judge_runner_error(lane->db));
            ngx_http_judge_op_log(lane->db, op, log);
            return;
        }
    }

    atomic_store(&lane->executor->service->store_error, NULL);
}


static void
ngx_http_judge_lane_thread(void *data, ngx_log_t *log)
{
    ngx_http_judge_lane_t  *lane = data;

    if (!lane->writes) {
        lane->group = ngx_http_judge_lane_take(lane);
        lane->rest = judge_runner_reads(lane->db, lane->group);
        return;
    }

    if (!ngx_http_judge_zone_lock(lane->executor->shared)) {
        ngx_log_error(NGX_LOG_ALERT, log, 0,
                      "judge: the lock of the store is out of order");
        lane->group = ngx_http_judge_lane_take(lane);
        ngx_http_judge_refuse(lane->group);
        return;
    }

    lane->group = ngx_http_judge_lane_take(lane);
    ngx_http_judge_group(lane, log);
    ngx_http_judge_zone_unlock(lane->executor->shared);
}


static void
ngx_http_judge_lane_measure(ngx_http_judge_lane_t *lane, const judge_op_t *ops)
{
    judge_ms_t                  now;
    ngx_http_judge_executor_t  *x = lane->executor;

    for (now = judge_now(x->service); ops; ops = ops->next) {
        judge_metrics_took(x->metrics, lane->writes ? JUDGE_TIME_WRITE
                                                    : JUDGE_TIME_READ,
                           now - ops->submitted_at);
    }
}


static void
ngx_http_judge_checkpoint_thread(void *data, ngx_log_t *log)
{
    ngx_http_judge_executor_t  *x = data;

    judge_runner_checkpoint(x->checkpointer, x->logged);
}


static void
ngx_http_judge_checkpoint_done(ngx_event_t *ev)
{
    ngx_http_judge_executor_t  *x = ev->data;

    x->checkpointing = false;
}


/* Runs on the event loop.  After writes a checkpoint may be due, which runs on
 * a connection of its own, concurrently with the groups. */

static void
ngx_http_judge_lane_done(ngx_event_t *ev)
{
    int                         logged;
    bool                        changed;
    judge_op_t                 *finished;
    ngx_http_judge_lane_t      *lane = ev->data;
    ngx_http_judge_executor_t  *x = lane->executor;

    changed = lane->changed;
    lane->changed = false;
    finished = lane->group;
    lane->group = NULL;
    lane->running = false;
    lane->pending -= ngx_http_judge_count(finished);

    if (lane->writes) {
        logged = judge_runner_log(x->write.db);

        if (!x->checkpointing && !x->checking
            && judge_runner_due(x->checkpointer, logged))
        {
            x->logged = logged;
            x->checkpointing = ngx_http_judge_executor_post(x, &x->checkpoint,
                             x, ngx_http_judge_checkpoint_thread,
                             ngx_http_judge_checkpoint_done)
                         == NGX_OK;
        }
    }

    if (lane->pending) {
        ngx_http_judge_lane_start(lane);
    }

    ngx_http_judge_lane_measure(lane, finished);
    ngx_http_judge_lane_answer(finished);

    if (changed) {
        judge_waiters_tick(x->service);
    }

    if (lane->writes) {
        ngx_http_judge_listen_notify(x->js);
        ngx_http_judge_idle_end(x->js);
    }
}


/* --- Threads ------------------------------------------------------------- */

ngx_int_t
ngx_http_judge_executor_post(ngx_http_judge_executor_t *x,
    ngx_thread_task_t *task, void *data,
    void (*run)(void *data, ngx_log_t *log), ngx_event_handler_pt done)
{
    task->ctx = data;
    task->handler = run;
    task->event.handler = done;
    task->event.data = data;
    task->event.log = x->log;

    return ngx_thread_task_post(x->threads, task);
}


void
ngx_http_judge_executor_computing(ngx_http_judge_executor_t *x, ngx_int_t n)
{
    x->computing += n;
}
