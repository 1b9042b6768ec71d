/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Black, frozen and changed scenes are detected as FFmpeg's blackdetect,
 * freezedetect and scdet do, with shorter times for black.
 */


#include <math.h>
#include <string.h>

#include "video.h"


#define JUDGE_VIDEO_BLACK     98.0     /* % of black pixels */
#define JUDGE_VIDEO_FROZEN    0.255    /* levels of a pixel: -60 dB */
#define JUDGE_VIDEO_SCENE     10.0     /* of scdet's score */
#define JUDGE_VIDEO_DARK      10.0     /* mean level, % */
#define JUDGE_VIDEO_BLURRED   28.0     /* sharpness, % */
#define JUDGE_VIDEO_FLICKER   1.0      /* %, mean of a second */
#define JUDGE_VIDEO_SHAKE     0.15     /* %, mean of a second */
#define JUDGE_VIDEO_DETAIL    0.5      /* s between two samples */

/* The shortest of each kind, s. */
static const double  judge_video_shortest[JUDGE_SPAN_COUNT] = {
    [JUDGE_SPAN_BLACK] = 0.3,
    [JUDGE_SPAN_FROZEN] = 2,
    [JUDGE_SPAN_DARK] = 1,
    [JUDGE_SPAN_BLURRED] = 1,
    [JUDGE_SPAN_FLICKER] = 1,
    [JUDGE_SPAN_SHAKE] = 1,
};


static void judge_video_compare(judge_video_t *v, AVFrame *frame,
    const judge_picture_t *picture, double at, double to, bool black);
static void judge_video_change(judge_video_t *v, const judge_picture_t *now,
    double at);
static void judge_video_frozen(judge_video_t *v, AVFrame *frame,
    const judge_picture_t *now, double at, double to, bool black);
static void judge_video_motion(judge_video_t *v, const judge_picture_t *now,
    double at, double to);
static void judge_video_level(judge_video_t *v, double level, double at,
    double to);
static void judge_video_detail(judge_video_t *v,
    const judge_picture_t *picture, double at, double to);
static void judge_window_add(judge_window_t *window, judge_span_t *span,
    double limit, double value, double at, double to);
static void judge_window_end(judge_window_t *window, judge_span_t *span,
    double limit);
static void judge_mean_add(judge_mean_t *mean, double value);
static double judge_mean(const judge_mean_t *mean);
static bool judge_video_same(const AVFrame *a, const AVFrame *b);
static judge_plane_t judge_video_luma(const AVFrame *frame);


void
judge_video_init(judge_video_t *video, judge_media_t *media)
{
    size_t  i;

    memset(video, 0, sizeof(judge_video_t));
    video->media = media;

    for (i = 0; i < JUDGE_SPAN_COUNT; i++) {
        video->spans[i].spans = &media->spans[i];
        video->spans[i].shortest = judge_video_shortest[i];
        video->spans[i].gap = 0.02;
    }

    /* Nothing is known between two samples. */
    video->spans[JUDGE_SPAN_BLURRED].gap = 2 * JUDGE_VIDEO_DETAIL;
}


void
judge_video_free(judge_video_t *video)
{
    judge_keyframe_free(&video->convert);
    judge_motion_free(&video->motion);
    av_frame_free(&video->before);
    av_frame_free(&video->still);
}


int
judge_video_frame(judge_video_t *v, const AVFrame *frame, double at,
    double to)
{
    int              rc;
    bool             black;
    AVFrame         *view;
    judge_levels_t   levels;
    judge_picture_t  picture;

    rc = judge_keyframe_view(&v->convert, frame, &view, &picture);
    if (rc < 0) {
        return rc;
    }

    judge_picture_levels(&picture, &levels);
    black = levels.black >= JUDGE_VIDEO_BLACK;
    judge_span_add(&v->spans[JUDGE_SPAN_BLACK], black, at, to);
    judge_span_add(&v->spans[JUDGE_SPAN_DARK],
                   !black && levels.mean < JUDGE_VIDEO_DARK, at, to);

    if (!black) {
        judge_mean_add(&v->brightness, levels.mean);
        judge_mean_add(&v->contrast, levels.deviation);
        judge_mean_add(&v->dark, levels.dark);
        judge_mean_add(&v->bright, levels.bright);
    }

    /* An image is compared with nothing. */
    if (picture.luma.width > 2 && picture.luma.height > 2
        && (v->frames || v->media->kind != JUDGE_MEDIA_IMAGE))
    {
        judge_video_compare(v, view, &picture, at, to, black);
        judge_video_level(v, levels.mean, at, to);
    }

    if (at >= v->detail_at && !black) {
        judge_video_detail(v, &picture, at, to);
    }

    v->frames++;
    v->end = to;
    av_frame_free(&v->before);
    v->before = view;

    return v->still || (v->still = av_frame_clone(view))
           ? 0 : AVERROR(ENOMEM);
}


/* With the frames before. */

static void
judge_video_compare(judge_video_t *v, AVFrame *frame,
    const judge_picture_t *picture, double at, double to, bool black)
{
    if (!black) {
        judge_mean_add(&v->spatial, judge_kernel_sobel(&picture->luma)
                                    * (picture->full ? 1 : 255.0 / 219.0));
    }

    if (v->before && !judge_video_same(v->before, frame)) {
        av_frame_free(&v->before);
        av_frame_free(&v->still);
        judge_motion_free(&v->motion);
        v->ready = false;
    }

    if (!v->ready) {
        v->ready = judge_motion_init(&v->motion, frame->width,
                                     frame->height);
    }

    v->cut = false;
    if (v->before) {
        judge_video_change(v, picture, at);
        judge_video_frozen(v, frame, picture, at, to, black);
    } else {
        v->still_at = at;
    }

    if (v->ready) {
        judge_video_motion(v, picture, at, to);
    }
}


static void
judge_video_change(judge_video_t *v, const judge_picture_t *now, double at)
{
    double              diff, score;
    judge_plane_t       before = judge_video_luma(v->before);
    judge_difference_t  d;

    d = judge_kernel_difference(&now->luma, &before);
    judge_mean_add(&v->temporal,
                   d.deviation * (now->full ? 1 : 255.0 / 219.0));

    diff = d.absolute * 100 / 256;
    score = fmin(diff, fabs(diff - v->before_diff));
    v->before_diff = diff;

    if (score >= JUDGE_VIDEO_SCENE) {
        v->cut = true;
        judge_span_point(&v->media->spans[JUDGE_SPAN_SCENE], at);
    }
}


static void
judge_video_frozen(judge_video_t *v, AVFrame *frame,
    const judge_picture_t *now, double at, double to, bool black)
{
    bool           same;
    judge_plane_t  still = judge_video_luma(v->still);

    same = !black
           && judge_kernel_distance(&now->luma, &still) <= JUDGE_VIDEO_FROZEN;

    if (same) {
        judge_span_add(&v->spans[JUDGE_SPAN_FROZEN], true, v->still_at, to);
        return;
    }

    judge_span_end(&v->spans[JUDGE_SPAN_FROZEN]);
    av_frame_free(&v->still);
    v->still = av_frame_clone(frame);
    v->still_at = at;
}


/* A pan moves evenly; what changes from frame to frame is a shaking hand. */

static void
judge_video_motion(judge_video_t *v, const judge_picture_t *now, double at,
    double to)
{
    double         change, diagonal;
    judge_shift_t  shift;

    shift = judge_motion_add(&v->motion, &now->luma);

    if (shift.known && v->shift.known && !v->cut) {
        diagonal = hypot(now->luma.width, now->luma.height);
        change = 100 * hypot(shift.dx - v->shift.dx, shift.dy - v->shift.dy)
                 / diagonal;
        judge_mean_add(&v->shake, change);
        judge_window_add(&v->shake_window, &v->spans[JUDGE_SPAN_SHAKE],
                         JUDGE_VIDEO_SHAKE, change, at, to);
    }

    v->shift = shift;
    v->shift.known = shift.known && !v->cut;
}


/* Frame by frame: how far the one before lies from the line between its
 * neighbours. */

static void
judge_video_level(judge_video_t *v, double level, double at, double to)
{
    double  off;

    if (v->cut) {
        v->levels = 0;
    }

    if (v->levels == 2) {
        off = fabs(v->level[1] - (v->level[0] + level) / 2);
        judge_mean_add(&v->flicker, off);
        judge_window_add(&v->flicker_window, &v->spans[JUDGE_SPAN_FLICKER],
                         JUDGE_VIDEO_FLICKER, off, at, to);
    }

    v->level[0] = v->level[1];
    v->level[1] = level;
    v->levels += v->levels < 2;
}


static void
judge_video_detail(judge_video_t *v, const judge_picture_t *picture,
    double at, double to)
{
    judge_detail_t   detail;
    judge_colours_t  colours;

    v->detail_at = at + JUDGE_VIDEO_DETAIL;

    judge_picture_colours(picture, &colours);
    judge_mean_add(&v->saturation, colours.saturation);
    judge_mean_add(&v->colourfulness, colours.colourfulness);

    judge_picture_detail(picture, &detail);
    judge_mean_add(&v->sharpness, detail.sharpness);
    judge_mean_add(&v->noise, detail.noise);
    judge_mean_add(&v->blockiness, detail.blockiness);

    if (!isnan(detail.sharpness)) {
        judge_span_add(&v->spans[JUDGE_SPAN_BLURRED],
                       detail.sharpness < JUDGE_VIDEO_BLURRED, at, to);
    }
}


void
judge_video_finish(judge_video_t *v)
{
    size_t   i;
    double   seconds;
    double  *values = v->media->values;

    judge_window_end(&v->flicker_window, &v->spans[JUDGE_SPAN_FLICKER],
                     JUDGE_VIDEO_FLICKER);
    judge_window_end(&v->shake_window, &v->spans[JUDGE_SPAN_SHAKE],
                     JUDGE_VIDEO_SHAKE);

    for (i = JUDGE_SPAN_BLACK; i <= JUDGE_SPAN_SHAKE; i++) {
        judge_span_end(&v->spans[i]);
    }

    values[JUDGE_M_BRIGHTNESS] = v->brightness.n ? judge_mean(&v->brightness)
                                                 : 0;
    values[JUDGE_M_CONTRAST] = v->contrast.n ? judge_mean(&v->contrast) : 0;
    values[JUDGE_M_DARK] = v->dark.n ? judge_mean(&v->dark) : 100;
    values[JUDGE_M_BRIGHT] = v->bright.n ? judge_mean(&v->bright) : 0;
    values[JUDGE_M_SATURATION] = judge_mean(&v->saturation);
    values[JUDGE_M_COLOURFULNESS] = judge_mean(&v->colourfulness);
    values[JUDGE_M_SHARPNESS] = judge_mean(&v->sharpness);
    values[JUDGE_M_NOISE] = judge_mean(&v->noise);
    values[JUDGE_M_BLOCKINESS] = judge_mean(&v->blockiness);

    if (v->media->kind != JUDGE_MEDIA_VIDEO) {
        return;
    }

    seconds = fmax(v->end, 1e-3);
    values[JUDGE_M_FRAME_RATE] = (double) v->frames / seconds;
    values[JUDGE_M_BLACK] = 100 / seconds
                            * v->media->spans[JUDGE_SPAN_BLACK].total;
    values[JUDGE_M_FROZEN] = 100 / seconds
                             * v->media->spans[JUDGE_SPAN_FROZEN].total;
    values[JUDGE_M_SCENES] = 60 / seconds
                             * v->media->spans[JUDGE_SPAN_SCENE].count;
    values[JUDGE_M_FLICKER] = judge_mean(&v->flicker);
    values[JUDGE_M_SHAKE] = judge_mean(&v->shake);
    values[JUDGE_M_SPATIAL] = judge_mean(&v->spatial);
    values[JUDGE_M_TEMPORAL] = judge_mean(&v->temporal);

    if (v->spatial.n) {
        values[JUDGE_M_SPATIAL_MAX] = v->spatial.max;
    }
    if (v->temporal.n) {
        values[JUDGE_M_TEMPORAL_MAX] = v->temporal.max;
    }
}


/* --- Sums ---------------------------------------------------------------- */

static void
judge_window_add(judge_window_t *window, judge_span_t *span, double limit,
    double value, double at, double to)
{
    if (window->n && at - window->from >= 1) {
        judge_window_end(window, span, limit);
    }

    if (window->n == 0) {
        window->from = at;
        window->sum = 0;
    }

    window->sum += value;
    window->to = to;
    window->n++;
}


static void
judge_window_end(judge_window_t *window, judge_span_t *span, double limit)
{
    if (window->n) {
        judge_span_add(span, window->sum / window->n >= limit, window->from,
                       window->to);
    }

    window->n = 0;
}


static void
judge_mean_add(judge_mean_t *mean, double value)
{
    if (isnan(value)) {
        return;
    }

    mean->sum += value;
    mean->n++;
    mean->max = mean->n == 1 ? value : fmax(mean->max, value);
}


static double
judge_mean(const judge_mean_t *mean)
{
    return mean->n ? mean->sum / mean->n : NAN;
}


static bool
judge_video_same(const AVFrame *a, const AVFrame *b)
{
    return a->width == b->width && a->height == b->height
           && a->format == b->format;
}


static judge_plane_t
judge_video_luma(const AVFrame *frame)
{
    return (judge_plane_t) { frame->data[0], frame->linesize[0],
                             frame->width, frame->height };
}
