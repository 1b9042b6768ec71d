/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* How a run ends. */


#include "work/evaluation/waiters.h"
#include "work/service/metrics.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_AGAIN     2000   /* ms after a failure */
#define JUDGE_SUGGEST_ATTEMPTS  5


/* --- The end of a run ---------------------------------------------------- */

/* Wakes those who wait for the suggestion, also in other workers. */

static void
judge_suggest_written(judge_op_t *op)
{
    judge_suggest_run_t  *run = op->data;

    if (op->rc == JUDGE_OK) {
        judge_metrics_changed(run->work.service->metrics, run->claim.row.id);
        judge_waiters_wake(run->work.service, run->claim.row.id);
        run->work.service->wake(run->work.service->network);
    }

    judge_leased_end(&run->work);
}


static void
judge_suggest_write(judge_suggest_run_t *run, const char *status,
    judge_str_t result)
{
    judge_suggestion_write_t  *w = &run->write;

    w->id = run->claim.row.id;
    w->owner = judge_service_owner(run->work.service);
    w->status = judge_str_c(status);
    w->tried = run->gain.n > 0;
    w->result = result;

    if (result.data) {
        w->completed_at = judge_now(run->work.service);
    } else {
        w->release = run->work.all->stopped;
        w->queue_at = judge_now(run->work.service)
                      + (w->release ? 0 : JUDGE_SUGGEST_AGAIN);
    }

    judge_leased_last(&run->work, &w->op, JUDGE_OP_SUGGESTION_WRITE,
                    judge_suggest_written);
}


void
judge_suggest_end(judge_suggest_run_t *run)
{
    judge_str_t  result = judge_suggest_result(run);

    if (result.data == NULL) {
        judge_suggest_give_back(&run->work);
        return;
    }

    judge_suggest_write(run, "completed", result);
}


void
judge_suggest_give_back(judge_leased_t *work)
{
    judge_suggest_run_t  *run = (judge_suggest_run_t *) work;

    if (work->lost) {
        judge_leased_end(work);

    } else if (run->claim.row.attempts >= JUDGE_SUGGEST_ATTEMPTS
               && !run->work.all->stopped)
    {
        judge_suggest_write(run, "failed", JUDGE_STR("{\"error\":{\"code\":"
            "\"INTERNAL\",\"message\":\"it was begun again and again, and"
            " came to no end\"}}"));

    } else {
        judge_suggest_write(run, "queued", (judge_str_t) { 0, NULL });
    }
}
