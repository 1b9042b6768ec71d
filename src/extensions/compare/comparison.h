/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which of some candidates is the best, by their scores.
 *
 * What people would say of a candidate is taken for normally distributed
 * around its score, and for independent of what they would say of another
 * (Thurstone 1927, "A law of comparative judgment", case III), so that the
 * probability that the i-th is the best of all is the integral of
 * f_i(x) * product of F_k(x) over all others k; of two candidates this is
 * Phi((a - b) / sqrt(s_a^2 + s_b^2)).  Scores of a judge tend to be wrong in
 * the same direction, which takes nothing from the order: probabilities are
 * then too near to that of chance, and never too sure.
 *
 * The standard deviation is the half width of the score's interval by the
 * quantile of the normal distribution for its level.  A score without an
 * interval was decided by checks, and is certain.
 */


#ifndef JUDGE_COMPARISON_H
#define JUDGE_COMPARISON_H


#include "base/core/str.h"


#define JUDGE_COMPARED_MIN    2        /* candidates */
#define JUDGE_COMPARED_MAX    16
#define JUDGE_COMPARED_LEVEL  0.8      /* the probability from which on there
                                          is a winner, by default */
#define JUDGE_COMPARED_EQUAL  0.005    /* scores have two decimals */

typedef struct {
    double  score;                     /* 0 to 100; NaN: not judged */
    double  spread;                    /* standard deviation; 0: certain */
    size_t  same;                      /* the first candidate with this text:
                                          these are equal, whatever their
                                          scores are */
} judge_candidate_t;

typedef struct {
    const char  *verdict;              /* decided, tie, undecided */
    const char  *reason;               /* equal_text, equal_score; close,
                                          not_judged; NULL: decided */
    size_t       leader;               /* with the highest score, ... */
    double       difference;           /* from the next; NaN: there is none */
    double       probability;          /* that it is the best; NaN: unknown */
    double       best[JUDGE_COMPARED_MAX];       /* the same of each */
} judge_comparison_t;

/* n candidates, JUDGE_COMPARED_MIN to _MAX.  Any thread. */
void judge_comparison(const judge_candidate_t *candidates, size_t n,
    double level, judge_comparison_t *out);

/* By a margin that is more than rounding: 1 if a is ahead, -1 if b is, else
 * 0. */
int judge_comparison_sign(const judge_candidate_t *a,
    const judge_candidate_t *b);


#endif /* JUDGE_COMPARISON_H */
