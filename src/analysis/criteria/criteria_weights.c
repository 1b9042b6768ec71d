/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * From cues to weights that add up to 1.  Shares in percent stand; points
 * and factors divide what shares leave over; comparisons tie two criteria.
 */


#include <math.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_WEIGH_ROUNDS  16         /* of comparisons that follow others */
#define JUDGE_WEIGH_MORE    1.5        /* "more important than" */


static void
judge_weigh_share(judge_parse_ctx_t *p, judge_parse_found_t *f, double share)
{
    if (f->share >= 0 && fabs(f->share - share) > 0.5) {
        p->conflict = true;
        judge_parse_note(p, "\"%s\" is given both %g%% and %g%%; the first "
                         "was taken.", f->name.data, f->share, share);
        return;
    }

    f->share = share;
}


void
judge_parse_relate(judge_parse_ctx_t *p, judge_parse_relation_e kind,
    size_t a, size_t b, double value)
{
    judge_parse_relation_t  *r;

    if (a == b || a >= p->nfound || b >= p->nfound
        || p->nrelations == JUDGE_PARSE_RELATIONS)
    {
        return;
    }

    r = &p->relations[p->nrelations++];
    *r = (judge_parse_relation_t) { kind, a, b, value };
}


void
judge_parse_apply(judge_parse_ctx_t *p, size_t i,
    const judge_parse_cue_t *cue)
{
    size_t                b, last;
    judge_parse_found_t  *f;

    if (!cue->any || i >= p->nfound) {
        return;
    }

    f = &p->found[i];
    p->weighed |= !cue->scale || cue->share >= 0 || cue->points > 0;
    p->equal |= cue->equal;

    if (cue->share >= 0) {
        judge_weigh_share(p, f, cue->share);
    }

    if (cue->points > 0 && f->points < 0) {
        f->points = cue->points;
    }

    if (cue->factor > 0) {
        f->factor = cue->factor;
        f->most = cue->most;
    }

    if (cue->times < 0 && !cue->more && !cue->less) {
        return;
    }

    last = p->last;
    b = judge_parse_find(p, cue->other);

    if (b == JUDGE_PARSE_FOUND) {
        b = judge_parse_add(p, cue->other, JUDGE_P_WEIGHED);
    }

    p->last = last;

    if (cue->times > 0) {
        judge_parse_relate(p, JUDGE_P_TIMES, i, b, cue->times);

    } else if (cue->more) {
        judge_parse_relate(p, JUDGE_P_MORE, i, b, JUDGE_WEIGH_MORE);

    } else {
        judge_parse_relate(p, JUDGE_P_MORE, b, i, JUDGE_WEIGH_MORE);
    }
}


/*
 * Comparisons move the one that is spoken of.  They are gone through until
 * nothing moves; what then still moves contradicts itself.
 */

static void
judge_weigh_compare(judge_parse_ctx_t *p)
{
    bool                           moved;
    int                            round;
    size_t                         i;
    double                         want;
    judge_parse_found_t           *a, *b;
    const judge_parse_relation_t  *r;

    moved = p->nrelations > 0;

    for (round = 0; moved && round < JUDGE_WEIGH_ROUNDS; round++) {
        moved = false;

        for (i = 0; i < p->nrelations; i++) {
            r = &p->relations[i];
            a = &p->found[r->a];
            b = &p->found[r->b];

            if (r->kind == JUDGE_P_TIMES && a->share < 0 && b->share >= 0) {
                a->share = b->share * r->value;
                moved = true;
                continue;
            }

            if (r->kind == JUDGE_P_TIMES && a->share >= 0 && b->share < 0) {
                b->share = a->share / r->value;
                moved = true;
                continue;
            }

            if (a->share >= 0 || b->share >= 0) {
                continue;
            }

            want = b->factor * r->value;

            if (a->factor < want - 1e-6
                || (r->kind == JUDGE_P_TIMES && a->factor > want + 1e-6))
            {
                a->factor = fmin(want, 1e6);
                moved = true;
            }
        }
    }

    if (moved) {
        p->conflict = true;
        judge_parse_note(p, "The comparisons of weights contradict each "
                         "other; say what each criterion counts in "
                         "percent.");

        for (i = 0; i < p->nfound; i++) {
            p->found[i].factor = fmin(p->found[i].factor, 3);
        }
    }
}


/* "In order of importance": the first of n counts n times the last. */

static void
judge_weigh_ranks(judge_parse_ctx_t *p)
{
    size_t                i;
    double                last;
    judge_parse_found_t  *f;

    last = 0;

    for (i = 0; i < p->nfound; i++) {
        last = fmax(last, p->found[i].rank);
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (f->rank > 0) {
            f->factor = last - f->rank + 1;
        }
    }
}


/* What matters most gets more than any other that has no share. */

static void
judge_weigh_most(judge_parse_ctx_t *p)
{
    size_t  i;
    double  top;

    top = 0;

    for (i = 0; i < p->nfound; i++) {
        if (!p->found[i].most) {
            top = fmax(top, p->found[i].factor);
        }
    }

    for (i = 0; i < p->nfound; i++) {
        if (p->found[i].most) {
            p->found[i].factor = fmax(p->found[i].factor, 1.25 * top);
        }
    }
}


static double
judge_weigh_part(const judge_parse_found_t *f, bool points)
{
    return (points && f->points > 0) ? f->points : f->factor;
}


/* Points of some: those without get as much as these have on average. */

static bool
judge_weigh_points(judge_parse_ctx_t *p)
{
    size_t                i, n;
    double                sum;
    judge_parse_found_t  *f;

    sum = 0;
    n = 0;

    for (i = 0; i < p->nfound; i++) {
        if (p->found[i].points > 0) {
            sum += p->found[i].points;
            n++;
        }
    }

    for (i = 0; n > 0 && i < p->nfound; i++) {
        f = &p->found[i];

        if (f->points <= 0 && f->share < 0) {
            f->points = f->factor * sum / (double) n;
            judge_parse_note(p, "No points are given for \"%s\"; it was "
                             "given as many as the others have on average.",
                             f->name.data);
        }
    }

    return n > 0;
}


/* What shares leave to the others; nothing left is shared nevertheless. */

static double
judge_weigh_rest(judge_parse_ctx_t *p, double shares, size_t without)
{
    double  rest;

    rest = 100 - shares;

    if (without == 0) {
        if (fabs(rest) > 0.5 && shares > 0) {
            p->conflict |= fabs(rest) > 5;
            judge_parse_note(p, "The percentages add up to %g, not to 100; "
                             "they were scaled.", shares);
        }

        return 0;
    }

    if (rest > 0.5) {
        return rest;
    }

    p->conflict = true;
    judge_parse_note(p, "The percentages leave nothing for %zu other "
                     "criteri%s, which got a small part.", without,
                     (without == 1) ? "on" : "a");

    return 5 * (double) without;
}


/* Two decimals for up to 20 criteria, the sum is kept: the largest
 * remainders are rounded up. */

static void
judge_weigh_round(judge_parse_ctx_t *p, double sum)
{
    size_t                i, best;
    double                unit, left, part[JUDGE_PARSE_FOUND];
    judge_parse_found_t  *f;

    unit = (p->nfound > 20) ? 1000 : 100;
    left = unit;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        part[i] = f->result / sum * unit;
        f->result = floor(part[i] + 1e-9);

        /* nothing counts nothing */
        f->result = fmax(f->result, 1);
        left -= f->result;
    }

    while (left > 0.5 || left < -0.5) {
        best = 0;

        for (i = 1; i < p->nfound; i++) {
            if ((left > 0 && part[i] - p->found[i].result
                             > part[best] - p->found[best].result + 1e-9)
                || (left < 0 && p->found[i].result
                                > p->found[best].result + 1e-9))
            {
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
judge_parse_resolve(judge_parse_ctx_t *p)
{
    bool                  points;
    size_t                i, without;
    double                shares, parts, rest, sum;
    judge_parse_found_t  *f;

    if (p->nfound == 0) {
        return;
    }

    judge_weigh_ranks(p);
    judge_weigh_compare(p);
    judge_weigh_most(p);
    points = judge_weigh_points(p);

    shares = 0;
    parts = 0;
    without = 0;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (f->share >= 0) {
            shares += f->share;

        } else {
            parts += judge_weigh_part(f, points);
            without++;
        }
    }

    rest = judge_weigh_rest(p, shares, without);
    sum = 0;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        f->result = (f->share >= 0) ? fmax(f->share, 0.01)
                    : (shares > 0 ? rest : 100)
                      * judge_weigh_part(f, points) / parts;
        sum += f->result;
    }

    judge_weigh_round(p, sum);
}


void
judge_parse_rescale(judge_parse_ctx_t *p)
{
    size_t  i;
    double  sum;

    sum = 0;

    for (i = 0; i < p->nfound; i++) {
        sum += p->found[i].result;
    }

    if (sum > 0) {
        judge_weigh_round(p, sum);
    }
}
