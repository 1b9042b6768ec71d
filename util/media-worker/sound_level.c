/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mem.h>

#include "sound.h"


#define JUDGE_SOUND_FULL     0.9998    /* of a sample that is clipped, */
#define JUDGE_SOUND_RUN      3         /* so many in a row */
#define JUDGE_SOUND_SILENT   -50.0     /* dBFS */
#define JUDGE_SOUND_LOWEST   -120.0    /* dBFS */
#define JUDGE_SOUND_NOTHING  1e-11     /* power of digital silence, at most */

/* The energy that noise of power 1 has in a bin: the sum of the squares of
 * the window. */
#define JUDGE_SOUND_BIN      (0.375 * JUDGE_SOUND_FFT)

/* What is like speech: loud and quiet in turn, two to ten times a second,
 * with hardly any energy outside of the voice's range. */
#define JUDGE_SPEECH_LEVEL   -50.0     /* dBFS */
#define JUDGE_SPEECH_QUIET   0.3       /* share of windows of less than half
                                          the mean power */
#define JUDGE_SPEECH_RANGE   12.0      /* dB from the 10th to the 90th % */
#define JUDGE_SPEECH_VOICE   0.8       /* share of the energy */
#define JUDGE_SPEECH_SWING   3.0       /* dB, either way */


static void judge_sound_clip(judge_sound_t *sound, const float *plane,
    int channel, int n);
static void judge_sound_window(judge_sound_t *sound);
static void judge_sound_spectrum(judge_sound_t *sound);
static void judge_sound_block(judge_sound_t *sound);
static bool judge_sound_speech(const judge_sound_t *sound);
static int judge_sound_syllables(const double *levels, double mean);
static void judge_sound_least(judge_sound_t *sound);
static double judge_sound_floor(const judge_sound_t *sound);
static double judge_sound_time(const judge_sound_t *sound, int64_t sample);
static double judge_sound_db(double power);
static int judge_sound_order(const void *a, const void *b);


int
judge_sound_level_init(judge_sound_t *sound)
{
    int    i;
    float  scale = 1;

    sound->window = sound->rate / 50;
    sound->hann = av_calloc(JUDGE_SOUND_FFT, sizeof(float));
    sound->mono = av_calloc(JUDGE_SOUND_FFT, sizeof(float));
    sound->windowed = av_calloc(JUDGE_SOUND_FFT, sizeof(float));
    sound->spectrum = av_calloc(JUDGE_SOUND_FFT + 2, sizeof(float));

    if (!sound->hann || !sound->mono || !sound->windowed
        || !sound->spectrum)
    {
        return AVERROR(ENOMEM);
    }

    for (i = 0; i < JUDGE_SOUND_FFT; i++) {
        sound->hann[i] = (float) (0.5 - 0.5 * cos(2 * M_PI * i
                                                  / JUDGE_SOUND_FFT));
    }

    return av_tx_init(&sound->fft, &sound->transform, AV_TX_FLOAT_RDFT, 0,
                      JUDGE_SOUND_FFT, &scale, 0);
}


void
judge_sound_level_add(judge_sound_t *sound, const AVFrame *frame)
{
    int           c, i;
    float         v, mono;
    double        power;
    const float  *planes[JUDGE_SOUND_CHANNELS];

    for (c = 0; c < sound->channels; c++) {
        planes[c] = (const float *) frame->extended_data[c];
        judge_sound_clip(sound, planes[c], c, frame->nb_samples);
    }

    for (i = 0; i < frame->nb_samples; i++) {
        power = 0;
        mono = 0;

        for (c = 0; c < sound->channels; c++) {
            v = planes[c][i];
            v = v > -16 && v < 16 ? v : 0;               /* NaN, too */
            mono += v;
            power += (double) v * v;
            if (c < 2) {
                sound->power[c] += (double) v * v;
            }
        }

        sound->window_power += power / sound->channels;
        sound->mono[sound->in_mono++] = mono / sound->channels;
        sound->samples++;

        if (sound->in_mono == JUDGE_SOUND_FFT) {
            judge_sound_spectrum(sound);
        }

        if (++sound->in_window == sound->window) {
            judge_sound_window(sound);
        }
    }
}


static void
judge_sound_clip(judge_sound_t *sound, const float *plane, int channel, int n)
{
    int     i, run;
    float   v, peak;
    double  at;

    run = sound->run[channel];
    peak = (float) sound->peak;

    for (i = 0; i < n; i++) {
        v = fabsf(plane[i]);
        peak = v > peak && v < 16 ? v : peak;

        if (!(v >= (float) JUDGE_SOUND_FULL)) {
            run = 0;
            continue;
        }

        if (++run >= JUDGE_SOUND_RUN) {
            sound->clipped += run == JUDGE_SOUND_RUN ? JUDGE_SOUND_RUN : 1;
            at = judge_sound_time(sound, sound->samples + i);
            if (at >= sound->clipping.to || !sound->clipping.open) {
                judge_span_add(&sound->clipping, true, at,
                               at + 1.0 / sound->rate);
            }
        }
    }

    sound->run[channel] = run;
    sound->peak = (double) peak;
}


/* 20 ms are complete. */

static void
judge_sound_window(judge_sound_t *sound)
{
    double  power, end;

    power = sound->window_power / sound->window;
    end = judge_sound_time(sound, sound->samples);
    judge_span_add(&sound->silence,
                   judge_sound_db(power) < JUDGE_SOUND_SILENT,
                   end - (double) sound->window / sound->rate, end);

    sound->block[sound->in_block++] = power;
    if (sound->in_block == JUDGE_SOUND_BLOCK) {
        judge_sound_block(sound);
    }

    sound->window_power = 0;
    sound->in_window = 0;
}


static void
judge_sound_spectrum(judge_sound_t *sound)
{
    int           i;
    double        f, energy, sum;
    const float  *out = sound->spectrum;

    for (i = 0; i < JUDGE_SOUND_FFT; i++) {
        sound->windowed[i] = sound->mono[i] * sound->hann[i];
    }

    sound->transform(sound->fft, sound->spectrum, sound->windowed,
                     sizeof(float));

    for (i = 1, sum = 0; i < JUDGE_SOUND_FFT / 2; i++) {
        f = (double) i * sound->rate / JUDGE_SOUND_FFT;
        energy = (double) out[2 * i] * (double) out[2 * i]
                 + (double) out[2 * i + 1] * (double) out[2 * i + 1];
        sum += energy;
        sound->smooth[i] += energy;
        sound->bands[f < 250 ? 0 : f < 4000 ? 1 : 2] += energy;
        sound->block_energy += energy;
        sound->block_voice += f >= 80 && f < 4000 ? energy : 0;
    }

    sound->in_mono = 0;

    /* Digital silence, as in edited pauses, is left out. */
    if (sum < JUDGE_SOUND_NOTHING * JUDGE_SOUND_BIN) {
        memset(sound->smooth, 0, sizeof(sound->smooth));
        sound->in_smooth = 0;

    } else if (++sound->in_smooth == JUDGE_SOUND_SMOOTH) {
        judge_sound_least(sound);
    }
}


static void
judge_sound_least(judge_sound_t *sound)
{
    int  i;

    for (i = 1; i < JUDGE_SOUND_FFT / 2; i++) {
        if (!sound->has_least || sound->smooth[i] < sound->least[i]) {
            sound->least[i] = sound->smooth[i];
        }
    }

    sound->has_least = true;
    sound->in_smooth = 0;
    memset(sound->smooth, 0, sizeof(sound->smooth));
}


/* --- Speech -------------------------------------------------------------- */

static void
judge_sound_block(judge_sound_t *sound)
{
    sound->blocks++;
    sound->speech += judge_sound_speech(sound);
    sound->in_block = 0;
    sound->block_energy = sound->block_voice = 0;
}


static bool
judge_sound_speech(const judge_sound_t *sound)
{
    int     i, quiet, turns;
    double  power, mean, levels[JUDGE_SOUND_BLOCK],
            sorted[JUDGE_SOUND_BLOCK];

    for (i = 0, power = 0, mean = 0; i < JUDGE_SOUND_BLOCK; i++) {
        levels[i] = judge_sound_db(sound->block[i]);
        power += sound->block[i] / JUDGE_SOUND_BLOCK;
        mean += levels[i] / JUDGE_SOUND_BLOCK;
    }

    for (i = 0, quiet = 0; i < JUDGE_SOUND_BLOCK; i++) {
        quiet += sound->block[i] < power / 2;
    }

    if (judge_sound_db(power) < JUDGE_SPEECH_LEVEL
        || quiet < JUDGE_SPEECH_QUIET * JUDGE_SOUND_BLOCK
        || sound->block_voice < JUDGE_SPEECH_VOICE * sound->block_energy)
    {
        return false;
    }

    memcpy(sorted, levels, sizeof(levels));
    qsort(sorted, JUDGE_SOUND_BLOCK, sizeof(double), judge_sound_order);
    turns = judge_sound_syllables(levels, mean);

    return sorted[JUDGE_SOUND_BLOCK * 9 / 10]
           - sorted[JUDGE_SOUND_BLOCK / 10] >= JUDGE_SPEECH_RANGE
           && turns >= 2 && turns <= 10;
}


/* How often it rises from below the mean to above it. */

static int
judge_sound_syllables(const double *levels, double mean)
{
    int   i, turns;
    bool  below;

    for (i = 0, turns = 0, below = true; i < JUDGE_SOUND_BLOCK; i++) {
        if (below && levels[i] > mean + JUDGE_SPEECH_SWING) {
            turns++;
            below = false;
        } else if (levels[i] < mean - JUDGE_SPEECH_SWING) {
            below = true;
        }
    }

    return turns;
}


/* --- All of it ----------------------------------------------------------- */

void
judge_sound_level_finish(judge_sound_t *sound)
{
    double   sum, seconds;
    double  *values = sound->media->values;

    judge_span_end(&sound->clipping);
    judge_span_end(&sound->silence);

    if (sound->samples == 0) {
        return;
    }

    seconds = (double) sound->samples / sound->rate;
    sum = sound->bands[0] + sound->bands[1] + sound->bands[2];

    if (sum > 0) {
        values[JUDGE_M_LOW] = 100 * sound->bands[0] / sum;
        values[JUDGE_M_MID] = 100 * sound->bands[1] / sum;
        values[JUDGE_M_HIGH] = 100 * sound->bands[2] / sum;
    }

    /* FFmpeg gives thousandths of full scale. */
    values[JUDGE_M_TRUE_PEAK] =
        judge_sound_db(pow(sound->true_peak > 0.01 ? sound->true_peak
                                                   : sound->peak, 2));
    values[JUDGE_M_CLIPPING] = 1e6 * (double) sound->clipped
                               / ((double) sound->samples * sound->channels);
    values[JUDGE_M_SILENCE] =
        fmin(100 / seconds
             * sound->media->spans[JUDGE_SPAN_SILENCE].total, 100);
    values[JUDGE_M_NOISE_FLOOR] = judge_sound_floor(sound);

    if (sound->blocks) {
        values[JUDGE_M_SPEECH] = 100 * (double) sound->speech
                                 / (double) sound->blocks;
    }

    if (sound->channels == 2 && sound->power[0] + sound->power[1] > 0) {
        values[JUDGE_M_BALANCE] = judge_sound_db(sound->power[0])
                                  - judge_sound_db(sound->power[1]);
    }
}


/*
 * What is always there: the median, over the frequencies, of the least that
 * each had.  A tone or a voice holds few of them all of the time; noise holds
 * all.  The power of white noise of that level.
 */

static double
judge_sound_floor(const judge_sound_t *sound)
{
    double  sorted[JUDGE_SOUND_FFT / 2 - 1];
    size_t  n = JUDGE_SOUND_FFT / 2 - 1;

    if (!sound->has_least) {
        return JUDGE_SOUND_LOWEST;
    }

    memcpy(sorted, sound->least + 1, sizeof(sorted));
    qsort(sorted, n, sizeof(double), judge_sound_order);

    return judge_sound_db(sorted[n / 2] / JUDGE_SOUND_SMOOTH
                          / JUDGE_SOUND_BIN);
}


static double
judge_sound_time(const judge_sound_t *sound, int64_t sample)
{
    return fmax(sound->from, 0) + (double) sample / sound->rate;
}


/* Down to -120 dB. */

static double
judge_sound_db(double power)
{
    return power > 1e-12 ? 10 * log10(power) : JUDGE_SOUND_LOWEST;
}


static int
judge_sound_order(const void *a, const void *b)
{
    double  x = *(const double *) a;
    double  y = *(const double *) b;

    return (x > y) - (x < y);
}
