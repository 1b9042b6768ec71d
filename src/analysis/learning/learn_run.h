/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A learner from the inside, for the files of learning only.
 */


#ifndef JUDGE_LEARN_RUN_H
#define JUDGE_LEARN_RUN_H


#include "analysis/learning/learn_parts.h"
#include "analysis/learning/predictor.h"


typedef struct {
    bool           known;              /* some item has a score */
    float          mean;
    judge_line_t   line;
    float         *ridge;              /* NULL: not learned */
    float         *grams;
    judge_tree_t  *trees;              /* room for all of them */
    float         *f;                  /* sum of their predictions, per item */
} judge_run_target_t;

/* One learning of all parts on some of the items. */
typedef struct {
    uint32_t            *use;          /* items to learn from */
    size_t               nuse;
    uint32_t            *out;          /* items held out */
    size_t               nout;
    judge_run_target_t  *targets;
} judge_run_t;

struct judge_learner {
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    judge_input_t           input;
    size_t                  nin;
    float                  *in;        /* nitems x nin */
    uint8_t                *bins;
    judge_ngram_set_t       grams;
    bool                    simple;    /* the line only */
    double                  rate;
    double                  makers;    /* share of the items that count, where
                                          few made them all; else 1 */
    size_t                  trees;     /* in all */
    size_t                  block;     /* in an epoch */
    size_t                  grown;
    size_t                  nfolds;
    uint8_t                *held;      /* the fold of an item */
    judge_run_t            *runs;      /* the first on all items */
    size_t                  nruns;
    float                   stack[JUDGE_PARTS];
    float                  *unseen;    /* nitems x ntargets */
    judge_learn_progress_t  progress;
    double                  best_loss;
    size_t                  best_grown;
    float                   best_stack[JUDGE_PARTS];
    float                  *best_unseen;
};


/* learn_run.c; false: no memory */

bool judge_run_learn(judge_learner_t *l, judge_run_t *run);
void judge_run_free(judge_run_t *run, size_t ntargets);
bool judge_run_grow(judge_learner_t *l, judge_run_t *run, size_t number,
    size_t first, size_t n);
bool judge_run_take(judge_learner_t *l, judge_run_target_t *target,
    const char *trees, size_t n);
void judge_run_replay(judge_learner_t *l, judge_run_t *run, size_t first,
    size_t n);
void judge_run_parts(const judge_learner_t *l, const judge_run_t *run,
    size_t item, size_t target, float parts[JUDGE_PARTS]);

/* learn_stack.c */

void judge_stack_learn(judge_learner_t *l);
void judge_stack_measure(judge_learner_t *l, double *training,
    double *validation);

static inline bool
judge_learn_frozen(const judge_learner_t *l, size_t target)
{
    return l->options.frozen && l->options.frozen[target];
}


#endif /* JUDGE_LEARN_RUN_H */
