/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Counts the scores of each judge by the hour: those of an evaluation that has
 * ended in shared memory, and once a second these in the store.  A minute
 * later the judges that they are of are looked at, whether their scores lie
 * otherwise than they did; what has become strong is an event.
 */


#ifndef JUDGE_SCORE_HOURS_H
#define JUDGE_SCORE_HOURS_H


#include "store/store_watch.h"
#include "work/service/service.h"


bool judge_hours_create(judge_service_t *service);
void judge_hours_destroy(judge_service_t *service);      /* at rest only */

/* Counts the scores of one whose end is stored. */
void judge_hours_ended(judge_service_t *service, const judge_result_t *result);

/* What is to be added to the store, in the arena of `write`, which is ready
 * to be submitted then; false: nothing. */
bool judge_hours_take(judge_service_t *service, judge_hours_write_t *write);

void judge_hours_tick(judge_service_t *service);

void judge_hours_stop(judge_service_t *service);
bool judge_hours_busy(judge_service_t *service);


#endif /* JUDGE_SCORE_HOURS_H */
