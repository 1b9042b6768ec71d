/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The transport, and the JSON-RPC messages of a body. */

#include "base/core/version.h"
#include "extensions/mcp/mcp.h"


#define JUDGE_MCP_BATCH    10          /* messages, whose answers add up */
#define JUDGE_MCP_BATCHES  "2025-03-26"     /* only this one has batches; the
                                          default without a header */


static void judge_mcp_take(judge_req_t *r, const char *data, size_t len);
static void judge_mcp_start(judge_req_t *r);


/* The newest first. */
static const char *const  judge_mcp_versions[] = {
    "2025-11-25", "2025-06-18", JUDGE_MCP_BATCHES, NULL
};

static const char *const  judge_mcp_accepts[] = { "application/json", NULL };

static const judge_route_t  judge_mcp_table[] = {
    { judge_route(POST, "/mcp", 0, 0, judge_mcp_t),
      .handler = judge_mcp_start, .consume = judge_mcp_take,
      .accepts = judge_mcp_accepts },
    { .pattern = NULL }
};


const judge_route_t *
judge_mcp_routes(size_t i)
{
    return i == 0 ? judge_mcp_table : NULL;
}


/* If there were only notifications, the answer is empty. */

static void
judge_mcp_finish(judge_mcp_t *m)
{
    judge_rc_e  rc;

    if (m->batch) {
        judge_json_array_end(&m->w);
    }

    rc = judge_json_finish(&m->w);

    if (m->http == 202) {
        judge_reply_empty(m->r, m->http);
    } else if (rc == JUDGE_OK) {
        judge_reply_raw(m->r, m->http, judge_buf_view(&m->reply));
    } else {
        judge_fail_rc(m->r, rc);
    }
}


/* --- Methods ------------------------------------------------------------- */

static void
judge_mcp_initialize(judge_mcp_t *m, const judge_json_t *params)
{
    judge_str_t           version;
    judge_json_writer_t  *w;

    version = judge_json_string(params, "protocolVersion");
    if (version.data == NULL || m->batch) {
        judge_mcp_error(m, m->batch ? JUDGE_MCP_REQUEST : JUDGE_MCP_PARAMS,
                        "expected protocolVersion, and no batch");
        return;
    }

    if (!judge_str_caseamong(version, judge_mcp_versions)) {
        version = judge_str_c(judge_mcp_versions[0]);
    }

    w = judge_mcp_open(m, "result");
    judge_json_put_str(w, "protocolVersion", version);
    judge_json_put_raw(w, "capabilities", JUDGE_STR(
        JUDGE_MCP_JSON({"tools": {}, "resources": {}, "prompts": {}})));
    judge_json_put_raw(w, "serverInfo", JUDGE_STR(
        "{\"name\":\"judge\",\"version\":\"" JUDGE_VERSION "\"}"));
    judge_json_put_c(w, "instructions",
        "Judges score texts by criteria, from 0 to 100, and say why. Find a"
        " judge with list_judges, or make one with create_judge; then"
        " judge_text. A criterion for which there is no evidence has no score"
        " and stands in not_judged. Tell corrections of people with correct;"
        " judges learn from them.");
    judge_mcp_end(m);
}


static void
judge_mcp_ping(judge_mcp_t *m, const judge_json_t *params)
{
    (void) judge_mcp_open(m, "result");
    judge_mcp_end(m);
}


/* --- Messages ------------------------------------------------------------ */

static const struct {
    const char  *name;
    void       (*run)(judge_mcp_t *m, const judge_json_t *params);
} judge_mcp_methods[] = {
    { "initialize", judge_mcp_initialize },
    { "ping", judge_mcp_ping },
    { "tools/list", judge_mcp_tools_list },
    { "tools/call", judge_mcp_tools_call },
    { "resources/list", judge_mcp_resources_list },
    { "resources/templates/list", judge_mcp_resources_templates },
    { "resources/read", judge_mcp_resources_read },
    { "prompts/list", judge_mcp_prompts_list },
    { "prompts/get", judge_mcp_prompts_get },
    { NULL, NULL }
};


static void
judge_mcp_run(judge_mcp_t *m, judge_str_t method, const judge_json_t *params)
{
    size_t  i;

    if (params && params->type != JUDGE_JSON_OBJECT) {
        judge_mcp_error(m, JUDGE_MCP_PARAMS, "params: expected an object");
        return;
    }

    for (i = 0; judge_mcp_methods[i].name; i++) {
        if (judge_str_eq_c(method, judge_mcp_methods[i].name)) {
            judge_mcp_methods[i].run(m, params);
            return;
        }
    }

    judge_mcp_error(m, JUDGE_MCP_METHOD, "there is no method %.*s",
                    (int) (method.len < 100 ? method.len : 100), method.data);
}


/* Handles a message; false: a notification or response, without an answer. */

static bool
judge_mcp_message(judge_mcp_t *m, const judge_json_t *v)
{
    judge_str_t    method;
    judge_json_t  *id;

    m->id = NULL;

    if (v->type != JUDGE_JSON_OBJECT
        || !judge_str_eq_c(judge_json_string(v, "jsonrpc"), "2.0"))
    {
        judge_mcp_error(m, JUDGE_MCP_REQUEST,
                        "expected a message of JSON-RPC 2.0");
        return true;
    }

    method = judge_json_string(v, "method");
    id = judge_json_get(v, "id");

    if (id && id->type != JUDGE_JSON_STRING && id->type != JUDGE_JSON_INTEGER)
    {
        judge_mcp_error(m, JUDGE_MCP_REQUEST,
                        "id: expected a string or an integer");
        return true;
    }

    if (method.data == NULL) {
        if (judge_json_get(v, "result") || judge_json_get(v, "error")) {
            return false;
        }
        m->id = id;
        judge_mcp_error(m, JUDGE_MCP_REQUEST, "method: expected a string");
        return true;
    }

    if (id == NULL) {
        return false;
    }

    m->id = id;
    judge_mcp_run(m, method, judge_json_get(v, "params"));

    return true;
}


/* Handles the next messages; it is called again after each answer. */

static void
judge_mcp_next(judge_mcp_t *m)
{
    const judge_json_t  *v;

    while (m->remaining) {
        v = m->message;
        m->message = v->next;
        m->remaining--;

        if (judge_mcp_message(m, v)) {
            return;
        }
    }

    judge_mcp_finish(m);
}


static void
judge_mcp_messages(judge_mcp_t *m, const judge_json_t *root)
{
    const judge_mcp_head_t  *head = m->r->extra;

    if (root->type != JUDGE_JSON_ARRAY) {
        m->message = root;
        m->remaining = 1;
        judge_mcp_next(m);
        return;
    }

    if (head->version.data && !judge_str_eq_c(head->version,
                                              JUDGE_MCP_BATCHES))
    {
        judge_mcp_error(m, JUDGE_MCP_REQUEST, "expected one message: only the"
                        " revision " JUDGE_MCP_BATCHES " has batches");
        return;
    }

    if (root->count == 0 || root->count > JUDGE_MCP_BATCH) {
        judge_mcp_error(m, JUDGE_MCP_REQUEST, "expected a batch of 1 to %d"
                        " messages", JUDGE_MCP_BATCH);
        return;
    }

    m->batch = true;
    m->message = root->first;
    m->remaining = root->count;
    judge_json_array(&m->w);
    judge_mcp_next(m);
}


/* --- The transport ------------------------------------------------------- */

static void
judge_mcp_take(judge_req_t *r, const char *data, size_t len)
{
    judge_mcp_t  *m = r->ctx;

    m->body.arena = r->arena;
    judge_buf_append(&m->body, data, len);
}


static void
judge_mcp_parse(judge_req_t *r)
{
    judge_mcp_t  *m = r->ctx;

    m->rc = m->body.failed ? JUDGE_NOMEM
            : judge_json_parse(r->arena, judge_buf_view(&m->body), &m->root,
                               &m->invalid);
}


static void
judge_mcp_parsed(judge_req_t *r)
{
    judge_mcp_t             *m = r->ctx;
    const judge_mcp_head_t  *head = r->extra;

    if (m->rc == JUDGE_INVALID) {
        judge_mcp_error(m, JUDGE_MCP_PARSE, "%.*s",
                        judge_str_args(m->invalid));

    } else if (m->rc != JUDGE_OK) {
        judge_fail_rc(r, m->rc);

    } else if (head->version.data
               && !judge_str_caseamong(head->version, judge_mcp_versions)
               && !judge_str_eq_c(judge_json_string(m->root, "method"),
                                  "initialize"))
    {
        judge_mcp_error(m, JUDGE_MCP_REQUEST, "MCP-Protocol-Version: expected"
                        " a revision such as %s", judge_mcp_versions[0]);

    } else {
        judge_mcp_messages(m, m->root);
    }
}


/* A page in a browser may only call from the address of the service.  This
 * prevents DNS rebinding, by which other pages could reach the service. */

static void
judge_mcp_start(judge_req_t *r)
{
    judge_str_t              home;
    judge_mcp_t             *m = r->ctx;
    const judge_mcp_head_t  *head = r->extra;

    home = r->service->settings.public_url;

    if (head->origin.data
        && (head->origin.len == 0 || !judge_str_starts(home, head->origin)
            || (home.len > head->origin.len
                && home.data[head->origin.len] != '/')))
    {
        judge_fail(r, 403, "Origin: pages may call only from the address in"
                           " public_url");
        return;
    }

    m->r = r;
    m->next = judge_mcp_next;
    m->http = 202;
    r->cleanup = judge_mcp_cleanup;
    judge_buf_init(&m->reply, r->arena);
    judge_json_begin(&m->w, &m->reply);

    judge_compute(r, judge_mcp_parse, judge_mcp_parsed);
}
