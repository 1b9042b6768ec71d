/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The difference of two batches: against values that a script counted or
 * integrated on its own, with fractions and without this code. */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/learning/difference.h"
#include "tap.h"


#define T_ITEMS    5000
#define T_TARGETS  8

typedef struct {
    float                    scores[2][T_ITEMS];
    judge_difference_pair_t  pairs[T_ITEMS];
    judge_difference_t       out[T_TARGETS];
} t_set_t;

static t_set_t  t_set;


static const judge_difference_t *
t_differ(size_t nitems, size_t ntargets, uint64_t seed)
{
    judge_arena_t           *arena = judge_arena_create(4096);
    judge_difference_set_t   set = {
        .npairs = nitems, .ntargets = ntargets, .pairs = t_set.pairs,
        .scores = { t_set.scores[0], t_set.scores[1] }, .seed = seed
    };

    t_ok(arena && judge_difference(arena, &set, t_set.out) == JUDGE_OK,
         "two batches can be compared");
    judge_arena_destroy(arena);

    return t_set.out;
}


static void
t_fill(const float *here, const float *there, size_t n)
{
    size_t  i;

    for (i = 0; i < n; i++) {
        t_set.scores[0][i] = here[i];
        t_set.scores[1][i] = there[i];
        t_set.pairs[i] = (judge_difference_pair_t) {
            .places = { i, i }, .cluster = i
        };
    }
}


/* Of all 4096 choices of signs 148 are as far from 0: p = .036, with Student's
 * paired test .034.  Welch's test, which does not know the pairs, has .149. */

static void
test_paired(void)
{
    const judge_difference_t  *d;

    static const float  here[] = { 66, 69, 72, 62, 59, 71, 75, 83, 73, 63, 68,
                                   76 };
    static const float  there[] = { 64, 60, 75, 54, 56, 61, 56, 72, 78, 53, 67,
                                    80 };

    t_fill(here, there, 12);
    d = t_differ(12, 1, 1);
    t_is_int((int64_t) d->n, 12, "all twelve pairs are compared");
    t_is_near(d->mean[0], 837 / 12.0, 1e-9,
              "the mean here is that of its scores");
    t_is_near(d->mean[1], 776 / 12.0, 1e-9,
              "the mean there is that of its scores");
    t_is_near(d->difference, 61 / 12.0, 1e-9,
              "the difference is that of the means");
    t_is_near(d->better, 9 / 12.0, 1e-9, "nine of twelve are better");
    t_is_near(d->worse, 3 / 12.0, 1e-9, "three of twelve are worse");
    t_is_near(d->p, 148 / 4096.0, 1e-9, "the p-value is that of all signs");

    /* Student's interval is 0.464 to 9.703. */
    t_is_near(d->low, 0.464, 0.35, "the interval begins near Student's");
    t_is_near(d->high, 9.703, 0.35, "the interval ends near Student's");
    t_is_str(judge_str_c(judge_difference_verdict(d)), "better",
             "the verdict on a batch that wins by its interval is \"better\"");
}


/* The same two sides the other way round are the mirror image. */

static void
test_mirror(void)
{
    float               kept[12];
    judge_difference_t  before = t_set.out[0];

    memcpy(kept, t_set.scores[0], sizeof(kept));
    memcpy(t_set.scores[0], t_set.scores[1], sizeof(kept));
    memcpy(t_set.scores[1], kept, sizeof(kept));

    t_differ(12, 1, 1);
    t_is_near(t_set.out[0].low, -before.high, 1e-9,
              "the lower end is the former upper one");
    t_is_near(t_set.out[0].p, before.p, 1e-9,
              "the p-value is the same the other way round");
    t_is_str(judge_str_c(judge_difference_verdict(t_set.out)), "worse",
             "the verdict on the two sides exchanged is \"worse\"");

    before = t_set.out[0];
    t_differ(12, 1, 1);
    t_ok(memcmp(&before, &t_set.out[0], sizeof(before)) == 0,
         "the same seed gives the same figures");
}


/* Six items in three clusters: of 8 choices of signs 2 are as far. */

static void
test_clusters(void)
{
    size_t                     i;
    const judge_difference_t  *d;

    static const float  here[] = { 60, 62, 64, 66, 68, 70 };
    static const float  there[] = { 50, 50, 50, 50, 50, 50 };

    t_fill(here, there, 6);
    d = t_differ(6, 1, 1);
    t_is_near(d->p, 2 / 64.0, 1e-9,
              "the p-value of six items is that of all signs");
    t_is_int((int64_t) d->clusters, 6,
             "six items by themselves are six clusters");

    for (i = 0; i < 6; i++) {
        t_set.pairs[i].cluster = i / 2;
    }

    d = t_differ(6, 1, 1);
    t_is_near(d->p, 2 / 8.0, 1e-9, "three clusters decide nothing");
    t_is_int((int64_t) d->clusters, 3,
             "the six items are three clusters by their numbers");
    t_ok(isnan(d->low), "three clusters are too few for an interval");
    t_is_str(judge_str_c(judge_difference_verdict(d)), "undecided",
             "the verdict is \"undecided\" without an interval");
}


/* Many clusters of four, in no order, some +4 and some -2, against the closed
 * form: the standard error of the mean is 3 / sqrt(1000). */

static double
t_many(float up, float down)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < 4000; i++) {
        t_set.pairs[i] = (judge_difference_pair_t) {
            .places = { i, i }, .cluster = i / 4
        };
        t_set.scores[1][i] = 50;
        t_set.scores[0][i] = 50 + (judge_mix(i / 4) & 1 ? up : down);
        sum += (double) t_set.scores[0][i] - 50;
    }

    return sum / 4000;
}


static void
test_many(void)
{
    double                     mean;
    const judge_difference_t  *d;

    mean = t_many(4, -2);
    d = t_differ(4000, 1, 9);
    t_is_int((int64_t) d->clusters, JUDGE_DIFFERENCE_UNITS,
             "many clusters are joined to blocks");
    t_is_near(d->difference, mean, 1e-9,
              "the difference of many is their mean");
    t_is_near(d->low, mean - 1.96 * 3 / sqrt(1000), 0.03,
              "the interval of many begins as the closed form");
    t_is_near(d->high, mean + 1.96 * 3 / sqrt(1000), 0.03,
              "the interval of many ends as the closed form");
    t_is_near(d->p, 1 / 5000.0, 1e-9, "no random sign is as far");

    mean = t_many(3.1F, -2.9F);
    d = t_differ(4000, 1, 9);
    t_is_near(d->p, erfc(fabs(mean) / (3 / sqrt(1000)) / sqrt(2)), 0.03,
              "the p-value is that of random signs");
}


/* Of six p-values two are 2/64, one is 6/64, by Holm 12/64 and 24/64; two
 * criteria are not judged here, or nowhere. */

static void
test_criteria(void)
{
    size_t                     i, t;
    const judge_difference_t  *d;

    static const float  by[6][T_TARGETS] = {
        { 9, 1, 1, 1, 9, NAN, NAN, 0 }, { 9, 2, 2, -1, 9, 1, NAN, 0 },
        { 9, 3, 3, 2, 9, 1, NAN, 0 }, { 9, 4, 4, -2, 9, 1, NAN, 0 },
        { 9, 5, 5, 3, 9, 1, NAN, 0 }, { 9, 6, -1, -3, 9, NAN, NAN, 0 }
    };

    for (i = 0; i < 6; i++) {
        t_set.pairs[i].cluster = i;
        for (t = 0; t < T_TARGETS; t++) {
            t_set.scores[0][i * T_TARGETS + t] = 50 + by[i][t];
            t_set.scores[1][i * T_TARGETS + t] = 50;
        }
    }

    d = t_differ(6, T_TARGETS, 3);
    t_is_near(d[0].adjusted, 2 / 64.0, 1e-9, "the overall score stands alone");
    t_is_near(d[1].adjusted, 12 / 64.0, 1e-9,
              "the least of six p-values counts sixfold");
    t_is_near(d[4].adjusted, 12 / 64.0, 1e-9,
              "an equal p-value counts no less");
    t_is_near(d[2].p, 6 / 64.0, 1e-9, "the third p-value is as by hand");
    t_is_near(d[2].adjusted, 24 / 64.0, 1e-9,
              "the third p-value counts fourfold");
    t_is_near(d[3].adjusted, 1, 1e-9, "no p-value is above 1");
    t_is_int((int64_t) d[5].n, 4,
             "items of which one side is not judged are not compared");
    t_is_int((int64_t) d[5].missing[0], 2, "two items are not judged here");
    t_is_int((int64_t) d[5].missing[1], 0, "no item is left unjudged there");
    t_is_int((int64_t) d[6].n, 0,
             "a criterion that is never judged has no pairs");
    t_ok(isnan(d[6].p) && isnan(d[6].difference) && isnan(d[6].adjusted),
         "a criterion that is never judged is not compared");
    t_is_near(d[7].p, 1, 1e-9, "equal scores have a p-value of 1");
    t_ok(d[7].low == 0 && d[7].high == 0 && d[7].better == 0,
         "equal scores differ by nothing");
    t_is_str(judge_str_c(judge_difference_verdict(&d[7])), "undecided",
             "the verdict on equal scores is \"undecided\"");
}


static void
test_few(void)
{
    const judge_difference_t  *d;

    d = t_differ(0, 1, 1);
    t_ok(d->n == 0 && isnan(d->p) && isnan(d->mean[0]),
         "a comparison of no items has no numbers");
    t_is_str(judge_str_c(judge_difference_verdict(d)), "undecided",
             "the verdict on no items is \"undecided\"");

    t_set.scores[0][0] = 90;
    t_set.scores[1][0] = 10;
    d = t_differ(1, 1, 1);
    t_is_near(d->p, 1, 1e-9, "one item decides nothing");
    t_is_near(d->difference, 80, 1e-9, "one item has a difference");
    t_ok(isnan(d->low), "one item has no interval");
}


int
main(void)
{
    test_paired();
    test_mirror();
    test_clusters();
    test_many();
    test_criteria();
    test_few();

    return t_done();
}
