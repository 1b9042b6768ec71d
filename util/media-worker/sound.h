/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sound: loudness by FFmpeg's ebur128, all else from the samples: levels in
 * windows of 20 ms, spectra of 2048 samples, blocks of a second that are like
 * speech or not.
 */


#ifndef JUDGE_SOUND_H
#define JUDGE_SOUND_H


#include <libavfilter/avfilter.h>
#include <libavutil/frame.h>
#include <libavutil/tx.h>

#include "span.h"


#define JUDGE_SOUND_CHANNELS  16       /* at most */
#define JUDGE_SOUND_FFT       2048
#define JUDGE_SOUND_BLOCK     50       /* windows of 20 ms: a second */
#define JUDGE_SOUND_SMOOTH    8        /* spectra in a mean */

typedef struct {
    judge_media_t      *media;

    /* FFmpeg's */
    AVFilterGraph      *graph;
    AVFilterContext    *in;
    AVFilterContext    *loud;          /* out of ebur128 */
    AVFilterContext    *plain;         /* floats, a plane for each channel */
    AVFrame            *frame;
    AVTXContext        *fft;
    av_tx_fn            transform;

    /* What comes in; frames of another form are left out. */
    int                 rate;
    int                 channels;
    int                 format;
    double              from;          /* s, of the first sample */

    int64_t             samples;       /* of each channel, so far */
    double              power[2];      /* of the first two channels */
    double              peak;          /* of samples, without oversampling */
    double              true_peak;
    int64_t             clipped;
    int                 run[JUDGE_SOUND_CHANNELS];       /* of full samples */
    judge_span_t        clipping;
    judge_span_t        silence;

    int                 window;        /* samples of 20 ms */
    int                 in_window;
    double              window_power;

    float              *hann;          /* of JUDGE_SOUND_FFT, aligned; */
    float              *mono;
    float              *windowed;
    float              *spectrum;      /* complex, half and one */
    int                 in_mono;
    double              bands[3];      /* energy: low, mid, high */
    double              smooth[JUDGE_SOUND_FFT / 2];     /* energy, summed, */
    int                 in_smooth;     /* of so many spectra */
    double              least[JUDGE_SOUND_FFT / 2];      /* the least sum */
    bool                has_least;

    double              block[JUDGE_SOUND_BLOCK];        /* power */
    int                 in_block;
    double              block_voice;   /* energy of 80 Hz to 4 kHz, */
    double              block_energy;  /* of all */
    int64_t             blocks;
    int64_t             speech;
} judge_sound_t;

/* An AVERROR. */
int judge_sound_init(judge_sound_t *sound, judge_media_t *media);
void judge_sound_free(judge_sound_t *sound);

/* Decoded samples; `at` is the time of the first, s.  An AVERROR. */
int judge_sound_frame(judge_sound_t *sound, const AVFrame *frame, double at);

/* An AVERROR. */
int judge_sound_finish(judge_sound_t *sound);


/* --- sound_level.c ------------------------------------------------- */

int judge_sound_level_init(judge_sound_t *sound);
void judge_sound_level_add(judge_sound_t *sound, const AVFrame *frame);
void judge_sound_level_finish(judge_sound_t *sound);


#endif /* JUDGE_SOUND_H */
