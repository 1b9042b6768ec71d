/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Requests that wait for an evaluation to end, for a batch or training job to
 * change, or for the store to change.
 *
 * What this worker commits wakes them at once.  What another worker commits is
 * announced by counters in shared memory, and by waking this one to compare
 * them; every tick does so, too.  Nothing is read meanwhile.  When a process
 * dies, which may be between its commit and the announcement, all are woken.
 */


#ifndef JUDGE_WAITERS_H
#define JUDGE_WAITERS_H


#include "work/service/service.h"


/* notify() is called once, on the loop, when the wait is over or an API key
 * was changed.  The waiter is the caller's, who keeps it in place until
 * then. */
typedef struct judge_waiter  judge_waiter_t;

struct judge_waiter {
    judge_str_t      id;               /* of what may change; absent: until the
                                          store has changed */
    uint64_t         changes;          /* see _changes() */
    bool             stays;            /* also while this worker stops */
    judge_ms_t       until;            /* at the latest */
    judge_ms_t       after;            /* without id: not before, unless all is
                                          stopped */
    uint64_t         commits;          /* without id: see _commits() */
    void           (*notify)(judge_waiter_t *waiter);
    void            *data;

    judge_waiter_t  *next;             /* its own from here on */
    judge_waiter_t **prev;
};

/* How long to wait at most for what is announced: other programs may write to
 * the store as well, and announce nothing. */
#define JUDGE_WAITERS_UNTOLD  10000    /* ms */


bool judge_waiters_create(judge_service_t *service);
void judge_waiters_destroy(judge_service_t *service);    /* at rest only */
void judge_waiters_tick(judge_service_t *service);
void judge_waiters_stop(judge_service_t *service);
bool judge_waiters_busy(judge_service_t *service);

void judge_waiters_add(judge_service_t *service, judge_waiter_t *waiter);

/* For one that need not wait any more, and was not notified. */
void judge_waiters_remove(judge_service_t *service, judge_waiter_t *waiter);

/* To be asked before the store is read by who then waits for a change. */
uint64_t judge_waiters_commits(const judge_service_t *service);

/* The same for who waits for an evaluation, a batch or a job: asked before it
 * is read or made. */
uint64_t judge_waiters_changes(const judge_service_t *service,
    judge_str_t id);

/* A process has died: what it had committed, but not announced, is forgotten
 * and looked at anew. */
void judge_waiters_all(judge_service_t *service);

/* The end of an evaluation is stored: counts it and its scores, wakes who
 * waits for it here, and announces it to other workers. */
void judge_waiters_ended(judge_service_t *service,
    const judge_result_t *result);

/* It may have ended: wakes who waits for it here. */
void judge_waiters_wake(judge_service_t *service, judge_str_t id);


#endif /* JUDGE_WAITERS_H */
