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


#ifndef JUDGE_WATCHED_H
#define JUDGE_WATCHED_H


#include "analysis/learning/estimate.h"


#define JUDGE_WATCHED_COVERAGE  0.9
#define JUDGE_WATCHED_LEAST     30     /* items, for an interval of a mean */

typedef struct {
    double  low;                       /* NaN: not known */
    double  high;
} judge_watched_t;

judge_watched_t judge_watched_mean(const judge_estimate_sum_t *sum);

/* Items that it takes until that is no wider than these points to both sides;
 * 0: not known yet. */
size_t judge_watched_needed(const judge_estimate_sum_t *sum, double points);

/* Of k among n, 0 to 1. */
judge_watched_t judge_watched_share(size_t k, size_t n);


#endif /* JUDGE_WATCHED_H */
