/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Questions to a model, and to a judge of this service.  A judge scores the
 * text as in an evaluation, of which nothing is stored: an item of a run that
 * is graded again after a crash is not counted twice. */


#include <math.h>

#include "api/evaluations/model_choice.h"
#include "extensions/openai/openai.h"
#include "work/evaluation/evaluate.h"
#include "work/llm/llm_catalog.h"


/* --- Models -------------------------------------------------------------- */

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
    if (v && v->type == JUDGE_JSON_INTEGER) {
        judge_json_put_int(&w, call->prompt.unsupported & JUDGE_NO_MAX_TOKENS
                           ? "max_completion_tokens" : "max_tokens",
                           v->integer);
    }

    if (!(call->prompt.unsupported & JUDGE_NO_SCHEMA)) {
        judge_json_put_raw(&w, "response_format", about->format);
    }

    call->body = judge_json_text(&w);
    call->tokens = judge_prompt_tokens(about->messages);

    return call->body.data ? JUDGE_OK : JUDGE_NOMEM;
}


static int64_t
judge_openai_ask_count(const judge_json_t *usage, const char *name)
{
    judge_json_t  *v = judge_json_get(usage, name);

    return v && v->type == JUDGE_JSON_INTEGER && v->integer > 0
           && v->integer < INT32_MAX ? v->integer : 0;
}


static judge_rc_e
judge_openai_ask_read(judge_llm_call_t *call, judge_str_t answer)
{
    judge_rc_e           rc;
    judge_json_t        *root, *v;
    openai_call_t       *about = ((judge_openai_ask_t *) call->data)->about;
    const judge_json_t  *usage, *message;

    call->reply = JUDGE_REPLY_INVALID;
    call->reason = JUDGE_STR("the answer is not one of chat completions");
    call->start = JUDGE_STR("");

    rc = judge_json_parse(call->arena, answer, &root, NULL);
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
    call->total_tokens = about->usage.total;

    v = judge_json_get(root, "choices");
    v = v && v->type == JUDGE_JSON_ARRAY ? v->first : NULL;
    message = judge_openai_object(v, "message");
    if (message == NULL) {
        return JUDGE_OK;
    }

    about->served = judge_openai_string(root, "model");
    about->finish = judge_openai_string(v, "finish_reason");
    about->text = judge_openai_string(message, "content");

    if (about->text.len) {
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

    if (call->outcome != JUDGE_LLM_CALL_ANSWERED) {
        ask->about->error = call->message;
        ask->about->fault = call->reply == JUDGE_REPLY_REFUSED
                            ? JUDGE_OPENAI_FAULT_REFUSAL
                            : JUDGE_OPENAI_FAULT_SERVER;
    }

    ask->done(ask);
}


/* --- Judges -------------------------------------------------------------- */

/* Why a judge can't be asked; NULL: it can. */

static const char *
judge_openai_judge_wrong(judge_service_t *service,
    const judge_settings_find_t *find, const judge_judge_model_t *judge)
{
    if (judge->version == 0) {
        return "there is no such judge";
    }

    if (!judge_str_eq_c(judge->content_type, "text")) {
        return "expected a judge of texts";
    }

    return judge_model_choice_named(&service->settings, judge->model,
                                    find->llm.default_model,
                                    judge->content_type)
           ? "this judge asks a language model for whole evaluations; graders"
             " take judges of the built-in engine, or the type \"score_model\""
           : NULL;
}


void
judge_openai_judges_find(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, judge_settings_find_t *find, judge_step_pt next)
{
    size_t  i, k;

    find->op.kind = JUDGE_OP_SETTINGS_FIND;
    find->judges = judge_array_alloc(r->arena, n * JUDGE_OPENAI_PARTS,
                                     sizeof(judge_judge_model_t));
    if (find->judges == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    for (i = 0; i < n; i++) {
        for (k = 0; k < graders[i]->nparts; k++) {
            if (graders[i]->parts[k]->judge_id.data) {
                find->judges[find->njudges++].judge_id =
                    graders[i]->parts[k]->judge_id;
            }
        }
    }

    judge_await(r, &find->op, next);
}


bool
judge_openai_judges_check(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, const judge_settings_find_t *find)
{
    size_t                      i, k;
    const char                 *wrong;
    const openai_grader_t      *part;
    const judge_judge_model_t  *judge = find->judges;

    if (!judge_check(r, find->op.rc, NULL)) {
        return false;
    }

    for (i = 0; i < n; i++) {
        for (k = 0; k < graders[i]->nparts; k++) {
            part = graders[i]->parts[k];
            wrong = part->judge_id.data
                    ? judge_openai_judge_wrong(r->service, find, judge++)
                    : NULL;
            if (wrong) {
                judge_fail(r, 400, "%.*s.judge_id: %s", (int) part->path.len,
                           part->path.data, wrong);
                return false;
            }
        }
    }

    return true;
}


static void
judge_openai_ask_end(judge_openai_ask_t *ask,
    judge_llm_call_outcome_e outcome, const char *error)
{
    ask->call.outcome = outcome;
    ask->about->error = judge_str_c(error);
    ask->done(ask);
}


/* In a thread, as the next one. */

static bool
judge_openai_judge_text(judge_evaluate_t *batch)
{
    judge_buf_t           buf;
    judge_job_t          *job = batch->jobs[0];
    openai_call_t        *about = ((judge_openai_ask_t *) batch->data)->about;
    judge_json_writer_t   w;

    judge_json_begin_object(&w, &buf, batch->arena);
    judge_json_put_str(&w, "source", about->source);

    batch->judges[0].canary = 0;       /* compared are what is stored */
    job->found = true;
    job->text_content = about->input;
    job->metadata = judge_json_text(&w);

    return job->metadata.data != NULL;
}


static bool
judge_openai_judge_verdict(judge_evaluate_t *batch,
    const judge_rubric_t *rubric, judge_verdict_t *verdict)
{
    openai_call_t  *about = ((judge_openai_ask_t *) batch->data)->about;

    if (batch->judges[0].escalate.model.data) {
        about->error = JUDGE_STR("the judge escalates to a language model,"
                                 " which graders do not wait for");

    } else if (isnan(verdict->overall)) {
        about->error = JUDGE_STR("the judge has no evidence for any criterion,"
                                 " so that there is no score");
    } else {
        about->score = verdict->overall;
    }

    return false;                      /* that is all: nothing is stored */
}


static bool
judge_openai_judge_unstored(judge_evaluate_t *batch)
{
    return false;
}


static void
judge_openai_judge_scored(void *data, judge_evaluate_t *batch)
{
    judge_openai_ask_t  *ask = data;

    if (ask->about->score >= 0) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_ANSWERED, NULL);

    } else if (ask->about->error.data) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED,
                             ask->about->error.data);

    } else if (atomic_load(&batch->stopped)
               || judge_service_leaving(batch->service))
    {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_STOPPED,
                             "the service is about to end");
    } else {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAULT,
                             "the judge could not score the text");
    }
}


static void
judge_openai_judge_found(judge_op_t *op)
{
    judge_ms_t           now;
    const char          *wrong;
    judge_job_t         *job;
    judge_evaluate_t    *batch;
    judge_openai_ask_t  *ask = op->data;
    judge_service_t     *service = ask->call.service;

    wrong = op->rc == JUDGE_OK
            ? judge_openai_judge_wrong(service, &ask->find, &ask->judge)
            : "the judge could not be read";
    if (wrong) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED, wrong);
        return;
    }

    now = judge_now(service);
    batch = judge_evaluate_create(service);

    if (batch == NULL || judge_id_make(&ask->id, "evl", now) != JUDGE_OK) {
        if (batch) {
            judge_arena_destroy(batch->arena);
        }
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAULT, "out of memory");
        return;
    }

    job = batch->jobs[0];
    job->org = ask->call.org;
    job->id = judge_id_str(&ask->id);
    job->content_id = job->id;
    job->judge_id = ask->judge.judge_id;
    job->judge_version = ask->judge.version;
    job->attempts = 1;
    job->created_at = now;
    job->deadline = now + service->settings.deadline;

    ask->about->score = -1;            /* none yet */
    batch->text = judge_openai_judge_text;
    batch->verdict = judge_openai_judge_verdict;
    batch->scored = judge_openai_judge_unstored;
    batch->done = judge_openai_judge_scored;
    batch->data = ask;
    judge_evaluate_text(batch);
}


static void
judge_openai_judge_ask(judge_openai_ask_t *ask)
{
    ask->judge = (judge_judge_model_t) { .judge_id = ask->about->judge_id };
    ask->find = (judge_settings_find_t) {
        .op = {
            .kind = JUDGE_OP_SETTINGS_FIND, .org = ask->call.org,
            .arena = ask->call.arena, .done = judge_openai_judge_found,
            .data = ask
        },
        .judges = &ask->judge, .njudges = 1
    };
    judge_submit(ask->call.service, &ask->find.op);
}


/* --- Both ---------------------------------------------------------------- */

void
judge_openai_ask(judge_openai_ask_t *ask, judge_service_t *service,
    judge_arena_t *arena, judge_str_t org, const judge_budget_limits_t *limits,
    judge_ms_t deadline)
{
    size_t  model;

    model = judge_llm_catalog_find(&service->settings, ask->about->model);
    ask->call = (judge_llm_call_t) {
        .service = service,
        .arena = arena,
        .org = org,
        .model = model,
        .limits = *limits,
        .deadline = deadline,
        .expected = JUDGE_OPENAI_EXPECTED,
        .build = judge_openai_ask_build,
        .read = judge_openai_ask_read,
        .done = judge_openai_ask_done,
        .data = ask
    };

    if (ask->about->fault == JUDGE_OPENAI_FAULT_SAMPLE) {
        ask->call.outcome = JUDGE_LLM_CALL_FAILED;
        ask->done(ask);
        return;
    }

    ask->about->error = (judge_str_t) { 0, NULL };       /* of a try before */
    ask->about->fault = JUDGE_OPENAI_FAULT_NONE;

    if (ask->about->judge_id.data) {
        judge_openai_judge_ask(ask);
        return;
    }

    if (model >= service->settings.nmodels) {
        judge_openai_ask_end(ask, JUDGE_LLM_CALL_FAILED,
                             "this service does not route the model");
        return;
    }

    ask->call.prompt.model = service->settings.models[model].served;
    judge_llm_call(&ask->call);
}
