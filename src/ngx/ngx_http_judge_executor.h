/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Runs store operations and computations so that the event loop never waits:
 * short reads at once on a connection of their own, longer reads and group
 * commits each in a lane of the thread pool.
 */


#ifndef NGX_HTTP_JUDGE_EXECUTOR_H
#define NGX_HTTP_JUDGE_EXECUTOR_H


#include "ngx/ngx_http_judge.h"
#include "store/engine/runner.h"


/* Refuses everything until it is connected; NULL with the reason in the
 * log. */
ngx_http_judge_executor_t *ngx_http_judge_executor_create(
    ngx_http_judge_service_t *js, ngx_log_t *log);
void ngx_http_judge_executor_close(ngx_http_judge_executor_t *x);

/*
 * Opens the connections of this worker again; while nothing is under way, in
 * any thread.  It goes on refusing until found().  Once the database was moved
 * away it has lost the store and refuses again.
 */
bool ngx_http_judge_executor_connect(ngx_http_judge_executor_t *x,
    ngx_http_judge_service_t *js);
void ngx_http_judge_executor_found(ngx_http_judge_executor_t *x);
bool ngx_http_judge_executor_lost(ngx_http_judge_executor_t *x);
void ngx_http_judge_executor_disconnect(ngx_http_judge_executor_t *x);

/* Looks in a thread whether it is still in its place. */
void ngx_http_judge_executor_look(ngx_http_judge_executor_t *x);

/* Runs a write at once, in the calling thread: before found(), and when no
 * thread works any more. */
void ngx_http_judge_executor_run(ngx_http_judge_executor_t *x,
    judge_op_t *op);

/* Runs a task of the caller's own in a thread, then done() on the event loop,
 * with an event whose data is `data`; it keeps the worker alive no longer than
 * its request does. */
ngx_int_t ngx_http_judge_executor_post(ngx_http_judge_executor_t *x,
    ngx_thread_task_t *task, void *data,
    void (*run)(void *data, ngx_log_t *log), ngx_event_handler_pt done);

/* As judge_store_t and judge_service_t want them; data is the executor. */
void ngx_http_judge_executor_submit(void *data, judge_op_t *op);
bool ngx_http_judge_executor_version(void *data, bool read,
    judge_store_seen_t *version);
void ngx_http_judge_compute(void *data, judge_task_t *work);
bool ngx_http_judge_leaving(void);

/* So many more computations are under way, or fewer. */
void ngx_http_judge_executor_computing(ngx_http_judge_executor_t *x,
    ngx_int_t n);
judge_ms_t ngx_http_judge_executor_now(void *data);
void ngx_http_judge_executor_warn(void *data, judge_str_t line);

/* Gives back the memory of the connections, while it is not busy. */
void ngx_http_judge_executor_shrink(ngx_http_judge_executor_t *x);

/* Tells the metrics what they keep. */
void ngx_http_judge_executor_count(ngx_http_judge_executor_t *x);

/* Why an operation has failed, in any thread. */
void ngx_http_judge_op_log(judge_runner_t *db, const judge_op_t *op,
    ngx_log_t *log);

/* Whether anything is under way. */
bool ngx_http_judge_executor_busy(ngx_http_judge_executor_t *x);


#endif /* NGX_HTTP_JUDGE_EXECUTOR_H */
