/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The token bucket: one compare-and-swap per request. */


#include "base/net/token_bucket.h"


#define JUDGE_NS         ((int64_t) 1000000)   /* in a millisecond */
#define JUDGE_NOW_MAX    ((judge_ms_t) 4102444800000)  /* 2100-01-01 */
#define JUDGE_NS_MAX     (INT64_MAX / 16)      /* 18 years: sums fit */

typedef __int128  judge_int128_t;


/*
 * ns in which n tokens flow in, JUDGE_NS_MAX at most.  Rounded down, so that
 * the last of a full bucket's tokens never falls short of a nanosecond.
 */

static int64_t
judge_token_bucket_cost(const judge_token_bucket_rate_t *rate, int64_t n)
{
    judge_int128_t  ns;

    ns = (judge_int128_t) n * rate->period * JUDGE_NS / rate->limit;

    return ns < JUDGE_NS_MAX ? (int64_t) ns : JUDGE_NS_MAX;
}


/* ns that the whole bucket takes to fill, rounded up */

static int64_t
judge_token_bucket_room(const judge_token_bucket_rate_t *rate)
{
    return judge_token_bucket_cost(rate, rate->burst) + 1;
}


static int64_t
judge_token_bucket_min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}


static int64_t
judge_token_bucket_now(judge_ms_t now)
{
    return judge_token_bucket_min(now < 0 ? 0 : now, JUDGE_NOW_MAX) * JUDGE_NS;
}


/* Puts in the moment when it is full; false: another was there first. */

static bool
judge_token_bucket_put(judge_token_bucket_t *bucket, int64_t *before,
    int64_t full_at)
{
    return atomic_compare_exchange_weak_explicit(&bucket->full_at, before,
                                                 full_at, memory_order_relaxed,
                                                 memory_order_relaxed);
}


/*
 * Until it is full, in ns, of what was read: 0 when that has passed.  More
 * than a whole filling and a whole debt cannot be owed, so that such a value
 * comes from a clock that was ahead.
 */

static int64_t
judge_token_bucket_missing(int64_t full_at, int64_t now, int64_t room)
{
    int64_t  missing;

    missing = full_at - now;

    if (missing < 0) {
        return 0;
    }

    return missing / 2 < room ? missing : room * 2;
}


static judge_token_bucket_answer_t
judge_token_bucket_answer(const judge_token_bucket_rate_t *rate,
    int64_t missing, int64_t room, int64_t cost)
{
    int64_t                      left;
    judge_token_bucket_answer_t  answer;

    answer.allowed = missing + cost <= room;
    answer.retry_after = 0;

    if (answer.allowed) {
        missing += cost;

    } else if (cost > room) {
        answer.retry_after = -1;

    } else {
        answer.retry_after = (missing + cost - room + JUDGE_NS - 1) / JUDGE_NS;
    }

    left = room > missing ? room - missing : 0;
    answer.remaining = (int64_t) ((judge_int128_t) left * rate->limit
                                  / ((judge_int128_t) rate->period
                                     * JUDGE_NS));
    answer.reset = (missing + JUDGE_NS - 1) / JUDGE_NS;

    return answer;
}


judge_token_bucket_answer_t
judge_token_bucket_take(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, uint32_t n)
{
    int64_t                      t, full_at, missing, room, cost;
    judge_token_bucket_answer_t  answer;

    if (rate->limit == 0) {
        return (judge_token_bucket_answer_t) { true, INT64_MAX, 0, 0 };
    }

    t = judge_token_bucket_now(now);
    room = judge_token_bucket_room(rate);
    cost = judge_token_bucket_cost(rate, n);
    full_at = atomic_load_explicit(&bucket->full_at, memory_order_relaxed);

    do {
        missing = judge_token_bucket_missing(full_at, t, room);
        answer = judge_token_bucket_answer(rate, missing, room, cost);

        if (!answer.allowed) {
            return answer;
        }

    } while (!judge_token_bucket_put(bucket, &full_at, t + missing + cost));

    return answer;
}


void
judge_token_bucket_correct(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, int64_t n)
{
    int64_t  t, full_at, missing, room, cost;

    if (rate->limit == 0 || n == 0) {
        return;
    }

    t = judge_token_bucket_now(now);
    room = judge_token_bucket_room(rate);

    cost = (n > 0) ? judge_token_bucket_cost(rate, n)
                   : -judge_token_bucket_cost(rate,
                                              n > -INT64_MAX ? -n : INT64_MAX);

    full_at = atomic_load_explicit(&bucket->full_at, memory_order_relaxed);

    do {
        missing = judge_token_bucket_missing(full_at, t, room) + cost;
        missing = missing < 0 ? 0 : judge_token_bucket_min(missing, room * 2);

    } while (!judge_token_bucket_put(bucket, &full_at, t + missing));
}
