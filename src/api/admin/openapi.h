/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* docs/openapi.yaml as JSON, built in by util/gen/openapi.  The whole document
 * is the head, an array of servers, and the tail. */


#ifndef JUDGE_OPENAPI_H
#define JUDGE_OPENAPI_H


#include <stddef.h>


extern const char    judge_openapi_head[];
extern const char    judge_openapi_tail[];
extern const size_t  judge_openapi_head_len;
extern const size_t  judge_openapi_tail_len;
extern const char    judge_openapi_hash[];       /* of both; 32 hex digits */


#endif /* JUDGE_OPENAPI_H */
