/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How good a value is: curves through points, and what follows from several.
 * The points are set by hand: by what broadcasters ask for (EBU R128 and
 * Tech 3343 for loudness, EBU R103 for levels) where there is such a thing,
 * else by looking and listening at graded faults.  What an organization means
 * by its criteria is learned from its feedback.
 */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/media/media_trait.h"


#define JUDGE_GRADE_POINTS  8
#define JUDGE_GRADE_SPANS   3          /* named, at most */
#define JUDGE_GRADE_FINE    90         /* not mentioned */
#define JUDGE_GRADE_WORST   0.6        /* what the weakest part counts */

/* Values that are made of others. */
#define JUDGE_M_SHORT_SIDE  (JUDGE_M_COUNT + 1)
#define JUDGE_M_ABOVE_NOISE (JUDGE_M_COUNT + 2)
#define JUDGE_M_TILT        (JUDGE_M_COUNT + 3)
#define JUDGE_M_STRETCHES   (JUDGE_M_COUNT + 4)          /* share of the
                                                            spans */
#define JUDGE_NO_SPAN       JUDGE_SPAN_COUNT

#define JUDGE_ALL           (JUDGE_MEDIA_IMAGE | JUDGE_MEDIA_AUDIO            \
                             | JUDGE_MEDIA_VIDEO)
#define JUDGE_SEEN          (JUDGE_MEDIA_IMAGE | JUDGE_MEDIA_VIDEO)
#define JUDGE_HEARD         (JUDGE_MEDIA_AUDIO | JUDGE_MEDIA_VIDEO)


typedef struct {
    judge_media_trait_e  trait;
    unsigned             kinds;
    int                  measure;
    int                  span;
    const char          *text;         /* with the value and its unit */
    const char          *wanted;
    const char          *during;       /* before "from 0:12 to 0:15" */
    double               points[JUDGE_GRADE_POINTS][2]; /* ascending; ended
                                                            by x = 0, y = 0
                                                            behind the
                                                            first */
} judge_grade_t;


static double judge_grade_part(const judge_media_t *media,
    const judge_grade_t *part);
static double judge_grade_value(const judge_media_t *media,
    const judge_grade_t *part);
static double judge_grade_curve(const judge_grade_t *part, double value);
static size_t judge_grade_count(judge_media_trait_e trait);
static inline double judge_grade_at(const judge_media_t *media,
    judge_media_trait_e trait, size_t i);
static void judge_grade_put_member(judge_buf_t *out,
    const judge_media_t *media, judge_media_trait_e member, double grade,
    bool first);
static void judge_grade_put_part(judge_buf_t *out,
    const judge_media_t *media, const judge_grade_t *part, bool first);
static void judge_grade_put_spans(judge_buf_t *out,
    const judge_spans_t *spans, const char *during);
static bool judge_grade_silent(const judge_media_t *media,
    judge_media_trait_e trait);


static const struct {
    const char  *name;
    unsigned     kinds;
    unsigned     domain;
    const char  *advice;
} judge_media_traits[JUDGE_MT_COUNT] = {
    [JUDGE_MT_SHARPNESS] = { "sharpness", JUDGE_SEEN, 0x1,
        "Focus on the subject, hold the camera still or use a shorter"
        " exposure, and export at the size it was shot in." },
    [JUDGE_MT_EXPOSURE] = { "exposure", JUDGE_SEEN, 0x1,
        "Correct the exposure: more or less light, or a curve that brings"
        " the mean level between a third and two thirds." },
    [JUDGE_MT_CONTRAST] = { "contrast", JUDGE_SEEN, 0x1,
        "Set the black and the white point so that the levels use the whole"
        " range." },
    [JUDGE_MT_COLOUR] = { "colour", JUDGE_SEEN, 0x1,
        "Correct white balance and saturation." },
    [JUDGE_MT_GRAIN] = { "noise in the picture", JUDGE_SEEN, 0x1,
        "Use more light or a lower ISO, or remove the noise." },
    [JUDGE_MT_COMPRESSION] = { "compression", JUDGE_SEEN, 0x1,
        "Export again from the original at a higher quality or bit rate." },
    [JUDGE_MT_RESOLUTION] = { "resolution", JUDGE_SEEN, 0x1,
        "Deliver it at a higher resolution." },
    [JUDGE_MT_FRAME_RATE] = { "frame rate", JUDGE_MEDIA_VIDEO, 0x1,
        "Record and export at 24 frames a second or more." },
    [JUDGE_MT_BLACK] = { "black pictures", JUDGE_MEDIA_VIDEO, 0x1,
        "Cut the black stretches out." },
    [JUDGE_MT_FROZEN] = { "frozen pictures", JUDGE_MEDIA_VIDEO, 0x1,
        "Replace or cut the stretches in which the picture stands still." },
    [JUDGE_MT_STABILITY] = { "stability", JUDGE_MEDIA_VIDEO, 0x1,
        "Use a tripod or gimbal, or stabilize it afterwards." },
    [JUDGE_MT_FLICKER] = { "flicker", JUDGE_MEDIA_VIDEO, 0x1,
        "Match the shutter to the mains frequency of the lights, or remove"
        " the flicker." },
    [JUDGE_MT_PACE] = { "pace", JUDGE_MEDIA_VIDEO, 0x1,
        "Five to thirty changes of the scene a minute hold attention." },
    [JUDGE_MT_MOTION] = { "motion", JUDGE_MEDIA_VIDEO, 0x1,
        "Let more happen in the picture." },
    [JUDGE_MT_RICHNESS] = { "spatial detail", JUDGE_MEDIA_VIDEO, 0x1,
        "Show more detail: closer shots, fewer empty areas." },
    [JUDGE_MT_INTEGRITY] = { "integrity", JUDGE_HEARD, 0x3,
        "Export the file again; parts of it do not play as they should." },
    [JUDGE_MT_LOUDNESS] = { "loudness", JUDGE_HEARD, 0x2,
        "Normalize the programme to -23 LUFS for broadcast, -16 to -14 LUFS"
        " for the web." },
    [JUDGE_MT_DYNAMICS] = { "loudness range", JUDGE_HEARD, 0x2,
        "Bring the loudness range between 5 and 15 LU." },
    [JUDGE_MT_CLIPPING] = { "clipping", JUDGE_HEARD, 0x2,
        "Lower the gain of the recording, and keep true peaks at -1 dBTP." },
    [JUDGE_MT_SILENCE] = { "silence", JUDGE_HEARD, 0x2,
        "Cut the silent stretches, or fill them." },
    [JUDGE_MT_HISS] = { "background noise", JUDGE_HEARD, 0x2,
        "Record closer to the source in a quieter room, or remove the"
        " noise." },
    [JUDGE_MT_TONE] = { "spectral balance", JUDGE_HEARD, 0x2,
        "Balance lows, mids and highs with an equalizer." },
    [JUDGE_MT_SPEECH] = { "speech", JUDGE_HEARD, 0x2,
        "Bring the voice forward: closer microphone, less of everything"
        " else." },
    [JUDGE_MT_STEREO] = { "stereo balance", JUDGE_HEARD, 0x2,
        "Bring left and right to the same level." },
    [JUDGE_MT_PICTURE] = { "picture quality", JUDGE_SEEN, 0x1,
        "Begin with what is weakest in the picture." },
    [JUDGE_MT_SOUND] = { "sound quality", JUDGE_HEARD, 0x2,
        "Begin with what is weakest in the sound." },
    [JUDGE_MT_GENERAL] = { "technical quality", JUDGE_MEDIA_VIDEO, 0x3,
        "Begin with what is weakest." },
};

/* What the composite ones are of, by domain. */
static const judge_media_trait_e   judge_grade_members[] = {
    JUDGE_MT_SHARPNESS, JUDGE_MT_EXPOSURE, JUDGE_MT_CONTRAST, JUDGE_MT_GRAIN,
    JUDGE_MT_COMPRESSION, JUDGE_MT_RESOLUTION, JUDGE_MT_FRAME_RATE,
    JUDGE_MT_BLACK, JUDGE_MT_FROZEN, JUDGE_MT_STABILITY, JUDGE_MT_FLICKER,
    JUDGE_MT_LOUDNESS, JUDGE_MT_CLIPPING, JUDGE_MT_SILENCE, JUDGE_MT_HISS,
};

#define JUDGE_GRADE_MEMBERS                                                   \
    (sizeof(judge_grade_members) / sizeof(*judge_grade_members))

static const judge_grade_t  judge_grades[] = {

    { JUDGE_MT_SHARPNESS, JUDGE_SEEN, JUDGE_M_SHARPNESS, JUDGE_NO_SPAN,
      "sharpness is %s", "60 % or more", NULL,
      { { 15, 0 }, { 30, 35 }, { 45, 62 }, { 60, 88 }, { 72, 100 } } },
    { JUDGE_MT_SHARPNESS, JUDGE_MEDIA_VIDEO, JUDGE_M_STRETCHES,
      JUDGE_SPAN_BLURRED, "%s of the time is blurred", "none", "blurred",
      { { 0, 100 }, { 5, 85 }, { 20, 50 }, { 60, 5 } } },

    { JUDGE_MT_EXPOSURE, JUDGE_SEEN, JUDGE_M_BRIGHTNESS, JUDGE_NO_SPAN,
      "the mean brightness is %s", "30 to 65 %", NULL,
      { { 3, 0 }, { 12, 25 }, { 22, 75 }, { 32, 100 }, { 64, 100 },
        { 75, 70 }, { 88, 20 }, { 97, 0 } } },
    { JUDGE_MT_EXPOSURE, JUDGE_SEEN, JUDGE_M_DARK, JUDGE_NO_SPAN,
      "%s of the pixels are all but black", "20 % or less", NULL,
      { { 20, 100 }, { 40, 70 }, { 70, 25 }, { 90, 0 } } },
    { JUDGE_MT_EXPOSURE, JUDGE_SEEN, JUDGE_M_BRIGHT, JUDGE_NO_SPAN,
      "%s of the pixels are burnt out", "3 % or less", NULL,
      { { 3, 100 }, { 8, 80 }, { 20, 45 }, { 50, 0 } } },
    { JUDGE_MT_EXPOSURE, JUDGE_MEDIA_VIDEO, JUDGE_M_STRETCHES,
      JUDGE_SPAN_DARK, "%s of the time is dark", "none", "dark",
      { { 0, 100 }, { 10, 75 }, { 40, 25 }, { 80, 0 } } },

    { JUDGE_MT_CONTRAST, JUDGE_SEEN, JUDGE_M_CONTRAST, JUDGE_NO_SPAN,
      "contrast (standard deviation of levels) is %s", "15 to 36 %", NULL,
      { { 1, 0 }, { 5, 25 }, { 9, 60 }, { 15, 92 }, { 18, 100 },
        { 36, 100 }, { 46, 70 } } },

    { JUDGE_MT_COLOUR, JUDGE_SEEN, JUDGE_M_COLOURFULNESS, JUDGE_NO_SPAN,
      "colourfulness is %s", "30 to 110", NULL,
      { { 0, 10 }, { 10, 45 }, { 20, 78 }, { 30, 95 }, { 40, 100 },
        { 110, 100 }, { 160, 70 } } },
    { JUDGE_MT_COLOUR, JUDGE_SEEN, JUDGE_M_SATURATION, JUDGE_NO_SPAN,
      "saturation is %s", "60 % or less", NULL,
      { { 60, 100 }, { 85, 60 }, { 100, 40 } } },

    { JUDGE_MT_GRAIN, JUDGE_SEEN, JUDGE_M_NOISE, JUDGE_NO_SPAN,
      "noise is %s", "2 levels or less", NULL,
      { { 0.5, 100 }, { 1.5, 95 }, { 3, 72 }, { 6, 42 }, { 10, 15 },
        { 15, 0 } } },

    { JUDGE_MT_COMPRESSION, JUDGE_SEEN, JUDGE_M_BLOCKINESS, JUDGE_NO_SPAN,
      "blocks of 8 pixels stand out by %s", "15 % or less", NULL,
      { { 10, 100 }, { 25, 78 }, { 50, 45 }, { 100, 12 }, { 150, 0 } } },

    { JUDGE_MT_RESOLUTION, JUDGE_MEDIA_VIDEO, JUDGE_M_SHORT_SIDE,
      JUDGE_NO_SPAN, "the shorter side has %s", "720 px or more", NULL,
      { { 120, 0 }, { 240, 20 }, { 360, 42 }, { 480, 62 }, { 720, 86 },
        { 1080, 100 } } },
    { JUDGE_MT_RESOLUTION, JUDGE_MEDIA_IMAGE, JUDGE_M_SHORT_SIDE,
      JUDGE_NO_SPAN, "the shorter side has %s", "800 px or more", NULL,
      { { 60, 0 }, { 300, 35 }, { 600, 65 }, { 800, 85 }, { 1200, 100 } } },

    { JUDGE_MT_FRAME_RATE, JUDGE_MEDIA_VIDEO, JUDGE_M_FRAME_RATE,
      JUDGE_NO_SPAN, "the frame rate is %s", "24 /s or more", NULL,
      { { 4, 0 }, { 10, 22 }, { 15, 50 }, { 23.5, 92 }, { 30, 100 } } },

    { JUDGE_MT_BLACK, JUDGE_MEDIA_VIDEO, JUDGE_M_BLACK, JUDGE_SPAN_BLACK,
      "%s of the time is black", "none", "black",
      { { 0, 100 }, { 0.5, 90 }, { 2, 70 }, { 5, 45 }, { 15, 12 },
        { 30, 0 } } },

    { JUDGE_MT_FROZEN, JUDGE_MEDIA_VIDEO, JUDGE_M_FROZEN, JUDGE_SPAN_FROZEN,
      "the picture stands still for %s of the time", "none", "frozen",
      { { 0, 100 }, { 2, 80 }, { 8, 50 }, { 25, 15 }, { 50, 0 } } },

    { JUDGE_MT_STABILITY, JUDGE_MEDIA_VIDEO, JUDGE_M_SHAKE, JUDGE_SPAN_SHAKE,
      "the motion of the picture changes by %s of its diagonal a frame",
      "0.05 % or less", "shaking",
      { { 0.02, 100 }, { 0.05, 90 }, { 0.1, 75 }, { 0.2, 45 }, { 0.4, 15 },
        { 0.8, 0 } } },

    { JUDGE_MT_FLICKER, JUDGE_MEDIA_VIDEO, JUDGE_M_FLICKER,
      JUDGE_SPAN_FLICKER, "brightness jumps by %s a frame", "0.3 % or less",
      "flickering",
      { { 0.1, 100 }, { 0.25, 92 }, { 0.5, 75 }, { 1, 45 }, { 2, 15 },
        { 4, 0 } } },

    { JUDGE_MT_PACE, JUDGE_MEDIA_VIDEO, JUDGE_M_SCENES, JUDGE_NO_SPAN,
      "the scene changes %s", "5 to 30 /min", NULL,
      { { 0, 35 }, { 2, 60 }, { 5, 90 }, { 8, 100 }, { 30, 100 },
        { 50, 75 }, { 90, 30 } } },

    { JUDGE_MT_MOTION, JUDGE_MEDIA_VIDEO, JUDGE_M_TEMPORAL, JUDGE_NO_SPAN,
      "temporal information (ITU-T P.910) is %s on the mean", "8 to 40",
      NULL,
      { { 0, 5 }, { 2, 35 }, { 5, 68 }, { 8, 86 }, { 14, 100 }, { 40, 100 },
        { 70, 70 } } },

    { JUDGE_MT_RICHNESS, JUDGE_MEDIA_VIDEO, JUDGE_M_SPATIAL, JUDGE_NO_SPAN,
      "spatial information (ITU-T P.910) is %s on the mean", "35 or more",
      NULL,
      { { 3, 0 }, { 15, 38 }, { 25, 64 }, { 35, 85 }, { 60, 100 } } },

    { JUDGE_MT_INTEGRITY, JUDGE_HEARD, JUDGE_M_DAMAGE, JUDGE_SPAN_DAMAGE,
      "%s of the packets can't be decoded", "none", "damaged",
      { { 0, 100 }, { 0.1, 85 }, { 1, 50 }, { 5, 10 }, { 10, 0 } } },
    { JUDGE_MT_INTEGRITY, JUDGE_MEDIA_VIDEO, JUDGE_M_BLACK,
      JUDGE_SPAN_BLACK, "%s of the time is black", "none", "black",
      { { 0, 100 }, { 2, 75 }, { 10, 40 }, { 50, 0 } } },
    { JUDGE_MT_INTEGRITY, JUDGE_MEDIA_VIDEO, JUDGE_M_FROZEN,
      JUDGE_SPAN_FROZEN, "the picture stands still for %s of the time",
      "none", "frozen",
      { { 0, 100 }, { 5, 75 }, { 20, 40 }, { 60, 0 } } },

    { JUDGE_MT_LOUDNESS, JUDGE_HEARD, JUDGE_M_LOUDNESS, JUDGE_NO_SPAN,
      "integrated loudness is %s", "-24 to -13 LUFS", NULL,
      { { -50, 0 }, { -36, 28 }, { -28, 68 }, { -24, 94 }, { -21, 100 },
        { -13, 100 }, { -9, 70 }, { -4, 15 } } },

    { JUDGE_MT_DYNAMICS, JUDGE_HEARD, JUDGE_M_LOUDNESS_RANGE, JUDGE_NO_SPAN,
      "the loudness range is %s", "4 to 16 LU", NULL,
      { { 0, 40 }, { 1, 58 }, { 3, 84 }, { 5, 100 }, { 15, 100 },
        { 20, 75 }, { 30, 30 } } },

    { JUDGE_MT_CLIPPING, JUDGE_HEARD, JUDGE_M_CLIPPING, JUDGE_SPAN_CLIPPING,
      "%s of the samples are clipped", "none", "clipped",
      { { 0, 100 }, { 10, 90 }, { 100, 70 }, { 1000, 35 }, { 10000, 6 },
        { 40000, 0 } } },
    { JUDGE_MT_CLIPPING, JUDGE_HEARD, JUDGE_M_TRUE_PEAK, JUDGE_NO_SPAN,
      "the true peak is %s", "-1 dBTP or less", NULL,
      { { -1, 100 }, { 0, 85 }, { 1, 60 }, { 3, 20 }, { 6, 0 } } },

    { JUDGE_MT_SILENCE, JUDGE_HEARD, JUDGE_M_SILENCE, JUDGE_SPAN_SILENCE,
      "%s of the time is silent", "3 % or less", "silent",
      { { 1, 100 }, { 3, 92 }, { 10, 65 }, { 30, 25 }, { 60, 0 } } },

    { JUDGE_MT_HISS, JUDGE_HEARD, JUDGE_M_NOISE_FLOOR, JUDGE_NO_SPAN,
      "the noise floor is %s", "-60 dBFS or less", NULL,
      { { -72, 100 }, { -62, 92 }, { -54, 74 }, { -45, 48 }, { -35, 18 },
        { -25, 0 } } },

    { JUDGE_MT_TONE, JUDGE_HEARD, JUDGE_M_LOW, JUDGE_NO_SPAN,
      "%s of the energy lies below 250 Hz", "55 % or less", NULL,
      { { 55, 100 }, { 75, 70 }, { 98, 15 } } },
    { JUDGE_MT_TONE, JUDGE_HEARD, JUDGE_M_MID, JUDGE_NO_SPAN,
      "%s of the energy lies between 250 Hz and 4 kHz", "30 % or more", NULL,
      { { 3, 15 }, { 18, 70 }, { 30, 96 }, { 40, 100 } } },
    { JUDGE_MT_TONE, JUDGE_HEARD, JUDGE_M_HIGH, JUDGE_NO_SPAN,
      "%s of the energy lies above 4 kHz", "0.3 to 25 %", NULL,
      { { 0, 45 }, { 0.05, 70 }, { 0.3, 95 }, { 1, 100 }, { 25, 100 },
        { 45, 55 }, { 80, 10 } } },

    { JUDGE_MT_SPEECH, JUDGE_HEARD, JUDGE_M_SPEECH, JUDGE_NO_SPAN,
      "%s of the time is like speech", "50 % or more", NULL,
      { { 0, 0 }, { 10, 28 }, { 30, 64 }, { 50, 88 }, { 70, 100 } } },
    { JUDGE_MT_SPEECH, JUDGE_HEARD, JUDGE_M_ABOVE_NOISE, JUDGE_NO_SPAN,
      "the sound lies %s above the noise floor", "30 dB or more", NULL,
      { { 3, 0 }, { 12, 35 }, { 20, 66 }, { 30, 92 }, { 40, 100 } } },

    { JUDGE_MT_STEREO, JUDGE_HEARD, JUDGE_M_TILT, JUDGE_NO_SPAN,
      "one side is louder by %s", "2 dB or less", NULL,
      { { 1, 100 }, { 2, 93 }, { 4, 68 }, { 8, 28 }, { 16, 0 } } },
};

#define JUDGE_GRADES  (sizeof(judge_grades) / sizeof(*judge_grades))


const char *
judge_media_trait_name(judge_media_trait_e trait)
{
    return judge_media_traits[trait].name;
}


unsigned
judge_media_trait_kinds(judge_media_trait_e trait)
{
    return judge_media_traits[trait].kinds;
}


unsigned
judge_media_trait_domain(judge_media_trait_e trait)
{
    return judge_media_traits[trait].domain;
}


const char *
judge_media_trait_advice(judge_media_trait_e trait)
{
    return judge_media_traits[trait].advice;
}


/* --- Grades -------------------------------------------------------------- */

double
judge_media_grade(const judge_media_t *media, judge_media_trait_e trait)
{
    size_t  i, count = judge_grade_count(trait);
    double  grade, worst, sum, n;

    if (judge_grade_silent(media, trait)) {
        return 0;
    }

    for (worst = 100, sum = 0, n = 0, i = 0; i < count; i++) {
        grade = judge_grade_at(media, trait, i);
        if (!isnan(grade)) {
            worst = fmin(worst, grade);
            sum += grade;
            n++;
        }
    }

    return n > 0 ? JUDGE_GRADE_WORST * worst
                   + (1 - JUDGE_GRADE_WORST) * sum / n
                 : NAN;
}


static size_t
judge_grade_count(judge_media_trait_e trait)
{
    return trait < JUDGE_MT_SINGLE ? JUDGE_GRADES : JUDGE_GRADE_MEMBERS;
}


/* Of a value, or of a member of a composite trait; NAN: does not count. */

static inline double
judge_grade_at(const judge_media_t *media, judge_media_trait_e trait, size_t i)
{
    judge_media_trait_e  member;

    if (trait < JUDGE_MT_SINGLE) {
        return judge_grades[i].trait == trait
               ? judge_grade_part(media, &judge_grades[i]) : NAN;
    }

    member = judge_grade_members[i];

    return judge_media_trait_domain(member) & judge_media_trait_domain(trait)
           && !judge_grade_silent(media, member)
           ? judge_media_grade(media, member) : NAN;
}


/* A video without sound has none of what can be asked of sound. */

static bool
judge_grade_silent(const judge_media_t *media, judge_media_trait_e trait)
{
    return media->kind == JUDGE_MEDIA_VIDEO && !media->has_sound
           && judge_media_trait_domain(trait) == JUDGE_MEDIA_OF_SOUND;
}


static double
judge_grade_part(const judge_media_t *media, const judge_grade_t *part)
{
    double  value;

    if (!(part->kinds & media->kind)) {
        return NAN;
    }

    value = judge_grade_value(media, part);

    return isnan(value) ? NAN : judge_grade_curve(part, value);
}


static double
judge_grade_value(const judge_media_t *media, const judge_grade_t *part)
{
    const double  *v = media->values;

    switch (part->measure) {

    case JUDGE_M_SHORT_SIDE:
        return v[JUDGE_M_WIDTH] < v[JUDGE_M_HEIGHT] ? v[JUDGE_M_WIDTH]
                                                    : v[JUDGE_M_HEIGHT];

    case JUDGE_M_ABOVE_NOISE:
        return v[JUDGE_M_LOUDNESS] - v[JUDGE_M_NOISE_FLOOR];

    case JUDGE_M_TILT:
        return fabs(v[JUDGE_M_BALANCE]);

    case JUDGE_M_STRETCHES:
        return media->measured > 0
               ? fmin(100 * media->spans[part->span].total / media->measured,
                      100)
               : NAN;

    default:
        return v[part->measure];
    }
}


static double
judge_grade_curve(const judge_grade_t *part, double value)
{
    size_t        i, n;
    const double  (*p)[2] = part->points;

    for (n = 1; n < JUDGE_GRADE_POINTS && p[n][0] > p[n - 1][0]; n++) {
        /* void */
    }

    /* Ascending from a negative first point, the rest of zeros looks like one
     * more point; no curve ends at 0. */
    while (n > 1 && p[n - 1][0] == 0 && p[n - 1][1] == 0) {
        n--;
    }

    if (value <= p[0][0]) {
        return p[0][1];
    }

    for (i = 1; i < n; i++) {
        if (value <= p[i][0]) {
            return p[i - 1][1] + (p[i][1] - p[i - 1][1])
                                 * (value - p[i - 1][0])
                                 / (p[i][0] - p[i - 1][0]);
        }
    }

    return p[n - 1][1];
}


/* --- Sentences --------------------------------------------------------- */

void
judge_media_describe(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e trait)
{
    size_t  i, n, worst, before, count = judge_grade_count(trait);
    double  grade, least;

    if (judge_grade_silent(media, trait)) {
        judge_buf_c(out, "The video has no sound. ");
        return;
    }

    /* The weakest two, the second only where it is weak. */
    for (before = count, n = 0; n < 2; before = worst, n++) {
        least = n ? JUDGE_GRADE_FINE : 101;
        worst = count;

        for (i = 0; i < count; i++) {
            grade = i == before ? NAN : judge_grade_at(media, trait, i);
            if (grade < least) {
                least = grade;
                worst = i;
            }
        }

        if (worst == count) {
            break;
        }

        if (trait < JUDGE_MT_SINGLE) {
            judge_grade_put_part(out, media, &judge_grades[worst], n == 0);
        } else {
            judge_grade_put_member(out, media, judge_grade_members[worst],
                                   least, n == 0);
        }
    }

    if (n && trait < JUDGE_MT_SINGLE) {
        judge_buf_c(out, ". ");
    }
}


static void
judge_grade_put_member(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e member, double grade, bool first)
{
    judge_buf_printf(out, "%s %s (%.0f): ",
                     !first ? "Then"
                     : grade < JUDGE_GRADE_FINE ? "Weakest is"
                     : "All is well, least of all",
                     judge_media_trait_name(member), grade);
    judge_media_describe(out, media, member);
}


static void
judge_grade_put_part(judge_buf_t *out, const judge_media_t *media,
    const judge_grade_t *part, bool first)
{
    char         number[64], sentence[256];
    double       value, size;
    const char  *unit;

    value = judge_grade_value(media, part);
    size = fabs(value);
    unit = part->measure < JUDGE_M_COUNT ? judge_media_unit(part->measure)
           : part->measure == JUDGE_M_SHORT_SIDE ? "px"
           : part->measure == JUDGE_M_STRETCHES ? "%" : "dB";

    /* Parts of a million, as a percentage. */
    if (part->measure == JUDGE_M_CLIPPING) {
        value /= 1e4;
        size = value;
        unit = "%";
    }

    snprintf(number, sizeof(number), "%.*f%s%s",
             size >= 100 || size == floor(size) ? 0
             : size >= 10 ? 1 : size >= 1 ? 2 : 3,
             value, unit[0] ? " " : "", unit);
    snprintf(sentence, sizeof(sentence), part->text, number);

    if (first && sentence[0] >= 'a' && sentence[0] <= 'z') {
        sentence[0] = (char) (sentence[0] - 'a' + 'A');
    }

    judge_buf_printf(out, "%s%s", first ? "" : "; ", sentence);

    if (judge_grade_curve(part, judge_grade_value(media, part)) < 90) {
        judge_buf_printf(out, " (wanted: %s)", part->wanted);
    }

    if (part->span != JUDGE_NO_SPAN) {
        judge_grade_put_spans(out, &media->spans[part->span], part->during);
    }
}


/* "black from 0:12 to 0:15 and from 0:20 to 0:21" */

static void
judge_grade_put_spans(judge_buf_t *out, const judge_spans_t *spans,
    const char *during)
{
    char      from[24], to[24];
    uint32_t  i;

    for (i = 0; i < spans->kept && i < JUDGE_GRADE_SPANS; i++) {
        judge_media_time(spans->from[i], from);
        judge_media_time(spans->to[i], to);

        judge_buf_printf(out, "%s%s", i ? " and " : ": ", i ? "" : during);

        if (strcmp(from, to) == 0) {
            judge_buf_printf(out, "%sat %s", i ? "" : " ", from);
        } else {
            judge_buf_printf(out, "%sfrom %s to %s", i ? "" : " ", from, to);
        }
    }

    if (spans->count > JUDGE_GRADE_SPANS) {
        judge_buf_printf(out, " and %u more",
                         spans->count - JUDGE_GRADE_SPANS);
    }
}
