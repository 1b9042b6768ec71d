/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A hash table with open addressing, without locks.  A slot is taken once, by
 * a compare-and-swap of its state; afterwards only its counts change. */


#include <time.h>

#include "base/core/hash.h"
#include "work/service/usage.h"


#define JUDGE_USAGE_EMPTY   0
#define JUDGE_USAGE_FILLING  1
#define JUDGE_USAGE_READY   2
#define JUDGE_USAGE_PROBES  64


static judge_usage_slot_t *
judge_usage_slot(judge_usage_t *usage, judge_str_t org, judge_str_t key)
{
    size_t               n;
    uint32_t             state;
    uint64_t             hash;
    judge_usage_slot_t  *slot;

    if (key.len > JUDGE_ID_LEN || org.len > JUDGE_ID_LEN) {
        return NULL;
    }

    hash = judge_fnv(JUDGE_FNV_START, key.data, key.len);

    for (n = 0; n < JUDGE_USAGE_PROBES; n++) {
        slot = &usage->slots[(hash + n) % JUDGE_USAGE_SLOTS];
        state = JUDGE_USAGE_EMPTY;

        if (__atomic_compare_exchange_n(&slot->state, &state,
                                        JUDGE_USAGE_FILLING, false,
                                        __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE))
        {
            judge_id_set(&slot->org, org);
            judge_id_set(&slot->key, key);
            __atomic_store_n(&slot->state, JUDGE_USAGE_READY,
                             __ATOMIC_RELEASE);
            return slot;
        }

        /* A slot that another worker is filling is skipped: the key may get
         * two slots then, and both are added to the store. */
        if (state == JUDGE_USAGE_READY
            && judge_str_eq(judge_id_str(&slot->key), key))
        {
            return slot;
        }
    }

    return NULL;
}


void
judge_usage_add(judge_usage_t *usage, judge_str_t org, judge_str_t key,
    int64_t requests, int64_t evaluations, judge_ms_t now)
{
    judge_usage_slot_t  *slot;

    slot = judge_usage_slot(usage, org, key);
    if (slot == NULL) {
        return;
    }

    __atomic_fetch_add(&slot->requests, requests, __ATOMIC_RELAXED);
    if (evaluations) {
        __atomic_fetch_add(&slot->evaluations, evaluations, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&slot->last_used, now, __ATOMIC_RELAXED);
}


size_t
judge_usage_take(judge_usage_t *usage, judge_usage_row_t *rows, size_t max)
{
    size_t               i, n;
    uint32_t             next;
    judge_usage_slot_t  *slot;

    n = 0;
    next = __atomic_load_n(&usage->next, __ATOMIC_RELAXED);

    for (i = 0; i < JUDGE_USAGE_SLOTS && n < max; i++) {
        slot = &usage->slots[next++ % JUDGE_USAGE_SLOTS];

        if (__atomic_load_n(&slot->state, __ATOMIC_ACQUIRE)
            != JUDGE_USAGE_READY)
        {
            continue;
        }

        rows[n].requests = __atomic_exchange_n(&slot->requests, 0,
                                               __ATOMIC_RELAXED);
        rows[n].evaluations = __atomic_exchange_n(&slot->evaluations, 0,
                                                  __ATOMIC_RELAXED);
        if (rows[n].requests == 0 && rows[n].evaluations == 0) {
            continue;
        }

        rows[n].org = judge_id_str(&slot->org);
        rows[n].id = judge_id_str(&slot->key);
        rows[n].last_used = __atomic_load_n(&slot->last_used,
                                            __ATOMIC_RELAXED);
        rows[n].month = judge_usage_month(rows[n].last_used);
        n++;
    }

    __atomic_store_n(&usage->next, next, __ATOMIC_RELAXED);

    return n;
}


void
judge_usage_return(judge_usage_t *usage, const judge_key_usage_t *op)
{
    size_t                    i;
    const judge_usage_row_t  *row;

    for (i = 0; i < op->count; i++) {
        row = &op->rows[i];
        judge_usage_add(usage, row->org, row->id, row->requests,
                        row->evaluations, row->last_used);
    }
}


int64_t
judge_usage_month(judge_ms_t t)
{
    time_t     seconds;
    struct tm  tm;

    seconds = (time_t) (t / 1000);
    if (gmtime_r(&seconds, &tm) == NULL) {
        return 0;
    }

    return (int64_t) (tm.tm_year + 1900) * 12 + tm.tm_mon;
}
