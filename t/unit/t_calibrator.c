/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What a version has learned, as bytes and applied: only where its inputs are
 * those of this build. */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"
#include "extensions/media/media.h"
#include "tap.h"
#include "work/calibration/calibrator.h"


#define ITEMS  80

static judge_arena_t      *arena;
static judge_buf_t         model;
static judge_str_t         id = judge_str("one");
static judge_criterion_t   criterion;
static judge_rubric_t      rubric;
static float               features[ITEMS * JUDGE_FEATURES];
static float               far[JUDGE_FEATURES];
static float              *measured = features;  /* of the item, */
static const char         *language;             /* its language, */
static judge_str_t         said;                 /* and its feedback */


/* A model of the overall size of one of texts. */

static void
learn(void)
{
    size_t                   i, k;
    float                    raw[ITEMS], target[ITEMS], weight[ITEMS];
    uint32_t                 group[ITEMS];
    judge_learner_t         *learner;
    judge_learn_set_t        set;
    judge_learn_options_t    options;
    judge_learn_progress_t   progress;

    for (i = 0; i < ITEMS; i++) {
        for (k = 0; k < JUDGE_FEATURES; k++) {
            features[i * JUDGE_FEATURES + k] = (float) ((i * 31 + k * 17
                                                         + i * k) % 29);
        }
        raw[i] = (float) (i % 40 + 20);
        target[i] = raw[i] / 2 + features[i * JUDGE_FEATURES];
        weight[i] = 1;
        group[i] = (uint32_t) (i * 2654435761u);
    }

    set = (judge_learn_set_t) { ITEMS, JUDGE_FEATURES, 1, features, raw,
                                target, weight, NULL, group, NULL };
    memset(&options, 0, sizeof(options));
    options.epochs = 3;
    judge_buf_init(&model, arena);

    if (judge_learner_create(&set, &options, &learner) != JUDGE_OK) {
        abort();
    }

    do {
        (void) judge_learner_epoch(learner, &progress);
    } while (!progress.done);

    (void) judge_learner_model(learner, &model);
    judge_learner_destroy(learner);
}


static judge_str_t
bytes_of(uint64_t inputs)
{
    judge_buf_t         out;
    judge_calibrator_t  trained;

    memset(&trained, 0, sizeof(trained));
    strcpy(trained.engine, JUDGE_ENGINE_NAME);
    trained.inputs = inputs;
    trained.nfeatures = JUDGE_FEATURES;
    trained.ncriteria = 1;
    trained.ids = &id;
    trained.bytes[0] = judge_buf_view(&model);
    trained.nmodels = 1;
    trained.model[0] = 1;
    trained.residuals[1] = 5;
    trained.languages = UINT64_C(1) << judge_language_find(JUDGE_STR("en"));
    judge_buf_init(&out, arena);
    judge_calibrator_write(&out, &trained);

    return judge_str_dup(arena, judge_buf_view(&out));
}


/* The score and the origin of an item whose score by the engine is 40. */

static float
applied(judge_str_t bytes, judge_origin_t *origin, float *predicted)
{
    float                    raw[2] = { 40, 40 }, *scratch, out[2];
    judge_item_t             item;
    judge_calibrator_t       trained;
    judge_verdict_t          verdict;
    judge_criterion_score_t  score;

    memset(&item, 0, sizeof(item));
    memset(&verdict, 0, sizeof(verdict));
    memset(origin, 0, sizeof(*origin));
    score = (judge_criterion_score_t) { .score = 40,
                                        .feedback = JUDGE_STR("measured") };
    verdict.overall = 40;
    verdict.scores = &score;
    verdict.summary = JUDGE_STR("a summary");
    verdict.features = measured;
    verdict.language = language;
    verdict.nfeatures = JUDGE_FEATURES;

    if (judge_calibrator_read(arena, bytes, &trained) != JUDGE_OK
        || judge_calibrator_apply(&trained, arena, JUDGE_ENGINE_NAME, &rubric,
                                  &item, &verdict, origin)
              != JUDGE_OK)
    {
        abort();
    }

    scratch = judge_array_alloc(arena, trained.scratch + 1, sizeof(float));
    judge_calibrator_predict(&trained, measured, raw, item.text, scratch, out);
    *predicted = out[0];

    if (origin->changed) {
        t_is_str(verdict.summary,
                 JUDGE_CALIBRATOR_CHANGED_MESSAGE " a summary",
                 "the summary says that features have changed");
        t_is_str(verdict.scores[0].feedback, "measured",
                 "feedback says nothing of changed features");
    }

    said = verdict.scores[0].feedback;

    return (float) verdict.scores[0].score;
}


static void
test_applied(void)
{
    float           score, again, predicted;
    uint64_t        inputs;
    judge_str_t     bytes;
    judge_origin_t  origin;

    inputs = judge_calibrator_identity(JUDGE_ENGINE_NAME, 1, 1);
    bytes = bytes_of(inputs);
    score = applied(bytes, &origin, &predicted);
    t_ok(origin.raw && !origin.changed,
         "a model is applied to features of the same inputs");
    t_ok(fabsf(score - predicted) < 0.006f && fabsf(score - 40) > 1,
         "a score of %.2f is the predicted one, %.4f", (double) score,
         (double) predicted);
    again = applied(bytes_of(inputs), &origin, &predicted);
    t_ok(memcmp(&score, &again, sizeof(float)) == 0,
         "a model gives the same score to the bit");

    again = applied(bytes_of(inputs + 1), &origin, &predicted);
    t_ok(origin.raw == NULL && origin.changed,
         "a model is not applied to features of other inputs");
    t_ok(again == 40,
         "the engine's score stays where the model is not applied");

    (void) applied(bytes_of(0), &origin, &predicted);
    t_ok(origin.changed,
         "a model of inputs that are not known is not applied");
    (void) applied(bytes_of(judge_calibrator_identity("llm", 1, 1)), &origin,
                   &predicted);
    t_ok(origin.changed, "a model of another engine's inputs is not applied");
    again = applied(bytes_of(judge_calibrator_inputs_hash(JUDGE_ENGINE_NAME,
                                                          true)),
                    &origin, &predicted);
    t_ok(origin.changed && again == 40,
         "a model of another learner is not applied");
}


/* Whether the feedback has the words, and behind them two measurements that
 * moved the score so much, whichever these are, and no other. */

static bool
says(const char *words, const char *moved)
{
    size_t       n;
    judge_str_t  rest;
    const char  *found = judge_str_find(said, judge_str_c(words));

    for (n = 0; found != NULL; n++) {
        rest = judge_str_from(said, (size_t) (found + 1 - said.data));
        found = judge_str_find(rest, JUDGE_STR("("));

        if (found != NULL
            && judge_str_find(rest, judge_str_c(moved)) != found)
        {
            return false;
        }
    }

    return n == 3;
}


/* Why a person should look at an item like those that were learned from, at
 * one far from them, and at those in other languages. */

static void
test_review(void)
{
    float           predicted;
    size_t          i;
    judge_str_t     bytes;
    judge_origin_t  origin;
    static const struct {
        bool         far;
        bool         decided;
        const char  *language;
        unsigned     reasons;
        const char  *name;
    } rows[] = {
        { false, false, "en", 0, "a text like those learned from" },
        { true, false, "en", JUDGE_REVIEW_UNLIKE, "a text unlike them" },
        { true, true, "en", 0, "one unlike them that checks decide" },
        { false, false, "de", JUDGE_REVIEW_LANGUAGE, "one in German" },
        { false, true, "de", 0, "one in German that checks decide" },
        { false, false, "unknown", JUDGE_REVIEW_LANGUAGE,
          "one in no known language" },
        { false, false, NULL, 0, "one whose language nobody looked for" }
    };

    for (i = 0; i < JUDGE_FEATURES; i++) {
        far[i] = 1e6f;
    }

    bytes = bytes_of(judge_calibrator_identity(JUDGE_ENGINE_NAME, 1, 1));

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        measured = rows[i].far ? far : features;
        language = rows[i].language;
        criterion.decided = rows[i].decided;
        (void) applied(bytes, &origin, &predicted);
        t_is_int(origin.reasons, rows[i].reasons,
                 "%s has its reasons for a review", rows[i].name);
        t_ok(origin.has_interval == (rows[i].reasons == 0),
             "%s has a width by corrections, unless it is strange",
             rows[i].name);
    }

    measured = features;
    language = NULL;
    criterion.decided = false;

    (void) applied(bytes, &origin, &predicted);
    t_ok(says("from 40.0 to 20.3. Speaks against it: ", "(-5.9)"),
         "nothing is named that did less than a tenth");

    language = "de";
    (void) applied(bytes, &origin, &predicted);
    t_ok(says("von 40,0 auf 20,3. Dagegen spricht: ", "(-5,9)"),
         "German numbers have a comma");
    language = NULL;
}


/* All are bounded: nothing is read behind the bytes. */

static void
test_bytes(void)
{
    char                *copy;
    size_t               i, accepted;
    judge_str_t          bytes;
    judge_arena_t       *own;
    judge_calibrator_t   trained;

    bytes = bytes_of(judge_calibrator_identity(JUDGE_ENGINE_NAME, 1, 1));
    own = judge_arena_create(4096);
    accepted = 0;

    for (i = 0; own && i < bytes.len; i += i < 1200 ? 1 : 977) {
        copy = malloc(i ? i : 1);
        if (copy == NULL) {
            abort();
        }
        memcpy(copy, bytes.data, i);
        judge_arena_reset(own);
        accepted += judge_calibrator_read(own, (judge_str_t) { i, copy },
                                          &trained)
                    != JUDGE_INVALID;
        free(copy);
    }
    t_is_int((int64_t) accepted, 0, "no model that is cut off is read");

    copy = malloc(bytes.len);
    if (copy == NULL) {
        abort();
    }

    for (i = 0; own && i < 1200; i++) {
        memcpy(copy, bytes.data, bytes.len);
        copy[i] = (char) 0xff;
        judge_arena_reset(own);
        (void) judge_calibrator_read(own, (judge_str_t) { bytes.len, copy },
                                     &trained);
    }

    memcpy(copy, bytes.data, bytes.len);
    copy[7] = '1';                     /* as the head began before */
    t_is_int(judge_calibrator_read(own, (judge_str_t) { bytes.len, copy },
                                   &trained), JUDGE_INVALID,
             "a model of a former format is refused");

    free(copy);
    judge_arena_destroy(own);
}


static void
test_inputs(void)
{
    size_t    i, k;
    uint64_t  all[] = {
        judge_calibrator_identity("builtin", 1, 1),
        judge_calibrator_identity("builtin", 1, 0),
        judge_calibrator_identity("builtin", 0, 0),
        judge_calibrator_identity("llm", 1, 1),
        judge_calibrator_identity("worker", 1, 1),
        judge_calibrator_identity("worker", 1, 0),
    };

    for (i = 0; i < 6; i++) {
        t_ok(judge_calibrator_known(all[i]), "inputs %zu are known", i);
        t_ok(!judge_calibrator_known(all[i] ^ 1),
             "inputs %zu with a bit changed are not known", i);
        for (k = 0; k < i; k++) {
            t_ok(all[i] != all[k], "inputs %zu differ from inputs %zu", i, k);
        }
    }

    t_ok(!judge_calibrator_known(0), "the number 0 is not known as inputs");
}


static judge_str_t
vector(const char *engine, size_t n)
{
    return judge_calibrator_vector(arena,
                                   judge_calibrator_inputs_hash(engine, true),
                                   features, n);
}


static void
test_vectors(void)
{
    judge_str_t  bytes, back;

    bytes = vector("builtin", JUDGE_FEATURES);
    t_ok(judge_calibrator_vector_read(bytes, "builtin", &back)
         && back.len == JUDGE_FEATURES * sizeof(float)
         && memcmp(back.data, features, back.len) == 0,
         "features are stored and read back to the bit");
    t_ok(!judge_calibrator_vector_read(bytes, "llm", &back),
         "stored features are not read as those of another engine");
    t_ok(!judge_calibrator_vector_read(bytes, "worker", &back),
         "stored features are not read as measurements of media");

    bytes.len -= sizeof(float);
    t_ok(!judge_calibrator_vector_read(bytes, "builtin", &back),
         "stored features that are cut off are not read");
    bytes.len = 3;
    t_ok(!judge_calibrator_vector_read(bytes, "builtin", &back),
         "three bytes are not read as stored features");

    bytes = vector("worker", JUDGE_M_COUNT);
    t_ok(judge_calibrator_vector_read(bytes, "worker", &back),
         "measurements of a media worker are read");

    bytes = vector("builtin", 0);
    t_ok(bytes.data && bytes.len == 0,
         "nothing is stored where nothing was measured");

    /* As it was stored before there were identities. */
    back = (judge_str_t) { JUDGE_FEATURES * sizeof(float),
                           (char *) features };
    t_ok(!judge_calibrator_vector_read(back, "builtin", &back),
         "floats alone are refused");
}


int
main(void)
{
    arena = judge_arena_create(1024 * 1024);
    if (arena == NULL) {
        abort();
    }

    criterion.id = id;
    criterion.name = JUDGE_STR("One");
    criterion.weight = 1;
    rubric.criteria = &criterion;
    rubric.ncriteria = 1;

    learn();
    test_applied();
    test_review();
    test_bytes();
    test_inputs();
    test_vectors();
    judge_arena_destroy(arena);

    return t_done();
}
