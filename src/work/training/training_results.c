/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Writes the metrics and results of a training job. */


#include <math.h>

#include "base/json/json.h"
#include "work/training/training_state.h"


const char *
judge_training_rival(const judge_training_measure_t *m, bool brief)
{
    bool    scored = false, filled = false;
    size_t  t;

    static const char *const  rivals[][3] = {
        { "the version in use", "the engine alone", "the version in use" },
        { "people's mean, since the version in use gives no score",
          "people's mean, since the engine gives no score", "people's mean" },
        { "the version in use, or people's mean where it gives no score",
          "the engine alone, or people's mean where it gives no score",
          "the version in use and people's mean" }
    };

    for (t = 0; t < m->run->ntargets; t++) {
        if (m->agree[t].n) {
            filled = filled || m->filled[t];
            scored = scored || !m->filled[t];
        }
    }

    return rivals[filled + (filled && scored)]
                 [brief ? 2 : m->run->type == JUDGE_TRAINING_VALIDATION];
}


judge_rc_e
judge_training_write_metrics(judge_training_measure_t *m)
{
    size_t                   t;
    judge_buf_t              buf;
    judge_json_writer_t      w;
    judge_training_state_t  *run = m->run;

    judge_json_begin_object(&w, &buf, run->work.arena);

    judge_json_put_number4(&w, "accuracy_improvement",
                           m->mean->gain[JUDGE_AGREEMENT_RMSE].value);
    judge_json_put_number4(&w, "f1_score",
                           m->mean->pred[JUDGE_AGREEMENT_F1].value);

    judge_json_key_object(&w, "criteria_improvements");
    for (t = 0; t < run->rubric.ncriteria; t++) {
        if (!isnan(m->agree[t].gain[JUDGE_AGREEMENT_RMSE].value)) {
            judge_json_key_str(&w, run->ids[t]);
            judge_json_number2(&w,
                               m->agree[t].gain[JUDGE_AGREEMENT_RMSE].value);
        }
    }
    judge_json_object_end(&w);

    if (run->type != JUDGE_TRAINING_VALIDATION) {
        judge_json_key_object(&w, "convergence_info");
        judge_json_put_bool(&w, "converged", run->saved.stopped_early
                            || run->saved.best_epoch
                               < run->config.epochs.value);
        judge_json_put_bool(&w, "early_stopped", run->saved.stopped_early);
        judge_json_put_int(&w, "best_epoch", run->saved.best_epoch);
        judge_json_put_int(&w, "patience_remaining",
                           run->saved.stopped_early ? 0
                           : run->config.patience.value);
        judge_json_object_end(&w);
    }

    run->metrics = judge_json_text(&w);

    return run->metrics.data ? JUDGE_OK : JUDGE_NOMEM;
}


static void
judge_training_write_comparison(judge_training_measure_t *m,
    judge_json_writer_t *w)
{
    size_t  i;

    judge_json_key_object(w, "performance_comparison");
    judge_json_put_number4(w, "accuracy_delta",
                           m->mean->gain[JUDGE_AGREEMENT_NEAR].value);
    judge_json_put_number4(w, "consistency_delta",
                           m->mean->gain[JUDGE_AGREEMENT_SPEARMAN].value);
    judge_json_put_number4(w, "speed_delta", -m->slower);
    judge_json_put_c(w, "compared_with", judge_training_rival(m, false));

    for (i = 0; i < JUDGE_AGREEMENT_COUNT; i++) {
        if (isnan(m->mean->gain[i].value)) {
            continue;
        }

        judge_json_key(w, judge_agreement_names[i]);
        judge_json_object(w);
        judge_agreement_value_json(w, "before", &m->mean->before[i]);
        judge_agreement_value_json(w, "after", &m->mean->pred[i]);
        judge_agreement_value_json(w, "gain", &m->mean->gain[i]);
        judge_json_object_end(w);
    }

    judge_json_object_end(w);
}


static void
judge_training_write_target(judge_json_writer_t *w,
    const judge_agreement_t *agree)
{
    judge_json_object(w);
    judge_json_put_int(w, "items", (int64_t) agree->n);
    judge_agreement_json(w, agree);
    judge_json_object_end(w);
}


/* Says what the version was made of, with its error where one was measured. */

static judge_rc_e
judge_training_write_changes(judge_training_measure_t *m)
{
    judge_buf_t              buf;
    judge_training_state_t  *run = m->run;

    judge_buf_init(&buf, run->work.arena);
    judge_buf_printf(&buf, "trained on what people said of %zu evaluations"
                     " (%.*s)", run->nitems,
                     judge_str_args(run->claim.row.id));

    if (!isnan(m->mean->pred[JUDGE_AGREEMENT_RMSE].value)) {
        judge_buf_printf(&buf, ": error %.2f, of %s %.2f",
                         m->mean->pred[JUDGE_AGREEMENT_RMSE].value,
                         judge_training_rival(m, false),
                         m->mean->before[JUDGE_AGREEMENT_RMSE].value);
    }

    run->changes = judge_buf_view(&buf);

    return buf.failed ? JUDGE_NOMEM : JUDGE_OK;
}


judge_rc_e
judge_training_write_results(judge_training_measure_t *m)
{
    size_t                   t;
    judge_buf_t              buf;
    judge_json_writer_t      w;
    judge_training_state_t  *run = m->run;

    judge_json_begin_object(&w, &buf, run->work.arena);

    judge_training_write_comparison(m, &w);

    judge_json_key_object(&w, "validation_results");
    judge_json_put_number4(&w, "test_accuracy",
                           m->mean->pred[JUDGE_AGREEMENT_NEAR].value);
    judge_json_put_number4(&w, "test_f1_score",
                           m->mean->pred[JUDGE_AGREEMENT_F1].value);
    judge_json_put_int(&w, "items", (int64_t) m->n);
    judge_json_put_bool(&w, "learned_from", m->learned);

    judge_json_key_object(&w, "criteria_scores");
    for (t = 0; t < run->rubric.ncriteria; t++) {
        if (m->agree[t].n) {
            judge_json_key_str(&w, run->ids[t]);
            judge_training_write_target(&w, &m->agree[t]);
        }
    }
    judge_json_object_end(&w);

    if (run->overall && m->agree[run->rubric.ncriteria].n) {
        judge_json_key(&w, "overall");
        judge_training_write_target(&w, &m->agree[run->rubric.ncriteria]);
    }

    judge_json_key(&w, "mean");
    judge_training_write_target(&w, m->mean);
    judge_agreement_value_json(&w, "gain_beyond_shift", &m->beyond);

    if (m->nanswers) {
        judge_json_key_object(&w, "examples");
        judge_json_put_int(&w, "items", (int64_t) m->nanswers);
        judge_json_put_number4(&w, "rmse_with", m->error_with);
        judge_json_put_number4(&w, "rmse_without", m->error_without);
        judge_json_put_bool(&w, "shown", m->adopted);
        judge_json_object_end(&w);
    }
    judge_json_object_end(&w);

    judge_json_put_bool(&w, "deployment_ready", run->ready);
    judge_json_put_c(&w, "deployment_reason", m->reason);

    run->results = judge_json_text(&w);

    return run->results.data ? judge_training_write_changes(m) : JUDGE_NOMEM;
}
