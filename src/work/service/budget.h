/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The budget of an organization for language models: requests and tokens per
 * minute, in memory that all workers share.  Each is a token bucket that holds
 * a minute's worth (base/net/token_bucket.h).  A call pays an estimate first,
 * which is corrected by the usage that the server reports.  In a fleet, a node
 * has a share of each bucket (fleet.h).
 */


#ifndef JUDGE_BUDGET_H
#define JUDGE_BUDGET_H


#include "base/core/str.h"
#include "base/core/time.h"
#include "base/net/token_bucket.h"


#define JUDGE_BUDGET_AHEAD  (5 * 60 * 1000)    /* ms; see judge_budget_plan */

/* Per minute; 0: no limit. */
typedef struct {
    int64_t  requests;
    int64_t  tokens;
} judge_budget_limits_t;


#define JUDGE_BUDGET_SLOTS  4096

typedef struct {
    _Atomic uint64_t      org;         /* hash of the id; 0: free */
    _Atomic int64_t       planned;     /* latest planned time, ms, */
    _Atomic uint64_t      limits;      /* and the limits it was planned by */
    judge_token_bucket_t  requests;
    judge_token_bucket_t  tokens;
} judge_budget_slot_t;

/* In shared memory, zeroed. */
typedef struct judge_budget {
    struct judge_fleet  *fleet;        /* fleet.h; NULL: this node is alone */
    judge_budget_slot_t  slots[JUDGE_BUDGET_SLOTS];
} judge_budget_t;

/* Takes one request and so many tokens, or nothing.  Returns 0: taken; else
 * the ms until both will be available.  At most a minute's tokens are taken;
 * the correction takes the rest.  Any worker, at any time, without a lock. */
judge_ms_t judge_budget_take(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t tokens);

/* What is left of this minute's requests and tokens, on this node. */
judge_budget_limits_t judge_budget_left(judge_budget_t *budget,
    judge_str_t org, const judge_budget_limits_t *limits, judge_ms_t now);

/* Once it is known how many tokens were used: takes what was used beyond what
 * judge_budget_take() took of the estimate, or gives back the rest.  An
 * estimate of 0: nothing was taken. */
void judge_budget_correct(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, int64_t used,
    int64_t estimate);

/*
 * The time to try again after a take that has to wait.  Each caller gets a
 * time of its own, as far from the previous one as the limits require, so
 * that many do not come at once; at most `wait` plus JUDGE_BUDGET_AHEAD ms
 * from now.  A plan starts over when the limits are others.
 */
judge_ms_t judge_budget_plan(judge_budget_t *budget, judge_str_t org,
    const judge_budget_limits_t *limits, judge_ms_t now, judge_ms_t wait,
    int64_t tokens);


#endif /* JUDGE_BUDGET_H */
