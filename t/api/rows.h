/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Rows to begin with, of tests that run operations of the store. */


#ifndef JUDGE_T_ROWS_H
#define JUDGE_T_ROWS_H


#include "harness.h"


judge_str_t t_row_id(t_api_t *api, const char *prefix);

/* A judge of text: the operation that makes it; made, its identifier. */
judge_judge_create_t *t_judge_row(t_api_t *api);
judge_str_t t_make_judge(t_api_t *api);


#endif /* JUDGE_T_ROWS_H */
