/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps of every request before its handler: the API key, rate limit,
 * query, body, fields, and Idempotency-Key. */


#include <string.h>

#include "base/crypto/crypto.h"
#include "base/net/traceparent.h"
#include "base/text/utf8.h"
#include "work/service/metrics.h"
#include "work/service/usage.h"
#include "api/http/gzip.h"
#include "api/http/response_cache.h"


static const judge_field_t  judge_pipeline_no_fields[] = { { .name = NULL } };

/* A longer body is bound in a thread. */
#define JUDGE_PIPELINE_BIND_INLINE  (128 * 1024)


/* A body that needs no more memory than this is not counted. */
#define JUDGE_PIPELINE_BODY_SMALL  (64 * 1024)

/* Clients without a key get one part of so many of max_bodies. */
#define JUDGE_PIPELINE_OPEN_PART  4


/* An invalid or repeated traceparent must be ignored. */

static void
judge_pipeline_trace(judge_req_t *r)
{
    judge_str_t  *trace = &r->headers[JUDGE_HEADER_TRACEPARENT];

    *trace = r->service->settings.export_timeout
             && !r->repeated[JUDGE_HEADER_TRACEPARENT]
             ? judge_traceparent_part(*trace) : (judge_str_t) { 0, NULL };
    r->repeated[JUDGE_HEADER_TRACEPARENT] = false;
}


/* A header that comes twice is refused, because a proxy in front may have
 * checked the other value.  Prefer may be repeated: it is a list. */

static bool
judge_pipeline_once_each(judge_req_t *r)
{
    size_t  i;

    judge_pipeline_trace(r);

    for (i = 0; i < JUDGE_HEADER_COUNT; i++) {
        if (r->repeated[i] && i != JUDGE_HEADER_PREFER) {
            return judge_fail(r, 400, "%s: expected this header only once",
                              judge_header_names[i]);
        }
    }

    return true;
}


/* Sets a header of every answer from here on; a second call with the same name
 * replaces the value. */

static void
judge_pipeline_common(judge_req_t *r, const char *name, judge_str_t value)
{
    size_t  i;

    for (i = 0; i < r->common; i++) {
        if (strcmp(r->answer.headers[i].name, name) == 0) {
            r->answer.headers[i].value = value;
            return;
        }
    }

    judge_reply_header(r, name, value);

    if (r->answer.nheaders == r->common + 1) {
        r->common++;
    }
}


static bool
judge_pipeline_bind_parameter(judge_req_t *r, judge_str_t name,
    judge_str_t value)
{
    judge_rc_e            rc;
    judge_str_t           error;
    const judge_field_t  *field;

    for (field = r->route->query; field && field->name; field++) {
        if (judge_str_eq_c(name, field->name)) {
            break;
        }
    }

    if (field == NULL || field->name == NULL) {
        judge_unknown_parameter(&r->unknown, r->arena, r->route->query, name);
        return true;
    }

    value = judge_str_dup(r->arena, value);
    if (value.data && !judge_form_decode(&value)) {
        return judge_fail(r, 400, "%s: expected a value in percent-encoded"
                          " UTF-8", field->name);
    }

    rc = value.data ? judge_field_bind_text(r->arena, field, value, r->ctx,
                                            &error) : JUDGE_NOMEM;

    return judge_check(r, rc, &error);
}


static bool
judge_pipeline_bind_query(judge_req_t *r)
{
    const char   *p, *end, *amp, *equals;
    judge_str_t   name, value;

    if (r->query.data == NULL) {
        return true;
    }

    end = r->query.data + r->query.len;

    for (p = r->query.data; p < end; p = amp + 1) {
        amp = memchr(p, '&', (size_t) (end - p));
        amp = amp ? amp : end;
        equals = memchr(p, '=', (size_t) (amp - p));
        equals = equals ? equals : amp;

        name = (judge_str_t) { (size_t) (equals - p), p };
        value = (judge_str_t) { equals < amp ? (size_t) (amp - equals - 1)
                                             : 0,
                                equals < amp ? equals + 1 : "" };

        if (name.len && !judge_pipeline_bind_parameter(r, name, value)) {
            return false;
        }
    }

    return true;
}


static bool
judge_pipeline_encoded(judge_req_t *r)
{
    judge_str_t  coding;

    coding = r->headers[JUDGE_HEADER_CONTENT_ENCODING];

    if (coding.data == NULL
        || judge_str_caseeq(coding, JUDGE_STR("identity")))
    {
        return true;
    }

    if (!judge_str_caseeq(coding, JUDGE_STR("gzip"))) {
        return judge_fail(r, 415, "Content-Encoding: expected gzip or none");
    }

    r->gzip = judge_gzip_create(r->arena);

    return judge_check(r, r->gzip ? JUDGE_OK : JUDGE_NOMEM, NULL);
}


/* The Content-Type must be "application/json" or "…+json", or one of the types
 * that the route accepts. */

static bool
judge_pipeline_accepts(judge_req_t *r)
{
    judge_buf_t         names;
    judge_str_t         type;
    const char *const  *accepted;

    type = judge_content_type(r);

    if (r->route->consume) {
        judge_buf_init(&names, r->arena);
        for (accepted = r->route->accepts; *accepted; accepted++) {
            if (judge_str_caseeq(type, judge_str_c(*accepted))) {
                return true;
            }
            judge_buf_printf(&names, names.len ? ", %s" : "%s", *accepted);
        }

        return judge_fail(r, 415, "Content-Type: expected %.*s",
                          judge_str_args(judge_buf_view(&names)));
    }

    if (judge_str_caseeq(type, JUDGE_STR("application/json"))
        || (type.len > 5
            && judge_str_caseeq((judge_str_t) { 5, type.data + type.len - 5 },
                                JUDGE_STR("+json")))
        || (type.data == NULL && r->route->flags & JUDGE_ROUTE_OPTIONAL_BODY))
    {
        return judge_pipeline_encoded(r);
    }

    return judge_fail(r, 415, "Content-Type: expected application/json");
}


/* Runs the route's handler, list or operation. */

static void
judge_pipeline_handle(judge_req_t *r)
{
    const judge_route_t  *route = r->route;

    if (route->list.kind && route->handler == NULL) {
        judge_resource_list(r);
        return;
    }

    if (route->resource && route->list.kind == 0
        && !judge_id_wellformed(r->params[0], route->resource->prefix))
    {
        judge_resource_missing(r);
        return;
    }

    if (route->flags & JUDGE_ROUTE_CACHED && judge_response_of_route(r)) {
        return;
    }

    if (route->handler) {
        route->handler(r);
    } else {
        judge_resource_run(r);
    }
}


/* Creates the context, binds the query and reads the body. */

static void
judge_pipeline_enter(judge_req_t *r)
{
    judge_str_t  key;

    if (r->route->ctx_size) {
        r->ctx = judge_calloc(r->arena, r->route->ctx_size);
        if (r->ctx == NULL) {
            judge_fail_rc(r, JUDGE_NOMEM);
            return;
        }
    }

    if (judge_prefer_strict(r->headers[JUDGE_HEADER_PREFER])) {
        r->strict = true;
        judge_pipeline_common(r, "Preference-Applied",
                              JUDGE_STR("handling=strict"));
    }

    if (!judge_pipeline_bind_query(r) || !judge_req_known(r)) {
        return;
    }

    key = r->headers[JUDGE_HEADER_IDEMPOTENCY_KEY];
    if (key.data && r->route->flags & JUDGE_ROUTE_CREATES) {
        if (key.len == 0 || key.len > 255) {
            judge_fail(r, 400, "Idempotency-Key: expected 1 to 255"
                               " characters");
            return;
        }
        if (judge_utf8_check(key) < key.len) {
            judge_fail(r, 400, "Idempotency-Key: must be UTF-8");
            return;
        }
        r->idempotency.key = key;
        r->digest = judge_digest_sha256();
        if (!judge_check(r, r->digest ? JUDGE_OK : JUDGE_NOMEM, NULL)) {
            return;
        }
    }

    if (r->route->body == NULL && r->route->consume == NULL
        && !(r->route->flags & JUDGE_ROUTE_OPTIONAL_BODY))
    {
        judge_pipeline_handle(r);
        return;
    }

    if (judge_pipeline_accepts(r)) {
        r->binding->read_body(r);
    }
}


/* Rounds up, so that a client that waits so long has waited long enough. */

static long long
judge_pipeline_seconds(judge_ms_t ms)
{
    return ms <= 0 ? 0 : (long long) (ms + 999) / 1000;
}


static void
judge_pipeline_rate_left(judge_req_t *r, long long limit, long long left,
    long long reset)
{
    judge_arena_t  *a = r->arena;

    judge_reply_header(r, "RateLimit",
                       judge_str_printf(a, "\"key\";r=%lld;t=%lld;limit=%lld;"
                                        "remaining=%lld;reset=%lld", left,
                                        reset, limit, left, reset));
    judge_reply_header(r, "RateLimit-Limit",
                       judge_str_printf(a, "%lld", limit));
    judge_reply_header(r, "RateLimit-Remaining",
                       judge_str_printf(a, "%lld", left));
    judge_reply_header(r, "RateLimit-Reset",
                       judge_str_printf(a, "%lld", reset));
}


/*
 * Takes a token, if there is a limit; false: none was left, and the request
 * was answered with 429.  The limit is reported in the header fields of
 * draft-ietf-httpapi-ratelimit-headers-10:
 *
 *   RateLimit-Policy: "key";q=100;w=60
 *   RateLimit: "key";r=97;t=2;limit=100;remaining=97;reset=2
 *
 * q is the size of the bucket and w the seconds in which it fills; r is the
 * number of tokens left and t the seconds until it is full again.  limit,
 * remaining and reset, here and as headers, repeat this under the names of
 * earlier drafts; clients of the current one ignore unknown parameters.
 */

static bool
judge_pipeline_rate(judge_req_t *r)
{
    judge_ms_t                        window;
    judge_token_bucket_answer_t       bucket;
    const judge_token_bucket_rate_t  *rate = &r->service->settings.rate;

    if (rate->limit == 0) {
        return true;
    }

    bucket = judge_rate_limits_take(r->service->limits, rate, r->org,
                                    r->key_id, judge_now(r->service));

    window = (rate->burst * rate->period + rate->limit - 1) / rate->limit;
    judge_reply_header(r, "RateLimit-Policy",
                       judge_str_printf(r->arena, "\"key\";q=%u;w=%lld",
                                        rate->burst,
                                        judge_pipeline_seconds(window)));
    judge_pipeline_rate_left(r, rate->burst, (long long) bucket.remaining,
                             judge_pipeline_seconds(bucket.reset));

    if (bucket.allowed) {
        return true;
    }

    judge_metrics_add(r->service->metrics, JUDGE_METRIC_LIMITED, 1);
    judge_reply_header(r, "Retry-After",
                       judge_str_printf(r->arena, "%lld",
                           judge_pipeline_seconds(bucket.retry_after)));
    return judge_fail(r, 429, "the API key has used up its %u request%s per"
                      " %s; try again later", rate->limit,
                      rate->limit == 1 ? "" : "s",
                      rate->period == 1000 ? "second" : "minute");
}


/* The rate is checked first, so that refused requests cost a token, too. */

static void
judge_pipeline_admit(judge_req_t *r)
{
    if (judge_pipeline_rate(r) && judge_auth_permits(r)) {
        r->common = r->answer.nheaders;
        r->audits = judge_audit_wanted(r);
        judge_pipeline_enter(r);
    }
}


void
judge_req_start(judge_req_t *r, judge_routes_pt routes)
{
    r->began_at = judge_now(r->service);
    r->began_size = judge_arena_size(r->arena);

    if (!judge_route_find(r, routes) || !judge_pipeline_once_each(r)) {
        return;
    }

    if (r->route->flags & JUDGE_ROUTE_PUBLIC) {
        judge_pipeline_enter(r);
    } else {
        judge_authenticate(r, judge_pipeline_admit);
    }
}


bool
judge_req_known(judge_req_t *r)
{
    judge_str_t  names;

    if (r->unknown.count == 0) {
        return true;
    }

    names = judge_unknown_text(&r->unknown, r->arena);
    if (names.data == NULL) {
        return judge_fail_rc(r, JUDGE_NOMEM);
    }

    if (r->strict) {
        return judge_fail(r, 400, "not known here: %.*s",
                          judge_str_args(names));
    }

    judge_pipeline_common(r, "Judge-Ignored", names);

    return true;
}


static judge_rc_e
judge_pipeline_item(void *data, judge_json_t *item, size_t index)
{
    judge_rc_e    rc;
    judge_req_t  *r = data;
    judge_str_t   error;

    error = (judge_str_t) { 0, NULL };
    rc = r->route->item(r, item, index, &error);

    if (rc == JUDGE_INVALID && error.data) {
        judge_json_parser_fail(r->parser, error);
    }

    return rc;
}


/* Counts the memory of a body until its request ends.  The tree of a body may
 * need 32 times its bytes, and `more` are outside of the arena.  false: it is
 * too much beside other requests; a body that is alone is always taken. */

static bool
judge_pipeline_weigh(judge_req_t *r, size_t more)
{
    size_t            weight, others, max;
    judge_service_t  *service = r->service;

    weight = judge_arena_size(r->arena) - r->began_size + more;
    weight = weight > JUDGE_PIPELINE_BODY_SMALL ? weight : 0;
    others = service->bodies - r->weight;
    max = service->settings.max_bodies;

    service->bodies = others + weight;
    if (r->route->flags & JUDGE_ROUTE_PUBLIC) {
        service->open_bodies += weight - r->weight;
    }
    r->weight = weight;

    return weight == 0 || others == 0
           || (service->bodies <= max
               && (!(r->route->flags & JUDGE_ROUTE_PUBLIC)
                   || service->open_bodies <= max / JUDGE_PIPELINE_OPEN_PART));
}


static void
judge_pipeline_parse(judge_req_t *r, const char *data, size_t len)
{
    judge_rc_e  rc;

    if (r->parser == NULL) {
        r->parser = judge_json_parser_create(r->arena);
        if (r->parser == NULL) {
            judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
            return;
        }

        if (r->route->item) {
            judge_json_parser_items(r->parser, r->route->items,
                                    judge_pipeline_item, r);
        }
    }

    rc = judge_json_parser_feed(r->parser, data, len);
    if (rc == JUDGE_INVALID) {
        judge_req_refuse(r, 400, judge_json_parser_error(r->parser));
    } else if (rc != JUDGE_OK) {
        judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
    }
}


static void
judge_pipeline_receive(judge_req_t *r, const char *data, size_t len)
{
    r->received += len;
    if (r->received > judge_req_body_max(r)) {
        judge_req_refuse(r, 413, judge_str_printf(r->arena,
                           "the body is larger than %zu bytes",
                           judge_req_body_max(r)));
        return;
    }

    if (r->digest
        && judge_digest_update(r->digest, (judge_str_t) { len, data })
           != JUDGE_OK)
    {
        judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
        return;
    }

    if (r->route->consume) {
        r->route->consume(r, data, len);
    } else {
        judge_pipeline_parse(r, data, len);
    }

    if (!judge_pipeline_weigh(r, r->received) && r->refusal.data == NULL) {
        judge_reply_header(r, "Retry-After", JUDGE_STR("1"));
        judge_req_refuse(r, 503, JUDGE_STR("too many large bodies are under"
                                           " way; try again later"));
    }
}


static void
judge_pipeline_unzip(judge_req_t *r, judge_str_t data)
{
    char        out[16384];
    size_t      n;
    judge_rc_e  rc;

    do {
        rc = judge_gzip_step(r->gzip, &data, out, sizeof(out), &n);

        if (rc == JUDGE_BUSY) {
            judge_req_refuse(r, 413, JUDGE_STR("body: it is more than 32 times"
                                               " as large as its gzip data"));
        } else if (rc == JUDGE_INVALID) {
            judge_req_refuse(r, 400, JUDGE_STR("body: expected gzip data, as"
                                               " Content-Encoding says; they"
                                               " are none, or damaged"));
        } else if (rc != JUDGE_OK) {
            judge_req_refuse(r, 500, JUDGE_STR("out of memory"));
        } else if (n) {
            judge_pipeline_receive(r, out, n);
        }

    } while (!r->refusal.data && (data.len || n == sizeof(out)));
}


/* A refused body is read to its end and discarded, because many clients read
 * the answer only after they have sent all of it. */

void
judge_req_body(judge_req_t *r, const char *data, size_t len)
{
    if (r->refusal.data) {
        return;
    }

    if (r->gzip) {
        judge_pipeline_unzip(r, (judge_str_t) { len, data });
    } else {
        judge_pipeline_receive(r, data, len);
    }
}


/* The fingerprint covers the body, the path without /v1, and the query. */

static judge_rc_e
judge_pipeline_fingerprint(judge_req_t *r, uint8_t *hash)
{
    judge_rc_e  rc;

    rc = judge_digest_update(r->digest, judge_route_path(r->path));

    if (rc == JUDGE_OK && r->query.len) {
        rc = judge_digest_update(r->digest, JUDGE_STR("?"));
        rc = rc == JUDGE_OK ? judge_digest_update(r->digest, r->query) : rc;
    }

    return rc == JUDGE_OK ? judge_digest_final(r->digest, hash) : rc;
}


static void
judge_pipeline_known(judge_req_t *r)
{
    judge_idempotency_find_t  *find;

    find = r->replay;

    if (find->op.rc != JUDGE_OK) {
        judge_pipeline_handle(r);
        return;
    }

    if (!judge_str_eq(find->found.fingerprint, r->idempotency.fingerprint)) {
        judge_fail(r, 422, "Idempotency-Key: it was used before with another"
                           " request; use a new one");
        return;
    }

    judge_reply_header(r, "Idempotency-Replayed", JUDGE_STR("true"));
    if (r->route->etag) {
        judge_reply_header(r, "ETag", judge_str_c(r->route->etag));
    }

    r->answer.status = (int) find->found.status;
    r->answer.content_type = "application/json";
    r->answer.body = find->found.body;
    (r->route->replayed ? r->route->replayed : judge_reply_send)(r);
}


static void
judge_pipeline_once(judge_req_t *r)
{
    uint8_t                    *hash;
    judge_idempotency_find_t   *find;

    hash = judge_alloc(r->arena, JUDGE_SHA256_LEN);
    find = judge_calloc(r->arena, sizeof(judge_idempotency_find_t));
    if (hash == NULL || find == NULL
        || judge_pipeline_fingerprint(r, hash) != JUDGE_OK)
    {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    r->idempotency.fingerprint = (judge_str_t) { JUDGE_SHA256_LEN,
                                                 (char *) hash };
    find->op.kind = JUDGE_OP_IDEMPOTENCY_FIND;
    find->found.key = r->idempotency.key;
    r->replay = find;
    judge_await(r, &find->op, judge_pipeline_known);
}


static void
judge_pipeline_bind(judge_req_t *r)
{
    r->bound = judge_json_parser_finish(r->parser, &r->body);

    if (r->bound == JUDGE_INVALID) {
        r->bind_error = judge_json_parser_error(r->parser);

    } else if (r->bound == JUDGE_OK) {
        r->bound = judge_fields_bind_known(r->arena, r->route->body
                                           ? r->route->body
                                           : judge_pipeline_no_fields, r->body,
                                           JUDGE_STR(""), r->ctx,
                                           &r->bind_error, &r->unknown);
    }
}


static void
judge_pipeline_bound(judge_req_t *r)
{
    if (r->parser) {
        (void) judge_pipeline_weigh(r, 0);
    }

    if ((r->unknown.count && !judge_req_known(r))
        || (r->bound != JUDGE_OK && !judge_check(r, r->bound, &r->bind_error)))
    {
        return;
    }

    if (r->idempotency.key.data) {
        judge_pipeline_once(r);
    } else {
        judge_pipeline_handle(r);
    }
}


void
judge_req_body_end(judge_req_t *r)
{
    if (r->received == 0 && !r->route->consume
        && r->route->flags & JUDGE_ROUTE_OPTIONAL_BODY)
    {
        judge_pipeline_receive(r, "{}", 2);
    }

    if (r->gzip && !r->refusal.data && !judge_gzip_ended(r->gzip)) {
        judge_req_refuse(r, 400, JUDGE_STR("body: its gzip data end early"));
    }

    if (r->refusal.data) {
        if (judge_req_known(r)) {
            judge_fail(r, r->refusal_status, "%.*s",
                       judge_str_args(r->refusal));
        }
        return;
    }

    if (r->route->consume) {
        judge_pipeline_bound(r);
        return;
    }

    if (r->parser == NULL) {
        judge_fail(r, 400, "body: expected a JSON object");
        return;
    }

    if (r->received > JUDGE_PIPELINE_BIND_INLINE) {
        judge_compute(r, judge_pipeline_bind, judge_pipeline_bound);
    } else {
        judge_pipeline_bind(r);
        judge_pipeline_bound(r);
    }
}


/* A stream goes on only if its API key is still valid. */

void
judge_req_ready(judge_req_t *r)
{
    judge_stream_unwatch(r);
    judge_auth_recheck(r, r->step);
}
