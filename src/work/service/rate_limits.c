/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An open-addressed table without locks.  A key is known by 64 bits of a hash
 * of its identifier, which fit into one word, so that a slot changes hands in
 * one step.  Whoever still uses it then takes a token of the new key: no more
 * than that can go wrong.
 */


#include "base/core/hash.h"
#include "work/service/rate_limits.h"


#define JUDGE_RATE_LIMITS_PROBES  32


typedef struct {
    _Atomic uint64_t  key;             /* 0: never used */
    judge_token_bucket_t    bucket;
} judge_rate_limits_slot_t;

struct judge_rate_limits {
    judge_rate_limits_slot_t  slots[JUDGE_RATE_LIMITS_SLOTS];
};


static uint64_t judge_rate_limits_hash(judge_str_t key);
static judge_rate_limits_slot_t *judge_rate_limits_find(
    judge_rate_limits_t *limits,
    uint64_t hash);
static judge_rate_limits_slot_t *judge_rate_limits_claim(
    judge_rate_limits_t *limits,
    uint64_t hash, judge_ms_t now);


size_t
judge_rate_limits_size(void)
{
    return sizeof(judge_rate_limits_t);
}


judge_token_bucket_answer_t
judge_rate_limits_take(judge_rate_limits_t *limits,
    const judge_token_bucket_rate_t *rate,
    judge_str_t key, judge_ms_t now)
{
    uint64_t                   hash;
    judge_rate_limits_slot_t  *slot;

    hash = judge_rate_limits_hash(key);

    slot = judge_rate_limits_find(limits, hash);
    if (slot == NULL) {
        slot = judge_rate_limits_claim(limits, hash, now);
    }

    if (slot == NULL) {
        return (judge_token_bucket_answer_t) { .allowed = true };
    }

    return judge_token_bucket_take(&slot->bucket, rate, now, 1);
}


/* FNV-1a, with the mixing of splitmix64 behind it; never 0. */

static uint64_t
judge_rate_limits_hash(judge_str_t key)
{
    uint64_t  hash;

    hash = judge_mix(judge_fnv(JUDGE_FNV_START, key.data, key.len));

    return hash ? hash : 1;
}


static judge_rate_limits_slot_t *
judge_rate_limits_find(judge_rate_limits_t *limits, uint64_t hash)
{
    size_t                     n;
    judge_rate_limits_slot_t  *slot;

    for (n = 0; n < JUDGE_RATE_LIMITS_PROBES; n++) {
        slot = &limits->slots[(hash + n) % JUDGE_RATE_LIMITS_SLOTS];

        if (atomic_load_explicit(&slot->key, memory_order_relaxed) == hash) {
            return slot;
        }
    }

    return NULL;
}


/* The first slot that was never used, or whose bucket is full: it would say
 * no more than a new one. */

static judge_rate_limits_slot_t *
judge_rate_limits_claim(judge_rate_limits_t *limits, uint64_t hash,
    judge_ms_t now)
{
    size_t                     n;
    int64_t                    full_at;
    uint64_t                   key;
    judge_rate_limits_slot_t  *slot;

    for (n = 0; n < JUDGE_RATE_LIMITS_PROBES; n++) {
        slot = &limits->slots[(hash + n) % JUDGE_RATE_LIMITS_SLOTS];
        key = atomic_load_explicit(&slot->key, memory_order_relaxed);
        full_at = atomic_load_explicit(&slot->bucket.full_at,
                                       memory_order_relaxed);

        if (key && full_at / 1000000 >= now) {
            continue;
        }

        if (atomic_compare_exchange_strong_explicit(&slot->key, &key, hash,
                                                    memory_order_relaxed,
                                                    memory_order_relaxed)
            || key == hash)
        {
            return slot;
        }
    }

    return NULL;
}
