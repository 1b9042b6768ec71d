/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* This file converts numbers with few digits, as nearly all have, exactly and
 * faster than the C library, which converts the others. */


#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/ascii.h"
#include "base/text/number.h"


#define JUDGE_NUMBER_EXACT    9007199254740992.0      /* 2^53 */
#define JUDGE_NUMBER_POWERS   22       /* 10^22 is the last exact double */
#define JUDGE_NUMBER_EXP_MAX  100000   /* larger ones mean 0 or infinity */


/* The parsed parts of a number, which is digits * 10^exp. */

typedef struct {
    bool      negative;
    bool      whole;                   /* neither fraction nor exponent */
    bool      exact;                   /* all the digits are in `digits` */
    int       exp;
    uint64_t  digits;
} judge_number_parts_t;


static bool
judge_is_digit(const char *p, const char *end)
{
    return p < end && judge_ascii_digit(*p);
}


/* Parses digits at p; returns their end, or NULL if there is none. */

static const char *
judge_number_digits(judge_number_parts_t *n, const char *p, const char *end,
    bool fraction)
{
    if (!judge_is_digit(p, end)) {
        return NULL;
    }

    for (/* void */; judge_is_digit(p, end); p++) {
        if (n->digits > (UINT64_MAX - 9) / 10) {
            n->exact = false;
            continue;
        }

        n->digits = n->digits * 10 + (uint64_t) (*p - '0');
        n->exp -= fraction;
    }

    return p;
}


static const char *
judge_number_exponent(judge_number_parts_t *n, const char *p, const char *end)
{
    int   exp;
    bool  negative;

    negative = false;

    if (p < end && (*p == '+' || *p == '-')) {
        negative = (*p++ == '-');
    }

    if (!judge_is_digit(p, end)) {
        return NULL;
    }

    for (exp = 0; judge_is_digit(p, end); p++) {
        if (exp < JUDGE_NUMBER_EXP_MAX) {
            exp = exp * 10 + (*p - '0');
        }
    }

    n->exp += negative ? -exp : exp;

    return p;
}


static judge_rc_e
judge_number_split(judge_number_parts_t *n, judge_str_t text)
{
    const char  *p, *end;

    if (text.len == 0 || text.len > INT32_MAX / 2) {
        return JUDGE_INVALID;
    }

    *n = (judge_number_parts_t) { .whole = true, .exact = true };
    p = text.data;
    end = p + text.len;

    if (*p == '-') {
        n->negative = true;
        p++;
    }

    if (end - p > 1 && p[0] == '0' && judge_is_digit(p + 1, end)) {
        return JUDGE_INVALID;
    }

    p = judge_number_digits(n, p, end, false);

    if (p != NULL && p < end && *p == '.') {
        n->whole = false;
        p = judge_number_digits(n, p + 1, end, true);
    }

    if (p != NULL && p < end && (*p == 'e' || *p == 'E')) {
        n->whole = false;
        p = judge_number_exponent(n, p + 1, end);
    }

    return p == end ? JUDGE_OK : JUDGE_INVALID;
}


judge_rc_e
judge_integer_parse(judge_str_t text, int64_t *v)
{
    judge_number_parts_t  n;

    if (judge_number_split(&n, text) != JUDGE_OK || !n.whole || !n.exact) {
        return JUDGE_INVALID;
    }

    if (n.digits > (uint64_t) INT64_MAX + n.negative) {
        return JUDGE_INVALID;
    }

    *v = n.negative ? (int64_t) (0 - n.digits) : (int64_t) n.digits;

    return JUDGE_OK;
}


/* The locale where '.' is the decimal point.  The C library has it built in:
 * newlocale() allocates nothing. */

static locale_t  judge_number_locale;

static void
judge_number_locale_get(void)
{
    judge_number_locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
}


/* Makes it this thread's locale; returns the one before. */

static locale_t
judge_number_enter(void)
{
    static pthread_once_t  once = PTHREAD_ONCE_INIT;

    (void) pthread_once(&once, judge_number_locale_get);

    return uselocale(judge_number_locale);
}


static judge_rc_e
judge_number_libc(judge_str_t text, double *v)
{
    char      *p, copy[128];
    locale_t   old;

    p = (text.len < sizeof(copy)) ? copy : malloc(text.len + 1);
    if (p == NULL) {
        return JUDGE_NOMEM;
    }

    memcpy(p, text.data, text.len);
    p[text.len] = '\0';

    old = judge_number_enter();
    *v = strtod(p, NULL);
    (void) uselocale(old);

    if (p != copy) {
        free(p);
    }

    return isfinite(*v) ? JUDGE_OK : JUDGE_INVALID;
}


judge_rc_e
judge_number_parse(judge_str_t text, double *v)
{
    double                d;
    judge_number_parts_t  n;
    static const double   powers[JUDGE_NUMBER_POWERS + 1] = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12,
        1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22
    };

    if (judge_number_split(&n, text) != JUDGE_OK) {
        return JUDGE_INVALID;
    }

    /* one operation on two exact doubles is rounded correctly */

    if (!n.exact || n.digits > (uint64_t) JUDGE_NUMBER_EXACT
        || n.exp < -JUDGE_NUMBER_POWERS || n.exp > JUDGE_NUMBER_POWERS)
    {
        return judge_number_libc(text, v);
    }

    d = (double) n.digits;
    d = (n.exp < 0) ? d / powers[-n.exp] : d * powers[n.exp];
    *v = n.negative ? -d : d;

    return JUDGE_OK;
}


size_t
judge_integer_format(int64_t v, char out[JUDGE_NUMBER_LEN])
{
    size_t    len, n;
    uint64_t  u, rest;

    u = (v < 0) ? 0 - (uint64_t) v : (uint64_t) v;
    len = (v < 0) + 1;
    out[0] = '-';

    for (rest = u; rest > 9; rest /= 10) {
        len++;
    }

    for (n = len; n > (v < 0); u /= 10) {
        out[--n] = (char) ('0' + u % 10);
    }

    out[len] = '\0';

    return len;
}


size_t
judge_number_format(double v, char out[JUDGE_NUMBER_LEN])
{
    int       precision;
    double    back;
    size_t    len;
    locale_t  old;

    if (fabs(v) < 1e15 && v == trunc(v)) {
        return judge_integer_format((int64_t) v, out);
    }

    /* most numbers have at most two decimals, which are faster */

    len = fabs(v) < 1e13 ? judge_number2_format(v, out) : 0;
    if (len
        && judge_number_parse((judge_str_t) { len, out }, &back) == JUDGE_OK
        && back == v)
    {
        return len;
    }

    old = judge_number_enter();

    for (precision = 15, back = NAN; precision <= 17 && back != v;
         precision++)
    {
        len = (size_t) snprintf(out, JUDGE_NUMBER_LEN, "%.*g", precision, v);
        back = strtod(out, NULL);
    }

    (void) uselocale(old);

    return len;
}


size_t
judge_number2_format(double v, char out[JUDGE_NUMBER_LEN])
{
    size_t   len;
    int64_t  cents, rest;

    if (fabs(v) >= 1e13) {
        return judge_number_format(v, out);    /* doubles are too coarse */
    }

    if (v == (double) (int64_t) v) {
        return judge_integer_format((int64_t) v, out);
    }

    cents = llround(v * 100);
    rest = llabs(cents) % 100;
    len = 0;

    if (cents < 0) {
        out[len++] = '-';
    }

    len += judge_integer_format(llabs(cents) / 100, out + len);

    if (rest != 0) {
        out[len++] = '.';
        out[len++] = (char) ('0' + rest / 10);

        if (rest % 10 != 0) {
            out[len++] = (char) ('0' + rest % 10);
        }
    }

    out[len] = '\0';

    return len;
}
