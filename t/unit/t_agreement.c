/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Measures of agreement against values worked out by hand or by known
 * formulas, and their intervals. */


#include <math.h>

#include "analysis/learning/agreement.h"
#include "tap.h"


#define T_ITEMS  200
#define T_MANY  2000                   /* so many are drawn by groups */
#define T_PAIRS  72100.0  /* squares, of the ten scores below */


static void
test_measures(judge_arena_t *arena)
{
    judge_agreement_t      out[2];
    judge_agreement_set_t  set;
    static const float  human[] = { 10, 20, 30, 40, 90, NAN };
    static const float  said[] = { 20, 20, 10, 50, 80, 5 };
    static const double pass[] = { 50 };

    set = (judge_agreement_set_t) { .nitems = 6, .ntargets = 1, .nmean = 1,
                                .human = human, .pred = said, .pass = pass };
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "five pairs of scores can be compared");
    t_is_int((int64_t) out[0].n, 5,
             "a score that people did not give does not count");

    /* Squares of 10, 0, 20, 10, 10. */
    t_is_near(out[0].pred[JUDGE_AGREEMENT_RMSE].value, sqrt(700 / 5.0), 1e-6,
              "the rmse is the root of the mean square");
    t_is_near(out[0].bias, -2, 1e-6, "the bias is the mean difference");

    /* Deviations from 38 and 36. */
    t_is_near(out[0].pred[JUDGE_AGREEMENT_PEARSON].value,
              3260 / sqrt(3880.0 * 3320), 1e-6,
              "pearson's correlation is as by hand");

    /* Ranks 1 2 3 4 5 and 2.5 2.5 1 4 5. */
    t_is_near(out[0].pred[JUDGE_AGREEMENT_SPEARMAN].value,
              6.5 / sqrt(10 * 9.5), 1e-6,
              "spearman's correlation is as by hand, with a tie");

    /* Classes 1 2 3 4 9 and 2 2 1 5 8: squares of 7 in all, and of 361 over
     * all 25 pairs. */
    t_is_near(out[0].pred[JUDGE_AGREEMENT_KAPPA].value, 1 - 7 / (361 / 5.0),
              1e-6, "weighted kappa is as by hand");

    /* The same by all pairs: mean square of the scores of an item, 700 / 5,
     * over that of any two scores, of 45 pairs. */
    t_is_near(out[0].pred[JUDGE_AGREEMENT_ALPHA].value,
              1 - 700 / 5.0 / (T_PAIRS / 45.0), 1e-6,
              "krippendorff's alpha is as by hand");

    /* Passed by people: 90; by us: 50, 80. */
    t_is_near(out[0].pred[JUDGE_AGREEMENT_F1].value, 2.0 / 3, 1e-6,
              "f1 is as by hand");
    t_is_near(out[0].pred[JUDGE_AGREEMENT_NEAR].value, 0.8, 1e-6,
              "four of five scores are within ten points");
    t_is_near(out[1].pred[JUDGE_AGREEMENT_RMSE].value,
              out[0].pred[JUDGE_AGREEMENT_RMSE].value, 1e-6,
              "the mean over one target is that of the target");
    t_ok(isnan(out[0].gain[JUDGE_AGREEMENT_RMSE].value),
         "there is no gain without earlier scores");
}


static void
test_nothing(judge_arena_t *arena)
{
    size_t                 i;
    judge_agreement_t      out[3];
    judge_agreement_set_t  set;
    static const float     human[] = { 50, NAN, 50, NAN, 50, NAN, 50, NAN };
    static const float     said[] = { 50, 1, 50, 1, 50, 1, 50, 1 };
    static const double pass[] = { 60, 60 };

    set = (judge_agreement_set_t) { .nitems = 4, .ntargets = 2, .nmean = 2,
                                .human = human, .pred = said, .before = said,
                                .pass = pass };
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "equal scores can be compared");
    t_is_near(out[0].pred[JUDGE_AGREEMENT_RMSE].value, 0, 1e-6,
              "equal scores have no error");
    t_ok(isnan(out[0].pred[JUDGE_AGREEMENT_PEARSON].value)
         && isnan(out[0].pred[JUDGE_AGREEMENT_SPEARMAN].value)
         && isnan(out[0].pred[JUDGE_AGREEMENT_KAPPA].value),
         "equal scores have no order");
    t_ok(isnan(out[0].pred[JUDGE_AGREEMENT_F1].value)
         && isnan(out[0].pred[JUDGE_AGREEMENT_F1].low),
         "f1 is not known where nothing passes");
    t_is_near(out[0].gain[JUDGE_AGREEMENT_RMSE].value, 0, 1e-6,
              "there is no gain over the same scores");

    for (i = 0; i < JUDGE_AGREEMENT_COUNT; i++) {
        t_ok(isnan(out[1].pred[i].value), "%s of nothing is not known",
             judge_agreement_names[i]);
    }

    set.nitems = 1;
    set.pred = (const float[]) { 90, 1 };
    set.human = (const float[]) { 80, NAN };
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "a single item can be compared");
    t_ok(isnan(out[0].pred[JUDGE_AGREEMENT_KAPPA].value)
         && isnan(out[0].pred[JUDGE_AGREEMENT_ALPHA].value)
         && isnan(out[0].pred[JUDGE_AGREEMENT_F1].value),
         "a single item shows no agreement");
    t_is_near(out[0].pred[JUDGE_AGREEMENT_RMSE].value, 10, 1e-6,
              "a single item has an error");

    set.nitems = 0;
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "no items at all can be compared");
    t_ok(isnan(out[2].pred[JUDGE_AGREEMENT_RMSE].value),
         "there is no mean of nothing");
}


/* People's scores and two guesses, one of which is better by far. */

static void
fill(float *human, float *good, float *bad, uint8_t *model, size_t n)
{
    size_t    i;
    uint32_t  x;

    for (i = 0, x = 1; i < n; i++) {
        x = x * 1664525u + 1013904223u;
        human[i] = (float) (x >> 8 & 0xffff) / 65536 * 100;
        x = x * 1664525u + 1013904223u;
        good[i] = human[i] * 0.9f + (float) (x >> 8 & 0xffff) / 3855.0f;
        x = x * 1664525u + 1013904223u;
        bad[i] = human[i] * 0.5f + (float) (x >> 8 & 0xffff) / 1310.7f;
        model[i] = i % 4;
    }
}


static void
test_intervals(judge_arena_t *arena)
{
    size_t                 i;
    uint8_t                model[T_ITEMS];
    float                  human[T_ITEMS], good[T_ITEMS], bad[T_ITEMS];
    judge_agreement_t      out[2], again[2];
    judge_agreement_set_t  set;
    const double           pass[] = { 50 };

    fill(human, good, bad, model, T_ITEMS);
    set = (judge_agreement_set_t) {
        .nitems = T_ITEMS, .ntargets = 1, .nmean = 1, .human = human,
        .pred = good, .before = bad, .pass = pass
    };

    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "200 items can be compared with their intervals");
    t_is_int(judge_agreement(arena, &set, again), JUDGE_OK,
             "200 items can be compared a second time");

    for (i = 0; i < JUDGE_AGREEMENT_COUNT; i++) {
        t_ok(out[0].pred[i].low <= out[0].pred[i].value
             && out[0].pred[i].value <= out[0].pred[i].high
             && out[0].pred[i].low < out[0].pred[i].high,
             "%s lies within its interval", judge_agreement_names[i]);
        t_ok(out[0].gain[i].low > 0, "%s is better beyond doubt",
             judge_agreement_names[i]);
        t_ok(out[0].gain[i].low == again[0].gain[i].low
             && out[0].gain[i].high == again[0].gain[i].high,
             "the interval of %s is the same a second time",
             judge_agreement_names[i]);
    }

    set.pred = bad;
    set.before = good;
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "the worse scores can be compared with the better");
    t_ok(out[0].gain[JUDGE_AGREEMENT_RMSE].high < 0,
         "the gain of the worse scores is below 0 beyond doubt");

    /* The mean's error of 200 evenly spread differences: known to 5 %. */
    t_ok(out[0].before[JUDGE_AGREEMENT_RMSE].high
         - out[0].before[JUDGE_AGREEMENT_RMSE].low
         < 0.4 * out[0].before[JUDGE_AGREEMENT_RMSE].value,
         "the interval is no wider than it should be");
}


/* The error of a mean shrinks with the root of how many there are, whether
 * they are drawn one by one or by groups. */

static void
test_groups(judge_arena_t *arena)
{
    size_t                 i;
    double                 few, ratio;
    uint8_t                model[T_MANY];
    float                  human[T_MANY], good[T_MANY], bad[T_MANY];
    judge_agreement_t      out[2];
    judge_agreement_set_t  set;
    const double           pass[] = { 50 };

    fill(human, good, bad, model, T_MANY);
    set = (judge_agreement_set_t) {
        .nitems = T_ITEMS, .ntargets = 1, .nmean = 1, .human = human,
        .pred = good, .pass = pass
    };
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "200 items can be compared by groups");

    for (i = 0; i < JUDGE_AGREEMENT_COUNT; i++) {
        few = out[0].pred[i].high - out[0].pred[i].low;
        set.nitems = T_MANY;
        (void) judge_agreement(arena, &set, out);
        ratio = (out[0].pred[i].high - out[0].pred[i].low) / few
                * sqrt((double) T_MANY / T_ITEMS);
        t_ok(ratio > 0.6 && ratio < 1.5, "%s: the interval of 2,000 is as"
             " wide as it should be: %.2f", judge_agreement_names[i], ratio);
        set.nitems = T_ITEMS;
        (void) judge_agreement(arena, &set, out);
    }
}


/* Ten answers to each of twenty questions that are all judged alike say no
 * more than twenty answers. */

static void
test_clusters(judge_arena_t *arena)
{
    size_t                 i, m;
    double                 items, groups;
    uint8_t                model[T_ITEMS];
    uint32_t               group[T_ITEMS];
    float                  human[T_ITEMS], good[T_ITEMS], bad[T_ITEMS];
    judge_agreement_t      out[2];
    judge_agreement_set_t  set;
    const double           pass[] = { 50 };

    fill(human, good, bad, model, T_ITEMS);

    for (i = 0; i < T_ITEMS; i++) {
        human[i] = human[i % 20];
        good[i] = good[i % 20];
        group[i] = (uint32_t) (i % 20) * 2654435761u;
    }

    set = (judge_agreement_set_t) {
        .nitems = T_ITEMS, .ntargets = 1, .nmean = 1, .human = human,
        .pred = good, .pass = pass
    };

    for (m = 0; m < JUDGE_AGREEMENT_COUNT; m++) {
        set.group = NULL;
        (void) judge_agreement(arena, &set, out);
        items = out[0].pred[m].high - out[0].pred[m].low;
        set.group = group;
        (void) judge_agreement(arena, &set, out);
        groups = out[0].pred[m].high - out[0].pred[m].low;
        t_ok(groups > 2 * items, "%s: an interval over twenty groups is wider"
             " than one over the items in them: %.3f, %.3f",
             judge_agreement_names[m], groups, items);
    }

    for (i = 0; i < T_ITEMS; i++) {
        group[i] = 7;
    }

    (void) judge_agreement(arena, &set, out);
    t_ok(isnan(out[0].pred[JUDGE_AGREEMENT_RMSE].low),
         "a single group has no interval");
}


/* Each model is right about its own items' order, but off by some points. */

static void
test_models(judge_arena_t *arena)
{
    size_t                 i;
    uint8_t                model[T_ITEMS];
    float                  human[T_ITEMS], good[T_ITEMS], bad[T_ITEMS];
    judge_agreement_t      out[2];
    judge_agreement_set_t  set;
    const double           pass[] = { 50 };

    fill(human, good, bad, model, T_ITEMS);
    for (i = 0; i < T_ITEMS; i++) {
        good[i] = human[i] / 2 + (float) model[i] * 15;
    }

    set = (judge_agreement_set_t) { .nitems = T_ITEMS, .ntargets = 1,
                                    .nmean = 1,
                                .human = human, .pred = good, .pass = pass };
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "the scores of four models can be compared as if of one");
    t_ok(out[0].pred[JUDGE_AGREEMENT_SPEARMAN].value < 0.9,
         "the order of scores as if of one model is not the people's");

    set.model = model;
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "the scores of four models can be compared each by its own");
    t_is_near(out[0].pred[JUDGE_AGREEMENT_SPEARMAN].value, 1, 1e-6,
              "the order within each model is the people's");
}


/* The example of Krippendorff, "Computing Krippendorff's Alpha-Reliability",
 * 2011: four observers, twelve units, some of them not seen by all. */

static void
test_alpha(judge_arena_t *arena)
{
    size_t                 i, k;
    double                 v;
    judge_agreement_t      out[2];
    judge_agreement_set_t  set;
    judge_ratings_t        ratings[12] = { { 0 } };
    float                  scores[12];
    static const double    pass[] = { 50 };
    static const char     *const  seen[] = {
        "123321412...", "1233224125.3", ".3332342251.", "12332441251."
    };

    for (i = 0; i < 12; i++) {
        scores[i] = (float) i;

        for (k = 0; k < 4; k++) {
            v = seen[k][i] - '0';
            if (v >= 1 && v <= 5) {
                ratings[i].n++;
                ratings[i].sum += v;
                ratings[i].squares += v * v;
            }
        }
    }

    set = (judge_agreement_set_t) {
        .nitems = 12, .ntargets = 1, .nmean = 1, .human = scores,
        .pred = scores, .pass = pass, .ratings = ratings
    };
    t_is_int(judge_agreement(arena, &set, out), JUDGE_OK,
             "ratings of four observers can be compared");

    v = out[0].pred[JUDGE_AGREEMENT_ALPHA].value;
    t_ok(fabs(v - 0.849) < 0.0005,
         "alpha of the published example is 0.849: %.4f", v);
    t_ok(out[0].pred[JUDGE_AGREEMENT_ALPHA].low < v
         && out[0].pred[JUDGE_AGREEMENT_ALPHA].high > v,
         "alpha of the published example lies within its interval");
}


int
main(void)
{
    judge_arena_t  *arena;

    arena = judge_arena_create(65536);

    test_measures(arena);
    test_nothing(arena);
    test_intervals(arena);
    test_groups(arena);
    test_clusters(arena);
    test_models(arena);
    test_alpha(arena);

    judge_arena_destroy(arena);

    return t_done();
}
