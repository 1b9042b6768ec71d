/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Computations, each as a task of the thread pool. */


#include <ngx_config.h>

#include <pthread.h>
#include <sched.h>

#include "ngx/ngx_http_judge_executor.h"


/* Policies of Linux, whose names <sched.h> gives to GNU sources only. */
#define NGX_HTTP_JUDGE_USUAL  0            /* SCHED_OTHER */
#define NGX_HTTP_JUDGE_BATCH  3            /* SCHED_BATCH */

/* A computation on its way. */
typedef struct {
    ngx_thread_task_t           task;
    ngx_http_judge_executor_t  *executor;
    judge_task_t               *work;
} ngx_http_judge_compute_t;


static void ngx_http_judge_compute_thread(void *data, ngx_log_t *log);
static void ngx_http_judge_compute_done(ngx_event_t *ev);


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

    /* Late is better than never: nobody expects a computation to fail. */
    work->run(work);
    work->done(work);
}


/* nginx ends its threads before any module hears of a quick end, and waits for
 * what they compute: so they look at what the signal has set. */

bool
ngx_http_judge_leaving(void)
{
    return *(volatile sig_atomic_t *) &ngx_terminate != 0;
}


/*
 * While it computes, the thread counts as a batch job for the scheduler: it
 * does not preempt the event loops, which have clients waiting.  The thread
 * may commit next, and there it is like the others again.
 */

static void
ngx_http_judge_compute_thread(void *data, ngx_log_t *log)
{
    ngx_http_judge_compute_t  *c = data;

#if (NGX_LINUX)
    struct sched_param  none = { 0 };

    (void) pthread_setschedparam(pthread_self(), NGX_HTTP_JUDGE_BATCH, &none);
    c->work->run(c->work);
    (void) pthread_setschedparam(pthread_self(), NGX_HTTP_JUDGE_USUAL, &none);
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
