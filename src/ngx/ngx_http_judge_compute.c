/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Runs computations as tasks of the thread pool. */


#include <ngx_config.h>

#include <pthread.h>
#include <sched.h>

#include "ngx/ngx_http_judge_executor.h"


/* Linux's scheduling policies, which <sched.h> defines for GNU sources
 * only. */
#define NGX_HTTP_JUDGE_USUAL  0            /* SCHED_OTHER */
#define NGX_HTTP_JUDGE_BATCH  3            /* SCHED_BATCH */

/* A computation that is queued or running. */
typedef struct {
    ngx_thread_task_t           task;
    ngx_http_judge_executor_t  *executor;
    judge_task_t               *work;
} ngx_http_judge_compute_t;


static ngx_flag_t  ngx_http_judge_batch;   /* see _compute_as_batch() */


/* With judge_tuning the thread has the batch scheduling policy while it
 * computes, so that it does not preempt event loops, for which clients wait.
 * Then the usual policy is restored, because the thread's next task may be a
 * commit. */

static void
ngx_http_judge_compute_thread(void *data, ngx_log_t *log)
{
    ngx_http_judge_compute_t  *c = data;

#if (NGX_LINUX)
    struct sched_param  none = { 0 };

    if (ngx_http_judge_batch) {
        (void) pthread_setschedparam(pthread_self(), NGX_HTTP_JUDGE_BATCH,
                                     &none);
    }

    c->work->run(c->work);

    if (ngx_http_judge_batch) {
        (void) pthread_setschedparam(pthread_self(), NGX_HTTP_JUDGE_USUAL,
                                     &none);
    }
#else
    c->work->run(c->work);
#endif
}


static void
ngx_http_judge_compute_done(ngx_event_t *ev)
{
    ngx_http_judge_compute_t  *c = ev->data;

    ngx_http_judge_executor_computing(c->executor, -1);
    c->work->done(c->work);
    ngx_free(c);
}


void
ngx_http_judge_compute(void *data, judge_task_t *work)
{
    ngx_http_judge_compute_t   *c;
    ngx_http_judge_executor_t  *x = data;

    c = ngx_calloc(sizeof(ngx_http_judge_compute_t), ngx_cycle->log);
    if (c) {
        c->executor = x;
        c->work = work;

        if (ngx_http_judge_executor_post(x, &c->task, c,
                                         ngx_http_judge_compute_thread,
                                         ngx_http_judge_compute_done)
            == NGX_OK)
        {
            ngx_http_judge_executor_computing(x, 1);
            return;
        }

        ngx_free(c);
    }

    /* Runs it on the event loop: no caller handles a failure to start. */
    work->run(work);
    work->done(work);
}


/* On a fast shutdown nginx waits for its threads before it calls any module,
 * so that computations must check the flag of the signal themselves. */

bool
ngx_http_judge_terminating(void)
{
    return *(volatile sig_atomic_t *) &ngx_terminate != 0;
}


void
ngx_http_judge_compute_as_batch(void)
{
    ngx_http_judge_batch = 1;
}
