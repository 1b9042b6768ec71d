/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures how well scores agree with those that people gave, with an interval
 * around every figure; and whether one set of scores agrees better than
 * another one of the same items.
 *
 * Intervals are 95 % percentile intervals of a bootstrap (Efron 1979).  It
 * draws whole items, so that the criteria of an item stay together, or whole
 * groups, as scores of two answers to one question are not independent
 * (Davison & Hinkley 1997, 3.8); the same draws serve both sets of scores.
 * More than 512 items or groups are joined to 512 blocks of neighbours
 * (Carlstein 1986), so that the time does not grow with the items.  Ranks for
 * Spearman's correlation are taken once, over all items, and not per draw.
 * Where several models scored the items, ranks are taken per model, so that a
 * shift between models does not lower the correlation.
 */


#ifndef JUDGE_AGREEMENT_H
#define JUDGE_AGREEMENT_H


#include "base/json/json.h"


typedef enum {
    JUDGE_AGREEMENT_RMSE,              /* points, 0 to 100; less is better */
    JUDGE_AGREEMENT_PEARSON,           /* correlation of the scores */
    JUDGE_AGREEMENT_SPEARMAN,          /* of the ranks */
    JUDGE_AGREEMENT_KAPPA,             /* Cohen 1968, quadratic weights, of
                                          scores to the nearest ten */
    JUDGE_AGREEMENT_ALPHA,             /* Krippendorff 2011, interval scale: 1
                                          minus the variance within items as
                                          a share of the variance of all
                                          scores */
    JUDGE_AGREEMENT_F1,                /* of the class "passes" */
    JUDGE_AGREEMENT_NEAR,              /* share of scores that differ by at
                                          most JUDGE_AGREEMENT_POINTS */
    JUDGE_AGREEMENT_COUNT
} judge_agreement_e;

#define JUDGE_AGREEMENT_POINTS  10
#define JUDGE_AGREEMENT_COVERAGE  0.95

/* The names of the measures in API responses. */
extern const char *const  judge_agreement_names[JUDGE_AGREEMENT_COUNT];

/* Members are NaN where undefined: too few scores, or all of them equal; for
 * F1, no item that passes. */
typedef struct {
    double  value;
    double  low;
    double  high;
    double  better;                    /* the p-value of a gain: one-sided,
                                          against no gain */
    double  worse;                     /* that of a loss */
} judge_agreement_value_t;

typedef struct {
    size_t                   n;        /* scores that people gave */
    double                   bias;     /* mean of pred minus human, points */
    judge_agreement_value_t  pred[JUDGE_AGREEMENT_COUNT];
    judge_agreement_value_t  before[JUDGE_AGREEMENT_COUNT];
    judge_agreement_value_t  gain[JUDGE_AGREEMENT_COUNT];
                                       /* pred minus before; for RMSE before
                                          minus pred, so that more is better */
} judge_agreement_t;

/* All scores that people gave to one target of an item. */
typedef struct {
    size_t  n;                         /* below 2 there is no variance */
    double  sum;
    double  squares;
} judge_ratings_t;

/* Scores are 0 to 100, in rows of ntargets for each item. */
typedef struct {
    size_t         nitems;
    size_t         ntargets;
    size_t         nmean;              /* the mean is over the first nmean */
    const float   *human;              /* people's scores; NaN: not given */
    const float   *pred;               /* the judge's scores */
    const float   *before;             /* NULL: nothing to compare with */
    const double  *pass;               /* by target: an item passes from this
                                          score on */
    const judge_ratings_t *ratings;    /* in rows as `human`, for alpha; NULL:
                                          pred and human are the two raters */
    const uint32_t *group;             /* by item: equal for items of a group;
                                          NULL: each item by itself */
    const uint8_t *model;              /* by item: the model that scored it;
                                          NULL: the same for all */
} judge_agreement_set_t;

/* The mean leaves out targets with fewer scores. */
#define JUDGE_AGREEMENT_LEAST  3

/*
 * Fills targets[0] to targets[ntargets], the last one with the mean over the
 * first nmean targets (over all of them if no score of those is known).
 * JUDGE_OK or JUDGE_NOMEM; deterministic.
 */
judge_rc_e judge_agreement(judge_arena_t *arena,
    const judge_agreement_set_t *set,
    judge_agreement_t *targets);

/* _value_json() writes a value with its interval as a member of an object,
 * unless it is NaN; _json() so writes all values of `pred`. */
void judge_agreement_value_json(judge_json_writer_t *w, const char *key,
    const judge_agreement_value_t *v);
void judge_agreement_json(judge_json_writer_t *w,
    const judge_agreement_t *agree);


/* --- Whether a learned model is taken ------------------------------------ */

/*
 * The gate decides by judge_agreement() on held-out items whether a learned
 * model is better than the one in use, and for which criteria it is taken.
 *
 * Who tests many criteria finds a better one by chance.  So half of the
 * significance level goes to the test of the mean over the criteria, the other
 * half to tests of each criterion, by the step-down procedure of Holm 1979.  A
 * model that learned nothing passes in one training out of forty, however many
 * criteria there are (util/eval/quality null).  P-values are by Student's t
 * with the bootstrap's standard deviation, as the percentiles of a bootstrap
 * of few items lie too close together.
 */

#define JUDGE_GATE_CHANCE   0.025      /* significance level */
#define JUDGE_GATE_TARGETS  65
#define JUDGE_GATE_ORDER    0.02       /* loss of rank correlation accepted for
                                          a smaller error */
#define JUDGE_GATE_SHARE    0.05       /* by which the error is smaller than
                                          that of people's mean: a tenth of
                                          the variance is explained */

typedef enum {
    JUDGE_GATE_READY,
    JUDGE_GATE_NO_LESS,                /* the error is not smaller */
    JUDGE_GATE_CHANCE_ONLY,            /* smaller, but not significantly */
    JUDGE_GATE_ORDER_WORSE             /* smaller, but the order is worse */
} judge_gate_e;

typedef struct {
    judge_gate_e  verdict;
    bool          taken[JUDGE_GATE_TARGETS];     /* by target */
} judge_gate_t;

/*
 * agree[] has the ntargets + 1 results of judge_agreement():
 * `pred` of the learned model, `before` of the one in use.  Target t is left
 * out where frozen[t] is not 0; frozen may be NULL.  Where the verdict is not
 * READY, all targets that are not frozen are set as `taken`.
 */
void judge_gate(const judge_agreement_t *agree, size_t ntargets,
    const uint8_t *frozen, judge_gate_t *gate);

/* Whether the error is smaller, significant at the level `chance`, and either
 * the order is no worse or the error is halved. */
bool judge_gate_better(const judge_agreement_t *mean, double chance);

/* Whether `pred` predicts a target, where `before` is people's mean: it ranks
 * items as people do, beyond chance, and errs less by JUDGE_GATE_SHARE.  What
 * errs less by next to nothing may do so reliably. */
bool judge_gate_predicts(const judge_agreement_t *agree);


#endif /* JUDGE_AGREEMENT_H */
