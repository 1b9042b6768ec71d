/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a computation may still use.  Steps and bytes are counted, and no time
 * is measured, so that the same input ends at the same place everywhere; who
 * cancels it gets no result at all.
 */


#ifndef JUDGE_ALLOWANCE_H
#define JUDGE_ALLOWANCE_H


#include "base/core/str.h"


#define JUDGE_ALLOWANCE_LOOK  1000000  /* steps: some milliseconds */

struct judge_allowance {
    uint64_t   steps;                  /* that are left */
    size_t     bytes;                  /* likewise: judge_arena_bound() */
    bool       refused;                /* more was asked for than was left */
    bool       over;                   /* it was cancelled: likewise */
    uint64_t   look;                   /* steps until cancelled() is asked */
    bool     (*cancelled)(void *data); /* NULL: nobody cancels */
    void      *data;
};


static inline bool
judge_allowance_look(judge_allowance_t *a, uint64_t n)
{
    a->look = JUDGE_ALLOWANCE_LOOK;
    a->over = a->over || (a->cancelled && a->cancelled(a->data));

    if (a->over || n > a->steps) {
        a->steps = 0;
        a->refused = true;
        return false;
    }

    a->steps -= n;

    return true;
}


/* Takes n steps; false: there are not so many, or it was cancelled. */

static inline bool
judge_allowance_take(judge_allowance_t *a, uint64_t n)
{
    if (n > a->look || n > a->steps) {
        return judge_allowance_look(a, n);
    }

    a->look -= n;
    a->steps -= n;

    return true;
}


#endif /* JUDGE_ALLOWANCE_H */
