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
 * The rows of judge_difference() have the overall score, which is unused, the
 * scores by criterion, and the products, beside zeros.
 */


#include <math.h>

#include "base/core/hash.h"
#include "extensions/suggest/suggest.h"


#define JUDGE_SUGGEST_SEED  2026


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


/* Computes the means and the slope of the c-th criterion, its columns of both
 * sides, and on which texts both differ most. */

static void
judge_suggest_describe(const judge_suggest_set_t *set, size_t c,
    float *const sides[2], judge_difference_pair_t *pairs,
    judge_suggest_difference_t *out)
{
    size_t  i, at, row;
    double  h, g, people, given, squares, products;

    *out = (judge_suggest_difference_t) { .n = 0 };
    people = given = squares = products = 0;

    for (i = 0; i < set->nitems; i++) {
        at = pairs[i].places[0] * set->width + c;
        h = (double) set->people[at];
        g = (double) set->given[at];
        pairs[i].distance = isnan(h - g) ? -1 : fabs(h - g);

        if (!isnan(h - g)) {
            out->distance += fabs(h - g);
            out->n++;
            people += h;
            given += g;
        }
    }

    people /= (double) out->n;
    given /= (double) out->n;
    out->distance /= (double) out->n;

    for (i = 0; i < set->nitems; i++) {
        at = pairs[i].places[0] * set->width + c;
        row = pairs[i].places[0] * (1 + 2 * set->ncriteria) + 1 + c;
        sides[0][row] = set->people[at];
        sides[1][row] = set->given[at];
        h = (double) set->people[at] - people;
        g = (double) set->given[at] - given;
        sides[0][row + set->ncriteria] = (float) ((h - g) * g);

        if (!isnan(h - g)) {
            squares += g * g;
            products += h * g;
        }
    }

    out->slope = squares > (double) out->n ? products / squares : (double) NAN;

    judge_difference_farthest(pairs, set->nitems);

    for (i = 0; i < set->nitems && i < JUDGE_SUGGEST_WORST
                && pairs[i].distance > 0; i++)
    {
        out->worst[out->nworst++] = pairs[i].places[0];
    }
}


judge_rc_e
judge_suggest_differences(judge_arena_t *arena, const judge_suggest_set_t *set,
    judge_suggest_difference_t *out)
{
    float                     *sides[2];
    size_t                     i, c, ntargets = 1 + 2 * set->ncriteria;
    judge_rc_e                 rc;
    judge_difference_t        *tested;
    judge_difference_set_t     tests;
    judge_difference_pair_t   *pairs;
    const judge_difference_t  *shift, *slope;

    sides[0] = judge_array_alloc(arena, set->nitems * ntargets + 1,
                                 sizeof(float));
    sides[1] = judge_array_alloc(arena, set->nitems * ntargets + 1,
                                 sizeof(float));
    pairs = judge_array_alloc(arena, set->nitems + 1,
                              sizeof(judge_difference_pair_t));
    tested = judge_array_alloc(arena, ntargets, sizeof(judge_difference_t));
    if (!sides[0] || !sides[1] || !pairs || !tested) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < set->nitems; i++) {
        pairs[i] = (judge_difference_pair_t) { .places = { i, i },
                                               .cluster = set->group[i] };
        sides[0][i * ntargets] = NAN;
    }

    for (c = 0; c < set->ncriteria; c++) {
        judge_suggest_describe(set, c, sides, pairs, &out[c]);
    }

    tests = (judge_difference_set_t) {
        .ntargets = ntargets, .scores = { sides[0], sides[1] },
        .pairs = pairs, .npairs = set->nitems, .seed = JUDGE_SUGGEST_SEED
    };
    rc = judge_difference(arena, &tests, tested);

    for (c = 0; c < set->ncriteria && rc == JUDGE_OK; c++) {
        shift = &tested[1 + c];
        slope = &tested[1 + set->ncriteria + c];
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
