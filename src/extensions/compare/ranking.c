/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "extensions/compare/comparison.h"


#define JUDGE_RANKING_ROUNDS  200
#define JUDGE_RANKING_CLOSE   1e-6     /* of the logarithm, in a round */
#define JUDGE_RANKING_TIE     0.5      /* of a win, for each */

/* Wins of the row over the column, in one unit of resampling or in all. */
typedef struct {
    double  wins[JUDGE_COMPARED_MAX][JUDGE_COMPARED_MAX];
} judge_ranking_wins_t;

typedef struct {
    const judge_ranking_set_t  *set;
    judge_ranking_wins_t       *units;
    size_t                      nunits;
    double                     *draws; /* by system and draw */
} judge_ranking_run_t;


/* Adds an item to its unit; false: it has no two systems that were judged. */

static bool
judge_ranking_add(const judge_ranking_set_t *set, size_t item,
    judge_ranking_wins_t *unit, judge_ranking_t *out)
{
    int            sign;
    bool           any;
    size_t         a, b;
    const int8_t  *signs = set->signs + item * set->step;

    for (a = 0, any = false; a < set->n; a++) {
        for (b = a + 1; b < set->n; b++) {
            sign = signs[a * set->n + b];
            if (sign == JUDGE_COMPARED_UNKNOWN) {
                continue;
            }
            any = true;
            unit->wins[a][b] += sign > 0 ? 1 : sign ? 0 : JUDGE_RANKING_TIE;
            unit->wins[b][a] += sign < 0 ? 1 : sign ? 0 : JUDGE_RANKING_TIE;
            out->wins[a][b] += sign > 0;
            out->wins[b][a] += sign < 0;
            out->ties[a][b] += sign == 0;
            out->ties[b][a] += sign == 0;
        }
    }

    return any;
}


/* Sums up the items by units; units without a comparison are dropped. */

static void
judge_ranking_sum(judge_ranking_run_t *run, judge_ranking_t *out)
{
    bool                        used[JUDGE_DIFFERENCE_UNITS] = { false };
    size_t                      i, unit;
    const judge_ranking_set_t  *set = run->set;

    for (i = 0; i < set->items; i++) {
        unit = set->order[i].unit;
        if (judge_ranking_add(set, set->order[i].places[0], &run->units[unit],
                              out))
        {
            used[unit] = true;
            out->items++;
        }
    }

    for (i = 0; i < JUDGE_DIFFERENCE_UNITS; i++) {
        if (used[i]) {
            run->units[run->nunits++] = run->units[i];
        }
    }

    out->clusters = run->nunits;
}


/* Refines `strength`, which holds the starting values, in place. */

static void
judge_ranking_fit(size_t n, const judge_ranking_wins_t *all, double *strength)
{
    size_t  i, j, round;
    double  wins, sum, mean, moved, p[JUDGE_COMPARED_MAX];
    double  next[JUDGE_COMPARED_MAX];

    for (round = 0, moved = 1; round < JUDGE_RANKING_ROUNDS
                               && moved > JUDGE_RANKING_CLOSE; round++)
    {
        for (i = 0; i < n; i++) {
            p[i] = exp(strength[i]);
        }

        for (i = 0, mean = 0; i < n; i++) {
            for (j = 0, wins = 0, sum = 0; j < n; j++) {
                if (j != i) {
                    wins += all->wins[i][j] + JUDGE_RANKING_TIE;
                    sum += (all->wins[i][j] + all->wins[j][i]
                            + 2 * JUDGE_RANKING_TIE) / (p[i] + p[j]);
                }
            }
            next[i] = log(wins / sum);
            mean += next[i] / (double) n;
        }

        for (i = 0, moved = 0; i < n; i++) {
            moved = fmax(moved, fabs(next[i] - mean - strength[i]));
            strength[i] = next[i] - mean;
        }
    }
}


static void
judge_ranking_total(size_t n, judge_ranking_wins_t *all,
    const judge_ranking_wins_t *unit)
{
    size_t  i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            all->wins[i][j] += unit->wins[i][j];
        }
    }
}


static void
judge_ranking_draw(judge_ranking_run_t *run, judge_ranking_t *out)
{
    size_t                draw, k, i, top, n = run->set->n;
    size_t                draws = run->set->draws;
    double                strength[JUDGE_COMPARED_MAX];
    uint64_t              random = judge_mix(run->set->seed);
    judge_ranking_wins_t  all;

    for (i = 0; i < n; i++) {
        out->best[i] = 0;
    }

    for (draw = 0; draw < draws; draw++) {
        memset(&all, 0, sizeof(all));
        for (k = 0; k < run->nunits; k++) {
            judge_ranking_total(n, &all, &run->units[
                (judge_mix_next(&random) >> 32) * run->nunits >> 32]);
        }

        memcpy(strength, out->strength, sizeof(strength));
        judge_ranking_fit(n, &all, strength);

        for (i = 0, top = 0; i < n; i++) {
            run->draws[i * draws + draw] = strength[i];
            top = strength[i] > strength[top] ? i : top;
        }
        out->best[top] += 1.0 / (double) draws;
    }

    for (i = 0; i < n; i++) {
        judge_difference_percentiles(run->draws + i * draws, draws,
                                     run->nunits, &out->low[i], &out->high[i]);
    }
}


size_t
judge_ranking_draws(size_t systems, size_t targets)
{
    size_t  draws;

    draws = JUDGE_RANKING_WORK / (systems * systems * targets);

    return draws > JUDGE_RANKING_DRAWS ? JUDGE_RANKING_DRAWS
           : draws < JUDGE_RANKING_FEW ? JUDGE_RANKING_FEW : draws;
}


judge_rc_e
judge_ranking(judge_arena_t *arena, const judge_ranking_set_t *set,
    judge_ranking_t *out)
{
    size_t                i;
    judge_ranking_run_t   run = { .set = set };
    judge_ranking_wins_t  all = { { { 0 } } };

    *out = (judge_ranking_t) { .items = 0 };
    run.units = judge_array_alloc(arena, JUDGE_DIFFERENCE_UNITS,
                                  sizeof(judge_ranking_wins_t));
    run.draws = judge_array_alloc(arena, set->draws * set->n, sizeof(double));
    if (run.units == NULL || run.draws == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < set->n; i++) {
        out->low[i] = out->high[i] = out->best[i] = NAN;
    }

    judge_ranking_sum(&run, out);

    for (i = 0; i < run.nunits; i++) {
        judge_ranking_total(set->n, &all, &run.units[i]);
    }

    judge_ranking_fit(set->n, &all, out->strength);

    if (run.nunits >= JUDGE_DIFFERENCE_LEAST) {
        judge_ranking_draw(&run, out);
    }

    return JUDGE_OK;
}
