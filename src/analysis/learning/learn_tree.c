/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * One tree of three levels, grown on a random half of the rows with a random
 * seventh of the inputs at each level (Friedman 2002), by histograms.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn_parts.h"


#define JUDGE_TREE_BLOCK   8           /* inputs that are looked at together */
#define JUDGE_TREE_MIN     5.0         /* weight of the rows in a leaf */
#define JUDGE_TREE_PRIOR   1.0         /* rows that a leaf of 0 counts for */
#define JUDGE_TREE_LEVELS  3

typedef struct {
    double  sum;
    double  weight;
} judge_bin_t;

typedef struct {
    const uint8_t  *bins;
    float           residual;
    float           weight;
    uint8_t         node;              /* within its level */
} judge_grow_row_t;

typedef struct {
    const judge_boost_t  *boost;
    size_t                target;
    judge_grow_row_t     *rows;        /* the sampled ones */
    size_t                nrows;
    uint16_t             *inputs;      /* those that may split */
    size_t                ninputs;
    double                gain[JUDGE_TREE_NODES];
} judge_grow_t;


static bool judge_grow_create(judge_grow_t *g, const judge_boost_t *boost,
    size_t target);
static void judge_grow_sample(judge_grow_t *g, const float *y,
    const float *f, uint64_t *state);
static void judge_grow_inputs(judge_grow_t *g, uint64_t *state);
static void judge_grow_level(judge_grow_t *g, size_t level,
    judge_tree_t *tree);
static void judge_grow_split(judge_grow_t *g, size_t node, uint16_t input,
    const judge_bin_t *bins, judge_tree_t *tree);
static void judge_grow_move(judge_grow_t *g, size_t level,
    const judge_tree_t *tree);
static void judge_grow_leaves(judge_grow_t *g, judge_tree_t *tree);


bool
judge_tree_grow(const judge_boost_t *boost, size_t target, const float *y,
    float *f, uint64_t seed, judge_tree_t *tree)
{
    size_t        level;
    judge_grow_t  g;

    if (!judge_grow_create(&g, boost, target)) {
        return false;
    }

    memset(tree, 0, sizeof(judge_tree_t));
    memset(tree->bin, JUDGE_BINS, sizeof(tree->bin));    /* all to the left */
    judge_grow_sample(&g, y, f, &seed);

    for (level = 0; level < JUDGE_TREE_LEVELS; level++) {
        judge_grow_inputs(&g, &seed);
        judge_grow_level(&g, level, tree);
        judge_grow_move(&g, level, tree);
    }

    judge_grow_leaves(&g, tree);
    free(g.rows);

    judge_tree_add(tree, boost->bins, boost->nitems, boost->nin, f);

    return true;
}


void
judge_tree_add(const judge_tree_t *tree, const uint8_t *bins, size_t nitems,
    size_t nin, float *f)
{
    size_t  i;

    for (i = 0; i < nitems; i++) {
        f[i] += judge_tree_leaf(tree, bins + i * nin);
    }
}


bool
judge_tree_check(const judge_tree_t *trees, size_t n, size_t nin)
{
    size_t  i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j < JUDGE_TREE_NODES; j++) {
            if (trees[i].input[j] >= nin) {
                return false;
            }
        }
    }

    return true;
}


static bool
judge_grow_create(judge_grow_t *g, const judge_boost_t *boost, size_t target)
{
    memset(g, 0, sizeof(judge_grow_t));
    g->boost = boost;
    g->target = target;
    g->ninputs = boost->nin / 7 + 1;

    g->rows = malloc(boost->nuse * sizeof(judge_grow_row_t)
                     + boost->nin * sizeof(uint16_t) + 1);
    if (g->rows == NULL) {
        return false;
    }

    g->inputs = (uint16_t *) (g->rows + boost->nuse);

    return true;
}


static void
judge_grow_sample(judge_grow_t *g, const float *y, const float *f,
    uint64_t *state)
{
    size_t                u, i, at;
    const judge_boost_t  *b = g->boost;

    for (u = 0; u < b->nuse; u++) {
        i = b->use[u];
        at = i * b->stride + g->target;

        if (judge_learn_known(y, b->weight, at)
            && !(judge_mix_next(state) >> 63))
        {
            g->rows[g->nrows++] = (judge_grow_row_t) {
                b->bins + i * b->nin, (y[at] - f[i]) * b->weight[at],
                b->weight[at], 0
            };
        }
    }
}


/* The first of a shuffle. */

static void
judge_grow_inputs(judge_grow_t *g, uint64_t *state)
{
    size_t    i, j, n = g->boost->nin;
    uint16_t  kept;

    for (i = 0; i < n; i++) {
        g->inputs[i] = (uint16_t) i;
    }

    for (i = 0; i < g->ninputs && i + 1 < n; i++) {
        j = i + (size_t) (judge_mix_next(state) % (n - i));
        kept = g->inputs[i];
        g->inputs[i] = g->inputs[j];
        g->inputs[j] = kept;
    }
}


static void
judge_grow_level(judge_grow_t *g, size_t level, judge_tree_t *tree)
{
    size_t                   i, j, k, n, node, nodes, first;
    judge_bin_t              bins[JUDGE_TREE_BLOCK][4][JUDGE_BINS], *bin;
    const judge_grow_row_t  *row;

    nodes = (size_t) 1 << level;
    first = nodes - 1;

    for (node = 0; node < nodes; node++) {
        g->gain[first + node] = 1e-9;
    }

    /* Several inputs at a time: a row is fetched once for all of them. */
    for (k = 0; k < g->ninputs; k += n) {
        n = g->ninputs - k < JUDGE_TREE_BLOCK ? g->ninputs - k
                                              : JUDGE_TREE_BLOCK;
        memset(bins, 0, n * sizeof(bins[0]));

        for (i = 0; i < g->nrows; i++) {
            row = &g->rows[i];

            for (j = 0; j < n; j++) {
                bin = &bins[j][row->node][row->bins[g->inputs[k + j]]];
                bin->sum += row->residual;
                bin->weight += row->weight;
            }
        }

        for (j = 0; j < n; j++) {
            for (node = 0; node < nodes; node++) {
                judge_grow_split(g, first + node, g->inputs[k + j],
                                 bins[j][node], tree);
            }
        }
    }
}


static double
judge_grow_value(double sum, double weight)
{
    return sum * sum / (weight + JUDGE_TREE_PRIOR);
}


static void
judge_grow_split(judge_grow_t *g, size_t node, uint16_t input,
    const judge_bin_t *bins, judge_tree_t *tree)
{
    size_t       b;
    double       gain, whole;
    judge_bin_t  all, left;

    all = (judge_bin_t) { 0, 0 };
    for (b = 0; b < JUDGE_BINS; b++) {
        all.sum += bins[b].sum;
        all.weight += bins[b].weight;
    }

    whole = judge_grow_value(all.sum, all.weight);
    left = (judge_bin_t) { 0, 0 };

    for (b = 0; b + 1 < JUDGE_BINS; b++) {
        left.sum += bins[b].sum;
        left.weight += bins[b].weight;

        if (left.weight < JUDGE_TREE_MIN) {
            continue;
        }
        if (all.weight - left.weight < JUDGE_TREE_MIN) {
            return;
        }

        gain = judge_grow_value(left.sum, left.weight)
               + judge_grow_value(all.sum - left.sum,
                                  all.weight - left.weight)
               - whole;

        if (gain > g->gain[node]) {
            g->gain[node] = gain;
            tree->input[node] = input;
            tree->bin[node] = (uint8_t) b;
        }
    }
}


static void
judge_grow_move(judge_grow_t *g, size_t level, const judge_tree_t *tree)
{
    size_t             i, at;
    judge_grow_row_t  *row;

    for (i = 0; i < g->nrows; i++) {
        row = &g->rows[i];
        at = ((size_t) 1 << level) - 1 + row->node;
        row->node = (uint8_t) (2 * row->node
                               + (row->bins[tree->input[at]] > tree->bin[at]));
    }
}


static void
judge_grow_leaves(judge_grow_t *g, judge_tree_t *tree)
{
    size_t       i;
    judge_bin_t  leaves[JUDGE_TREE_LEAVES];

    memset(leaves, 0, sizeof(leaves));

    for (i = 0; i < g->nrows; i++) {
        leaves[g->rows[i].node].sum += g->rows[i].residual;
        leaves[g->rows[i].node].weight += g->rows[i].weight;
    }

    for (i = 0; i < JUDGE_TREE_LEAVES; i++) {
        tree->leaf[i] = (float) (g->boost->rate * leaves[i].sum
                                 / (leaves[i].weight + JUDGE_TREE_PRIOR));
    }
}
