/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How well the untrained builtin engine agrees with human scores.
 *
 *   build/quality [--values | --flags | --speed] FILE.jsonl...
 *
 * Each line of a file is {"text", "scores": {criterion: number}, "overall",
 * "meta": {"source", "question"}}.  The criteria are those that the lines
 * have, by name only.  Prints Pearson's and Spearman's correlation for each,
 * and in how many texts it was judged; one that nothing judges has 0 in none.
 * --values prints all features and scores of aspects, --flags each text that
 * is taken for none to judge and how many there are, --speed the time that
 * scoring takes.
 * util/eval/quality takes folders of compressed files.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json/json.h"
#include "analysis/builtin/engine.h"
#include "analysis/builtin/explain.h"
#include "analysis/text/math.h"


#define JUDGE_CRITERIA_MAX  64


typedef struct {
    judge_item_t   item;
    double         human[JUDGE_CRITERIA_MAX + 1];    /* the last: overall */
    double         ours[JUDGE_CRITERIA_MAX + 1];
    bool           has[JUDGE_CRITERIA_MAX + 1];
    float         *features;
} judge_sample_t;

typedef struct {
    const char         *name;
    judge_arena_t      *arena;
    judge_sample_t     *samples;
    size_t              n;
    judge_criterion_t   criteria[JUDGE_CRITERIA_MAX];
    size_t              ncriteria;
    double             *x, *y;         /* of one criterion */
    double             *scratch;
} judge_set_t;

typedef struct {
    double  value;
    size_t  index;
} judge_ranked_t;


static bool judge_set_read(judge_set_t *set, const char *path);
static bool judge_set_line(judge_set_t *set, judge_str_t line);
static bool judge_set_scores(judge_set_t *set, judge_sample_t *sample,
    const judge_json_t *scores);
static bool judge_set_score(judge_set_t *set);
static void judge_set_print(judge_set_t *set);
static bool judge_set_values(judge_set_t *set);
static bool judge_set_flags(judge_set_t *set);
static void judge_set_speed(judge_set_t *set);
static double judge_pearson(const double *x, const double *y, size_t n);
static bool judge_ranks(double *x, size_t n);


int
main(int argc, char **argv)
{
    int          i;
    bool         values, flags, speed, ok;
    judge_set_t  set;

    speed = argc > 1 && strcmp(argv[1], "--speed") == 0;
    values = argc > 1 && strcmp(argv[1], "--values") == 0;
    flags = argc > 1 && strcmp(argv[1], "--flags") == 0;
    i = 1 + (speed || values || flags);

    if (i >= argc || argv[i][0] == '-') {
        fprintf(stderr, "usage: quality [--values | --flags | --speed]"
                        " FILE.jsonl...\n");
        return 2;
    }

    for ( /* void */ ; i < argc; i++) {
        if (!judge_set_read(&set, argv[i])) {
            return 1;
        }

        ok = true;

        if (speed) {
            judge_set_speed(&set);

        } else if (values) {
            ok = judge_set_values(&set);

        } else if (flags) {
            ok = judge_set_flags(&set);

        } else if ((ok = judge_set_score(&set))) {
            judge_set_print(&set);
        }

        if (!ok) {
            fprintf(stderr, "%s: out of memory\n", argv[i]);
            return 1;
        }

        judge_arena_destroy(set.arena);
    }

    return 0;
}


static bool
judge_set_read(judge_set_t *set, const char *path)
{
    bool      ok;
    FILE     *in;
    char     *line;
    size_t    size, lines;
    ssize_t   len;

    memset(set, 0, sizeof(judge_set_t));
    set->name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    line = NULL;
    size = 0;
    ok = true;

    in = fopen(path, "r");
    if (in == NULL) {
        perror(path);
        return false;
    }

    for (lines = 0; getline(&line, &size, in) > 0; lines++) {
        /* void */
    }

    rewind(in);
    set->arena = judge_arena_create(1 << 20);
    set->samples = set->arena == NULL ? NULL
                   : judge_array_alloc(set->arena, lines + 1,
                                       sizeof(judge_sample_t));

    while (ok && set->samples != NULL
           && (len = getline(&line, &size, in)) > 0)
    {
        ok = judge_set_line(set, (judge_str_t) { (size_t) len, line });
    }

    free(line);
    fclose(in);

    if (!ok || set->samples == NULL) {
        fprintf(stderr, "%s:%zu: not a line of the format\n", path,
                set->n + 1);
        return false;
    }

    set->x = judge_array_alloc(set->arena, set->n + 1, sizeof(double));
    set->y = judge_array_alloc(set->arena, set->n + 1, sizeof(double));

    return set->x != NULL && set->y != NULL;
}


static bool
judge_set_line(judge_set_t *set, judge_str_t line)
{
    judge_json_t    *root, *text, *source, *question, *meta, *overall;
    judge_sample_t  *sample;

    if (judge_json_parse(set->arena, line, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return false;
    }

    text = judge_json_get(root, "text");
    meta = judge_json_get(root, "meta");
    overall = judge_json_get(root, "overall");
    source = meta != NULL ? judge_json_get(meta, "source") : NULL;
    question = meta != NULL ? judge_json_get(meta, "question") : NULL;

    if (text == NULL || text->type != JUDGE_JSON_STRING) {
        return false;
    }

    sample = &set->samples[set->n];
    sample->item.text = text->string;

    if (source != NULL && source->type == JUDGE_JSON_STRING) {
        sample->item.source = source->string;
    }

    if (question != NULL && question->type == JUDGE_JSON_STRING) {
        sample->item.question = question->string;
    }

    if (overall != NULL) {
        sample->human[JUDGE_CRITERIA_MAX] = judge_json_double(overall);
        sample->has[JUDGE_CRITERIA_MAX] = true;
    }

    set->n++;

    return judge_set_scores(set, sample, judge_json_get(root, "scores"));
}


static bool
judge_set_scores(judge_set_t *set, judge_sample_t *sample,
    const judge_json_t *scores)
{
    size_t               i;
    const judge_json_t  *v;

    if (scores == NULL || scores->type != JUDGE_JSON_OBJECT) {
        return false;
    }

    for (v = scores->first; v != NULL; v = v->next) {
        for (i = 0; i < set->ncriteria; i++) {
            if (judge_str_eq(set->criteria[i].name, v->key)) {
                break;
            }
        }

        if (i == JUDGE_CRITERIA_MAX) {
            return false;
        }

        if (i == set->ncriteria) {
            set->criteria[i].name = v->key;
            set->criteria[i].id = v->key;
            set->criteria[i].description = JUDGE_STR("");
            set->criteria[i].weight = 1;
            set->ncriteria++;
        }

        if (v->type != JUDGE_JSON_NULL) {
            sample->human[i] = judge_json_double(v);
            sample->has[i] = true;
        }
    }

    return true;
}


static judge_scorer_t *
judge_set_scorer(judge_set_t *set)
{
    judge_rubric_t  rubric = {
        .name = JUDGE_STR(""), .description = JUDGE_STR(""),
        .criteria = set->criteria, .ncriteria = set->ncriteria
    };

    return judge_scorer_create(set->arena, &rubric);
}


static bool
judge_set_score(judge_set_t *set)
{
    size_t           i, k;
    judge_arena_t   *arena;
    judge_scorer_t  *scorer;
    judge_sample_t  *sample;
    judge_verdict_t  verdict;

    arena = judge_arena_create(1 << 20);
    scorer = judge_set_scorer(set);

    if (arena == NULL || scorer == NULL) {
        return false;
    }

    for (i = 0; i < set->n; i++) {
        sample = &set->samples[i];

        if (judge_score(scorer, &sample->item, arena, &verdict) != JUDGE_OK) {
            return false;
        }

        for (k = 0; k < set->ncriteria; k++) {
            sample->ours[k] = verdict.scores[k].score;
        }

        sample->ours[JUDGE_CRITERIA_MAX] = verdict.overall;
        sample->features = judge_array_alloc(set->arena, verdict.nfeatures,
                                             sizeof(float));
        if (sample->features == NULL) {
            return false;
        }

        memcpy(sample->features, verdict.features,
               verdict.nfeatures * sizeof(float));
        judge_arena_reset(arena);
    }

    judge_arena_destroy(arena);

    return true;
}


/* Fills x with human scores and y with ours, or with a feature, of the texts
 * that were judged. */

static size_t
judge_set_pairs(judge_set_t *set, size_t criterion, ssize_t feature)
{
    size_t           i, n;
    judge_sample_t  *sample;

    for (i = 0, n = 0; i < set->n; i++) {
        sample = &set->samples[i];

        if (sample->has[criterion] && !isnan(sample->ours[criterion])) {
            set->x[n] = sample->human[criterion];
            set->y[n++] = feature < 0 ? sample->ours[criterion]
                                      : (double) sample->features[feature];
        }
    }

    return n;
}


static void
judge_set_row(judge_set_t *set, size_t criterion, const char *name,
    size_t len, double *sum)
{
    size_t  i, n;
    double  pearson, spearman, human, ours;

    n = judge_set_pairs(set, criterion, -1);
    human = 0;
    ours = 0;

    for (i = 0; i < n; i++) {
        human += set->x[i] / (double) n;
        ours += set->y[i] / (double) n;
    }

    pearson = judge_pearson(set->x, set->y, n);

    if (!judge_ranks(set->x, n) || !judge_ranks(set->y, n)) {
        return;
    }

    spearman = judge_pearson(set->x, set->y, n);
    sum[0] += pearson;
    sum[1] += spearman;

    printf("%-16s  %-16.*s  %6zu  %8.3f  %8.3f  %6.2f  %6.2f\n", set->name,
           (int) len, name, n, pearson, spearman, human, ours);
}


static void
judge_set_print(judge_set_t *set)
{
    size_t  i;
    double  sum[2] = { 0, 0 }, none[2];

    printf("%-16s  %-16s  %6s  %8s  %8s  %6s  %6s\n", "data", "criterion",
           "texts", "Pearson", "Spearman", "human", "ours");

    for (i = 0; i < set->ncriteria; i++) {
        judge_set_row(set, i, set->criteria[i].name.data,
                      set->criteria[i].name.len, sum);
    }

    printf("%-16s  %-16s  %6s  %8.3f  %8.3f\n", set->name, "(mean)", "",
           judge_share(sum[0], (double) set->ncriteria),
           judge_share(sum[1], (double) set->ncriteria));
    judge_set_row(set, JUDGE_CRITERIA_MAX, "(overall)", 9, none);
    printf("\n");
}


/* A line of names, and one for each text: its features, and the scores of the
 * aspects. */

static bool
judge_set_values(judge_set_t *set)
{
    size_t                 i, k;
    judge_arena_t         *arena;
    judge_reading_t       *reading;
    judge_aspect_score_t   score;
    const judge_measure_t *m;

    for (k = 0; k < JUDGE_FEATURES; k++) {
        printf("%s ", judge_feature_name(k));
    }

    for (k = 1; k < JUDGE_ASPECTS; k++) {
        printf("%s%s", judge_aspects[k].name,
               k + 1 < JUDGE_ASPECTS ? " " : "\n");
    }

    arena = judge_arena_create(1 << 20);

    for (i = 0; i < set->n; i++) {
        reading = judge_reading_create(arena, &set->samples[i].item);
        if (reading == NULL) {
            return false;
        }

        m = judge_reading_measure(reading);

        for (k = 0; k < JUDGE_FEATURES; k++) {
            printf("%.6g ", (double) m->v[k]);
        }

        for (k = 1; k < JUDGE_ASPECTS; k++) {
            memset(&score, 0, sizeof(score));
            score.score = 0;
            if (m->text->nwords > 0) {
                judge_aspect_score(&score, &judge_aspects[k], m);
            }
            printf("%.6g%s", score.score, k + 1 < JUDGE_ASPECTS ? " " : "\n");
        }

        judge_arena_reset(arena);
    }

    judge_arena_destroy(arena);

    return true;
}


static double
judge_seconds(void)
{
    struct timespec  t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);

    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}


/* "FLAG TEXT", a line for each, then how many of how many. */

static bool
judge_set_flags(judge_set_t *set)
{
    size_t             i, k, flagged;
    judge_arena_t     *arena;
    judge_scorer_t    *scorer;
    judge_verdict_t    verdict;
    judge_criterion_t  grammar = { .name = JUDGE_STR("Grammar"), .weight = 1 };
    judge_rubric_t     rubric = { .criteria = &grammar, .ncriteria = 1 };

    arena = judge_arena_create(1 << 20);
    scorer = judge_scorer_create(set->arena, &rubric);

    for (i = 0, flagged = 0; arena && scorer && i < set->n; i++) {
        judge_arena_reset(arena);

        if (judge_score(scorer, &set->samples[i].item, arena, &verdict)
            != JUDGE_OK)
        {
            return false;
        }

        flagged += verdict.nflags > 0;

        for (k = 0; k < verdict.nflags; k++) {
            printf("%s\t%.*s\n", verdict.flags[k].name,
                   (int) strcspn(set->samples[i].item.text.data, "\r\n"),
                   set->samples[i].item.text.data);
        }
    }

    judge_arena_destroy(arena);
    printf("%s: %zu of %zu texts\n", set->name, flagged, set->n);

    return arena != NULL && scorer != NULL;
}


static void
judge_set_speed(judge_set_t *set)
{
    size_t           i, bytes, round;
    double           began, took;
    judge_arena_t   *arena;
    judge_scorer_t  *scorer;
    judge_verdict_t  verdict;

    arena = judge_arena_create(1 << 20);
    scorer = judge_set_scorer(set);
    bytes = 0;
    began = judge_seconds();

    for (round = 0; arena != NULL && scorer != NULL; round++) {
        for (i = 0; i < set->n; i++) {
            if (judge_score(scorer, &set->samples[i].item, arena, &verdict)
                != JUDGE_OK)
            {
                return;
            }

            bytes += set->samples[i].item.text.len
                     + set->samples[i].item.source.len;
            judge_arena_reset(arena);
        }

        took = judge_seconds() - began;

        if (took > 2) {
            printf("%-16s  %.1f MB/s of CPU time, %zu criteria, %.0f us a "
                   "text\n", set->name, (double) bytes / took / 1e6,
                   set->ncriteria,
                   took * 1e6 / (double) ((round + 1) * set->n));
            break;
        }
    }

    judge_arena_destroy(arena);
}


static double
judge_pearson(const double *x, const double *y, size_t n)
{
    size_t  i;
    double  mx, my, xy, xx, yy;

    mx = 0;
    my = 0;
    xy = 0;
    xx = 0;
    yy = 0;

    for (i = 0; i < n; i++) {
        mx += x[i] / (double) n;
        my += y[i] / (double) n;
    }

    for (i = 0; i < n; i++) {
        xy += (x[i] - mx) * (y[i] - my);
        xx += (x[i] - mx) * (x[i] - mx);
        yy += (y[i] - my) * (y[i] - my);
    }

    return judge_share(xy, sqrt(xx * yy));
}


static int
judge_ranked_compare(const void *a, const void *b)
{
    double  x = ((const judge_ranked_t *) a)->value;
    double  y = ((const judge_ranked_t *) b)->value;

    return (x > y) - (x < y);
}


/* Puts ranks for values, the mean rank for equal ones. */

static bool
judge_ranks(double *x, size_t n)
{
    size_t           i, k, m;
    judge_ranked_t  *ranked;

    ranked = calloc(n + 1, sizeof(judge_ranked_t));
    if (ranked == NULL) {
        return false;
    }

    for (i = 0; i < n; i++) {
        ranked[i] = (judge_ranked_t) { x[i], i };
    }

    qsort(ranked, n, sizeof(judge_ranked_t), judge_ranked_compare);

    for (i = 0; i < n; i = k) {
        for (k = i; k < n && ranked[k].value <= ranked[i].value; k++) {
            /* void */
        }

        for (m = i; m < k; m++) {
            x[ranked[m].index] = (double) (i + k - 1) / 2;
        }
    }

    free(ranked);

    return true;
}
