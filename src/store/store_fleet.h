/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What the nodes of a fleet have of the limits that they share; part of
 * store.h. */


#ifndef JUDGE_STORE_FLEET_H
#define JUDGE_STORE_FLEET_H


#include "store/store.h"


/* A share of a limit, in units of it: parts of a rate, or calls at once. */
typedef struct judge_fleet_row {
    judge_str_t  org;                  /* empty: of the whole service */
    judge_str_t  name;
    int64_t      units;                /* of the whole limit */
    int64_t      used;                 /* how much it was asked for; >= 1 */
    int64_t      least;                /* units that can't be given back yet */
    judge_ms_t   window;               /* after which what others used does
                                          not matter any more */
    int64_t      share;                /* out: what this node has, */
    int64_t      fair;                 /* what it is to have, */
    int64_t      others;               /* and nodes that used it within the
                                          window */
    size_t       slot;                 /* the caller's */
    uint64_t     key;                  /* likewise */
} judge_fleet_row_t;

/* Any organization; JUDGE_CONFLICT: another node is at it.  Leases end
 * JUDGE_FLEET_LEASE behind the latest time that any node has brought: clocks
 * may differ. */
#define JUDGE_FLEET_LEASE     5000     /* ms */
#define JUDGE_FLEET_LEAST     16       /* parts of what the busiest used */
#define JUDGE_FLEET_FORGOTTEN 3600000  /* ms; rows that ended before go */

typedef struct {
    judge_op_t          op;
    judge_str_t         node;
    judge_ms_t          now;
    bool                clean;         /* forgotten rows are deleted */
    judge_ms_t          at;            /* out */
    judge_fleet_row_t  *rows;
    size_t              count;
} judge_fleet_lease_t;


#endif /* JUDGE_STORE_FLEET_H */
