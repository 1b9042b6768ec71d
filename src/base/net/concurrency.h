/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Estimates how many calls a server takes at once, from those that it refuses:
 * additive increase, multiplicative decrease (Chiu and Jain 1989).  When a
 * call is refused, the limit falls by a part, or to the number of calls under
 * way that the server took.  Each round of calls that are all answered raises
 * it by more than the round before, so that it recovers after a few rounds.
 *
 * For one thread.  Times are ms of any clock that only goes forward.
 */


#ifndef JUDGE_CONCURRENCY_H
#define JUDGE_CONCURRENCY_H


#include "base/core/time.h"


#define JUDGE_CONCURRENCY_PAUSE  1000  /* ms without calls if the server
                                          refuses even a single one, and does
                                          not say how long */
#define JUDGE_CONCURRENCY_LONGEST  60000   /* ms of the longest pause */

typedef struct {
    uint32_t    most;                  /* calls at once, at least 1 */
    double      width;                 /* the limit now, from 1 to `most` */
    double      step;                  /* added by a round */
    double      answered;              /* in this round so far */
    double      taken;                 /* calls that were under way and not
                                          refused at the last decrease */
    judge_ms_t  cut_at;                /* time of the last decrease */
    judge_ms_t  until;                 /* end of a pause */
} judge_concurrency_t;


void judge_concurrency_init(judge_concurrency_t *limit, uint32_t most);

/* Returns how many may be under way; 0 in a pause, which ends in *wait ms. */
uint32_t judge_concurrency_allowed(const judge_concurrency_t *limit,
    judge_ms_t now, judge_ms_t *wait);

/* Notes an answer.  `full`: the limit of calls was under way; otherwise an
 * answer does not show that the server would take more. */
void judge_concurrency_answered(judge_concurrency_t *limit, bool full);

/* Notes that a call that began at `began` was refused because there were too
 * many.  Of calls that began before the last decrease each takes one from what
 * the server is thought to take.  retry_after: ms that the server wants the
 * client to wait; 0: it named none.  It counts only where a single call was
 * refused. */
void judge_concurrency_refused(judge_concurrency_t *limit, judge_ms_t began,
    judge_ms_t now, judge_ms_t retry_after);


#endif /* JUDGE_CONCURRENCY_H */
