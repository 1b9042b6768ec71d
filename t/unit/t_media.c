/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Criteria of media: what they are matched to, the scores, the sayings. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "extensions/media/media_trait.h"
#include "tap.h"


#define V  JUDGE_MEDIA_VIDEO
#define A  JUDGE_MEDIA_AUDIO
#define I  JUDGE_MEDIA_IMAGE


static const struct {
    const char                *name;
    const char                *description;
    judge_media_kind_e         kind;
    int                        trait;  /* the heaviest; -1: none */
} rows[] = {
    { "Sharpness", "Is it sharp?", V, JUDGE_MT_SHARPNESS },
    { "Focus", "The subject is in focus.", I, JUDGE_MT_SHARPNESS },
    { "Lighting", "Well lit, neither too dark nor too bright.", V,
      JUDGE_MT_EXPOSURE },
    { "Exposure", "Correct exposure", I, JUDGE_MT_EXPOSURE },
    { "Colours", "Vivid and natural.", I, JUDGE_MT_COLOUR },
    { "Steady camera", "No shaking.", V, JUDGE_MT_STABILITY },
    { "No black frames", "The picture is never black.", V, JUDGE_MT_BLACK },
    { "Freezes", "The picture never freezes.", V, JUDGE_MT_FROZEN },
    { "Pacing", "Cuts come at a good rhythm.", V, JUDGE_MT_PACE },
    { "Loudness", "Not too quiet.", V, JUDGE_MT_LOUDNESS },
    { "Volume", "Loud enough", A, JUDGE_MT_LOUDNESS },
    { "Clipping", "The sound is not distorted.", A, JUDGE_MT_CLIPPING },
    { "Silence", "No long pauses.", A, JUDGE_MT_SILENCE },
    { "Background noise", "No hiss in the audio.", V, JUDGE_MT_HISS },
    { "Noise", "The picture has no grain.", V, JUDGE_MT_GRAIN },
    { "Noise", "", A, JUDGE_MT_HISS },
    { "Noise", "", I, JUDGE_MT_GRAIN },
    { "Voice", "The narration can be understood.", V, JUDGE_MT_SPEECH },
    { "Resolution", "At least 720p.", V, JUDGE_MT_RESOLUTION },
    { "Audio quality", "How good does it sound?", V, JUDGE_MT_SOUND },
    { "Visual quality", "", V, JUDGE_MT_PICTURE },
    { "Technical quality", "", V, JUDGE_MT_GENERAL },
    { "Overall quality", "", I, JUDGE_MT_PICTURE },
    { "Production", "", A, JUDGE_MT_SOUND },
    { "Audio", "The sound is clear and loud enough.", V, JUDGE_MT_LOUDNESS },
    { "Audio", "The sound is clear and loud enough.", A, JUDGE_MT_LOUDNESS },
    { "Sound", "Free of hum, and easy to listen to.", A, JUDGE_MT_HISS },
    { "Picture", "What matters is in focus.", V, JUDGE_MT_SHARPNESS },
    { "Photo", "Neither too dark nor grey.", I, JUDGE_MT_EXPOSURE },
    { "Still", "A still picture, without motion.", V, -1 },
    { "Cuts", "Few cuts.", V, -1 },
    { "Black", "Starts with a black picture.", V, -1 },
    { "Silence", "Long silences are wanted.", A, -1 },
    { "Music", "Has background music.", V, -1 },
    { "Speech", "The speaker is friendly.", A, -1 },
    { "Clean", "No clipping.", A, JUDGE_MT_CLIPPING },
    { "Clean", "The audio is clean, without clipping.", A,
      JUDGE_MT_CLIPPING },
    { "Darkness", "A dark, moody picture.", I, -1 },
    { "Contrast", "Low contrast.", I, -1 },
    { "Blur", "The background is blurred.", I, -1 },
    { "Clean background", "The background is plain.", I, -1 },
    { "Picture", "No motion blur.", V, JUDGE_MT_SHARPNESS },
    { "Sharpness", "Never out of focus.", I, JUDGE_MT_SHARPNESS },
    { "Noise", "Background noise is low.", A, JUDGE_MT_HISS },
    { "Noise", "How much noise is there?", I, JUDGE_MT_GRAIN },
    { "Picture", "Not blurry, shaky or dark.", V, JUDGE_MT_SHARPNESS },
    { "Sound", "No hum, and loud enough.", A, JUDGE_MT_HISS },
    { "Volume", "The level is not too low.", A, JUDGE_MT_LOUDNESS },
    { "No music, no speech", "", A, -1 },
    { "Music", "It fits what is shown.", V, -1 },
    { "Image", "It shows a cat on a chair.", I, -1 },
    { "Loudness", "Not too quiet.", I, -1 },
    { "Humor", "It makes people laugh.", V, -1 },
    { "Story", "A story with a beginning and an end.", V, -1 },
    { "Content quality", "The content is of high quality.", V, -1 },
    { "Composition", "Rule of thirds.", I, -1 },
    { "Video", "A video.", V, -1 },
    { "", "", A, -1 },
};


static judge_media_t  media;


static judge_criterion_t
criterion(const char *name, const char *description)
{
    judge_criterion_t  c;

    memset(&c, 0, sizeof(judge_criterion_t));
    c.name = judge_str_c(name);
    c.description = judge_str_c(description);
    c.weight = 1;

    return c;
}


/* A video in which nothing is wrong. */

static void
good(void)
{
    size_t               i;
    static const double  values[JUDGE_M_COUNT] = {
        [JUDGE_M_DURATION] = 60, [JUDGE_M_BITRATE] = 4000,
        [JUDGE_M_WIDTH] = 1920, [JUDGE_M_HEIGHT] = 1080,
        [JUDGE_M_FRAME_RATE] = 30, [JUDGE_M_DAMAGE] = 0,
        [JUDGE_M_BRIGHTNESS] = 45, [JUDGE_M_CONTRAST] = 22,
        [JUDGE_M_DARK] = 3, [JUDGE_M_BRIGHT] = 1, [JUDGE_M_SATURATION] = 30,
        [JUDGE_M_COLOURFULNESS] = 50, [JUDGE_M_SHARPNESS] = 75,
        [JUDGE_M_NOISE] = 0.4, [JUDGE_M_BLOCKINESS] = 5,
        [JUDGE_M_BLACK] = 0, [JUDGE_M_FROZEN] = 0, [JUDGE_M_SCENES] = 12,
        [JUDGE_M_FLICKER] = 0.05, [JUDGE_M_SHAKE] = 0.01,
        [JUDGE_M_SPATIAL] = 60, [JUDGE_M_SPATIAL_MAX] = 90,
        [JUDGE_M_TEMPORAL] = 20, [JUDGE_M_TEMPORAL_MAX] = 70,
        [JUDGE_M_SAMPLE_RATE] = 48000, [JUDGE_M_CHANNELS] = 2,
        [JUDGE_M_LOUDNESS] = -16, [JUDGE_M_LOUDNESS_RANGE] = 7,
        [JUDGE_M_TRUE_PEAK] = -2, [JUDGE_M_CLIPPING] = 0,
        [JUDGE_M_SILENCE] = 0, [JUDGE_M_NOISE_FLOOR] = -80,
        [JUDGE_M_LOW] = 40, [JUDGE_M_MID] = 50, [JUDGE_M_HIGH] = 10,
        [JUDGE_M_SPEECH] = 80, [JUDGE_M_BALANCE] = -0.5,
    };

    judge_media_clear(&media);
    media.kind = V;
    media.has_sound = 1;
    media.measured = 60;

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        media.values[i] = values[i];
    }
}


static void
test_match(void)
{
    bool               found;
    size_t             i, a;
    double             sum, shares[JUDGE_MT_COUNT];
    judge_criterion_t  c;

    for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        c = criterion(rows[i].name, rows[i].description);
        found = judge_media_match(&c, rows[i].kind, shares);

        if (!found || rows[i].trait < 0) {
            t_ok(found == (rows[i].trait >= 0),
                 "%s: the criterion is %s", rows[i].name,
                 found ? "matched" : "not matched");
            continue;
        }

        for (sum = 0, a = 0; a < JUDGE_MT_COUNT; a++) {
            sum += shares[a];
            if (shares[a] > shares[rows[i].trait]) {
                break;
            }
        }
        t_ok(a == JUDGE_MT_COUNT, "%s: most of its weight goes to %s",
             rows[i].name,
             judge_media_traits[a == JUDGE_MT_COUNT
                                ? (size_t) rows[i].trait : a].name);
        t_ok(a < JUDGE_MT_COUNT || fabs(sum - 1) < 1e-9,
             "%s: its shares add up to one", rows[i].name);
    }
}


/* A fault lowers what it belongs to, below 60, and nothing else. */

static void
test_faults(void)
{
    size_t                i, a;
    double                before[JUDGE_MT_COUNT], grade;
    static const struct {
        judge_measure_e      measure;
        double               value;
        judge_media_trait_e  trait;
        judge_media_trait_e  also;
    } faults[] = {
        { JUDGE_M_SHARPNESS, 20, JUDGE_MT_SHARPNESS, JUDGE_MT_COUNT },
        { JUDGE_M_BRIGHTNESS, 8, JUDGE_MT_EXPOSURE, JUDGE_MT_COUNT },
        { JUDGE_M_BRIGHTNESS, 95, JUDGE_MT_EXPOSURE, JUDGE_MT_COUNT },
        { JUDGE_M_BRIGHT, 50, JUDGE_MT_EXPOSURE, JUDGE_MT_COUNT },
        { JUDGE_M_CONTRAST, 3, JUDGE_MT_CONTRAST, JUDGE_MT_COUNT },
        { JUDGE_M_COLOURFULNESS, 2, JUDGE_MT_COLOUR, JUDGE_MT_COUNT },
        { JUDGE_M_NOISE, 12, JUDGE_MT_GRAIN, JUDGE_MT_COUNT },
        { JUDGE_M_BLOCKINESS, 120, JUDGE_MT_COMPRESSION, JUDGE_MT_COUNT },
        { JUDGE_M_HEIGHT, 180, JUDGE_MT_RESOLUTION, JUDGE_MT_COUNT },
        { JUDGE_M_FRAME_RATE, 8, JUDGE_MT_FRAME_RATE, JUDGE_MT_COUNT },
        { JUDGE_M_BLACK, 20, JUDGE_MT_BLACK, JUDGE_MT_INTEGRITY },
        { JUDGE_M_FROZEN, 30, JUDGE_MT_FROZEN, JUDGE_MT_INTEGRITY },
        { JUDGE_M_DAMAGE, 8, JUDGE_MT_INTEGRITY, JUDGE_MT_COUNT },
        { JUDGE_M_SHAKE, 0.5, JUDGE_MT_STABILITY, JUDGE_MT_COUNT },
        { JUDGE_M_FLICKER, 3, JUDGE_MT_FLICKER, JUDGE_MT_COUNT },
        { JUDGE_M_SCENES, 0, JUDGE_MT_PACE, JUDGE_MT_COUNT },
        { JUDGE_M_LOUDNESS, -45, JUDGE_MT_LOUDNESS, JUDGE_MT_COUNT },
        { JUDGE_M_LOUDNESS, -3, JUDGE_MT_LOUDNESS, JUDGE_MT_COUNT },
        { JUDGE_M_LOUDNESS_RANGE, 0, JUDGE_MT_DYNAMICS, JUDGE_MT_COUNT },
        { JUDGE_M_CLIPPING, 50000, JUDGE_MT_CLIPPING, JUDGE_MT_COUNT },
        { JUDGE_M_TRUE_PEAK, 5, JUDGE_MT_CLIPPING, JUDGE_MT_COUNT },
        { JUDGE_M_SILENCE, 50, JUDGE_MT_SILENCE, JUDGE_MT_COUNT },
        { JUDGE_M_NOISE_FLOOR, -33, JUDGE_MT_HISS, JUDGE_MT_SPEECH },
        { JUDGE_M_LOW, 99, JUDGE_MT_TONE, JUDGE_MT_COUNT },
        { JUDGE_M_SPEECH, 0, JUDGE_MT_SPEECH, JUDGE_MT_COUNT },
        { JUDGE_M_BALANCE, 14, JUDGE_MT_STEREO, JUDGE_MT_COUNT },
    };

    good();
    for (a = 0; a < JUDGE_MT_COUNT; a++) {
        before[a] = judge_media_grade(&media, a);
        t_ok(before[a] >= 85,
             "%s: a video without faults has at least 85, not %.1f",
             judge_media_traits[a].name, before[a]);
    }

    for (i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
        good();
        media.values[faults[i].measure] = faults[i].value;

        for (a = 0; a < JUDGE_MT_SINGLE; a++) {
            grade = judge_media_grade(&media, a);
            if (a == faults[i].trait) {
                t_ok(grade < 60,
                     "%s %g: it lowers %s below 60, to %.1f",
                     judge_media_name(faults[i].measure), faults[i].value,
                     judge_media_traits[a].name, grade);
            } else if (a != faults[i].also && grade != before[a]
                       && !(faults[i].measure == JUDGE_M_LOUDNESS
                            && a == JUDGE_MT_SPEECH))
            {
                t_ok(false, "%s moves %s",
                     judge_media_name(faults[i].measure),
                     judge_media_traits[a].name);
            }
        }
    }
}


static judge_rc_e
score(judge_arena_t *arena, judge_verdict_t *verdict, size_t n,
    const char *const names[][2])
{
    size_t             i;
    judge_rubric_t     rubric;
    judge_criterion_t  criteria[8];

    for (i = 0; i < n; i++) {
        criteria[i] = criterion(names[i][0], names[i][1]);
    }

    memset(&rubric, 0, sizeof(judge_rubric_t));
    rubric.name = rubric.description = JUDGE_STR("");
    rubric.criteria = criteria;
    rubric.ncriteria = n;

    return judge_media_score(&media, &rubric, arena, verdict);
}


static void
test_score(void)
{
    judge_arena_t    *arena;
    judge_verdict_t   v;
    static const char *const  names[][2] = {
        { "No black frames", "Never black." },
        { "Humor", "It makes people laugh." },
        { "Sharpness", "Sharp." },
        { "Loudness", "Loud enough." },
    };

    arena = judge_arena_create(4096);
    good();
    media.values[JUDGE_M_BLACK] = 5;
    media.spans[JUDGE_SPAN_BLACK] = (judge_spans_t) {
        .total = 3, .count = 1, .kept = 1, .from = { 12 }, .to = { 15 } };

    t_is_int(score(arena, &v, 4, names), JUDGE_OK,
             "a video can be scored by four criteria");
    t_ok(v.scores[0].score < 60,
         "black frames lower their criterion to below 60: %g",
         v.scores[0].score);
    t_ok(t_finds(v.scores[0].feedback, "black from 0:12 to 0:15"),
         "the feedback says when it is black");
    t_ok(isnan(v.scores[1].score), "a criterion of humor has no score");
    t_ok(judge_str_starts(v.scores[1].feedback,
                          JUDGE_STR("Not measurable by this engine: ")),
         "the feedback for humor says that this engine can't measure it");
    t_ok(v.scores[2].score > 95,
         "a sharp video gets more than 95 for sharpness");
    t_ok(fabs(v.overall - (v.scores[0].score + v.scores[2].score
                           + v.scores[3].score) / 3) < 0.02,
         "overall is of those that have a score");
    t_is_int((int64_t) v.nstrengths, 2, "two criteria are named as strengths");
    t_is_int((int64_t) v.nweaknesses, 1,
             "one criterion is named as a weakness");
    t_is_str(v.suggestions[0], "Cut the black stretches out.",
             "the suggestion is to cut out what is black");
    t_ok(t_finds(v.summary, "1920 x 1080 pixels and 1:00"),
         "the summary tells size and length of the video");
    t_ok(t_finds(v.summary, "1 of 4 criteria can't"),
         "the summary tells how many criteria can't be measured");

    media.has_sound = 0;
    t_is_int(score(arena, &v, 4, names), JUDGE_OK,
             "a video without sound can be scored");
    t_ok(v.scores[3].score == 0,
         "a video without sound gets 0 for loudness");
    t_is_str(v.scores[3].feedback, "The video has no sound.",
             "the feedback for loudness says that there is no sound");

    t_is_int(score(arena, &v, 1, (const char *const [][2])
                   { { "Sound", "The sound is loud and clear." } }), JUDGE_OK,
             "several traits of sound can be scored");
    t_is_str(v.scores[0].feedback, "The video has no sound.",
             "that there is no sound is said once");

    media.values[JUDGE_M_SHARPNESS] = NAN;
    t_ok(isnan(judge_media_grade(&media, JUDGE_MT_SHARPNESS)),
         "a video that is all black is not called sharp");
    media.measured = 0;
    t_is_int(score(arena, &v, 3, names), JUDGE_OK,
             "a video that shows nothing can be scored");
    t_ok(isnan(v.scores[2].score),
         "the sharpness of a video that shows nothing has no score");
    t_ok(t_finds(v.scores[2].feedback, "Not measurable in this file"),
         "the feedback for sharpness says that this file can't be measured");

    t_is_int(score(arena, &v, 1, names + 1), JUDGE_OK,
             "a video can be scored though no criterion fits");
    t_ok(isnan(v.overall), "a verdict without any score has no overall score");

    judge_arena_destroy(arena);
}


/* A composite names what is weak, and calls nothing so that is not. */

static void
test_composite(void)
{
    judge_arena_t    *arena;
    judge_verdict_t   v;
    static const char *const  names[][2] = { { "Technical quality", "" } };

    arena = judge_arena_create(4096);
    good();
    t_is_int(score(arena, &v, 1, names), JUDGE_OK,
             "a good video can be scored by a composite");
    t_ok(t_finds(v.scores[0].feedback, "All is well, least of all"),
         "the composite says that all is well");
    t_ok(!t_finds(v.scores[0].feedback, "Then"),
         "the composite of a good video names one part, not the next");

    media.values[JUDGE_M_BRIGHTNESS] = 3;
    media.values[JUDGE_M_DARK] = 95;
    t_is_int(score(arena, &v, 1, names), JUDGE_OK,
             "a dark video can be scored by a composite");
    t_ok(t_finds(v.scores[0].feedback, "Weakest is exposure"),
         "the composite names exposure as the weakest");

    judge_arena_destroy(arena);
}


static void
test_plausible(void)
{
    good();
    t_ok(judge_media_plausible(&media), "a good measurement is plausible");
    media.values[3] = INFINITY;
    t_ok(!judge_media_plausible(&media), "an infinite value is not plausible");

    good();
    media.kind = 3;
    t_ok(!judge_media_plausible(&media),
         "a file that is of two kinds is not plausible");

    good();
    media.spans[2].kept = JUDGE_SPANS_KEPT + 1;
    media.spans[2].count = 1000;
    t_ok(!judge_media_plausible(&media),
         "more spans than can be kept are not plausible");

    good();
    media.spans[2].count = media.spans[2].kept = 1;
    media.spans[2].from[0] = 2;
    media.spans[2].to[0] = NAN;
    t_ok(!judge_media_plausible(&media),
         "a span whose end is no number is not plausible");
}


static void
test_names(void)
{
    char    out[24];
    size_t  i;

    for (i = 0; judge_media_name(i); i++) {
        t_ok(judge_media_measures[i].unit != NULL,
             "%s has a unit or says that it has none", judge_media_name(i));
    }
    t_is_int((int64_t) i, JUDGE_M_COUNT, "every measure has a name");
    for (i = 0; judge_media_span_name(i); i++) { /* void */ }
    t_is_int((int64_t) i, JUDGE_SPAN_COUNT, "every span has a name");

    t_is_int(judge_media_kind_find(JUDGE_STR("audio")), A,
             "the kind \"audio\" is found by its name");
    t_is_int(judge_media_kind_find(JUDGE_STR("text")), 0,
             "the kind \"text\" is not one of media");

    judge_media_time(12, out);
    t_is_str(judge_str_c(out), "0:12", "12 seconds are written as 0:12");
    judge_media_time(62.44, out);
    t_is_str(judge_str_c(out), "1:02.4",
             "62.44 seconds are written with tenths");
    judge_media_time(59.96, out);
    t_is_str(judge_str_c(out), "1:00",
             "59.96 seconds are rounded up to a minute");
    judge_media_time(3607.3, out);
    t_is_str(judge_str_c(out), "1:00:07",
             "times of more than an hour are written with hours");
    judge_media_time(NAN, out);
    t_is_str(judge_str_c(out), "0:00",
             "a time that is no number is written as 0:00");
}


int
main(void)
{
    test_match();
    test_faults();
    test_score();
    test_composite();
    test_plausible();
    test_names();

    return t_done();
}
