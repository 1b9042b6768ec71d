/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Operations on many scores at once: those that a judge gave over a period,
 * and people's corrections of them; part of store.h. */


#ifndef JUDGE_STORE_WATCH_H
#define JUDGE_STORE_WATCH_H


#include "store/store.h"


/* A score that people corrected; `human` is the mean of their corrections. */
typedef struct {
    judge_str_t  evaluation_id;
    judge_str_t  criterion_id;         /* empty: the overall score */
    double       human;
    double       given;
    double       overall;              /* the given overall score */
} judge_corrected_t;

/* Counts the evaluations that a judge has completed, or all of a batch, by any
 * judge and with any status; at most `limit`. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_str_t  batch_id;             /* absent: the judge's evaluations */
    judge_str_t  after;                /* counts ids greater than this one, */
    judge_str_t  until;                /* and less than this one */
    int64_t      limit;
    int64_t      count;                /* out */
    judge_str_t  last;                 /* out: the last id counted */
} judge_score_count_t;

typedef struct {
    judge_str_t  id;
    judge_str_t  body;                 /* may be absent */
    bool         review;
    bool         counts;               /* completed, and by this judge */
} judge_score_row_t;

/* Reads every `stride`-th of the evaluations that judge_score_count_t counts;
 * there are no more if these are fewer than `limit`. */
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


/* --- Scores by the hour; peek and write: any org ------------------------- */

#define JUDGE_DRIFT_ROWS  4096         /* enough for 60 criteria and overall */

typedef struct {
    judge_op_t   op;
    judge_ms_t   now;
    judge_str_t  due_org;              /* out; absent: none is due */
    judge_str_t  due;                  /* judge whose scores to compare, */
    judge_str_t  due_route;            /* of this route; empty: of all */
    judge_ms_t   due_at;
} judge_hours_peek_t;

typedef struct judge_hours_row {
    judge_str_t  org;
    judge_str_t  judge_id;
    judge_str_t  route;                /* empty: without a route */
    int64_t      hour;                 /* since 1970 */
    judge_str_t  criterion_id;         /* empty: the overall score */
    int64_t      bin;                  /* of 5 points, 0 to 19; -1: failed */
    int64_t      n;                    /* evaluations */
} judge_hours_row_t;

#define JUDGE_ROUTES  32               /* routes of a judge; further ones count
                                          as "other" */

typedef struct {
    judge_op_t          op;
    judge_ms_t          due_at;        /* when their scores are compared */
    judge_ms_t          now;
    judge_str_t         engine;        /* version of the built-in engine */
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

/* Reads the counts of two periods, in hours since 1970: from `from` to `split`
 * and from `split` to `until`, without scores by earlier versions of the
 * engine. */
typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    judge_str_t           route;       /* absent: all */
    int64_t               from;
    int64_t               split;
    int64_t               until;
    int64_t               engine_since;          /* out: hour of this engine's
                                          first scores; 0: it gave all */
    judge_drift_row_t    *rows;        /* out: sorted by criterion */
    size_t                count;
    judge_drift_route_t  *routes;      /* out: sorted; without "" */
    size_t                nroutes;
} judge_drift_counts_t;

#define JUDGE_ALERTS  20               /* of a judge, at most */

/* A rule on the scores of a judge, and its state. */
typedef struct {
    judge_str_t  name;
    judge_str_t  rule;                 /* JSON */
    bool         firing;
    judge_ms_t   since;                /* last change of `firing`; 0: never */
    double       value;                /* negative: not known */
    int64_t      n;                    /* results that it was computed from */
    judge_str_t  event;                /* with a change: JSON to send */
} judge_alert_row_t;

/* In their order; JUDGE_NOT_FOUND: there is no such judge. */
typedef struct {
    judge_op_t          op;
    judge_str_t         id;            /* the judge's */
    judge_alert_row_t  *rows;
    size_t              count;
} judge_alert_list_t;

/* Replaces all alerts of a judge by these, and makes them due.  An alert with
 * the same rule keeps its state. */
typedef struct {
    judge_op_t          op;
    judge_str_t         judge_id;
    judge_ms_t          now;
    judge_alert_row_t  *rows;
    size_t              count;
    judge_alert_row_t  *kept;          /* out: with their states */
    size_t              nkept;
} judge_alert_set_t;

/* Stores the outcome of a comparison and of alerts.  Adds the events of alerts
 * that have changed, and one if the drift has just become strong.
 * JUDGE_CONFLICT: another worker has stored the outcome. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    judge_str_t  route;                /* as in due_route */
    judge_ms_t   due_at;               /* as it was read: if another one is
                                          stored by now, JUDGE_CONFLICT */
    bool         strong;
    int64_t      oldest;               /* hour; earlier ones are deleted */
    judge_ms_t   now;
    judge_alert_row_t  *alerts;
    size_t       nalerts;
    int64_t      drifted;              /* private: `strong` has changed */
} judge_drift_finish_t;


/* --- Canaries ------------------------------------------------------------ */

#define JUDGE_CANARY_PAIRS        5000 /* after these the canary stops */
#define JUDGE_CANARY_ROWS         6000 /* read; jobs under way add pairs */
#define JUDGE_CANARY_CORRECTIONS  20000          /* scores read, at most */

/* The scores of both versions for an evaluation, stored when it ends. */
struct judge_pair_row {
    judge_str_t  org;
    judge_str_t  judge_id;
    int64_t      base;
    int64_t      version;              /* the canary's */
    judge_str_t  id;
    judge_str_t  scores;               /* as below */
};

/* Makes a version the canary of the active one, its base; if it is the canary
 * already, only the share changes.  JUDGE_STALE: the base is not active;
 * JUDGE_CONFLICT: the judge has another canary. */
typedef struct {
    judge_op_t   op;
    judge_str_t  judge_id;
    int64_t      base;
    int64_t      version;
    double       share;
    judge_ms_t   now;
} judge_canary_create_t;

typedef struct {
    judge_str_t  id;                   /* the evaluation's */
    judge_str_t  scores;               /* pairs of floats, the base's and the
                                          canary's: overall score, then each
                                          criterion of the base; NaN: none */
} judge_canary_pair_t;

typedef struct {
    judge_op_t            op;
    judge_str_t           judge_id;
    bool                  brief;       /* in: without pairs, corrections */
    int64_t               active;      /* out, as all below: at present */
    int64_t               base;
    int64_t               version;
    double                share;
    int64_t               judged;      /* pairs so far, deleted included */
    judge_ms_t            created_at;
    judge_str_t           criteria;    /* of the base, JSON */
    judge_str_t           escalate;    /* likewise; may be absent */
    judge_canary_pair_t  *rows;        /* both are sorted by evaluation */
    size_t                count;
    judge_corrected_t    *corrected;
    size_t                ncorrected;
} judge_canary_find_t;

/* Makes the canary the active version.  JUDGE_CONFLICT: its base is no longer
 * active, or the judge has another canary now. */
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
