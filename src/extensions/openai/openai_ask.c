/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Calls of graders: to a language model, or to a judge.  A judge is asked by
 * an evaluation in the service's own queue, so that it may ask language
 * models, escalate, or be calibrated like any other.  Identifiers of
 * evaluations of a run are derived from the item: an item that is graded again
 * after a crash finds its own. */


#include <string.h>

#include "api/evaluations/model_choice.h"
#include "extensions/openai/openai.h"
#include "work/evaluation/waiters.h"
#include "work/llm/llm_catalog.h"


/* Returns why a judge can't be asked; NULL: it can. */

static const char *
judge_openai_judge_wrong(const judge_judge_model_t *judge)
{
    return judge->version == 0 ? "there is no such judge"
           : !judge_str_eq_c(judge->content_type, "text")
             ? "expected a judge of texts" : NULL;
}


void
judge_openai_plan_begin(judge_openai_plan_t *plan, judge_service_t *service,
    judge_arena_t *arena, judge_str_t *error)
{
    plan->service = service;
    plan->parse = (judge_openai_parse_t) {
        .arena = arena, .settings = &service->settings, .error = error
    };
}


judge_rc_e
judge_openai_plan_find(judge_openai_plan_t *plan)
{
    size_t                  i, k;
    openai_grader_t        *part;
    judge_settings_find_t  *find = &plan->judges;

    find->judges = judge_array_alloc(plan->parse.arena,
                                     plan->ngraders * JUDGE_OPENAI_PARTS,
                                     sizeof(judge_judge_model_t));
    if (find->judges == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < plan->ngraders; i++) {
        for (k = 0; k < plan->graders[i]->nparts; k++) {
            part = plan->graders[i]->parts[k];
            if (part->judge_id.data) {
                part->judge = &find->judges[find->njudges++];
                part->judge->judge_id = part->judge_id;
            }
        }
    }

    return JUDGE_OK;
}


static void
judge_openai_plan_judged(judge_req_t *r)
{
    size_t                  i, k;
    const char             *wrong;
    judge_openai_plan_t    *plan = r->ctx;
    const openai_grader_t  *part;

    for (i = 0; i < plan->ngraders; i++) {
        for (k = 0; k < plan->graders[i]->nparts; k++) {
            part = plan->graders[i]->parts[k];
            wrong = part->judge ? judge_openai_judge_wrong(part->judge) : NULL;
            if (wrong) {
                judge_fail(r, 400, "%.*s.judge_id: %s",
                           judge_str_args(part->path), wrong);
                return;
            }
        }
    }

    plan->next(r);
}


void
judge_openai_plan_judges(judge_req_t *r)
{
    judge_openai_plan_t  *plan = r->ctx;

    plan->judges.op.kind = JUDGE_OP_SETTINGS_FIND;

    if (judge_check(r, judge_openai_plan_find(plan), NULL)) {
        judge_await_found(r, &plan->judges.op, NULL, judge_openai_plan_judged);
    }
}


/* --- Asking a model ------------------------------------------------------ */

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
    const judge_json_t   *sampling = about->grader->sampling;
    judge_json_writer_t   w;

    judge_json_begin_object(&w, &buf, call->arena);
    judge_json_put_str(&w, "model", call->prompt.model);
    judge_json_put_raw(&w, "messages", about->messages);

    for (i = 0; judge_openai_ask_sampling[i].name; i++) {
        v = judge_json_get(sampling, judge_openai_ask_sampling[i].name);

        if (v && v->type != JUDGE_JSON_NULL
            && !(call->prompt.unsupported
                 & judge_openai_ask_sampling[i].unless))
        {
            judge_json_key(&w, judge_openai_ask_sampling[i].name);
            judge_json_value(&w, v);
        }
    }

    v = judge_json_get(sampling, "max_completion_tokens");
    v = v ? v : judge_json_get(sampling, "max_completions_tokens");
    if (v && v->type == JUDGE_JSON_INTEGER) {
        judge_json_put_int(&w, call->prompt.unsupported & JUDGE_NO_MAX_TOKENS
                           ? "max_completion_tokens" : "max_tokens",
                           v->integer);
    }

    if (!(call->prompt.unsupported & JUDGE_NO_SCHEMA)) {
        judge_json_put_raw(&w, "response_format", about->grader->format);
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


static void
judge_openai_ask_end(judge_openai_ask_t *ask,
    judge_llm_call_outcome_e outcome, judge_str_t error)
{
    ask->call.outcome = outcome;
    ask->about->error = error;
    ask->done(ask);
}


static void
judge_openai_ask_model(judge_openai_ask_t *ask)
{
    size_t            model;
    judge_service_t  *service = ask->call.service;

    model = judge_llm_catalog_find(&service->settings,
                                   ask->about->grader->model);
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


/* --- Asking a judge ------------------------------------------------------ */

/* Reads the score from the record of an evaluation that has ended. */

static void
judge_openai_judge_take(judge_openai_ask_t *ask, judge_str_t record)
{
    judge_str_t    message;
    judge_json_t  *root;

    if (judge_json_parse(ask->call.arena, record, &root, NULL) != JUDGE_OK) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAULT, JUDGE_STR(
            "the judge's result can't be read"));
        return;
    }

    message = judge_json_string(judge_json_get(root, "error"), "message");

    if (judge_json_read_number(root, "overall_score", &ask->about->score)) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_ANSWERED,
                             (judge_str_t) { 0, NULL });
    } else {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED, message.data
                             ? message : JUDGE_STR("it was not judged"));
    }
}


static void judge_openai_judge_find(judge_openai_ask_t *ask);


static void
judge_openai_judge_woken(judge_waiter_t *waiter)
{
    judge_openai_ask_t  *ask = waiter->data;
    judge_service_t     *service = ask->call.service;

    if (judge_service_leaving(service)) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_STOPPED, JUDGE_STR(
            "the service is about to end"));

    } else if (judge_now(service) >= ask->call.deadline) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED, JUDGE_STR(
            "the judge has not ended in time"));
    } else {
        judge_openai_judge_find(ask);
    }
}


static void
judge_openai_judge_wait(judge_openai_ask_t *ask)
{
    judge_ms_t        until;
    judge_service_t  *service = ask->call.service;

    until = judge_now(service) + JUDGE_WAITERS_RECHECK;
    ask->waiter = (judge_waiter_t) {
        .id = judge_id_str(&ask->about->evaluation),
        .changes = ask->changes,
        .until = until < ask->call.deadline ? until : ask->call.deadline,
        .notify = judge_openai_judge_woken,
        .data = ask
    };
    judge_waiters_add(service, &ask->waiter);
}


static void
judge_openai_judge_created(judge_op_t *op)
{
    judge_openai_ask_t  *ask = op->data;

    if (op->rc == JUDGE_OK) {
        ask->created = true;
        judge_openai_judge_wait(ask);

    } else {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAULT, JUDGE_STR(
            "the judge's evaluation could not be stored"));
    }
}


/* Creates the evaluation, with its text as a content of its own, in the
 * queue. */

static void
judge_openai_judge_create(judge_openai_ask_t *ask)
{
    judge_ms_t                  now;
    judge_buf_t                 buf;
    judge_json_writer_t         w;
    judge_service_t            *service = ask->call.service;
    const openai_call_t        *about = ask->about;
    judge_content_row_t        *content = &ask->create.content;
    const judge_judge_model_t  *judge = about->grader->judge;

    now = judge_now(service);
    judge_json_begin_object(&w, &buf, ask->call.arena);
    judge_json_put_str(&w, "source", about->source);

    ask->content = about->evaluation;
    memcpy(ask->content.text, "cnt", 3);

    *content = (judge_content_row_t) {
        .id = judge_id_str(&ask->content),
        .file_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"),
        .size = (int64_t) about->input.len,
        .created_at = now,
        .name = JUDGE_STR("Graded"),
        .metadata = judge_json_text(&w),
        .text_content = about->input
    };

    ask->create.op = (judge_op_t) {
        .kind = JUDGE_OP_EVALUATION_CREATE, .org = ask->call.org,
        .arena = ask->call.arena, .done = judge_openai_judge_created,
        .data = ask
    };
    ask->create.row = (judge_evaluation_row_t) {
        .org = ask->call.org,
        .id = judge_id_str(&about->evaluation),
        .queue_at = now,
        .priority = JUDGE_PRIORITY_NORMAL,
        .content_id = content->id,
        .judge_id = judge->judge_id,
        .judge_version = judge->version,
        .created_at = now,
        .deadline = now + service->settings.deadline
    };

    if (judge_model_choice_named(&service->settings, judge->model,
                                 ask->default_model, judge->content_type))
    {
        ask->create.row.model = judge->model.data ? judge->model
                                                  : ask->default_model;
        ask->create.row.samples = judge->samples;
    }

    if (content->metadata.data == NULL) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAULT, JUDGE_STR(
            "out of memory"));
        return;
    }

    judge_submit(service, &ask->create.op);
}


/* A missing evaluation was not created yet; after that it was deleted. */

static void
judge_openai_judge_read(judge_op_t *op)
{
    const char                    *wrong;
    judge_openai_ask_t            *ask = op->data;
    const judge_evaluation_row_t  *row = &ask->stored.row;

    if (op->rc == JUDGE_NOT_FOUND && !ask->created) {
        wrong = judge_openai_judge_wrong(ask->about->grader->judge);
        if (wrong) {
            judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED,
                                 judge_str_c(wrong));
        } else {
            judge_openai_judge_create(ask);
        }

    } else if (op->rc != JUDGE_OK) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED, JUDGE_STR(
            "the judge's evaluation was deleted or can't be read"));

    } else if (row->body.data) {
        judge_openai_judge_take(ask, row->body);
    } else {
        judge_openai_judge_wait(ask);
    }
}


static void
judge_openai_judge_find(judge_openai_ask_t *ask)
{
    ask->changes = judge_waiters_changes(ask->call.service,
                       judge_id_str(&ask->about->evaluation));
    ask->stored = (judge_evaluation_find_t) {
        .op = {
            .kind = JUDGE_OP_EVALUATION_FIND, .org = ask->call.org,
            .arena = ask->call.arena, .done = judge_openai_judge_read,
            .data = ask
        },
        .id = judge_id_str(&ask->about->evaluation)
    };
    judge_submit(ask->call.service, &ask->stored.op);
}


void
judge_openai_ask(judge_openai_ask_t *ask)
{
    if (ask->about->fault == JUDGE_OPENAI_FAULT_SAMPLE) {
        ask->call.outcome = JUDGE_LLM_CALL_FAILED;
        ask->done(ask);
        return;
    }

    ask->about->error = (judge_str_t) { 0, NULL };       /* of a try before */
    ask->about->fault = JUDGE_OPENAI_FAULT_NONE;

    if (ask->about->grader->judge) {
        judge_openai_judge_find(ask);
    } else {
        judge_openai_ask_model(ask);
    }
}
