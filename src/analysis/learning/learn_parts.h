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

/* cuts is nfeatures x JUDGE_CUTS, each feature's ascending; false: no
 * memory. */
bool judge_input_learn(float *cuts, const judge_learn_set_t *set);

/* Fills out with nfeatures normal scores, at most 3 from 0, and behind them
 * the ntargets raw scores' distances from their means; 0 where there is no raw
 * score. */
void judge_input_apply(const float *cuts, size_t nfeatures,
    const double *middle, size_t ntargets, const float *features,
    const float *raw, float *out);


/* --- learn_ngram.c ------------------------------------------------------- */

#define JUDGE_BUCKET_BITS   15
#define JUDGE_NGRAMS       (1u << JUDGE_BUCKET_BITS)
#define JUDGE_NGRAM_WORDS  4000        /* of a text that are looked at */
#define JUDGE_NGRAM_MOST   (3 * JUDGE_NGRAM_WORDS)
#define JUDGE_IDF_UNIT     16.0        /* of an idf as a byte: sixteenths */

typedef struct {
    uint32_t  bucket;
    float     value;
} judge_ngram_t;

/* The distinct n-grams of a text, weighted and of length 1, in the order of
 * their buckets; room for JUDGE_NGRAM_MOST.  idf has JUDGE_NGRAMS places;
 * NULL: plain counts. */
size_t judge_ngrams(judge_str_t text, const uint8_t *idf, judge_ngram_t *out);

/* Of what so many of the texts have, in units. */
uint8_t judge_ngram_idf(double texts, double having);

/* On the heap, all of it. */
typedef struct {
    size_t         *at;                /* nitems + 1: begin in grams */
    judge_ngram_t  *grams;
    uint8_t        *idf;               /* JUDGE_NGRAMS */
    size_t          covered;           /* items that there was room for; 0:
                                          nothing else is there */
} judge_ngram_set_t;

bool judge_ngram_set(judge_ngram_set_t *grams, const judge_learn_set_t *set);


/* --- learn_line.c: what the engine's scores alone say -------------------- */

/* By target: base + slope * (the engine's score - raw); where the engine gave
 * none, base + others * (the mean of what its other scores of the item lie
 * from theirs). */
typedef struct {
    double  slope[JUDGE_LEARN_TARGETS];
    double  others[JUDGE_LEARN_TARGETS];
    double  raw[JUDGE_LEARN_TARGETS];  /* mean of the engine's scores */
    double  base[JUDGE_LEARN_TARGETS]; /* mean of people's */
} judge_line_t;

/* Of n items, `use`. */
void judge_line_learn(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line);
double judge_line(const judge_line_t *line, const float *raw, size_t ntargets,
    size_t target);


/* --- learn_likely.c: how strongly features and words count --------------- */

enum {
    JUDGE_KERNEL_FEATURES,
    JUDGE_KERNEL_GRAMS,
    JUDGE_KERNELS
};

#define JUDGE_LIKELY_STEPS  9          /* of amplitudes, from 0.001 to 10 by
                                          half decades */
#define JUDGE_LIKELY_ITEMS  400        /* that amplitudes are found by */

/* Variances of what features and words add, as shares of the noise. */
typedef struct {
    uint8_t  step[JUDGE_KERNELS];
} judge_amplitudes_t;

extern const judge_amplitudes_t  judge_amplitudes_usual;

double judge_amplitude(const judge_learner_t *l, size_t kernel);

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
 * by the amplitudes.  theta has nin + JUDGE_NGRAMS places.  false: no memory.
 */
bool judge_ridge(const judge_learner_t *l, const double *y,
    const double *weight, double *theta);
double judge_ridge_predict(const judge_learner_t *l, const double *theta,
    size_t item);


/* --- predictor.c: a model, which is its bytes ---------------------------- */

#define JUDGE_KEPT_MOST  4096          /* corrected texts */
#define JUDGE_KEPT_UNKNOWN  INT8_MIN   /* nobody scored this criterion */

typedef struct {
    uint32_t      magic;
    uint32_t      nfeatures;
    uint32_t      ntargets;
    uint32_t      nkept;
    uint32_t      weights;             /* whether there are any, else the line
                                          is all */
    uint32_t      grams;               /* likewise */
    judge_line_t  line;
} judge_model_head_t;

typedef struct {
    uint64_t  key;                     /* of a text that was corrected */
    uint32_t  row;                     /* in moves */
    uint32_t  reserved;
} judge_kept_t;

/* Parts of the same bytes. */
struct judge_predictor {
    judge_model_head_t  *head;
    judge_kept_t        *kept;         /* nkept, by key */
    float               *cuts;
    float               *weights;      /* ntargets x (nfeatures + ntargets +
                                          1), the last for the constant */
    float               *scales;       /* ntargets, of the grams */
    int8_t              *grams;        /* ntargets x JUDGE_NGRAMS */
    uint8_t             *idf;          /* JUDGE_NGRAMS */
    int8_t              *moves;        /* nkept x ntargets, points */
};

/* Where the parts of a model with this head lie; how many bytes it has. */
size_t judge_predictor_parts(const judge_model_head_t *head, char *bytes,
    judge_predictor_t *model);
void judge_predictor_begin(judge_model_head_t *head, size_t nfeatures,
    size_t ntargets);
uint64_t judge_predictor_key(const float *features, size_t nfeatures,
    judge_str_t text);


/* --- learn.c ------------------------------------------------------------- */

struct judge_learner {
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    judge_line_t            line;      /* of all items */
    float                  *cuts;
    size_t                  nin;       /* features and raw scores */
    float                  *in;        /* nitems x nin, less in_mean */
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
