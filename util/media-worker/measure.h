/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measuring a file.  The file is hostile: its decoders run in a child without
 * rights (sandbox.c), which hands over one report of fixed size and a
 * few small pictures.
 */


#ifndef JUDGE_MEASURE_H
#define JUDGE_MEASURE_H


#include "base/core/time.h"
#include "extensions/media/media.h"


#define JUDGE_MEASURE_TICK       200   /* ms */
#define JUDGE_MEASURE_FRAMES     4     /* key frames, at most */
#define JUDGE_MEASURE_JPEG_MAX   (256 * 1024)
#define JUDGE_MEASURE_WIDTH_MAX  640   /* of a key frame */

typedef enum {
    JUDGE_MEASURE_OK = 0,
    JUDGE_MEASURE_EMPTY,
    JUDGE_MEASURE_UNREADABLE,          /* of no known format, or without its
                                          head */
    JUDGE_MEASURE_NO_STREAM,           /* no picture and no sound in it */
    JUDGE_MEASURE_DAMAGED,             /* most of it can't be decoded */
    JUDGE_MEASURE_TRUNCATED,           /* it ends early */
    JUDGE_MEASURE_KIND,                /* of another kind than declared */
    JUDGE_MEASURE_TOO_LARGE,           /* more pixels or channels than are
                                          decoded */
    JUDGE_MEASURE_NO_MEMORY,
    JUDGE_MEASURE_TIMED_OUT,
    JUDGE_MEASURE_CRASHED,             /* the decoder did */
    JUDGE_MEASURE_KILLED,              /* from outside, or for the machine's
                                          want of memory */
    JUDGE_MEASURE_INTERNAL             /* of this machine, not of the file:
                                          to be tried again */
} judge_measure_code_e;

typedef struct {
    int       seconds;                 /* of processor time, and three times
                                          as long by the clock */
    int       memory;                  /* MB of address space of the child */
    int64_t   pixels;                  /* of one picture */
    int       threads;                 /* of a video's decoder */
    bool      frames;                  /* key frames are wanted */
} judge_measure_limits_t;

/* What the child hands over. */
typedef struct {
    uint32_t       code;               /* judge_measure_code_e */
    char           format[32];         /* names as FFmpeg has them; */
    char           picture_codec[32];  /* "": none */
    char           sound_codec[32];
    int64_t        size;               /* bytes of the file */
    judge_media_t  media;
    uint32_t       nframes;
    double         frame_times[JUDGE_MEASURE_FRAMES];    /* s */
    uint32_t       frame_sizes[JUDGE_MEASURE_FRAMES];    /* bytes of JPEG */
} judge_measure_report_t;

typedef struct {
    judge_measure_report_t   report;
    uint8_t                 *frames[JUDGE_MEASURE_FRAMES];
} judge_measured_t;

extern const judge_measure_limits_t  judge_measure_defaults;

/* "TRUNCATED", and a sentence about it. */
const char *judge_measure_code(judge_measure_code_e code);
const char *judge_measure_sentence(judge_measure_code_e code);

/*
 * Measures what the descriptor is of, in a child, within the limits; `kind`
 * is of the declared kind (0: any).  The outcome is in
 * out->report.code; never fails otherwise.  judge_measured_free() afterwards.
 */
void judge_measure(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, judge_measured_t *out);
void judge_measured_free(judge_measured_t *measured);

/*
 * From process to process.  take() calls `tick` (NULL: none) every
 * JUDGE_MEASURE_TICK ms whether to go on; false: what came is not all, or
 * can't be what was measured, or the time is over.
 */
typedef bool (*judge_measure_tick_pt)(void *data);
bool judge_measured_send(int to, const judge_measured_t *measured);
bool judge_measured_take(int from, judge_ms_t until,
    judge_measure_tick_pt tick, void *data, judge_measured_t *out);

/* The same in this process: what the child runs. */
void judge_measure_here(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, judge_measured_t *out);

/* One JSON object; key frames are left out. */
judge_rc_e judge_measure_write(judge_buf_t *out,
    const judge_measure_report_t *report);


#endif /* JUDGE_MEASURE_H */
