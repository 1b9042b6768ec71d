/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#ifndef NGX_HTTP_JUDGE_ANSWER_H
#define NGX_HTTP_JUDGE_ANSWER_H


#include "ngx/ngx_http_judge_request.h"


/* Sends req->answer, as judge_binding_t expects it. */
void ngx_http_judge_answer(judge_req_t *req);

/* The headers that the handlers have prepared, into nginx's. */
ngx_int_t ngx_http_judge_answer_headers(ngx_http_judge_ctx_t *ctx);

/* Whether a large answer may begin; if not, an error has been sent. */
bool ngx_http_judge_answer_admit(ngx_http_judge_ctx_t *ctx);

/* Answers a request whose body could not be read; rc is nginx's. */
void ngx_http_judge_answer_body_failed(ngx_http_judge_ctx_t *ctx,
    ngx_int_t rc);

/* Whether the response being sent is the module's, not nginx's own page. */
bool ngx_http_judge_answer_started(ngx_http_request_t *r);


#endif /* NGX_HTTP_JUDGE_ANSWER_H */
