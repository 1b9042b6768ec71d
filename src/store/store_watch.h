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
    int64_t      position[2];          /* out, all of these: the last row of
                                          results together, and alone, that
                                          is counted */
    int64_t      newest[2];            /* that there is */
    judge_str_t  due_org;              /* absent: none */
    judge_str_t  due;                  /* a judge */
} judge_hours_peek_t;

typedef struct {
    int64_t      position;             /* in: the number of its row; together
                                          64 times that and its own */
    judge_str_t  org;                  /* out; may be absent */
    judge_str_t  body;                 /* absent: it is not there */
} judge_hours_result_t;

typedef struct {
    judge_op_t             op;
    int64_t                alone;      /* 0, or 1 */
    judge_hours_result_t  *rows;
    size_t                 count;
} judge_hours_read_t;

typedef struct {
    judge_str_t  org;
    judge_str_t  judge_id;
    int64_t      hour;
    judge_str_t  criterion_id;         /* empty: the overall score */
    int64_t      bin;
    int64_t      n;
} judge_hours_row_t;

/* JUDGE_CONFLICT: somebody else has counted them. */
typedef struct {
    judge_op_t          op;
    int64_t             alone;         /* as above */
    int64_t             from;          /* the position so far */
    int64_t             to;
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

/* Of one organization: hours from `from` on, and from `split` to `until`. */
typedef struct {
    judge_op_t          op;
    judge_str_t         judge_id;
    int64_t             from;
    int64_t             split;
    int64_t             until;
    judge_drift_row_t  *rows;          /* those of a criterion together */
    size_t              count;
} judge_drift_counts_t;

/* Of one organization; an event where it has become strong.  JUDGE_CONFLICT:
 * somebody else was there. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    bool         strong;
    int64_t      oldest;               /* hours before it are deleted */
    judge_ms_t   now;
} judge_drift_finish_t;


#endif /* JUDGE_STORE_WATCH_H */
