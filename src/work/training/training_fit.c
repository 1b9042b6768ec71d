/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Learns stage by stage and epoch by epoch, and writes the checkpoint from
 * which another worker can continue. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_TRAINING_MAGIC  UINT64_C(0x34504b4345474455)
#define JUDGE_TRAINING_SAVES  200      /* checkpoints per stage, about */
#define JUDGE_TRAINING_DIVERGED 1000.0  /* a greater loss has diverged */

/* The head of a checkpoint; predictor, predictions, answers of the few-shot
 * trial and the learner's state follow. */
typedef struct {
    uint64_t  magic;
    uint64_t  print;
    uint64_t  stage;
    int64_t   best_epoch;
    uint64_t  stopped_early;
    uint64_t  predictor;                   /* bytes */
    uint64_t  predicted;
    uint64_t  answers;
    uint64_t  learner;
    uint8_t   answered[JUDGE_TRAINING_ASKED];
} judge_training_fit_state_t;


static judge_rc_e judge_training_begin_stage(judge_training_state_t *run);
static judge_rc_e judge_training_end_stage(judge_training_state_t *run);


judge_rc_e
judge_training_step(judge_training_state_t *run)
{
    judge_rc_e  rc;

    run->has_loss = false;
    run->step_ended = false;
    run->state_due = false;

    if (run->learner == NULL) {
        rc = judge_training_begin_stage(run);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (!run->progress.done) {
        rc = judge_learner_epoch(run->learner, &run->progress);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (!(run->progress.training_loss < JUDGE_TRAINING_DIVERGED)) {
            judge_training_fail(run, "DIVERGED", "the error grew beyond all"
                                " bounds in epoch %zu", run->progress.epoch);
            return JUDGE_OK;
        }
    }

    if (run->stage == 0) {
        run->has_loss = true;
        run->loss = (judge_training_epoch_t) {
            .epoch = (int64_t) run->progress.epoch,
            .training_loss = run->progress.training_loss,
            .validation_loss = run->progress.validation_loss,
            .validated = isfinite(run->progress.validation_loss)
        };
    }

    if (run->progress.done) {
        rc = judge_training_end_stage(run);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    judge_training_save(run);

    return run->state.failed ? JUDGE_NOMEM : JUDGE_OK;
}


/* --- A stage ------------------------------------------------------------- */

static void
judge_training_options(judge_training_state_t *run,
    judge_learn_options_t *options)
{
    memset(options, 0, sizeof(judge_learn_options_t));
    options->epochs = (size_t) run->config.epochs.value;
    options->patience = run->config.early_stopping.value
                        ? (size_t) run->config.patience.value : 0;
    options->calibrate_only = run->type == JUDGE_TRAINING_FINE_TUNE
                              && run->config.targets.count == 0;
    options->frozen = run->frozen;
}


/* Sets run->set to the items outside of a fold. */

static judge_rc_e
judge_training_unfold(judge_training_state_t *run, size_t fold)
{
    size_t  i, n, *item;

    item = judge_array_alloc(run->scratch, run->nitems + 1, sizeof(size_t));
    if (item == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, n = 0; i < run->nitems; i++) {
        if (run->fold[i] != fold) {
            item[n++] = i;
        }
    }

    return judge_training_subset(run->scratch, &run->all, item, n, &run->set);
}


static judge_rc_e
judge_training_begin_stage(judge_training_state_t *run)
{
    judge_rc_e             rc;
    judge_learn_options_t  options;

    run->scratch = judge_arena_create(64 * 1024);
    if (run->scratch == NULL) {
        return JUDGE_NOMEM;
    }

    memset(&run->progress, 0, sizeof(judge_learn_progress_t));
    judge_training_options(run, &options);

    run->set = run->all;
    rc = run->stage == 0 ? JUDGE_OK
         : judge_training_unfold(run, run->stage - 1);
    if (rc != JUDGE_OK) {
        return rc;
    }

    rc = judge_learner_create(&run->set, &options, run->resume,
                              &run->learner);
    if (rc == JUDGE_INVALID && run->resume.data) {
        judge_training_log(run, "warning",
                           "the checkpoint is of something else:"
                           " this stage begins anew");
        rc = judge_learner_create(&run->set, &options,
                                  (judge_str_t) { 0, NULL }, &run->learner);
    }

    run->resume = (judge_str_t) { 0, NULL };

    return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
}


/* Copies a row of `size` floats for each item; NULL: out of memory. */

static float *
judge_training_rows(judge_arena_t *arena, const float *from, size_t size,
    const size_t *item, size_t n)
{
    size_t   i;
    float   *rows;

    rows = judge_array_alloc(arena, n * size + 1, sizeof(float));

    for (i = 0; rows && i < n; i++) {
        memcpy(&rows[i * size], &from[item[i] * size], size * sizeof(float));
    }

    return rows;
}


judge_rc_e
judge_training_subset(judge_arena_t *arena, const judge_learn_set_t *from,
    const size_t *item, size_t n, judge_learn_set_t *set)
{
    size_t        i, t;
    uint32_t     *group;
    judge_str_t  *texts;

    t = from->ntargets;
    group = judge_array_alloc(arena, n + 1, sizeof(uint32_t));
    texts = judge_array_alloc(arena, n + 1, sizeof(judge_str_t));

    *set = (judge_learn_set_t) {
        .nitems = n, .nfeatures = from->nfeatures, .ntargets = t,
        .features = judge_training_rows(arena, from->features,
                                        from->nfeatures, item, n),
        .raw = judge_training_rows(arena, from->raw, t, item, n),
        .target = judge_training_rows(arena, from->target, t, item, n),
        .weight = judge_training_rows(arena, from->weight, t, item, n),
        .texts = from->texts ? texts : NULL, .group = group
    };

    if (set->features == NULL || set->raw == NULL || set->target == NULL
        || set->weight == NULL || group == NULL || texts == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        group[i] = from->group[item[i]];

        if (from->texts) {
            texts[i] = from->texts[item[i]];
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_training_end_main(judge_training_state_t *run)
{
    judge_rc_e  rc;

    run->best_epoch = (int64_t) run->progress.best;
    run->stopped_early = run->progress.stopped_early;

    judge_training_log(run, "info",
                       "learned from %zu evaluations in %zu epochs"
                       "%s; the best was epoch %zu", run->nitems,
                       run->progress.epoch, run->stopped_early
                       ? ", stopped early" : "", run->progress.best);

    judge_buf_free(&run->predictor);
    judge_buf_init(&run->predictor, NULL);

    rc = judge_learner_model(run->learner, &run->predictor);
    if (rc == JUDGE_OK && run->predictor.failed) {
        rc = JUDGE_NOMEM;
    }

    return rc;
}


/* Predicts the items of the fold that was held out. */

static judge_rc_e
judge_training_end_fold(judge_training_state_t *run)
{
    size_t              i, t, fold;
    float              *scratch;
    judge_rc_e          rc;
    judge_buf_t         bytes;
    const float        *from;
    judge_predictor_t  *model;

    judge_buf_init(&bytes, run->scratch);
    if (judge_learner_model(run->learner, &bytes) != JUDGE_OK
        || bytes.failed)
    {
        return JUDGE_NOMEM;
    }

    rc = judge_training_predictor(run->scratch, &bytes, &model, &scratch);

    fold = run->stage - 1;
    t = run->ntargets;

    for (i = 0; rc == JUDGE_OK && i < run->nitems; i++) {
        if (run->fold[i] == fold) {
            from = run->all.raw + i * t;
            judge_predictor_predict(model, run->features + i * run->nfeatures,
                                    from, run->texts[i], scratch,
                                    run->predicted + i * t);
        }
    }

    return rc;
}


static judge_rc_e
judge_training_end_stage(judge_training_state_t *run)
{
    judge_rc_e  rc;

    rc = run->stage == 0 ? judge_training_end_main(run)
                         : judge_training_end_fold(run);

    judge_learner_destroy(run->learner);
    judge_arena_destroy(run->scratch);
    run->learner = NULL;
    run->scratch = NULL;
    run->stage++;
    run->step_ended = true;

    return rc;
}


judge_rc_e
judge_training_predictor(judge_arena_t *arena, const judge_buf_t *bytes,
    judge_predictor_t **model, float **scratch)
{
    *model = judge_predictor_read(arena, judge_buf_view(bytes));
    if (*model == NULL) {
        return JUDGE_ERROR;
    }

    *scratch = judge_array_alloc(arena, judge_predictor_scratch(*model) + 1,
                                 sizeof(float));

    return *scratch ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- Checkpoints --------------------------------------------------------- */

/* Writes a checkpoint after every epoch, or less often if there are so many
 * epochs that writing would take longer than learning. */

void
judge_training_save(judge_training_state_t *run)
{
    size_t                      at, every;
    judge_training_fit_state_t  state;

    every = (size_t) run->config.epochs.value / JUDGE_TRAINING_SAVES + 1;

    if (!run->step_ended && run->progress.epoch % every) {
        return;
    }

    judge_buf_free(&run->state);
    judge_buf_init(&run->state, NULL);

    memset(&state, 0, sizeof(state));
    state.magic = JUDGE_TRAINING_MAGIC;
    state.print = run->print;
    state.stage = run->stage;
    state.best_epoch = run->best_epoch;
    state.stopped_early = run->stopped_early;
    state.predictor = run->predictor.len;
    state.predicted = run->nitems * run->ntargets * sizeof(float);
    state.answers = JUDGE_TRAINING_ASKED * run->ntargets * sizeof(float);
    memcpy(state.answered, run->answered, sizeof(state.answered));

    judge_buf_append(&run->state, &state, sizeof(state));
    judge_buf_append(&run->state, run->predictor.data, run->predictor.len);
    judge_buf_append(&run->state, run->predicted, (size_t) state.predicted);
    judge_buf_append(&run->state, run->answers, (size_t) state.answers);

    at = run->state.len;
    if (run->learner) {
        judge_learner_save(run->learner, &run->state);
    }

    if (!run->state.failed) {
        state.learner = run->state.len - at;
        memcpy(run->state.data, &state, sizeof(state));
    }

    run->state_due = true;
}


judge_rc_e
judge_training_resume(judge_training_state_t *run, judge_str_t bytes)
{
    const char                  *at;
    judge_training_fit_state_t   state;

    if (bytes.data == NULL) {
        return JUDGE_OK;
    }

    if (bytes.len >= sizeof(state)) {
        memcpy(&state, bytes.data, sizeof(state));
    }

    if (bytes.len < sizeof(state) || state.magic != JUDGE_TRAINING_MAGIC
        || state.print != run->print || state.stage > run->nstages
        || state.predicted != run->nitems * run->ntargets * sizeof(float)
        || state.answers != JUDGE_TRAINING_ASKED * run->ntargets
                            * sizeof(float)
        || state.predictor > bytes.len || state.learner > bytes.len
        || sizeof(state) + state.predictor + state.predicted + state.answers
           + state.learner != bytes.len)
    {
        judge_training_log(run, "warning", "the feedback has changed since the"
                           " last checkpoint: it begins anew");
        return JUDGE_OK;
    }

    at = bytes.data + sizeof(state);
    run->stage = (size_t) state.stage;
    run->best_epoch = state.best_epoch;
    run->stopped_early = state.stopped_early != 0;

    judge_buf_append(&run->predictor, at, (size_t) state.predictor);
    at += state.predictor;
    memcpy(run->predicted, at, (size_t) state.predicted);
    at += state.predicted;
    memcpy(run->answers, at, (size_t) state.answers);
    memcpy(run->answered, state.answered, sizeof(run->answered));
    at += state.answers;

    if (state.learner) {
        run->resume = judge_str_dup(run->arena, (judge_str_t) {
                                        (size_t) state.learner, at });
        if (run->resume.data == NULL) {
            return JUDGE_NOMEM;
        }
    }

    judge_training_log(run, "info",
                       "goes on from its checkpoint in stage %zu of"
                       " %zu", run->stage + 1, run->nstages);

    return run->predictor.failed ? JUDGE_NOMEM : JUDGE_OK;
}
