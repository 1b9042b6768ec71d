/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a version of a judge has learned: models that map the engine's scores
 * to people's, each for some of the criteria.  If the gate of a training
 * accepts only some criteria, the others keep their previous model.  It may
 * contain items that people have scored, as examples for a language model.
 *
 * It is stored as one blob in this machine's byte order, which names the
 * criteria.
 */


#ifndef JUDGE_CALIBRATOR_H
#define JUDGE_CALIBRATOR_H


#include "base/core/id.h"
#include "analysis/builtin/engine.h"
#include "analysis/learning/learn.h"
#include "analysis/llm/fewshot.h"
#include "analysis/llm/prompt.h"
#include "work/render/evaluation_json.h"


#define JUDGE_CALIBRATOR_MODELS  8     /* at most; the oldest are dropped */
#define JUDGE_CALIBRATOR_TEXT  32768   /* bytes of a text that are used */
#define JUDGE_CALIBRATOR_ENGINE  16

typedef struct {
    char               engine[JUDGE_CALIBRATOR_ENGINE];  /* of the scores */
    uint64_t           inputs;         /* ..._identity() when it was learned */
    bool               current;        /* inputs equal those of this build; set
                                          by _read() */
    size_t             nfeatures;
    size_t             ncriteria;
    bool               overall;        /* the overall score is learned, too; it
                                          is the target after the criteria */
    size_t               nresiduals;   /* held-out items of `residuals` */
    float                residuals[JUDGE_LEARN_TARGETS];
                                       /* half widths, by criterion, then the
                                          overall score's; 0: not known */
    judge_str_t         *ids;          /* of the criteria */
    judge_predictor_t   *models[JUDGE_CALIBRATOR_MODELS];
    judge_str_t          bytes[JUDGE_CALIBRATOR_MODELS];
    uint8_t              model[JUDGE_LEARN_TARGETS];
                                       /* the model of a target, counted from
                                          1; 0: the engine's score stays */
    uint32_t             taught[JUDGE_LEARN_TARGETS];
                                       /* texts that a target was learned from;
                                          0: not known */
    uint64_t           languages;      /* a bit for each of the texts learned
                                          from, by language.h; 0: unknown */
    size_t             nmodels;        /* 0: there are only examples */
    size_t             scratch;        /* floats, for the largest model */
    judge_fewshot_pool_t *examples;       /* scores in the order of ids; NULL:
                                          prompts contain no examples */
    judge_str_t        examples_bytes;
} judge_calibrator_t;

/* The warning of a judge whose calibrator was learned from features that this
 * build measures differently. */
#define JUDGE_CALIBRATOR_CHANGED  "features_changed"
#define JUDGE_CALIBRATOR_CHANGED_MESSAGE                                      \
    "What this judge has learned depends on features that are measured, or"   \
    " learned from, in another way by now, so it is not used; train the"      \
    " judge again."

/* The engines for whose scores training can learn; and the one that a record
 * names, with its version, such as "builtin/1".  NULL: none of them. */
#define JUDGE_CALIBRATOR_ENGINES  3

extern const char *const  judge_calibrator_engines[];

const char *judge_calibrator_engine_of(judge_str_t engine);

/* A hash of what a model predicts from: the engine, the built-in engine's
 * version, and, if anything is measured, the set of features and n-grams.  It
 * is never 0. */
uint64_t judge_calibrator_inputs_hash(const char *engine, bool measured);

/* What people call the engine's i-th feature; NULL: there is none. */
const char *judge_calibrator_feature_called(const char *engine, size_t i);

/* Appends its value as people read it; 0: it is not finite. */
void judge_calibrator_feature_value(judge_buf_t *buf, const char *engine,
    size_t i, double value);

/* The reason of a criterion that corrections judge. */
extern const char *const  judge_calibrator_learned;

/* A hash of what a calibrator depends on: the inputs above, and the learner if
 * there are models. */
uint64_t judge_calibrator_identity(const char *engine, size_t nmodels,
    size_t nfeatures);

/* A hash of this build's identities for all engines. */
uint64_t judge_calibrator_build_hash(void);

/* Whether an identity is this build's for any of the engines. */
bool judge_calibrator_known(uint64_t identity);

/* Features as an evaluation stores them, after the identity of the inputs that
 * they were measured by.  Absent: out of memory. */
judge_str_t judge_calibrator_vector(judge_arena_t *arena, uint64_t inputs,
    const float *features, size_t n);

/* Reads stored features: *features points into `bytes`, without alignment.
 * false: this build measures other features. */
bool judge_calibrator_vector_read(judge_str_t bytes, const char *engine,
    judge_str_t *features);

/* Reads a calibrator.  `bytes` must outlive it, at an address divisible by 16;
 * the rest is in the arena.  JUDGE_INVALID: the bytes are corrupt. */
judge_rc_e judge_calibrator_read(judge_arena_t *arena, judge_str_t bytes,
    judge_calibrator_t *calibrator);

/* Appends what _read() reads; models and examples are copied from their
 * bytes. */
void judge_calibrator_write(judge_buf_t *out,
    const judge_calibrator_t *calibrator);

/* Appends examples as bytes, and reads them; the pool points into the bytes.
 * JUDGE_OK, JUDGE_NOMEM or JUDGE_INVALID. */
void judge_calibrator_fewshot_write(judge_buf_t *out,
    const judge_fewshot_t *items,
    size_t n, size_t ncriteria);
judge_rc_e judge_calibrator_fewshot_read(judge_arena_t *arena,
    judge_str_t bytes,
    size_t ncriteria, judge_fewshot_pool_t **pool);

/* Chooses the examples for the prompt about a text, maybe none.  Their scores
 * are in the order of ids[0 .. nids).  Allocated in arena.  `apart` is that of
 * judge_fewshot_choose().  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_calibrator_examples(const judge_fewshot_pool_t *pool,
    const judge_str_t *ids, size_t nids, judge_arena_t *arena,
    const judge_rubric_t *rubric, judge_str_t text, const uint32_t *apart,
    judge_prompt_example_t **examples, size_t *n);

/* Maps raw to out, a score from 0 to 100 for each criterion and the overall
 * one; both may be the same array.  scratch has calibrator->scratch floats.
 * If the calibrator is not current, raw is copied. */
void judge_calibrator_predict(const judge_calibrator_t *calibrator,
    const float *features, const float *raw, judge_str_t text, float *scratch,
    float *out);

/*
 * Applies what was learned to an engine's verdict: changes the scores, the
 * overall score and the feedback, and gives origin the interval.  Nothing is
 * changed if the model is for other criteria or another engine, or if its
 * inputs are not this build's, which summary and origin then state.  JUDGE_OK
 * or JUDGE_NOMEM.
 */
judge_rc_e judge_calibrator_apply(const judge_calibrator_t *calibrator,
    judge_arena_t *arena, const char *engine, const judge_rubric_t *rubric,
    const judge_item_t *item, judge_verdict_t *verdict,
    judge_origin_t *origin);

/* States in summary and origin that the calibrator was not applied, because it
 * was learned from other inputs.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_calibrator_unused(judge_arena_t *arena,
    judge_verdict_t *verdict, judge_origin_t *origin);


#endif /* JUDGE_CALIBRATOR_H */
