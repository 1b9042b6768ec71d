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
#define JUDGE_NGRAM_VERSION  1

/* Raised when models are learned in another way: those before it are not
 * applied, and judges say so. */
#define JUDGE_LEARNER_VERSION  3

typedef struct judge_predictor  judge_predictor_t;

/*
 * In `arena`, with a copy of the bytes.  NULL: there is no memory, or they
 * are not a model (damaged, or of a newer program).
 */
judge_predictor_t *judge_predictor_read(judge_arena_t *arena,
    judge_str_t bytes);

size_t judge_predictor_features(const judge_predictor_t *model);
size_t judge_predictor_targets(const judge_predictor_t *model);

/*
 * Predicts every target, 0 to 100.  features as many as the model has, raw
 * the engine's scores as many as targets; text may be absent.  scratch is
 * judge_predictor_scratch() floats.
 */
void judge_predictor_predict(const judge_predictor_t *model,
    const float *features, const float *raw, judge_str_t text,
    float *scratch, float *out);
size_t judge_predictor_scratch(const judge_predictor_t *model);

/* Of the items whose predictions lie within their spread. */
#define JUDGE_PREDICTOR_COVERAGE  0.9

/*
 * How unlike the items learned from an item is: the mean square of the normal
 * scores that its features have among theirs, about 1 for one of them.  0: not
 * known.  features and scratch as given to judge_predictor_predict(), and as
 * left by it.  docs/quality.md says what lies beyond ..._NOVEL.
 */
#define JUDGE_PREDICTOR_NOVEL  2.0f

float judge_predictor_novelty(const judge_predictor_t *model,
    const float *features, const float *scratch);

/*
 * The features that moved a prediction most, largest first: indexes and
 * points, with the sign.  Returns how many, at most n.  scratch as left by
 * judge_predictor_predict().
 */
size_t judge_predictor_reasons(const judge_predictor_t *model, size_t target,
    const float *scratch, size_t n, size_t *features, float *points);


#endif /* JUDGE_PREDICTOR_H */
