/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Usage of API keys, counted in memory that all workers share and added to
 * the store now and then: a crash loses at most what was not yet added. */


#ifndef JUDGE_USAGE_H
#define JUDGE_USAGE_H


#include "work/service/service.h"


#define JUDGE_USAGE_SLOTS  8192        /* keys in use; further ones go
                                          uncounted until a restart */

typedef struct {
    uint32_t    state;
    judge_id_t  org;
    judge_id_t  key;
    int64_t     requests;
    int64_t     evaluations;
    int64_t     last_used;
} judge_usage_slot_t;

/* In shared memory, zeroed. */
struct judge_usage {
    judge_usage_slot_t  slots[JUDGE_USAGE_SLOTS];
    uint32_t            next;          /* where take() goes on */
};

/* Counts; any worker, at any time, without a lock. */
void judge_usage_add(judge_usage_t *usage, judge_str_t org, judge_str_t key,
    int64_t requests, int64_t evaluations, judge_ms_t now);

/*
 * Takes up to `max` non-zero counts out, for the store, from where the last
 * call ended, so that every key has its turn; what could not be stored is
 * given back by return().  Strings point into `usage`, which is never
 * freed while the service lives.
 */
size_t judge_usage_take(judge_usage_t *usage, judge_usage_row_t *rows,
    size_t max);
void judge_usage_return(judge_usage_t *usage, const judge_key_usage_t *op);

/* year * 12 + month - 1 of a time, in UTC. */
int64_t judge_usage_month(judge_ms_t t);


#endif /* JUDGE_USAGE_H */
