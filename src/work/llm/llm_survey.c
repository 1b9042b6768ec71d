/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "analysis/builtin/conversation.h"
#include "work/llm/llm_call.h"
#include "work/service/extension.h"


#define JUDGE_LLM_SURVEY_CHUNK  16384


/* Called when all questions that were asked have ended.  Those for which the
 * budget had no room, and those that a fault prevented, stay open. */

static void
judge_llm_survey_take(judge_llm_survey_t *survey)
{
    size_t                 i;
    judge_llm_question_t  *q;

    survey->wait = 0;
    survey->stopped = false;

    for (i = 0; i < survey->nquestions; i++) {
        q = &survey->questions[i];

        switch (q->ask.outcome) {

        case JUDGE_LLM_CALL_ANSWERED:
            survey->states[q->index] = JUDGE_LLM_SURVEY_ANSWERED;
            survey->failures = 0;
            survey->take(q);
            break;

        case JUDGE_LLM_CALL_UNPAID:
            survey->wait = q->ask.wait > survey->wait ? q->ask.wait
                                                      : survey->wait;
            break;

        case JUDGE_LLM_CALL_STOPPED:
        case JUDGE_LLM_CALL_FAULT:
            survey->stopped = true;
            break;

        default:
            survey->states[q->index] = JUDGE_LLM_SURVEY_UNANSWERED;
            survey->failures++;
            break;
        }

        judge_arena_destroy(q->ask.arena);
    }

    survey->over(survey);
}


static void
judge_llm_survey_done(judge_llm_call_t *ask)
{
    judge_llm_survey_t  *survey = ((judge_llm_question_t *) ask->data)->survey;

    if (--survey->pending == 0) {
        judge_llm_survey_take(survey);
    }
}


static judge_rc_e
judge_llm_survey_build(judge_llm_call_t *ask)
{
    judge_rc_e             rc;
    judge_llm_question_t  *q = ask->data;

    q->item.text = q->job->text_content;
    rc = judge_extensions_item(ask->arena, q->job->metadata,
                               judge_scope_find(q->job->scope), &q->item);

    if (rc == JUDGE_OK && q->survey->examples && ask->prompt.nexamples == 0) {
        rc = q->survey->examples(q);
    }

    return rc ? rc : judge_prompt_build(ask->arena, &ask->prompt,
                                        &ask->request);
}


static bool
judge_llm_survey_question(judge_llm_survey_t *survey, size_t index)
{
    judge_arena_t         *arena;
    judge_llm_question_t  *q = &survey->questions[survey->nquestions];

    arena = judge_arena_create(JUDGE_LLM_SURVEY_CHUNK);
    if (arena == NULL) {
        return false;
    }

    *q = (judge_llm_question_t) { .survey = survey, .index = index };
    survey->prepare(q);
    q->ask.arena = arena;
    q->ask.build = judge_llm_survey_build;
    q->ask.read = judge_llm_call_verdict;
    q->ask.done = judge_llm_survey_done;
    q->ask.data = q;
    q->ask.prompt.item = &q->item;
    survey->nquestions++;

    return true;
}


bool
judge_llm_survey_ask(judge_llm_survey_t *survey)
{
    size_t  i;

    survey->nquestions = 0;

    for (i = 0; i < survey->n
                && survey->nquestions < JUDGE_LLM_SURVEY_WIDTH; i++)
    {
        if (survey->states[i] == JUDGE_LLM_SURVEY_OPEN
            && !judge_llm_survey_question(survey, i))
        {
            break;
        }
    }

    if (survey->nquestions == 0) {
        return false;
    }

    /* Calls may end while the loop starts others: it counts as one more. */
    survey->pending = survey->nquestions + 1;

    for (i = 0; i < survey->nquestions; i++) {
        judge_llm_call(&survey->questions[i].ask);
    }

    if (--survey->pending == 0) {
        judge_llm_survey_take(survey);
    }

    return true;
}
