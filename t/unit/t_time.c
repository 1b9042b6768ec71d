/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Times as text and back. */


#include <string.h>
#include <time.h>

#include "base/core/time.h"
#include "tap.h"


#define BAD  INT64_MIN


static void
test_parse(void)
{
    size_t      i;
    judge_ms_t  t;
    static const struct {
        const char  *text;
        judge_ms_t   want;
    } rows[] = {
        { "1970-01-01T00:00:00Z", 0 },
        { "1970-01-01T00:00:00.001Z", 1 },
        { "1969-12-31T23:59:59.999Z", -1 },
        { "2026-01-31T09:30:00Z", 1769851800000 },
        { "2026-01-31t09:30:00z", 1769851800000 },
        { "2026-01-31 09:30:00Z", 1769851800000 },
        { "2026-01-31T11:00:00+01:30", 1769851800000 },
        { "2026-01-30T23:30:00-10:00", 1769851800000 },
        { "2026-01-31T09:30:00-00:00", 1769851800000 },
        { "2026-01-31T09:30:00.5Z", 1769851800500 },
        { "2026-01-31T09:30:00.123456789123456789Z", 1769851800123 },
        { "2026-01-31T09:30:00.0009+00:00", 1769851800000 },
        { "2000-02-29T00:00:00Z", 951782400000 },
        { "2024-02-29T00:00:00Z", 1709164800000 },
        { "0000-01-01T00:00:00Z", -62167219200000 },
        { "9999-12-31T23:59:59.999Z", 253402300799999 },
        { "2016-12-31T23:59:60Z", 1483228800000 },
        { "2017-01-01T00:59:60+01:00", 1483228800000 },
        { "2016-12-31T23:58:60Z", BAD },
        { "2016-12-31T23:59:61Z", BAD },
        { "1900-02-29T00:00:00Z", BAD },
        { "2026-02-29T00:00:00Z", BAD },
        { "2026-02-30T00:00:00Z", BAD },
        { "2026-04-31T00:00:00Z", BAD },
        { "2026-13-01T00:00:00Z", BAD },
        { "2026-00-01T00:00:00Z", BAD },
        { "2026-01-00T00:00:00Z", BAD },
        { "2026-01-32T00:00:00Z", BAD },
        { "2026-01-31T24:00:00Z", BAD },
        { "2026-01-31T09:60:00Z", BAD },
        { "2026-01-31T09:30:00", 1769851800000 },
        { "2026-01-31 09:30:00.25", 1769851800250 },
        { "2026-01-31T09:30", BAD },
        { "2026-01-31T09:30:0", BAD },
        { "2026-01-31T09:30:00.", BAD },
        { "2026-01-31T09:30Z", BAD },
        { "2026-01-31T09:30:00.Z", BAD },
        { "2026-01-31T09:30:00+1:00", BAD },
        { "2026-01-31T09:30:00+24:00", BAD },
        { "2026-01-31T09:30:00+01:60", BAD },
        { "2026-01-31T09:30:00+0100", BAD },
        { "2026-01-31T09:30:00Z ", BAD },
        { " 2026-01-31T09:30:00Z", BAD },
        { "2026-01-31", BAD },
        { "2026/01/31T09:30:00Z", BAD },
        { "+026-01-31T09:30:00Z", BAD },
        { "2026-01-31X09:30:00Z", BAD },
        { "0000-01-01T00:00:00+00:01", BAD },
        { "9999-12-31T23:59:59-00:01", BAD },
        { "yesterday at about noon", BAD },
        { "", BAD }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t = BAD;

        if (judge_time_parse(judge_str_c(rows[i].text), &t) != JUDGE_OK) {
            t = BAD;
        }

        t_is_int(t, rows[i].want,
                 "a time is read or refused: \"%s\"", rows[i].text);
    }

    t_is_int(judge_time_parse(JUDGE_STR("2026-01-31\00009:30:00Z"), &t),
             JUDGE_INVALID, "a time with a zero byte is refused");
}


/* The C library is the witness, a prime number of milliseconds apart. */

static void
test_all(void)
{
    char        out[JUDGE_TIME_LEN + 1], want[64];
    int64_t     wrong;
    time_t      s;
    struct tm   tm;
    judge_ms_t  t, back;

    wrong = 0;

    for (t = -62167219200000; t < 253402300800000; t += 7777777777) {
        judge_time_format(t, out);

        s = (time_t) ((t - (t % 1000 + 1000) % 1000) / 1000);
        gmtime_r(&s, &tm);
        strftime(want, sizeof(want), "-%m-%dT%H:%M:%S", &tm);

        wrong += (memcmp(out + 4, want, 15) != 0
                  || judge_time_parse(judge_str_c(out), &back) != JUDGE_OK
                  || back != t);
    }

    t_is_int(wrong, 0,
             "times of the years 0 to 9999 are read as they were written");
}


int
main(void)
{
    char            out[JUDGE_TIME_LEN + 1];
    judge_arena_t  *a;

    test_parse();
    test_all();

    judge_time_format(1769851800123, out);
    t_is_str(judge_str_c(out), "2026-01-31T09:30:00.123Z",
             "a time is written with its milliseconds");
    judge_time_format(INT64_MAX, out);
    t_is_str(judge_str_c(out), "9999-12-31T23:59:59.999Z",
             "the far future is written as the end of year 9999");
    judge_time_format(INT64_MIN, out);
    t_is_str(judge_str_c(out), "0000-01-01T00:00:00.000Z",
             "the far past is written as the beginning of year 0");

    a = judge_arena_create(0);
    t_is_str(judge_time_str(a, 0), "1970-01-01T00:00:00.000Z",
             "a time can be written into an arena");
    judge_arena_destroy(a);

    t_ok(judge_time_now() > 1769851800000, "now is later than this test");

    return t_done();
}
