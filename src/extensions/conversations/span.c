/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Messages are attributes: gen_ai.input.messages and gen_ai.output.messages,
 * as JSON in a string or as values, or the older gen_ai.prompt.0.role,
 * gen_ai.prompt.0.content, gen_ai.prompt.0.tool_calls.0.name, … and
 * gen_ai.completion.0.….
 */


#include "base/text/number.h"
#include "extensions/conversations/conversations.h"


#define JUDGE_SPAN_CALLS  32           /* of an older message */


/* A message in the older attributes; what it lacks is absent. */

typedef struct {
    judge_str_t  id;
    judge_str_t  name;
    judge_str_t  arguments;
} judge_span_call_t;

typedef struct {
    judge_str_t        role;
    judge_str_t        content;
    judge_str_t        tool_call_id;
    judge_span_call_t  calls[JUDGE_SPAN_CALLS];
} judge_span_old_t;


/* --- Attributes ---------------------------------------------------------- */

/* Returns the value of an attribute of an object, or NULL. */

static const judge_json_t *
judge_span_own(const judge_json_t *of, const char *name)
{
    const judge_json_t  *v;

    for (v = judge_json_first(of, "attributes"); v; v = v->next) {
        if (judge_str_eq_c(judge_json_string(v, "key"), name)) {
            return judge_json_get(v, "value");
        }
    }

    return NULL;
}


static const judge_json_t *
judge_span_value(const judge_json_t *span, const char *name)
{
    const judge_json_t  *value, *v = judge_json_first(span, "events");

    value = judge_span_own(span, name);

    for ( /* void */ ; v && value == NULL; v = v->next) {
        value = judge_span_own(v, name);
    }

    return value;
}


judge_str_t
judge_span_string(const judge_json_t *span, const char *name)
{
    return judge_json_string(judge_span_value(span, name), "stringValue");
}


/* Numbers of 64 bits are strings in OTLP's JSON; -1: not a number. */

static int64_t
judge_span_number(const judge_json_t *v)
{
    int64_t  n;

    if (v && v->type == JUDGE_JSON_INTEGER) {
        return v->integer;
    }

    return v && v->type == JUDGE_JSON_STRING
           && judge_integer_parse(v->string, &n) == JUDGE_OK && n >= 0
           ? n : -1;
}


int64_t
judge_span_time(const judge_json_t *span, const char *name)
{
    int64_t  t = judge_span_number(judge_json_get(span, name));

    return t > 0 ? t : 0;
}


static bool
judge_span_hex(judge_str_t s, size_t len)
{
    return s.len == len
           && judge_str_trim(s, "0123456789abcdefABCDEF").len == 0;
}


bool
judge_span_wellformed(const judge_json_t *span)
{
    return judge_span_hex(judge_json_string(span, "traceId"), 32)
           && judge_span_hex(judge_json_string(span, "spanId"), 16);
}


bool
judge_span_of_model(const judge_json_t *span)
{
    const judge_json_t  *v = judge_json_first(span, "attributes");

    while (v && !judge_str_starts(judge_json_string(v, "key"),
                                  JUDGE_STR("gen_ai.")))
    {
        v = v->next;
    }

    return v != NULL;
}


bool
judge_span_has_messages(const judge_json_t *span)
{
    return judge_span_value(span, "gen_ai.output.messages")
           || judge_span_value(span, "gen_ai.input.messages")
           || judge_span_value(span, "gen_ai.completion.0.content")
           || judge_span_value(span, "gen_ai.completion.0.tool_calls.0.name");
}


/* --- Values as JSON ------------------------------------------------------ */

/* Writes an AnyValue, which is at most JUDGE_JSON_DEPTH deep. */

static void
judge_span_any(judge_json_writer_t *w, const judge_json_t *v)
{
    judge_str_t          s = judge_json_string(v, "stringValue");
    const judge_json_t  *inner, *m;

    if (s.data) {
        judge_json_str(w, s);

    } else if ((inner = judge_json_get(v, "arrayValue"))) {
        judge_json_array(w);
        for (m = judge_json_first(inner, "values"); m; m = m->next) {
            judge_span_any(w, m);
        }
        judge_json_array_end(w);

    } else if ((inner = judge_json_get(v, "kvlistValue"))) {
        judge_json_object(w);
        for (m = judge_json_first(inner, "values"); m; m = m->next) {
            judge_json_key_str(w, judge_json_string(m, "key"));
            judge_span_any(w, judge_json_get(m, "value"));
        }
        judge_json_object_end(w);

    } else if ((inner = judge_json_get(v, "intValue"))) {
        judge_json_int(w, judge_span_number(inner));

    } else if ((inner = judge_json_get(v, "boolValue"))
               || (inner = judge_json_get(v, "doubleValue")))
    {
        judge_json_value(w, inner);

    } else {
        judge_json_null(w);
    }
}


/* Parses the value of an attribute; *out is NULL if it is not JSON. */

static bool
judge_span_json(judge_arena_t *arena, const judge_json_t *span,
    const char *name, judge_json_t **out)
{
    judge_str_t           text;
    judge_buf_t           buf;
    judge_json_writer_t   w;
    const judge_json_t   *v = judge_span_value(span, name);

    *out = NULL;
    if (v == NULL) {
        return true;
    }

    text = judge_json_string(v, "stringValue");
    if (text.data == NULL) {
        judge_buf_init(&buf, arena);
        judge_json_begin(&w, &buf);
        judge_span_any(&w, v);
        if (judge_json_finish(&w) != JUDGE_OK) {
            return !buf.failed;
        }
        text = judge_buf_view(&buf);
    }

    return judge_json_parse(arena, text, out, NULL) != JUDGE_NOMEM;
}


/* --- Messages ------------------------------------------------------------ */

static void
judge_span_figures(judge_json_writer_t *w, const judge_json_t *span)
{
    int64_t  begin, end, in, out;

    begin = judge_span_time(span, "startTimeUnixNano");
    end = judge_span_time(span, "endTimeUnixNano");
    if (begin > 0 && end >= begin) {
        judge_json_put_int(w, "latency_ms", (end - begin) / 1000000);
    }

    in = judge_span_number(judge_json_get(
             judge_span_value(span, "gen_ai.usage.input_tokens"),
             "intValue"));
    out = judge_span_number(judge_json_get(
              judge_span_value(span, "gen_ai.usage.output_tokens"),
              "intValue"));
    if (in < 0 && out < 0) {
        return;
    }

    judge_json_key_object(w, "usage");
    if (in >= 0) {
        judge_json_put_int(w, "input_tokens", in);
    }
    if (out >= 0) {
        judge_json_put_int(w, "output_tokens", out);
    }
    judge_json_object_end(w);
}


/* Writes the messages of an array.  Of the output of a model only the first
 * message is written, with the latency and tokens of the span. */

static void
judge_span_array(judge_json_writer_t *w, const judge_json_t *array,
    const judge_json_t *span, bool out)
{
    const judge_json_t  *v;

    static const char *const  ours[] = { "usage", "latency_ms", NULL };

    v = array->type == JUDGE_JSON_ARRAY ? array->first : NULL;

    for ( /* void */ ; v; v = out ? NULL : v->next) {
        if (!out || v->type != JUDGE_JSON_OBJECT) {
            judge_json_value(w, v);
            continue;
        }

        judge_json_object(w);
        judge_json_members(w, v, ours);
        judge_span_figures(w, span);
        judge_json_object_end(w);
    }
}


/* Takes a number and a dot from the start of a key.  Returns the number, or
 * `most` if there is none below that. */

static size_t
judge_span_place(judge_str_t *key, size_t most)
{
    size_t  i, n;

    for (i = 0, n = 0; i < key->len && n < most && key->data[i] >= '0'
                       && key->data[i] <= '9'; i++)
    {
        n = 10 * n + (size_t) (key->data[i] - '0');
    }

    if (i == 0 || i == key->len || key->data[i] != '.' || n >= most
        || (i > 1 && key->data[0] == '0'))
    {
        return most;
    }

    *key = judge_str_from(*key, i + 1);

    return n;
}


/* Returns where the attribute stands, whose key goes on behind the number of
 * the message; NULL: it is another one. */

static judge_str_t *
judge_span_old(judge_span_old_t *m, judge_str_t key)
{
    size_t             k;
    judge_str_t        calls = JUDGE_STR("tool_calls.");
    judge_span_call_t  *call;

    if (!judge_str_starts(key, calls)) {
        return judge_str_eq_c(key, "role") ? &m->role
               : judge_str_eq_c(key, "content") ? &m->content
               : judge_str_eq_c(key, "tool_call_id") ? &m->tool_call_id : NULL;
    }

    key = judge_str_from(key, calls.len);
    k = judge_span_place(&key, JUDGE_SPAN_CALLS);
    call = &m->calls[k];

    return k == JUDGE_SPAN_CALLS ? NULL
           : judge_str_eq_c(key, "id") ? &call->id
           : judge_str_eq_c(key, "name") ? &call->name
           : judge_str_eq_c(key, "arguments") ? &call->arguments : NULL;
}


/* Reads the attributes of an object; of several with one name the first
 * counts. */

static void
judge_span_olds(judge_span_old_t *messages, size_t most, judge_str_t kind,
    const judge_json_t *of)
{
    size_t               i;
    judge_str_t          key, *text;
    const judge_json_t  *v;

    for (v = judge_json_first(of, "attributes"); v; v = v->next) {
        key = judge_json_string(v, "key");
        if (!judge_str_starts(key, kind)) {
            continue;
        }

        key = judge_str_from(key, kind.len);
        i = judge_span_place(&key, most);
        text = i < most ? judge_span_old(&messages[i], key) : NULL;
        if (text && text->data == NULL) {
            *text = judge_json_string(judge_json_get(v, "value"),
                                      "stringValue");
        }
    }
}


static void
judge_span_old_calls(judge_json_writer_t *w, const judge_span_call_t *calls)
{
    size_t  k;

    for (k = 0; k < JUDGE_SPAN_CALLS && calls[k].name.data; k++) {
        if (k == 0) {
            judge_json_key_array(w, "tool_calls");
        }

        judge_json_object(w);
        judge_json_put_str(w, "id", calls[k].id);
        judge_json_key_object(w, "function");
        judge_json_put_str(w, "name", calls[k].name);
        judge_json_put_str(w, "arguments", calls[k].arguments);
        judge_json_object_end(w);
        judge_json_object_end(w);
    }

    if (k > 0) {
        judge_json_array_end(w);
    }
}


/* Writes a limited number of messages, of calls each.  Attributes are read
 * once: a span may have very many others.  false: no memory. */

static bool
judge_span_older(judge_json_writer_t *w, const judge_json_t *span,
    judge_str_t kind, bool out)
{
    size_t               i, most = out ? 1 : JUDGE_SPAN_OLDER;
    judge_arena_t       *scratch;
    judge_span_old_t    *m, *messages;
    const judge_json_t  *v;

    scratch = judge_arena_create(4096);
    messages = scratch ? judge_array_alloc(scratch, most,
                                           sizeof(judge_span_old_t)) : NULL;
    if (messages == NULL) {
        judge_arena_destroy(scratch);
        return false;
    }

    judge_span_olds(messages, most, kind, span);
    for (v = judge_json_first(span, "events"); v; v = v->next) {
        judge_span_olds(messages, most, kind, v);
    }

    for (i = 0; i < most; i++) {
        m = &messages[i];
        if (m->role.data == NULL && m->content.data == NULL && !out) {
            break;
        }

        judge_json_object(w);
        judge_json_put_str(w, "role", m->role.data ? m->role
                                      : out ? JUDGE_STR("assistant")
                                      : JUDGE_STR("user"));
        judge_json_put_str(w, "content", m->content);
        judge_json_put_str(w, "tool_call_id", m->tool_call_id);
        judge_span_old_calls(w, m->calls);
        if (out) {
            judge_span_figures(w, span);
        }
        judge_json_object_end(w);
    }

    judge_arena_destroy(scratch);

    return true;
}


static void
judge_span_tool(judge_json_writer_t *w, const judge_json_t *span)
{
    judge_str_t          id, name;
    const judge_json_t  *v;

    id = judge_span_string(span, "gen_ai.tool.call.id");
    id = id.data ? id : judge_json_string(span, "spanId");
    name = judge_span_string(span, "gen_ai.tool.name");

    judge_json_object(w);
    judge_json_put_c(w, "role", "assistant");
    judge_json_key_array(w, "tool_calls");
    judge_json_object(w);
    judge_json_put_str(w, "id", id);
    judge_json_key_object(w, "function");
    judge_json_put_str(w, "name", name.len ? name : JUDGE_STR("tool"));
    v = judge_span_value(span, "gen_ai.tool.call.arguments");
    if (v) {
        judge_json_key(w, "arguments");
        judge_span_any(w, v);
    }
    judge_json_object_end(w);
    judge_json_object_end(w);
    judge_json_array_end(w);
    judge_json_object_end(w);

    judge_json_object(w);
    judge_json_put_c(w, "role", "tool");
    judge_json_put_str(w, "tool_call_id", id);
    v = judge_span_value(span, "gen_ai.tool.call.result");
    if (v) {
        judge_json_key(w, "content");
        judge_span_any(w, v);
    }
    v = judge_json_get(judge_json_get(span, "status"), "code");
    if (v && ((v->type == JUDGE_JSON_INTEGER && v->integer == 2)
              || (v->type == JUDGE_JSON_STRING
                  && judge_str_eq_c(v->string, "STATUS_CODE_ERROR"))))
    {
        judge_json_put_bool(w, "is_error", true);
    }
    judge_json_object_end(w);
}


bool
judge_span_messages(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_json_t *span, const judge_json_t *const *tools, size_t n)
{
    size_t         i, begun = w->buf->len;
    judge_json_t  *system, *in, *out;

    if (!judge_span_json(arena, span, "gen_ai.system_instructions", &system)
        || !judge_span_json(arena, span, "gen_ai.input.messages", &in)
        || !judge_span_json(arena, span, "gen_ai.output.messages", &out))
    {
        return false;
    }

    if (system && system->type == JUDGE_JSON_ARRAY) {
        judge_json_object(w);
        judge_json_put_c(w, "role", "system");
        judge_json_key(w, "parts");
        judge_json_value(w, system);
        judge_json_object_end(w);
    }

    if (in) {
        judge_span_array(w, in, span, false);
    } else if (!judge_span_older(w, span, JUDGE_STR("gen_ai.prompt."),
                                 false)) {
        return false;
    }

    if (w->buf->failed) {
        return false;
    }

    if (judge_str_find(judge_str_from(judge_buf_view(w->buf), begun),
                       JUDGE_STR("\"tool_call")))
    {
        n = 0;                         /* the input has calls or results */
    }

    for (i = 0; i < n; i++) {
        judge_span_tool(w, tools[i]);
    }

    if (out) {
        judge_span_array(w, out, span, true);
    } else if (judge_span_string(span, "gen_ai.completion.0.content").data
               || judge_span_string(span,
                      "gen_ai.completion.0.tool_calls.0.name").data)
    {
        return judge_span_older(w, span, JUDGE_STR("gen_ai.completion."),
                                true);
    }

    return true;
}
