/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Recognises forms of cells by their grammars, independently of the locale and
 * without allocations. */


#include <string.h>

#include "base/csv/csv.h"
#include "base/text/ascii.h"


#define JUDGE_DATE_MAX    40           /* bytes of a date, at most */
#define JUDGE_DATE_PARTS  4

typedef struct {
    bool      word;
    unsigned  digits;                  /* how many a number has */
    unsigned  value;                   /* the number, or a word's month */
    char      before;                  /* the byte before it, or 0 */
} judge_date_part_t;


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


/* Removes a currency before or after the number, and spaces between them. */

static judge_str_t
judge_value_type_currency(judge_str_t s, unsigned *flags)
{
    judge_str_t         sign, suffix;
    const char *const  *p;

    for (p = judge_value_type_currencies; *p != NULL; p++) {
        sign = judge_str_c(*p);

        if (s.len <= sign.len) {
            continue;
        }

        suffix = (judge_str_t) { sign.len, s.data + s.len - sign.len };

        if (judge_str_casestarts(s, sign)) {
            s.data += sign.len;

        } else if (!judge_str_caseeq(suffix, sign)) {
            continue;
        }

        *flags |= JUDGE_VALUE_CURRENCY;
        s.len -= sign.len;

        return judge_value_type_trim(s);
    }

    return s;
}


/* Whether the separator at i is one of thousands: "1,234", "1.234.567". */

static bool
judge_value_type_groups(judge_str_t s, size_t i)
{
    judge_str_t  rest;

    rest = (judge_str_t) { s.len - i - 1, s.data + i + 1 };

    if (i < 1 || i > 3 || rest.len < 3
        || (rest.len > 3 && judge_ascii_digit(rest.data[3])))
    {
        return false;
    }

    return s.data[i] != '.' || memchr(rest.data, '.', rest.len) != NULL
           || memchr(rest.data, ',', rest.len) != NULL;
}


/*
 * Parses the digits and separators of a number.  A single separator that three
 * digits follow may be one of thousands or of decimals: as in English, "1.234"
 * has decimals and "1,234" has thousands.  The flags tell the caller, which
 * may decide otherwise by the whole column.
 */

static bool
judge_value_type_digits(judge_str_t s, bool *fraction, unsigned *flags)
{
    size_t  i, n, groups, last;
    char    c, group;

    groups = 0;
    group = 0;
    last = 0;
    n = 0;
    *fraction = false;

    for (i = 0; i < s.len; i++) {
        c = s.data[i];

        if (judge_ascii_digit(c)) {
            n++;
            continue;
        }

        if ((c != '.' && c != ',' && c != ' ' && c != '\'') || *fraction
            || i + 1 == s.len)
        {
            return false;
        }

        if (groups > 0 && c == group) {
            if (i - last != 4) {
                return false;
            }

            groups++;
            last = i;
            continue;
        }

        if (groups == 0 && judge_value_type_groups(s, i)) {
            group = c;
            groups = 1;
            last = i;
            continue;
        }

        if (c == ' ' || c == '\'' || (groups > 0 && i - last != 4)) {
            return false;
        }

        *fraction = true;
        *flags |= (c == ',') ? JUDGE_VALUE_COMMA : 0;
    }

    if (groups > 0) {
        *flags |= JUDGE_VALUE_GROUPED;

        if (!*fraction && s.len - last != 4) {
            return false;
        }
    }

    return n > 0;
}


/* The number of leading bytes of that class. */

static size_t
judge_value_type_run(judge_str_t s, bool (*is)(char c))
{
    size_t  n;

    for (n = 0; n < s.len && is(s.data[n]); n++) {
        /* void */
    }

    return n;
}


/* Removes an exponent as in 1.5e-7; false: no number follows the "e". */

static bool
judge_value_type_exponent(judge_str_t *s, bool *found)
{
    size_t  i, k, n;

    *found = false;

    for (i = 1; i + 1 < s->len; i++) {
        if ((s->data[i] | 0x20) == 'e'
            && judge_ascii_digit(s->data[i - 1])) {
            break;
        }
    }

    if (i + 1 >= s->len) {
        return true;
    }

    k = i + 1 + (s->data[i + 1] == '-' || s->data[i + 1] == '+');
    n = judge_value_type_run((judge_str_t) { s->len - k, s->data + k },
                             judge_ascii_digit);

    if (n == 0 || k + n < s->len) {
        return false;
    }

    s->len = i;
    *found = true;

    return true;
}


static bool
judge_value_type_number(judge_str_t s, judge_value_type_e *kind,
    unsigned *flags)
{
    bool      fraction, exponent;
    unsigned  found;

    if (s.len == 0 || s.len > 64) {
        return false;
    }

    found = 0;
    s = judge_value_type_currency(s, &found);

    if (s.len > 1 && (s.data[0] == '-' || s.data[0] == '+')) {
        s = judge_str_from(s, 1);
        s = judge_value_type_currency(s, &found);
    }

    if (s.len > 1 && s.data[s.len - 1] == '%') {
        found |= JUDGE_VALUE_PERCENT;
        s.len--;
        s = judge_value_type_trim(s);
    }

    if (!judge_value_type_exponent(&s, &exponent) || s.len == 0
        || (!judge_ascii_digit(s.data[0]) && s.data[0] != '.')
        || !judge_value_type_digits(s, &fraction, &found))
    {
        return false;
    }

    *kind = (fraction || exponent || (found & JUDGE_VALUE_CURRENCY) != 0
             || (found & JUDGE_VALUE_PERCENT) != 0)
            ? JUDGE_VALUE_NUMBER : JUDGE_VALUE_INTEGER;

    if (s.len > 1 && s.data[0] == '0' && judge_ascii_digit(s.data[1])) {
        found |= JUDGE_VALUE_ZEROS;
    }

    *flags |= found;

    return true;
}


/* The number of the name s, from 1, also if it is abbreviated; 0: no name. */

static unsigned
judge_value_type_named(judge_str_t s, const char *const *names)
{
    unsigned     i;
    judge_str_t  head;

    for (i = 0; names[i] != NULL; i++) {
        head = judge_str_c(names[i]);
        head.len = (s.len == 3) ? 3 : head.len;

        if (judge_str_caseeq(s, head)
            || (i == 8 && judge_str_caseeq(s, JUDGE_STR("sept"))))
        {
            return i + 1;
        }
    }

    return 0;
}


/* Removes two leading digits, whose value is at most max. */

static bool
judge_value_type_two(judge_str_t *s, int max)
{
    if (s->len < 2 || !judge_ascii_digit(s->data[0])
        || !judge_ascii_digit(s->data[1])
        || (s->data[0] - '0') * 10 + s->data[1] - '0' > max)
    {
        return false;
    }

    *s = judge_str_from(*s, 2);

    return true;
}


static bool
judge_value_type_byte(judge_str_t *s, const char *bytes)
{
    if (s->len == 0 || s->data[0] == '\0'
        || strchr(bytes, s->data[0]) == NULL)
    {
        return false;
    }

    *s = judge_str_from(*s, 1);

    return true;
}


/* Whether s is a time, such as 9:30, 23:59:59.999Z or 11:05 PM +02:00. */

static bool
judge_value_type_time(judge_str_t s)
{
    bool    hour;
    size_t  n;

    hour = (s.len > 1 && s.data[1] == ':')
           ? judge_value_type_byte(&s, "0123456789")
           : judge_value_type_two(&s, 24);

    if (!hour || !judge_value_type_byte(&s, ":")
        || !judge_value_type_two(&s, 59))
    {
        return false;
    }

    if (judge_value_type_byte(&s, ":")) {
        if (!judge_value_type_two(&s, 60)) {
            return false;
        }

        if (judge_value_type_byte(&s, ".,")) {
            n = judge_value_type_run(s, judge_ascii_digit);
            s = judge_str_from(s, n);
        }
    }

    s = judge_value_type_trim(s);

    if (judge_str_casestarts(s, JUDGE_STR("am"))
        || judge_str_casestarts(s, JUDGE_STR("pm")))
    {
        s = judge_value_type_trim((judge_str_t) { s.len - 2, s.data + 2 });
    }

    /* "GMT+1" */

    if (judge_str_casestarts(s, JUDGE_STR("utc"))
        || judge_str_casestarts(s, JUDGE_STR("gmt")))
    {
        s = judge_str_from(s, 3);

        if (s.len == 2 && judge_ascii_digit(s.data[1])) {
            return judge_value_type_byte(&s, "+-");
        }
    }

    if (s.len == 0 || judge_str_caseeq(s, JUDGE_STR("z"))) {
        return true;
    }

    if (!judge_value_type_byte(&s, "+-") || !judge_value_type_two(&s, 18)) {
        return false;
    }

    if (s.len == 3) {                  /* "+02:00" */
        s = judge_str_from(s, 1);
    }

    return s.len == 0 || (judge_value_type_two(&s, 59) && s.len == 0);
}


/* Returns the month, or 0 for another word that a date may contain: a day of
 * the week, or the "th" after a number.  Negative: this is no date. */

static int
judge_value_type_word(judge_str_t word, bool after_number)
{
    unsigned  month;

    month = judge_value_type_named(word, judge_value_type_months);

    return (month != 0
            || judge_value_type_named(word, judge_value_type_days) != 0
            || (word.len == 2 && after_number)) ? (int) month : -1;
}


static unsigned
judge_value_type_value(judge_str_t digits)
{
    size_t    i;
    unsigned  value;

    for (i = 0, value = 0; i < digits.len; i++) {
        value = (value * 10 + (unsigned) (digits.data[i] - '0')) % 100000;
    }

    return value;
}


/* Removes the parts of a date from the beginning; a time may be left. */

static unsigned
judge_value_type_parts(judge_str_t *s, judge_date_part_t *parts)
{
    int          month;
    char         c, before;
    unsigned     n;
    judge_str_t  run;

    n = 0;
    before = 0;

    while (s->len > 0 && n < JUDGE_DATE_PARTS) {
        c = s->data[0];
        run = (judge_str_t) { 0, s->data };

        if (judge_ascii_digit(c)) {
            parts[n] = (judge_date_part_t) { .before = before };
            run.len = judge_value_type_run(*s, judge_ascii_digit);

            if (run.len < s->len && run.data[run.len] == ':') {
                break;
            }

            parts[n].digits = (unsigned) run.len;
            parts[n++].value = judge_value_type_value(run);

        } else if (judge_ascii_letter(c)) {
            run.len = judge_value_type_run(*s, judge_ascii_letter);

            if (n == 3 && run.len == 1) {
                *s = judge_str_from(*s, 1);    /* the T before a time */
                break;
            }

            month = judge_value_type_word(run, n > 0 && !parts[n - 1].word);

            if (month < 0) {
                return 0;
            }

            if (month > 0) {
                parts[n++] = (judge_date_part_t) {
                    .word = true, .value = (unsigned) month
                };
            }

        } else if (memchr("-/. ,", c, 5) != NULL) {
            run.len = 1;

        } else {
            return 0;
        }

        before = (c == ' ' && before != 0) ? before : c;
        *s = judge_str_from(*s, run.len);
    }

    return n;
}


static bool
judge_value_type_day_month(unsigned day, unsigned month)
{
    return day >= 1 && day <= 31 && month >= 1 && month <= 12;
}


/* Whether three numbers are a date; *order has the flags for what comes
 * first. */

static bool
judge_value_type_order(const judge_date_part_t *p, unsigned *order)
{
    bool  two;

    *order = 0;

    if (p[1].before != p[2].before || p[1].digits > 2
        || memchr("-/.", p[1].before, 3) == NULL)
    {
        return false;
    }

    if (p[0].digits == 4) {
        return p[2].digits <= 2 && p[0].value >= 1000
               && judge_value_type_day_month(p[2].value, p[1].value);
    }

    two = p[2].digits == 2;

    /* 1.2.30 is probably a version, 01.02.30 a date */

    if (p[0].digits > 2 || (p[2].digits != 4 && !two)
        || (two && (p[0].digits != 2 || p[1].digits != 2)
            && p[1].before != '/'))
    {
        return false;
    }

    if (judge_value_type_day_month(p[0].value, p[1].value)) {
        *order |= JUDGE_VALUE_DMY;
    }

    if (p[1].before != '.'
        && judge_value_type_day_month(p[1].value, p[0].value)) {
        *order |= JUDGE_VALUE_MDY;
    }

    return *order != 0;
}


static bool
judge_value_type_date(judge_str_t s, unsigned *flags)
{
    bool               found;
    unsigned           n, order, year;
    judge_date_part_t  p[JUDGE_DATE_PARTS];

    if (s.len < 6 || s.len > JUDGE_DATE_MAX) {
        return false;
    }

    n = judge_value_type_parts(&s, p);

    if (n == 3 && !p[0].word && !p[1].word && !p[2].word) {
        found = judge_value_type_order(p, &order);

    } else if (n == 3 && p[0].word != p[1].word && !p[2].word) {
        /* March 5, 2024; 5 March 2024; 05-Mar-24 */

        year = p[2].digits;
        found = (year == 4 || year == 2)
                && judge_value_type_day_month(p[p[0].word].value, 1)
                && p[p[0].word].digits <= 2;
        order = p[0].word ? JUDGE_VALUE_MDY : JUDGE_VALUE_DMY;

    } else {
        found = n == 2 && p[0].word && !p[1].word && p[1].digits == 4;
        order = JUDGE_VALUE_MDY;       /* March 2024 */
    }

    s = judge_value_type_trim(s);

    if (!found || (s.len > 0 && !judge_value_type_time(s))) {
        return false;
    }

    *flags |= order;

    return true;
}


static bool
judge_value_type_url(judge_str_t s)
{
    size_t  i;

    for (i = 0; i < s.len; i++) {
        if (s.data[i] == ' ' || (s.data[i] >= '\t' && s.data[i] <= '\r')) {
            return false;
        }
    }

    if (judge_str_casestarts(s, JUDGE_STR("https://"))) {
        return s.len > 10;
    }

    if (judge_str_casestarts(s, JUDGE_STR("http://"))) {
        return s.len > 9;
    }

    return judge_str_casestarts(s, JUDGE_STR("www.")) && s.len > 8
           && memchr(s.data + 4, '.', s.len - 4) != NULL;
}


static bool
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
judge_value_type_of(judge_str_t cell, unsigned *flags)
{
    judge_str_t         s;
    judge_value_type_e  kind;

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

    if (judge_value_type_date(s, flags)) {
        return JUDGE_VALUE_DATE;
    }

    if (judge_value_type_number(s, &kind, flags)) {
        return kind;
    }

    if (judge_value_type_url(s)) {
        return JUDGE_VALUE_URL;
    }

    if (judge_value_type_email(s)) {
        return JUDGE_VALUE_EMAIL;
    }

    if ((s.data[0] == '{' && s.data[s.len - 1] == '}')
        || (s.data[0] == '[' && s.data[s.len - 1] == ']'))
    {
        return JUDGE_VALUE_JSON;
    }

    return JUDGE_VALUE_TEXT;
}
