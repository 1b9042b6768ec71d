/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The evaluations that a worker has claimed and not begun: those of ranges,
 * which are slices of large batches, and single ones.  Single ones of several
 * organizations take turns, and so do ranges and single ones, so that no
 * organization waits for all evaluations of another.
 */


#ifndef JUDGE_WAITING_H
#define JUDGE_WAITING_H


#include "work/evaluation/claimed_evaluation.h"


typedef struct {
    judge_claimed_t   *first;
    judge_claimed_t  **last;
    size_t             count;
} judge_claimed_list_t;

typedef struct {
    judge_claimed_list_t  single;
    judge_claimed_list_t  ranges;
    bool                  retry;       /* a retry waits or runs, which is
                                          evaluated alone */
    bool                  range_next;  /* a range has the next turn */
} judge_waiting_t;


void judge_waiting_init(judge_waiting_t *waiting);

/* Frees what waits. */
void judge_waiting_free(judge_waiting_t *waiting);

/* Copies `claimed`; false: out of memory. */
bool judge_waiting_add(judge_waiting_t *waiting,
    const judge_claimed_t *claimed);

/* How many single ones an organization has. */
size_t judge_waiting_of(const judge_waiting_t *waiting, judge_str_t org);

/*
 * Takes the evaluations that are evaluated next, together: a list of *n, which
 * the caller owns; NULL: nothing waits, or only ranges and `ranges` is false.
 * Evaluations whose leases have run out are dropped, because other workers may
 * claim them.
 */
judge_claimed_t *judge_waiting_take(judge_waiting_t *waiting, judge_ms_t now,
    bool ranges, size_t *n);


#endif /* JUDGE_WAITING_H */
