/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Verdicts.  What did not pass, and matches, are reported to the operator: by
 * counts, a sample (blocked.h), and the error log, which gets no text. */


#include <ngx_config.h>

#include "extensions/traffic/ngx/ngx_http_judge_traffic.h"


/* Returns the memory of the location's service; NULL: it has no service. */

static judge_blocked_memory_t *
ngx_http_judge_report_memory(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_judge_service_t  *js = ctx->traffic->service;

    return js && js->open
           ? judge_extensions_shared(&js->service, &judge_extension_traffic)
           : NULL;
}


static judge_str_t
ngx_http_judge_report_location(const ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_http_core_loc_conf_t  *clcf;

    clcf = ngx_http_get_module_loc_conf(ctx->r, ngx_http_core_module);

    return ngx_http_judge_str(clcf->name);
}


/* Adds it to the sample; the client and the log get its identifier, too. */

static void
ngx_http_judge_report_keep(ngx_http_judge_traffic_ctx_t *ctx,
    judge_blocked_memory_t *m, judge_blocked_t *b)
{
    ngx_str_t                  org = ngx_null_string;
    ngx_table_elt_t           *type;
    ngx_http_request_t        *r = ctx->r;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    b->noted_at = judge_now(&t->service->service);
    if (judge_id_make(&b->id, "blk", b->noted_at) != JUDGE_OK) {
        return;
    }

    if (t->organization
        && ngx_http_complex_value(r, t->organization, &org) == NGX_OK
        && org.len)
    {
        b->org = ngx_http_judge_str(org);
    }

    type = r->headers_in.content_type;
    b->method = ngx_http_judge_str(r->method_name);
    b->path = ngx_http_judge_str(r->uri);
    b->request_id = ngx_http_judge_traffic_id(r);
    b->type = !t->asks ? ngx_http_judge_str(r->headers_out.content_type)
              : type ? ngx_http_judge_str(type->value)
              : (judge_str_t) { 0, NULL };
    judge_blocked_keep(m, b);

    if (b->action == JUDGE_DETECT_BLOCK) {
        ctx->blocked = judge_str_dup(ctx->arena, judge_id_str(&b->id));
    }
}


/* Writes the answer to a refused client; with message= it has nothing that
 * tells how to come closer to passing. */

void
ngx_http_judge_report_detail(ngx_http_judge_traffic_ctx_t *ctx,
    const judge_exchange_t *x)
{
    judge_buf_t                buf;
    judge_json_writer_t        w;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    judge_json_begin_object(&w, &buf, ctx->arena);
    judge_json_put_str(&w, "detail", ctx->why);

    if (x) {
        judge_json_put_str(&w, "evaluation_id", ctx->evaluation);
    }
    if (x && t->message.len == 0) {
        judge_json_put_number2(&w, "overall_score", x->overall);
        judge_json_put_number2(&w, "minimum", t->min);
        judge_json_put_raw(&w, "criteria_scores", x->scored);
    }

    ctx->detail = judge_json_text(&w);
}


static void
ngx_http_judge_report_refused(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x)
{
    judge_blocked_t            b = { .asks = ctx->traffic->asks,
                                     .action = JUDGE_DETECT_BLOCK };
    ngx_http_judge_traffic_t  *t = ctx->traffic;
    judge_blocked_memory_t    *m = ngx_http_judge_report_memory(ctx);
    bool                       judged = x && x->skip == JUDGE_SKIP_NONE;
    judge_str_t                said = judged || x == NULL ? ctx->score
                                                          : x->reason;

    b.rule = judge_str_c(ctx->found ? "judge_detect"
                         : t->asks ? "judge_request" : "judge_traffic");
    b.location = ngx_http_judge_report_location(ctx);
    b.reason = judge_str_c(judged ? "below_minimum"
                                  : judge_skip_name(ctx->skip));

    if (x && t->keeps) {
        b.text = x->create.content.text_content;
    }
    if (judged) {
        b.scored = true;
        b.score = x->overall;
        b.min = t->min;
        b.evaluation_id = ctx->evaluation;
    }

    if (m) {
        judge_blocked_count(m, &b);
        ngx_http_judge_report_keep(ctx, m, &b);
    }

    ngx_log_error(NGX_LOG_WARN, ctx->r->connection->log, 0, "%*s: the %s in"
                  " location \"%*s\" is blocked: %*s%s%*s%s%*s%s%*s",
                  b.rule.len, b.rule.data, t->asks ? "request" : "answer",
                  b.location.len, b.location.data, b.reason.len, b.reason.data,
                  judged ? ", score " : said.len ? ", " : "", said.len,
                  said.data, judged ? ", " : "", ctx->evaluation.len,
                  ctx->evaluation.data,
                  ctx->blocked.len ? ", " : "", ctx->blocked.len,
                  ctx->blocked.data);
}


/* Counts matches by detector and action; the sample gets the strongest. */

static void
ngx_http_judge_report_sample(ngx_http_judge_traffic_ctx_t *ctx,
    judge_blocked_memory_t *m)
{
    size_t           i, k;
    judge_detect_t  *d = ctx->found;
    judge_blocked_t  b = { .asks = ctx->traffic->asks }, first = b;

    b.location = ngx_http_judge_report_location(ctx);

    for (k = JUDGE_DETECT_ACTIONS; k--; /* void */ ) {
        for (i = 0; i < JUDGE_DETECTORS; i++) {
            if (d->counts[i][k] == 0) {
                continue;
            }

            ngx_http_judge_traffic_count(ctx, JUDGE_TRAFFIC_DETECTED,
                                         i * JUDGE_DETECT_ACTIONS + k,
                                         d->counts[i][k]);
            b.action = (judge_detect_action_e) k;
            b.reason = judge_str_c(d->labels[i][k]);
            b.rule = i == JUDGE_DETECT_EXPRESSIONS
                     ? b.reason : judge_str_c(judge_detectors[i].name);
            judge_blocked_count(m, &b);
            if (first.rule.data == NULL) {
                first = b;
            }
        }
    }

    if (ctx->traffic->keeps) {
        first.text = d->body;
    }
    ngx_http_judge_report_keep(ctx, m, &first);
}


void
ngx_http_judge_report_found(ngx_http_judge_traffic_ctx_t *ctx)
{
    ngx_uint_t               level;
    judge_str_t              location = ngx_http_judge_report_location(ctx);
    judge_detect_t          *d = ctx->found;
    judge_blocked_memory_t  *m = ngx_http_judge_report_memory(ctx);

    if (m) {
        ngx_http_judge_report_sample(ctx, m);
    }

    level = d->blocked ? NGX_LOG_WARN : NGX_LOG_NOTICE;
    ngx_log_error(level, ctx->r->connection->log, 0, "judge_detect: the %s in"
                  " location \"%*s\" %s: %*s%s%s%s%s%*s",
                  ctx->traffic->asks ? "request" : "answer", location.len,
                  location.data,
                  d->blocked ? "is blocked" : d->masked ? "is masked"
                                                        : "passes",
                  ctx->detected.len, ctx->detected.data,
                  d->blocked ? " (" : "", d->blocked ? d->label : "",
                  d->blocked ? ")" : "", ctx->blocked.len ? ", " : "",
                  ctx->blocked.len, ctx->blocked.data);
}


/* --- Verdicts of judges -------------------------------------------------- */

/* Charsets that may hide text are blocked even if on_error= lets others
 * pass. */

bool
ngx_http_judge_report_strict(const ngx_http_judge_traffic_ctx_t *ctx,
    judge_skip_e skip)
{
    return (skip == JUDGE_SKIP_CHARSET && ctx->found == NULL)
           || (ctx->traffic->block && skip != JUDGE_SKIP_NO_BODY);
}


/* Copies the verdict to the request's memory. */

static void
ngx_http_judge_report_score(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x)
{
    char         number[JUDGE_NUMBER_LEN];
    judge_str_t  score = { 0, number };

    score.len = judge_number2_format(x->overall, number);
    ctx->guard = x->overall >= ctx->traffic->min
                 ? NGX_HTTP_JUDGE_GUARD_PASS : NGX_HTTP_JUDGE_GUARD_REFUSED;
    ctx->passed = ctx->guard == NGX_HTTP_JUDGE_GUARD_PASS ? JUDGE_STR("1")
                                                          : JUDGE_STR("0");
    ctx->score = judge_str_dup(ctx->arena, score);
    ctx->evaluation = judge_str_dup(ctx->arena, judge_id_str(&x->id));
    ctx->time = judge_str_printf(ctx->arena, "%d.%03d",
                                 (int) (x->latency / 1000),
                                 (int) (x->latency % 1000));
}


/* x NULL: the body did not come to be judged. */

void
ngx_http_judge_report_verdict(ngx_http_judge_traffic_ctx_t *ctx,
    judge_exchange_t *x)
{
    bool                       judged = x && x->skip == JUDGE_SKIP_NONE;
    const char                *what;
    ngx_http_judge_traffic_t  *t = ctx->traffic;

    if (judged) {
        ngx_http_judge_report_score(ctx, x);
    } else if (ngx_http_judge_report_strict(ctx, ctx->skip)) {
        ctx->guard = NGX_HTTP_JUDGE_GUARD_REFUSED;
        ctx->passed = JUDGE_STR("0");
    } else {
        ctx->guard = NGX_HTTP_JUDGE_GUARD_PASS;
    }

    if (ctx->guard != NGX_HTTP_JUDGE_GUARD_REFUSED) {
        return;
    }

    ngx_http_judge_traffic_count(ctx, JUDGE_TRAFFIC_REFUSED,
                                 (t->asks ? JUDGE_SKIP_COUNT : 0)
                                 + (judged ? JUDGE_SKIP_NONE : ctx->skip), 1);
    ngx_http_judge_report_refused(ctx, x);

    what = t->asks ? "request" : "answer";
    ctx->why = t->message.len ? ngx_http_judge_str(t->message)
               : judged
               ? judge_str_printf(ctx->arena, "the %s was judged to be below"
                                  " what is wanted here", what)
               : judge_str_printf(ctx->arena, "the %s could not be judged: %s",
                                  what, judge_skip_name(ctx->skip));
    ngx_http_judge_report_detail(ctx, judged ? x : NULL);
}
