/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Limits over the nodes of a fleet, which share a store: rates of keys,
 * budgets of organizations, calls at once to a model.  A node has a share of
 * each limit that it uses, leased from the store once a second for all of
 * them in one operation, by how much each node used lately; nothing is asked
 * of the store for a request.
 *
 * Shares that are leased never add up to more than one, and tokens stay as
 * many as they are when shares change.  But a node that has just begun to use
 * a limit does not wait: it has JUDGE_FLEET_RESERVE of it until its lease is
 * there, and of a rate at least one request.  That is by how much a limit may
 * be exceeded: at most (nodes - 1) reserves.  Calls at once have no reserve:
 * they wait.
 *
 * All of it in memory that the workers of a node share, without a lock.
 */


#ifndef JUDGE_FLEET_H
#define JUDGE_FLEET_H


#include "base/net/token_bucket.h"
#include "work/service/service.h"


#define JUDGE_FLEET_PERIOD   1000      /* ms; from one lease to the next */
#define JUDGE_FLEET_HOLD     3000      /* ms; how long a share is used */
#define JUDGE_FLEET_RESERVE  (JUDGE_TOKEN_BUCKET_WHOLE / 16)
#define JUDGE_FLEET_SLOTS    2048      /* limits in use; what is more has the
                                          reserve */
#define JUDGE_FLEET_MODELS   128       /* of them, for calls */

typedef enum {
    JUDGE_FLEET_RATE,
    JUDGE_FLEET_BUDGET,
    JUDGE_FLEET_CALLS,                 /* at once */
    JUDGE_FLEET_KINDS
} judge_fleet_kind_e;

typedef struct {
    _Atomic uint64_t  key;             /* a hash; 0: free */
    _Atomic uint32_t  ready;           /* what stands behind is there */
    uint32_t          kind;
    judge_id_t        org;
    judge_id_t        name;
    _Atomic int64_t   units;           /* of the whole limit */
    _Atomic int64_t   window;          /* ms in which a bucket fills */
    _Atomic int64_t   used;            /* asked for since the last lease */
    _Atomic int64_t   demand;          /* and before, halved each time */
    _Atomic int64_t   touched;         /* ms */
    _Atomic int64_t   share;           /* units */
    _Atomic int64_t   until;           /* ms; then the share is no more */
    _Atomic uint32_t  applied;         /* the share that the buckets have */
    _Atomic uint32_t  fresh;           /* nobody else has used it lately */
    _Atomic int64_t   active;          /* calls */
} judge_fleet_slot_t;

/* In shared memory, zeroed but for the node's name. */
struct judge_fleet {
    judge_id_t          node;
    _Atomic int64_t     due;           /* ms; of the next lease */
    _Atomic int64_t     cleaned;       /* ms */
    _Atomic uint32_t    deaths;        /* of workers */
    judge_fleet_slot_t  slots[JUDGE_FLEET_SLOTS];
};

/* Of a bucket; parts of JUDGE_TOKEN_BUCKET_WHOLE. */
typedef struct {
    uint32_t  part;
    uint32_t  was;                     /* another: buckets are to be scaled */
    bool      fresh;
    bool      leased;
} judge_fleet_share_t;


/* This node's share of a limit that is asked for `n` tokens. */
judge_fleet_share_t judge_fleet_share(judge_fleet_t *fleet,
    judge_fleet_kind_e kind, judge_str_t org, judge_str_t name,
    judge_ms_t window, judge_ms_t now, int64_t n);

/* Makes a bucket and its rate those of the share. */
void judge_fleet_apply(const judge_fleet_share_t *share,
    judge_token_bucket_t *bucket, judge_token_bucket_rate_t *rate,
    judge_ms_t now);

/* When to come again: soon, where there is no lease yet. */
judge_ms_t judge_fleet_retry(const judge_fleet_share_t *share,
    judge_ms_t retry_after);

/* A call to a model of which there may be only some at once; false: wait.
 * After a worker died, those of the others are not counted until they end;
 * `deaths` is of both calls. */
bool judge_fleet_enter(judge_service_t *service, const judge_llm_t *model,
    uint32_t *deaths);
void judge_fleet_leave(judge_service_t *service, const judge_llm_t *model,
    uint32_t deaths);
void judge_fleet_died(judge_service_t *service);

/* Leases what is due; of background.c. */
void judge_fleet_tick(judge_service_t *service);

/* For metrics: how many limits of a kind this node has a share of, and these
 * shares added up; calls to a model: those it may make now, and makes. */
size_t judge_fleet_count(const judge_service_t *service,
    judge_fleet_kind_e kind, double *shares);
int64_t judge_fleet_calls(const judge_service_t *service,
    const judge_llm_t *model, int64_t *active);


#endif /* JUDGE_FLEET_H */
