/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The budget of a computation.  It counts steps and bytes and not time, so
 * that the same input reaches its end at the same place on every machine.
 * A computation that is cancelled has no result.
 */


#ifndef JUDGE_ALLOWANCE_H
#define JUDGE_ALLOWANCE_H


#include "base/core/str.h"


#define JUDGE_ALLOWANCE_POLL  1000000  /* steps; some milliseconds */

struct judge_allowance {
    uint64_t   steps;                  /* left */
    size_t     bytes;                  /* left; see judge_arena_bound() */
    bool       refused;                /* it was exceeded or cancelled */
    bool       over;                   /* cancelled() was true */
    uint64_t   poll_in;                /* steps until cancelled() is called */
    bool     (*cancelled)(void *data); /* NULL: never cancelled */
    void      *data;
};


static inline bool
judge_allowance_poll(judge_allowance_t *a, uint64_t n)
{
    a->poll_in = JUDGE_ALLOWANCE_POLL;
    a->over = a->over || (a->cancelled && a->cancelled(a->data));

    if (a->over || n > a->steps) {
        a->steps = 0;
        a->refused = true;
        return false;
    }

    a->steps -= n;

    return true;
}


/* Subtracts n steps; false: fewer are left, or cancelled() was true. */

static inline bool
judge_allowance_take(judge_allowance_t *a, uint64_t n)
{
    if (n > a->poll_in || n > a->steps) {
        return judge_allowance_poll(a, n);
    }

    a->poll_in -= n;
    a->steps -= n;

    return true;
}


#endif /* JUDGE_ALLOWANCE_H */
