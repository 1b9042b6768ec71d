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
#include "work/service/service.h"


bool judge_hours_create(judge_service_t *service);
void judge_hours_destroy(judge_service_t *service);      /* not if busy() */

/* Counts the scores of an evaluation whose result has been stored. */
void judge_hours_stored(judge_service_t *service,
    const judge_result_t *result);

/* Writes the remaining counts when a process exits. */
void judge_hours_left(judge_service_t *service,
    void (*run)(void *data, judge_op_t *op), void *data);

void judge_hours_tick(judge_service_t *service);

void judge_hours_stop(judge_service_t *service);
bool judge_hours_busy(judge_service_t *service);


#endif /* JUDGE_SCORE_HOURS_H */
