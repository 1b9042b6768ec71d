/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Measures what was learned, on items from which neither it nor the version in
 * use has learned, and decides whether it is better than the version in use.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json/json.h"
#include "analysis/text/math.h"
#include "work/render/resource_json.h"
#include "work/training/training_state.h"


#define JUDGE_TRAINING_TIMED  200      /* predictions that measure the time */
#define JUDGE_TRAINING_ENOUGH  25      /* corrections that can judge, if any */


/* For each fold, the mean over the items outside of it: of people's scores, or
 * of their difference to the scores in `from`. */

static void
judge_training_shift(const judge_training_state_t *run, size_t t,
    const float *from, double shift[256])
{
    size_t  i, at, n[257] = { 0 };
    double  off, sum[257] = { 0 };

    for (i = 0; i < run->nitems; i++) {
        at = i * run->ntargets + t;
        off = (double) run->set.target[at] - (from ? (double) from[at] : 0);
        if (!isnan(off) && run->set.weight[at] > 0) {
            sum[run->set.fold[i]] += off;
            sum[256] += off;
            n[run->set.fold[i]]++;
            n[256]++;
        }
    }

    for (i = 0; i < 256; i++) {
        shift[i] = n[i] == n[256]
                   ? judge_share(sum[256], (double) n[256])
                   : (sum[256] - sum[i]) / (double) (n[256] - n[i]);
    }
}


/* For an item without a score before, the mean of people's scores of the items
 * outside its fold stands in. */

static void
judge_training_fill(judge_training_measure_t *m)
{
    size_t                   i, t, at;
    double                   mean[256];
    judge_training_state_t  *run = m->run;

    for (t = 0; t < run->ntargets; t++) {
        judge_training_shift(run, t, NULL, mean);
        m->filled[t] = true;

        for (i = 0; i < run->nitems; i++) {
            at = i * run->ntargets + t;
            if (isnan(m->before[at])) {
                m->before[at] = (float) mean[run->set.fold[i]];
            } else {
                m->filled[t] = false;
            }
        }
    }
}


/* Chooses the items to compare on.  On items from which it has learned the
 * version in use would look too good; only a validation uses them, if there
 * are too few others. */

static judge_rc_e
judge_training_choose(judge_training_measure_t *m)
{
    bool                     counts, validates;
    size_t                   i, t, at, n;
    judge_training_state_t  *run = m->run;

    n = run->nitems * run->ntargets;
    m->human = judge_array_alloc(m->arena, n, sizeof(float));
    m->predicted = judge_array_alloc(m->arena, n, sizeof(float));
    m->before = judge_array_alloc(m->arena, n, sizeof(float));
    if (m->human == NULL || m->predicted == NULL || m->before == NULL) {
        return JUDGE_NOMEM;
    }

    validates = run->type == JUDGE_TRAINING_VALIDATION;
    m->learned = validates && run->nfresh < JUDGE_TRAINING_LEAST;
    m->folds = !validates;
    memcpy(m->predicted, validates ? run->before : run->predicted,
           n * sizeof(float));
    memcpy(m->before, validates ? run->set.raw : run->before,
           n * sizeof(float));

    if (m->learned) {
        judge_training_log(run, "warning",
                          "nothing new has been said since the"
                          " version in use was trained: it is measured on what"
                          " it has learned from");
    }

    for (i = 0; i < run->nitems; i++) {
        counts = judge_training_counts(run, i, !m->learned);
        m->n += counts;

        for (t = 0; t < run->ntargets; t++) {
            at = i * run->ntargets + t;
            m->human[at] = counts && !run->frozen[t] ? run->set.target[at]
                                                     : NAN;
        }
    }

    judge_training_fill(m);

    return JUDGE_OK;
}


static void
judge_training_keep_before(judge_training_measure_t *m, size_t t)
{
    size_t  i, at;

    m->unchanged[t] = true;
    m->nunchanged++;

    for (i = 0; i < m->run->nitems; i++) {
        at = i * m->run->ntargets + t;
        m->predicted[at] = m->before[at];
    }
}


/* Where nothing judged a target before, people's mean stands for its scores.
 * What does not predict it better than that stays unjudged.  Returns whether
 * there is such a target. */

static bool
judge_training_unrelated(judge_training_measure_t *m)
{
    size_t                   t;
    judge_training_state_t  *run = m->run;

    for (t = 0; t < run->ntargets; t++) {
        m->unchanged[t] = run->frozen[t];

        if (run->nfolds && m->filled[t] && !run->frozen[t]
            && !judge_gate_predicts(&m->agree[t]))
        {
            judge_training_keep_before(m, t);
            m->unrelated = true;
        }
    }

    return m->unrelated;
}


/* Targets that the gate rejects keep the scores of the version in use; returns
 * whether there are any.  m->gate keeps the verdict on the whole model. */

static bool
judge_training_select(judge_training_measure_t *m)
{
    size_t                   t, rejected;
    judge_training_state_t  *run = m->run;

    if (run->nfolds == 0) {
        return false;
    }

    judge_gate(m->agree, run->ntargets, m->unchanged, &m->gate);

    for (t = 0, rejected = 0; t < run->ntargets; t++) {
        if (!m->unchanged[t] && !m->gate.taken[t]) {
            judge_training_keep_before(m, t);
            rejected++;
        }
    }

    return rejected != 0;
}


/* Compares the model with the version in use shifted by a constant for each
 * criterion, which is the mean difference on the items outside the fold.  If
 * the shifted scores err as little, the model has only learned how high people
 * score, and not which items they score higher. */

static judge_rc_e
judge_training_level(judge_training_measure_t *m)
{
    float                     *level;
    size_t                     i, t, at, nt = m->run->ntargets;
    double                     shift[256];
    judge_rc_e                 rc;
    judge_training_state_t    *run = m->run;
    judge_training_measure_t   shifted;

    if (run->nfolds == 0) {
        return JUDGE_OK;
    }

    level = judge_array_alloc(m->arena, run->nitems * nt, sizeof(float));
    if (level == NULL) {
        return JUDGE_NOMEM;
    }

    for (t = 0; t < nt; t++) {
        judge_training_shift(run, t, run->before, shift);

        for (i = 0; i < run->nitems; i++) {
            at = i * nt + t;
            level[at] = (float) ((double) m->before[at]
                                 + shift[run->set.fold[i]]);
        }
    }

    shifted = *m;
    shifted.before = level;
    rc = judge_training_compare(&shifted);
    m->beyond = shifted.mean->gain[JUDGE_AGREEMENT_RMSE];
    m->shifted = !(m->beyond.better < JUDGE_GATE_CHANCE);

    return rc;
}


/* Leaves out what the model is not taken for, and measures the rest. */

static judge_rc_e
judge_training_measure_taken(judge_training_measure_t *m)
{
    judge_rc_e  rc;

    rc = judge_training_unrelated(m) ? judge_training_compare(m) : JUDGE_OK;
    if (rc == JUDGE_OK && judge_training_select(m)) {
        rc = judge_training_compare(m);
    }

    return rc == JUDGE_OK ? judge_training_level(m) : rc;
}


static size_t
judge_training_distances(judge_training_measure_t *m, size_t t, float *far)
{
    bool                     mean;
    size_t                   i, c, n, at;
    double                   distance;
    judge_training_state_t  *run = m->run;

    mean = t == run->rubric.ncriteria && !run->overall;

    for (i = 0, n = 0; i < run->nitems; i++) {
        at = i * run->ntargets;
        distance = mean ? 0 : (double) m->human[at + t]
                              - (double) m->predicted[at + t];

        for (c = 0; mean && c < t; c++) {
            distance += run->share[c] * ((double) m->human[at + c]
                                         - (double) m->predicted[at + c]);
        }

        if (isfinite(distance)) {
            far[n++] = (float) fabs(distance);
        }
    }

    return n;
}


/*
 * Split conformal prediction (Lei et al. 2018): the distance from people's
 * scores within which JUDGE_PREDICTOR_COVERAGE of the held-out items lie.  If
 * the overall score is not learned, its distance is that of the criteria's
 * weighted mean.  A calibrator has one number of items, which is that of the
 * target with the fewest of those that have a distance.
 */

static judge_rc_e
judge_training_residuals(judge_training_measure_t *m)
{
    size_t                   t, n, rank;
    float                   *far;
    judge_training_state_t  *run = m->run;

    far = judge_array_alloc(m->arena, run->nitems, sizeof(float));
    if (far == NULL) {
        return JUDGE_NOMEM;
    }

    run->nresiduals = 0;

    for (t = 0; t <= run->rubric.ncriteria; t++) {
        n = judge_training_distances(m, t, far);
        qsort(far, n, sizeof(float), judge_by_float);
        rank = (size_t) ceil(JUDGE_PREDICTOR_COVERAGE * (double) (n + 1));
        run->residuals[t] = rank >= 1 && rank <= n ? far[rank - 1] : 0;

        if (run->residuals[t] > 0
            && (run->nresiduals == 0 || n < run->nresiduals))
        {
            run->nresiduals = n;
        }
    }

    return JUDGE_OK;
}


/* --- The calibrator ------------------------------------------------------ */

/* The items whose score of the target people gave. */

static uint32_t
judge_training_taught(const judge_training_state_t *run, size_t t)
{
    size_t    i;
    uint32_t  n;

    for (i = 0, n = 0; i < run->nitems; i++) {
        n += !isnan(run->set.target[i * run->ntargets + t])
             && run->set.weight[i * run->ntargets + t] > 0;
    }

    return n;
}


/* Unchanged targets keep their model.  If there is no room for one more model,
 * the oldest one is dropped, and its targets get the engine's scores. */

static void
judge_training_models(judge_training_measure_t *m,
    judge_calibrator_t *calibrator)
{
    size_t                     i, t;
    bool                       used;
    judge_training_state_t    *run = m->run;
    const judge_calibrator_t  *base = run->base;

    if (m->adopted) {
        base = NULL;
    }

    i = base && base->nmodels == JUDGE_CALIBRATOR_MODELS;

    for ( /* void */ ; base && i < base->nmodels; i++) {
        for (t = 0, used = false; t < run->ntargets; t++) {
            if (m->unchanged[t] && base->model[t] == i + 1) {
                calibrator->model[t] = (uint8_t) (calibrator->nmodels + 1);
                calibrator->taught[t] = base->taught[t];
                used = true;
            }
        }

        if (used) {
            calibrator->bytes[calibrator->nmodels++] = base->bytes[i];
        }
    }

    if (run->predictor.len == 0) {
        return;
    }

    calibrator->bytes[calibrator->nmodels++] = judge_buf_view(&run->predictor);

    for (t = 0; t < run->ntargets; t++) {
        if (!m->unchanged[t]) {
            calibrator->model[t] = (uint8_t) calibrator->nmodels;
            calibrator->taught[t] = judge_training_taught(run, t);
        }
    }
}


static double
judge_training_clock(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);

    return (double) ts.tv_sec * 1e3 + (double) ts.tv_nsec / 1e6;
}


/* Returns ms per item; negative: out of memory. */

static double
judge_training_time(judge_training_measure_t *m,
    const judge_calibrator_t *calibrator)
{
    size_t                   i, n;
    float                   *scratch, out[JUDGE_LEARN_TARGETS];
    double                   begun;
    judge_training_state_t  *run = m->run;

    scratch = judge_array_alloc(m->arena, calibrator->scratch + 1,
                                sizeof(float));
    if (scratch == NULL) {
        return -1;
    }

    n = run->nitems < JUDGE_TRAINING_TIMED ? run->nitems
                                           : JUDGE_TRAINING_TIMED;
    begun = judge_training_clock();

    for (i = 0; i < n; i++) {
        judge_calibrator_predict(calibrator,
                                 run->set.features + i * run->nfeatures,
                                 run->set.raw + i * run->ntargets,
                                 run->set.texts[i], scratch, out);
    }

    return (judge_training_clock() - begun) / (double) n;
}


static judge_rc_e
judge_training_write_calibrator(judge_training_measure_t *m)
{
    double                   now, then;
    judge_rc_e               rc;
    judge_calibrator_t       calibrator, check;
    judge_training_state_t  *run = m->run;

    memset(&calibrator, 0, sizeof(judge_calibrator_t));
    memcpy(calibrator.engine, run->engine, strlen(run->engine));
    calibrator.nfeatures = run->nfeatures;
    calibrator.ncriteria = run->rubric.ncriteria;
    calibrator.overall = run->overall;
    calibrator.nresiduals = run->nresiduals;
    calibrator.languages = run->languages;
    memcpy(calibrator.residuals, run->residuals, sizeof(calibrator.residuals));
    calibrator.ids = run->ids;

    calibrator.examples_bytes = m->adopted ? judge_buf_view(&run->examples)
                                : run->base ? run->base->examples_bytes
                                : run->kept;

    judge_training_models(m, &calibrator);
    memcpy(m->model, calibrator.model, sizeof(m->model));
    run->inputs = judge_calibrator_identity(run->engine, calibrator.nmodels,
                                            run->nfeatures);
    calibrator.inputs = run->inputs;

    judge_buf_free(&run->calibrator);
    judge_buf_init(&run->calibrator, NULL);
    judge_calibrator_write(&run->calibrator, &calibrator);
    if (run->calibrator.failed) {
        return JUDGE_NOMEM;
    }

    rc = judge_calibrator_read(m->arena, judge_buf_view(&run->calibrator),
                               &check);
    if (rc != JUDGE_OK) {
        return rc == JUDGE_INVALID ? JUDGE_ERROR : rc;
    }

    now = judge_training_time(m, &check);
    then = run->base ? judge_training_time(m, run->base) : 0;
    m->slower = now - then;

    return now < 0 || then < 0 ? JUDGE_NOMEM : JUDGE_OK;
}


/* --- The decision -------------------------------------------------------- */

static void
judge_training_decide(judge_training_measure_t *m)
{
    judge_training_state_t  *run = m->run;

    static const char *const  verdicts[] = {
        [JUDGE_GATE_READY] = ", by more than may be chance",
        [JUDGE_GATE_NO_LESS] = "",
        [JUDGE_GATE_CHANCE_ONLY] = ", but not by more than may be chance",
        [JUDGE_GATE_ORDER_WORSE] = ", but ranks worse"
    };

    if (run->type == JUDGE_TRAINING_VALIDATION) {
        m->reason = isnan(m->mean->pred[JUDGE_AGREEMENT_RMSE].value)
                    ? "a validation changes nothing; the version in use gives"
                      " none of the scores that people gave"
                    : m->learned ? "a validation changes nothing; this one was"
                                   " measured on what was learned from"
                    : "a validation changes nothing";

    } else if (run->nfolds == 0) {
        m->reason = "nothing was held out to measure it on:"
                    " validation_split is 0";

    } else if (m->n < JUDGE_TRAINING_LEAST) {
        m->reason = "too little was said since the version in use was"
                    " trained to compare with it";

    } else if (m->unrelated && m->gate.verdict != JUDGE_GATE_READY) {
        m->reason = "it predicts people's scores no better than their mean"
                    " does";

    } else {
        run->ready = m->gate.verdict == JUDGE_GATE_READY;
        (void) snprintf(m->said, sizeof(m->said), "it errs %s than %s%s%s",
                        m->gate.verdict == JUDGE_GATE_NO_LESS ? "no less"
                                                              : "less",
                        judge_training_rival(m, true),
                        verdicts[m->gate.verdict], run->ready && m->shifted
                        ? ", but no less than that shifted by a constant: it"
                          " learned how high people score, and not which texts"
                          " they score higher" : "");
        m->reason = m->said;

        /* Until the refit, the version in use can't apply what it learned. */
        if (run->claim.row.refits
            && m->gate.verdict == JUDGE_GATE_CHANCE_ONLY)
        {
            m->reason = "it errs less than the engine alone, by which the"
                        " version in use scores";
            run->ready = true;
        }
    }
}


static void
judge_training_conclude(judge_training_measure_t *m)
{
    const judge_agreement_value_t  *error;
    judge_training_state_t         *run = m->run;

    error = &m->mean->gain[JUDGE_AGREEMENT_RMSE];

    if (isnan(m->mean->pred[JUDGE_AGREEMENT_RMSE].value)) {
        judge_training_log(run, "info", "no error was measured: %s",
                           m->reason);
    } else {
        judge_training_log(run, "info", "error on %zu items %s: %.2f, of %s"
                           " %.2f; %s", m->n,
                           m->learned ? "learned from" : "held out",
                           m->mean->pred[JUDGE_AGREEMENT_RMSE].value,
                           judge_training_rival(m, false),
                           m->mean->before[JUDGE_AGREEMENT_RMSE].value,
                           m->reason);
    }

    if (m->nunchanged && run->ready) {
        judge_training_log(run, "info", "%zu of the targets stay as they were:"
                           " nothing learned about them was better",
                           m->nunchanged);
    }

    /* A model that was measured and is no better is not stored.  A model that
     * could not be measured is stored, so that a client can deploy it. */
    if (run->type == JUDGE_TRAINING_VALIDATION
        || (run->nfolds
            && (isnan(error->value) || error->value <= 0)))
    {
        judge_buf_free(&run->calibrator);
    }
}


/* Says in the criteria which of them corrections judge by now, and of which
 * they taught too little, although there were enough. */

static judge_rc_e
judge_training_write_criteria(judge_training_measure_t *m)
{
    size_t                   i, t;
    uint8_t                  shown[JUDGE_LEARN_TARGETS];
    const uint8_t           *model;
    judge_training_state_t  *run = m->run;

    model = run->calibrator.len ? m->model
            : run->base ? run->base->model : NULL;

    for (i = 0; i < run->rubric.ncriteria; i++) {
        t = run->targets[i];
        shown[i] = model && model[t] ? JUDGE_BY_CORRECTIONS
                   : m->agree[t].n >= JUDGE_TRAINING_ENOUGH ? JUDGE_BY_NOTHING
                   : JUDGE_BY_AUTO;
    }

    run->criteria = judge_judge_json_chosen(run->work.arena, &run->find.row,
                                            shown);

    return run->criteria.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* --- The steps ----------------------------------------------------------- */

judge_rc_e
judge_training_measure(judge_leased_t *work)
{
    judge_rc_e                rc;
    judge_training_state_t   *run = (judge_training_state_t *) work;
    judge_training_measure_t  m;

    memset(&m, 0, sizeof(judge_training_measure_t));
    m.run = run;
    m.beyond.value = (double) NAN;
    m.arena = judge_arena_create(256 * 1024);
    if (m.arena == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_training_choose(&m);
    rc = rc ? rc : judge_training_compare(&m);

    if (rc == JUDGE_OK && run->type != JUDGE_TRAINING_VALIDATION) {
        rc = judge_training_measure_taken(&m);
    }

    if (rc == JUDGE_OK) {
        judge_training_decide(&m);
    }

    if (rc == JUDGE_OK && run->type != JUDGE_TRAINING_VALIDATION) {
        rc = judge_training_compare_fewshot(&m);
        rc = rc ? rc : judge_training_residuals(&m);
        rc = rc ? rc : judge_training_write_calibrator(&m);
    }

    if (rc == JUDGE_OK) {
        judge_training_conclude(&m);
        rc = run->type == JUDGE_TRAINING_VALIDATION
             ? JUDGE_OK : judge_training_write_criteria(&m);
    }

    rc = rc ? rc : judge_training_write_metrics(&m);
    rc = rc ? rc : judge_training_write_results(&m);

    judge_arena_destroy(m.arena);

    return rc;
}
