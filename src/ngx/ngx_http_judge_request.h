/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Between an nginx request and the judge_req_t that handlers see.
 */


#ifndef NGX_HTTP_JUDGE_REQUEST_H
#define NGX_HTTP_JUDGE_REQUEST_H


#include "ngx/ngx_http_judge.h"


/* The content handler of a location with `judge`. */
ngx_int_t ngx_http_judge_handler(ngx_http_request_t *r);

/* Whether the answer under way is the module's own. */
bool ngx_http_judge_answered(ngx_http_request_t *r);


#endif /* NGX_HTTP_JUDGE_REQUEST_H */
