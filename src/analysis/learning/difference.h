/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures by how much two sets of scores of the same items differ.
 *
 * Scores of items with the same source are not independent.  So the bootstrap
 * draws clusters of items (Davison & Hinkley 1997, 3.8).  Its interval is by
 * percentiles, which are taken further out where there are few clusters
 * (Hesterberg 2015, "expanded percentile interval").  The p-value is that of a
 * test by random signs of the clusters' sums, and exact for few of them.  More
 * than JUDGE_DIFFERENCE_UNITS clusters are joined to so many blocks of
 * neighbours, so that the time does not grow with the items.
 */


#ifndef JUDGE_DIFFERENCE_H
#define JUDGE_DIFFERENCE_H


#include "base/core/str.h"


#define JUDGE_DIFFERENCE_COVERAGE  0.95
#define JUDGE_DIFFERENCE_DRAWS     2000
#define JUDGE_DIFFERENCE_SIGNS     4999
#define JUDGE_DIFFERENCE_EXACT     12  /* up to so many clusters, all signs
                                          are tried */
#define JUDGE_DIFFERENCE_UNITS     512
#define JUDGE_DIFFERENCE_LEAST     5   /* clusters, for an interval */
#define JUDGE_DIFFERENCE_EQUAL     0.005         /* scores have two decimals */

typedef struct {
    size_t  n;                         /* items with both scores; if 0, all
                                          numbers below are NaN */
    size_t  clusters;                  /* of these; a block counts as one */
    size_t  missing[2];                /* items without a score here, there */
    double  mean[2];
    double  difference;                /* mean[0] - mean[1] */
    double  low;                       /* NaN: too few clusters */
    double  high;
    double  better;                    /* shares of the n items */
    double  worse;
    double  p;                         /* two-sided, against no difference */
    double  adjusted;                  /* by Holm, except that of target 0 */
} judge_difference_t;

/* An item, and where its scores are on both sides. */
typedef struct {
    size_t    places[2];               /* its rows in scores[] */
    uint64_t  cluster;                 /* a hash of it */
    double    distance;                /* for judge_difference_farthest() */
    size_t    unit;                    /* of resampling: see
                                          judge_difference_units() */
} judge_difference_pair_t;

typedef struct {
    size_t                          ntargets;    /* the first is the overall
                                                    score */
    const float                    *scores[2];   /* here and there, in rows of
                                                    ntargets: 0 to 100; NaN:
                                                    not judged */
    judge_difference_pair_t        *pairs;       /* get sorted by cluster */
    size_t                          npairs;
    uint64_t                        seed;
} judge_difference_set_t;

/* Fills `out` by target.  JUDGE_OK or JUDGE_NOMEM; any thread; the same seed
 * gives the same figures. */
judge_rc_e judge_difference(judge_arena_t *arena,
    const judge_difference_set_t *set, judge_difference_t *out);

/* Sorts pairs by cluster and sets the unit of each: its cluster, or a block of
 * neighbouring ones if there are more than JUDGE_DIFFERENCE_UNITS. */
void judge_difference_units(judge_difference_pair_t *pairs, size_t n);

/* Sorts pairs, the most distant first. */
void judge_difference_farthest(judge_difference_pair_t *pairs, size_t n);

/* Sorts n draws of at least JUDGE_DIFFERENCE_LEAST clusters, and sets the
 * interval of JUDGE_DIFFERENCE_COVERAGE. */
void judge_difference_percentiles(double *draws, size_t n, size_t clusters,
    double *low, double *high);

/* Returns "better", "worse", or "undecided" where chance may explain it. */
const char *judge_difference_verdict(const judge_difference_t *d);


#endif /* JUDGE_DIFFERENCE_H */
