/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What criteria of media may be about; for media_*.c only.  A trait has
 * words by which criteria match it (media_match.c), and measurements with a
 * curve each for how good a value is (media_grade.c).
 */


#ifndef JUDGE_MEDIA_TRAIT_H
#define JUDGE_MEDIA_TRAIT_H


#include "analysis/media/media.h"


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

    /* Of several of those above */
    JUDGE_MT_PICTURE,
    JUDGE_MT_SOUND,
    JUDGE_MT_GENERAL,

    JUDGE_MT_COUNT
} judge_media_trait_e;

#define JUDGE_MT_SINGLE  JUDGE_MT_PICTURE                /* those before */

typedef enum {
    JUDGE_MEDIA_OF_PICTURES = 0x1,
    JUDGE_MEDIA_OF_SOUND    = 0x2
} judge_media_domain_e;


/* "sharpness"; the kinds of media and the domains that it is of, or'ed; what
 * can be done where it is weak. */
const char *judge_media_trait_name(judge_media_trait_e trait);
unsigned judge_media_trait_kinds(judge_media_trait_e trait);
unsigned judge_media_trait_domain(judge_media_trait_e trait);
const char *judge_media_trait_advice(judge_media_trait_e trait);

/* How much a criterion is about each trait: shares that sum to 1; false:
 * about none. */
bool judge_media_match(const judge_criterion_t *criterion,
    judge_media_kind_e kind, double shares[JUDGE_MT_COUNT]);

/* 0 to 100; NAN: nothing of it was measured in this medium. */
double judge_media_grade(const judge_media_t *media,
    judge_media_trait_e trait);

/* Appends a sentence with what was measured, the weakest first, and when;
 * nothing where nothing was measured. */
void judge_media_describe(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e trait);


#endif /* JUDGE_MEDIA_TRAIT_H */
