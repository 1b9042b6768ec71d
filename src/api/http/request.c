/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A request: the values that fields may have, the limits of its body, its
 * memory, its answer (JSON, errors, lists), its end. */


#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "base/net/url.h"
#include "work/service/metrics.h"
#include "api/http/request.h"


/* The answer of a request that fails after its change has been committed. */
#define JUDGE_REQUEST_CHANGED                                                 \
    "the change is stored, but memory for its answer was lacking: read it"    \
    " again"

#define JUDGE_PAGE_SLACK  256          /* bytes of an arena's own data */


const char *const  judge_header_names[JUDGE_HEADER_COUNT] = {
    [JUDGE_HEADER_AUTHORIZATION] = "authorization",
    [JUDGE_HEADER_X_API_KEY] = "x-api-key",
    [JUDGE_HEADER_CONTENT_TYPE] = "content-type",
    [JUDGE_HEADER_CONTENT_ENCODING] = "content-encoding",
    [JUDGE_HEADER_IDEMPOTENCY_KEY] = "idempotency-key",
    [JUDGE_HEADER_IF_MATCH] = "if-match",
    [JUDGE_HEADER_IF_NONE_MATCH] = "if-none-match",
    [JUDGE_HEADER_PREFER] = "prefer",
    [JUDGE_HEADER_LAST_EVENT_ID] = "last-event-id",
    [JUDGE_HEADER_X_WEBHOOK_SIGNATURE] = "x-webhook-signature",
    [JUDGE_HEADER_RANGE] = "range",
    [JUDGE_HEADER_TRACEPARENT] = "traceparent",
};

const char *const  judge_content_types[] = {
    "text", "video", "audio", "image", NULL
};

const char *const  judge_judge_statuses[] = {
    "ready", "learning", "training", NULL
};

const char *const  judge_content_statuses[] = {
    "uploaded", "processing", "ready", "error", NULL
};

const char *const  judge_evaluation_statuses[] = {
    "processing", "completed", "failed", NULL
};

const char *const  judge_batch_statuses[] = {
    "created", "evaluating", "completed", "failed", NULL
};

const char *const  judge_key_statuses[] = {
    "active", "suspended", "expired", NULL
};

const char *const  judge_key_settings[] = {
    "active", "suspended", NULL
};

/* Maps result codes that no handler has answered to HTTP. */

static const struct {
    judge_rc_e   rc;
    int          status;
    const char  *detail;
} judge_outcomes[] = {
    { JUDGE_BUSY, 503, "the service is busy; try again later" },
    { JUDGE_DENIED, 403, "this is not allowed" },
    { JUDGE_NOT_FOUND, 404, "there is nothing of that name" },
    { JUDGE_CONFLICT, 409, "the state does not allow it" },
    { JUDGE_STALE, 409, "somebody else changed this at the same time; try"
                        " again" },
    { JUDGE_OK, 500, "the service failed; try again later" },   /* the rest */
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
    judge_str_t     copy;
    judge_arena_t  *arena;

    arena = judge_arena_create(text.len + JUDGE_PAGE_SLACK);
    if (arena == NULL) {
        return text;
    }

    copy = judge_str_dup(arena, text);
    if (copy.data == NULL) {
        judge_arena_destroy(arena);
        return text;
    }

    judge_arena_destroy(r->page);
    r->page = arena;

    return copy;
}


size_t
judge_req_weight(const judge_req_t *r)
{
    size_t  bytes;

    bytes = judge_arena_size(r->arena)
            + (r->page ? judge_arena_size(r->page) : 0);

    return bytes > r->reserve ? bytes : r->reserve;
}


static judge_time_e
judge_req_group(const judge_req_t *r)
{
    size_t  i;

    static const struct {
        const char    *prefix;
        judge_time_e   group;
    } groups[] = {
        { "/evaluations", JUDGE_TIME_EVALUATIONS },
        { "/api/video-evaluations", JUDGE_TIME_EVALUATIONS },
        { "/judges", JUDGE_TIME_JUDGES },
        { "/api-key/judges", JUDGE_TIME_JUDGES },
        { "/content", JUDGE_TIME_CONTENT },
        { "/batches", JUDGE_TIME_BATCHES },
        { "/feedback", JUDGE_TIME_FEEDBACK },
        { "/training", JUDGE_TIME_TRAINING },
        { "/work", JUDGE_TIME_WORK },
        { "/uploads", JUDGE_TIME_FILES },
        { "/files", JUDGE_TIME_FILES },
        { "/llm", JUDGE_TIME_ASSIST },
        { "/api-keys", JUDGE_TIME_ADMIN },
        { "/config", JUDGE_TIME_ADMIN },
        { "/webhooks", JUDGE_TIME_ADMIN },
        { "/healthz", JUDGE_TIME_MONITOR },
        { "/readyz", JUDGE_TIME_MONITOR },
        { "/metrics", JUDGE_TIME_MONITOR },
    };

    if (r->queued || r->streamed) {
        return JUDGE_TIME_WAITING;
    }

    for (i = 0; r->route && i < sizeof(groups) / sizeof(groups[0]); i++) {
        if (strncmp(r->route->pattern, groups[i].prefix,
                    strlen(groups[i].prefix))
            == 0)
        {
            return groups[i].group;
        }
    }

    return JUDGE_TIME_OTHER;
}


void
judge_req_cleanup(judge_req_t *r)
{
    judge_stream_unwatch(r);

    r->service->bodies -= r->weight;
    if (r->weight && r->route->flags & JUDGE_ROUTE_PUBLIC) {
        r->service->open_bodies -= r->weight;
    }
    r->weight = 0;

    if (r->cleanup) {
        r->cleanup(r);
        r->cleanup = NULL;
    }

    judge_metrics_add(r->service->metrics,
                      JUDGE_METRIC_REQUESTS_NONE + r->answer.status / 100, 1);
    judge_metrics_took(r->service->metrics, judge_req_group(r),
                       judge_now(r->service) - r->began_at);

    judge_json_parser_free(r->parser);
    r->parser = NULL;

    if (r->digest) {
        judge_digest_free(r->digest);
        r->digest = NULL;
    }

    judge_arena_destroy(r->page);
    r->page = NULL;
}


/* --- Answers ------------------------------------------------------------- */

void
judge_reply_header(judge_req_t *r, const char *name, judge_str_t value)
{
    if (r->answer.nheaders < JUDGE_ANSWER_HEADERS && value.data) {
        r->answer.headers[r->answer.nheaders++] =
            (judge_header_t) { name, value };
    }
}


judge_json_writer_t *
judge_reply_begin(judge_req_t *r, int status)
{
    r->answer.status = status;
    judge_buf_init(&r->reply_buf, r->page ? r->page : r->arena);
    judge_json_begin(&r->reply, &r->reply_buf);
    judge_json_object(&r->reply);

    return &r->reply;
}


bool
judge_reply_ready(judge_req_t *r)
{
    judge_rc_e  rc;

    judge_json_object_end(&r->reply);
    rc = judge_json_finish(&r->reply);

    if (rc != JUDGE_OK) {
        return judge_fail_rc(r, rc);
    }

    r->answer.content_type = "application/json";
    r->answer.body = judge_buf_view(&r->reply_buf);
    if (r->page) {
        r->answer.body = judge_req_keep(r, r->answer.body);
    }

    return true;
}


void
judge_reply_end(judge_req_t *r)
{
    if (judge_reply_ready(r)) {
        judge_reply_send(r);
    }
}


/* Reads the identifier from the text, because nothing else is known of a
 * replayed answer. */

judge_str_t
judge_reply_id(const judge_req_t *r)
{
    const char   *end;
    judge_str_t   id, body;

    body = r->answer.body;
    if (body.data == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    id.data = memchr(body.data, ':', body.len);
    end = body.data + body.len;
    if (id.data == NULL || end - id.data < 3) {
        return (judge_str_t) { 0, NULL };
    }

    id.data += 2;
    end = memchr(id.data, '"', (size_t) (end - id.data));
    id.len = end ? (size_t) (end - id.data) : 0;

    return id;
}


static judge_str_t
judge_reply_location(judge_req_t *r)
{
    const char   *path, *open;
    judge_str_t   id;

    path = r->route->location;
    open = strchr(path, '{');
    id = judge_reply_id(r);
    if (id.data == NULL || open == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_str_printf(r->arena, "%.*s%.*s%.*s%.*s%s",
                            judge_str_args(r->base_url),
                            open == path + 1 ? (int) r->path.len : 0,
                            r->path.data, (int) (open - path), path,
                            judge_str_args(id), strchr(open, '}') + 1);
}


void
judge_reply_send(judge_req_t *r)
{
    if ((r->answer.status == 201 || r->answer.status == 202)
        && r->route && r->route->location)
    {
        judge_reply_header(r, "Location", judge_reply_location(r));
    }

    r->binding->answer(r);
}


void
judge_reply_created(judge_req_t *r, const judge_op_t *op, int status,
    const char *deleted)
{
    if (op->rc == JUDGE_OK) {
        judge_reply_send(r);
    } else if (op->rc == JUDGE_NOT_FOUND) {
        judge_fail(r, status, "%s", deleted);
    } else {
        judge_fail_rc(r, op->rc);
    }
}


void
judge_reply_raw(judge_req_t *r, int status, judge_str_t json)
{
    r->answer.status = status;
    r->answer.content_type = "application/json";
    r->answer.body = json;
    judge_reply_send(r);
}


void
judge_reply_empty(judge_req_t *r, int status)
{
    r->answer.status = status;
    r->answer.content_type = NULL;
    r->answer.body = (judge_str_t) { 0, NULL };
    judge_reply_send(r);
}


bool
judge_fail(judge_req_t *r, int status, const char *fmt, ...)
{
    char                  sentence[1024];
    va_list               args;
    judge_json_writer_t  *w;

    va_start(args, fmt);
    (void) vsnprintf(sentence, sizeof(sentence), fmt, args);
    va_end(args);

    w = judge_reply_begin(r, status);
    if (r->problem) {
        r->problem(w, status, judge_str_c(sentence));
    } else {
        judge_json_put_c(w, "detail", sentence);
    }
    judge_json_object_end(w);

    if (judge_json_finish(w) == JUDGE_OK) {
        r->answer.body = judge_buf_view(&r->reply_buf);
    } else {
        r->answer.body = r->changed && status == 500
                         ? JUDGE_STR("{\"detail\":\"" JUDGE_REQUEST_CHANGED
                                     "\"}")
                         : JUDGE_STR("{\"detail\":\"out of memory\"}");
    }

    r->answer.content_type = "application/json";
    judge_reply_send(r);

    return false;
}


bool
judge_fail_rc(judge_req_t *r, judge_rc_e rc)
{
    size_t       i;
    const char  *store_error;

    if (r->stored) {
        judge_reply_send(r);
        return false;
    }

    if (rc == JUDGE_NOMEM && r->changed) {
        return judge_fail(r, 500, "%s", JUDGE_REQUEST_CHANGED);
    }

    if (rc == JUDGE_STALE && r->headers[JUDGE_HEADER_IF_MATCH].data) {
        return judge_fail(r, 412, "If-Match: the %s has another version by"
                          " now", r->route->resource->name);
    }

    for (i = 0; judge_outcomes[i].rc != JUDGE_OK; i++) {
        if (judge_outcomes[i].rc == rc) {
            break;
        }
    }

    if (judge_outcomes[i].status == 503) {
        judge_reply_header(r, "Retry-After", JUDGE_STR("1"));

        store_error = atomic_load(&r->service->store_error);
        if (store_error) {
            return judge_fail(r, 503, "%s; try again later", store_error);
        }
    }

    return judge_fail(r, judge_outcomes[i].status, "%s",
                      judge_outcomes[i].detail);
}


bool
judge_check(judge_req_t *r, judge_rc_e rc, const judge_str_t *sentence)
{
    return rc == JUDGE_OK
           || (rc == JUDGE_INVALID && sentence
               ? judge_fail(r, 400, "%.*s", judge_str_args(*sentence))
               : judge_fail_rc(r, rc));
}


bool
judge_check_url(judge_req_t *r, const char *field, judge_str_t *url)
{
    judge_rc_e   rc;
    judge_url_t  parsed;
    judge_str_t  error;

    if (url->data == NULL) {
        return true;
    }

    rc = judge_url_parse(r->arena, *url, &parsed, &error);
    if (rc == JUDGE_OK && parsed.address.len
        && !judge_address_is_allowed(&parsed.address,
                                     r->service->settings.webhook_allowed,
                                     r->service->settings.nwebhook_allowed))
    {
        rc = JUDGE_INVALID;
        error = JUDGE_STR("expected an address of the public internet, as"
                          " nothing can be delivered to this one");
    }

    if (rc == JUDGE_INVALID) {
        return judge_fail(r, 400, "%s: %.*s", field, judge_str_args(error));
    }

    if (rc == JUDGE_OK) {
        *url = parsed.text;
    }

    return judge_check(r, rc, NULL);
}


void
judge_fail_unread(judge_req_t *r, const char *whose)
{
    judge_metrics_add(r->service->metrics, JUDGE_METRIC_UNREAD, 1);

    judge_arena_destroy(r->page);
    r->page = NULL;
    r->answer.nheaders = r->common;
    judge_reply_header(r, "Retry-After", JUDGE_STR("1"));

    if (whose) {
        judge_fail(r, 429, "the %s has too many large answers under way that"
                           " are not read; read or close them and try again",
                   whose);
    } else {
        judge_fail(r, 503, "too many large answers are under way that are not"
                           " read; try again later");
    }
}


/* A cursor is the last identifier of the previous page in base64url. */

bool
judge_list_page(judge_req_t *r, const judge_list_query_t *query,
    const char *prefix, judge_page_t *page)
{
    page->limit = query->limit.set ? query->limit.value : JUDGE_LIST_LIMIT;

    if (query->cursor.data == NULL) {
        return true;
    }

    page->before = judge_unbase64url(r->arena, query->cursor);
    return (page->before.data && judge_id_wellformed(page->before, prefix))
           || judge_fail(r, 400, "cursor: expected the next_cursor of an"
                         " earlier page");
}


void
judge_reply_cursor(judge_req_t *r, judge_json_writer_t *w,
    const judge_page_t *page, judge_str_t last_id)
{
    if (page->more) {
        judge_json_put_str(w, "next_cursor",
                           judge_base64url(r->arena, last_id));
    }
}
