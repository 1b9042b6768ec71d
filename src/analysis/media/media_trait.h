/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What criteria of media may be about; for the judge_media_*.c only.  An
 * aspect has words that it is matched by (media_match.c), and
 * measurements with a curve each that say how good a value is
 * (media_grade.c).
 */


#ifndef JUDGE_MEDIA_TRAIT_H
#define JUDGE_MEDIA_TRAIT_H


#include "analysis/media/media.h"


typedef enum {
    JUDGE_MA_SHARPNESS,
    JUDGE_MA_EXPOSURE,
    JUDGE_MA_CONTRAST,
    JUDGE_MA_COLOUR,
    JUDGE_MA_GRAIN,
    JUDGE_MA_COMPRESSION,
    JUDGE_MA_RESOLUTION,
    JUDGE_MA_FRAME_RATE,
    JUDGE_MA_BLACK,
    JUDGE_MA_FROZEN,
    JUDGE_MA_STABILITY,
    JUDGE_MA_FLICKER,
    JUDGE_MA_PACE,
    JUDGE_MA_MOTION,
    JUDGE_MA_RICHNESS,
    JUDGE_MA_INTEGRITY,
    JUDGE_MA_LOUDNESS,
    JUDGE_MA_DYNAMICS,
    JUDGE_MA_CLIPPING,
    JUDGE_MA_SILENCE,
    JUDGE_MA_HISS,
    JUDGE_MA_TONE,
    JUDGE_MA_SPEECH,
    JUDGE_MA_STEREO,

    /* Of several of those above */
    JUDGE_MA_PICTURE,
    JUDGE_MA_SOUND,
    JUDGE_MA_GENERAL,

    JUDGE_MA_COUNT
} judge_media_trait_e;

#define JUDGE_MA_SINGLE  JUDGE_MA_PICTURE                /* those before */

typedef enum {
    JUDGE_MEDIA_OF_PICTURES = 0x1,
    JUDGE_MEDIA_OF_SOUND    = 0x2
} judge_media_domain_e;


/* "sharpness"; the kinds of media and the domains that it is of, or'ed; what
 * can be done where it is weak. */
const char *judge_media_trait_name(judge_media_trait_e aspect);
unsigned judge_media_trait_kinds(judge_media_trait_e aspect);
unsigned judge_media_trait_domain(judge_media_trait_e aspect);
const char *judge_media_trait_advice(judge_media_trait_e aspect);

/* How much a criterion is about each aspect: shares that sum to 1; false:
 * about none. */
bool judge_media_match(const judge_criterion_t *criterion,
    judge_media_kind_e kind, double shares[JUDGE_MA_COUNT]);

/* 0 to 100; NAN: nothing of it was measured in this medium. */
double judge_media_grade(const judge_media_t *media,
    judge_media_trait_e aspect);

/* Appends a sentence with what was measured, the weakest first, and when;
 * nothing where nothing was measured. */
void judge_media_say(judge_buf_t *out, const judge_media_t *media,
    judge_media_trait_e aspect);


#endif /* JUDGE_MEDIA_TRAIT_H */
