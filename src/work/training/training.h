/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Training jobs in one worker process: one at a time, the most urgent first,
 * step by step in a thread.  After every epoch its progress is stored, so
 * that any worker can go on with it. */


#ifndef JUDGE_TRAINING_H
#define JUDGE_TRAINING_H


#include "work/service/leased.h"


/* A process that is asked to end releases its job after the current step. */
extern const judge_leased_kind_t  judge_training_runs;

/* Creates and queues an incremental job with that identifier.  If that fails,
 * there is no job. */
void judge_retrain(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, judge_str_t key_id, judge_str_t job_id);


#endif /* JUDGE_TRAINING_H */
