/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavfilter/buffersink.h>
#include <libavfilter/buffersrc.h>
#include <libavutil/channel_layout.h>
#include <libavutil/opt.h>

#include "sound.h"


#define JUDGE_SOUND_RATE_MIN  1000
#define JUDGE_SOUND_RATE_MAX  384000


static const char  judge_sound_filters[] =
    "[in]asplit=2[one][two];"
    "[one]aformat=sample_fmts=dbl:sample_rates=48000,"
    "ebur128=peak=true:metadata=1[loud];"
    "[two]aformat=sample_fmts=fltp[plain]";


static int judge_sound_begin(judge_sound_t *sound, const AVFrame *frame);
static int judge_sound_graph(judge_sound_t *sound, const AVFrame *frame);
static int judge_sound_link(judge_sound_t *sound);
static int judge_sound_pull(judge_sound_t *sound);
static void judge_sound_loudness(judge_sound_t *sound);
static double judge_sound_number(const AVDictionary *metadata,
    const char *key);


int
judge_sound_init(judge_sound_t *sound, judge_media_t *media)
{
    memset(sound, 0, sizeof(judge_sound_t));
    sound->media = media;
    sound->clipping = (judge_span_t) {
        .spans = &media->spans[JUDGE_SPAN_CLIPPING], .gap = 0.5 };
    sound->silence = (judge_span_t) {
        .spans = &media->spans[JUDGE_SPAN_SILENCE], .gap = 0.02,
        .shortest = 1 };

    sound->frame = av_frame_alloc();

    return sound->frame ? 0 : AVERROR(ENOMEM);
}


void
judge_sound_free(judge_sound_t *sound)
{
    avfilter_graph_free(&sound->graph);
    av_frame_free(&sound->frame);
    av_tx_uninit(&sound->fft);
    av_freep(&sound->hann);
    av_freep(&sound->mono);
    av_freep(&sound->windowed);
    av_freep(&sound->spectrum);
}


int
judge_sound_frame(judge_sound_t *sound, const AVFrame *frame, double at)
{
    int       rc;
    AVFrame  *in;

    if (sound->graph == NULL) {
        rc = judge_sound_begin(sound, frame);
        if (rc < 0) {
            return rc;
        }
        sound->from = at;
    }

    if (frame->sample_rate != sound->rate || frame->format != sound->format
        || frame->ch_layout.nb_channels != sound->channels)
    {
        return 0;
    }

    in = av_frame_clone(frame);
    if (in == NULL) {
        return AVERROR(ENOMEM);
    }

    /* Layouts that are not known count as the usual ones. */
    av_channel_layout_uninit(&in->ch_layout);
    av_channel_layout_default(&in->ch_layout, sound->channels);
    in->pts = sound->samples;

    rc = av_buffersrc_add_frame(sound->in, in);
    av_frame_free(&in);

    return rc < 0 ? rc : judge_sound_pull(sound);
}


int
judge_sound_finish(judge_sound_t *sound)
{
    int  rc;

    if (sound->graph == NULL) {
        return 0;
    }

    rc = av_buffersrc_add_frame(sound->in, NULL);
    if (rc < 0) {
        return rc;
    }

    rc = judge_sound_pull(sound);
    if (rc < 0) {
        return rc;
    }

    judge_sound_level_finish(sound);

    return 0;
}


static int
judge_sound_begin(judge_sound_t *sound, const AVFrame *frame)
{
    int  rc;

    sound->rate = frame->sample_rate;
    sound->channels = frame->ch_layout.nb_channels;
    sound->format = frame->format;

    if (sound->rate < JUDGE_SOUND_RATE_MIN
        || sound->rate > JUDGE_SOUND_RATE_MAX || sound->channels < 1
        || sound->channels > JUDGE_SOUND_CHANNELS)
    {
        return AVERROR(ERANGE);
    }

    sound->media->values[JUDGE_M_SAMPLE_RATE] = sound->rate;
    sound->media->values[JUDGE_M_CHANNELS] = sound->channels;

    rc = judge_sound_level_init(sound);

    return rc < 0 ? rc : judge_sound_graph(sound, frame);
}


static int
judge_sound_graph(judge_sound_t *sound, const AVFrame *frame)
{
    int              rc;
    char             args[256], layout[128];
    AVChannelLayout  channels;

    memset(&channels, 0, sizeof(AVChannelLayout));
    av_channel_layout_default(&channels, sound->channels);
    rc = av_channel_layout_describe(&channels, layout, sizeof(layout));
    av_channel_layout_uninit(&channels);
    if (rc < 0) {
        return rc;
    }

    snprintf(args, sizeof(args), "time_base=1/%d:sample_rate=%d:"
             "sample_fmt=%d:channel_layout=%s", sound->rate, sound->rate,
             frame->format, layout);

    sound->graph = avfilter_graph_alloc();
    if (sound->graph == NULL) {
        return AVERROR(ENOMEM);
    }
    sound->graph->nb_threads = 1;

    rc = avfilter_graph_create_filter(&sound->in,
                                      avfilter_get_by_name("abuffer"), "in",
                                      args, NULL, sound->graph);
    if (rc >= 0) {
        rc = avfilter_graph_create_filter(&sound->loud,
                 avfilter_get_by_name("abuffersink"), "loud", NULL, NULL,
                 sound->graph);
    }
    if (rc >= 0) {
        rc = avfilter_graph_create_filter(&sound->plain,
                 avfilter_get_by_name("abuffersink"), "plain", NULL, NULL,
                 sound->graph);
    }

    return rc < 0 ? rc : judge_sound_link(sound);
}


static int
judge_sound_link(judge_sound_t *sound)
{
    int             rc;
    AVFilterInOut  *from, *loud, *plain;

    from = avfilter_inout_alloc();
    loud = avfilter_inout_alloc();
    plain = avfilter_inout_alloc();
    rc = AVERROR(ENOMEM);

    if (from && loud && plain) {
        from->name = av_strdup("in");
        from->filter_ctx = sound->in;
        loud->name = av_strdup("loud");
        loud->filter_ctx = sound->loud;
        plain->name = av_strdup("plain");
        plain->filter_ctx = sound->plain;

        if (from->name && loud->name && plain->name) {
            loud->next = plain;
            plain = NULL;
            rc = avfilter_graph_parse_ptr(sound->graph, judge_sound_filters,
                                          &loud, &from, NULL);
        }
    }

    avfilter_inout_free(&from);
    avfilter_inout_free(&loud);
    avfilter_inout_free(&plain);

    return rc < 0 ? rc : avfilter_graph_config(sound->graph, NULL);
}


static int
judge_sound_pull(judge_sound_t *sound)
{
    int  rc;

    while ((rc = av_buffersink_get_frame(sound->plain, sound->frame)) >= 0) {
        judge_sound_level_add(sound, sound->frame);
        av_frame_unref(sound->frame);
    }

    if (rc != AVERROR(EAGAIN) && rc != AVERROR_EOF) {
        return rc;
    }

    while ((rc = av_buffersink_get_frame(sound->loud, sound->frame)) >= 0) {
        judge_sound_loudness(sound);
        av_frame_unref(sound->frame);
    }

    return rc == AVERROR(EAGAIN) || rc == AVERROR_EOF ? 0 : rc;
}


/* The last one that comes counts. */

static void
judge_sound_loudness(judge_sound_t *sound)
{
    int            i;
    char           key[64];
    double         peak;
    double        *values = sound->media->values;
    AVDictionary  *metadata = sound->frame->metadata;

    if (av_dict_get(metadata, "lavfi.r128.I", NULL, 0) == NULL) {
        return;                        /* less than 100 ms, at the end */
    }

    values[JUDGE_M_LOUDNESS] = judge_sound_number(metadata, "lavfi.r128.I");
    values[JUDGE_M_LOUDNESS_RANGE] = judge_sound_number(metadata,
                                                        "lavfi.r128.LRA");

    for (i = 0; i < sound->channels; i++) {
        snprintf(key, sizeof(key), "lavfi.r128.true_peaks_ch%d", i);
        peak = judge_sound_number(metadata, key);
        if (peak > sound->true_peak) {
            sound->true_peak = peak;
        }
    }
}


static double
judge_sound_number(const AVDictionary *metadata, const char *key)
{
    const AVDictionaryEntry  *entry = av_dict_get(metadata, key, NULL, 0);

    return entry ? strtod(entry->value, NULL) : NAN;
}
