/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* All measures come of sums over the scores of a target: a draw of the
 * bootstrap adds these sums of what it drew, with other weights. */


#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/learning/agreement.h"
#include "analysis/text/math.h"


#define JUDGE_KAPPA_CLASSES  11    /* 0, 10, …, 100 */
#define JUDGE_AGREEMENT_DRAWS  1000
#define JUDGE_AGREEMENT_FEWEST  100    /* draws, however many scores */
#define JUDGE_AGREEMENT_GROUPS  512    /* that are drawn as a whole */
#define JUDGE_AGREEMENT_WORK  8000000  /* sums added, about */

const char *const  judge_agreement_names[JUDGE_AGREEMENT_COUNT] = {
    [JUDGE_AGREEMENT_RMSE] = "rmse",
    [JUDGE_AGREEMENT_PEARSON] = "pearson",
    [JUDGE_AGREEMENT_SPEARMAN] = "spearman",
    [JUDGE_AGREEMENT_KAPPA] = "weighted_kappa",
    [JUDGE_AGREEMENT_ALPHA] = "krippendorff_alpha",
    [JUDGE_AGREEMENT_F1] = "f1",
    [JUDGE_AGREEMENT_NEAR] = "accuracy"
};

typedef struct {
    double  x, y, xx, yy, xy;          /* predicted, by people */
} judge_agreement_moments_t;

/* Numbers of the same type only: added as an array. */
typedef struct {
    double                     n;
    double                     squares;
    double                     near;
    double                     passes;
    double                     hits;
    judge_agreement_moments_t  scores;
    judge_agreement_moments_t  ranks;
    judge_agreement_moments_t  classes;
    double                     ratings;     /* of all scores */
    double                     rating_sum;
    double                     rating_squares;
    double                     within; /* squared distances of an item's from
                                          each other: their mean over the
                                          other ones, summed, half */
} judge_agreement_sums_t;

#define JUDGE_AGREEMENT_SUMS                                                  \
    (sizeof(judge_agreement_sums_t) / sizeof(double))

/* The known scores of a target. */
typedef struct {
    size_t    n;
    size_t   *item;
    float    *human;
    float    *pred[2];                 /* predicted, before */
    float    *human_rank;
    float    *rank[2];
    judge_agreement_sums_t  *sums[2];  /* by group */
    double   *draws[2];                /* JUDGE_AGREEMENT_COUNT x ndraws */
} judge_agreement_target_t;

typedef struct {
    judge_arena_t                *arena;
    const judge_agreement_set_t  *set;
    size_t                        sides;  /* 1, or 2 with `before` */
    size_t                        ndraws;
    size_t                        ngroups;
    uint32_t                     *unit;  /* of an item: the group that it is
                                            drawn with */
    judge_agreement_target_t     *targets;
    uint32_t                     *counts;  /* of the groups in a draw */
    double                       *sorted;
    uint64_t                      random;
} judge_agreement_run_t;

typedef struct {
    uint8_t  model;
    float    value;
    size_t   index;
} judge_agreement_ranked_t;


static judge_rc_e judge_agreement_create(judge_agreement_run_t *run);
static judge_rc_e judge_agreement_target(judge_agreement_run_t *run, size_t t);
static judge_rc_e judge_agreement_rank(judge_agreement_run_t *run,
    const judge_agreement_target_t *target, const float *v, float **ranks);
static void judge_agreement_rank_model(const judge_agreement_ranked_t *order,
    size_t first, size_t end, float *ranks);
static int judge_agreement_order(const void *a, const void *b);
static void judge_agreement_sum(judge_agreement_run_t *run, size_t t);
static void judge_agreement_add(judge_agreement_moments_t *m, double x,
    double y);
static void judge_agreement_add_ratings(judge_agreement_sums_t *s,
    const judge_agreement_set_t *set, size_t at, float pred);
static void judge_agreement_pass(const judge_agreement_run_t *run,
    const judge_agreement_sums_t *groups, bool drawn,
    double out[JUDGE_AGREEMENT_COUNT]);
static double judge_agreement_correlation(double n,
    const judge_agreement_moments_t *m);
static double judge_agreement_alpha(const judge_agreement_sums_t *s);
static double judge_agreement_kappa(const judge_agreement_sums_t *s);
static void judge_agreement_values(judge_agreement_run_t *run,
    judge_agreement_t *out);
static void judge_agreement_bias(const judge_agreement_target_t *t,
    judge_agreement_t *out);
static double judge_agreement_mean_bias(const judge_agreement_run_t *run,
    const judge_agreement_t *out);
static void judge_agreement_mean(judge_agreement_run_t *run,
    double values[][2][JUDGE_AGREEMENT_COUNT],
                                 double mean[2][JUDGE_AGREEMENT_COUNT]);
static void judge_agreement_draw(judge_agreement_run_t *run);
static void judge_agreement_bootstrap(judge_agreement_run_t *run,
    double values[][2][JUDGE_AGREEMENT_COUNT]);
static void judge_agreement_intervals(judge_agreement_run_t *run,
    double *const draws[2], judge_agreement_t *out);
static void judge_agreement_interval(judge_agreement_run_t *run,
    const double *draws,
    const double *less, double sign, judge_agreement_value_t *out);


judge_rc_e
judge_agreement(judge_arena_t *arena, const judge_agreement_set_t *set,
    judge_agreement_t *targets)
{
    size_t                 t;
    judge_rc_e             rc;
    judge_agreement_run_t  run;

    memset(&run, 0, sizeof(judge_agreement_run_t));
    run.arena = arena;
    run.set = set;
    run.sides = set->before ? 2 : 1;
    run.random = UINT64_C(0x9e3779b97f4a7c15);

    rc = judge_agreement_create(&run);

    for (t = 0; rc == JUDGE_OK && t < set->ntargets; t++) {
        rc = judge_agreement_target(&run, t);
    }

    if (rc == JUDGE_OK) {
        judge_agreement_values(&run, targets);
    }

    return rc;
}


static judge_rc_e
judge_agreement_create(judge_agreement_run_t *run)
{
    size_t                        t, side, cells;
    const judge_agreement_set_t  *set = run->set;

    run->unit = judge_agreement_units(run->arena, set, JUDGE_AGREEMENT_GROUPS,
                                      &run->ngroups);
    if (run->unit == NULL) {
        return JUDGE_NOMEM;
    }

    cells = run->ngroups * set->ntargets;
    run->ndraws = set->intervals && run->ngroups > 1 ? JUDGE_AGREEMENT_DRAWS
                                                    : 0;

    if (run->ndraws && cells > JUDGE_AGREEMENT_WORK / JUDGE_AGREEMENT_DRAWS) {
        run->ndraws = JUDGE_AGREEMENT_WORK / cells;
        run->ndraws = run->ndraws < JUDGE_AGREEMENT_FEWEST
                      ? JUDGE_AGREEMENT_FEWEST : run->ndraws;
    }

    run->targets = judge_array_alloc(run->arena, set->ntargets + 1,
                                     sizeof(judge_agreement_target_t));
    run->counts = judge_array_alloc(run->arena, run->ngroups + 1,
                                    sizeof(uint32_t));
    run->sorted = judge_array_alloc(run->arena, run->ndraws + 1,
                                    sizeof(double));
    if (run->targets == NULL || run->counts == NULL || run->sorted == NULL) {
        return JUDGE_NOMEM;
    }

    /* The one behind the last is for the mean. */
    for (t = 0; t <= set->ntargets; t++) {
        for (side = 0; side < run->sides; side++) {
            run->targets[t].draws[side] =
                judge_array_alloc(run->arena,
                                  run->ndraws * JUDGE_AGREEMENT_COUNT + 1,
                                  sizeof(double));
            run->targets[t].sums[side] =
                judge_array_alloc(run->arena, run->ngroups + 1,
                                  sizeof(judge_agreement_sums_t));
            if (run->targets[t].draws[side] == NULL
                || run->targets[t].sums[side] == NULL)
            {
                return JUDGE_NOMEM;
            }
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_agreement_target(judge_agreement_run_t *run, size_t t)
{
    size_t                        i, n, at, side;
    judge_rc_e                    rc;
    judge_agreement_target_t     *target;
    const judge_agreement_set_t  *set = run->set;
    const float                  *from[2] = { set->pred, set->before };

    n = set->nitems + 1;
    target = &run->targets[t];
    target->item = judge_array_alloc(run->arena, n, sizeof(size_t));
    target->human = judge_array_alloc(run->arena, n, sizeof(float));
    target->pred[0] = judge_array_alloc(run->arena, n, sizeof(float));
    target->pred[1] = judge_array_alloc(run->arena, n, sizeof(float));

    if (target->item == NULL || target->human == NULL
        || target->pred[0] == NULL || target->pred[1] == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < set->nitems; i++) {
        at = i * set->ntargets + t;
        if (isnan(set->human[at]) || isnan(set->pred[at])) {
            continue;
        }

        target->item[target->n] = i;
        target->human[target->n] = set->human[at];
        for (side = 0; side < run->sides; side++) {
            target->pred[side][target->n] = from[side][at];
        }
        target->n++;
    }

    rc = judge_agreement_rank(run, target, target->human, &target->human_rank);

    for (side = 0; rc == JUDGE_OK && side < run->sides; side++) {
        rc = judge_agreement_rank(run, target, target->pred[side],
                                  &target->rank[side]);
    }

    if (rc == JUDGE_OK) {
        judge_agreement_sum(run, t);
    }

    return rc;
}


static judge_rc_e
judge_agreement_rank(judge_agreement_run_t *run,
    const judge_agreement_target_t *target,
    const float *v, float **ranks)
{
    size_t                     i, n, first;
    const uint8_t             *model = run->set->model;
    judge_agreement_ranked_t  *order;

    n = target->n;
    order = judge_array_alloc(run->arena, n + 1,
                              sizeof(judge_agreement_ranked_t));
    *ranks = judge_array_alloc(run->arena, n + 1, sizeof(float));
    if (order == NULL || *ranks == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        order[i] = (judge_agreement_ranked_t) {
            model ? model[target->item[i]] : 0, v[i], i
        };
    }

    qsort(order, n, sizeof(judge_agreement_ranked_t), judge_agreement_order);

    for (first = 0; first < n; first = i) {
        for (i = first; i < n && order[i].model == order[first].model; i++) {
            /* void */
        }
        judge_agreement_rank_model(order, first, i, *ranks);
    }

    return JUDGE_OK;
}


/* From -1/2 to 1/2; equal values share the mean of their ranks. */

static void
judge_agreement_rank_model(const judge_agreement_ranked_t *order, size_t first,
    size_t end, float *ranks)
{
    size_t  i, k, from;
    double  rank;

    for (from = first; from < end; from = i) {
        for (i = from; i < end && order[i].value == order[from].value; i++) {
            /* void */
        }

        rank = (double) (from + i - 1 - 2 * first) / 2 + 0.5;

        for (k = from; k < i; k++) {
            ranks[order[k].index] = (float) (rank / (double) (end - first)
                                             - 0.5);
        }
    }
}


static int
judge_agreement_order(const void *a, const void *b)
{
    const judge_agreement_ranked_t  *x = a, *y = b;

    if (x->model != y->model) {
        return x->model < y->model ? -1 : 1;
    }

    if (x->value != y->value) {
        return x->value < y->value ? -1 : 1;
    }

    return x->index < y->index ? -1 : x->index > y->index;
}


/* --- Measuring ----------------------------------------------------------- */

static size_t
judge_agreement_class(double score)
{
    return (size_t) judge_clamp(score / 10 + 0.5, 0,
                                JUDGE_KAPPA_CLASSES - 1);
}


static void
judge_agreement_sum(judge_agreement_run_t *run, size_t t)
{
    size_t                          i, side;
    double                          x, y, pass;
    judge_agreement_sums_t         *s;
    const judge_agreement_set_t    *set = run->set;
    const judge_agreement_target_t *target = &run->targets[t];

    pass = set->pass[t];

    for (side = 0; side < run->sides; side++) {
        for (i = 0; i < target->n; i++) {
            x = (double) target->pred[side][i];
            y = (double) target->human[i];
            s = &target->sums[side][run->unit[target->item[i]]];
            s->n += 1;
            s->squares += (x - y) * (x - y);
            s->near += fabs(x - y) <= JUDGE_AGREEMENT_POINTS;
            s->passes += (x >= pass) + (y >= pass);
            s->hits += x >= pass && y >= pass ? 2 : 0;
            judge_agreement_add(&s->scores, x, y);
            judge_agreement_add(&s->ranks, (double) target->rank[side][i],
                                (double) target->human_rank[i]);
            judge_agreement_add(&s->classes,
                                (double) judge_agreement_class(x),
                                (double) judge_agreement_class(y));
            judge_agreement_add_ratings(s, set,
                                        target->item[i] * set->ntargets + t,
                                        target->pred[side][i]);
        }
    }
}


static void
judge_agreement_add(judge_agreement_moments_t *m, double x, double y)
{
    m->x += x;
    m->y += y;
    m->xx += x * x;
    m->yy += y * y;
    m->xy += x * y;
}


static void
judge_agreement_add_ratings(judge_agreement_sums_t *s,
    const judge_agreement_set_t *set, size_t at, float pred)
{
    double           n, x, y;
    judge_ratings_t  ratings;

    if (set->ratings) {
        ratings = set->ratings[at];

    } else {
        x = (double) pred;
        y = (double) set->human[at];
        ratings = (judge_ratings_t) { 2, x + y, x * x + y * y };
    }

    if (ratings.n < 2) {
        return;
    }

    n = (double) ratings.n;
    s->ratings += n;
    s->rating_sum += ratings.sum;
    s->rating_squares += ratings.squares;
    s->within += (n * ratings.squares - ratings.sum * ratings.sum) / (n - 1);
}


/* Of a draw, a group weighs as often as it was drawn. */

static void
judge_agreement_pass(const judge_agreement_run_t *run,
    const judge_agreement_sums_t *groups, bool drawn,
    double out[JUDGE_AGREEMENT_COUNT])
{
    size_t                   g, k;
    double                   w, *sums;
    const double            *add;
    judge_agreement_sums_t   s;

    memset(&s, 0, sizeof(s));
    sums = (double *) &s;

    for (g = 0; g < run->ngroups; g++) {
        w = drawn ? run->counts[g] : 1;
        add = (const double *) &groups[g];
        for (k = 0; w > 0 && k < JUDGE_AGREEMENT_SUMS; k++) {
            sums[k] += w * add[k];
        }
    }

    w = s.n;
    out[JUDGE_AGREEMENT_RMSE] = w > 0 ? sqrt(s.squares / w) : NAN;
    out[JUDGE_AGREEMENT_PEARSON] = judge_agreement_correlation(w, &s.scores);
    out[JUDGE_AGREEMENT_SPEARMAN] = judge_agreement_correlation(w, &s.ranks);
    out[JUDGE_AGREEMENT_KAPPA] = judge_agreement_kappa(&s);
    out[JUDGE_AGREEMENT_ALPHA] = judge_agreement_alpha(&s);
    out[JUDGE_AGREEMENT_NEAR] = w > 0 ? s.near / w : NAN;

    /* Where nothing passes, all agree about that. */
    out[JUDGE_AGREEMENT_F1] = w <= 0 ? NAN
                              : s.passes > 0 ? s.hits / s.passes : 1;
}


static double
judge_agreement_correlation(double n, const judge_agreement_moments_t *m)
{
    double  xx, yy, xy;

    xx = n * m->xx - m->x * m->x;
    yy = n * m->yy - m->y * m->y;
    xy = n * m->xy - m->x * m->y;

    /* What remains of equal values after rounding is no variance. */
    if (n < 2 || !(xx > 1e-9 * n * m->xx) || !(yy > 1e-9 * n * m->yy)) {
        return NAN;
    }

    return judge_clamp(xy / sqrt(xx) / sqrt(yy), -1, 1);
}


/* The seen disagreement over what chance would give, of all pairs. */

static double
judge_agreement_alpha(const judge_agreement_sums_t *s)
{
    double  all;

    all = s->ratings * s->rating_squares - s->rating_sum * s->rating_sum;

    /* What remains of equal values after rounding is no variance. */
    return all > 1e-9 * s->ratings * s->rating_squares
           ? 1 - (s->ratings - 1) * s->within / all : NAN;
}


/* Squared distances of classes, as they are paired and of all pairs; whole
 * numbers, so that their sums are exact. */

static double
judge_agreement_kappa(const judge_agreement_sums_t *s)
{
    double                            seen, chance;
    const judge_agreement_moments_t  *m = &s->classes;

    seen = m->xx + m->yy - 2 * m->xy;
    chance = s->n * (m->xx + m->yy) - 2 * m->x * m->y;

    return chance > 0 ? 1 - seen * s->n / chance : NAN;
}


/* --- Figures and their intervals ----------------------------------------- */

static void
judge_agreement_values(judge_agreement_run_t *run, judge_agreement_t *out)
{
    size_t  t, m, side, n;
    double  values[run->set->ntargets + 1][2][JUDGE_AGREEMENT_COUNT];

    n = run->set->ntargets;
    memset(out, 0, (n + 1) * sizeof(judge_agreement_t));

    for (t = 0; t < n; t++) {
        for (side = 0; side < run->sides; side++) {
            judge_agreement_pass(run, run->targets[t].sums[side], false,
                                 values[t][side]);
        }
        judge_agreement_bias(&run->targets[t], &out[t]);
        out[n].n = out[t].n > out[n].n ? out[t].n : out[n].n;
    }

    judge_agreement_mean(run, values, values[n]);
    out[n].bias = judge_agreement_mean_bias(run, out);

    for (t = 0; t <= n; t++) {
        for (m = 0; m < JUDGE_AGREEMENT_COUNT; m++) {
            out[t].pred[m].value = values[t][0][m];
            out[t].before[m].value = run->sides == 2 ? values[t][1][m] : NAN;
            out[t].gain[m].value = (out[t].pred[m].value
                                    - out[t].before[m].value)
                                   * (m == JUDGE_AGREEMENT_RMSE ? -1 : 1);
        }
    }

    judge_agreement_bootstrap(run, values);

    for (t = 0; t <= n; t++) {
        judge_agreement_intervals(run, run->targets[t].draws, &out[t]);
    }
}


static void
judge_agreement_bias(const judge_agreement_target_t *t, judge_agreement_t *out)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < t->n; i++) {
        sum += (double) t->pred[0][i] - (double) t->human[i];
    }

    out->n = t->n;
    out->bias = judge_share(sum, (double) t->n);
}


/* The mean over the first nmean targets. */

static size_t
judge_agreement_nmean(const judge_agreement_run_t *run)
{
    size_t  t;

    for (t = 0; t < run->set->nmean; t++) {
        if (run->targets[t].n >= JUDGE_AGREEMENT_LEAST) {
            return run->set->nmean;
        }
    }

    return run->set->ntargets;
}


static double
judge_agreement_mean_bias(const judge_agreement_run_t *run,
    const judge_agreement_t *out)
{
    size_t  t, n;
    double  sum;

    for (t = 0, n = 0, sum = 0; t < judge_agreement_nmean(run); t++) {
        if (run->targets[t].n >= JUDGE_AGREEMENT_LEAST) {
            sum += out[t].bias;
            n++;
        }
    }

    return judge_share(sum, (double) n);
}


static void
judge_agreement_mean(judge_agreement_run_t *run,
    double values[][2][JUDGE_AGREEMENT_COUNT],
                     double mean[2][JUDGE_AGREEMENT_COUNT])
{
    size_t  t, m, side, n, targets;
    double  sum;

    targets = judge_agreement_nmean(run);

    for (side = 0; side < run->sides; side++) {
        for (m = 0; m < JUDGE_AGREEMENT_COUNT; m++) {
            for (t = 0, n = 0, sum = 0; t < targets; t++) {
                if (run->targets[t].n >= JUDGE_AGREEMENT_LEAST
                    && !isnan(values[t][side][m]))
                {
                    sum += values[t][side][m];
                    n++;
                }
            }
            mean[side][m] = n ? sum / (double) n : NAN;
        }
    }
}


static void
judge_agreement_draw(judge_agreement_run_t *run)
{
    size_t  i, n;

    n = run->ngroups;
    memset(run->counts, 0, n * sizeof(uint32_t));

    for (i = 0; i < n; i++) {
        run->counts[(judge_mix_next(&run->random) >> 32) * n >> 32]++;
    }
}


static void
judge_agreement_bootstrap(judge_agreement_run_t *run,
    double values[][2][JUDGE_AGREEMENT_COUNT])
{
    size_t  b, t, m, side, n;

    n = run->set->ntargets;

    for (b = 0; b < run->ndraws; b++) {
        judge_agreement_draw(run);

        for (t = 0; t < n; t++) {
            for (side = 0; side < run->sides; side++) {
                judge_agreement_pass(run, run->targets[t].sums[side], true,
                                     values[t][side]);
            }
        }

        judge_agreement_mean(run, values, values[n]);

        for (t = 0; t <= n; t++) {
            for (side = 0; side < run->sides; side++) {
                for (m = 0; m < JUDGE_AGREEMENT_COUNT; m++) {
                    run->targets[t].draws[side][m * run->ndraws + b] =
                        values[t][side][m];
                }
            }
        }
    }
}


static void
judge_agreement_intervals(judge_agreement_run_t *run, double *const draws[2],
    judge_agreement_t *out)
{
    size_t        m, at;
    const double *before;

    for (m = 0; m < JUDGE_AGREEMENT_COUNT; m++) {
        at = m * run->ndraws;
        before = run->sides == 2 ? draws[1] + at : NULL;

        judge_agreement_interval(run, draws[0] + at, NULL, 1, &out->pred[m]);
        out->before[m].low = out->before[m].high = NAN;
        out->gain[m].low = out->gain[m].high = NAN;
        out->gain[m].better = out->gain[m].worse = NAN;

        if (before) {
            judge_agreement_interval(run, before, NULL, 1, &out->before[m]);
            judge_agreement_interval(run, draws[0] + at, before,
                                     m == JUDGE_AGREEMENT_RMSE ? -1 : 1,
                                     &out->gain[m]);
        }
    }
}


static int
judge_agreement_compare(const void *a, const void *b)
{
    double  x, y;

    x = *(const double *) a;
    y = *(const double *) b;

    return x < y ? -1 : x > y;
}


/* Student's distribution by the normal one (Abramowitz & Stegun 26.7.8): the
 * chance of more than t. */

static double
judge_agreement_student(double t, double freedom)
{
    double  z;

    z = t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom));

    return 0.5 * erfc(z / sqrt(2));
}


/* The deviation of the draws is of n items, and not of the n - 1 that are
 * free. */

static void
judge_agreement_chance(judge_agreement_run_t *run, double sum, double squares,
    size_t n, judge_agreement_value_t *out)
{
    double  mean, deviation, freedom = (double) run->ngroups - 1;

    mean = sum / (double) n;
    deviation = sqrt(judge_clamp(squares / (double) n - mean * mean, 0, 1e30)
                     * (freedom + 1) / freedom);

    if (deviation > 0) {
        out->better = judge_agreement_student(out->value / deviation,
                                              freedom);
        out->worse = judge_agreement_student(-out->value / deviation,
                                             freedom);
    }
}


static void
judge_agreement_interval(judge_agreement_run_t *run, const double *draws,
    const double *less, double sign, judge_agreement_value_t *out)
{
    size_t  b, n, tail;
    double  v, sum, squares;

    out->low = out->high = out->better = out->worse = NAN;

    for (b = 0, n = 0, sum = 0, squares = 0; b < run->ndraws; b++) {
        v = sign * (less ? draws[b] - less[b] : draws[b]);
        if (!isnan(v)) {
            run->sorted[n++] = v;
            sum += v;
            squares += v * v;
        }
    }

    if (n < JUDGE_AGREEMENT_FEWEST / 2 || isnan(out->value)) {
        return;
    }

    if (less) {
        judge_agreement_chance(run, sum, squares, n, out);
    }

    qsort(run->sorted, n, sizeof(double), judge_agreement_compare);
    tail = (size_t) ((1 - JUDGE_AGREEMENT_COVERAGE) / 2 * (double) n);
    out->low = run->sorted[tail];
    out->high = run->sorted[n - 1 - tail];
}
