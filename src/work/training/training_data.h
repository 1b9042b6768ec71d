/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* People's feedback on the scores of a judge, together with the evaluations'
 * features: read from the store page by page, and merged in a thread.  It is
 * used for training and to measure agreement. */


#ifndef JUDGE_TRAINING_DATA_H
#define JUDGE_TRAINING_DATA_H


#include "store/store_feedback.h"
#include "store/store_training.h"
#include "work/service/service.h"


typedef struct {
    judge_id_t   evaluation;
    judge_str_t  name;                 /* the content's; not with_texts */
    judge_str_t  text;                 /* absent: none, or not requested */
    judge_str_t  slice;                /* absent: none, or not requested */
    judge_str_t  features;             /* floats, in native order; likewise */
    bool         stale;                /* its features are not those that this
                                          build measures */
    uint32_t     group;                /* hash of the source, or else of the
                                          text: items with the same one must
                                          not be split between folds */
    const char  *engine;               /* of judge_calibrator_engines */
    uint8_t      language;             /* of the text: language.h */
    int64_t      version;              /* the judge's */
    bool         review;               /* a review was recommended */
    bool         decided;              /* the judge may escalate to a model */
    float        builtin;              /* the overall score before it was
                                          escalated; else NaN */
    judge_ms_t   first_at;             /* first feedback on it */
    judge_ms_t   last_at;
} judge_training_item_t;

typedef struct judge_training_data  judge_training_data_t;

struct judge_training_data {
    /* In; strings must stay in place until done(). */
    judge_service_t      *service;
    judge_str_t           org;
    judge_str_t           judge_id;
    const judge_str_t    *criteria;    /* ids; others are ignored */
    size_t                ncriteria;
    judge_ms_t            until;       /* 0: all */
    judge_str_t           batch_id;    /* absent: in any batch or none */
    judge_str_t           after;       /* only evaluations with greater ids, */
    judge_str_t           before;      /* and smaller ones; absent: all */
    int64_t               newest;      /* reads so many of the newest; 0: the
                                          oldest `most` */
    size_t                most;
    bool                  with_texts;  /* read texts and features */
    judge_str_t           slice;       /* member of the metadata whose strings,
                                          numbers and booleans are read as
                                          text; absent: none */
    const judge_str_t    *members;     /* names of models of a panel, whose
                                          own scores are read; NULL: none */
    size_t                nmembers;
    judge_rc_e          (*measure)(judge_training_data_t *data, size_t item,
                                   const judge_taught_t *row);
                                       /* in a thread: measures a stale item
                                          again; NULL: it stays stale */
    bool                (*stopped)(const judge_training_data_t *data);
                                       /* asked before each page, whether to
                                          end with JUDGE_STALE; or NULL */
    void                (*done)(judge_training_data_t *data);
    void                 *data;

    /* Out; freed by judge_training_data_free(). */
    judge_rc_e              rc;
    bool                    cut;       /* there may be more items */
    size_t                  n;
    size_t                  nstale;    /* items that stayed stale */
    size_t                  remeasured;          /* items measured again */
    judge_training_item_t  *items;
    size_t                  ntargets;  /* ncriteria + 1, the overall score */
    float                  *raw;       /* n x ntargets: the engine's scores */
    float                  *shown;     /* likewise: the given scores */
    float                  *target;    /* likewise: people's; NaN: none */
    float                  *weight;
    float                  *corrected; /* likewise: the mean of corrections */
    float                  *panel;     /* n x nmembers x ncriteria: members' */

    /* Private. */
    size_t                 room;
    judge_arena_t         *texts;
    judge_arena_t         *measures;   /* holds the features */
    judge_arena_t         *page;
    judge_example_start_t  start;
    judge_example_list_t   list;
    judge_task_t           task;
    judge_id_t             last;       /* last one of the previous page */
};

/* Calls done() once, on the loop; data->rc is the outcome. */
void judge_training_data_gather(judge_training_data_t *data);
void judge_training_data_free(judge_training_data_t *data);

/* An array of the items' groups; NULL: out of memory. */
uint32_t *judge_training_data_groups(judge_arena_t *arena,
    const judge_training_data_t *data);

/* The scores that this member gave to the item, by criterion; NaN: none. */
const float *judge_training_data_member(const judge_training_data_t *data,
    size_t item, size_t member);

/* The overall score that people gave to the item: their own one, or else the
 * given one, changed by the weighted mean of their corrections of criteria.
 * NaN: it was not scored.  scores: people's, a row as in `target`. */
float judge_training_data_people(const judge_training_data_t *data,
    size_t item, const float *scores, const double *weights);

/* Frees only the features, after they have been copied. */
void judge_training_data_free_features(judge_training_data_t *data);


#endif /* JUDGE_TRAINING_DATA_H */
