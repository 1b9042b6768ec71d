/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>

#include "extensions/compare/comparison.h"


#define JUDGE_COMPARISON_STEP    0.05  /* of the integral, in standard
                                          deviations */
#define JUDGE_COMPARISON_REACH   6
#define JUDGE_COMPARISON_SPREAD  0.25  /* of a certain score that is compared
                                          with uncertain ones */


/* All candidates with the same text; their score is the mean of theirs. */

typedef struct {
    size_t  first;
    size_t  members;
    double  score;
    double  spread;
    double  best;
} judge_compared_t;


static size_t
judge_comparison_join(const judge_candidate_t *c, size_t n,
    judge_compared_t *joined)
{
    size_t  i, k, count;

    for (i = 0, count = 0; i < n; i++) {
        for (k = 0; k < count && joined[k].first != c[i].same; k++) {
            /* void */
        }

        if (k == count) {
            joined[count++] = (judge_compared_t) { .first = i };
        }

        joined[k].members++;
        joined[k].score += (c[i].score - joined[k].score)
                           / (double) joined[k].members;
        joined[k].spread = fmax(joined[k].spread, c[i].spread);
    }

    return count;
}


static double
judge_comparison_best(const judge_compared_t *joined, size_t n, size_t i)
{
    double  z, x, density, product, sum, all;
    size_t  k;

    for (z = -JUDGE_COMPARISON_REACH, sum = 0, all = 0;
         z <= JUDGE_COMPARISON_REACH; z += JUDGE_COMPARISON_STEP)
    {
        x = joined[i].score + z * joined[i].spread;
        density = exp(-z * z / 2);

        for (k = 0, product = 1; k < n; k++) {
            product *= k == i ? 1
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
judge_comparison_probable(judge_compared_t *joined, size_t n, size_t lead)
{
    size_t  i;
    double  widest;

    for (i = 0, widest = 0; i < n; i++) {
        widest = fmax(widest, joined[i].spread);
    }

    for (i = 0; i < n; i++) {
        joined[i].best = i == lead;
        joined[i].spread = fmax(joined[i].spread, JUDGE_COMPARISON_SPREAD);
    }

    for (i = 0; i < n && widest > 0; i++) {
        joined[i].best = judge_comparison_best(joined, n, i);
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
judge_comparison(const judge_candidate_t *candidates, size_t n, double level,
    judge_comparison_t *out)
{
    bool              judged;
    size_t            i, k, count, lead;
    double            next;
    judge_compared_t  joined[JUDGE_COMPARED_MAX] = { { .first = 0 } };

    judge_comparison_open(out, "not_judged");

    for (i = 0, judged = true; i < n; i++) {
        judged = judged && !isnan(candidates[i].score);
    }

    count = judge_comparison_join(candidates, n, joined);
    if (count == 1) {
        out->verdict = "tie";
        out->reason = "equal_text";
        out->difference = 0;
        return;
    }

    if (!judged) {
        return;
    }

    for (i = 1, lead = 0; i < count; i++) {
        lead = joined[i].score > joined[lead].score ? i : lead;
    }

    for (i = 0, next = NAN; i < count; i++) {
        next = i == lead ? next : fmax(next, joined[i].score);
    }

    out->difference = joined[lead].score - next;
    out->leader = joined[lead].first;
    judge_comparison_probable(joined, count, lead);

    if (out->difference <= JUDGE_COMPARED_EQUAL && joined[lead].best >= 1) {
        out->verdict = "tie";          /* all are certain, and equal */
        out->reason = "equal_score";
        out->difference = 0;
        return;
    }

    for (i = 0; i < n; i++) {
        for (k = 0; joined[k].first != candidates[i].same; k++) {
            /* void */
        }
        out->best[i] = joined[k].best;
    }

    out->probability = joined[lead].best;
    out->reason = "close";

    if (out->probability >= level) {
        out->verdict = joined[lead].members > 1 ? "tie" : "decided";
        out->reason = joined[lead].members > 1 ? "equal_text" : NULL;
    }
}


int
judge_comparison_sign(const judge_candidate_t *a, const judge_candidate_t *b)
{
    double  d = a->score - b->score;

    return isnan(d) ? JUDGE_COMPARED_UNKNOWN : a->same == b->same ? 0
           : (d > JUDGE_COMPARED_EQUAL) - (d < -JUDGE_COMPARED_EQUAL);
}
