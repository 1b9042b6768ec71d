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


/* --- Jobs that no client asks for ---------------------------------------- */

/* Training jobs that no client asks for: after feedback, and refits.  A refit:
 * what a version of a judge has learned from the scores of another engine, or
 * of another version of it, can't be applied.  One job per engine learns again
 * from the stored feedback; the version's evaluations wait. */

typedef struct {
    judge_ms_t  until;                 /* evaluations wait so long; 0: they
                                          don't wait */
    int64_t     version;               /* that judges instead; 0: none */
} judge_refit_t;

typedef void (*judge_refit_done_pt)(void *data, const judge_refit_t *refit);

/* Creates and queues an incremental job with that identifier, and wakes
 * `runs`, which run it.  If that fails, there is no job. */
void judge_retrain(judge_service_t *service, const judge_leased_kind_t *runs,
    judge_str_t org, judge_str_t judge_id, judge_str_t key_id,
    judge_str_t job_id);

/* Reads the state of the job, and creates the job if the version is active and
 * none was ever created for this engine.  Calls done(), with refit NULL if
 * that fails. */
void judge_refit(judge_service_t *service, judge_str_t org,
    judge_str_t judge_id, int64_t version, judge_refit_done_pt done,
    void *data);


#endif /* JUDGE_TRAINING_H */
