/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Limits over the nodes of a fleet, which share a store: rates of keys,
 * budgets of organizations, concurrent calls to a model.  A node has a share
 * of each limit that it uses.  It leases all of its shares from the store once
 * a second in one operation, which divides a limit by each node's recent use;
 * a request itself needs no operation.
 *
 * Leased shares never add up to more than the limit, and a change of shares
 * neither creates nor destroys tokens.  A node that has just begun to use a
 * limit does not wait for its lease: it has JUDGE_FLEET_RESERVE of the limit
 * until then, and of a rate at least one request.  A limit may therefore be
 * exceeded by (nodes - 1) reserves at most.  Concurrent calls have no reserve:
 * they wait for the lease.
 *
 * All of this lies in memory that the workers of a node share, without a lock.
 */


#ifndef JUDGE_FLEET_H
#define JUDGE_FLEET_H


#include "base/net/token_bucket.h"
#include "work/service/service.h"


#define JUDGE_FLEET_PERIOD   1000      /* ms from one lease to the next */
#define JUDGE_FLEET_HOLD     3000      /* ms that a node uses a lease: less
                                          than JUDGE_FLEET_LEASE, so that its
                                          clock may be 2 s slow */
#define JUDGE_FLEET_RESERVE  (JUDGE_TOKEN_BUCKET_WHOLE / 16)
#define JUDGE_FLEET_SLOTS    2048      /* limits in use; further ones have the
                                          reserve only */
#define JUDGE_FLEET_MODELS   128       /* slots among these for models */

typedef enum {
    JUDGE_FLEET_RATE,
    JUDGE_FLEET_BUDGET,
    JUDGE_FLEET_CALLS,                 /* concurrent calls to a model */
    JUDGE_FLEET_KINDS
} judge_fleet_kind_e;

typedef struct {
    _Atomic uint64_t  key;             /* hash of kind and names; 0: free */
    _Atomic uint32_t  ready;           /* the next three are set */
    uint32_t          kind;
    judge_id_t        org;
    judge_id_t        name;
    _Atomic int64_t   units;           /* size of the whole limit */
    _Atomic int64_t   window;          /* ms in which a bucket fills */
    _Atomic int64_t   used;            /* demand since the last lease */
    _Atomic int64_t   demand;          /* and before; halved each period */
    _Atomic int64_t   touched;         /* last use, ms */
    _Atomic int64_t   share;           /* units leased */
    _Atomic int64_t   until;           /* end of the lease, ms */
    _Atomic uint32_t  applied;         /* share that the buckets have */
    _Atomic uint32_t  fresh;           /* no other node used it lately */
    _Atomic int64_t   active;          /* calls under way */
} judge_fleet_slot_t;

/* Lies in shared memory, zeroed except for the node's name. */
struct judge_fleet {
    judge_id_t          node;
    _Atomic int64_t     due;           /* time of the next lease, ms */
    _Atomic int64_t     cleaned;       /* time of the last cleanup, ms */
    _Atomic uint32_t    deaths;        /* number of workers that died */
    judge_fleet_slot_t  slots[JUDGE_FLEET_SLOTS];
};

/* A node's share of a bucket, in units of JUDGE_TOKEN_BUCKET_WHOLE. */
typedef struct {
    uint32_t  part;
    uint32_t  was;                     /* if not `part`: scale the buckets */
    bool      fresh;                   /* no other node used the limit lately,
                                          so that a larger share starts full */
    bool      leased;                  /* false: `part` is the reserve */
} judge_fleet_share_t;


/* Returns this node's share of a limit, and adds `n` tokens to its demand.  If
 * the share has changed, one caller is told (`was` is not `part`), and has to
 * call _apply() for each bucket of the limit. */
judge_fleet_share_t judge_fleet_share(judge_fleet_t *fleet,
    judge_fleet_kind_e kind, judge_str_t org, judge_str_t name,
    judge_ms_t window, judge_ms_t now, int64_t n);

/* Scales a bucket and its rate to the share. */
void judge_fleet_apply(const judge_fleet_share_t *share,
    judge_token_bucket_t *bucket, judge_token_bucket_rate_t *rate,
    judge_ms_t now);

/* The time until a retry: a short one if there is no lease yet. */
judge_ms_t judge_fleet_retry(const judge_fleet_share_t *share,
    judge_ms_t retry_after);

/* Begins and ends a call to a model with limited concurrency; false: wait.
 * When a worker dies, all counts are reset, so that calls which began before
 * must not be subtracted: enter() sets `deaths`, and leave() compares it. */
bool judge_fleet_enter(judge_service_t *service, const judge_llm_t *model,
    uint32_t *deaths);
void judge_fleet_leave(judge_service_t *service, const judge_llm_t *model,
    uint32_t deaths);
void judge_fleet_died(judge_service_t *service);

/* Leases shares when they are due; called by background.c. */
void judge_fleet_tick(judge_service_t *service);

/* For metrics: the number of limits of a kind that this node has shares of,
 * and the sum of the shares; and for a model the allowed and active calls. */
size_t judge_fleet_count(const judge_service_t *service,
    judge_fleet_kind_e kind, double *shares);
int64_t judge_fleet_calls(const judge_service_t *service,
    const judge_llm_t *model, int64_t *active);


#endif /* JUDGE_FLEET_H */
