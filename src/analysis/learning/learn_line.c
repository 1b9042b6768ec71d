/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Each target has a line over the engine's scores.  Slopes and levels are
 * shrunk towards those of all targets together; only scores that both people
 * and the engine gave count for either.  With few items all targets that it
 * scores have one slope, which keeps its order, and where an item lacks the
 * score of such a target, the other scores of the item stand in for it.  With
 * more items, or of a target that it never scores, that is left to the ridge
 * regression.
 */


#include <string.h>

#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


/* Shrinking adds pseudo-items to the items: those of a slope have the prior
 * slope and this variance; those of the common shift have a shift of 0, and
 * those of a target's shift have the common one. */
#define JUDGE_LINE_ITEMS   8.0
#define JUDGE_LINE_SPREAD  (15.0 * 15.0)
#define JUDGE_LINE_SHIFT   2.0
#define JUDGE_LINE_COMMON  4.0

#define JUDGE_LINE_SLOPE   0.6         /* the prior slope of all targets */
#define JUDGE_LINE_LEAST   0.05        /* above 0: the engine's order stays */


/* Sets the level of each target (base): the mean of the engine's scores (raw)
 * and a shift, which is people's mean score less the engine's.  Where only
 * people scored a target, its level is their mean. */

static void
judge_line_means(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line)
{
    size_t  u, i, t, cell;
    double  w, all, shift, shifts[JUDGE_LEARN_TARGETS] = { 0 };
    double  both[JUDGE_LEARN_TARGETS] = { 0 };   /* scores by both: weights */
    double  alone[JUDGE_LEARN_TARGETS] = { 0 };  /* and by people alone */
    double  given, ngiven;

    memset(line, 0, sizeof(judge_line_t));
    all = shift = 0;

    for (t = 0; t < l->set.ntargets; t++) {
        for (u = 0, given = 0, ngiven = 0; u < n; u++) {
            i = use ? use[u] : u;
            cell = i * l->set.ntargets + t;
            if (isfinite(l->set.raw[cell])) {
                given += (double) l->set.raw[cell];
                ngiven++;
            }

            w = judge_learn_known(l, i, t) ? (double) l->set.weight[cell] : 0;
            if (w > 0 && isfinite(l->set.raw[cell])) {
                both[t] += w;
                line->raw[t] += w * (double) l->set.raw[cell];
                shifts[t] += w * ((double) l->set.target[cell]
                                  - (double) l->set.raw[cell]);
            } else if (w > 0) {
                alone[t] += w;
                line->base[t] += w * (double) l->set.target[cell];
            }
        }

        line->raw[t] = both[t] > 0 ? line->raw[t] / both[t]
                       : ngiven > 0 ? given / ngiven : 50;
        shift += shifts[t];
        all += both[t];
    }

    shift /= all + JUDGE_LINE_SHIFT;

    for (t = 0; t < l->set.ntargets; t++) {
        if (both[t] > 0 || alone[t] <= 0) {
            line->base[t] = line->raw[t]
                            + (shifts[t] + JUDGE_LINE_COMMON * shift)
                              / (both[t] + JUDGE_LINE_COMMON);
        } else {
            line->base[t] /= alone[t];
        }
    }
}


static double
judge_line_slope(double xx, double xy, double prior)
{
    double  slope, items = JUDGE_LINE_ITEMS * JUDGE_LINE_SPREAD;

    slope = (xy + prior * items) / (xx + items);

    return slope > JUDGE_LINE_LEAST ? slope : JUDGE_LINE_LEAST;
}


/* Returns the mean distance of the engine's scores of an item from their
 * means. */

static double
judge_line_mean(const judge_line_t *line, const float *raw, size_t n)
{
    size_t  t, known;
    double  sum;

    for (t = 0, known = 0, sum = 0; t < n; t++) {
        if (isfinite(raw[t])) {
            sum += (double) raw[t] - line->raw[t];
            known++;
        }
    }

    return judge_share(sum, (double) known);
}


void
judge_line_learn(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line)
{
    size_t  u, i, t, cell, scored, nt = l->set.ntargets;
    double  w, x, all, sum[2] = { 0, 0 };
    double  own[JUDGE_LEARN_TARGETS][2] = { { 0, 0 } };

    judge_line_means(l, use, n, line);

    for (t = 0, scored = 0; t < nt; t++) {
        for (u = 0; u < n; u++) {
            i = use ? use[u] : u;
            cell = i * nt + t;
            if (judge_learn_known(l, i, t) && isfinite(l->set.raw[cell])) {
                w = (double) l->set.weight[cell];
                x = (double) l->set.raw[cell] - line->raw[t];
                own[t][0] += w * x * x;
                own[t][1] += w * x * ((double) l->set.target[cell]
                                      - line->base[t]);
            }
        }

        scored += own[t][0] > 0;
        sum[0] += own[t][0];
        sum[1] += own[t][1];
    }

    /* sums for one target, as an item counts once for the slope of all */

    all = judge_line_slope(judge_share(sum[0], (double) scored),
                           judge_share(sum[1], (double) scored),
                           JUDGE_LINE_SLOPE);

    for (t = 0; t < nt; t++) {
        line->slope[t] = l->line_only[t] ? all
                         : judge_line_slope(own[t][0], own[t][1], all);
        line->others[t] = l->line_only[t] ? all : 0;
    }
}


double
judge_line(const judge_line_t *line, const float *raw, size_t ntargets,
    size_t target)
{
    return line->base[target]
           + (isfinite(raw[target])
              ? line->slope[target]
                * ((double) raw[target] - line->raw[target])
              : line->others[target] * judge_line_mean(line, raw, ntargets));
}
