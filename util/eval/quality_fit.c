/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the learner makes of corrections, by itself and without nginx:
 *
 *   build/quality_fit DRAWS FILE.jsonl...
 *
 * Each line of a file is as util/eval/quality.c has it.  A half of the sources
 * (or texts) is held out, another one in each draw; of the other half so many
 * are learned from.  Prints the error on the data's own scale and the mean of
 * Spearman's correlation over the criteria, and seconds a learning.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/core/hash.h"
#include "base/json/json.h"
#include "analysis/builtin/engine.h"
#include "analysis/learning/agreement.h"
#include "analysis/learning/learn.h"
#include "analysis/learning/predictor.h"
#include "analysis/text/math.h"


#define FIT_CRITERIA  16
#define FIT_STEPS     3

typedef struct {
    judge_str_t  text;
    judge_str_t  source;
    double       human[FIT_CRITERIA];  /* NaN: none */
    float        raw[FIT_CRITERIA];
    float       *features;
    uint64_t     group;
} fit_item_t;

typedef struct {
    const char         *name;
    judge_arena_t      *arena;
    fit_item_t         *items;
    size_t              n;
    judge_criterion_t   criteria[FIT_CRITERIA];
    size_t              ncriteria;
    size_t              nfeatures;
    double              least[FIT_CRITERIA];
    double              most[FIT_CRITERIA];
} fit_set_t;

typedef struct {
    size_t  n;
    double  rmse, spearman, before_rmse, before_spearman, mean_rmse, seconds;
    size_t  below;                     /* draws whose order is worse */
} fit_row_t;

static const size_t  fit_counts[FIT_STEPS] = { 25, 100, SIZE_MAX };


static void
fit_die(const char *what)
{
    (void) fprintf(stderr, "quality_fit: %s\n", what);
    exit(1);
}


static double
fit_seconds(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


/* --- A set --------------------------------------------------------------- */

static void
fit_scores(fit_set_t *set, fit_item_t *item, const judge_json_t *scores)
{
    size_t               i;
    const judge_json_t  *v;

    for (i = 0; i < FIT_CRITERIA; i++) {
        item->human[i] = NAN;
    }

    for (v = scores->first; v; v = v->next) {
        for (i = 0; i < set->ncriteria
                    && !judge_str_eq(set->criteria[i].name, v->key); i++)
        {
            /* void */
        }

        if (i == FIT_CRITERIA) {
            fit_die("too many criteria");
        }

        if (i == set->ncriteria) {
            set->criteria[set->ncriteria++] = (judge_criterion_t) {
                .id = v->key, .name = v->key, .description = JUDGE_STR(""),
                .weight = 1 };
            set->least[i] = 1e30;
            set->most[i] = -1e30;
        }

        if (v->type != JUDGE_JSON_NULL) {
            item->human[i] = judge_json_double(v);
            set->least[i] = fmin(set->least[i], item->human[i]);
            set->most[i] = fmax(set->most[i], item->human[i]);
        }
    }
}


static void
fit_line(fit_set_t *set, judge_str_t line)
{
    fit_item_t    *item = &set->items[set->n++];
    judge_json_t  *root, *text, *meta, *source;

    if (judge_json_parse(set->arena, line, &root, NULL) != JUDGE_OK
        || (text = judge_json_get(root, "text")) == NULL
        || judge_json_get(root, "scores") == NULL)
    {
        fit_die("not a line of the format");
    }

    meta = judge_json_get(root, "meta");
    source = meta ? judge_json_get(meta, "source") : NULL;
    item->text = text->string;
    item->source = source && source->type == JUDGE_JSON_STRING
                   ? source->string : (judge_str_t) { 0, NULL };
    text = item->source.len ? source : text;
    item->group = judge_mix(judge_fnv(JUDGE_FNV_START, text->string.data,
                                      text->string.len));
    fit_scores(set, item, judge_json_get(root, "scores"));
}


static void
fit_measure(fit_set_t *set)
{
    size_t            i, k;
    judge_item_t      item;
    judge_arena_t    *arena = judge_arena_create(1 << 20);
    judge_rubric_t    rubric = { .name = JUDGE_STR(""),
                                 .description = JUDGE_STR(""),
                                 .criteria = set->criteria,
                                 .ncriteria = set->ncriteria };
    judge_scorer_t   *scorer = judge_scorer_create(set->arena, &rubric);
    judge_verdict_t   verdict;

    for (i = 0; arena && scorer && i < set->n; i++) {
        memset(&item, 0, sizeof(item));
        item.text = set->items[i].text;
        item.source = set->items[i].source;

        if (judge_score(scorer, &item, arena, &verdict) != JUDGE_OK) {
            fit_die("out of memory");
        }

        set->nfeatures = verdict.nfeatures;
        set->items[i].features = judge_array_alloc(set->arena,
                                                   verdict.nfeatures,
                                                   sizeof(float));
        if (set->items[i].features == NULL) {
            fit_die("out of memory");
        }

        memcpy(set->items[i].features, verdict.features,
               verdict.nfeatures * sizeof(float));
        for (k = 0; k < set->ncriteria; k++) {
            set->items[i].raw[k] = (float) verdict.scores[k].score;
        }
        judge_arena_reset(arena);
    }

    judge_arena_destroy(arena);
}


static void
fit_read(fit_set_t *set, const char *path)
{
    FILE     *in = fopen(path, "r");
    char     *line = NULL;
    size_t    size = 0, lines;
    ssize_t   len;

    if (in == NULL) {
        fit_die(path);
    }

    memset(set, 0, sizeof(fit_set_t));
    set->name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    set->arena = judge_arena_create(1 << 20);

    for (lines = 0; getline(&line, &size, in) > 0; lines++) {
        /* void */
    }

    rewind(in);
    set->items = judge_array_alloc(set->arena, lines + 1,
                                   sizeof(fit_item_t));
    if (set->items == NULL) {
        fit_die("out of memory");
    }

    while ((len = getline(&line, &size, in)) > 0) {
        fit_line(set, (judge_str_t) { (size_t) len, line });
    }

    free(line);
    (void) fclose(in);
    fit_measure(set);
}


/* --- A draw -------------------------------------------------------------- */

/* Items as the learner takes them. */

static judge_learn_set_t
fit_take(judge_arena_t *arena, const fit_set_t *set, const size_t *at,
    size_t n)
{
    size_t        i, k, m = set->ncriteria;
    float        *features, *raw, *target, *weight;
    uint32_t     *group;
    judge_str_t  *texts;

    features = judge_array_alloc(arena, n * set->nfeatures + 1,
                                 sizeof(float));
    raw = judge_array_alloc(arena, 3 * n * m + 1, sizeof(float));
    group = judge_array_alloc(arena, n + 1, sizeof(uint32_t));
    texts = judge_array_alloc(arena, n + 1, sizeof(judge_str_t));
    if (features == NULL || raw == NULL || group == NULL || texts == NULL) {
        fit_die("out of memory");
    }

    target = raw + n * m;
    weight = target + n * m;

    for (i = 0; i < n; i++) {
        memcpy(features + i * set->nfeatures, set->items[at[i]].features,
               set->nfeatures * sizeof(float));
        group[i] = (uint32_t) (set->items[at[i]].group >> 32);
        texts[i] = set->items[at[i]].text;

        for (k = 0; k < m; k++) {
            raw[i * m + k] = set->items[at[i]].raw[k];
            target[i * m + k] = (float) (100 * (set->items[at[i]].human[k]
                                                - set->least[k])
                                / (set->most[k] - set->least[k]));
            weight[i * m + k] = 1;
        }
    }

    return (judge_learn_set_t) {
        .nitems = n, .nfeatures = set->nfeatures, .ntargets = m,
        .features = features, .raw = raw, .target = target,
        .weight = weight, .texts = texts, .group = group };
}


static void
fit_predict(judge_arena_t *arena, const judge_learn_set_t *from,
    const judge_learn_set_t *to, float *out)
{
    size_t                   i;
    float                   *scratch;
    judge_buf_t              bytes;
    judge_learner_t         *learner;
    judge_predictor_t       *model;
    judge_learn_options_t    options = { .epochs = 20, .patience = 5 };
    judge_learn_progress_t   progress;

    judge_buf_init(&bytes, arena);
    if (judge_learner_create(from, &options, &learner) != JUDGE_OK) {
        fit_die("the learner does not begin");
    }

    do {
        if (judge_learner_epoch(learner, &progress) != JUDGE_OK) {
            fit_die("out of memory");
        }
    } while (!progress.done);

    if (judge_learner_model(learner, &bytes) != JUDGE_OK) {
        fit_die("out of memory");
    }

    judge_learner_destroy(learner);
    model = judge_predictor_read(arena, judge_buf_view(&bytes));
    scratch = model ? judge_array_alloc(arena,
                                        judge_predictor_scratch(model) + 1,
                                        sizeof(float)) : NULL;

    for (i = 0; i < to->nitems; i++) {
        if (scratch == NULL) {
            fit_die("no model");
        }
        judge_predictor_predict(model, to->features + i * to->nfeatures,
                                to->raw + i * to->ntargets, to->texts[i],
                                scratch, out + i * to->ntargets);
    }
}


/* The engine's scores; of a criterion that it did not judge people's mean. */

static float *
fit_before(judge_arena_t *arena, const judge_learn_set_t *to)
{
    size_t   i, k, m = to->ntargets;
    float   *before = judge_array_alloc(arena, to->nitems * m + 1,
                                        sizeof(float));
    double   sum;

    for (k = 0; before && k < m; k++) {
        for (i = 0, sum = 0; i < to->nitems; i++) {
            sum += (double) to->target[i * m + k];
        }
        for (i = 0; i < to->nitems; i++) {
            before[i * m + k] = isnan(to->raw[i * m + k])
                                ? (float) (sum / (double) to->nitems)
                                : to->raw[i * m + k];
        }
    }

    return before;
}


/* The error on the data's scale, and the order, means over the criteria. */

static void
fit_compare(judge_arena_t *arena, const fit_set_t *set,
    const judge_learn_set_t *to, const float *out, fit_row_t *row)
{
    size_t                 k, m = set->ncriteria;
    double                 pass[FIT_CRITERIA] = { 0 }, scale, s[2] = { 0, 0 };
    judge_agreement_t      agree[FIT_CRITERIA + 1];
    judge_agreement_set_t  both = {
        .nitems = to->nitems, .ntargets = m, .nmean = m, .human = to->target,
        .pred = out, .before = fit_before(arena, to), .pass = pass };

    if (both.before == NULL
        || judge_agreement(arena, &both, agree) != JUDGE_OK)
    {
        fit_die("out of memory");
    }

    for (k = 0; k < m; k++) {
        scale = (set->most[k] - set->least[k]) / 100 / (double) m;
        row->rmse += scale * agree[k].pred[JUDGE_AGREEMENT_RMSE].value;
        row->before_rmse += scale
                            * agree[k].before[JUDGE_AGREEMENT_RMSE].value;
        s[0] += agree[k].pred[JUDGE_AGREEMENT_SPEARMAN].value / (double) m;
        s[1] += isnan(agree[k].before[JUDGE_AGREEMENT_SPEARMAN].value) ? 0
                : agree[k].before[JUDGE_AGREEMENT_SPEARMAN].value / (double) m;
    }

    row->spearman += s[0];
    row->before_spearman += s[1];
    row->below += s[0] < s[1] - 0.01;
    row->n++;
}


static void
fit_draw(const fit_set_t *set, uint64_t seed, fit_row_t rows[FIT_STEPS])
{
    size_t             i, k, s, n[2] = { 0, 0 }, *at[2], count;
    float             *out;
    double             begun;
    judge_arena_t     *arena = judge_arena_create(1 << 20);
    judge_learn_set_t  from, to;

    at[0] = judge_array_alloc(arena, set->n + 1, sizeof(size_t));
    at[1] = judge_array_alloc(arena, set->n + 1, sizeof(size_t));
    out = judge_array_alloc(arena, set->n * set->ncriteria + 1,
                            sizeof(float));
    if (at[0] == NULL || at[1] == NULL || out == NULL) {
        fit_die("out of memory");
    }

    for (i = 0; i < set->n; i++) {
        s = judge_mix(set->items[i].group + seed * 7919) & 1;
        k = n[s]++;
        /* an order that differs from draw to draw */
        count = s ? k : (size_t) (judge_mix(seed * 31 + i) % (k + 1));
        at[s][k] = at[s][count];
        at[s][count] = i;
    }

    to = fit_take(arena, set, at[1], n[1]);

    for (s = 0; s < FIT_STEPS; s++) {
        count = n[0] < fit_counts[s] ? n[0] : fit_counts[s];
        from = fit_take(arena, set, at[0], count);
        begun = fit_seconds();
        fit_predict(arena, &from, &to, out);
        rows[s].seconds += fit_seconds() - begun;
        fit_compare(arena, set, &to, out, &rows[s]);
    }

    judge_arena_destroy(arena);
}


int
main(int argc, char **argv)
{
    int        i;
    long       draws;
    size_t     s;
    double     n;
    uint64_t   seed;
    fit_set_t  set;

    if (argc < 3 || (draws = strtol(argv[1], NULL, 10)) < 1) {
        fit_die("usage: quality_fit DRAWS FILE.jsonl...");
    }

    printf("%-10s %6s %6s %6s %9s %9s %9s %6s %8s\n", "set", "items",
           "draws", "rmse", "untrained", "spearman", "untrained", "below",
           "seconds");

    for (i = 2; i < argc; i++) {
        fit_row_t  rows[FIT_STEPS] = { 0 };

        fit_read(&set, argv[i]);
        for (seed = 1; seed <= (uint64_t) draws; seed++) {
            fit_draw(&set, seed, rows);
        }

        for (s = 0; s < FIT_STEPS; s++) {
            n = (double) rows[s].n;
            printf("%-10s %6zu %6ld %6.3f %9.3f %9.3f %9.3f %6zu %8.2f\n",
                   set.name, fit_counts[s] < set.n / 2 ? fit_counts[s]
                                                       : set.n / 2,
                   draws, rows[s].rmse / n, rows[s].before_rmse / n,
                   rows[s].spearman / n, rows[s].before_spearman / n,
                   rows[s].below, rows[s].seconds / n);
            (void) fflush(stdout);
        }
        judge_arena_destroy(set.arena);
    }

    return 0;
}
