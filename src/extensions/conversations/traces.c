/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The extension of conversations, and POST /traces: spans of OpenTelemetry as
 * OTLP/HTTP sends them in JSON.  The spans of a conversation, or else of a
 * trace, make one content: the messages of the model call that ended last,
 * whose input has the earlier ones.  Each content is judged by POST
 * /evaluations/single with an idempotency key made of trace and span, so that
 * spans sent again make no second content.
 */


#include <stdio.h>

#include "base/crypto/crypto.h"
#include "api/http/inner.h"
#include "extensions/conversations/conversations.h"


/* The spans that make one content. */
typedef struct {
    judge_str_t          key;          /* the conversation's, or the trace's */
    const judge_json_t  *span;         /* of the last model call; NULL: no
                                          messages */
    int64_t              end;          /* ns */
    size_t               spans;
    const judge_json_t  *tools[JUDGE_TRACES_TOOLS];      /* by their start */
    size_t               ntools;
    judge_str_t          body;         /* of the inner request */
    judge_str_t          id;           /* its idempotency key */
} judge_trace_t;

typedef struct {
    judge_str_t         judge_id;      /* from the path or the query */
    judge_judge_find_t  find;          /* finds the judge, if nothing did */
    judge_json_t       *resources;
    judge_inner_t       inner;
    judge_trace_t       traces[JUDGE_TRACES_MAX];
    size_t              ntraces;
    size_t              current;
    size_t              rejected;      /* spans */
    judge_str_t         reason;        /* why the first one was rejected */
} judge_traces_t;


static void judge_traces(judge_req_t *r);


static const judge_field_t  judge_traces_query[] = {
    judge_field(judge_traces_t, judge_id, STRING, 0, 1, 200),
    { .name = NULL }
};

static const judge_field_t  judge_traces_fields[] = {
    judge_field_as("resourceSpans", judge_traces_t, resources, ANY, 0, 0, 0),
    { .name = NULL }
};

static const judge_route_t  judge_traces_routes[] = {
    { judge_route(POST, "/traces", JUDGE_MAY_WRITE_EVALUATIONS, 0,
                  judge_traces_t),
      .query = judge_traces_query, .body = judge_traces_fields,
      .handler = judge_traces },

    /* for exporters that drop the query of their address */
    { judge_route(POST, "/judges/{judge_id}/traces",
                  JUDGE_MAY_WRITE_EVALUATIONS, 0, judge_traces_t),
      .body = judge_traces_fields, .handler = judge_traces },
    { .pattern = NULL }
};

static const judge_route_t *const  judge_conversations_routes[] = {
    judge_traces_routes,
    NULL
};

const judge_extension_t  judge_extension_conversations = {
    .name = "conversations",
    .routes = judge_conversations_routes,
    .conversation = judge_messages_read
};


static void
judge_traces_reject(judge_traces_t *c, size_t spans, judge_str_t why)
{
    c->rejected += spans;
    c->reason = c->reason.data ? c->reason : why;
}


/* --- Grouping ------------------------------------------------------------ */

/* Sorts a tool call in by its start; calls beyond the limit are dropped. */

static void
judge_traces_tool(judge_trace_t *t, const judge_json_t *span)
{
    size_t   i;
    int64_t  start = judge_span_time(span, "startTimeUnixNano");

    if (t->ntools == JUDGE_TRACES_TOOLS) {
        return;
    }

    for (i = t->ntools++; i > 0; i--) {
        if (judge_span_time(t->tools[i - 1], "startTimeUnixNano") <= start) {
            break;
        }
        t->tools[i] = t->tools[i - 1];
    }

    t->tools[i] = span;
}


/* Adds a span to its conversation, unless it is of neither model nor tool. */

static void
judge_traces_span(judge_req_t *r, const judge_json_t *span)
{
    size_t           i;
    int64_t          end;
    judge_str_t      key;
    judge_trace_t   *t;
    judge_traces_t  *c = r->ctx;

    if (!judge_span_wellformed(span)) {
        judge_traces_reject(c, 1, JUDGE_STR("expected spans with a traceId of"
                                            " 32 and a spanId of 16 hex"
                                            " digits"));
        return;
    }

    if (!judge_span_of_model(span)) {
        return;
    }

    key = judge_span_string(span, "gen_ai.conversation.id");
    key = key.len ? key : judge_json_string(span, "traceId");

    for (i = 0; i < c->ntraces && !judge_str_eq(c->traces[i].key, key); i++) {
        /* void */
    }

    if (i == JUDGE_TRACES_MAX) {
        judge_traces_reject(c, 1, JUDGE_STR("expected spans of at most 100"
                                            " conversations at once"));
        return;
    }

    t = &c->traces[i];
    c->ntraces += i == c->ntraces;
    t->key = key;
    t->spans++;
    end = judge_span_time(span, "endTimeUnixNano");

    if (judge_str_eq_c(judge_span_string(span, "gen_ai.operation.name"),
                       "execute_tool"))
    {
        judge_traces_tool(t, span);
        return;
    }

    if (judge_span_has_messages(span) && (t->span == NULL || end >= t->end)) {
        t->span = span;
        t->end = end;
    }
}


static void
judge_traces_group(judge_req_t *r)
{
    judge_traces_t      *c = r->ctx;
    const judge_json_t  *resource, *scope, *span;

    for (resource = c->resources ? c->resources->first : NULL; resource;
         resource = resource->next)
    {
        for (scope = judge_json_first(resource, "scopeSpans"); scope;
             scope = scope->next)
        {
            for (span = judge_json_first(scope, "spans"); span;
                 span = span->next)
            {
                judge_traces_span(r, span);
            }
        }
    }
}


/* --- The content --------------------------------------------------------- */

static void
judge_traces_metadata(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_trace_t *t)
{
    judge_str_t  trace, span;

    trace = judge_json_string(t->span, "traceId");
    span = judge_json_string(t->span, "spanId");

    judge_json_key_object(w, "metadata");
    judge_json_put_str(w, "traceparent",
                       judge_str_printf(arena, "00-%.*s-%.*s-01",
                                        judge_str_args(trace),
                                        judge_str_args(span)));
    judge_json_put_str(w, "conversation_id",
                       judge_span_string(t->span, "gen_ai.conversation.id"));
    judge_json_put_str(w, "model", judge_span_string(t->span,
                                                "gen_ai.request.model"));
    judge_json_put_str(w, "response_id", judge_span_string(t->span,
                                                "gen_ai.response.id"));
    judge_json_object_end(w);
}


/* Returns the body of the inner request; absent: out of memory. */

static judge_str_t
judge_traces_body(judge_req_t *r, const judge_trace_t *t)
{
    judge_str_t           name;
    judge_buf_t           buf;
    judge_traces_t       *c = r->ctx;
    judge_json_writer_t   w;

    name = judge_json_string(t->span, "name");
    name.len = name.len < 200 ? name.len : 0;

    judge_json_begin_object(&w, &buf, r->arena);
    judge_json_put_str(&w, "judge_id", c->judge_id);
    judge_json_put_str(&w, "name", name.len ? name : JUDGE_STR("Trace"));
    judge_traces_metadata(&w, r->arena, t);
    judge_json_key_array(&w, "messages");
    if (!judge_span_messages(&w, r->arena, t->span, t->tools, t->ntools)) {
        return (judge_str_t) { 0, NULL };
    }
    judge_json_array_end(&w);

    return judge_json_text(&w);
}


/* Returns the idempotency key; absent: out of memory. */

static judge_str_t
judge_traces_key(judge_req_t *r, const judge_trace_t *t)
{
    uint8_t          digest[JUDGE_SHA256_LEN];
    judge_str_t      id, trace, span;
    judge_traces_t  *c = r->ctx;

    trace = judge_json_string(t->span, "traceId");
    span = judge_json_string(t->span, "spanId");
    id = judge_str_printf(r->arena, "%.*s %.*s %.*s",
                          judge_str_args(c->judge_id), judge_str_args(trace),
                          judge_str_args(span));

    if (id.data == NULL || judge_sha256(id, digest) != JUDGE_OK) {
        return (judge_str_t) { 0, NULL };
    }

    id = judge_hex(r->arena, digest, sizeof(digest));

    return id.data ? judge_str_printf(r->arena, "span %.*s",
                                      judge_str_args(id)) : id;
}


/* Runs in a thread, because spans may have very many attributes. */

static void
judge_traces_read(judge_req_t *r)
{
    size_t           i;
    judge_trace_t   *t;
    judge_traces_t  *c = r->ctx;

    judge_traces_group(r);

    for (i = 0; i < c->ntraces && r->rc == JUDGE_OK; i++) {
        t = &c->traces[i];
        if (t->span) {
            t->body = judge_traces_body(r, t);
            t->id = judge_traces_key(r, t);
            r->rc = t->body.data && t->id.data ? JUDGE_OK : JUDGE_NOMEM;
        }
    }
}


/* --- The answer ---------------------------------------------------------- */

static void
judge_traces_answer(judge_req_t *r)
{
    char                  n[32];
    judge_traces_t       *c = r->ctx;
    judge_json_writer_t  *w;

    w = judge_reply_begin(r, 200);

    if (c->rejected) {
        (void) snprintf(n, sizeof(n), "%zu", c->rejected);
        judge_json_key_object(w, "partialSuccess");
        judge_json_put_c(w, "rejectedSpans", n);
        judge_json_put_str(w, "errorMessage", c->reason);
        judge_json_object_end(w);
    }

    judge_reply_end(r);
}


static void
judge_traces_next(judge_req_t *r)
{
    judge_trace_t   *t = NULL;
    judge_traces_t  *c = r->ctx;

    for ( /* void */ ; c->current < c->ntraces; c->current++) {
        t = &c->traces[c->current];
        if (t->span) {
            break;
        }

        judge_traces_reject(c, t->spans, JUDGE_STR("expected a span with"
            " gen_ai.input.messages or gen_ai.output.messages in each"
            " conversation: the capture of content may be off"));
    }

    if (c->current < c->ntraces) {
        c->inner.key = t->id;
        if (!judge_inner_call(&c->inner, JUDGE_POST,
                              JUDGE_STR("/evaluations/single"), t->body))
        {
            judge_fail_rc(r, JUDGE_NOMEM);
        }

    } else if (c->inner.status) {
        judge_traces_answer(r);

    } else {                           /* nothing looked for the judge */
        c->find.op.kind = JUDGE_OP_JUDGE_FIND;
        c->find.id = c->judge_id;
        judge_await_found(r, &c->find.op, "judge_id: there is no such judge",
                          judge_traces_answer);
    }
}


/* An error of one conversation rejects its spans.  An error of the request or
 * of the service ends the request, and the exporter sends it again.  Status
 * 422 means that the key was used with another body: the spans were judged
 * before. */

static void
judge_traces_judged(judge_inner_t *inner)
{
    judge_req_t          *r = inner->r;
    judge_str_t           why;
    judge_traces_t       *c = r->ctx;

    why = judge_json_string(inner->answer, "detail");
    why = why.data ? why : JUDGE_STR("the service failed");

    if (inner->status == 400) {
        judge_traces_reject(c, c->traces[c->current].spans, why);

    } else if (inner->status != 201 && inner->status != 422) {
        judge_fail(r, inner->status == 409 ? 503 : inner->status, "%.*s",
                   judge_str_args(why));
        return;
    }

    c->current++;
    judge_traces_next(r);
}


static void
judge_traces_cleanup(judge_req_t *r)
{
    judge_traces_t  *c = r->ctx;

    judge_inner_cleanup(&c->inner);
}


static void
judge_traces(judge_req_t *r)
{
    judge_traces_t      *c = r->ctx;
    const judge_json_t  *resource;

    if (r->route->query == NULL) {
        c->judge_id = r->params[0];    /* its path names the judge */
    }

    if (c->judge_id.data == NULL) {
        judge_fail(r, 400, "judge_id: required, the judge of these spans, in"
                           " the query");
        return;
    }

    resource = c->resources;
    if (resource && resource->type == JUDGE_JSON_ARRAY) {
        resource = resource->first;
        while (resource && resource->type == JUDGE_JSON_OBJECT) {
            resource = resource->next;
        }
    }

    if (resource) {
        judge_fail(r, 400, "resourceSpans: expected an array of objects");
        return;
    }

    c->inner.r = r;
    c->inner.then = judge_traces_judged;
    r->cleanup = judge_traces_cleanup;
    judge_compute(r, judge_traces_read, judge_traces_next);
}
