/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Packet by packet through a file; the steps stand in the order they run. */


#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode.h"
#include "sound.h"
#include "video.h"


#define JUDGE_FILE_TRUNCATED  0.9      /* of the declared duration */
#define JUDGE_FILE_DAMAGED    0.5      /* of the packets */
#define JUDGE_FILE_SHARE      0.8      /* of the processor time allowed, after
                                          which the rest is not read */


/* A file being measured. */
typedef struct {
    const judge_measure_limits_t  *limits;
    judge_measured_t              *out;
    judge_media_t                 *media;
    judge_decode_t                 decode;
    judge_video_t                  video;
    judge_sound_t                  sound;
    AVPacket                      *packet;
    AVFrame                       *frame;
    AVFrame                       *first;  /* picture */
    judge_span_t                   damage;
    bool                           sounds; /* sound can be measured */
    bool                           late;   /* the rest took too long */
    judge_measure_code_e           code;
} judge_file_t;


static judge_measure_code_e judge_file_begin(judge_file_t *h);
static void judge_file_run(judge_file_t *h);
static void judge_file_packet(judge_file_t *h, judge_stream_t *s,
    const AVPacket *packet);
static bool judge_file_whole(const judge_stream_t *s,
    const AVPacket *packet);
static bool judge_file_frames(judge_file_t *h, judge_stream_t *s);
static int judge_file_picture(judge_file_t *h);
static void judge_file_key_frame(judge_file_t *h, double at);
static int judge_file_sound(judge_file_t *h);
static double judge_file_time(judge_file_t *h, judge_stream_t *s,
    double *duration);
static bool judge_file_late(const judge_file_t *h);
static void judge_file_finish(judge_file_t *h, judge_media_kind_e kind);
static void judge_file_kind(judge_file_t *h);
static judge_measure_code_e judge_file_verdict(const judge_file_t *h,
    judge_media_kind_e kind);
static void judge_file_values(judge_file_t *h);
static double judge_file_header_duration(const judge_file_t *h);
static void judge_file_name(char out[32], const char *name);


void
judge_measure_here(int fd, judge_media_kind_e kind,
    const judge_measure_limits_t *limits, judge_measured_t *out)
{
    judge_file_t  h;

    memset(out, 0, sizeof(judge_measured_t));
    memset(&h, 0, sizeof(judge_file_t));
    h.limits = limits;
    h.out = out;
    h.media = &out->report.media;
    judge_media_clear(h.media);
    judge_video_init(&h.video, h.media);
    h.damage = (judge_span_t) {
        .spans = &h.media->spans[JUDGE_SPAN_DAMAGE], .gap = 1 };

    h.code = judge_decode_open(&h.decode, fd, limits);
    if (h.code == JUDGE_MEASURE_OK) {
        h.code = judge_file_begin(&h);
    }

    if (h.code == JUDGE_MEASURE_OK) {
        judge_file_run(&h);
        judge_file_finish(&h, kind);
    }

    out->report.code = h.code;
    out->report.size = h.decode.size;

    judge_video_free(&h.video);
    judge_sound_free(&h.sound);
    judge_decode_close(&h.decode);
    av_packet_free(&h.packet);
    av_frame_free(&h.frame);
    av_frame_free(&h.first);
}


static judge_measure_code_e
judge_file_begin(judge_file_t *h)
{
    judge_measure_report_t  *r = &h->out->report;

    judge_file_name(r->format, h->decode.format->iformat->name);
    if (h->decode.picture.decoder) {
        judge_file_name(r->picture_codec,
                        avcodec_get_name(h->decode.picture.decoder->codec_id));
    }
    if (h->decode.sound.decoder) {
        judge_file_name(r->sound_codec,
                        avcodec_get_name(h->decode.sound.decoder->codec_id));
    }

    /* Until there is a second picture. */
    if (strstr(r->format, "_pipe")) {
        h->media->kind = JUDGE_MEDIA_IMAGE;
    }

    h->packet = av_packet_alloc();
    h->frame = av_frame_alloc();
    h->sounds = h->decode.sound.decoder != NULL;

    if (h->packet == NULL || h->frame == NULL
        || judge_sound_init(&h->sound, h->media) < 0)
    {
        return JUDGE_MEASURE_NO_MEMORY;
    }

    return JUDGE_MEASURE_OK;
}


static void
judge_file_run(judge_file_t *h)
{
    int              rc;
    judge_decode_t  *d = &h->decode;

    while (h->code == JUDGE_MEASURE_OK && !h->late) {
        rc = av_read_frame(d->format, h->packet);
        if (rc < 0) {
            break;
        }

        if (d->picture.stream
            && h->packet->stream_index == d->picture.stream->index)
        {
            judge_file_packet(h, &d->picture, h->packet);

        } else if (h->sounds
                   && h->packet->stream_index == d->sound.stream->index)
        {
            judge_file_packet(h, &d->sound, h->packet);
        }

        judge_decode_progress(d, h->packet->pos);
        av_packet_unref(h->packet);
        h->late = judge_file_late(h);
    }

    if (d->picture.decoder && h->code == JUDGE_MEASURE_OK) {
        judge_file_packet(h, &d->picture, NULL);
    }

    if (h->sounds && h->code == JUDGE_MEASURE_OK) {
        judge_file_packet(h, &d->sound, NULL);
    }
}


/* NULL: the last ones, which the decoder still holds. */

static void
judge_file_packet(judge_file_t *h, judge_stream_t *s, const AVPacket *packet)
{
    int   rc;
    bool  broken;

    rc = avcodec_send_packet(s->decoder, packet);
    broken = rc < 0 && rc != AVERROR_EOF;
    broken |= packet && !judge_file_whole(s, packet);
    broken |= !judge_file_frames(h, s);

    if (s->too_large && h->code == JUDGE_MEASURE_OK) {
        h->code = JUDGE_MEASURE_TOO_LARGE;
    }

    if (packet == NULL) {
        return;
    }

    s->packets++;

    if (broken) {
        s->broken++;
        judge_span_add(&h->damage, true, fmax(s->end, h->damage.to),
                       fmax(s->end, h->damage.to));
    }
}


/* FFmpeg decodes half a JPEG to a whole picture, without an error: behind the
 * last scan's begin there must be an end. */

static bool
judge_file_whole(const judge_stream_t *s, const AVPacket *packet)
{
    int             i;
    const uint8_t  *p = packet->data;

    if (s->decoder->codec_id != AV_CODEC_ID_MJPEG) {
        return true;
    }

    for (i = packet->size - 2; i >= 0; i--) {
        if (p[i] == 0xff && (p[i + 1] == 0xd9 || p[i + 1] == 0xda)) {
            return p[i + 1] == 0xd9;
        }
    }

    return false;
}


/* All that the decoder gives; false: it complains. */

static bool
judge_file_frames(judge_file_t *h, judge_stream_t *s)
{
    int   rc;
    bool  picture, fine;

    picture = s == &h->decode.picture;
    fine = true;

    for ( ;; ) {
        rc = avcodec_receive_frame(s->decoder, h->frame);
        if (rc == AVERROR(EAGAIN) || rc == AVERROR_EOF) {
            return fine;
        }

        if (rc < 0) {
            return false;
        }

        fine &= h->frame->decode_error_flags == 0;
        rc = picture ? judge_file_picture(h) : judge_file_sound(h);
        av_frame_unref(h->frame);

        if (rc < 0) {
            h->code = judge_decode_code(rc);
            return false;
        }
    }
}


static int
judge_file_picture(judge_file_t *h)
{
    double  at, duration;

    if ((int64_t) h->frame->width * h->frame->height > h->limits->pixels) {
        return AVERROR(ERANGE);
    }

    if (h->first == NULL) {
        h->first = av_frame_clone(h->frame);
        if (h->first == NULL) {
            return AVERROR(ENOMEM);
        }
    }

    at = judge_file_time(h, &h->decode.picture, &duration);
    judge_file_key_frame(h, at);

    return judge_video_frame(&h->video, h->frame, at, at + duration);
}


/* One from the middle of each of equal parts. */

static void
judge_file_key_frame(judge_file_t *h, double at)
{
    double                   declared, due;
    uint32_t                 n, wanted;
    judge_measure_report_t  *r = &h->out->report;

    n = r->nframes;
    declared = judge_file_header_duration(h);
    wanted = declared > 2 ? JUDGE_MEASURE_FRAMES : 1;
    due = declared > 2 ? declared * (n + 0.5) / JUDGE_MEASURE_FRAMES : 0;

    if (!h->limits->frames || n == wanted || at < due) {
        return;
    }

    if (judge_keyframe_jpeg(h->frame, JUDGE_MEASURE_WIDTH_MAX,
                            &h->out->frames[n], &r->frame_sizes[n]) < 0)
    {
        return;
    }

    if (r->frame_sizes[n] > JUDGE_MEASURE_JPEG_MAX) {
        free(h->out->frames[n]);
        h->out->frames[n] = NULL;
        return;
    }

    r->frame_times[n] = at;
    r->nframes++;
}


/* Sound that FFmpeg's filters can't take is as good as none. */

static int
judge_file_sound(judge_file_t *h)
{
    int     rc;
    double  at, duration;

    at = judge_file_time(h, &h->decode.sound, &duration);

    if (!h->sounds) {
        return 0;
    }

    rc = judge_sound_frame(&h->sound, h->frame, at);
    if (rc < 0) {
        h->sounds = false;
        return rc == AVERROR(ENOMEM) || !h->decode.picture.decoder ? rc : 0;
    }

    return 0;
}


/* When a frame begins, from the begin of the file on: after the one before
 * it, and at its end where nothing better is known. */

static double
judge_file_time(judge_file_t *h, judge_stream_t *s, double *duration)
{
    double      at;
    AVFrame    *f = h->frame;
    AVRational  rate;

    at = s->end;
    if (f->best_effort_timestamp != AV_NOPTS_VALUE) {
        at = (double) f->best_effort_timestamp
             * av_q2d(s->stream->time_base) - h->decode.start;
    }

    at = at > s->at && at < s->end + 86400 ? at : s->end;
    s->at = at;

    if (s == &h->decode.sound) {
        *duration = f->sample_rate > 0
                    ? (double) f->nb_samples / f->sample_rate : 0;

    } else {
        rate = av_guess_frame_rate(h->decode.format, s->stream, f);
        *duration = rate.num > 0 && rate.den > 0 ? av_q2d(av_inv_q(rate))
                                                 : 0.04;
        if (judge_decode_duration(f) > 0) {
            *duration = (double) judge_decode_duration(f)
                        * av_q2d(s->stream->time_base);
        }
        *duration = *duration > 0 && *duration < 3600 ? *duration : 0.04;
    }

    s->end = at + *duration;

    return at;
}


static bool
judge_file_late(const judge_file_t *h)
{
    struct timespec  used;

    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) {
        return false;
    }

    return (double) used.tv_sec >= JUDGE_FILE_SHARE * h->limits->seconds;
}


/* --- What came of it ----------------------------------------------------- */

static void
judge_file_finish(judge_file_t *h, judge_media_kind_e kind)
{
    if (h->code != JUDGE_MEASURE_OK) {
        return;
    }

    judge_file_kind(h);
    judge_span_end(&h->damage);

    if (h->sounds && judge_sound_finish(&h->sound) < 0) {
        h->sounds = false;
    }

    if (h->decode.picture.decoder && h->video.frames) {
        judge_video_finish(&h->video);
    }

    judge_file_values(h);
    h->code = judge_file_verdict(h, kind);
}


/* One picture without sound is an image, whatever the file declares. */

static void
judge_file_kind(judge_file_t *h)
{
    h->media->has_sound = h->sounds && h->sound.samples > 0;

    if (h->video.frames == 0) {
        h->media->kind = JUDGE_MEDIA_AUDIO;

    } else if (h->video.frames == 1 && !h->decode.sound.decoder) {
        h->media->kind = JUDGE_MEDIA_IMAGE;

    } else {
        h->media->kind = JUDGE_MEDIA_VIDEO;
    }
}


static judge_measure_code_e
judge_file_verdict(const judge_file_t *h, judge_media_kind_e kind)
{
    double                 declared;
    const judge_stream_t  *s;

    s = h->decode.picture.decoder ? &h->decode.picture : &h->decode.sound;

    if ((h->video.frames == 0 && !h->media->has_sound)
        || (s->packets > 0
            && (double) s->broken > JUDGE_FILE_DAMAGED * (double) s->packets)
        || (h->media->kind == JUDGE_MEDIA_IMAGE && s->broken))
    {
        return JUDGE_MEASURE_DAMAGED;
    }

    if (kind && kind != h->media->kind) {
        return JUDGE_MEASURE_KIND;
    }

    /* A guess by the bit rate is no promise. */
    declared = judge_file_header_duration(h);
    if (h->decode.format->duration_estimation_method
        == AVFMT_DURATION_FROM_BITRATE)
    {
        declared = 0;
    }

    if (!h->late && declared > 1 && h->media->kind != JUDGE_MEDIA_IMAGE
        && h->media->measured < JUDGE_FILE_TRUNCATED * declared)
    {
        return JUDGE_MEASURE_TRUNCATED;
    }

    return JUDGE_MEASURE_OK;
}


static void
judge_file_values(judge_file_t *h)
{
    double                 declared;
    double                *values = h->media->values;
    const judge_decode_t  *d = &h->decode;

    if (h->first) {
        values[JUDGE_M_WIDTH] = h->first->width;
        values[JUDGE_M_HEIGHT] = h->first->height;

        if (judge_decode_turned(d)) {
            values[JUDGE_M_WIDTH] = h->first->height;
            values[JUDGE_M_HEIGHT] = h->first->width;
        }
    }

    if (h->media->kind == JUDGE_MEDIA_IMAGE) {
        return;
    }

    h->media->measured = fmax(d->picture.end, d->sound.end);
    declared = judge_file_header_duration(h);
    values[JUDGE_M_DURATION] = h->late ? fmax(declared, h->media->measured)
                                       : h->media->measured;

    if (values[JUDGE_M_DURATION] > 0) {
        values[JUDGE_M_BITRATE] = (double) d->size * 8 / 1000
                                  / values[JUDGE_M_DURATION];
    }

    values[JUDGE_M_DAMAGE] = 100
        * (double) (d->picture.broken + d->sound.broken)
        / fmax((double) (d->picture.packets + d->sound.packets), 1);
}


/* The duration by the file's header, s; 0: it has none. */

static double
judge_file_header_duration(const judge_file_t *h)
{
    int64_t  duration = h->decode.format->duration;

    return duration == AV_NOPTS_VALUE || duration < 0
           ? 0 : (double) duration / AV_TIME_BASE;
}


static void
judge_file_name(char out[32], const char *name)
{
    snprintf(out, 32, "%s", name ? name : "");
}
