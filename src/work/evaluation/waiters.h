/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Requests that wait for an evaluation to end, for a batch or training job to
 * change, or for the store to change.
 *
 * A commit of this worker wakes them at once.  Another worker counts its
 * commits in shared memory, and makes this one compare the counters; so does
 * every tick.  This needs no read of the store.  When a process dies, all
 * waiters are woken, because it may have died before it counted its commit.
 */


#ifndef JUDGE_WAITERS_H
#define JUDGE_WAITERS_H


#include "work/service/service.h"


/* notify() is called once, on the loop, when the wait is over or any API key
 * was changed.  The caller owns the waiter, which must stay in place until
 * then. */
typedef struct judge_waiter  judge_waiter_t;

struct judge_waiter {
    judge_str_t      id;               /* what is waited for; absent: any
                                          commit */
    uint64_t         changes;          /* see _changes() */
    bool             stays;            /* a leaving process does not end it */
    judge_ms_t       until;            /* latest time of notify() */
    judge_ms_t       after;            /* without id: earliest time, unless the
                                          process leaves */
    uint64_t         commits;          /* without id: see _commits() */
    void           (*notify)(judge_waiter_t *waiter);
    void            *data;

    judge_waiter_t  *next;             /* private from here on */
    judge_waiter_t **prev;
};

/* Waiters should read the store again after this time, because programs that
 * write to it from outside nginx do not count their commits. */
#define JUDGE_WAITERS_RECHECK  10000   /* ms */


extern const judge_background_t  judge_waiters_background;
void judge_waiters_tick(judge_service_t *service);

void judge_waiters_add(judge_service_t *service, judge_waiter_t *waiter);

/* Ends a wait that was not notified yet. */
void judge_waiters_remove(judge_service_t *service, judge_waiter_t *waiter);

/* Whether a wait of `ms` that ends at `until` is over; also if the clock was
 * set back to before its beginning. */
static inline bool
judge_waiters_over(judge_ms_t now, judge_ms_t until, judge_ms_t ms)
{
    return now >= until || now < until - ms;
}

/* Returns the counter for waiter->commits; must be called before the store is
 * read. */
uint64_t judge_waiters_commits(const judge_service_t *service);

/* Returns the counter for waiter->changes; must be called before the
 * evaluation, batch or job is read or created. */
uint64_t judge_waiters_changes(const judge_service_t *service, judge_str_t id);

/* Wakes all after a process has died, whose last commit may not be counted. */
void judge_waiters_all(judge_service_t *service);

/* To be called when the end of an evaluation is stored: counts it and its
 * scores, and wakes those who wait for it, here and in other workers. */
void judge_waiters_ended(judge_service_t *service,
    const judge_result_t *result);

/* Wakes those who wait in this worker for something that may have changed. */
void judge_waiters_wake(judge_service_t *service, judge_str_t id);


#endif /* JUDGE_WAITERS_H */
