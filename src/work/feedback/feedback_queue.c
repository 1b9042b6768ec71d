/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A few entries at a time: claimed in the store, learnt from in a thread, the
 * outcome written.  A process that dies in between leaves the claim to run
 * out; what two workers make of an entry is the same, and stored once.
 */


#include <stdlib.h>
#include <string.h>

#include "work/feedback/feedback_examples.h"
#include "work/feedback/feedback_queue.h"


#define JUDGE_FEEDBACK_EVERY     250   /* ms between two looks */
#define JUDGE_FEEDBACK_LEASE     5000  /* ms; too short does no harm */
#define JUDGE_FEEDBACK_CLAIM     128
#define JUDGE_FEEDBACK_ATTEMPTS  5

struct judge_feedback {
    judge_service_t          *service;
    judge_arena_t            *arena;   /* of the entries under way */
    judge_feedback_claim_t    claim;
    judge_feedback_finish_t   finish;
    judge_task_t              task;
    judge_ms_t                looked_at;
    bool                      busy;
    bool                      stopped;
};


static void judge_feedback_look(judge_feedback_t *feedback);
static void judge_feedback_claim(judge_feedback_t *feedback);
static void judge_feedback_claimed(judge_op_t *op);
static void judge_feedback_run(judge_task_t *task);
static void judge_feedback_ran(judge_task_t *task);
static void judge_feedback_finished(judge_op_t *op);
static void judge_feedback_end(judge_feedback_t *feedback, bool again);


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

    if (feedback) {
        judge_arena_destroy(feedback->arena);
        free(feedback);
        service->feedback = NULL;
    }
}


void
judge_feedback_stop(judge_service_t *service)
{
    service->feedback->stopped = true;
}


bool
judge_feedback_busy(judge_service_t *service)
{
    return service->feedback->busy;
}


void
judge_feedback_tick(judge_service_t *service)
{
    judge_feedback_t  *feedback = service->feedback;

    if (judge_now(feedback->service) - feedback->looked_at
        >= JUDGE_FEEDBACK_EVERY)
    {
        judge_feedback_look(feedback);
    }
}


void
judge_feedback_poke(judge_service_t *service)
{
    judge_feedback_look(service->feedback);
}


/* A look costs a read of one row; a claim costs the write lock. */

static void
judge_feedback_look(judge_feedback_t *feedback)
{
    judge_feedback_peek_t  peek;

    if (feedback->busy || feedback->stopped) {
        return;
    }

    memset(&peek, 0, sizeof(judge_feedback_peek_t));
    peek.op.kind = JUDGE_OP_FEEDBACK_PEEK;
    peek.now = judge_now(feedback->service);
    feedback->looked_at = peek.now;

    if (judge_service_read(feedback->service, &peek.op) == JUDGE_OK
        && peek.pending)
    {
        judge_feedback_claim(feedback);
    }
}


static void
judge_feedback_claim(judge_feedback_t *feedback)
{
    judge_ms_t               now;
    judge_feedback_claim_t  *claim = &feedback->claim;

    feedback->arena = judge_arena_create(64 * 1024);
    if (feedback->arena == NULL) {
        return;
    }

    now = judge_now(feedback->service);
    feedback->busy = true;

    memset(claim, 0, sizeof(judge_feedback_claim_t));
    claim->op.kind = JUDGE_OP_FEEDBACK_CLAIM;
    claim->op.arena = feedback->arena;
    claim->op.done = judge_feedback_claimed;
    claim->op.data = feedback;
    claim->now = now;
    claim->lease_until = now + JUDGE_FEEDBACK_LEASE;
    claim->limit = JUDGE_FEEDBACK_CLAIM;

    judge_submit(feedback->service, &claim->op);
}


static void
judge_feedback_claimed(judge_op_t *op)
{
    judge_feedback_t  *feedback = op->data;

    if (op->rc != JUDGE_OK || feedback->claim.count == 0) {
        judge_feedback_end(feedback, false);
        return;
    }

    judge_service_compute(feedback->service, &feedback->task,
                          judge_feedback_run, judge_feedback_ran, feedback);
}


/* In a thread.  Without memory an entry is left to be claimed again; one that
 * was claimed too often, perhaps because it crashes workers, is abandoned. */

static void
judge_feedback_run(judge_task_t *task)
{
    size_t                 i;
    judge_feedback_t      *feedback = task->data;
    judge_feedback_job_t  *job;

    for (i = 0; i < feedback->claim.count; i++) {
        job = &feedback->claim.jobs[i];

        if (job->attempts > JUDGE_FEEDBACK_ATTEMPTS) {
            job->notes = JUDGE_STR("the entry could not be processed, try"
                                   " after try");

        } else if (judge_feedback_examples(feedback->arena, job) != JUDGE_OK) {
            job->nexamples = 0;
            job->notes = (judge_str_t) { 0, NULL };
        }
    }
}


static void
judge_feedback_ran(judge_task_t *task)
{
    judge_feedback_t         *feedback = task->data;
    judge_feedback_finish_t  *finish = &feedback->finish;

    memset(finish, 0, sizeof(judge_feedback_finish_t));
    finish->op.kind = JUDGE_OP_FEEDBACK_FINISH;
    finish->op.arena = feedback->arena;
    finish->op.done = judge_feedback_finished;
    finish->op.data = feedback;
    finish->jobs = feedback->claim.jobs;
    finish->count = feedback->claim.count;

    judge_submit(feedback->service, &finish->op);
}


static void
judge_feedback_finished(judge_op_t *op)
{
    judge_feedback_end(op->data, op->rc == JUDGE_OK);
}


static void
judge_feedback_end(judge_feedback_t *feedback, bool again)
{
    judge_arena_destroy(feedback->arena);
    feedback->arena = NULL;
    feedback->busy = false;

    if (again) {
        judge_feedback_look(feedback);
    }
}
