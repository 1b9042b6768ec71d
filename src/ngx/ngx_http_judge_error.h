/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Errors that nginx itself answers with inside our locations, as JSON.
 */


#ifndef NGX_HTTP_JUDGE_ERROR_H
#define NGX_HTTP_JUDGE_ERROR_H


#include "ngx/ngx_http_judge.h"


ngx_int_t ngx_http_judge_error_init(ngx_conf_t *cf);     /* the filters */


#endif /* NGX_HTTP_JUDGE_ERROR_H */
