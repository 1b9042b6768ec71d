/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims a few entries at a time, makes their examples in a thread, and stores
 * these.  If the process dies, the claim runs out.  Two workers with the same
 * entry make the same examples, which are stored once. */


#include <stdlib.h>
#include <string.h>

#include "work/feedback/feedback_examples.h"
#include "work/feedback/feedback_queue.h"


#define JUDGE_FEEDBACK_EVERY     250   /* ms between two peeks */
#define JUDGE_FEEDBACK_LEASE     5000  /* ms; if too short, work is repeated */
#define JUDGE_FEEDBACK_CLAIM     128
#define JUDGE_FEEDBACK_ATTEMPTS  5

struct judge_feedback {
    judge_service_t          *service;
    judge_feedback_claim_t   *claim;   /* the entries under way, or NULL */
    judge_feedback_finish_t   finish;
    judge_task_t              task;
    judge_ms_t                peeked_at;
    bool                      looking;
    bool                      stopped;
};


static void judge_feedback_peeked(judge_op_t *op);
static void judge_feedback_claimed(judge_op_t *op);
static void judge_feedback_run(judge_task_t *task);
static void judge_feedback_ran(judge_task_t *task);
static void judge_feedback_finished(judge_op_t *op);


bool
judge_feedback_create(judge_service_t *service)
{
    service->feedback = calloc(1, sizeof(judge_feedback_t));
    if (service->feedback) {
        service->feedback->service = service;
    }

    return service->feedback != NULL;
}


void
judge_feedback_destroy(judge_service_t *service)
{
    judge_feedback_t  *feedback = service->feedback;

    if (feedback && feedback->claim) {
        judge_service_op_free(&feedback->claim->op);
    }

    free(feedback);
    service->feedback = NULL;
}


void
judge_feedback_stop(judge_service_t *service)
{
    service->feedback->stopped = true;
}


bool
judge_feedback_busy(judge_service_t *service)
{
    return service->feedback->claim || service->feedback->looking;
}


/* Peeks before claiming: a peek reads a row, a claim takes the write lock. */

static void
judge_feedback_peek(judge_feedback_t *feedback)
{
    judge_feedback_peek_t  *peek;

    if (feedback->claim || feedback->looking || feedback->stopped) {
        return;
    }

    peek = judge_service_op(sizeof(judge_feedback_peek_t),
                            JUDGE_OP_FEEDBACK_PEEK, judge_feedback_peeked,
                            feedback);
    if (peek) {
        peek->now = judge_now(feedback->service);
        feedback->peeked_at = peek->now;
        feedback->looking = true;
        judge_submit(feedback->service, &peek->op);
    }
}


void
judge_feedback_tick(judge_service_t *service)
{
    if (judge_now(service) - service->feedback->peeked_at
        >= JUDGE_FEEDBACK_EVERY)
    {
        judge_feedback_peek(service->feedback);
    }
}


void
judge_feedback_wake(judge_service_t *service)
{
    judge_feedback_peek(service->feedback);
}


static void
judge_feedback_peeked(judge_op_t *op)
{
    bool                     pending;
    judge_ms_t               now;
    judge_feedback_t        *feedback = op->data;
    judge_feedback_claim_t  *claim;

    pending = op->rc == JUDGE_OK && ((judge_feedback_peek_t *) op)->pending;
    judge_service_op_free(op);
    feedback->looking = false;

    if (!pending || feedback->stopped) {
        return;
    }

    now = judge_now(feedback->service);
    claim = judge_service_op(sizeof(judge_feedback_claim_t),
                             JUDGE_OP_FEEDBACK_CLAIM, judge_feedback_claimed,
                             feedback);
    if (claim) {
        claim->now = now;
        claim->lease.until = now + JUDGE_FEEDBACK_LEASE;
        claim->limit = JUDGE_FEEDBACK_CLAIM;
        feedback->claim = claim;
        judge_submit(feedback->service, &claim->op);
    }
}


static void
judge_feedback_end(judge_feedback_t *feedback, bool claim_next)
{
    judge_service_op_free(&feedback->claim->op);
    feedback->claim = NULL;

    if (claim_next) {
        judge_feedback_peek(feedback);
    }
}


static void
judge_feedback_claimed(judge_op_t *op)
{
    judge_feedback_t  *feedback = op->data;

    if (op->rc != JUDGE_OK || feedback->claim->count == 0) {
        judge_feedback_end(feedback, false);
        return;
    }

    judge_service_compute(feedback->service, &feedback->task,
                          judge_feedback_run, judge_feedback_ran, feedback);
}


/* Runs in a thread.  If memory is out, the entry will be claimed again.  An
 * entry that was claimed too often is abandoned: it may crash workers. */

static void
judge_feedback_run(judge_task_t *task)
{
    size_t                   i;
    judge_feedback_t        *feedback = task->data;
    judge_feedback_job_t    *job;
    judge_feedback_claim_t  *claim = feedback->claim;

    for (i = 0; i < claim->count; i++) {
        job = &claim->jobs[i];

        if (job->attempts > JUDGE_FEEDBACK_ATTEMPTS) {
            job->notes = JUDGE_STR("the entry could not be processed, try"
                                   " after try");

        } else if (judge_feedback_examples(claim->op.arena, job) != JUDGE_OK) {
            job->nexamples = 0;
            job->notes = (judge_str_t) { 0, NULL };
        }
    }
}


static void
judge_feedback_ran(judge_task_t *task)
{
    judge_feedback_t  *feedback = task->data;

    feedback->finish = (judge_feedback_finish_t) {
        .op = {
            .kind = JUDGE_OP_FEEDBACK_FINISH,
            .arena = feedback->claim->op.arena,
            .done = judge_feedback_finished, .data = feedback
        },
        .jobs = feedback->claim->jobs, .count = feedback->claim->count
    };

    judge_submit(feedback->service, &feedback->finish.op);
}


static void
judge_feedback_finished(judge_op_t *op)
{
    judge_feedback_end(op->data, op->rc == JUDGE_OK);
}
