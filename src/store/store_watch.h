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


/* --- Scores by the hour (any org but where it says so) ------------------- */

#define JUDGE_DRIFT_ROWS  4096         /* of 60 criteria and their overall */

typedef struct {
    judge_op_t   op;
    judge_ms_t   now;
    judge_str_t  due_org;              /* out; absent: none */
    judge_str_t  due;                  /* a judge, */
    judge_str_t  due_route;            /* of what came this way; empty: of
                                          all */
} judge_hours_peek_t;

typedef struct judge_hours_row {
    judge_str_t  org;
    judge_str_t  judge_id;
    judge_str_t  route;                /* empty: it came by none */
    int64_t      hour;
    judge_str_t  criterion_id;         /* empty: the overall score */
    int64_t      bin;
    int64_t      n;
} judge_hours_row_t;

#define JUDGE_ROUTES  32               /* of a judge; what comes by others
                                          counts as "other" */

typedef struct {
    judge_op_t          op;
    judge_ms_t          due_at;        /* their judges are to be looked at */
    judge_hours_row_t  *rows;
    size_t              count;
} judge_hours_write_t;

typedef struct {
    judge_str_t  criterion_id;
    int64_t      bin;
    int64_t      before;
    int64_t      now;
} judge_drift_row_t;

typedef struct {
    judge_str_t  route;
    int64_t      before;               /* evaluations */
    int64_t      now;
} judge_drift_route_t;

/* Of one organization: hours from `from` on, and from `split` to `until`. */
typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    judge_str_t           route;       /* absent: of all that came */
    int64_t               from;
    int64_t               split;
    int64_t               until;
    judge_drift_row_t    *rows;        /* those of a criterion together */
    size_t                count;
    judge_drift_route_t  *routes;      /* in their order; not none */
    size_t                nroutes;
} judge_drift_counts_t;

/* Of one organization; an event where it has become strong.  JUDGE_CONFLICT:
 * somebody else was there. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_str_t  route;                /* as in due_route */
    bool         strong;
    int64_t      oldest;               /* hours before it are deleted */
    judge_ms_t   now;
} judge_drift_finish_t;


#endif /* JUDGE_STORE_WATCH_H */
