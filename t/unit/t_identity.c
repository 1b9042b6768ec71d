/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What judges have learned depends on how features are defined: who changes
 * a definition has to raise its version in src/analysis/features/feature.c (or
 * media.c), or the models of before go on with numbers that mean
 * something else.  The file t/data/features/text.txt has for each feature its
 * version and its mean over the essays and a careless text.
 */


#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/builtin/engine.h"
#include "analysis/features/feature.h"
#include "analysis/features/identity.h"
#include "extensions/media/media.h"
#include "tap.h"


#define TEXTS   7
#define PINNED  "t/data/features/text.txt"

/* Pinned: a change of a name, a version or the order changes them. */
#define TEXT_IDENTITY   UINT64_C(0xa277bcd452ab36f0)
#define MEDIA_IDENTITY  UINT64_C(0xf68a3b345fdc420b)

static const char *const  essays[TEXTS - 1] = {
    "best-pet", "city-garden", "my-weekend", "night-buses", "repair-cafe",
    "school-phones"
};

static const char  careless[] =
    "wow!!! This is is SO GREAT,the the best book EVER , lol. \"It were a"
    " joy,\" she say. I has readed a apple and an book (Smith, 2001). Why?"
    " becaUse teh story goed on and on and on in the end. The plot. You idiot"
    " should of went home, you stupid fool; gonna be kinda cool tho. The dog"
    " sat on the mat in the hall of the house. The dog sat on the mat in the"
    " hall of the house. See https://example.com/a for more, and he don't"
    " knows it and so we walked and then we ran and then";

static judge_arena_t  *arena;


static judge_str_t
sample(size_t i)
{
    FILE         *f;
    char          path[80], block[4096];
    size_t        n;
    judge_buf_t   text;

    if (i == TEXTS - 1) {
        return judge_str_c(careless);
    }

    (void) snprintf(path, sizeof(path), "t/data/essays/%s.txt", essays[i]);
    judge_buf_init(&text, arena);

    f = fopen(path, "rb");
    if (f == NULL) {
        abort();
    }

    while ((n = fread(block, 1, sizeof(block), f)) > 0) {
        judge_buf_append(&text, block, n);
    }
    (void) fclose(f);

    return judge_buf_view(&text);
}


/* Beside a source and a question, so that all families have something to
 * measure. */

static void
measure(double *means)
{
    size_t              i, k;
    judge_item_t        item;
    judge_rubric_t      rubric = { .ncriteria = 1 };
    judge_scorer_t     *scorer;
    judge_verdict_t     verdict;
    judge_criterion_t   criterion = { .name = JUDGE_STR("Grammar"),
                                      .weight = 1 };

    rubric.criteria = &criterion;
    scorer = judge_scorer_create(arena, &rubric);
    if (scorer == NULL) {
        abort();
    }

    memset(means, 0, JUDGE_FEATURES * sizeof(double));

    for (i = 0; i < TEXTS; i++) {
        item.text = sample(i);
        item.source = sample((i + 1) % TEXTS);
        item.question = sample((i + 2) % TEXTS);
        item.reference = (judge_str_t) { 0, NULL };
        memset(&verdict, 0, sizeof(judge_verdict_t));
        if (judge_score(scorer, &item, arena, &verdict) != JUDGE_OK) {
            abort();
        }

        for (k = 0; k < JUDGE_FEATURES; k++) {
            means[k] += (double) verdict.features[k] / TEXTS;
        }
    }
}


static void
test_definitions(void)
{
    FILE      *f;
    char       line[200], name[64];
    size_t     i;
    double     value, means[JUDGE_FEATURES];
    unsigned   version;

    measure(means);
    f = fopen(PINNED, "r");
    t_ok(f != NULL, "%s", PINNED);

    for (i = 0; f && i < JUDGE_FEATURES; i++) {
        version = 0;
        name[0] = '\0';
        value = NAN;
        if (fgets(line, sizeof(line), f)) {
            (void) sscanf(line, "%63s %u %lf", name, &version, &value);
        }

        t_ok(strcmp(name, judge_features[i].name) == 0
             && version == judge_features[i].version
             && fabs(value - means[i]) < 1e-4 * (1 + fabs(value)),
             "%s, version %u: where it measures something else than before,"
             " raise its version in features.txt; then " PINNED " has"
             " \"%s %u %.6g\"", judge_features[i].name,
             judge_features[i].version, judge_features[i].name,
             judge_features[i].version, means[i]);
    }

    t_ok(f && fgets(line, sizeof(line), f) == NULL,
         "the file of definitions has no feature that the code lacks");

    if (f) {
        (void) fclose(f);
    }
}


static void
test_pinned(void)
{
    t_ok(judge_feature_identity() == TEXT_IDENTITY, "features of texts: %#"
         PRIx64 "; judges that were trained before do not use what they have"
         " learned", judge_feature_identity());
    t_ok(judge_media_identity() == MEDIA_IDENTITY, "measurements of media:"
         " %#" PRIx64 "; likewise", judge_media_identity());
}


static uint64_t
pair(const char *first, uint32_t a, const char *second, uint32_t b)
{
    return judge_identity_add(judge_identity_add(JUDGE_FNV_START, first, a),
                              second, b);
}


static void
test_identity(void)
{
    size_t    i;
    uint64_t  one, all;

    one = pair("words", 1, "names", 1);
    t_ok(one == pair("words", 1, "names", 1),
         "the same definitions have the same identity");
    t_ok(one != pair("words", 1, "name", 1),
         "another name gives another identity");
    t_ok(one != pair("words", 2, "names", 1),
         "another version gives another identity");
    t_ok(one != pair("names", 1, "words", 1),
         "another order gives another identity");
    t_ok(one != pair("wordsn", 1, "ames", 1),
         "letters that move between two names give another identity");
    t_ok(one != judge_identity_add(one, "more", 1),
         "one feature more gives another identity");

    all = JUDGE_FNV_START;
    for (i = 0; i < JUDGE_FEATURES; i++) {
        all = judge_identity_add(all, judge_features[i].name,
                                 judge_features[i].version);
    }
    t_ok(all == judge_feature_identity(),
         "the identity is made of all names and versions");
}


int
main(void)
{
    arena = judge_arena_create(1024 * 1024);
    if (arena == NULL) {
        abort();
    }

    test_identity();
    test_definitions();
    test_pinned();
    judge_arena_destroy(arena);

    return t_done();
}
