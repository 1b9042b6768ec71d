/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sums over the pixels of one or two planes of 8 bits: the inner loops, which
 * compilers turn into vector instructions.  Planes of one size, at least 3 x
 * 3, rows `stride` bytes apart.
 */


#ifndef JUDGE_KERNEL_H
#define JUDGE_KERNEL_H


#include <stddef.h>
#include <stdint.h>


typedef struct {
    const uint8_t  *data;
    ptrdiff_t       stride;
    int             width;
    int             height;
} judge_plane_t;

typedef struct {
    double  absolute;                  /* mean of |a - b| */
    double  deviation;                 /* standard deviation of a - b */
} judge_difference_t;

judge_difference_t judge_kernel_difference(const judge_plane_t *a,
    const judge_plane_t *b);

/* The same mean of |a - b| alone. */
double judge_kernel_distance(const judge_plane_t *a, const judge_plane_t *b);

/* Standard deviation of the Sobel gradient's magnitude (ITU-T P.910, 7.1). */
double judge_kernel_sobel(const judge_plane_t *p);

/* Sums of each row and of each column. */
void judge_kernel_project(const judge_plane_t *p, uint32_t *rows,
    uint32_t *columns);


#endif /* JUDGE_KERNEL_H */
