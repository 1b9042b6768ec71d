/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Learning how people score: from items with features, the engine's raw
 * scores and the people's scores, a model that maps the first two to the
 * third.  Per target it is a stack of four parts,
 *
 *     the raw score, mapped linearly,
 *     of at most 600 items a Gaussian process on the features, the factors of
 *     the text's quality and its words; of more
 *     two ridge regressions on the features, brought to normal shape, and
 *     a ridge regression on hashed word n-grams weighted by tf-idf,
 *     gradient-boosted trees on the same (Friedman 2001, with histograms),
 *
 * whose weights are non-negative and found on predictions for items that the
 * parts have not seen (Breiman 1996), drawn towards the Gaussian process, or
 * else the raw score alone, so that few corrections change little.
 *
 * Pure computing: deterministic to the bit for the same input, no files, no
 * clock, no threads of its own.
 */


#ifndef JUDGE_LEARN_H
#define JUDGE_LEARN_H


#include "base/core/str.h"


#define JUDGE_LEARN_TARGETS  65        /* criteria and the overall score */

/* Scores are 0 to 100.  All of it stays in place while it is learned from. */
typedef struct {
    size_t              nitems;
    size_t              nfeatures;
    size_t              ntargets;      /* 1 to JUDGE_LEARN_TARGETS */
    const float        *features;      /* nitems x nfeatures; not finite: 0 */
    const float        *raw;           /* nitems x ntargets */
    const float        *target;        /* nitems x ntargets; NaN: not known */
    const float        *weight;        /* nitems x ntargets; > 0 */
    const judge_str_t  *texts;         /* NULL: none; absent ones allowed */
    const uint32_t     *group;         /* items of a group stay together;
                                          spread evenly over 32 bits */
    bool                text_features; /* of the builtin engine, all */
} judge_learn_set_t;

typedef struct {
    size_t         epochs;             /* 1 to 10,000; trees come in so many
                                          blocks */
    size_t         patience;           /* epochs without a gain; 0: no end */
    double         rate;               /* of the trees, 0.001 to 1; 0: by the
                                          number of items */
    size_t         trees;              /* 0: by the number of items */
    bool           calibrate_only;     /* the raw score's mapping, no more */
    const uint8_t *frozen;             /* per target: not learned; NULL: all
                                          are */
} judge_learn_options_t;

typedef struct {
    size_t  epoch;                     /* that are done */
    size_t  epochs;
    double  training_loss;             /* RMSE over the targets, 0 to 100 */
    double  validation_loss;           /* on items not seen by what predicts */
    size_t  best;                      /* epoch with the least of it */
    bool    done;
    bool    stopped_early;
} judge_learn_progress_t;

typedef struct judge_learner  judge_learner_t;

/*
 * Prepares the parts that need no epochs.  checkpoint is what
 * judge_learner_save() gave for the same set and options, or absent: then it
 * begins.  JUDGE_NOMEM, JUDGE_INVALID (no items, or a checkpoint of another
 * set).  What it allocates is on the heap until it is destroyed.
 */
judge_rc_e judge_learner_create(const judge_learn_set_t *set,
    const judge_learn_options_t *options, judge_str_t checkpoint,
    judge_learner_t **learner);
void judge_learner_destroy(judge_learner_t *learner);    /* NULL is allowed */

/* One epoch. */
judge_rc_e judge_learner_epoch(judge_learner_t *learner,
    judge_learn_progress_t *progress);

/* To go on from, appended. */
void judge_learner_save(const judge_learner_t *learner, judge_buf_t *out);

/* The model as of the best epoch, as bytes for judge_predictor_read(). */
judge_rc_e judge_learner_model(judge_learner_t *learner, judge_buf_t *out);

/*
 * What the model predicted for an item when it had not seen it: NaN where
 * the item was in no fold that was held out.
 */
float judge_learner_unseen(const judge_learner_t *learner, size_t item,
    size_t target);


#endif /* JUDGE_LEARN_H */
