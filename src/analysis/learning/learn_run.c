/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


#define JUDGE_RUN_RIDGES  100          /* items from which there are ridges,
                                          too, beside a Gaussian process */

/* Of what the scores of an item have in common, and of each one's own. */
static const double  judge_run_lambdas[2][JUDGE_RIDGES] = {
    { 300, 1000 }, { 1000, 3000 }
};


static bool judge_run_target(judge_learner_t *l, judge_run_t *run,
    size_t target);
static bool judge_run_mean(judge_learner_t *l, judge_run_t *run,
    size_t target);
static bool judge_run_ridges(judge_learner_t *l, judge_run_t *run);
static void judge_run_common(const judge_learner_t *l,
    const judge_run_t *run, float *y, float *weight);
static void judge_run_own(const judge_learner_t *l, const judge_run_t *run,
    const float *y, const float *w, float *own);
static judge_rows_t judge_run_rows(const judge_learner_t *l,
    const judge_run_t *run);


bool
judge_run_learn(judge_learner_t *l, judge_run_t *run)
{
    size_t  t;

    run->targets = calloc(l->set.ntargets, sizeof(judge_run_target_t));
    if (run->targets == NULL) {
        return false;
    }

    for (t = 0; t < l->set.ntargets; t++) {
        if (!judge_run_target(l, run, t)) {
            return false;
        }
    }

    if (!l->simple && (l->kernels == NULL
                       || l->set.nitems >= JUDGE_RUN_RIDGES)
        && !judge_run_ridges(l, run))
    {
        return false;
    }

    return l->kernels == NULL || judge_gp_learn(l, run);
}


void
judge_run_free(judge_run_t *run, size_t ntargets)
{
    size_t  t;

    for (t = 0; run->targets && t < ntargets; t++) {
        free(run->targets[t].ridge);
        free(run->targets[t].grams);
        free(run->targets[t].trees);
        free(run->targets[t].f);
        free(run->targets[t].dual);
        free(run->targets[t].gp);
    }

    free(run->targets);
    free(run->use);
    free(run->out);
}


static judge_rows_t
judge_run_rows(const judge_learner_t *l, const judge_run_t *run)
{
    return (judge_rows_t) {
        .nitems = l->set.nitems, .nin = l->nin, .in = l->in,
        .y = l->set.target, .weight = l->set.weight,
        .stride = l->set.ntargets, .use = run->use, .nuse = run->nuse };
}


static bool
judge_run_target(judge_learner_t *l, judge_run_t *run, size_t target)
{
    size_t               i;
    judge_rows_t         rows;
    judge_run_target_t  *t = &run->targets[target];

    t->line = (judge_line_t) { 50, 1, 0 };
    t->known = judge_run_mean(l, run, target);
    if (!t->known || judge_learn_frozen(l, target)) {
        return true;
    }

    rows = judge_run_rows(l, run);
    judge_line_learn(&t->line, &rows, l->set.raw, target);
    if (l->simple) {
        return true;
    }

    if (l->grams.covered && l->kernels == NULL) {
        t->grams = malloc((JUDGE_NGRAMS + 1) * sizeof(float));
        if (t->grams == NULL
            || !judge_ngram_learn(&l->grams, &rows, target, t->grams))
        {
            return false;
        }
    }

    if (l->trees) {
        t->trees = calloc(l->trees, sizeof(judge_tree_t));
        t->f = malloc(l->set.nitems * sizeof(float));
        if (t->trees == NULL || t->f == NULL) {
            return false;
        }
        for (i = 0; i < l->set.nitems; i++) {
            t->f[i] = t->mean;
        }
    }

    return true;
}


static bool
judge_run_mean(judge_learner_t *l, judge_run_t *run, size_t target)
{
    size_t  u, at;
    double  sum, total;

    sum = total = 0;
    for (u = 0; u < run->nuse; u++) {
        at = run->use[u] * l->set.ntargets + target;
        if (judge_learn_known(l->set.target, l->set.weight, at)) {
            sum += (double) l->set.weight[at] * l->set.target[at];
            total += l->set.weight[at];
        }
    }

    run->targets[target].mean = total > 0 ? (float) (sum / total) : 50;

    return total > 0;
}


/*
 * What an item has in common in all its scores is learned apart from what each
 * has of its own: there is more to be known of the first, as the noise of the
 * scores is evened out.  The sum of both is a regression like any.
 */

static bool
judge_run_ridges(judge_learner_t *l, judge_run_t *run)
{
    bool          ok;
    float        *y, *weight, *own, *common, *w;
    size_t        t, j, n = l->set.nitems, nw = JUDGE_RIDGES * (l->nin + 1);
    judge_rows_t  rows;

    y = malloc((n * (l->set.ntargets + 2) + nw) * sizeof(float));
    if (y == NULL) {
        return false;
    }

    weight = y + n;
    own = weight + n;
    common = own + n * l->set.ntargets;

    judge_run_common(l, run, y, weight);
    rows = judge_run_rows(l, run);
    rows.y = y;
    rows.weight = weight;
    rows.stride = 1;
    ok = judge_ridge(&rows, 0, judge_run_lambdas[0], common);
    judge_run_own(l, run, y, common, own);

    rows = judge_run_rows(l, run);
    rows.y = own;

    for (t = 0; ok && t < l->set.ntargets; t++) {
        if (!run->targets[t].known || judge_learn_frozen(l, t)) {
            continue;
        }

        w = calloc(nw, sizeof(float));
        run->targets[t].ridge = w;
        ok = w != NULL && (l->set.ntargets == 1
                           || judge_ridge(&rows, t, judge_run_lambdas[1], w));

        for (j = 0; ok && j < nw; j++) {
            w[j] += common[j] + (j % (l->nin + 1) == l->nin
                                 ? run->targets[t].mean : 0);
        }
    }

    free(y);

    return ok;
}


/* How far an item's scores are from their means, on average. */

static void
judge_run_common(const judge_learner_t *l, const judge_run_t *run, float *y,
    float *weight)
{
    size_t  i, t, at, n;
    double  sum, total;

    for (i = 0; i < l->set.nitems; i++) {
        sum = total = 0;

        for (t = 0, n = 0; t < l->set.ntargets; t++) {
            at = i * l->set.ntargets + t;
            if (judge_learn_known(l->set.target, l->set.weight, at)) {
                sum += (double) l->set.weight[at]
                       * (double) (l->set.target[at] - run->targets[t].mean);
                total += l->set.weight[at];
                n++;
            }
        }

        y[i] = n ? (float) (sum / total) : NAN;
        weight[i] = n ? (float) (total / (double) n) : 0;
    }
}


/* What each has of its own.  Of an item with few scores their mean says much
 * about themselves: it is drawn to what is predicted. */

static void
judge_run_own(const judge_learner_t *l, const judge_run_t *run,
    const float *y, const float *w, float *own)
{
    size_t  i, t, at, n;
    double  mean, predicted;

    for (i = 0; i < l->set.nitems; i++) {
        at = i * l->set.ntargets;

        for (t = 0, n = 0; t < l->set.ntargets; t++) {
            n += judge_learn_known(l->set.target, l->set.weight, at + t);
        }

        predicted = judge_linear(w, l->in + i * l->nin, l->nin);
        mean = n ? predicted + ((double) y[i] - predicted)
                               * (1 - 1 / (double) n) : 0;

        for (t = 0; t < l->set.ntargets; t++) {
            own[at + t] = l->set.target[at + t] - run->targets[t].mean
                          - (float) mean;
        }
    }
}


bool
judge_run_grow(judge_learner_t *l, judge_run_t *run, size_t number,
    size_t first, size_t n)
{
    size_t               i, t;
    judge_boost_t        boost;
    judge_run_target_t  *target;

    boost = (judge_boost_t) {
        .bins = l->bins, .nitems = l->set.nitems, .nin = l->nin,
        .weight = l->set.weight, .stride = l->set.ntargets, .use = run->use,
        .nuse = run->nuse, .rate = l->rate };

    for (t = 0; t < l->set.ntargets; t++) {
        target = &run->targets[t];

        for (i = first; target->trees && i < first + n; i++) {
            if (!judge_tree_grow(&boost, t, l->set.target, target->f,
                                 ((uint64_t) number << 48) + (t << 32) + i,
                                 &target->trees[i]))
            {
                return false;
            }
        }
    }

    return true;
}


/* Trees out of a checkpoint: bytes that may be anything. */

bool
judge_run_take(judge_learner_t *l, judge_run_target_t *target,
    const char *trees, size_t n)
{
    if (target->trees == NULL) {
        return true;
    }

    memcpy(target->trees, trees, n * sizeof(judge_tree_t));

    return judge_tree_check(target->trees, n, l->nin);
}


void
judge_run_replay(judge_learner_t *l, judge_run_t *run, size_t first,
    size_t n)
{
    size_t               k, t;
    judge_run_target_t  *target;

    for (t = 0; t < l->set.ntargets; t++) {
        target = &run->targets[t];

        for (k = first; target->trees && k < first + n; k++) {
            judge_tree_add(&target->trees[k], l->bins, l->set.nitems, l->nin,
                           target->f);
        }
    }
}


/* The prediction of each part for an item; the mean where there is no part. */

void
judge_run_parts(const judge_learner_t *l, const judge_run_t *run,
    size_t item, size_t target, float parts[JUDGE_PARTS])
{
    size_t                     p;
    float                      raw;
    const judge_ngram_set_t   *g = &l->grams;
    const judge_run_target_t  *t = &run->targets[target];

    for (p = 0; p < JUDGE_PARTS; p++) {
        parts[p] = t->mean;
    }

    raw = l->set.raw[item * l->set.ntargets + target];
    parts[JUDGE_PART_LINE] = judge_line(&t->line, isfinite(raw) ? raw : 50);

    for (p = 0; t->ridge && p < JUDGE_RIDGES; p++) {
        parts[JUDGE_PART_RIDGE + p] = judge_linear(
            t->ridge + p * (l->nin + 1), l->in + item * l->nin, l->nin);
    }

    if (t->f) {
        parts[JUDGE_PART_TREES] = t->f[item];
    }

    if (t->gp) {
        parts[JUDGE_PART_GP] = t->gp_line[item]
                               + (float) l->share * t->gp[item];
    }

    if (t->grams) {
        parts[JUDGE_PART_NGRAMS] = judge_ngram_predict(
            t->grams, g->grams + g->at[item], g->at[item + 1] - g->at[item]);
    }
}
