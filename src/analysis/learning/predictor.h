/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A learned model: reading its bytes, which are stored with a version of a
 * judge, and predicting scores with it.
 */


#ifndef JUDGE_PREDICTOR_H
#define JUDGE_PREDICTOR_H


#include "base/core/str.h"


/* Raised when the n-grams of a text, their buckets or weights change. */
#define JUDGE_NGRAM_VERSION  2

/* Raised when the learning changes: models of an earlier version are not
 * applied, which the API reports of their judges. */
#define JUDGE_LEARNER_VERSION  4

typedef struct judge_predictor  judge_predictor_t;

/*
 * Copies the bytes into `arena`.  NULL: there is no memory, or the bytes are
 * not a model (damaged, or of a newer program).
 */
judge_predictor_t *judge_predictor_read(judge_arena_t *arena,
    judge_str_t bytes);

size_t judge_predictor_features(const judge_predictor_t *model);
size_t judge_predictor_targets(const judge_predictor_t *model);

/*
 * Predicts every target, 0 to 100.  features has judge_predictor_features()
 * values, raw the engine's score of each target; text may be absent; scratch
 * has room for judge_predictor_scratch() floats.
 */
void judge_predictor_predict(const judge_predictor_t *model,
    const float *features, const float *raw, judge_str_t text,
    float *scratch, float *out);
size_t judge_predictor_scratch(const judge_predictor_t *model);

/* The share of predictions whose interval holds the person's score. */
#define JUDGE_PREDICTOR_COVERAGE  0.9

/*
 * How unlike the training items an item is: the mean square of its features'
 * distances, 1 for a training item; 0: too few features to tell.
 * features and scratch as after judge_predictor_predict().
 */
#define JUDGE_PREDICTOR_NOVEL  2.0f

float judge_predictor_novelty(const judge_predictor_t *model,
    const float *features, const float *scratch);

/*
 * The features that changed a prediction most, largest first: their indexes
 * and signed points.  Returns how many, at most n.  scratch is as
 * judge_predictor_predict() left it.
 */
size_t judge_predictor_reasons(const judge_predictor_t *model, size_t target,
    const float *scratch, size_t n, size_t *features, float *points);


#endif /* JUDGE_PREDICTOR_H */
