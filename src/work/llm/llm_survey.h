/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Asks language models about stored items, without making evaluations, a few
 * at once.  A question for which the budget has no room stays open, and can be
 * asked later.
 */


#ifndef JUDGE_LLM_SURVEY_H
#define JUDGE_LLM_SURVEY_H


#include "store/store_queue.h"
#include "work/llm/llm_call.h"


#define JUDGE_LLM_SURVEY_WIDTH   4     /* questions at once */
#define JUDGE_LLM_SURVEY_TRIES   8     /* after so many without any answer no
                                          more should be asked */
#define JUDGE_LLM_SURVEY_ANSWER  (2 * 60 * 1000) /* ms for one */

/* The state of each question. */
#define JUDGE_LLM_SURVEY_OPEN        0
#define JUDGE_LLM_SURVEY_UNANSWERED  1
#define JUDGE_LLM_SURVEY_ANSWERED    2

typedef struct judge_llm_survey  judge_llm_survey_t;

typedef struct {
    judge_llm_call_t     ask;
    judge_llm_survey_t  *survey;
    size_t               index;
    const judge_job_t   *job;          /* the item, as it was loaded */
    judge_item_t         item;
} judge_llm_question_t;

struct judge_llm_survey {
    size_t            n;               /* questions */
    uint8_t          *states;

    /* Initializes q->ask, sets its deadline and rubric, and sets q->job. */
    void            (*prepare)(judge_llm_question_t *q);
    /* Adds examples to the prompt, in a thread; or NULL. */
    judge_rc_e      (*examples)(judge_llm_question_t *q);
    /* Uses the verdict in q->ask.answer. */
    void            (*take)(judge_llm_question_t *q);
    /* Called when all questions that were asked have ended. */
    void            (*over)(judge_llm_survey_t *survey);
    void             *data;

    /* To be read in over(). */
    judge_ms_t        wait;            /* ms until the budget has room; 0: it
                                          has room */
    bool              stopped;         /* the worker exits, or has failed */
    size_t            failures;        /* questions in a row without answer */

    judge_llm_question_t  questions[JUDGE_LLM_SURVEY_WIDTH];     /* internal */
    size_t                nquestions;
    size_t                pending;
};


/* Asks the first open questions; over() may be called before this returns.
 * false: none is open, or memory is out. */
bool judge_llm_survey_ask(judge_llm_survey_t *survey);


#endif /* JUDGE_LLM_SURVEY_H */
