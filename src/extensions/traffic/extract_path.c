/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Paths in JSON, also those of the texts of known APIs. */


#include "extensions/traffic/extract.h"
#include "base/text/number.h"


static const judge_extract_format_t  judge_extract_known[] = {
    { "openai-chat", JUDGE_EXTRACT_OPENAI_CHAT, "choices", "messages",
      .ends = true },
    { "openai-responses", JUDGE_EXTRACT_OPENAI_RESPONSES, "output", "input",
      .ends = true },
    { "anthropic-messages", JUDGE_EXTRACT_ANTHROPIC, "content", "messages",
      .ends = true },
    { "google-generate", JUDGE_EXTRACT_GOOGLE, "candidates", "contents",
      .ends = false }
};

#define JUDGE_EXTRACT_KNOWN                                                   \
    (sizeof(judge_extract_known) / sizeof(judge_extract_known[0]))


bool
judge_extract_formats(judge_arena_t *arena, judge_str_t name,
    judge_extract_formats_t *formats)
{
    size_t                   i;
    judge_extract_format_t  *own;

    *formats = (judge_extract_formats_t) { judge_extract_known,
                                           JUDGE_EXTRACT_KNOWN };
    if (judge_str_eq_c(name, "auto")) {
        return true;
    }

    for (i = 0; i < JUDGE_EXTRACT_KNOWN; i++) {
        if (judge_str_eq_c(name, judge_extract_known[i].name)) {
            *formats = (judge_extract_formats_t) { &judge_extract_known[i],
                                                   1 };
            return true;
        }
    }

    own = judge_calloc(arena, sizeof(judge_extract_format_t));
    if (own == NULL || !judge_extract_path(name, &own->path)) {
        return false;
    }

    *formats = (judge_extract_formats_t) { own, 1 };

    return true;
}


static bool
judge_extract_step(judge_str_t *text, judge_extract_path_t *path)
{
    size_t       n;
    int64_t      index;
    judge_str_t  inside;

    if (text->data[0] == '.') {
        for (n = 1; n < text->len && text->data[n] != '.'
                    && text->data[n] != '['; n++)
        {
            /* void */
        }

        path->steps[path->n].key = (judge_str_t) { n - 1, text->data + 1 };
        path->n++;
        *text = judge_str_from(*text, n);

        return n > 1;
    }

    for (n = 1; n < text->len && text->data[n] != ']'; n++) { /* void */ }

    if (text->data[0] != '[' || n == text->len) {
        return false;
    }

    inside = (judge_str_t) { n - 1, text->data + 1 };
    index = JUDGE_EXTRACT_ALL;

    if (!judge_str_eq_c(inside, "*")
        && (judge_integer_parse(inside, &index) != JUDGE_OK || index < 0))
    {
        return false;
    }

    path->steps[path->n].key = (judge_str_t) { 0, NULL };
    path->steps[path->n].index = index;
    path->n++;
    *text = judge_str_from(*text, n + 1);

    return true;
}


bool
judge_extract_path(judge_str_t text, judge_extract_path_t *path)
{
    path->n = 0;

    if (text.len == 0 || text.data[0] != '$') {
        return false;
    }

    text = judge_str_from(text, 1);

    while (text.len) {
        if (path->n == JUDGE_EXTRACT_STEPS
            || !judge_extract_step(&text, path))
        {
            return false;
        }
    }

    return true;
}


static bool
judge_extract_among(judge_str_t s, const char *const *names)
{
    return names[judge_str_index_c(names, s)] != NULL;
}


/* Whether a member has one of these names but for upper and lower case: some
 * servers take it for that one. */

bool
judge_extract_alike(const judge_json_t *object, const char *const *names)
{
    const judge_json_t  *m;

    for (m = object->first; m; m = m->next) {
        if (judge_str_caseamong(m->key, names)
            && !judge_extract_among(m->key, names))
        {
            return true;
        }
    }

    return false;
}


/* Whether the role of a message is known.  An item of OpenAI's "input" without
 * a role has it by its type; a message to Google may lack it only if it is the
 * only one, and is then the user's. */

static bool
judge_extract_message(const judge_json_t *v, const judge_json_t *asked)
{
    judge_str_t  type;

    static const char *const  names[] = { "role", "content", "parts", NULL };
    static const char *const  roles[] = { "user", "assistant", "system",
                                          "developer", "tool", "function",
                                          "model", NULL };

    if (v->type != JUDGE_JSON_OBJECT || judge_extract_alike(v, names)
        || (judge_json_get(v, "content") && judge_json_get(v, "parts")))
    {
        return false;
    }

    if (judge_json_get(v, "role")) {
        return judge_extract_among(judge_json_string(v, "role"), roles);
    }

    if (judge_str_eq_c(asked->key, "contents")) {
        return asked->count == 1 && judge_json_get(v, "parts");
    }

    type = judge_json_string(v, "type");

    return judge_str_eq_c(asked->key, "input") && type.data
           && !judge_str_caseeq(type, JUDGE_STR("message"));
}


/* Returns the media type of a part that is not text, as far as it has one. */

static judge_str_t
judge_extract_part_type(const judge_json_t *part, judge_str_t type)
{
    const judge_json_t  *m, *inner;

    static const char *const  names[] = { "mimeType", "mime_type",
                                          "media_type", NULL };

    for (m = part->first; m; m = m->next) {
        for (inner = m->type == JUDGE_JSON_OBJECT ? m->first : NULL; inner;
             inner = inner->next)
        {
            if (inner->type == JUDGE_JSON_STRING
                && judge_str_caseamong(inner->key, names))
            {
                return inner->string;
            }
        }
    }

    return judge_str_eq_c(type, "image_url")
           || judge_str_eq_c(type, "input_image")
           ? JUDGE_STR("image/unknown")
           : judge_str_eq_c(type, "input_audio")
           ? JUDGE_STR("audio/unknown") : JUDGE_STR("application/unknown");
}


/* Checks that a part of a message is read, or may pass unread.  Its kind is
 * known by its type, or, as Google has none, by its members. */

static judge_skip_e
judge_extract_part_check(const judge_extract_t *e, const judge_json_t *part)
{
    bool                 text;
    judge_str_t          type;
    const judge_json_t  *m;

    static const char *const  names[] = { "type", "text", "content",
                                          "functionResponse", NULL };
    static const char *const  texts[] = { "text", "input_text", "output_text",
                                          "tool_result", NULL };
    static const char *const  files[] = { "inlineData", "inline_data",
                                          "fileData", "file_data", NULL };

    if (judge_extract_alike(part, names)) {
        return JUDGE_SKIP_MALFORMED;
    }

    type = judge_json_string(part, "type");
    text = judge_extract_among(type, texts);
    for (m = type.len ? NULL : part->first; m; m = m->next) {
        text = text || judge_extract_among(m->key, names + 1);
    }
    for (m = part->first; m; m = m->next) {
        text = text && !judge_str_caseamong(m->key, files);
    }

    return text
           || judge_extract_type_listed(judge_extract_part_type(part, type),
                                        e->passing)
           ? JUDGE_SKIP_NONE : JUDGE_SKIP_TYPE;
}


static void
judge_extract_strings(const judge_json_t *v, judge_buf_t *out)
{
    if (v->type == JUDGE_JSON_STRING) {
        judge_buf_c(out, "\n");
        judge_buf_str(out, v->string);

    } else if (v->type == JUDGE_JSON_ARRAY || v->type == JUDGE_JSON_OBJECT) {
        for (v = v->first; v; v = v->next) {
            judge_extract_strings(v, out);
        }
    }
}


/* Appends the texts of a message: a string, or parts, also results of tools.
 * Parts are checked if e is not NULL. */

static judge_skip_e
judge_extract_parts(const judge_extract_t *e, const judge_json_t *v,
    judge_buf_t *out)
{
    judge_skip_e         skip = JUDGE_SKIP_NONE;
    const judge_json_t  *m;

    if (v->type == JUDGE_JSON_STRING) {
        judge_buf_str(out, v->string);

    } else if (v->type == JUDGE_JSON_ARRAY) {
        for (m = v->first; m && skip == JUDGE_SKIP_NONE; m = m->next) {
            skip = judge_extract_parts(e, m, out);
        }

    } else if (v->type == JUDGE_JSON_OBJECT) {
        skip = e ? judge_extract_part_check(e, v) : JUDGE_SKIP_NONE;
        judge_buf_str(out, judge_json_string(v, "text"));
        m = judge_json_get(v, "content");
        if (m && skip == JUDGE_SKIP_NONE) {
            judge_buf_c(out, out->len ? "\n" : "");
            skip = judge_extract_parts(e, m, out);
        }
        m = judge_json_get(v, "functionResponse");
        if (m) {
            judge_extract_strings(m, out);
        }
    }

    return skip;
}


/* In requests to Google a message without a role is of the user. */

static bool
judge_extract_by_user(const judge_json_t *v)
{
    return judge_json_get(v, "role")
           ? judge_str_eq_c(judge_json_string(v, "role"), "user")
           : judge_json_get(v, "parts") != NULL;
}


/* Appends a string, the last message of the user in an array of messages, or
 * the texts of an array of parts. */

static judge_skip_e
judge_extract_leaf(const judge_extract_t *e, const judge_json_t *v,
    judge_buf_t *out)
{
    bool                 messages = false;
    const judge_json_t  *m, *last = NULL;

    for (m = v->type == JUDGE_JSON_ARRAY ? v->first : NULL; m; m = m->next) {
        if (judge_json_get(m, "role") || judge_json_get(m, "parts")) {
            messages = true;
            last = judge_extract_by_user(m) ? m : last;
        }
    }

    if (messages) {
        m = judge_json_get(last, "content");
        v = m ? m : judge_json_get(last, "parts");
    }

    return v && v->type != JUDGE_JSON_OBJECT
           ? judge_extract_parts(messages ? e : NULL, v, out)
           : JUDGE_SKIP_NONE;
}


/* An "index" of an element must match, too: in a stream of several choices an
 * event has only one, which is element 0 of its array. */

static bool
judge_extract_is_element(const judge_json_t *v, int64_t i, int64_t wanted)
{
    const judge_json_t  *index;

    index = judge_json_member(v, "index", JUDGE_JSON_INTEGER);

    return wanted == JUDGE_EXTRACT_ALL
           || (i == wanted && (index == NULL || index->integer == wanted));
}


bool
judge_extract_at(const judge_extract_path_t *path, size_t step,
    const judge_json_t *v, judge_buf_t *out)
{
    bool         same, ambiguous = false;
    int64_t      i;
    judge_str_t  key;

    if (step == path->n) {
        if (out) {
            (void) judge_extract_leaf(NULL, v, out);
        }
        return false;
    }

    key = path->steps[step].key;
    if (v->type != (key.data ? JUDGE_JSON_OBJECT : JUDGE_JSON_ARRAY)) {
        return false;
    }

    for (i = 0, v = v->first; v; i++, v = v->next) {
        same = key.data ? judge_str_eq(v->key, key)
               : judge_extract_is_element(v, i, path->steps[step].index);
        if (same || key.data == NULL) {
            ambiguous |= judge_extract_at(path, step + 1, v,
                                          same ? out : NULL);
        } else {
            ambiguous |= judge_str_caseeq(v->key, key);
        }
    }

    return ambiguous;
}


/* Some servers ignore upper and lower case in the names of members. */

judge_skip_e
judge_extract_request(judge_extract_t *e, const judge_json_t *root)
{
    size_t               i;
    const judge_json_t  *m, *asked = NULL;

    static const char *const  members[] = { "messages", "input", "contents",
                                            "prompt", NULL };

    if (root->type != JUDGE_JSON_OBJECT) {
        return JUDGE_SKIP_NO_TEXT;
    }

    for (m = root->first; m; m = m->next) {
        if (judge_str_caseamong(m->key, members)) {
            if (asked) {
                return JUDGE_SKIP_MALFORMED;
            }
            asked = m;
        }
    }

    for (m = asked && asked->type == JUDGE_JSON_ARRAY ? asked->first : NULL; m;
         m = m->next)
    {
        if (!judge_extract_message(m, asked)) {
            return JUDGE_SKIP_MALFORMED;
        }
    }

    for (i = 0; asked && i < e->formats.n; i++) {
        if (judge_str_eq_c(asked->key, e->formats.formats[i].asked)) {
            return judge_extract_leaf(e, asked, &e->text);
        }
    }

    return JUDGE_SKIP_NONE;
}


judge_str_t
judge_extract_error(judge_arena_t *arena, judge_extract_provider_e provider,
    int64_t number, const char *code, judge_str_t message)
{
    judge_str_t  text;

    message = judge_json_strings_text(arena, &message, 1);
    if (message.data == NULL) {
        return message;
    }

    text = (judge_str_t) { message.len - 2, message.data + 1 };  /* no "[]" */

    switch (provider) {

    case JUDGE_EXTRACT_OPENAI_RESPONSES:
        return judge_str_printf(arena, "event: error\ndata: {\"type\":"
                                "\"error\",\"sequence_number\":%lld,"
                                "\"message\":%.*s,\"code\":\"%s\","
                                "\"param\":null}\n\n", (long long) number,
                                judge_str_args(text), code);

    case JUDGE_EXTRACT_ANTHROPIC:
        return judge_str_printf(arena, "event: error\ndata: {\"type\":"
                                "\"error\",\"error\":{\"type\":\"api_error\","
                                "\"message\":%.*s}}\n\n",
                                judge_str_args(text));

    default:
        return judge_str_printf(arena, "%sdata: {\"error\":{\"type\":"
                                "\"judge_error\",\"message\":%.*s,"
                                "\"code\":\"%s\",\"param\":null}}\n\n",
                                provider == JUDGE_EXTRACT_OPENAI_CHAT
                                ? "" : "event: error\n",
                                judge_str_args(text), code);
    }
}
