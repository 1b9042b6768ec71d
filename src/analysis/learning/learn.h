/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Learns how people score: a model predicts people's scores from the features
 * of an item and the engine's raw scores.  It is the sum of
 *
 *     a line over the raw score of each target, and, from 40 items on or
 *     where the target has no raw score, a ridge regression (Hoerl &
 *     Kennard 1970) of the line's residuals on the features, each in spreads
 *     from its mean, and on hashed words and pairs of words.
 *
 * A model is always learned from all items anew.  The learner knows how many
 * features there are, but not what they mean.  The same input gives the same
 * bits.
 */


#ifndef JUDGE_LEARN_H
#define JUDGE_LEARN_H


#include "base/core/str.h"


#define JUDGE_LEARN_TARGETS  65        /* criteria and the overall score */

/* Scores are 0 to 100.  The arrays must outlive the learner. */
typedef struct {
    size_t              nitems;
    size_t              nfeatures;
    size_t              ntargets;      /* 1 to JUDGE_LEARN_TARGETS */
    const float        *features;      /* nitems x nfeatures; not finite:
                                          taken as 0 */
    const float        *raw;           /* the engine's scores: nitems x
                                          ntargets; not finite: none */
    const float        *target;        /* people's scores: nitems x ntargets;
                                          NaN: none */
    const float        *weight;        /* of those: nitems x ntargets */
    const judge_str_t  *texts;         /* NULL: none; items may have none */
    const uint32_t     *group;         /* by item, a hash; a group is held out
                                          as a whole */
    const uint8_t      *fold;          /* by item, for judge_learner_begin();
                                          may be NULL */
} judge_learn_set_t;

/* An epoch is one pass of a search over this many hyperparameters: the prior
 * variances of the weights of features and of n-grams. */
#define JUDGE_LEARN_PARTS  2

typedef struct {
    size_t         epochs;             /* at most; 1 to 10,000 */
    size_t         patience;           /* stop after so many epochs without
                                          gain on held-out items; 0: never,
                                          not even when converged */
    bool           calibrate_only;     /* only the line is learned */
    const uint8_t *frozen;             /* by target: nothing is learned of it;
                                          may be NULL */
} judge_learn_options_t;

/* Where the search stands; a copy of it is a checkpoint. */
typedef struct {
    size_t  epoch;                     /* epochs done */
    size_t  epochs;
    double  training_loss;             /* -ln of the marginal likelihood, per
                                          score */
    double  validation_loss;           /* that of held-out items; NaN: there
                                          are none */
    size_t  best;                      /* the epoch of least validation loss */
    double  best_loss;
    bool    done;
    bool    stopped_early;             /* patience ran out */
    uint8_t step[JUDGE_LEARN_PARTS];   /* the hyperparameters, on a grid */
    uint8_t best_step[JUDGE_LEARN_PARTS];        /* those of the best epoch */
} judge_learn_progress_t;

typedef struct judge_learner  judge_learner_t;

/*
 * Computes all that needs no epochs, and begins to learn from all items.
 * Returns JUDGE_OK, JUDGE_NOMEM or JUDGE_INVALID (no items, say).  The learner
 * is on the heap until it is destroyed.
 */
judge_rc_e judge_learner_create(const judge_learn_set_t *set,
    const judge_learn_options_t *options, judge_learner_t **learner);
void judge_learner_destroy(judge_learner_t *learner);    /* NULL is allowed */

#define JUDGE_LEARN_ALL  SIZE_MAX      /* leaves no fold out */

/* Begins to learn anew, without the scores of a fold; or goes on from where a
 * learner of the same set, options and fold stood.  `from` may be NULL, and is
 * ignored where its steps are not on the grid. */
void judge_learner_begin(judge_learner_t *learner, size_t without,
    const judge_learn_progress_t *from);

/* Learns for one epoch, unless that is done; returns JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_learner_epoch(judge_learner_t *learner,
    judge_learn_progress_t *progress);

/* Appends the model as bytes for judge_predictor_read(): the one of the last
 * epoch, or of the best where training stopped early. */
judge_rc_e judge_learner_model(judge_learner_t *learner, judge_buf_t *out);


/* --- What was learned ---------------------------------------------------- */

/* The bytes of a model are stored with a version of a judge. */

/* Raised when the n-grams of a text, their buckets or weights change. */
#define JUDGE_NGRAM_VERSION  2

/* Raised when the learning changes: models of an earlier version are not
 * applied, which the API reports of their judges. */
#define JUDGE_LEARNER_VERSION  5

typedef struct judge_predictor  judge_predictor_t;

/* Reads a copy of the bytes, in `arena`.  NULL: there is no memory, or the
 * bytes are not a model (damaged, or of another program). */
judge_predictor_t *judge_predictor_read(judge_arena_t *arena,
    judge_str_t bytes);

size_t judge_predictor_features(const judge_predictor_t *model);
size_t judge_predictor_targets(const judge_predictor_t *model);

/*
 * Predicts every target, 0 to 100.  features has judge_predictor_features()
 * numbers, raw the engine's score of each target; text may be absent; scratch
 * has room for judge_predictor_scratch() floats, and gets the inputs of the
 * regression.
 */
void judge_predictor_predict(const judge_predictor_t *model,
    const float *features, const float *raw, judge_str_t text,
    float *scratch, float *out);
size_t judge_predictor_scratch(const judge_predictor_t *model);

/* The share of predictions whose interval holds the person's score. */
#define JUDGE_PREDICTOR_COVERAGE  0.9

/* From this on, an item is unlike those of the training. */
#define JUDGE_PREDICTOR_NOVEL  2.0f

/* Returns the mean square of the distances of an item's features from their
 * means, in spreads: about 1 for a training item; 0: too few features vary to
 * tell.  features and scratch are those of judge_predictor_predict(). */
float judge_predictor_novelty(const judge_predictor_t *model,
    const float *features, const float *scratch);

/* Sets indexes and signed points of the features that moved a prediction most,
 * the farthest first.  Returns how many, at most n.  scratch is as
 * judge_predictor_predict() left it. */
size_t judge_predictor_reasons(const judge_predictor_t *model, size_t target,
    const float *scratch, size_t n, size_t *features, float *points);


#endif /* JUDGE_LEARN_H */
