/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Cancels evaluations that were deleted while a thread scores them. */


#include "work/evaluation/evaluate.h"


#define JUDGE_EVALUATE_CHECK  400      /* ms between two checks; for so long a
                                          group goes on if its worker exits */


/* If the group has ended during the check, no group points to `op`. */

static void
judge_evaluate_checked(judge_op_t *op)
{
    size_t               i;
    judge_service_t     *service = op->data;
    judge_evaluate_t    *group;
    judge_queue_held_t  *check = (judge_queue_held_t *) op;

    for (group = service->computing; group && group->check != op; ) {
        group = group->next;
    }

    for (i = 0; group && op->rc == JUDGE_OK && i < check->count; i++) {
        if (!check->rows[i].held) {
            atomic_store(&group->deleted[i], true);
        }
    }

    if (group) {
        group->check = NULL;
    }

    judge_service_op_free(op);
}


/* Reads which evaluations of the group still exist.  Uses only those members
 * of the group that its thread does not change. */

static void
judge_evaluate_check_deleted(judge_evaluate_t *group)
{
    size_t               i;
    judge_job_t         *job;
    judge_queue_held_t  *check;

    check = judge_service_op(sizeof(judge_queue_held_t), JUDGE_OP_QUEUE_HELD,
                            judge_evaluate_checked, group->service);
    if (check == NULL) {
        return;
    }

    check->count = group->load.count;
    check->rows = judge_array_alloc(check->op.arena, check->count,
                                   sizeof(judge_held_t));

    for (i = 0; check->rows && i < check->count; i++) {
        job = group->jobs[i];
        check->rows[i].org = judge_str_dup(check->op.arena, job->org);
        check->rows[i].id = judge_str_dup(check->op.arena, job->id);
        if (check->rows[i].org.data == NULL
            || check->rows[i].id.data == NULL)
        {
            check->rows = NULL;
        }
    }

    if (check->rows) {
        group->check = &check->op;
        judge_submit(group->service, &check->op);
    } else {
        judge_service_op_free(&check->op);
    }
}


void
judge_evaluate_tick(judge_service_t *service, bool leaving)
{
    judge_ms_t         now;
    judge_evaluate_t  *group, *next;

    now = judge_now(service);

    for (group = service->computing; group; group = next) {
        next = group->next;

        /* An evaluation of traffic (claimed NULL) is never cancelled: a client
         * waits for its verdict. */
        if (group->claimed == NULL || group->check
            || now - group->checked_at < JUDGE_EVALUATE_CHECK)
        {
            continue;
        }

        group->checked_at = now;

        if (leaving) {
            atomic_store(&group->stopped, true);
        } else {
            judge_evaluate_check_deleted(group);
        }
    }
}
