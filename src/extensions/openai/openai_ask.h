/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One question to a model of nginx.conf, as chat completions have it, whose
 * answer is taken as text. */


#ifndef JUDGE_OPENAI_ASK_H
#define JUDGE_OPENAI_ASK_H


#include "work/llm/llm_call.h"


#define JUDGE_OPENAI_EXPECTED  500     /* tokens of an answer, roughly */

typedef struct {
    int64_t  prompt;
    int64_t  completion;
    int64_t  total;
    int64_t  cached;
} judge_openai_usage_t;

typedef struct judge_openai_ask  judge_openai_ask_t;

/* It must stay in place until done() is called, once, on the loop. */
struct judge_openai_ask {
    judge_str_t            messages;   /* JSON: an array */
    const judge_json_t    *sampling;   /* an object, or NULL; read are
                                          temperature, top_p, seed,
                                          max_completion_tokens,
                                          reasoning_effort */
    judge_str_t            format;     /* response_format, JSON; or absent */
    void                 (*done)(judge_openai_ask_t *ask);
    void                  *data;

    bool                   answered;   /* out, as all below */
    judge_str_t            error;      /* a sentence, unless answered */
    judge_str_t            text;
    judge_str_t            finish;     /* finish_reason */
    judge_str_t            served;     /* the model's name, by its server */
    judge_openai_usage_t   usage;      /* zeros: it was not given */

    judge_llm_call_t       call;       /* the outcome is for callers, too */
};

/* Asks the model of that index before the deadline; out is in `arena`, which
 * nothing else may use meanwhile. */
void judge_openai_ask(judge_openai_ask_t *ask, judge_service_t *service,
    judge_arena_t *arena, judge_str_t org, size_t model,
    const judge_budget_limits_t *limits, judge_ms_t deadline);


#endif /* JUDGE_OPENAI_ASK_H */
