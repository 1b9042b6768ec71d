/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Working off the queue in one worker process.  An evaluation made here is
 * usually claimed as it is inserted and scored by the same worker; what is
 * left over, by a crash or by a full house, is claimed from the store by
 * any worker that has room.
 */


#ifndef JUDGE_QUEUE_H
#define JUDGE_QUEUE_H


#include "work/evaluation/ticket.h"
#include "work/service/service.h"


bool judge_queue_create(judge_service_t *service);
void judge_queue_destroy(judge_service_t *service);      /* at rest only */

/* Whether a new evaluation, by the built-in engine or by a language model,
 * should be claimed as it is inserted. */
bool judge_queue_has_room(judge_service_t *service, bool by_model);

/* A claimed evaluation has been committed: the ticket is copied. */
void judge_queue_push(judge_service_t *service, const judge_ticket_t *ticket);

/* Claims what is left over, adds usage to the store. */
void judge_queue_tick(judge_service_t *service);

/* No new claims from now on; busy() is whether anything is under way. */
void judge_queue_stop(judge_service_t *service);
bool judge_queue_stopped(const judge_service_t *service);
bool judge_queue_busy(judge_service_t *service);

/* When this worker last ended evaluations; or when it began. */
judge_ms_t judge_queue_progress(judge_service_t *service);


#endif /* JUDGE_QUEUE_H */
