/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Computes times until another attempt, and parses Retry-After. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE                    /* strptime() */
#endif

#include <string.h>
#include <time.h>

#include "base/net/retry.h"


#define JUDGE_SECOND  ((judge_ms_t) 1000)
#define JUDGE_MINUTE  (60 * JUDGE_SECOND)
#define JUDGE_HOUR    (60 * JUDGE_MINUTE)
#define JUDGE_YEAR    ((judge_ms_t) 31556952 * 1000)   /* on average */

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

/* The three forms of an HTTP-date, for strptime(). */

static const char *const  judge_http_dates[] = {
    "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT",
    "%a %b %e %H:%M:%S %Y", NULL
};


/* A random value from 0 to v, without an overflow of 64 bits. */

static judge_ms_t
judge_retry_part(judge_ms_t v, uint32_t random)
{
    return (judge_ms_t) ((double) v * ((double) random / 4294967295.0));
}


static judge_ms_t
judge_retry_after_bounded(const judge_attempt_t *last)
{
    if (!last->has_retry_after || last->retry_after < 0) {
        return 0;
    }

    return last->retry_after < JUDGE_RETRY_AFTER_MAX ? last->retry_after
                                                     : JUDGE_RETRY_AFTER_MAX;
}


judge_ms_t
judge_retry_delivery(unsigned failures, const judge_attempt_t *last,
    uint32_t random)
{
    judge_ms_t  wait, retry_after;

    if (failures >= JUDGE_DELIVERY_ATTEMPTS) {
        return -1;
    }

    wait = judge_delivery_waits[failures ? failures - 1 : 0];

    retry_after = judge_retry_after_bounded(last);
    if (wait < retry_after) {
        wait = retry_after;
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
    judge_ms_t  wait, retry_after;

    wait = backoff->initial;

    for (i = 1; i < failures && wait < backoff->cap; i++) {
        wait = wait > backoff->cap / 2 ? backoff->cap : wait * 2;
    }

    if (wait > backoff->cap) {
        wait = backoff->cap;
    }

    wait = wait - wait / 2 + judge_retry_part(wait / 2, random);

    retry_after = judge_retry_after_bounded(last);
    retry_after += judge_retry_part(retry_after / 10, random);

    return wait > retry_after ? wait : retry_after;
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

    value = judge_str_trim(value, " \t");

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


/* strptime() is lenient; therefore its result is printed and compared. */

static bool
judge_http_form(const char *form, const char *text, struct tm *date)
{
    char  again[64];

    memset(date, 0, sizeof(struct tm));

    return strptime(text, form, date) != NULL
           && strftime(again, sizeof(again), form, date) > 0
           && strcmp(text, again) == 0;
}


judge_rc_e
judge_http_date_parse(judge_str_t value, judge_ms_t now, judge_ms_t *t)
{
    int         year;
    char        text[64];
    size_t      form;
    struct tm   date;

    if (value.len >= sizeof(text) || memchr(value.data, '\0', value.len)) {
        return JUDGE_INVALID;
    }

    memcpy(text, value.data, value.len);
    text[value.len] = '\0';

    for (form = 0; judge_http_dates[form]; form++) {
        if (judge_http_form(judge_http_dates[form], text, &date)) {
            break;
        }
    }

    if (judge_http_dates[form] == NULL) {
        return JUDGE_INVALID;
    }

    if (strstr(judge_http_dates[form], "%y") == NULL) {
        /* "%Y" takes years with fewer than four digits, too */
        return date.tm_year < 1000 - 1900 ? JUDGE_INVALID
                                          : judge_time_make(date, 0, t);
    }

    /* try the latest year that is at most 50 years in the future */

    year = date.tm_year % 100;

    for (date.tm_year = 200 + year; date.tm_year >= 0; date.tm_year -= 100) {
        if (judge_time_make(date, 0, t) == JUDGE_OK
            && *t - now <= 50 * JUDGE_YEAR)
        {
            return JUDGE_OK;
        }
    }

    return JUDGE_INVALID;
}
