/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Comparing pairs of texts by a language model.  One worker claims a batch
 * whose evaluations have ended, and works on several of its items at once: it
 * reads the stored answers, asks about the pair that it needs next to sort the
 * texts, in both orders at once, stores each answer, and so on.  A question
 * whose answer is stored is not asked again.
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


#define JUDGE_PAIR_ITEMS  4            /* items of a run at once */

typedef struct judge_pair_run   judge_pair_run_t;
typedef struct judge_pair_item  judge_pair_item_t;

/* A question: one order of a pair. */
typedef struct {
    judge_llm_call_t        call;
    judge_pair_item_t      *item;
    const judge_item_t     *shown[2];
    int8_t                 *signs;     /* by criterion that is asked for */
    judge_pair_create_t     create;
    size_t                  model;     /* index in item->models */
    int64_t                 calls;     /* to models that failed before */
    int64_t                 tokens;    /* of these calls */
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
    size_t                   current;  /* index in judges */
    judge_rubric_t           rubric;
    judge_rubric_t           asked;    /* the criteria that models judge */
    size_t                  *asked_index;        /* of these, in the rubric */
    judge_scope_e            scope;
    judge_panel_t            panel;
    int64_t                  next;     /* item */
    judge_pair_item_t       *items[JUDGE_PAIR_ITEMS];
    int64_t                  calls_left;
    judge_ms_t               deadline;
    judge_ms_t               retry_at; /* the earliest time; 0: nothing is to
                                          be retried */
    judge_pairs_lease_t      lease;
    judge_ms_t               prolonged;
    bool                     prolonging;
    bool                     failed;   /* a call failed that may succeed
                                          later */
    bool                     lost;     /* another worker has claimed the batch,
                                          or it was deleted */
    bool                     ending;   /* nothing new is begun */
    bool                     ended;    /* nothing is under way but _prolong()
                                          */
    bool                     filling;
    judge_task_t             task;
    judge_rc_e               rc;
    judge_pair_run_t        *next_run;
    void                   (*over)(judge_pair_run_t *run);
};

/* Works on an item; item->over() is called once, on the event loop. */
void judge_pair_item_begin(judge_pair_item_t *item);

/* The extension's work beside requests. */
bool judge_pair_runs_create(judge_service_t *service);
void judge_pair_runs_destroy(judge_service_t *service);
void judge_pair_runs_tick(judge_service_t *service);
void judge_pair_runs_stop(judge_service_t *service);
bool judge_pair_runs_busy(judge_service_t *service);


extern const judge_extension_t  judge_extension_compare;


#endif /* JUDGE_PAIR_RUN_H */
