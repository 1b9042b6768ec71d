/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A language model that helps while a client waits.  The built-in way always
 * runs first; where a model is wanted it is asked next, then those that the
 * organization falls back to.  When none can be used the built-in result
 * stays, and says so.
 */


#ifndef JUDGE_ASSIST_CALL_H
#define JUDGE_ASSIST_CALL_H


#include "analysis/llm/assist_prompt.h"
#include "api/evaluations/model_choice.h"
#include "work/llm/llm_catalog.h"
#include "work/llm/llm_call.h"


/* What the requests have in common; their contexts begin with it. */
typedef struct {
    judge_model_choice_t    choice;
    judge_llm_order_t       order;     /* empty: the built-in way */
    judge_rc_e              rc;        /* of the built-in way */
    judge_str_t             error;
    judge_step_pt           answer;
    judge_ms_t              deadline;
    size_t                  turn;      /* in order */
    int64_t                 used;      /* tokens, of all models */
    judge_str_t             failure;   /* of the first model */
    judge_llm_call_t        ask;
    judge_prompt_request_t  asked;
    judge_reply_t           reply;
    bool                    answered;  /* a model's result is taken */
} judge_assist_t;


/* Reads the settings; the last call of a step. */
void judge_assist_begin(judge_req_t *r, judge_step_pt next);

/* Afterwards: who is asked.  false: it has answered. */
bool judge_assist_chosen(judge_req_t *r);

/* Whether the built-in way had a result; false: it has answered. */
bool judge_assist_fine(judge_req_t *r);

/* Asks one after the other until one has answered, then calls answer().  Both
 * build() and read() run in a thread; their data is the request, which is
 * held meanwhile. */
void judge_assist_call(judge_req_t *r,
    judge_rc_e (*build)(judge_llm_call_t *ask),
    judge_rc_e (*read)(judge_llm_call_t *ask, judge_str_t answer),
    judge_step_pt answer);

/* In read(): what the reply was. */
void judge_assist_report(judge_llm_call_t *ask);

/* Why the result is not that of the model that was wanted; absent: it is, or
 * none was asked. */
judge_str_t judge_assist_fallback(judge_req_t *r);


#endif /* JUDGE_ASSIST_CALL_H */
