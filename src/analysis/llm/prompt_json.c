/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The body of a chat-completions request around the words of a prompt. */


#include "base/json/json.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt_text.h"


#define JUDGE_PROMPT_ANSWER  2000      /* bytes of a refused answer */
#define JUDGE_PROMPT_REASON  500


static void judge_prompt_messages(judge_json_writer_t *json,
    judge_prompt_words_t *w);
static void judge_prompt_again(judge_json_writer_t *json,
    judge_prompt_words_t *w);
static void judge_prompt_format(judge_json_writer_t *json,
    const judge_prompt_words_t *w);
static void judge_prompt_schema(judge_json_writer_t *json, size_t ncriteria);


judge_rc_e
judge_prompt_write(judge_prompt_words_t *w)
{
    judge_rc_e             rc;
    judge_buf_t            buf;
    judge_json_writer_t    json;
    const judge_prompt_t  *p;

    p = w->p;

    judge_buf_init(&buf, w->arena);
    judge_json_begin(&json, &buf);
    judge_json_object(&json);

    judge_json_put_str(&json, "model", p->model);
    judge_json_key(&json, "messages");
    judge_prompt_messages(&json, w);

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

    judge_prompt_format(&json, w);
    judge_json_object_end(&json);

    rc = judge_json_finish(&json);
    w->out->body = judge_buf_view(&buf);

    return w->out->body.data ? rc : JUDGE_NOMEM;
}


static void
judge_prompt_message(judge_json_writer_t *json, const char *role,
    judge_str_t text)
{
    judge_json_object(json);
    judge_json_put_c(json, "role", role);
    judge_json_put_str(json, "content", text);
    judge_json_object_end(json);
}


/* A part of type "image_url" whose address is the data itself. */

static void
judge_prompt_image(judge_json_writer_t *json, judge_prompt_words_t *w,
    const judge_prompt_image_t *image)
{
    judge_buf_t  url;
    judge_str_t  base64;

    base64 = judge_base64(w->arena, image->bytes);
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
    judge_json_key(json, "image_url");
    judge_json_object(json);
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
    judge_json_key(json, "content");
    judge_json_array(json);

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


static void
judge_prompt_messages(judge_json_writer_t *json, judge_prompt_words_t *w)
{
    judge_buf_t  both;
    judge_str_t  user;

    judge_json_array(json);

    if (w->p->unsupported & JUDGE_NO_SYSTEM) {
        judge_buf_init(&both, w->arena);
        judge_buf_str(&both, w->system);
        judge_buf_c(&both, "\n");
        judge_buf_str(&both, w->user);
        user = judge_buf_view(&both);
        json->failed |= both.failed;

    } else {
        judge_prompt_message(json, "system", w->system);
        user = w->user;
    }

    if (w->p->nimages == 0) {
        judge_prompt_message(json, "user", user);
    } else {
        judge_prompt_parts(json, w, user);
    }

    if (w->p->refused_reason.data) {
        judge_prompt_again(json, w);
    }

    judge_json_array_end(json);
}


/* The answer goes back as the model's own; some servers want the roles to
 * take turns, so that an empty one has words, too. */

static void
judge_prompt_again(judge_json_writer_t *json, judge_prompt_words_t *w)
{
    size_t       ignored;
    judge_buf_t  answer, text;
    judge_str_t  start;

    ignored = 0;
    start = judge_utf8_prefix(w->p->refused_answer, JUDGE_PROMPT_ANSWER);

    judge_buf_init(&answer, w->arena);
    judge_delimiter_text(&answer, start, &ignored);

    if (start.len == 0) {
        judge_buf_c(&answer, "(no answer)");
    }

    judge_buf_init(&text, w->arena);
    judge_buf_c(&text, "That answer can't be used: ");
    judge_delimiter_text(&text, judge_utf8_prefix(w->p->refused_reason,
                                                  JUDGE_PROMPT_REASON),
                         &ignored);
    judge_buf_c(&text, w->again ? w->again
                        : ". Judge the item again by the same rules and answer"
                          " with the JSON object in the form that was given,"
                          " and nothing else.");

    if (w->out->key.data) {
        judge_buf_printf(&text, " Its first member is \"key\": \"%.*s\".",
                         (int) w->out->key.len, w->out->key.data);
    }

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
judge_prompt_format(judge_json_writer_t *json, const judge_prompt_words_t *w)
{
    if (w->format == JUDGE_FORMAT_PLAIN) {
        return;
    }

    judge_json_key(json, "response_format");
    judge_json_object(json);

    if (w->format == JUDGE_FORMAT_OBJECT) {
        judge_json_put_c(json, "type", "json_object");
        judge_json_object_end(json);
        return;
    }

    judge_json_put_c(json, "type", "json_schema");
    judge_json_key(json, "json_schema");
    judge_json_object(json);
    judge_json_put_c(json, "name", w->schema ? w->schema_name : "verdict");
    judge_json_put_bool(json, "strict", true);
    judge_json_key(json, "schema");

    if (w->schema) {
        w->schema(json);
    } else {
        judge_prompt_schema(json, w->p->rubric->ncriteria);
    }

    judge_json_object_end(json);
    judge_json_object_end(json);
}


/* Bounds are checked by the reader of the answer. */

void
judge_schema_object(judge_json_writer_t *json)
{
    judge_json_object(json);
    judge_json_put_c(json, "type", "object");
    judge_json_put_bool(json, "additionalProperties", false);
}


void
judge_schema_type(judge_json_writer_t *json, const char *key, const char *type)
{
    judge_json_key(json, key);
    judge_json_object(json);
    judge_json_put_c(json, "type", type);
    judge_json_object_end(json);
}


void
judge_schema_strings(judge_json_writer_t *json, const char *key)
{
    judge_json_key(json, key);
    judge_json_object(json);
    judge_json_put_c(json, "type", "array");
    judge_schema_type(json, "items", "string");
    judge_json_object_end(json);
}


void
judge_schema_required(judge_json_writer_t *json, const char *const *names,
    size_t n)
{
    size_t  i;

    judge_json_key(json, "required");
    judge_json_array(json);

    for (i = 0; i < n; i++) {
        judge_json_str(json, judge_str_c(names[i]));
    }

    judge_json_array_end(json);
}


static void
judge_schema_criterion(judge_json_writer_t *json)
{
    static const char *const  names[] = { "score", "feedback", "evidence" };

    judge_schema_object(json);
    judge_json_key(json, "properties");
    judge_json_object(json);
    judge_schema_type(json, "score", "number");
    judge_schema_type(json, "feedback", "string");
    judge_schema_strings(json, "evidence");
    judge_json_object_end(json);
    judge_schema_required(json, names, 3);
    judge_json_object_end(json);
}


static void
judge_schema_criteria(judge_json_writer_t *json, size_t n)
{
    size_t       i;
    char         ids[JUDGE_PROMPT_CRITERIA][JUDGE_NUMBER_LEN + 1];
    const char  *names[JUDGE_PROMPT_CRITERIA];

    judge_schema_object(json);
    judge_json_key(json, "properties");
    judge_json_object(json);

    for (i = 0; i < n; i++) {
        ids[i][0] = 'c';
        (void) judge_integer_format((int64_t) i + 1, ids[i] + 1);
        names[i] = ids[i];

        judge_json_key(json, ids[i]);
        judge_schema_criterion(json);
    }

    judge_json_object_end(json);
    judge_schema_required(json, names, n);
    judge_json_object_end(json);
}


static void
judge_prompt_schema(judge_json_writer_t *json, size_t ncriteria)
{
    static const char *const  names[] = { "criteria", "strengths",
                                          "weaknesses", "suggestions",
                                          "summary" };

    judge_schema_object(json);
    judge_json_key(json, "properties");
    judge_json_object(json);
    judge_json_key(json, "criteria");
    judge_schema_criteria(json, ncriteria);
    judge_schema_strings(json, "strengths");
    judge_schema_strings(json, "weaknesses");
    judge_schema_strings(json, "suggestions");
    judge_schema_type(json, "summary", "string");
    judge_json_object_end(json);
    judge_schema_required(json, names, 5);
    judge_json_object_end(json);
}
