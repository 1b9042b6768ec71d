/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Ranks systems by which of them has the higher score on the same items.
 *
 * Bradley & Terry 1952: i beats j with the probability p_i / (p_i + p_j).  The
 * p are found by Hunter's MM algorithm (2004, "MM algorithms for generalized
 * Bradley-Terry models", eq. 3); a tie is half a win for both.  Each pair
 * gets one more tie, so that a system that always wins has a finite strength.
 * The interval is a percentile bootstrap over clusters of items, as in
 * difference.h: answers to the same question are not independent, nor are the
 * comparisons of several systems on one item.
 */


#ifndef JUDGE_RANKING_H
#define JUDGE_RANKING_H


#include "analysis/learning/difference.h"
#include "extensions/compare/comparison.h"


#define JUDGE_RANKING_DRAWS  1000
#define JUDGE_RANKING_WORK   (1 << 20)  /* draws times pairs of systems, of all
                                           targets: about a second */
#define JUDGE_RANKING_FEW    100       /* draws, at least */

/* Of one target. */
typedef struct {
    size_t           n;                /* systems */
    size_t           items;
    const int8_t    *signs;            /* by item and two systems: those of
                                          judge_comparison_sign() */
    size_t           step;             /* from one item's signs to those of
                                          the next */
    const judge_difference_pair_t  *order;       /* the items, places[0], after
                                          judge_difference_units() */
    uint64_t         seed;
    size_t           draws;            /* judge_ranking_draws() */
} judge_ranking_set_t;

typedef struct {
    size_t  items;                     /* where at least two were judged */
    size_t  clusters;                  /* units of resampling; if there are
                                          many clusters, several form one */
    double  wins[JUDGE_COMPARED_MAX][JUDGE_COMPARED_MAX];
    double  ties[JUDGE_COMPARED_MAX][JUDGE_COMPARED_MAX];
    double  strength[JUDGE_COMPARED_MAX];        /* log p; their mean is 0 */
    double  low[JUDGE_COMPARED_MAX];   /* NaN: too few clusters */
    double  high[JUDGE_COMPARED_MAX];
    double  best[JUDGE_COMPARED_MAX];  /* share of draws won; or NaN */
} judge_ranking_t;

/* Returns how many draws JUDGE_RANKING_WORK allows. */
size_t judge_ranking_draws(size_t systems, size_t targets);

/* JUDGE_OK or JUDGE_NOMEM; any thread; the same seed, the same figures. */
judge_rc_e judge_ranking(judge_arena_t *arena, const judge_ranking_set_t *set,
    judge_ranking_t *out);


#endif /* JUDGE_RANKING_H */
