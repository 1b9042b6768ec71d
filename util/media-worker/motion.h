/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The motion of the whole picture from frame to frame, by the sums of its
 * rows and columns (gray projection, as for stabilizing): the shift at which
 * those of one frame fit those of the next.  Frames are of one size.
 */


#ifndef JUDGE_MOTION_H
#define JUDGE_MOTION_H


#include <stdbool.h>

#include "kernel.h"


typedef struct {
    int        width;
    int        height;
    uint32_t  *sums[2];                /* rows, then columns: of this frame
                                          and of the one before */
    int        turn;
    bool       seen;                   /* there is one before */
} judge_motion_t;

typedef struct {
    bool    known;                     /* false: nothing fits */
    double  dx;                        /* pixels */
    double  dy;
} judge_shift_t;

bool judge_motion_init(judge_motion_t *motion, int width, int height);
void judge_motion_free(judge_motion_t *motion);
judge_shift_t judge_motion_add(judge_motion_t *motion,
    const judge_plane_t *frame);


#endif /* JUDGE_MOTION_H */
