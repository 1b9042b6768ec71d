/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Ticks that a worker process without work can skip. */


#ifndef NGX_HTTP_JUDGE_IDLE_H
#define NGX_HTTP_JUDGE_IDLE_H


#include "ngx/ngx_http_judge.h"
#include "work/service/background.h"


/* Called at each tick.  Returns the ms until the next tick if this one can be
 * skipped, else 0. */
ngx_msec_t ngx_http_judge_idle(ngx_http_judge_service_t *js);

void ngx_http_judge_idle_open(ngx_http_judge_service_t *js);
void ngx_http_judge_idle_close(ngx_http_judge_service_t *js);


/* Notes that there is work. */

static ngx_inline void
ngx_http_judge_idle_not(ngx_http_judge_service_t *js)
{
    js->idle = 0;
    js->due_known = 0;
    js->active_at = ngx_current_msec;
    js->tick.cancelable = 0;
}


/* Lets the next tick come soon.  To be called when something was committed,
 * and when a request comes to a worker that shuts down. */

static ngx_inline void
ngx_http_judge_idle_end(ngx_http_judge_service_t *js)
{
    if (!js->idle) {
        return;
    }

    ngx_http_judge_idle_not(js);

    /* The tick itself sets its timer when it returns. */
    if (js->tick.timer_set) {
        ngx_del_timer(&js->tick);
        ngx_add_timer(&js->tick, JUDGE_BACKGROUND_TICK);
    }
}


#endif /* NGX_HTTP_JUDGE_IDLE_H */
