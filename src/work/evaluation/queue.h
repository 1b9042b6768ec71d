/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Evaluates what is queued, in one worker process.  An evaluation that is
 * created here is usually claimed as it is inserted, and scored by the same
 * worker.  Those left over, after a crash or because a worker had no room, are
 * claimed from the store by any worker that has some.
 */


#ifndef JUDGE_QUEUE_H
#define JUDGE_QUEUE_H


#include "work/evaluation/claimed_evaluation.h"
#include "work/service/service.h"


/* Its tick claims evaluations that are left over, and adds usage to the
 * store. */
extern const judge_background_t  judge_queue_background;

/* Whether a new evaluation, by the built-in engine or by a language model,
 * should be claimed as it is inserted. */
bool judge_queue_has_room(judge_service_t *service, judge_str_t org,
    bool by_model);

/* Queues an evaluation whose claim has been committed; copies it. */
void judge_queue_push(judge_service_t *service,
    const judge_claimed_t *claimed);

/* Whether anything is under way. */
bool judge_queue_busy(judge_service_t *service);

/* When this worker last ended evaluations, or when it started. */
judge_ms_t judge_queue_progress(judge_service_t *service);


#endif /* JUDGE_QUEUE_H */
