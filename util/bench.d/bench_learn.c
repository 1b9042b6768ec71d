/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How long learning takes, without nginx:
 *
 *   build/bench_learn ITEMS EPOCHS FILE…
 *
 * Stretches of the files, as many as ITEMS, are scored with six criteria and
 * learned from, with scores that depend on what was measured of them.  Prints
 * seconds of learning, megabytes that the process took at most, microseconds
 * that scoring a text took, and what it took with the model.
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "analysis/builtin/engine.h"
#include "analysis/learning/learn.h"
#include "analysis/learning/predictor.h"


#define BENCH_CRITERIA  6
#define BENCH_TIMED     5000
#define BENCH_TEXT      400            /* bytes, about */
#define BENCH_ROUNDS    5

typedef struct {
    size_t           nitems;
    size_t           nfeatures;
    judge_str_t     *texts;
    float           *features;
    float           *raw;
    float           *target;
    float           *weight;
    uint32_t        *group;
    judge_arena_t   *arena;            /* of one text */
    judge_scorer_t  *scorer;
} bench_t;


static judge_criterion_t  bench_criteria[BENCH_CRITERIA];

static const char *const  bench_names[BENCH_CRITERIA] = {
    "Cohesion", "Syntax", "Vocabulary", "Phraseology", "Grammar",
    "Conventions"
};


static double
bench_seconds(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


static void
bench_die(const char *what)
{
    (void) fprintf(stderr, "bench_learn: %s\n", what);
    exit(1);
}


/* All files, one behind the other. */

static judge_str_t
bench_read(int n, char **paths)
{
    int     i;
    char   *data;
    FILE   *f;
    size_t  len, got;

    data = NULL;
    len = 0;

    for (i = 0; i < n; i++) {
        f = fopen(paths[i], "rb");
        if (f == NULL) {
            bench_die(paths[i]);
        }
        do {
            data = realloc(data, len + 65536);
            if (data == NULL) {
                bench_die("out of memory");
            }
            got = fread(data + len, 1, 65536, f);
            len += got;
        } while (got);
        (void) fclose(f);
    }

    if (len < 4 * BENCH_TEXT) {
        bench_die("too little text");
    }

    return (judge_str_t) { len, data };
}


static void
bench_score(bench_t *b, size_t i, judge_verdict_t *verdict)
{
    judge_item_t  item;

    memset(&item, 0, sizeof(item));
    item.text = b->texts[i];
    judge_arena_reset(b->arena);

    if (judge_score(b->scorer, &item, b->arena, verdict) != JUDGE_OK) {
        bench_die("out of memory");
    }
}


/* People's scores: half of the engine's, moved by some of what was measured,
 * and by some noise. */

static void
bench_item(bench_t *b, size_t i)
{
    size_t           c, at;
    float           *f;
    uint32_t         noise;
    judge_verdict_t  verdict;

    bench_score(b, i, &verdict);

    if (i == 0) {
        b->nfeatures = verdict.nfeatures;
        b->features = calloc(b->nitems * b->nfeatures, sizeof(float));
        if (b->features == NULL) {
            bench_die("out of memory");
        }
    }

    f = &b->features[i * b->nfeatures];
    memcpy(f, verdict.features, b->nfeatures * sizeof(float));

    for (c = 0; c < BENCH_CRITERIA; c++) {
        at = i * BENCH_CRITERIA + c;
        noise = (uint32_t) (at * 2654435761u) >> 16;
        b->raw[at] = (float) verdict.scores[c].score;
        b->target[at] = (float) fmin(fmax(
            b->raw[at] / 2 + 10 * tanh((double) f[(c * 7) % b->nfeatures])
            + 20 * (double) noise / 65536, 0), 100);
        b->weight[at] = 1;
    }

    b->group[i] = (uint32_t) ((uint64_t) i * 2654435761u);
}


static void
bench_items(bench_t *b, judge_str_t all)
{
    size_t  i, n;

    n = b->nitems;
    b->texts = calloc(n, sizeof(judge_str_t));
    b->raw = calloc(n * BENCH_CRITERIA, sizeof(float));
    b->target = calloc(n * BENCH_CRITERIA, sizeof(float));
    b->weight = calloc(n * BENCH_CRITERIA, sizeof(float));
    b->group = calloc(n, sizeof(uint32_t));
    if (b->texts == NULL || b->raw == NULL || b->target == NULL
        || b->weight == NULL || b->group == NULL)
    {
        bench_die("out of memory");
    }

    for (i = 0; i < n; i++) {
        b->texts[i].len = BENCH_TEXT / 2 + i * 37 % BENCH_TEXT;
        b->texts[i].data = all.data
                           + i * 7919 % (all.len - 2 * BENCH_TEXT);
        bench_item(b, i);
    }
}


static void
bench_learn(bench_t *b, size_t epochs, judge_buf_t *model)
{
    judge_learner_t        *learner;
    judge_learn_set_t       set;
    judge_learn_options_t   options;
    judge_learn_progress_t  progress;

    set = (judge_learn_set_t) {
        .nitems = b->nitems, .nfeatures = b->nfeatures,
        .ntargets = BENCH_CRITERIA, .features = b->features, .raw = b->raw,
        .target = b->target, .weight = b->weight, .texts = b->texts,
        .group = b->group
    };
    options = (judge_learn_options_t) { .epochs = epochs };

    if (judge_learner_create(&set, &options, &learner) != JUDGE_OK) {
        bench_die("can't learn");
    }

    do {
        if (judge_learner_epoch(learner, &progress) != JUDGE_OK) {
            bench_die("out of memory");
        }
    } while (!progress.done);

    if (judge_learner_model(learner, model) != JUDGE_OK) {
        bench_die("out of memory");
    }

    judge_learner_destroy(learner);
}


/* Microseconds a text, with a model and without; the least of some rounds,
 * which take turns. */

static void
bench_apply(bench_t *b, judge_str_t bytes, double us[2])
{
    float              *scratch, out[BENCH_CRITERIA];
    size_t              i, n, round, with;
    double              began, took;
    judge_arena_t      *arena;
    judge_predictor_t  *model;
    judge_verdict_t     verdict;

    arena = judge_arena_create(1 << 16);
    model = arena ? judge_predictor_read(arena, bytes) : NULL;
    scratch = model ? calloc(judge_predictor_scratch(model) + 1, sizeof(float))
                    : NULL;
    if (scratch == NULL) {
        bench_die("can't read the model");
    }

    n = b->nitems < BENCH_TIMED ? b->nitems : BENCH_TIMED;
    us[0] = us[1] = 1e9;

    for (round = 0; round < 2 * BENCH_ROUNDS; round++) {
        with = round % 2;
        began = bench_seconds();

        for (i = 0; i < n; i++) {
            bench_score(b, i, &verdict);
            if (with) {
                judge_predictor_predict(model, verdict.features,
                                        &b->raw[i * BENCH_CRITERIA],
                                        b->texts[i], scratch, out);
            }
        }

        took = (bench_seconds() - began) * 1e6 / (double) n;
        us[with] = took < us[with] ? took : us[with];
    }

    free(scratch);
    judge_arena_destroy(arena);
}


static void
bench_free(bench_t *b)
{
    judge_arena_destroy(b->arena);
    free(b->texts);
    free(b->features);
    free(b->raw);
    free(b->target);
    free(b->weight);
    free(b->group);
}


int
main(int argc, char **argv)
{
    size_t          c;
    double          began, learned, us[2];
    bench_t         b;
    judge_buf_t     model;
    judge_str_t     all;
    struct rusage   usage;
    judge_arena_t  *arena;
    judge_rubric_t  rubric;

    if (argc < 4 || strtoul(argv[1], NULL, 10) < 10) {
        (void) fprintf(stderr, "usage: bench_learn ITEMS EPOCHS FILE...\n");
        return 2;
    }

    memset(&b, 0, sizeof(b));
    memset(&rubric, 0, sizeof(rubric));
    rubric.name = JUDGE_STR("Essays");
    rubric.description = JUDGE_STR("How well an essay is written.");
    rubric.criteria = bench_criteria;
    rubric.ncriteria = BENCH_CRITERIA;

    for (c = 0; c < BENCH_CRITERIA; c++) {
        bench_criteria[c].id = judge_str_c(bench_names[c]);
        bench_criteria[c].name = judge_str_c(bench_names[c]);
        bench_criteria[c].description = judge_str_c(bench_names[c]);
        bench_criteria[c].weight = 1;
    }

    all = bench_read(argc - 3, argv + 3);
    arena = judge_arena_create(1 << 16);
    b.nitems = strtoul(argv[1], NULL, 10);
    b.arena = judge_arena_create(1 << 16);
    b.scorer = arena ? judge_scorer_create(arena, &rubric) : NULL;
    if (b.arena == NULL || b.scorer == NULL) {
        bench_die("out of memory");
    }

    bench_items(&b, all);
    judge_buf_init(&model, NULL);

    began = bench_seconds();
    bench_learn(&b, strtoul(argv[2], NULL, 10), &model);
    learned = bench_seconds() - began;

    (void) getrusage(RUSAGE_SELF, &usage);
    bench_apply(&b, judge_buf_view(&model), us);
    (void) printf("%.1f %.0f %.1f %.1f\n", learned,
                  (double) usage.ru_maxrss / 1024, us[0], us[1]);

    judge_buf_free(&model);
    judge_arena_destroy(arena);
    free((void *) all.data);
    bench_free(&b);

    return 0;
}
