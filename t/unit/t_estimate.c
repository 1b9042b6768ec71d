/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The estimated mean of what people give: against values worked out by hand,
 * and how often its interval holds the true mean. */


#include <math.h>

#include "extensions/watch/estimate.h"
#include "tap.h"


#define T_DRAWS  4000

static uint64_t  t_state = 20231101;


/* Knuth's generator of 64 bits; 0 to 1. */

static double
t_uniform(void)
{
    t_state = t_state * 6364136223846793005u + 1442695040888963407u;

    return (double) (t_state >> 11) / 9007199254740992.0;
}


/* What a person gives, of mean 55; the judge sees some of it, and is bent and
 * moved: as far as 25 points in the mean. */

static void
t_draw(double noise, bool skewed, double *human, double *given)
{
    size_t  i;
    double  z;

    for (i = 0, z = 0; i < 12; i++) {
        z += t_uniform();
    }

    z = skewed ? pow(t_uniform(), 0.25) * 90 - 72 : (z - 6) * 15;
    *human = 55 + z;
    *given = 30 + 0.6 * (*human - 55) + (t_uniform() - 0.5) * noise;
}


static void
t_coverage(size_t n, size_t others, double noise, bool skewed, double slack)
{
    size_t                i, draw, held;
    double                human[400], given[400], y, f, width;
    judge_estimate_t      e;
    judge_estimate_sum_t  sum;

    for (draw = 0, held = 0, width = 0; draw < T_DRAWS; draw++) {
        for (i = 0; i < n; i++) {
            t_draw(noise, skewed, &human[i], &given[i]);
        }

        sum = (judge_estimate_sum_t) { .n = 0 };
        for (i = 0; i < others; i++) {
            t_draw(noise, skewed, &y, &f);
            judge_estimate_add(&sum, f);
        }

        e = judge_estimate(human, given, n, &sum);
        held += e.low <= 55 && e.high >= 55;
        width += (e.high - e.low) / T_DRAWS;
    }

    t_ok(fabs((double) held / T_DRAWS - JUDGE_ESTIMATE_COVERAGE) <= slack,
         "%zu corrections of %zu, noise %.0f%s: %.1f %% hold, %.1f wide",
         n, n + others, noise, skewed ? ", skewed" : "",
         100.0 * (double) held / T_DRAWS, width);
}


static void
test_coverage(void)
{
    size_t  k, s;

    static const size_t  sizes[][2] = {
        { 20, 50 }, { 20, 2000 }, { 50, 500 }, { 200, 100 }
    };

    for (k = 0; k < 4; k++) {
        for (s = 0; s < 2; s++) {
            t_coverage(sizes[k][0], sizes[k][1], 20, s, 0.02);
            t_coverage(sizes[k][0], sizes[k][1], 80, s, 0.02);
        }
    }

    /* Of so few it is wider than need be. */
    t_coverage(JUDGE_ESTIMATE_LEAST, 500, 20, false, 0.06);
}


static void
test_by_hand(void)
{
    size_t                i;
    judge_estimate_t      e;
    judge_estimate_sum_t  sum = { .n = 0 };
    static const double   human[] = { 40, 50, 60, 70, 80 };
    static const double   given[] = { 20, 30, 40, 50, 60 };
    static const double   flat[] = { 50, 50, 50, 50, 50 };

    e = judge_estimate(human, given, 0, &sum);
    t_ok(isnan(e.mean) && isnan(e.low), "nothing is known of no scores");

    e = judge_estimate(human, given, 5, &sum);
    t_is_near(e.mean, 60, 0.06, "all are corrected, so the mean is theirs");
    t_is_near(e.high - 60, 2.1318 * sqrt(250 / 5.0), 0.015,
              "the interval is that of Student's t");
    t_is_near(e.lambda, 0, 0,
              "the scores say nothing more when all are corrected");

    for (i = 0; i < 20; i++) {
        judge_estimate_add(&sum, i % 2 ? 20 : 60);
    }

    /* Covariance 250; squares 1000 and 8000 of 25 scores around 40. */
    e = judge_estimate(human, given, 5, &sum);
    t_is_near(e.lambda, 250 / (1.25 * 9000 / 24), 0.0005,
              "the weight of the scores is as by hand");
    t_is_near(e.mean, 60, 0.06,
              "the mean of the scores is that of the corrected");

    e = judge_estimate(human, flat, 5, &sum);
    t_is_near(e.mean, 60, 0.06, "scores that are all the same change nothing");

    e = judge_estimate(human, given, 3, &sum);
    t_ok(!isnan(e.mean) && isnan(e.low),
         "three values have a mean and no interval");

    t_is_near(judge_estimate_t90(3), 2.347, 0.002,
              "t of 3 degrees is the published one");
    t_is_near(judge_estimate_t90(18), 1.7341, 0.0017,
              "t of 18 degrees is the published one");
}


int
main(void)
{
    test_by_hand();
    test_coverage();

    return t_done();
}
