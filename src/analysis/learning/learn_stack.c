/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The weights of the parts, from predictions of items that were held out;
 * and the model made of them.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


#define JUDGE_STACK_PRIOR  25.0        /* items per target that a weight of 1
                                          for the main part counts for */
#define JUDGE_STACK_OWN    50.0        /* items that the weights of all targets
                                          count for in each one's */
#define JUDGE_STACK_TURNS  200
#define JUDGE_STACK_LEAST  40          /* items; fewer: the prior alone */

typedef struct {
    double  gram[JUDGE_PARTS][JUDGE_PARTS];
    double  moment[JUDGE_PARTS];
    double  total;
} judge_stack_sums_t;


static void judge_stack_add(judge_learner_t *l, const judge_run_t *run,
    judge_stack_sums_t *own);
static void judge_stack_join(const judge_stack_sums_t *sums,
    judge_stack_sums_t *all);
static void judge_stack_solve(judge_stack_sums_t *sums, double items,
    size_t main, float *stack);
static float judge_stack_combine(const judge_learner_t *l,
    const judge_run_t *run, size_t item, size_t target);
static double judge_stack_loss(judge_learner_t *l, const judge_run_t *run,
    const uint32_t *items, size_t n, float *keep, double *total);
static bool judge_stack_target(judge_learner_t *l, size_t target,
    judge_predictor_target_t *out);
static float judge_stack_spread(judge_learner_t *l, size_t target);
static bool judge_stack_gp(judge_learner_t *l, judge_predictor_t *model);
static bool judge_stack_gp_target(const judge_learner_t *l,
    const judge_run_target_t *t, judge_predictor_target_t *out);
static void judge_stack_linear(const judge_learner_t *l, const float *dual,
    const float *in, const float *means, size_t nin, double divisor,
    float *weights);
static bool judge_stack_gp_grams(const judge_learner_t *l,
    const judge_run_target_t *t, judge_predictor_target_t *out);
static int8_t *judge_stack_grams(const float *w, float *scale);


void
judge_stack_begin(judge_learner_t *l)
{
    size_t  t;

    for (t = 0; t < l->set.ntargets; t++) {
        l->stack[t][judge_learner_main(l)] = 1;
    }
}


/* The weights of a target are drawn to those of all targets, and these to the
 * part that is right until something else is shown. */

void
judge_stack_learn(judge_learner_t *l)
{
    size_t              r, t, main;
    float               common[JUDGE_PARTS] = { 0 };
    judge_stack_sums_t  all, own[JUDGE_LEARN_TARGETS];

    if (l->simple || l->set.nitems < JUDGE_STACK_LEAST) {
        return;
    }

    memset(&all, 0, sizeof(all));
    memset(own, 0, sizeof(own));

    for (r = 1; r < l->nruns; r++) {
        judge_stack_add(l, &l->runs[r], own);
    }

    for (t = 0; t < l->set.ntargets; t++) {
        judge_stack_join(&own[t], &all);
    }

    main = judge_learner_main(l);
    common[main] = 1;
    judge_stack_solve(&all, JUDGE_STACK_PRIOR * (double) l->set.ntargets
                            / l->makers, main, common);

    for (t = 0; t < l->set.ntargets; t++) {
        memcpy(l->stack[t], common, sizeof(common));
        judge_stack_solve(&own[t], JUDGE_STACK_OWN / l->makers, main,
                          l->stack[t]);
    }
}


static void
judge_stack_join(const judge_stack_sums_t *sums, judge_stack_sums_t *all)
{
    size_t  p, q;

    all->total += sums->total;

    for (p = 0; p < JUDGE_PARTS; p++) {
        all->moment[p] += sums->moment[p];

        for (q = 0; q <= p; q++) {
            all->gram[p][q] += sums->gram[p][q];
        }
    }
}


static void
judge_stack_add(judge_learner_t *l, const judge_run_t *run,
    judge_stack_sums_t *own)
{
    size_t               u, t, p, q, at;
    float                parts[JUDGE_PARTS];
    double               weight, y;
    judge_stack_sums_t  *sums;

    for (u = 0; u < run->nout; u++) {
        for (t = 0; t < l->set.ntargets; t++) {
            at = run->out[u] * l->set.ntargets + t;
            weight = l->set.weight[at];
            if (!judge_learn_known(l->set.target, l->set.weight, at)
                || !run->targets[t].known || judge_learn_frozen(l, t))
            {
                continue;
            }

            judge_run_parts(l, run, run->out[u], t, parts);
            y = l->set.target[at] - run->targets[t].mean;
            sums = &own[t];
            sums->total += weight;

            for (p = 0; p < JUDGE_PARTS; p++) {
                parts[p] -= run->targets[t].mean;
                sums->moment[p] += weight * parts[p] * y;
                for (q = 0; q <= p; q++) {
                    sums->gram[p][q] += weight * parts[p] * parts[q];
                }
            }
        }
    }
}


/* Non-negative least squares by coordinates: each step is the exact minimum
 * along one of them.  The weights given count for so many items. */

static void
judge_stack_solve(judge_stack_sums_t *sums, double items, size_t main,
    float *stack)
{
    size_t  turn, p, q;
    double  prior, gradient, w[JUDGE_PARTS];

    if (!(sums->total > 0)) {
        return;
    }

    prior = items * (sums->gram[main][main] / sums->total + 1);

    for (p = 0; p < JUDGE_PARTS; p++) {
        sums->gram[p][p] += prior;
        sums->moment[p] += prior * (double) stack[p];
        w[p] = stack[p];
    }

    for (turn = 0; turn < JUDGE_STACK_TURNS; turn++) {
        for (p = 0; p < JUDGE_PARTS; p++) {
            gradient = sums->moment[p];
            for (q = 0; q < JUDGE_PARTS; q++) {
                if (q != p) {
                    gradient -= w[q] * (q < p ? sums->gram[p][q]
                                              : sums->gram[q][p]);
                }
            }
            w[p] = gradient > 0 ? gradient / sums->gram[p][p] : 0;
        }
    }

    for (p = 0; p < JUDGE_PARTS; p++) {
        stack[p] = (float) w[p];
    }
}


static float
judge_stack_combine(const judge_learner_t *l, const judge_run_t *run,
    size_t item, size_t target)
{
    size_t  p;
    float   parts[JUDGE_PARTS], mean = run->targets[target].mean;
    double  sum;

    judge_run_parts(l, run, item, target, parts);

    if (judge_learn_frozen(l, target) || !run->targets[target].known) {
        return parts[JUDGE_PART_LINE];
    }

    sum = mean;
    for (p = 0; p < JUDGE_PARTS; p++) {
        sum += l->stack[target][p] * (parts[p] - mean);
    }

    return (float) (sum < 0 ? 0 : sum > 100 ? 100 : sum);
}


void
judge_stack_measure(judge_learner_t *l, double *training,
    double *validation)
{
    size_t  r;
    double  sum, total;

    sum = total = 0;
    sum = judge_stack_loss(l, &l->runs[0], l->runs[0].use, l->runs[0].nuse,
                           NULL, &total);
    *training = total > 0 ? sqrt(sum / total) : 0;

    sum = total = 0;
    for (r = 1; r < l->nruns; r++) {
        sum += judge_stack_loss(l, &l->runs[r], l->runs[r].out,
                                l->runs[r].nout, l->unseen, &total);
    }
    *validation = total > 0 ? sqrt(sum / total) : *training;
}


static double
judge_stack_loss(judge_learner_t *l, const judge_run_t *run,
    const uint32_t *items, size_t n, float *keep, double *total)
{
    size_t  u, t, at;
    float   predicted;
    double  sum, error;

    sum = 0;
    for (u = 0; u < n; u++) {
        for (t = 0; t < l->set.ntargets; t++) {
            at = items[u] * l->set.ntargets + t;
            predicted = judge_stack_combine(l, run, items[u], t);
            if (keep) {
                keep[at] = predicted;
            }
            if (judge_learn_known(l->set.target, l->set.weight, at)) {
                error = predicted - l->set.target[at];
                sum += l->set.weight[at] * error * error;
                *total += l->set.weight[at];
            }
        }
    }

    return sum;
}


/* --- The model ----------------------------------------------------------- */

judge_rc_e
judge_learner_model(judge_learner_t *l, judge_buf_t *out)
{
    size_t             t;
    judge_rc_e         rc;
    judge_predictor_t  model;

    memset(&model, 0, sizeof(model));
    model.input = l->input;
    model.nin = l->nin;
    model.idf = l->grams.covered ? l->grams.idf : NULL;
    model.targets = calloc(l->set.ntargets, sizeof(judge_predictor_target_t));
    if (model.targets == NULL) {
        return JUDGE_NOMEM;
    }

    rc = JUDGE_OK;
    for (t = 0; t < l->set.ntargets && rc == JUDGE_OK; t++) {
        rc = judge_stack_target(l, t, &model.targets[t]) ? JUDGE_OK
                                                         : JUDGE_NOMEM;
    }

    if (rc == JUDGE_OK && l->kernels != NULL) {
        rc = judge_stack_gp(l, &model) ? JUDGE_OK : JUDGE_NOMEM;
    }

    if (rc == JUDGE_OK) {
        judge_predictor_write(&model, out);
        rc = out->failed ? JUDGE_NOMEM : JUDGE_OK;
    }

    for (t = 0; t < l->set.ntargets; t++) {
        free((void *) model.targets[t].grams);
        free((void *) model.targets[t].lines);
        free((void *) model.targets[t].weights);
    }
    free((void *) model.core);
    free(model.targets);

    return rc;
}


/* The Gaussian process without the items: their sums where a kernel is linear,
 * and their cores where it is not. */

static bool
judge_stack_gp(judge_learner_t *l, judge_predictor_t *model)
{
    size_t   t, n;
    float   *core;

    n = l->set.nitems <= JUDGE_GP_POINTS ? l->set.nitems : 0;
    core = malloc((n + 2) * l->ncore * sizeof(float));
    if (core == NULL) {
        return false;
    }

    memcpy(core, l->core_scale, 2 * l->ncore * sizeof(float));
    memcpy(core + 2 * l->ncore, l->core, n * l->ncore * sizeof(float));
    model->core = core;
    model->ncore = l->ncore;
    model->npoints = n;
    model->text_features = l->set.text_features;

    for (t = 0; t < l->set.ntargets; t++) {
        if (!judge_learn_frozen(l, t) && l->runs[0].targets[t].known
            && !judge_stack_gp_target(l, &l->runs[0].targets[t],
                                      &model->targets[t]))
        {
            return false;
        }
    }

    return true;
}


static bool
judge_stack_gp_target(const judge_learner_t *l, const judge_run_target_t *t,
    judge_predictor_target_t *out)
{
    size_t   n;
    float   *weights, *core;
    double  *lines;

    n = l->set.nitems;
    lines = malloc(2 * sizeof(judge_gp_line_t));
    weights = calloc(l->nin + 1 + l->ncore + n, sizeof(float));
    out->lines = lines;
    out->weights = weights;

    if (lines == NULL || weights == NULL) {
        return false;
    }

    memcpy(lines, &t->mean_line, sizeof(judge_gp_line_t));
    memcpy(lines + 3, &t->own_line, sizeof(judge_gp_line_t));

    core = weights + l->nin + 1;
    judge_stack_linear(l, t->dual + JUDGE_KERNEL_INPUTS * n, l->in,
                       l->in_mean, l->nin, l->in_varied, weights);
    judge_stack_linear(l, t->dual + JUDGE_KERNEL_CORE * n, l->core, NULL,
                       l->ncore, (double) l->ncore, core);
    core += l->ncore;

    for (n = 0; l->set.nitems <= JUDGE_GP_POINTS && n < l->set.nitems; n++) {
        core[n] = (float) l->best_share
                  * t->dual[JUDGE_KERNEL_NEAR * l->set.nitems + n];
    }

    return l->grams.covered == 0 || judge_stack_gp_grams(l, t, out);
}


/* The weights of a linear kernel, and where it has means that of 1. */

static void
judge_stack_linear(const judge_learner_t *l, const float *dual,
    const float *in, const float *means, size_t nin, double divisor,
    float *weights)
{
    size_t  i, d;
    double  sum;

    for (d = 0; d < nin; d++) {
        for (i = 0, sum = 0; i < l->set.nitems; i++) {
            sum += (double) dual[i]
                   * (double) (in[i * nin + d] - (means ? means[d] : 0));
        }

        weights[d] = (float) (l->best_share * sum / divisor);

        if (means) {
            weights[nin] -= weights[d] * means[d];
        }
    }
}


static bool
judge_stack_gp_grams(const judge_learner_t *l, const judge_run_target_t *t,
    judge_predictor_target_t *out)
{
    size_t                    i, j;
    float                    *weights;
    const float              *dual;
    const judge_ngram_set_t  *g = &l->grams;

    weights = calloc(JUDGE_NGRAMS, sizeof(float));
    if (weights == NULL) {
        return false;
    }

    dual = t->dual + JUDGE_KERNEL_GRAMS * l->set.nitems;

    for (i = 0; i < l->set.nitems; i++) {
        for (j = g->at[i]; j < g->at[i + 1]; j++) {
            weights[g->grams[j].bucket] += (float) l->best_share * dual[i]
                                           * g->grams[j].value;
        }
    }

    out->part.gram_base = t->mean;
    out->part.stack[JUDGE_PART_NGRAMS] = out->part.stack[JUDGE_PART_GP];
    out->grams = judge_stack_grams(weights, &out->part.gram_scale);
    free(weights);

    return out->grams != NULL;
}


static int8_t *
judge_stack_grams(const float *w, float *scale)
{
    size_t   j;
    float    largest;
    int8_t  *bytes;

    bytes = malloc(JUDGE_NGRAMS);
    if (bytes == NULL) {
        return NULL;
    }

    largest = 1e-6f;
    for (j = 0; j < JUDGE_NGRAMS; j++) {
        largest = fabsf(w[j]) > largest ? fabsf(w[j]) : largest;
    }

    *scale = largest / 127;
    for (j = 0; j < JUDGE_NGRAMS; j++) {
        bytes[j] = (int8_t) floorf(w[j] / *scale + 0.5f);
    }

    return bytes;
}


static bool
judge_stack_target(judge_learner_t *l, size_t target,
    judge_predictor_target_t *out)
{
    const judge_run_target_t  *t = &l->runs[0].targets[target];

    out->part.line = t->line;
    out->part.mean = t->mean;
    out->part.spread = judge_stack_spread(l, target);
    out->part.stack[JUDGE_PART_LINE] = 1;

    if (judge_learn_frozen(l, target) || !t->known) {
        return true;
    }

    memcpy(out->part.stack, l->progress.best ? l->best_stack[target]
                                              : l->stack[target],
           sizeof(out->part.stack));
    out->ridge = t->ridge;
    out->trees = t->trees;
    out->part.ntrees = t->trees ? l->best_grown : 0;
    out->part.base = t->mean;
    out->part.rate = (float) l->rate;

    if (t->grams) {
        out->part.gram_base = t->grams[JUDGE_NGRAMS];
        out->grams = judge_stack_grams(t->grams, &out->part.gram_scale);
        return out->grams != NULL;
    }

    return true;
}


/* The quantile of the errors of held-out items, with the correction for
 * their number. */

static float
judge_stack_spread(judge_learner_t *l, size_t target)
{
    float   *errors, spread;
    size_t   i, at, n, rank;

    errors = malloc(l->set.nitems * sizeof(float));
    if (errors == NULL) {
        return 0;
    }

    n = 0;
    for (i = 0; i < l->set.nitems; i++) {
        at = i * l->set.ntargets + target;
        if (judge_learn_known(l->set.target, l->set.weight, at)
            && !isnan(l->best_unseen[at]))
        {
            errors[n++] = fabsf(l->best_unseen[at] - l->set.target[at]);
        }
    }

    qsort(errors, n, sizeof(float), judge_input_compare);
    rank = (size_t) ceil((double) (n + 1) * JUDGE_PREDICTOR_COVERAGE);
    spread = rank >= 1 && rank <= n ? errors[rank - 1] : 0;
    free(errors);

    return spread;
}
