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


typedef struct ngx_http_judge_upload  ngx_http_judge_upload_t;

typedef struct {
    judge_req_t                req;
    ngx_http_request_t        *r;
    ngx_http_judge_service_t  *js;
    ngx_event_t                ready;      /* a piece is out, a pause over */
    ngx_buf_t                  piece;
    ngx_http_judge_upload_t   *upload;     /* NULL: none */
    ngx_queue_t                unread;     /* in the service's */
    size_t                     weight;     /* in bytes; 0: not in there */
    unsigned                   body:1;     /* it is being read, or was */
    unsigned                   answered:1;
    unsigned                   later:1;    /* the content phase is over */
} ngx_http_judge_ctx_t;


/* The content handler of a location with `judge`. */
ngx_int_t ngx_http_judge_handler(ngx_http_request_t *r);


#endif /* NGX_HTTP_JUDGE_REQUEST_H */
