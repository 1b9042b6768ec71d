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


/*
 * What a request does: request() fills in what the engines are asked for,
 * builtin() runs in a thread and finds the built-in result, and where there is
 * nothing to ask a model for empties the order; build() and read() run in a
 * thread, too, with the request as their data.
 */
typedef struct {
    void        (*request)(judge_req_t *r);
    judge_rc_e  (*builtin)(judge_req_t *r);
    judge_rc_e  (*build)(judge_llm_call_t *ask);
    judge_rc_e  (*read)(judge_llm_call_t *ask, judge_str_t answer);
    void        (*answer)(judge_req_t *r);
} judge_assist_steps_t;

/* What the requests have in common; their contexts begin with it. */
typedef struct {
    const judge_assist_steps_t  *steps;
    judge_model_choice_t    choice;
    judge_llm_order_t       order;     /* empty: built-in only */
    judge_rc_e              rc;        /* of the built-in engine */
    judge_str_t             error;
    judge_ms_t              deadline;
    size_t                  turn;      /* in order */
    int64_t                 used;      /* tokens, of all models */
    judge_str_t             failure;   /* of the first model */
    judge_llm_call_t        ask;
    judge_prompt_request_t  asked;
    judge_reply_t           reply;
    bool                    answered;  /* a model's result is taken */
} judge_assist_t;


/* Runs the built-in engine, then calls one model after the other until one has
 * answered, then answers; the last call of a step. */
void judge_assist_run(judge_req_t *r, const judge_assist_steps_t *steps);

/* In read(): copies the outcome of the reply into the call. */
void judge_assist_report(judge_llm_call_t *ask);

/* Why the result is not that of the first model; absent: it is, or none was
 * called. */
judge_str_t judge_assist_fallback(judge_req_t *r);

/* An array of strings, with `last` behind them unless it is absent. */
void judge_assist_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n, judge_str_t last);


#endif /* JUDGE_ASSIST_CALL_H */
