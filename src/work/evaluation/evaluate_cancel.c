/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Cancels evaluations that were deleted while a thread scores them. */


#include "work/evaluation/evaluate.h"


#define JUDGE_EVALUATE_CHECK  400      /* ms between two checks; a worker that
                                          exits lets a batch go on so long */


/* The batch may have ended during the check: then no batch points to `op`. */

static void
judge_evaluate_checked(judge_op_t *op)
{
    size_t               i;
    judge_service_t     *service = op->data;
    judge_evaluate_t    *batch;
    judge_queue_held_t  *check = (judge_queue_held_t *) op;

    for (batch = service->computing; batch && batch->check != op; ) {
        batch = batch->next;
    }

    for (i = 0; batch && op->rc == JUDGE_OK && i < check->count; i++) {
        if (!check->rows[i].held) {
            atomic_store(&batch->deleted[i], true);
        }
    }

    if (batch) {
        batch->check = NULL;
    }

    judge_service_op_free(op);
}


/* Uses only those members of the batch that its thread does not change. */

static void
judge_evaluate_check_deleted(judge_evaluate_t *batch)
{
    size_t               i;
    judge_job_t         *job;
    judge_queue_held_t  *check;

    check = judge_service_op(sizeof(judge_queue_held_t), JUDGE_OP_QUEUE_HELD,
                            judge_evaluate_checked, batch->service);
    if (check == NULL) {
        return;
    }

    check->count = batch->load.count;
    check->rows = judge_array_alloc(check->op.arena, check->count,
                                   sizeof(judge_held_t));

    for (i = 0; check->rows && i < check->count; i++) {
        job = batch->jobs[i];
        check->rows[i].org = judge_str_dup(check->op.arena, job->org);
        check->rows[i].id = judge_str_dup(check->op.arena, job->id);
        if (check->rows[i].org.data == NULL
            || check->rows[i].id.data == NULL)
        {
            check->rows = NULL;
        }
    }

    if (check->rows) {
        batch->check = &check->op;
        judge_submit(batch->service, &check->op);
    } else {
        judge_service_op_free(&check->op);
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

        /* An evaluation of traffic (claimed NULL) is never cancelled: a client
         * waits for its verdict. */
        if (batch->claimed == NULL || batch->check
            || now - batch->checked_at < JUDGE_EVALUATE_CHECK)
        {
            continue;
        }

        batch->checked_at = now;

        if (leaving) {
            atomic_store(&batch->stopped, true);
        } else {
            judge_evaluate_check_deleted(batch);
        }
    }
}
