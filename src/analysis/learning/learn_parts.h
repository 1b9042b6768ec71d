/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A learner from the inside, for the files of learning only.  Sums run in a
 * fixed order and in double, so that the same input gives the same bits; no
 * function of the C library that may differ between machines is called but
 * sqrt().
 */


#ifndef JUDGE_LEARN_PARTS_H
#define JUDGE_LEARN_PARTS_H


#include <math.h>

#include "base/core/hash.h"
#include "analysis/learning/learn.h"
#include "analysis/learning/predictor.h"


/* --- learn_input.c: features brought to normal shape --------------------- */

#define JUDGE_CUTS        32           /* quantiles of a feature */
#define JUDGE_INPUT_RAW   0.15f        /* of a point of the raw scores */
#define JUDGE_INPUT_MAX   3.0f         /* where the normal shape ends */

typedef struct {
    size_t   nfeatures;
    size_t   nraw;
    float   *cuts;                     /* nfeatures x JUDGE_CUTS, ascending */
} judge_input_t;

bool judge_input_learn(judge_input_t *input, const judge_learn_set_t *set);
void judge_input_apply(const judge_input_t *input, const float *features,
    const float *raw, float *out);


/* --- learn_ngram.c ------------------------------------------------------- */

#define JUDGE_BUCKET_BITS   15
#define JUDGE_NGRAMS       (1u << JUDGE_BUCKET_BITS)
#define JUDGE_NGRAM_WORDS  4000        /* of a text that are looked at */

typedef struct {
    uint32_t  bucket;
    float     value;
} judge_ngram_t;

/* The distinct n-grams of a text, weighted and of length 1, in the order of
 * their buckets; room for 3 x JUDGE_NGRAM_WORDS.  idf NULL: plain counts. */
size_t judge_ngrams(judge_str_t text, const float *idf, judge_ngram_t *out);

typedef struct {
    size_t          nitems;
    size_t         *at;                /* nitems + 1: begin in grams */
    judge_ngram_t  *grams;
    float          *idf;               /* JUDGE_NGRAMS */
    size_t          covered;           /* items that there was room for */
} judge_ngram_set_t;

bool judge_ngram_set(judge_ngram_set_t *grams, const judge_learn_set_t *set);
void judge_ngram_set_free(judge_ngram_set_t *grams);


/* --- learn_line.c: what the engine's scores alone say -------------------- */

/* Of the mean over an item's scores, and of each score's deviation from it:
 * the engine's, times a slope. */
typedef struct {
    double  slope;                     /* of the mean */
    double  own[JUDGE_LEARN_TARGETS];  /* of the deviation */
    double  raw[JUDGE_LEARN_TARGETS];  /* mean of the engine's scores */
    double  base[JUDGE_LEARN_TARGETS]; /* mean of people's */
} judge_line_t;

/* What is known of an item, without the means of its criteria. */
typedef struct {
    size_t  known;                     /* scores by people */
    double  y;                         /* their mean */
    double  x;                         /* that of the engine's */
    double  weight;                    /* of y; 0: nothing is known */
} judge_line_item_t;

void judge_line_learn(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line);
judge_line_item_t judge_line_item(const judge_learner_t *l,
    const judge_line_t *line, size_t item);

/* The mean over the engine's scores that there are, less their means. */
double judge_line_mean(const judge_line_t *line, const float *raw,
    size_t ntargets);

static inline double
judge_line_own(const judge_line_t *line, const float *raw, size_t target,
    double mean)
{
    return isfinite(raw[target])
           ? (double) raw[target] - line->raw[target] - mean : 0;
}

static inline double
judge_line(const judge_line_t *line, const float *raw, size_t target,
    double mean)
{
    return line->base[target] + line->slope * mean
           + line->own[target] * judge_line_own(line, raw, target, mean);
}


/* --- learn_likely.c: how strongly features and words count --------------- */

enum {
    JUDGE_KERNEL_FEATURES,
    JUDGE_KERNEL_GRAMS,
    JUDGE_KERNELS
};

enum {
    JUDGE_GROUP_MEAN,                  /* the mean of an item's scores */
    JUDGE_GROUP_OWN,                   /* each score's deviation from it */
    JUDGE_GROUPS
};

#define JUDGE_LIKELY_STEPS  9          /* of amplitudes, from 0.001 to 10 by
                                          half decades */
#define JUDGE_LIKELY_ITEMS  400        /* that amplitudes are found by */

/* Variances of what features and words add, as shares of the noise. */
typedef struct {
    uint8_t  step[JUDGE_GROUPS][JUDGE_KERNELS];
} judge_amplitudes_t;

extern const judge_amplitudes_t  judge_amplitudes_usual;

double judge_amplitude(const judge_learner_t *l, size_t group,
    size_t kernel);

/* Some of the items, with their kernels. */
typedef struct {
    size_t     n;
    uint32_t   use[JUDGE_LIKELY_ITEMS];
    float     *kernel[JUDGE_KERNELS];  /* n x n; NULL: no item */
} judge_likely_t;

bool judge_likely_create(judge_learner_t *l);

/* One pass of the ascent; whether anything moved.  JUDGE_NOMEM or
 * JUDGE_OK. */
judge_rc_e judge_likely_pass(judge_learner_t *l, bool *moved);


/* --- learn_ridge.c ------------------------------------------------------- */

/*
 * Ridge regression of y on features and n-grams, for the items with a weight
 * above 0, by conjugate gradients (Hestenes & Stiefel 1952); its lambdas are
 * by the amplitudes of the group.  theta has nin + JUDGE_NGRAMS places.
 */
bool judge_ridge(const judge_learner_t *l, size_t group, const double *y,
    const double *weight, double *theta);
double judge_ridge_predict(const judge_learner_t *l, const double *theta,
    size_t item);


/* --- predictor.c: a model and its bytes ---------------------------------- */

typedef struct {
    uint64_t  key;                     /* of a text that was corrected */
    uint32_t  row;
    uint32_t  reserved;
} judge_kept_t;

struct judge_predictor {
    judge_input_t      input;
    size_t             ntargets;
    judge_line_t       line;
    const float       *idf;            /* JUDGE_NGRAMS; NULL: no words */
    const float       *weights;        /* ntargets x (nfeatures + 1), the last
                                          for the constant; NULL: lines
                                          alone */
    const int8_t      *grams;          /* ntargets x JUDGE_NGRAMS */
    const float       *scales;         /* ntargets, of these */
    size_t             nkept;
    const judge_kept_t  *kept;         /* by key */
    const int8_t      *moves;          /* nkept x ntargets, points */
};

#define JUDGE_KEPT_MOST  4096          /* corrected texts */
#define JUDGE_KEPT_SHARE  0.75         /* of what the model leaves over */
#define JUDGE_KEPT_UNKNOWN  INT8_MIN   /* nobody scored this criterion */
#define JUDGE_IDF_UNIT  16.0f          /* as a byte, in sixteenths */

void judge_predictor_write(const struct judge_predictor *model,
    judge_buf_t *out);
uint64_t judge_predictor_key(const float *features, size_t nfeatures,
    judge_str_t text);


/* --- learn.c ------------------------------------------------------------- */

struct judge_learner {
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    judge_input_t           input;
    size_t                  nin;
    float                  *in;        /* nitems x nfeatures, less in_mean */
    float                  *in_mean;
    double                  in_varied; /* features that are not all alike */
    judge_ngram_set_t       grams;
    bool                    simple;    /* lines only */
    bool                    shared;    /* many have a source in common */
    double                  makers;    /* share of the items that count, as few
                                          made them all; else 1 */
    judge_likely_t          seen;
    judge_likely_t          held;
    judge_amplitudes_t      amplitudes;
    judge_amplitudes_t      best;
    double                  best_loss;
    judge_learn_progress_t  progress;
};


/* Whether the score is known and counts. */

static inline bool
judge_learn_known(const judge_learner_t *l, size_t item, size_t target)
{
    size_t  at = item * l->set.ntargets + target;

    return !isnan(l->set.target[at]) && l->set.weight[at] > 0
           && !(l->options.frozen && l->options.frozen[target]);
}


#endif /* JUDGE_LEARN_PARTS_H */
