/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Means and shares that somebody looks at again and again while they grow,
 * and decides as soon as he sees something.
 *
 * The interval of a mean is an asymptotic confidence sequence (Waudby-Smith,
 * Arbour, Sinha, Kennedy and Ramdas 2021, arXiv 2103.06476, Theorem 2.2):
 * with 90 % certainty it holds the true mean at all looks together.  One that
 * holds at a single look, as by Student's t, is left at some look by three
 * means out of four, without any difference.  That of a share is of a single
 * look (Wilson 1927).
 */


#ifndef JUDGE_CONFIDENCE_SEQUENCE_H
#define JUDGE_CONFIDENCE_SEQUENCE_H


#include "analysis/learning/estimate.h"


#define JUDGE_SEQUENCE_COVERAGE  0.9
#define JUDGE_SEQUENCE_LEAST     30     /* items, for an interval of a mean */

/* In the unit of what it is about; both NaN: not known. */
typedef struct {
    double  low;
    double  high;
} judge_interval_t;

/* Around the mean of what was added, of JUDGE_SEQUENCE_LEAST items at
 * least. */
judge_interval_t judge_sequence_mean(const judge_estimate_sum_t *sum);

/* Items that it takes until that is no wider than these points to both sides,
 * at most 10,000,000; 0: not known yet. */
size_t judge_sequence_needed(const judge_estimate_sum_t *sum, double points);

/* Of k among n, 0 to 1; n 0: not known. */
judge_interval_t judge_wilson_share(size_t k, size_t n);


#endif /* JUDGE_CONFIDENCE_SEQUENCE_H */
