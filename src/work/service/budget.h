/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What an organization may ask of language models: requests and tokens per
 * minute, counted in memory that all workers share.  Each is a bucket that
 * holds a minute's worth (base/net/token_bucket.h).  A call is paid for by an
 * estimate before, which is corrected by the usage that the server reports.
 * In a fleet, a node has its share of each bucket (fleet.h).
 */


#ifndef JUDGE_BUDGET_H
#define JUDGE_BUDGET_H


#include "base/core/str.h"
#include "base/core/time.h"
#include "base/net/token_bucket.h"


#define JUDGE_BUDGET_AHEAD  (5 * 60 * 1000)    /* ms; see judge_budget_plan */

/* Per minute; 0: without a limit. */
typedef struct {
    int64_t  requests;
    int64_t  tokens;
} judge_budget_limits_t;


#define JUDGE_BUDGET_SLOTS  4096

typedef struct {
    _Atomic uint64_t      org;         /* a hash; 0: free */
    _Atomic int64_t       planned;     /* the last time planned, ms */
    judge_token_bucket_t  requests;
    judge_token_bucket_t  tokens;
} judge_budget_slot_t;

/* In shared memory, zeroed. */
typedef struct judge_budget {
    struct judge_fleet  *fleet;        /* fleet.h; NULL: this node is alone */
    judge_budget_slot_t  slots[JUDGE_BUDGET_SLOTS];
} judge_budget_t;

/* Takes one request and so many tokens, or nothing.  0: taken; else ms until
 * both will be there.  More tokens than a minute has are taken as a minute's;
 * the correction adds the rest.  Any worker, at any time, without a lock. */
judge_ms_t judge_budget_take(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t tokens);

/* So many tokens more (or, negative, fewer) than estimated were used. */
void judge_budget_correct(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t tokens);

/*
 * When to come back, after a take that would have to wait: each gets a time
 * of its own, as far from the one before as the limits ask for, so that many
 * who wait do not come at once.  Not later than `wait` and JUDGE_BUDGET_AHEAD
 * from now.
 */
judge_ms_t judge_budget_plan(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, judge_ms_t wait,
    int64_t tokens);


#endif /* JUDGE_BUDGET_H */
