/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Has language models judge stored items that no evaluation is made of, some
 * at once.  What the budget has no room for stays open, to be asked later.
 */


#ifndef JUDGE_LLM_SURVEY_H
#define JUDGE_LLM_SURVEY_H


#include "store/store_queue.h"
#include "work/llm/llm_call.h"


#define JUDGE_LLM_SURVEY_WIDTH   4     /* questions at once */
#define JUDGE_LLM_SURVEY_TRIES   8     /* after so many without any answer no
                                          more should be asked */
#define JUDGE_LLM_SURVEY_ANSWER  (2 * 60 * 1000) /* ms for one */

/* Of each question. */
#define JUDGE_LLM_SURVEY_OPEN        0
#define JUDGE_LLM_SURVEY_UNANSWERED  1
#define JUDGE_LLM_SURVEY_ANSWERED    2

typedef struct judge_llm_survey  judge_llm_survey_t;

typedef struct {
    judge_llm_call_t     ask;
    judge_llm_survey_t  *survey;
    size_t               at;           /* its number */
    const judge_job_t   *job;          /* the item, as it was loaded */
    judge_item_t         item;
} judge_llm_question_t;

struct judge_llm_survey {
    size_t            n;               /* questions */
    uint8_t          *states;

    /* Initializes q->ask and sets its deadline and rubric, and q->job. */
    void            (*prepare)(judge_llm_question_t *q);
    /* Adds to the prompt, in a thread; or NULL. */
    judge_rc_e      (*examples)(judge_llm_question_t *q);
    /* Takes the verdict in q->ask.answer. */
    void            (*take)(judge_llm_question_t *q);
    /* All that were asked have ended. */
    void            (*over)(judge_llm_survey_t *survey);
    void             *data;

    /* In over(): */
    judge_ms_t        wait;            /* until the budget has room; 0: it
                                          has */
    bool              stopped;         /* the worker exits, or has failed */
    size_t            failures;        /* in a row */

    judge_llm_question_t  questions[JUDGE_LLM_SURVEY_WIDTH];     /* internal */
    size_t                nquestions;
    size_t                pending;
};


/* Asks the first of those that are open; over() may be called before it
 * returns.  false: none is, or there is no memory. */
bool judge_llm_survey_ask(judge_llm_survey_t *survey);


#endif /* JUDGE_LLM_SURVEY_H */
