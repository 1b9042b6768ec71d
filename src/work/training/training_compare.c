/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Comparing scores with those of people; and by that whether examples help a
 * language model.  The scores with them are compared, item by
 * item, with what would be deployed without them: what was learned where that
 * is ready, else the version in use.  Its scores with examples may want a
 * mapping of their own, a line, which is learned from these items and judged
 * on those that it has not seen.
 */


#include <math.h>
#include <string.h>

#include "work/training/training_fewshot.h"
#include "work/training/training_measure.h"


#define JUDGE_TRAINING_COMPARE_LEAST  10  /* answers to judge by */
#define JUDGE_TRAINING_COMPARE_FOLDS  5
#define JUDGE_COMPARE_LINE  0.98  /* of the error, for a line */

typedef struct {
    judge_training_measure_t  *m;
    size_t                     n;
    size_t                    *row;    /* of m */
    size_t                    *item;   /* of the run */
    float                     *human;  /* n x ntargets, as these */
    float                     *without;
    float                     *before;
    float                     *with;
    float                     *line;   /* with, mapped */
    uint8_t                   *same;   /* zeros: all by one model */
    judge_buf_t                model;  /* the line learned from all */
} judge_training_compare_t;


static judge_rc_e judge_training_compare_take(judge_training_compare_t *s);
static judge_rc_e judge_training_compare_map(judge_training_compare_t *s);
static judge_rc_e judge_training_compare_learn(judge_training_compare_t *s,
    size_t fold, judge_buf_t *model);
static judge_rc_e judge_training_compare_set(judge_training_compare_t *s,
    size_t fold,
    judge_learn_set_t *set);
static judge_rc_e judge_training_compare_predict(judge_training_compare_t *s,
    size_t fold, judge_str_t model);
static judge_rc_e judge_training_compare_compare(judge_training_compare_t *s,
    const float *said, const float *before, bool intervals,
    judge_agreement_t *mean);
static judge_rc_e judge_training_compare_adopt(judge_training_compare_t *s,
    bool mapped);


/* Sets what all comparisons of a job have in common. */

judge_rc_e
judge_training_agreement(judge_training_measure_t *m,
    judge_agreement_set_t *set, judge_agreement_t *agree)
{
    set->ntargets = m->run->ntargets;
    set->nmean = m->run->rubric.ncriteria;
    set->pass = m->run->pass;

    return judge_agreement(m->arena, set, agree);
}


judge_rc_e
judge_training_compare(judge_training_measure_t *m)
{
    judge_agreement_set_t  set;

    set = (judge_agreement_set_t) {
        .nitems = m->n, .human = m->human, .pred = m->predicted,
        .before = m->before, .intervals = true,
        .model = m->run->type == JUDGE_TRAINING_VALIDATION ? NULL : m->model
    };
    m->mean = &m->agree[m->run->ntargets];

    return judge_training_agreement(m, &set, m->agree);
}


bool
judge_training_better(const judge_agreement_t *mean)
{
    const judge_agreement_value_t  *error, *order;

    error = &mean->gain[JUDGE_AGREEMENT_RMSE];
    order = &mean->gain[JUDGE_AGREEMENT_SPEARMAN];

    return error->low > 0
           && !(order->high < 0 && order->value < -JUDGE_TRAINING_ORDER);
}


/* --- With examples ------------------------------------------------------- */

judge_rc_e
judge_training_compare_fewshot(judge_training_measure_t *m)
{
    bool                       mapped;
    judge_rc_e                 rc;
    judge_agreement_t          mean, line;
    judge_training_state_t    *run = m->run;
    judge_training_compare_t   s;

    if (run->trial == NULL || run->trial->pool == NULL) {
        return JUDGE_OK;
    }

    memset(&s, 0, sizeof(judge_training_compare_t));
    s.m = m;
    judge_buf_init(&s.model, m->arena);

    rc = judge_training_compare_take(&s);
    if (rc != JUDGE_OK || s.n < JUDGE_TRAINING_COMPARE_LEAST) {
        return rc;
    }

    rc = judge_training_compare_map(&s);
    if (rc == JUDGE_OK) {
        rc = judge_training_compare_compare(&s, s.with, s.without, false,
                                            &mean);
    }
    if (rc == JUDGE_OK) {
        rc = judge_training_compare_compare(&s, s.line, s.without, false,
                                            &line);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    mapped = line.pred[JUDGE_AGREEMENT_RMSE].value
             < JUDGE_COMPARE_LINE * mean.pred[JUDGE_AGREEMENT_RMSE].value;

    rc = judge_training_compare_compare(&s, mapped ? s.line : s.with,
                                        s.without,
                                        true, &mean);
    if (rc != JUDGE_OK) {
        return rc;
    }

    m->nanswers = s.n;
    m->with = mean.pred[JUDGE_AGREEMENT_RMSE].value;
    m->without = mean.before[JUDGE_AGREEMENT_RMSE].value;
    m->adopted = judge_training_better(&mean);

    judge_training_log(run, "info", "shown examples%s, the model errs %.2f on"
                       " %zu texts held out, without %.2f: they are%s shown",
                       mapped ? " and mapped" : "", m->with, s.n, m->without,
                       m->adopted ? "" : " not");

    return m->adopted ? judge_training_compare_adopt(&s, mapped) : JUDGE_OK;
}


/* The rows of m that the model was asked about. */

static judge_rc_e
judge_training_compare_take(judge_training_compare_t *s)
{
    size_t                           i, k, n, size;
    judge_training_state_t          *run = s->m->run;
    const judge_training_fewshot_t  *trial = run->trial;

    n = trial->nitems + 1;
    size = n * run->ntargets;
    s->row = judge_array_alloc(s->m->arena, n, sizeof(size_t));
    s->item = judge_array_alloc(s->m->arena, n, sizeof(size_t));
    s->same = judge_array_alloc(s->m->arena, n, 1);
    s->human = judge_array_alloc(s->m->arena, size, sizeof(float));
    s->without = judge_array_alloc(s->m->arena, size, sizeof(float));
    s->before = judge_array_alloc(s->m->arena, size, sizeof(float));
    s->with = judge_array_alloc(s->m->arena, size, sizeof(float));
    s->line = judge_array_alloc(s->m->arena, size, sizeof(float));
    if (s->row == NULL || s->item == NULL || s->same == NULL
        || s->human == NULL || s->without == NULL || s->before == NULL
        || s->with == NULL || s->line == NULL)
    {
        return JUDGE_NOMEM;
    }

    size = run->ntargets;

    for (k = 0, i = 0; k < trial->nitems; k++) {
        while (i < s->m->n && s->m->item[i] < trial->item[k]) {
            i++;
        }

        if (i == s->m->n || s->m->item[i] != trial->item[k]
            || run->answered[k] != JUDGE_TRAINING_ANSWERED)
        {
            continue;
        }

        n = s->n++;
        s->row[n] = i;
        s->item[n] = trial->item[k];
        memcpy(&s->human[n * size], &s->m->human[i * size],
               size * sizeof(float));
        memcpy(&s->before[n * size], &s->m->before[i * size],
               size * sizeof(float));
        memcpy(&s->without[n * size], run->ready ? &s->m->predicted[i * size]
                                                 : &s->m->before[i * size],
               size * sizeof(float));
        memcpy(&s->with[n * size], &run->answers[k * size],
               size * sizeof(float));
    }

    memcpy(s->line, s->with, s->n * size * sizeof(float));

    return JUDGE_OK;
}


/* --- A line -------------------------------------------------------------- */

static judge_rc_e
judge_training_compare_map(judge_training_compare_t *s)
{
    size_t       fold;
    judge_rc_e   rc;
    judge_buf_t  model;

    for (fold = 0; fold < JUDGE_TRAINING_COMPARE_FOLDS; fold++) {
        judge_buf_init(&model, s->m->arena);

        rc = judge_training_compare_learn(s, fold, &model);
        if (rc == JUDGE_OK && model.len) {
            rc = judge_training_compare_predict(s, fold,
                                                judge_buf_view(&model));
        }
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    return judge_training_compare_learn(s, JUDGE_TRAINING_COMPARE_FOLDS,
                                        &s->model);
}


static bool
judge_training_compare_held(const judge_training_compare_t *s, size_t i,
    size_t fold)
{
    return s->m->run->group[s->item[i]] % JUDGE_TRAINING_COMPARE_FOLDS == fold;
}


/* Without a fold, or with all.  No model where too few are left. */

static judge_rc_e
judge_training_compare_learn(judge_training_compare_t *s, size_t fold,
    judge_buf_t *model)
{
    judge_rc_e               rc;
    judge_learner_t         *learner;
    judge_learn_set_t        set;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    rc = judge_training_compare_set(s, fold, &set);
    if (rc != JUDGE_OK || set.nitems < JUDGE_TRAINING_LEAST) {
        return rc;
    }

    options = (judge_learn_options_t) {
        .epochs = 1, .calibrate_only = true, .frozen = s->m->run->frozen
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
judge_training_compare_set(judge_training_compare_t *s, size_t fold,
    judge_learn_set_t *set)
{
    float                   *raw, *target;
    size_t                   i, n, t, *item;
    judge_rc_e               rc;
    judge_training_state_t  *run = s->m->run;

    t = run->ntargets;
    item = judge_array_alloc(s->m->arena, s->n, sizeof(size_t));
    raw = judge_array_alloc(s->m->arena, s->n * t, sizeof(float));
    target = judge_array_alloc(s->m->arena, s->n * t, sizeof(float));
    if (item == NULL || raw == NULL || target == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, n = 0; i < s->n; i++) {
        if (!judge_training_compare_held(s, i, fold)) {
            memcpy(&raw[n * t], &s->with[i * t], t * sizeof(float));
            memcpy(&target[n * t], &s->human[i * t], t * sizeof(float));
            item[n++] = s->item[i];
        }
    }

    rc = judge_training_subset(run, s->m->arena, item, n, set);
    set->raw = raw;
    set->target = target;
    set->texts = NULL;

    return rc;
}


static judge_rc_e
judge_training_compare_predict(judge_training_compare_t *s, size_t fold,
    judge_str_t bytes)
{
    size_t                   i, t;
    float                   *scratch, *line;
    judge_predictor_t       *model;
    judge_training_state_t  *run = s->m->run;

    t = run->ntargets;
    model = judge_predictor_read(s->m->arena, bytes);
    if (model == NULL) {
        return JUDGE_ERROR;
    }

    scratch = judge_array_alloc(s->m->arena,
                                judge_predictor_scratch(model) + 1,
                                sizeof(float));
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < s->n; i++) {
        if (judge_training_compare_held(s, i, fold)) {
            line = &s->line[i * t];
            judge_predictor_predict(model, &run->features[s->item[i]
                                                          * run->nfeatures],
                                    &s->with[i * t], run->texts[s->item[i]],
                                    scratch, line);
        }
    }

    return JUDGE_OK;
}


/* --- The decision -------------------------------------------------------- */

static judge_rc_e
judge_training_compare_compare(judge_training_compare_t *s, const float *said,
    const float *before, bool intervals, judge_agreement_t *mean)
{
    judge_rc_e             rc;
    judge_agreement_t      agree[JUDGE_LEARN_TARGETS + 1];
    judge_agreement_set_t  set;

    set = (judge_agreement_set_t) {
        .nitems = s->n, .human = s->human, .pred = said, .before = before,
        .model = s->same, .intervals = intervals
    };

    rc = judge_training_agreement(s->m, &set, agree);
    *mean = agree[s->m->run->ntargets];

    return rc;
}


static judge_rc_e
judge_training_compare_adopt(judge_training_compare_t *s, bool mapped)
{
    judge_training_measure_t        *m = s->m;
    judge_training_state_t          *run = m->run;
    const judge_training_fewshot_t  *trial = run->trial;

    m->n = s->n;
    m->human = s->human;
    m->predicted = mapped ? s->line : s->with;
    m->before = s->before;
    m->model = s->same;
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

    return judge_training_compare(m);
}
