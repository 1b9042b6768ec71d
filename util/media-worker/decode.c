/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include <libavutil/display.h>

#include "decode.h"


#define JUDGE_DECODE_BUFFER   (64 * 1024)
#define JUDGE_DECODE_PROBE    (8 * 1024 * 1024)          /* bytes, and */
#define JUDGE_DECODE_LOOK     10000000                   /* us, to find the
                                                            streams */
#define JUDGE_DECODE_STREAMS  64


static int judge_decode_format(judge_decode_t *d);
static int judge_decode_read(void *data, uint8_t *buf, int size);
static int64_t judge_decode_seek(void *data, int64_t offset, int whence);
static int judge_decode_refuse(AVFormatContext *format, AVIOContext **io,
    const char *url, int flags, AVDictionary **options);
static int judge_decode_streams(judge_decode_t *d,
    const judge_measure_limits_t *limits);
static int judge_decode_stream(judge_decode_t *d, judge_stream_t *s,
    enum AVMediaType type, const judge_measure_limits_t *limits);
static int judge_decode_buffer(AVCodecContext *decoder, AVFrame *frame,
    int flags);
static const uint8_t *judge_decode_matrix(const AVStream *stream,
    size_t *size);


judge_measure_code_e
judge_decode_open(judge_decode_t *d, int fd,
    const judge_measure_limits_t *limits)
{
    int  rc;

    memset(d, 0, sizeof(judge_decode_t));
    d->fd = fd;
    d->size = lseek(fd, 0, SEEK_END);

    if (d->size < 0 || lseek(fd, 0, SEEK_SET) != 0) {
        return JUDGE_MEASURE_INTERNAL;
    }

    if (d->size == 0) {
        return JUDGE_MEASURE_EMPTY;
    }

    rc = judge_decode_format(d);
    if (rc < 0) {
        return rc == AVERROR(ENOMEM) ? JUDGE_MEASURE_NO_MEMORY
                                     : JUDGE_MEASURE_UNREADABLE;
    }

    rc = judge_decode_streams(d, limits);

    return rc < 0 ? judge_decode_code(rc) : JUDGE_MEASURE_OK;
}


void
judge_decode_close(judge_decode_t *d)
{
    avcodec_free_context(&d->picture.decoder);
    avcodec_free_context(&d->sound.decoder);
    avformat_close_input(&d->format);

    if (d->io) {
        av_freep(&d->io->buffer);
        avio_context_free(&d->io);
    }
}


static int
judge_decode_format(judge_decode_t *d)
{
    int       rc;
    uint8_t  *buffer;

    buffer = av_malloc(JUDGE_DECODE_BUFFER);
    if (buffer == NULL) {
        return AVERROR(ENOMEM);
    }

    d->io = avio_alloc_context(buffer, JUDGE_DECODE_BUFFER, 0, d,
                               judge_decode_read, NULL, judge_decode_seek);
    if (d->io == NULL) {
        av_free(buffer);
        return AVERROR(ENOMEM);
    }

    d->format = avformat_alloc_context();
    if (d->format == NULL) {
        return AVERROR(ENOMEM);
    }

    d->format->pb = d->io;
    d->format->io_open = judge_decode_refuse;
    d->format->flags |= AVFMT_FLAG_CUSTOM_IO | AVFMT_FLAG_DISCARD_CORRUPT;
    d->format->probesize = JUDGE_DECODE_PROBE;
    d->format->max_analyze_duration = JUDGE_DECODE_LOOK;
    d->format->max_streams = JUDGE_DECODE_STREAMS;

    rc = avformat_open_input(&d->format, "", NULL, NULL);
    if (rc < 0) {
        return rc;
    }

    /* An image has but one stream: it need not be decoded to know that. */
    if (strstr(d->format->iformat->name, "_pipe") == NULL
        || d->format->nb_streams != 1)
    {
        rc = avformat_find_stream_info(d->format, NULL);
        if (rc < 0) {
            return rc;
        }
    }

    d->start = d->format->start_time == AV_NOPTS_VALUE
               ? 0 : (double) d->format->start_time / AV_TIME_BASE;

    return 0;
}


static int
judge_decode_read(void *data, uint8_t *buf, int size)
{
    ssize_t          n;
    judge_decode_t  *d = data;

    do {
        n = pread(d->fd, buf, (size_t) size, d->at);
    } while (n < 0 && errno == EINTR);

    if (n < 0) {
        return AVERROR(errno);
    }

    d->at += n;

    return n ? (int) n : AVERROR_EOF;
}


static int64_t
judge_decode_seek(void *data, int64_t offset, int whence)
{
    judge_decode_t  *d = data;

    switch (whence & ~AVSEEK_FORCE) {

    case AVSEEK_SIZE:
        return d->size;

    case SEEK_SET:
        break;

    case SEEK_CUR:
        offset += d->at;
        break;

    case SEEK_END:
        offset += d->size;
        break;

    default:
        return AVERROR(EINVAL);
    }

    if (offset < 0) {
        return AVERROR(EINVAL);
    }

    d->at = offset;

    return offset;
}


/* Playlists and the like name other files. */

static int
judge_decode_refuse(AVFormatContext *format, AVIOContext **io,
    const char *url, int flags, AVDictionary **options)
{
    return AVERROR(EPERM);
}


static int
judge_decode_streams(judge_decode_t *d, const judge_measure_limits_t *limits)
{
    int       rc;
    unsigned  i;

    rc = judge_decode_stream(d, &d->picture, AVMEDIA_TYPE_VIDEO, limits);
    if (rc < 0) {
        return rc;
    }

    rc = judge_decode_stream(d, &d->sound, AVMEDIA_TYPE_AUDIO, limits);
    if (rc < 0) {
        return rc;
    }

    for (i = 0; i < d->format->nb_streams; i++) {
        if (d->format->streams[i] != d->picture.stream
            && d->format->streams[i] != d->sound.stream)
        {
            d->format->streams[i]->discard = AVDISCARD_ALL;
        }
    }

    return d->picture.decoder || d->sound.decoder
           ? 0 : AVERROR_STREAM_NOT_FOUND;
}


/* A picture that is attached to sound is no video. */

static int
judge_decode_stream(judge_decode_t *d, judge_stream_t *s,
    enum AVMediaType type, const judge_measure_limits_t *limits)
{
    int              n, rc;
    AVStream        *stream;
    const AVCodec   *codec;
    AVCodecContext  *decoder;

    n = av_find_best_stream(d->format, type, -1, -1, &codec, 0);
    if (n < 0 || codec == NULL
        || (d->format->streams[n]->disposition
            & AV_DISPOSITION_ATTACHED_PIC))
    {
        return 0;
    }

    stream = d->format->streams[n];
    decoder = avcodec_alloc_context3(codec);
    if (decoder == NULL) {
        return AVERROR(ENOMEM);
    }
    s->decoder = decoder;

    rc = avcodec_parameters_to_context(decoder, stream->codecpar);
    if (rc < 0) {
        return rc;
    }

    if ((int64_t) decoder->width * decoder->height > limits->pixels) {
        return AVERROR(ERANGE);
    }

    decoder->pkt_timebase = stream->time_base;
    decoder->opaque = s;
    decoder->get_buffer2 = judge_decode_buffer;
    s->pixels = limits->pixels;
    decoder->thread_count = type == AVMEDIA_TYPE_VIDEO ? limits->threads : 1;
    decoder->err_recognition = AV_EF_CRCCHECK;
    s->stream = stream;

    return avcodec_open2(decoder, codec, NULL);
}


/* Room for a picture, or for sound.  FFmpeg's own limit would not tell that
 * it was the size. */

static int
judge_decode_buffer(AVCodecContext *decoder, AVFrame *frame, int flags)
{
    judge_stream_t  *s = decoder->opaque;

    if ((int64_t) frame->width * frame->height > s->pixels) {
        s->too_large = true;
        return AVERROR(ERANGE);
    }

    return avcodec_default_get_buffer2(decoder, frame, flags);
}


void
judge_decode_progress(const judge_decode_t *d, int64_t position)
{
    if (position > 0) {
        lseek(d->fd, position, SEEK_SET);
    }
}


/* Debian 12 has FFmpeg 5.1, Debian 13 has 7.1. */

static const uint8_t *
judge_decode_matrix(const AVStream *stream, size_t *size)
{
#if (LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100))
    const AVPacketSideData  *data;

    data = av_packet_side_data_get(stream->codecpar->coded_side_data,
                                   stream->codecpar->nb_coded_side_data,
                                   AV_PKT_DATA_DISPLAYMATRIX);
    if (data == NULL) {
        return NULL;
    }

    *size = data->size;

    return data->data;
#else
    return av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size);
#endif
}


int64_t
judge_decode_duration(const AVFrame *f)
{
#if (LIBAVUTIL_VERSION_MAJOR >= 58)
    return f->duration;
#else
    return f->pkt_duration;
#endif
}


bool
judge_decode_turned(const judge_decode_t *d)
{
    double          angle;
    size_t          size;
    const uint8_t  *matrix;

    matrix = judge_decode_matrix(d->picture.stream, &size);
    if (matrix == NULL || size < 9 * sizeof(int32_t)) {
        return false;
    }

    angle = av_display_rotation_get((const int32_t *) matrix);

    return !isnan(angle) && fabs(fabs(angle) - 90) < 1;
}


judge_measure_code_e
judge_decode_code(int averror)
{
    switch (averror) {

    case AVERROR(ENOMEM):
        return JUDGE_MEASURE_NO_MEMORY;

    case AVERROR(ERANGE):
        return JUDGE_MEASURE_TOO_LARGE;

    case AVERROR_STREAM_NOT_FOUND:
        return JUDGE_MEASURE_NO_STREAM;

    default:
        return JUDGE_MEASURE_DAMAGED;
    }
}
