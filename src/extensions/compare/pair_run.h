/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Asking a language model for pairs.  A batch whose evaluations have ended is
 * claimed by one worker, which works on several of its items at once: it reads
 * what was answered so far, asks for the pair that the order needs next, in
 * both orders at once, stores each answer as it comes, and so on.  What was
 * answered is never asked again.
 */


#ifndef JUDGE_PAIR_RUN_H
#define JUDGE_PAIR_RUN_H


#include "store/store_settings.h"
#include "analysis/builtin/conversation.h"
#include "analysis/llm/pair.h"
#include "analysis/llm/panel.h"
#include "extensions/compare/paired.h"
#include "work/llm/llm_call.h"
#include "work/llm/llm_catalog.h"
#include "work/service/extension.h"


#define JUDGE_PAIR_ITEMS  4            /* of a run at once */

typedef struct judge_pair_run   judge_pair_run_t;
typedef struct judge_pair_item  judge_pair_item_t;

/* A question: one order of a pair. */
typedef struct {
    judge_llm_call_t        call;
    judge_pair_item_t      *item;
    const judge_item_t     *shown[2];
    int8_t                 *signs;     /* by criterion that is asked for */
    judge_pair_create_t     keep;
    size_t                  turn;      /* index in the order of models */
    int64_t                 calls;     /* questions to the models before */
    int64_t                 tokens;    /* of these */
    bool                    wanted;
} judge_pair_ask_t;

struct judge_pair_item {
    judge_pair_run_t           *run;
    judge_arena_t              *arena;
    int64_t                     number;
    judge_compared_item_t       texts;
    judge_comparison_scores_t   scores;
    judge_pair_list_t           list;
    judge_paired_t              pairs;
    judge_paired_order_t        order;
    judge_item_t                items[JUDGE_COMPARED_MAX];
    judge_llm_order_t           models;
    judge_pair_ask_t            asks[2];
    size_t                      pending;
    judge_task_t                task;
    judge_rc_e                  rc;
    void                      (*over)(judge_pair_item_t *item);
};

/* A batch that this worker has claimed. */
struct judge_pair_run {
    judge_pairs_claim_t      claim;    /* first: see judge_service_op() */
    judge_service_t         *service;
    judge_arena_t           *arena;
    judge_compared_batch_t   batch;
    judge_settings_find_t    settings;
    judge_pairs_judge_t      judge;
    judge_str_t             *judges;
    int64_t                 *versions;
    size_t                   njudges;
    size_t                   at;       /* the judge */
    judge_rubric_t           rubric;
    judge_rubric_t           asked;    /* the criteria that models judge */
    size_t                  *of;       /* their indexes in the rubric */
    judge_scope_e            scope;
    judge_panel_t            panel;
    int64_t                  next;     /* item */
    judge_pair_item_t       *items[JUDGE_PAIR_ITEMS];
    int64_t                  left;     /* questions */
    judge_ms_t               deadline;
    judge_ms_t               again;    /* the earliest time of a repetition;
                                          0: nothing is to be repeated */
    judge_pairs_lease_t      lease;
    judge_ms_t               prolonged;
    bool                     prolonging;
    bool                     failed;   /* a question did, which may be
                                          repeated */
    bool                     lost;     /* another worker has it, or it is
                                          gone */
    bool                     ending;
    bool                     filling;
    judge_task_t             task;
    judge_rc_e               rc;
    judge_pair_run_t        *following;
    void                   (*over)(judge_pair_run_t *run);
};

/* Works on an item; over() is called in the end, once, on the loop. */
void judge_pair_item_begin(judge_pair_item_t *item);

/* The extension's work beside requests. */
bool judge_pair_runs_create(judge_service_t *service);
void judge_pair_runs_destroy(judge_service_t *service);
void judge_pair_runs_tick(judge_service_t *service);
void judge_pair_runs_stop(judge_service_t *service);
bool judge_pair_runs_busy(judge_service_t *service);


extern const judge_extension_t  judge_extension_compare;


#endif /* JUDGE_PAIR_RUN_H */
