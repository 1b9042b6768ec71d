/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Claims jobs, prolongs the lease of the one that runs, and releases it. */


#include <stdlib.h>
#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_TRAINING_EVERY  250      /* ms between two peeks */
#define JUDGE_TRAINING_PROLONG  5000   /* ms until a lease is prolonged */
#define JUDGE_TRAINING_ATTEMPTS  5     /* attempts that may crash */

struct judge_training {
    judge_service_t         *service;
    judge_training_state_t  *run;
    bool                     claiming;
    bool                     leasing;
    bool                     stopped;
    judge_ms_t               peeked_at;
};


static void judge_training_peek(judge_training_t *training);
static void judge_training_peeked(judge_op_t *op);
static void judge_training_claimed(judge_op_t *op);
static void judge_training_end(judge_training_state_t *run);
static void judge_training_free(judge_training_state_t *run);
static void judge_training_prolong(judge_training_state_t *run);
static void judge_training_prolonged(judge_op_t *op);


bool
judge_training_create(judge_service_t *service)
{
    service->training = calloc(1, sizeof(judge_training_t));
    if (service->training) {
        service->training->service = service;
    }

    return service->training != NULL;
}


void
judge_training_destroy(judge_service_t *service)
{
    if (service->training && service->training->run) {
        judge_training_free(service->training->run);
    }

    free(service->training);
    service->training = NULL;
}


void
judge_training_stop(judge_service_t *service)
{
    judge_training_t        *training = service->training;
    judge_training_state_t  *run = training->run;

    training->stopped = true;

    if (run) {
        run->stopping = true;
    }

    /* A job that waits for a time has no callback that could release it. */
    if (run && run->asleep) {
        run->asleep = NULL;
        judge_training_store(run);
    }
}


bool
judge_training_busy(judge_service_t *service)
{
    judge_training_t  *training = service->training;

    return training->run || training->claiming || training->leasing;
}


void
judge_training_tick(judge_service_t *service)
{
    judge_ms_t               now;
    judge_training_t        *training = service->training;
    judge_training_step_pt   step;
    judge_training_state_t  *run = training->run;

    now = judge_now(training->service);

    if (run == NULL) {
        if (now - training->peeked_at >= JUDGE_TRAINING_EVERY) {
            judge_training_peek(training);
        }
        return;
    }

    judge_training_prolong(run);

    if (run->asleep && (now >= run->wakes_at || run->lost)) {
        step = run->asleep;
        run->asleep = NULL;
        step(run);
    }
}


void
judge_training_wake(judge_service_t *service)
{
    judge_training_peek(service->training);
}


/* --- Claiming a job ------------------------------------------------------ */

/* Peeks before claiming: a peek reads a row, a claim takes the write lock. */

static void
judge_training_peek(judge_training_t *training)
{
    judge_service_t        *service = training->service;
    judge_training_peek_t  *peek;

    if (training->run || training->claiming || training->stopped
        || !service->settings.evaluates)
    {
        return;
    }

    peek = judge_service_op(sizeof(judge_training_peek_t),
                            JUDGE_OP_TRAINING_PEEK, judge_training_peeked,
                            training);
    if (peek) {
        peek->now = judge_now(service);
        training->peeked_at = peek->now;
        training->claiming = true;
        judge_submit(service, &peek->op);
    }
}


static void
judge_training_peeked(judge_op_t *op)
{
    bool                     pending;
    judge_ms_t               now;
    judge_training_t        *training = op->data;
    judge_service_t         *service = training->service;
    judge_training_claim_t  *claim;

    pending = op->rc == JUDGE_OK && ((judge_training_peek_t *) op)->pending;
    judge_service_op_free(op);
    training->claiming = false;

    if (!pending || training->stopped) {
        return;
    }

    now = judge_now(service);
    claim = judge_service_op(sizeof(judge_training_claim_t),
                             JUDGE_OP_TRAINING_CLAIM, judge_training_claimed,
                             training);
    if (claim) {
        claim->lease.owner = judge_service_owner(service);
        claim->now = now;
        claim->lease.until = now + JUDGE_TRAINING_LEASE;
        training->claiming = true;
        judge_submit(service, &claim->op);
    }
}


/* The run takes over the arena of the claim.  NULL: out of memory, or the row
 * can't be parsed. */

static judge_training_state_t *
judge_training_begin(judge_training_t *training,
    const judge_training_claim_t *claim)
{
    judge_arena_t           *arena = claim->op.arena;
    judge_training_state_t  *run;

    run = judge_calloc(arena, sizeof(judge_training_state_t));
    if (run == NULL) {
        return NULL;
    }

    run->arena = arena;
    run->training = training;
    run->end = judge_training_end;
    run->stopping = training->stopped;
    run->service = training->service;
    run->row = claim->row;
    run->leased_at = claim->now;
    run->written_at = claim->now;
    run->notified = run->row.progress;

    if (judge_training_config_read(arena, run->row.config, &run->config)
        != JUDGE_OK
        || judge_training_options_read(arena, run->row.options, &run->options)
           != JUDGE_OK)
    {
        return NULL;
    }

    run->type = (judge_training_type_e)
                judge_training_word(judge_training_types, run->row.type);
    run->allocation = run->row.allocation.data
        ? (judge_training_allocation_e) judge_training_word(
                    judge_training_allocations, run->row.allocation)
        : JUDGE_TRAINING_STANDARD;

    judge_training_log(run, "info", "taken up%s", run->row.attempts > 1
                       ? " again" : "");

    return run;
}


static void
judge_training_claimed(judge_op_t *op)
{
    judge_training_t        *training = op->data;
    judge_training_claim_t  *claim = (judge_training_claim_t *) op;
    judge_training_state_t  *run;

    training->claiming = false;

    run = op->rc == JUDGE_OK && claim->claimed
          ? judge_training_begin(training, claim) : NULL;
    if (run == NULL) {
        judge_service_op_free(op);
        return;
    }

    training->run = run;

    if (run->row.attempts > JUDGE_TRAINING_ATTEMPTS) {
        judge_training_fail(run, "INTERNAL", "the job was begun %d times, and"
                            " each time the process that ran it ended",
                            JUDGE_TRAINING_ATTEMPTS);
        judge_training_complete(run);
        return;
    }

    judge_training_start(run);
}


static void
judge_training_free(judge_training_state_t *run)
{
    judge_learner_destroy(run->learner);
    judge_buf_free(&run->predictor);
    judge_buf_free(&run->state);
    judge_buf_free(&run->calibrator);
    judge_buf_free(&run->examples);

    judge_training_remeasure_free(run);

    if (run->gathered) {
        judge_training_data_free(&run->data);
    }

    judge_calibrator_release(run->service->calibrators, run->entry);
    judge_arena_destroy(run->arena);
}


static void
judge_training_end(judge_training_state_t *run)
{
    judge_training_t  *training = run->training;

    training->run = NULL;
    judge_training_free(run);
    judge_training_peek(training);
}


/* Prolongs the lease while a step runs, because it may take longer than a
 * lease.  The operation has its own copies: the job may end before it. */

static void
judge_training_prolong(judge_training_state_t *run)
{
    judge_ms_t                  now;
    judge_training_t           *training = run->training;
    judge_training_progress_t  *w;

    now = judge_now(run->service);

    if (training->leasing || now - run->leased_at < JUDGE_TRAINING_PROLONG) {
        return;
    }

    w = judge_service_op(sizeof(judge_training_progress_t),
                         JUDGE_OP_TRAINING_PROGRESS, judge_training_prolonged,
                         training);
    if (w == NULL) {
        return;
    }

    w->op.org = judge_str_dup(w->op.arena, run->row.org);
    w->id = judge_str_dup(w->op.arena, run->row.id);
    if (w->op.org.data == NULL || w->id.data == NULL) {
        judge_service_op_free(&w->op);
        return;
    }

    w->lease.owner = judge_service_owner(run->service);
    w->lease.until = now + JUDGE_TRAINING_LEASE;
    w->epoch = -1;
    w->progress = -1;
    run->leased_at = now;
    training->leasing = true;
    judge_submit(run->service, &w->op);
}


static void
judge_training_prolonged(judge_op_t *op)
{
    judge_training_t           *training = op->data;
    judge_training_progress_t  *w = (judge_training_progress_t *) op;

    training->leasing = false;

    if (training->run && op->rc == JUDGE_CONFLICT
        && judge_str_eq(training->run->row.id, w->id))
    {
        training->run->lost = true;
    }

    judge_service_op_free(op);
}
