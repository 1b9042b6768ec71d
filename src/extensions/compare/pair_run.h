/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Comparing pairs of texts by a language model.  One worker claims a batch
 * whose evaluations have ended, and works on some of its items at a time: it
 * reads the stored answers, asks about the pair that each item needs next to
 * sort its texts, in both orders at once, stores each answer when it comes,
 * and so on until no item needs another one.  A question whose answer is
 * stored is not asked again.
 */


#ifndef JUDGE_PAIR_RUN_H
#define JUDGE_PAIR_RUN_H


#include "store/store_settings.h"
#include "analysis/builtin/conversation.h"
#include "analysis/llm/pair.h"
#include "analysis/llm/panel.h"
#include "extensions/compare/paired.h"
#include "extensions/compare/scored.h"
#include "work/llm/llm_call.h"
#include "work/llm/llm_catalog.h"
#include "work/service/extension.h"


#define JUDGE_PAIR_ITEMS  8            /* items of a run at once */
#define JUDGE_PAIR_TEXTS  32           /* texts of these, at most */

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
} judge_pair_ask_t;

struct judge_pair_item {
    judge_pair_run_t           *run;
    size_t                      number;
    const judge_batch_scores_row_t  *rows;       /* its texts, by system */
    judge_candidate_t          *compared;        /* by target and system */
    judge_paired_t              pairs;
    judge_paired_order_t        order;
    judge_item_t                items[JUDGE_COMPARED_MAX];
    judge_llm_order_t           models;          /* none: nothing more is asked
                                          in this run */
    judge_pair_ask_t            asks[2];
};

/* A batch that this worker has claimed. */
struct judge_pair_run {
    judge_leased_t             work;     /* first: see leased.h */
    judge_pairs_claim_t      claim;
    judge_compared_batch_t   batch;
    judge_settings_find_t    settings;
    judge_str_t             *judges;
    size_t                   njudges;
    size_t                   current;  /* index in judges */
    judge_rubric_t           rubric;
    judge_rubric_t           asked;    /* the criteria that models judge */
    size_t                  *asked_index;        /* of these, in the rubric */
    judge_scope_e            scope;
    judge_panel_t            panel;
    judge_arena_t           *scratch;  /* memory of all up to items */
    judge_comparison_load_t  load;
    judge_scored_t           scored;
    judge_pair_item_t       *items;    /* those under way, ... */
    size_t                   nitems;
    size_t                   next;     /* the number of the one after them */
    size_t                   asking;   /* questions that were begun together */
    size_t                   pending;  /* of these, and 1 while they begin */
    void                   (*answered)(judge_pair_run_t *run);
    int64_t                  calls_left;
    judge_ms_t               deadline;
    judge_ms_t               retry_at; /* the earliest time; 0: nothing is to
                                          be retried */
    judge_pairs_lease_t      lease;
    judge_pairs_lease_t      renewal;
    bool                     failed;   /* a call failed that may succeed
                                          later */
    bool                     ending;   /* nothing new is begun */
};

/* Steps of a run.  The first two run in a thread, and return JUDGE_OK or
 * JUDGE_NOMEM: _read() takes in what was loaded of the items; _choose() finds
 * the pair that each needs. */
judge_rc_e judge_pair_items_read(judge_leased_t *work);
judge_rc_e judge_pair_items_choose(judge_leased_t *work);

/* Asks about the pairs that the items need; then run->answered() is called
 * once, on the event loop.  run->asking 0: none needs any. */
void judge_pair_items_ask(judge_leased_t *work);

/* Schedules a retry of the run; the earliest time wins. */
void judge_pair_run_retry(judge_pair_run_t *run, judge_ms_t at);

extern const judge_leased_kind_t  judge_pair_runs;


#endif /* JUDGE_PAIR_RUN_H */
