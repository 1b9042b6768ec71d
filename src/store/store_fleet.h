/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Divides limits of the whole service among the nodes of a fleet, which store
 * leases of their shares; part of store.h. */


#ifndef JUDGE_STORE_FLEET_H
#define JUDGE_STORE_FLEET_H


#include "store/store.h"


/* A share of a limit, in units: fractions of a rate, or concurrent calls. */
typedef struct judge_fleet_row {
    judge_str_t  org;                  /* empty: the whole service */
    judge_str_t  name;
    int64_t      units;                /* size of the whole limit */
    int64_t      used;                 /* demand of this node; >= 1 */
    int64_t      least;                /* minimal share: the units in use */
    judge_ms_t   window;               /* `others` counts leases that ended at
                                          most so long ago */
    int64_t      share;                /* out: units leased to this node */
    int64_t      fair;                 /* out: units by its demand */
    int64_t      others;               /* out: other nodes with leases in the
                                          window */
    size_t       slot;                 /* for the caller */
    uint64_t     key;                  /* for the caller */
} judge_fleet_row_t;

/* Leases shares (any org); JUDGE_CONFLICT: another node is leasing.  Clocks of
 * nodes may differ: a lease ends JUDGE_FLEET_LEASE after the latest `now` of
 * any node, unless that is more than a minute ahead. */
#define JUDGE_FLEET_LEASE     5000     /* ms */
#define JUDGE_FLEET_LEAST     16       /* a node's demand counts as at least
                                          1/16 of the busiest node's */
#define JUDGE_FLEET_FORGOTTEN 3600000  /* ms from a lease's end to deletion */

typedef struct {
    judge_op_t          op;
    judge_str_t         node;
    judge_ms_t          now;
    bool                clean;         /* delete old rows */
    judge_ms_t          latest;        /* out: that latest `now` */
    judge_fleet_row_t  *rows;
    size_t              count;
} judge_fleet_lease_t;


#endif /* JUDGE_STORE_FLEET_H */
