/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a test program needs to print TAP.  What fails is told on stderr, with
 * the file and line of the call.
 */


#ifndef JUDGE_TAP_H
#define JUDGE_TAP_H


#include "base/core/str.h"


void t_ok(bool ok, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
void t_is_int(int64_t got, int64_t want, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void t_is_near(double got, double want, double slack, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void t_is_str(judge_str_t got, const char *want, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));       /* want NULL: absent */

void t_at(const char *file, int line);

#define t_ok(...)      (t_at(__FILE__, __LINE__), t_ok(__VA_ARGS__))
#define t_is_int(...)  (t_at(__FILE__, __LINE__), t_is_int(__VA_ARGS__))
#define t_is_near(...) (t_at(__FILE__, __LINE__), t_is_near(__VA_ARGS__))
#define t_is_str(...)  (t_at(__FILE__, __LINE__), t_is_str(__VA_ARGS__))

/* Whether the part is anywhere in the text. */
bool t_finds(judge_str_t text, const char *part);

/* Prints the plan; the exit code of the program. */
int t_done(void);
int t_skip_all(const char *why);


#endif /* JUDGE_TAP_H */
