/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The queue of evaluations: looked at, claimed, given back, counted. */


#ifndef JUDGE_STORE_QUEUE_H
#define JUDGE_STORE_QUEUE_H


#include "store/store.h"


/* Is there anything that may be claimed? */
typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    bool        models;                /* also what waits for a model, */
    bool        ranges;                /* or in ranges */
    bool        pending;               /* out */
} judge_queue_peek_t;

/*
 * Claims up to `limit` evaluations for the built-in engine and up to `models`
 * for language models, of each the most urgent: priority classes are strict,
 * but a row climbs one class for each `aging` that it has waited.  If ranges
 * are wanted, all of the most urgent one may come behind the former.  Of what
 * was claimed before and did not end, one at most comes for the built-in
 * engine, and none unless it is wanted: it may end the process.
 */
typedef struct {
    judge_op_t     op;
    judge_lease_t  lease;
    judge_ms_t     now;
    judge_ms_t     aging;
    int64_t        limit;
    int64_t        models;
    bool           ranges;
    bool           again;              /* one that was claimed before, too;
                                          out: unless there was one */
    judge_job_t  **jobs;               /* room for both, and for a range */
    size_t         count;              /* out */
    size_t         alone;              /* out: those before the range's */
    size_t         passed;             /* while it runs: were claimed before;
                                          at a second look */
    int64_t        fresh;              /* 1: they are not looked at, and */
    int64_t        more;               /* so many others besides */
    judge_queue_range_t  range;        /* while it runs; out: the claimed */
    bool           whole;              /* one: it is claimed, or */
    bool           broken;             /* its evaluations wait alone now */
} judge_queue_claim_t;

/* Gives back all that an owner holds, deliveries of webhooks too: one that
 * leaves, or that has died. */
typedef struct {
    judge_op_t   op;
    judge_str_t  owner;                /* absent: whoever holds anything */
    judge_ms_t   now;
    judge_ms_t   until;                /* no lease of an evaluation ends
                                          later */
    int64_t      left;                 /* 1: it goes in order, so that what it
                                          holds has not ended it: no attempt */
} judge_queue_release_t;

/* How much has not ended, by who is to judge (the service itself, a model)
 * and by priority; never counts further than the limit, so that its cost is
 * bounded. */
#define JUDGE_QUEUE_DEPTH_MAX  10000
#define JUDGE_QUEUES           2

typedef struct {
    judge_op_t  op;
    judge_ms_t  now;
    int64_t     due[JUDGE_QUEUES][JUDGE_PRIORITIES];     /* out */
    int64_t     later[JUDGE_QUEUES][JUDGE_PRIORITIES];   /* in work, or for a
                                                            later time */
} judge_queue_depth_t;


#endif /* JUDGE_STORE_QUEUE_H */
