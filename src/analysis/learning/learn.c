/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_LEARN_FEW     40         /* with fewer items only lines are
                                          learned of what the engine scores */
#define JUDGE_LEARN_SHARED  0.1        /* from this share of items in groups of
                                          several on, makers count */
#define JUDGE_KEPT_SHARE    0.75       /* of a corrected text's residual */


/* --- Preparing ----------------------------------------------------------- */

static int
judge_learner_by_group(const void *a, const void *b)
{
    uint32_t  x = *(const uint32_t *) a, y = *(const uint32_t *) b;

    return x < y ? -1 : x > y;
}


/*
 * The items of a group (answers to one question, say) have several makers,
 * often the same few in every group.  The habits of these makers predict well
 * in held-out groups, but not for other makers.  So the size of groups is
 * taken as the number of makers, and the number of independent items as the
 * geometric mean of that and the number of items: a compromise between
 * predicting for other makers and for the same ones.
 */

static bool
judge_learner_makers(judge_learner_t *l)
{
    size_t     i, k, shared, n = l->set.nitems;
    double     squares;
    uint32_t  *group = malloc(n * sizeof(uint32_t));

    if (group == NULL) {
        return false;
    }

    memcpy(group, l->set.group, n * sizeof(uint32_t));
    qsort(group, n, sizeof(uint32_t), judge_learner_by_group);

    for (i = 0, shared = 0, squares = 0; i < n; i = k) {
        for (k = i + 1; k < n && group[k] == group[i]; k++) {
            /* void */
        }
        squares += (double) (k - i) * (double) (k - i);
        shared += k - i > 1 ? k - i : 0;
    }

    free(group);

    l->shared = (double) shared >= JUDGE_LEARN_SHARED * (double) n;
    l->independent = l->shared ? sqrt(squares) / (double) n : 1;

    return true;
}


/* Whether the engine gave a score of the target, in any item. */

static bool
judge_learner_rated(const judge_learner_t *l, size_t target)
{
    size_t  i;

    for (i = 0; i < l->set.nitems; i++) {
        if (isfinite(l->set.raw[i * l->set.ntargets + target])) {
            return true;
        }
    }

    return false;
}


/* With few items only a line is learned of what the engine scores, as that
 * keeps its order.  What it does not score has no order to keep. */

static void
judge_learner_lines(judge_learner_t *l)
{
    size_t  i, t, n;

    for (i = 0, n = 0; i < l->set.nitems; i++) {
        n += !(l->set.fold && l->set.fold[i] == l->left_out);
    }

    for (t = 0, l->lines = true; t < l->set.ntargets; t++) {
        l->line_only[t] = l->options.calibrate_only
            || (n < JUDGE_LEARN_FEW
                && ((l->options.frozen && l->options.frozen[t])
                    || judge_learner_rated(l, t)));
        l->lines = l->lines && l->line_only[t];
    }
}


static void
judge_input_learn(judge_scale_t *scales, const judge_learn_set_t *set)
{
    size_t  i, j;
    double  v, mean, squares, n = (double) set->nitems;

    for (j = 0; j < set->nfeatures; j++) {
        for (i = 0, mean = 0; i < set->nitems; i++) {
            v = (double) set->features[i * set->nfeatures + j];
            mean += isfinite(v) ? v / n : 0;
        }

        for (i = 0, squares = 0; i < set->nitems; i++) {
            v = (double) set->features[i * set->nfeatures + j];
            v = (isfinite(v) ? v : 0) - mean;
            squares += v * v / n;
        }

        scales[j] = (judge_scale_t) { (float) mean, (float) sqrt(squares) };
    }
}


/* Sets the inputs of the regression, less their means over the items, and
 * counts those that vary, as their amplitude is divided by that. */

static void
judge_learner_inputs(judge_learner_t *l)
{
    bool    varied;
    size_t  i, j, n = l->set.nitems, nf = l->set.nfeatures, nin = l->nin;
    double  sum;

    l->in_varied = 0;

    for (i = 0; i < n; i++) {
        judge_input_apply(l->inputs, nf, l->line.raw, l->set.ntargets,
                          l->set.features + i * nf,
                          l->set.raw + i * l->set.ntargets, l->in + i * nin);
    }

    for (j = 0; j < nin; j++) {
        for (i = 0, sum = 0, varied = false; i < n; i++) {
            varied = varied || l->in[i * nin + j] < l->in[j]
                     || l->in[i * nin + j] > l->in[j];
            sum += (double) l->in[i * nin + j];
        }

        l->in_mean[j] = (float) (sum / (double) n);
        l->in_varied += varied;

        for (i = 0; i < n; i++) {
            l->in[i * nin + j] -= l->in_mean[j];
        }
    }

    l->in_varied = l->in_varied > 0 ? l->in_varied : 1;
}


void
judge_learner_begin(judge_learner_t *l, size_t without,
    const judge_learn_progress_t *from)
{
    size_t  k;

    l->left_out = without;
    judge_learner_lines(l);
    judge_line_learn(l, NULL, l->set.nitems, &l->line);
    judge_learner_inputs(l);

    for (k = 0; from && k < JUDGE_KERNELS; k++) {
        if (from->step[k] >= JUDGE_LIKELY_STEPS
            || from->best_step[k] >= JUDGE_LIKELY_STEPS)
        {
            from = NULL;
        }
    }

    if (from) {
        l->progress = *from;
        return;
    }

    memset(&l->progress, 0, sizeof(judge_learn_progress_t));
    l->progress.epochs = l->options.epochs;
    memcpy(l->progress.step, judge_amplitudes_usual, JUDGE_KERNELS);
    memcpy(l->progress.best_step, judge_amplitudes_usual, JUDGE_KERNELS);
}


judge_rc_e
judge_learner_create(const judge_learn_set_t *set,
    const judge_learn_options_t *options, judge_learner_t **learner)
{
    bool              ok;
    judge_learner_t  *l;

    if (set->nitems == 0 || set->ntargets == 0
        || set->ntargets > JUDGE_LEARN_TARGETS || set->nitems > UINT32_MAX
        || set->nfeatures > UINT16_MAX || options->epochs == 0)
    {
        return JUDGE_INVALID;
    }

    l = calloc(1, sizeof(judge_learner_t));
    if (l == NULL) {
        return JUDGE_NOMEM;
    }

    l->set = *set;
    l->options = *options;
    l->nin = set->nfeatures + set->ntargets;
    l->in = malloc(set->nitems * l->nin * sizeof(float));
    l->in_mean = malloc(l->nin * sizeof(float));
    l->inputs = calloc(set->nfeatures + 1, sizeof(judge_scale_t));

    ok = l->in && l->in_mean && l->inputs && judge_learner_makers(l);

    if (ok) {
        judge_input_learn(l->inputs, set);
        judge_learner_begin(l, JUDGE_LEARN_ALL, NULL);

        /* what texts of a group answer gives them words in common, which say
         * little of quality */

        ok = judge_ngram_set(&l->grams, &l->set, !l->lines && !l->shared)
             && judge_likely_create(l);
    }

    if (!ok) {
        judge_learner_destroy(l);
        return JUDGE_NOMEM;
    }

    *learner = l;

    return JUDGE_OK;
}


void
judge_learner_destroy(judge_learner_t *l)
{
    size_t  k;

    if (l == NULL) {
        return;
    }

    for (k = 0; k < JUDGE_KERNELS; k++) {
        free(l->seen.kernel[k]);
        free(l->held.kernel[k]);
    }

    free(l->grams.offsets);
    free(l->grams.grams);
    free(l->inputs);
    free(l->in);
    free(l->in_mean);
    free(l);
}


/* --- Epochs -------------------------------------------------------------- */

judge_rc_e
judge_learner_epoch(judge_learner_t *l, judge_learn_progress_t *progress)
{
    bool                     moved;
    double                   loss;
    judge_rc_e               rc;
    judge_learn_progress_t  *p = &l->progress;

    if (!p->done) {
        rc = judge_likely_pass(l, &moved);
        if (rc != JUDGE_OK) {
            return rc;
        }

        p->epoch++;
        loss = isnan(p->validation_loss) ? p->training_loss
                                         : p->validation_loss;

        if (p->best == 0 || loss < p->best_loss) {
            p->best = p->epoch;
            p->best_loss = loss;
            memcpy(p->best_step, p->step, JUDGE_KERNELS);
        }

        p->stopped_early = moved && l->options.patience
                           && p->epoch - p->best >= l->options.patience
                           && p->epoch < p->epochs;
        p->done = p->stopped_early || (!moved && l->options.patience)
                  || p->epoch >= p->epochs;
    }

    *progress = *p;

    return JUDGE_OK;
}


/* --- The model ----------------------------------------------------------- */

/* Puts the weights of a target into the model: floats for the inputs and for
 * the intercept, which makes up for in_mean, and a byte for each bucket. */

static void
judge_learner_weights(const judge_learner_t *l, const judge_predictor_t *m,
    size_t t, const double *theta)
{
    size_t   j, nin = l->nin;
    float   *w = m->weights + t * (nin + 1);
    double   largest;

    for (j = 0; j < nin; j++) {
        w[j] = (float) theta[j];
        w[nin] -= w[j] * l->in_mean[j];
    }

    for (largest = 1e-6; j < nin + JUDGE_NGRAMS; j++) {
        largest = fmax(largest, fabs(theta[j]));
    }

    for (j = 0; l->grams.covered && j < JUDGE_NGRAMS; j++) {
        m->scales[t] = (float) (largest / 127);
        m->grams[t * JUDGE_NGRAMS + j] =
            (int8_t) floor(theta[nin + j] * 127 / largest + 0.5);
    }
}


/* Fits the ridge regression to the residuals of the lines. */

static bool
judge_learner_fit(const judge_learner_t *l, const judge_predictor_t *m)
{
    bool     ok;
    size_t   i, t, cell, n = l->set.nitems, nt = l->set.ntargets;
    double  *theta, *y, *weight;

    theta = calloc(l->nin + JUDGE_NGRAMS + 2 * n, sizeof(double));
    if (theta == NULL) {
        return false;
    }

    y = theta + l->nin + JUDGE_NGRAMS;
    weight = y + n;

    for (t = 0, ok = true; ok && t < nt; t++) {
        if (l->line_only[t]) {
            continue;
        }

        for (i = 0; i < n; i++) {
            cell = i * nt + t;
            weight[i] = judge_learn_known(l, i, t)
                        ? (double) l->set.weight[cell] * l->independent : 0;
            y[i] = (double) l->set.target[cell]
                   - judge_line(&l->line, l->set.raw + i * nt, nt, t);
        }

        ok = judge_ridge(l, y, weight, theta);
        judge_learner_weights(l, m, t, theta);
    }

    free(theta);

    return ok;
}


static int
judge_learner_by_key(const void *a, const void *b)
{
    const judge_kept_t  *x = a, *y = b;

    return x->key != y->key ? (x->key < y->key ? -1 : 1)
           : x->row < y->row ? -1 : x->row > y->row;
}


/* Whether anything is learned of the item. */

static bool
judge_learner_scored(const judge_learner_t *l, size_t item)
{
    size_t  t;

    for (t = 0; t < l->set.ntargets; t++) {
        if (judge_learn_known(l, item, t)) {
            return true;
        }
    }

    return false;
}


/* Counts the last scored items, at most JUDGE_KEPT_MOST, and sets *first to
 * where they begin. */

static size_t
judge_learner_last(const judge_learner_t *l, size_t *first)
{
    size_t  i, n;

    for (i = l->set.nitems, n = 0; i > 0 && n < JUDGE_KEPT_MOST; i--) {
        n += judge_learner_scored(l, i - 1);
    }

    *first = i;

    return n;
}


/*
 * Where people scored a text, their score is better than any prediction.  So
 * the model keeps most of its residual, by a hash of text and features, of the
 * nkept scored items from `first` on.
 */

static bool
judge_learner_keep(const judge_learner_t *l, judge_predictor_t *m,
    size_t first, size_t nkept)
{
    size_t        i, k, t, nt = l->set.ntargets;
    float        *scratch, out[JUDGE_LEARN_TARGETS];
    judge_str_t   text;
    const float  *features;

    scratch = malloc(judge_predictor_scratch(m) * sizeof(float));

    for (i = first, k = 0; scratch && k < nkept; i++) {
        if (!judge_learner_scored(l, i)) {
            continue;
        }

        text = l->set.texts ? l->set.texts[i] : (judge_str_t) { 0, NULL };
        features = l->set.features + i * l->set.nfeatures;
        judge_predictor_predict(m, features, l->set.raw + i * nt, text,
                                scratch, out);
        m->kept[k] = (judge_kept_t) {
            judge_predictor_key(features, l->set.nfeatures, text),
            (uint32_t) k, 0 };

        for (t = 0; t < nt; t++) {
            m->moves[k * nt + t] = !judge_learn_known(l, i, t)
                ? JUDGE_KEPT_UNKNOWN
                : (int8_t) floor(0.5 + JUDGE_KEPT_SHARE
                      * ((double) l->set.target[i * nt + t]
                         - (double) out[t]));
        }
        k++;
    }

    free(scratch);
    m->head->nkept = (uint32_t) nkept;
    qsort(m->kept, nkept, sizeof(judge_kept_t), judge_learner_by_key);

    return scratch != NULL;
}


judge_rc_e
judge_learner_model(judge_learner_t *l, judge_buf_t *out)
{
    bool                 ok;
    char                *bytes;
    size_t               size, nkept, first = 0;
    judge_predictor_t    m;
    judge_model_head_t   head;

    if (l->progress.stopped_early) {
        memcpy(l->progress.step, l->progress.best_step, JUDGE_KERNELS);
    }

    nkept = l->set.nfeatures == 0 && l->set.texts == NULL ? 0
            : judge_learner_last(l, &first);
    head = (judge_model_head_t) {
        .magic = JUDGE_PREDICTOR_MAGIC,
        .nfeatures = (uint32_t) l->set.nfeatures,
        .ntargets = (uint32_t) l->set.ntargets, .nkept = (uint32_t) nkept,
        .weights = !l->lines, .grams = !l->lines && l->grams.covered > 0,
        .line = l->line
    };

    size = judge_predictor_parts(&head, NULL, &m);
    bytes = calloc(1, size);
    if (bytes == NULL) {
        return JUDGE_NOMEM;
    }

    (void) judge_predictor_parts(&head, bytes, &m);
    *m.head = head;
    m.head->nkept = 0;                 /* judge_learner_keep() sets it */
    memcpy(m.inputs, l->inputs, l->set.nfeatures * sizeof(judge_scale_t));

    ok = (l->lines || judge_learner_fit(l, &m))
         && judge_learner_keep(l, &m, first, nkept);
    judge_buf_append(out, bytes, ok ? size : 0);
    free(bytes);

    return ok && !out->failed ? JUDGE_OK : JUDGE_NOMEM;
}
