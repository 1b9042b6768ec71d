/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binds an nginx request to the judge_req_t that handlers see. */


#ifndef NGX_HTTP_JUDGE_REQUEST_H
#define NGX_HTTP_JUDGE_REQUEST_H


#include "ngx/ngx_http_judge.h"


typedef struct ngx_http_judge_upload  ngx_http_judge_upload_t;

typedef struct {
    judge_req_t                req;
    ngx_http_request_t        *r;
    ngx_http_judge_service_t  *js;
    ngx_str_t                  query;      /* with the signature */
    judge_buf_t                prefer;     /* its values, if it came twice */
    ngx_event_t                ready;      /* calls judge_req_ready() */
    ngx_buf_t                  piece;
    ngx_http_judge_upload_t   *upload;     /* NULL: none */
    ngx_queue_t                unread;     /* in the service's queue */
    size_t                     weight;     /* bytes; 0: not in the queue */
    unsigned                   paused:1;
    unsigned                   body:1;     /* reading has begun */
    unsigned                   answered:1;
    unsigned                   phase_ended:1; /* the content phase has ended */
} ngx_http_judge_ctx_t;


/* The content handler of a location with `judge`. */
ngx_int_t ngx_http_judge_handler(ngx_http_request_t *r);

/* Finds the extension's pages that serve a request, and sets `path` relative
 * to the location; NULL: no pages do. */
const ngx_http_judge_pages_t *ngx_http_judge_pages_find(ngx_http_request_t *r,
    ngx_str_t *path);

/* judge_binding_t: pass the body to the parser, or write it to a file. */
void ngx_http_judge_read_body(judge_req_t *req);
void ngx_http_judge_receive(judge_req_t *req);

/* Removes the file of an upload that did not complete. */
void ngx_http_judge_receive_cleanup(ngx_http_judge_ctx_t *ctx);

/* judge_binding_t: send an answer in one piece, in several, or from a file. */
void ngx_http_judge_answer(judge_req_t *req);
void ngx_http_judge_stream(judge_req_t *req);
void ngx_http_judge_stream_write(judge_req_t *req, judge_str_t data,
    bool last);
void ngx_http_judge_stream_pause(judge_req_t *req, judge_ms_t ms);
void ngx_http_judge_stream_wake(judge_req_t *req);
void ngx_http_judge_stream_cleanup(ngx_http_judge_ctx_t *ctx);
void ngx_http_judge_send_file(judge_req_t *req);

/* Begins an answer: discards the rest of the body, and sends the status and
 * the headers that the handler has prepared. */
ngx_int_t ngx_http_judge_answer_begin(ngx_http_judge_ctx_t *ctx, off_t length);

/* Ends the request with a code of nginx. */
void ngx_http_judge_answer_end(ngx_http_judge_ctx_t *ctx, ngx_int_t rc);

/* Whether a large answer may begin; if not, an error has been sent. */
bool ngx_http_judge_answer_admit(ngx_http_judge_ctx_t *ctx);

/* Answers a request whose body could not be read; rc is nginx's code. */
void ngx_http_judge_answer_body_failed(ngx_http_judge_ctx_t *ctx,
    ngx_int_t rc);

/* Adds filters that turn nginx's own error pages in locations of a service
 * into JSON. */
ngx_int_t ngx_http_judge_error_init(ngx_conf_t *cf);

/* $judge_organization and other variables for access logs. */
extern ngx_http_variable_t  ngx_http_judge_log_vars[];

/* Keeps the signatures of addresses out of nginx's logs. */
ngx_int_t ngx_http_judge_mask_init(ngx_conf_t *cf);


#endif /* NGX_HTTP_JUDGE_REQUEST_H */
