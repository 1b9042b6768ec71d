/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Weights that add up to 1.  Shares in percent stand; points and factors
 * divide what shares leave over; comparisons relate two criteria.
 */


#include <math.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_WEIGHTS_ROUNDS  16       /* of comparisons that follow others */


/* One comparison changes the criterion that it is about; whether it did. */

static bool
judge_criteria_weights_relation(judge_criteria_t *p,
    const judge_criteria_relation_t *r)
{
    double          want;
    judge_draft_t  *a, *b;

    a = &p->found[r->a];
    b = &p->found[r->b];

    if (!r->least && (a->share < 0) != (b->share < 0)) {
        if (a->share < 0) {
            a->share = b->share * r->value;

        } else {
            b->share = a->share / r->value;
        }

        return true;
    }

    want = b->factor * r->value;

    if (a->share >= 0 || b->share >= 0
        || (a->factor > want - 1e-6
            && (r->least || a->factor < want + 1e-6)))
    {
        return false;
    }

    a->factor = fmin(want, 1e6);

    return true;
}


/* Until nothing changes; what then still does contradicts itself.  What
 * matters most gets more than any other without a share. */

static void
judge_criteria_weights_factors(judge_criteria_t *p)
{
    int             round;
    bool            changed;
    size_t          i;
    double          top;
    judge_draft_t  *f;

    changed = true;

    for (round = 0; changed && round < JUDGE_WEIGHTS_ROUNDS; round++) {
        changed = false;

        for (i = 0; i < p->nrelations; i++) {
            changed |= judge_criteria_weights_relation(p, &p->relations[i]);
        }
    }

    if (changed) {
        p->conflict = true;
        judge_criteria_names_note(p, "The comparisons of weights contradict "
                                  "each other; say what each criterion "
                                  "counts in percent.");
    }

    for (i = 0, top = 0; i < p->nfound; i++) {
        f = &p->found[i];
        f->factor = changed ? fmin(f->factor, 3) : f->factor;
        top = f->most ? top : fmax(top, f->factor);
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        f->factor = f->most ? fmax(f->factor, 1.25 * top) : f->factor;
    }
}


/* Those without points get as many as those with points on average. */

static void
judge_criteria_weights_points(judge_criteria_t *p)
{
    size_t          i, n;
    double          sum;
    judge_draft_t  *f;

    for (i = 0, n = 0, sum = 0; i < p->nfound; i++) {
        n += p->found[i].points > 0;
        sum += fmax(p->found[i].points, 0);
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (n == 0) {
            f->points = f->factor;

        } else if (f->points <= 0 && f->share < 0) {
            f->points = f->factor * sum / (double) n;
            judge_criteria_names_note(p, "No points are given for \"%s\"; "
                                      "it was given as many as the others "
                                      "have on average.", f->name.data);
        }
    }
}


/* Percents that shares leave to the others, which get some in any case. */

static double
judge_criteria_weights_rest(judge_criteria_t *p, double shares, size_t without)
{
    double  rest;

    rest = 100 - shares;

    if (without > 0 && rest <= 0.5) {
        p->conflict = true;
        judge_criteria_names_note(p, "The percentages leave nothing for %zu "
                                  "other criteri%s, which got a small part.",
                                  without, (without == 1) ? "on" : "a");
        return 5 * (double) without;
    }

    if (without == 0 && fabs(rest) > 0.5) {
        p->conflict |= fabs(rest) > 5;
        judge_criteria_names_note(p, "The percentages add up to %g, not to "
                                  "100; they were scaled.", shares);
    }

    return rest;
}


/* Two decimals for up to 20 criteria; the largest remainders are rounded
 * up, so that the sum is kept. */

void
judge_criteria_weights_rescale(judge_criteria_t *p)
{
    size_t          i, best;
    double          unit, sum, left, gain, most, part[JUDGE_CRITERIA_FOUND];
    judge_draft_t  *f;

    unit = (p->nfound > 20) ? 1000 : 100;
    left = unit;

    for (i = 0, sum = 0; i < p->nfound; i++) {
        sum += p->found[i].result;
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        part[i] = f->result / sum * unit;
        f->result = fmax(floor(part[i] + 1e-9), 1);
        left -= f->result;
    }

    while (p->nfound > 0 && fabs(left) > 0.5) {
        for (i = 0, best = 0, most = -1e9; i < p->nfound; i++) {
            f = &p->found[i];
            gain = (left > 0) ? part[i] - f->result : f->result;

            if (gain > most + 1e-9) {
                most = gain;
                best = i;
            }
        }

        p->found[best].result += (left > 0) ? 1 : -1;
        left += (left > 0) ? -1 : 1;
    }

    for (i = 0; i < p->nfound; i++) {
        p->found[i].result /= unit;
    }
}


void
judge_criteria_weights(judge_criteria_t *p)
{
    size_t          i, without;
    double          shares, parts, rest;
    judge_draft_t  *f;

    judge_criteria_weights_factors(p);
    judge_criteria_weights_points(p);

    shares = 0;
    parts = 0;
    without = 0;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        shares += fmax(f->share, 0);
        parts += (f->share < 0) ? f->points : 0;
        without += (f->share < 0);
    }

    rest = (shares > 0) ? judge_criteria_weights_rest(p, shares, without)
                        : 100;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        f->result = (f->share >= 0) ? fmax(f->share, 0.01)
                                    : rest * f->points / parts;
    }

    judge_criteria_weights_rescale(p);
}
