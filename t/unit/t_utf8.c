/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* UTF-8: what is well formed, and where it is not. */


#include <string.h>

#include "base/text/utf8.h"
#include "tap.h"


static void
test_check(void)
{
    size_t  i;
    static const struct {
        const char  *name, *text;
        int64_t      bad;                          /* -1: none */
        int64_t      chars;
    } rows[] = {
        { "empty", "", -1, 0 },
        { "ASCII", "abc", -1, 3 },
        { "long ASCII", "0123456789abcdefghijklmnopqrstuvwxyz", -1, 36 },
        { "two bytes", "\xc2\x80\xdf\xbf", -1, 2 },
        { "three bytes", "\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80", -1, 3 },
        { "four bytes", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", -1, 2 },
        { "U+FFFF", "\xef\xbf\xbf", -1, 1 },
        { "lone continuation", "ab\x80", 2, 0 },
        { "overlong solidus", "\xc0\xaf", 0, 0 },
        { "overlong c1", "\xc1\xbf", 0, 0 },
        { "overlong of three", "a\xe0\x9f\xbf", 1, 0 },
        { "overlong of four", "\xf0\x8f\xbf\xbf", 0, 0 },
        { "surrogate", "\xed\xa0\x80", 0, 0 },
        { "last surrogate", "\xed\xbf\xbf", 0, 0 },
        { "above U+10FFFF", "\xf4\x90\x80\x80", 0, 0 },
        { "f5", "\xf5\x80\x80\x80", 0, 0 },
        { "ff", "12345678\xff", 8, 0 },
        { "cut after one of two", "x\xc3", 1, 0 },
        { "cut after two of three", "x\xe2\x82", 1, 0 },
        { "cut after three of four", "12345678x\xf0\x9f\x98", 9, 0 },
        { "broken by ASCII", "\xe2\x82z", 0, 0 }
    };

    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        judge_str_t  s = judge_str_c(rows[i].text);

        t_is_int((int64_t) judge_utf8_check(s),
                 rows[i].bad < 0 ? (int64_t) s.len : rows[i].bad,
                 "well-formed UTF-8 ends where it should: %s", rows[i].name);

        if (rows[i].bad < 0) {
            t_is_int((int64_t) judge_utf8_length(s), rows[i].chars,
                     "the characters are counted: %s", rows[i].name);
        }
    }
}


/* Every code point there is, written and read again. */

static void
test_all(void)
{
    char         text[4];
    size_t       n;
    uint32_t     u, wrong;
    const char  *p;

    wrong = 0;

    for (u = 0; u <= 0x110000; u++) {
        n = judge_utf8_put(text, u);

        if ((u >= 0xd800 && u <= 0xdfff) || u > 0x10ffff) {
            wrong += (n != 0);
            continue;
        }

        p = text;
        wrong += (n == 0 || judge_utf8_next(&p, text + n) != u
                  || p != text + n);
    }

    t_is_int(wrong, 0, "all code points are read as they were written");

    p = "\xffxx";
    t_ok(judge_utf8_next(&p, p + 3) == JUDGE_UTF8_INVALID,
         "an invalid byte is told as such");
    t_ok(*p == 'x', "an invalid byte is left behind");
}


static void
test_prefix(void)
{
    size_t              i;
    static const char  *want[] = { "", "a", "a", "a\xc3\xa4", "a\xc3\xa4",
                                   "a\xc3\xa4", "a\xc3\xa4\xe2\x82\xac",
                                   "a\xc3\xa4\xe2\x82\xac" };

    for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
        t_is_str(judge_utf8_prefix(JUDGE_STR("a\xc3\xa4\xe2\x82\xac"), i),
                 want[i],
                 "a prefix of %zu bytes ends with a whole character", i);
    }
}


int
main(void)
{
    test_check();
    test_all();
    test_prefix();

    return t_done();
}
