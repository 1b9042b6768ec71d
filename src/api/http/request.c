/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A request: the limits of its body, its memory, its end. */


#include "base/crypto/crypto.h"
#include "work/service/metrics.h"
#include "api/http/request.h"


#define JUDGE_PAGE_SLACK  256          /* what an arena needs for itself */


const char *const  judge_header_names[JUDGE_HEADER_COUNT] = {
    [JUDGE_HEADER_AUTHORIZATION] = "authorization",
    [JUDGE_HEADER_X_API_KEY] = "x-api-key",
    [JUDGE_HEADER_CONTENT_TYPE] = "content-type",
    [JUDGE_HEADER_IDEMPOTENCY_KEY] = "idempotency-key",
    [JUDGE_HEADER_IF_MATCH] = "if-match",
    [JUDGE_HEADER_IF_NONE_MATCH] = "if-none-match",
    [JUDGE_HEADER_PREFER] = "prefer",
    [JUDGE_HEADER_LAST_EVENT_ID] = "last-event-id",
    [JUDGE_HEADER_X_WEBHOOK_SIGNATURE] = "x-webhook-signature",
    [JUDGE_HEADER_RANGE] = "range",
};


size_t
judge_req_body_max(const judge_req_t *r)
{
    return r->route->flags & JUDGE_ROUTE_LARGE_BODY
           ? r->service->settings.max_batch : r->service->settings.max_body;
}


void
judge_req_refuse(judge_req_t *r, int status, judge_str_t sentence)
{
    r->refusal = sentence.data ? sentence : JUDGE_STR("out of memory");
    r->refusal_status = status;
}


judge_arena_t *
judge_req_page(judge_req_t *r)
{
    if (r->page) {
        judge_arena_reset(r->page);
    } else {
        r->page = judge_arena_create(32 * 1024);
    }

    return r->page;
}


judge_str_t
judge_req_keep(judge_req_t *r, judge_str_t text)
{
    judge_str_t     kept;
    judge_arena_t  *arena;

    arena = judge_arena_create(text.len + JUDGE_PAGE_SLACK);
    if (arena == NULL) {
        return text;
    }

    kept = judge_str_dup(arena, text);
    if (kept.data == NULL) {
        judge_arena_destroy(arena);
        return text;
    }

    judge_arena_destroy(r->page);
    r->page = arena;

    return kept;
}


size_t
judge_req_weight(const judge_req_t *r)
{
    size_t  bytes;

    bytes = judge_arena_size(r->arena)
            + (r->page ? judge_arena_size(r->page) : 0);

    return bytes > r->reserve ? bytes : r->reserve;
}


void
judge_req_cleanup(judge_req_t *r)
{
    if (r->cleanup) {
        r->cleanup(r);
        r->cleanup = NULL;
    }

    judge_metrics_add(r->service->metrics,
                      JUDGE_METRIC_REQUESTS_NONE + r->answer.status / 100, 1);

    judge_json_parser_free(r->parser);
    r->parser = NULL;

    if (r->digest) {
        judge_digest_free(r->digest);
        r->digest = NULL;
    }

    if (r->reply.gen) {
        (void) judge_json_finish(&r->reply);
    }

    judge_arena_destroy(r->page);
    r->page = NULL;
}
