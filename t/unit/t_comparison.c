/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Who is the best of some candidates, and how strong systems are: against
 * values that a script integrated or solved on its own. */


#include <math.h>
#include <string.h>

#include "base/core/hash.h"
#include "extensions/compare/comparison.h"
#include "tap.h"


#define T_ITEMS  1200

static double                   t_scores[T_ITEMS * 3];
static judge_difference_pair_t  t_order[T_ITEMS];


static void
t_verdict(const judge_comparison_t *c, const char *verdict, const char *reason,
    const char *name)
{
    t_ok(strcmp(c->verdict, verdict) == 0
         && (reason ? c->reason && strcmp(c->reason, reason) == 0
                    : c->reason == NULL),
         "%s: the verdict is %s, the reason %s", name, c->verdict,
         c->reason ? c->reason : "no reason");
}


static void
t_candidates(void)
{
    judge_candidate_t   c[4] = { { 60, 10, 0 }, { 72, 8, 1 }, { 70, 9, 2 },
                                 { 72, 0, 3 } };
    judge_comparison_t  out;

    judge_comparison(c, 2, 0.8, &out);
    t_verdict(&out, "decided", NULL, "two that lie apart");
    t_is_near(out.probability, 0.82564, 1e-4, "the integral of two is Phi");
    t_is_near(out.best[0], 0.17436, 1e-4,
              "the other of two has the rest of the probability");
    t_is_near(out.difference, 12, 1e-9,
              "the difference of two is that of their scores");
    judge_comparison(c, 2, 0.83, &out);
    t_verdict(&out, "undecided", "close", "two by more certainty");

    judge_comparison(c, 3, 0.8, &out);
    t_is_near(out.best[0], 0.09592, 1e-4,
              "the first of three has its integral");
    t_is_near(out.best[1], 0.51085, 1e-4,
              "the second of three has its integral");
    t_is_near(out.best[2], 0.39323, 1e-4,
              "the third of three has its integral");

    c[2].same = 1;
    judge_comparison(c, 3, 0.7, &out);
    t_verdict(&out, "tie", "equal_text", "the best ones are the same text");
    t_is_near(out.difference, 11, 1e-9, "equal texts have their mean score");
    t_is_near(out.best[2], out.best[1], 0, "equal texts have one probability");

    c[2].score = NAN;
    judge_comparison(c, 3, 0.7, &out);
    t_verdict(&out, "undecided", "not_judged", "one without a score");
    t_ok(isnan(out.probability),
         "an item with a candidate that has no score has no probability");

    c[0] = c[3];
    c[0].same = 0;
    c[1] = c[3];
    c[1].same = 1;
    judge_comparison(c, 2, 0.8, &out);
    t_verdict(&out, "tie", "equal_score", "both are certain");
    c[1].score = 71;
    judge_comparison(c, 2, 1, &out);
    t_verdict(&out, "decided", NULL, "certain by a point");
    t_is_near(out.probability, 1, 0,
              "a score without a spread wins with certainty");
    c[0].spread = 5;
    judge_comparison(c, 2, 0.8, &out);
    t_is_near(out.probability, 0.57916, 1e-3,
              "a certain score wins over one that is not as it lies");
    c[1].same = 0;
    judge_comparison(c, 2, 0.8, &out);
    t_verdict(&out, "tie", "equal_text", "one text twice");
}


static void
t_rank(judge_ranking_t *out, size_t n, size_t items)
{
    size_t              i, k;
    judge_rc_e          rc;
    judge_arena_t      *arena = judge_arena_create(4096);
    judge_candidate_t   list[3];

    judge_difference_units(t_order, items);
    rc = arena ? judge_ranking_begin(arena, n, out) : JUDGE_NOMEM;

    for (i = 0; i < items && rc == JUDGE_OK; i++) {
        for (k = 0; k < n; k++) {
            list[k] = (judge_candidate_t) {
                t_scores[t_order[i].places[0] * n + k], 0, k
            };
        }
        judge_ranking_add(out, t_order[i].unit, list);
    }

    rc = rc ? rc : judge_ranking_end(arena, 7, judge_ranking_draws(n, 1), out);
    t_ok(rc == JUDGE_OK, "the systems can be ranked");
    judge_arena_destroy(arena);
}


/* Items of n systems; one in `cluster` has a cluster of its own. */

static void
t_fill(size_t n, size_t items, size_t cluster)
{
    size_t  i, k;

    for (i = 0; i < items; i++) {
        t_order[i] = (judge_difference_pair_t) {
            .places = { i }, .cluster = i / cluster
        };
        for (k = 0; k < n; k++) {
            t_scores[i * n + k] = 50;
        }
    }
}


static void
t_strengths(void)
{
    size_t           i, held;
    uint64_t         random = 1;
    judge_ranking_t  out;

    t_fill(2, 40, 1);
    for (i = 0; i < 40; i++) {
        t_scores[2 * i] += i < 20 ? 10 : i < 30 ? -10 : 0;
    }
    t_rank(&out, 2, 40);
    t_is_near(out.wins[0][1], 20, 0, "the wins of the first are counted");
    t_is_near(out.wins[1][0], 10, 0, "the wins of the second are counted");
    t_is_near(out.ties[0][1], 10, 0, "the ties are counted");
    t_is_near(out.strength[0] - out.strength[1], log(25.5 / 15.5), 1e-5,
              "the strengths of two are the logarithm of the odds");
    t_is_near(out.strength[0] + out.strength[1], 0, 1e-9,
              "the strengths lie around 0");
    t_ok(out.low[0] < out.strength[0] && out.strength[0] < out.high[0],
         "a strength lies within its interval");
    t_is_near(out.high[0] - out.low[0], 0.573, 0.03,
              "the interval is as wide as the delta method says");
    t_is_near(out.best[0] + out.best[1], 1, 1e-9,
              "one of two is the strongest");

    t_fill(2, 40, 10);
    t_scores[0] = NAN;
    t_rank(&out, 2, 40);
    t_ok(out.items == 39 && out.clusters == 4,
         "items that are not judged are not counted");
    t_ok(isnan(out.low[0]), "four clusters are too few for an interval");

    t_fill(3, T_ITEMS, 1);
    for (i = 0, held = 0; i < T_ITEMS; i++) {
        held = (size_t) (judge_mix_next(&random) >> 32) % 7;
        t_scores[3 * i + (held < 4 ? 0 : held < 6 ? 1 : 2)] = 60;
        t_scores[3 * i + 2] -= 1;
    }
    t_rank(&out, 3, T_ITEMS);
    t_ok(out.items == T_ITEMS && out.clusters == 512,
         "1,200 clusters are joined to 512");
    t_ok(out.strength[0] > out.strength[1]
         && out.strength[1] > out.strength[2],
         "the strengths of three systems have their order");
    t_is_near(out.best[0], 1, 0.001,
              "the strongest of three is surely the best");

    t_ok(judge_ranking_draws(2, 65) == 1000
         && judge_ranking_draws(16, 65) == 100,
         "many systems with many criteria are ranked by fewer draws");

    t_rank(&out, 3, 0);
    t_is_near(out.strength[0], 0, 1e-9, "one system alone has no strength");
}


int
main(void)
{
    t_candidates();
    t_strengths();

    return t_done();
}
