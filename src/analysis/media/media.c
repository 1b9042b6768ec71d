/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The names of what is measured in media. */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/features/identity.h"
#include "analysis/media/media.h"


/* The last number is the version of the definition: it is raised whenever a
 * medium may get another value than before. */

static const struct {
    const char  *name;
    const char  *unit;
    uint32_t     version;
} judge_media_rows[JUDGE_M_COUNT] = {
    [JUDGE_M_DURATION] = { "duration", "s", 1 },
    [JUDGE_M_BITRATE] = { "bitrate", "kbit/s", 1 },
    [JUDGE_M_WIDTH] = { "width", "px", 1 },
    [JUDGE_M_HEIGHT] = { "height", "px", 1 },
    [JUDGE_M_FRAME_RATE] = { "frame_rate", "/s", 1 },
    [JUDGE_M_DAMAGE] = { "damage", "%", 1 },

    [JUDGE_M_BRIGHTNESS] = { "brightness", "%", 1 },
    [JUDGE_M_CONTRAST] = { "contrast", "%", 1 },
    [JUDGE_M_DARK] = { "dark_pixels", "%", 1 },
    [JUDGE_M_BRIGHT] = { "bright_pixels", "%", 1 },
    [JUDGE_M_SATURATION] = { "saturation", "%", 1 },
    [JUDGE_M_COLOURFULNESS] = { "colourfulness", "", 1 },
    [JUDGE_M_SHARPNESS] = { "sharpness", "%", 1 },
    [JUDGE_M_NOISE] = { "noise", "levels", 1 },
    [JUDGE_M_BLOCKINESS] = { "blockiness", "%", 1 },

    [JUDGE_M_BLACK] = { "black", "%", 1 },
    [JUDGE_M_FROZEN] = { "frozen", "%", 1 },
    [JUDGE_M_SCENES] = { "scene_changes", "/min", 1 },
    [JUDGE_M_FLICKER] = { "flicker", "%", 1 },
    [JUDGE_M_SHAKE] = { "shake", "%", 1 },
    [JUDGE_M_SPATIAL] = { "spatial_information", "", 1 },
    [JUDGE_M_SPATIAL_MAX] = { "spatial_information_max", "", 1 },
    [JUDGE_M_TEMPORAL] = { "temporal_information", "", 1 },
    [JUDGE_M_TEMPORAL_MAX] = { "temporal_information_max", "", 1 },

    [JUDGE_M_SAMPLE_RATE] = { "sample_rate", "Hz", 1 },
    [JUDGE_M_CHANNELS] = { "channels", "", 1 },
    [JUDGE_M_LOUDNESS] = { "loudness", "LUFS", 1 },
    [JUDGE_M_LOUDNESS_RANGE] = { "loudness_range", "LU", 1 },
    [JUDGE_M_TRUE_PEAK] = { "true_peak", "dBTP", 1 },
    [JUDGE_M_CLIPPING] = { "clipping", "ppm", 1 },
    [JUDGE_M_SILENCE] = { "silence", "%", 1 },
    [JUDGE_M_NOISE_FLOOR] = { "noise_floor", "dBFS", 1 },
    [JUDGE_M_LOW] = { "low_frequencies", "%", 1 },
    [JUDGE_M_MID] = { "mid_frequencies", "%", 1 },
    [JUDGE_M_HIGH] = { "high_frequencies", "%", 1 },
    [JUDGE_M_SPEECH] = { "speech", "%", 1 },
    [JUDGE_M_BALANCE] = { "balance", "dB", 1 },
};

static const char *const  judge_media_span_names[JUDGE_SPAN_COUNT] = {
    [JUDGE_SPAN_BLACK] = "black",
    [JUDGE_SPAN_FROZEN] = "frozen",
    [JUDGE_SPAN_DARK] = "dark",
    [JUDGE_SPAN_BLURRED] = "blurred",
    [JUDGE_SPAN_FLICKER] = "flicker",
    [JUDGE_SPAN_SHAKE] = "shake",
    [JUDGE_SPAN_SCENE] = "scene_changes",
    [JUDGE_SPAN_DAMAGE] = "damage",
    [JUDGE_SPAN_SILENCE] = "silence",
    [JUDGE_SPAN_CLIPPING] = "clipping",
};


const char *
judge_media_name(size_t measure)
{
    return measure < JUDGE_M_COUNT ? judge_media_rows[measure].name : NULL;
}


const char *
judge_media_unit(size_t measure)
{
    return measure < JUDGE_M_COUNT ? judge_media_rows[measure].unit : NULL;
}


uint64_t
judge_media_identity(void)
{
    size_t    i;
    uint64_t  identity = JUDGE_FNV_START;

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        identity = judge_identity_add(identity, judge_media_rows[i].name,
                                      judge_media_rows[i].version);
    }

    return identity;
}


const char *
judge_media_span_name(size_t span)
{
    return span < JUDGE_SPAN_COUNT ? judge_media_span_names[span] : NULL;
}


const char *
judge_media_kind_name(judge_media_kind_e kind)
{
    return kind == JUDGE_MEDIA_IMAGE ? "image"
           : kind == JUDGE_MEDIA_AUDIO ? "audio" : "video";
}


judge_media_kind_e
judge_media_kind_find(judge_str_t name)
{
    judge_media_kind_e  kind;

    for (kind = JUDGE_MEDIA_IMAGE; kind <= JUDGE_MEDIA_VIDEO; kind <<= 1) {
        if (judge_str_eq_c(name, judge_media_kind_name(kind))) {
            return kind;
        }
    }

    return 0;
}


void
judge_media_clear(judge_media_t *media)
{
    size_t  i;

    memset(media, 0, sizeof(judge_media_t));

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        media->values[i] = NAN;
    }
}


bool
judge_media_plausible(const judge_media_t *media)
{
    size_t                i, n;
    const judge_spans_t  *spans;

    if ((media->kind != JUDGE_MEDIA_IMAGE && media->kind != JUDGE_MEDIA_AUDIO
         && media->kind != JUDGE_MEDIA_VIDEO)
        || !(media->measured >= 0 && media->measured < 1e9))
    {
        return false;
    }

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        if (isinf(media->values[i]) || fabs(media->values[i]) > 1e12) {
            return false;
        }
    }

    for (i = 0; i < JUDGE_SPAN_COUNT; i++) {
        spans = &media->spans[i];

        if (spans->kept > JUDGE_SPANS_KEPT || spans->kept > spans->count
            || !(spans->total >= 0 && spans->total < 1e9))
        {
            return false;
        }

        for (n = 0; n < spans->kept; n++) {
            if (!(spans->from[n] >= 0 && spans->to[n] >= spans->from[n]
                  && spans->to[n] < 1e9))
            {
                return false;
            }
        }
    }

    return true;
}


void
judge_media_time(double seconds, char *out)
{
    unsigned  whole, tenths;

    tenths = (unsigned) floor(fmin(fmax(seconds, 0), 3.6e6) * 10 + 0.5);
    whole = tenths / 10;

    if (whole >= 3600) {
        snprintf(out, 24, "%u:%02u:%02u", whole / 3600, whole / 60 % 60,
                 whole % 60);

    } else if (tenths % 10) {
        snprintf(out, 24, "%u:%02u.%u", whole / 60, whole % 60, tenths % 10);

    } else {
        snprintf(out, 24, "%u:%02u", whole / 60, whole % 60);
    }
}
