/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A token bucket in eight bytes, for shared memory: several processes take
 * from it without a lock.  It is the generic cell rate algorithm (ITU-T
 * I.371), which keeps not the level but the moment when the bucket will be
 * full again.  A zeroed bucket is full.
 */


#ifndef JUDGE_TOKEN_BUCKET_H
#define JUDGE_TOKEN_BUCKET_H


#include <stdatomic.h>

#include "base/core/time.h"


_Static_assert(ATOMIC_LLONG_LOCK_FREE == 2, "64-bit atomics without locks");

typedef struct {
    _Atomic int64_t  full_at;          /* ns since 1970 */
} judge_token_bucket_t;

/* All three at least 1; a limit of 0 means that there is no limit.  Exact
 * up to 100,000 tokens in a millisecond. */
typedef struct {
    uint32_t    limit;                 /* tokens that flow in per period */
    uint32_t    burst;                 /* tokens that it holds */
    judge_ms_t  period;                /* at most a day */
    uint32_t    share;                 /* of it that is here, of
                                          JUDGE_TOKEN_BUCKET_WHOLE; 0: all */
} judge_token_bucket_rate_t;

#define JUDGE_TOKEN_BUCKET_WHOLE  65536

typedef struct {
    bool        allowed;
    int64_t     remaining;             /* tokens in it now, whole ones */
    judge_ms_t  reset;                 /* until it is full, rounded up */
    judge_ms_t  retry_after;           /* until these tokens are there; 0 when
                                          allowed, negative: never, they are
                                          more than it holds */
} judge_token_bucket_answer_t;


/*
 * Takes n tokens or none.  `now` is the wall clock, the same for all
 * processes; one that is set back costs at most the time of two fillings.
 * More than a share of the bucket holds is given when the share is full, and
 * owed.
 */
judge_token_bucket_answer_t judge_token_bucket_take(
    judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, uint32_t n);

/*
 * The bucket had another share (not 0) until now.  The tokens in it stay as
 * many as they are, so that shares of several nodes that add up to one never
 * give more than one bucket; or, where nobody else had a share (`fresh`), what
 * was taken stays as much as it is.
 */
void judge_token_bucket_scale(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, uint32_t was,
    bool fresh);

/* After an estimate was taken: `n` more tokens were used than that, or, when
 * negative, fewer.  What was not foreseen is owed: the bucket may stand below
 * empty, by its size at most. */
void judge_token_bucket_correct(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, int64_t n);


#endif /* JUDGE_TOKEN_BUCKET_H */
