/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A sample of the pixels, a few hundred thousand at most, stands for all of a
 * large picture, so that the cost is bounded; it lies in a grid, the same in
 * every picture of a size.  Detail is measured in tiles of 64 x 64 pixels
 * of the full resolution.
 */


#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"


#define JUDGE_LEVELS_ROWS   360        /* rows that are sampled, about */
#define JUDGE_COLOURS_SIDE  160
#define JUDGE_TILE          64
#define JUDGE_TILES_X       8
#define JUDGE_TILES_Y       6
#define JUDGE_TILES         (JUDGE_TILES_X * JUDGE_TILES_Y)
#define JUDGE_TILE_STEP     0.8        /* mean step from pixel to pixel; below
                                          it a tile is even */
#define JUDGE_BLOCK_STEP    0.75       /* levels that are added to all steps,
                                          so that small ones count for
                                          little */
#define JUDGE_COLOUR_FULL   118.0      /* distance from grey of pure red */


typedef struct {
    double  sharpness;
    double  noise;
    double  step;
} judge_tile_t;


static void judge_tile_measure(const judge_plane_t *p, int left, int top,
    judge_tile_t *tile);
static double judge_tile_noise(const judge_plane_t *p, int left, int top);
static double judge_detail_sharpness(judge_tile_t *tiles, size_t n);
static double judge_detail_noise(judge_tile_t *tiles, size_t n);
static double judge_detail_blockiness(const judge_plane_t *p);
static double judge_blockiness_of(const double *phases);
static int judge_tile_sharper(const void *a, const void *b);
static int judge_double_order(const void *a, const void *b);


void
judge_picture_levels(const judge_picture_t *picture, judge_levels_t *out)
{
    int                   x, y, step, level;
    double                n, share, sum, squares, v;
    uint32_t              counts[256];
    const uint8_t        *line;
    const judge_plane_t  *p = &picture->luma;

    memset(counts, 0, sizeof(counts));
    memset(out, 0, sizeof(judge_levels_t));
    step = p->height > JUDGE_LEVELS_ROWS ? p->height / JUDGE_LEVELS_ROWS : 1;
    n = sum = squares = 0;

    for (y = 0; y < p->height; y += step) {
        line = p->data + y * p->stride;

        for (x = 0; x < p->width; x += step) {
            counts[line[x]]++;
        }
    }

    for (level = 0; level < 256; level++) {
        v = picture->full ? level / 255.0 : (level - 16) / 219.0;
        v = fmin(fmax(v, 0), 1);
        share = counts[level];
        n += share;
        sum += share * v;
        squares += share * v * v;
        out->dark += v < 0.05 ? share : 0;
        out->bright += v > 0.98 ? share : 0;
        out->black += v <= 0.1 ? share : 0;
    }

    out->mean = 100 * sum / n;
    out->deviation = 100 * sqrt(fmax(squares / n - sum / n * (sum / n), 0));
    out->dark *= 100 / n;
    out->bright *= 100 / n;
    out->black *= 100 / n;
}


/* R - G and (R + G) / 2 - B do not depend on luma (BT.601). */

void
judge_picture_colours(const judge_picture_t *picture, judge_colours_t *out)
{
    int             x, y, dx, dy;
    double          n, u, v, rg, yb, scale;
    double          sums[5] = { 0, 0, 0, 0, 0 };
    const uint8_t  *cb, *cr;

    memset(out, 0, sizeof(judge_colours_t));
    if (picture->cb == NULL) {
        return;
    }

    dx = picture->chroma_width / JUDGE_COLOURS_SIDE + 1;
    dy = picture->chroma_height / JUDGE_COLOURS_SIDE + 1;
    scale = picture->full ? 1 : 255.0 / 224.0;
    n = 0;

    for (y = 0; y < picture->chroma_height; y += dy) {
        cb = picture->cb + y * picture->chroma_stride;
        cr = picture->cr + y * picture->chroma_stride;

        for (x = 0; x < picture->chroma_width; x += dx) {
            u = (cb[x * picture->chroma_step] - 128) * scale;
            v = (cr[x * picture->chroma_step] - 128) * scale;
            rg = 2.116 * v + 0.344 * u;
            yb = 0.344 * v - 1.944 * u;
            sums[0] += rg;
            sums[1] += rg * rg;
            sums[2] += yb;
            sums[3] += yb * yb;
            sums[4] += sqrt(u * u + v * v);
            n++;
        }
    }

    rg = sums[0] / n;
    yb = sums[2] / n;
    out->saturation = fmin(100 * sums[4] / n / JUDGE_COLOUR_FULL, 100);
    out->colourfulness = sqrt(fmax(sums[1] / n - rg * rg, 0)
                              + fmax(sums[3] / n - yb * yb, 0))
                         + 0.3 * sqrt(rg * rg + yb * yb);
}


void
judge_picture_detail(const judge_picture_t *picture, judge_detail_t *out)
{
    int                   x, y, nx, ny;
    size_t                n;
    judge_tile_t          tiles[JUDGE_TILES];
    const judge_plane_t  *p = &picture->luma;

    out->sharpness = out->noise = out->blockiness = NAN;

    if (p->width < JUDGE_TILE || p->height < JUDGE_TILE) {
        return;
    }

    nx = p->width / JUDGE_TILE;
    ny = p->height / JUDGE_TILE;
    nx = nx > JUDGE_TILES_X ? JUDGE_TILES_X : nx;
    ny = ny > JUDGE_TILES_Y ? JUDGE_TILES_Y : ny;

    for (n = 0, y = 0; y < ny; y++) {
        for (x = 0; x < nx; x++) {
            judge_tile_measure(p,
                nx > 1 ? (p->width - JUDGE_TILE) * x / (nx - 1) : 0,
                ny > 1 ? (p->height - JUDGE_TILE) * y / (ny - 1) : 0,
                &tiles[n++]);
        }
    }

    out->noise = judge_detail_noise(tiles, n)
                 * (picture->full ? 1 : 255.0 / 219.0);
    out->sharpness = judge_detail_sharpness(tiles, n);
    out->blockiness = judge_detail_blockiness(p);
}


/*
 * The blur effect of Crete, Dolmiere, Ladret and Nicolas (2007): how much of
 * the steps between neighbours a mean over nine pixels takes away.  The mean
 * is never made: the difference of two neighbouring ones is that of the two
 * pixels in which they differ, over nine.
 */

static void
judge_tile_measure(const judge_plane_t *p, int left, int top,
    judge_tile_t *tile)
{
    int             x, y, d, b;
    uint32_t        steps[2], lost[2];
    const uint8_t  *line;
    ptrdiff_t       s = p->stride;

    memset(steps, 0, sizeof(steps));
    memset(lost, 0, sizeof(lost));

    for (y = 5; y < JUDGE_TILE - 4; y++) {
        line = p->data + (top + y) * s + left;

        for (x = 5; x < JUDGE_TILE - 4; x++) {
            d = abs(line[x] - line[x - 1]) * 9;
            b = abs(line[x + 4] - line[x - 5]);
            steps[0] += (uint32_t) d;
            lost[0] += (uint32_t) (d > b ? d - b : 0);

            d = abs(line[x] - line[x - s]) * 9;
            b = abs(line[x + 4 * s] - line[x - 5 * s]);
            steps[1] += (uint32_t) d;
            lost[1] += (uint32_t) (d > b ? d - b : 0);
        }
    }

    tile->step = (steps[0] < steps[1] ? steps[1] : steps[0]) / 9.0
                 / ((JUDGE_TILE - 9) * (JUDGE_TILE - 9));
    tile->sharpness = 1;

    for (d = 0; d < 2; d++) {
        if (steps[d] > steps[1 - d] / 4) {
            tile->sharpness = fmin(tile->sharpness,
                                   lost[d] / (double) steps[d]);
        }
    }

    tile->noise = judge_tile_noise(p, left, top);
}


/* Immerkaer, "Fast noise variance estimation" (1996). */

static double
judge_tile_noise(const judge_plane_t *p, int left, int top)
{
    int             x, y;
    uint32_t        sum;
    const uint8_t  *a, *b, *c;

    sum = 0;

    for (y = 1; y < JUDGE_TILE - 1; y++) {
        b = p->data + (top + y) * p->stride + left;
        a = b - p->stride;
        c = b + p->stride;

        for (x = 1; x < JUDGE_TILE - 1; x++) {
            sum += (uint32_t) abs(a[x - 1] - 2 * a[x] + a[x + 1]
                                  - 2 * b[x - 1] + 4 * b[x] - 2 * b[x + 1]
                                  + c[x - 1] - 2 * c[x] + c[x + 1]);
        }
    }

    return sqrt(1.5707963267948966) / 6 * sum
           / ((JUDGE_TILE - 2) * (JUDGE_TILE - 2));
}


/* The mean of the sharpest quarter: what is behind the subject may be out of
 * focus. */

static double
judge_detail_sharpness(judge_tile_t *tiles, size_t n)
{
    size_t  i, count, kept;
    double  sum;

    for (i = 0, count = 0; i < n; i++) {
        if (tiles[i].step >= JUDGE_TILE_STEP) {
            tiles[count++] = tiles[i];
        }
    }

    if (count == 0) {
        return NAN;
    }

    qsort(tiles, count, sizeof(judge_tile_t), judge_tile_sharper);
    kept = (count + 3) / 4;

    for (i = 0, sum = 0; i < kept; i++) {
        sum += tiles[i].sharpness;
    }

    return 100 * sum / (double) kept;
}


static double
judge_detail_noise(judge_tile_t *tiles, size_t n)
{
    size_t  i;
    double  noises[JUDGE_TILES];

    for (i = 0; i < n; i++) {
        noises[i] = tiles[i].noise;
    }

    qsort(noises, n, sizeof(double), judge_double_order);

    return noises[n / 5];
}


/* Steps by their place modulo 8: blocks stand out at one of the eight. */

static double
judge_detail_blockiness(const judge_plane_t *p)
{
    int             x, y;
    double          across[8], down[8];
    uint32_t        sums[8], sum;
    const uint8_t  *line;

    memset(across, 0, sizeof(across));
    memset(down, 0, sizeof(down));

    for (y = 8; y < p->height; y += 8) {
        line = p->data + y * p->stride;
        memset(sums, 0, sizeof(sums));

        for (x = 8; x < p->width; x++) {
            sums[x & 7] += (uint32_t) abs(line[x] - line[x - 1]);
        }
        for (x = 0; x < 8; x++) {
            across[x] += sums[x];
        }
    }

    for (y = 8; y < p->height; y++) {
        line = p->data + y * p->stride;
        sum = 0;

        for (x = 0; x < p->width; x += 8) {
            sum += (uint32_t) abs(line[x] - line[x - p->stride]);
        }
        down[y & 7] += sum;
    }

    sum = (uint32_t) (p->width / 8 * (p->height / 8));
    for (x = 0; x < 8; x++) {
        across[x] /= sum;
        down[x] /= sum;
    }

    return (judge_blockiness_of(across) + judge_blockiness_of(down)) / 2;
}


static double
judge_blockiness_of(const double *phases)
{
    double  sorted[8];

    memcpy(sorted, phases, sizeof(sorted));
    qsort(sorted, 8, sizeof(double), judge_double_order);

    return 100 * ((sorted[7] + JUDGE_BLOCK_STEP)
                  / ((sorted[3] + sorted[4]) / 2 + JUDGE_BLOCK_STEP) - 1);
}


static int
judge_tile_sharper(const void *a, const void *b)
{
    double  x = ((const judge_tile_t *) a)->sharpness;
    double  y = ((const judge_tile_t *) b)->sharpness;

    return (x < y) - (x > y);
}


static int
judge_double_order(const void *a, const void *b)
{
    double  x = *(const double *) a;
    double  y = *(const double *) b;

    return (x > y) - (x < y);
}
