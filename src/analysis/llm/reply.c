/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The envelope of an answer: choices, message, finish_reason, refusal, usage.
 * Servers differ in what they leave out; whatever is there must be of the
 * right type.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/llm/reply_parts.h"


/* A finish_reason that ends the reading. */

typedef struct {
    const char             *name;
    judge_reply_outcome_e   outcome;
    const char             *reason;
} judge_reply_finish_t;


static judge_rc_e judge_reply_envelope(judge_reply_reader_t *r,
    judge_str_t body);
static judge_rc_e judge_reply_choice(judge_reply_reader_t *r,
    const judge_json_t *root);
static judge_rc_e judge_reply_content(judge_reply_reader_t *r,
    const judge_json_t *message, judge_str_t *text);
static judge_rc_e judge_reply_parts(judge_reply_reader_t *r,
    const judge_json_t *array, judge_str_t *text);
static judge_rc_e judge_reply_finish(judge_reply_reader_t *r);
static void judge_reply_usage(judge_reply_reader_t *r,
    const judge_json_t *root);


static const judge_reply_finish_t  judge_reply_finishes[] = {
    { "length", JUDGE_REPLY_TRUNCATED, "the answer was cut off at its limit"
      " of tokens" },
    { "max_tokens", JUDGE_REPLY_TRUNCATED, "the answer was cut off at its"
      " limit of tokens" },
    { "model_length", JUDGE_REPLY_TRUNCATED, "the answer was cut off at the"
      " end of the model's context" },
    { "content_filter", JUDGE_REPLY_REFUSED, "a content filter of the server"
      " stopped the answer" },
    { "safety", JUDGE_REPLY_REFUSED, "a content filter of the server stopped"
      " the answer" },
    { "refusal", JUDGE_REPLY_REFUSED, "the model refused" },
    { "error", JUDGE_REPLY_INVALID, "the server broke the answer off" },
    { "tool_calls", JUDGE_REPLY_INVALID, "the model called a tool instead of"
      " answering" },
    { "function_call", JUDGE_REPLY_INVALID, "the model called a function"
      " instead of answering" }
};


judge_rc_e
judge_reply_read(judge_arena_t *arena, const judge_reply_wanted_t *wanted,
    judge_str_t body, judge_reply_t *reply)
{
    judge_rc_e            rc;
    judge_reply_reader_t  r;

    memset(reply, 0, sizeof(judge_reply_t));
    reply->prompt_tokens = -1;
    reply->answer_tokens = -1;
    reply->total_tokens = -1;

    r = (judge_reply_reader_t) { arena, wanted, reply };

    rc = judge_reply_envelope(&r, body);

    if (reply->start.data == NULL && rc != JUDGE_NOMEM) {
        reply->start = judge_str_dup(arena,
                                     judge_utf8_prefix(body,
                                                       JUDGE_REPLY_START));
    }

    return rc == JUDGE_INVALID ? JUDGE_OK : rc;
}


static judge_rc_e
judge_reply_envelope(judge_reply_reader_t *r, judge_str_t body)
{
    judge_rc_e     rc;
    judge_str_t    error, message;
    judge_json_t  *root, *fault;

    if (body.len > JUDGE_REPLY_MAX) {
        return judge_reply_fail(r, JUDGE_REPLY_INVALID, "the answer is longer"
                                " than %d bytes", JUDGE_REPLY_MAX);
    }

    if (body.len == 0) {
        return judge_reply_fail(r, JUDGE_REPLY_EMPTY,
                                "the server sent no answer");
    }

    rc = judge_json_parse(r->arena, body, &root, &error);
    if (rc != JUDGE_OK) {
        return rc != JUDGE_INVALID ? rc
               : judge_reply_fail(r, JUDGE_REPLY_INVALID, "the server's answer"
                                  " is not JSON: %.*s", (int) error.len,
                                  error.data);
    }

    if (root->type != JUDGE_JSON_OBJECT) {
        return judge_reply_fail(r, JUDGE_REPLY_INVALID, "the server's answer"
                                " is %s, not an object",
                                judge_json_type_name(root->type));
    }

    judge_reply_usage(r, root);

    /* some gateways send errors with status 200 */

    fault = judge_json_get(root, "error");

    if (fault && fault->type != JUDGE_JSON_NULL) {
        if (fault->type == JUDGE_JSON_OBJECT) {
            fault = judge_json_get(fault, "message");
        }

        message = JUDGE_STR("it does not say which");
        if (fault && fault->type == JUDGE_JSON_STRING) {
            message = judge_utf8_prefix(fault->string, 200);
        }

        return judge_reply_fail(r, JUDGE_REPLY_INVALID, "the server answered"
                                " with an error: %.*s", (int) message.len,
                                message.data);
    }

    return judge_reply_choice(r, root);
}


static judge_rc_e
judge_reply_choice(judge_reply_reader_t *r, const judge_json_t *root)
{
    judge_rc_e     rc;
    judge_str_t    text;
    judge_json_t  *choices, *choice, *message, *finish, *answer;

    choices = judge_json_get(root, "choices");

    if (choices == NULL || choices->type != JUDGE_JSON_ARRAY) {
        return judge_reply_fail(r, JUDGE_REPLY_INVALID, "choices: expected an"
                                " array");
    }

    choice = choices->first;

    if (choice == NULL) {
        return judge_reply_fail(r, JUDGE_REPLY_EMPTY, "choices: is empty");
    }

    message = choice->type == JUDGE_JSON_OBJECT
              ? judge_json_get(choice, "message") : NULL;

    if (message == NULL || message->type != JUDGE_JSON_OBJECT) {
        return judge_reply_fail(r, JUDGE_REPLY_INVALID, "choices[0].message:"
                                " expected an object");
    }

    finish = judge_json_get(choice, "finish_reason");
    if (finish && finish->type == JUDGE_JSON_STRING) {
        r->reply->finish = finish->string;
    }

    rc = judge_reply_content(r, message, &text);

    if (rc == JUDGE_OK) {
        rc = judge_reply_finish(r);
    }

    if (rc != JUDGE_OK) {
        return rc;
    }

    if (text.len == 0) {
        return judge_reply_fail(r, JUDGE_REPLY_EMPTY, "the answer is empty");
    }

    rc = judge_reply_extract(r, text, &answer);
    if (rc != JUDGE_OK) {
        return rc;
    }

    r->reply->object = answer;

    return r->wanted->rubric ? judge_reply_verdict(r, answer) : JUDGE_OK;
}


/* The text of the answer without white space around it; a refusal ends it. */

static judge_rc_e
judge_reply_content(judge_reply_reader_t *r, const judge_json_t *message,
    judge_str_t *text)
{
    judge_rc_e     rc;
    judge_str_t    reason;
    judge_json_t  *content, *refusal;

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
        return judge_reply_fail(r, JUDGE_REPLY_INVALID, "choices[0].message."
                                "content: expected a string");
    }

    *text = judge_str_trim(*text, " \t\r\n");

    if (text->len) {
        r->reply->start = judge_utf8_prefix(*text, JUDGE_REPLY_START);
    }

    refusal = judge_json_get(message, "refusal");

    if (refusal && refusal->type == JUDGE_JSON_STRING && refusal->string.len) {
        reason = judge_utf8_prefix(refusal->string, JUDGE_REPLY_START);
        r->reply->start = reason;
        reason = judge_reply_piece(reason);
        return judge_reply_fail(r, JUDGE_REPLY_REFUSED, "the model refused:"
                                " %.*s", (int) reason.len, reason.data);
    }

    return JUDGE_OK;
}


/* Content in parts: text is joined, a refusal is one, thoughts are not of
 * the answer. */

static judge_rc_e
judge_reply_parts(judge_reply_reader_t *r, const judge_json_t *array,
    judge_str_t *text)
{
    judge_buf_t    buf;
    judge_str_t    reason;
    judge_json_t  *part, *type, *value;

    judge_buf_init(&buf, r->arena);
    judge_buf_c(&buf, "");

    for (part = array->first; part; part = part->next) {
        type = part->type == JUDGE_JSON_OBJECT ? judge_json_get(part, "type")
                                               : NULL;

        if (type == NULL || type->type != JUDGE_JSON_STRING) {
            return judge_reply_fail(r, JUDGE_REPLY_INVALID, "choices[0]."
                                    "message.content: expected parts with a"
                                    " type");
        }

        if (judge_str_eq_c(type->string, "refusal")) {
            value = judge_json_get(part, "refusal");
            reason = JUDGE_STR("");
            if (value && value->type == JUDGE_JSON_STRING) {
                reason = judge_reply_piece(value->string);
            }

            r->reply->start = reason;
            return judge_reply_fail(r, JUDGE_REPLY_REFUSED, "the model"
                                    " refused: %.*s", (int) reason.len,
                                    reason.data);
        }

        value = judge_json_get(part, "text");

        if (judge_str_eq_c(type->string, "text") && value
            && value->type == JUDGE_JSON_STRING)
        {
            judge_buf_str(&buf, value->string);
        }
    }

    *text = judge_buf_view(&buf);

    return text->data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_reply_finish(judge_reply_reader_t *r)
{
    size_t                       i, n;
    const judge_reply_finish_t  *f;

    n = sizeof(judge_reply_finishes) / sizeof(judge_reply_finishes[0]);

    for (i = 0; i < n && r->reply->finish.data; i++) {
        f = &judge_reply_finishes[i];

        if (judge_str_caseeq(r->reply->finish, judge_str_c(f->name))) {
            return judge_reply_fail(r, f->outcome, "%s", f->reason);
        }
    }

    return JUDGE_OK;
}


static int64_t
judge_reply_count(const judge_json_t *usage, const char *name)
{
    judge_json_t  *v;

    v = judge_json_get(usage, name);

    return v && v->type == JUDGE_JSON_INTEGER && v->integer >= 0 ? v->integer
                                                                 : -1;
}


/* Model and token counts are optional; nonsense is left out. */

static void
judge_reply_usage(judge_reply_reader_t *r, const judge_json_t *root)
{
    int64_t        prompt, answer, total;
    judge_json_t  *usage, *model;

    model = judge_json_get(root, "model");
    if (model && model->type == JUDGE_JSON_STRING && model->string.len) {
        r->reply->model = judge_utf8_prefix(model->string, 200);
    }

    usage = judge_json_get(root, "usage");
    if (usage == NULL || usage->type != JUDGE_JSON_OBJECT) {
        return;
    }

    prompt = judge_reply_count(usage, "prompt_tokens");
    answer = judge_reply_count(usage, "completion_tokens");
    total = judge_reply_count(usage, "total_tokens");

    if (total < 0 && prompt >= 0 && answer >= 0
        && prompt <= INT64_MAX - answer)
    {
        total = prompt + answer;
    }

    r->reply->prompt_tokens = prompt;
    r->reply->answer_tokens = answer;
    r->reply->total_tokens = total;
}
