/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Counts the scores of each judge by the hour: in shared memory when an
 * evaluation ends, and once a second in the store.  A minute later the scores
 * of judges with new counts are compared with earlier ones; an event tells of
 * a drift that has become strong.
 */


#ifndef JUDGE_SCORE_HOURS_H
#define JUDGE_SCORE_HOURS_H


#include "store/store_watch.h"
#include "extensions/watch/score_counts.h"
#include "work/service/service.h"


/* The data of the extension. */
typedef struct {
    judge_service_t       *service;
    judge_score_counts_t  *counts;     /* in shared memory */
    judge_ms_t             written;
    size_t                 flushing;   /* number of writes under way */
    bool                   busy;       /* a comparison runs */
} judge_hours_t;

bool judge_hours_create(judge_service_t *service);

/* Counts the scores of an evaluation whose result has been stored. */
void judge_hours_stored(judge_service_t *service,
    const judge_result_t *result);

/* Writes the remaining counts when a process exits. */
void judge_hours_left(judge_service_t *service,
    void (*run)(void *data, judge_op_t *op), void *data);

void judge_hours_tick(judge_service_t *service);

bool judge_hours_busy(judge_service_t *service);


#endif /* JUDGE_SCORE_HOURS_H */
