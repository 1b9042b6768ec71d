/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include "base/net/concurrency.h"


#define JUDGE_CONCURRENCY_CUT   0.85   /* factor of a limit that falls */
#define JUDGE_CONCURRENCY_GROW  1.5    /* factor of the step in each round */
#define JUDGE_CONCURRENCY_MOST  0.1    /* an answer adds at most this: ten
                                          allow one call more */


void
judge_concurrency_init(judge_concurrency_t *limit, uint32_t most)
{
    *limit = (judge_concurrency_t) {
        .most = most,
        .width = most,
        .step = 1,
        .cut_at = -1
    };
}


uint32_t
judge_concurrency_allowed(const judge_concurrency_t *limit, judge_ms_t now,
    judge_ms_t *wait)
{
    *wait = limit->until > now ? limit->until - now : 0;

    return *wait ? 0 : (uint32_t) limit->width;
}


void
judge_concurrency_answered(judge_concurrency_t *limit, bool full)
{
    double  more;

    if (!full || limit->width >= limit->most) {
        return;
    }

    more = limit->step / limit->width;
    limit->width += more < JUDGE_CONCURRENCY_MOST ? more
                                                  : JUDGE_CONCURRENCY_MOST;
    if (limit->width > limit->most) {
        limit->width = limit->most;
    }

    if (++limit->answered >= limit->width) {
        limit->answered = 0;
        limit->step *= JUDGE_CONCURRENCY_GROW;
    }
}


/* Lowers the limit by one call at least, so that ten answers pass before the
 * server has one call too many again. */

static void
judge_concurrency_lower(judge_concurrency_t *limit, double width)
{
    width = width < limit->width - 1 ? width : limit->width - 1;
    limit->width = width > 1 ? width : 1;
}


/* A refused call that began before the last decrease was one of those that the
 * server did not take.  Retry-After is ignored while the server takes some
 * calls. */

void
judge_concurrency_refused(judge_concurrency_t *limit, judge_ms_t began,
    judge_ms_t now, judge_ms_t retry_after)
{
    judge_ms_t  pause;

    limit->step = 1;
    limit->answered = 0;

    if (began <= limit->cut_at) {
        limit->taken -= 1;
        if (limit->taken < limit->width - 1) {
            judge_concurrency_lower(limit, limit->taken);
        }
        return;
    }

    if (limit->width < 2) {
        pause = retry_after > 0 ? retry_after : JUDGE_CONCURRENCY_PAUSE;
        limit->until = now + (pause < JUDGE_CONCURRENCY_LONGEST
                              ? pause : JUDGE_CONCURRENCY_LONGEST);
    }

    limit->taken = limit->width - 1;
    limit->cut_at = now;
    judge_concurrency_lower(limit, limit->width * JUDGE_CONCURRENCY_CUT);
}
