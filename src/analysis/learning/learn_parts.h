/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the files of the learner share.  Sums are doubles in a fixed order, so
 * that the same input gives the same bits.  Of libm only sqrt() and the like
 * are called, which IEEE 754 defines to the bit; exp() and log() may differ.
 */


#ifndef JUDGE_LEARN_PARTS_H
#define JUDGE_LEARN_PARTS_H


#include <math.h>

#include "base/core/hash.h"
#include "analysis/learning/learn.h"


/* Mean and standard deviation of a feature, over the training items. */
typedef struct {
    float  mean;
    float  spread;
} judge_scale_t;


/* --- learn_ngram.c ------------------------------------------------------- */

#define JUDGE_BUCKET_BITS   15
#define JUDGE_NGRAMS       (1u << JUDGE_BUCKET_BITS)
#define JUDGE_NGRAM_WORDS  4000        /* later words of a text are ignored */
#define JUDGE_NGRAM_MOST   (2 * JUDGE_NGRAM_WORDS)

typedef struct {
    uint32_t  bucket;
    float     value;
} judge_ngram_t;

/* The distinct n-grams of a text by ascending bucket, as a vector of Euclidean
 * length 1; out has JUDGE_NGRAM_MOST places. */
size_t judge_ngrams(judge_str_t text, judge_ngram_t *out);

/* The n-grams of all items, on the heap: item i has those from offsets[i] to
 * offsets[i + 1] - 1. */
typedef struct {
    size_t         *offsets;
    judge_ngram_t  *grams;
    size_t          covered;           /* items with n-grams */
} judge_ngram_set_t;

/* Unless they are wanted, no item gets n-grams.  False: there is no memory. */
bool judge_ngram_set(judge_ngram_set_t *grams, const judge_learn_set_t *set,
    bool wanted);


/* --- learn_line.c: a line over the engine's score ------------------------ */

/* By target: base + slope * (the engine's score - raw).  Where the engine gave
 * no score: base + others * d, where d is the mean of (score - raw) over the
 * targets of the item that it did score. */
typedef struct {
    double  slope[JUDGE_LEARN_TARGETS];
    double  others[JUDGE_LEARN_TARGETS];
    double  raw[JUDGE_LEARN_TARGETS];  /* mean of the engine's scores */
    double  base[JUDGE_LEARN_TARGETS]; /* mean of people's */
} judge_line_t;

/* Learns from the n items with the indexes `use`; NULL: from the first n. */
void judge_line_learn(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line);

/* Returns the score by the line; raw[] are the engine's of one item. */
double judge_line(const judge_line_t *line, const float *raw, size_t ntargets,
    size_t target);


/* --- learn_likely.c: hyperparameters by marginal likelihood -------------- */

/* The covariance of two items is a sum of kernels, each times an amplitude:
 * the prior variance of its weights, relative to the noise variance. */
enum {
    JUDGE_KERNEL_FEATURES,
    JUDGE_KERNEL_GRAMS,
    JUDGE_KERNELS = JUDGE_LEARN_PARTS
};

#define JUDGE_LIKELY_STEPS  9          /* of amplitudes: .001 to 10 */
#define JUDGE_LIKELY_ITEMS  400        /* used for the likelihood, at most */

/* The steps that other judges had: a search begins there. */
extern const uint8_t  judge_amplitudes_usual[JUDGE_KERNELS];

/* Returns the amplitude at the current step; 0: the kernel is not used. */
double judge_amplitude(const judge_learner_t *l, size_t kernel);

/* A sample of the items, with their kernel (Gram) matrices. */
typedef struct {
    size_t     n;
    uint32_t   use[JUDGE_LIKELY_ITEMS];
    float     *kernel[JUDGE_KERNELS];  /* n x n, lower half; or NULL */
} judge_likely_t;

bool judge_likely_create(judge_learner_t *l);

/* Passes over the amplitudes, and sets *moved to whether one has changed.
 * Returns JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_likely_pass(judge_learner_t *l, bool *moved);


/* --- learn_ridge.c ------------------------------------------------------- */

/*
 * Ridge regression of y on features and n-grams, for the items with a weight
 * above 0, by conjugate gradients (Hestenes & Stiefel 1952); the penalties are
 * 1 / amplitude.  theta has nin + JUDGE_NGRAMS places.  False: there is no
 * memory.
 */
bool judge_ridge(const judge_learner_t *l, const double *y,
    const double *weight, double *theta);


/* --- predictor.c: the bytes of a model ----------------------------------- */

#define JUDGE_PREDICTOR_MAGIC  0x354d4c4au         /* "JLM5" */
#define JUDGE_KEPT_MOST  4096          /* texts that people scored, kept */
#define JUDGE_KEPT_UNKNOWN  INT8_MIN   /* nobody scored this criterion */

typedef struct {
    uint32_t      magic;
    uint32_t      nfeatures;
    uint32_t      ntargets;
    uint32_t      nkept;
    uint32_t      weights;             /* 0: the model is the line alone */
    uint32_t      grams;               /* 0: it has no weights of n-grams */
    judge_line_t  line;
} judge_model_head_t;

typedef struct {
    uint64_t  key;                     /* judge_predictor_key() of an item */
    uint32_t  row;                     /* of moves */
    uint32_t  reserved;
} judge_kept_t;

/* Pointers into the bytes of a model. */
struct judge_predictor {
    judge_model_head_t  *head;
    judge_kept_t        *kept;         /* nkept, sorted by key */
    judge_scale_t       *inputs;       /* by feature */
    float               *weights;      /* ntargets x (nfeatures + ntargets +
                                          1), the last is the intercept */
    float               *scales;       /* ntargets: units of grams */
    int8_t              *grams;        /* ntargets x JUDGE_NGRAMS weights */
    int8_t              *moves;        /* nkept x ntargets: points to add */
};

/* Fills out[] with the inputs of the regression: nfeatures distances from the
 * means in spreads, from -3 to 3, and behind them the raw scores of the
 * ntargets, less middle[] and scaled, or 0 where there is none. */
void judge_input_apply(const judge_scale_t *scales, size_t nfeatures,
    const double *middle, size_t ntargets, const float *features,
    const float *raw, float *out);

/* Sets the pointers for a model with this head; returns its size in bytes. */
size_t judge_predictor_parts(const judge_model_head_t *head, char *bytes,
    judge_predictor_t *model);
uint64_t judge_predictor_key(const float *features, size_t nfeatures,
    judge_str_t text);


/* --- learn.c ------------------------------------------------------------- */

struct judge_learner {
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    size_t                  left_out;  /* a fold */
    judge_line_t            line;      /* learned from all others */
    judge_scale_t          *inputs;    /* by feature */
    size_t                  nin;       /* inputs: features and raw scores */
    float                  *in;        /* nitems x nin inputs, less in_mean */
    float                  *in_mean;
    double                  in_varied; /* inputs that are not constant */
    judge_ngram_set_t       grams;
    bool                    lines;     /* only lines are learned */
    bool                    line_only[JUDGE_LEARN_TARGETS];
                                       /* of this target only a line is */
    bool                    shared;    /* many items are in larger groups */
    double                  independent;         /* a share of the items */
    judge_likely_t          seen;      /* the amplitudes fit these items */
    judge_likely_t          held;      /* and are tested on these */
    judge_learn_progress_t  progress;
};


/* Whether people's score is known and is learned from. */

static inline bool
judge_learn_known(const judge_learner_t *l, size_t item, size_t target)
{
    size_t  cell = item * l->set.ntargets + target;

    return !isnan(l->set.target[cell]) && l->set.weight[cell] > 0
           && !(l->options.frozen && l->options.frozen[target])
           && !(l->set.fold && l->set.fold[item] == l->left_out);
}


#endif /* JUDGE_LEARN_PARTS_H */
