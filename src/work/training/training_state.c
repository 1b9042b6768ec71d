/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What every step of a training job does with the store and the threads. */


#include "work/training/training_state.h"


void
judge_training_op(judge_training_state_t *run, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = run->row.org;
    op->arena = run->arena;
    op->done = done;
    op->data = run;
    judge_submit(run->service, op);
}


void
judge_training_compute(judge_training_state_t *run,
    void (*work)(judge_task_t *task), void (*done)(judge_task_t *task))
{
    judge_service_compute(run->service, &run->task, work, done, run);
}
