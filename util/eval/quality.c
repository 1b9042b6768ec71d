/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the untrained builtin engine says of texts, for util/eval/quality:
 *
 *   build/quality [--values | --flags | --speed] FILE.jsonl...
 *
 * Each line of a file is {"text", "scores": {criterion: number}, "meta":
 * {"source", "question"}}.  The criteria are those that the lines have, by
 * name only.  Prints their names, parted by tabs, and for each text a line of
 * its scores and its overall score; "nan" is not judged.
 * --values prints all features and scores of aspects, --flags each text that
 * is taken for none to judge and how many there are, --speed the time that
 * scoring takes.
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json/json.h"
#include "analysis/builtin/engine.h"
#include "analysis/builtin/explain.h"


#define JUDGE_CRITERIA_MAX  64


typedef struct {
    const char         *name;
    judge_arena_t      *arena;
    judge_item_t       *items;
    size_t              n;
    judge_criterion_t   criteria[JUDGE_CRITERIA_MAX];
    size_t              ncriteria;
} judge_set_t;


static bool judge_set_read(judge_set_t *set, const char *path);
static bool judge_set_line(judge_set_t *set, judge_str_t line);
static bool judge_set_criteria(judge_set_t *set, const judge_json_t *scores);
static bool judge_set_score(judge_set_t *set);
static bool judge_set_values(judge_set_t *set);
static bool judge_set_flags(judge_set_t *set);
static void judge_set_speed(judge_set_t *set);


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

        } else {
            ok = judge_set_score(&set);
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
    set->items = set->arena == NULL ? NULL
                 : judge_array_alloc(set->arena, lines + 1,
                                     sizeof(judge_item_t));

    while (ok && set->items != NULL
           && (len = getline(&line, &size, in)) > 0)
    {
        ok = judge_set_line(set, (judge_str_t) { (size_t) len, line });
    }

    free(line);
    fclose(in);

    if (!ok || set->items == NULL) {
        fprintf(stderr, "%s:%zu: not a line of the format\n", path,
                set->n + 1);
        return false;
    }

    return true;
}


static bool
judge_set_line(judge_set_t *set, judge_str_t line)
{
    judge_item_t  *item;
    judge_json_t  *root, *text, *source, *question, *meta;

    if (judge_json_parse(set->arena, line, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return false;
    }

    text = judge_json_get(root, "text");
    meta = judge_json_get(root, "meta");
    source = meta != NULL ? judge_json_get(meta, "source") : NULL;
    question = meta != NULL ? judge_json_get(meta, "question") : NULL;

    if (text == NULL || text->type != JUDGE_JSON_STRING) {
        return false;
    }

    item = &set->items[set->n];
    item->text = text->string;

    if (source != NULL && source->type == JUDGE_JSON_STRING) {
        item->source = source->string;
    }

    if (question != NULL && question->type == JUDGE_JSON_STRING) {
        item->question = question->string;
    }

    set->n++;

    return judge_set_criteria(set, judge_json_get(root, "scores"));
}


static bool
judge_set_criteria(judge_set_t *set, const judge_json_t *scores)
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
    judge_verdict_t  verdict;

    arena = judge_arena_create(1 << 20);
    scorer = judge_set_scorer(set);

    if (arena == NULL || scorer == NULL) {
        return false;
    }

    for (k = 0; k < set->ncriteria; k++) {
        printf("%.*s\t", (int) set->criteria[k].name.len,
               set->criteria[k].name.data);
    }
    printf("(overall)\n");

    for (i = 0; i < set->n; i++) {
        if (judge_score(scorer, &set->items[i], arena, &verdict) != JUDGE_OK) {
            return false;
        }

        for (k = 0; k < set->ncriteria; k++) {
            printf("%.17g\t", verdict.scores[k].score);
        }
        printf("%.17g\n", verdict.overall);
        judge_arena_reset(arena);
    }

    judge_arena_destroy(arena);

    return true;
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
        reading = judge_reading_create(arena, &set->items[i]);
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

        if (judge_score(scorer, &set->items[i], arena, &verdict)
            != JUDGE_OK)
        {
            return false;
        }

        flagged += verdict.nflags > 0;

        for (k = 0; k < verdict.nflags; k++) {
            printf("%s\t%.*s\n", verdict.flags[k].name,
                   (int) strcspn(set->items[i].text.data, "\r\n"),
                   set->items[i].text.data);
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
            if (judge_score(scorer, &set->items[i], arena, &verdict)
                != JUDGE_OK)
            {
                return;
            }

            bytes += set->items[i].text.len
                     + set->items[i].source.len;
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
