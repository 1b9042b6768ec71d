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


static void judge_training_look(judge_training_t *train);
static void judge_training_looked(judge_op_t *op);
static void judge_training_claimed(judge_op_t *op);
static judge_training_state_t *judge_training_begin(judge_training_t *train,
    judge_arena_t *arena);
static void judge_training_end(judge_training_state_t *run);
static void judge_training_free(judge_training_state_t *run);
static void judge_training_prolong(judge_training_state_t *run);
static void judge_training_prolonged(judge_op_t *op);


bool
judge_training_create(judge_service_t *service)
{
    service->train = calloc(1, sizeof(judge_training_t));
    if (service->train) {
        service->train->service = service;
    }

    return service->train != NULL;
}


void
judge_training_destroy(judge_service_t *service)
{
    judge_training_t  *train = service->train;

    if (train == NULL) {
        return;
    }

    if (train->run) {
        judge_training_free(train->run);
    }

    judge_arena_destroy(train->arena);
    free(train);
    service->train = NULL;
}


void
judge_training_stop(judge_service_t *service)
{
    judge_training_t  *train = service->train;

    train->stopped = true;

    if (train->run) {
        train->run->stopping = true;
    }

    /* Waiting for feedback, or for a budget, is not done by anything that
     * comes back. */
    if (train->run && (train->run->waiting_since || train->run->show_wait)) {
        train->run->waiting_since = 0;
        train->run->show_wait = false;
        judge_training_store(train->run);
    }
}


bool
judge_training_busy(judge_service_t *service)
{
    return service->train->run || service->train->claiming;
}


void
judge_training_tick(judge_service_t *service)
{
    judge_ms_t               now;
    judge_training_t        *train = service->train;
    judge_training_state_t  *run = train->run;

    now = judge_now(train->service);

    if (run) {
        judge_training_prolong(run);

        if (run->waiting_since
            && now - train->looked_at >= JUDGE_TRAINING_EVERY)
        {
            train->looked_at = now;
            judge_training_count(run);
            return;
        }

        if (run->show_wait && (now >= run->show_at || run->lost)) {
            run->show_wait = false;
            run->show_at = 0;
            judge_training_next(run);
        }
        return;
    }

    if (now - train->looked_at >= JUDGE_TRAINING_EVERY) {
        judge_training_look(train);
    }
}


void
judge_training_poke(judge_service_t *service)
{
    judge_training_look(service->train);
}


/* --- Taking up a job ----------------------------------------------------- */

/* A look costs an inline read: done before submit() returns. */

static void
judge_training_look(judge_training_t *train)
{
    judge_training_peek_t    peek;
    judge_training_claim_t  *claim = &train->claim;

    if (train->run || train->claiming || train->stopped
        || !train->service->settings.evaluates)
    {
        return;
    }

    memset(&peek, 0, sizeof(judge_training_peek_t));
    peek.op.kind = JUDGE_OP_TRAINING_PEEK;
    peek.op.done = judge_training_looked;
    peek.now = judge_now(train->service);
    train->looked_at = peek.now;
    judge_submit(train->service, &peek.op);

    if (peek.op.rc != JUDGE_OK || !peek.pending) {
        return;
    }

    train->arena = judge_arena_create(64 * 1024);
    if (train->arena == NULL) {
        return;
    }

    memset(claim, 0, sizeof(judge_training_claim_t));
    claim->op.kind = JUDGE_OP_TRAINING_CLAIM;
    claim->op.arena = train->arena;
    claim->op.done = judge_training_claimed;
    claim->op.data = train;
    claim->owner = judge_service_owner(train->service);
    claim->now = peek.now;
    claim->lease_until = peek.now + JUDGE_TRAINING_LEASE;
    claim->logs_before = peek.now - JUDGE_TRAINING_KEPT;
    train->claiming = true;
    judge_submit(train->service, &claim->op);
}


static void
judge_training_looked(judge_op_t *op)
{
    /* void */
}


static void
judge_training_claimed(judge_op_t *op)
{
    judge_arena_t           *arena;
    judge_training_t        *train = op->data;
    judge_training_state_t  *run;

    arena = train->arena;
    train->arena = NULL;
    train->claiming = false;

    run = op->rc == JUDGE_OK && train->claim.claimed
          ? judge_training_begin(train, arena) : NULL;
    if (run == NULL) {
        judge_arena_destroy(arena);
        return;
    }

    train->run = run;

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
judge_training_begin(judge_training_t *train, judge_arena_t *arena)
{
    judge_training_state_t  *run;

    run = judge_calloc(arena, sizeof(judge_training_state_t));
    if (run == NULL) {
        return NULL;
    }

    run->arena = arena;
    run->train = train;
    run->end = judge_training_end;
    run->stopping = train->stopped;
    run->service = train->service;
    run->row = train->claim.row;
    run->leased_at = train->claim.now;
    run->written_at = train->claim.now;
    run->told = run->row.progress;
    judge_buf_init(&run->model, NULL);
    judge_buf_init(&run->state, NULL);
    judge_buf_init(&run->trained, NULL);
    judge_buf_init(&run->shown, NULL);

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
    judge_training_t  *train = run->train;

    if (run->leasing) {
        run->ended = true;
        return;
    }

    train->run = NULL;
    judge_training_free(run);
    judge_training_look(train);
}


static void
judge_training_free(judge_training_state_t *run)
{
    judge_learner_destroy(run->learner);
    judge_arena_destroy(run->scratch);
    judge_buf_free(&run->model);
    judge_buf_free(&run->state);
    judge_buf_free(&run->trained);
    judge_buf_free(&run->shown);

    judge_training_remeasure_free(run);

    if (run->gathered) {
        judge_training_data_free(&run->lessons);
    }

    judge_calibrator_release(run->service->trained, run->entry);
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
