/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps stand in the order in which they run: build, pay and send,
 * receive, read, conclude.  What a model's server refuses is left out from
 * then on. */


#include "work/llm/llm_call.h"


#define JUDGE_LLM_CALL_FEATURES  6     /* features that can be left out */

/* How the question fails if the outgoing call got no answer. */
typedef struct {
    const char                *code;
    judge_llm_call_outcome_e   outcome;
} judge_llm_call_fault_t;

static const judge_llm_call_fault_t  judge_llm_call_faults[] = {
    [JUDGE_CALL_UNCONFIGURED] = { "MODEL_UNKNOWN", JUDGE_LLM_CALL_FAILED },
    [JUDGE_CALL_INVALID] = { "MODEL_UNREACHABLE", JUDGE_LLM_CALL_FAILED },
    [JUDGE_CALL_UNRESOLVED] = { "MODEL_UNREACHABLE",
                                JUDGE_LLM_CALL_TRANSIENT },
    [JUDGE_CALL_FORBIDDEN] = { "MODEL_UNREACHABLE", JUDGE_LLM_CALL_FAILED },
    [JUDGE_CALL_REFUSED] = { "MODEL_UNREACHABLE", JUDGE_LLM_CALL_TRANSIENT },
    [JUDGE_CALL_TIMEOUT] = { "MODEL_TIMEOUT", JUDGE_LLM_CALL_TRANSIENT },
    [JUDGE_CALL_CUT] = { "MODEL_UNREACHABLE", JUDGE_LLM_CALL_TRANSIENT },
    [JUDGE_CALL_GARBLED] = { "MODEL_UNREACHABLE", JUDGE_LLM_CALL_TRANSIENT },
    [JUDGE_CALL_TOO_LARGE] = { "INVALID", JUDGE_LLM_CALL_FAILED },
    [JUDGE_CALL_STOPPED] = { "STOPPED", JUDGE_LLM_CALL_STOPPED },
    [JUDGE_CALL_FAULT] = { "FAULT", JUDGE_LLM_CALL_TRANSIENT },
};

/* The codes of answers that are errors, by the kind of the error. */
static const char *const  judge_llm_call_provider_codes[] = {
    [JUDGE_PROVIDER_REQUEST] = "MODEL_REQUEST",
    [JUDGE_PROVIDER_FEATURE] = "MODEL_REQUEST",
    [JUDGE_PROVIDER_LENGTH] = "MODEL_TOO_LONG",
    [JUDGE_PROVIDER_FILTER] = "REFUSED",
    [JUDGE_PROVIDER_KEY] = "MODEL_KEY",
    [JUDGE_PROVIDER_MODEL] = "MODEL_UNKNOWN",
    [JUDGE_PROVIDER_QUOTA] = "MODEL_QUOTA",
    [JUDGE_PROVIDER_RATE] = "MODEL_RATE",
    [JUDGE_PROVIDER_SERVER] = "MODEL_SERVER",
};

static const char *const  judge_llm_call_reply_codes[] = {
    [JUDGE_REPLY_TRUNCATED] = "TRUNCATED",
    [JUDGE_REPLY_REFUSED] = "REFUSED",
    [JUDGE_REPLY_EMPTY] = "EMPTY",
    [JUDGE_REPLY_INVALID] = "INVALID",
};

static const judge_call_header_t  judge_llm_call_headers[] = {
    { "Content-Type", judge_str("application/json") },
    { "Accept", judge_str("application/json") },
};


static void judge_llm_call_received(judge_call_t *call);
static void judge_llm_call_conclude(judge_task_t *task);


void
judge_llm_call_init(judge_llm_call_t *ask, judge_service_t *service,
    judge_str_t org, const judge_llm_settings_t *settings, size_t model,
    int64_t expected)
{
    *ask = (judge_llm_call_t) {
        .service = service, .org = org, .model = model, .expected = expected,
        .limits = { .requests = settings->requests_per_minute.value,
                    .tokens = settings->tokens_per_minute.value },
        .prompt = { .model = service->settings.models[model].served,
                    .has_temperature = true, .has_seed = true }
    };

    if (settings->temperature.set) {
        ask->prompt.temperature = settings->temperature.value;
    }

    if (settings->max_tokens.set) {
        ask->prompt.max_tokens = settings->max_tokens.value;
        ask->expected = expected < settings->max_tokens.value
                        ? expected : settings->max_tokens.value;
    }
}


judge_rc_e
judge_llm_call_verdict(judge_llm_call_t *ask, judge_str_t body)
{
    return judge_reply_read(ask->arena, &ask->request, body, &ask->answer);
}


void
judge_llm_call_build(judge_llm_call_t *ask, unsigned unsupported)
{
    ask->prompt.unsupported = unsupported;
    ask->rc = ask->build(ask);
    ask->built = true;
}


int64_t
judge_llm_call_used(const judge_llm_call_t *ask)
{
    return ask->used + (ask->answer.total_tokens >= 0
                        ? ask->answer.total_tokens : ask->paid);
}


static judge_llm_t *
judge_llm_call_model(judge_llm_call_t *ask)
{
    return &ask->service->settings.models[ask->model];
}


static void
judge_llm_call_end(judge_llm_call_t *ask, judge_llm_call_outcome_e outcome,
    const char *code, judge_str_t message)
{
    ask->outcome = outcome;
    ask->code = code;
    ask->message = message.data ? message : JUDGE_STR("it failed");
    ask->done(ask);
}


/* Notes the tokens used, and corrects the budget by what an estimate was
 * off. */

static void
judge_llm_call_correct(judge_llm_call_t *ask, int64_t used)
{
    ask->used += used;
    judge_budget_correct(ask->service->budget, ask->org, &ask->limits,
                         judge_now(ask->service), used, ask->paid);
    ask->paid = 0;
}


static void
judge_llm_call_send(judge_task_t *task)
{
    judge_ms_t         now, left;
    judge_llm_t       *model;
    judge_llm_call_t  *ask = task->data;

    if (ask->rc != JUDGE_OK) {
        if (ask->rc == JUDGE_INVALID) {
            judge_llm_call_end(ask, JUDGE_LLM_CALL_FAILED, "MODEL_REQUEST",
                JUDGE_STR("this can't be asked of a language model"));
        } else {
            judge_llm_call_end(ask, JUDGE_LLM_CALL_FAULT, "FAULT",
                JUDGE_STR("the service ran out of memory"));
        }
        return;
    }

    now = judge_now(ask->service);
    ask->paid = ask->request.tokens + ask->expected;
    ask->wait = judge_budget_take(ask->service->budget, ask->org,
                                  &ask->limits, now, ask->paid);
    if (ask->wait) {
        judge_llm_call_end(ask, JUDGE_LLM_CALL_UNPAID, "BUDGET",
            JUDGE_STR("the organization's requests or tokens per minute are"
                      " used up"));
        return;
    }

    model = judge_llm_call_model(ask);
    left = ask->deadline - now;

    if (left <= 0) {
        judge_llm_call_correct(ask, 0);
        judge_llm_call_end(ask, JUDGE_LLM_CALL_LATE, "TIMED_OUT",
            JUDGE_STR("the evaluation was not done by its deadline"));
        return;
    }

    ask->call = (judge_call_t) {
        .route = model->name,
        .headers = judge_llm_call_headers,
        .nheaders = sizeof(judge_llm_call_headers)
                    / sizeof(judge_llm_call_headers[0]),
        .body = ask->request.body,
        .max_answer = JUDGE_REPLY_MAX,
        .timeout = model->timeout < left ? model->timeout : left,
        .arena = ask->arena,
        .done = judge_llm_call_received,
        .data = ask
    };

    ask->service->call(ask->service->network, &ask->call);
}


static void
judge_llm_call_run_build(judge_task_t *task)
{
    judge_llm_call_t  *ask = task->data;

    ask->rc = ask->build(ask);
}


void
judge_llm_call(judge_llm_call_t *ask)
{
    bool      built;
    unsigned  unsupported;

    unsupported = judge_llm_call_model(ask)->unsupported;
    built = ask->built && ask->prompt.unsupported == unsupported;

    ask->built = false;
    ask->prompt.unsupported = unsupported;

    if (built) {
        ask->task.data = ask;
        judge_llm_call_send(&ask->task);
    } else {
        judge_service_compute(ask->service, &ask->task,
                              judge_llm_call_run_build, judge_llm_call_send,
                              ask);
    }
}


static void
judge_llm_call_run_read(judge_task_t *task)
{
    judge_llm_call_t  *ask = task->data;

    if (ask->call.status == 200) {
        ask->answer.total_tokens = -1;
        ask->rc = ask->read(ask, ask->call.answer);
    } else {
        ask->rc = judge_provider_error_read(ask->arena, ask->call.status,
                                            ask->call.answer, &ask->prompt,
                                            &ask->error);
    }
}


static void
judge_llm_call_received(judge_call_t *call)
{
    judge_str_t                    message;
    judge_llm_call_t              *ask = call->data;
    const judge_llm_call_fault_t  *fault;

    if (call->outcome == JUDGE_CALL_OK) {
        judge_service_compute(ask->service, &ask->task,
                              judge_llm_call_run_read,
                              judge_llm_call_conclude, ask);
        return;
    }

    fault = &judge_llm_call_faults[call->outcome];
    message = judge_str_printf(ask->arena, "model %.*s: %s",
                  judge_str_args(judge_llm_call_model(ask)->name),
                  judge_call_outcome(call->outcome));

    ask->attempt.timed_out = call->outcome == JUDGE_CALL_TIMEOUT;

    /* The server may have charged for it, so that the estimate is kept. */
    judge_llm_call_correct(ask,
        fault->outcome == JUDGE_LLM_CALL_TRANSIENT
        && call->outcome != JUDGE_CALL_REFUSED
        && call->outcome != JUDGE_CALL_UNRESOLVED ? ask->paid : 0);

    judge_llm_call_end(ask, fault->outcome, fault->code, message);
}


/* Asks once more if the answer was empty or malformed.  After a limit or a
 * refusal the model would only answer the same again. */

static void
judge_llm_call_take_reply(judge_llm_call_t *ask)
{
    judge_str_t  message;

    judge_llm_call_correct(ask, judge_llm_call_used(ask) - ask->used);

    if (ask->answer.outcome == JUDGE_REPLY_OK) {
        ask->outcome = JUDGE_LLM_CALL_ANSWERED;
        ask->done(ask);
        return;
    }

    if (!ask->repaired && (ask->answer.outcome == JUDGE_REPLY_INVALID
                           || ask->answer.outcome == JUDGE_REPLY_EMPTY))
    {
        ask->repaired = true;
        ask->prompt.refused_answer = ask->answer.start;
        ask->prompt.refused_reason = ask->answer.reason;
        judge_llm_call(ask);
        return;
    }

    message = judge_str_printf(ask->arena, "model %.*s: %.*s",
                  judge_str_args(judge_llm_call_model(ask)->name),
                  judge_str_args(ask->answer.reason));
    judge_llm_call_end(ask, JUDGE_LLM_CALL_FAILED,
                       judge_llm_call_reply_codes[ask->answer.outcome],
                       message);
}


static void
judge_llm_call_take_error(judge_llm_call_t *ask)
{
    judge_str_t              message;
    judge_provider_error_t  *error = &ask->error;

    judge_llm_call_correct(ask, 0);

    if (error->kind == JUDGE_PROVIDER_FEATURE
        && ask->retries++ < JUDGE_LLM_CALL_FEATURES)
    {
        judge_llm_call_model(ask)->unsupported |= error->unsupported;
        judge_llm_call(ask);
        return;
    }

    ask->attempt.status = ask->call.status;

    if (ask->call.retry_after.data) {
        ask->attempt.has_retry_after
            = judge_retry_after_parse(ask->call.retry_after,
                                      judge_now(ask->service),
                                      &ask->attempt.retry_after)
              == JUDGE_OK;
    }

    message = judge_str_printf(ask->arena, "model %.*s answered %d: %.*s",
                  judge_str_args(judge_llm_call_model(ask)->name),
                  ask->call.status, judge_str_args(error->message));
    judge_llm_call_end(ask, error->transient ? JUDGE_LLM_CALL_TRANSIENT
                                             : JUDGE_LLM_CALL_FAILED,
                       judge_llm_call_provider_codes[error->kind], message);
}


static void
judge_llm_call_conclude(judge_task_t *task)
{
    judge_llm_call_t  *ask = task->data;

    if (ask->rc != JUDGE_OK && ask->rc != JUDGE_INVALID) {
        judge_llm_call_correct(ask, ask->paid);
        judge_llm_call_end(ask, JUDGE_LLM_CALL_FAULT, "FAULT",
                           JUDGE_STR("the service ran out of memory"));

    } else if (ask->call.status == 200) {
        judge_llm_call_take_reply(ask);

    } else {
        judge_llm_call_take_error(ask);
    }
}
