/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which of some candidates is the best, by their scores.
 *
 * The scores that people would give to a candidate are modelled as normally
 * distributed around its score, and as independent of those of the others
 * (Thurstone 1927, "A law of comparative judgment", case III).  So the
 * probability that the i-th is the best of all is the integral of
 * f_i(x) * product of F_k(x) over all others k; of two candidates this is
 * Phi((a - b) / sqrt(s_a^2 + s_b^2)).  The errors of a judge are often
 * correlated instead; the order is then the same, and the probabilities are
 * conservative: closer to chance than they should be.
 *
 * The standard deviation is the half width of the score's interval by the
 * quantile of the normal distribution for its level.  A score without an
 * interval was decided by checks, and is certain.
 */


#ifndef JUDGE_COMPARISON_H
#define JUDGE_COMPARISON_H


#include "base/core/str.h"
#include "analysis/learning/difference.h"


#define JUDGE_COMPARED_MIN    2        /* candidates */
#define JUDGE_COMPARED_MAX    16
#define JUDGE_COMPARED_LEVEL  0.8      /* the default of the probability that
                                          a winner needs */
#define JUDGE_COMPARED_UNKNOWN  2      /* in place of a sign */

typedef struct {
    double  score;                     /* 0 to 100; NaN: not judged */
    double  spread;                    /* standard deviation; 0: certain */
    size_t  same;                      /* the first candidate with the same
                                          text; both are equal, even if their
                                          scores differ */
} judge_candidate_t;

typedef struct {
    const char  *verdict;              /* decided, tie, undecided */
    const char  *reason;               /* equal_text, equal_score; close,
                                          not_judged; NULL: decided */
    size_t       leader;               /* with the highest score, ... */
    double       difference;           /* from the next; NaN: there is none */
    double       probability;          /* that it is the best; NaN: unknown */
    double       best[JUDGE_COMPARED_MAX];       /* likewise, of each one */
} judge_comparison_t;

/* n candidates, JUDGE_COMPARED_MIN to _MAX.  Any thread. */
void judge_comparison(const judge_candidate_t *candidates, size_t n,
    double level, judge_comparison_t *out);

/* Sets that nothing is known yet, for this reason. */
void judge_comparison_open(judge_comparison_t *out, const char *reason);

/* Sets the verdict by the probability that the leader is the best; `members`
 * candidates have its text. */
void judge_comparison_decide(judge_comparison_t *out, double level,
    size_t members);

/* Sorts the indexes of n values, the highest one first. */
void judge_comparison_sort(const double *values, size_t n, size_t *order);

/* Returns 1 if the score of a is higher, -1 if that of b is, 0 if both are
 * equal but for rounding or have the same text, and JUDGE_COMPARED_UNKNOWN if
 * either was not judged. */
int judge_comparison_sign(const judge_candidate_t *a,
    const judge_candidate_t *b);


/* --- Ranking ------------------------------------------------------------- */

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

#define JUDGE_RANKING_DRAWS  1000
#define JUDGE_RANKING_WORK   (1 << 20)  /* draws times pairs of systems, of all
                                           targets: about a second */
#define JUDGE_RANKING_FEW    100       /* draws, at least */

/* Of one target. */
typedef struct {
    size_t   n;                        /* systems */
    size_t   items;                    /* where at least two were judged */
    size_t   clusters;                 /* units of resampling; if there are
                                          many clusters, several form one */
    double   wins[JUDGE_COMPARED_MAX][JUDGE_COMPARED_MAX];
    double   ties[JUDGE_COMPARED_MAX][JUDGE_COMPARED_MAX];
    double   strength[JUDGE_COMPARED_MAX];       /* log p; their mean is 0 */
    double   low[JUDGE_COMPARED_MAX];  /* NaN: too few clusters */
    double   high[JUDGE_COMPARED_MAX];
    double   best[JUDGE_COMPARED_MAX]; /* share of draws won; or NaN */

    double  *units;                    /* wins by unit, row and column: a tie
                                          is half a win for both */
    bool     used[JUDGE_DIFFERENCE_UNITS];
} judge_ranking_t;

/* Begins a ranking of n systems.  JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_ranking_begin(judge_arena_t *arena, size_t n,
    judge_ranking_t *out);

/* Adds an item with a candidate of each system; judge_difference_units() has
 * set its unit. */
void judge_ranking_add(judge_ranking_t *out, size_t unit,
    const judge_candidate_t *candidates);

/* Returns how many draws JUDGE_RANKING_WORK allows. */
size_t judge_ranking_draws(size_t systems, size_t targets);

/* Finds the strengths.  JUDGE_OK or JUDGE_NOMEM; any thread; the same seed,
 * the same figures. */
judge_rc_e judge_ranking_end(judge_arena_t *arena, uint64_t seed, size_t draws,
    judge_ranking_t *out);


#endif /* JUDGE_COMPARISON_H */
