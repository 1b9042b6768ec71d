/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Times as text.  Neither the C library's time zone nor its locale is used,
 * and its strftime() and strptime() have no milliseconds. */


#include <string.h>
#include <time.h>

#include "base/core/time.h"
#include "base/text/ascii.h"


#define JUDGE_TIME_MIN  (-62167219200000)      /* 0000-01-01T00:00:00.000Z */
#define JUDGE_TIME_MAX  253402300799999        /* 9999-12-31T23:59:59.999Z */

#define JUDGE_DAY_MS    86400000


judge_ms_t
judge_time_now(void)
{
    struct timespec  ts;

    (void) clock_gettime(CLOCK_REALTIME, &ts);  /* cannot fail: known clock */

    return (judge_ms_t) ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
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


/* Parses n digits; returns -1 if one of the bytes is no digit. */

static int
judge_time_number(const char *p, int n)
{
    int  v;

    for (v = 0; n > 0; n--, p++) {
        if (*p < '0' || *p > '9') {
            return -1;
        }

        v = v * 10 + (*p - '0');
    }

    return v;
}


/* timegm() takes February 30 for the first or second of March. */

static bool
judge_time_date(const char *p, judge_ms_t *t)
{
    int        year, month;
    struct tm  date = { 0 };

    year = judge_time_number(p, 4);
    month = judge_time_number(p + 5, 2);
    date.tm_mday = judge_time_number(p + 8, 2);

    if (p[4] != '-' || p[7] != '-' || year < 0 || month < 1
        || date.tm_mday < 1)
    {
        return false;
    }

    date.tm_year = year - 1900;
    date.tm_mon = month - 1;
    *t = (judge_ms_t) timegm(&date) * 1000;

    return date.tm_mon == month - 1;
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

    if (p == end || (end - p == 1 && (*p == 'Z' || *p == 'z'))) {
        *minutes = 0;
        return true;
    }

    if (end - p != 6 || (*p != '+' && *p != '-') || p[3] != ':') {
        return false;
    }

    h = judge_time_number(p + 1, 2);
    m = judge_time_number(p + 4, 2);

    if (h < 0 || h > 23 || m < 0 || m > 59) {
        return false;
    }

    *minutes = (*p == '-') ? -(h * 60 + m) : h * 60 + m;

    return true;
}


judge_rc_e
judge_time_parse(judge_str_t s, judge_ms_t *t)
{
    int          h, m, sec, ms, offset;
    judge_ms_t   v;
    const char  *p, *end, *digits;

    if (s.len < sizeof("2026-01-31T23:59:59") - 1) {
        return JUDGE_INVALID;
    }

    p = s.data;
    end = p + s.len;

    if (!judge_time_date(p, &v) || strchr("Tt ", p[10]) == NULL
        || p[10] == '\0' || p[13] != ':' || p[16] != ':')
    {
        return JUDGE_INVALID;
    }

    h = judge_time_number(p + 11, 2);
    m = judge_time_number(p + 14, 2);
    sec = judge_time_number(p + 17, 2);
    ms = 0;

    if (h < 0 || h > 23 || m < 0 || m > 59 || sec < 0 || sec > 60) {
        return JUDGE_INVALID;
    }

    p += 19;

    if (p < end && *p == '.') {
        digits = ++p;
        ms = judge_time_fraction(&p, end);

        if (p == digits) {
            return JUDGE_INVALID;
        }
    }

    if (!judge_time_offset(p, end, &offset)) {
        return JUDGE_INVALID;
    }

    v += (h * 3600 + m * 60 + sec) * 1000 + ms - offset * 60000;

    /* a leap second, which is not counted, can only end a day of UTC */

    if (sec == 60 && (v - ms) % JUDGE_DAY_MS != 0) {
        return JUDGE_INVALID;
    }

    if (v < JUDGE_TIME_MIN || v > JUDGE_TIME_MAX) {
        return JUDGE_INVALID;
    }

    *t = v;

    return JUDGE_OK;
}
