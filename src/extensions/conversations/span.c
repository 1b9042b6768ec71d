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


#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"
#include "extensions/conversations/conversations.h"


#define JUDGE_SPAN_NAME   80           /* bytes of an attribute's name */
#define JUDGE_SPAN_LAST   40           /* bytes of its last part */
#define JUDGE_SPAN_CALLS  32           /* of an older message */


/* The attributes of a span and its events, sorted by name, and those of the
 * same name by their place. */
typedef struct {
    judge_str_t          key;
    const judge_json_t  *value;
    size_t               place;
} judge_span_attribute_t;

typedef struct {
    judge_span_attribute_t  *list;
    size_t                   n;
} judge_span_index_t;


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


static int
judge_span_compare(const void *a, const void *b)
{
    int                            order;
    const judge_span_attribute_t  *x = a, *y = b;

    if (x->key.len != y->key.len) {
        return x->key.len < y->key.len ? -1 : 1;
    }

    order = memcmp(x->key.data, y->key.data, x->key.len);

    return order ? order : x->place < y->place ? -1 : x->place > y->place;
}


/* Adds the attributes of an object, or only counts them while there is no
 * list. */

static void
judge_span_collect(judge_span_index_t *index, const judge_json_t *of)
{
    judge_str_t          key;
    const judge_json_t  *v, *value;

    for (v = judge_json_first(of, "attributes"); v; v = v->next) {
        key = judge_json_string(v, "key");
        value = judge_json_get(v, "value");
        if (value == NULL || !judge_str_starts(key, JUDGE_STR("gen_ai."))) {
            continue;
        }

        if (index->list) {
            index->list[index->n] = (judge_span_attribute_t) { key, value,
                                                               index->n };
        }
        index->n++;
    }
}


/* Collects and sorts the attributes.  false: no memory. */

static bool
judge_span_index(judge_span_index_t *index, judge_arena_t *arena,
    const judge_json_t *span)
{
    const judge_json_t  *v;

    *index = (judge_span_index_t) { NULL, 0 };

    for ( ;; ) {
        judge_span_collect(index, span);
        for (v = judge_json_first(span, "events"); v; v = v->next) {
            judge_span_collect(index, v);
        }

        if (index->list || index->n == 0) {
            break;
        }

        index->list = judge_array_alloc(arena, index->n,
                                        sizeof(judge_span_attribute_t));
        if (index->list == NULL) {
            return false;
        }
        index->n = 0;
    }

    if (index->n) {
        qsort(index->list, index->n, sizeof(judge_span_attribute_t),
              judge_span_compare);
    }

    return true;
}


/* Returns an attribute of the older form, such as gen_ai.prompt.0.role. */

static judge_str_t
judge_span_old(const judge_span_index_t *index, const char *kind, size_t i,
    const char *name)
{
    char                     key[JUDGE_SPAN_NAME];
    size_t                   low = 0, high = index->n, middle;
    judge_span_attribute_t   wanted = { .value = NULL };

    (void) snprintf(key, sizeof(key), "gen_ai.%s.%zu.%s", kind, i, name);
    wanted.key = judge_str_c(key);

    while (low < high) {
        middle = low + (high - low) / 2;
        if (judge_span_compare(&index->list[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }

    return low < index->n && judge_str_eq(index->list[low].key, wanted.key)
           ? judge_json_string(index->list[low].value, "stringValue")
           : (judge_str_t) { 0, NULL };
}


static void
judge_span_old_calls(judge_json_writer_t *w, const judge_span_index_t *index,
    const char *kind, size_t i)
{
    char         name[JUDGE_SPAN_LAST];
    size_t       k;
    judge_str_t  tool;

    for (k = 0; k < JUDGE_SPAN_CALLS; k++) {
        (void) snprintf(name, sizeof(name), "tool_calls.%zu.name", k);
        tool = judge_span_old(index, kind, i, name);
        if (tool.data == NULL) {
            break;
        }

        if (k == 0) {
            judge_json_key_array(w, "tool_calls");
        }

        judge_json_object(w);
        (void) snprintf(name, sizeof(name), "tool_calls.%zu.id", k);
        judge_json_put_str(w, "id", judge_span_old(index, kind, i, name));
        judge_json_key_object(w, "function");
        judge_json_put_str(w, "name", tool);
        (void) snprintf(name, sizeof(name), "tool_calls.%zu.arguments", k);
        judge_json_put_str(w, "arguments",
                           judge_span_old(index, kind, i, name));
        judge_json_object_end(w);
        judge_json_object_end(w);
    }

    if (k > 0) {
        judge_json_array_end(w);
    }
}


/* Writes a limited number of messages, of calls each, whose attributes are
 * looked up in an index: a span may have very many others.  false: no
 * memory. */

static bool
judge_span_older(judge_json_writer_t *w, judge_arena_t *arena,
    const judge_json_t *span, const char *kind, bool out)
{
    size_t              i;
    judge_str_t         role, content;
    judge_span_index_t  all, *index = &all;

    if (!judge_span_index(index, arena, span)) {
        return false;
    }

    for (i = 0; i < (out ? 1 : JUDGE_SPAN_OLDER); i++) {
        role = judge_span_old(index, kind, i, "role");
        content = judge_span_old(index, kind, i, "content");
        if (role.data == NULL && content.data == NULL && !out) {
            break;
        }

        judge_json_object(w);
        judge_json_put_str(w, "role", role.data ? role
                                      : out ? JUDGE_STR("assistant")
                                      : JUDGE_STR("user"));
        judge_json_put_str(w, "content", content);
        judge_json_put_str(w, "tool_call_id",
                           judge_span_old(index, kind, i, "tool_call_id"));
        judge_span_old_calls(w, index, kind, i);
        if (out) {
            judge_span_figures(w, span);
        }
        judge_json_object_end(w);
    }

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
    } else if (!judge_span_older(w, arena, span, "prompt", false)) {
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
        return judge_span_older(w, arena, span, "completion", true);
    }

    return true;
}
