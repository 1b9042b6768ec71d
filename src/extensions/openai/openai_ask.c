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


#define JUDGE_OPENAI_TRIES  4          /* tries of a call that may succeed
                                          later */
#define JUDGE_OPENAI_PAUSE  1000       /* ms before the second try; doubles */

const char *const  judge_openai_tokens[] = {
    "prompt_tokens", "completion_tokens", "total_tokens", "cached_tokens", NULL
};


/* --- The judges of a plan ------------------------------------------------ */

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
    openai_grader_t        *grader;
    judge_settings_find_t  *find = &plan->judges;

    find->judges = judge_array_alloc(plan->parse.arena, plan->parse.n,
                                     sizeof(judge_judge_model_t));
    if (find->judges == NULL) {
        return JUDGE_NOMEM;
    }

    for (grader = plan->parse.first; grader; grader = grader->next) {
        if (grader->judge_id.data) {
            grader->judge = &find->judges[find->njudges++];
            grader->judge->judge_id = grader->judge_id;
        }
    }

    return JUDGE_OK;
}


static void
judge_openai_plan_judged(judge_req_t *r)
{
    const char             *wrong;
    judge_openai_plan_t    *plan = r->ctx;
    const openai_grader_t  *grader;

    for (grader = plan->parse.first; grader; grader = grader->next) {
        wrong = grader->judge ? judge_openai_judge_wrong(grader->judge) : NULL;
        if (wrong) {
            judge_fail(r, 400, "%.*s.judge_id: %s",
                       judge_str_args(grader->path), wrong);
            return;
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


/* --- Ending and waiting -------------------------------------------------- */

static void
judge_openai_ask_end(judge_openai_output_t *o,
    judge_llm_call_outcome_e outcome, judge_str_t error)
{
    o->call.outcome = outcome;
    o->about->error = error;
    o->asked(o);
}


static void judge_openai_ask_go(judge_openai_output_t *o);


static void
judge_openai_ask_woken(judge_waiter_t *waiter)
{
    judge_openai_output_t  *o = waiter->data;

    if (judge_service_leaving(o->plan->service)) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_STOPPED, JUDGE_STR(
            "the service is about to end"));

    } else if (judge_now(o->plan->service) >= o->deadline) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAILED, JUDGE_STR(
            "the judge has not ended in time"));
    } else {
        judge_openai_ask_go(o);
    }
}


/* Goes on after that time, or when the evaluation has changed, if one is
 * named. */

static void
judge_openai_ask_wait(judge_openai_output_t *o, judge_str_t evaluation,
    judge_ms_t ms)
{
    judge_ms_t  until = judge_now(o->plan->service) + ms;

    o->waiter.id = evaluation;
    o->waiter.until = until < o->deadline ? until : o->deadline;
    o->waiter.after = o->waiter.until;
    o->waiter.notify = judge_openai_ask_woken;
    o->waiter.data = o;
    judge_waiters_add(o->plan->service, &o->waiter);
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
    openai_call_t        *about = ((judge_openai_output_t *)
                                   call->data)->about;
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


/* Token counts that make no sense count as 0, like those that are not known:
 * sums of them stay within bounds. */

static judge_rc_e
judge_openai_ask_read(judge_llm_call_t *call, judge_str_t body)
{
    size_t          i;
    judge_rc_e      rc;
    judge_reply_t  *reply = &call->answer;
    openai_call_t  *about = ((judge_openai_output_t *) call->data)->about;

    rc = judge_reply_read(call->arena, NULL, body, reply);

    about->text = reply->text;
    about->finish = reply->finish;
    about->served = reply->model;
    about->tokens[JUDGE_OPENAI_PROMPT_TOKENS] = reply->prompt_tokens;
    about->tokens[JUDGE_OPENAI_COMPLETION_TOKENS] = reply->answer_tokens;
    about->tokens[JUDGE_OPENAI_TOTAL_TOKENS] = reply->total_tokens;
    about->tokens[JUDGE_OPENAI_CACHED_TOKENS] = reply->cached_tokens;

    for (i = 0; i < JUDGE_OPENAI_TOKENS; i++) {
        if (about->tokens[i] < 0 || about->tokens[i] > INT32_MAX) {
            about->tokens[i] = 0;
        }
    }

    return rc;
}


/* Asks again later what may succeed then. */

static void
judge_openai_ask_done(judge_llm_call_t *call)
{
    judge_ms_t              pause = 0;
    judge_openai_output_t  *o = call->data;

    if (call->outcome == JUDGE_LLM_CALL_UNPAID) {
        pause = call->wait + judge_service_random() % 1000;

    } else if (call->outcome == JUDGE_LLM_CALL_TRANSIENT
               && ++o->tries < JUDGE_OPENAI_TRIES)
    {
        pause = JUDGE_OPENAI_PAUSE << (o->tries - 1);
    }

    if (o->repeats && pause
        && judge_now(o->plan->service) + pause < o->deadline)
    {
        judge_openai_ask_wait(o, (judge_str_t) { 0, NULL }, pause);
        return;
    }

    if (call->outcome != JUDGE_LLM_CALL_ANSWERED) {
        o->about->error = call->message;
        o->about->fault = call->answer.outcome == JUDGE_REPLY_REFUSED
                          ? JUDGE_OPENAI_FAULT_REFUSAL
                          : JUDGE_OPENAI_FAULT_SERVER;
    }

    o->asked(o);
}


static void
judge_openai_ask_model(judge_openai_output_t *o)
{
    size_t            model;
    judge_service_t  *service = o->plan->service;

    model = judge_llm_catalog_find(&service->settings,
                                   o->about->grader->model);
    if (model >= service->settings.nmodels) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAILED, JUDGE_STR(
            "this service does not route the model"));
        return;
    }

    judge_llm_call_init(&o->call, service, o->org, &o->plan->judges.llm, model,
                        JUDGE_OPENAI_EXPECTED);
    o->call.arena = o->subject.arena;
    o->call.deadline = o->deadline;
    o->call.build = judge_openai_ask_build;
    o->call.read = judge_openai_ask_read;
    o->call.done = judge_openai_ask_done;
    o->call.data = o;
    judge_llm_call(&o->call);
}


/* --- Asking a judge ------------------------------------------------------ */

/* Reads the score from the record of an evaluation that has ended. */

static void
judge_openai_judge_take(judge_openai_output_t *o, judge_str_t record)
{
    judge_str_t    message;
    judge_json_t  *root;

    if (judge_json_parse(o->subject.arena, record, &root, NULL) != JUDGE_OK) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAULT, JUDGE_STR(
            "the judge's result can't be read"));
        return;
    }

    message = judge_json_string(judge_json_get(root, "error"), "message");

    if (judge_json_read_number(root, "overall_score", &o->about->score)) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_ANSWERED,
                             (judge_str_t) { 0, NULL });
    } else {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAILED, message.data
                             ? message : JUDGE_STR("it was not judged"));
    }
}


static void
judge_openai_judge_created(judge_op_t *op)
{
    judge_openai_output_t  *o = op->data;

    if (op->rc == JUDGE_OK) {
        o->created = true;
        judge_openai_ask_wait(o, o->stored.id, JUDGE_WAITERS_RECHECK);

    } else {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAULT, JUDGE_STR(
            "the judge's evaluation could not be stored"));
    }
}


/* Creates the evaluation, with its text as a content of its own, in the
 * queue. */

static void
judge_openai_judge_create(judge_openai_output_t *o)
{
    judge_ms_t                  now;
    judge_buf_t                 buf;
    judge_json_writer_t         w;
    judge_service_t            *service = o->plan->service;
    const openai_call_t        *about = o->about;
    judge_content_row_t        *content = &o->create.content;
    const judge_judge_model_t  *judge = about->grader->judge;
    const judge_str_t           common = o->plan->judges.llm.default_model;

    now = judge_now(service);
    judge_json_begin_object(&w, &buf, o->subject.arena);
    judge_json_put_str(&w, "source", about->source);

    o->content = about->evaluation;
    memcpy(o->content.text, "cnt", 3);

    *content = (judge_content_row_t) {
        .id = judge_id_str(&o->content),
        .file_type = JUDGE_STR("text"),
        .status = JUDGE_STR("ready"),
        .size = (int64_t) about->input.len,
        .created_at = now,
        .name = JUDGE_STR("Graded"),
        .metadata = judge_json_text(&w),
        .text_content = about->input
    };

    o->create.op = (judge_op_t) {
        .kind = JUDGE_OP_EVALUATION_CREATE, .org = o->org,
        .arena = o->subject.arena, .done = judge_openai_judge_created,
        .data = o
    };
    o->create.row = (judge_evaluation_row_t) {
        .org = o->org,
        .id = judge_id_str(&about->evaluation),
        .queue_at = now,
        .priority = JUDGE_PRIORITY_NORMAL,
        .content_id = content->id,
        .judge_id = judge->judge_id,
        .judge_version = judge->version,
        .created_at = now,
        .deadline = now + service->settings.deadline
    };

    if (judge_model_choice_named(&service->settings, judge->model, common,
                                 judge->content_type))
    {
        o->create.row.model = judge->model.data ? judge->model : common;
        o->create.row.samples = judge->samples;
    }

    if (content->metadata.data == NULL) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAULT, JUDGE_STR(
            "out of memory"));
        return;
    }

    judge_submit(service, &o->create.op);
}


/* A missing evaluation was not created yet; after that it was deleted. */

static void
judge_openai_judge_read(judge_op_t *op)
{
    const char                    *wrong;
    judge_openai_output_t         *o = op->data;
    const judge_evaluation_row_t  *row = &o->stored.row;

    if (op->rc == JUDGE_NOT_FOUND && !o->created) {
        wrong = judge_openai_judge_wrong(o->about->grader->judge);
        if (wrong) {
            judge_openai_ask_end(o, JUDGE_LLM_CALL_FAILED, judge_str_c(wrong));
        } else {
            judge_openai_judge_create(o);
        }

    } else if (op->rc != JUDGE_OK) {
        judge_openai_ask_end(o, JUDGE_LLM_CALL_FAILED, JUDGE_STR(
            "the judge's evaluation was deleted or can't be read"));

    } else if (row->body.data) {
        judge_openai_judge_take(o, row->body);
    } else {
        judge_openai_ask_wait(o, o->stored.id, JUDGE_WAITERS_RECHECK);
    }
}


static void
judge_openai_ask_go(judge_openai_output_t *o)
{
    if (o->about->grader->judge == NULL) {
        judge_openai_ask_model(o);
        return;
    }

    o->stored = (judge_evaluation_find_t) {
        .op = {
            .kind = JUDGE_OP_EVALUATION_FIND, .org = o->org,
            .arena = o->subject.arena, .done = judge_openai_judge_read,
            .data = o
        },
        .id = judge_id_str(&o->about->evaluation)
    };
    o->waiter.changes = judge_waiters_changes(o->plan->service, o->stored.id);
    judge_submit(o->plan->service, &o->stored.op);
}


void
judge_openai_ask(judge_openai_output_t *o)
{
    o->tries = 0;
    o->created = false;
    judge_openai_ask_go(o);
}
