/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "extensions/compare/comparison.h"


#define JUDGE_COMPARISON_STEP    0.05  /* of the integral, in standard
                                          deviations */
#define JUDGE_COMPARISON_REACH   6
#define JUDGE_COMPARISON_SPREAD  0.25  /* of a certain score that is compared
                                          with uncertain ones */


/* The first of the candidates with the same text stands for all of them, with
 * the mean of their scores. */

static void
judge_comparison_join(const judge_candidate_t *c, size_t n,
    judge_candidate_t *joined)
{
    size_t  i, k, members;

    for (i = 0; i < n; i++) {
        joined[i] = c[i];

        for (k = i + 1, members = 1; k < n; k++) {
            if (c[k].same == i) {
                members++;
                joined[i].score += (c[k].score - joined[i].score)
                                   / (double) members;
                joined[i].spread = fmax(joined[i].spread, c[k].spread);
            }
        }
    }
}


static double
judge_comparison_best(const judge_candidate_t *joined, size_t n, size_t i)
{
    double  z, x, density, product, sum, all;
    size_t  k;

    for (z = -JUDGE_COMPARISON_REACH, sum = 0, all = 0;
         z <= JUDGE_COMPARISON_REACH; z += JUDGE_COMPARISON_STEP)
    {
        x = joined[i].score + z * joined[i].spread;
        density = exp(-z * z / 2);

        for (k = 0, product = 1; k < n; k++) {
            product *= k == i || joined[k].same != k ? 1
                       : 0.5 * erfc((joined[k].score - x)
                                    / (joined[k].spread * sqrt(2)));
        }

        sum += density * product;
        all += density;
    }

    return sum / all;
}


/* Sets the probability that each one is the best; the one at `lead` has the
 * highest score. */

static void
judge_comparison_probable(judge_candidate_t *joined, size_t n, size_t lead,
    double *best)
{
    size_t  i;
    double  widest;

    for (i = 0, widest = 0; i < n; i++) {
        widest = fmax(widest, joined[i].spread);
        joined[i].spread = fmax(joined[i].spread, JUDGE_COMPARISON_SPREAD);
    }

    for (i = 0; i < n; i++) {
        best[i] = joined[i].same != i ? best[joined[i].same]
                  : widest > 0 ? judge_comparison_best(joined, n, i)
                  : i == lead;
    }
}


void
judge_comparison_open(judge_comparison_t *out, const char *reason)
{
    size_t  i;

    *out = (judge_comparison_t) { .verdict = "undecided", .reason = reason,
                                  .difference = NAN, .probability = NAN };

    for (i = 0; i < JUDGE_COMPARED_MAX; i++) {
        out->best[i] = NAN;
    }
}


void
judge_comparison_sort(const double *values, size_t n, size_t *order)
{
    size_t  i, k;

    for (i = 0; i < n; i++) {
        for (k = i; k > 0 && values[order[k - 1]] < values[i]; k--) {
            order[k] = order[k - 1];
        }
        order[k] = i;
    }
}


void
judge_comparison_decide(judge_comparison_t *out, double level, size_t members)
{
    if (out->probability < level) {
        out->reason = "close";
        return;
    }

    out->verdict = members > 1 ? "tie" : "decided";
    out->reason = members > 1 ? "equal_text" : NULL;
}


void
judge_comparison(const judge_candidate_t *candidates, size_t n, double level,
    judge_comparison_t *out)
{
    bool               judged;
    size_t             i, lead, texts, members;
    double             next, best[JUDGE_COMPARED_MAX];
    judge_candidate_t  joined[JUDGE_COMPARED_MAX] = { { .same = 0 } };

    judge_comparison_open(out, "not_judged");
    judge_comparison_join(candidates, n, joined);

    for (i = 0, judged = true, texts = 0, lead = 0; i < n; i++) {
        judged = judged && !isnan(candidates[i].score);
        if (joined[i].same == i) {
            texts++;
            lead = joined[i].score > joined[lead].score ? i : lead;
        }
    }

    if (texts == 1) {
        out->verdict = "tie";
        out->reason = "equal_text";
        out->difference = 0;
        return;
    }

    if (!judged) {
        return;
    }

    for (i = 0, next = NAN, members = 0; i < n; i++) {
        members += joined[i].same == lead;
        next = joined[i].same == i && i != lead ? fmax(next, joined[i].score)
                                                : next;
    }

    out->leader = lead;
    out->difference = joined[lead].score - next;
    judge_comparison_probable(joined, n, lead, best);

    if (out->difference <= JUDGE_DIFFERENCE_EQUAL && best[lead] >= 1) {
        out->verdict = "tie";          /* all are certain, and equal */
        out->reason = "equal_score";
        out->difference = 0;
        return;
    }

    memcpy(out->best, best, n * sizeof(double));
    out->probability = best[lead];
    judge_comparison_decide(out, level, members);
}


int
judge_comparison_sign(const judge_candidate_t *a, const judge_candidate_t *b)
{
    double  d = a->score - b->score;

    return isnan(d) ? JUDGE_COMPARED_UNKNOWN : a->same == b->same ? 0
           : (d > JUDGE_DIFFERENCE_EQUAL) - (d < -JUDGE_DIFFERENCE_EQUAL);
}
