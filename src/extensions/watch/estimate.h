/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Estimates the mean score that people would give, from all scores of a judge
 * and the few that people corrected: prediction-powered inference
 * (Angelopoulos et al. 2023, arXiv 2301.09633) with the power tuning of PPI++
 * (2311.01453).
 *
 * The interval is by Student's t with n - 2 degrees of freedom, as the mean
 * and lambda are both estimated from the n corrections.
 */


#ifndef JUDGE_ESTIMATE_H
#define JUDGE_ESTIMATE_H


#include <stddef.h>


#define JUDGE_ESTIMATE_COVERAGE  0.9
#define JUDGE_ESTIMATE_LEAST     5     /* corrections, for an interval */
#define JUDGE_ESTIMATE_HOLDS     20    /* corrections, for its full coverage */

/* Running mean and variance of scores. */
typedef struct {
    size_t  n;
    double  mean;
    double  squares;                   /* of the deviations */
} judge_estimate_sum_t;

/* Members that are not known are NaN. */
typedef struct {
    double  mean;                      /* 0 to 100 */
    double  low;
    double  high;
    double  lambda;                    /* weight of the judge's scores */
} judge_estimate_t;


void judge_estimate_add(judge_estimate_sum_t *sum, double score);

/* human[i] corrects the judge's score given[i]; others: uncorrected scores. */
judge_estimate_t judge_estimate(const double *human, const double *given,
    size_t n, const judge_estimate_sum_t *others);

/* Student's t, the quantile of a two-sided 90 %; freedom from 1. */
double judge_estimate_t90(double freedom);


/* --- Confidence sequences ------------------------------------------------ */

/*
 * Confidence intervals of means and shares that people watch while data
 * arrives, and by which they decide as soon as they see a difference.
 *
 * The interval of a mean is an asymptotic confidence sequence (Waudby-Smith,
 * Arbour, Sinha, Kennedy and Ramdas 2021, arXiv 2103.06476, Theorem 2.2):
 * it contains the true mean at all looks together with probability 0.9.  An
 * interval for a single look, as by Student's t, misses the true mean at some
 * look in three cases out of four.  The interval of a share is for a single
 * look (Wilson 1927).
 */

#define JUDGE_SEQUENCE_COVERAGE  0.9
#define JUDGE_SEQUENCE_LEAST     30     /* items, for an interval of a mean */

/* Both are NaN if there are too few items. */
typedef struct {
    double  low;
    double  high;
} judge_interval_t;

/* The interval of the mean; NaN below JUDGE_SEQUENCE_LEAST items. */
judge_interval_t judge_sequence_mean(const judge_estimate_sum_t *sum);

/* Returns how many items are needed until that interval extends no further
 * than `points` from the mean, at most 10,000,000; 0: too few to estimate. */
size_t judge_sequence_needed(const judge_estimate_sum_t *sum, double points);

/* The interval of the share k / n, within 0 to 1; NaN if n is 0. */
judge_interval_t judge_wilson_share(size_t k, size_t n);


#endif /* JUDGE_ESTIMATE_H */
