/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Numbers as text, in every locale. */


#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text/number.h"
#include "tap.h"


static void
test_parse(void)
{
    size_t   i;
    double   d;
    int64_t  n;
    static const struct {
        const char  *text;
        bool         integer, number;
    } rows[] = {
        { "0", true, true },            { "-0", true, true },
        { "1", true, true },            { "-17", true, true },
        { "9223372036854775807", true, true },
        { "-9223372036854775808", true, true },
        { "9223372036854775808", false, true },
        { "-9223372036854775809", false, true },
        { "99999999999999999999", false, true },
        { "1.0", false, true },         { "1e2", false, true },
        { "1E+2", false, true },        { "0.1", false, true },
        { "1e308", false, true },       { "1.7976931348623157e308", false,
                                          true },
        { "1e309", false, false },      { "-1e400", false, false },
        { "1e99999999999999999999", false, false },
        { "1e-99999999999999999999", false, true },
        { "0e99999999999", false, true },
        { "5e-324", false, true },      { "1e-400", false, true },
        { "", false, false },           { "-", false, false },
        { "+1", false, false },         { "01", false, false },
        { "-01", false, false },        { "1.", false, false },
        { ".5", false, false },         { "1e", false, false },
        { "1e+", false, false },        { "1 ", false, false },
        { " 1", false, false },         { "0x10", false, false },
        { "inf", false, false },        { "nan", false, false },
        { "1,5", false, false },        { "1..2", false, false }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_str_t  s = judge_str_c(rows[i].text);

        t_ok((judge_integer_parse(s, &n) == JUDGE_OK) == rows[i].integer,
             "\"%s\" is an integer or not, as it should be", rows[i].text);
        t_ok((judge_number_parse(s, &d) == JUDGE_OK) == rows[i].number,
             "\"%s\" is a number or not, as it should be", rows[i].text);

        if (rows[i].number) {
            (void) judge_number_parse(s, &d);
            t_ok(d == strtod(rows[i].text, NULL),
                 "the value of \"%s\" is that of the C library", rows[i].text);
        }
    }

    t_ok(judge_integer_parse(JUDGE_STR("-9223372036854775808"), &n)
         == JUDGE_OK && n == INT64_MIN, "the least integer can be read");
}


static void
test_format(void)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  i;
    static const struct {
        double       v;
        const char  *number, *number2;
    } rows[] = {
        { 0, "0", "0" },                { -0.0, "0", "0" },
        { 1, "1", "1" },                { -1.5, "-1.5", "-1.5" },
        { 87.5, "87.5", "87.5" },       { 100, "100", "100" },
        { 0.1, "0.1", "0.1" },          { 0.05, "0.05", "0.05" },
        { 0.126, "0.126", "0.13" },     { 99.999, "99.999", "100" },
        { -0.001, "-0.001", "0" },      { 33.33333, "33.33333", "33.33" },
        { -0.07, "-0.07", "-0.07" },    { 12.10, "12.1", "12.1" },
        { 1e15, "1e+15", "1e+15" },     { 999999999999999, "999999999999999",
                                          "999999999999999" },
        { 0.1 + 0.2, "0.30000000000000004", "0.3" },
        { 5e-324, "4.94065645841247e-324", "0" },
        { 1.7976931348623157e308, "1.7976931348623157e+308",
          "1.7976931348623157e+308" }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        (void) judge_number_format(rows[i].v, text);
        t_is_str(judge_str_c(text), rows[i].number,
                 "the number %g is written with all its digits", rows[i].v);
        (void) judge_number2_format(rows[i].v, text);
        t_is_str(judge_str_c(text), rows[i].number2,
                 "the number %g is written with two decimals", rows[i].v);
    }

    (void) judge_integer_format(INT64_MIN, text);
    t_is_str(judge_str_c(text), "-9223372036854775808",
             "the least integer is written with all its digits");
    (void) judge_integer_format(INT64_MAX, text);
    t_is_str(judge_str_c(text), "9223372036854775807",
             "the largest integer is written with all its digits");
}


static void
test_round_trip(const char *name)
{
    int       i, wrong;
    char      text[JUDGE_NUMBER_LEN];
    double    v, back;
    size_t    len;
    uint64_t  x;

    wrong = 0;
    x = 88172645463325252ull;

    for (i = 0; i < 200000; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;

        memcpy(&v, &x, sizeof(v));

        if (!isfinite(v)) {
            continue;
        }

        if (i % 2) {
            v = (double) (int64_t) (x >> 40) / 1000;
        }

        len = judge_number_format(v, text);
        wrong += (judge_number_parse((judge_str_t) { len, text }, &back)
                  != JUDGE_OK || back != v
                  || strspn(text, "0123456789+-.e") != len);
    }

    t_is_int(wrong, 0, "%s: random numbers come back to the bit", name);
}


static void
test_long(void)
{
    char    *text;
    double   d;
    size_t   n;

    n = 1000000;
    text = malloc(n);
    if (text == NULL) {
        return;
    }

    memset(text, '9', n);
    t_is_int(judge_number_parse((judge_str_t) { n, text }, &d),
             JUDGE_INVALID, "a number of a million digits is refused");

    text[0] = '0';
    text[1] = '.';
    t_is_int(judge_number_parse((judge_str_t) { n, text }, &d), JUDGE_OK,
             "a number of a million decimals is read");
    t_ok(d == 1.0, "a million decimals are rounded");

    free(text);
}


int
main(void)
{
    test_parse();
    test_format();
    test_round_trip("C");
    test_long();

    /* only where the machine has a locale with a decimal comma */

    if (setlocale(LC_ALL, "de_DE.UTF-8") != NULL) {
        test_round_trip("German");
        test_format();
        (void) setlocale(LC_ALL, "C");
    }

    return t_done();
}
