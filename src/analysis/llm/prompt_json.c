/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes the body of a chat-completions request around a prompt's words. */


#include "base/json/json.h"
#include "base/text/utf8.h"
#include "analysis/llm/llm_parts.h"


#define JUDGE_PROMPT_ANSWER        2000          /* bytes of an answer, */
#define JUDGE_PROMPT_REASON        500           /* and of the reason */
#define JUDGE_PROMPT_OVERHEAD      16            /* tokens of roles etc. */
#define JUDGE_PROMPT_IMAGE_TOKENS  1100          /* of a large image */


static void
judge_prompt_message(judge_json_writer_t *json, const char *role,
    judge_str_t text)
{
    judge_json_object(json);
    judge_json_put_c(json, "role", role);
    judge_json_put_str(json, "content", text);
    judge_json_object_end(json);
}


/* Writes a part of type "image_url" whose address holds the image itself. */

static void
judge_prompt_image(judge_json_writer_t *json, judge_prompt_words_t *w,
    const judge_prompt_image_t *image)
{
    judge_buf_t  url;
    judge_str_t  base64 = judge_base64(w->arena, image->bytes);

    judge_buf_init(&url, w->arena);
    judge_buf_c(&url, "data:");
    judge_buf_str(&url, image->type);
    judge_buf_c(&url, ";base64,");
    judge_buf_str(&url, base64);

    if (base64.data == NULL || url.failed) {
        json->failed = true;
        return;
    }

    judge_json_object(json);
    judge_json_put_c(json, "type", "image_url");
    judge_json_key_object(json, "image_url");
    judge_json_put_str(json, "url", judge_buf_view(&url));
    judge_json_object_end(json);
    judge_json_object_end(json);
}


static void
judge_prompt_parts(judge_json_writer_t *json, judge_prompt_words_t *w,
    judge_str_t user)
{
    size_t  i;

    judge_json_object(json);
    judge_json_put_c(json, "role", "user");
    judge_json_key_array(json, "content");

    judge_json_object(json);
    judge_json_put_c(json, "type", "text");
    judge_json_put_str(json, "text", user);
    judge_json_object_end(json);

    for (i = 0; i < w->p->nimages; i++) {
        judge_prompt_image(json, w, &w->p->images[i]);
    }

    judge_json_array_end(json);
    judge_json_object_end(json);
}


/* Gives the value of the key, if the answer must begin with one. */

static void
judge_prompt_key_put(judge_buf_t *buf, const judge_prompt_words_t *w)
{
    if (w->out->key.data) {
        judge_buf_printf(buf, " Its first member is \"key\": \"%.*s\".",
                         judge_str_args(w->out->key));
    }
}


/* Shows the refused answer as the model's own, and asks again.  An empty one
 * gets words, because some servers want the roles to take turns. */

static void
judge_prompt_again(judge_json_writer_t *json, judge_prompt_words_t *w,
    const char *task)
{
    judge_buf_t  answer, text;
    judge_str_t  start;

    start = judge_utf8_prefix(w->p->refused_answer, JUDGE_PROMPT_ANSWER);

    judge_buf_init(&answer, w->arena);
    judge_delimiter_text(&answer, start, NULL);

    if (start.len == 0) {
        judge_buf_c(&answer, "(no answer)");
    }

    judge_buf_init(&text, w->arena);
    judge_buf_c(&text, "That answer can't be used: ");
    judge_delimiter_text(&text, judge_utf8_prefix(w->p->refused_reason,
                                                  JUDGE_PROMPT_REASON),
                         NULL);
    judge_buf_printf(&text, ". %s again by the same rules and answer with the"
                            " JSON object in the form that was given, and"
                            " nothing else.", task);
    judge_prompt_key_put(&text, w);

    if (answer.failed || text.failed) {
        json->failed = true;
        return;
    }

    judge_prompt_message(json, "assistant", judge_buf_view(&answer));
    judge_prompt_message(json, "user", judge_buf_view(&text));

    w->out->tokens += judge_prompt_tokens(judge_buf_view(&answer))
                      + judge_prompt_tokens(judge_buf_view(&text));
}


static void
judge_prompt_messages(judge_json_writer_t *json, judge_prompt_words_t *w,
    const char *task)
{
    judge_str_t  system = judge_buf_view(&w->system);
    judge_str_t  user = judge_buf_view(&w->user);

    judge_json_array(json);

    if (w->p->unsupported & JUDGE_NO_SYSTEM) {
        user = judge_str_printf(w->arena, "%.*s\n%.*s", judge_str_args(system),
                                judge_str_args(user));
        json->failed |= user.data == NULL;

    } else {
        judge_prompt_message(json, "system", system);
    }

    if (w->p->nimages == 0) {
        judge_prompt_message(json, "user", user);
    } else {
        judge_prompt_parts(json, w, user);
    }

    if (w->p->refused_reason.data) {
        judge_prompt_again(json, w, task);
    }

    judge_json_array_end(json);
}


void
judge_prompt_schema(judge_prompt_words_t *w, const char *each,
    const char *rest)
{
    size_t       i, n = w->p->rubric->ncriteria;
    judge_buf_t  buf;

    static const char  object[] = "{\"type\":\"object\","
        "\"additionalProperties\":false,\"properties\":{";

    judge_buf_init(&buf, w->arena);
    judge_buf_printf(&buf, "%s\"criteria\":%s", object, object);

    for (i = 0; i < n; i++) {
        judge_buf_printf(&buf, "%s\"c%zu\":%s", i ? "," : "", i + 1, each);
    }

    for (i = 0; i < n; i++) {
        judge_buf_printf(&buf, "%s\"c%zu\"", i ? "," : "},\"required\":[",
                         i + 1);
    }

    judge_buf_printf(&buf, "]}%s", rest);
    w->schema = judge_buf_view(&buf);
}


static void
judge_prompt_format(judge_json_writer_t *json, const judge_prompt_words_t *w,
    const char *name)
{
    if (w->format == JUDGE_FORMAT_PLAIN) {
        return;
    }

    judge_json_key_object(json, "response_format");

    if (w->format == JUDGE_FORMAT_OBJECT) {
        judge_json_put_c(json, "type", "json_object");
        judge_json_object_end(json);
        return;
    }

    judge_json_put_c(json, "type", "json_schema");
    judge_json_key_object(json, "json_schema");
    judge_json_put_c(json, "name", name);
    judge_json_put_bool(json, "strict", true);
    judge_json_put_raw(json, "schema", w->schema);
    judge_json_object_end(json);
    judge_json_object_end(json);
}


judge_rc_e
judge_prompt_write(judge_prompt_words_t *w, const char *name,
    const char *task)
{
    judge_rc_e             rc;
    judge_buf_t            buf;
    judge_json_writer_t    json;
    const judge_prompt_t  *p = w->p;

    judge_prompt_key_put(&w->user, w);
    judge_buf_c(&w->user, "\n");

    if (w->rc != JUDGE_OK || w->system.failed || w->user.failed
        || w->schema.data == NULL)
    {
        return w->rc ? w->rc : JUDGE_NOMEM;
    }

    w->out->format = w->format;
    w->out->altered = w->altered;
    w->out->tokens = JUDGE_PROMPT_OVERHEAD
                     + judge_prompt_tokens(judge_buf_view(&w->system))
                     + judge_prompt_tokens(judge_buf_view(&w->user))
                     + (int64_t) p->nimages * JUDGE_PROMPT_IMAGE_TOKENS;

    judge_json_begin_object(&json, &buf, w->arena);
    judge_json_put_str(&json, "model", p->model);
    judge_json_key(&json, "messages");
    judge_prompt_messages(&json, w, task);

    if (p->has_temperature && !(p->unsupported & JUDGE_NO_TEMPERATURE)) {
        judge_json_put_number(&json, "temperature", p->temperature);
    }

    if (p->max_tokens > 0) {
        judge_json_put_int(&json, (p->unsupported & JUDGE_NO_MAX_TOKENS)
                                  ? "max_completion_tokens" : "max_tokens",
                           p->max_tokens);
    }

    if (p->has_seed && !(p->unsupported & JUDGE_NO_SEED)) {
        judge_json_put_int(&json, "seed", p->seed);
    }

    judge_prompt_format(&json, w, name);
    judge_json_object_end(&json);

    rc = judge_json_finish(&json);
    w->out->body = judge_buf_view(&buf);

    return w->out->body.data ? rc : JUDGE_NOMEM;
}


/* Tokenizers differ by model, and a limit needs no more than an estimate. */

int64_t
judge_prompt_tokens(judge_str_t text)
{
    size_t         i;
    int64_t        quarters = 0;
    unsigned char  c;

    for (i = 0; i < text.len; i++) {
        c = (unsigned char) text.data[i];

        if (c < 0x80) {
            quarters += 1;

        } else if (c >= 0xf0) {
            quarters += 8;

        } else if (c >= 0xe0) {
            quarters += 4;

        } else if (c >= 0xc0) {
            quarters += 2;
        }
    }

    return (quarters + 3) / 4;
}
