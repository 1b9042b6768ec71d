/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Graders that ask a judge of this service.  It scores the text as in an
 * evaluation, of which nothing is stored: an item of a run that is graded
 * again after a crash is not counted twice. */


#include <math.h>

#include "api/evaluations/model_choice.h"
#include "extensions/openai/openai.h"
#include "extensions/openai/openai_grader_type.h"
#include "work/evaluation/evaluate.h"


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


/* --- Before they are asked ----------------------------------------------- */

void
judge_openai_judges_find(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, judge_settings_find_t *find, judge_step_pt next)
{
    size_t                  i, k, asking;
    const openai_grader_t  *of[JUDGE_OPENAI_CALLS];

    find->op.kind = JUDGE_OP_SETTINGS_FIND;
    find->judges = judge_array_alloc(r->arena, n * JUDGE_OPENAI_CALLS,
                                     sizeof(judge_judge_model_t));
    if (find->judges == NULL) {
        judge_fail_rc(r, JUDGE_NOMEM);
        return;
    }

    for (i = 0; i < n; i++) {
        asking = judge_openai_grader_asks(graders[i], true, of);

        for (k = 0; k < asking; k++) {
            find->judges[find->njudges++].judge_id = of[k]->judge_id;
        }
    }

    judge_await(r, &find->op, next);
}


bool
judge_openai_judges_check(judge_req_t *r, openai_grader_t *const *graders,
    size_t n, const judge_settings_find_t *find)
{
    size_t                      i, k, asking;
    const char                 *wrong;
    const judge_judge_model_t  *judge = find->judges;
    const openai_grader_t      *of[JUDGE_OPENAI_CALLS];

    if (!judge_check(r, find->op.rc, NULL)) {
        return false;
    }

    for (i = 0; i < n; i++) {
        asking = judge_openai_grader_asks(graders[i], true, of);

        for (k = 0; k < asking; k++) {
            wrong = judge_openai_judge_wrong(r->service, find, judge++);
            if (wrong) {
                judge_fail(r, 400, "%.*s.judge_id: %s", (int) of[k]->path.len,
                           of[k]->path.data, wrong);
                return false;
            }
        }
    }

    return true;
}


/* --- Asking -------------------------------------------------------------- */

static void
judge_openai_judge_end(judge_openai_ask_t *ask,
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
        judge_openai_judge_end(ask, JUDGE_LLM_CALL_ANSWERED, NULL);

    } else if (ask->about->error.data) {
        judge_openai_judge_end(ask, JUDGE_LLM_CALL_FAILED,
                               ask->about->error.data);

    } else if (atomic_load(&batch->stopped)
               || judge_service_leaving(batch->service))
    {
        judge_openai_judge_end(ask, JUDGE_LLM_CALL_STOPPED,
                               "the service is about to end");
    } else {
        judge_openai_judge_end(ask, JUDGE_LLM_CALL_FAULT,
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
        judge_openai_judge_end(ask, JUDGE_LLM_CALL_FAILED, wrong);
        return;
    }

    now = judge_now(service);
    batch = judge_evaluate_create(service);

    if (batch == NULL || judge_id_make(&ask->id, "evl", now) != JUDGE_OK) {
        if (batch) {
            judge_arena_destroy(batch->arena);
        }
        judge_openai_judge_end(ask, JUDGE_LLM_CALL_FAULT, "out of memory");
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


void
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
