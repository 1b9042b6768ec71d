/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The Prefer header (RFC 7240). */


#ifndef JUDGE_PREFER_H
#define JUDGE_PREFER_H


#include "base/core/str.h"


#define JUDGE_WAIT_MAX  60             /* s */

/*
 * The seconds of "wait=N", at most JUDGE_WAIT_MAX; 0 where the header is
 * absent or asks for nothing that can be understood: a preference never
 * makes a request fail.
 */
int64_t judge_prefer_wait(judge_str_t header);


#endif /* JUDGE_PREFER_H */
