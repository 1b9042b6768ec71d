/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Cancels evaluations that were deleted while a thread scores them. */


#include "work/evaluation/evaluate.h"


#define JUDGE_EVALUATE_LOOK  400       /* ms between two reads; a worker that
                                          exits waits so long for a batch */


static void judge_evaluate_looked(judge_op_t *op);


/* Reads only members of the batch that the thread does not change. */

static void
judge_evaluate_look(judge_evaluate_t *batch)
{
    size_t               i;
    judge_job_t         *job;
    judge_queue_held_t  *look;

    look = judge_service_op(sizeof(judge_queue_held_t), JUDGE_OP_QUEUE_HELD,
                            judge_evaluate_looked, batch->service);
    if (look == NULL) {
        return;
    }

    look->count = batch->load.count;
    look->rows = judge_array_alloc(look->op.arena, look->count,
                                   sizeof(judge_held_t));

    for (i = 0; look->rows && i < look->count; i++) {
        job = batch->jobs[i];
        look->rows[i].org = judge_str_dup(look->op.arena, job->org);
        look->rows[i].id = judge_str_dup(look->op.arena, job->id);
        if (look->rows[i].org.data == NULL || look->rows[i].id.data == NULL) {
            look->rows = NULL;
        }
    }

    if (look->rows) {
        batch->look = &look->op;
        judge_submit(batch->service, &look->op);
    } else {
        judge_service_op_free(&look->op);
    }
}


void
judge_evaluate_tick(judge_service_t *service, bool leaving)
{
    judge_ms_t         now;
    judge_evaluate_t  *batch, *next;

    now = judge_now(service);

    for (batch = service->computing; batch; batch = next) {
        next = batch->next;

        /* A caller waits for the verdict of a batch of traffic. */
        if (batch->claimed == NULL || batch->look
            || now - batch->looked_at < JUDGE_EVALUATE_LOOK)
        {
            continue;
        }

        batch->looked_at = now;

        if (leaving) {
            atomic_store(&batch->stopped, true);
        } else {
            judge_evaluate_look(batch);
        }
    }
}


/* The batch may have ended meanwhile. */

static void
judge_evaluate_looked(judge_op_t *op)
{
    size_t               i;
    judge_service_t     *service = op->data;
    judge_evaluate_t    *batch;
    judge_queue_held_t  *look = (judge_queue_held_t *) op;

    for (batch = service->computing; batch && batch->look != op; ) {
        batch = batch->next;
    }

    for (i = 0; batch && op->rc == JUDGE_OK && i < look->count; i++) {
        if (!look->rows[i].held) {
            atomic_store(&batch->deleted[i], true);
        }
    }

    if (batch) {
        batch->look = NULL;
    }

    judge_service_op_free(op);
}
