/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The few-shot trial.  The steps stand in the order they run: choose the
 * items, load their feedback and contents, make the pool of examples, then ask
 * one question after the other, with a checkpoint after every few.
 *
 * A question that fails is not asked again: there are others.
 */


#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "analysis/aspects/method.h"
#include "analysis/llm/prompt.h"
#include "work/llm/llm_catalog.h"
#include "work/training/training_state.h"


#define JUDGE_TRAINING_FEWSHOT_LEAST  10  /* items to ask about, at least */
#define JUDGE_TRAINING_FEWSHOT_POOL  5  /* examples, at least */
#define JUDGE_TRAINING_FEWSHOT_MOST  (10 * 60 * 1000)    /* ms for all */


static void judge_training_fewshot_set(judge_leased_t *work);
static void judge_training_fewshot_reasons_read(judge_leased_t *work);
static judge_rc_e judge_training_fewshot_prepare(judge_leased_t *work);
static void judge_training_fewshot_prepared(judge_leased_t *work);
static void judge_training_fewshot_go(judge_training_state_t *run);
static judge_rc_e judge_training_fewshot_save(judge_leased_t *work);


static void
judge_training_fewshot_over(judge_training_state_t *run)
{
    run->trial_over = true;
    run->trial_at = 0;
    run->done(&run->work);
}


/* --- The items ----------------------------------------------------------- */

/* Whether an item can be a question (`held` is true), or an example. */

static bool
judge_training_fewshot_fits(const judge_training_state_t *run, size_t i,
    bool held)
{
    size_t  t, at;

    if (run->set.texts[i].len == 0
        || (held && (run->set.texts[i].len >= JUDGE_CALIBRATOR_TEXT
                     || (run->base && !run->fresh[i]))))
    {
        return false;
    }

    for (t = 0; t < run->rubric.ncriteria; t++) {
        at = i * run->ntargets + t;

        if (!run->frozen[t] && !isnan(run->set.target[at])
            && (!held || !isnan(run->predicted[at])))
        {
            return true;
        }
    }

    return false;
}


/* Chooses the newest items as examples; and as questions held-out items, which
 * are spread evenly. */

static void
judge_training_fewshot_pick(judge_training_state_t *run)
{
    size_t                     i, k, n, fit, most;
    judge_training_fewshot_t  *trial = run->trial;

    most = run->allocation == JUDGE_TRAINING_MINIMAL ? JUDGE_TRAINING_ASKED / 4
           : run->allocation == JUDGE_TRAINING_STANDARD
             ? JUDGE_TRAINING_ASKED / 2 : JUDGE_TRAINING_ASKED;

    for (i = run->nitems; i > 0 && trial->npool < JUDGE_FEWSHOT_ITEMS; i--) {
        if (judge_training_fewshot_fits(run, i - 1, false)) {
            trial->pool_items[trial->npool++] = i - 1;
        }
    }

    for (i = 0, n = 0; i < run->nitems; i++) {
        n += judge_training_fewshot_fits(run, i, true);
    }

    trial->nitems = n < most ? n : most;

    for (i = 0, k = 0, fit = 0; k < trial->nitems; i++) {
        if (!judge_training_fewshot_fits(run, i, true)) {
            continue;
        }

        if (fit++ == k * n / trial->nitems) {
            trial->item[k++] = i;
        }
    }
}


static bool
judge_training_fewshot_begin(judge_training_state_t *run)
{
    judge_training_fewshot_t  *trial;

    if (strcmp(run->engine, JUDGE_LLM_ENGINE) != 0) {
        return false;
    }

    trial = judge_calloc(run->work.arena, sizeof(judge_training_fewshot_t));
    if (trial == NULL) {
        return false;
    }

    run->trial = trial;
    judge_training_fewshot_pick(run);

    if (trial->nitems < JUDGE_TRAINING_FEWSHOT_LEAST
        || trial->npool < JUDGE_TRAINING_FEWSHOT_POOL)
    {
        judge_training_log(run, "info", "whether the model does better with"
                           " examples is not tried: %zu held-out texts to ask"
                           " about, %d are needed", trial->nitems,
                           JUDGE_TRAINING_FEWSHOT_LEAST);
        return false;
    }

    judge_leased_op(&run->work, &trial->settings.op, JUDGE_OP_SETTINGS_FIND,
                    judge_training_fewshot_set);

    return true;
}


/* Called with the organization's settings: reads the reasons that people gave
 * in their feedback. */

static void
judge_training_fewshot_set(judge_leased_t *work)
{
    size_t                     i, n;
    judge_training_state_t    *run = (judge_training_state_t *) work;
    judge_training_fewshot_t  *trial = run->trial;

    n = trial->npool + trial->nitems;
    trial->reasons.rows = judge_array_alloc(work->arena, n,
                                            sizeof(judge_reason_t));
    if (trial->reasons.rows == NULL) {
        judge_training_fewshot_over(run);
        return;
    }

    for (i = 0; i < n; i++) {
        trial->reasons.rows[i].id = judge_id_str(&run->data.items[
            i < trial->npool ? trial->pool_items[i]
                             : trial->item[i - trial->npool]]
            .evaluation);
    }

    trial->reasons.count = n;
    trial->begun_at = judge_now(work->service);
    judge_leased_op(work, &trial->reasons.op, JUDGE_OP_REASON_LIST,
                    judge_training_fewshot_reasons_read);
}


/* --- Their contents ------------------------------------------------------ */

static void
judge_training_fewshot_reasons_read(judge_leased_t *work)
{
    size_t                     i;
    judge_job_t               *job;
    judge_training_state_t    *run = (judge_training_state_t *) work;
    judge_training_fewshot_t  *trial = run->trial;

    trial->jobs = judge_array_alloc(work->arena, trial->nitems,
                                    sizeof(judge_job_t));
    trial->load.jobs = judge_array_alloc(work->arena, trial->nitems,
                                         sizeof(judge_job_t *));
    if (trial->jobs == NULL || trial->load.jobs == NULL) {
        judge_leased_end(&run->work);
        return;
    }

    for (i = 0; i < trial->nitems; i++) {
        job = &trial->jobs[i];
        job->org = run->claim.row.org;
        job->id = trial->reasons.rows[trial->npool + i].id;
        job->content_id = trial->reasons.rows[trial->npool + i].content_id;
        job->judge_id = run->claim.row.judge_id;
        job->judge_version = run->claim.row.base_version;
        job->by_model = true;
        trial->load.jobs[i] = job;
    }

    trial->load.count = trial->nitems;
    judge_leased_op_compute(work, &trial->load.op, JUDGE_OP_QUEUE_LOAD,
                            judge_training_fewshot_prepare,
                            judge_training_fewshot_prepared);
}


static judge_str_t
judge_training_fewshot_reason(judge_arena_t *arena, judge_str_t content)
{
    judge_str_t          words;
    const judge_json_t  *root;

    root = judge_json_read(arena, content);
    words = judge_json_string(root, "explanation");
    words = words.data ? words : judge_json_string(root, "comment");

    return words.data
           ? judge_fewshot_excerpt(arena, words, JUDGE_FEWSHOT_REASON) : words;
}


/* In a thread: makes the rubric as an evaluation does, and the pool.  A text
 * that looks like a prompt injection is not used as an example. */

static judge_rc_e
judge_training_fewshot_prepare(judge_leased_t *work)
{
    size_t                     i, k, item, altered;
    judge_buf_t                harmless;
    judge_fewshot_t           *shown;
    judge_training_state_t    *run = (judge_training_state_t *) work;
    judge_training_fewshot_t  *trial = run->trial;

    if (judge_method_rubric(work->arena, &run->rubric, true) != JUDGE_OK
        || judge_method_asked(work->arena, &run->rubric, false,
                              &trial->asked, &trial->asked_index)
           != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    if (trial->asked.ncriteria == 0) {
        return JUDGE_OK;
    }

    trial->asked.references = trial->jobs[0].references;
    trial->asked.nreferences = trial->jobs[0].nreferences;

    trial->examples = judge_array_alloc(work->arena, trial->npool,
                                        sizeof(judge_fewshot_t));
    if (trial->examples == NULL) {
        return JUDGE_NOMEM;
    }

    for (k = 0, i = 0; k < trial->npool; k++) {
        shown = &trial->examples[i];
        item = trial->pool_items[k];
        shown->text = judge_fewshot_excerpt(work->arena,
                                            run->set.texts[item],
                                            JUDGE_FEWSHOT_TEXT);
        shown->reason =
            judge_training_fewshot_reason(work->arena,
                                          trial->reasons.rows[k].content);
        shown->scores = &run->set.target[item * run->ntargets];
        shown->group = run->set.group[item];

        altered = 0;
        judge_buf_init(&harmless, work->arena);
        judge_delimiter_text(&harmless, shown->text, &altered);
        judge_delimiter_text(&harmless, shown->reason, &altered);
        if (harmless.failed || shown->text.data == NULL) {
            return JUDGE_NOMEM;
        }

        i += altered == 0;
    }

    trial->npool = i;

    if (i < JUDGE_TRAINING_FEWSHOT_POOL) {
        return JUDGE_OK;
    }

    trial->pool = judge_fewshot_create(work->arena, trial->examples, i);

    return trial->pool ? JUDGE_OK : JUDGE_NOMEM;
}


/* Returns the model that scored the item, if it is still configured. */

static size_t
judge_training_fewshot_model(judge_training_state_t *run, size_t at)
{
    const judge_job_t  *job = &run->trial->jobs[at];

    if (!job->found || job->text_content.len == 0
        || job->model.data == NULL)
    {
        return JUDGE_LLM_NONE;
    }

    return judge_llm_catalog_find(&run->work.service->settings, job->model);
}


static void
judge_training_fewshot_prepared(judge_leased_t *work)
{
    size_t                     k, asked;
    judge_training_state_t    *run = (judge_training_state_t *) work;
    judge_training_fewshot_t  *trial = run->trial;

    for (k = 0, asked = 0; k < trial->nitems; k++) {
        if (judge_training_fewshot_model(run, k) == JUDGE_LLM_NONE) {
            run->saved.answered[k] = JUDGE_LLM_SURVEY_UNANSWERED;
        } else {
            asked++;
        }
    }

    if (trial->pool == NULL || asked < JUDGE_TRAINING_FEWSHOT_LEAST) {
        judge_training_log(run, "info", "whether the model does better with"
                           " examples is not tried: there %s", trial->pool
                           ? "is no model here that scored these evaluations"
                           : "are too few to show");
        judge_training_fewshot_over(run);
        return;
    }

    judge_training_fewshot_go(run);
}


/* --- Asking -------------------------------------------------------------- */

static bool
judge_training_fewshot_enough(judge_training_state_t *run)
{
    size_t                     k, done, answered;
    judge_training_fewshot_t  *trial = run->trial;

    for (k = 0, done = 0, answered = 0; k < trial->nitems; k++) {
        done += run->saved.answered[k] != 0;
        answered += run->saved.answered[k] == JUDGE_LLM_SURVEY_ANSWERED;
    }

    if (answered == 0 && done >= JUDGE_LLM_SURVEY_TRIES) {
        judge_training_log(run, "warning", "the model answered none of %zu"
                           " questions with examples: it is not asked more",
                           done);
        return true;
    }

    if (done < trial->nitems && judge_now(run->work.service) - trial->begun_at
                               > JUDGE_TRAINING_FEWSHOT_MOST)
    {
        judge_training_log(run, "warning",
                           "asking the model with examples took"
                           " too long: %zu answers of %zu count", answered,
                           trial->nitems);
        return true;
    }

    return done == trial->nitems;
}


static void
judge_training_fewshot_question(judge_llm_question_t *q)
{
    judge_ms_t                 end;
    judge_training_state_t    *run = q->survey->data;
    judge_training_fewshot_t  *trial = run->trial;

    q->job = &trial->jobs[q->index];
    judge_llm_call_init(&q->ask, run->work.service, run->claim.row.org,
                        &trial->settings.llm,
                        judge_training_fewshot_model(run, q->index),
                        100 + 150 * (int64_t) trial->asked.ncriteria);
    q->ask.prompt.rubric = &trial->asked;

    end = run->claim.row.started_at + run->claim.row.max_duration;
    q->ask.deadline = judge_now(run->work.service) + JUDGE_LLM_SURVEY_ANSWER;
    if (run->claim.row.max_duration && end < q->ask.deadline) {
        q->ask.deadline = end;
    }
}


static judge_rc_e
judge_training_fewshot_examples(judge_llm_question_t *q)
{
    judge_rc_e                 rc;
    judge_prompt_example_t    *examples;
    judge_training_state_t    *run = q->survey->data;
    judge_training_fewshot_t  *trial = run->trial;

    rc = judge_calibrator_examples(trial->pool, run->ids,
                                   run->rubric.ncriteria, q->ask.arena,
                                   &trial->asked, q->item.text,
                                   &run->set.group[trial->item[q->index]],
                                   &examples, &q->ask.prompt.nexamples);
    q->ask.prompt.examples = examples;

    return rc;
}


/* Notes the model's scores.  Criteria that it does not judge keep the scores
 * that they had. */

static void
judge_training_fewshot_take(judge_llm_question_t *q)
{
    size_t                          c, n;
    float                          *to;
    judge_training_state_t         *run = q->survey->data;
    const judge_training_fewshot_t *trial = run->trial;

    n = run->ntargets;
    to = &run->answers[q->index * n];
    memcpy(to, &run->set.raw[trial->item[q->index] * n], n * sizeof(float));

    for (c = 0; c < trial->asked.ncriteria; c++) {
        to[run->targets[trial->asked_index[c]]] =
            (float) q->ask.answer.verdict.scores[c].score;
    }

    to[run->rubric.ncriteria] = (float) judge_training_overall(run, to);
}


/* Plans when the next questions are asked: later, if the budget is used up. */

static void
judge_training_fewshot_asked(judge_llm_survey_t *survey)
{
    judge_training_state_t  *run = survey->data;

    run->trial_at = survey->wait
                    ? judge_now(run->work.service) + survey->wait : 0;
    judge_leased_compute(&run->work, judge_training_fewshot_save, run->done);
}


static void
judge_training_fewshot_go(judge_training_state_t *run)
{
    judge_llm_survey_t  *survey = &run->trial->survey;

    survey->n = run->trial->nitems;
    survey->states = run->saved.answered;
    survey->prepare = judge_training_fewshot_question;
    survey->examples = judge_training_fewshot_examples;
    survey->take = judge_training_fewshot_take;
    survey->over = judge_training_fewshot_asked;
    survey->data = run;

    if (judge_training_fewshot_enough(run) || !judge_llm_survey_ask(survey)) {
        judge_training_fewshot_over(run);
    }
}


static judge_rc_e
judge_training_fewshot_save(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    run->step_ended = true;
    judge_training_save(run);
    run->step_ended = false;

    return run->state.failed ? JUDGE_NOMEM : JUDGE_OK;
}


void
judge_training_fewshot(judge_training_state_t *run, judge_leased_step_pt done)
{
    run->done = done;

    if (run->trial) {
        judge_training_fewshot_go(run);
        return;
    }

    if (!judge_training_fewshot_begin(run)) {
        judge_training_fewshot_over(run);
    }
}


double
judge_training_fewshot_part(const judge_training_state_t *run)
{
    size_t  k, done;

    if (run->trial == NULL || run->trial->nitems == 0) {
        return 0;
    }

    for (k = 0, done = 0; k < run->trial->nitems; k++) {
        done += run->saved.answered[k] != 0;
    }

    return (double) done / (double) run->trial->nitems;
}
