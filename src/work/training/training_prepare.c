/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Prepares the items to learn from: chooses evaluations and targets, predicts
 * the scores of the version in use, and assigns items to folds. */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/text/math.h"
#include "work/training/training_state.h"


/* Results of external workers may come with features or without: the more
 * frequent form is used.  Items that could not be measured again are left
 * out. */

static void
judge_training_measured(judge_training_state_t *run)
{
    size_t                        i, all, n, stale, with;
    const judge_training_item_t  *item;

    for (i = 0, all = 0, stale = 0, with = 0; i < run->data.n; i++) {
        item = &run->data.items[i];
        all += item->engine == run->engine && !item->stale;
        stale += item->engine == run->engine && item->stale;

        if (item->engine == run->engine && item->features.len) {
            run->nfeatures = item->features.len / sizeof(float);
            with++;
        }
    }

    n = 2 * with > all ? with : all - with;
    run->nfeatures = 2 * with > all ? run->nfeatures : 0;

    if (stale) {
        judge_training_log(run, "warning",
                           "%zu evaluation%s measured in another"
                           " way, without a text to measure again: left out",
                           stale, stale == 1 ? "" : "s");
    }

    if (n < all) {
        judge_training_log(run, "warning", "evaluations that were measured in"
                          " different ways; only the %zu with %zu features are"
                          " learned from", n, run->nfeatures);
    }
}


/* Scores of different engines are not comparable, so that only those of the
 * engine with most feedback are used. */

static void
judge_training_engine(judge_training_state_t *run)
{
    size_t  i, k, kinds, n, most;

    for (k = 0, kinds = 0, most = 0; k < JUDGE_CALIBRATOR_ENGINES; k++) {
        for (i = 0, n = 0; i < run->data.n; i++) {
            n += run->data.items[i].engine == judge_calibrator_engines[k];
        }

        kinds += n > 0;
        if (n > most) {
            most = n;
            run->engine = judge_calibrator_engines[k];
        }
    }

    if (most == 0) {
        return;
    }

    judge_training_measured(run);

    if (kinds > 1) {
        judge_training_log(run, "warning",
                           "evaluations by more than one engine;"
                           " only the %zu by %s are learned from", most,
                           run->engine);
    }

    /* Models for another engine's scores can't be continued. */
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

    return item->engine == run->engine && !item->stale
           && item->features.len == run->nfeatures * sizeof(float);
}


/* Moves the usable items to the front of run->data; run->set points into it
 * afterwards. */

static void
judge_training_keep(judge_training_state_t *run)
{
    size_t                  i, k, n, t;
    judge_training_data_t  *l = &run->data;
    float *const            rows[] = { l->raw, l->target, l->weight };

    t = l->ntargets;

    for (i = 0, n = 0; i < l->n; i++) {
        if (!judge_training_usable(run, i)) {
            continue;
        }

        l->items[n] = l->items[i];
        for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
            memmove(&rows[k][n * t], &rows[k][i * t], t * sizeof(float));
        }
        n++;
    }

    run->nitems = l->n = n;
    run->ntargets = t;
}


static judge_rc_e
judge_training_take(judge_training_state_t *run)
{
    float                        *features;
    size_t                        i, n;
    judge_ms_t                    until;
    judge_str_t                  *texts;
    judge_training_data_t        *l = &run->data;
    const judge_training_item_t  *item;

    judge_training_keep(run);

    n = run->nitems + 1;
    features = judge_array_alloc(run->work.arena, n * run->nfeatures + 1,
                                 sizeof(float));
    texts = judge_array_alloc(run->work.arena, n, sizeof(judge_str_t));
    run->fresh = judge_array_alloc(run->work.arena, n, sizeof(bool));
    run->set = (judge_learn_set_t) {
        .nitems = run->nitems, .nfeatures = run->nfeatures,
        .ntargets = run->ntargets, .features = features, .raw = l->raw,
        .target = l->target, .weight = l->weight, .texts = texts,
        .group = judge_training_data_groups(run->work.arena, l)
    };
    if (features == NULL || texts == NULL || run->fresh == NULL
        || run->set.group == NULL)
    {
        return JUDGE_NOMEM;
    }

    until = run->base ? judge_calibrator_until(run->entry) : 0;

    for (i = 0; i < run->nitems; i++) {
        item = &l->items[i];
        texts[i] = item->text;
        run->fresh[i] = item->first_at > until;
        run->nfresh += run->fresh[i];
        run->languages |= UINT64_C(1) << item->language;
        run->newest = item->last_at > run->newest ? item->last_at
                                                  : run->newest;

        if (run->nfeatures) {
            memcpy(&features[i * run->nfeatures], item->features.data,
                   item->features.len);
        }
    }

    judge_training_data_free_features(l);

    return JUDGE_OK;
}


float *
judge_training_unknown(const judge_training_state_t *run, judge_arena_t *arena,
    size_t n)
{
    size_t   i;
    float   *rows;

    rows = judge_array_alloc(arena, n * run->ntargets + 1, sizeof(float));

    for (i = 0; rows && i < n * run->ntargets; i++) {
        rows[i] = NAN;
    }

    return rows;
}


/* Freezes targets with too little feedback, and those that the configuration
 * does not name: they keep their scores. */

static judge_rc_e
judge_training_targets(judge_training_state_t *run)
{
    bool                 overall;
    size_t               i, t, known, learned;
    float                least, most, v;
    const judge_list_t  *wanted = &run->config.targets;

    for (t = 0, learned = 0; t < run->ntargets; t++) {
        overall = t == run->rubric.ncriteria;
        least = 101;
        most = -1;

        for (i = 0, known = 0; i < run->nitems; i++) {
            v = run->set.target[i * run->ntargets + t];
            if (!isnan(v)) {
                least = v < least ? v : least;
                most = v > most ? v : most;
                known++;
            }
        }

        run->overall = overall && known >= JUDGE_TRAINING_OVERALL;
        run->frozen[t] = known < JUDGE_AGREEMENT_LEAST
                         || (overall && !run->overall)
                         || (wanted->count
                             && (overall || judge_str_index(wanted->items,
                                                        wanted->count,
                                                        run->ids[t])
                                        == wanted->count));
        learned += !run->frozen[t];

        if (!run->frozen[t] && least >= most) {
            judge_training_log(run, "warning", "what people gave %.*s comes to"
                               " %.1f for every evaluation: there is little to"
                               " learn from",
                               (int) (overall ? 7 : run->ids[t].len),
                               overall ? "overall" : run->ids[t].data,
                               (double) most);
        }
    }

    return learned ? JUDGE_OK
           : judge_training_fail(run, "INSUFFICIENT_FEEDBACK", "no criterion%s"
                                 " has %d scores to learn from", wanted->count
                                 ? " among target_criteria" : "",
                                 JUDGE_AGREEMENT_LEAST);
}


static judge_rc_e
judge_training_before(judge_training_state_t *run)
{
    size_t   i;
    float   *scratch, *before;

    run->before = judge_array_alloc(run->work.arena,
                                    run->nitems * run->ntargets,
                                    sizeof(float));
    if (run->before == NULL) {
        return JUDGE_NOMEM;
    }

    memcpy(run->before, run->set.raw,
           run->nitems * run->ntargets * sizeof(float));

    if (run->base == NULL) {
        return JUDGE_OK;
    }

    scratch = judge_array_alloc(run->work.arena, run->base->scratch + 1,
                                sizeof(float));
    if (scratch == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < run->nitems; i++) {
        before = &run->before[i * run->ntargets];
        judge_calibrator_predict(run->base,
                                 run->set.features + i * run->nfeatures,
                                 before, run->set.texts[i], scratch, before);
        if (!run->base->overall) {
            before[run->rubric.ncriteria]
                = (float) judge_training_overall(run, before);
        }
    }

    return JUDGE_OK;
}


/* Mixes the group's bits, so that the folds are independent of the learner's
 * own split, which uses the group, too. */

static judge_rc_e
judge_training_folds(judge_training_state_t *run)
{
    size_t    i, folds;
    uint8_t  *fold;
    uint64_t  h;

    run->set.fold = fold = judge_array_alloc(run->work.arena, run->nitems, 1);
    if (fold == NULL) {
        return JUDGE_NOMEM;
    }

    folds = judge_training_parts(run->config.split.value);
    run->nfolds = run->type == JUDGE_TRAINING_VALIDATION ? 0
                  : judge_training_held_out(run->config.split.value,
                                            run->nfresh, run->allocation);
    run->nstages = 1 + run->nfolds;

    for (i = 0; i < run->nitems; i++) {
        h = (run->set.group[i] ^ UINT64_C(0x5bd1e995)) * UINT64_C(2654435761);
        h = (h ^ h >> 15) & UINT64_C(0xffffffff);
        fold[i] = (uint8_t) (folds ? h * folds >> 32 : 255);
    }

    return JUDGE_OK;
}


/* Computes the fingerprint, which says whether a checkpoint fits the data. */

static void
judge_training_print(judge_training_state_t *run)
{
    size_t    n;
    uint64_t  h;

    n = run->nitems * run->ntargets;
    h = judge_fnv(JUDGE_FNV_START, &run->nitems, sizeof(run->nitems));
    h = judge_fnv(h, &run->nstages, sizeof(run->nstages));
    h = judge_fnv(h, &run->config.epochs.value, sizeof(int64_t));
    h = judge_fnv(h, run->frozen, sizeof(run->frozen));
    h = judge_fnv(h, run->set.target, n * sizeof(float));
    h = judge_fnv(h, run->before, n * sizeof(float));
    h = judge_fnv(h, run->set.features,
                  run->nitems * run->nfeatures * sizeof(float));
    run->saved.print = judge_fnv(h, run->set.fold, run->nitems);
}


judge_rc_e
judge_training_prepare(judge_leased_t *work)
{
    judge_rc_e               rc;
    judge_training_state_t  *run = (judge_training_state_t *) work;

    judge_training_engine(run);

    rc = judge_training_take(run);
    if (rc != JUDGE_OK) {
        return rc;
    }

    if (run->nitems < JUDGE_TRAINING_LEAST) {
        return judge_training_fail(run, "INSUFFICIENT_FEEDBACK",
                                   "corrections, approvals and ratings above 3"
                                   " speak about %zu evaluation%s that can be"
                                   " learned from; %d are needed", run->nitems,
                                   run->nitems == 1 ? "" : "s",
                                   JUDGE_TRAINING_LEAST);
    }

    rc = judge_training_targets(run);
    if (rc != JUDGE_OK) {
        return rc;
    }

    run->predicted = judge_training_unknown(run, run->work.arena, run->nitems);
    run->answers = judge_training_unknown(run, run->work.arena,
                                          JUDGE_TRAINING_ASKED);
    if (run->predicted == NULL || run->answers == NULL) {
        return JUDGE_NOMEM;
    }

    rc = judge_training_before(run);
    rc = rc ? rc : judge_training_folds(run);
    if (rc == JUDGE_OK) {
        judge_training_print(run);
    }

    return rc;
}


bool
judge_training_counts(const judge_training_state_t *run, size_t i, bool fresh)
{
    size_t  t;

    if (fresh && !run->fresh[i]) {
        return false;
    }

    for (t = 0; t < run->ntargets; t++) {
        if (!isnan(run->predicted[i * run->ntargets + t])) {
            return true;
        }
    }

    return run->type == JUDGE_TRAINING_VALIDATION;
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
