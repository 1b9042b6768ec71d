/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Learning: that it learns, repeats itself to the bit, goes on from a
 * checkpoint, and survives whatever it is given. */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/learning/learn.h"
#include "tap.h"


#define FEATURES  12
#define TARGETS   2

typedef struct {
    judge_learn_set_t   set;
    float              *features;
    float              *raw;
    float              *target;
    float              *weight;
    judge_str_t        *texts;
    uint32_t           *group;
} t_set_t;


static uint64_t  t_state;


static float
t_random(void)
{
    t_state = t_state * 6364136223846793005ull + 1442695040888963407ull;

    return (float) (t_state >> 40) / (1 << 24);
}


/*
 * The first target follows features 0 and 1 (the second by a step, which no
 * line can follow) and a word in the text; the engine's raw score knows
 * feature 0 only.  The second target is the raw score, moved.
 */

static void
t_set_create(t_set_t *t, size_t n, bool texts)
{
    size_t  i, j;
    float  *x;

    t_state = 42;
    t->features = calloc(n * FEATURES, sizeof(float));
    t->raw = calloc(n * TARGETS, sizeof(float));
    t->target = calloc(n * TARGETS, sizeof(float));
    t->weight = calloc(n * TARGETS, sizeof(float));
    t->texts = calloc(n, sizeof(judge_str_t));
    t->group = calloc(n, sizeof(uint32_t));

    for (i = 0; i < n; i++) {
        x = t->features + i * FEATURES;
        for (j = 0; j < FEATURES; j++) {
            x[j] = t_random();
        }

        t->texts[i] = t_random() > 0.5f
                      ? JUDGE_STR("this is an excellent piece of work")
                      : JUDGE_STR("this is a shoddy piece of work");
        t->raw[i * TARGETS] = 30 + 40 * x[0] + 10 * t_random();
        t->raw[i * TARGETS + 1] = 20 + 60 * x[2];
        t->target[i * TARGETS] = 20 + 20 * x[0] + 25 * (x[1] > 0.5f)
                                 + 25 * (t->texts[i].len > 32);
        t->target[i * TARGETS + 1] = 10 + t->raw[i * TARGETS + 1] / 2;
        t->weight[i * TARGETS] = t->weight[i * TARGETS + 1] = 1;
        t->group[i] = (uint32_t) (i * 2654435761u);
    }

    t->set = (judge_learn_set_t) {
        n, FEATURES, TARGETS, t->features, t->raw, t->target, t->weight,
        texts ? t->texts : NULL, t->group, NULL };
}


static void
t_set_free(t_set_t *t)
{
    free(t->features);
    free(t->raw);
    free(t->target);
    free(t->weight);
    free(t->texts);
    free(t->group);
}


static judge_learn_options_t
t_options(size_t epochs)
{
    judge_learn_options_t  options;

    memset(&options, 0, sizeof(options));
    options.epochs = epochs;

    return options;
}


/* Learns to the end; the model's bytes on the heap. */

static judge_buf_t
t_learn(const t_set_t *t, const judge_learn_options_t *options,
    judge_learn_progress_t *progress)
{
    judge_buf_t       out;
    judge_learner_t  *learner;

    judge_buf_init(&out, NULL);
    if (judge_learner_create(&t->set, options, &learner) != JUDGE_OK) {
        return out;
    }

    do {
        (void) judge_learner_epoch(learner, progress);
    } while (!progress->done);

    (void) judge_learner_model(learner, &out);
    judge_learner_destroy(learner);

    return out;
}


/* RMSE over all items of a target; raw: of the raw scores themselves. */

static double
t_error(const t_set_t *t, judge_str_t bytes, size_t target, bool raw)
{
    float               out[TARGETS], *scratch;
    size_t              i;
    double              sum, d;
    judge_arena_t      *arena;
    judge_predictor_t  *model;

    arena = judge_arena_create(4096);
    model = judge_predictor_read(arena, bytes);
    if (model == NULL) {
        judge_arena_destroy(arena);
        return 1e9;
    }

    scratch = judge_array_alloc(arena, judge_predictor_scratch(model),
                                sizeof(float));
    sum = 0;
    for (i = 0; i < t->set.nitems; i++) {
        judge_predictor_predict(model, t->features + i * FEATURES,
                                t->raw + i * TARGETS, t->texts[i], scratch,
                                out);
        d = (raw ? t->raw[i * TARGETS + target] : out[target])
            - t->target[i * TARGETS + target];
        sum += d * d;
    }

    judge_arena_destroy(arena);

    return sqrt(sum / (double) t->set.nitems);
}


static void
test_learns(void)
{
    t_set_t                  t;
    judge_buf_t              with, without;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(10);
    options.patience = 5;
    t_set_create(&t, 400, true);
    with = t_learn(&t, &options, &progress);

    t_ok(progress.done && !progress.stopped_early && progress.epoch < 10,
         "learning ends when nothing moves any more");
    t_ok(isfinite(progress.training_loss)
         && isfinite(progress.validation_loss), "both losses are known");
    t_ok(t_error(&t, judge_buf_view(&with), 0, false)
         < 0.5 * t_error(&t, judge_buf_view(&with), 0, true),
         "half of the raw score's error is learned away");
    t_ok(t_error(&t, judge_buf_view(&with), 1, false) < 3,
         "a line is learned as a line");

    t.set.texts = NULL;
    without = t_learn(&t, &options, &progress);
    t_ok(t_error(&t, judge_buf_view(&with), 0, false)
         < t_error(&t, judge_buf_view(&without), 0, false),
         "the words have something to teach, too");

    judge_buf_free(&with);
    judge_buf_free(&without);
    t_set_free(&t);
}


static void
test_few(void)
{
    t_set_t                  t;
    judge_buf_t              bytes;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(5);
    t_set_create(&t, 9, true);
    bytes = t_learn(&t, &options, &progress);
    t_ok(t_error(&t, judge_buf_view(&bytes), 1, false)
         < t_error(&t, judge_buf_view(&bytes), 1, true),
         "nine items move the line");
    t_ok(bytes.len < 10000, "nothing but a line is learned of nine items");
    judge_buf_free(&bytes);

    t.set.nitems = 1;
    bytes = t_learn(&t, &options, &progress);
    t_ok(bytes.len > 0, "a single item is enough to begin");
    judge_buf_free(&bytes);
    t_set_free(&t);
}


/* What a model predicts of an item. */

static float
t_predict(const t_set_t *t, judge_str_t bytes, size_t item, size_t target)
{
    float               out[TARGETS], *scratch;
    judge_arena_t      *arena = judge_arena_create(4096);
    judge_predictor_t  *model = judge_predictor_read(arena, bytes);

    scratch = model ? judge_array_alloc(arena,
                                        judge_predictor_scratch(model) + 1,
                                        sizeof(float)) : NULL;
    if (scratch == NULL) {
        abort();
    }

    judge_predictor_predict(model, t->features + item * FEATURES,
                            t->raw + item * TARGETS, t->texts[item], scratch,
                            out);
    judge_arena_destroy(arena);

    return out[target];
}


/* Of few corrections the engine's order stays, of texts not corrected. */

static void
test_order(void)
{
    size_t                   i, k, wrong;
    t_set_t                  t;
    judge_buf_t              bytes;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(10);
    t_set_create(&t, 100, true);
    t.set.nitems = 30;
    bytes = t_learn(&t, &options, &progress);

    for (i = 30, wrong = 0; i < 100; i++) {
        for (k = 30; k < i; k++) {
            wrong += (t_predict(&t, judge_buf_view(&bytes), i, 0)
                      < t_predict(&t, judge_buf_view(&bytes), k, 0))
                     != (t.raw[i * TARGETS] < t.raw[k * TARGETS]);
        }
    }

    t_is_int((int64_t) wrong, 0, "of thirty items no two texts change places");
    judge_buf_free(&bytes);
    t_set_free(&t);
}


/* A score that nobody gave has no part in anything: neither its number, nor
 * the mean of the others, nor what is learned of its criterion. */

static void
test_partial(void)
{
    float                    known, all;
    size_t                   i;
    double                   with, spread = 40 / sqrt(12);
    t_set_t                  t;
    judge_buf_t              bytes[1];
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(10);
    t_set_create(&t, 400, false);

    for (i = 0; i < 400; i++) {        /* its own, which raw does not know */
        t.target[i * TARGETS + 1] = 30 + 40 * t.features[i * FEATURES + 6];
        t.target[i * TARGETS] = 70;
        t.raw[i * TARGETS] = t.raw[i * TARGETS + 1] = 50;
    }

    for (i = 100; i < 400; i++) {
        t.target[i * TARGETS + 1] = NAN;
    }

    bytes[0] = t_learn(&t, &options, &progress);

    for (i = 100; i < 400; i++) {
        t.target[i * TARGETS + 1] = 30 + 40 * t.features[i * FEATURES + 6];
    }

    with = t_error(&t, judge_buf_view(&bytes[0]), 1, false);
    t_ok(with < spread / 2, "what was scored of a hundred items is learned"
         " beside three hundred where it was not: %.2f of %.2f", with,
         spread);

    /* A feature that says whether the higher criterion was scored. */

    for (i = 0; i < 400; i++) {
        t.features[i * FEATURES + 7] = (float) (i % 2);
        t.target[i * TARGETS] = i % 2 ? NAN : 90;
        t.target[i * TARGETS + 1] = 20;
    }

    judge_buf_free(&bytes[0]);
    bytes[0] = t_learn(&t, &options, &progress);
    t.features[7] = 1;
    known = t_predict(&t, judge_buf_view(&bytes[0]), 0, 1);
    t.features[7] = 0;
    all = t_predict(&t, judge_buf_view(&bytes[0]), 0, 1);
    t_ok(fabsf(known - all) < 3, "an item is not better because its higher"
         " criterion was scored: %.1f, %.1f", (double) known, (double) all);

    judge_buf_free(&bytes[0]);
    t_set_free(&t);
}


/* What the engine gave no score of has no order to keep: thirty corrections
 * tell it; and a missing score is not one of 50. */

static void
test_unscored(void)
{
    float                    full, without;
    size_t                   i;
    double                   error, spread = 60 / sqrt(12);
    t_set_t                  t;
    judge_buf_t              bytes;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(10);
    t_set_create(&t, 100, true);
    t.set.nitems = 30;

    for (i = 0; i < 100; i++) {
        t.raw[i * TARGETS] = t.raw[i * TARGETS + 1] = NAN;
        t.target[i * TARGETS + 1] = 20 + 60 * t.features[i * FEATURES + 6];
    }

    bytes = t_learn(&t, &options, &progress);
    t.set.nitems = 100;
    error = t_error(&t, judge_buf_view(&bytes), 1, false);
    t_ok(error < 0.8 * spread, "thirty corrections tell what the engine does"
         " not score: %.2f of %.2f", error, spread);
    judge_buf_free(&bytes);

    for (i = 0; i < 100; i++) {        /* the engine is right, and high */
        t.raw[i * TARGETS] = 85 + (float) (i % 7);
        t.target[i * TARGETS] = t.raw[i * TARGETS] - 5;
    }

    bytes = t_learn(&t, &options, &progress);
    t.features[3] += 0.001f;           /* a text that nobody corrected */
    full = t_predict(&t, judge_buf_view(&bytes), 0, 0);
    t.raw[0] = NAN;
    without = t_predict(&t, judge_buf_view(&bytes), 0, 0);
    t_ok(fabsf(full - without) < 8, "without a score of the engine people's"
         " mean is given, not what 50 would make: %.1f, %.1f", (double) full,
         (double) without);

    judge_buf_free(&bytes);
    t_set_free(&t);
}


/* Each of the texts, corrected against what all others say, is scored nearer
 * to its correction than without. */

static void
test_corrected(void)
{
    float                    before, after, wanted;
    size_t                   i, n, right;
    t_set_t                  t;
    judge_buf_t              first, second;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    static const size_t  sizes[] = { 12, 60 };

    options = t_options(5);

    for (n = 0; n < 2; n++) {
        t_set_create(&t, 61, true);
        t.set.nitems = sizes[n];
        first = t_learn(&t, &options, &progress);

        for (i = right = 0; i < sizes[n]; i++) {
            before = t_predict(&t, judge_buf_view(&first), i, 0);
            wanted = before > 50 ? before - 30 : before + 30;
            t.target[i * TARGETS] = wanted;
            second = t_learn(&t, &options, &progress);
            after = t_predict(&t, judge_buf_view(&second), i, 0);
            right += fabsf(after - wanted) < fabsf(before - wanted) / 2;
            judge_buf_free(&second);
            judge_buf_free(&first);
            first = t_learn(&t, &options, &progress);
        }

        t_is_int((int64_t) right, (int64_t) sizes[n],
                 "each corrected text moves more than half of the way");
        judge_buf_free(&first);
        t_set_free(&t);
    }
}


/* Of groups of several less is learned than of as many single items. */

static void
test_makers(void)
{
    double                   single, several;
    size_t                   i;
    t_set_t                  t;
    judge_buf_t              bytes[2];
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(10);
    t_set_create(&t, 400, false);
    t.set.nitems = 200;
    bytes[0] = t_learn(&t, &options, &progress);

    for (i = 0; i < 200; i++) {
        t.group[i] = (uint32_t) (i / 5 * 2654435761u);
    }

    bytes[1] = t_learn(&t, &options, &progress);
    t.set.nitems = 400;
    single = t_error(&t, judge_buf_view(&bytes[0]), 0, false);
    several = t_error(&t, judge_buf_view(&bytes[1]), 0, false);
    t_ok(single < several, "of groups of several less is learned than of"
         " single items: %.2f, %.2f", several, single);

    judge_buf_free(&bytes[0]);
    judge_buf_free(&bytes[1]);
    t_set_free(&t);
}


static void
test_repeats(void)
{
    t_set_t                  t;
    judge_buf_t              first, second;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(7);
    t_set_create(&t, 200, true);
    first = t_learn(&t, &options, &progress);
    second = t_learn(&t, &options, &progress);
    t_ok(first.len == second.len
         && memcmp(first.data, second.data, first.len) == 0,
         "the same items give the same model, bit for bit");

    judge_buf_free(&first);
    judge_buf_free(&second);
    t_set_free(&t);
}


static void
test_checkpoint(const uint8_t *frozen)
{
    size_t                   e;
    t_set_t                  t;
    judge_buf_t              whole, parts;
    judge_learner_t         *learner;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(8);
    options.frozen = frozen;
    t_set_create(&t, 120, true);
    whole = t_learn(&t, &options, &progress);

    judge_buf_init(&parts, NULL);
    (void) judge_learner_create(&t.set, &options, &learner);
    (void) judge_learner_epoch(learner, &progress);
    e = progress.epoch;
    judge_learner_destroy(learner);

    (void) judge_learner_create(&t.set, &options, &learner);
    judge_learner_begin(learner, JUDGE_LEARN_ALL, &progress);
    (void) judge_learner_epoch(learner, &progress);
    t_is_int((int64_t) progress.epoch, (int64_t) e + 1,
             "learning goes on at the epoch behind a checkpoint");
    while (!progress.done) {
        (void) judge_learner_epoch(learner, &progress);
    }
    (void) judge_learner_model(learner, &parts);
    judge_learner_destroy(learner);
    t_ok(parts.len == whole.len
         && memcmp(parts.data, whole.data, whole.len) == 0,
         "learning from a checkpoint ends with the same model");

    (void) judge_learner_create(&t.set, &options, &learner);
    progress.step[0] = 200;
    judge_learner_begin(learner, JUDGE_LEARN_ALL, &progress);
    (void) judge_learner_epoch(learner, &progress);
    t_is_int((int64_t) progress.epoch, 1,
             "learning begins anew from a damaged checkpoint");
    judge_learner_destroy(learner);

    judge_buf_free(&whole);
    judge_buf_free(&parts);
    t_set_free(&t);
}


/* What is said of the items of a fold has no part in what is learned without
 * it, and the learner learns from all items afterwards as it did before. */

static void
test_fold(void)
{
    float                    kept[120];
    uint8_t                  fold[120];
    size_t                   i, k;
    t_set_t                  t;
    judge_buf_t              whole, bytes[3];
    judge_learner_t         *learner;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(4);
    t_set_create(&t, 120, true);
    t.set.fold = fold;

    for (i = 0; i < 120; i++) {
        fold[i] = (uint8_t) (i % 5);
        kept[i] = t.target[i * TARGETS];
    }

    whole = t_learn(&t, &options, &progress);

    for (k = 0; k < 3; k++) {
        (void) judge_learner_create(&t.set, &options, &learner);
        judge_learner_begin(learner, 3, NULL);
        do {
            (void) judge_learner_epoch(learner, &progress);
        } while (!progress.done);

        judge_buf_init(&bytes[k], NULL);
        if (k == 2) {
            judge_learner_begin(learner, JUDGE_LEARN_ALL, NULL);
            do {
                (void) judge_learner_epoch(learner, &progress);
            } while (!progress.done);
        }
        (void) judge_learner_model(learner, &bytes[k]);
        judge_learner_destroy(learner);

        for (i = 0; k < 2 && i < 120; i++) {
            if (fold[i] == 3) {
                t.target[i * TARGETS] = k == 0 ? 0 : kept[i];
            }
        }
    }

    t_ok(bytes[0].len == bytes[1].len
         && memcmp(bytes[0].data, bytes[1].data, bytes[0].len) == 0,
         "scores of a fold that is left out change nothing");
    t_ok(bytes[2].len == whole.len
         && memcmp(bytes[2].data, whole.data, whole.len) == 0,
         "after it all items are learned from again");

    for (k = 0; k < 3; k++) {
        judge_buf_free(&bytes[k]);
    }
    judge_buf_free(&whole);
    t_set_free(&t);
}


static void
test_odd(void)
{
    size_t                   i;
    t_set_t                  t;
    judge_buf_t              bytes;
    const uint8_t            frozen[TARGETS] = { 0, 1 };
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(3);
    t_set_create(&t, 100, true);
    for (i = 0; i < 100; i++) {
        t.features[i * FEATURES + 3] = NAN;
        t.features[i * FEATURES + 4] = INFINITY;
        t.features[i * FEATURES + 5] = 7;
        t.target[i * TARGETS] = 100;
        t.target[i * TARGETS + 1] = i % 2 ? NAN : (float) (i % 4 ? 0 : 100);
        t.texts[i] = i % 3 ? JUDGE_STR("") : (judge_str_t) { 0, NULL };
    }

    bytes = t_learn(&t, &options, &progress);
    t_ok(bytes.len > 0 && isfinite(progress.validation_loss),
         "numbers that are none, constants and contradictions are survived");
    t_ok(t_error(&t, judge_buf_view(&bytes), 0, false) < 2,
         "what is always 100 is learned as 100");
    judge_buf_free(&bytes);

    options.frozen = frozen;
    bytes = t_learn(&t, &options, &progress);
    t_ok(t_error(&t, judge_buf_view(&bytes), 0, false) < 2,
         "what is always 100 is learned beside a frozen target, too");
    judge_buf_free(&bytes);
    t_set_free(&t);
}


/* Whatever is broken in the bytes: refused, or a model that does no harm. */

static void
test_damaged(void)
{
    size_t                   i, refused, tried;
    double                   error;
    t_set_t                  t;
    judge_buf_t              bytes;
    judge_arena_t           *arena;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(2);
    t_set_create(&t, 80, false);
    bytes = t_learn(&t, &options, &progress);
    arena = judge_arena_create(4096);

    for (i = refused = tried = 0; i < bytes.len; i += bytes.len / 97 + 1) {
        refused += judge_predictor_read(arena, (judge_str_t) { i, bytes.data })
                   == NULL;
        tried++;
    }
    t_is_int((int64_t) refused, (int64_t) tried,
             "a model that is cut short is refused");

    t_state = 7;
    for (i = 0; i < 300; i++) {
        size_t  at = (size_t) (t_random() * (float) (bytes.len - 1));
        char    kept = bytes.data[at];

        bytes.data[at] = (char) (kept ^ (1 << (i % 8)));
        error = t_error(&t, judge_buf_view(&bytes), 0, false);
        bytes.data[at] = kept;
        if (error != error) {
            break;
        }
    }
    t_ok(i == 300, "a model with a bit turned predicts numbers or is refused");

    judge_arena_destroy(arena);
    judge_buf_free(&bytes);
    t_set_free(&t);
}


static void
test_reasons(void)
{
    float                    out[TARGETS], points[3], *scratch;
    size_t                   n, features[3];
    t_set_t                  t;
    judge_buf_t              bytes;
    judge_arena_t           *arena;
    judge_predictor_t       *model;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    options = t_options(4);
    t_set_create(&t, 300, false);
    bytes = t_learn(&t, &options, &progress);
    arena = judge_arena_create(4096);
    model = judge_predictor_read(arena, judge_buf_view(&bytes));
    scratch = judge_array_alloc(arena, judge_predictor_scratch(model),
                                sizeof(float));
    t.features[1] = 0.99f;
    judge_predictor_predict(model, t.features, t.raw,
                            (judge_str_t) { 0, NULL },
                            scratch, out);
    n = judge_predictor_reasons(model, 0, scratch, 3, features, points);

    t_is_int((int64_t) n, 3, "as many reasons are given as were asked for");
    t_is_int((int64_t) features[0], 1,
             "the feature that decides is the first reason");
    t_ok(points[0] > 0, "the first reason tells that it raised the score");

    judge_arena_destroy(arena);
    judge_buf_free(&bytes);
    t_set_free(&t);
}


int
main(void)
{
    test_learns();
    test_few();
    test_order();
    test_partial();
    test_unscored();
    test_corrected();
    test_makers();
    test_repeats();
    test_checkpoint(NULL);
    test_checkpoint((const uint8_t[TARGETS]) { 0, 1 });
    test_fold();
    test_odd();
    test_damaged();
    test_reasons();

    return t_done();
}
