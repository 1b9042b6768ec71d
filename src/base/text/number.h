/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Numbers as JSON writes them, whatever the locale of the process is: nginx
 * does not set one, but a module beside us may. */


#ifndef JUDGE_NUMBER_H
#define JUDGE_NUMBER_H


#include "base/core/str.h"


#define JUDGE_NUMBER_LEN  32           /* the longest form and a zero byte */

/* The whole text, by the grammar of JSON; JUDGE_INVALID also when out of
 * range.  An integer has neither fraction nor exponent. */
judge_rc_e judge_integer_parse(judge_str_t text, int64_t *v);
judge_rc_e judge_number_parse(judge_str_t text, double *v);

/* Each returns the length of the text, which ends with a zero byte.  v is
 * finite.  number writes the shortest form that reads back the same; number2
 * rounds to two decimals first. */
size_t judge_integer_format(int64_t v, char out[JUDGE_NUMBER_LEN]);
size_t judge_number_format(double v, char out[JUDGE_NUMBER_LEN]);
size_t judge_number2_format(double v, char out[JUDGE_NUMBER_LEN]);


#endif /* JUDGE_NUMBER_H */
