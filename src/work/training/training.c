/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Begins the jobs that are claimed, and prolongs their leases. */


#include "work/training/training_state.h"


#define JUDGE_TRAINING_ATTEMPTS  5     /* attempts that may crash */


static void
judge_training_free(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    judge_learner_destroy(run->learner);
    judge_buf_free(&run->predictor);
    judge_buf_free(&run->state);
    judge_buf_free(&run->calibrator);
    judge_buf_free(&run->examples);
    judge_training_remeasure_free(run);

    if (run->gathered) {
        judge_training_data_free(&run->data);
    }

    judge_calibrator_release(run->entry);
}


/* A job that waits is released if the process is asked to end. */

static void
judge_training_failed(judge_leased_t *work)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    if (work->lost) {
        judge_leased_end(work);
    } else if (run->failure.code) {
        judge_training_complete(work);
    } else if (work->rc == JUDGE_OK) {
        judge_training_store(work);
    } else {
        judge_leased_end(work);
    }
}


static void
judge_training_begin(judge_leased_t *work)
{
    judge_rc_e               rc;
    judge_training_state_t  *run = (judge_training_state_t *) work;
    judge_training_row_t    *row = &run->claim.row;

    work->org = row->org;
    run->written_at = work->leased_at;
    run->notified = row->progress;

    rc = judge_training_read(work->arena, row->options,
                             judge_training_options_fields, &run->options);
    rc = rc ? rc : judge_training_read(work->arena, row->config,
                                       judge_training_config_fields,
                                       &run->config);

    run->type = (judge_training_type_e)
                judge_training_word(judge_training_types, row->type);
    run->allocation = row->allocation.data
        ? (judge_training_allocation_e) judge_training_word(
                    judge_training_allocations, row->allocation)
        : JUDGE_TRAINING_STANDARD;

    judge_training_log(run, "info", "taken up%s",
                       row->attempts > 1 ? " again" : "");

    work->rc = row->attempts <= JUDGE_TRAINING_ATTEMPTS ? rc
               : judge_training_fail(run, "INTERNAL", "the job was begun %d"
                                     " times, and each time the process that"
                                     " ran it ended",
                                     JUDGE_TRAINING_ATTEMPTS);
    judge_leased_go(work, judge_training_start);
}


static judge_op_t *
judge_training_renew(judge_leased_t *work, judge_ms_t until)
{
    judge_training_state_t  *run = (judge_training_state_t *) work;

    run->renewal = (judge_training_progress_t) {
        .op.kind = JUDGE_OP_TRAINING_PROGRESS, .id = run->claim.row.id,
        .lease = { judge_service_owner(work->service), until },
        .epoch = -1, .progress = -1
    };

    return &run->renewal.op;
}


const judge_leased_kind_t  judge_training_runs = {
    .size = sizeof(judge_training_state_t),
    .most = 1,
    .peek = JUDGE_OP_TRAINING_PEEK,
    .claim = JUDGE_OP_TRAINING_CLAIM,
    .claim_at = offsetof(judge_training_state_t, claim),
    .evaluates = true,
    .lease = JUDGE_TRAINING_LEASE,
    .renew = judge_training_renew,
    .begin = judge_training_begin,
    .free = judge_training_free,
    .failed = judge_training_failed
};
