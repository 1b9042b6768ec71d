/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "api/http/inner.h"


static void
judge_inner_body(judge_req_t *c)
{
    judge_inner_t  *inner = c->extra;

    judge_req_body(c, inner->body.data, inner->body.len);
    judge_req_body_end(c);
}


/* Copies the answer, whose memory may be freed with the call. */

static void
judge_inner_answer(judge_req_t *c)
{
    judge_inner_t  *inner = c->extra;
    judge_req_t    *r = inner->r;

    inner->answer = NULL;
    inner->status = c->answer.status;
    inner->text = judge_str_dup(r->arena, c->answer.body);

    if (inner->text.len == 0
        || judge_json_parse(r->arena, inner->text, &inner->answer, NULL)
           != JUDGE_OK)
    {
        inner->status = 500;
    }

    r->queued |= c->queued;
    r->queue_time += c->queue_time;
    r->stored_any |= c->stored_any;
    r->store_time += c->store_time;
    r->changed |= c->changed;

    inner->call = NULL;
    judge_req_cleanup(c);
    inner->then(inner);
}


bool
judge_inner_call(judge_inner_t *inner, judge_method_e method,
    judge_str_t path, judge_str_t data)
{
    judge_req_t  *c, *r = inner->r;

    c = judge_calloc(r->arena, sizeof(judge_req_t));
    if (c == NULL || path.data == NULL || data.data == NULL) {
        return false;
    }

    c->arena = r->arena;
    c->service = r->service;
    c->binding = &inner->binding;
    c->server = r->server;
    c->extra = inner;
    c->method = method;
    c->path = path;
    c->base_url = r->base_url;
    c->login = r->login;
    c->login_org = r->login_org;
    c->content_length = method == JUDGE_POST ? (int64_t) data.len : -1;
    c->query = method == JUDGE_POST ? c->query : data;
    c->headers[JUDGE_HEADER_AUTHORIZATION] =
        r->headers[JUDGE_HEADER_AUTHORIZATION];
    c->headers[JUDGE_HEADER_X_API_KEY] = r->headers[JUDGE_HEADER_X_API_KEY];
    c->headers[JUDGE_HEADER_TRACEPARENT] =
        r->headers[JUDGE_HEADER_TRACEPARENT];
    c->headers[JUDGE_HEADER_PREFER] = inner->prefer;
    c->headers[JUDGE_HEADER_IDEMPOTENCY_KEY] = inner->key;
    c->headers[JUDGE_HEADER_CONTENT_TYPE] = JUDGE_STR("application/json");

    /* hold() and release() act on the calling request.  Routes that stream or
     * send files are never called. */
    inner->binding = (judge_binding_t) {
        .read_body = judge_inner_body, .answer = judge_inner_answer,
        .hold = r->binding->hold, .release = r->binding->release
    };

    inner->call = c;
    inner->body = data;
    judge_req_start(c, judge_routes);

    return true;
}


void
judge_inner_cleanup(judge_inner_t *inner)
{
    if (inner->call) {
        judge_req_cleanup(inner->call);
    }
}
