/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A service in a worker process: opening, ticking, closing.
 */


#ifndef NGX_HTTP_JUDGE_PROCESS_H
#define NGX_HTTP_JUDGE_PROCESS_H


#include "ngx/ngx_http_judge.h"


ngx_int_t ngx_http_judge_init_process(ngx_cycle_t *cycle);
void ngx_http_judge_exit_process(ngx_cycle_t *cycle);

/* Keeps a worker that shuts down until the request that began is answered. */
void ngx_http_judge_stay(ngx_http_judge_service_t *js);


#endif /* NGX_HTTP_JUDGE_PROCESS_H */
