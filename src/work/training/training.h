/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs in one worker process: one at a time, the most urgent first,
 * step by step in a thread.  After every epoch its progress is stored, so
 * that any worker can go on with it. */


#ifndef JUDGE_TRAINING_H
#define JUDGE_TRAINING_H


#include "work/service/service.h"


bool judge_training_create(judge_service_t *service);
void judge_training_destroy(judge_service_t *service);   /* at rest only */

/* To be called every JUDGE_BACKGROUND_TICK; and when a job has been queued. */
void judge_training_tick(judge_service_t *service);
void judge_training_wake(judge_service_t *service);

/* Claims no more jobs, and releases the running one after its current step;
 * busy() says whether a job is running. */
void judge_training_stop(judge_service_t *service);
bool judge_training_busy(judge_service_t *service);

/* Creates and queues an incremental job with that identifier.  If that fails,
 * there is no job. */
void judge_retrain(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, judge_str_t key_id, judge_str_t job_id);


#endif /* JUDGE_TRAINING_H */
