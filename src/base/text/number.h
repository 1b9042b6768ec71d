/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Numbers in the form of JSON, independent of the process's locale, which is
 * not set by nginx, but may be set by another module. */


#ifndef JUDGE_NUMBER_H
#define JUDGE_NUMBER_H


#include "base/core/str.h"


#define JUDGE_NUMBER_LEN  32           /* the longest form and a zero byte */

/* Parse a whole text by JSON's grammar; JUDGE_INVALID if it is malformed or
 * out of range.  An integer has neither fraction nor exponent. */
judge_rc_e judge_integer_parse(judge_str_t text, int64_t *v);
judge_rc_e judge_number_parse(judge_str_t text, double *v);

/* Write a number, which must be finite, and a zero byte, and return the
 * length.  number writes the shortest form that is parsed as the same number;
 * number2 first rounds to two decimals what is less than 1e13. */
size_t judge_integer_format(int64_t v, char out[JUDGE_NUMBER_LEN]);
size_t judge_number_format(double v, char out[JUDGE_NUMBER_LEN]);
size_t judge_number2_format(double v, char out[JUDGE_NUMBER_LEN]);


#endif /* JUDGE_NUMBER_H */
