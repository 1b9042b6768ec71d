/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Answers to messages, and calls of routes. */


#include <stdio.h>

#include "extensions/mcp/mcp.h"


#define JUDGE_MCP_PREFER  "handling=strict, wait=25"     /* s, for a result;
                                          two of them are within the minute
                                          that clients wait by default */


/* --- Answers ------------------------------------------------------------- */

judge_json_writer_t *
judge_mcp_open(judge_mcp_t *m, const char *member)
{
    judge_json_writer_t  *w = &m->w;

    m->http = 200;
    judge_json_object(w);
    judge_json_put_c(w, "jsonrpc", "2.0");
    judge_json_key(w, "id");

    if (m->id) {
        judge_json_value(w, m->id);
    } else {
        judge_json_null(w);
    }

    judge_json_key_object(w, member);

    return w;
}


void
judge_mcp_end(judge_mcp_t *m)
{
    judge_json_object_end(&m->w);      /* "result" or "error" */
    judge_json_object_end(&m->w);
    m->next(m);
}


void
judge_mcp_error(judge_mcp_t *m, int code, const char *fmt, ...)
{
    char                  sentence[1024];
    va_list               args;
    judge_json_writer_t  *w;

    va_start(args, fmt);
    (void) vsnprintf(sentence, sizeof(sentence), fmt, args);
    va_end(args);

    w = judge_mcp_open(m, "error");
    if (!m->batch && (code == JUDGE_MCP_PARSE || code == JUDGE_MCP_REQUEST)) {
        m->http = 400;
    }

    judge_json_put_int(w, "code", code);
    judge_json_put_c(w, "message", sentence);
    judge_mcp_end(m);
}


void
judge_mcp_only_page(judge_mcp_t *m, const judge_json_t *params,
    const char *name, const char *json)
{
    judge_json_writer_t  *w;

    if (judge_json_get(params, "cursor")) {
        judge_mcp_error(m, JUDGE_MCP_PARAMS, "cursor: there is only one page");
        return;
    }

    w = judge_mcp_open(m, "result");
    judge_json_put_raw(w, name, judge_str_c(json));
    judge_mcp_end(m);
}


/* --- Calls --------------------------------------------------------------- */

static void
judge_mcp_called(judge_inner_t *inner)
{
    judge_mcp_t  *m = inner->r->ctx;

    m->status = inner->status;
    m->text = inner->text;
    m->answer = inner->answer;
    m->called(m);
}


void
judge_mcp_call(judge_mcp_t *m, judge_method_e method, judge_str_t path,
    judge_str_t what, judge_mcp_step_pt then)
{
    m->called = then;
    m->inner.r = m->r;
    m->inner.then = judge_mcp_called;
    m->inner.prefer = JUDGE_STR(JUDGE_MCP_PREFER);

    if (!judge_inner_call(&m->inner, method, path, what)) {
        judge_mcp_error(m, JUDGE_MCP_INTERNAL, "out of memory");
    }
}


void
judge_mcp_cleanup(judge_req_t *r)
{
    judge_mcp_t  *m = r->ctx;

    judge_inner_cleanup(&m->inner);
}


judge_str_t
judge_mcp_path(judge_mcp_t *m, const char *before, judge_str_t id,
    const char *prefix, const char *after)
{
    if (!judge_id_wellformed(id, prefix)) {
        id = JUDGE_STR("-");
    }

    return judge_str_printf(m->r->arena, "%s%.*s%s", before,
                            judge_str_args(id), after);
}


judge_str_t
judge_mcp_page(judge_mcp_t *m, const char *filter, judge_str_t cursor)
{
    if (cursor.data && judge_unbase64url(m->r->arena, cursor).data == NULL) {
        cursor = JUDGE_STR("-");
    }

    return judge_str_printf(m->r->arena, "%s%s%.*s", filter,
                            cursor.data ? "&cursor=" : "", (int) cursor.len,
                            cursor.data ? cursor.data : "");
}


judge_str_t
judge_mcp_detail(const judge_mcp_t *m)
{
    judge_str_t  detail;

    detail = judge_json_string(m->answer, "detail");

    return detail.data ? detail : JUDGE_STR("the service failed");
}


void
judge_mcp_failed(judge_mcp_t *m)
{
    int          code;
    judge_str_t  detail;

    detail = judge_mcp_detail(m);
    code = m->status == 404 ? JUDGE_MCP_NOT_FOUND
           : m->status == 400 ? JUDGE_MCP_PARAMS
           : m->status >= 500 ? JUDGE_MCP_INTERNAL : JUDGE_MCP_REFUSED;
    judge_mcp_error(m, code, "%.*s", judge_str_args(detail));
}
