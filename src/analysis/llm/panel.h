/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A panel: several language models that judge the same criteria, and how one
 * score is made of theirs. */


#ifndef JUDGE_PANEL_H
#define JUDGE_PANEL_H


#include "base/core/str.h"


#define JUDGE_PANEL_NAME     "panel"   /* in place of a model's name */
#define JUDGE_PANEL_MEMBERS  7         /* at most; at least 2 */
#define JUDGE_PANEL_WITHIN   20.0      /* agree_within by default, points */

/* Weights are equal until a criterion has JUDGE_PANEL_LEAST corrections.  With
 * JUDGE_PANEL_PRIOR of them weights are half learned and half equal. */
#define JUDGE_PANEL_LEAST    10
#define JUDGE_PANEL_PRIOR    20.0

typedef enum {
    JUDGE_PANEL_MEAN,
    JUDGE_PANEL_MEDIAN,
    JUDGE_PANEL_MAJORITY,
    JUDGE_PANEL_WEIGHTED
} judge_panel_take_e;

/* The names of judge_panel_take_e ("mean", …), ended by NULL. */
extern const char *const  judge_panel_takes[];

typedef struct {
    judge_str_t         models[JUDGE_PANEL_MEMBERS];
    size_t              n;             /* 0: there is no panel */
    judge_panel_take_e  take;
    double              within;        /* points that agreement may span */
} judge_panel_t;

/* The scores of a criterion by a panel; judge_criterion_score_t points to
 * them. */
typedef struct {
    judge_str_t  model;
    double       score;                /* NAN: it gave none */
    const char  *status;               /* answered, or the code of an error */
} judge_panel_member_t;

typedef struct judge_panel_scores {
    judge_panel_member_t  members[JUDGE_PANEL_MEMBERS];
    size_t                n;
    double                spread;      /* highest minus lowest score */
} judge_panel_scores_t;

/* Reads the stored JSON of a version; absent or unreadable: n is 0.  JUDGE_OK
 * or JUDGE_NOMEM. */
judge_rc_e judge_panel_read(judge_arena_t *arena, judge_str_t json,
    judge_panel_t *panel);

/* How many members must answer: half of them, rounded up, and two at least. */
size_t judge_panel_needed(const judge_panel_t *panel);

/*
 * One score of those in `scores`, at least one of which is set, rounded to two
 * decimals.  weights are the members', in the same order; NULL: equal.
 *
 * The majority is the largest set of scores of which the highest is at most
 * `within` above the lowest; among sets of the same size that with the smaller
 * span, then that whose mean is nearer to the median of all, then the lower
 * one.  Its mean counts; if no two scores agree, the median of all.
 */
double judge_panel_score(const judge_panel_t *panel,
    const judge_panel_scores_t *scores, const double *weights);

/*
 * The members' weights for a criterion, which sum up to 1: out of the sums of
 * their squared errors in the same n corrections, by the inverse of the mean
 * squared error (Bates and Granger 1969), and shrunk towards equal weights
 * (Diebold and Pauly 1990):
 *
 *   w = s * (1 / mse) / sum(1 / mse) + (1 - s) / members,  s = n / (n + 20)
 *
 * Fewer than JUDGE_PANEL_LEAST corrections give equal weights.
 */
void judge_panel_weights(const double *squares, size_t members, size_t n,
    double *weights);

/* Whether two names of models are of one family: they have the same provider,
 * which may stand before a slash, or the names behind it begin with the same
 * letters, as those of "openai/gpt-4o" and "gpt-5" do. */
bool judge_panel_related(judge_str_t a, judge_str_t b);


#endif /* JUDGE_PANEL_H */
