/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a test program needs to print TAP.
 */


#ifndef JUDGE_TAP_H
#define JUDGE_TAP_H


#include "base/core/str.h"


void t_ok(bool ok, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void t_is_int(int64_t got, int64_t want, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void t_is_str(judge_str_t got, const char *want, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));       /* want NULL: absent */

/* Prints the plan; the exit code of the program. */
int t_done(void);
int t_skip_all(const char *why);


#endif /* JUDGE_TAP_H */
