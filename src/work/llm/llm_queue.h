/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The engine `llm`: evaluations that a language model is asked for, in one
 * worker process.  Hundreds are under way at once, each waiting for a server;
 * nothing here waits.  Their leases are prolonged meanwhile.
 *
 * An evaluation asks the model that is wanted, then those that its
 * organization falls back to; each once more when an answer can't be used.
 * What may pass (limits, faults of servers) sends it back into the queue; an
 * answer that can't be read never becomes a score.
 */


#ifndef JUDGE_LLM_QUEUE_H
#define JUDGE_LLM_QUEUE_H


#include "work/evaluation/ticket.h"
#include "work/service/service.h"


#define JUDGE_LLM_RUNS       512       /* evaluations under way at most */
#define JUDGE_LLM_SAMPLES    10        /* at most */
#define JUDGE_LLM_IMAGE      (8 * 1024 * 1024)   /* bytes of a file at most */

typedef struct judge_llm_queue  judge_llm_queue_t;

/* An evaluation has ended, or (not stored) its lease is to run out. */
typedef void (*judge_llm_ended_pt)(void *data, const judge_result_t *result);

judge_llm_queue_t *judge_llm_queue_create(judge_service_t *service,
    judge_llm_ended_pt ended, void *data);
void judge_llm_queue_destroy(judge_llm_queue_t *queue);  /* at rest only */

/* Whether there is room for one more; and for how many one should claim now:
 * what all models answer at once and some that wait, so that other workers
 * have the rest. */
bool judge_llm_queue_room(const judge_llm_queue_t *queue);
size_t judge_llm_queue_wanted(const judge_llm_queue_t *queue);

/* A claimed evaluation; the ticket is copied. */
void judge_llm_queue_push(judge_llm_queue_t *queue,
    const judge_ticket_t *ticket);

/* As the work's: leases are prolonged. */
void judge_llm_queue_tick(judge_llm_queue_t *queue);
bool judge_llm_queue_busy(const judge_llm_queue_t *queue);


#endif /* JUDGE_LLM_QUEUE_H */
