/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* All measures are functions of sums over the scores of a target.  The sums
 * are kept for each unit, which is what the bootstrap draws; a draw adds up
 * those of its units.  Draw 0 has each unit once and gives the values; the
 * others give the intervals. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/core/hash.h"
#include "analysis/learning/agreement.h"
#include "analysis/text/math.h"


#define JUDGE_AGREEMENT_DRAWS  1000
#define JUDGE_AGREEMENT_FEWEST  100    /* the least number of draws */
#define JUDGE_AGREEMENT_UNITS   512    /* the bootstrap's units, at most */
#define JUDGE_AGREEMENT_WORK  8000000  /* bounds draws x units x targets */
#define JUDGE_AGREEMENT_CLASSES  11    /* of kappa: 0, 10, …, 100 */

/* The bias is one more measure, which has no interval in the result. */
#define JUDGE_AGREEMENT_BIAS   JUDGE_AGREEMENT_COUNT
#define JUDGE_AGREEMENT_ALL   (JUDGE_AGREEMENT_COUNT + 1)

#define JUDGE_AGREEMENT_UNDEFINED                                             \
    ((judge_agreement_value_t) { NAN, NAN, NAN, NAN, NAN })

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
    double  x, y, xx, yy, xy;          /* x: predicted, y: people's */
} judge_agreement_moments_t;

/* Members of one type only: the struct is added as an array of doubles. */
typedef struct {
    double                     n;
    double                     squares;
    double                     near;
    double                     passes;
    double                     hits;
    judge_agreement_moments_t  scores;
    judge_agreement_moments_t  ranks;
    judge_agreement_moments_t  classes;
    double                     ratings;     /* their number */
    double                     rating_sum;
    double                     rating_squares;
    double                     within; /* over the ratings of each item, half
                                          the mean squared distance to its
                                          other ratings, summed */
} judge_agreement_sums_t;

#define JUDGE_AGREEMENT_SUMS                                                  \
    (sizeof(judge_agreement_sums_t) / sizeof(double))

/* The sort key of an item: by its group (or model), then by its value. */
typedef struct {
    uint32_t  group;
    float     value;
    size_t    item;
} judge_agreement_place_t;

typedef struct {
    judge_arena_t                *arena;
    const judge_agreement_set_t  *set;
    size_t                        sides;    /* 1, or 2 with `before` */
    size_t                        ndraws;   /* with draw 0 */
    size_t                        nunits;
    uint32_t                     *unit;     /* by item */
    uint32_t                     *counts;   /* by unit: how often drawn */
    judge_agreement_place_t      *order;
    float                        *ranks[2]; /* by item: predicted, people's */
    size_t                       *n;        /* scores by target; the last is
                                               the most of them */
    judge_agreement_sums_t       *sums;     /* by target, side and unit */
    double                       *draws;    /* measures, by target (the mean
                                               is one more), measure, side
                                               and draw */
    double                       *sorted;
    uint64_t                      random;
} judge_agreement_run_t;


/* --- Sums ---------------------------------------------------------------- */

static int
judge_agreement_compare(const void *a, const void *b)
{
    const judge_agreement_place_t  *x = a, *y = b;

    return x->group != y->group ? (x->group < y->group ? -1 : 1)
           : x->value < y->value ? -1 : x->value > y->value ? 1
           : x->item < y->item ? -1 : x->item > y->item;
}


static bool
judge_agreement_known(const judge_agreement_set_t *set, size_t cell)
{
    return !isnan(set->human[cell]) && !isnan(set->pred[cell])
           && !(set->before && isnan(set->before[cell]));
}


/* A unit is a group, or an item where there are no groups; more than
 * JUDGE_AGREEMENT_UNITS are joined to so many blocks of neighbours.  An item
 * without known scores has no unit. */

static void
judge_agreement_units(judge_agreement_run_t *run)
{
    size_t                        i, t, n, groups;
    uint32_t                     *unit;
    judge_agreement_place_t      *order = run->order;
    const judge_agreement_set_t  *set = run->set;

    for (i = 0, n = 0; i < set->nitems; i++) {
        for (t = 0; t < set->ntargets
                    && !judge_agreement_known(set, i * set->ntargets + t); t++)
        {
            /* void */
        }

        if (t < set->ntargets) {
            order[n++] = (judge_agreement_place_t) {
                set->group ? set->group[i] : (uint32_t) i, 0, i
            };
        }
    }

    qsort(order, n, sizeof(judge_agreement_place_t), judge_agreement_compare);

    for (i = 0, groups = 0; i < n; i++) {
        groups += i == 0 || order[i].group != order[i - 1].group;
        run->unit[order[i].item] = (uint32_t) groups - 1;
    }

    run->nunits = groups < JUDGE_AGREEMENT_UNITS ? groups
                                                 : JUDGE_AGREEMENT_UNITS;

    for (i = 0; groups > run->nunits && i < n; i++) {
        unit = &run->unit[order[i].item];
        *unit = (uint32_t) ((uint64_t) *unit * run->nunits / groups);
    }
}


/* Ranks the items of each model, first .. end - 1 in order, from -1/2 to 1/2,
 * so that models with many and with few items compare.  Items i .. k - 1 are a
 * tie, which gets its mean rank. */

static void
judge_agreement_rank(judge_agreement_run_t *run, size_t t, const float *scores,
    float *ranks)
{
    size_t                        i, j, k, n, cell, first, end;
    judge_agreement_place_t      *order = run->order;
    const judge_agreement_set_t  *set = run->set;

    for (i = n = 0; i < set->nitems; i++) {
        cell = i * set->ntargets + t;
        if (judge_agreement_known(set, cell)) {
            order[n++] = (judge_agreement_place_t) {
                set->model ? set->model[i] : 0, scores[cell], i
            };
        }
    }

    qsort(order, n, sizeof(judge_agreement_place_t), judge_agreement_compare);

    for (first = end = i = 0; i < n; i = k) {
        if (i == end) {
            for (first = i; end < n && order[end].group == order[first].group;
                 end++)
            {
                /* void */
            }
        }

        for (k = i + 1; k < end && order[k].value <= order[i].value; k++) {
            /* void */
        }

        for (j = i; j < k; j++) {
            ranks[order[j].item] = (float)
                ((double) (i + k - 2 * first) / 2 / (double) (end - first)
                 - 0.5);
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


static double
judge_agreement_class(double score)
{
    return floor(judge_clamp(score / 10 + 0.5, 0,
                             JUDGE_AGREEMENT_CLASSES - 1));
}


static void
judge_agreement_sum(judge_agreement_run_t *run, size_t t, const float *scores,
    judge_agreement_sums_t *units)
{
    size_t                        i, cell;
    double                        x, y, n;
    judge_ratings_t               given;
    judge_agreement_sums_t       *s;
    const judge_agreement_set_t  *set = run->set;

    judge_agreement_rank(run, t, scores, run->ranks[0]);
    judge_agreement_rank(run, t, set->human, run->ranks[1]);

    for (i = 0; i < set->nitems; i++) {
        cell = i * set->ntargets + t;
        if (!judge_agreement_known(set, cell)) {
            continue;
        }

        x = (double) scores[cell];
        y = (double) set->human[cell];
        s = &units[run->unit[i]];
        s->n += 1;
        s->squares += (x - y) * (x - y);
        s->near += fabs(x - y) <= JUDGE_AGREEMENT_POINTS;
        s->passes += (x >= set->pass[t]) + (y >= set->pass[t]);
        s->hits += x >= set->pass[t] && y >= set->pass[t] ? 2 : 0;
        judge_agreement_add(&s->scores, x, y);
        judge_agreement_add(&s->ranks, (double) run->ranks[0][i],
                            (double) run->ranks[1][i]);
        judge_agreement_add(&s->classes, judge_agreement_class(x),
                            judge_agreement_class(y));

        given = set->ratings ? set->ratings[cell]
                : (judge_ratings_t) { 2, x + y, x * x + y * y };
        n = (double) given.n;
        if (given.n > 1) {
            s->ratings += n;
            s->rating_sum += given.sum;
            s->rating_squares += given.squares;
            s->within += (n * given.squares - given.sum * given.sum) / (n - 1);
        }
    }
}


/* --- Measures ------------------------------------------------------------ */

/* Without variance there is none: 1e-9 tells it from the sums' rounding. */

static double
judge_agreement_correlation(double n, const judge_agreement_moments_t *m)
{
    double  xx = n * m->xx - m->x * m->x, yy = n * m->yy - m->y * m->y, xy;

    xy = n * m->xy - m->x * m->y;

    return n < 2 || !(xx > 1e-9 * n * m->xx) || !(yy > 1e-9 * n * m->yy)
           ? NAN : judge_clamp(xy / sqrt(xx) / sqrt(yy), -1, 1);
}


/* Kappa and alpha are both 1 - observed / expected disagreement, as squared
 * distances: kappa's between classes, alpha's between scores. */

static void
judge_agreement_measure(const judge_agreement_sums_t *s,
    double out[JUDGE_AGREEMENT_ALL])
{
    double                            chance, all, n = s->n;
    const judge_agreement_moments_t  *m = &s->classes;

    chance = n * (m->xx + m->yy) - 2 * m->x * m->y;
    all = s->ratings * s->rating_squares - s->rating_sum * s->rating_sum;

    out[JUDGE_AGREEMENT_RMSE] = n > 0 ? sqrt(s->squares / n) : NAN;
    out[JUDGE_AGREEMENT_PEARSON] = judge_agreement_correlation(n, &s->scores);
    out[JUDGE_AGREEMENT_SPEARMAN] = judge_agreement_correlation(n, &s->ranks);
    out[JUDGE_AGREEMENT_KAPPA] = n > 1 && chance > 0
        ? 1 - n * (m->xx + m->yy - 2 * m->xy) / chance : NAN;
    out[JUDGE_AGREEMENT_ALPHA] = n > 1 && all > 1e-9 * s->ratings
                                                * s->rating_squares
        ? 1 - (s->ratings - 1) * s->within / all : NAN;
    out[JUDGE_AGREEMENT_NEAR] = n > 0 ? s->near / n : NAN;
    out[JUDGE_AGREEMENT_BIAS] = n > 0 ? (s->scores.x - s->scores.y) / n : NAN;

    out[JUDGE_AGREEMENT_F1] = n > 1 && s->passes > 0 ? s->hits / s->passes
                                                     : NAN;
}


/* --- Draws --------------------------------------------------------------- */

static double *
judge_agreement_drawn(const judge_agreement_run_t *run, size_t t, size_t m,
    size_t side)
{
    return run->draws + ((t * JUDGE_AGREEMENT_ALL + m) * run->sides + side)
                        * run->ndraws;
}


static void
judge_agreement_draw(judge_agreement_run_t *run, size_t draw, size_t t,
    size_t side)
{
    size_t                  u, k;
    double                  w, *sums, out[JUDGE_AGREEMENT_ALL];
    const double           *add;
    judge_agreement_sums_t  s;

    memset(&s, 0, sizeof(s));
    sums = (double *) &s;
    add = (const double *) (run->sums + (t * run->sides + side) * run->nunits);

    for (u = 0; u < run->nunits; u++, add += JUDGE_AGREEMENT_SUMS) {
        w = run->counts[u];
        for (k = 0; w > 0 && k < JUDGE_AGREEMENT_SUMS; k++) {
            sums[k] += w * add[k];
        }
    }

    judge_agreement_measure(&s, out);

    for (k = 0; k < JUDGE_AGREEMENT_ALL; k++) {
        judge_agreement_drawn(run, t, k, side)[draw] = out[k];
    }
}


/* The mean over the first nmean targets that have scores, or over all. */

static void
judge_agreement_mean(judge_agreement_run_t *run, size_t draw)
{
    size_t  t, m, side, n, nmean;
    double  sum, v;

    for (t = 0; t < run->set->nmean && run->n[t] < JUDGE_AGREEMENT_LEAST; t++)
    {
        /* void */
    }

    nmean = t < run->set->nmean ? run->set->nmean : run->set->ntargets;

    for (m = 0; m < JUDGE_AGREEMENT_ALL; m++) {
        for (side = 0; side < run->sides; side++) {
            for (t = 0, n = 0, sum = 0; t < nmean; t++) {
                v = judge_agreement_drawn(run, t, m, side)[draw];
                if (run->n[t] >= JUDGE_AGREEMENT_LEAST && !isnan(v)) {
                    sum += v;
                    n++;
                }
            }

            judge_agreement_drawn(run, run->set->ntargets, m, side)[draw] =
                n ? sum / (double) n : NAN;
        }
    }
}


static void
judge_agreement_draws(judge_agreement_run_t *run)
{
    size_t  i, b, t, side, n = run->nunits;

    for (b = 0; b < run->ndraws; b++) {
        for (i = 0; i < n; i++) {
            run->counts[i] = b == 0;
        }

        for (i = 0; b && i < n; i++) {
            run->counts[(judge_mix_next(&run->random) >> 32) * n >> 32]++;
        }

        for (t = 0; t < run->set->ntargets; t++) {
            for (side = 0; side < run->sides; side++) {
                judge_agreement_draw(run, b, t, side);
            }
        }

        judge_agreement_mean(run, b);
    }
}


/* --- Figures and their intervals ----------------------------------------- */

/* The upper tail of Student's t, approximated by the normal distribution
 * (Abramowitz & Stegun 26.7.8). */

static double
judge_agreement_student(double t, double freedom)
{
    double  z = t * (1 - 1 / (4 * freedom)) / sqrt(1 + t * t / (2 * freedom));

    return 0.5 * erfc(z / sqrt(2));
}


/* Returns the value and interval of a measure, or of its difference from
 * `minus`, times `sign`.  The bootstrap's variance is by n units and not by
 * n - 1, which is corrected. */

static judge_agreement_value_t
judge_agreement_value(judge_agreement_run_t *run, const double *draws,
    const double *minus, double sign)
{
    size_t                   b, n, tail;
    double                   v, sum, squares, deviation, freedom;
    judge_agreement_value_t  out = JUDGE_AGREEMENT_UNDEFINED;

    out.value = sign * (minus ? draws[0] - minus[0] : draws[0]);

    for (b = 1, n = 0, sum = 0, squares = 0; b < run->ndraws; b++) {
        v = sign * (minus ? draws[b] - minus[b] : draws[b]);
        if (!isnan(v)) {
            run->sorted[n++] = v;
            sum += v;
            squares += v * v;
        }
    }

    if (n < JUDGE_AGREEMENT_FEWEST / 2 || isnan(out.value)) {
        return out;
    }

    freedom = (double) run->nunits - 1;
    v = sum / (double) n;
    deviation = sqrt(fmax(squares / (double) n - v * v, 0)
                     * (freedom + 1) / freedom);

    if (minus && deviation > 0) {
        v = out.value / deviation;
        out.better = judge_agreement_student(v, freedom);
        out.worse = judge_agreement_student(-v, freedom);
    }

    qsort(run->sorted, n, sizeof(double), judge_by_double);
    tail = (size_t) ((1 - JUDGE_AGREEMENT_COVERAGE) / 2 * (double) n);
    out.low = run->sorted[tail];
    out.high = run->sorted[n - 1 - tail];

    return out;
}


static void
judge_agreement_figures(judge_agreement_run_t *run, size_t t,
    judge_agreement_t *out)
{
    size_t         m;
    double         bias;
    const double  *pred, *before;

    bias = judge_agreement_drawn(run, t, JUDGE_AGREEMENT_BIAS, 0)[0];
    *out = (judge_agreement_t) { .n = run->n[t],
                                 .bias = isnan(bias) ? 0 : bias };

    for (m = 0; m < JUDGE_AGREEMENT_COUNT; m++) {
        pred = judge_agreement_drawn(run, t, m, 0);
        out->pred[m] = judge_agreement_value(run, pred, NULL, 1);
        out->before[m] = out->gain[m] = JUDGE_AGREEMENT_UNDEFINED;

        if (run->sides == 2) {
            before = judge_agreement_drawn(run, t, m, 1);
            out->before[m] = judge_agreement_value(run, before, NULL, 1);
            out->gain[m] = judge_agreement_value(run, pred, before,
                               m == JUDGE_AGREEMENT_RMSE ? -1 : 1);
        }
    }
}


/* --- All of it ----------------------------------------------------------- */

static bool
judge_agreement_prepare(judge_agreement_run_t *run)
{
    size_t  n = run->set->nitems + 1, nt = run->set->ntargets, most;

    run->unit = judge_array_alloc(run->arena, n, sizeof(uint32_t));
    run->order = judge_array_alloc(run->arena, n,
                                   sizeof(judge_agreement_place_t));
    run->ranks[0] = judge_array_alloc(run->arena, n, sizeof(float));
    run->ranks[1] = judge_array_alloc(run->arena, n, sizeof(float));
    run->n = judge_array_alloc(run->arena, nt + 1, sizeof(size_t));

    if (run->unit == NULL || run->order == NULL || run->ranks[0] == NULL
        || run->ranks[1] == NULL || run->n == NULL)
    {
        return false;
    }

    judge_agreement_units(run);

    most = JUDGE_AGREEMENT_WORK / (run->nunits * nt + 1);
    run->ndraws = run->nunits < 2 ? 1
                  : 1 + (most > JUDGE_AGREEMENT_DRAWS ? JUDGE_AGREEMENT_DRAWS
                         : most < JUDGE_AGREEMENT_FEWEST
                         ? JUDGE_AGREEMENT_FEWEST : most);

    run->counts = judge_array_alloc(run->arena, run->nunits + 1,
                                    sizeof(uint32_t));
    run->sorted = judge_array_alloc(run->arena, run->ndraws, sizeof(double));
    run->sums = judge_array_alloc(run->arena,
                                  nt * run->sides * run->nunits + 1,
                                  sizeof(judge_agreement_sums_t));
    run->draws = judge_array_alloc(run->arena,
                                   (nt + 1) * JUDGE_AGREEMENT_ALL * run->sides
                                   * run->ndraws, sizeof(double));

    return run->counts && run->sorted && run->sums && run->draws;
}


judge_rc_e
judge_agreement(judge_arena_t *arena, const judge_agreement_set_t *set,
    judge_agreement_t *targets)
{
    size_t                 i, t, n = set->ntargets;
    judge_agreement_run_t  run = { .arena = arena, .set = set,
                                   .sides = set->before ? 2 : 1,
                                   .random = UINT64_C(0x9e3779b97f4a7c15) };

    if (!judge_agreement_prepare(&run)) {
        return JUDGE_NOMEM;
    }

    for (t = 0; t < n; t++) {
        for (i = 0; i < set->nitems; i++) {
            run.n[t] += judge_agreement_known(set, i * n + t);
        }

        run.n[n] = run.n[t] > run.n[n] ? run.n[t] : run.n[n];
        judge_agreement_sum(&run, t, set->pred,
                            run.sums + t * run.sides * run.nunits);
        if (set->before) {
            judge_agreement_sum(&run, t, set->before,
                                run.sums + (2 * t + 1) * run.nunits);
        }
    }

    judge_agreement_draws(&run);

    for (t = 0; t <= n; t++) {
        judge_agreement_figures(&run, t, &targets[t]);
    }

    return JUDGE_OK;
}


/* --- As JSON ------------------------------------------------------------- */

void
judge_agreement_value_json(judge_json_writer_t *w, const char *key,
    const judge_agreement_value_t *v)
{
    if (isnan(v->value)) {
        return;
    }

    judge_json_key_object(w, key);
    judge_json_put_number4(w, "value", v->value);

    if (!isnan(v->low) && !isnan(v->high)) {
        judge_json_put_number4(w, "low", v->low);
        judge_json_put_number4(w, "high", v->high);
    }

    judge_json_object_end(w);
}


void
judge_agreement_json(judge_json_writer_t *w, const judge_agreement_t *agree)
{
    size_t  i;

    for (i = 0; i < JUDGE_AGREEMENT_COUNT; i++) {
        judge_agreement_value_json(w, judge_agreement_names[i],
                                   &agree->pred[i]);
    }
}
