/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The few-shot trial: whether items that people have scored, as examples in
 * the prompt, help a language model.  It is asked again about some of the
 * items held out, with examples out of the others, a few questions at a time.
 * For the files of training.
 */


#ifndef JUDGE_TRAINING_FEWSHOT_H
#define JUDGE_TRAINING_FEWSHOT_H


#include "analysis/llm/fewshot.h"
#include "store/store_settings.h"
#include "work/llm/llm_call.h"
#include "work/training/training_state.h"


#define JUDGE_TRAINING_QUESTIONS  4    /* under way at once */

typedef struct {
    judge_llm_call_t         ask;
    judge_training_state_t  *run;
    size_t                   at;       /* of those to ask about */
    judge_item_t             item;
    judge_prompt_request_t   request;
    judge_reply_t            reply;
} judge_training_question_t;

struct judge_training_fewshot {
    judge_settings_find_t       settings;
    judge_reason_list_t         reasons;  /* of the pool, then of `item` */
    judge_queue_load_t          load;
    judge_job_t                *jobs;  /* by what is asked about */
    size_t                     *item;  /* of the run, to ask about */
    size_t                      nitems;
    size_t                     *from;  /* of the run: the pool */
    size_t                      npool;
    judge_fewshot_t            *examples;
    judge_fewshot_pool_t       *pool;  /* NULL: no item is fit to be one */
    judge_rubric_t              rubric;
    size_t                     *target;  /* by criterion of the rubric */
    judge_training_question_t   questions[JUDGE_TRAINING_QUESTIONS];
    size_t                      nquestions;
    size_t                      pending;
    judge_ms_t                  begun_at;
};


#endif /* JUDGE_TRAINING_FEWSHOT_H */
