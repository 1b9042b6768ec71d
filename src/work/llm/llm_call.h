/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * One question to one model: it is paid for from the organization's budget,
 * asked without the features that its server has refused, and repeated once
 * if the answer can't be used.  The caller's functions write the question and
 * read its answer.
 */


#ifndef JUDGE_LLM_CALL_H
#define JUDGE_LLM_CALL_H


#include "base/net/retry.h"
#include "store/store_settings.h"
#include "store/store_queue.h"
#include "analysis/llm/reply.h"
#include "work/service/budget.h"
#include "work/service/service.h"


typedef enum {
    JUDGE_LLM_CALL_ANSWERED,
    JUDGE_LLM_CALL_FAILED,             /* a repetition would fail, too */
    JUDGE_LLM_CALL_TRANSIENT,          /* a later call may succeed */
    JUDGE_LLM_CALL_UNPAID,             /* the budget is used up for now */
    JUDGE_LLM_CALL_LATE,               /* the deadline has passed */
    JUDGE_LLM_CALL_STOPPED,            /* the worker exits */
    JUDGE_LLM_CALL_FAULT               /* the service itself failed */
} judge_llm_call_outcome_e;

typedef struct judge_llm_call  judge_llm_call_t;

/* The call must stay in place until done() is called, once, on the loop. */
struct judge_llm_call {
    judge_service_t        *service;
    judge_arena_t          *arena;     /* for this question only */
    judge_str_t             org;
    size_t                  model;     /* index in settings.models */
    judge_budget_limits_t   limits;
    judge_ms_t              deadline;
    int64_t                 expected;  /* estimated tokens of the answer */
    judge_prompt_t          prompt;    /* judge_llm_call() sets its members
                                          unsupported and refused_... */

    /* Both run in a thread.  build() makes the request; JUDGE_INVALID: the
     * model can't be asked this.  read() reads the body of a response with
     * status 200, into `answer`. */
    judge_rc_e            (*build)(judge_llm_call_t *ask);
    judge_rc_e            (*read)(judge_llm_call_t *ask, judge_str_t body);
    void                  (*done)(judge_llm_call_t *ask);
    void                   *data;

    judge_prompt_request_t  request;
    judge_reply_t           answer;

    /* The outcome, to be read in done(). */
    judge_llm_call_outcome_e     outcome;
    const char                  *code;  /* error code, unless answered */
    judge_str_t                  message;
    judge_attempt_t              attempt;
    judge_ms_t                   wait;  /* UNPAID: ms until there is room */
    int64_t                      used;  /* tokens, repetitions included */

    judge_task_t            task;      /* internal from here on */
    judge_call_t            call;
    judge_provider_error_t  error;
    judge_rc_e              rc;
    bool                    built;     /* judge_llm_call_build() did it */
    int64_t                 paid;      /* tokens taken from the budget for the
                                          call under way */
    unsigned                retries;   /* repetitions because the server
                                          refused a feature */
    bool                    repaired;  /* it was repeated, because the first
                                          answer could not be used */
};


/* Sets what all questions of an organization to a model have in common, with
 * `expected` limited by its settings; the rest is 0. */
void judge_llm_call_init(judge_llm_call_t *ask, judge_service_t *service,
    judge_str_t org, const judge_llm_settings_t *settings, size_t model,
    int64_t expected);

void judge_llm_call(judge_llm_call_t *ask);

/* Builds the question early, for a caller that is in a thread anyway.  It is
 * built again if the model meanwhile refused features not in `unsupported`. */
void judge_llm_call_build(judge_llm_call_t *ask, unsigned unsupported);

/* A read() for questions about prompt.item by prompt.rubric. */
judge_rc_e judge_llm_call_verdict(judge_llm_call_t *ask, judge_str_t body);

/* For read(): the tokens used before and those of this answer. */
int64_t judge_llm_call_used(const judge_llm_call_t *ask);


/* --- Many questions ------------------------------------------------------ */

/*
 * Asks language models about stored items, without making evaluations, a few
 * at once.  A question for which the budget has no room stays open, and can be
 * asked later.
 */

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


/* Asks the first questions that are open; over() may be called before this
 * returns.  false: none is open, or memory is out. */
bool judge_llm_survey_ask(judge_llm_survey_t *survey);


#endif /* JUDGE_LLM_CALL_H */
