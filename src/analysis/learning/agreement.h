/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How well scores agree with those that people gave, with an interval around
 * every figure; and whether one set of scores agrees better than another one
 * of the same items.
 *
 * The intervals hold 95 % of what a bootstrap over the items gives (Efron
 * 1979, percentiles): items are drawn as a whole, so that the criteria of an
 * item stay together, and those of a group with each other, as what people say
 * of two answers to the same question is not said twice (Davison & Hinkley
 * 1997, 3.8); the same draws serve both sets of scores.  Of more than 512
 * items or groups so many runs of neighbours are drawn instead (the blocks of
 * Carlstein 1986), which costs the same however many items there are.  The
 * ranks of Spearman's correlation are those of all items, in every draw; of
 * items that different models scored, within what each of these scored, so
 * that a shift between models is not taken for disorder.
 */


#ifndef JUDGE_AGREEMENT_H
#define JUDGE_AGREEMENT_H


#include "base/core/str.h"


typedef enum {
    JUDGE_AGREEMENT_RMSE,              /* points, 0 to 100; less is better */
    JUDGE_AGREEMENT_PEARSON,           /* correlation of the scores */
    JUDGE_AGREEMENT_SPEARMAN,          /* of the ranks */
    JUDGE_AGREEMENT_KAPPA,             /* Cohen 1968, quadratic weights, of
                                          scores to the nearest ten */
    JUDGE_AGREEMENT_ALPHA,             /* Krippendorff 2011, of intervals: 1
                                          less the share of the variance
                                          over all scores that is found
                                          within an item */
    JUDGE_AGREEMENT_F1,                /* of passing */
    JUDGE_AGREEMENT_NEAR,              /* share within ..._POINTS */
    JUDGE_AGREEMENT_COUNT
} judge_agreement_e;

#define JUDGE_AGREEMENT_POINTS  10
#define JUDGE_AGREEMENT_COVERAGE  0.95

/* As they are called in answers; by measure. */
extern const char *const  judge_agreement_names[JUDGE_AGREEMENT_COUNT];

/* NaN where it is not known: too few scores, or all of them equal. */
typedef struct {
    double  value;
    double  low;
    double  high;
    double  better;                    /* of a gain: the chance of so much of
                                          it where there is none; NaN */
    double  worse;                     /* and of so much of a loss */
} judge_agreement_value_t;

typedef struct {
    size_t                   n;        /* scores that people gave */
    double                   bias;     /* how much higher ours are, points */
    judge_agreement_value_t  pred[JUDGE_AGREEMENT_COUNT];
    judge_agreement_value_t  before[JUDGE_AGREEMENT_COUNT];
    judge_agreement_value_t  gain[JUDGE_AGREEMENT_COUNT];
                                       /* of pred over before; more is better,
                                          of RMSE too */
} judge_agreement_t;

/* All scores that somebody gave to an item. */
typedef struct {
    size_t  n;                         /* less than 2: it says nothing */
    double  sum;
    double  squares;
} judge_ratings_t;

/* Scores are 0 to 100, in rows of ntargets for each item. */
typedef struct {
    size_t         nitems;
    size_t         ntargets;
    size_t         nmean;              /* targets that the mean is over */
    const float   *human;              /* NaN: not given */
    const float   *pred;               /* predicted, by the judge */
    const float   *before;             /* NULL: nothing to compare with */
    const double  *pass;               /* by target: a score from which on it
                                          passes */
    const judge_ratings_t *ratings;    /* like human, for alpha; NULL: the two
                                          of pred and human */
    const uint32_t *group;             /* by item: the same for what belongs
                                          together; NULL: nothing does */
    const uint8_t *model;              /* by item: which one scored it; NULL:
                                          all the same */
    bool           intervals;          /* false: low and high stay NaN */
} judge_agreement_set_t;

/* Scores that a target needs to count in a mean. */
#define JUDGE_AGREEMENT_LEAST  3

/*
 * Fills targets[0] to targets[ntargets], the last one with the mean over the
 * first nmean targets (over all of them if no score of those is known).
 * JUDGE_OK or JUDGE_NOMEM; deterministic.
 */
judge_rc_e judge_agreement(judge_arena_t *arena,
    const judge_agreement_set_t *set,
    judge_agreement_t *targets);


#endif /* JUDGE_AGREEMENT_H */
