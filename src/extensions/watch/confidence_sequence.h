/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


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


#ifndef JUDGE_CONFIDENCE_SEQUENCE_H
#define JUDGE_CONFIDENCE_SEQUENCE_H


#include "extensions/watch/estimate.h"


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


#endif /* JUDGE_CONFIDENCE_SEQUENCE_H */
