/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One question to a model of nginx.conf, as chat completions have it, whose
 * answer is taken as text; or to a judge, whose answer is a score. */


#ifndef JUDGE_OPENAI_ASK_H
#define JUDGE_OPENAI_ASK_H


#include "store/store_settings.h"
#include "work/llm/llm_call.h"


#define JUDGE_OPENAI_EXPECTED  500     /* tokens of an answer, roughly */

typedef struct {
    int64_t  prompt;
    int64_t  completion;
    int64_t  total;
    int64_t  cached;
} judge_openai_usage_t;

/* What is asked, and what came of it. */
typedef struct {
    const void            *of;         /* the grader that asks, or NULL */
    judge_str_t            model;      /* its name in nginx.conf */
    judge_str_t            messages;   /* JSON: an array */
    const judge_json_t    *sampling;   /* an object, or NULL; read are
                                          temperature, top_p, seed,
                                          max_completion_tokens,
                                          reasoning_effort */
    judge_str_t            format;     /* response_format, JSON; or absent */
    judge_str_t            judge_id;   /* if it is set: a judge is asked, */
    judge_str_t            input;      /* about this text, */
    judge_str_t            source;     /* beside this; or absent */

    judge_str_t            error;      /* out, as all below: a sentence, why
                                          there is no answer */
    bool                   refused;    /* because the model would not */
    judge_str_t            text;       /* of the model */
    judge_str_t            finish;     /* finish_reason */
    judge_str_t            served;     /* the model's name, by its server */
    judge_openai_usage_t   usage;      /* zeros: it was not given */
    double                 score;      /* of the judge, from 0 to 100 */
} openai_call_t;

typedef struct judge_openai_ask  judge_openai_ask_t;

/* It must stay in place until done() is called, once, on the loop. */
struct judge_openai_ask {
    openai_call_t         *about;
    void                 (*done)(judge_openai_ask_t *ask);
    void                  *data;

    judge_llm_call_t       call;       /* the outcome is for callers, too */
    judge_settings_find_t  find;       /* for a judge, as the next two */
    judge_judge_model_t    judge;
    judge_id_t             id;
};

/* Asks before the deadline.  What comes of it is in `arena`, which nothing
 * else may use meanwhile. */
void judge_openai_ask(judge_openai_ask_t *ask, judge_service_t *service,
    judge_arena_t *arena, judge_str_t org, const judge_budget_limits_t *limits,
    judge_ms_t deadline);


#endif /* JUDGE_OPENAI_ASK_H */
