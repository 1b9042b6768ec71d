/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The functions that measuring needs.  They only add, multiply, divide and
 * take square roots, because IEEE 754 fixes what these give: a score is then
 * the same on every machine.  The log() and exp() of C libraries differ.
 */


#ifndef JUDGE_MATH_H
#define JUDGE_MATH_H


#include <math.h>

#include "base/core/str.h"


/* Returns the natural logarithm of x to within 1e-9, and -700 where x is not
 * positive. */
double judge_ln(double x);

/* Returns e to the power of x, to within 1e-9 of it; x is clamped to -50 and
 * 50. */
double judge_exp(double x);

static inline double
judge_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* Returns 0 where there is nothing to divide by. */

static inline double
judge_share(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

#define JUDGE_WEIGHTS  128

/*
 * Scales at most JUDGE_WEIGHTS positive weights so that they add up to 1, and
 * rounds them to two decimals, to three where there are more than 20.  None
 * becomes 0; what rounding leaves over goes to those that lack most.
 */
void judge_weights_round(double *weights, size_t n);

/* Compare elements for qsort(), in ascending order; none may be NaN. */
int judge_by_double(const void *a, const void *b);
int judge_by_float(const void *a, const void *b);

/* Rounds to two decimals, halves up. */

static inline double
judge_round2(double x)
{
    return floor(x * 100 + 0.5) / 100;
}


#endif /* JUDGE_MATH_H */
