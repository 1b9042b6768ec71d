/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The token bucket: alone, against a model of it, and between processes. */


#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/net/token_bucket.h"
#include "tap.h"


#define T_NOW  ((judge_ms_t) 1790000000000)


/* What a take would answer. */

static judge_token_bucket_answer_t
look(judge_token_bucket_t *bucket, const judge_token_bucket_rate_t *rate,
    judge_ms_t now, uint32_t n)
{
    judge_token_bucket_t  copy;

    atomic_init(&copy.full_at, atomic_load(&bucket->full_at));

    return judge_token_bucket_take(&copy, rate, now, n);
}


static void
test_steps(void)
{
    size_t                       i;
    judge_token_bucket_t         bucket = { 0 };
    judge_token_bucket_answer_t  a;
    judge_token_bucket_rate_t    rate = { 60, 10, 60000, 0 };  /* 1/s */
    static const struct {
        judge_ms_t  at;
        uint32_t    n;
        bool        allowed;
        int64_t     remaining;
        judge_ms_t  reset, retry_after;
    } rows[] = {
        { 0, 1, true, 9, 1000, 0 },
        { 0, 0, true, 9, 1000, 0 },
        { 500, 4, true, 5, 4500, 0 },
        { 500, 6, false, 5, 4500, 500 },
        { 1000, 6, true, 0, 10000, 0 },
        { 1000, 1, false, 0, 10000, 1000 },
        { 1001, 1, false, 0, 9999, 999 },
        { 1999, 1, false, 0, 9001, 1 },
        { 2000, 1, true, 0, 10000, 0 },
        { 2000, 10, false, 0, 10000, 10000 },
        { 2000, 11, false, 0, 10000, -1 },
        { 2000, UINT32_MAX, false, 0, 10000, -1 },
        { 12000, 0, true, 10, 0, 0 },
        { 900000, 10, true, 0, 10000, 0 },
        { 900000, 0, true, 0, 10000, 0 },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        a = look(&bucket, &rate, T_NOW + rows[i].at,
                                    rows[i].n);
        t_ok(a.allowed == rows[i].allowed,
             "row %zu: a look tells whether tokens would be given", i);
        a = judge_token_bucket_take(&bucket, &rate, T_NOW + rows[i].at,
                                    rows[i].n);
        t_ok(a.allowed == rows[i].allowed,
             "row %zu: tokens are given while there are enough", i);
        t_is_int(a.remaining, rows[i].remaining,
                 "row %zu: the tokens that remain are told", i);
        t_is_int(a.reset, rows[i].reset,
                 "row %zu: the time until the bucket is full is told", i);
        t_is_int(a.retry_after, rows[i].retry_after,
                 "row %zu: the time until a retry succeeds is told", i);
    }
}


/* Rates that divide into no whole number of nanoseconds. */

static void
test_odd_rates(void)
{
    int                        wrong;
    uint32_t                   i, burst, limit, got;
    judge_token_bucket_rate_t  rate;
    static const uint32_t  limits[] = { 1, 3, 7, 13, 997, 60000, 1000000,
                                        10000019 };

    for (i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
        limit = limits[i];
        wrong = 0;

        for (burst = 1; burst < 2000; burst += 1 + burst / 3) {
            judge_token_bucket_t  bucket = { 0 };

            rate = (judge_token_bucket_rate_t) { limit, burst, 60000,
                                                  0 };
            wrong += look(&bucket, &rate, T_NOW,
                                             0).remaining
                     != burst;

            for (got = 0; got < burst + 10; got++) {
                if (!judge_token_bucket_take(&bucket, &rate, T_NOW,
                                             1).allowed) {
                    break;
                }
            }

            wrong += (got != burst);
        }

        t_is_int(wrong, 0,
                 "%u a minute: exactly the burst is given at once", limit);
    }
}


/* However one asks, no more than burst + time * rate is given. */

static void
test_long_run(void)
{
    int                        i;
    int64_t                    given;
    uint32_t                   x, n;
    judge_ms_t                 now;
    judge_token_bucket_t       bucket = { 0 };
    judge_token_bucket_rate_t  rate = { 700, 50, 1000, 0 };

    given = 0;
    now = T_NOW;
    x = 2463534242u;

    for (i = 0; i < 100000; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        now += x % 7;
        n = (x >> 8) % 5;

        if (judge_token_bucket_take(&bucket, &rate, now, n).allowed) {
            given += n;
        }
    }

    t_ok(given <= 50 + (now - T_NOW) * 7 / 10 + 1,
         "never more than burst and rate is given");
    t_ok(given >= (now - T_NOW) * 6 / 10,
         "most of what the rate allows is given");
}


static void
test_correct(void)
{
    judge_token_bucket_t         bucket = { 0 };
    judge_token_bucket_answer_t  a;
    judge_token_bucket_rate_t    rate = { 60, 10, 60000, 0 };

    (void) judge_token_bucket_take(&bucket, &rate, T_NOW, 8);
    judge_token_bucket_correct(&bucket, &rate, T_NOW, -5);
    a = look(&bucket, &rate, T_NOW, 0);
    t_is_int(a.remaining, 7, "tokens that are given back can be taken again");

    judge_token_bucket_correct(&bucket, &rate, T_NOW, -100);
    a = look(&bucket, &rate, T_NOW, 0);
    t_is_int(a.remaining, 10,
             "tokens that are given back never fill the bucket beyond its "
             "burst");
    t_ok(!look(&bucket, &rate, T_NOW, 11).allowed,
         "not a token more than the burst is given");

    judge_token_bucket_correct(&bucket, &rate, T_NOW, INT64_MIN);
    t_is_int(look(&bucket, &rate, T_NOW, 0).remaining, 10,
             "the largest correction does not fill the bucket beyond its "
             "burst");

    (void) judge_token_bucket_take(&bucket, &rate, T_NOW, 8);
    judge_token_bucket_correct(&bucket, &rate, T_NOW, 7);
    a = judge_token_bucket_take(&bucket, &rate, T_NOW, 1);
    t_ok(!a.allowed, "a bucket that owes tokens gives none");
    t_is_int(a.remaining, 0, "no tokens remain of a bucket that owes some");
    t_is_int(a.reset, 15000,
             "a bucket that owes five is full after fifteen seconds");
    t_is_int(a.retry_after, 6000,
             "a bucket that owes five gives one after six seconds");

    judge_token_bucket_correct(&bucket, &rate, T_NOW, INT64_MAX);
    a = look(&bucket, &rate, T_NOW, 1);
    t_ok(a.reset >= 20000 && a.reset <= 20001, "a debt has a limit");
}


static void
test_clock(void)
{
    judge_token_bucket_t         bucket = { 0 };
    judge_token_bucket_answer_t  a;
    judge_token_bucket_rate_t    rate = { 60, 10, 60000, 0 };
    judge_token_bucket_rate_t    none = { 0, 0, 0, 0 };
    judge_token_bucket_rate_t    slow = { 1, UINT32_MAX, 86400000, 0 };

    (void) judge_token_bucket_take(&bucket, &rate, T_NOW + 3600000, 1);
    a = look(&bucket, &rate, T_NOW, 1);
    t_ok(!a.allowed && a.retry_after > 0 && a.retry_after <= 20000,
         "a clock set back by an hour costs seconds");

    a = judge_token_bucket_take(&bucket, &none, T_NOW, UINT32_MAX);
    t_ok(a.allowed && a.remaining == INT64_MAX,
         "a bucket without a limit gives any number");

    memset(&bucket, 0, sizeof(bucket));
    a = judge_token_bucket_take(&bucket, &slow, INT64_MAX, UINT32_MAX);
    judge_token_bucket_correct(&bucket, &slow, INT64_MAX, INT64_MAX);
    a = judge_token_bucket_take(&bucket, &slow, INT64_MIN, 1);
    t_ok(!a.allowed, "extreme rates and times do not overflow");
}


/* Four processes at a frozen clock share exactly one burst. */

static void
test_processes(void)
{
    int                   i, status, failed;
    pid_t                 pids[4];
    _Atomic int64_t      *given;
    judge_token_bucket_t       *bucket;
    judge_token_bucket_rate_t   rate = { 100000, 100000, 60000, 0 };

    bucket = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bucket == MAP_FAILED) {
        t_ok(false, "there is memory to share");
        return;
    }

    given = &bucket[1].full_at;

    for (i = 0; i < 4; i++) {
        pids[i] = fork();

        if (pids[i] == 0) {
            int64_t  mine = 0;

            while (judge_token_bucket_take(bucket, &rate, T_NOW, 2).allowed) {
                judge_token_bucket_correct(bucket, &rate, T_NOW, -1);
                mine++;
            }

            atomic_fetch_add(given, mine);
            _exit(0);
        }
    }

    failed = 0;

    for (i = 0; i < 4; i++) {
        failed += waitpid(pids[i], &status, 0) != pids[i] || status != 0;
    }

    /* the last token can't be taken by two, and others may wait for it */

    t_is_int(failed, 0, "four processes end well");
    t_ok(*given <= 100000 && *given >= 100000 - 4,
         "four processes share one burst");
    t_ok(look(bucket, &rate, T_NOW, 0).remaining
         == 100000 - *given, "no token is lost between four processes");

    (void) munmap(bucket, 4096);
}


/* Three nodes whose shares go up and down by turns, whoever gives first: what
 * they have together never exceeds one bucket, and most of it is had. */

static void
test_shares(void)
{
    size_t                     i, n, node;
    int64_t                    given, taken, most;
    uint32_t                   was, share[3] = { 32768, 16384, 16384 };
    judge_ms_t                 t;
    judge_token_bucket_t       bucket[3] = { { 0 }, { 0 }, { 0 } };
    judge_token_bucket_rate_t  rate = { 600, 100, 1000, 0 };

    given = 0;
    most = 0;

    for (t = 0; t < 60000; t++) {
        for (node = 0; t % 500 == 0 && node < 3; node++) {
            i = (node + (size_t) t / 500) % 3;
            was = share[i];
            n = was / 2 + (i == 0) * 100;
            share[i] -= (uint32_t) n;
            rate.share = share[i];
            judge_token_bucket_scale(&bucket[i], &rate, T_NOW + t, was, false);

            i = (i + 1) % 3;
            was = share[i];
            share[i] += (uint32_t) n;
            rate.share = share[i];
            judge_token_bucket_scale(&bucket[i], &rate, T_NOW + t, was, false);
        }

        for (node = 0; node < 3; node++) {
            rate.share = share[node];
            for (taken = 0; taken < 3; taken++) {
                given += judge_token_bucket_take(&bucket[node], &rate,
                                                 T_NOW + t, 1).allowed;
            }
        }

        most = given - (100 + 600 * t / 1000) > most
               ? given - (100 + 600 * t / 1000) : most;
    }

    t_ok(most <= 3, "shares that change give no more than one bucket: %lld",
         (long long) most);
    t_ok(given > 36000 * 9 / 10,
         "shares that change give most of one bucket: %lld",
         (long long) given);

    /* A reserve that grows to all of it, where nobody else took any. */
    rate.share = 4096;
    atomic_store(&bucket[0].full_at, 0);
    for (n = 0; judge_token_bucket_take(&bucket[0], &rate, T_NOW, 1).allowed;
         n++)
    {
        /* as many as there are */
    }
    t_is_int(n, 6, "a share of a sixteenth gives 6 of 100 tokens");
    rate.share = JUDGE_TOKEN_BUCKET_WHOLE;
    judge_token_bucket_scale(&bucket[0], &rate, T_NOW, 4096, true);
    t_is_int(look(&bucket[0], &rate, T_NOW, 0).remaining, 94,
             "the whole of a bucket has what a share did not take");

    /* More than a share holds: once, and owed. */
    rate.share = 4096;
    atomic_store(&bucket[0].full_at, 0);
    t_ok(judge_token_bucket_take(&bucket[0], &rate, T_NOW, 60).allowed,
         "ten times what a share holds can be taken when it is full");
    t_is_int(judge_token_bucket_take(&bucket[0], &rate, T_NOW, 1).retry_after,
             1460,
             "what was taken beyond a share is paid for before the next");
}


int
main(void)
{
    test_steps();
    test_odd_rates();
    test_long_run();
    test_correct();
    test_clock();
    test_processes();
    test_shares();

    return t_done();
}
