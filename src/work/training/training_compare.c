/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Compares scores with people's, and decides whether examples help a language
 * model.  Its scores with examples are compared, item by item, with what would
 * be deployed without them: the new model if that is ready, else the version
 * in use.  Scores with examples may need a linear map of their own, which is
 * learned from these items and measured on folds that were held out.
 */


#include <string.h>

#include "work/training/training_state.h"


#define JUDGE_TRAINING_COMPARE_LEAST  10  /* answers needed */
#define JUDGE_TRAINING_COMPARE_FOLDS  5
#define JUDGE_COMPARE_LINE  0.98  /* share of the error that the linear map may
                                     leave */

typedef struct {
    judge_training_measure_t  m;       /* of the items with an answer; m.before
                                          is without examples */
    judge_learn_set_t         set;     /* the same items, to learn the map */
    float                    *in_use;  /* scores of the version in use */
    float                    *with;
    float                    *line;    /* `with` after the linear map */
    judge_buf_t               model;   /* the map learned from all items */
} judge_training_compare_t;


static judge_rc_e judge_training_compare_map(judge_training_compare_t *s);
static judge_rc_e judge_training_compare_error(judge_training_compare_t *s,
    float *scores, bool intervals, double *error);
static judge_rc_e judge_training_compare_adopt(judge_training_compare_t *s,
    bool mapped, judge_training_measure_t *m);


judge_rc_e
judge_training_compare(judge_training_measure_t *m, bool intervals)
{
    judge_agreement_set_t    set;
    judge_training_state_t  *run = m->run;

    set = (judge_agreement_set_t) {
        .nitems = m->n, .ntargets = run->ntargets,
        .nmean = run->rubric.ncriteria, .human = m->human,
        .pred = m->predicted, .before = m->before, .pass = run->pass,
        .model = run->type == JUDGE_TRAINING_VALIDATION ? NULL : m->model,
        .group = m->group,
        .intervals = intervals
    };
    m->mean = &m->agree[run->ntargets];

    return judge_agreement(m->arena, &set, m->agree);
}


/* --- With examples ------------------------------------------------------- */

/* Copies the rows of m for which the model has answered. */

static judge_rc_e
judge_training_compare_take(judge_training_compare_t *s,
    const judge_training_measure_t *m)
{
    size_t                           i, k, n, t;
    float                           *rows;
    judge_rc_e                       rc;
    judge_training_state_t          *run = m->run;
    const judge_training_fewshot_t  *trial = run->trial;

    t = run->ntargets;
    n = trial->nitems * t + 1;
    s->m.run = run;
    s->m.arena = m->arena;
    s->m.item = judge_array_alloc(m->arena, n, sizeof(size_t));
    s->m.group = judge_array_alloc(m->arena, n, sizeof(uint32_t));
    rows = judge_array_alloc(m->arena, 5 * n, sizeof(float));
    if (s->m.item == NULL || s->m.group == NULL || rows == NULL) {
        return JUDGE_NOMEM;
    }

    s->m.human = rows;
    s->m.before = rows + n;
    s->in_use = rows + 2 * n;
    s->with = rows + 3 * n;
    s->line = rows + 4 * n;

    for (k = 0, i = 0; k < trial->nitems; k++) {
        while (i < m->n && m->item[i] < trial->item[k]) {
            i++;
        }

        if (i == m->n || m->item[i] != trial->item[k]
            || run->answered[k] != JUDGE_TRAINING_ANSWERED)
        {
            continue;
        }

        n = s->m.n++;
        s->m.item[n] = trial->item[k];
        s->m.group[n] = run->group[trial->item[k]];
        memcpy(&s->m.human[n * t], &m->human[i * t], t * sizeof(float));
        memcpy(&s->in_use[n * t], &m->before[i * t], t * sizeof(float));
        memcpy(&s->m.before[n * t], run->ready ? &m->predicted[i * t]
                                               : &m->before[i * t],
               t * sizeof(float));
        memcpy(&s->with[n * t], &run->answers[k * t], t * sizeof(float));
    }

    memcpy(s->line, s->with, s->m.n * t * sizeof(float));

    rc = judge_training_subset(m->arena, &run->all, s->m.item, s->m.n,
                               &s->set);
    s->set.raw = s->with;
    s->set.target = s->m.human;
    s->set.texts = NULL;

    return rc;
}


judge_rc_e
judge_training_compare_fewshot(judge_training_measure_t *m)
{
    bool                      mapped;
    double                    with, line;
    judge_rc_e                rc;
    judge_training_state_t   *run = m->run;
    judge_training_compare_t  s;

    if (run->trial == NULL || run->trial->pool == NULL) {
        return JUDGE_OK;
    }

    with = 0;
    line = 0;
    memset(&s, 0, sizeof(judge_training_compare_t));
    judge_buf_init(&s.model, m->arena);

    rc = judge_training_compare_take(&s, m);
    if (rc != JUDGE_OK || s.m.n < JUDGE_TRAINING_COMPARE_LEAST) {
        return rc;
    }

    rc = judge_training_compare_map(&s);
    if (rc == JUDGE_OK) {
        rc = judge_training_compare_error(&s, s.with, false, &with);
    }
    if (rc == JUDGE_OK) {
        rc = judge_training_compare_error(&s, s.line, false, &line);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    mapped = line < JUDGE_COMPARE_LINE * with;

    rc = judge_training_compare_error(&s, mapped ? s.line : s.with, true,
                                      &m->with);
    if (rc != JUDGE_OK) {
        return rc;
    }

    m->nanswers = s.m.n;
    m->without = s.m.mean->before[JUDGE_AGREEMENT_RMSE].value;
    m->adopted = judge_gate_better(s.m.mean, JUDGE_GATE_CHANCE);

    judge_training_log(run, "info", "shown examples%s, the model errs %.2f on"
                       " %zu texts held out, without %.2f: they are%s shown",
                       mapped ? " and mapped" : "", m->with, m->nanswers,
                       m->without, m->adopted ? "" : " not");

    return m->adopted ? judge_training_compare_adopt(&s, mapped, m)
                      : JUDGE_OK;
}


/* --- A line -------------------------------------------------------------- */

static bool
judge_training_compare_held(const judge_training_compare_t *s, size_t i,
    size_t fold)
{
    return s->set.group[i] % JUDGE_TRAINING_COMPARE_FOLDS == fold;
}


/* Learns the map without one fold; fold == ..._FOLDS: from all items.  The
 * model stays empty if too few items are left. */

static judge_rc_e
judge_training_compare_learn(judge_training_compare_t *s, size_t fold,
    judge_buf_t *model)
{
    size_t                   i, n, *item;
    judge_rc_e               rc;
    judge_learner_t         *learner;
    judge_learn_set_t        set;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    item = judge_array_alloc(s->m.arena, s->m.n, sizeof(size_t));
    if (item == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, n = 0; i < s->m.n; i++) {
        if (!judge_training_compare_held(s, i, fold)) {
            item[n++] = i;
        }
    }

    rc = judge_training_subset(s->m.arena, &s->set, item, n, &set);
    if (rc != JUDGE_OK || n < JUDGE_TRAINING_LEAST) {
        return rc;
    }

    options = (judge_learn_options_t) {
        .epochs = 1, .calibrate_only = true, .frozen = s->m.run->frozen
    };

    rc = judge_learner_create(&set, &options, (judge_str_t) { 0, NULL },
                              &learner);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
    }

    rc = judge_learner_epoch(learner, &progress);
    if (rc == JUDGE_OK) {
        rc = judge_learner_model(learner, model);
    }

    judge_learner_destroy(learner);

    return rc == JUDGE_OK && model->failed ? JUDGE_NOMEM : rc;
}


static judge_rc_e
judge_training_compare_map(judge_training_compare_t *s)
{
    size_t              i, t, fold;
    float              *scratch;
    judge_rc_e          rc;
    judge_buf_t         bytes;
    judge_predictor_t  *model;

    t = s->set.ntargets;

    for (fold = 0; fold < JUDGE_TRAINING_COMPARE_FOLDS; fold++) {
        model = NULL;
        scratch = NULL;
        judge_buf_init(&bytes, s->m.arena);

        rc = judge_training_compare_learn(s, fold, &bytes);
        if (rc == JUDGE_OK && bytes.len == 0) {
            continue;
        }
        if (rc == JUDGE_OK) {
            rc = judge_training_predictor(s->m.arena, &bytes, &model,
                                          &scratch);
        }
        if (rc != JUDGE_OK) {
            return rc;
        }

        for (i = 0; i < s->m.n; i++) {
            if (judge_training_compare_held(s, i, fold)) {
                judge_predictor_predict(model, &s->set.features[
                                            i * s->set.nfeatures],
                                        &s->with[i * t],
                                        s->m.run->texts[s->m.item[i]],
                                        scratch, &s->line[i * t]);
            }
        }
    }

    return judge_training_compare_learn(s, JUDGE_TRAINING_COMPARE_FOLDS,
                                        &s->model);
}


/* --- The decision -------------------------------------------------------- */

static judge_rc_e
judge_training_compare_error(judge_training_compare_t *s, float *scores,
    bool intervals, double *error)
{
    judge_rc_e  rc;

    s->m.predicted = scores;
    rc = judge_training_compare(&s->m, intervals);
    *error = s->m.mean->pred[JUDGE_AGREEMENT_RMSE].value;

    return rc;
}


static judge_rc_e
judge_training_compare_adopt(judge_training_compare_t *s, bool mapped,
    judge_training_measure_t *m)
{
    judge_training_state_t          *run = m->run;
    const judge_training_fewshot_t  *trial = run->trial;

    m->n = s->m.n;
    m->human = s->m.human;
    m->predicted = s->m.predicted;
    m->before = s->in_use;
    m->group = s->m.group;
    m->model = NULL;
    m->npassed = 0;
    m->reason = "shown examples, the model errs less than the version in use,"
                " by more than may be chance";
    memcpy(m->passed, run->frozen, sizeof(m->passed));
    run->ready = true;

    judge_buf_free(&run->predictor);
    judge_buf_init(&run->predictor, NULL);
    if (mapped) {
        judge_buf_str(&run->predictor, judge_buf_view(&s->model));
    }

    judge_buf_free(&run->examples);
    judge_buf_init(&run->examples, NULL);
    judge_calibrator_fewshot_write(&run->examples, trial->examples,
                                   trial->npool, run->rubric.ncriteria);

    if (run->predictor.failed || run->examples.failed) {
        return JUDGE_NOMEM;
    }

    return judge_training_compare(m, true);
}
