/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Times as text, without the C library's time zone and locale. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* strptime(), timegm() */
#endif

#include <string.h>
#include <time.h>

#include "base/core/time.h"
#include "base/text/ascii.h"


#define JUDGE_TIME_MIN  (-62167219200000)      /* 0000-01-01T00:00:00.000Z */
#define JUDGE_TIME_MAX  253402300799999        /* 9999-12-31T23:59:59.999Z */

#define JUDGE_DAY_MS    86400000


int64_t
judge_time_clock(clockid_t clock)
{
    struct timespec  ts;

    (void) clock_gettime(clock, &ts);  /* cannot fail: known clock */

    return (int64_t) ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}


judge_ms_t
judge_time_now(void)
{
    return judge_time_clock(CLOCK_REALTIME) / 1000;
}


static void
judge_time_digits(char *p, int64_t v, int n)
{
    while (n-- > 0) {
        p[n] = (char) ('0' + v % 10);
        v /= 10;
    }
}


void
judge_time_format(judge_ms_t t, char out[JUDGE_TIME_LEN + 1])
{
    time_t     seconds;
    struct tm  date;

    if (t < JUDGE_TIME_MIN) {
        t = JUDGE_TIME_MIN;
    }

    if (t > JUDGE_TIME_MAX) {
        t = JUDGE_TIME_MAX;
    }

    seconds = t / 1000 - (t % 1000 < 0);
    (void) gmtime_r(&seconds, &date);      /* cannot fail: these years fit */

    memcpy(out, "0000-00-00T00:00:00.000Z", JUDGE_TIME_LEN + 1);

    judge_time_digits(out, date.tm_year + 1900, 4);
    judge_time_digits(out + 5, date.tm_mon + 1, 2);
    judge_time_digits(out + 8, date.tm_mday, 2);
    judge_time_digits(out + 11, date.tm_hour, 2);
    judge_time_digits(out + 14, date.tm_min, 2);
    judge_time_digits(out + 17, date.tm_sec, 2);
    judge_time_digits(out + 20, t - (judge_ms_t) seconds * 1000, 3);
}


judge_str_t
judge_time_str(judge_arena_t *a, judge_ms_t t)
{
    char  text[JUDGE_TIME_LEN + 1];

    judge_time_format(t, text);

    return judge_str_dup(a, (judge_str_t) { JUDGE_TIME_LEN, text });
}


judge_rc_e
judge_time_make(struct tm date, int east, judge_ms_t *t)
{
    int  day, seconds;

    day = date.tm_mday;
    seconds = date.tm_sec;
    date.tm_sec = 0;
    *t = ((judge_ms_t) timegm(&date) - east * 60 + seconds) * 1000;

    /* timegm() takes February 30 for the first or second of March; a leap
     * second, which is not counted, can only end a day of UTC */

    return date.tm_mday == day && seconds <= 60
           && (seconds < 60 || *t % JUDGE_DAY_MS == 0)
           && *t >= JUDGE_TIME_MIN && *t <= JUDGE_TIME_MAX ? JUDGE_OK
                                                           : JUDGE_INVALID;
}


/* Whether the text has a digit for each 0 of the form, and else its bytes. */

static bool
judge_time_has_form(const char *p, const char *form)
{
    for (/* void */; *form; p++, form++) {
        if (*form == '0' ? !judge_ascii_digit(*p) : *p != *form) {
            return false;
        }
    }

    return true;
}


/* Parses a fraction at *p, such as ".25", if any; returns milliseconds. */

static int
judge_time_fraction(const char **p, const char *end)
{
    int  ms, unit;

    ms = 0;
    unit = 100;

    for (/* void */; *p < end && judge_ascii_digit(**p); (*p)++) {
        ms += (**p - '0') * unit;
        unit /= 10;
    }

    return ms;
}


/* Parses "Z", "+hh:mm" or nothing (UTC) as minutes east of Greenwich. */

static bool
judge_time_offset(const char *p, const char *end, int *minutes)
{
    int  h, m;

    *minutes = 0;

    if (p == end || (end - p == 1 && (*p == 'Z' || *p == 'z'))) {
        return true;
    }

    if (end - p != 6 || (*p != '+' && *p != '-')
        || !judge_time_has_form(p + 1, "00:00"))
    {
        return false;
    }

    h = (p[1] - '0') * 10 + p[2] - '0';
    m = (p[4] - '0') * 10 + p[5] - '0';
    *minutes = (*p == '-') ? -(h * 60 + m) : h * 60 + m;

    return h <= 23 && m <= 59;
}


judge_rc_e
judge_time_parse(judge_str_t s, judge_ms_t *t)
{
    int          ms, east;
    char         text[] = "2026-01-31T23:59:59";
    judge_ms_t   v;
    struct tm    date = { 0 };
    const char  *p, *end, *digits;

    if (s.len < sizeof(text) - 1) {
        return JUDGE_INVALID;
    }

    memcpy(text, s.data, sizeof(text) - 1);

    if (text[10] == 't' || text[10] == ' ') {
        text[10] = 'T';
    }

    /* strptime() also takes fewer digits, and spaces */

    if (!judge_time_has_form(text, "0000-00-00T00:00:00")
        || strptime(text, "%Y-%m-%dT%H:%M:%S", &date) == NULL)
    {
        return JUDGE_INVALID;
    }

    p = s.data + sizeof(text) - 1;
    end = s.data + s.len;
    ms = 0;

    if (p < end && *p == '.') {
        digits = ++p;
        ms = judge_time_fraction(&p, end);

        if (p == digits) {
            return JUDGE_INVALID;
        }
    }

    if (!judge_time_offset(p, end, &east)
        || judge_time_make(date, east, &v) != JUDGE_OK)
    {
        return JUDGE_INVALID;
    }

    *t = v + ms;

    return JUDGE_OK;
}
