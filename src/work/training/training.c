/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Taking up jobs, holding on to the one under way, and letting go of it. */


#include <stdlib.h>
#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_TRAINING_EVERY  250      /* ms between two looks */
#define JUDGE_TRAINING_PROLONG  5000   /* ms after which a lease is */
#define JUDGE_TRAINING_ATTEMPTS  5     /* that ended with their process */
#define JUDGE_TRAINING_KEPT   (INT64_C(30) * 24 * 3600 * 1000)   /* logs, ms */

struct judge_training {
    judge_service_t          *service;
    judge_training_state_t   *run;
    judge_training_claim_t    claim;
    judge_arena_t            *arena;   /* of the claim */
    bool                      claiming;
    bool                      stopped;
    judge_ms_t                looked_at;
};


static void judge_training_look(judge_training_t *training);
static void judge_training_claimed(judge_op_t *op);
static judge_training_state_t *judge_training_begin(judge_training_t *training,
    judge_arena_t *arena);
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
    judge_training_t  *training = service->training;

    if (training == NULL) {
        return;
    }

    if (training->run) {
        judge_training_free(training->run);
    }

    judge_arena_destroy(training->arena);
    free(training);
    service->training = NULL;
}


void
judge_training_stop(judge_service_t *service)
{
    judge_training_t  *training = service->training;

    training->stopped = true;

    if (training->run) {
        training->run->stopping = true;
    }

    /* Waiting for feedback, or for a budget, is not done by anything that
     * comes back. */
    if (training->run
        && (training->run->waiting_since || training->run->trial_wait))
    {
        training->run->waiting_since = 0;
        training->run->trial_wait = false;
        judge_training_store(training->run);
    }
}


bool
judge_training_busy(judge_service_t *service)
{
    return service->training->run || service->training->claiming;
}


void
judge_training_tick(judge_service_t *service)
{
    judge_ms_t               now;
    judge_training_t        *training = service->training;
    judge_training_state_t  *run = training->run;

    now = judge_now(training->service);

    if (run) {
        judge_training_prolong(run);

        if (run->waiting_since
            && now - training->looked_at >= JUDGE_TRAINING_EVERY)
        {
            training->looked_at = now;
            judge_training_count(run);
            return;
        }

        if (run->trial_wait && (now >= run->trial_at || run->lost)) {
            run->trial_wait = false;
            run->trial_at = 0;
            judge_training_next(run);
        }
        return;
    }

    if (now - training->looked_at >= JUDGE_TRAINING_EVERY) {
        judge_training_look(training);
    }
}


void
judge_training_poke(judge_service_t *service)
{
    judge_training_look(service->training);
}


/* --- Taking up a job ----------------------------------------------------- */

/* A look costs a read of one row; a claim costs the write lock. */

static void
judge_training_look(judge_training_t *training)
{
    judge_training_peek_t    peek;
    judge_training_claim_t  *claim = &training->claim;

    if (training->run || training->claiming || training->stopped
        || !training->service->settings.evaluates)
    {
        return;
    }

    memset(&peek, 0, sizeof(judge_training_peek_t));
    peek.op.kind = JUDGE_OP_TRAINING_PEEK;
    peek.now = judge_now(training->service);
    training->looked_at = peek.now;

    if (judge_service_read(training->service, &peek.op) != JUDGE_OK
        || !peek.pending)
    {
        return;
    }

    training->arena = judge_arena_create(64 * 1024);
    if (training->arena == NULL) {
        return;
    }

    memset(claim, 0, sizeof(judge_training_claim_t));
    claim->op.kind = JUDGE_OP_TRAINING_CLAIM;
    claim->op.arena = training->arena;
    claim->op.done = judge_training_claimed;
    claim->op.data = training;
    claim->owner = judge_service_owner(training->service);
    claim->now = peek.now;
    claim->lease_until = peek.now + JUDGE_TRAINING_LEASE;
    claim->logs_before = peek.now - JUDGE_TRAINING_KEPT;
    training->claiming = true;
    judge_submit(training->service, &claim->op);
}


static void
judge_training_claimed(judge_op_t *op)
{
    judge_arena_t           *arena;
    judge_training_t        *training = op->data;
    judge_training_state_t  *run;

    arena = training->arena;
    training->arena = NULL;
    training->claiming = false;

    run = op->rc == JUDGE_OK && training->claim.claimed
          ? judge_training_begin(training, arena) : NULL;
    if (run == NULL) {
        judge_arena_destroy(arena);
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


/* NULL: no memory, or what was stored can't be read. */

static judge_training_state_t *
judge_training_begin(judge_training_t *training, judge_arena_t *arena)
{
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
    run->row = training->claim.row;
    run->leased_at = training->claim.now;
    run->written_at = training->claim.now;
    run->notified = run->row.progress;
    judge_buf_init(&run->predictor, NULL);
    judge_buf_init(&run->state, NULL);
    judge_buf_init(&run->calibrator, NULL);
    judge_buf_init(&run->examples, NULL);

    if (judge_training_config_read(arena, run->row.config, &run->config)
        != JUDGE_OK
        || judge_training_options_read(arena, run->row.options, &run->options)
           != JUDGE_OK)
    {
        return NULL;
    }

    run->type = (judge_training_type_e)
                judge_training_word(judge_training_types,
                                                            run->row.type);
    run->allocation = run->row.allocation.data
        ? (judge_training_allocation_e) judge_training_word(
                    judge_training_allocations, run->row.allocation)
        : JUDGE_TRAINING_STANDARD;

    judge_training_log(run, "info", "taken up%s", run->row.attempts > 1
                       ? " again" : "");

    return run;
}


/* Nothing of it is under way any more, but perhaps a prolongation. */

static void
judge_training_end(judge_training_state_t *run)
{
    judge_training_t  *training = run->training;

    if (run->leasing) {
        run->ended = true;
        return;
    }

    training->run = NULL;
    judge_training_free(run);
    judge_training_look(training);
}


static void
judge_training_free(judge_training_state_t *run)
{
    judge_learner_destroy(run->learner);
    judge_arena_destroy(run->scratch);
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


/* A step may take longer than a lease lasts. */

static void
judge_training_prolong(judge_training_state_t *run)
{
    judge_ms_t                  now;
    judge_training_progress_t  *w = &run->lease;

    now = judge_now(run->service);

    if (run->leasing || run->ended
        || now - run->leased_at < JUDGE_TRAINING_PROLONG)
    {
        return;
    }

    memset(w, 0, sizeof(judge_training_progress_t));
    w->id = run->row.id;
    w->owner = judge_service_owner(run->service);
    w->lease_until = now + JUDGE_TRAINING_LEASE;
    w->epoch = -1;
    w->progress = -1;
    run->leased_at = now;
    run->leasing = true;

    w->op.kind = JUDGE_OP_TRAINING_PROGRESS;
    w->op.org = run->row.org;
    w->op.arena = NULL;
    w->op.done = judge_training_prolonged;
    w->op.data = run;
    judge_submit(run->service, &w->op);
}


/* The arena belongs to the step that runs meanwhile: this operation has
 * nothing to put there. */

static void
judge_training_prolonged(judge_op_t *op)
{
    judge_training_state_t  *run = op->data;

    run->leasing = false;
    run->lost = run->lost || op->rc == JUDGE_CONFLICT;

    if (run->ended) {
        judge_training_end(run);
    }
}
