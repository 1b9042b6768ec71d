/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Operations on many scores at once: what a judge gave over a while, and what
 * people corrected of it; part of store.h.
 */


#ifndef JUDGE_STORE_WATCH_H
#define JUDGE_STORE_WATCH_H


#include "store/store.h"


/* A score that people corrected, as the mean of their corrections. */
typedef struct {
    judge_str_t  evaluation_id;
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       human;
    double       given;
    double       overall;              /* the given overall score */
    bool         review;               /* it was to be looked at */
} judge_corrected_t;

/* Of a judge's completed evaluations, in their order. */
typedef struct {
    judge_op_t          op;
    judge_str_t         judge_id;
    judge_str_t         batch_id;      /* absent: of any, and of none */
    judge_str_t         after;         /* an evaluation, and */
    judge_str_t         after_criterion;         /* a criterion, or "" */
    judge_str_t         until;         /* an evaluation */
    int64_t             limit;
    judge_corrected_t  *rows;
    size_t              count;
} judge_corrected_list_t;

/* How many evaluations a judge has completed, or a batch has, of all judges
 * and however they ended; `limit` of them at most. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_str_t  batch_id;             /* absent: the judge's */
    judge_str_t  after;
    judge_str_t  until;
    int64_t      limit;
    int64_t      count;                /* out */
    judge_str_t  last;                 /* out */
} judge_score_count_t;

typedef struct {
    judge_str_t  id;
    judge_str_t  body;                 /* may be absent */
    bool         review;
    bool         counts;               /* it has completed, by this judge */
} judge_score_row_t;

/* Each `stride`-th of the same; less than `limit` of them: there are no
 * more. */
typedef struct {
    judge_op_t          op;
    judge_str_t         judge_id;
    judge_str_t         batch_id;
    judge_str_t         after;
    judge_str_t         until;
    int64_t             stride;
    int64_t             limit;
    judge_score_row_t  *rows;
    size_t              count;
} judge_score_list_t;


#endif /* JUDGE_STORE_WATCH_H */
