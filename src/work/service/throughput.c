/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A ring of seconds.  A slot holds its second and the count in one word, so
 * that both change atomically; a later second overwrites an earlier one. */


#include <stdlib.h>

#include "work/service/usage.h"


#define JUDGE_THROUGHPUT_COUNT  UINT64_C(0xffffffff)


void
judge_throughput_add(judge_throughput_t *throughput, size_t ended,
    judge_ms_t now)
{
    uint64_t  second, was, is, *slot;

    if (ended == 0) {
        return;
    }

    second = (uint64_t) (now / 1000) & JUDGE_THROUGHPUT_COUNT;
    slot = &throughput->slots[second % JUDGE_THROUGHPUT_SLOTS];
    was = __atomic_load_n(slot, __ATOMIC_RELAXED);

    do {
        is = was >> 32 == second ? was : second << 32;
        if ((is & JUDGE_THROUGHPUT_COUNT) + ended > JUDGE_THROUGHPUT_COUNT) {
            return;
        }
        is += ended;
    } while (!__atomic_compare_exchange_n(slot, &was, is, false,
                                          __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
}


static int
judge_throughput_compare(const void *a, const void *b)
{
    uint64_t  x = *(const uint64_t *) a, y = *(const uint64_t *) b;

    return x < y ? 1 : x > y ? -1 : 0;
}


/* The rate is the mean of the busier half of the seconds, because the others
 * show little demand, not little capacity.  The current second does not
 * count. */

judge_ms_t
judge_throughput_estimate(const judge_service_t *service,
    const judge_batch_row_t *row)
{
    double      left;
    size_t      i, n, half;
    uint64_t    second, slot, sum, counts[JUDGE_THROUGHPUT_SLOTS];
    judge_ms_t  now;

    if (!judge_str_eq_c(row->status, "evaluating")
        || !judge_str_eq_c(row->content_type, "text"))
    {
        return 0;
    }

    now = judge_now(service);
    second = (uint64_t) (now / 1000) & JUDGE_THROUGHPUT_COUNT;

    for (i = 0, n = 0; i < JUDGE_THROUGHPUT_SLOTS; i++) {
        slot = __atomic_load_n(&service->throughput->slots[i],
                               __ATOMIC_RELAXED);
        if (slot && slot >> 32 != second) {
            counts[n++] = slot & JUDGE_THROUGHPUT_COUNT;
        }
    }

    qsort(counts, n, sizeof(uint64_t), judge_throughput_compare);

    half = (n + 1) / 2;
    for (i = 0, sum = 0; i < half; i++) {
        sum += counts[i];
    }

    left = (double) (row->total - row->completed - row->failed);

    return sum ? now + (judge_ms_t) (left * (double) half / (double) sum
                                     * 1000)
               : 0;
}
