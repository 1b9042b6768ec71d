/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The parts that a learned model is stacked of, for the files of learning
 * only.  Sums run in a fixed order and in double, so that the same input
 * gives the same bits.
 */


#ifndef JUDGE_LEARN_PARTS_H
#define JUDGE_LEARN_PARTS_H


#include "base/core/hash.h"
#include "analysis/learning/learn.h"


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

bool judge_ridge(const judge_rows_t *rows, size_t target, float *w);
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

#define JUDGE_NGRAM_BITS   15
#define JUDGE_NGRAMS       (1u << JUDGE_NGRAM_BITS)
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
    JUDGE_PARTS
};

typedef struct {
    judge_line_t         line;
    const float         *ridge;        /* JUDGE_RIDGES x (nin + 1) */
    const judge_tree_t  *trees;
    size_t               ntrees;
    float                base;         /* what the trees are added to */
    float                rate;
    const int8_t        *grams;        /* JUDGE_NGRAMS; NULL: none */
    float                gram_scale;
    float                gram_base;
    float                mean;
    float                stack[JUDGE_PARTS];
    float                spread;
} judge_predictor_target_t;

struct judge_predictor {
    judge_input_t             input;
    size_t                    nin;
    const float              *idf;     /* JUDGE_NGRAMS; NULL: none */
    judge_predictor_target_t *targets;
};

#define JUDGE_IDF_UNIT  16.0f          /* as a byte, in sixteenths */

void judge_predictor_write(const struct judge_predictor *model,
    judge_buf_t *out);


#endif /* JUDGE_LEARN_PARTS_H */
