/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How many calls a server takes at once, found out from what it refuses:
 * additive increase, multiplicative decrease (Chiu and Jain 1989).  The limit
 * falls by a part when a call is refused, or to what the server took of the
 * calls that were under way.  Each round of calls that are all answered raises
 * it by more than the round before, so that a limit that fell for long is back
 * after a few rounds.
 *
 * For one thread.  Times are ms of any clock that only goes forward.
 */


#ifndef JUDGE_CONCURRENCY_H
#define JUDGE_CONCURRENCY_H


#include "base/core/time.h"


#define JUDGE_CONCURRENCY_PAUSE  1000  /* ms without calls if even one at a
                                          time is refused, and the server does
                                          not say how long */
#define JUDGE_CONCURRENCY_LONGEST  60000   /* ms of a pause at most */

typedef struct {
    uint32_t    most;                  /* calls at once, at least 1 */
    double      width;                 /* as many as are taken now, from 1 to
                                          most */
    double      step;                  /* what a round adds */
    double      answered;              /* calls of this round so far */
    double      taken;                 /* calls at once that were not refused
                                          when the limit fell last */
    judge_ms_t  cut_at;                /* when that was */
    judge_ms_t  until;                 /* no call begins before */
} judge_concurrency_t;


void judge_concurrency_init(judge_concurrency_t *limit, uint32_t most);

/* How many may be under way; 0 during a pause, of which *wait is the rest. */
uint32_t judge_concurrency_allowed(const judge_concurrency_t *limit,
    judge_ms_t now, judge_ms_t *wait);

/* `full`: as many were under way as are allowed; otherwise an answer does not
 * show that the server would take more. */
void judge_concurrency_answered(judge_concurrency_t *limit, bool full);

/* A call that began at that time was refused for there were too many, and
 * should be repeated after that many ms at least; 0: the server named none. */
void judge_concurrency_refused(judge_concurrency_t *limit, judge_ms_t began,
    judge_ms_t now, judge_ms_t retry_after);


#endif /* JUDGE_CONCURRENCY_H */
