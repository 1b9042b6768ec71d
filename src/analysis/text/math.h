/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The few functions that measuring needs, of additions, multiplications,
 * divisions and square roots only: IEEE 754 fixes what those give, so that a
 * score is the same on every machine, which that of a C library's log() or
 * exp() is not.
 */


#ifndef JUDGE_MATH_H
#define JUDGE_MATH_H


#include <math.h>

#include "base/core/str.h"


/* The natural logarithm, to 1e-9; of what is not positive: -700. */
double judge_ln(double x);

/* e to the power of x, x from -50 to 50, to 1e-9 of the result. */
double judge_exp(double x);

static inline double
judge_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* 0 where there is nothing to divide by. */

static inline double
judge_share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

/*
 * Weights, positive and at most JUDGE_WEIGHTS of them, become parts of 1 with
 * two decimals, three where there are more than 20, none of them 0; what
 * rounding leaves over goes to those that lack most, so that they add up to 1.
 */
#define JUDGE_WEIGHTS  128

void judge_weights_round(double *weights, size_t n);

/* Compare two of an array for qsort(), which then ascends; none is NaN. */
int judge_by_double(const void *a, const void *b);
int judge_by_float(const void *a, const void *b);

/* To two decimals, halves up. */

static inline double
judge_round2(double x)
{
    return floor(x * 100 + 0.5) / 100;
}


#endif /* JUDGE_MATH_H */
