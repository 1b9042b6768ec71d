/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

#include "keyframe.h"


#define JUDGE_KEYFRAME_QUALITY  5      /* of a JPEG, as FFmpeg counts */
#define JUDGE_KEYFRAME_HEIGHT_MAX  2048  /* of a JPEG */


static bool judge_keyframe_direct(const AVFrame *frame);
static void judge_keyframe_picture(const AVFrame *frame,
    judge_picture_t *picture);
static int judge_keyframe_convert(judge_keyframe_t *f, const AVFrame *frame,
    AVFrame *out);
static int judge_keyframe_scale(const AVFrame *frame, int width, AVFrame *out);
static int judge_keyframe_encode(AVCodecContext *encoder, AVFrame *frame,
    uint8_t **jpeg, uint32_t *size);


int
judge_keyframe_view(judge_keyframe_t *f, const AVFrame *frame, AVFrame **out,
    judge_picture_t *picture)
{
    int  rc;

    *out = judge_keyframe_direct(frame) ? av_frame_clone(frame)
                                     : av_frame_alloc();
    if (*out == NULL) {
        return AVERROR(ENOMEM);
    }

    if (!judge_keyframe_direct(frame)) {
        rc = judge_keyframe_convert(f, frame, *out);
        if (rc < 0) {
            av_frame_free(out);
            return rc;
        }
    }

    judge_keyframe_picture(*out, picture);

    return 0;
}


void
judge_keyframe_free(judge_keyframe_t *f)
{
    sws_freeContext(f->scale);
    f->scale = NULL;
}


/* Whether luma, and chroma if any, are bytes that can be read in place. */

static bool
judge_keyframe_direct(const AVFrame *frame)
{
    const AVPixFmtDescriptor  *d = av_pix_fmt_desc_get(frame->format);

    return d && d->comp[0].depth == 8 && d->comp[0].step == 1
           && (d->nb_components == 1 || d->nb_components >= 3)
           && !(d->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL
                            | AV_PIX_FMT_FLAG_HWACCEL
                            | AV_PIX_FMT_FLAG_BITSTREAM
                            | AV_PIX_FMT_FLAG_BAYER))
           && frame->linesize[0] > 0;
}


static void
judge_keyframe_picture(const AVFrame *frame, judge_picture_t *picture)
{
    const AVPixFmtDescriptor  *d = av_pix_fmt_desc_get(frame->format);

    memset(picture, 0, sizeof(judge_picture_t));
    picture->luma.data = frame->data[0];
    picture->luma.stride = frame->linesize[0];
    picture->luma.width = frame->width;
    picture->luma.height = frame->height;
    picture->full = frame->color_range == AVCOL_RANGE_JPEG
                    || frame->format == AV_PIX_FMT_GRAY8
                    || strncmp(d->name, "yuvj", 4) == 0;

    if (d->nb_components < 3) {
        return;
    }

    picture->cb = frame->data[d->comp[1].plane] + d->comp[1].offset;
    picture->cr = frame->data[d->comp[2].plane] + d->comp[2].offset;
    picture->chroma_stride = frame->linesize[d->comp[1].plane];
    picture->chroma_step = d->comp[1].step;
    picture->chroma_width = AV_CEIL_RSHIFT(frame->width, d->log2_chroma_w);
    picture->chroma_height = AV_CEIL_RSHIFT(frame->height, d->log2_chroma_h);
}


static int
judge_keyframe_convert(judge_keyframe_t *f, const AVFrame *frame, AVFrame *out)
{
    int  rc;

    if (f->scale == NULL || f->width != frame->width
        || f->height != frame->height || f->format != frame->format)
    {
        sws_freeContext(f->scale);
        f->scale = sws_getContext(frame->width, frame->height, frame->format,
                                  frame->width, frame->height,
                                  AV_PIX_FMT_YUV420P, SWS_FAST_BILINEAR,
                                  NULL, NULL, NULL);
        if (f->scale == NULL) {
            return AVERROR(EINVAL);
        }
        f->width = frame->width;
        f->height = frame->height;
        f->format = frame->format;
    }

    out->width = frame->width;
    out->height = frame->height;
    out->format = AV_PIX_FMT_YUV420P;

    rc = av_frame_get_buffer(out, 0);
    if (rc < 0) {
        return rc;
    }

    return sws_scale(f->scale, (const uint8_t *const *) frame->data,
                     frame->linesize, 0, frame->height, out->data,
                     out->linesize);
}


int
judge_keyframe_jpeg(const AVFrame *frame, int width, uint8_t **jpeg,
    uint32_t *size)
{
    int              rc;
    AVFrame         *small;
    const AVCodec   *codec;
    AVCodecContext  *encoder;

    codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG);
    encoder = codec ? avcodec_alloc_context3(codec) : NULL;
    small = av_frame_alloc();
    rc = encoder && small ? judge_keyframe_scale(frame, width, small)
                          : AVERROR(ENOMEM);

    if (rc >= 0) {
        encoder->width = small->width;
        encoder->height = small->height;
        encoder->pix_fmt = small->format;
        encoder->time_base = (AVRational) { 1, 25 };
        encoder->color_range = AVCOL_RANGE_JPEG;
        encoder->flags |= AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT;
        encoder->global_quality = JUDGE_KEYFRAME_QUALITY * FF_QP2LAMBDA;
        encoder->thread_count = 1;
        rc = avcodec_open2(encoder, codec, NULL);
    }

    if (rc >= 0) {
        rc = judge_keyframe_encode(encoder, small, jpeg, size);
    }

    av_frame_free(&small);
    avcodec_free_context(&encoder);

    return rc;
}


static int
judge_keyframe_scale(const AVFrame *frame, int width, AVFrame *out)
{
    int                 rc, height;
    struct SwsContext  *scale;

    width = frame->width < width ? frame->width : width;
    height = (int) ((int64_t) frame->height * width / frame->width);
    out->width = width;
    out->height = height > 0 ? height : 1;
    out->format = AV_PIX_FMT_YUVJ420P;
    out->color_range = AVCOL_RANGE_JPEG;

    if (out->height > JUDGE_KEYFRAME_HEIGHT_MAX) {
        return AVERROR(EINVAL);
    }

    rc = av_frame_get_buffer(out, 0);
    if (rc < 0) {
        return rc;
    }

    scale = sws_getContext(frame->width, frame->height, frame->format,
                           out->width, out->height, out->format,
                           SWS_AREA, NULL, NULL, NULL);
    if (scale == NULL) {
        return AVERROR(EINVAL);
    }

    rc = sws_scale(scale, (const uint8_t *const *) frame->data,
                   frame->linesize, 0, frame->height, out->data,
                   out->linesize);
    sws_freeContext(scale);

    return rc;
}


static int
judge_keyframe_encode(AVCodecContext *encoder, AVFrame *frame, uint8_t **jpeg,
    uint32_t *size)
{
    int        rc;
    AVPacket  *packet;

    packet = av_packet_alloc();
    if (packet == NULL) {
        return AVERROR(ENOMEM);
    }

    frame->quality = encoder->global_quality;
    frame->pts = 0;

    rc = avcodec_send_frame(encoder, frame);
    if (rc >= 0) {
        rc = avcodec_receive_packet(encoder, packet);
    }

    if (rc >= 0) {
        *jpeg = malloc((size_t) packet->size);
        if (*jpeg == NULL) {
            rc = AVERROR(ENOMEM);
        } else {
            memcpy(*jpeg, packet->data, (size_t) packet->size);
            *size = (uint32_t) packet->size;
        }
    }

    av_packet_free(&packet);

    return rc;
}
