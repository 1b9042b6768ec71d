/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Answers in pieces, for judge_binding_t.
 */


#ifndef NGX_HTTP_JUDGE_STREAM_H
#define NGX_HTTP_JUDGE_STREAM_H


#include "ngx/ngx_http_judge_request.h"


void ngx_http_judge_stream(judge_req_t *req);
void ngx_http_judge_stream_write(judge_req_t *req, judge_str_t data,
    bool last);
void ngx_http_judge_stream_pause(judge_req_t *req, judge_ms_t ms);
void ngx_http_judge_stream_cleanup(ngx_http_judge_ctx_t *ctx);


#endif /* NGX_HTTP_JUDGE_STREAM_H */
