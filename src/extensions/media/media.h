/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is measured in videos, audio and images, and how criteria are scored by
 * it.  Workers outside of the service (util/media-worker) measure; this header
 * has the names that both sides share, and the functions that score.
 */


#ifndef JUDGE_MEDIA_H
#define JUDGE_MEDIA_H


#include "analysis/builtin/engine.h"


typedef enum {
    JUDGE_MEDIA_IMAGE  = 0x1,
    JUDGE_MEDIA_AUDIO  = 0x2,
    JUDGE_MEDIA_VIDEO  = 0x4
} judge_media_kind_e;


/*
 * Measurements; NAN: not measured.  They are stored with an evaluation as
 * features, in this order: new ones come last.  "%" is 0 to 100.
 */
typedef enum {
    JUDGE_M_DURATION,              /* s */
    JUDGE_M_BITRATE,               /* kbit/s, of the whole file */
    JUDGE_M_WIDTH,                 /* pixels, as displayed */
    JUDGE_M_HEIGHT,
    JUDGE_M_FRAME_RATE,            /* frames a second, mean */
    JUDGE_M_DAMAGE,                /* % of packets that can't be decoded */

    /* Pictures.  Levels are of the range from black to white. */
    JUDGE_M_BRIGHTNESS,            /* mean level, % */
    JUDGE_M_CONTRAST,              /* standard deviation of levels, % */
    JUDGE_M_DARK,                  /* % of pixels below 5 % */
    JUDGE_M_BRIGHT,                /* % of pixels above 98 % */
    JUDGE_M_SATURATION,            /* mean distance from grey, % */
    JUDGE_M_COLOURFULNESS,         /* Hasler & Suesstrunk 2003; 0 to ~110 */
    JUDGE_M_SHARPNESS,             /* 100 - 100 x blur effect (Crete et al.
                                      2007) of the sharpest quarter, % */
    JUDGE_M_NOISE,                 /* standard deviation, levels of 255
                                      (Immerkaer 1996, in the evenest
                                      parts) */
    JUDGE_M_BLOCKINESS,            /* % by which steps on the borders of 8 x
                                      8 blocks exceed the others */

    /* Videos */
    JUDGE_M_BLACK,                 /* % of the time */
    JUDGE_M_FROZEN,                /* % of the time */
    JUDGE_M_SCENES,                /* changes a minute */
    JUDGE_M_FLICKER,               /* mean deviation of a frame's brightness
                                      from its neighbours', % */
    JUDGE_M_SHAKE,                 /* change of the motion of the whole
                                      picture, frame to frame, % of its
                                      diagonal, mean */
    JUDGE_M_SPATIAL,               /* SI, ITU-T P.910, mean and maximum */
    JUDGE_M_SPATIAL_MAX,
    JUDGE_M_TEMPORAL,              /* TI, ITU-T P.910, mean and maximum */
    JUDGE_M_TEMPORAL_MAX,

    /* Sound */
    JUDGE_M_SAMPLE_RATE,           /* Hz */
    JUDGE_M_CHANNELS,
    JUDGE_M_LOUDNESS,              /* integrated, LUFS (EBU R128) */
    JUDGE_M_LOUDNESS_RANGE,        /* LU (EBU Tech 3342) */
    JUDGE_M_TRUE_PEAK,             /* dBTP, the highest channel */
    JUDGE_M_CLIPPING,              /* samples of a million */
    JUDGE_M_SILENCE,               /* % of the time */
    JUDGE_M_NOISE_FLOOR,           /* dBFS, of the constant background: median
                                      over frequencies of their minima */
    JUDGE_M_LOW,                   /* % of the energy below 250 Hz, */
    JUDGE_M_MID,                   /* up to 4 kHz, */
    JUDGE_M_HIGH,                  /* and above */
    JUDGE_M_SPEECH,                /* % of the time that resembles speech */
    JUDGE_M_BALANCE,               /* dB, left over right */

    JUDGE_M_COUNT
} judge_measure_e;


/* Periods with a fault; scene changes have no length. */
typedef enum {
    JUDGE_SPAN_BLACK,
    JUDGE_SPAN_FROZEN,
    JUDGE_SPAN_DARK,
    JUDGE_SPAN_BLURRED,
    JUDGE_SPAN_FLICKER,
    JUDGE_SPAN_SHAKE,
    JUDGE_SPAN_SCENE,
    JUDGE_SPAN_DAMAGE,
    JUDGE_SPAN_SILENCE,
    JUDGE_SPAN_CLIPPING,
    JUDGE_SPAN_COUNT
} judge_span_e;

#define JUDGE_SPANS_KEPT  32           /* of each kind, the first ones */

typedef struct {
    double    total;                   /* s, of all periods */
    uint32_t  count;                   /* also those not kept */
    uint32_t  kept;
    double    from[JUDGE_SPANS_KEPT];  /* s */
    double    to[JUDGE_SPANS_KEPT];
} judge_spans_t;

typedef struct {
    judge_media_kind_e  kind;
    uint32_t            has_sound;     /* of a video: 1 */
    double              measured;      /* s; less than the duration if the rest
                                          would have taken too long */
    double              values[JUDGE_M_COUNT];
    judge_spans_t       spans[JUDGE_SPAN_COUNT];
} judge_media_t;


/* Returns the name, such as "sharpness"; NULL after the last. */
const char *judge_media_name(size_t measure);
const char *judge_media_span_name(size_t span);

/* Returns the identity of these features (identity.h). */
uint64_t judge_media_identity(void);

/* Names of judge_media_kind_e, such as "video"; 0 for any other name. */
const char *judge_media_kind_name(judge_media_kind_e kind);
judge_media_kind_e judge_media_kind_find(judge_str_t name);

/* Sets all to "not measured". */
void judge_media_clear(judge_media_t *media);

/*
 * Checks that counts are within bounds, numbers finite or NAN, and times in
 * order: the values come from a process that reads files of strangers.
 */
bool judge_media_plausible(const judge_media_t *media);


/* --- Scores -------------------------------------------------------------- */

/*
 * Judges a medium by a rubric.  Each criterion is matched, by the words of its
 * name and description, to what is measured in media of this kind, and its
 * score is computed from these measurements alone.  A criterion without a
 * match has the score NAN, its feedback says so, and it does not count in the
 * overall score, which is NAN if no criterion matches.  Everything in the
 * verdict is allocated in `arena`.  JUDGE_OK or JUDGE_NOMEM.
 */
judge_rc_e judge_media_score(const judge_media_t *media,
    const judge_rubric_t *rubric, judge_arena_t *arena,
    judge_verdict_t *verdict);

/* Formats a time to a tenth of a second: "0:12", "1:02.4", "1:00:07".  `out`
 * has at least 24 bytes. */
void judge_media_time(double seconds, char *out);


#endif /* JUDGE_MEDIA_H */
