/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Rate limits of API keys: a token bucket for each, in memory that all
 * workers share.
 */


#ifndef JUDGE_LIMITS_H
#define JUDGE_LIMITS_H


#include "base/judge_bucket.h"
#include "work/judge_service.h"


/* Buckets, a power of two.  One that is full again is free for another key,
 * so that what counts is how many keys are busy at one time. */
#define JUDGE_LIMITS_SLOTS  16384

/* For whoever provides the memory: zeroed, of this size, 8-byte aligned. */
size_t judge_limits_size(void);

/*
 * Takes a token of the key's; any worker, at any time, without a lock.  Where
 * there is no room for one more busy key, it is allowed.
 */
judge_bucket_answer_t judge_limits_take(judge_limits_t *limits,
    const judge_bucket_rate_t *rate, judge_str_t key, judge_ms_t now);


#endif /* JUDGE_LIMITS_H */
