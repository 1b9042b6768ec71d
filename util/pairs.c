/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether the untrained builtin engine tells the better of two texts.
 *
 *   build/pairs [--wrong | --explain | --levels] FILE...
 *
 * A file holds pairs of one kind of text, separated by empty lines:
 *
 *   criterion: NAME [| DESCRIPTION]
 *   judge: DESCRIPTION                of the judge; may be missing, as
 *   source: TEXT                      metadata.source and
 *   question: TEXT                    metadata.question
 *   + the better text
 *   = one between them; most files have none
 *   - the worse text
 *   * an excellent one, ~ a weak one, only in those for --levels
 *
 * all on one line each; " / " within a text is a line feed, "#" begins a
 * comment; "@NAME" is one of t/data/essays.  A name "A; B" is two criteria.
 * A pair is right when the better text scores 3 points more.  Prints how many
 * are right by file; --wrong each that is not, as "FILE:LINE: BETTER WORSE
 * NAME", where LINE is that of the criterion; --explain also the feedback on
 * both texts.  With --levels the score of each text by itself must lie in the
 * band of its kind, judge_bands; one may be missing.  Prints each that does
 * not, how many do, and what the texts of each kind have.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine.h"
#include "analysis/checks/checks.h"
#include "analysis/checks/require.h"
#include "analysis/text/math.h"


#define JUDGE_MARGIN    3.0
#define JUDGE_TEXTS     5
#define JUDGE_CRITERIA  8


typedef struct {
    size_t             line;
    judge_criterion_t  criterion;
    judge_str_t        judge;
    judge_str_t        source;
    judge_str_t        question;
    judge_str_t        texts[JUDGE_TEXTS]; /* judge_bands */
} judge_pair_t;

typedef enum {
    JUDGE_PAIRS_COUNT,
    JUDGE_PAIRS_WRONG,
    JUDGE_PAIRS_EXPLAIN,
    JUDGE_PAIRS_LEVELS
} judge_pairs_e;

typedef struct {
    const char    *name;               /* of the file */
    judge_pair_t  *pairs;
    size_t         n;
} judge_pair_file_t;


static const struct {
    const char  *name;
    double       least;
    double       most;
} judge_bands[JUDGE_TEXTS] = {
    { "good", 68, 95 },
    { "bad", 0, 42 },
    { "middling", 38, 74 },
    { "excellent", 78, 100 },
    { "weak", 20, 60 },
};


/* What the texts of each have. */
static struct {
    size_t  n;
    double  sum;
} judge_levels[JUDGE_TEXTS];


static bool judge_pairs_file(judge_pair_file_t *file, judge_arena_t *arena,
    const char *path);
static bool judge_pairs_line(judge_pair_file_t *file, judge_arena_t *arena,
    judge_str_t line, size_t number);
static bool judge_pairs_essay(judge_arena_t *arena, judge_str_t *text);
static judge_str_t judge_pairs_lines(judge_str_t text);
static long judge_pairs_score(const judge_pair_file_t *file,
    judge_pairs_e what);
static long judge_pairs_levels(judge_pair_file_t *file);
static bool judge_pair_checks(judge_arena_t *arena, judge_rubric_t *rubric);
static bool judge_pair_scores(const judge_pair_t *pair, bool explain,
    double *scores);


int
main(int argc, char **argv)
{
    int                i;
    long               right, all, n;
    judge_arena_t     *arena;
    judge_pairs_e      what;
    judge_pair_file_t  file;

    what = argc > 1 && strcmp(argv[1], "--wrong") == 0 ? JUDGE_PAIRS_WRONG
           : argc > 1 && strcmp(argv[1], "--explain") == 0
             ? JUDGE_PAIRS_EXPLAIN
           : argc > 1 && strcmp(argv[1], "--levels") == 0
             ? JUDGE_PAIRS_LEVELS : JUDGE_PAIRS_COUNT;
    right = 0;
    all = 0;

    for (i = 1 + (what != JUDGE_PAIRS_COUNT); i < argc; i++) {
        arena = judge_arena_create(1 << 16);

        if (arena == NULL || !judge_pairs_file(&file, arena, argv[i])) {
            return 1;
        }

        n = what == JUDGE_PAIRS_LEVELS ? judge_pairs_levels(&file)
                                       : judge_pairs_score(&file, what);
        judge_arena_destroy(arena);

        if (n < 0) {
            fprintf(stderr, "%s: out of memory\n", argv[i]);
            return 1;
        }

        right += n;
        all += (long) file.n;
    }

    if (all == 0) {
        fprintf(stderr, "usage: pairs [--wrong | --explain | --levels] "
                "FILE...\n");
        return 2;
    }

    for (i = 0; i < JUDGE_TEXTS && what == JUDGE_PAIRS_LEVELS; i++) {
        printf("%-16s %4zu mean %5.1f\n", judge_bands[i].name,
               judge_levels[i].n, judge_share(judge_levels[i].sum,
                                              (double) judge_levels[i].n));
    }

    if (what == JUDGE_PAIRS_COUNT || what == JUDGE_PAIRS_LEVELS) {
        printf("%-16s %4ld of %4ld  %5.1f %%\n", "all", right, all,
               100.0 * (double) right / (double) all);
    }

    return 0;
}


static bool
judge_pairs_file(judge_pair_file_t *file, judge_arena_t *arena,
    const char *path)
{
    bool          ok;
    FILE         *in;
    char         *line;
    size_t        size, number;
    ssize_t       len;
    judge_str_t   row;

    in = fopen(path, "r");
    if (in == NULL) {
        perror(path);
        return false;
    }

    line = NULL;
    size = 0;

    for (number = 1; getline(&line, &size, in) > 0; number++) {
        /* void */
    }

    rewind(in);
    file->name = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
    file->n = 0;
    file->pairs = judge_array_alloc(arena, number, sizeof(judge_pair_t));
    ok = file->pairs != NULL;

    for (number = 1; ok && (len = getline(&line, &size, in)) > 0; number++) {
        row = judge_str_dup(arena, (judge_str_t) { (size_t) len, line });
        row.len -= row.len > 0 && row.data[row.len - 1] == '\n';
        ok = row.data != NULL && judge_pairs_line(file, arena, row,
                                                  number);

        if (!ok) {
            fprintf(stderr, "%s:%zu: not a line of a pair\n", path, number);
        }
    }

    free(line);
    fclose(in);

    return ok;
}


static bool
judge_pairs_line(judge_pair_file_t *file, judge_arena_t *arena,
    judge_str_t line, size_t number)
{
    size_t         i;
    const char    *bar;
    judge_str_t    value, *to;
    judge_pair_t  *pair;

    static const char *const  names[] = { "criterion: ", "judge: ",
                                          "source: ", "question: ", "+ ",
                                          "- ", "= ", "* ", "~ " };
    enum { NAMES = sizeof(names) / sizeof(names[0]) };

    if (line.len == 0 || line.data[0] == '#') {
        return true;
    }

    for (i = 0; i < NAMES; i++) {
        if (line.len > strlen(names[i])
            && strncmp(line.data, names[i], strlen(names[i])) == 0)
        {
            break;
        }
    }

    if (i == NAMES || (i > 0 && file->n == 0)) {
        return false;
    }

    value.data = line.data + strlen(names[i]);
    value.len = line.len - strlen(names[i]);
    pair = &file->pairs[i == 0 ? file->n++ : file->n - 1];

    if (i == 0) {
        pair->line = number;
        pair->criterion.weight = 1;
        bar = memmem(value.data, value.len, " | ", 3);
        pair->criterion.name = value;

        if (bar != NULL) {
            pair->criterion.name.len = (size_t) (bar - value.data);
            pair->criterion.description.data = bar + 3;
            pair->criterion.description.len =
                value.len - pair->criterion.name.len - 3;
        }

        return true;
    }

    to = i == 1 ? &pair->judge : i == 2 ? &pair->source
         : i == 3 ? &pair->question : &pair->texts[i - 4];
    *to = judge_pairs_lines(value);

    return judge_pairs_essay(arena, to);
}


/* "@NAME" stands for one of t/data/essays. */

static bool
judge_pairs_essay(judge_arena_t *arena, judge_str_t *text)
{
    FILE   *in;
    char    path[256], *data;
    size_t  len;

    if (text->len == 0 || text->data[0] != '@') {
        return true;
    }

    (void) snprintf(path, sizeof(path), "t/data/essays/%.*s.txt",
                    (int) text->len - 1, text->data + 1);
    in = fopen(path, "r");
    data = judge_alloc(arena, 1 << 16);

    if (in == NULL || data == NULL) {
        perror(path);
        return false;
    }

    len = fread(data, 1, 1 << 16, in);
    fclose(in);
    *text = (judge_str_t) { len, data };

    return true;
}


/* In place: the line was copied. */

static judge_str_t
judge_pairs_lines(judge_str_t text)
{
    char  *p;

    for (p = (char *) (uintptr_t) text.data;
         (p = memmem(p, text.len - (size_t) (p - text.data), " / ", 3));
         p += 3)
    {
        p[1] = '\n';
    }

    return text;
}


static long
judge_pairs_score(const judge_pair_file_t *file, judge_pairs_e what)
{
    long                 right;
    size_t               i;
    double               scores[JUDGE_TEXTS];
    const judge_pair_t  *pair;

    for (i = 0, right = 0; i < file->n; i++) {
        pair = &file->pairs[i];

        if (!judge_pair_scores(pair, false, scores)) {
            return -1;
        }

        if (scores[0] >= scores[1] + JUDGE_MARGIN) {
            right++;

        } else if (what != JUDGE_PAIRS_COUNT) {
            printf("%s:%zu: %.0f %.0f %.*s\n", file->name, pair->line,
                   scores[0], scores[1], (int) pair->criterion.name.len,
                   pair->criterion.name.data);
            (void) judge_pair_scores(pair, what == JUDGE_PAIRS_EXPLAIN,
                                     scores);
        }
    }

    if (what == JUDGE_PAIRS_COUNT) {
        printf("%-16s %4ld of %4zu\n", file->name, right, file->n);
    }

    return right;
}


/* Counts texts instead of pairs, in file->n, too. */

static long
judge_pairs_levels(judge_pair_file_t *file)
{
    long                 right;
    size_t               i, k, n;
    double               scores[JUDGE_TEXTS];
    const judge_pair_t  *pair;

    for (i = 0, right = 0, n = 0; i < file->n; i++) {
        pair = &file->pairs[i];

        if (!judge_pair_scores(pair, false, scores)) {
            return -1;
        }

        for (k = 0; k < JUDGE_TEXTS; k++) {
            if (pair->texts[k].len == 0) {
                continue;
            }

            n++;
            judge_levels[k].n++;
            judge_levels[k].sum += scores[k];

            if (scores[k] >= judge_bands[k].least
                && scores[k] <= judge_bands[k].most)
            {
                right++;
                continue;
            }

            printf("%s:%zu: %.0f %s %.*s\n", file->name, pair->line,
                   scores[k], judge_bands[k].name,
                   (int) pair->criterion.name.len, pair->criterion.name.data);
        }
    }

    file->n = n;
    printf("%-16s %4ld of %4zu\n", file->name, right, n);

    return right;
}


/* What a judge's criteria ask for in words is checked, as in the service. */

static bool
judge_pair_checks(judge_arena_t *arena, judge_rubric_t *rubric)
{
    size_t              i;
    judge_str_t         error;
    judge_list_t        checks;
    judge_criterion_t  *c;

    for (i = 0; i < rubric->ncriteria; i++) {
        c = &rubric->criteria[i];
        checks = (judge_list_t) { NULL, 0, false };

        if (judge_require_merge(arena, c->name, c->description, &checks,
                                &c->decided) != JUDGE_OK
            || judge_checks_read(arena, &checks, &c->checks, &error)
               != JUDGE_OK)
        {
            return false;
        }

        c->nchecks = checks.count;
    }

    return true;
}


static bool
judge_pair_scores(const judge_pair_t *pair, bool explain, double *scores)
{
    size_t              i;
    const char         *end;
    judge_item_t        item;
    judge_arena_t      *arena;
    judge_rubric_t      rubric = { .name = JUDGE_STR("Judge") };
    judge_scorer_t     *scorer;
    judge_verdict_t     verdict;
    judge_criterion_t   criteria[JUDGE_CRITERIA];

    rubric.description = pair->judge;
    rubric.criteria = criteria;
    criteria[0] = pair->criterion;

    for (i = 0; i + 1 < JUDGE_CRITERIA; i++) {
        criteria[i + 1] = criteria[i];
        end = memmem(criteria[i].name.data, criteria[i].name.len, "; ", 2);

        if (end == NULL) {
            break;
        }

        criteria[i].name.len = (size_t) (end - criteria[i].name.data);
        criteria[i + 1].name.data = end + 2;
        criteria[i + 1].name.len -= criteria[i].name.len + 2;
    }

    rubric.ncriteria = i + 1;
    arena = judge_arena_create(1 << 16);
    scorer = arena == NULL || !judge_pair_checks(arena, &rubric)
             ? NULL : judge_scorer_create(arena, &rubric);

    for (i = 0; scorer != NULL && i < JUDGE_TEXTS; i++) {
        item.text = pair->texts[i];
        item.source = pair->source;
        item.question = pair->question;

        if (judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
            || judge_checks_apply(arena, &rubric, &item, &verdict,
                                  NULL) != JUDGE_OK
            || judge_explain(&verdict) != JUDGE_OK)
        {
            break;
        }

        scores[i] = verdict.overall;

        if (explain && item.text.len > 0) {
            printf("    %.*s\n", (int) verdict.scores[0].feedback.len,
                   verdict.scores[0].feedback.data);
        }
    }

    judge_arena_destroy(arena);

    return i == JUDGE_TEXTS;
}
