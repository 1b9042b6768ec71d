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

typedef enum {
    JUDGE_OPENAI_FORMULA_FINE,
    JUDGE_OPENAI_FORMULA_MALFORMED,
    JUDGE_OPENAI_FORMULA_NAME,         /* of no grader */
    JUDGE_OPENAI_FORMULA_VALUE         /* it is not a number, such as 1/0 */
} judge_openai_formula_e;

/* Without `values`, it is only checked.  Otherwise than FINE sets *error, a
 * sentence whose memory is not freed. */
judge_openai_formula_e judge_openai_calculate(judge_str_t formula,
    const judge_str_t *names, const double *values, size_t n, double *out,
    const char **error);


#endif /* JUDGE_OPENAI_CALCULATE_H */
