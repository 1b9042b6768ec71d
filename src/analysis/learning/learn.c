/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_LEARN_FEW     40         /* items from which more is learned than
                                          lines */
#define JUDGE_LEARN_SHARED  0.1        /* of the items in groups of several,
                                          from which on makers count */
#define JUDGE_CHECKPOINT    0x33434c4au        /* "JLC3" */

typedef struct {
    uint32_t                magic;
    uint32_t                epochs;
    uint64_t                print;     /* of the set */
    judge_amplitudes_t      amplitudes;
    judge_amplitudes_t      best;
    double                  best_loss;
    judge_learn_progress_t  progress;
} judge_checkpoint_t;

/* What is learned of a criterion, before it is written. */
typedef struct {
    judge_predictor_t  model;
    double            *common;         /* theta, of the mean */
    double            *own;
    double            *y;              /* nitems */
    double            *weight;
    double            *rest;           /* of the mean, by item */
    float             *out;            /* nitems x ntargets */
    float             *weights;
    int8_t            *grams;
    float             *scales;
    judge_kept_t      *kept;
    int8_t            *moves;
} judge_learn_model_t;


static bool judge_learner_prepare(judge_learner_t *l);
static bool judge_learner_makers(judge_learner_t *l);
static bool judge_learner_inputs(judge_learner_t *l);
static uint64_t judge_learner_print(const judge_learner_t *l);
static judge_rc_e judge_learner_restore(judge_learner_t *l,
    judge_str_t checkpoint);
static bool judge_learner_room(const judge_learner_t *l,
    judge_learn_model_t *m);
static bool judge_learner_mean(const judge_learner_t *l,
    judge_learn_model_t *m);
static bool judge_learner_target(const judge_learner_t *l,
    judge_learn_model_t *m, size_t t);
static void judge_learner_weights(const judge_learner_t *l,
    judge_learn_model_t *m, size_t t);
static void judge_learner_keep(const judge_learner_t *l,
    judge_learn_model_t *m);


judge_rc_e
judge_learner_create(const judge_learn_set_t *set,
    const judge_learn_options_t *options, judge_str_t checkpoint,
    judge_learner_t **learner)
{
    judge_rc_e        rc;
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

    rc = judge_learner_prepare(l) ? JUDGE_OK : JUDGE_NOMEM;
    if (rc == JUDGE_OK && checkpoint.data) {
        rc = judge_learner_restore(l, checkpoint);
    }

    if (rc != JUDGE_OK) {
        judge_learner_destroy(l);
        return rc;
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

    judge_ngram_set_free(&l->grams);
    free(l->input.cuts);
    free(l->in);
    free(l->in_mean);
    free(l);
}


static bool
judge_learner_prepare(judge_learner_t *l)
{
    l->simple = l->options.calibrate_only || l->set.nitems < JUDGE_LEARN_FEW;
    l->amplitudes = l->best = judge_amplitudes_usual;
    l->progress.epochs = l->options.epochs;

    /* the words of texts that have a source in common are the source's */

    return judge_learner_makers(l) && judge_learner_inputs(l)
           && (l->simple || l->shared || judge_ngram_set(&l->grams, &l->set))
           && judge_likely_create(l);
}


static int
judge_learner_compare(const void *a, const void *b)
{
    uint32_t  x = *(const uint32_t *) a, y = *(const uint32_t *) b;

    return x < y ? -1 : x > y;
}


/*
 * Items of a group (answers to one question, say) come from several makers,
 * likely the same few in every group.  What is learned about their habits
 * holds in groups that are left out, but not for other makers.  So a group's
 * size is taken as the number of makers, and the geometric mean of it and of
 * the number of the items as the number of independent items: a compromise
 * between what is lost with other makers and won with the same ones.
 */

static bool
judge_learner_makers(judge_learner_t *l)
{
    size_t     i, k, n, shared;
    double     squares;
    uint32_t  *group;

    n = l->set.nitems;
    group = malloc(n * sizeof(uint32_t));
    if (group == NULL) {
        return false;
    }

    memcpy(group, l->set.group, n * sizeof(uint32_t));
    qsort(group, n, sizeof(uint32_t), judge_learner_compare);

    shared = 0;
    squares = 0;

    for (i = 0; i < n; i = k) {
        for (k = i + 1; k < n && group[k] == group[i]; k++) {
            /* void */
        }
        squares += (double) (k - i) * (double) (k - i);
        shared += k - i > 1 ? k - i : 0;
    }

    free(group);

    l->shared = (double) shared >= JUDGE_LEARN_SHARED * (double) n;
    l->makers = l->shared ? sqrt(squares) / (double) n : 1;

    return true;
}


/* Features in normal shape, around 0.  What is the same of all items must not
 * lessen what the other features tell. */

static bool
judge_learner_inputs(judge_learner_t *l)
{
    bool    varied;
    size_t  i, j, n = l->set.nitems, nin = l->nin;
    double  sum;

    l->in = malloc(n * nin * sizeof(float) + 1);
    l->in_mean = malloc(nin * sizeof(float) + 1);

    if (!l->in || !l->in_mean || !judge_input_learn(&l->input, &l->set)) {
        return false;
    }

    for (i = 0; i < n; i++) {
        judge_input_apply(&l->input, l->set.features + i * l->set.nfeatures,
                          l->set.raw + i * l->set.ntargets,
                          l->in + i * nin);
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

    return true;
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

        if (p->best == 0 || loss < l->best_loss) {
            p->best = p->epoch;
            l->best_loss = loss;
            l->best = l->amplitudes;
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


/* What the checkpoint belongs to: FNV-1a over what is learned from. */

static uint64_t
judge_learner_print(const judge_learner_t *l)
{
    uint64_t  print;

    print = judge_fnv(JUDGE_FNV_START, l->set.target,
                      l->set.nitems * l->set.ntargets * sizeof(float));

    return judge_fnv(print, l->in,
                     l->set.nitems * l->nin * sizeof(float));
}


void
judge_learner_save(const judge_learner_t *l, judge_buf_t *out)
{
    judge_checkpoint_t  head;

    memset(&head, 0, sizeof(head));
    head.magic = JUDGE_CHECKPOINT;
    head.epochs = (uint32_t) l->options.epochs;
    head.print = judge_learner_print(l);
    head.amplitudes = l->amplitudes;
    head.best = l->best;
    head.best_loss = l->best_loss;
    head.progress = l->progress;
    judge_buf_append(out, &head, sizeof(head));
}


static judge_rc_e
judge_learner_restore(judge_learner_t *l, judge_str_t checkpoint)
{
    size_t              g, k;
    judge_checkpoint_t  head;

    if (checkpoint.len != sizeof(head)) {
        return JUDGE_INVALID;
    }

    memcpy(&head, checkpoint.data, sizeof(head));

    if (head.magic != JUDGE_CHECKPOINT || head.epochs != l->options.epochs
        || head.print != judge_learner_print(l)
        || head.progress.epoch > head.epochs)
    {
        return JUDGE_INVALID;
    }

    for (g = 0; g < JUDGE_GROUPS; g++) {
        for (k = 0; k < JUDGE_KERNELS; k++) {
            if (head.amplitudes.step[g][k] >= JUDGE_LIKELY_STEPS
                || head.best.step[g][k] >= JUDGE_LIKELY_STEPS)
            {
                return JUDGE_INVALID;
            }
        }
    }

    l->amplitudes = head.amplitudes;
    l->best = head.best;
    l->best_loss = head.best_loss;
    l->progress = head.progress;

    return JUDGE_OK;
}


/* --- The model ----------------------------------------------------------- */

judge_rc_e
judge_learner_model(judge_learner_t *l, judge_buf_t *out)
{
    bool                 ok;
    size_t               i, t;
    uint32_t            *all;
    judge_learn_model_t  m;

    if (l->progress.stopped_early) {
        l->amplitudes = l->best;
    }

    ok = judge_learner_room(l, &m);
    all = malloc(l->set.nitems * sizeof(uint32_t));

    if (ok && all) {
        for (i = 0; i < l->set.nitems; i++) {
            all[i] = (uint32_t) i;
        }

        judge_line_learn(l, all, l->set.nitems, &m.model.line);
        ok = judge_learner_mean(l, &m);
    }

    for (t = 0; all && ok && t < l->set.ntargets; t++) {
        ok = judge_learner_target(l, &m, t);
    }

    if (all && ok) {
        judge_learner_keep(l, &m);
        judge_predictor_write(&m.model, out);
    }

    ok = ok && all && !out->failed;
    free(all);
    free(m.common);
    free(m.out);
    free(m.weights);
    free(m.grams);
    free(m.kept);
    free(m.moves);

    return ok ? JUDGE_OK : JUDGE_NOMEM;
}


static bool
judge_learner_room(const judge_learner_t *l, judge_learn_model_t *m)
{
    size_t  n = l->set.nitems, nt = l->set.ntargets;
    size_t  theta = l->nin + JUDGE_NGRAMS;

    memset(m, 0, sizeof(judge_learn_model_t));
    m->common = calloc(2 * theta + 3 * n, sizeof(double));
    m->out = calloc(n * nt, sizeof(float));
    m->weights = calloc((l->nin + 2) * nt, sizeof(float));
    m->grams = calloc(l->grams.covered ? nt * JUDGE_NGRAMS : 1, 1);
    m->kept = calloc(JUDGE_KEPT_MOST, sizeof(judge_kept_t));
    m->moves = calloc(JUDGE_KEPT_MOST * nt, 1);

    if (!m->common || !m->out || !m->weights || !m->grams || !m->kept
        || !m->moves)
    {
        return false;
    }

    m->own = m->common + theta;
    m->y = m->own + theta;
    m->weight = m->y + n;
    m->rest = m->weight + n;
    m->scales = m->weights + (l->nin + 1) * nt;
    m->model.input = l->input;
    m->model.ntargets = nt;

    if (!l->simple) {
        m->model.weights = m->weights;
        m->model.idf = l->grams.covered ? l->grams.idf : NULL;
        m->model.grams = m->grams;
        m->model.scales = m->scales;
    }

    m->model.kept = m->kept;
    m->model.moves = m->moves;

    return true;
}


/* What the scores of an item have in common, apart from the line. */

static bool
judge_learner_mean(const judge_learner_t *l, judge_learn_model_t *m)
{
    size_t             i;
    judge_line_item_t  item;

    if (l->simple) {
        return true;
    }

    for (i = 0; i < l->set.nitems; i++) {
        item = judge_line_item(l, &m->model.line, i);
        m->y[i] = item.y - m->model.line.slope * item.x;
        m->weight[i] = item.weight * l->makers;
    }

    if (!judge_ridge(l, JUDGE_GROUP_MEAN, m->y, m->weight, m->common)) {
        return false;
    }

    for (i = 0; i < l->set.nitems; i++) {
        m->rest[i] = judge_ridge_predict(l, m->common, i);
    }

    return true;
}


/* What a criterion has of its own.  Of an item with few scores their mean says
 * much about themselves: it is drawn to what is predicted. */

static bool
judge_learner_target(const judge_learner_t *l, judge_learn_model_t *m,
    size_t t)
{
    size_t               i, at;
    judge_line_item_t    item;
    const float         *raw;
    const judge_line_t  *line = &m->model.line;

    for (i = 0; i < l->set.nitems; i++) {
        raw = l->set.raw + i * l->set.ntargets;
        at = i * l->set.ntargets + t;
        item = judge_line_item(l, line, i);
        m->out[at] = (float) (judge_line(line, raw, t, item.x) + m->rest[i]);
        m->weight[i] = 0;

        if (judge_learn_known(l, i, t)) {
            m->y[i] = (double) l->set.target[at] - (double) m->out[at]
                      - (item.y - line->slope * item.x - m->rest[i])
                        * (1 - 1 / (double) item.known);
            m->weight[i] = (double) l->set.weight[at] * l->makers;
        }
    }

    if (l->simple) {
        return true;
    }

    if (l->set.ntargets > 1
        && !judge_ridge(l, JUDGE_GROUP_OWN, m->y, m->weight, m->own))
    {
        return false;
    }

    for (i = 0; l->set.ntargets > 1 && i < l->set.nitems; i++) {
        m->out[i * l->set.ntargets + t]
            += (float) judge_ridge_predict(l, m->own, i);
    }

    judge_learner_weights(l, m, t);

    return true;
}


/* As they are stored: a float for a feature, a byte for a bucket. */

static void
judge_learner_weights(const judge_learner_t *l, judge_learn_model_t *m,
    size_t t)
{
    size_t   j, nin = l->nin;
    float   *w = m->weights + t * (nin + 1);
    int8_t  *grams = m->grams + t * JUDGE_NGRAMS;
    double   largest, v;

    for (j = 0; j < nin; j++) {
        w[j] = (float) (m->common[j] + m->own[j]);
        w[nin] -= w[j] * l->in_mean[j];
    }

    if (l->grams.covered == 0) {
        return;
    }

    for (j = nin, largest = 1e-6; j < nin + JUDGE_NGRAMS; j++) {
        v = fabs(m->common[j] + m->own[j]);
        largest = v > largest ? v : largest;
    }

    m->scales[t] = (float) (largest / 127);

    for (j = nin; j < nin + JUDGE_NGRAMS; j++) {
        v = (m->common[j] + m->own[j]) * 127 / largest;
        grams[j - nin] = (int8_t) floor(v + 0.5);
    }
}


/* --- Corrected texts ----------------------------------------------------- */

static int
judge_learner_by_key(const void *a, const void *b)
{
    const judge_kept_t  *x = a, *y = b;

    return x->key != y->key ? (x->key < y->key ? -1 : 1)
           : x->row < y->row ? -1 : x->row > y->row;
}


/*
 * What people scored they know better than any model.  A text that was
 * corrected is remembered, by a hash of it and of what was measured, with most
 * of what the model leaves over.  Of more than there is room for, the last.
 */

static void
judge_learner_keep(const judge_learner_t *l, judge_learn_model_t *m)
{
    size_t        i, k, t, at, n = l->set.nitems, nt = l->set.ntargets;
    double        rest;
    judge_str_t   text;
    const float  *features;

    for (i = n > JUDGE_KEPT_MOST ? n - JUDGE_KEPT_MOST : 0, k = 0; i < n;
         i++, k++)
    {
        text = l->set.texts ? l->set.texts[i] : (judge_str_t) { 0, NULL };
        features = l->set.features + i * l->set.nfeatures;
        m->kept[k] = (judge_kept_t) {
            judge_predictor_key(features, l->set.nfeatures, text),
            (uint32_t) k, 0 };

        for (t = 0; t < nt; t++) {
            at = i * nt + t;
            rest = JUDGE_KEPT_SHARE * ((double) l->set.target[at]
                                       - judge_clamp((double) m->out[at], 0,
                                                     100));
            m->moves[k * nt + t] = judge_learn_known(l, i, t)
                                   ? (int8_t) floor(rest + 0.5)
                                   : JUDGE_KEPT_UNKNOWN;
        }
    }

    m->model.nkept = l->set.nfeatures || l->set.texts ? k : 0;
    qsort(m->kept, k, sizeof(judge_kept_t), judge_learner_by_key);
}
