/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A token bucket that needs one compare-and-swap per request. */


#include "base/net/token_bucket.h"


#define JUDGE_NS         ((int64_t) 1000000)   /* ns in a millisecond */
#define JUDGE_NOW_MAX    ((judge_ms_t) 4102444800000)  /* 2100-01-01 */
#define JUDGE_NS_MAX     (INT64_MAX / 16)      /* 18 years; sums fit, too */

typedef __int128  judge_int128_t;


/* Returns the ns in which n tokens flow in, JUDGE_NS_MAX at most, rounded down
 * so that all tokens of a full bucket can be taken one by one. */

static int64_t
judge_token_bucket_cost(const judge_token_bucket_rate_t *rate, int64_t n)
{
    judge_int128_t  ns;

    ns = (judge_int128_t) n * rate->period * JUDGE_NS / rate->limit;

    return ns < JUDGE_NS_MAX ? (int64_t) ns : JUDGE_NS_MAX;
}


/* Returns the ns, rounded up, in which an empty bucket fills. */

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


/* Converts a cost to that of a share, into which fewer tokens flow. */

static int64_t
judge_token_bucket_shared(const judge_token_bucket_rate_t *rate, int64_t cost)
{
    judge_int128_t  ns;

    ns = (judge_int128_t) cost * JUDGE_TOKEN_BUCKET_WHOLE
         / (rate->share ? rate->share : JUDGE_TOKEN_BUCKET_WHOLE);

    return ns < JUDGE_NS_MAX ? (int64_t) ns : JUDGE_NS_MAX;
}


/* Returns the most ns until the bucket is full: a debt may be as large as the
 * bucket, or larger for a share, which one request may exceed. */

static int64_t
judge_token_bucket_most(const judge_token_bucket_rate_t *rate, int64_t room)
{
    int64_t  one;

    if (rate->share == 0) {
        return room * 2;
    }

    one = judge_token_bucket_shared(rate, judge_token_bucket_cost(rate, 1));
    room = judge_token_bucket_min(room, JUDGE_NS_MAX / 16) * 16;

    return room > one ? room : one;
}


static int64_t
judge_token_bucket_now(judge_ms_t now)
{
    return judge_token_bucket_min(now < 0 ? 0 : now, JUDGE_NOW_MAX) * JUDGE_NS;
}


/* Stores when the bucket will be full; false: another thread was faster. */

static bool
judge_token_bucket_put(judge_token_bucket_t *bucket, int64_t *before,
    int64_t full_at)
{
    return atomic_compare_exchange_weak_explicit(&bucket->full_at, before,
                                                 full_at, memory_order_relaxed,
                                                 memory_order_relaxed);
}


/* Returns the ns until the bucket is full.  If these are more than `most`, the
 * clock was set back, and the rest is ignored. */

static int64_t
judge_token_bucket_missing(int64_t full_at, int64_t now, int64_t most)
{
    int64_t  missing;

    missing = full_at - now;

    return missing < 0 ? 0 : judge_token_bucket_min(missing, most);
}


static judge_token_bucket_answer_t
judge_token_bucket_answer(const judge_token_bucket_rate_t *rate,
    int64_t missing, int64_t room, int64_t cost)
{
    int64_t                      left;
    judge_token_bucket_answer_t  answer;

    answer.allowed = missing + cost <= room || (rate->share && missing == 0);
    answer.retry_after = 0;

    if (answer.allowed) {
        missing += cost;

    } else if (cost > room) {
        answer.retry_after = rate->share ? (missing + JUDGE_NS - 1) / JUDGE_NS
                                         : -1;

    } else {
        answer.retry_after = (missing + cost - room + JUDGE_NS - 1) / JUDGE_NS;
    }

    left = room > missing ? room - missing : 0;
    if (rate->share) {
        left = (int64_t) ((judge_int128_t) left * rate->share
                          / JUDGE_TOKEN_BUCKET_WHOLE);
    }
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
    int64_t                      t, full_at, missing, room, most, cost;
    judge_token_bucket_answer_t  answer;

    if (rate->limit == 0) {
        return (judge_token_bucket_answer_t) { true, INT64_MAX, 0, 0 };
    }

    t = judge_token_bucket_now(now);
    room = judge_token_bucket_room(rate);
    most = judge_token_bucket_most(rate, room);
    cost = judge_token_bucket_shared(rate, judge_token_bucket_cost(rate, n));
    full_at = atomic_load_explicit(&bucket->full_at, memory_order_relaxed);

    do {
        missing = judge_token_bucket_missing(full_at, t, most);
        answer = judge_token_bucket_answer(rate, missing, room, cost);

        if (!answer.allowed) {
            return answer;
        }

    } while (!judge_token_bucket_put(bucket, &full_at, t + missing + cost));

    return answer;
}


void
judge_token_bucket_scale(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, uint32_t old_share,
    bool fresh)
{
    int64_t         t, full_at, room, most, missing;
    judge_int128_t  n;

    if (rate->limit == 0 || rate->share == 0) {
        return;
    }

    t = judge_token_bucket_now(now);
    room = judge_token_bucket_room(rate);
    most = judge_token_bucket_most(rate, room);
    full_at = atomic_load_explicit(&bucket->full_at, memory_order_relaxed);

    do {
        missing = full_at > t ? full_at - t : 0;
        n = fresh ? missing : room - missing;
        n = n * old_share / rate->share;
        n = fresh ? n : room - n;
        n = n < 0 ? 0 : n < most ? n : most;
    } while (!judge_token_bucket_put(bucket, &full_at, t + (int64_t) n));
}


void
judge_token_bucket_correct(judge_token_bucket_t *bucket,
    const judge_token_bucket_rate_t *rate, judge_ms_t now, int64_t n)
{
    int64_t  t, full_at, missing, most, cost;

    if (rate->limit == 0 || n == 0) {
        return;
    }

    t = judge_token_bucket_now(now);
    most = judge_token_bucket_most(rate, judge_token_bucket_room(rate));

    cost = judge_token_bucket_cost(rate, n > 0 ? n : n > -INT64_MAX
                                                     ? -n : INT64_MAX);
    cost = judge_token_bucket_shared(rate, cost) * (n > 0 ? 1 : -1);

    full_at = atomic_load_explicit(&bucket->full_at, memory_order_relaxed);

    do {
        missing = judge_token_bucket_missing(full_at, t, most) + cost;
        missing = missing < 0 ? 0 : judge_token_bucket_min(missing, most);

    } while (!judge_token_bucket_put(bucket, &full_at, t + missing));
}
