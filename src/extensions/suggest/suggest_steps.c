/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How a run goes from one step to the next, and how it ends. */


#include "work/evaluation/waiters.h"
#include "work/service/extension.h"
#include "work/service/metrics.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_AGAIN     2000   /* ms after a failure */
#define JUDGE_SUGGEST_ATTEMPTS  5

extern const judge_extension_t  judge_extension_suggest;


judge_suggest_work_t *
judge_suggest_work(const judge_service_t *service)
{
    return *judge_extensions_data(service, &judge_extension_suggest);
}


/* --- Steps --------------------------------------------------------------- */

static void
judge_suggest_go(judge_suggest_run_t *run, judge_rc_e rc)
{
    run->rc = rc;

    if (rc != JUDGE_OK || run->lost) {
        judge_suggest_give_back(run);
        return;
    }

    run->next(run);
}


static void
judge_suggest_op_done(judge_op_t *op)
{
    judge_suggest_go(op->data, op->rc);
}


void
judge_suggest_submit(judge_suggest_run_t *run, judge_op_t *op,
    judge_op_kind_e kind, void (*done)(judge_op_t *op))
{
    op->kind = kind;
    op->org = run->claim.row.org;
    op->arena = run->arena;
    op->done = done;
    op->data = run;
    judge_submit(run->service, op);
}


void
judge_suggest_op(judge_suggest_run_t *run, judge_op_t *op,
    judge_op_kind_e kind, judge_suggest_step_pt next)
{
    run->next = next;
    judge_suggest_submit(run, op, kind, judge_suggest_op_done);
}


static void
judge_suggest_task_run(judge_task_t *task)
{
    judge_suggest_run_t  *run = task->data;

    run->rc = run->compute(run);
}


static void
judge_suggest_task_done(judge_task_t *task)
{
    judge_suggest_run_t  *run = task->data;

    judge_suggest_go(run, run->rc);
}


void
judge_suggest_compute(judge_suggest_run_t *run,
    judge_rc_e (*compute)(judge_suggest_run_t *run),
    judge_suggest_step_pt next)
{
    run->compute = compute;
    run->next = next;
    judge_service_compute(run->service, &run->task, judge_suggest_task_run,
                          judge_suggest_task_done, run);
}


/* --- The end of a run ---------------------------------------------------- */

void
judge_suggest_free(judge_suggest_run_t *run)
{
    judge_suggest_work_t  *work = judge_suggest_work(run->service);

    run->over = true;

    if (!run->renewing) {
        judge_training_data_free(&run->data);
        work->run = NULL;
        judge_service_op_free(&run->peek.op);
    }
}


/* Wakes those who wait for the suggestion, also in other workers. */

static void
judge_suggest_written(judge_op_t *op)
{
    judge_suggest_run_t  *run = op->data;

    if (op->rc == JUDGE_OK) {
        judge_metrics_changed(run->service->metrics, run->claim.row.id);
        judge_waiters_wake(run->service, run->claim.row.id);
        run->service->wake(run->service->network);
    }

    judge_suggest_free(run);
}


static void
judge_suggest_write(judge_suggest_run_t *run, const char *status,
    judge_str_t result)
{
    judge_suggestion_write_t  *w = &run->write;

    run->after_wait = NULL;
    w->id = run->claim.row.id;
    w->owner = judge_service_owner(run->service);
    w->status = judge_str_c(status);
    w->tried = run->gain.n > 0;
    w->result = result;

    if (result.data) {
        w->completed_at = judge_now(run->service);
    } else {
        w->release = judge_suggest_work(run->service)->stopped;
        w->queue_at = judge_now(run->service)
                      + (w->release ? 0 : JUDGE_SUGGEST_AGAIN);
    }

    judge_suggest_submit(run, &w->op, JUDGE_OP_SUGGESTION_WRITE,
                         judge_suggest_written);
}


void
judge_suggest_end(judge_suggest_run_t *run)
{
    judge_str_t  result = judge_suggest_result(run);

    if (result.data == NULL) {
        judge_suggest_give_back(run);
        return;
    }

    judge_suggest_write(run, "completed", result);
}


void
judge_suggest_give_back(judge_suggest_run_t *run)
{
    if (run->lost) {
        judge_suggest_free(run);

    } else if (run->claim.row.attempts >= JUDGE_SUGGEST_ATTEMPTS
               && !judge_suggest_work(run->service)->stopped)
    {
        judge_suggest_write(run, "failed", JUDGE_STR("{\"error\":{\"code\":"
            "\"INTERNAL\",\"message\":\"it was begun again and again, and"
            " came to no end\"}}"));

    } else {
        judge_suggest_write(run, "queued", (judge_str_t) { 0, NULL });
    }
}
