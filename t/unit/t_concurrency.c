/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The limit of calls at once: by steps, and against servers that refuse. */


#include <stdio.h>

#include "base/net/concurrency.h"
#include "tap.h"


#define T_CALLS    512                 /* of a client at once */
#define T_TOOK     200                 /* ms for an answer */
#define T_FIRST    10                  /* seconds that are not counted */
#define T_SECONDS  60

/* A server that takes so many calls at once, or, if rate is set, so many a
 * second, and refuses the others at once. */
typedef struct {
    int  at_once;
    int  rate;
} server_t;

typedef struct {
    double  used;                      /* of what the server could do */
    double  refused;                   /* of all calls */
} seen_t;


/* A client that always has more to ask, after it has asked for a while.  Each
 * ms is a pass of its loop. */

static seen_t
ask(server_t server)
{
    int                         i, n, active = 0, answered = 0, refused = 0;
    double                      tokens = server.rate;
    seen_t                      seen;
    judge_ms_t                  now, wait, began;
    judge_concurrency_t         limit;
    static judge_ms_t           ends[T_CALLS];

    judge_concurrency_init(&limit, T_CALLS);

    for (i = 0; i < T_CALLS; i++) {
        ends[i] = 0;
    }

    for (now = 1; now <= (T_FIRST + T_SECONDS) * 1000; now++) {

        if (now == T_FIRST * 1000) {
            answered = refused = 0;
        }

        tokens += server.rate / 1000.0;
        tokens = tokens < server.rate ? tokens : server.rate;

        for (i = 0; i < T_CALLS; i++) {
            if (ends[i] == now) {
                judge_concurrency_answered(&limit,
                    (uint32_t) active
                    >= judge_concurrency_allowed(&limit, now, &wait));
                ends[i] = 0;
                active--;
                answered++;
            }
        }

        began = now;
        n = (int) judge_concurrency_allowed(&limit, now, &wait);

        for (i = 0; i < T_CALLS && active < n; i++) {
            if (ends[i]) {
                continue;
            }

            if (server.rate ? tokens < 1 : active >= server.at_once) {
                refused++;
                judge_concurrency_refused(&limit, began, now, 0);
                break;
            }

            tokens -= 1;
            ends[i] = now + T_TOOK;
            active++;
        }
    }

    seen.used = answered / (server.rate
                ? (double) server.rate * T_SECONDS
                : (double) server.at_once * T_SECONDS * 1000 / T_TOOK);
    seen.refused = refused / (double) (answered + refused);

    return seen;
}


static void
test_servers(void)
{
    size_t                 i;
    seen_t                 seen;
    static const server_t  servers[] = {
        { 256, 0 }, { 50, 0 }, { 8, 0 }, { 2, 0 }, { 1, 0 },
        { 0, 500 }, { 0, 100 }, { 0, 20 }
    };

    for (i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
        seen = ask(servers[i]);
        (void) printf("# %d at once, %d a second: used %.3f, refused %.4f\n",
             servers[i].at_once, servers[i].rate, seen.used, seen.refused);
        t_ok(seen.used > 0.85, "the limit of %d at once or %d a second is"
             " used", servers[i].at_once, servers[i].rate);
        t_ok(seen.refused < 0.1, "fewer than a tenth of its calls are"
             " refused");
    }
}


static void
test_steps(void)
{
    int                  i;
    judge_ms_t           wait;
    judge_concurrency_t  limit;

    judge_concurrency_init(&limit, 100);
    t_is_int(judge_concurrency_allowed(&limit, 1000, &wait), 100,
             "at first all are allowed");

    judge_concurrency_refused(&limit, 900, 1000, 0);
    t_is_int(judge_concurrency_allowed(&limit, 1000, &wait), 85,
             "a call that is refused lowers the limit");

    judge_concurrency_refused(&limit, 950, 1100, 0);
    t_is_int(judge_concurrency_allowed(&limit, 1100, &wait), 85,
             "another that began before belongs to the same decrease");

    for (i = 0; i < 59; i++) {
        judge_concurrency_refused(&limit, 950, 1100, 0);
    }
    t_is_int(judge_concurrency_allowed(&limit, 1100, &wait), 39,
             "the limit is as deep as 61 of 100 refused calls say");

    judge_concurrency_answered(&limit, false);
    t_is_int(judge_concurrency_allowed(&limit, 1100, &wait), 39,
             "an answer tells nothing while fewer are under way than allowed");

    for (i = 0; i < 1000; i++) {
        judge_concurrency_answered(&limit, true);
    }
    t_is_int(judge_concurrency_allowed(&limit, 1100, &wait), 100,
             "answers raise the limit, up to what is configured");

    for (i = 0; i < 40; i++) {
        judge_concurrency_refused(&limit, 1200 + i, 1200 + i, 5000);
    }
    t_is_int(judge_concurrency_allowed(&limit, 1240, &wait), 0,
             "where one at a time is refused no call begins");
    t_is_int(wait, 4999, "no call begins for as long as the server says");
    t_is_int(judge_concurrency_allowed(&limit, 6239, &wait), 1,
             "one call begins when the server's wait is over");

    judge_concurrency_refused(&limit, 7000, 7000, 0);
    (void) judge_concurrency_allowed(&limit, 7000, &wait);
    t_is_int(wait, JUDGE_CONCURRENCY_PAUSE,
             "a call begins after a second where the server does not say");

    judge_concurrency_refused(&limit, 9000, 9000, 24 * 3600 * 1000);
    (void) judge_concurrency_allowed(&limit, 9000, &wait);
    t_is_int(wait, JUDGE_CONCURRENCY_LONGEST,
             "a server that asks for a day is not waited for so long");
}


int
main(void)
{
    test_steps();
    test_servers();

    return t_done();
}
