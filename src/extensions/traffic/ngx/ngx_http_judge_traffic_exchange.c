/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Decides which responses and requests are judged, and makes exchanges. */


#include <ngx_config.h>

#include "base/core/hash.h"
#include "base/net/traceparent.h"
#include "base/text/utf8.h"
#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"
#include "work/service/usage.h"


#define NGX_HTTP_JUDGE_NAME_MAX  200       /* bytes of a content's name */


bool
ngx_http_judge_traffic_share(const ngx_str_t *value, double *share)
{
    size_t  len;

    len = value->len;
    if (len == 0 || value->data[len - 1] != '%') {
        return false;
    }

    return judge_number_parse((judge_str_t) { len - 1, (char *) value->data },
                              share)
           == JUDGE_OK
           && *share >= 0 && *share <= 100;
}


/* Whether an upstream server has sent the response; it has not if nginx sends
 * a page after that server failed. */

bool
ngx_http_judge_traffic_behind(const ngx_http_request_t *r)
{
    return r->upstream && (r->upstream->cleanup || r->cached);
}


/* Finds the kind of a body; readers differ in which of two types counts. */

static judge_skip_e
ngx_http_judge_traffic_typed(ngx_http_judge_traffic_ctx_t *ctx,
    judge_str_t type, ngx_list_t *headers, judge_extract_kind_e *kind)
{
    judge_skip_e               skip;
    judge_str_t                given = type;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    if (headers) {
        given = ngx_http_judge_header(headers, "content-type");
    }

    if (given.data && given.len == 0 && type.len) {      /* several */
        return JUDGE_SKIP_MALFORMED;
    }

    ctx->named = judge_extract_type_listed(type, t->passing);
    skip = ctx->named ? JUDGE_SKIP_TYPE : judge_extract_kind(type, kind);
    ctx->body.unicode = t->guard
                        && !(skip == JUDGE_SKIP_NONE
                             && *kind == JUDGE_EXTRACT_TEXT
                             && judge_extract_legacy(type));

    return skip;
}


static judge_skip_e
ngx_http_judge_traffic_asked(ngx_http_judge_traffic_ctx_t *ctx,
    judge_extract_kind_e *kind)
{
    judge_skip_e         skip;
    ngx_http_request_t  *r = ctx->r;

    /* the location does not get a body that nginx discards */
    if (r->discard_body || r->headers_in.content_length_n == 0
        || (r->headers_in.content_length_n < 0 && !r->headers_in.chunked))
    {
        return JUDGE_SKIP_NO_BODY;
    }

    if (r->headers_in.content_type == NULL) {
        return JUDGE_SKIP_TYPE;
    }

    skip = ngx_http_judge_traffic_typed(ctx,
                      ngx_http_judge_str(r->headers_in.content_type->value),
                      &r->headers_in.headers, kind);
    ctx->body.rewrite = ctx->traffic->rewrite;

    return skip == JUDGE_SKIP_NONE && *kind == JUDGE_EXTRACT_EVENTS
           ? JUDGE_SKIP_TYPE : skip;
}


/* Without mode=guard partial responses are skipped; with it they are judged,
 * except those with several ranges. */

static judge_skip_e
ngx_http_judge_traffic_kind(ngx_http_judge_traffic_ctx_t *ctx,
    judge_extract_kind_e *kind)
{
    ngx_uint_t           status;
    judge_str_t          type;
    judge_skip_e         skip;
    ngx_http_request_t  *r = ctx->r;

    status = r->headers_out.status;
    type = ngx_http_judge_str(r->headers_out.content_type);

    if (r->header_only || r->method == NGX_HTTP_HEAD
        || status == NGX_HTTP_NO_CONTENT || status == NGX_HTTP_NOT_MODIFIED
        || r->headers_out.content_length_n == 0)
    {
        return JUDGE_SKIP_NO_BODY;
    }

    if (status < NGX_HTTP_OK
        || (status >= NGX_HTTP_SPECIAL_RESPONSE
            && ctx->traffic->detect == NULL)
        || (status == NGX_HTTP_PARTIAL_CONTENT && !ctx->traffic->guard))
    {
        return JUDGE_SKIP_STATUS;
    }

    if (status == NGX_HTTP_PARTIAL_CONTENT
        && judge_str_casestarts(type, JUDGE_STR("multipart/")))
    {
        return JUDGE_SKIP_MALFORMED;
    }

    skip = ngx_http_judge_traffic_typed(ctx, type,
                                        ngx_http_judge_traffic_behind(r)
                                        ? &r->upstream->headers_in.headers
                                        : NULL, kind);

    return skip == JUDGE_SKIP_NONE && *kind > JUDGE_EXTRACT_EVENTS
           ? JUDGE_SKIP_TYPE : skip;
}


/* Returns the value of a variable of nginx; empty: not found. */

static judge_str_t
ngx_http_judge_traffic_known(ngx_http_request_t *r, const char *name)
{
    ngx_str_t                   key = { ngx_strlen(name), (u_char *) name };
    ngx_http_variable_value_t  *v;

    v = ngx_http_get_variable(r, &key, ngx_hash_key(key.data, key.len));

    return v && !v->not_found ? (judge_str_t) { v->len, (char *) v->data }
                              : JUDGE_STR("");
}


judge_str_t
ngx_http_judge_traffic_id(ngx_http_request_t *r)
{
    judge_str_t  id = ngx_http_judge_traffic_known(r, "http_x_request_id");

    return id.len ? id : ngx_http_judge_traffic_known(r, "request_id");
}


/* Whether the request is in the sample.  This depends on a hash of its
 * identifier, so that a repeated request has the same result. */

static bool
ngx_http_judge_traffic_sampled(ngx_http_request_t *r,
    ngx_http_judge_traffic_t *t)
{
    double       share;
    uint64_t     hash;
    ngx_str_t    value;
    judge_str_t  id;

    if (ngx_http_complex_value(r, t->judge, &value) != NGX_OK
        || value.len == 0)
    {
        return false;
    }

    if (t->sample == NULL) {
        return true;
    }

    if (ngx_http_complex_value(r, t->sample, &value) != NGX_OK) {
        return false;
    }

    if (!ngx_http_judge_traffic_share(&value, &share)) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "judge_traffic:"
                      " sample= has \"%V\", expected a share such as 10%%",
                      &value);
        return false;
    }

    id = ngx_http_judge_traffic_id(r);
    hash = judge_mix(judge_fnv(JUDGE_FNV_START, id.data, id.len));

    return (double) (hash >> 11) / (double) (UINT64_C(1) << 53) * 100 < share;
}


/* The sample is drawn from those that passed the cheapest checks. */

judge_skip_e
ngx_http_judge_traffic_admit(ngx_http_request_t *r,
    ngx_http_judge_traffic_ctx_t *ctx)
{
    off_t                      length;
    judge_skip_e               skip;
    judge_str_t                coding = JUDGE_STR("");
    judge_extract_kind_e       kind;
    ngx_http_judge_traffic_t  *t = ctx->traffic;
    ngx_http_judge_service_t  *js = t->service;

    skip = t->asks ? ngx_http_judge_traffic_asked(ctx, &kind)
                   : ngx_http_judge_traffic_kind(ctx, &kind);
    length = t->asks ? r->headers_in.content_length_n
                     : r->headers_out.content_length_n;
    if (skip != JUDGE_SKIP_NONE && skip != JUDGE_SKIP_CHARSET) {
        return skip;
    }

    if (t->detect == NULL && !ngx_http_judge_traffic_sampled(r, t)) {
        return t->guard ? JUDGE_SKIP_NO_JUDGE : JUDGE_SKIP_SAMPLED_OUT;
    }

    if (skip != JUDGE_SKIP_NONE) {
        return skip;
    }

    if (length > (off_t) t->max) {
        return JUDGE_SKIP_TOO_LARGE;
    }

    if (t->detect == NULL && !js->open) {
        return JUDGE_SKIP_FAILED;
    }

    if (t->rate.limit
        && !judge_rate_limits_take(js->service.limits, &t->rate,
                                   JUDGE_STR(""), t->bucket,
                                   judge_now(&js->service)).allowed)
    {
        return JUDGE_SKIP_LIMITED;
    }

    if (t->used >= t->memory
        || (!t->guard && !t->detect && judge_exchanges_full(&js->service)))
    {
        return JUDGE_SKIP_DROPPED;
    }

    if (t->asks) {
        coding = ngx_http_judge_traffic_known(r, "http_content_encoding");
    } else if (r->headers_out.content_encoding) {
        coding = ngx_http_judge_str(r->headers_out.content_encoding->value);
    }

    ctx->body.formats = t->answer;
    ctx->body.request = t->asks;
    ctx->body.fields = t->fields.elts;
    ctx->body.nfields = t->fields.nelts;
    ctx->body.passing = t->passing;
    judge_extract_begin(&ctx->body, kind, coding, t->max);

    return ctx->body.skip;
}


/* Absent: without memory. */

static judge_str_t
ngx_http_judge_traffic_evaluate(ngx_http_request_t *r,
    ngx_http_complex_value_t *cv, judge_arena_t *arena)
{
    ngx_str_t  s;

    if (ngx_http_complex_value(r, cv, &s) != NGX_OK) {
        return (judge_str_t) { 0, NULL };
    }

    return judge_str_dup(arena, s.len ? ngx_http_judge_str(s) : JUDGE_STR(""));
}


/* Takes the body of the request as the source, if nginx has it in memory and
 * has neither written it to a file nor forwarded it unbuffered. */

static void
ngx_http_judge_traffic_source(ngx_http_request_t *r,
    ngx_http_judge_traffic_t *t, judge_exchange_t *x)
{
    judge_str_t            type, bytes;
    ngx_chain_t           *cl;
    judge_extract_kind_e   kind;

    if (!t->sourced || r->request_body == NULL
        || r->headers_in.content_type == NULL)
    {
        return;
    }

    type = ngx_http_judge_str(r->headers_in.content_type->value);
    if (judge_extract_kind(type, &kind) != JUDGE_SKIP_NONE
        || kind == JUDGE_EXTRACT_EVENTS)
    {
        return;
    }

    for (cl = r->request_body->bufs; cl; cl = cl->next) {
        if (cl->buf->in_file) {
            return;
        }
    }

    type = judge_str_dup(x->arena, type);
    if (type.data == NULL) {
        return;
    }

    x->sourced = true;
    x->source.type = type;
    x->source.request = true;
    x->source.formats = t->request;
    x->source.passing = JUDGE_STR("*");        /* files are not read */
    judge_extract_begin(&x->source, kind, JUDGE_STR(""), t->max);

    for (cl = r->request_body->bufs; cl; cl = cl->next) {
        bytes = ngx_http_judge_traffic_bytes(cl->buf);
        judge_extract_feed(&x->source, x->arena, bytes.data, bytes.len);
    }
}


/* Names the route: after the location, unless the directive sets a name. */

static judge_str_t
ngx_http_judge_traffic_route(ngx_http_request_t *r,
    ngx_http_judge_traffic_t *t, judge_arena_t *arena)
{
    judge_str_t                name;
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    name = ngx_http_judge_str(clcf->name);
    if (t->route) {
        name = ngx_http_judge_traffic_evaluate(r, t->route, arena);
        if (name.data == NULL) {
            return name;
        }
    }

    return judge_str_dup(arena, name.len ? name : JUDGE_STR("/"));
}


static judge_str_t
ngx_http_judge_traffic_about(ngx_http_request_t *r, judge_arena_t *arena,
    judge_str_t route)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_json_begin_object(&w, &buf, arena);
    judge_json_put_str(&w, "request_id", ngx_http_judge_traffic_id(r));
    judge_json_put_str(&w, "method", ngx_http_judge_str(r->method_name));
    judge_json_put_str(&w, "path", ngx_http_judge_str(r->uri));
    judge_json_put_str(&w, "route", route);
    if (r->headers_out.status) {
        judge_json_put_int(&w, "status", (int64_t) r->headers_out.status);
    }

    return judge_json_text(&w);
}


/* NULL: out of memory. */

static judge_exchange_t *
ngx_http_judge_traffic_exchange(ngx_http_request_t *r,
    ngx_http_judge_traffic_ctx_t *ctx)
{
    judge_str_t                name, type = JUDGE_STR("");
    judge_exchange_t          *x;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    x = judge_exchange_create(&t->service->service);
    if (x == NULL) {
        return NULL;
    }

    name = ngx_http_judge_str(r->uri);
    name.len = ngx_min(name.len, NGX_HTTP_JUDGE_NAME_MAX);
    name.len = judge_utf8_check(name);

    x->name = name.len ? judge_str_dup(x->arena, name) : JUDGE_STR("Untitled");
    x->route = ngx_http_judge_traffic_route(r, t, x->arena);
    x->about = ngx_http_judge_traffic_about(r, x->arena, x->route);
    if (t->asks) {
        type = judge_str_dup(x->arena,
                      ngx_http_judge_str(r->headers_in.content_type->value));
    }

    if (t->service->service.settings.export_timeout) {
        x->trace = judge_str_dup(x->arena, judge_traceparent_part(
                          ngx_http_judge_traffic_known(r,
                                                       "http_traceparent")));
    }

    x->scores = t->scores;
    x->redact = t->redact.elts;
    x->nredact = t->redact.nelts;

    x->judge_id = ngx_http_judge_traffic_evaluate(r, t->judge, x->arena);
    x->org = ngx_http_judge_traffic_evaluate(r, t->organization, x->arena);
    if (t->conversation_id) {
        x->conversation_id = ngx_http_judge_traffic_evaluate(r,
                                               t->conversation_id, x->arena);
    }

    if (x->name.data == NULL || x->about.data == NULL || type.data == NULL
        || x->route.data == NULL || x->judge_id.data == NULL
        || x->org.data == NULL
        || (t->conversation_id && x->conversation_id.data == NULL))
    {
        judge_exchange_free(x);
        return NULL;
    }

    x->conversation = t->conversation;
    x->conversation_path = t->conversation && t->conversation_id == NULL
                           ? &t->conversation_path : NULL;
    ngx_http_judge_traffic_source(r, t, x);
    x->body.type = type;

    return x;
}


static ngx_int_t
ngx_http_judge_traffic_string(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    judge_str_t                   *s;
    ngx_http_judge_traffic_ctx_t  *ctx;

    ctx = ngx_http_judge_traffic_ctx(r, (ngx_flag_t) (data & 1));
    s = ctx ? (judge_str_t *) ((char *) ctx + (data & ~(uintptr_t) 1)) : NULL;
    v->not_found = s == NULL || s->len == 0;
    v->valid = !v->not_found;
    v->no_cacheable = 1;

    if (v->valid) {
        v->len = (unsigned) s->len;
        v->data = (u_char *) s->data;
    }

    return NGX_OK;
}


/* Variables of the answer and of the request, whose offset in the context is
 * made odd. */
#define ngx_http_judge_traffic_var(name, field)                               \
    { ngx_string("judge_" name), NULL, ngx_http_judge_traffic_string,         \
      offsetof(ngx_http_judge_traffic_ctx_t, field),                          \
      NGX_HTTP_VAR_NOCACHEABLE, 0 },                                          \
    { ngx_string("judge_request_" name), NULL, ngx_http_judge_traffic_string, \
      offsetof(ngx_http_judge_traffic_ctx_t, field) | 1,                      \
      NGX_HTTP_VAR_NOCACHEABLE, 0 }

static ngx_http_variable_t  ngx_http_judge_traffic_vars[] = {
    ngx_http_judge_traffic_var("skipped", reason),
    ngx_http_judge_traffic_var("score", score),
    ngx_http_judge_traffic_var("passed", passed),
    ngx_http_judge_traffic_var("evaluation_id", evaluation),
    ngx_http_judge_traffic_var("time", time),
    ngx_http_judge_traffic_var("detected", detected),
    ngx_http_judge_traffic_var("blocked_id", blocked),
    ngx_http_null_variable
};


/* An index makes nginx keep the value of $request_id, which else would be
 * another one each time. */

ngx_int_t
ngx_http_judge_traffic_variables(ngx_conf_t *cf)
{
    ngx_str_t  id = ngx_string("request_id");

    return ngx_http_get_variable_index(cf, &id) == NGX_ERROR
           ? NGX_ERROR
           : ngx_http_judge_variables_add(cf, ngx_http_judge_traffic_vars);
}


judge_exchange_t *
ngx_http_judge_traffic_take(ngx_http_judge_traffic_ctx_t *ctx, ngx_uint_t end)
{
    judge_str_t                type;
    judge_exchange_t          *x;
    ngx_http_judge_service_t  *js = ctx->traffic->service;

    if (ctx->body.kind != JUDGE_EXTRACT_EVENTS) {
        judge_extract_feed(&ctx->body, ngx_http_judge_scratch,
                           ctx->held.data, ctx->held.len);
    }

    x = js->open ? ngx_http_judge_traffic_exchange(ctx->r, ctx) : NULL;
    if (x == NULL) {
        ngx_http_judge_traffic_skip(ctx, JUDGE_SKIP_FAILED);
        return NULL;
    }

    ngx_http_judge_stay(js);
    if (!end) {
        judge_extract_snapshot(&ctx->body, &x->body);
        x->unfinished = true;
        x->min = ctx->traffic->min;
        return x;
    }

    type = x->body.type;
    x->body = ctx->body;
    x->body.type = type;
    ngx_memzero(&ctx->body, sizeof(judge_extract_t));
    ngx_http_judge_traffic_drop(ctx);

    return x;
}
