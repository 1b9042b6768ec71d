/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a version of a judge has learned: models of the engine's scores, each
 * about some of the criteria.  A training whose gate takes some criteria only
 * leaves the others to the model that they had.  With it may be items that
 * people have scored, to be shown to a language model.
 *
 * A file of the store, as bytes of this machine, with the criteria that it is
 * about.
 */


#ifndef JUDGE_CALIBRATOR_H
#define JUDGE_CALIBRATOR_H


#include "base/core/id.h"
#include "analysis/builtin/engine.h"
#include "analysis/learning/learn.h"
#include "analysis/learning/predictor.h"
#include "analysis/llm/fewshot.h"
#include "analysis/llm/prompt.h"
#include "work/render/evaluation_json.h"


#define JUDGE_CALIBRATOR_MODELS  8     /* the oldest make room */
#define JUDGE_CALIBRATOR_TEXT  32768   /* bytes of a text that are looked at */
#define JUDGE_CALIBRATOR_ENGINE  16
#define JUDGE_CALIBRATOR_UNKNOWN 50.0  /* the raw score of what is not
                                          judged */

typedef struct {
    char               engine[JUDGE_CALIBRATOR_ENGINE];  /* whose scores */
    uint64_t           inputs;         /* ..._identity() of then */
    bool               current;        /* they are what this build has; as
                                          it was read */
    size_t             nfeatures;
    size_t             ncriteria;
    bool               overall;        /* the overall score is learned, too:
                                          a target behind the criteria */
    size_t               nspreads;     /* held-out items that these are of */
    float                spreads[JUDGE_LEARN_TARGETS];
                                       /* by criterion, the overall one last:
                                          points; 0: not known */
    judge_str_t         *ids;          /* of the criteria */
    judge_predictor_t   *models[JUDGE_CALIBRATOR_MODELS];
    judge_str_t          bytes[JUDGE_CALIBRATOR_MODELS];
    uint8_t              by[JUDGE_LEARN_TARGETS];
                                       /* the model of a target, counted from
                                          1; 0: the engine's score stays */
    size_t             nmodels;        /* 0: only examples are shown */
    size_t             scratch;        /* floats, of the largest */
    judge_fewshot_pool_t *examples;       /* with scores in the order of ids;
                                          NULL: no examples are shown */
    judge_str_t        examples_bytes;
} judge_calibrator_t;

/* The warning of a judge whose calibrator was learned from features that this
 * build measures differently. */
#define JUDGE_CALIBRATOR_CHANGED  "features_changed"
#define JUDGE_CALIBRATOR_CHANGED_MESSAGE                                      \
    "What this judge has learned depends on features that are measured, or"   \
    " learned from, in another way by now, so it is not used; train the"      \
    " judge again."

/*
 * The identity of what a model predicts from: the engine (of the built-in one
 * the version, too), and where anything is measured, the features and the
 * n-grams.  0 is never one that is known.
 */
uint64_t judge_calibrator_inputs(const char *engine, bool measured);

/* The identity of what was learned: of that, and where there are models, of
 * the learner. */
uint64_t judge_calibrator_identity(const char *engine, size_t nmodels,
    size_t nfeatures);

/* The identity of all that this build has, of every engine. */
uint64_t judge_calibrator_engine(void);

/* Whether it is one of this build, of any engine. */
bool judge_calibrator_known(uint64_t identity);

/* Features as they are stored with an evaluation: behind the identity, which
 * is that of the engine where anything is measured.  Absent: no memory. */
judge_str_t judge_calibrator_vector(judge_arena_t *arena, uint64_t inputs,
    const float *features, size_t n);

/* Back; features stay in place, at any address.  false: they are not what
 * this build measures. */
bool judge_calibrator_vector_read(judge_str_t bytes, const char *engine,
    judge_str_t *features);

/* The bytes stay in place, at an address that 16 divides; the rest is in
 * arena.  JUDGE_INVALID: they are not what was written. */
judge_rc_e judge_calibrator_read(judge_arena_t *arena, judge_str_t bytes,
    judge_calibrator_t *calibrator);

/* Appends what _read() reads; of the models and examples only their bytes
 * count. */
void judge_calibrator_write(judge_buf_t *out,
    const judge_calibrator_t *calibrator);

/* Examples as bytes, appended, and back; bytes stay in place.  JUDGE_OK,
 * JUDGE_NOMEM or JUDGE_INVALID. */
void judge_calibrator_fewshot_write(judge_buf_t *out,
    const judge_fewshot_t *items,
    size_t n, size_t ncriteria);
judge_rc_e judge_calibrator_fewshot_read(judge_arena_t *arena,
    judge_str_t bytes,
    size_t ncriteria, judge_fewshot_pool_t **pool);

/*
 * What to show to a model that is to judge a text: none where nothing is
 * shown.  Its scores are those by ids[0 .. nids).  Allocated in arena.  apart:
 * as for judge_fewshot_choose().  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_calibrator_examples(const judge_fewshot_pool_t *pool,
    const judge_str_t *ids, size_t nids, judge_arena_t *arena,
    const judge_rubric_t *rubric, judge_str_t text, const uint32_t *apart,
    judge_prompt_example_t **examples, size_t *n);

/* Scores as many as targets, 0 to 100; scratch has calibrator->scratch floats.
 * raw and out may be the same.  Where the calibrator is not current, raw
 * stays. */
void judge_calibrator_predict(const judge_calibrator_t *calibrator,
    const float *features, const float *raw, judge_str_t text, float *scratch,
    float *out);

/*
 * Brings the verdict of an engine to what was learned: scores, the overall
 * one, and the comments on them; origin gets the interval.  The scores
 * stay as they are where the model is not about these criteria or this
 * engine, and where its inputs are others than this build has: that the
 * summary and the origin state.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_calibrator_apply(const judge_calibrator_t *calibrator,
    judge_arena_t *arena, const char *engine, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict,
    judge_origin_t *origin);

/* States that nothing was applied since the inputs have changed.  JUDGE_OK or
 * JUDGE_NOMEM. */
judge_rc_e judge_calibrator_unused(judge_arena_t *arena,
    judge_verdict_t *verdict, judge_origin_t *origin);


#endif /* JUDGE_CALIBRATOR_H */
