/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How many texts the engine scores by six criteria in a second, in one thread:
 *
 *   build/bench_score said SECONDS FILE...     with feedback in words
 *   build/bench_score plain SECONDS FILE...    without, by processor time
 *   build/bench_score MODEL SECONDS FILE...    plain, as a judge has learned:
 *                                              of the table judge_calibrators
 */


#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/builtin/engine.h"
#include "work/calibration/calibrator.h"


#define BENCH_CRITERIA  6

#define bench_criterion(n)                                                    \
    { .id = judge_str(n), .name = judge_str(n), .weight = 1,                  \
      .description = judge_str(n " of the text.") }


static judge_criterion_t  bench_criteria[BENCH_CRITERIA] = {
    bench_criterion("Cohesion"), bench_criterion("Syntax"),
    bench_criterion("Vocabulary"), bench_criterion("Phraseology"),
    bench_criterion("Grammar"), bench_criterion("Conventions"),
};


static double
bench_seconds(bool said)
{
    struct timespec  ts;

    (void) clock_gettime(said ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID,
                         &ts);

    return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}


static void
bench_die(const char *what)
{
    (void) fprintf(stderr, "bench_score: %s\n", what);
    exit(1);
}


static judge_str_t
bench_read(judge_arena_t *arena, const char *path)
{
    char  *text;
    FILE  *f;
    long   n = -1;

    f = fopen(path, "rb");
    if (f != NULL && fseek(f, 0, SEEK_END) == 0) {
        n = ftell(f);
        rewind(f);
    }

    text = n < 0 ? NULL : judge_alloc(arena, (size_t) n + 1);
    if (text == NULL || fread(text, 1, (size_t) n, f) != (size_t) n) {
        bench_die("cannot read a file");
    }
    (void) fclose(f);

    return (judge_str_t) { (size_t) n, text };
}


/* Room to predict in: a judge of the same number of criteria has learned. */

static float *
bench_learned(judge_arena_t *arena, const char *path,
    judge_calibrator_t *learned)
{
    float  *scratch = NULL;

    if (judge_calibrator_read(arena, bench_read(arena, path), learned)
        == JUDGE_OK && learned->current
        && learned->ncriteria == BENCH_CRITERIA)
    {
        scratch = judge_array_alloc(arena, learned->scratch + 1,
                                    sizeof(float));
    }
    if (scratch == NULL) {
        bench_die("cannot read the model");
    }

    return scratch;
}


static void
bench_predict(const judge_calibrator_t *learned, judge_str_t text,
    const judge_verdict_t *verdict, float *scratch)
{
    int    i;
    float  raw[BENCH_CRITERIA + 1], out[BENCH_CRITERIA + 1];

    for (i = 0; i < BENCH_CRITERIA; i++) {
        raw[i] = (float) verdict->scores[i].score;
    }
    raw[i] = (float) verdict->overall;
    judge_calibrator_predict(learned, verdict->features, raw, text, scratch,
                             out);
}


int
main(int argc, char **argv)
{
    bool                 said;
    float               *scratch = NULL;
    double               began, took, scored = 0;
    judge_str_t         *texts;
    judge_arena_t       *arena, *own;
    judge_rubric_t       rubric = {
        .name = JUDGE_STR("Essays"),
        .description = JUDGE_STR("How well an essay is written."),
        .criteria = bench_criteria, .ncriteria = BENCH_CRITERIA };
    judge_scorer_t      *scorer;
    judge_verdict_t      verdict;
    judge_calibrator_t   learned;

    own = judge_arena_create(1 << 16);
    arena = judge_arena_create(1 << 16);
    scorer = own == NULL ? NULL : judge_scorer_create(own, &rubric);
    texts = own == NULL ? NULL : judge_array_alloc(own, (size_t) argc,
                                                   sizeof(judge_str_t));
    if (argc < 4 || arena == NULL || scorer == NULL || texts == NULL) {
        bench_die("expected said|plain|MODEL SECONDS FILE...");
    }

    said = strcmp(argv[1], "said") == 0;
    if (!said && strcmp(argv[1], "plain") != 0) {
        scratch = bench_learned(own, argv[1], &learned);
    }
    for (int i = 3; i < argc; i++) {
        texts[i] = bench_read(own, argv[i]);
    }

    began = bench_seconds(said);
    do {
        for (int i = 3; i < argc; i++, scored++) {
            judge_item_t  item = { .text = texts[i] };

            judge_arena_reset(arena);
            if (judge_score(scorer, &item, arena, &verdict) != JUDGE_OK
                || (said && judge_explain(&verdict) != JUDGE_OK))
            {
                bench_die("out of memory");
            }
            if (scratch != NULL) {
                bench_predict(&learned, texts[i], &verdict, scratch);
            }
        }
        took = bench_seconds(said) - began;
    } while (took < strtod(argv[2], NULL));

    (void) printf("%.0f\n", scored / took);
    judge_arena_destroy(arena);
    judge_arena_destroy(own);

    return 0;
}
