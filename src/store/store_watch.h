/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on many scores at once: what a judge gave over a while, and what
 * people corrected of it; part of store.h. */


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
    judge_ms_t          now;
    judge_str_t         engine;        /* version of the built-in one */
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

/* Of one organization: hours from `from` on, and from `split` to `until`;
 * what the engine before this one scored is left out. */
typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    judge_str_t           route;       /* absent: of all that came */
    int64_t               from;
    int64_t               split;
    int64_t               until;
    int64_t               engine_since;          /* out: the hour of the first
                                          scores by this engine; 0: all are */
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


/* --- Canaries ------------------------------------------------------------ */

#define JUDGE_CANARY_PAIRS        5000 /* then it judges no more */
#define JUDGE_CANARY_ROWS         6000 /* those that end together are more */
#define JUDGE_CANARY_CORRECTIONS  20000          /* scores that are read */

/* What both versions say of an evaluation, stored as it ends. */
struct judge_pair_row {
    judge_str_t  org;
    judge_str_t  judge_id;
    int64_t      base;
    int64_t      version;              /* the canary */
    judge_str_t  id;
    judge_str_t  scores;               /* as below */
};

/* A version beside the active one, which is the base; that of a canary which
 * is there already gets the share.  JUDGE_STALE: the base is not active;
 * JUDGE_CONFLICT: another canary is there. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      base;
    int64_t      version;
    double       share;
    judge_ms_t   now;
} judge_canary_create_t;

typedef struct {
    judge_str_t  id;                   /* of an evaluation */
    judge_str_t  scores;               /* floats: two of the overall score and
                                          of each criterion of the base, its
                                          own and the canary's; NaN: none */
} judge_canary_pair_t;

typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    bool                  brief;       /* in: no pairs and corrections */
    int64_t               active;      /* out, all of these: by now */
    int64_t               base;
    int64_t               version;
    double                share;
    int64_t               judged;      /* so far, also what is deleted */
    judge_ms_t            created_at;
    judge_str_t           criteria;    /* of the base, JSON */
    judge_str_t           escalate;    /* likewise; may be absent */
    judge_canary_pair_t  *rows;        /* in the order of evaluations, both */
    size_t                count;
    judge_corrected_t    *corrected;
    size_t                ncorrected;
} judge_canary_find_t;

/* The canary becomes the active version.  JUDGE_CONFLICT: the base is not
 * that any more, or the canary another one. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      base;
    int64_t      version;
    judge_ms_t   now;
} judge_canary_promote_t;

typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
} judge_canary_drop_t;


#endif /* JUDGE_STORE_WATCH_H */
