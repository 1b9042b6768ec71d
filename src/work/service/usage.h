/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Usage of API keys, counted in memory that all workers share and added to the
 * store from time to time; a crash loses what was not added yet. */


#ifndef JUDGE_USAGE_H
#define JUDGE_USAGE_H


#include "base/net/token_bucket.h"
#include "store/store_org.h"
#include "store/store_batch.h"
#include "work/service/service.h"


#define JUDGE_USAGE_SLOTS  8192        /* keys in use; further ones are not
                                          counted until a restart */

typedef struct {
    uint32_t    state;
    judge_id_t  org;
    judge_id_t  key;
    int64_t     requests;
    int64_t     evaluations;
    int64_t     last_used;
} judge_usage_slot_t;

/* In shared memory, zeroed. */
struct judge_usage {
    judge_usage_slot_t  slots[JUDGE_USAGE_SLOTS];
    uint32_t            next;          /* slot where take() continues */
};

/* Counts; any worker, at any time, without a lock. */
void judge_usage_add(judge_usage_t *usage, judge_str_t org, judge_str_t key,
    int64_t requests, int64_t evaluations, judge_ms_t now);

/*
 * Removes up to `max` non-zero counts, to be stored, starting where the last
 * call ended, so that every key has its turn; counts that could not be stored
 * are added again by return().  Strings point into `usage`, which is not freed
 * before the service.
 */
size_t judge_usage_take(judge_usage_t *usage, judge_usage_row_t *rows,
    size_t max);
void judge_usage_return(judge_usage_t *usage, const judge_key_usage_t *op);

/* year * 12 + month - 1 of a time, in UTC. */
int64_t judge_usage_month(judge_ms_t t);


/* --- Rate limits --------------------------------------------------------- */

/* Rate limits of API keys: a token bucket per key, in memory that all workers
 * share. */

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


/* --- Throughput ---------------------------------------------------------- */

/* The number of evaluations that end per second, in memory that all workers
 * share.  Seconds without any are ignored: they don't show the capacity. */

#define JUDGE_THROUGHPUT_SLOTS  64

/* In shared memory, zeroed. */
struct judge_throughput {
    uint64_t  slots[JUDGE_THROUGHPUT_SLOTS];  /* second << 32 | count */
};

/* Counts; any worker, at any time, without a lock. */
void judge_throughput_add(judge_throughput_t *throughput, size_t ended,
    judge_ms_t now);

/* When the batch will have ended at the present rate.  0: nothing was measured
 * yet, or the batch is not under way, or not of text: the speed of external
 * workers is unknown. */
judge_ms_t judge_throughput_estimate(const judge_service_t *service,
    const judge_batch_row_t *row);


#endif /* JUDGE_USAGE_H */
