/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <math.h>
#include <string.h>

#include "kernel.h"


#define JUDGE_KERNEL_RUN    4096       /* pixels whose sums fit 32 bits */
#define JUDGE_KERNEL_SOBEL  2048       /* likewise */


static void judge_kernel_sobel_run(const uint8_t *b, ptrdiff_t stride, int n,
    uint64_t *sum, uint64_t *squares);


judge_difference_t
judge_kernel_difference(const judge_plane_t *a, const judge_plane_t *b)
{
    int                  x, y, end, from;
    double               n;
    int32_t              sum, d;
    int64_t              total;
    uint32_t             squares, absolute;
    uint64_t             all, distance;
    const uint8_t       *p, *q;
    judge_difference_t   out;

    total = 0;
    all = distance = 0;

    for (y = 0; y < a->height; y++) {
        p = a->data + y * a->stride;
        q = b->data + y * b->stride;

        for (from = 0; from < a->width; from = end) {
            end = a->width - from > JUDGE_KERNEL_RUN
                  ? from + JUDGE_KERNEL_RUN : a->width;
            sum = 0;
            squares = absolute = 0;

            for (x = from; x < end; x++) {
                d = p[x] - q[x];
                sum += d;
                absolute += (uint32_t) (d < 0 ? -d : d);
                squares += (uint32_t) (d * d);
            }

            total += sum;
            distance += absolute;
            all += squares;
        }
    }

    n = (double) a->width * a->height;
    out.absolute = (double) distance / n;
    out.deviation = sqrt(fmax((double) all / n - (double) total / n
                                                 * ((double) total / n), 0));

    return out;
}


double
judge_kernel_distance(const judge_plane_t *a, const judge_plane_t *b)
{
    int             x, y;
    int32_t         d;
    uint32_t        row;
    uint64_t        distance;
    const uint8_t  *p, *q;

    distance = 0;

    for (y = 0; y < a->height; y++) {
        p = a->data + y * a->stride;
        q = b->data + y * b->stride;
        row = 0;

        for (x = 0; x < a->width; x++) {
            d = p[x] - q[x];
            row += (uint32_t) (d < 0 ? -d : d);
        }

        distance += row;
    }

    return (double) distance / ((double) a->width * a->height);
}


/* Magnitudes are summed in 64ths, so that the sum does not depend on its
 * order. */

double
judge_kernel_sobel(const judge_plane_t *p)
{
    int       y, from, end;
    double    n, mean;
    uint64_t  sum, squares;

    sum = squares = 0;

    for (y = 1; y < p->height - 1; y++) {
        for (from = 1; from < p->width - 1; from = end) {
            end = p->width - 1 - from > JUDGE_KERNEL_SOBEL
                  ? from + JUDGE_KERNEL_SOBEL : p->width - 1;
            judge_kernel_sobel_run(p->data + y * p->stride + from, p->stride,
                                   end - from, &sum, &squares);
        }
    }

    n = (double) (p->width - 2) * (p->height - 2);
    mean = (double) sum / 64 / n;

    return sqrt(fmax((double) squares / n - mean * mean, 0));
}


static void
judge_kernel_sobel_run(const uint8_t *b, ptrdiff_t stride, int n,
    uint64_t *sum, uint64_t *squares)
{
    int             x, gx, gy, square;
    int32_t         run;
    uint32_t        run_squares;
    const uint8_t  *a = b - stride;
    const uint8_t  *c = b + stride;

    run = 0;
    run_squares = 0;

    for (x = 0; x < n; x++) {
        gx = (a[x + 1] - a[x - 1]) + 2 * (b[x + 1] - b[x - 1])
             + (c[x + 1] - c[x - 1]);
        gy = (c[x - 1] - a[x - 1]) + 2 * (c[x] - a[x])
             + (c[x + 1] - a[x + 1]);
        square = gx * gx + gy * gy;
        run += (int32_t) (sqrtf((float) square) * 64);
        run_squares += (uint32_t) square;
    }

    *sum += (uint64_t) run;
    *squares += run_squares;
}


void
judge_kernel_project(const judge_plane_t *p, uint32_t *rows,
    uint32_t *columns)
{
    int             x, y;
    uint32_t        sum;
    const uint8_t  *line;

    memset(columns, 0, (size_t) p->width * sizeof(uint32_t));

    for (y = 0; y < p->height; y++) {
        line = p->data + y * p->stride;
        sum = 0;

        for (x = 0; x < p->width; x++) {
            sum += line[x];
            columns[x] += line[x];
        }

        rows[y] = sum;
    }
}
