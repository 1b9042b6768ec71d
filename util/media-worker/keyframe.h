/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Decoded frames: as planes of 8 bits to measure, as JPEG to keep. */


#ifndef JUDGE_KEYFRAME_H
#define JUDGE_KEYFRAME_H


#include <libavutil/frame.h>
#include <libswscale/swscale.h>

#include "picture.h"


typedef struct {
    struct SwsContext  *scale;
    int                 width;         /* that the converter is for */
    int                 height;
    int                 format;
} judge_keyframe_t;                    /* all zero at first */

/*
 * A view of the frame: *out is a reference to it, or to a copy of 8 bits
 * where it is of another form, and *picture points into it.  The caller
 * frees *out.  An AVERROR.
 */
int judge_keyframe_view(judge_keyframe_t *f, const AVFrame *frame,
    AVFrame **out,
    judge_picture_t *picture);
void judge_keyframe_free(judge_keyframe_t *f);

/* A JPEG of it, at most `width` wide; malloc()ed.  An AVERROR. */
int judge_keyframe_jpeg(const AVFrame *frame, int width, uint8_t **jpeg,
    uint32_t *size);


#endif /* JUDGE_KEYFRAME_H */
