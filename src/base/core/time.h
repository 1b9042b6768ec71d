/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Times are integers: milliseconds since 1970-01-01T00:00:00Z. */


#ifndef JUDGE_TIME_H
#define JUDGE_TIME_H


#include <time.h>

#include "base/core/str.h"


typedef int64_t  judge_ms_t;

#define JUDGE_TIME_LEN  24             /* 2026-01-31T23:59:59.999Z */

judge_ms_t judge_time_now(void);       /* the clock of the machine */
int64_t judge_time_clock(clockid_t clock);     /* one of POSIX, in us */
void judge_time_format(judge_ms_t t, char out[JUDGE_TIME_LEN + 1]);
judge_str_t judge_time_str(judge_arena_t *a, judge_ms_t t);

/* Parses RFC 3339, with any offset or none (UTC), a fraction of any length,
 * and "T", "t" or a space.  Anything else is JUDGE_INVALID, also February
 * 30. */
judge_rc_e judge_time_parse(judge_str_t s, judge_ms_t *t);

/* The time of a date of UTC, or of a place so many minutes east of it.
 * JUDGE_INVALID: there is no such date, or it is beyond the year 9999. */
judge_rc_e judge_time_make(struct tm date, int east, judge_ms_t *t);


#endif /* JUDGE_TIME_H */
