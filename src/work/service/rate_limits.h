/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rate limits of API keys: a token bucket per key, in memory that all workers
 * share. */


#ifndef JUDGE_RATE_LIMITS_H
#define JUDGE_RATE_LIMITS_H


#include "base/net/token_bucket.h"
#include "work/service/service.h"


/* The number of buckets, a power of two.  One that is full again can be used
 * for another key, so that only busy keys need one. */
#define JUDGE_RATE_LIMITS_SLOTS  16384

typedef struct {
    _Atomic uint64_t      key;         /* 0: never used */
    judge_token_bucket_t  bucket;
} judge_rate_limits_slot_t;

/* In shared memory, zeroed. */
struct judge_rate_limits {
    judge_fleet_t            *fleet;   /* NULL: this node is alone */
    judge_rate_limits_slot_t  slots[JUDGE_RATE_LIMITS_SLOTS];
};

/* Takes a token of the key's bucket, or in a fleet of this node's share; any
 * worker, at any time, without a lock.  If there is no slot for one more busy
 * key, the request is allowed. */
judge_token_bucket_answer_t judge_rate_limits_take(judge_rate_limits_t *limits,
    const judge_token_bucket_rate_t *rate, judge_str_t org, judge_str_t key,
    judge_ms_t now);


#endif /* JUDGE_RATE_LIMITS_H */
