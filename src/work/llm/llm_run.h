/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One evaluation by language models; for the files of llm only. */


#ifndef JUDGE_LLM_RUN_H
#define JUDGE_LLM_RUN_H


#include "store/store_llm.h"
#include "store/store_settings.h"
#include "work/calibration/calibrator_cache.h"
#include "work/llm/llm_call.h"
#include "work/llm/llm_catalog.h"
#include "work/llm/llm_queue.h"
#include "work/render/evaluation_json.h"


#define JUDGE_LLM_TOGETHER  32         /* evaluations that load at once */

typedef struct judge_llm_group    judge_llm_group_t;
typedef struct judge_llm_run      judge_llm_run_t;

/* A sample: one question to the model whose turn it is. */
typedef struct {
    judge_llm_call_t        ask;
    judge_llm_run_t        *run;
    judge_prompt_request_t  request;
    judge_reply_t           reply;
} judge_llm_shot_t;

struct judge_llm_run {
    judge_llm_queue_t    *queue;
    void                (*release)(judge_llm_run_t *run);  /* it has ended, or
                                          (not stored) was given up: the queue
                                          frees it */
    void                (*ready)(judge_llm_run_t *run);
    judge_service_t      *service;
    judge_arena_t        *arena;
    judge_llm_group_t    *group;
    judge_llm_run_t      *next;        /* of those under way */
    judge_llm_run_t     **prev;
    judge_llm_run_t      *fresh;       /* the next that is not yet loaded */

    judge_ticket_t             ticket;
    judge_job_t                job;
    judge_rubric_t             rubric;
    judge_rubric_t             asked;  /* what the models are asked of it */
    size_t                    *at;     /* the criteria of that in rubric */
    judge_item_t               item;
    judge_prompt_image_t       image;
    judge_call_t               fetch;  /* of a file in a bucket */
    uint8_t                    references[JUDGE_SHA256_LEN];
    judge_failure_t            failure;  /* code NULL: none so far */
    judge_llm_settings_t       llm;
    judge_budget_limits_t      limits;
    judge_settings_find_t      wanted;
    judge_answer_find_t        answer;
    judge_str_t                answer_key;
    judge_calibrator_entry_t  *entry;  /* by the judge; NULL: not held yet */

    judge_llm_order_t     order;
    size_t                turn;        /* in order */
    judge_llm_shot_t     *shots;
    size_t                nshots;      /* samples wanted */
    size_t                pending;     /* shots */
    int64_t               used;        /* tokens */
    bool                  transient; /* one of the models may do it later */
    judge_attempt_t       attempt;     /* how that one failed */

    judge_task_t            task;
    float                  *features;  /* by the built-in engine, of a text */
    size_t                  nfeatures;
    judge_verdict_t         verdict;
    judge_origin_t          origin;
    judge_result_t          result;
    judge_rc_e              rc;
    bool                    concluded; /* the verdict is there */
    bool                    late;      /* nobody is asked any more: the first
                                          score counts */
    bool                    bare;      /* examples made it too long */
    unsigned                unsupported; /* of the first model, as it began */
    judge_queue_finish_t    finish;
    bool                    lost;      /* another worker has the lease */
};

/* Those that are loaded together, in the arena of the operation; gone with the
 * last of them. */
struct judge_llm_group {
    judge_queue_load_t      load;      /* first: see judge_service_op() */
    judge_llm_queue_t      *queue;
    judge_llm_run_t        *runs[JUDGE_LLM_TOGETHER];
    judge_job_t            *jobs[JUDGE_LLM_TOGETHER];
    size_t                  left;
    size_t                  fetching;  /* files, and one more at first */
    judge_task_t            task;
};


/* What a group's texts are measured with, in one thread. */
typedef struct {
    judge_arena_t          *arena;     /* of the scorer */
    judge_arena_t          *scratch;   /* of one text */
    judge_scorer_t         *scorer;
    judge_str_t             judge_id;
    int64_t                 version;
} judge_llm_measure_t;


/* On the loop, when it is loaded: what is wanted of whom; calls ready(). */
void judge_llm_run_want(judge_llm_run_t *run,
    void (*ready)(judge_llm_run_t *run));

/* An image that is in a bucket: done() is called once it is in run->fetch;
 * false: there is none. */
bool judge_llm_run_fetch(judge_llm_run_t *run,
    void (*done)(judge_call_t *call));

/* In a thread: what can be made ready before anybody is asked; a failure, or
 * rc, says why it can't.  measure() takes what training learns from, as the
 * built-in engine measures it; shots() writes the questions. */
void judge_llm_run_prepare(judge_llm_run_t *run);

/* Whether it is a text that is judged; reads what a model is shown. */
bool judge_llm_text(const judge_llm_run_t *run);
judge_rc_e judge_llm_item_load(judge_llm_run_t *run);

void judge_llm_run_measure(judge_llm_run_t *run,
    judge_llm_measure_t *measure);
void judge_llm_run_shots(judge_llm_run_t *run);

/* On the loop; in the end it calls release(). */
void judge_llm_run_begin(judge_llm_run_t *run);

/* Notes why it fails; the caller ends it. */
void judge_llm_refuse(judge_llm_run_t *run, const char *code,
    judge_str_t message);

/* Gives back the samples of a model that has had its turn. */
void judge_llm_shots_free(judge_llm_run_t *run);

/* In a thread: one verdict out of the samples that were answered, at least
 * one, and where it comes from. */
judge_rc_e judge_llm_verdict(judge_llm_run_t *run);

/* The features as they are stored; absent: no memory. */
judge_str_t judge_llm_features(const judge_llm_run_t *run);

/* Digest of what an answer depends on; absent: a fault. */
judge_str_t judge_llm_answer_key(judge_llm_run_t *run);


#endif /* JUDGE_LLM_RUN_H */
