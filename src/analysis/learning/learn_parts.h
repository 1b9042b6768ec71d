/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The learner's internals, for the files of this folder only.  Sums are double
 * and in a fixed order, so that the same input gives the same bits.  Of libm
 * only sqrt() is called, which IEEE 754 defines to the bit, as exp() or log()
 * may differ between machines.
 */


#ifndef JUDGE_LEARN_PARTS_H
#define JUDGE_LEARN_PARTS_H


#include <math.h>

#include "base/core/hash.h"
#include "analysis/learning/learn.h"


/* --- learn_input.c ------------------------------------------------------- */

/* Of a feature, over the training items. */
typedef struct {
    float  mean;
    float  spread;
} judge_scale_t;

static inline bool
judge_scale_varies(const judge_scale_t *scale)
{
    return scale->spread > 1e-6f;
}

void judge_input_learn(judge_scale_t *scales, const judge_learn_set_t *set);

/* Fills out with nfeatures distances from the means in spreads, from -3 to 3,
 * followed by the raw scores of the ntargets, less middle[] and scaled; 0:
 * there is no raw score. */
void judge_input_apply(const judge_scale_t *scales, size_t nfeatures,
    const double *middle, size_t ntargets, const float *features,
    const float *raw, float *out);


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

/* The n-grams of all items, on the heap. */
typedef struct {
    size_t         *offsets;           /* nitems + 1 offsets into grams */
    judge_ngram_t  *grams;
    size_t          covered;           /* items with n-grams; 0: there are
                                          no grams */
} judge_ngram_set_t;

/* wanted false: no item has n-grams. */
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
double judge_line(const judge_line_t *line, const float *raw, size_t ntargets,
    size_t target);


/* --- learn_likely.c: hyperparameters by marginal likelihood -------------- */

enum {
    JUDGE_KERNEL_FEATURES,
    JUDGE_KERNEL_GRAMS,
    JUDGE_KERNELS = JUDGE_LEARN_PARTS
};

#define JUDGE_LIKELY_STEPS  9          /* of the grid of amplitudes */
#define JUDGE_LIKELY_ITEMS  400        /* used for the likelihood, at most */

/* The steps, on a grid from 0.001 to 10 in half decades, of what other judges
 * had as prior variances of both parts, relative to the noise variance. */
extern const uint8_t  judge_amplitudes_usual[JUDGE_KERNELS];

double judge_amplitude(const judge_learner_t *l, size_t kernel);

/* A part of the items, with their kernel (Gram) matrices. */
typedef struct {
    size_t     n;
    uint32_t   use[JUDGE_LIKELY_ITEMS];
    float     *kernel[JUDGE_KERNELS];  /* n x n, lower half; or NULL */
} judge_likely_t;

bool judge_likely_create(judge_learner_t *l);

/* One pass over the amplitudes; *moved: whether one of them changed.
 * JUDGE_NOMEM or JUDGE_OK. */
judge_rc_e judge_likely_pass(judge_learner_t *l, bool *moved);


/* --- learn_ridge.c ------------------------------------------------------- */

/*
 * Ridge regression of y on features and n-grams, for the items with a weight
 * above 0, by conjugate gradients (Hestenes & Stiefel 1952); the penalties are
 * 1 / amplitude.  theta has nin + JUDGE_NGRAMS places.  false: no memory.
 */
bool judge_ridge(const judge_learner_t *l, const double *y,
    const double *weight, double *theta);


/* --- predictor.c: the bytes of a model ----------------------------------- */

#define JUDGE_PREDICTOR_MAGIC  0x354d4c4au         /* "JLM5" */
#define JUDGE_KEPT_MOST  4096          /* corrected texts remembered */
#define JUDGE_KEPT_UNKNOWN  INT8_MIN   /* nobody scored this criterion */

typedef struct {
    uint32_t      magic;
    uint32_t      nfeatures;
    uint32_t      ntargets;
    uint32_t      nkept;
    uint32_t      weights;             /* whether weights follow; else the
                                          model is the line only */
    uint32_t      grams;               /* whether n-gram weights follow */
    judge_line_t  line;
} judge_model_head_t;

typedef struct {
    uint64_t  key;                     /* judge_predictor_key() of a text */
    uint32_t  row;                     /* of moves */
    uint32_t  reserved;
} judge_kept_t;

/* Pointers into the bytes of a model. */
struct judge_predictor {
    judge_model_head_t  *head;
    judge_kept_t        *kept;         /* nkept, by key */
    judge_scale_t       *inputs;       /* by feature */
    float               *weights;      /* ntargets x (nfeatures + ntargets +
                                          1), the last is the intercept */
    float               *scales;       /* ntargets: units of grams */
    int8_t              *grams;        /* ntargets x JUDGE_NGRAMS weights */
    int8_t              *moves;        /* nkept x ntargets: points to add */
};

/* Sets the pointers for a model with this head; returns its size in bytes. */
size_t judge_predictor_parts(const judge_model_head_t *head, char *bytes,
    judge_predictor_t *model);
uint64_t judge_predictor_key(const float *features, size_t nfeatures,
    judge_str_t text);


/* --- learn.c ------------------------------------------------------------- */

struct judge_learner {
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    size_t                  without;   /* the fold that is left out */
    judge_line_t            line;      /* learned from all other items */
    judge_scale_t          *inputs;    /* by feature */
    size_t                  nin;       /* features and raw scores */
    float                  *in;        /* nitems x nin, less in_mean */
    float                  *in_mean;
    double                  in_varied; /* inputs that are not constant */
    judge_ngram_set_t       grams;
    bool                    simple;    /* lines only */
    bool                    shared;    /* many items are in larger groups */
    double                  makers;    /* share of the items independent */
    judge_likely_t          seen;      /* items the amplitudes fit */
    judge_likely_t          held;      /* held-out items */
    judge_learn_progress_t  progress;
};


/* Whether the score is known and counts. */

static inline bool
judge_learn_known(const judge_learner_t *l, size_t item, size_t target)
{
    size_t  at = item * l->set.ntargets + target;

    return !isnan(l->set.target[at]) && l->set.weight[at] > 0
           && !(l->options.frozen && l->options.frozen[target])
           && !(l->set.fold && l->set.fold[item] == l->without);
}


#endif /* JUDGE_LEARN_PARTS_H */
