/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Grades: curves that map measured values to 0 to 100, and composites of
 * several.  The points of the curves are set by hand: by recommendations of
 * broadcasters where there are any (EBU R128 and Tech 3343 for loudness, EBU
 * R103 for levels), else by viewing and hearing graded faults.  Feedback
 * teaches a judge what its organization means by a criterion.
 */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "extensions/media/media_trait.h"


#define JUDGE_GRADE_SPANS   3          /* listed, at most */
#define JUDGE_GRADE_FINE    90         /* no second part is shown above it */
#define JUDGE_GRADE_WORST   0.6        /* weight of the weakest part */


/* The members of composite traits, by domain. */
static const judge_media_trait_e   judge_grade_members[] = {
    JUDGE_MT_SHARPNESS, JUDGE_MT_EXPOSURE, JUDGE_MT_CONTRAST, JUDGE_MT_GRAIN,
    JUDGE_MT_COMPRESSION, JUDGE_MT_RESOLUTION, JUDGE_MT_FRAME_RATE,
    JUDGE_MT_BLACK, JUDGE_MT_FROZEN, JUDGE_MT_STABILITY, JUDGE_MT_FLICKER,
    JUDGE_MT_LOUDNESS, JUDGE_MT_CLIPPING, JUDGE_MT_SILENCE, JUDGE_MT_HISS,
};

#define JUDGE_GRADE_MEMBERS                                                   \
    (sizeof(judge_grade_members) / sizeof(*judge_grade_members))


/* --- Grades -------------------------------------------------------------- */

/* A video without sound has no value for a trait of sound. */

static bool
judge_grade_silent(const judge_media_t *media, judge_media_trait_e trait)
{
    return media->kind == JUDGE_MEDIA_VIDEO && !media->has_sound
           && judge_media_traits[trait].domain == JUDGE_MEDIA_OF_SOUND;
}


static double
judge_grade_value(const judge_media_t *media, const judge_media_grade_t *part)
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

    case JUDGE_M_STRETCHES:            /* all black: none is blurred */
        return media->measured > 0
               && !(part->span == JUDGE_SPAN_BLURRED
                    && isnan(v[JUDGE_M_SHARPNESS]))
               ? fmin(100 * media->spans[part->span].total / media->measured,
                      100)
               : NAN;

    default:
        return v[part->measure];
    }
}


static double
judge_grade_curve(const judge_media_grade_t *part, double value)
{
    size_t        i, n;
    const double  *p = part->points;

    for (n = 2 * JUDGE_GRADE_POINTS; p[n - 2] == 0 && p[n - 1] == 0; n -= 2) {
        /* only zeros follow the last point */
    }

    if (value <= p[0]) {
        return p[1];
    }

    for (i = 2; i < n; i += 2) {
        if (value <= p[i]) {
            return p[i - 1] + (p[i + 1] - p[i - 1]) * (value - p[i - 2])
                              / (p[i] - p[i - 2]);
        }
    }

    return p[n - 1];
}


static double
judge_grade_part(const judge_media_t *media, const judge_media_grade_t *part)
{
    double  value;

    if (!(part->kinds & media->kind)) {
        return NAN;
    }

    value = judge_grade_value(media, part);

    return isnan(value) ? NAN : judge_grade_curve(part, value);
}


static size_t
judge_grade_count(judge_media_trait_e trait)
{
    return trait < JUDGE_MT_SINGLE ? judge_media_grades_n
                                   : JUDGE_GRADE_MEMBERS;
}


/* Grades a measurement, or a member of a composite trait; NAN: does not
 * count. */

static double
judge_grade_at(const judge_media_t *media, judge_media_trait_e trait, size_t i)
{
    judge_media_trait_e  member;

    if (trait < JUDGE_MT_SINGLE) {
        return judge_media_grades[i].trait == trait
               ? judge_grade_part(media, &judge_media_grades[i]) : NAN;
    }

    member = judge_grade_members[i];

    return judge_media_traits[member].domain & judge_media_traits[trait].domain
           && !judge_grade_silent(media, member)
           ? judge_media_grade(media, member) : NAN;
}


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


/* --- Sentences ----------------------------------------------------------- */

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


static void
judge_grade_put_part(judge_buf_t *out, const judge_media_t *media,
    const judge_media_grade_t *part, bool first)
{
    char         number[64], sentence[256];
    double       value, size;
    const char  *unit;

    value = judge_grade_value(media, part);
    size = fabs(value);
    unit = part->measure < JUDGE_M_COUNT
           ? judge_media_measures[part->measure].unit
           : part->measure == JUDGE_M_SHORT_SIDE ? "px"
           : part->measure == JUDGE_M_STRETCHES ? "%" : "dB";

    /* From samples in a million to a percentage. */
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


static void
judge_grade_put_member(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e member, double grade, bool first)
{
    judge_buf_printf(out, "%s %s (%.0f): ",
                     !first ? "Then"
                     : grade < JUDGE_GRADE_FINE ? "Weakest is"
                     : "All is well, least of all",
                     judge_media_traits[member].name, grade);
    judge_media_describe(out, media, member);
}


void
judge_media_describe(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e trait)
{
    size_t       i, n, worst, before, count = judge_grade_count(trait);
    double       grade, least;
    judge_str_t  none = JUDGE_STR("The video has no sound. ");

    if (judge_grade_silent(media, trait)) {
        if (judge_str_find(judge_buf_view(out), none) == NULL) {
            judge_buf_str(out, none);
        }
        return;
    }

    /* Name the weakest, and the second weakest if it is not fine. */
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
            judge_grade_put_part(out, media, &judge_media_grades[worst],
                                 n == 0);
        } else {
            judge_grade_put_member(out, media, judge_grade_members[worst],
                                   least, n == 0);
        }
    }

    if (n && trait < JUDGE_MT_SINGLE) {
        judge_buf_c(out, ". ");
    }
}
