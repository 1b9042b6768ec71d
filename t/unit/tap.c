/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * TAP: a line per test, the plan at the end.
 */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* memmem() */
#endif

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tap.h"

#undef t_ok
#undef t_is_int
#undef t_is_near
#undef t_is_str


static int          t_count;
static int          t_failed;
static int          t_line_number;
static const char  *t_file = "";


void
t_at(const char *file, int line)
{
    t_file = file;
    t_line_number = line;
}


static void
t_line(bool ok, const char *fmt, va_list args)
{
    va_list  again;

    t_count++;
    t_failed += !ok;

    va_copy(again, args);

    printf("%sok %d - ", ok ? "" : "not ", t_count);
    vprintf(fmt, args);
    printf("\n");

    if (!ok) {
        fflush(stdout);
        fprintf(stderr, "#   Failed test '");
        vfprintf(stderr, fmt, again);
        fprintf(stderr, "'\n#   at %s line %d.\n", t_file, t_line_number);
    }

    va_end(again);
}


/* A string on one line, so that nothing in it looks like a line of TAP. */

static void
t_show(const char *label, judge_str_t s)
{
    size_t         i;
    unsigned char  c;

    if (s.data == NULL) {
        fprintf(stderr, "#   %s: (absent)\n", label);
        return;
    }

    fprintf(stderr, "#   %s: \"", label);

    for (i = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];

        if (c < 0x20 || c == 0x7f) {
            fprintf(stderr, "\\x%02x", c);

        } else {
            putc(c, stderr);
        }
    }

    fprintf(stderr, "\" (%zu bytes)\n", s.len);
}


void
t_ok(bool ok, const char *fmt, ...)
{
    va_list  args;

    va_start(args, fmt);
    t_line(ok, fmt, args);
    va_end(args);

    if (!ok) {
        fprintf(stderr, "#   got:  false\n#   want: true\n");
    }
}


void
t_is_int(int64_t got, int64_t want, const char *fmt, ...)
{
    va_list  args;

    va_start(args, fmt);
    t_line(got == want, fmt, args);
    va_end(args);

    if (got != want) {
        fprintf(stderr, "#   got:  %" PRId64 "\n#   want: %" PRId64 "\n",
                got, want);
    }
}


void
t_is_near(double got, double want, double slack, const char *fmt, ...)
{
    bool     ok = fabs(got - want) <= slack;
    va_list  args;

    va_start(args, fmt);
    t_line(ok, fmt, args);
    va_end(args);

    if (!ok) {
        fprintf(stderr, "#   got:  %.6g\n#   want: %.6g, %g more or less\n",
                got, want, slack);
    }
}


void
t_is_str(judge_str_t got, const char *want, const char *fmt, ...)
{
    bool         ok;
    va_list      args;
    judge_str_t  wanted;

    wanted = judge_str_c(want);
    ok = (got.data == NULL) == (want == NULL) && judge_str_eq(got, wanted);

    va_start(args, fmt);
    t_line(ok, fmt, args);
    va_end(args);

    if (!ok) {
        t_show("got", got);
        t_show("want", wanted);
    }
}


bool
t_finds(judge_str_t text, const char *part)
{
    return memmem(text.data, text.len, part, strlen(part)) != NULL;
}


int
t_done(void)
{
    printf("1..%d\n", t_count);

    if (t_failed != 0) {
        fprintf(stderr, "# %d of %d failed\n", t_failed, t_count);
    }

    return t_failed != 0;
}


int
t_skip_all(const char *why)
{
    printf("1..0 # SKIP %s\n", why);

    return 0;
}
