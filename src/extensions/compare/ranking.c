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


judge_rc_e
judge_ranking_begin(judge_arena_t *arena, size_t n, judge_ranking_t *out)
{
    *out = (judge_ranking_t) { .n = n };
    out->units = judge_array_alloc(arena, JUDGE_DIFFERENCE_UNITS,
                                   n * n * sizeof(double));

    return out->units ? JUDGE_OK : JUDGE_NOMEM;
}


void
judge_ranking_add(judge_ranking_t *out, size_t unit,
    const judge_candidate_t *list)
{
    int      sign;
    bool     any;
    size_t   a, b, n = out->n;
    double  *wins = out->units + unit * n * n;

    for (a = 0, any = false; a < n; a++) {
        for (b = a + 1; b < n; b++) {
            sign = judge_comparison_sign(&list[a], &list[b]);
            if (sign == JUDGE_COMPARED_UNKNOWN) {
                continue;
            }
            any = true;
            wins[a * n + b] += sign > 0 ? 1 : sign ? 0 : JUDGE_RANKING_TIE;
            wins[b * n + a] += sign < 0 ? 1 : sign ? 0 : JUDGE_RANKING_TIE;
            out->wins[a][b] += sign > 0;
            out->wins[b][a] += sign < 0;
            out->ties[a][b] += sign == 0;
            out->ties[b][a] += sign == 0;
        }
    }

    out->items += any;
    out->used[unit] |= any;
}


/* Refines `strength`, which holds the starting values, in place. */

static void
judge_ranking_fit(size_t n, const double *all, double *strength)
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
                    wins += all[i * n + j] + JUDGE_RANKING_TIE;
                    sum += (all[i * n + j] + all[j * n + i]
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


static judge_rc_e
judge_ranking_draw(judge_arena_t *arena, uint64_t seed, size_t draws,
    judge_ranking_t *out)
{
    size_t         draw, k, i, top, n = out->n;
    double        *drawn, all[JUDGE_COMPARED_MAX * JUDGE_COMPARED_MAX];
    double         strength[JUDGE_COMPARED_MAX];
    uint64_t       random = judge_mix(seed);
    const double  *unit;

    drawn = judge_array_alloc(arena, draws * n, sizeof(double));
    if (drawn == NULL) {
        return JUDGE_NOMEM;
    }

    memset(out->best, 0, sizeof(out->best));

    for (draw = 0; draw < draws; draw++) {
        memset(all, 0, sizeof(all));
        for (k = 0; k < out->clusters; k++) {
            unit = out->units
                   + ((judge_mix_next(&random) >> 32) * out->clusters >> 32)
                     * n * n;
            for (i = 0; i < n * n; i++) {
                all[i] += unit[i];
            }
        }

        memcpy(strength, out->strength, sizeof(strength));
        judge_ranking_fit(n, all, strength);

        for (i = 0, top = 0; i < n; i++) {
            drawn[i * draws + draw] = strength[i];
            top = strength[i] > strength[top] ? i : top;
        }
        out->best[top] += 1.0 / (double) draws;
    }

    for (i = 0; i < n; i++) {
        judge_difference_percentiles(drawn + i * draws, draws, out->clusters,
                                     &out->low[i], &out->high[i]);
    }

    return JUDGE_OK;
}


size_t
judge_ranking_draws(size_t systems, size_t targets)
{
    size_t  draws;

    draws = JUDGE_RANKING_WORK / (systems * systems * targets);

    return draws > JUDGE_RANKING_DRAWS ? JUDGE_RANKING_DRAWS
           : draws < JUDGE_RANKING_FEW ? JUDGE_RANKING_FEW : draws;
}


/* Units without a comparison are dropped. */

judge_rc_e
judge_ranking_end(judge_arena_t *arena, uint64_t seed, size_t draws,
    judge_ranking_t *out)
{
    size_t  i, k, n = out->n;
    double  all[JUDGE_COMPARED_MAX * JUDGE_COMPARED_MAX] = { 0 };

    for (i = 0; i < JUDGE_DIFFERENCE_UNITS; i++) {
        for (k = 0; k < n * n && out->used[i]; k++) {
            all[k] += out->units[i * n * n + k];
            out->units[out->clusters * n * n + k] = out->units[i * n * n + k];
        }
        out->clusters += out->used[i];
    }

    for (i = 0; i < n; i++) {
        out->low[i] = out->high[i] = out->best[i] = NAN;
    }

    judge_ranking_fit(n, all, out->strength);

    return out->clusters < JUDGE_DIFFERENCE_LEAST
           ? JUDGE_OK : judge_ranking_draw(arena, seed, draws, out);
}
