/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Work beside requests on rows of the store that are queued, of the core and
 * of extensions.  Each worker process peeks now and then whether any is due;
 * if so, it claims some under a lease and works on these.  A peek reads a row,
 * while a claim is a commit, which wakes every worker.
 */


#ifndef JUDGE_LEASED_H
#define JUDGE_LEASED_H


#include "work/service/service.h"


typedef struct judge_leased  judge_leased_t;
typedef void (*judge_leased_step_pt)(judge_leased_t *work);
typedef judge_rc_e (*judge_leased_compute_pt)(judge_leased_t *work);

/* A kind of such work.  All functions run on the event loop. */
typedef struct {
    size_t            size;            /* of what begins with a
                                          judge_leased_t */
    size_t            most;            /* of these in a process, at once */
    judge_op_kind_e   peek;            /* the operation, a judge_peek_t */
    judge_op_kind_e   claim;           /* the operation */
    size_t            claim_at;        /* offset of its judge_claim_t */
    int64_t           rows;            /* to be claimed, if they may be
                                          several */
    bool              evaluates;       /* only for processes that evaluate */
    judge_ms_t        lease;           /* of one of these, */
    size_t            setting;         /* and the offset of a time in
                                          judge_settings_t that is added: if
                                          that is 0, none is claimed; or 0 */
    judge_op_t     *(*renew)(judge_leased_t *work, judge_ms_t until);
                                       /* fills in the one that prolongs the
                                          lease; or NULL */
    judge_leased_step_pt  begin;       /* after the claim has succeeded; leads
                                          to judge_leased_end() */
    judge_leased_step_pt  free;        /* frees what is not in the arena; or
                                          NULL */
    judge_leased_step_pt  failed;      /* in place of a step after a failure,
                                          which is work->rc, if the lease is
                                          lost, and in place of a wait while
                                          the process is asked to end */
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
    judge_str_t       org;             /* of what is submitted; begin() sets
                                          it */
    judge_ms_t        lease;           /* ms */
    bool              lost;            /* another process has claimed it, or it
                                          was deleted */
    judge_ms_t        leased_at;
    bool              renewing;
    bool              releasing;       /* judge_leased_last() was called */
    bool              ended;
    judge_rc_e        rc;              /* of what came before a step */
    judge_leased_step_pt     step;     /* that follows */
    judge_ms_t        wakes_at;        /* when it follows; 0: not by time */
    judge_leased_compute_pt  compute;
    judge_task_t      task;
    judge_leases_t   *all;
    judge_leased_t   *next;
};

/* What a process has claimed of a kind. */
struct judge_leases {
    judge_leases_t             *next;
    judge_service_t            *service;
    const judge_leased_kind_t  *kind;
    judge_leased_t             *first;
    size_t                      count;
    bool                        claiming;
    bool                        stopped;         /* no more is claimed */
    judge_ms_t                  peek_at;         /* the next peek; the work
                                          may change it */
    unsigned                    failures;        /* in a row, as the work
                                          counts them */
};


/* Submits an operation, in the arena of the work unless it has another one;
 * op->data becomes the work. */
void judge_leased_submit(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op));

/* The next step: at once, after an operation, after a computation in a
 * thread, after both, or at a time. */
void judge_leased_go(judge_leased_t *work, judge_leased_step_pt step);
void judge_leased_op(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, judge_leased_step_pt step);
void judge_leased_compute(judge_leased_t *work,
    judge_leased_compute_pt compute, judge_leased_step_pt step);
void judge_leased_op_compute(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, judge_leased_compute_pt compute,
    judge_leased_step_pt step);
void judge_leased_wait(judge_leased_t *work, judge_ms_t until,
    judge_leased_step_pt step);

/* Like _submit(), for an operation that releases the lease. */
void judge_leased_last(judge_leased_t *work, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op));

/* For _last(): ends the work, and peeks at once, since more may be due. */
void judge_leased_over(judge_op_t *op);

/* Frees the work.  Its lease expires, unless it was released. */
void judge_leased_end(judge_leased_t *work);

/* Peeks at once, because a row has been queued. */
void judge_leases_wake(judge_service_t *service,
    const judge_leased_kind_t *kind);

/* Adds a kind; false: out of memory. */
bool judge_leases_add(judge_service_t *service,
    const judge_leased_kind_t *kind);

/* For all kinds; see judge_background_t. */
void judge_leases_destroy(judge_service_t *service);
void judge_leases_tick(judge_service_t *service);
void judge_leases_stop(judge_service_t *service);
bool judge_leases_busy(judge_service_t *service);


#endif /* JUDGE_LEASED_H */
