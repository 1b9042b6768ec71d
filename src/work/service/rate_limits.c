/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A hash table with open addressing, without locks.  A slot is identified by a
 * 64-bit hash of the key's identifier, so that one atomic operation gives it
 * to another key.  At worst, a worker that is using the slot for the old key
 * then takes a token of the new one.
 */


#include "base/core/hash.h"
#include "work/service/fleet.h"
#include "work/service/usage.h"


#define JUDGE_RATE_LIMITS_PROBES  32


/* The key's own slot, or else the first one that is unused or whose bucket is
 * full, which is the same as a new one. */

static judge_rate_limits_slot_t *
judge_rate_limits_slot(judge_rate_limits_t *limits, judge_str_t key,
    judge_ms_t now)
{
    size_t                     n;
    int64_t                    full_at;
    uint64_t                   hash, was;
    judge_rate_limits_slot_t  *slot;

    hash = judge_mix(judge_fnv(JUDGE_FNV_START, key.data, key.len));
    hash = hash ? hash : 1;

    for (n = 0; n < JUDGE_RATE_LIMITS_PROBES; n++) {
        slot = &limits->slots[(hash + n) % JUDGE_RATE_LIMITS_SLOTS];

        if (atomic_load_explicit(&slot->key, memory_order_relaxed) == hash) {
            return slot;
        }
    }

    for (n = 0; n < JUDGE_RATE_LIMITS_PROBES; n++) {
        slot = &limits->slots[(hash + n) % JUDGE_RATE_LIMITS_SLOTS];
        was = atomic_load_explicit(&slot->key, memory_order_relaxed);
        full_at = atomic_load_explicit(&slot->bucket.full_at,
                                       memory_order_relaxed);

        if ((was == 0 || full_at / 1000000 < now)
            && (atomic_compare_exchange_strong_explicit(&slot->key, &was,
                                                        hash,
                                                        memory_order_relaxed,
                                                        memory_order_relaxed)
                || was == hash))
        {
            return slot;
        }
    }

    return NULL;
}


judge_token_bucket_answer_t
judge_rate_limits_take(judge_rate_limits_t *limits,
    const judge_token_bucket_rate_t *rate, judge_str_t org, judge_str_t key,
    judge_ms_t now)
{
    judge_fleet_share_t          share;
    judge_rate_limits_slot_t    *slot;
    judge_token_bucket_rate_t    here;
    judge_token_bucket_answer_t  answer;

    slot = judge_rate_limits_slot(limits, key, now);
    if (slot == NULL) {
        return (judge_token_bucket_answer_t) { .allowed = true };
    }

    if (limits->fleet == NULL) {
        return judge_token_bucket_take(&slot->bucket, rate, now, 1);
    }

    here = *rate;
    share = judge_fleet_share(limits->fleet, JUDGE_FLEET_RATE, org, key,
                              (judge_ms_t) rate->burst * rate->period
                              / rate->limit, now, 1);
    judge_fleet_apply(&share, &slot->bucket, &here, now);
    answer = judge_token_bucket_take(&slot->bucket, &here, now, 1);
    answer.retry_after = judge_fleet_retry(&share, answer.retry_after);

    return answer;
}
