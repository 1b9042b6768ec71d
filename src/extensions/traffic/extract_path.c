/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Paths in JSON, and those of the texts of known APIs. */


#include <string.h>

#include "extensions/traffic/extract.h"
#include "base/text/number.h"


static const struct {
    const char  *name;
    const char  *anchor;
    const char  *request;
    bool         ends;
} judge_extract_known[] = {
    /* in the order of judge_extract_provider_e */
    { "openai-chat", "choices", "$.messages", true },
    { "openai-responses", "output", "$.input", true },
    { "anthropic-messages", "content", "$.messages", true },
    { "google-generate", "candidates", "$.contents", false },
};

#define JUDGE_EXTRACT_KNOWN                                                   \
    (sizeof(judge_extract_known) / sizeof(judge_extract_known[0]))


bool
judge_extract_formats(judge_arena_t *arena, judge_str_t name,
    judge_extract_formats_t *formats)
{
    bool                     all;
    size_t                   i;
    judge_extract_format_t  *f;

    all = judge_str_eq_c(name, "auto");
    f = judge_array_alloc(arena, JUDGE_EXTRACT_KNOWN, sizeof(*f));
    formats->formats = f;
    formats->n = 0;

    if (f == NULL) {
        return false;
    }

    for (i = 0; i < JUDGE_EXTRACT_KNOWN; i++) {
        if (!all && !judge_str_eq_c(name, judge_extract_known[i].name)) {
            continue;
        }

        if (!judge_extract_path(judge_str_c(judge_extract_known[i].request),
                                &f->request))
        {
            return false;
        }

        f->provider = JUDGE_EXTRACT_OPENAI_CHAT + i;
        f->anchor = judge_extract_known[i].anchor;
        f->ends = judge_extract_known[i].ends;
        f++;
        formats->n++;
    }

    if (formats->n == 0 && judge_extract_path(name, &f->answer)) {
        f->request = f->answer;
        formats->n = 1;
    }

    return formats->n != 0;
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
judge_extract_by_user(const judge_json_t *v)
{
    const judge_json_t  *role = judge_json_get(v, "role");

    return role->type == JUDGE_JSON_STRING
           && judge_str_eq_c(role->string, "user");
}


/* Appends a string, the user's last message in an array of messages, or the
 * texts of an array of parts. */

static void
judge_extract_leaf(const judge_json_t *v, judge_buf_t *out)
{
    bool                 messages;
    const judge_json_t  *part, *content;

    if (v->type == JUDGE_JSON_STRING) {
        judge_buf_str(out, v->string);
        return;
    }

    if (v->type != JUDGE_JSON_ARRAY) {
        return;
    }

    content = NULL;
    messages = false;

    for (part = v->first; part; part = part->next) {
        if (part->type == JUDGE_JSON_OBJECT && judge_json_get(part, "role")) {
            messages = true;
            if (judge_extract_by_user(part)) {
                content = judge_json_get(part, "content");
                content = content ? content : judge_json_get(part, "parts");
            }
        }
    }

    if (messages) {
        if (content) {
            judge_extract_leaf(content, out);
        }
        return;
    }

    for (part = v->first; part; part = part->next) {
        content = part->type == JUDGE_JSON_OBJECT
                  ? judge_json_get(part, "text") : part;
        if (content && content->type == JUDGE_JSON_STRING) {
            judge_buf_str(out, content->string);
        }
    }
}


/* If an element has an "index", that must match, too: in a stream of several
 * choices an event has only one, which is element 0 of its array. */

static void
judge_extract_walk(const judge_extract_path_t *path, size_t step,
    const judge_json_t *v, judge_buf_t *out)
{
    int64_t              i, wanted;
    const judge_json_t  *said;

    if (step == path->n) {
        judge_extract_leaf(v, out);
        return;
    }

    if (path->steps[step].key.data) {
        if (v->type != JUDGE_JSON_OBJECT) {
            return;
        }

        for (v = v->first; v; v = v->next) {
            if (judge_str_eq(v->key, path->steps[step].key)) {
                judge_extract_walk(path, step + 1, v, out);
            }
        }
        return;
    }

    if (v->type != JUDGE_JSON_ARRAY) {
        return;
    }

    wanted = path->steps[step].index;

    for (i = 0, v = v->first; v; i++, v = v->next) {
        if (wanted != JUDGE_EXTRACT_ALL) {
            said = v->type == JUDGE_JSON_OBJECT ? judge_json_get(v, "index")
                                                : NULL;
            if (i != wanted || (said && said->type == JUDGE_JSON_INTEGER
                                && said->integer != wanted))
            {
                continue;
            }
        }

        judge_extract_walk(path, step + 1, v, out);
    }
}


/* Whether a message is one whose place in the conversation is known.  Without
 * a role an item is known by its type, where items have one. */

static bool
judge_extract_message(const judge_json_t *v, bool items)
{
    size_t         i;
    judge_json_t  *role, *type;

    static const char *const  roles[] = { "user", "assistant", "system",
                                          "developer", "tool", "function",
                                          "model", NULL };

    if (v->type != JUDGE_JSON_OBJECT) {
        return false;
    }

    role = judge_json_get(v, "role");
    if (role) {
        for (i = 0; role->type == JUDGE_JSON_STRING && roles[i]; i++) {
            if (judge_str_eq_c(role->string, roles[i])) {
                return true;
            }
        }
        return false;
    }

    type = items ? judge_json_get(v, "type") : NULL;

    return type && type->type == JUDGE_JSON_STRING
           && !judge_str_caseeq(type->string, JUDGE_STR("message"));
}


/* Some servers find members whatever the case of their letters is. */

judge_skip_e
judge_extract_asked(const judge_json_t *root)
{
    const judge_json_t  *m, *v, *asked = NULL;

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

    if (asked == NULL || asked->type != JUDGE_JSON_ARRAY) {
        return JUDGE_SKIP_NONE;
    }

    for (v = asked->first; v; v = v->next) {
        if (!judge_extract_message(v, judge_str_eq_c(asked->key, "input"))) {
            return JUDGE_SKIP_MALFORMED;
        }
    }

    return JUDGE_SKIP_NONE;
}


void
judge_extract_at(const judge_extract_path_t *path, const judge_json_t *root,
    judge_buf_t *out)
{
    judge_extract_walk(path, 0, root, out);
}


judge_str_t
judge_extract_error(judge_arena_t *arena, judge_extract_provider_e provider,
    int64_t number, const char *code, judge_str_t message)
{
    bool                 inner;
    judge_buf_t          buf;
    judge_str_t          json;
    judge_json_writer_t  w;

    inner = provider != JUDGE_EXTRACT_OPENAI_RESPONSES;
    judge_json_begin_object(&w, &buf, arena);

    if (!inner || provider == JUDGE_EXTRACT_ANTHROPIC) {
        judge_json_put_c(&w, "type", "error");
    }
    if (inner) {
        judge_json_key_object(&w, "error");
        judge_json_put_c(&w, "type", provider == JUDGE_EXTRACT_ANTHROPIC
                                     ? "api_error" : "judge_error");
    } else {
        judge_json_put_int(&w, "sequence_number", number);
    }

    judge_json_put_str(&w, "message", message);

    if (provider != JUDGE_EXTRACT_ANTHROPIC) {
        judge_json_put_c(&w, "code", code);
        judge_json_put_raw(&w, "param", JUDGE_STR("null"));
    }
    if (inner) {
        judge_json_object_end(&w);
    }

    json = judge_json_text(&w);
    if (json.data == NULL) {
        return json;
    }

    return judge_str_printf(arena, "%sdata: %.*s\n\n",
                            provider == JUDGE_EXTRACT_OPENAI_CHAT
                            ? "" : "event: error\n",
                            (int) json.len, json.data);
}
