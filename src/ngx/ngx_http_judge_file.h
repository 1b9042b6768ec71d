/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Receiving and sending files, for judge_binding_t.
 */


#ifndef NGX_HTTP_JUDGE_FILE_H
#define NGX_HTTP_JUDGE_FILE_H


#include "ngx/ngx_http_judge_request.h"


void ngx_http_judge_receive(judge_req_t *req);
void ngx_http_judge_send_file(judge_req_t *req);

/* Removes the file of an upload that did not complete. */
void ngx_http_judge_receive_cleanup(ngx_http_judge_ctx_t *ctx);


#endif /* NGX_HTTP_JUDGE_FILE_H */
