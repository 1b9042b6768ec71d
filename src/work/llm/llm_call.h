/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * One question to one model: paid for out of the organization's budget,
 * asked without what its server was seen to refuse, and once more when the
 * answer can't be used.  The caller has the functions that write the
 * question and read its answer.
 */


#ifndef JUDGE_LLM_CALL_H
#define JUDGE_LLM_CALL_H


#include "base/net/retry.h"
#include "analysis/llm/provider_error.h"
#include "analysis/llm/reply.h"
#include "work/service/budget.h"
#include "work/service/service.h"


typedef enum {
    JUDGE_LLM_CALL_ANSWERED,
    JUDGE_LLM_CALL_FAILED,             /* this model won't do it */
    JUDGE_LLM_CALL_TRANSIENT,          /* it may later */
    JUDGE_LLM_CALL_UNPAID,             /* the budget is used up for now */
    JUDGE_LLM_CALL_LATE,               /* the deadline has passed */
    JUDGE_LLM_CALL_STOPPED,            /* the worker leaves */
    JUDGE_LLM_CALL_FAULT               /* of the service itself */
} judge_llm_call_outcome_e;

typedef struct judge_llm_call  judge_llm_call_t;

/* All of it stays in place until done() is called, on the event loop, once. */
struct judge_llm_call {
    judge_service_t        *service;
    judge_arena_t          *arena;     /* of this question alone */
    judge_str_t             org;
    size_t                  model;     /* of settings.models */
    judge_budget_limits_t   limits;
    judge_ms_t              deadline;
    int64_t                 expected;  /* tokens of the answer, roughly */
    judge_prompt_t          prompt;    /* `unsupported` and `refused_...`
                                          are set here */

    /* Both in a thread.  build() sets body and tokens, JUDGE_INVALID: this
     * can't be asked.  read() reads the answer and sets what follows. */
    judge_rc_e            (*build)(judge_llm_call_t *ask);
    judge_rc_e            (*read)(judge_llm_call_t *ask, judge_str_t answer);
    void                  (*done)(judge_llm_call_t *ask);
    void                   *data;

    judge_str_t             body;
    int64_t                 tokens;    /* of body, roughly */

    judge_reply_outcome_e   reply;
    judge_str_t             reason;
    judge_str_t             start;     /* of the answer */
    int64_t                 total_tokens;      /* negative: unsaid */

    judge_llm_call_outcome_e     outcome;  /* out, all of these */
    const char                  *code;  /* unless answered: for the record */
    judge_str_t                  message;
    judge_attempt_t              attempt;
    judge_ms_t                   wait;  /* until the budget has room */
    int64_t                      used;  /* tokens, of all that was asked */

    judge_task_t            task;      /* internal from here on */
    judge_call_t            call;
    judge_provider_error_t  error;
    judge_rc_e              rc;
    bool                    built;     /* by the asker, beforehand */
    int64_t                 paid;
    unsigned                again;     /* repeats without a feature */
    bool                    repaired;
};


void judge_llm_call(judge_llm_call_t *ask);

/* Who is in a thread anyway may build the first question there, with what the
 * model's server was known to lack; it is built again if more is known. */
void judge_llm_call_build(judge_llm_call_t *ask, unsigned unsupported);

/* In read(): the tokens of all that was asked, with this answer. */
int64_t judge_llm_call_used(const judge_llm_call_t *ask);


#endif /* JUDGE_LLM_CALL_H */
