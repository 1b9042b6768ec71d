/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a panel, several language models that judge together, has of its own:
 * its members, their weights, and how their scores become one. */


#include <math.h>
#include <stdlib.h>

#include "work/llm/llm_run.h"


/* Weights are computed from so many corrected evaluations, the newest. */
#define JUDGE_LLM_PANEL_PAST  200


bool
judge_llm_enough(const judge_llm_run_t *run, size_t answered)
{
    return run->panel.n ? answered >= judge_panel_needed(&run->panel)
                        : answered && answered * 2 >= run->nquestions;
}


void
judge_llm_note(judge_llm_run_t *run, const judge_llm_call_t *ask)
{
    size_t             i;
    judge_str_t        name;
    judge_origin_t    *origin = &run->origin;
    judge_no_model_t  *failed;

    name = run->service->settings.models[ask->model].name;

    for (i = 0; i < origin->nfailed; i++) {
        if (judge_str_eq(origin->failed[i].name, name)) {
            return;
        }
    }

    if (origin->failed == NULL) {
        origin->failed = judge_array_alloc(run->arena, run->order.count,
                                           sizeof(judge_no_model_t));
    }

    if (origin->failed && origin->nfailed < run->order.count) {
        failed = &origin->failed[origin->nfailed++];
        failed->name = name;
        failed->code = ask->code;
        failed->message = judge_str_dup(run->arena, ask->message);
    }
}


/* --- Weights ------------------------------------------------------------- */

/* Sums each member's squared errors by criterion c over the items that people
 * and all members have scored; returns the number of these items. */

static size_t
judge_llm_panel_errors(const judge_training_data_t *past, size_t c,
    double squares[JUDGE_PANEL_MEMBERS])
{
    size_t        i, k, n;
    double        d, errors[JUDGE_PANEL_MEMBERS];
    const float  *member;

    for (k = 0; k < past->nmembers; k++) {
        squares[k] = 0;
    }

    for (i = 0, n = 0; i < past->n; i++) {
        for (k = 0; k < past->nmembers; k++) {
            member = judge_training_data_member(past, i, k);
            d = (double) member[c]
                - (double) past->target[i * past->ntargets + c];
            if (isnan(d)) {
                break;
            }
            errors[k] = d * d;
        }

        if (k < past->nmembers) {
            continue;
        }

        for (k = 0, n++; k < past->nmembers; k++) {
            squares[k] += errors[k];
        }
    }

    return n;
}


static void
judge_llm_panel_gathered(judge_training_data_t *past)
{
    size_t            c, n;
    double            squares[JUDGE_PANEL_MEMBERS];
    judge_llm_run_t  *run = past->data;

    run->weights = judge_array_alloc(run->arena,
                                     past->ncriteria * past->nmembers,
                                     sizeof(double));

    for (c = 0; run->weights && c < past->ncriteria; c++) {
        n = past->rc == JUDGE_OK ? judge_llm_panel_errors(past, c, squares)
                                 : 0;
        judge_panel_weights(squares, past->nmembers, n,
                            run->weights + c * past->nmembers);
    }

    judge_training_data_free(past);
    free(past);
    run->ready(run);
}


void
judge_llm_panel_weigh(judge_llm_run_t *run, void (*next)(judge_llm_run_t *run))
{
    size_t                  i;
    judge_training_data_t  *past;

    if (run->panel.n == 0 || run->panel.take != JUDGE_PANEL_WEIGHTED
        || run->weights)
    {
        next(run);
        return;
    }

    past = calloc(1, sizeof(judge_training_data_t));
    run->asked_ids = judge_array_alloc(run->arena, run->asked.ncriteria,
                                       sizeof(judge_str_t));
    if (past == NULL || run->asked_ids == NULL) {
        free(past);
        run->release(run);
        return;
    }

    for (i = 0; i < run->asked.ncriteria; i++) {
        run->asked_ids[i] = run->asked.criteria[i].id;
    }

    past->service = run->service;
    past->org = run->job.org;
    past->judge_id = run->job.judge_id;
    past->criteria = run->asked_ids;
    past->ncriteria = run->asked.ncriteria;
    past->newest = JUDGE_LLM_PANEL_PAST;
    past->members = run->panel.models;
    past->nmembers = run->panel.n;
    past->done = judge_llm_panel_gathered;
    past->data = run;

    run->ready = next;
    judge_training_data_gather(past);
}


/* --- Verdicts ------------------------------------------------------------ */

/* The question that asks this member; NULL: nginx.conf has no such model now,
 * or one that does not take this content. */

static const judge_llm_run_question_t *
judge_llm_panel_question(const judge_llm_run_t *run, size_t member)
{
    size_t              i;
    const judge_llm_t  *models = run->service->settings.models;

    for (i = 0; i < run->nquestions; i++) {
        if (judge_str_eq(models[run->questions[i].ask.model].name,
                         run->panel.models[member]))
        {
            return &run->questions[i];
        }
    }

    return NULL;
}


judge_rc_e
judge_llm_panel_score(judge_llm_run_t *run, size_t c,
    judge_criterion_score_t *to)
{
    size_t                   i;
    double                   low, high;
    judge_panel_scores_t    *panel;
    judge_panel_member_t    *member;
    const judge_llm_run_question_t  *question;

    if (run->panel.n == 0) {
        return JUDGE_OK;
    }

    panel = judge_calloc(run->arena, sizeof(judge_panel_scores_t));
    if (panel == NULL) {
        return JUDGE_NOMEM;
    }

    panel->n = run->panel.n;
    low = 100;
    high = 0;

    for (i = 0; i < panel->n; i++) {
        member = &panel->members[i];
        question = judge_llm_panel_question(run, i);
        member->model = run->panel.models[i];
        member->score = NAN;
        member->status = question ? question->ask.code : "MODEL_UNKNOWN";

        if (question && question->ask.outcome == JUDGE_LLM_CALL_ANSWERED) {
            member->score = question->ask.answer.verdict.scores[c].score;
            member->status = "answered";
            low = fmin(low, member->score);
            high = fmax(high, member->score);
        }
    }

    panel->spread = high - low;
    to->panel = panel;
    to->score = judge_panel_score(&run->panel, panel, run->weights
                                  ? run->weights + c * panel->n : NULL);

    if (panel->spread > run->panel.within) {
        run->origin.reasons |= JUDGE_REVIEW_PANEL;
    }

    return JUDGE_OK;
}


/* Returns the name of the model that wrote the item, as the metadata state
 * it; absent: they don't. */

static judge_str_t
judge_llm_author(judge_llm_run_t *run)
{
    judge_json_t        *root;
    const judge_json_t  *v;
    judge_str_t          none = { 0, NULL };

    if (run->job.metadata.data == NULL
        || judge_json_parse(run->arena, run->job.metadata, &root, NULL)
           != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return none;
    }

    v = judge_json_get(root, "model");
    v = v ? v : judge_json_get(root, "generated_by");

    return v && v->type == JUDGE_JSON_STRING ? v->string : none;
}


judge_rc_e
judge_llm_related(judge_llm_run_t *run)
{
    size_t              i;
    judge_str_t         author;
    judge_origin_t     *origin = &run->origin;
    const judge_llm_t  *model;

    author = judge_llm_author(run);
    if (author.len == 0) {
        return JUDGE_OK;
    }

    origin->nrelated = 0;
    origin->related = judge_array_alloc(run->arena, run->nquestions,
                                        sizeof(judge_str_t));
    if (origin->related == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < run->nquestions && (i == 0 || run->panel.n); i++) {
        model = &run->service->settings.models[run->questions[i].ask.model];

        if (judge_panel_related(author, model->name)
            || judge_panel_related(author, model->served))
        {
            origin->related[origin->nrelated++] = model->name;
        }
    }

    return JUDGE_OK;
}
