/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What is measured in one picture: levels, colours, detail. */


#ifndef JUDGE_PICTURE_H
#define JUDGE_PICTURE_H


#include <stdbool.h>

#include "kernel.h"


typedef struct {
    judge_plane_t   luma;              /* 8 bits */
    bool            full;              /* levels 0 to 255; else 16 to 235 */
    const uint8_t  *cb;                /* NULL: there are no colours */
    const uint8_t  *cr;
    ptrdiff_t       chroma_stride;
    int             chroma_step;       /* bytes from one to the next */
    int             chroma_width;
    int             chroma_height;
} judge_picture_t;

typedef struct {
    double  mean;                      /* %, as in media.h */
    double  deviation;
    double  dark;
    double  bright;
    double  black;                     /* % of pixels up to a tenth of the
                                          range, as in FFmpeg's blackdetect */
} judge_levels_t;

typedef struct {
    double  saturation;                /* % */
    double  colourfulness;
} judge_colours_t;

typedef struct {
    double  sharpness;                 /* NAN: nothing but even areas */
    double  noise;                     /* NAN: less than a tile large */
    double  blockiness;                /* NAN: likewise */
} judge_detail_t;

void judge_picture_levels(const judge_picture_t *picture,
    judge_levels_t *out);
void judge_picture_colours(const judge_picture_t *picture,
    judge_colours_t *out);
void judge_picture_detail(const judge_picture_t *picture,
    judge_detail_t *out);


#endif /* JUDGE_PICTURE_H */
