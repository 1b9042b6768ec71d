/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Recognises forms of cells by regular expressions, independently of the
 * locale and byte by byte, since cells may be damaged. */


#include <string.h>

#include "base/csv/csv.h"
#include "base/text/ascii.h"


/* Parts of the expressions, in which white space doesn't count: "\x20" is a
 * blank.  Between the parts of a date may stand days of the week, and behind a
 * number two letters such as "th". */

#define JUDGE_SPACE    "(?: \\s | \\xc2\\xa0 )*+"
#define JUDGE_WEEKDAY                                                         \
    "(?: mon(?:day)? | tue(?:sday)? | wed(?:nesday)? | thu(?:rsday)?"         \
    " | fri(?:day)? | sat(?:urday)? | sun(?:day)? ) (?![a-z])"
#define JUDGE_BEFORE   "(?: [-/.\\x20,] | " JUDGE_WEEKDAY " )*+"
#define JUDGE_BEHIND                                                          \
    "(?: [-/.\\x20,] | " JUDGE_WEEKDAY " | [a-z]{2}(?![a-z]) )*"
#define JUDGE_DAY      "(?: 0?[1-9] | [12]\\d | 3[01] ) (?!\\d)"
#define JUDGE_MONTH    "(?: 0?[1-9] | 1[0-2] ) (?!\\d)"
#define JUDGE_NAME                                                            \
    "(?: jan(?:uary)? | feb(?:ruary)? | mar(?:ch)? | apr(?:il)? | may"        \
    " | june? | july? | aug(?:ust)? | sep(?:t(?:ember)?)? | oct(?:ober)?"     \
    " | nov(?:ember)? | dec(?:ember)? ) (?![a-z])"
#define JUDGE_ANY_YEAR  "(?: \\d{4} | \\d\\d ) (?!\\d)"

/* A time, such as 9:30, 23:59:59.999Z, 11:05 PM +02:00 or 10:30 GMT+1, may
 * end a date. */

#define JUDGE_TIME                                                            \
    "(?: (?: \\d | [01]\\d | 2[0-4] ) : [0-5]\\d"                             \
    "(?: : (?: [0-5]\\d | 60 ) (?: [.,]\\d*+ )? )? " JUDGE_SPACE              \
    "(?: [ap]m " JUDGE_SPACE " )? (?: (?: utc | gmt ) [-+]\\d"                \
    " | (?: utc | gmt )? (?: z | [-+] (?: 0\\d | 1[0-8] )"                    \
    "(?: :?[0-5]\\d )? )? ) )?"
#define JUDGE_END                                                             \
    JUDGE_BEHIND "+ (?: [a-z](?![a-z]) " JUDGE_SPACE " )? " JUDGE_TIME

/* A date in numbers has the same separator twice.  Its year has two digits
 * only behind slashes, or if day and month have two, too: 1.2.30 is probably a
 * version. */

#define JUDGE_NUMBERS(first, separators, second, third)                       \
    first JUDGE_BEHIND "? ([" separators "]) \\x20* " second                  \
    JUDGE_BEHIND "? \\g{-1} \\x20* " third " (?!\\d)"
#define JUDGE_YEAR_LAST(first, separators, second)                            \
    JUDGE_NUMBERS(first, separators "/", second, "\\d{4}") " | "              \
    JUDGE_NUMBERS(first, "/", second, "\\d\\d") " | "                         \
    JUDGE_NUMBERS("(?=\\d\\d)" first, separators, "(?=\\d\\d)" second,        \
                  "\\d\\d")

/* A single separator that three digits follow may be one of thousands or of
 * decimals: as in English, "1.234" has decimals and "1,234" has thousands.
 * The flags tell the caller, which may decide otherwise by the whole
 * column. */

#define JUDGE_CURRENCY                                                        \
    "(?: us\\$ | [$] | \\xe2\\x82[\\xac\\xb9] | \\xc2[\\xa3\\xa5]"            \
    " | usd | eur | gbp | chf | jpy | inr | cad | aud )"
#define JUDGE_DECIMAL                                                         \
    "(?| (" JUDGE_CURRENCY JUDGE_SPACE ")? [-+]?"                             \
    " | [-+] (" JUDGE_CURRENCY JUDGE_SPACE ") ) (?= (0\\d)? )"                \
    "(?: (\\d{1,3} (?: (?: ,\\d{3} )+ (?!,) | (?: \\.\\d{3} ){2,} (?!\\.)"    \
    " | \\.\\d{3} (?=,) | (?: '\\d{3} )+ | (?: \\x20\\d{3} )+ ))"             \
    " | \\d+ | (?=\\.) ) (\\.\\d+ | (,\\d+))? (e[-+]?\\d+)?"                  \
    "(" JUDGE_SPACE "%)? (?(1) | (" JUDGE_SPACE JUDGE_CURRENCY ")? )"

/* What a group of JUDGE_DECIMAL says; it makes a number of an
 * integer. */

static const struct {
    unsigned  flag;
    bool      number;
} judge_value_groups[] = {
    { 0, false },
    { JUDGE_VALUE_CURRENCY, true },
    { JUDGE_VALUE_ZEROS, false },
    { JUDGE_VALUE_GROUPED, false },
    { 0, true },                       /* a fraction */
    { JUDGE_VALUE_COMMA, true },
    { 0, true },                       /* an exponent */
    { JUDGE_VALUE_PERCENT, true },
    { JUDGE_VALUE_CURRENCY, true }
};

/* A date may have several forms, anything else has one. */

#define JUDGE_WHOLE(form)  "(?xi) \\A (?:" form ") \\z"

static const struct {
    judge_value_type_e  kind;
    unsigned            flag;
    bool                digits;        /* there is one in each of them */
    size_t              max;           /* bytes; 0: any number */
    const char         *expression;
} judge_value_forms[JUDGE_VALUE_FORMS] = {
    { JUDGE_VALUE_DATE, 0, true, 40, JUDGE_WHOLE(
          JUDGE_BEFORE
          JUDGE_NUMBERS("[1-9]\\d{3}", "-/.", JUDGE_MONTH, JUDGE_DAY)
          JUDGE_END) },
    { JUDGE_VALUE_DATE, JUDGE_VALUE_DMY, true, 40, JUDGE_WHOLE(
          JUDGE_BEFORE "(?:" JUDGE_YEAR_LAST(JUDGE_DAY, "-.", JUDGE_MONTH)
          "|" JUDGE_DAY JUDGE_BEHIND "+" JUDGE_NAME JUDGE_BEFORE
          JUDGE_ANY_YEAR ")" JUDGE_END) },
    { JUDGE_VALUE_DATE, JUDGE_VALUE_MDY, true, 40, JUDGE_WHOLE(
          JUDGE_BEFORE "(?:" JUDGE_YEAR_LAST(JUDGE_MONTH, "-", JUDGE_DAY)
          "|" JUDGE_NAME JUDGE_BEFORE JUDGE_DAY JUDGE_BEHIND "+"
          JUDGE_ANY_YEAR ")" JUDGE_END) },
    { JUDGE_VALUE_DATE, JUDGE_VALUE_MDY, true, 40, JUDGE_WHOLE(
          JUDGE_BEFORE JUDGE_NAME JUDGE_BEFORE "\\d{4} (?!\\d)"
          JUDGE_BEHIND "+" JUDGE_TIME) },
    { JUDGE_VALUE_INTEGER, 0, true, 64, JUDGE_WHOLE(JUDGE_DECIMAL) },
    { JUDGE_VALUE_URL, 0, false, 0, JUDGE_WHOLE(
          "https?://\\S{3,} | www\\.(?=\\S*\\.)\\S{5,}") }
};


judge_rc_e
judge_value_types_init(judge_value_types_t *types, judge_arena_t *arena)
{
    size_t      i;
    judge_rc_e  rc;

    for (i = 0, rc = JUDGE_OK; i < JUDGE_VALUE_FORMS && rc == JUDGE_OK; i++) {
        rc = judge_regex_compile(arena,
                                 judge_str_c(judge_value_forms[i].expression),
                                 JUDGE_REGEX_BYTES, &types->forms[i], NULL);
    }

    return rc;
}


judge_str_t
judge_value_type_trim(judge_str_t s)
{
    s = judge_str_trim(s, " \t\n\v\f\r");

    /* spreadsheets write no-break spaces */

    while (judge_str_starts(s, JUDGE_STR("\xc2\xa0"))) {
        s = judge_str_from(s, 2);
    }

    while (s.len > 1 && memcmp(s.data + s.len - 2, "\xc2\xa0", 2) == 0) {
        s.len -= 2;
    }

    return s;
}


static judge_value_type_e
judge_value_type_number(const judge_regex_t *regex, judge_str_t s,
    unsigned *flags)
{
    unsigned            i;
    judge_value_type_e  kind;

    kind = JUDGE_VALUE_INTEGER;

    for (i = 1; i < sizeof(judge_value_groups) / sizeof(judge_value_groups[0]);
         i++)
    {
        if (judge_regex_group(regex, s, i).data != NULL) {
            *flags |= judge_value_groups[i].flag;
            kind = judge_value_groups[i].number ? JUDGE_VALUE_NUMBER : kind;
        }
    }

    return kind;
}


static judge_value_type_e
judge_value_type_form(const judge_value_types_t *types, judge_str_t s,
    unsigned *flags)
{
    bool                digits;
    size_t              i, begin, end;
    judge_value_type_e  kind;

    for (i = 0; i < s.len && !judge_ascii_digit(s.data[i]); i++) {
        /* void */
    }

    digits = i < s.len;
    kind = JUDGE_VALUE_TEXT;

    for (i = 0; i < JUDGE_VALUE_FORMS
                && (kind == JUDGE_VALUE_TEXT
                    || kind == judge_value_forms[i].kind); i++)
    {
        if ((judge_value_forms[i].digits && !digits)
            || (judge_value_forms[i].max > 0
                && s.len > judge_value_forms[i].max)
            || judge_regex_find(types->forms[i], s, 0, &begin, &end)
               != JUDGE_OK)
        {
            continue;
        }

        kind = judge_value_forms[i].kind;
        *flags |= judge_value_forms[i].flag;

        if (kind == JUDGE_VALUE_INTEGER) {
            return judge_value_type_number(types->forms[i], s, flags);
        }
    }

    return kind;
}


bool
judge_value_type_email(judge_str_t s)
{
    size_t       i, dot;
    const char  *at;

    if (s.len < 6 || s.len > 254) {
        return false;
    }

    at = memchr(s.data, '@', s.len);

    if (at == NULL || at == s.data) {
        return false;
    }

    dot = 0;

    for (i = 0; i < s.len; i++) {
        if ((unsigned char) s.data[i] <= ' '
            || memchr(",;<>()[]\"\\:", s.data[i], 11) != NULL
            || (s.data[i] == '@' && s.data + i != at))
        {
            return false;
        }

        dot = (s.data[i] == '.') ? i : dot;
    }

    return s.data + dot > at + 1 && dot + 2 < s.len;
}


judge_value_type_e
judge_value_type_of(const judge_value_types_t *types, judge_str_t cell,
    unsigned *flags)
{
    judge_str_t  s;

    s = judge_value_type_trim(cell);
    *flags = (s.len < cell.len) ? JUDGE_VALUE_SPACED : 0;

    if (s.len == 0) {
        return JUDGE_VALUE_MISSING;
    }

    if (s.len <= 12 && judge_str_caseamong(s, judge_value_type_missing)) {
        *flags |= JUDGE_VALUE_MARKER;
        return JUDGE_VALUE_MISSING;
    }

    if (s.len <= 5 && judge_str_caseamong(s, judge_value_type_booleans)) {
        if (!judge_str_caseeq(s, JUDGE_STR("true"))
            && !judge_str_caseeq(s, JUDGE_STR("false")))
        {
            *flags |= JUDGE_VALUE_WORDS;
        }

        return JUDGE_VALUE_BOOLEAN;
    }

    if ((s.data[0] == '{' && s.data[s.len - 1] == '}')
        || (s.data[0] == '[' && s.data[s.len - 1] == ']'))
    {
        return JUDGE_VALUE_JSON;
    }

    if (judge_value_type_email(s)) {
        return JUDGE_VALUE_EMAIL;
    }

    return judge_value_type_form(types, s, flags);
}
