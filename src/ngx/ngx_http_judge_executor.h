/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Runs store operations and computations, so that the event loop does not
 * wait.  Short reads of a local store run at once on the event loop, on a
 * connection of their own.  Longer reads, all reads of a store on a server,
 * and group commits run in threads, with one queue each (a "lane"). */


#ifndef NGX_HTTP_JUDGE_EXECUTOR_H
#define NGX_HTTP_JUDGE_EXECUTOR_H


#include "ngx/ngx_http_judge.h"
#include "store/engine/runner.h"


/* Creates an executor, which refuses operations until it is connected; NULL:
 * it failed, and the reason was logged. */
ngx_http_judge_executor_t *ngx_http_judge_executor_create(
    ngx_http_judge_service_t *js, ngx_log_t *log);
void ngx_http_judge_executor_close(ngx_http_judge_executor_t *x);

/* _connect() opens the connections of this worker, in any thread, while
 * nothing is under way.  Operations are refused until _found() is called, and
 * again after the database file was moved: then _lost() is true. */
bool ngx_http_judge_executor_connect(ngx_http_judge_executor_t *x);
void ngx_http_judge_executor_found(ngx_http_judge_executor_t *x);
bool ngx_http_judge_executor_lost(ngx_http_judge_executor_t *x);
void ngx_http_judge_executor_disconnect(ngx_http_judge_executor_t *x);

/* Checks in a thread whether the database was moved. */
void ngx_http_judge_executor_check(ngx_http_judge_executor_t *x);

/* Runs a write at once in the calling thread: before _found(), and after the
 * threads have ended.  Sets op->rc, which is JUDGE_BUSY if the database was
 * moved or can't be locked, and does not call op->done(). */
void ngx_http_judge_executor_run(void *executor, judge_op_t *op);

/* Runs a task in a thread, then done() on the event loop, with `data` as the
 * event's data.  The task must be zeroed at first, and live until done().  A
 * posted task does not keep an exiting worker alive.  NGX_OK or NGX_ERROR. */
ngx_int_t ngx_http_judge_executor_post(ngx_http_judge_executor_t *x,
    ngx_thread_task_t *task, void *data,
    void (*run)(void *data, ngx_log_t *log), ngx_event_handler_pt done);

/* Members of judge_store_t and judge_service_t; data is the executor. */
void ngx_http_judge_executor_submit(void *data, judge_op_t *op);
bool ngx_http_judge_executor_version(void *data,
    judge_data_version_t *version);
void ngx_http_judge_compute(void *data, judge_task_t *work);
bool ngx_http_judge_terminating(void);

/* Gives threads of this process the batch scheduling policy while they
 * compute. */
void ngx_http_judge_compute_as_batch(void);

/* Adds to the number of computations under way. */
void ngx_http_judge_executor_computing(ngx_http_judge_executor_t *x,
    ngx_int_t n);

/* Frees memory of the connections; must not be called while busy. */
void ngx_http_judge_executor_shrink(ngx_http_judge_executor_t *x);

/* Sets the size of the cache of pages in the metrics. */
void ngx_http_judge_executor_count(ngx_http_judge_executor_t *x);

/* Logs why an operation has failed, in any thread (op_log.c). */
void ngx_http_judge_op_log(judge_runner_t *db, const judge_op_t *op,
    ngx_log_t *log);

/* Whether anything is under way. */
bool ngx_http_judge_executor_busy(ngx_http_judge_executor_t *x);


#endif /* NGX_HTTP_JUDGE_EXECUTOR_H */
