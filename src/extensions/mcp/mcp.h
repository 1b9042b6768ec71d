/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The Model Context Protocol over HTTP, without sessions: a POST has JSON-RPC
 * messages, and its answer has theirs.  Tools, resources and prompts are made
 * from the answers of the service's own routes, which are called with the API
 * key of the client, so that permissions and limits apply.
 *
 * Each method ends by judge_mcp_end() or judge_mcp_error(), after which the
 * request may have been freed.
 */


#ifndef JUDGE_MCP_H
#define JUDGE_MCP_H


#include "api/http/inner.h"


/* The headers that the server reads: judge_req_t.extra.  A header is absent if
 * it was not sent, and empty if it was sent twice. */
typedef struct {
    judge_str_t  origin;
    judge_str_t  version;              /* MCP-Protocol-Version */
} judge_mcp_head_t;

typedef struct judge_mcp  judge_mcp_t;
typedef void (*judge_mcp_step_pt)(judge_mcp_t *m);

/* The context of the route. */
struct judge_mcp {
    judge_req_t         *r;
    judge_mcp_step_pt    next;         /* takes the next message */
    judge_buf_t          body;
    judge_json_t        *root;         /* of the parsed body */
    judge_rc_e           rc;           /* of parsing */
    judge_str_t          invalid;      /* why it is not JSON */
    const judge_json_t  *message;      /* the next one */
    size_t               remaining;    /* messages */
    bool                 batch;
    int                  http;         /* status of the answer; 202: none */
    const judge_json_t  *id;           /* of the message being answered */
    judge_buf_t          reply;
    judge_json_writer_t  w;            /* of `reply` */

    /* The last call of a route. */
    judge_inner_t        inner;
    judge_mcp_step_pt    called;       /* the step that follows */
    int                  status;       /* of its answer */
    judge_str_t          text;         /* its answer */
    judge_json_t        *answer;       /* the parsed answer; NULL: empty */

    /* State of a method between its calls. */
    const judge_json_t  *arguments;
    judge_str_t          uri;
    judge_json_t        *previous;     /* answer of the first call */
    bool                 judges;       /* judges are listed, not results */
};


/* JSON-RPC's codes, and those of the protocol. */
#define JUDGE_MCP_PARSE      (-32700)
#define JUDGE_MCP_REQUEST    (-32600)
#define JUDGE_MCP_METHOD     (-32601)
#define JUDGE_MCP_PARAMS     (-32602)
#define JUDGE_MCP_INTERNAL   (-32603)
#define JUDGE_MCP_REFUSED    (-32000)
#define JUDGE_MCP_NOT_FOUND  (-32002)

/* Makes a JSON text from tokens of C; true and false are not those of C. */
#define JUDGE_MCP_JSON(...)  #__VA_ARGS__

/* Opens the answer to the message and its member, "result" or "error"; end()
 * closes both and continues with the next message. */
judge_json_writer_t *judge_mcp_open(judge_mcp_t *m, const char *member);
void judge_mcp_end(judge_mcp_t *m);
void judge_mcp_error(judge_mcp_t *m, int code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Answers with a list of one page; the member `name` is a JSON text. */
void judge_mcp_only_page(judge_mcp_t *m, const judge_json_t *params,
    const char *name, const char *json);

/*
 * Calls a route of the service with the key of the client, and then `then`.
 * `what` is the body of a POST or the query of a GET.  The functions below
 * must build paths and queries that contain values of the client.
 */
void judge_mcp_call(judge_mcp_t *m, judge_method_e method, judge_str_t path,
    judge_str_t what, judge_mcp_step_pt then);

/* Return a path with an identifier, and a query with a cursor, which may be
 * absent.  A malformed value is replaced by one that is never found. */
judge_str_t judge_mcp_path(judge_mcp_t *m, const char *before, judge_str_t id,
    const char *prefix, const char *after);
judge_str_t judge_mcp_page(judge_mcp_t *m, const char *filter,
    judge_str_t cursor);

/* _detail() returns the sentence of a failed call, _failed() answers with
 * it. */
judge_str_t judge_mcp_detail(const judge_mcp_t *m);
void judge_mcp_failed(judge_mcp_t *m);

/* Called when the request ends. */
void judge_mcp_cleanup(judge_req_t *r);

/* The methods of tools, resources and prompts. */
void judge_mcp_tools_list(judge_mcp_t *m, const judge_json_t *params);
void judge_mcp_tools_call(judge_mcp_t *m, const judge_json_t *params);
void judge_mcp_resources_list(judge_mcp_t *m, const judge_json_t *params);
void judge_mcp_resources_templates(judge_mcp_t *m, const judge_json_t *params);
void judge_mcp_resources_read(judge_mcp_t *m, const judge_json_t *params);
void judge_mcp_prompts_list(judge_mcp_t *m, const judge_json_t *params);
void judge_mcp_prompts_get(judge_mcp_t *m, const judge_json_t *params);

/* The routes of a location with judge_mcp. */
const judge_route_t *judge_mcp_routes(size_t i);


#endif /* JUDGE_MCP_H */
