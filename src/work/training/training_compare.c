/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Compares scores with people's, and decides whether examples help a language
 * model.  Its scores with examples are compared, item by item, with those that
 * would be deployed without examples: the new model's if it is ready, else
 * those of the version in use.  The scores with examples are mapped linearly;
 * the map is learned from these items and measured on held-out folds.
 */


#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_TRAINING_COMPARE_LEAST  10  /* answers needed */
#define JUDGE_TRAINING_COMPARE_FOLDS  5

typedef struct {
    judge_training_measure_t  m;       /* of the items with an answer; m.before
                                          are scores without examples */
    judge_learn_set_t         set;     /* from which the map is learned */
    float                    *answers; /* NaN: the item has no answer */
    judge_buf_t               model;   /* the map learned from all items */
} judge_training_compare_t;


judge_rc_e
judge_training_compare(judge_training_measure_t *m)
{
    judge_agreement_set_t    set;
    judge_training_state_t  *run = m->run;

    set = (judge_agreement_set_t) {
        .nitems = run->nitems, .ntargets = run->ntargets,
        .nmean = run->rubric.ncriteria, .human = m->human,
        .pred = m->predicted, .before = m->before, .pass = run->pass,
        .model = m->folds ? run->set.fold : NULL, .group = run->set.group
    };
    m->mean = &m->agree[run->ntargets];

    return judge_agreement(m->arena, &set, m->agree);
}


/* --- The items ----------------------------------------------------------- */

/* Copies from m the items for which the model has answered. */

static judge_rc_e
judge_training_compare_take(judge_training_compare_t *s,
    const judge_training_measure_t *m)
{
    size_t                           i, k, t;
    uint8_t                         *fold;
    judge_training_state_t          *run = m->run;
    const judge_training_fewshot_t  *trial = run->trial;

    t = run->ntargets;
    s->m.run = run;
    s->m.arena = m->arena;
    s->m.before = run->ready ? m->predicted : m->before;
    s->m.human = judge_training_unknown(run, m->arena, run->nitems);
    s->m.predicted = judge_training_unknown(run, m->arena, run->nitems);
    s->answers = judge_training_unknown(run, m->arena, run->nitems);
    fold = judge_array_alloc(m->arena, run->nitems, 1);
    if (s->m.human == NULL || s->m.predicted == NULL || s->answers == NULL
        || fold == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < run->nitems; i++) {
        fold[i] = (uint8_t) (run->set.group[i] % JUDGE_TRAINING_COMPARE_FOLDS);
    }

    for (k = 0; k < trial->nitems; k++) {
        i = trial->item[k];

        if (run->saved.answered[k] == JUDGE_LLM_SURVEY_ANSWERED
            && judge_training_counts(run, i, true))
        {
            memcpy(&s->m.human[i * t], &m->human[i * t], t * sizeof(float));
            memcpy(&s->answers[i * t], &run->answers[k * t],
                   t * sizeof(float));
            s->m.n++;
        }
    }

    s->set = run->set;
    s->set.raw = s->answers;
    s->set.target = s->m.human;
    s->set.fold = fold;

    return JUDGE_OK;
}


/* --- The linear map ------------------------------------------------------ */

/* Maps the answers of each fold by a line learned from the other folds, to
 * measure it; then learns the line from all. */

static judge_rc_e
judge_training_compare_map(judge_training_compare_t *s)
{
    size_t                  fold;
    judge_rc_e              rc;
    judge_learner_t        *learner;
    judge_learn_options_t   options;

    options = (judge_learn_options_t) {
        .epochs = 1, .calibrate_only = true, .frozen = s->m.run->frozen
    };

    rc = judge_learner_create(&s->set, &options, &learner);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
    }

    for (fold = 0; rc == JUDGE_OK && fold < JUDGE_TRAINING_COMPARE_FOLDS;
         fold++)
    {
        judge_learner_begin(learner, fold, NULL);
        rc = judge_training_predict(learner, &s->set, fold, s->m.predicted);
    }

    judge_learner_begin(learner, JUDGE_LEARN_ALL, NULL);
    if (rc == JUDGE_OK) {
        rc = judge_learner_model(learner, &s->model);
    }

    judge_learner_destroy(learner);

    return rc == JUDGE_OK && s->model.failed ? JUDGE_NOMEM : rc;
}


/* --- The decision -------------------------------------------------------- */

static judge_rc_e
judge_training_compare_adopt(judge_training_compare_t *s,
    judge_training_measure_t *m)
{
    judge_training_state_t          *run = m->run;
    const judge_training_fewshot_t  *trial = run->trial;

    m->n = s->m.n;
    m->human = s->m.human;
    m->predicted = s->m.predicted;
    m->folds = false;
    m->nunchanged = 0;
    m->reason = "shown examples, the model errs less than the version in use,"
                " by more than may be chance";
    memcpy(m->unchanged, run->frozen, sizeof(m->unchanged));
    run->ready = true;

    judge_buf_free(&run->predictor);
    judge_buf_init(&run->predictor, NULL);
    judge_buf_str(&run->predictor, judge_buf_view(&s->model));

    judge_buf_free(&run->examples);
    judge_buf_init(&run->examples, NULL);
    judge_calibrator_fewshot_write(&run->examples, trial->examples,
                                   trial->npool, run->rubric.ncriteria);

    if (run->predictor.failed || run->examples.failed) {
        return JUDGE_NOMEM;
    }

    return judge_training_compare(m);
}


judge_rc_e
judge_training_compare_fewshot(judge_training_measure_t *m)
{
    judge_rc_e                rc;
    judge_training_state_t   *run = m->run;
    judge_training_compare_t  s;

    if (run->trial == NULL || run->trial->pool == NULL) {
        return JUDGE_OK;
    }

    memset(&s, 0, sizeof(judge_training_compare_t));
    judge_buf_init(&s.model, m->arena);

    rc = judge_training_compare_take(&s, m);
    if (rc != JUDGE_OK || s.m.n < JUDGE_TRAINING_COMPARE_LEAST) {
        return rc;
    }

    rc = judge_training_compare_map(&s);
    rc = rc ? rc : judge_training_compare(&s.m);
    if (rc != JUDGE_OK) {
        return rc;
    }

    m->nanswers = s.m.n;
    m->error_with = s.m.mean->pred[JUDGE_AGREEMENT_RMSE].value;
    m->error_without = s.m.mean->before[JUDGE_AGREEMENT_RMSE].value;
    m->adopted = judge_gate_better(s.m.mean, JUDGE_GATE_CHANCE);

    judge_training_log(run, "info", "shown examples, the model errs %.2f on"
                       " %zu texts held out, without %.2f: they are%s shown",
                       m->error_with, m->nanswers, m->error_without,
                       m->adopted ? "" : " not");

    return m->adopted ? judge_training_compare_adopt(&s, m) : JUDGE_OK;
}
