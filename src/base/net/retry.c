/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Waits before another attempt, and the Retry-After header. */


#include <stdio.h>
#include <string.h>

#include "base/net/retry.h"


#define JUDGE_SECOND  ((judge_ms_t) 1000)
#define JUDGE_MINUTE  (60 * JUDGE_SECOND)
#define JUDGE_HOUR    (60 * JUDGE_MINUTE)
#define JUDGE_YEAR    ((judge_ms_t) 31556952 * 1000)   /* in the mean */

typedef struct {
    int  year, month, day, hour, minute, second;
    bool  short_year;
} judge_http_date_t;


static const judge_ms_t  judge_delivery_waits[] = {
    5 * JUDGE_SECOND,
    5 * JUDGE_MINUTE,
    30 * JUDGE_MINUTE,
    2 * JUDGE_HOUR,
    5 * JUDGE_HOUR,
    10 * JUDGE_HOUR,
    14 * JUDGE_HOUR,
    20 * JUDGE_HOUR,
    24 * JUDGE_HOUR
};

/*
 * The forms of an HTTP-date: %a and %A are a day of the week, short and
 * long, %b a month, %d %H %M %S two digits, %e likewise or a space and one,
 * %Y four digits, %y two; all else stands for itself.
 */

static const char *const  judge_http_dates[] = {
    "%a, %d %b %Y %H:%M:%S GMT",
    "%A, %d-%b-%y %H:%M:%S GMT",
    "%a %b %e %H:%M:%S %Y"
};

static const char *const  judge_http_days[] = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    "Sunday"
};

static const char  judge_http_months[] =
    "JanFebMarAprMayJunJulAugSepOctNovDec";


/* A random part of v: 0 to v, without going beyond 64 bits. */

static judge_ms_t
judge_retry_part(judge_ms_t v, uint32_t random)
{
    return (judge_ms_t) ((double) v * ((double) random / 4294967295.0));
}


static judge_ms_t
judge_retry_asked(const judge_attempt_t *last)
{
    if (!last->asked || last->retry_after < 0) {
        return 0;
    }

    return last->retry_after < JUDGE_RETRY_AFTER_MAX ? last->retry_after
                                                     : JUDGE_RETRY_AFTER_MAX;
}


judge_ms_t
judge_retry_delivery(unsigned failures, const judge_attempt_t *last,
    uint32_t random)
{
    judge_ms_t  wait, asked;

    if (failures >= JUDGE_DELIVERY_ATTEMPTS) {
        return -1;
    }

    wait = judge_delivery_waits[failures ? failures - 1 : 0];

    asked = judge_retry_asked(last);
    if (wait < asked) {
        wait = asked;
    }

    if (wait < JUDGE_MINUTE
        && (last->timed_out || last->status == 429 || last->status == 502
            || last->status == 504))
    {
        wait = JUDGE_MINUTE;
    }

    return wait + judge_retry_part(wait / 5, random);
}


judge_ms_t
judge_retry_exponential(const judge_retry_t *backoff, unsigned failures,
    const judge_attempt_t *last, uint32_t random)
{
    unsigned    i;
    judge_ms_t  wait, asked;

    wait = backoff->initial;

    for (i = 1; i < failures && wait < backoff->cap; i++) {
        wait = wait > backoff->cap / 2 ? backoff->cap : wait * 2;
    }

    if (wait > backoff->cap) {
        wait = backoff->cap;
    }

    wait = wait - wait / 2 + judge_retry_part(wait / 2, random);

    asked = judge_retry_asked(last);
    asked += judge_retry_part(asked / 10, random);

    return wait > asked ? wait : asked;
}


bool
judge_attempt_is_transient(const judge_attempt_t *attempt)
{
    switch (attempt->status) {
    case 0:
    case 408:
    case 409:
    case 425:
    case 429:
        return true;
    case 501:
    case 505:
        return false;
    default:
        return attempt->timed_out || attempt->status >= 500;
    }
}


judge_rc_e
judge_retry_after_parse(judge_str_t value, judge_ms_t now, judge_ms_t *wait)
{
    size_t      i;
    judge_ms_t  t;

    while (value.len && (value.data[0] == ' ' || value.data[0] == '\t')) {
        value.data++;
        value.len--;
    }

    while (value.len && (value.data[value.len - 1] == ' '
                         || value.data[value.len - 1] == '\t'))
    {
        value.len--;
    }

    if (value.len == 0) {
        return JUDGE_INVALID;
    }

    t = 0;

    for (i = 0; i < value.len; i++) {
        if (value.data[i] < '0' || value.data[i] > '9') {
            break;
        }

        t = t * 10 + (value.data[i] - '0') * JUDGE_SECOND;
        if (t > JUDGE_RETRY_AFTER_MAX) {
            t = JUDGE_RETRY_AFTER_MAX;
        }
    }

    if (i < value.len) {
        if (judge_http_date_parse(value, now, &t) != JUDGE_OK) {
            return JUDGE_INVALID;
        }

        t = t > now ? t - now : 0;
    }

    *wait = t < JUDGE_RETRY_AFTER_MAX ? t : JUDGE_RETRY_AFTER_MAX;

    return JUDGE_OK;
}


/* n digits; with `space` the first may be one */

static bool
judge_http_number(judge_str_t *in, size_t n, bool space, int *v)
{
    char    c;
    size_t  i;

    if (in->len < n) {
        return false;
    }

    *v = 0;

    for (i = 0; i < n; i++) {
        c = in->data[i];

        if (i == 0 && space && c == ' ') {
            continue;
        }

        if (c < '0' || c > '9') {
            return false;
        }

        *v = *v * 10 + (c - '0');
    }

    in->data += n;
    in->len -= n;

    return true;
}


/* A name of a day, `cut` to that many letters when not 0. */

static bool
judge_http_day(judge_str_t *in, size_t cut)
{
    size_t       i;
    judge_str_t  day;

    for (i = 0; i < 7; i++) {
        day = judge_str_c(judge_http_days[i]);
        day.len = cut ? cut : day.len;

        if (judge_str_starts(*in, day)) {
            in->data += day.len;
            in->len -= day.len;
            return true;
        }
    }

    return false;
}


static bool
judge_http_month(judge_str_t *in, int *month)
{
    judge_str_t  name;

    for (*month = 1; *month <= 12; (*month)++) {
        name = (judge_str_t) { 3, judge_http_months + (*month - 1) * 3 };

        if (judge_str_starts(*in, name)) {
            in->data += 3;
            in->len -= 3;
            return true;
        }
    }

    return false;
}


static bool
judge_http_part(char c, judge_str_t *in, judge_http_date_t *d)
{
    switch (c) {
    case 'a':
        return judge_http_day(in, 3);
    case 'A':
        return judge_http_day(in, 0);
    case 'b':
        return judge_http_month(in, &d->month);
    case 'd':
        return judge_http_number(in, 2, false, &d->day);
    case 'e':
        return judge_http_number(in, 2, true, &d->day);
    case 'H':
        return judge_http_number(in, 2, false, &d->hour);
    case 'M':
        return judge_http_number(in, 2, false, &d->minute);
    case 'S':
        return judge_http_number(in, 2, false, &d->second);
    case 'Y':
        return judge_http_number(in, 4, false, &d->year);
    default:                           /* 'y' */
        d->short_year = true;
        return judge_http_number(in, 2, false, &d->year);
    }
}


static bool
judge_http_form(const char *form, judge_str_t in, judge_http_date_t *d)
{
    memset(d, 0, sizeof(judge_http_date_t));

    for (/* void */; *form; form++) {
        if (*form == '%') {
            form++;
            if (!judge_http_part(*form, &in, d)) {
                return false;
            }
            continue;
        }

        if (in.len == 0 || in.data[0] != *form) {
            return false;
        }

        in.data++;
        in.len--;
    }

    return in.len == 0;
}


static judge_rc_e
judge_http_time(const judge_http_date_t *d, int century, judge_ms_t *t)
{
    int   n;
    char  text[64];

    n = snprintf(text, sizeof(text), "%04d-%02d-%02dT%02d:%02d:%02dZ",
                 century + d->year, d->month, d->day, d->hour, d->minute,
                 d->second);
    if (n < 0 || (size_t) n >= sizeof(text)) {
        return JUDGE_INVALID;
    }

    return judge_time_parse((judge_str_t) { (size_t) n, text }, t);
}


judge_rc_e
judge_http_date_parse(judge_str_t value, judge_ms_t now, judge_ms_t *t)
{
    int                century;
    size_t             i;
    judge_http_date_t  d;

    for (i = 0; i < sizeof(judge_http_dates) / sizeof(judge_http_dates[0]);
         i++)
    {
        if (judge_http_form(judge_http_dates[i], value, &d)) {
            break;
        }
    }

    if (i == sizeof(judge_http_dates) / sizeof(judge_http_dates[0])) {
        return JUDGE_INVALID;
    }

    if (!d.short_year) {
        return judge_http_time(&d, 0, t);
    }

    /* the latest year with these digits that is not 50 years ahead */

    for (century = 2100; century >= 1900; century -= 100) {
        if (judge_http_time(&d, century, t) == JUDGE_OK
            && *t - now <= 50 * JUDGE_YEAR)
        {
            return JUDGE_OK;
        }
    }

    return JUDGE_INVALID;
}
