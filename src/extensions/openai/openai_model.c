/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Calls to a language model. */


#include "extensions/openai/openai.h"
#include "work/llm/llm_catalog.h"


/* Parameters that are passed on, unless the server has refused them before. */
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
    openai_call_t        *about = ((judge_openai_ask_t *) call->data)->about;
    judge_json_writer_t   w;

    judge_json_begin_object(&w, &buf, call->arena);
    judge_json_put_str(&w, "model", call->prompt.model);
    judge_json_put_raw(&w, "messages", about->messages);

    for (i = 0; judge_openai_ask_sampling[i].name; i++) {
        v = judge_json_get(about->sampling,
                           judge_openai_ask_sampling[i].name);

        if (v && v->type != JUDGE_JSON_NULL
            && !(call->prompt.unsupported
                 & judge_openai_ask_sampling[i].unless))
        {
            judge_json_key(&w, judge_openai_ask_sampling[i].name);
            judge_json_value(&w, v);
        }
    }

    v = judge_json_get(about->sampling, "max_completion_tokens");
    v = v ? v : judge_json_get(about->sampling, "max_completions_tokens");
    if (v && v->type == JUDGE_JSON_INTEGER) {
        judge_json_put_int(&w, call->prompt.unsupported & JUDGE_NO_MAX_TOKENS
                           ? "max_completion_tokens" : "max_tokens",
                           v->integer);
    }

    if (!(call->prompt.unsupported & JUDGE_NO_SCHEMA)) {
        judge_json_put_raw(&w, "response_format", about->format);
    }

    call->request.body = judge_json_text(&w);
    call->request.tokens = judge_prompt_tokens(about->messages);

    return call->request.body.data ? JUDGE_OK : JUDGE_NOMEM;
}


static int64_t
judge_openai_ask_count(const judge_json_t *usage, const char *name)
{
    judge_json_t  *v = judge_json_member(usage, name, JUDGE_JSON_INTEGER);

    return v && v->integer > 0 && v->integer < INT32_MAX ? v->integer : 0;
}


static judge_rc_e
judge_openai_ask_read(judge_llm_call_t *call, judge_str_t body)
{
    judge_rc_e           rc;
    judge_json_t        *root, *v;
    openai_call_t       *about = ((judge_openai_ask_t *) call->data)->about;
    const judge_json_t  *usage, *message;

    call->answer.outcome = JUDGE_REPLY_INVALID;
    call->answer.reason = JUDGE_STR("the answer is not one of chat"
                                    " completions");
    call->answer.start = JUDGE_STR("");

    rc = judge_json_parse(call->arena, body, &root, NULL);
    if (rc != JUDGE_OK || root->type != JUDGE_JSON_OBJECT) {
        return rc == JUDGE_NOMEM ? rc : JUDGE_OK;
    }

    usage = judge_json_get(root, "usage");
    about->usage = (judge_openai_usage_t) {
        .prompt = judge_openai_ask_count(usage, "prompt_tokens"),
        .completion = judge_openai_ask_count(usage, "completion_tokens"),
        .total = judge_openai_ask_count(usage, "total_tokens"),
        .cached = judge_openai_ask_count(
            judge_json_get(usage, "prompt_tokens_details"), "cached_tokens")
    };
    call->answer.total_tokens = about->usage.total;

    v = judge_json_first(root, "choices");
    message = judge_json_member(v, "message", JUDGE_JSON_OBJECT);
    if (message == NULL) {
        return JUDGE_OK;
    }

    about->served = judge_json_string(root, "model");
    about->finish = judge_json_string(v, "finish_reason");
    about->text = judge_json_string(message, "content");

    if (about->text.len) {
        call->answer.outcome = JUDGE_REPLY_OK;
    } else if (judge_json_string(message, "refusal").len) {
        call->answer.outcome = JUDGE_REPLY_REFUSED;
        call->answer.reason = JUDGE_STR("it refused to answer");
    } else {
        call->answer.outcome = JUDGE_REPLY_EMPTY;
        call->answer.reason = JUDGE_STR("the answer is empty");
    }

    return JUDGE_OK;
}


static void
judge_openai_ask_done(judge_llm_call_t *call)
{
    judge_openai_ask_t  *ask = call->data;

    if (call->outcome != JUDGE_LLM_CALL_ANSWERED) {
        ask->about->error = call->message;
        ask->about->fault = call->answer.outcome == JUDGE_REPLY_REFUSED
                            ? JUDGE_OPENAI_FAULT_REFUSAL
                            : JUDGE_OPENAI_FAULT_SERVER;
    }

    ask->done(ask);
}


void
judge_openai_ask_end(judge_openai_ask_t *ask,
    judge_llm_call_outcome_e outcome, judge_str_t error)
{
    ask->call.outcome = outcome;
    ask->about->error = error;
    ask->done(ask);
}


void
judge_openai_ask_model(judge_openai_ask_t *ask)
{
    size_t            model;
    judge_service_t  *service = ask->call.service;

    model = judge_llm_catalog_find(&service->settings, ask->about->model);
    if (model >= service->settings.nmodels) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED, JUDGE_STR(
            "this service does not route the model"));
        return;
    }

    ask->call.model = model;
    ask->call.expected = JUDGE_OPENAI_EXPECTED;
    ask->call.build = judge_openai_ask_build;
    ask->call.read = judge_openai_ask_read;
    ask->call.done = judge_openai_ask_done;
    ask->call.data = ask;
    ask->call.prompt.model = service->settings.models[model].served;
    judge_llm_call(&ask->call);
}
