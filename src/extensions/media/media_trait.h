/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What criteria of media may be about; for media_*.c only.  A trait has words
 * by which criteria match it (media_match.c), and measurements, each with a
 * curve that turns a value into a grade (media_grade.c).
 */


#ifndef JUDGE_MEDIA_TRAIT_H
#define JUDGE_MEDIA_TRAIT_H


#include "extensions/media/media.h"


typedef enum {
    JUDGE_MT_SHARPNESS,
    JUDGE_MT_EXPOSURE,
    JUDGE_MT_CONTRAST,
    JUDGE_MT_COLOUR,
    JUDGE_MT_GRAIN,
    JUDGE_MT_COMPRESSION,
    JUDGE_MT_RESOLUTION,
    JUDGE_MT_FRAME_RATE,
    JUDGE_MT_BLACK,
    JUDGE_MT_FROZEN,
    JUDGE_MT_STABILITY,
    JUDGE_MT_FLICKER,
    JUDGE_MT_PACE,
    JUDGE_MT_MOTION,
    JUDGE_MT_RICHNESS,
    JUDGE_MT_INTEGRITY,
    JUDGE_MT_LOUDNESS,
    JUDGE_MT_DYNAMICS,
    JUDGE_MT_CLIPPING,
    JUDGE_MT_SILENCE,
    JUDGE_MT_HISS,
    JUDGE_MT_TONE,
    JUDGE_MT_SPEECH,
    JUDGE_MT_STEREO,

    /* Composites of the traits above */
    JUDGE_MT_PICTURE,
    JUDGE_MT_SOUND,
    JUDGE_MT_GENERAL,

    JUDGE_MT_COUNT
} judge_media_trait_e;

#define JUDGE_MT_SINGLE  JUDGE_MT_PICTURE                /* traits before it
                                                            are single */

typedef enum {
    JUDGE_MEDIA_OF_PICTURES = 0x1,
    JUDGE_MEDIA_OF_SOUND    = 0x2,
    JUDGE_MEDIA_BEYOND      = 0x4      /* not measurable */
} judge_media_domain_e;


#define JUDGE_SEEN   (JUDGE_MEDIA_IMAGE | JUDGE_MEDIA_VIDEO)
#define JUDGE_HEARD  (JUDGE_MEDIA_AUDIO | JUDGE_MEDIA_VIDEO)

/* Values that are computed from measurements. */
#define JUDGE_M_SHORT_SIDE   (JUDGE_M_COUNT + 1)
#define JUDGE_M_ABOVE_NOISE  (JUDGE_M_COUNT + 2)
#define JUDGE_M_TILT         (JUDGE_M_COUNT + 3)
#define JUDGE_M_STRETCHES    (JUDGE_M_COUNT + 4)         /* % of the time that
                                                            spans take */
#define JUDGE_NO_SPAN        JUDGE_SPAN_COUNT

#define JUDGE_GRADE_POINTS   8


/* The tables of media_table.txt. */

typedef struct {
    const char  *name;
    const char  *unit;
    uint32_t     version;
} judge_media_measure_t;

typedef struct {
    const char  *name;
    unsigned     kinds;                /* judge_media_kind_e, or'ed */
    unsigned     domain;               /* judge_media_domain_e, or'ed */
    const char  *words;                /* a word after "!" counts double */
    const char  *advice;
} judge_media_trait_t;

typedef struct {
    unsigned     domain;
    const char  *words;
} judge_media_subject_t;

typedef struct {
    judge_media_trait_e  trait;
    unsigned             kinds;
    int                  measure;
    int                  span;
    const char          *text;         /* format of the value and its unit */
    const char          *wanted;
    const char          *during;       /* before "from 0:12 to 0:15" */
    double               points[2 * JUDGE_GRADE_POINTS]; /* x and y; zeros
                                                            follow the last
                                                            point */
} judge_media_grade_t;

extern const judge_media_measure_t  judge_media_measures[];
extern const char *const  judge_media_spans[];
extern const judge_media_trait_t  judge_media_traits[];
extern const judge_media_subject_t  judge_media_subjects[];
extern const judge_media_grade_t  judge_media_grades[];
extern const size_t  judge_media_measures_n, judge_media_traits_n,
                     judge_media_subjects_n, judge_media_grades_n;


/* Sets how much a criterion is about each trait, in shares that sum to 1;
 * false: it is about none. */
bool judge_media_match(const judge_criterion_t *criterion,
    judge_media_kind_e kind, double shares[JUDGE_MT_COUNT]);

/* Returns 0 to 100; NAN: none of its measurements was made in this medium. */
double judge_media_grade(const judge_media_t *media,
    judge_media_trait_e trait);

/* Appends a sentence with the two worst measurements and their times; nothing
 * if none was made. */
void judge_media_describe(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e trait);


#endif /* JUDGE_MEDIA_TRAIT_H */
