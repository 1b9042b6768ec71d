/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Waits before another attempt; Retry-After. */


#include "base/net/retry.h"
#include "tap.h"


#define T_HOUR  3600000


static void
test_delivery(void)
{
    size_t           i;
    judge_ms_t       low, high, mid;
    judge_attempt_t  plain = { 500, false, false, 0 };
    static const judge_ms_t  waits[] = {
        5000, 300000, 1800000, 2 * T_HOUR, 5 * T_HOUR, 10 * T_HOUR,
        14 * T_HOUR, 20 * T_HOUR, 24 * T_HOUR
    };

    for (i = 0; i < 9; i++) {
        low = judge_retry_delivery((unsigned) i + 1, &plain, 0);
        mid = judge_retry_delivery((unsigned) i + 1, &plain, 1u << 31);
        high = judge_retry_delivery((unsigned) i + 1, &plain, UINT32_MAX);
        t_is_int(low, waits[i],
                 "the least wait after %zu failures is known", i + 1);
        t_is_int(high, waits[i] + waits[i] / 5,
                 "the longest wait after %zu failures is a fifth more", i + 1);
        t_ok(mid > low && mid < high,
             "the usual wait after %zu failures lies between the two", i + 1);
    }

    t_ok(judge_retry_delivery(10, &plain, 0) < 0,
         "no attempt follows the tenth");
    t_ok(judge_retry_delivery(1000, &plain, 0) < 0,
         "no attempt follows after a thousand failures");
    t_is_int(judge_retry_delivery(0, &plain, 0), 5000,
             "the wait after no failure is that after one");
}


static void
test_slow_down(void)
{
    size_t  i;
    static const struct {
        judge_attempt_t  last;
        unsigned         failures;
        judge_ms_t       wait;
    } rows[] = {
        { { 429, false, false, 0 }, 1, 60000 },
        { { 502, false, false, 0 }, 1, 60000 },
        { { 504, false, false, 0 }, 1, 60000 },
        { { 0, true, false, 0 }, 1, 60000 },
        { { 0, false, false, 0 }, 1, 5000 },
        { { 503, false, false, 0 }, 1, 5000 },
        { { 429, false, false, 0 }, 2, 300000 },
        { { 503, false, true, 7000 }, 1, 7000 },
        { { 503, false, true, 1000 }, 1, 5000 },
        { { 503, false, true, -1 }, 1, 5000 },
        { { 503, false, false, 7000 }, 1, 5000 },
        { { 429, false, true, 7000 }, 1, 60000 },
        { { 429, false, true, 90000 }, 1, 90000 },
        { { 429, false, true, 90000 }, 2, 300000 },
        { { 429, false, true, INT64_MAX }, 1, 24 * T_HOUR },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_retry_delivery(rows[i].failures, &rows[i].last, 0),
                 rows[i].wait,
                 "row %zu: the wait behind status %d is known", i,
                 rows[i].last.status);
    }
}


static void
test_exponential(void)
{
    size_t           i;
    judge_attempt_t  plain = { 500, false, false, 0 };
    judge_attempt_t  asked = { 429, false, true, 20000 };
    judge_retry_t    backoff = { 1000, 30000 };
    judge_retry_t    huge = { INT64_MAX / 2 + 1, INT64_MAX };
    static const struct {
        unsigned    failures;
        judge_ms_t  low, high;
    } rows[] = {
        { 0, 500, 1000 },       { 1, 500, 1000 },       { 2, 1000, 2000 },
        { 3, 2000, 4000 },      { 5, 8000, 16000 },     { 6, 15000, 30000 },
        { 7, 15000, 30000 },    { 4000000000u, 15000, 30000 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        t_is_int(judge_retry_exponential(&backoff, rows[i].failures, &plain,
                                         0), rows[i].low,
                 "the least wait after %u failures is known",
                 rows[i].failures);
        t_is_int(judge_retry_exponential(&backoff, rows[i].failures, &plain,
                                         UINT32_MAX), rows[i].high,
                 "the longest wait after %u failures is known",
                 rows[i].failures);
    }

    t_is_int(judge_retry_exponential(&backoff, 1, &asked, 0), 20000,
             "a server's Retry-After is waited for");
    t_is_int(judge_retry_exponential(&backoff, 1, &asked, UINT32_MAX),
             22000, "a tenth more than Retry-After is waited for at most");
    t_is_int(judge_retry_exponential(&backoff, 9, &asked, UINT32_MAX),
             30000, "the longer one of both waits holds");
    t_ok(judge_retry_exponential(&huge, 5, &plain, 0) > INT64_MAX / 4,
         "long waits do not overflow");
}


static void
test_transient(void)
{
    int  i, yes;
    static const int  statuses[] = { 0, 408, 409, 425, 429, 500, 502, 503,
                                     504, 529 };
    static const int  not_these[] = { 200, 301, 400, 401, 403, 404, 410, 413,
                                      422, 501, 505 };

    yes = 0;

    for (i = 0; i < 10; i++) {
        judge_attempt_t  a = { statuses[i], false, false, 0 };

        yes += judge_attempt_is_transient(&a);
    }

    t_is_int(yes, 10, "all transient statuses are known as such");

    for (i = 0; i < 11; i++) {
        judge_attempt_t  a = { not_these[i], false, false, 0 };

        t_ok(!judge_attempt_is_transient(&a),
             "status %d is not transient", not_these[i]);
    }
}


static void
test_retry_after(void)
{
    size_t      i;
    judge_ms_t  now, wait;
    static const struct {
        const char  *value;
        judge_ms_t   wait;             /* negative: invalid */
    } rows[] = {
        { "0", 0 },                    { "120", 120000 },
        { " 7 ", 7000 },               { "\t7", 7000 },
        { "007", 7000 },               { "86400", 24 * T_HOUR },
        { "86401", 24 * T_HOUR },
        { "99999999999999999999999999999999999", 24 * T_HOUR },
        { "", -1 },                    { " ", -1 },
        { "-1", -1 },                  { "+1", -1 },
        { "1.5", -1 },                 { "1s", -1 },
        { "1 2", -1 },                 { "soon", -1 },

        { "Sun, 06 Nov 1994 08:49:47 GMT", 10000 },
        { "Sunday, 06-Nov-94 08:49:47 GMT", 10000 },
        { "Sun Nov  6 08:49:47 1994", 10000 },
        { "Wed Nov 16 08:49:37 1994", 24 * T_HOUR },
        { "Sun, 06 Nov 1994 08:49:37 GMT", 0 },
        { "Sun, 06 Nov 1994 08:49:36 GMT", 0 },
        { "Thu, 01 Jan 1970 00:00:00 GMT", 0 },
        { "Fri, 31 Dec 9999 23:59:59 GMT", 24 * T_HOUR },

        { "Sun, 06 Nov 1994 08:49:47 UTC", -1 },
        { "Sun, 06 Nov 1994 08:49:47 GMT+1", -1 },
        { "Sun, 06 Nov 1994 08:49:47", -1 },
        { "Sun, 6 Nov 1994 08:49:47 GMT", -1 },
        { "Sun, 06 nov 1994 08:49:47 GMT", -1 },
        { "Xxx, 06 Nov 1994 08:49:47 GMT", -1 },
        { "Sun, 31 Feb 1994 08:49:47 GMT", -1 },
        { "Sun, 06 Nov 1994 24:49:47 GMT", -1 },
        { "Sun, 06 Nov 1994 08:60:47 GMT", -1 },
        { "Sun, 06 Nov 94 08:49:47 GMT", -1 },
        { "Sun, 00 Nov 1994 08:49:47 GMT", -1 },
        { "Sunday, 06-Nov-1994 08:49:47 GMT", -1 },
        { "Sun Nov 6 08:49:47 1994", -1 },
        { "1994-11-06T08:49:47Z", -1 },
    };

    (void) judge_time_parse(JUDGE_STR("1994-11-06T08:49:37Z"), &now);

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        wait = -1;
        t_is_int(judge_retry_after_parse(judge_str_c(rows[i].value), now,
                                         &wait),
                 rows[i].wait < 0 ? JUDGE_INVALID : JUDGE_OK,
                 "a Retry-After is read or refused: %s", rows[i].value);
        t_is_int(wait, rows[i].wait,
                 "the wait of a Retry-After is known: %s", rows[i].value);
    }

    t_is_int(judge_retry_after_parse((judge_str_t) { 0, NULL }, now, &wait),
             JUDGE_INVALID, "an absent Retry-After has no wait");
}


/* RFC 9110: what seems more than 50 years ahead is in the past. */

static void
test_century(void)
{
    size_t      i;
    judge_ms_t  now, t, want;
    static const struct {
        const char  *now, *date, *want;
    } rows[] = {
        { "2026-06-01T00:00:00Z", "Monday, 01-Jan-70 00:00:00 GMT",
          "2070-01-01T00:00:00Z" },
        { "2026-06-01T00:00:00Z", "Monday, 01-Jan-80 00:00:00 GMT",
          "1980-01-01T00:00:00Z" },
        { "2026-06-01T00:00:00Z", "Monday, 01-Jan-27 00:00:00 GMT",
          "2027-01-01T00:00:00Z" },
        { "2080-06-01T00:00:00Z", "Monday, 01-Jan-10 00:00:00 GMT",
          "2110-01-01T00:00:00Z" },
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void) judge_time_parse(judge_str_c(rows[i].now), &now);
        (void) judge_time_parse(judge_str_c(rows[i].want), &want);
        t_is_int(judge_http_date_parse(judge_str_c(rows[i].date), now, &t),
                 JUDGE_OK, "%s", rows[i].date);
        t_is_int(t, want,
                 "a year of two digits is in the century nearest to now: %s",
                 rows[i].want);
    }
}


int
main(void)
{
    test_delivery();
    test_slow_down();
    test_exponential();
    test_transient();
    test_retry_after();
    test_century();

    return t_done();
}
