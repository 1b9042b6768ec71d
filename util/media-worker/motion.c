/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <stdlib.h>

#include "motion.h"


#define JUDGE_MOTION_REACH   32        /* pixels, either way */
#define JUDGE_MOTION_FITS    0.6       /* of what no shift leaves; more is no
                                          motion of the whole picture */
#define JUDGE_MOTION_STILL   0.25      /* levels of a pixel: no difference */


static bool judge_motion_match(const uint32_t *a, const uint32_t *b, int n,
    int across, double *shift);
static double judge_motion_cost(const uint32_t *a, const uint32_t *b, int n,
    int shift, int across);


bool
judge_motion_init(judge_motion_t *motion, int width, int height)
{
    size_t  n = (size_t) width + (size_t) height;

    motion->width = width;
    motion->height = height;
    motion->turn = 0;
    motion->seen = false;
    motion->sums[0] = calloc(n, sizeof(uint32_t));
    motion->sums[1] = calloc(n, sizeof(uint32_t));

    return motion->sums[0] && motion->sums[1];
}


void
judge_motion_free(judge_motion_t *motion)
{
    free(motion->sums[0]);
    free(motion->sums[1]);
    motion->sums[0] = motion->sums[1] = NULL;
}


judge_shift_t
judge_motion_add(judge_motion_t *motion, const judge_plane_t *frame)
{
    uint32_t       *now, *before;
    judge_shift_t   shift = { false, 0, 0 };

    now = motion->sums[motion->turn];
    before = motion->sums[1 - motion->turn];
    judge_kernel_project(frame, now, now + motion->height);

    if (motion->seen) {
        shift.known = judge_motion_match(now, before, motion->height,
                                         motion->width, &shift.dy)
                      && judge_motion_match(now + motion->height,
                                            before + motion->height,
                                            motion->width, motion->height,
                                            &shift.dx);
    }

    motion->turn = 1 - motion->turn;
    motion->seen = true;

    return shift;
}


/* The least mean difference; a parabola through its neighbours gives the
 * fraction. */

static bool
judge_motion_match(const uint32_t *a, const uint32_t *b, int n, int across,
    double *shift)
{
    int     i, best, reach;
    double  left, right, bend, costs[2 * JUDGE_MOTION_REACH + 1];

    reach = n / 8 < JUDGE_MOTION_REACH ? n / 8 : JUDGE_MOTION_REACH;
    best = reach;
    *shift = 0;

    for (i = 0; i <= 2 * reach; i++) {
        costs[i] = judge_motion_cost(a, b, n, i - reach, across);
        if (costs[i] < costs[best]
            || (costs[i] == costs[best] && abs(i - reach) < abs(best - reach)))
        {
            best = i;
        }
    }

    if (costs[reach] < JUDGE_MOTION_STILL) {
        return true;
    }

    if (costs[best] > JUDGE_MOTION_FITS * costs[reach] || best == 0
        || best == 2 * reach)
    {
        return best == reach;
    }

    left = costs[best - 1] - costs[best];
    right = costs[best + 1] - costs[best];
    bend = left + right;
    *shift = best - reach + (bend > 0 ? (left - right) / (2 * bend) : 0);

    return true;
}


/* The mean difference of a pixel, without that of the mean levels, so that a
 * change of light is no motion. */

static double
judge_motion_cost(const uint32_t *a, const uint32_t *b, int n, int shift,
    int across)
{
    int      i, from, to;
    int64_t  bias, sum, d;

    from = shift > 0 ? shift : 0;
    to = shift < 0 ? n + shift : n;

    for (bias = 0, i = from; i < to; i++) {
        bias += (int64_t) a[i] - b[i - shift];
    }
    bias /= to - from;

    for (sum = 0, i = from; i < to; i++) {
        d = (int64_t) a[i] - b[i - shift] - bias;
        sum += d < 0 ? -d : d;
    }

    return (double) sum / ((double) (to - from) * across);
}
