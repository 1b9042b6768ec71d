/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Which criteria people and a judge read differently: how often one is named
 * where there is nothing, and where there is something. */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "extensions/suggest/suggest.h"
#include "tap.h"


#define T_SETS      200
#define T_ITEMS     40
#define T_CRITERIA  3

typedef struct {
    float                        people[T_ITEMS * T_CRITERIA];
    float                        given[T_ITEMS * T_CRITERIA];
    uint32_t                     group[T_ITEMS];
    judge_suggest_difference_t   out[T_CRITERIA];
} t_world_t;

static t_world_t  t_world;


static double
t_uniform(uint64_t *random)
{
    return (double) (judge_mix_next(random) >> 11) / 9007199254740992.0;
}


/* People give `shift` more, and `slope` for each point of the judge, by chance
 * up to 18 more or less; two texts each have one source. */

static void
t_fill(uint64_t seed, double shift, double slope, size_t n)
{
    size_t    i, c, at;
    double    g;
    uint64_t  random = judge_mix(seed);

    for (i = 0; i < n; i++) {
        t_world.group[i] = (uint32_t) (i / 2);

        for (c = 0; c < T_CRITERIA; c++) {
            at = i * T_CRITERIA + c;
            g = 30 + 40 * t_uniform(&random);
            t_world.given[at] = (float) g;
            t_world.people[at] = (float)
                (g + (c ? 0 : shift + (slope - 1) * (g - 50))
                 + 36 * (t_uniform(&random) - 0.5));
        }
    }
}


static void
t_compare(size_t n)
{
    judge_arena_t        *arena = judge_arena_create(65536);
    judge_suggest_set_t   set = { .nitems = n, .ncriteria = T_CRITERIA,
                                  .width = T_CRITERIA,
                                  .people = t_world.people,
                                  .given = t_world.given,
                                  .group = t_world.group };

    if (arena == NULL
        || judge_suggest_differences(arena, &set, t_world.out) != JUDGE_OK)
    {
        t_ok(false, "differences can be computed");
    }

    judge_arena_destroy(arena);
}


/* How many of the sets have a criterion that is named; and that is the
 * first. */

static size_t
t_named(double shift, double slope, bool first)
{
    size_t  k, most, named;

    for (k = 0, named = 0; k < T_SETS; k++) {
        t_fill(k, shift, slope, T_ITEMS);
        t_compare(T_ITEMS);
        most = judge_suggest_most(t_world.out, T_CRITERIA);
        named += first ? most == 0 : most < T_CRITERIA;
    }

    return named;
}


static void
test_rates(void)
{
    size_t  n;

    n = t_named(0, 1, false);
    t_ok(n <= T_SETS / 10,
         "where both read alike a criterion is named in %zu of %d sets", n,
         T_SETS);
    n = t_named(9, 1, true);
    t_ok(n >= T_SETS * 9 / 10,
         "where people give nine points more it is named in %zu sets", n);
    n = t_named(0, -0.2, true);
    t_ok(n >= T_SETS * 9 / 10,
         "where people have another order it is named in %zu sets", n);
}


static void
test_bounds(void)
{
    size_t                             i;
    const judge_suggest_difference_t  *d = t_world.out;

    t_fill(1, 20, 1, 16);
    t_compare(16);
    t_ok(d->groups == 8 && !d->differs && d->p_shift < 0.05,
         "eight sources are too few, whatever they say");

    t_fill(1, 20, 1, T_ITEMS);
    for (i = 0; i < T_ITEMS; i++) {
        t_world.people[i * T_CRITERIA + 1] = NAN;
        t_world.given[i * T_CRITERIA + 2] = NAN;
    }
    t_compare(T_ITEMS);
    t_ok(d->differs && d->n == T_ITEMS && d[1].n == 0 && d[2].n == 0
         && !d[1].differs && !d[2].differs,
         "scores of one side only do not count");
    t_ok(d->nworst == JUDGE_SUGGEST_WORST
         && fabsf(t_world.people[d->worst[0] * T_CRITERIA]
                  - t_world.given[d->worst[0] * T_CRITERIA])
            >= fabsf(t_world.people[d->worst[4] * T_CRITERIA]
                     - t_world.given[d->worst[4] * T_CRITERIA]),
         "the farthest texts are named, the farthest first");

    for (i = 0; i < T_ITEMS * T_CRITERIA; i++) {
        t_world.people[i] = t_world.given[i] = 50;
    }
    t_compare(T_ITEMS);
    t_ok(!d->differs && isnan(d->slope) && d->nworst == 0,
         "one score for all has no slope");

    t_compare(0);
    t_ok(!d->differs && d->n == 0, "a comparison of nothing names nothing");
}


static void
test_levels(void)
{
    int64_t  k;
    double   sum;

    for (k = 0, sum = 0; k < 100000; k++) {
        sum += judge_suggest_level(k) / 2;
    }

    t_ok(sum > 0.0499 && sum <= JUDGE_SUGGEST_CHANCE,
         "however many wordings are tried, one in twenty at most is offered"
         " by chance");
}


int
main(void)
{
    test_rates();
    test_bounds();
    test_levels();

    return t_done();
}
