/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Intervals that are looked at while they grow: by hand, and how often the
 * true mean leaves them at any look. */


#include <math.h>

#include "extensions/watch/estimate.h"
#include "tap.h"


#define T_DRAWS  400
#define T_LOOKS  3000

static uint64_t  t_state = 20210306;


/* Knuth's generator of 64 bits; 0 to 1. */

static double
t_uniform(void)
{
    t_state = t_state * 6364136223846793005u + 1442695040888963407u;

    return ((double) (t_state >> 11) + 0.5) / 9007199254740992.0;
}


/* Of mean 0: even, skewed, or of two values of which one is rare. */

static double
t_draw(int kind)
{
    double  z;

    z = sqrt(-2 * log(t_uniform())) * cos(2 * acos(-1) * t_uniform());

    return kind == 0 ? z
           : kind == 1 ? exp(z) - exp(0.5)
           : t_uniform() < 0.9 ? -1 : 9;
}


static void
t_watch(int kind, double least, const char *name)
{
    size_t                i, draw, held, once;
    double                half;
    bool                  inside, once_inside;
    judge_interval_t      v;
    judge_estimate_sum_t  sum;

    for (draw = 0, held = 0, once = 0; draw < T_DRAWS; draw++) {
        sum = (judge_estimate_sum_t) { .n = 0 };
        inside = once_inside = true;

        for (i = 0; i < T_LOOKS; i++) {
            judge_estimate_add(&sum, t_draw(kind));
            v = judge_sequence_mean(&sum);
            inside = inside && !(v.low > 0 || v.high < 0);
            half = 1.6449 * sqrt(sum.squares / (double) i / (double) sum.n);
            once_inside = once_inside && (isnan(v.low)
                                          || fabs(sum.mean) <= half);
        }

        held += inside;
        once += once_inside;
    }

    t_ok((double) held / T_DRAWS >= least
         && (double) once / T_DRAWS < least - 0.4,
         "%s: %.1f %% hold at all looks, of those of one look %.1f", name,
         100.0 * (double) held / T_DRAWS, 100.0 * (double) once / T_DRAWS);
}


static void
test_mean(void)
{
    size_t                i, needed;
    judge_interval_t      v;
    judge_estimate_sum_t  sum = { .n = 0 };

    for (i = 0; i < 29; i++) {
        judge_estimate_add(&sum, i % 2 ? 12 : -8);
    }

    t_ok(isnan(judge_sequence_mean(&sum).low),
         "29 values are too few for an interval");
    t_ok(judge_sequence_needed(&sum, 1) == 0,
         "29 values are too few to say how many it takes");

    for (/* void */; i < 1000; i++) {
        judge_estimate_add(&sum, i % 2 ? 12 : -8);
    }

    /* 10 sqrt(2 * 7.33 / (1000 * 6.33) * ln(sqrt(7.33) / 0.1)) */
    v = judge_sequence_mean(&sum);
    t_ok(fabs(v.high - sum.mean - 0.8745) < 0.001
         && fabs(sum.mean - v.low - 0.8745) < 0.001,
         "the interval of 1,000 values is the one by hand: %.4f",
         v.high - sum.mean);

    needed = judge_sequence_needed(&sum, 1);
    t_ok(needed > 700 && needed < 800,
         "an interval of a point takes %zu values", needed);
    t_ok(judge_sequence_needed(&sum, 0.5) > 2 * needed,
         "an interval of half a point takes more than twice as many");
}


static void
test_share(void)
{
    judge_interval_t  v;

    v = judge_wilson_share(0, 0);
    t_ok(isnan(v.low) && isnan(v.high), "a share of nothing has no interval");

    v = judge_wilson_share(0, 10);
    t_ok(fabs(v.low) < 1e-12 && fabs(v.high - 0.2129) < 0.0001,
         "the interval of none of ten ends at %.4f", v.high);

    v = judge_wilson_share(5, 100);
    t_ok(fabs(v.low - 0.0244) < 0.0005 && fabs(v.high - 0.0996) < 0.0005,
         "the interval of five of a hundred is %.4f to %.4f", v.low, v.high);

    v = judge_wilson_share(10, 10);
    t_ok(fabs(v.high - 1) < 1e-12, "the interval of all of ten ends at 1");
}


int
main(void)
{
    test_mean();
    test_share();
    t_watch(0, 0.88, "even");
    t_watch(1, 0.80, "skewed");
    t_watch(2, 0.80, "a tenth differs");

    return t_done();
}
