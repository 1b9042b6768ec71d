/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Tests whether people read a criterion as the judge does.  If so, their
 * scores lie around the judge's: neither mostly above or below (a shift), nor
 * with another slope than 1 (a slope of 0 means that the judge looks at
 * something that people ignore).  Both are sign-flip tests over groups of
 * texts: of the residuals, and of their products with the judge's score.
 */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_SEED  2026

/* The two sides of judge_difference(), rows of targets: the overall score,
 * which is unused; scores of people and judge by criterion; products and
 * zeros. */
typedef struct {
    const judge_suggest_set_t  *set;
    size_t                      ntargets;
    float                      *people;
    float                      *given;
    judge_difference_pair_t    *pairs;
    judge_difference_t         *tested;
    judge_difference_pair_t    *worst; /* scratch */
} judge_suggest_test_t;


bool
judge_suggest_held(uint32_t group)
{
    return judge_mix(group) & 1;
}


double
judge_suggest_level(int64_t tries)
{
    double  k = (double) tries + 1;

    return 2 * JUDGE_SUGGEST_CHANCE / (k * (k + 1));
}


/* Computes the means, slope and products of the c-th criterion. */

static void
judge_suggest_describe(judge_suggest_test_t *t, size_t c,
    judge_suggest_difference_t *out)
{
    size_t                      i, at, row;
    double                      h, g, people, given, squares, products;
    const judge_suggest_set_t  *set = t->set;

    people = given = squares = products = 0;

    for (i = 0; i < set->nitems; i++) {
        at = i * set->ncriteria + c;
        h = (double) set->people[at];
        g = (double) set->given[at];
        row = i * t->ntargets + 1 + c;
        t->people[row] = t->given[row] = NAN;

        if (isnan(h - g)) {
            continue;
        }

        t->people[row] = (float) h;
        t->given[row] = (float) g;
        t->worst[out->n].places[0] = i;
        t->worst[out->n].distance = fabs(h - g);
        out->distance += fabs(h - g);
        out->n++;
        people += h;
        given += g;
    }

    people /= (double) out->n;
    given /= (double) out->n;
    out->distance /= (double) out->n;

    for (i = 0; i < set->nitems; i++) {
        row = i * t->ntargets + 1 + c;
        h = (double) t->people[row] - people;
        g = (double) t->given[row] - given;
        t->people[row + set->ncriteria] = (float) ((h - g) * g);
        t->given[row + set->ncriteria] = 0;

        if (!isnan(h)) {
            squares += g * g;
            products += h * g;
        }
    }

    out->slope = squares > (double) out->n ? products / squares : (double) NAN;

    judge_difference_farthest(t->worst, out->n);

    for (i = 0; i < out->n && i < JUDGE_SUGGEST_WORST
                && t->worst[i].distance > 0; i++)
    {
        out->worst[out->nworst++] = t->worst[i].places[0];
    }
}


static bool
judge_suggest_begin_test(judge_suggest_test_t *t, judge_arena_t *arena)
{
    size_t                      i;
    const judge_suggest_set_t  *set = t->set;

    t->ntargets = 1 + 2 * set->ncriteria;
    t->people = judge_array_alloc(arena, set->nitems * t->ntargets + 1,
                                sizeof(float));
    t->given = judge_array_alloc(arena, set->nitems * t->ntargets + 1,
                                 sizeof(float));
    t->pairs = judge_array_alloc(arena, set->nitems + 1,
                                 sizeof(judge_difference_pair_t));
    t->worst = judge_array_alloc(arena, set->nitems + 1,
                                 sizeof(judge_difference_pair_t));
    t->tested = judge_array_alloc(arena, t->ntargets,
                                 sizeof(judge_difference_t));
    if (t->people == NULL || t->given == NULL || t->pairs == NULL
        || t->worst == NULL || t->tested == NULL)
    {
        return false;
    }

    for (i = 0; i < set->nitems; i++) {
        t->pairs[i] = (judge_difference_pair_t) { .places = { i, i },
                                                  .cluster = set->group[i] };
        t->people[i * t->ntargets] = t->given[i * t->ntargets] = NAN;
    }

    return true;
}


judge_rc_e
judge_suggest_differences(judge_arena_t *arena, const judge_suggest_set_t *set,
    judge_suggest_difference_t *out)
{
    size_t                   c;
    judge_rc_e               rc;
    judge_difference_set_t   tests;
    judge_suggest_test_t     t = { .set = set };
    const judge_difference_t  *shift, *slope;

    if (!judge_suggest_begin_test(&t, arena)) {
        return JUDGE_NOMEM;
    }

    for (c = 0; c < set->ncriteria; c++) {
        memset(&out[c], 0, sizeof(judge_suggest_difference_t));
        judge_suggest_describe(&t, c, &out[c]);
    }

    tests = (judge_difference_set_t) {
        .ntargets = t.ntargets, .scores = { t.people, t.given },
        .pairs = t.pairs, .npairs = set->nitems, .seed = JUDGE_SUGGEST_SEED
    };
    rc = judge_difference(arena, &tests, t.tested);

    for (c = 0; c < set->ncriteria && rc == JUDGE_OK; c++) {
        shift = &t.tested[1 + c];
        slope = &t.tested[1 + set->ncriteria + c];
        out[c].groups = shift->clusters;
        out[c].shift = shift->difference;
        out[c].low = shift->low;
        out[c].high = shift->high;
        out[c].p_shift = shift->adjusted;
        out[c].p_slope = isnan(out[c].slope) ? (double) NAN : slope->adjusted;
        out[c].differs = out[c].groups >= JUDGE_SUGGEST_LEAST
                         && out[c].distance >= JUDGE_SUGGEST_POINTS
                         && (out[c].p_shift <= JUDGE_SUGGEST_CHANCE
                             || out[c].p_slope <= JUDGE_SUGGEST_CHANCE);
    }

    return rc;
}


size_t
judge_suggest_most(const judge_suggest_difference_t *differences,
    size_t ncriteria)
{
    size_t  c, most;

    for (c = 0, most = ncriteria; c < ncriteria; c++) {
        if (differences[c].differs
            && (most == ncriteria
                || differences[c].distance > differences[most].distance))
        {
            most = c;
        }
    }

    return most;
}
