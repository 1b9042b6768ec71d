/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The names of what is measured in media. */


#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/features/identity.h"
#include "extensions/media/media_trait.h"


const char *
judge_media_name(size_t measure)
{
    return measure < JUDGE_M_COUNT ? judge_media_measures[measure].name : NULL;
}


uint64_t
judge_media_identity(void)
{
    size_t    i;
    uint64_t  identity = JUDGE_FNV_START;

    for (i = 0; i < JUDGE_M_COUNT; i++) {
        identity = judge_identity_add(identity, judge_media_measures[i].name,
                                      judge_media_measures[i].version);
    }

    return identity;
}


const char *
judge_media_span_name(size_t span)
{
    return span < JUDGE_SPAN_COUNT ? judge_media_spans[span] : NULL;
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
