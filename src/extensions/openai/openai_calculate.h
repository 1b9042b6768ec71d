/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The formula of a grader of many: numbers, names, + - * / ^, parentheses, and
 * the functions min, max, abs, floor, ceil, exp, sqrt and log. */


#ifndef JUDGE_OPENAI_CALCULATE_H
#define JUDGE_OPENAI_CALCULATE_H


#include "base/core/str.h"


#define JUDGE_OPENAI_FORMULA  2000     /* bytes */

/* NULL, with *out; or a sentence, whose memory is not freed.  Without
 * `values`, it is only checked. */
const char *judge_openai_calculate(judge_str_t formula,
    const judge_str_t *names, const double *values, size_t n, double *out);


#endif /* JUDGE_OPENAI_CALCULATE_H */
