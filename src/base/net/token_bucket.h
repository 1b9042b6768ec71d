/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A token bucket of eight bytes in shared memory, which several processes use
 * without a lock.  It is the generic cell rate algorithm (ITU-T I.371), which
 * stores not the number of tokens, but the time when the bucket will be full
 * again.  A zeroed bucket is full.
 */


#ifndef JUDGE_TOKEN_BUCKET_H
#define JUDGE_TOKEN_BUCKET_H


#include <stdatomic.h>

#include "base/core/time.h"


_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "64-bit atomics without locks");

typedef struct {
    _Atomic int64_t  full_at;          /* ns since 1970 */
} judge_token_bucket_t;

/* limit, burst and period are at least 1; but a limit of 0 means that there is
 * no limit.  Rates are exact up to 100,000 tokens in a millisecond. */
typedef struct {
    uint32_t    limit;                 /* tokens that flow in per period */
    uint32_t    burst;                 /* tokens of a full bucket */
    judge_ms_t  period;                /* at most a day */
    uint32_t    share;                 /* this node's part of the bucket, of
                                          JUDGE_TOKEN_BUCKET_WHOLE; 0: all */
} judge_token_bucket_rate_t;

#define JUDGE_TOKEN_BUCKET_WHOLE  65536

typedef struct {
    bool        allowed;
    int64_t     remaining;             /* whole tokens that are left */
    judge_ms_t  reset;                 /* ms until it is full, rounded up */
    judge_ms_t  retry_after;           /* ms until it has enough tokens; 0 if
                                          allowed; negative: a full bucket
                                          has fewer */
} judge_token_bucket_answer_t;


/*
 * Takes n tokens or none.  `now` is the wall clock, the same for all
 * processes; if it is set back, the bucket is full after at most two fillings
 * (a share after 16).  A full share allows a request for more tokens than it
 * has: the difference is a debt.
 */
judge_token_bucket_answer_t judge_token_bucket_take(
    judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, uint32_t n);

/*
 * Changes the share from `old_share` (not 0).  The number of tokens stays the
 * same, so that the shares of several nodes, which add up to one, never allow
 * more than one bucket.  If no other node had a share (`fresh`), the number of
 * missing tokens stays the same instead.
 */
void judge_token_bucket_scale(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, uint32_t old_share,
    bool fresh);

/* Corrects an estimate that was taken: `n` more tokens were used, or fewer if
 * n is negative.  The bucket may get a debt, of its own size at most (a share:
 * 15 times that). */
void judge_token_bucket_correct(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, int64_t n);


#endif /* JUDGE_TOKEN_BUCKET_H */
