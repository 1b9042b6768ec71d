/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The parts that a learned model is stacked of, and a learner from the inside,
 * for the files of learning only.  Sums run in a fixed order and in double, so
 * that the same input gives the same bits.
 */


#ifndef JUDGE_LEARN_PARTS_H
#define JUDGE_LEARN_PARTS_H


#include <math.h>

#include "base/core/hash.h"
#include "analysis/learning/learn.h"
#include "analysis/learning/predictor.h"


/* Whether the score is known and counts; `at` is its place in both. */

static inline bool
judge_learn_known(const float *target, const float *weight, size_t at)
{
    return !isnan(target[at]) && weight[at] > 0;
}


/* --- learn_input.c: features brought to normal shape --------------- */

#define JUDGE_CUTS        32           /* quantiles of a feature */
#define JUDGE_INPUT_MAX   3.0f         /* where the normal shape ends */
#define JUDGE_RAW_SCALE   3.0f         /* raw scores, in units of 20 points,
                                          count for so much more */

/* Inputs are the features and behind them the raw score of every target. */
typedef struct {
    size_t   nfeatures;
    size_t   ntargets;
    float   *cuts;                     /* nfeatures x JUDGE_CUTS, ascending */
} judge_input_t;

bool judge_input_learn(judge_input_t *input, const judge_learn_set_t *set);
void judge_input_apply(const judge_input_t *input, const float *features,
    const float *raw, float *out);

/* The bin of an input's value, for the trees: 0 to JUDGE_BINS - 1. */
#define JUDGE_BINS  32
uint8_t judge_input_bin(float value);

/* Of floats, for qsort(). */
int judge_input_compare(const void *a, const void *b);


/* --- learn_linear.c ------------------------------------------------ */

/*
 * Ridge regression (Hoerl & Kennard 1970) by Cholesky's decomposition, one
 * target at a time over the rows that use[] names and that know the target;
 * for each of JUDGE_RIDGES lambdas.  w has JUDGE_RIDGES x (nin + 1) places,
 * the last of each for the constant.  false: no memory.
 */
#define JUDGE_RIDGES      2
#define JUDGE_RIDGE_ROWS  30000        /* more would change nothing */

typedef struct {
    size_t          nitems;
    size_t          nin;
    const float    *in;                /* nitems x nin */
    const float    *y;                 /* nitems x stride, with NaN */
    const float    *weight;
    size_t          stride;
    const uint32_t *use;
    size_t          nuse;
} judge_rows_t;

bool judge_ridge(const judge_rows_t *rows, size_t target,
    const double *lambdas, float *w);
float judge_linear(const float *w, const float *in, size_t nin);

/* The raw score's line, its slope drawn to 1 and its shift to 0. */
typedef struct {
    float  center;
    float  slope;
    float  shift;
} judge_line_t;

void judge_line_learn(judge_line_t *line, const judge_rows_t *rows,
    const float *raw, size_t target);

static inline float
judge_line(const judge_line_t *line, float raw)
{
    return line->center + line->shift + line->slope * (raw - line->center);
}


/* --- learn_ngram.c ------------------------------------------------- */

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

/* Ridge regression by conjugate gradients (Hestenes & Stiefel 1952); w has
 * JUDGE_NGRAMS + 1 places. */
bool judge_ngram_learn(const judge_ngram_set_t *grams,
    const judge_rows_t *rows, size_t target, float *w);
float judge_ngram_predict(const float *w, const judge_ngram_t *grams,
    size_t n);


/* --- learn_kernel.c, learn_gp.c: Gaussian processes, for few items ----- */

#define JUDGE_GP_LEAST  10             /* items */
#define JUDGE_GP_MOST   600
#define JUDGE_GP_POINTS 300            /* more are too slow to be near to */

enum {
    JUDGE_KERNEL_CORE,                 /* linear in the core */
    JUDGE_KERNEL_INPUTS,               /* linear in the inputs */
    JUDGE_KERNEL_NEAR,                 /* Cauchy's, of the core */
    JUDGE_KERNEL_GRAMS,
    JUDGE_KERNELS
};

/* base + slope * (x - center) */
typedef struct {
    double  base;
    double  slope;
    double  center;
} judge_gp_line_t;

/* What an engine that gave no score is taken to have given. */

static inline double
judge_raw(float raw)
{
    return isfinite(raw) ? (double) raw : 50;
}

static inline double
judge_raw_mean(const float *raw, size_t n)
{
    size_t  i;
    double  sum = 0;

    for (i = 0; i < n; i++) {
        sum += judge_raw(raw[i]);
    }

    return sum / (double) n;
}

/* The core of what is known of an item: JUDGE_FACTORS or ntargets floats. */
void judge_gp_view(bool text_features, const float *features,
    const float *raw, size_t ntargets, float *core);

/* By the square of the distance. */
float judge_cauchy(double distance, size_t ncore);

/* The mean over the targets and the target's own deviation, by lines. */
double judge_gp_lines(const judge_gp_line_t *mean,
    const judge_gp_line_t *own, double raw_mean, double raw);

/* --- learn_tree.c -------------------------------------------------- */

#define JUDGE_TREE_NODES   7           /* three levels */
#define JUDGE_TREE_LEAVES  8

typedef struct {
    uint16_t  input[JUDGE_TREE_NODES];
    uint8_t   bin[JUDGE_TREE_NODES];   /* above it: to the right */
    float     leaf[JUDGE_TREE_LEAVES];
} judge_tree_t;

typedef struct {
    const uint8_t  *bins;              /* nitems x nin */
    size_t          nitems;
    size_t          nin;
    const float    *weight;            /* stride apart; 0 or less: not used */
    size_t          stride;
    const uint32_t *use;
    size_t          nuse;
    double          rate;
} judge_boost_t;

/* Fits one tree to the residuals y - f, and adds it to f of all items. */
bool judge_tree_grow(const judge_boost_t *boost, size_t target,
    const float *y, float *f, uint64_t seed, judge_tree_t *tree);

/* Adds a tree to f of all items. */
void judge_tree_add(const judge_tree_t *tree, const uint8_t *bins,
    size_t nitems, size_t nin, float *f);

/* Whether trees that were read name inputs that there are. */
bool judge_tree_check(const judge_tree_t *trees, size_t n, size_t nin);

static inline float
judge_tree_leaf(const judge_tree_t *tree, const uint8_t *bins)
{
    size_t  node;

    node = bins[tree->input[0]] > tree->bin[0];
    node = 2 * node + (bins[tree->input[1 + node]] > tree->bin[1 + node]);
    node = 2 * node + (bins[tree->input[3 + node]] > tree->bin[3 + node]);

    return tree->leaf[node];
}


/* --- predictor.c: a model's parts and their bytes -------------------- */

enum {
    JUDGE_PART_LINE,
    JUDGE_PART_RIDGE,                  /* lambda 100 */
    JUDGE_PART_RIDGE_STIFF,            /* lambda 1000 */
    JUDGE_PART_TREES,
    JUDGE_PART_NGRAMS,
    JUDGE_PART_GP,
    JUDGE_PARTS
};

/* As it is stored. */
typedef struct {
    judge_line_t  line;
    float         base;                /* what the trees are added to */
    float         rate;
    float         gram_scale;
    float         gram_base;
    float         mean;
    float         spread;              /* how far people's scores may lie from
                                          a prediction in 90 % of the items
                                          (split conformal prediction; Lei et
                                          al. 2018); 0: not known */
    float         stack[JUDGE_PARTS];
    uint32_t      ntrees;
    uint32_t      has_ridge;
    uint32_t      has_grams;
    uint32_t      has_gp;
} judge_predictor_part_t;

typedef struct {
    judge_predictor_part_t  part;
    const float            *ridge;     /* JUDGE_RIDGES x (nin + 1) */
    const judge_tree_t     *trees;
    const int8_t           *grams;     /* JUDGE_NGRAMS; NULL: none */
    const double           *lines;     /* two judge_gp_line_t; NULL: no
                                          Gaussian process */
    const float            *weights;   /* its inputs' (nin + 1), the core's,
                                          and the points' */
} judge_predictor_target_t;

struct judge_predictor {
    judge_input_t             input;
    size_t                    nin;
    const float              *idf;     /* JUDGE_NGRAMS; NULL: none */
    bool                      text_features;
    size_t                    ncore;   /* 0: no Gaussian process */
    size_t                    npoints;
    const float              *core;    /* scales and centers of the core, and
                                          npoints of it */
    judge_predictor_target_t *targets;
};

#define JUDGE_IDF_UNIT  16.0f          /* as a byte, in sixteenths */

void judge_predictor_write(const struct judge_predictor *model,
    judge_buf_t *out);


/* --- learn_run.c: a learner from the inside; false: no memory ------- */

typedef struct {
    bool           known;              /* some item has a score */
    float          mean;
    judge_line_t   line;
    float         *ridge;              /* NULL: not learned */
    float         *grams;
    judge_tree_t  *trees;              /* room for all of them */
    float         *f;                  /* sum of their predictions, per item */
    judge_gp_line_t  mean_line;
    judge_gp_line_t  own_line;
    float         *dual;               /* JUDGE_KERNELS x nitems; NULL: no
                                          Gaussian process */
    float         *gp;                 /* what it adds to its lines */
    float         *gp_line;            /* what those predict, likewise */
} judge_run_target_t;

/* One learning of all parts on some of the items. */
typedef struct {
    uint32_t            *use;          /* items to learn from */
    size_t               nuse;
    uint32_t            *out;          /* items held out */
    size_t               nout;
    judge_run_target_t  *targets;
} judge_run_t;

struct judge_learner {
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    judge_input_t           input;
    size_t                  nin;
    float                  *in;        /* nitems x nin */
    uint8_t                *bins;
    judge_ngram_set_t       grams;
    float                  *kernels;   /* JUDGE_KERNELS x nitems x nitems;
                                          NULL: no Gaussian process */
    size_t                  ncore;
    float                  *core;      /* nitems x ncore, scaled */
    float                  *core_scale;  /* ncore, and as many centers */
    float                  *in_mean;   /* nin */
    double                  in_varied; /* inputs that are not all the same */
    double                  amplitudes[2][JUDGE_KERNELS];
    double                  share;     /* of what the process adds that an
                                          epoch has reached, 0 to 1 */
    double                  best_share;
    bool                    simple;    /* the line only */
    double                  rate;
    bool                    shared;    /* many have a source in common */
    double                  makers;    /* share of the items that count, as few
                                          made them all; else 1 */
    size_t                  trees;     /* in all */
    size_t                  block;     /* in an epoch */
    size_t                  grown;
    size_t                  nfolds;
    uint8_t                *held;      /* the fold of an item */
    judge_run_t            *runs;      /* the first on all items */
    size_t                  nruns;
    float                   stack[JUDGE_LEARN_TARGETS][JUDGE_PARTS];
    float                  *unseen;    /* nitems x ntargets */
    judge_learn_progress_t  progress;
    double                  best_loss;
    size_t                  best_grown;
    float                   best_stack[JUDGE_LEARN_TARGETS][JUDGE_PARTS];
    float                  *best_unseen;
};


bool judge_gp_kernels(judge_learner_t *l);
bool judge_gp_learn(judge_learner_t *l, judge_run_t *run);

bool judge_run_learn(judge_learner_t *l, judge_run_t *run);
void judge_run_free(judge_run_t *run, size_t ntargets);
bool judge_run_grow(judge_learner_t *l, judge_run_t *run, size_t number,
    size_t first, size_t n);
bool judge_run_take(judge_learner_t *l, judge_run_target_t *target,
    const char *trees, size_t n);
void judge_run_replay(judge_learner_t *l, judge_run_t *run, size_t first,
    size_t n);
void judge_run_parts(const judge_learner_t *l, const judge_run_t *run,
    size_t item, size_t target, float parts[JUDGE_PARTS]);

/* --- learn_stack.c ------------------------------------------------- */

void judge_stack_begin(judge_learner_t *l);
void judge_stack_learn(judge_learner_t *l);
void judge_stack_measure(judge_learner_t *l, double *training,
    double *validation);

/* The part that is right until something else is shown. */

static inline size_t
judge_learner_main(const judge_learner_t *l)
{
    return l->simple || l->set.nitems > JUDGE_GP_MOST || l->shared
           ? JUDGE_PART_LINE : JUDGE_PART_GP;
}

static inline bool
judge_learn_frozen(const judge_learner_t *l, size_t target)
{
    return l->options.frozen && l->options.frozen[target];
}


#endif /* JUDGE_LEARN_PARTS_H */
