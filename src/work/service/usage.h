/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Usage of API keys, counted in memory that all workers share and added to the
 * store from time to time; a crash loses what was not added yet. */


#ifndef JUDGE_USAGE_H
#define JUDGE_USAGE_H


#include "store/store_org.h"
#include "work/service/service.h"


#define JUDGE_USAGE_SLOTS  8192        /* keys in use; further ones are not
                                          counted until a restart */

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
    uint32_t            next;          /* slot where take() continues */
};

/* Counts; any worker, at any time, without a lock. */
void judge_usage_add(judge_usage_t *usage, judge_str_t org, judge_str_t key,
    int64_t requests, int64_t evaluations, judge_ms_t now);

/*
 * Removes up to `max` non-zero counts, to be stored, starting where the last
 * call ended, so that every key has its turn; counts that could not be stored
 * are added again by return().  Strings point into `usage`, which is not freed
 * before the service.
 */
size_t judge_usage_take(judge_usage_t *usage, judge_usage_row_t *rows,
    size_t max);
void judge_usage_return(judge_usage_t *usage, const judge_key_usage_t *op);

/* year * 12 + month - 1 of a time, in UTC. */
int64_t judge_usage_month(judge_ms_t t);


#endif /* JUDGE_USAGE_H */
