/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Lines over the engine's scores.  People agree on the mean of an item's
 * scores with a few items, and on what is one criterion's own with many: both
 * have lines of their own.  What nobody scored has no part in a mean, and a
 * criterion that is scored lower than the others is not taken for a worse
 * item: means are of what is left without those of the criteria.  Of few
 * items both slopes are one, so that the engine's order stays.
 */


#include "analysis/learning/learn_parts.h"
#include "analysis/text/math.h"


#define JUDGE_LINE_ITEMS   8.0         /* of a spread of 15 points, that the
                                          usual slope counts for */
#define JUDGE_LINE_SPREAD  (15.0 * 15.0)
#define JUDGE_LINE_SLOPE   0.6         /* the usual one of the mean, */
#define JUDGE_LINE_OWN     0.5         /* and of deviations */
#define JUDGE_LINE_LEAST   0.05        /* the engine's order stays */
#define JUDGE_LINE_SHIFT   2.0         /* items that no shift counts for, */
#define JUDGE_LINE_COMMON  4.0         /* and that of all criteria for one */


typedef struct {
    double  xx;
    double  xy;
} judge_line_sums_t;


static void judge_line_means(const judge_learner_t *l, const uint32_t *use,
    size_t n, judge_line_t *line);
static double judge_line_slope(const judge_line_sums_t *sums, double usual);


void
judge_line_learn(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line)
{
    size_t             u, t, at;
    double             w, x, y;
    judge_line_item_t  item;
    judge_line_sums_t  mean = { 0, 0 };
    judge_line_sums_t  own[JUDGE_LEARN_TARGETS] = { { 0, 0 } };

    judge_line_means(l, use, n, line);

    for (u = 0; u < n; u++) {
        item = judge_line_item(l, line, use[u]);
        mean.xx += item.weight * item.x * item.x;
        mean.xy += item.weight * item.x * item.y;

        for (t = 0; item.known > 1 && t < l->set.ntargets; t++) {
            if (judge_learn_known(l, use[u], t)) {
                at = use[u] * l->set.ntargets;
                w = (double) l->set.weight[at + t];
                x = judge_line_own(line, l->set.raw + at, t, item.x);
                y = (double) l->set.target[at + t] - line->base[t] - item.y;
                own[t].xx += w * x * x;
                own[t].xy += w * x * y;
            }
        }
    }

    line->slope = judge_line_slope(&mean, JUDGE_LINE_SLOPE);
    for (t = 0; t < l->set.ntargets; t++) {
        line->own[t] = l->simple ? line->slope
                       : judge_line_slope(&own[t], JUDGE_LINE_OWN);
    }
}


static double
judge_line_slope(const judge_line_sums_t *sums, double usual)
{
    double  slope, items = JUDGE_LINE_ITEMS * JUDGE_LINE_SPREAD;

    slope = (sums->xy + usual * items) / (sums->xx + items);

    return slope > JUDGE_LINE_LEAST ? slope : JUDGE_LINE_LEAST;
}


/* By how much people's scores lie off the engine's: of each criterion, drawn
 * to that of all of them, which is drawn to none. */

static void
judge_line_means(const judge_learner_t *l, const uint32_t *use, size_t n,
    judge_line_t *line)
{
    size_t  u, t, at;
    double  w, x, shift, all, total[JUDGE_LEARN_TARGETS] = { 0 };

    all = shift = 0;

    for (t = 0; t < l->set.ntargets; t++) {
        line->raw[t] = line->base[t] = 0;

        for (u = 0; u < n; u++) {
            at = use[u] * l->set.ntargets + t;
            if (judge_learn_known(l, use[u], t)) {
                w = (double) l->set.weight[at];
                x = isfinite(l->set.raw[at]) ? (double) l->set.raw[at] : 50;
                total[t] += w;
                line->raw[t] += w * x;
                line->base[t] += w * ((double) l->set.target[at] - x);
            }
        }

        shift += line->base[t];
        all += total[t];
    }

    shift /= all + JUDGE_LINE_SHIFT;

    for (t = 0; t < l->set.ntargets; t++) {
        line->raw[t] = total[t] > 0 ? line->raw[t] / total[t] : 50;
        line->base[t] = line->raw[t]
                        + (line->base[t] + JUDGE_LINE_COMMON * shift)
                          / (total[t] + JUDGE_LINE_COMMON);
    }
}


double
judge_line_mean(const judge_line_t *line, const float *raw, size_t ntargets)
{
    size_t  t, n;
    double  sum;

    for (t = 0, n = 0, sum = 0; t < ntargets; t++) {
        if (isfinite(raw[t])) {
            sum += (double) raw[t] - line->raw[t];
            n++;
        }
    }

    return judge_share(sum, (double) n);
}


/* The mean of n of all scores counts for as much more as the noise of single
 * ones is evened out; half of it is the item's. */

judge_line_item_t
judge_line_item(const judge_learner_t *l, const judge_line_t *line,
    size_t item)
{
    size_t             t, at, all = l->set.ntargets;
    double             w, total;
    judge_line_item_t  known = { 0, 0, 0, 0 };

    for (t = 0, total = 0; t < all; t++) {
        if (judge_learn_known(l, item, t)) {
            at = item * all + t;
            w = (double) l->set.weight[at];
            known.y += w * ((double) l->set.target[at] - line->base[t]);
            total += w;
            known.known++;
        }
    }

    if (known.known) {
        known.y /= total;
        known.weight = 2 * total / (double) (known.known + all);
    }

    known.x = judge_line_mean(line, l->set.raw + item * all, all);

    return known;
}
