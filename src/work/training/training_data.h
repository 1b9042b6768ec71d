/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The feedback of people on the scores of a judge, gathered with what was
 * measured of the evaluations: page by page out of the store, put together in
 * a thread.  What training learns from, and what agreement is seen in. */


#ifndef JUDGE_TRAINING_DATA_H
#define JUDGE_TRAINING_DATA_H


#include "store/store_feedback.h"
#include "store/store_training.h"
#include "work/service/service.h"


#define JUDGE_TRAINING_DATA_ENGINES  4

typedef struct {
    judge_id_t   evaluation;
    judge_str_t  name;                 /* of the content; absent with texts */
    judge_str_t  text;                 /* absent: none, or none wanted */
    judge_str_t  slice;                /* absent: none, or none wanted */
    judge_str_t  features;             /* floats of this machine; likewise */
    bool         stale;                /* it has features that are not what
                                          this build measures */
    uint32_t     group;                /* same for what belongs together: for
                                          texts from the same source, else
                                          for the same text */
    size_t       engine;               /* index */
    int64_t      version;              /* of the judge */
    bool         decided;              /* by choice: its judge asks a model
                                          where it is not sure */
    float        builtin;              /* where that was asked, the overall
                                          score before; else NaN */
    judge_ms_t   first_at;             /* of the feedback on it */
    judge_ms_t   last_at;
} judge_training_item_t;

typedef struct judge_training_data  judge_training_data_t;

struct judge_training_data {
    /* In; strings stay in place. */
    judge_service_t      *service;
    judge_str_t           org;
    judge_str_t           judge_id;
    const judge_str_t    *criteria;    /* identifiers; others are left out */
    size_t                ncriteria;
    judge_ms_t            since;       /* 0: all */
    judge_ms_t            until;       /* 0: all */
    int64_t               newest;      /* evaluations at most */
    bool                  with_texts;  /* and features */
    judge_str_t           slice;       /* a member of the metadata: texts,
                                          numbers and booleans are wanted,
                                          as text; absent: none */
    void                (*done)(judge_training_data_t *data);
    void                 *data;

    /* Out; on the heap until _free(). */
    judge_rc_e              rc;
    bool                    cut;       /* there are more than `newest` */
    size_t                  n;
    judge_training_item_t  *items;
    size_t                  ntargets;  /* ncriteria and the overall score */
    float                  *raw;       /* n x ntargets, of the engine */
    float                  *shown;     /* likewise, as they were given */
    float                  *target;    /* likewise; NaN: no feedback */
    float                  *weight;
    char                    engines[JUDGE_TRAINING_DATA_ENGINES][16];
    size_t                  nengines;

    /* Its own. */
    size_t                 room;
    judge_arena_t         *texts;
    judge_arena_t         *measures;   /* features */
    judge_arena_t         *page;
    judge_example_start_t  start;
    judge_example_list_t   list;
    judge_measured_list_t measured;
    judge_task_t          task;
    judge_id_t            last_evaluation;
    judge_id_t            last_criterion;
};

/* Calls done() once, on the loop; rc says how it ended. */
void judge_training_data_gather(judge_training_data_t *data);
void judge_training_data_free(judge_training_data_t *data);

/* The groups of the items, one behind the other; NULL: no memory. */
uint32_t *judge_training_data_groups(judge_arena_t *arena,
    const judge_training_data_t *data);

/* The features only, when they have been copied. */
void judge_training_data_free_features(judge_training_data_t *data);


#endif /* JUDGE_TRAINING_DATA_H */
