/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <time.h>

#include "extensions/traffic/exchange.h"
#include "extensions/traffic/extension_traffic.h"


/* After an exchange that has waited for a processor, the others wait this many
 * times as long.  Measured with a saturated location: with 12 it serves 82% of
 * the requests per second that it serves without judging, with 30 more than
 * 90%. */
#define JUDGE_EXCHANGE_YIELDS    30


judge_exchanges_t *
judge_exchanges(judge_service_t *service)
{
    return judge_extensions_data(service, &judge_extension_traffic);
}


bool
judge_exchanges_busy(judge_service_t *service)
{
    judge_exchanges_t  *all = judge_exchanges(service);

    return all->waiting || all->nbackground || all->nurgent || all->nstoring;
}


static int64_t
judge_exchange_clock(clockid_t clock)
{
    struct timespec  ts;

    (void) clock_gettime(clock, &ts);

    return (int64_t) ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}


void
judge_exchange_computes(judge_exchange_t *x)
{
    x->entered = judge_exchange_clock(CLOCK_MONOTONIC);
    x->spent = judge_exchange_clock(CLOCK_THREAD_CPUTIME_ID);
}


void
judge_exchange_computed(judge_exchange_t *x)
{
    x->spent = judge_exchange_clock(CLOCK_THREAD_CPUTIME_ID) - x->spent;
}


/* The exchange has waited if more time than twice the CPU time of its thread
 * has passed until the event loop noticed its end.  Half of that allows for
 * rendering the result, which is not in `spent` and takes less. */

void
judge_exchange_returned(judge_exchange_t *x)
{
    int64_t             waited;
    judge_ms_t          pause, until;
    judge_exchanges_t  *all = judge_exchanges(x->service);

    waited = judge_exchange_clock(CLOCK_MONOTONIC) - x->entered - 2 * x->spent;
    pause = waited > 0 ? waited * JUDGE_EXCHANGE_YIELDS / 1000 : 0;
    pause = pause < JUDGE_EXCHANGE_PAUSE ? pause : JUDGE_EXCHANGE_PAUSE;
    until = judge_now(x->service) + pause;
    all->resumes = all->resumes > until ? all->resumes : until;
}


void
judge_exchange_leave(judge_exchange_t *x)
{
    judge_exchanges_t  *all = judge_exchanges(x->service);

    all->nurgent -= x->counted && x->urgent;
    all->nbackground -= x->counted && !x->urgent;
    x->counted = false;
}
