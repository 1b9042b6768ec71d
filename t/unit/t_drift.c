/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Whether scores lie otherwise than they did: by hand, and how often chance
 * alone is taken for a change. */


#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "extensions/watch/drift.h"
#include "tap.h"


static void
test_by_hand(void)
{
    double         p, q;
    judge_drift_t  d;

    memset(&d, 0, sizeof(d));
    d.bins[0][8] = 100;
    d.bins[0][12] = 100;
    d.bins[1][8] = 150;
    d.bins[1][12] = 50;
    judge_drift(&d, 1);

    /* Three bins: up to 45, up to 65, and nothing behind. */
    p = log((150.5 / 205) / (100.5 / 205)) * 50 / 205;
    q = log((50.5 / 205) / (100.5 / 205)) * -50 / 205;
    t_is_near(d.psi, p + q, 1e-6, "the stability index is as by hand");
    t_is_near(d.ks, 0.25, 1e-6, "a quarter has changed sides");
    t_is_near(d.mark, 60, 1e-6,
              "they differ so up to the last mark that shows it");
    t_is_near(d.below[1], 0.75, 1e-6,
              "the share below the mark is three quarters");
    t_is_near(d.mean[0], 52.5, 1e-6, "the mean before is as by hand");
    t_is_near(d.mean[1], 47.5, 1e-6, "the mean now is as by hand");
    t_is_int(d.verdict, JUDGE_DRIFT_STRONG, "a change of a quarter is strong");

    memset(&d, 0, sizeof(d));
    d.bins[0][8] = d.bins[1][9] = JUDGE_DRIFT_LEAST - 1;
    judge_drift(&d, 1);
    t_ok(!d.known && d.verdict == JUDGE_DRIFT_NONE,
         "one score fewer than needed says nothing");

    d.bins[0][8] = d.bins[1][9] = JUDGE_DRIFT_LEAST;
    judge_drift(&d, 1);
    t_is_int(d.verdict, JUDGE_DRIFT_STRONG,
             "as many scores as needed say that a change is strong");
}


static void
test_failed(void)
{
    const int64_t  none[] = { 10, 10 }, many[] = { 10, 300 };
    const int64_t  few[] = { 0, 4 };
    const int64_t  ended[] = { 1000, 1000 }, ended_few[] = { 1000, 30 };

    t_is_int(judge_drift_failed(none, ended, 7), JUDGE_DRIFT_NONE,
             "failures as often as before are no change");
    t_is_int(judge_drift_failed(many, ended, 7), JUDGE_DRIFT_STRONG,
             "many more failures are a strong change");
    t_is_int(judge_drift_failed(few, ended_few, 7), JUDGE_DRIFT_SOME,
             "a few failures where none were before are some change");
}


/* The same scores, some of them moved by a bin. */

static size_t
t_found(int64_t n, double moved, judge_drift_e least)
{
    size_t           draw, found, bin, k, i;
    int64_t          s;
    uint64_t         x = 20260101;
    judge_drift_t    d;

    for (draw = 0, found = 0; draw < 1000; draw++) {
        memset(&d, 0, sizeof(d));

        for (s = 0; s < 8 * n; s++) {
            k = s < n;
            for (i = 0, bin = 0; i < 6; i++) {
                x = x * 6364136223846793005u + 1442695040888963407u;
                bin += (size_t) (x >> 33) % 4;
            }
            x = x * 6364136223846793005u + 1442695040888963407u;
            bin += k && (double) (x >> 33) / 2147483648.0 < moved ? 3 : 0;
            d.bins[k][bin < JUDGE_DRIFT_BINS ? bin : JUDGE_DRIFT_BINS - 1]++;
        }

        judge_drift(&d, 1);
        found += d.verdict >= least;
    }

    return found;
}


static void
test_chance(void)
{
    size_t   found, k;
    int64_t  sizes[] = { 30, 100, 1000 };

    for (k = 0; k < 3; k++) {
        found = t_found(sizes[k], 0, JUDGE_DRIFT_SOME);
        t_ok(found < 25, "of %d scores chance makes %zu of 1000 drift",
             (int) sizes[k], found);
    }

    found = t_found(200, 0.8, JUDGE_DRIFT_STRONG);
    t_ok(found > 950, "what has moved is found %zu times", found);
}


/* Seven scores of each text, looked at every hour of a week: a day of 24
 * batches against the one before it. */

static void
test_looks(void)
{
    bool           found;
    size_t         week, look, t, k, i, drifted;
    uint64_t       x = 20260102;
    judge_drift_t  d;

    static uint8_t  bins[7][48 + 168][10];

    for (week = 0, drifted = 0; week < 40; week++) {
        for (t = 0, i = 0; i < sizeof(bins); i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            ((uint8_t *) bins)[i] = (uint8_t) ((x >> 33) % 16);
        }

        for (look = 0, found = false; look < 168; look++) {
            for (t = 0; t < 7; t++) {
                memset(&d, 0, sizeof(d));
                for (k = 0; k < 48; k++) {
                    for (i = 0; i < 10; i++) {
                        d.bins[k >= 24][bins[t][look + k][i]]++;
                    }
                }
                judge_drift(&d, 7);
                found = found || d.verdict > JUDGE_DRIFT_NONE;
            }
        }
        drifted += found;
    }

    t_ok(drifted <= 2, "of forty weeks in which nothing changed %zu have"
         " drift of some of seven scores in some hour", drifted);
}


int
main(void)
{
    test_by_hand();
    test_failed();
    test_chance();
    test_looks();

    return t_done();
}
