/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Learns stage by stage and epoch by epoch, and writes the checkpoint from
 * which another worker can continue. */


#include <math.h>
#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_TRAINING_MAGIC  UINT64_C(0x35504b4345474455)
#define JUDGE_TRAINING_SAVES  200      /* checkpoints per stage, about */
#define JUDGE_TRAINING_DIVERGED 1000.0  /* a greater loss has diverged */


/* --- A stage ------------------------------------------------------------- */

/* The first stage leaves no item out, each further one a fold. */

static size_t
judge_training_without(const judge_training_state_t *run)
{
    return run->saved.stage == 0 ? JUDGE_LEARN_ALL : run->saved.stage - 1;
}


/* One learner runs all stages, and continues from a checkpoint. */

static judge_rc_e
judge_training_begin(judge_training_state_t *run)
{
    judge_rc_e             rc;
    judge_learn_options_t  options;

    options = (judge_learn_options_t) {
        .epochs = (size_t) run->config.epochs.value,
        .patience = run->config.early_stopping.value
                    ? (size_t) run->config.patience.value : 0,
        .calibrate_only = run->type == JUDGE_TRAINING_FINE_TUNE
                          && run->config.targets.count == 0,
        .frozen = run->frozen
    };

    rc = judge_learner_create(&run->set, &options, &run->learner);
    if (rc == JUDGE_OK) {
        judge_learner_begin(run->learner, judge_training_without(run),
                            run->saved.progress.epoch ? &run->saved.progress
                                                      : NULL);
    }

    return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
}


static judge_rc_e
judge_training_end_main(judge_training_state_t *run)
{
    judge_rc_e  rc;

    run->saved.best_epoch = (int64_t) run->saved.progress.best;
    run->saved.stopped_early = run->saved.progress.stopped_early;

    judge_training_log(run, "info",
                       "learned from %zu evaluations in %zu epochs"
                       "%s; the best was epoch %zu", run->nitems,
                       run->saved.progress.epoch, run->saved.stopped_early
                       ? ", stopped early" : "", run->saved.progress.best);

    judge_buf_free(&run->predictor);
    judge_buf_init(&run->predictor, NULL);

    rc = judge_learner_model(run->learner, &run->predictor);
    if (rc == JUDGE_OK && run->predictor.failed) {
        rc = JUDGE_NOMEM;
    }

    return rc;
}


judge_rc_e
judge_training_predict(judge_learner_t *learner, const judge_learn_set_t *set,
    size_t fold, float *predicted)
{
    size_t              i, t;
    float              *scratch;
    judge_rc_e          rc;
    judge_buf_t         bytes;
    judge_arena_t      *arena;
    judge_predictor_t  *model;

    arena = judge_arena_create(64 * 1024);
    if (arena == NULL) {
        return JUDGE_NOMEM;
    }

    judge_buf_init(&bytes, arena);
    rc = judge_learner_model(learner, &bytes);
    model = rc == JUDGE_OK
            ? judge_predictor_read(arena, judge_buf_view(&bytes)) : NULL;
    scratch = judge_array_alloc(arena, set->nfeatures + set->ntargets + 1,
                                sizeof(float));
    t = set->ntargets;

    for (i = 0; model && scratch && i < set->nitems; i++) {
        if (set->fold[i] == fold) {
            judge_predictor_predict(model, set->features + i * set->nfeatures,
                                    set->raw + i * t, set->texts[i], scratch,
                                    predicted + i * t);
        }
    }

    rc = model && scratch ? JUDGE_OK : JUDGE_NOMEM;
    judge_arena_destroy(arena);

    return rc;
}


static judge_rc_e
judge_training_end_stage(judge_training_state_t *run)
{
    judge_rc_e  rc;

    rc = run->saved.stage == 0 ? judge_training_end_main(run)
         : judge_training_predict(run->learner, &run->set,
                                  run->saved.stage - 1, run->predicted);

    run->saved.stage++;
    run->step_ended = true;
    memset(&run->saved.progress, 0, sizeof(judge_learn_progress_t));

    if (run->saved.stage < run->nstages) {
        judge_learner_begin(run->learner, judge_training_without(run), NULL);

    } else {
        judge_learner_destroy(run->learner);
        run->learner = NULL;
    }

    return rc;
}


/* --- Checkpoints --------------------------------------------------------- */

/* Writes a checkpoint after every epoch, or less often if there are so many
 * epochs that writing would take longer than learning. */

void
judge_training_save(judge_training_state_t *run)
{
    size_t  every;

    every = (size_t) run->config.epochs.value / JUDGE_TRAINING_SAVES + 1;

    if (!run->step_ended && run->saved.progress.epoch % every) {
        return;
    }

    judge_buf_free(&run->state);
    judge_buf_init(&run->state, NULL);

    run->saved.magic = JUDGE_TRAINING_MAGIC;
    run->saved.predictor = run->predictor.len;
    judge_buf_append(&run->state, &run->saved, sizeof(run->saved));
    judge_buf_append(&run->state, run->predictor.data, run->predictor.len);
    judge_buf_append(&run->state, run->predicted,
                     run->nitems * run->ntargets * sizeof(float));
    judge_buf_append(&run->state, run->answers,
                     JUDGE_TRAINING_ASKED * run->ntargets * sizeof(float));
    run->state_due = true;
}


judge_rc_e
judge_training_resume(judge_training_state_t *run, judge_str_t bytes)
{
    size_t                   predicted, answers;
    const char              *at;
    judge_training_saved_t   state;

    if (bytes.data == NULL) {
        return JUDGE_OK;
    }

    predicted = run->nitems * run->ntargets * sizeof(float);
    answers = JUDGE_TRAINING_ASKED * run->ntargets * sizeof(float);

    if (bytes.len >= sizeof(state)) {
        memcpy(&state, bytes.data, sizeof(state));
    }

    if (bytes.len < sizeof(state) || state.magic != JUDGE_TRAINING_MAGIC
        || state.print != run->saved.print || state.stage > run->nstages
        || state.predictor > bytes.len
        || sizeof(state) + state.predictor + predicted + answers != bytes.len)
    {
        judge_training_log(run, "warning", "the feedback has changed since the"
                           " last checkpoint: it begins anew");
        return JUDGE_OK;
    }

    at = bytes.data + sizeof(state);
    run->saved = state;

    judge_buf_append(&run->predictor, at, (size_t) state.predictor);
    at += state.predictor;
    memcpy(run->predicted, at, predicted);
    memcpy(run->answers, at + predicted, answers);

    judge_training_log(run, "info",
                       "goes on from its checkpoint in stage %zu of"
                       " %zu", (size_t) run->saved.stage + 1, run->nstages);

    return run->predictor.failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* --- The step ------------------------------------------------------------ */

judge_rc_e
judge_training_step(judge_leased_t *work)
{
    judge_rc_e               rc;
    judge_training_state_t  *run = (judge_training_state_t *) work;

    run->has_loss = false;
    run->step_ended = false;
    run->state_due = false;

    if (run->learner == NULL) {
        rc = judge_training_begin(run);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (!run->saved.progress.done) {
        rc = judge_learner_epoch(run->learner, &run->saved.progress);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (!(run->saved.progress.training_loss < JUDGE_TRAINING_DIVERGED)) {
            return judge_training_fail(run, "DIVERGED", "the error grew beyond"
                                       " all bounds in epoch %zu",
                                       run->saved.progress.epoch);
        }
    }

    if (run->saved.stage == 0) {
        run->has_loss = true;
        run->loss = (judge_training_epoch_t) {
            .epoch = (int64_t) run->saved.progress.epoch,
            .training_loss = run->saved.progress.training_loss,
            .validation_loss = run->saved.progress.validation_loss,
            .validated = isfinite(run->saved.progress.validation_loss)
        };
    }

    if (run->saved.progress.done) {
        rc = judge_training_end_stage(run);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    judge_training_save(run);

    return run->state.failed ? JUDGE_NOMEM : JUDGE_OK;
}
