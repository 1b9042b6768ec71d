/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Calling a language model while a client waits.  The built-in engine always
 * runs first; a model that the request or the organization names is called
 * next, then the organization's fallbacks.  When none can be used the
 * built-in result is the answer, with the reason.
 */


#ifndef JUDGE_ASSIST_CALL_H
#define JUDGE_ASSIST_CALL_H


#include "analysis/llm/assist_prompt.h"
#include "work/llm/llm_call.h"
#include "work/llm/llm_catalog.h"
#include "api/evaluations/model_choice.h"


/* What the requests have in common; their contexts begin with it. */
typedef struct {
    judge_model_choice_t    choice;
    judge_llm_order_t       order;     /* empty: built-in only */
    judge_rc_e              rc;        /* of the built-in engine */
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


/* Reads the settings, to be followed by judge_assist_order(); the last call
 * of a step. */
void judge_assist_begin(judge_req_t *r, judge_step_pt next);

/* Which models are called, and in which order.  false: it has answered. */
bool judge_assist_order(judge_req_t *r);

/* Whether the built-in engine has a result; false: it has answered. */
bool judge_assist_builtin_ok(judge_req_t *r);

/* Calls one model after the other until one has answered, then answer().
 * build() and read() run in a thread; their data is the request, which is
 * held meanwhile. */
void judge_assist_call(judge_req_t *r,
    judge_rc_e (*build)(judge_llm_call_t *ask),
    judge_rc_e (*read)(judge_llm_call_t *ask, judge_str_t answer),
    judge_step_pt answer);

/* In read(): copies the outcome of the reply into the call. */
void judge_assist_report(judge_llm_call_t *ask);

/* Why the result is not that of the first model; absent: it is, or none was
 * called. */
judge_str_t judge_assist_fallback(judge_req_t *r);

/* An array of strings, with `last` behind them unless it is absent. */
void judge_assist_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n, judge_str_t last);


#endif /* JUDGE_ASSIST_CALL_H */
