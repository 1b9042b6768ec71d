/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The pictures of a video, one after the other, or a single one. */


#ifndef JUDGE_VIDEO_H
#define JUDGE_VIDEO_H


#include "keyframe.h"
#include "motion.h"
#include "span.h"


/* A mean over a second or so. */
typedef struct {
    double  from;
    double  to;
    double  sum;
    int     n;
} judge_window_t;

/* A mean, and the maximum. */
typedef struct {
    double  sum;
    double  n;
    double  max;
} judge_mean_t;

typedef struct {
    judge_media_t      *media;
    judge_keyframe_t    convert;
    judge_motion_t      motion;
    bool                ready;         /* motion is set up */
    int64_t             frames;
    double              end;           /* s, of the last frame */
    AVFrame            *before;        /* the frame before */
    AVFrame            *still;         /* that later ones may not differ
                                          from */
    double            still_at;
    double            before_diff;     /* as FFmpeg's scdet counts */
    bool              cut;             /* the last frame began a scene */
    int               levels;          /* known of frames without a cut */
    double            level[2];        /* %, of the last two frames */
    judge_shift_t     shift;           /* of the last frame */
    double            detail_at;       /* the next sample of the detail */

    judge_mean_t      brightness, contrast, dark, bright;
    judge_mean_t      saturation, colourfulness;
    judge_mean_t      sharpness, noise, blockiness;
    judge_mean_t      flicker, shake, spatial, temporal;
    judge_window_t    flicker_window, shake_window;
    judge_span_t      spans[JUDGE_SPAN_COUNT];
} judge_video_t;

void judge_video_init(judge_video_t *video, judge_media_t *media);
void judge_video_free(judge_video_t *video);

/* A frame that is shown from `at` to `to`, s.  An AVERROR; frames of another
 * size than the first are measured for themselves only. */
int judge_video_frame(judge_video_t *video, const AVFrame *frame, double at,
    double to);

/* Writes what was measured into the media. */
void judge_video_finish(judge_video_t *video);


#endif /* JUDGE_VIDEO_H */
