/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* One score out of those of a panel, the weights of its members, and which
 * models are of one family. */


#include <math.h>

#include "analysis/llm/panel.h"
#include "tap.h"


/* The panel's score; a member without one has NAN. */

static double
t_take(judge_panel_take_e take, double within, size_t n, const double *given,
    const double *weights)
{
    size_t                i;
    judge_panel_t         panel = { .n = n, .take = take, .within = within };
    judge_panel_scores_t  scores = { .n = n };

    for (i = 0; i < n; i++) {
        scores.members[i].score = given[i];
    }

    return judge_panel_score(&panel, &scores, weights);
}

#define t_taken(how, within, weights, want, name, ...)                        \
    do {                                                                      \
        const double  given[] = { __VA_ARGS__ };                              \
        t_is_near(t_take(JUDGE_PANEL_##how, within,                           \
                         sizeof(given) / sizeof(given[0]), given, weights),   \
                  want, 1e-9, "%s", name);                                    \
    } while (0)


static void
t_scores(void)
{
    const double  weights[] = { 0.5, 0.25, 0.25 };

    t_taken(MEAN, 20, NULL, 43.33, "the score is the mean", 10, 50, 70);
    t_taken(MEAN, 20, NULL, 40, "the mean is of those that answered",
            10, NAN, 70);
    t_taken(MEAN, 20, weights, 43.33, "the mean is not by the weights",
            10, 50, 70);
    t_taken(MEDIAN, 20, NULL, 50, "the median is in the middle", 70, 10, 50);
    t_taken(MEDIAN, 20, NULL, 30, "the median lies between two", 10, 50, NAN);

    t_taken(MAJORITY, 20, NULL, 85, "the score is of those that agree",
            80, 90, 10);
    t_taken(MAJORITY, 20, NULL, 80, "scores as far apart as allowed agree",
            70, 90, 10);
    t_taken(MAJORITY, 20, NULL, 50, "the median is taken if nobody agrees",
            10, 50, 90);
    t_taken(MAJORITY, 20, NULL, 82.5, "the closer one of two pairs wins",
            10, 20, 80, 85);
    t_taken(MAJORITY, 20, NULL, 55, "the pair near to the median wins",
            10, 20, 50, 60, 90);
    t_taken(MAJORITY, 20, NULL, 15, "the lower one of two pairs wins",
            10, 20, 80, 90);

    t_taken(WEIGHTED, 20, weights, 35, "the mean is by the weights",
            10, 50, 70);
    t_taken(WEIGHTED, 20, weights, 30, "weights are of those that answered",
            10, NAN, 70);
    t_taken(WEIGHTED, 20, NULL, 43.33, "weights are equal if none are",
            10, 50, 70);
}


static void
t_weights(void)
{
    double        w[3];
    const double  squares[] = { 2000, 8000, 8000 };
    const double  exact[] = { 0, 0, 20 };

    judge_panel_weights(squares, 3, 20, w);
    t_is_near(w[0], 0.5 * 2 / 3 + 0.5 / 3, 1e-9,
              "a better member counts more");
    t_is_near(w[1], 0.5 / 6 + 0.5 / 3, 1e-9,
              "half is learned with 20 corrections");
    t_is_near(w[0] + w[1] + w[2], 1, 1e-9, "the sum of the weights is 1");

    judge_panel_weights(exact, 3, 20, w);
    t_is_near(w[0], 1.0 / 3, 1e-9, "an error of a point is as good as none");

    judge_panel_weights(squares, 3, JUDGE_PANEL_LEAST - 1, w);
    t_is_near(w[0], 1.0 / 3, 1e-9,
              "too few corrections leave the weights equal");
    judge_panel_weights(squares, 3, 0, w);
    t_is_near(w[2], 1.0 / 3, 1e-9, "no corrections leave the weights equal");
}


static void
t_related(const char *a, const char *b, bool wanted)
{
    t_ok(judge_panel_related(judge_str_c(a), judge_str_c(b)) == wanted,
         "%s and %s are%s of one family", a, b, wanted ? "" : " not");
}


int
main(void)
{
    judge_panel_t  panel = { .n = 2 };

    t_scores();
    t_weights();

    t_related("openai/gpt-4o", "gpt-5-mini", true);
    t_related("openai/gpt-4o", "openai/o3", true);
    t_related("claude-3-opus", "Claude Sonnet", true);
    t_related("acme/gpt-4o", "openai/o3", false);
    t_related("gpt-4o", "llama-3", false);
    t_related("", "", false);
    t_related("7b", "8b", false);
    t_related("/x", "/y", false);

    t_ok(judge_panel_needed(&panel) == 2, "both of two members must answer");
    panel.n = 5;
    t_ok(judge_panel_needed(&panel) == 3, "three of five members must answer");
    panel.n = 6;
    t_ok(judge_panel_needed(&panel) == 3, "three of six members must answer");

    return t_done();
}
