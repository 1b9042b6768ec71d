/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The engine `llm`: the evaluations by language models of one worker process.
 * Hundreds can be under way at once, each waiting for a server without
 * blocking anything; their leases are prolonged meanwhile.
 *
 * An evaluation asks its model, then the organization's fallbacks, and repeats
 * a question once if the answer can't be used.  Failures that may pass
 * (limits, faults of servers) put it back into the queue; an answer that can't
 * be read never becomes a score.
 */


#ifndef JUDGE_LLM_QUEUE_H
#define JUDGE_LLM_QUEUE_H


#include "work/evaluation/claimed_evaluation.h"
#include "work/service/service.h"


#define JUDGE_LLM_RUNS       512       /* evaluations under way at most */
#define JUDGE_LLM_SAMPLES    10        /* at most */
#define JUDGE_LLM_IMAGE      (8 * 1024 * 1024)   /* bytes of a file at most */

typedef struct judge_llm_queue  judge_llm_queue_t;

/* Called when a run has ended; unless result->stored is set, its evaluation
 * will be claimed again after its lease. */
typedef void (*judge_llm_ended_pt)(void *data, const judge_result_t *result);

/* A queue without runs may be freed by free(). */
judge_llm_queue_t *judge_llm_queue_create(judge_service_t *service,
    judge_llm_ended_pt ended, void *data);

/* _room(): whether there is room for one more evaluation.  _wanted(): how many
 * to claim now, as many as there is room for, or 0 if that is less than an
 * eighth of all. */
bool judge_llm_queue_room(const judge_llm_queue_t *queue);
size_t judge_llm_queue_wanted(const judge_llm_queue_t *queue);

/* Adds a claimed evaluation; copies it. */
void judge_llm_queue_push(judge_llm_queue_t *queue,
    const judge_claimed_t  *claimed);

/* To be called every JUDGE_BACKGROUND_TICK; prolongs leases. */
void judge_llm_queue_tick(judge_llm_queue_t *queue);
bool judge_llm_queue_busy(const judge_llm_queue_t *queue);


#endif /* JUDGE_LLM_QUEUE_H */
