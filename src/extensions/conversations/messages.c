/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reads messages in the forms of OpenAI (tool_calls, role tool), Anthropic
 * (blocks tool_use and tool_result) and OpenTelemetry (parts), and writes
 * their transcript:
 *
 *   User: Where is my order?
 *
 *   Assistant: I'll look.
 *   [calls find_order {"id":7}]
 *
 *   Tool find_order: {"status":"lost"}
 */


#include <math.h>
#include <string.h>

#include "analysis/builtin/conversation.h"
#include "base/text/utf8.h"
#include "extensions/conversations/conversations.h"


#define JUDGE_MESSAGES_TYPE  40        /* bytes of a type that are shown */

typedef struct {
    judge_arena_t         *arena;
    judge_str_t            path;       /* of the messages in the body */
    judge_conversation_t  *c;
    judge_buf_t            text;
    size_t                 message;    /* index of the current one */
    judge_part_t          *part;       /* the last one; or NULL */
    judge_str_t            error;
} judge_messages_t;

static const char *const  judge_messages_heads[JUDGE_ROLES] = {
    "System", "Developer", "User", "Assistant", "Tool"
};


static judge_rc_e
judge_messages_wrong(judge_messages_t *m, const char *where,
    const char *expected)
{
    return judge_invalid(&m->error, judge_str_printf(m->arena,
               "%.*s[%zu]%s: expected %s", judge_str_args(m->path), m->message,
               where, expected));
}


/* --- Texts -------------------------------------------------------------- */

/* Begins a part; `name` is that of a tool, or absent. */

static void
judge_messages_begin(judge_messages_t *m, judge_role_e role, judge_str_t name,
    bool failed)
{
    judge_buf_c(&m->text, m->text.len ? "\n\n" : "");
    if (m->c->nparts) {
        m->c->parts[m->c->nparts - 1].next = m->text.len;
    }

    m->part = &m->c->parts[m->c->nparts++];
    *m->part = (judge_part_t) {
        .role = role, .message = m->message, .latency = (double) NAN,
        .tokens = (double) NAN, .next = SIZE_MAX
    };

    judge_buf_c(&m->text, judge_messages_heads[role]);
    if (name.len) {
        judge_buf_c(&m->text, " ");
        judge_buf_str(&m->text, name);
    }
    judge_buf_c(&m->text, failed ? " (error): " : ": ");
    m->part->begin = m->part->end = m->text.len;
}


static void
judge_messages_say(judge_messages_t *m, judge_role_e role, judge_str_t text)
{
    if (text.len == 0) {
        return;
    }

    if (m->part == NULL || m->part->role != role || m->part->ncalls) {
        judge_messages_begin(m, role, (judge_str_t) { 0, NULL }, false);
    } else if (m->part->end > m->part->begin) {
        judge_buf_c(&m->text, "\n");
    }

    judge_buf_str(&m->text, text);
    m->part->end = m->text.len;
}


/* Only the type of other parts, such as images, is written. */

static void
judge_messages_other(judge_messages_t *m, judge_role_e role, judge_str_t type)
{
    char  text[JUDGE_MESSAGES_TYPE + 2];

    if (judge_str_eq_c(type, "thinking") || judge_str_eq_c(type, "reasoning")
        || judge_str_eq_c(type, "redacted_thinking"))
    {
        return;                        /* the user does not see it */
    }

    type = judge_utf8_prefix(type, JUDGE_MESSAGES_TYPE);
    text[0] = '[';
    memcpy(text + 1, type.data, type.len);
    text[type.len + 1] = ']';
    judge_messages_say(m, role, (judge_str_t) { type.len + 2, text });
}


/* --- Calls --------------------------------------------------------------- */

static judge_rc_e
judge_messages_call(judge_messages_t *m, judge_role_e role, judge_str_t id,
    judge_str_t name, judge_json_t *arguments)
{
    judge_tool_call_t  *call;

    if (role != JUDGE_ROLE_ASSISTANT) {
        return judge_messages_wrong(m, "", "calls of tools only where the role"
                                    " is assistant");
    }

    if (name.len == 0) {
        return judge_messages_wrong(m, "", "the name of a tool in each call");
    }

    if (m->part == NULL || m->part->role != role) {
        judge_messages_begin(m, role, (judge_str_t) { 0, NULL }, false);
    }

    call = &m->c->calls[m->c->ncalls++];
    *call = (judge_tool_call_t) { .id = id, .name = name, .value = arguments,
                                  .part = m->c->nparts - 1 };

    if (arguments && arguments->type == JUDGE_JSON_STRING) {
        call->arguments = arguments->string;
        call->value = NULL;

        switch (judge_json_parse(m->arena, call->arguments, &arguments, NULL))
        {
        case JUDGE_OK:
            call->value = arguments;
            break;

        case JUDGE_NOMEM:
            return JUDGE_NOMEM;

        default:
            break;
        }
    }

    if (call->value) {
        call->arguments = judge_json_value_text(m->arena, call->value);
        if (call->arguments.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    if (m->part->end > m->part->begin || m->part->ncalls) {
        judge_buf_c(&m->text, "\n");
    }
    call->begin = m->text.len;
    judge_buf_c(&m->text, "[calls ");
    judge_buf_str(&m->text, name);
    judge_buf_c(&m->text, call->arguments.len ? " " : "");
    judge_buf_str(&m->text, call->arguments);
    judge_buf_c(&m->text, "]");
    call->end = m->text.len;
    m->part->ncalls++;

    return JUDGE_OK;
}


/* Whether the result of a tool is an error: it is marked as one, it is an
 * object with an error, or its text begins like an error message. */

static judge_rc_e
judge_messages_failed(judge_messages_t *m, const judge_json_t *of,
    judge_str_t text, bool *failed)
{
    judge_rc_e           rc;
    judge_json_t        *root;
    const judge_json_t  *v;

    v = judge_json_member(of, "is_error", JUDGE_JSON_BOOLEAN);
    *failed = v ? v->boolean
              : judge_str_eq_c(judge_json_string(of, "status"), "error");
    if (v || *failed) {
        return JUDGE_OK;
    }

    text = judge_str_trim(text, " \t\r\n");
    *failed = judge_str_casestarts(text, JUDGE_STR("error:"))
              || judge_str_starts(text, JUDGE_STR("Traceback (most recent"));
    if (text.len == 0 || text.data[0] != '{'
        || text.len >= JUDGE_MESSAGES_RESULT)
    {
        return JUDGE_OK;
    }

    rc = judge_json_parse(m->arena, text, &root, NULL);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    v = judge_json_get(root, "error");
    *failed = v && v->type != JUDGE_JSON_NULL
              && !(v->type == JUDGE_JSON_BOOLEAN && !v->boolean)
              && !(v->type == JUDGE_JSON_STRING && v->string.len == 0);

    return JUDGE_OK;
}


/* Reads the text of a result: of a string, of an array of parts, or JSON. */

static judge_rc_e
judge_messages_result_text(judge_messages_t *m, const judge_json_t *v,
    judge_str_t *out)
{
    judge_buf_t          b;
    judge_str_t          text;
    const judge_json_t  *part;

    *out = JUDGE_STR("");
    if (v == NULL || v->type == JUDGE_JSON_NULL) {
        return JUDGE_OK;
    }

    if (v->type == JUDGE_JSON_STRING) {
        *out = v->string;
        return JUDGE_OK;
    }

    judge_buf_init(&b, m->arena);
    part = v->type == JUDGE_JSON_ARRAY ? v->first : NULL;

    for ( /* void */ ; part && judge_json_string(part, "text").data;
         part = part->next)
    {
        text = judge_json_string(part, "text");
        judge_buf_c(&b, b.len ? "\n" : "");
        judge_buf_str(&b, text);
    }

    *out = part || v->type != JUDGE_JSON_ARRAY || v->count == 0
           ? judge_json_value_text(m->arena, v) : judge_buf_view(&b);

    return out->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* A result belongs to the first call with its identifier that has no result
 * yet; without an identifier, to the first call that has none. */

static judge_rc_e
judge_messages_result(judge_messages_t *m, const judge_json_t *of,
    judge_str_t id, judge_str_t name, const judge_json_t *result)
{
    size_t              i;
    bool                failed;
    judge_str_t         text;
    judge_tool_call_t  *call = NULL;

    for (i = m->c->ncalls; i-- > 0; ) {
        if (m->c->calls[i].result == 0
            && (id.data == NULL || judge_str_eq(id, m->c->calls[i].id)))
        {
            call = &m->c->calls[i];
        }

        if (m->c->ncalls - i == JUDGE_MESSAGES_OPEN) {
            break;
        }
    }

    if (judge_messages_result_text(m, result, &text) != JUDGE_OK
        || judge_messages_failed(m, of, text, &failed) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    judge_messages_begin(m, JUDGE_ROLE_TOOL, call ? call->name : name, failed);
    judge_buf_str(&m->text, text);
    m->part->end = m->text.len;

    if (call) {
        call->result = m->c->nparts - 1;
        call->failed = failed;
    }

    return JUDGE_OK;
}


/* --- Messages ------------------------------------------------------------ */

static judge_rc_e
judge_messages_part(judge_messages_t *m, judge_role_e role,
    const judge_json_t *part)
{
    bool                 used;
    judge_str_t          type, text;
    const judge_json_t  *result;

    type = judge_json_string(part, "type");
    if (type.len == 0) {
        return judge_messages_wrong(m, ".content", "a string, or an array of"
                                    " objects with a type");
    }

    if (judge_str_eq_c(type, "tool_use") || judge_str_eq_c(type, "tool_call"))
    {
        return judge_messages_call(m, role, judge_json_string(part, "id"),
                                   judge_json_string(part, "name"),
                                   judge_json_get(part,
                                       judge_str_eq_c(type, "tool_use")
                                       ? "input" : "arguments"));
    }

    used = judge_str_eq_c(type, "tool_result");
    if (used || judge_str_eq_c(type, "tool_call_response")) {
        result = judge_json_get(part, used ? "content" : "response");
        result = used || result ? result : judge_json_get(part, "result");

        return judge_messages_result(m, part,
                   judge_json_string(part, used ? "tool_use_id" : "id"),
                   (judge_str_t) { 0, NULL }, result);
    }

    text = judge_json_string(part, "text");
    text = text.data ? text : judge_json_string(part, "refusal");
    text = text.data ? text : judge_str_eq_c(type, "text")
           ? judge_json_string(part, "content") : text;

    if (text.data) {
        judge_messages_say(m, role, text);
    } else {
        judge_messages_other(m, role, type);
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_messages_content(judge_messages_t *m, judge_role_e role,
    const judge_json_t *of)
{
    judge_rc_e           rc;
    const judge_json_t  *v, *part;

    v = judge_json_get(of, "content");
    v = v ? v : judge_json_get(of, "parts");

    if (role == JUDGE_ROLE_TOOL && judge_json_get(of, "parts") == NULL) {
        return judge_messages_result(m, of,
                                judge_json_string(of, "tool_call_id"),
                                judge_json_string(of, "name"), v);
    }

    if (v == NULL || v->type == JUDGE_JSON_NULL) {
        judge_messages_say(m, role, judge_json_string(of, "refusal"));
        return JUDGE_OK;
    }

    if (v->type == JUDGE_JSON_STRING) {
        judge_messages_say(m, role, v->string);
        return JUDGE_OK;
    }

    if (v->type != JUDGE_JSON_ARRAY) {
        return judge_messages_wrong(m, ".content", "a string, or an array of"
                                    " objects with a type");
    }

    for (part = v->first, rc = JUDGE_OK; part && rc == JUDGE_OK;
         part = part->next)
    {
        rc = judge_messages_part(m, role, part);
    }

    return rc;
}


static judge_rc_e
judge_messages_calls(judge_messages_t *m, judge_role_e role,
    const judge_json_t *calls)
{
    judge_rc_e           rc;
    const judge_json_t  *v, *function;

    if (calls == NULL || calls->type == JUDGE_JSON_NULL) {
        return JUDGE_OK;
    }

    if (calls->type != JUDGE_JSON_ARRAY) {
        return judge_messages_wrong(m, ".tool_calls", "an array of calls,"
                                    " each with id and function");
    }

    for (v = calls->first, rc = JUDGE_OK; v && rc == JUDGE_OK; v = v->next) {
        function = judge_json_get(v, "function");
        rc = judge_messages_call(m, role, judge_json_string(v, "id"),
                                 judge_json_string(function, "name"),
                                 judge_json_get(function, "arguments"));
    }

    return rc;
}


static double
judge_messages_number(const judge_json_t *of, const char *name)
{
    const judge_json_t  *v = judge_json_get(of, name);

    return judge_json_is_number(v) && judge_json_double(v) >= 0
           ? judge_json_double(v) : (double) NAN;
}


/* Reads the latency and tokens of a message, from it or from its metadata; the
 * names of the usage are those of OpenAI or Anthropic. */

static void
judge_messages_figures(const judge_json_t *of, judge_part_t *part)
{
    double               in, out;
    size_t               i;
    const judge_json_t  *usage, *places[2];

    places[0] = of;
    places[1] = judge_json_get(of, "metadata");

    for (i = 0; i < 2; i++) {
        if (isnan(part->latency)) {
            part->latency = judge_messages_number(places[i], "latency_ms");
        }

        usage = judge_json_get(places[i], "usage");
        if (usage == NULL || !isnan(part->tokens)) {
            continue;
        }

        in = judge_messages_number(usage, "prompt_tokens");
        in = isnan(in) ? judge_messages_number(usage, "input_tokens") : in;
        out = judge_messages_number(usage, "completion_tokens");
        out = isnan(out) ? judge_messages_number(usage, "output_tokens") : out;
        part->tokens = judge_messages_number(usage, "total_tokens");
        if (isnan(part->tokens)) {
            part->tokens = isnan(in) ? out : isnan(out) ? in : in + out;
        }
    }
}


static judge_rc_e
judge_messages_one(judge_messages_t *m, const judge_json_t *of)
{
    size_t       role, first = m->c->nparts;
    judge_rc_e   rc;
    judge_str_t  name;

    m->part = NULL;
    name = judge_json_string(of, "role");
    role = judge_str_index_c(judge_role_names, name);

    if (role == JUDGE_ROLES) {
        return of->type == JUDGE_JSON_OBJECT
               ? judge_messages_wrong(m, ".role", "system, developer, user,"
                                      " assistant or tool")
               : judge_messages_wrong(m, "", "an object with role and"
                                      " content");
    }

    rc = judge_messages_content(m, (judge_role_e) role, of);
    rc = rc ? rc : judge_messages_calls(m, (judge_role_e) role,
                                        judge_json_get(of, "tool_calls"));
    if (rc == JUDGE_OK && m->c->nparts > first) {
        judge_messages_figures(of, &m->c->parts[first]);
    }

    return rc;
}


/* --- The conversation ---------------------------------------------------- */

/* Allocates parts and calls for all messages. */

static judge_rc_e
judge_messages_room(judge_messages_t *m, const judge_json_t *messages)
{
    size_t               parts = 0, calls = 0;
    const judge_json_t  *v, *list;

    for (v = messages->first; v; v = v->next) {
        parts++;
        list = judge_json_get(v, "content");
        list = list ? list : judge_json_get(v, "parts");
        if (list && list->type == JUDGE_JSON_ARRAY) {
            parts += list->count;
            calls += list->count;
        }

        list = judge_json_member(v, "tool_calls", JUDGE_JSON_ARRAY);
        calls += list ? list->count : 0;
    }

    if (parts > JUDGE_MESSAGES_PARTS || calls > JUDGE_MESSAGES_CALLS) {
        return judge_invalid(&m->error, judge_str_printf(m->arena,
                   "%.*s: expected at most %d parts and %d calls",
                   judge_str_args(m->path), JUDGE_MESSAGES_PARTS,
                   JUDGE_MESSAGES_CALLS));
    }

    m->c->parts = judge_array_alloc(m->arena, parts + 1, sizeof(judge_part_t));
    m->c->calls = judge_array_alloc(m->arena, calls + 1,
                                    sizeof(judge_tool_call_t));
    m->c->answers = judge_array_alloc(m->arena, parts + 1, sizeof(size_t));

    return m->c->parts && m->c->calls && m->c->answers ? JUDGE_OK
                                                       : JUDGE_NOMEM;
}


/* Finds the answers.  If the assistant writes nothing, the last message with
 * tool calls is judged. */

static judge_rc_e
judge_messages_answers(judge_messages_t *m)
{
    bool                   goes_on = false;
    size_t                 i, k, n;
    judge_part_t          *part;
    judge_conversation_t  *c = m->c;

    for (i = c->nparts, k = i; i-- > 0; ) {
        part = &c->parts[i];
        if (part->role == JUDGE_ROLE_USER) {
            goes_on = false;

        } else if (part->role == JUDGE_ROLE_ASSISTANT
                   && part->end > part->begin)
        {
            if (part->ncalls == 0 || !goes_on) {
                c->answers[--k] = i;
            }
            goes_on = true;
        }
    }

    c->answers += k;
    n = c->nparts - k;

    if (n == 0 && c->ncalls) {
        k = c->calls[c->ncalls - 1].part;
        c->parts[k].end = c->calls[c->ncalls - 1].end;
        c->answers[n++] = k;
    }

    c->nanswers = n;
    if (n) {
        return JUDGE_OK;
    }

    return judge_invalid(&m->error, judge_str_printf(m->arena,
               "%.*s: expected a message of the assistant that says something"
               " or calls a tool", judge_str_args(m->path)));
}


judge_rc_e
judge_messages_read(judge_arena_t *arena, const judge_json_t *messages,
    judge_str_t path, judge_conversation_t *c, judge_str_t *error)
{
    judge_rc_e           rc;
    judge_messages_t     m = { .arena = arena, .path = path, .c = c };
    const judge_json_t  *v;

    memset(c, 0, sizeof(judge_conversation_t));
    judge_buf_init(&m.text, arena);

    if (messages->type != JUDGE_JSON_ARRAY || messages->count == 0
        || messages->count > JUDGE_MESSAGES_MAX)
    {
        return judge_invalid(error, judge_str_printf(arena,
                   "%.*s: expected an array of 1 to %d messages",
                   judge_str_args(path), JUDGE_MESSAGES_MAX));
    }

    rc = judge_messages_room(&m, messages);

    for (v = messages->first; v && rc == JUDGE_OK; v = v->next) {
        rc = judge_messages_one(&m, v);
        m.message++;
    }

    rc = rc ? rc : judge_messages_answers(&m);

    c->text = judge_buf_view(&m.text);
    *error = m.error;

    return rc == JUDGE_OK && m.text.failed ? JUDGE_NOMEM : rc;
}
