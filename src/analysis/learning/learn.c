/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The same parts are learned several times side by side: once on all items,
 * which becomes the model, and once for each fold without its items, which
 * are then predicted.  Those predictions decide the weights of the
 * parts and the number of trees.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/learning/learn_parts.h"


#define JUDGE_LEARN_TREES   100        /* items from which there are trees */
#define JUDGE_LEARN_DRAWN   10.0       /* items: as many leave out half of what
                                          the process learned */
#define JUDGE_LEARN_MANY    3000       /* items from which one fold will do */
#define JUDGE_LEARN_SHARED  0.1        /* of the items in groups of several,
                                          from which on makers count */
#define JUDGE_LEARN_TREES_FEW   80     /* of 100 to 399 items, and else */
#define JUDGE_LEARN_TREES_MANY  300
#define JUDGE_LEARN_PLENTY      20000  /* items from which fewer, larger
                                          steps of the trees do as well */
#define JUDGE_LEARN_TREES_PLENTY  150
#define JUDGE_LEARN_RATE_FEW    0.06
#define JUDGE_LEARN_RATE_MANY   0.04
#define JUDGE_CHECKPOINT    0x32434c4au        /* "JLC2" */

typedef struct {
    uint32_t  magic;
    uint32_t  epoch;
    uint64_t  print;                   /* of the set and the options */
} judge_checkpoint_t;


static bool judge_learner_prepare(judge_learner_t *l);
static bool judge_learner_inputs(judge_learner_t *l);
static void judge_learner_plan(judge_learner_t *l);
static bool judge_learner_makers(judge_learner_t *l);
static bool judge_learner_runs(judge_learner_t *l);
static bool judge_learner_run_items(judge_learner_t *l, size_t r);
static uint64_t judge_learner_print(const judge_learner_t *l);
static judge_rc_e judge_learner_restore(judge_learner_t *l,
    judge_str_t checkpoint);
static void judge_learner_after(judge_learner_t *l);


judge_rc_e
judge_learner_create(const judge_learn_set_t *set,
    const judge_learn_options_t *options, judge_str_t checkpoint,
    judge_learner_t **learner)
{
    judge_rc_e        rc;
    judge_learner_t  *l;

    if (set->nitems == 0 || set->ntargets == 0
        || set->ntargets > JUDGE_LEARN_TARGETS || set->nitems > UINT32_MAX
        || set->nfeatures + set->ntargets > UINT16_MAX
        || options->epochs == 0)
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
    size_t  r;

    if (l == NULL) {
        return;
    }

    for (r = 0; l->runs && r < l->nruns; r++) {
        judge_run_free(&l->runs[r], l->set.ntargets);
    }

    judge_ngram_set_free(&l->grams);
    free(l->kernels);
    free(l->core);
    free(l->core_scale);
    free(l->in_mean);
    free(l->runs);
    free(l->input.cuts);
    free(l->in);
    free(l->bins);
    free(l->held);
    free(l->unseen);
    free(l->best_unseen);
    free(l);
}


static bool
judge_learner_prepare(judge_learner_t *l)
{
    judge_learner_plan(l);

    if (!judge_learner_makers(l) || !judge_learner_inputs(l)) {
        return false;
    }

    judge_stack_begin(l);

    /* the words of texts that have a source in common are the source's */

    if (!l->simple && !l->shared && !judge_ngram_set(&l->grams, &l->set)) {
        return false;
    }

    if (!l->simple && l->set.nitems <= JUDGE_GP_MOST
        && !judge_gp_kernels(l))
    {
        return false;
    }

    return judge_learner_runs(l);
}


/* How many trees in all and in an epoch, and how many folds are held out. */

static void
judge_learner_plan(judge_learner_t *l)
{
    size_t  n = l->set.nitems;

    l->rate = l->options.rate > 0
              ? l->options.rate
              : n < 400 || n >= JUDGE_LEARN_PLENTY ? JUDGE_LEARN_RATE_FEW
                                                   : JUDGE_LEARN_RATE_MANY;
    l->simple = l->options.calibrate_only || n < JUDGE_GP_LEAST;
    l->trees = l->simple || n < JUDGE_LEARN_TREES
               ? 0
               : l->options.trees ? l->options.trees
               : n < 400 ? JUDGE_LEARN_TREES_FEW
                 : n < JUDGE_LEARN_PLENTY ? JUDGE_LEARN_TREES_MANY
                                          : JUDGE_LEARN_TREES_PLENTY;
    l->block = (l->trees + l->options.epochs - 1) / l->options.epochs;
    l->nfolds = n < JUDGE_LEARN_MANY ? 4 : 5;
    l->nruns = n < 2 ? 1 : n < JUDGE_LEARN_MANY ? 1 + l->nfolds : 2;
    l->amplitudes[0][0] = l->amplitudes[1][0] = -1;
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
    double     squares, share;
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

    share = squares / (double) n / (double) n;
    l->shared = (double) shared >= JUDGE_LEARN_SHARED * (double) n;
    l->makers = l->shared ? sqrt(share) : 1;

    return true;
}


static bool
judge_learner_inputs(judge_learner_t *l)
{
    size_t  i, j, n = l->set.nitems, cells = n * l->set.ntargets;

    l->in = malloc(n * l->nin * sizeof(float));
    l->bins = malloc(n * l->nin);
    l->held = malloc(n);
    l->unseen = malloc(cells * sizeof(float));
    l->best_unseen = malloc(cells * sizeof(float));

    if (!l->in || !l->bins || !l->held || !l->unseen || !l->best_unseen
        || !judge_input_learn(&l->input, &l->set))
    {
        return false;
    }

    for (i = 0; i < n; i++) {
        judge_input_apply(&l->input, l->set.features + i * l->set.nfeatures,
                          l->set.raw + i * l->set.ntargets,
                          l->in + i * l->nin);
        for (j = 0; j < l->nin; j++) {
            l->bins[i * l->nin + j] = judge_input_bin(l->in[i * l->nin + j]);
        }
        l->held[i] = (uint8_t) (((uint64_t) l->set.group[i] * l->nfolds)
                                >> 32);
    }

    for (i = 0; i < cells; i++) {
        l->unseen[i] = l->best_unseen[i] = NAN;
    }

    return true;
}


/* Run 0 learns from all items; run r without those of fold r - 1. */

static bool
judge_learner_runs(judge_learner_t *l)
{
    size_t  r;

    l->runs = calloc(l->nruns, sizeof(judge_run_t));
    if (l->runs == NULL) {
        return false;
    }

    for (r = 0; r < l->nruns; r++) {
        if (!judge_learner_run_items(l, r)
            || !judge_run_learn(l, &l->runs[r]))
        {
            return false;
        }
    }

    return true;
}


static bool
judge_learner_run_items(judge_learner_t *l, size_t r)
{
    size_t        i;
    judge_run_t  *run = &l->runs[r];

    run->use = malloc(l->set.nitems * sizeof(uint32_t));
    run->out = malloc(l->set.nitems * sizeof(uint32_t));
    if (run->use == NULL || run->out == NULL) {
        return false;
    }

    for (i = 0; i < l->set.nitems; i++) {
        if (r > 0 && l->held[i] == r - 1) {
            run->out[run->nout++] = (uint32_t) i;
        } else {
            run->use[run->nuse++] = (uint32_t) i;
        }
    }

    return true;
}


judge_rc_e
judge_learner_epoch(judge_learner_t *l, judge_learn_progress_t *progress)
{
    size_t  r, block;

    if (!l->progress.done) {
        block = l->trees - l->grown < l->block ? l->trees - l->grown
                                               : l->block;

        for (r = 0; r < l->nruns; r++) {
            if (!judge_run_grow(l, &l->runs[r], r, l->grown, block)) {
                return JUDGE_NOMEM;
            }
        }

        l->grown += block;
        judge_learner_after(l);
    }

    *progress = l->progress;

    return JUDGE_OK;
}


/* An epoch is over: weigh the parts, measure, and look whether to go on. */

static void
judge_learner_after(judge_learner_t *l)
{
    size_t                    cells = l->set.nitems * l->set.ntargets;
    judge_learn_progress_t   *p = &l->progress;

    p->epoch++;
    p->epochs = l->options.epochs;

    /* without trees the process comes step by step; few items tell less than
     * they seem to */

    l->share = l->trees ? 1 : (double) p->epoch / (double) p->epochs;
    l->share *= (double) l->set.nitems
                / ((double) l->set.nitems + JUDGE_LEARN_DRAWN);

    judge_stack_learn(l);
    judge_stack_measure(l, &p->training_loss, &p->validation_loss);

    if (p->best == 0 || p->validation_loss < l->best_loss - 1e-6) {
        p->best = p->epoch;
        l->best_loss = p->validation_loss;
        l->best_grown = l->grown;
        l->best_share = l->share;
        memcpy(l->best_stack, l->stack, sizeof(l->stack));
        memcpy(l->best_unseen, l->unseen, cells * sizeof(float));
    }

    p->stopped_early = l->options.patience
                       && p->epoch - p->best >= l->options.patience
                       && p->epoch < p->epochs;
    p->done = p->stopped_early || p->epoch >= p->epochs;
}


float
judge_learner_unseen(const judge_learner_t *l, size_t item, size_t target)
{
    return l->best_unseen[item * l->set.ntargets + target];
}


/* --- Checkpoints --------------------------------------------------------- */

/* What the checkpoint belongs to: FNV-1a over what is learned from. */

static uint64_t
judge_learner_print(const judge_learner_t *l)
{
    uint64_t  print;

    print = judge_fnv(JUDGE_FNV_START, l->set.target,
                      l->set.nitems * l->set.ntargets * sizeof(float));
    print = judge_fnv(print, l->bins, l->set.nitems * l->nin);
    print = (print ^ l->trees) * JUDGE_FNV_PRIME;

    return (print ^ l->block) * JUDGE_FNV_PRIME;
}


void
judge_learner_save(const judge_learner_t *l, judge_buf_t *out)
{
    size_t               i, r, t;
    const judge_tree_t  *trees;
    judge_checkpoint_t   head;

    static const judge_tree_t  none;

    head = (judge_checkpoint_t) { JUDGE_CHECKPOINT,
                                  (uint32_t) l->progress.epoch,
                                  judge_learner_print(l) };
    judge_buf_append(out, &head, sizeof(head));

    for (r = 0; r < l->nruns; r++) {
        for (t = 0; t < l->set.ntargets; t++) {
            trees = l->runs[r].targets[t].trees;

            /* a target that is frozen or has no scores has none */

            for (i = 0; i < l->grown; i++) {
                judge_buf_append(out, trees ? &trees[i] : &none,
                                 sizeof(judge_tree_t));
            }
        }
    }
}


/* The trees are taken as they were; what is cheap is done again. */

static judge_rc_e
judge_learner_restore(judge_learner_t *l, judge_str_t checkpoint)
{
    size_t               e, r, t, block, grown;
    const char          *trees;
    judge_checkpoint_t   head;

    if (checkpoint.len < sizeof(head)) {
        return JUDGE_INVALID;
    }
    memcpy(&head, checkpoint.data, sizeof(head));

    grown = (size_t) head.epoch * l->block;
    grown = grown < l->trees ? grown : l->trees;

    if (head.magic != JUDGE_CHECKPOINT || head.epoch > l->options.epochs
        || head.print != judge_learner_print(l)
        || checkpoint.len - sizeof(head)
           != l->nruns * l->set.ntargets * grown * sizeof(judge_tree_t))
    {
        return JUDGE_INVALID;
    }

    trees = checkpoint.data + sizeof(head);
    for (r = 0; r < l->nruns; r++) {
        for (t = 0; t < l->set.ntargets; t++) {
            if (!judge_run_take(l, &l->runs[r].targets[t], trees, grown)) {
                return JUDGE_INVALID;
            }
            trees += grown * sizeof(judge_tree_t);
        }
    }

    for (e = 0; e < head.epoch && !l->progress.done; e++) {
        block = grown - l->grown < l->block ? grown - l->grown : l->block;
        for (r = 0; r < l->nruns; r++) {
            judge_run_replay(l, &l->runs[r], l->grown, block);
        }
        l->grown += block;
        judge_learner_after(l);
    }

    return JUDGE_OK;
}
