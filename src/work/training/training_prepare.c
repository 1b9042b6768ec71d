/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Prepares what a job learns from: chooses evaluations, targets, the scores
 * that it builds on, and the fold in which each item is held out. */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/text/math.h"
#include "work/training/training_state.h"


#define JUDGE_TRAINING_KINDS  8


/* External workers may send features or not: the form that most evaluations
 * have is used.  Items that could not be measured again are left out. */

static void
judge_training_measured(judge_training_state_t *run, size_t engine)
{
    size_t                  i, k, n, most, stale;
    judge_training_item_t  *item;
    size_t                  lengths[JUDGE_TRAINING_KINDS];
    size_t                  counts[JUDGE_TRAINING_KINDS];

    for (i = 0, n = 0, stale = 0; i < run->data.n; i++) {
        item = &run->data.items[i];
        if (item->engine != engine || item->stale) {
            stale += item->engine == engine;
            continue;
        }

        for (k = 0; k < n && lengths[k] != item->features.len; k++) {
            /* void */
        }

        if (k == n && n < JUDGE_TRAINING_KINDS) {
            lengths[n] = item->features.len;
            counts[n++] = 0;
        }
        if (k < n) {
            counts[k]++;
        }
    }

    for (k = 1, most = 0; k < n; k++) {
        most = counts[k] > counts[most] ? k : most;
    }

    run->nfeatures = n ? lengths[most] / sizeof(float) : 0;

    if (stale) {
        judge_training_log(run, "warning",
                           "%zu evaluation%s measured in another"
                           " way, without a text to measure again: left out",
                           stale, stale == 1 ? "" : "s");
    }

    if (n > 1) {
        judge_training_log(run, "warning", "evaluations that were measured in"
                          " different ways; only the %zu with %zu features are"
                          " learned from", counts[most], run->nfeatures);
    }
}


/* Scores of different engines are not comparable, so that only those of the
 * engine with most feedback are used. */

static void
judge_training_engine(judge_training_state_t *run)
{
    size_t                  i, most;
    judge_training_data_t  *l = &run->data;
    size_t                  counts[JUDGE_TRAINING_DATA_ENGINES];

    memset(counts, 0, sizeof(counts));

    for (i = 0; i < l->n; i++) {
        counts[l->items[i].engine]++;
    }

    for (i = 1, most = 0; i < l->nengines; i++) {
        most = counts[i] > counts[most] ? i : most;
    }

    if (l->nengines == 0) {
        return;
    }

    memcpy(run->engine, l->engines[most], sizeof(run->engine));
    judge_training_measured(run, most);

    if (l->nengines > 1) {
        judge_training_log(run, "warning",
                           "evaluations by more than one engine;"
                           " only the %zu by %s are learned from",
                           counts[most],
                           run->engine);
    }

    /* A model of another engine's scores can't be built on. */
    if (run->base && (strcmp(run->base->engine, run->engine) != 0
                      || run->base->nfeatures != run->nfeatures))
    {
        run->base = NULL;
        judge_training_log(run, "warning",
                           "what the version in use has learned"
                           " is about another engine; it is learned anew");
    }
}


static bool
judge_training_usable(const judge_training_state_t *run, size_t i)
{
    const judge_training_data_t  *l = &run->data;
    const judge_training_item_t  *item = &l->items[i];

    return strcmp(l->engines[item->engine], run->engine) == 0
           && !item->stale
           && item->features.len == run->nfeatures * sizeof(float);
}


static judge_rc_e
judge_training_take(judge_training_state_t *run)
{
    size_t                        i, n, overall;
    judge_ms_t                    until;
    judge_training_data_t        *l = &run->data;
    const judge_training_item_t  *item;

    n = l->n + 1;
    run->features = judge_array_alloc(run->arena, n * run->nfeatures + 1,
                                      sizeof(float));
    run->texts = judge_array_alloc(run->arena, n, sizeof(judge_str_t));
    run->group = judge_array_alloc(run->arena, n, sizeof(uint32_t));
    run->item = judge_array_alloc(run->arena, n, sizeof(size_t));
    run->fresh = judge_array_alloc(run->arena, n, sizeof(bool));
    run->fold = judge_array_alloc(run->arena, n, 1);
    if (run->features == NULL || run->texts == NULL || run->group == NULL
        || run->item == NULL || run->fresh == NULL || run->fold == NULL)
    {
        return JUDGE_NOMEM;
    }

    until = run->base ? judge_calibrator_until(run->entry) : 0;

    for (i = 0, n = 0, overall = 0; i < l->n; i++) {
        if (!judge_training_usable(run, i)) {
            continue;
        }

        item = &l->items[i];
        run->item[n] = i;
        run->texts[n] = item->text;
        run->group[n] = item->group;
        run->fresh[n] = item->first_at > until;
        run->nfresh += run->fresh[n];
        run->newest = item->last_at > run->newest ? item->last_at
                                                  : run->newest;
        overall += !isnan(l->target[i * l->ntargets + l->ncriteria]);

        if (run->nfeatures) {
            memcpy(&run->features[n * run->nfeatures], item->features.data,
                   item->features.len);
        }
        n++;
    }

    judge_training_data_free_features(l);

    run->nitems = n;
    run->overall = overall >= JUDGE_TRAINING_OVERALL;
    run->ntargets = l->ncriteria + run->overall;

    return JUDGE_OK;
}


/* Copies the rows of n items from the data; NaN if there is none. */

static float *
judge_training_rows_of(judge_training_state_t *run, size_t n,
    const float *from)
{
    size_t   i, t;
    float   *rows;

    rows = judge_array_alloc(run->arena, n * run->ntargets + 1,
                             sizeof(float));

    for (i = 0; rows && i < n; i++) {
        for (t = 0; t < run->ntargets; t++) {
            rows[i * run->ntargets + t] =
                from ? from[run->item[i] * run->data.ntargets + t] : NAN;
        }
    }

    return rows;
}


static judge_rc_e
judge_training_scores(judge_training_state_t *run)
{
    size_t  n = run->nitems;

    run->raw = judge_training_rows_of(run, n, run->data.raw);
    run->before = judge_training_rows_of(run, n, run->data.raw);
    run->target = judge_training_rows_of(run, n, run->data.target);
    run->weight = judge_training_rows_of(run, n, run->data.weight);
    run->predicted = judge_training_rows_of(run, n, NULL);
    run->answers = judge_training_rows_of(run, JUDGE_TRAINING_ASKED, NULL);

    return run->raw && run->before && run->target && run->weight
           && run->predicted && run->answers ? JUDGE_OK : JUDGE_NOMEM;
}


/* Freezes targets with too little feedback, and those that the configuration
 * does not name: they keep their scores. */

static void
judge_training_targets(judge_training_state_t *run)
{
    size_t               i, t, known, learned;
    float                least, most, v;
    const judge_list_t  *wanted = &run->config.targets;

    for (t = 0, learned = 0; t < run->ntargets; t++) {
        least = 101;
        most = -1;

        for (i = 0, known = 0; i < run->nitems; i++) {
            v = run->target[i * run->ntargets + t];
            if (!isnan(v)) {
                least = v < least ? v : least;
                most = v > most ? v : most;
                known++;
            }
        }

        run->frozen[t] = known < JUDGE_AGREEMENT_LEAST
                         || (wanted->count
                             && (t == run->rubric.ncriteria
                                 || judge_str_index(wanted->items,
                                                    wanted->count,
                                                    run->ids[t])
                                    == wanted->count));
        learned += !run->frozen[t];

        if (!run->frozen[t] && least >= most) {
            judge_training_log(run, "warning", "what people gave %.*s comes to"
                               " %.1f for every evaluation: there is little to"
                               " learn from",
                               (int) (t < run->rubric.ncriteria
                                      ? run->ids[t].len : 7),
                               t < run->rubric.ncriteria ? run->ids[t].data
                                                         : "overall",
                               (double) most);
        }
    }

    if (learned == 0) {
        judge_training_fail(run, "INSUFFICIENT_FEEDBACK", "no criterion%s has"
                            " %d scores to learn from",
                            run->config.targets.count
                            ? " among target_criteria"
                                                      : "",
                            JUDGE_AGREEMENT_LEAST);
    }
}


/* Predicts the scores of the version in use. */

static judge_rc_e
judge_training_before(judge_training_state_t *run)
{
    size_t   i, n;
    float   *scratch, raw[JUDGE_LEARN_TARGETS], said[JUDGE_LEARN_TARGETS];

    n = run->ntargets;

    if (run->base == NULL) {
        return JUDGE_OK;
    }

    scratch = judge_array_alloc(run->arena, run->base->scratch + 1,
                                sizeof(float));
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < run->nitems; i++) {
        memcpy(raw, &run->data.raw[run->item[i] * run->data.ntargets],
               run->data.ntargets * sizeof(float));
        memcpy(said, raw, sizeof(said));
        judge_calibrator_predict(run->base, run->features + i * run->nfeatures,
                                 raw, run->texts[i], scratch, said);
        if (!run->base->overall) {
            said[run->rubric.ncriteria] = (float) judge_training_overall(run,
                                                                         said);
        }
        memcpy(&run->before[i * n], said, n * sizeof(float));
    }

    return JUDGE_OK;
}


/* Mixes the group's bits, so that the folds are independent of the learner's
 * own split, which uses the group, too. */

static void
judge_training_folds(judge_training_state_t *run)
{
    size_t    i, folds;
    uint64_t  h;

    folds = judge_training_parts(run->config.split.value);
    run->nfolds = run->type == JUDGE_TRAINING_VALIDATION ? 0
                  : judge_training_held_out(run->config.split.value,
                                            run->nfresh, run->allocation);
    run->nstages = 1 + run->nfolds;

    for (i = 0; i < run->nitems; i++) {
        h = (run->group[i] ^ UINT64_C(0x5bd1e995)) * UINT64_C(2654435761);
        h = (h ^ h >> 15) & UINT64_C(0xffffffff);
        run->fold[i] = (uint8_t) (folds ? h * folds >> 32 : 255);
    }
}


/* Computes the fingerprint by which a checkpoint is known to fit the data. */

static void
judge_training_print(judge_training_state_t *run)
{
    size_t    n;
    uint64_t  h;

    n = run->nitems * run->ntargets;
    h = judge_fnv(JUDGE_FNV_START, &run->nitems, sizeof(run->nitems));
    h = judge_fnv(h, &run->nstages, sizeof(run->nstages));
    h = judge_fnv(h, run->frozen, sizeof(run->frozen));
    h = judge_fnv(h, run->target, n * sizeof(float));
    h = judge_fnv(h, run->before, n * sizeof(float));
    run->print = judge_fnv(h, run->fold, run->nitems);
}


judge_rc_e
judge_training_prepare(judge_training_state_t *run)
{
    judge_rc_e  rc;

    judge_training_engine(run);

    rc = judge_training_take(run);
    if (rc == JUDGE_OK) {
        rc = judge_training_scores(run);
    }
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (run->nitems < JUDGE_TRAINING_LEAST) {
        judge_training_fail(run, "INSUFFICIENT_FEEDBACK", "corrections,"
                            " approvals and ratings above 3 speak about %zu"
                            " evaluation%s that can be learned from; %d are"
                            " needed", run->nitems,
                            run->nitems == 1 ? "" : "s", JUDGE_TRAINING_LEAST);
        return JUDGE_OK;
    }

    judge_training_targets(run);
    if (run->failure.code) {
        return JUDGE_OK;
    }

    rc = judge_training_before(run);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_training_folds(run);
    judge_training_print(run);

    run->all = (judge_learn_set_t) {
        .nitems = run->nitems, .nfeatures = run->nfeatures,
        .ntargets = run->ntargets, .features = run->features,
        .raw = run->raw, .target = run->target, .weight = run->weight,
        .texts = run->texts, .group = run->group
    };

    return JUDGE_OK;
}


double
judge_training_overall(const judge_training_state_t *run, const float *scores)
{
    size_t  t;
    double  sum, shares;

    for (t = 0, sum = 0, shares = 0; t < run->rubric.ncriteria; t++) {
        if (!isnan(scores[t])) {
            sum += run->share[t] * (double) scores[t];
            shares += run->share[t];
        }
    }

    return shares > 0 ? sum / shares : NAN;
}
