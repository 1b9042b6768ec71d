/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Reads the envelope of an answer: choices, message, finish_reason, refusal,
 * usage.  Servers differ in what they leave out.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/llm/llm_parts.h"
#include "analysis/llm/reply.h"


static int64_t
judge_reply_count(const judge_json_t *usage, const char *name)
{
    const judge_json_t  *v;

    v = judge_json_member(usage, name, JUDGE_JSON_INTEGER);

    return v && v->integer >= 0 ? v->integer : -1;
}


/* Reads the model and the token counts; what makes no sense is left out. */

static void
judge_reply_usage(judge_reply_reader_t *r, const judge_json_t *root)
{
    judge_reply_t       *reply = r->reply;
    const judge_json_t  *usage, *model;

    model = judge_json_member(root, "model", JUDGE_JSON_STRING);

    if (model && model->string.len) {
        reply->model = judge_utf8_prefix(model->string, 200);
    }

    usage = judge_json_get(root, "usage");
    reply->prompt_tokens = judge_reply_count(usage, "prompt_tokens");
    reply->answer_tokens = judge_reply_count(usage, "completion_tokens");
    reply->total_tokens = judge_reply_count(usage, "total_tokens");
    reply->cached_tokens = judge_reply_count(
        judge_json_get(usage, "prompt_tokens_details"), "cached_tokens");

    if (reply->total_tokens < 0 && reply->prompt_tokens >= 0
        && reply->answer_tokens >= 0
        && reply->prompt_tokens <= INT64_MAX - reply->answer_tokens)
    {
        reply->total_tokens = reply->prompt_tokens + reply->answer_tokens;
    }
}


static judge_rc_e
judge_reply_refusal(judge_reply_reader_t *r, judge_str_t start)
{
    judge_str_t  reason;

    r->reply->start = start;
    reason = judge_reply_piece(start);

    return judge_reply_fail(r, JUDGE_REPLY_REFUSED, "the model refused: %.*s",
                            judge_str_args(reason));
}


/* Joins the parts of text; a part may be a refusal, and all others, such as
 * thoughts, do not belong to the answer. */

static judge_rc_e
judge_reply_parts(judge_reply_reader_t *r, const judge_json_t *array,
    judge_str_t *text)
{
    judge_buf_t          buf;
    const judge_json_t  *part, *type, *value;

    judge_buf_init(&buf, r->arena);
    judge_buf_c(&buf, "");

    for (part = array->first; part; part = part->next) {
        type = judge_json_member(part, "type", JUDGE_JSON_STRING);

        if (type == NULL) {
            return judge_reply_invalid(r, "choices[0].message.content:"
                                       " expected parts with a type");
        }

        if (judge_str_eq_c(type->string, "refusal")) {
            value = judge_json_member(part, "refusal", JUDGE_JSON_STRING);
            return judge_reply_refusal(r, value
                                          ? judge_reply_piece(value->string)
                                          : JUDGE_STR(""));
        }

        value = judge_json_member(part, "text", JUDGE_JSON_STRING);

        if (value && judge_str_eq_c(type->string, "text")) {
            judge_buf_str(&buf, value->string);
        }
    }

    *text = judge_buf_view(&buf);

    return text->data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Finds the text of the answer, without white space around it, or fails with
 * the model's refusal. */

static judge_rc_e
judge_reply_content(judge_reply_reader_t *r, const judge_json_t *message,
    judge_str_t *text)
{
    judge_rc_e           rc;
    const judge_json_t  *content, *refusal;

    *text = (judge_str_t) { 0, "" };
    content = judge_json_get(message, "content");

    if (content && content->type == JUDGE_JSON_STRING) {
        *text = content->string;

    } else if (content && content->type == JUDGE_JSON_ARRAY) {
        rc = judge_reply_parts(r, content, text);
        if (rc != JUDGE_OK) {
            return rc;
        }

    } else if (content && content->type != JUDGE_JSON_NULL) {
        return judge_reply_invalid(r, "choices[0].message.content: expected a"
                                   " string");
    }

    r->reply->text = *text;
    *text = judge_str_trim(*text, " \t\r\n");

    if (text->len) {
        r->reply->start = judge_utf8_prefix(*text, JUDGE_REPLY_START);
    }

    refusal = judge_json_member(message, "refusal", JUDGE_JSON_STRING);

    return refusal && refusal->string.len
           ? judge_reply_refusal(r, judge_utf8_prefix(refusal->string,
                                                      JUDGE_REPLY_START))
           : JUDGE_OK;
}


static judge_rc_e
judge_reply_finish(judge_reply_reader_t *r)
{
    size_t                       i;
    const judge_reply_finish_t  *finish = judge_reply_finishes;

    for (i = 0; i < judge_reply_finishes_n; i++, finish++) {
        if (judge_str_caseeq(r->reply->finish, judge_str_c(finish->name))) {
            return judge_reply_fail(r, finish->outcome, "%s", finish->reason);
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_reply_choice(judge_reply_reader_t *r, const judge_json_t *root)
{
    judge_rc_e           rc;
    judge_str_t          text;
    judge_json_t        *answer;
    const judge_json_t  *choices, *message, *finish;

    choices = judge_json_member(root, "choices", JUDGE_JSON_ARRAY);

    if (choices == NULL) {
        return judge_reply_invalid(r, "choices: expected an array");
    }

    if (choices->first == NULL) {
        return judge_reply_fail(r, JUDGE_REPLY_EMPTY, "choices: is empty");
    }

    message = judge_json_member(choices->first, "message",
                                JUDGE_JSON_OBJECT);
    if (message == NULL) {
        return judge_reply_invalid(r, "choices[0].message: expected an"
                                   " object");
    }

    finish = judge_json_member(choices->first, "finish_reason",
                               JUDGE_JSON_STRING);
    if (finish) {
        r->reply->finish = finish->string;
    }

    rc = judge_reply_content(r, message, &text);

    if (rc == JUDGE_OK && r->asked) {
        rc = judge_reply_finish(r);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    if (text.len == 0) {
        return judge_reply_fail(r, JUDGE_REPLY_EMPTY, "the answer is empty");
    }

    if (r->asked == NULL) {
        return JUDGE_OK;
    }

    rc = judge_reply_extract(r, text, &answer);
    if (rc != JUDGE_OK) {
        return rc;
    }

    r->reply->object = answer;

    return r->asked->rubric ? judge_reply_verdict(r, answer) : JUDGE_OK;
}


static judge_rc_e
judge_reply_envelope(judge_reply_reader_t *r, judge_str_t body)
{
    judge_rc_e     rc;
    judge_str_t    error, message;
    judge_json_t  *root, *server_error;

    if (body.len > JUDGE_REPLY_MAX) {
        return judge_reply_invalid(r, "the answer is longer than %d bytes",
                                   JUDGE_REPLY_MAX);
    }

    if (body.len == 0) {
        return judge_reply_fail(r, JUDGE_REPLY_EMPTY,
                                "the server sent no answer");
    }

    rc = judge_json_parse(r->arena, body, &root, &error);
    if (rc != JUDGE_OK) {
        return rc != JUDGE_INVALID ? rc
               : judge_reply_invalid(r, "the server's answer is not JSON:"
                                     " %.*s", judge_str_args(error));
    }

    if (root->type != JUDGE_JSON_OBJECT) {
        return judge_reply_invalid(r, "the server's answer is %s, not an"
                                   " object",
                                   judge_json_type_name(root->type));
    }

    judge_reply_usage(r, root);

    /* Some gateways send errors with status 200. */

    server_error = judge_json_get(root, "error");

    if (server_error == NULL || server_error->type == JUDGE_JSON_NULL) {
        return judge_reply_choice(r, root);
    }

    message = judge_utf8_prefix(judge_provider_message(r->arena, root), 200);

    if (message.data == NULL) {
        message = JUDGE_STR("it does not say which");
    }

    return judge_reply_invalid(r, "the server answered with an error: %.*s",
                               judge_str_args(message));
}


judge_rc_e
judge_reply_read(judge_arena_t *arena, const judge_prompt_request_t *asked,
    judge_str_t body, judge_reply_t *reply)
{
    judge_rc_e            rc;
    judge_reply_reader_t  r = { arena, asked, reply, { 0, NULL } };

    *reply = (judge_reply_t) { .prompt_tokens = -1, .answer_tokens = -1,
                               .total_tokens = -1, .cached_tokens = -1 };

    rc = judge_reply_envelope(&r, body);

    if (reply->start.data == NULL && rc != JUDGE_NOMEM) {
        reply->start = judge_str_dup(arena,
                                     judge_utf8_prefix(body,
                                                       JUDGE_REPLY_START));
    }

    return rc;
}


judge_rc_e
judge_reply_object(judge_arena_t *arena, judge_str_t text,
    judge_reply_t *reply)
{
    judge_rc_e              rc;
    judge_json_t           *object = NULL;
    judge_prompt_request_t  asked = { .rubric = NULL };
    judge_reply_reader_t    r = { arena, &asked, reply, { 0, NULL } };

    memset(reply, 0, sizeof(judge_reply_t));
    text = judge_str_trim(text, " \t\r\n");

    rc = text.len ? judge_reply_extract(&r, text, &object)
                  : judge_reply_fail(&r, JUDGE_REPLY_EMPTY,
                                     "the answer is empty");
    reply->object = object;

    return rc;
}
