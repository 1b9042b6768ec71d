/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Training jobs in one worker process: one at a time, the most urgent first,
 * step by step in a thread.  After every epoch its progress is stored, so
 * that any worker can go on with it.
 */


#ifndef JUDGE_TRAIN_H
#define JUDGE_TRAIN_H


#include "work/judge_service.h"


judge_train_t *judge_train_create(judge_service_t *service);
void judge_train_destroy(judge_train_t *train);          /* at rest only;
                                                      NULL is allowed */

/* To be called every JUDGE_WORK_TICK; and when a job has been queued. */
void judge_train_tick(judge_train_t *train);
void judge_train_poke(judge_train_t *train);

/* No new jobs, and the one under way goes back after its next step; busy()
 * is whether there is one. */
void judge_train_stop(judge_train_t *train);
bool judge_train_busy(judge_train_t *train);

/*
 * Makes and queues an incremental job, as feedback asked for, unless one of
 * that judge waits already.  Nobody is told of the outcome but by the job.
 */
void judge_train_again(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, judge_str_t key_id);

/* How long so many items are expected to take, in ms, as measured; spent and
 * spent_on are of jobs that have ended. */
judge_ms_t judge_train_estimate(int64_t items, judge_ms_t spent,
    int64_t spent_on);


#endif /* JUDGE_TRAIN_H */
