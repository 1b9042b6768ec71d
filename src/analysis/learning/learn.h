/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Learning how people score: from items with features, the engine's raw
 * scores and the people's scores, a model that maps the first two to the
 * third,
 *
 *     a line over its raw score for each target, and from 40 items on
 *     a ridge regression (Hoerl & Kennard 1970) of what that leaves over, on
 *     the features, brought to normal shape, and on hashed word n-grams
 *     weighted by tf-idf.
 *
 * It is always learned from all items anew.  What is known of the features is
 * their number: their names and identity are whose who measures.
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
    const float        *raw;           /* nitems x ntargets; not finite: the
                                          engine gave none */
    const float        *target;        /* nitems x ntargets; NaN: not known */
    const float        *weight;        /* nitems x ntargets; 0: not known */
    const judge_str_t  *texts;         /* NULL: none; absent ones allowed */
    const uint32_t     *group;         /* items of a group stay together;
                                          spread evenly over 32 bits */
} judge_learn_set_t;

/* An epoch is a pass of the ascent over the two amplitudes: how strongly
 * features and words count. */
typedef struct {
    size_t         epochs;             /* at most, 1 to 10,000 */
    size_t         patience;           /* epochs without a gain on items held
                                          out; 0: all epochs are made, also
                                          when nothing moves */
    bool           calibrate_only;     /* the line, no more */
    const uint8_t *frozen;             /* per target: not learned; NULL: all
                                          are */
} judge_learn_options_t;

typedef struct {
    size_t  epoch;                     /* that are done */
    size_t  epochs;
    double  training_loss;             /* -ln of the marginal likelihood, a
                                          score */
    double  validation_loss;           /* of items that amplitudes are not
                                          found by; NaN: there are none */
    size_t  best;                      /* epoch with the least of it */
    bool    done;
    bool    stopped_early;             /* for want of patience */
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

/* The model as of the last epoch, or where it stopped early the best, as
 * bytes for judge_predictor_read(). */
judge_rc_e judge_learner_model(judge_learner_t *learner, judge_buf_t *out);


#endif /* JUDGE_LEARN_H */
