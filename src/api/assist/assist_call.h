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
 * The steps of an endpoint, of which all but the last run in a thread:
 * builtin() finds the built-in result and empties the order of models if none
 * needs to be asked; prompt() makes a model's prompt, read() parses its reply,
 * and keep() makes the answer's result of it, if the reply has one.
 */
typedef struct {
    judge_rc_e  (*builtin)(judge_req_t *r);
    judge_rc_e  (*prompt)(judge_req_t *r, judge_llm_call_t *ask);
    judge_rc_e  (*read)(judge_req_t *r, judge_arena_t *arena,
                        judge_str_t answer);
    judge_rc_e  (*keep)(judge_req_t *r, judge_arena_t *arena);
    void        (*answer)(judge_req_t *r);
} judge_assist_steps_t;

/* The first member of the endpoints' contexts. */
typedef struct {
    const judge_assist_steps_t  *steps;
    judge_model_choice_t    choice;
    judge_settings_find_t   settings;
    judge_llm_order_t       order;     /* empty: built-in only */
    judge_rc_e              rc;        /* of the built-in engine */
    judge_str_t             error;
    judge_ms_t              began;     /* to call models */
    judge_ms_t              deadline;
    size_t                  turn;      /* index in order */
    int64_t                 used;      /* tokens, of all models */
    judge_str_t             failure;   /* of the first model */
    judge_llm_call_t        ask;
    bool                    answered;  /* a model's result is taken */
} judge_assist_t;


/* Runs the built-in engine, calls the models in order until one has answered,
 * and answers the request; must be the last call of a step. */
void judge_assist_run(judge_req_t *r, const judge_assist_steps_t *steps);

/* Why the result does not come from the first model; absent: it does, or no
 * model was called. */
judge_str_t judge_assist_fallback(judge_req_t *r);

/* Writes an array of strings, with `last` appended unless it is absent. */
void judge_assist_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n, judge_str_t last);


#endif /* JUDGE_ASSIST_CALL_H */
