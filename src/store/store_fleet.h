/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The shares that the nodes of a fleet have of common limits; part of
 * store.h. */


#ifndef JUDGE_STORE_FLEET_H
#define JUDGE_STORE_FLEET_H


#include "store/store.h"


/* A share of a limit, in units: parts of a rate, or concurrent calls. */
typedef struct judge_fleet_row {
    judge_str_t  org;                  /* empty: the whole service */
    judge_str_t  name;
    int64_t      units;                /* size of the whole limit */
    int64_t      used;                 /* demand; >= 1 */
    int64_t      least;                /* units that are still in use */
    judge_ms_t   window;               /* older use by other nodes does not
                                          count */
    int64_t      share;                /* out: units that this node has, */
    int64_t      fair;                 /* units that it should have, */
    int64_t      others;               /* other nodes that used the limit
                                          within the window */
    size_t       slot;                 /* for the caller */
    uint64_t     key;                  /* for the caller */
} judge_fleet_row_t;

/* Leases shares (any org); JUDGE_CONFLICT: another node is leasing.  A lease
 * ends JUDGE_FLEET_LEASE after the latest time that any node has passed, since
 * their clocks may differ. */
#define JUDGE_FLEET_LEASE     5000     /* ms */
#define JUDGE_FLEET_LEAST     16       /* a node's demand counts as at least
                                          this part of the busiest one's */
#define JUDGE_FLEET_FORGOTTEN 3600000  /* ms after its end a row is deleted */

typedef struct {
    judge_op_t          op;
    judge_str_t         node;
    judge_ms_t          now;
    bool                clean;         /* delete old rows */
    judge_ms_t          at;            /* out: the time that counted */
    judge_fleet_row_t  *rows;
    size_t              count;
} judge_fleet_lease_t;


#endif /* JUDGE_STORE_FLEET_H */
