/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "analysis/text/math.h"


#define JUDGE_LN_2  0.693147180559945309


/* ln(f * 2^n) is n * ln(2) + 2 * artanh((f - 1) / (f + 1)), with artanh by its
 * series. */

double
judge_ln(double x)
{
    int       exponent;
    double    f, f2;
    uint64_t  bits;

    if (!(x > 0)) {
        return -700;
    }

    memcpy(&bits, &x, sizeof(bits));
    exponent = (int) (bits >> 52) - 1023;
    bits = (bits & 0xfffffffffffffull) | (1023ull << 52);
    memcpy(&f, &bits, sizeof(bits));

    if (f > 1.4142135623730951) {
        f /= 2;
        exponent++;
    }

    f = (f - 1) / (f + 1);
    f2 = f * f;
    f *= 2 + f2 * (2.0 / 3 + f2 * (2.0 / 5 + f2 * (2.0 / 7
         + f2 * (2.0 / 9 + f2 * (2.0 / 11 + f2 * (2.0 / 13))))));

    return exponent * JUDGE_LN_2 + f;
}


/* e^x is e^(x / 256), which the series gives, squared eight times. */

double
judge_exp(double x)
{
    int     i;
    double  y;

    x = judge_clamp(x, -50, 50) / 256;
    y = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5
            * (1 + x / 6)))));

    for (i = 0; i < 8; i++) {
        y *= y;
    }

    return y;
}


void
judge_weights_round(double *weights, size_t n)
{
    size_t  i, best, left, unit = (n > 20) ? 1000 : 100;
    double  sum, due[JUDGE_WEIGHTS];

    for (i = 0, sum = 0; i < n; i++) {
        sum += weights[i];
    }

    for (i = 0; i < n; i++) {
        due[i] = weights[i] / sum * (double) unit;
        weights[i] = 1;
    }

    for (left = n; left > 0 && left < unit; left++) {
        for (i = 1, best = 0; i < n; i++) {
            best = (due[i] - weights[i] > due[best] - weights[best] + 1e-9)
                   ? i : best;
        }

        weights[best]++;
    }

    for (i = 0; i < n; i++) {
        weights[i] /= (double) unit;
    }
}


int
judge_by_double(const void *a, const void *b)
{
    const double  *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}


int
judge_by_float(const void *a, const void *b)
{
    const float  *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}
