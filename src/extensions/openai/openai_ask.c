/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "extensions/openai/openai.h"
#include "extensions/openai/openai_ask.h"


/* The parameters that are passed on as they are, unless the server was seen to
 * refuse them. */
static const struct {
    const char  *name;
    unsigned     unless;
} judge_openai_ask_sampling[] = {
    { "temperature", JUDGE_NO_TEMPERATURE },
    { "seed", JUDGE_NO_SEED },
    { "top_p", 0 },
    { "reasoning_effort", 0 },
    { NULL, 0 }
};


static judge_rc_e
judge_openai_ask_build(judge_llm_call_t *call)
{
    size_t                i;
    judge_buf_t           buf;
    judge_json_t         *v;
    judge_openai_ask_t   *ask = call->data;
    judge_json_writer_t   w;

    judge_json_begin_object(&w, &buf, call->arena);
    judge_json_put_str(&w, "model", call->prompt.model);
    judge_json_put_raw(&w, "messages", ask->messages);

    for (i = 0; ask->sampling && judge_openai_ask_sampling[i].name; i++) {
        v = judge_json_get(ask->sampling, judge_openai_ask_sampling[i].name);

        if (v && v->type != JUDGE_JSON_NULL
            && !(call->prompt.unsupported
                 & judge_openai_ask_sampling[i].unless))
        {
            judge_json_key(&w, judge_openai_ask_sampling[i].name);
            judge_json_value(&w, v);
        }
    }

    v = ask->sampling ? judge_json_get(ask->sampling, "max_completion_tokens")
                      : NULL;
    if (v && v->type == JUDGE_JSON_INTEGER) {
        judge_json_put_int(&w, call->prompt.unsupported & JUDGE_NO_MAX_TOKENS
                           ? "max_completion_tokens" : "max_tokens",
                           v->integer);
    }

    if (!(call->prompt.unsupported & JUDGE_NO_SCHEMA)) {
        judge_json_put_raw(&w, "response_format", ask->format);
    }

    call->body = judge_json_text(&w);
    call->tokens = judge_prompt_tokens(ask->messages);

    return call->body.data ? JUDGE_OK : JUDGE_NOMEM;
}


static int64_t
judge_openai_ask_count(const judge_json_t *usage, const char *name)
{
    judge_json_t  *v;

    v = usage ? judge_json_get(usage, name) : NULL;

    return v && v->type == JUDGE_JSON_INTEGER && v->integer > 0
           && v->integer < INT32_MAX ? v->integer : 0;
}


static void
judge_openai_ask_usage(judge_openai_ask_t *ask, const judge_json_t *root)
{
    judge_json_t  *usage, *details;

    usage = judge_json_get(root, "usage");
    if (usage == NULL || usage->type != JUDGE_JSON_OBJECT) {
        ask->call.total_tokens = -1;
        return;
    }

    details = judge_json_get(usage, "prompt_tokens_details");
    ask->usage = (judge_openai_usage_t) {
        .prompt = judge_openai_ask_count(usage, "prompt_tokens"),
        .completion = judge_openai_ask_count(usage, "completion_tokens"),
        .total = judge_openai_ask_count(usage, "total_tokens"),
        .cached = judge_openai_ask_count(details, "cached_tokens")
    };

    ask->call.total_tokens = ask->usage.total;
}


static judge_rc_e
judge_openai_ask_read(judge_llm_call_t *call, judge_str_t answer)
{
    judge_rc_e           rc;
    judge_json_t        *root, *v, *message;
    judge_openai_ask_t  *ask = call->data;

    call->reply = JUDGE_REPLY_INVALID;
    call->reason = JUDGE_STR("the answer is not one of chat completions");
    call->start = JUDGE_STR("");

    rc = judge_json_parse(call->arena, answer, &root, NULL);
    if (rc != JUDGE_OK || root->type != JUDGE_JSON_OBJECT) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    judge_openai_ask_usage(ask, root);
    ask->served = judge_openai_string(root, "model");

    v = judge_json_get(root, "choices");
    v = v && v->type == JUDGE_JSON_ARRAY ? v->first : NULL;
    message = v && v->type == JUDGE_JSON_OBJECT ? judge_json_get(v, "message")
                                                : NULL;
    if (message == NULL || message->type != JUDGE_JSON_OBJECT) {
        return JUDGE_OK;
    }

    ask->finish = judge_openai_string(v, "finish_reason");
    ask->text = judge_openai_string(message, "content");

    if (ask->text.len) {
        call->reply = JUDGE_REPLY_OK;
    } else if (judge_openai_string(message, "refusal").len) {
        call->reply = JUDGE_REPLY_REFUSED;
        call->reason = JUDGE_STR("it refused to answer");
    } else {
        call->reply = JUDGE_REPLY_EMPTY;
        call->reason = JUDGE_STR("the answer is empty");
    }

    return JUDGE_OK;
}


static void
judge_openai_ask_done(judge_llm_call_t *call)
{
    judge_openai_ask_t  *ask = call->data;

    ask->answered = call->outcome == JUDGE_LLM_CALL_ANSWERED;
    ask->error = ask->answered ? (judge_str_t) { 0, NULL } : call->message;
    ask->done(ask);
}


void
judge_openai_ask(judge_openai_ask_t *ask, judge_service_t *service,
    judge_arena_t *arena, judge_str_t org, size_t model,
    const judge_budget_limits_t *limits, judge_ms_t deadline)
{
    ask->call = (judge_llm_call_t) {
        .service = service,
        .arena = arena,
        .org = org,
        .model = model,
        .limits = *limits,
        .deadline = deadline,
        .expected = JUDGE_OPENAI_EXPECTED,
        .prompt = { .model = service->settings.models[model].served },
        .build = judge_openai_ask_build,
        .read = judge_openai_ask_read,
        .done = judge_openai_ask_done,
        .data = ask
    };

    judge_llm_call(&ask->call);
}
