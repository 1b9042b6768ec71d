/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The steps of an evaluation by language models: looks for a stored answer,
 * else asks the models in their order, and writes the result.  If the service
 * itself fails, nothing is written: the lease runs out, and the evaluation is
 * claimed again. */


#include <string.h>

#include "work/llm/llm_run.h"
#include "work/service/extension.h"


#define JUDGE_LLM_QUESTION_CHUNK    16384
#define JUDGE_LLM_LEARNING        2000 /* ms until a retry if the judge's
                                          references are not read yet */

static const judge_retry_t  judge_llm_backoff = {
    .initial = 1000,
    .cap = 120 * 1000
};


static void judge_llm_calibrator_held(void *data,
    judge_calibrator_entry_t *entry);
static void judge_llm_settings_found(judge_op_t *op);
static void judge_llm_answer_found(judge_op_t *op);
static void judge_llm_try(judge_llm_run_t *run);
static judge_rc_e judge_llm_build(judge_llm_call_t *ask);
static judge_rc_e judge_llm_read(judge_llm_call_t *ask, judge_str_t body);
static void judge_llm_answered(judge_llm_call_t *ask);
static void judge_llm_failed(judge_llm_run_t *run);


static void
judge_llm_finished(judge_op_t *op)
{
    judge_llm_run_t  *run = op->data;

    if (op->rc != JUDGE_OK) {
        run->result.stored = false;
    }

    run->release(run);
}


static void
judge_llm_finish(judge_llm_run_t *run)
{
    judge_queue_finish_t  *finish = &run->finish;

    finish->op.kind = JUDGE_OP_QUEUE_FINISH;
    finish->op.arena = run->arena;
    finish->op.done = judge_llm_finished;
    finish->op.data = run;
    finish->owner = judge_service_owner(run->service);
    finish->results = &run->result;
    finish->count = 1;

    judge_submit(run->service, &finish->op);
}


/* Puts the evaluation back into the queue, at its deadline at the latest: then
 * it is claimed once more, and fails.  `uncounted`: this attempt does not
 * count. */

static void
judge_llm_put_back(judge_llm_run_t *run, judge_ms_t at, bool uncounted)
{
    judge_result_t  *result = &run->result;

    result->status = JUDGE_STR("processing");
    result->queue_at = at < run->job.deadline ? at : run->job.deadline;
    result->uncounted = uncounted;

    if (run->failure.code) {
        result->last_error = judge_evaluation_error(run->arena, &run->failure,
                                 judge_now(run->service));
    }

    judge_llm_finish(run);
}


/* An answer is stored for later evaluations if it is the first model's, and
 * none of its samples failed. */

static void
judge_llm_concluded(judge_task_t *task)
{
    judge_llm_run_t  *run = task->data;

    if (run->rc != JUDGE_OK) {
        run->release(run);
        return;
    }

    if (run->result.scored && run->turn == 0 && run->nquestions
        && run->origin.answered == run->origin.samples)
    {
        run->result.answer_key = run->answer_key;
    }

    judge_llm_finish(run);
}


static void
judge_llm_run_verdict(judge_task_t *task)
{
    judge_llm_run_t  *run = task->data;

    run->rc = judge_llm_verdict(run);

    if (run->rc == JUDGE_OK) {
        run->result.features = judge_llm_features(run);
        run->rc = run->result.features.data
                  ? judge_claimed_complete(run->arena, &run->job, &run->rubric,
                                           &run->verdict, &run->failure,
                                           &run->origin,
                                           judge_now(run->service),
                                           &run->result)
                  : JUDGE_NOMEM;
    }
}


static void
judge_llm_conclude(judge_llm_run_t *run)
{
    if (run->concluded) {
        judge_llm_concluded(&run->task);
    } else {
        judge_service_compute(run->service, &run->task, judge_llm_run_verdict,
                              judge_llm_concluded, run);
    }
}


/* Ends the evaluation with the score of the built-in engine, which is the last
 * in the order of models where an evaluation was escalated. */

static void
judge_llm_conclude_builtin(judge_llm_run_t *run)
{
    judge_llm_questions_free(run);
    run->turn = run->order.count ? run->order.count - 1 : 0;
    judge_llm_conclude(run);
}


void
judge_llm_run_settings(judge_llm_run_t *run,
    void (*ready)(judge_llm_run_t *run))
{
    run->ready = ready;
    run->result.org = run->job.org;
    run->result.id = run->job.id;
    run->result.batch_id = run->job.batch_id;

    run->settings.op = (judge_op_t) {
        .kind = JUDGE_OP_SETTINGS_FIND, .org = run->job.org,
        .arena = run->arena, .done = judge_llm_settings_found, .data = run };
    judge_submit(run->service, &run->settings.op);
}


static void
judge_llm_settings_found(judge_op_t *op)
{
    judge_llm_run_t         *run = op->data;
    judge_settings_t        *settings = &run->service->settings;
    judge_settings_find_t   *find = &run->settings;

    if (op->rc != JUDGE_OK) {
        run->rc = JUDGE_ERROR;
        run->ready(run);
        return;
    }

    run->llm = find->llm;
    run->limits.requests = find->llm.requests_per_minute.value;
    run->limits.tokens = find->llm.tokens_per_minute.value;

    if (judge_str_eq_c(run->job.model, JUDGE_PANEL_NAME)
        && judge_panel_read(run->arena, run->job.panel, &run->panel)
           != JUDGE_OK)
    {
        run->rc = JUDGE_NOMEM;
        run->ready(run);
        return;
    }

    judge_llm_catalog_order(&run->order, run->arena, settings, run->job.model,
                            &run->panel, run->llm.fallback_models,
                            run->job.file_type,
                            run->job.text_content.len > 0);

    if (run->job.escalated) {
        judge_llm_catalog_add(&run->order, settings,
                              JUDGE_STR(JUDGE_ENGINE_NAME),
                              run->job.file_type,
                              run->job.text_content.len > 0);
    }

    if (run->order.count && run->order.models[0] < settings->nmodels) {
        run->unsupported = settings->models[run->order.models[0]].unsupported;
    }

    run->ready(run);
}


static void
judge_llm_hold_calibrator(judge_llm_run_t *run)
{
    judge_calibrator_hold(run->service, run->job.org, run->job.judge_id,
                          run->job.judge_version, true,
                          judge_llm_calibrator_held, run);
}


static void
judge_llm_find_answer(judge_llm_run_t *run)
{
    run->answer_key = judge_llm_answer_key(run);
    if (run->answer_key.data == NULL) {
        if (run->order.models[0] < run->service->settings.nmodels) {
            run->release(run);         /* out of memory */
        } else {
            judge_llm_hold_calibrator(run);
        }
        return;
    }

    run->answer.key = run->answer_key;
    run->answer.op = (judge_op_t) {
        .kind = JUDGE_OP_ANSWER_FIND, .org = run->job.org,
        .arena = run->arena, .done = judge_llm_answer_found, .data = run };
    judge_submit(run->service, &run->answer.op);
}


void
judge_llm_run_begin(judge_llm_run_t *run)
{
    if (run->rc != JUDGE_OK) {
        run->release(run);
        return;
    }

    if (run->failure.code == NULL && run->asked.ncriteria == 0
        && !run->job.learning)
    {
        judge_llm_hold_calibrator(run);   /* no criterion needs a model */
        return;
    }

    if (run->failure.code == NULL && run->order.count == 0) {
        judge_llm_refuse(run, "MODEL_UNKNOWN",
            judge_str_printf(run->arena, "there is no model %.*s that takes"
                             " this content", judge_str_args(run->job.model)));

    } else if (run->failure.code == NULL && run->limits.requests
               && (run->panel.n ? (int64_t) run->order.count
                   : run->job.samples) > 2 * run->limits.requests)
    {
        judge_llm_refuse(run, "BUDGET",
            JUDGE_STR("the organization's requests per minute are too few for"
                      " so many samples, or members of a panel"));
    }

    if (run->failure.code) {
        judge_llm_failed(run);

    } else if (run->job.learning && !run->builtin_only) {
        judge_llm_put_back(run, judge_now(run->service) + JUDGE_LLM_LEARNING,
                       true);

    } else if (run->builtin_only || run->job.fresh) {
        judge_llm_hold_calibrator(run);

    } else {
        judge_llm_find_answer(run);
    }
}


/* Questions that were built early lack the few-shot examples of the
 * calibrator: if it has some, they are built again. */

static void
judge_llm_calibrator_held(void *data, judge_calibrator_entry_t *entry)
{
    size_t            i;
    judge_refit_t     refit;
    judge_llm_run_t  *run = data;

    run->entry = entry;

    if (entry == NULL) {
        run->release(run);
        return;
    }

    refit = judge_calibrator_refit(entry);
    if (!run->builtin_only && judge_claimed_waits(&run->job, &refit,
                                          judge_now(run->service),
                                          &run->result))
    {
        judge_llm_finish(run);
        return;
    }

    if (run->asked.ncriteria == 0) {
        judge_llm_conclude(run);
        return;
    }

    if (run->builtin_only) {
        judge_llm_conclude_builtin(run);
        return;
    }

    for (i = 0; i < run->nquestions; i++) {
        run->questions[i].ask.built &= !judge_calibrator_has_fewshot(entry);
    }

    judge_llm_panel_weigh(run, judge_llm_try);
}


/* JUDGE_INVALID: the stored answer can't be read. */

static judge_rc_e
judge_llm_use_answer(judge_llm_run_t *run)
{
    judge_rc_e       rc;
    judge_buf_t      body;
    judge_result_t  *result = &run->result;

    judge_buf_init(&body, run->arena);

    rc = judge_evaluation_json_again(&body, &run->job, run->answer.body,
                                     judge_now(run->service),
                                     &result->overall_score, &result->review);
    if (rc != JUDGE_OK) {
        return rc;
    }

    result->status = JUDGE_STR("completed");
    result->evaluated_at = judge_now(run->service);
    result->scored = true;
    result->body = judge_buf_view(&body);
    result->features = judge_llm_features(run);

    return result->features.data
           ? judge_extensions_made(run->arena, &run->job, NULL, NULL, result)
           : JUDGE_NOMEM;
}


static void
judge_llm_answer_found(judge_op_t *op)
{
    judge_rc_e        rc;
    judge_llm_run_t  *run = op->data;

    rc = op->rc == JUDGE_OK ? judge_llm_use_answer(run) : op->rc;

    if (rc == JUDGE_OK) {
        judge_llm_finish(run);
    } else if (rc == JUDGE_NOT_FOUND || rc == JUDGE_INVALID) {
        judge_llm_hold_calibrator(run);
    } else {
        run->release(run);             /* what is stored is not paid again */
    }
}


/* --- Asking -------------------------------------------------------------- */

/* Makes the samples of the current model, or a question to each member of a
 * panel.  At temperature 0 all samples would be the same, so several have 1,
 * unless the organization has set another one. */

static bool
judge_llm_questions_create(judge_llm_run_t *run)
{
    size_t             i;
    judge_llm_call_t  *ask;

    run->nquestions = run->panel.n ? run->order.count
                  : run->job.samples > 1 ? (size_t) run->job.samples : 1;
    run->questions = judge_array_alloc(run->arena, run->nquestions,
                                       sizeof(judge_llm_run_question_t));

    for (i = 0; run->questions && i < run->nquestions; i++) {
        ask = &run->questions[i].ask;
        judge_llm_call_init(ask, run->service, run->job.org, &run->llm,
                            run->order.models[run->panel.n ? i : run->turn],
                            100 + 150 * (int64_t) run->asked.ncriteria);
        ask->deadline = run->job.deadline;
        ask->build = judge_llm_build;
        ask->read = judge_llm_read;
        ask->done = judge_llm_answered;
        ask->data = &run->questions[i];
        ask->prompt.temperature = run->llm.temperature.set
                                  ? ask->prompt.temperature
                                  : run->job.samples > 1;
        ask->prompt.seed = run->panel.n ? 0 : (int64_t) i;
        ask->prompt.rubric = &run->asked;
        ask->prompt.item = &run->item;
        ask->prompt.images = &run->image;
        ask->prompt.nimages = run->image.bytes.data ? 1 : 0;
        run->questions[i].run = run;

        ask->arena = judge_arena_create(JUDGE_LLM_QUESTION_CHUNK);
        if (ask->arena == NULL) {
            return false;
        }
    }

    return run->questions != NULL;
}


/* Asks once more without examples, if these made the prompt too long; else the
 * next model.  If all fail, the failure of the first is reported. */

static void
judge_llm_next(judge_llm_run_t *run, const judge_llm_call_t *ask)
{
    int64_t  max = run->service->settings.model_attempts;

    if (ask->prompt.nexamples && strcmp(ask->code, "MODEL_TOO_LONG") == 0) {
        run->without_examples = true;
        judge_llm_questions_free(run);
        judge_llm_try(run);
        return;
    }

    judge_llm_note(run, ask);

    if (run->failure.code == NULL) {
        judge_llm_refuse(run, ask->code,
                         judge_str_dup(run->arena, ask->message));
        run->failure.answer = judge_str_dup(run->arena, ask->answer.start);
        run->origin.prompt_hash = judge_str_dup(run->arena, ask->request.hash);
    }

    if (ask->outcome == JUDGE_LLM_CALL_TRANSIENT
        && (!run->transient
            || ask->attempt.retry_after < run->attempt.retry_after))
    {
        run->transient = true;
        run->attempt = ask->attempt;
    }

    if (run->panel.n == 0 && run->turn + 1 < run->order.count) {
        run->turn++;
        judge_llm_questions_free(run);
        judge_llm_try(run);

    } else if (run->job.escalated) {
        judge_llm_conclude_builtin(run);

    } else if (run->transient && (max == 0 || run->job.attempts < max)) {
        run->result.given_back = true;
        judge_llm_put_back(run, judge_now(run->service)
                       + judge_retry_exponential(&judge_llm_backoff,
                             (unsigned) run->job.attempts, &run->attempt,
                             judge_service_random()),
                       false);

    } else {
        judge_llm_failed(run);
    }
}


/* Returns the call whose outcome is last in judge_llm_call_outcome_e; notes
 * the members of a panel that gave no answer. */

static const judge_llm_call_t *
judge_llm_worst(judge_llm_run_t *run, size_t *answered)
{
    size_t                   i;
    const judge_llm_call_t  *ask, *worst;

    worst = &run->questions[0].ask;

    for (i = 0, *answered = 0; i < run->nquestions; i++) {
        ask = &run->questions[i].ask;

        if (ask->outcome == JUDGE_LLM_CALL_ANSWERED) {
            ++*answered;
        } else if (run->panel.n) {
            judge_llm_note(run, ask);
        }

        worst = ask->outcome > worst->outcome ? ask : worst;
    }

    return worst;
}


/* Called when all questions have ended.  Some answers are enough for a
 * verdict, because they have been paid for; else the worst outcome decides. */

static void
judge_llm_tried(judge_llm_run_t *run)
{
    size_t                   answered;
    judge_ms_t               now;
    const judge_llm_call_t  *ask;

    ask = judge_llm_worst(run, &answered);

    if (run->lost) {
        run->release(run);
        return;
    }

    if (judge_llm_enough(run, answered)) {
        judge_llm_conclude(run);
        return;
    }

    now = judge_now(run->service);

    switch (ask->outcome) {

    case JUDGE_LLM_CALL_FAULT:
        run->release(run);
        return;

    case JUDGE_LLM_CALL_STOPPED:
        judge_llm_put_back(run, now, true);
        return;

    case JUDGE_LLM_CALL_LATE:
        judge_llm_note(run, ask);
        judge_llm_refuse(run, ask->code, judge_str_dup(run->arena,
                                                       ask->message));
        if (run->job.escalated) {
            judge_llm_conclude_builtin(run);
        } else {
            judge_llm_failed(run);
        }
        return;

    case JUDGE_LLM_CALL_UNPAID:
        judge_llm_refuse(run, ask->code, ask->message);
        judge_llm_put_back(run, judge_budget_plan(run->service->budget,
                                              run->job.org, &run->limits, now,
                                              ask->wait, ask->paid),
                       true);
        return;

    default:
        judge_llm_next(run, ask);
        return;
    }
}


static void
judge_llm_try(judge_llm_run_t *run)
{
    size_t  i;

    if (run->lost) {
        run->release(run);
        return;
    }

    if (run->order.models[run->turn] == JUDGE_LLM_BUILTIN) {
        judge_llm_conclude(run);
        return;
    }

    if (run->questions == NULL && !judge_llm_questions_create(run)) {
        run->release(run);
        return;
    }

    /* Calls may end while the loop starts others: it counts as one more. */
    run->pending = run->nquestions + 1;

    for (i = 0; i < run->nquestions; i++) {
        judge_llm_call(&run->questions[i].ask);
    }

    if (--run->pending == 0) {
        judge_llm_tried(run);
    }
}


void
judge_llm_run_questions(judge_llm_run_t *run)
{
    size_t  i;

    if (run->rc != JUDGE_OK || run->failure.code || run->order.count == 0
        || run->order.models[0] == JUDGE_LLM_BUILTIN
        || run->asked.ncriteria == 0)
    {
        return;
    }

    if (!judge_llm_questions_create(run)) {
        run->rc = JUDGE_NOMEM;
        return;
    }

    for (i = 0; i < run->nquestions; i++) {
        judge_llm_call_build(&run->questions[i].ask, run->unsupported);
    }
}


/* Adds few-shot examples, if training found that they improve the model's
 * scores. */

static judge_rc_e
judge_llm_build(judge_llm_call_t *ask)
{
    judge_rc_e                 rc = JUDGE_OK;
    judge_llm_run_question_t  *question = ask->data;
    judge_llm_run_t           *run = question->run;
    judge_prompt_example_t    *examples;
    const judge_calibrator_t  *calibrator = NULL;

    if (run->entry && !run->without_examples && run->item.text.len
        && ask->prompt.nexamples == 0)
    {
        calibrator = judge_calibrator_get(run->entry);
    }

    if (calibrator && calibrator->examples
        && strcmp(calibrator->engine, JUDGE_LLM_ENGINE) == 0
        && calibrator->ncriteria == run->rubric.ncriteria)
    {
        rc = judge_calibrator_examples(calibrator->examples, calibrator->ids,
                                       calibrator->ncriteria, ask->arena,
                                       &run->asked, run->item.text, NULL,
                                       &examples, &ask->prompt.nexamples);
        ask->prompt.examples = examples;
    }

    return rc ? rc : judge_prompt_build(ask->arena, &ask->prompt,
                                        &ask->request);
}


/* Makes the verdict out of a single answer at once, in this thread; its tokens
 * are added to run->used for good when the call is done. */

static judge_rc_e
judge_llm_read(judge_llm_call_t *ask, judge_str_t body)
{
    judge_rc_e                 rc;
    judge_llm_run_question_t  *question = ask->data;
    judge_llm_run_t           *run = question->run;

    rc = judge_llm_call_verdict(ask, body);

    if (rc == JUDGE_OK && ask->answer.outcome == JUDGE_REPLY_OK
        && run->nquestions == 1 && run->panel.n == 0)
    {
        ask->outcome = JUDGE_LLM_CALL_ANSWERED;
        run->used += judge_llm_call_used(ask);
        judge_llm_run_verdict(&run->task);
        run->used -= judge_llm_call_used(ask);
        run->concluded = true;
    }

    return rc;
}


static void
judge_llm_answered(judge_llm_call_t *ask)
{
    judge_llm_run_question_t  *question = ask->data;
    judge_llm_run_t           *run = question->run;

    run->used += ask->used;

    if (--run->pending == 0) {
        judge_llm_tried(run);
    }
}


/* --- The end ------------------------------------------------------------- */


static bool
judge_llm_partly(const judge_llm_run_t *run)
{
    return judge_llm_text(run) && run->job.text_content.data
           && !run->job.learning && run->asked_index
           && run->asked.ncriteria < run->rubric.ncriteria;
}


/* Called if no model has answered: completes the evaluation with the criteria
 * that need no model, or fails it. */

static void
judge_llm_failed(judge_llm_run_t *run)
{
    if (judge_llm_partly(run)) {
        run->builtin_only = true;

        if (run->entry) {
            judge_llm_conclude_builtin(run);
        } else {
            judge_llm_hold_calibrator(run);
        }
        return;
    }

    run->origin.engine = JUDGE_LLM_ENGINE;
    run->origin.version = JUDGE_PROMPT_VERSION;
    run->origin.model = run->job.model;
    run->origin.tokens = run->used;

    if (judge_claimed_fail(run->arena, &run->job, &run->failure, &run->origin,
                           judge_now(run->service), &run->result)
        == JUDGE_OK)
    {
        judge_llm_finish(run);
    } else {
        run->release(run);
    }
}


void
judge_llm_questions_free(judge_llm_run_t *run)
{
    size_t  i;

    for (i = 0; run->questions && i < run->nquestions; i++) {
        judge_arena_destroy(run->questions[i].ask.arena);
    }

    run->questions = NULL;
    run->nquestions = 0;
}
