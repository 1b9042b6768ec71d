/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Work of an extension beside requests, on rows of the store that are queued.
 * Each worker process peeks now and then whether any is due; if so, it claims
 * some under a lease and works on these.  A peek reads a row, while a claim is
 * a commit, which wakes every worker.
 */


#ifndef JUDGE_LEASED_H
#define JUDGE_LEASED_H


#include "work/service/service.h"


typedef struct judge_leased  judge_leased_t;
typedef struct judge_leases  judge_leases_t;
typedef void (*judge_leased_step_pt)(judge_leased_t *work);
typedef judge_rc_e (*judge_leased_compute_pt)(judge_leased_t *work);

/* How an extension works.  All functions run on the event loop. */
typedef struct {
    size_t            size;            /* of what begins with a
                                          judge_leased_t */
    size_t            most;            /* of these in a process, at once */
    judge_op_kind_e   peek;            /* the operation, a judge_peek_t */
    bool            (*wanted)(const judge_service_t *service);
                                       /* whether this process works; NULL: if
                                          its node evaluates */
    judge_op_t     *(*claim)(judge_leased_t *work);      /* fills in the
                                          operation that claims, and sets
                                          work->lease */
    judge_op_t     *(*renew)(judge_leased_t *work, judge_ms_t until);
                                       /* fills in the one that prolongs the
                                          lease; or NULL */
    judge_leased_step_pt  begin;       /* after the claim has succeeded; leads
                                          to judge_leased_end() */
    judge_leased_step_pt  failed;      /* in place of a step after a failure,
                                          which is work->rc, or if the lease is
                                          lost */
    void            (*tick)(judge_leased_t *work, judge_ms_t now);
                                       /* every JUDGE_BACKGROUND_TICK from
                                          then; or NULL */
    judge_leased_step_pt  stop;        /* likewise, while the process is asked
                                          to end */
} judge_leased_kind_t;

struct judge_leased {
    judge_peek_t      peek;            /* first: see judge_service_op() */
    judge_service_t  *service;
    judge_arena_t    *arena;           /* contains this struct */
    judge_str_t       org;             /* of what is submitted; the extension
                                          sets it */
    judge_ms_t        lease;           /* ms; likewise */
    bool              lost;            /* another process has claimed it, or it
                                          was deleted */
    judge_ms_t        leased_at;
    bool              renewing;
    bool              releasing;       /* judge_leased_last() was called */
    bool              ended;
    judge_rc_e        rc;              /* of what came before a step */
    judge_leased_step_pt     step;     /* that follows */
    judge_leased_compute_pt  compute;
    judge_task_t      task;
    judge_leases_t   *all;
    judge_leased_t   *next;
};

/* What an extension has claimed in a process. */
struct judge_leases {
    const judge_leased_kind_t  *kind;
    judge_leased_t             *first;
    size_t                      count;
    bool                        claiming;
    bool                        stopped;         /* no more is claimed */
    judge_ms_t                  peek_at;         /* the next peek; the
                                          extension may change it */
    unsigned                    failures;        /* in a row, as the extension
                                          counts them */
};


/* Submits an operation, in the arena of the work unless it has another one;
 * op->data becomes the work. */
void judge_leased_submit(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op));

/* The next step: at once, after an operation, or after a computation in a
 * thread. */
void judge_leased_go(judge_leased_t *work, judge_leased_step_pt step);
void judge_leased_op(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, judge_leased_step_pt step);
void judge_leased_compute(judge_leased_t *work,
    judge_leased_compute_pt compute, judge_leased_step_pt step);

/* Like _submit(), for an operation that releases the lease. */
void judge_leased_last(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op));

/* Frees the work.  Its lease expires, unless it was released. */
void judge_leased_end(judge_leased_t *work);

/* For all extensions; see judge_background_t. */
void judge_leases_tick(judge_service_t *service);
void judge_leases_stop(judge_service_t *service);
bool judge_leases_busy(judge_service_t *service);


#endif /* JUDGE_LEASED_H */
