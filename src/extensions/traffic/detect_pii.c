/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Personal data with a known form: addresses of mail, telephone numbers,
 * cards, accounts, and the numbers by which countries identify people. */


#include <string.h>

#include "base/text/ascii.h"
#include "extensions/traffic/detect.h"
#include "extensions/traffic/detect_table.h"


#define JUDGE_PII_LOCAL    64          /* bytes, by RFC 5321 */
#define JUDGE_PII_DOMAIN   253
#define JUDGE_PII_COMPACT  40          /* characters of the longest number */
#define JUDGE_PII_CARD     19          /* digits at most */
#define JUDGE_PII_PHONE    15          /* digits at most, by E.164, */
#define JUDGE_PII_SHORT    8           /* and at least */

/* Bits of judge_pii_number_t.gaps: what precedes a character. */
#define JUDGE_PII_APART    1           /* a separator */
#define JUDGE_PII_OPEN     2           /* a bracket */
#define JUDGE_PII_CLOSE    4

/* The digits and capitals read so far, without separators. */
struct judge_pii_number {
    size_t   begin;
    int      n;
    char     s[JUDGE_PII_COMPACT];
    uint8_t  gaps[JUDGE_PII_COMPACT];
    size_t   ends[JUDGE_PII_COMPACT];
};


/* Bits of a byte: a letter or digit, a sign with which something else may
 * begin, a part of an address of mail before its "@". */
#define JUDGE_PII_ALNUM    1
#define JUDGE_PII_MARK     2
#define JUDGE_PII_MAIL     4

#define JUDGE_PII_WORD     (JUDGE_PII_ALNUM | JUDGE_PII_MAIL)
#define JUDGE_PII_BOTH     (JUDGE_PII_MARK | JUDGE_PII_MAIL)

static const uint8_t  judge_pii_bytes[256] = {
    ['0' ... '9'] = JUDGE_PII_WORD, ['A' ... 'Z'] = JUDGE_PII_WORD,
    ['a' ... 'z'] = JUDGE_PII_WORD, [0x80 ... 0xff] = JUDGE_PII_MAIL,
    ['@'] = JUDGE_PII_MARK, ['('] = JUDGE_PII_MARK, ['+'] = JUDGE_PII_BOTH,
    ['.'] = JUDGE_PII_MAIL, ['_'] = JUDGE_PII_MAIL, ['%'] = JUDGE_PII_MAIL,
    ['-'] = JUDGE_PII_MAIL, ['\''] = JUDGE_PII_MAIL, ['!'] = JUDGE_PII_MAIL,
    ['#'] = JUDGE_PII_MAIL, ['$'] = JUDGE_PII_MAIL, ['&'] = JUDGE_PII_MAIL,
    ['*'] = JUDGE_PII_MAIL, ['='] = JUDGE_PII_MAIL, ['?'] = JUDGE_PII_MAIL,
    ['^'] = JUDGE_PII_MAIL, ['`'] = JUDGE_PII_MAIL, ['{'] = JUDGE_PII_MAIL,
    ['|'] = JUDGE_PII_MAIL, ['}'] = JUDGE_PII_MAIL, ['~'] = JUDGE_PII_MAIL
};


static bool
judge_pii_alnum(char c)
{
    return judge_pii_bytes[(unsigned char) c] & JUDGE_PII_ALNUM;
}


static int
judge_pii_digit(const judge_pii_number_t *v, int i)
{
    return v->s[i] - '0';
}


/* Returns the value of the n digits from `from` on, modulo `by`. */

static uint64_t
judge_pii_value(const judge_pii_number_t *v, int from, int n, uint64_t by)
{
    int       i;
    uint64_t  value = 0;

    for (i = from; i < from + n; i++) {
        value = (value * 10 + (uint64_t) judge_pii_digit(v, i)) % by;
    }

    return value;
}


/* --- Check digits -------------------------------------------------------- */

static bool
judge_pii_luhn(const char *s, int n)
{
    int  i, digit, sum = 0;

    for (i = 0; i < n; i++) {
        digit = s[n - 1 - i] - '0';
        digit *= 1 + (i & 1);
        sum += digit > 9 ? digit - 9 : digit;
    }

    return sum % 10 == 0;
}


/* North American numbers: neither area nor exchange begins with 0 or 1. */

static bool
judge_pii_nanp(const judge_pii_number_t *v)
{
    return v->s[0] > '1' && v->s[3] > '1';
}


static bool
judge_pii_ssn(const judge_pii_number_t *v)
{
    return judge_pii_value(v, 0, 3, 1000) != 0
           && judge_pii_value(v, 0, 3, 1000) != 666 && v->s[0] != '9'
           && judge_pii_value(v, 3, 2, 100) != 0
           && judge_pii_value(v, 5, 4, 10000) != 0;
}


static bool
judge_pii_nino(const judge_pii_number_t *v)
{
    int  i;

    static const char  none[][3] = { "BG", "GB", "NK", "KN", "TN", "NT",
                                     "ZZ" };

    for (i = 0; i < 7; i++) {
        if (memcmp(v->s, none[i], 2) == 0) {
            return false;
        }
    }

    return !strchr("DFIQUV", v->s[0]) && !strchr("DFIQUVO", v->s[1])
           && strchr("ABCD", v->s[8]);
}


/* One of the first ten digits occurs twice or three times; ISO 7064. */

static bool
judge_pii_steuer(const judge_pii_number_t *v)
{
    int  i, sum, product = 10, more = 0, times[10] = { 0 };

    for (i = 0; i < 10; i++) {
        times[judge_pii_digit(v, i)]++;
        sum = (judge_pii_digit(v, i) + product) % 10;
        product = (sum ? sum : 10) * 2 % 11;
    }

    for (i = 0; i < 10; i++) {
        more += times[i] > 1;
        if (times[i] > 3) {
            return false;
        }
    }

    return v->s[0] != '0' && more == 1
           && (11 - product) % 10 == judge_pii_digit(v, 10);
}


/* The departments of Corsica have a letter, which counts as a number. */

static bool
judge_pii_nir(const judge_pii_number_t *v)
{
    judge_pii_number_t  n = *v;

    if (v->s[0] < '1' || v->s[0] > '8'
        || (v->s[6] > '9' && (v->s[5] != '2' || v->s[6] > 'B'))
        || judge_pii_value(v, 3, 2, 100) == 0)
    {
        return false;
    }

    if (v->s[6] > '9') {
        n.s[5] = '1';
        n.s[6] = v->s[6] == 'A' ? '9' : '8';
    }

    return 97 - judge_pii_value(&n, 0, 13, 97) == judge_pii_value(&n, 13, 2,
                                                                  100);
}


/* Numbers of foreigners begin with a letter. */

static bool
judge_pii_dni(const judge_pii_number_t *v)
{
    judge_pii_number_t  n = *v;

    if (v->s[0] > '9') {
        if (v->s[0] < 'X') {
            return false;
        }
        n.s[0] = (char) ('0' + v->s[0] - 'X');
    }

    return "TRWAGMYFPDXBNJZSQVHLCKE"[judge_pii_value(&n, 0, 8, 23)] == v->s[8];
}


static bool
judge_pii_fiscal(const judge_pii_number_t *v)
{
    int  i, at, sum = 0;

    static const char  odd[] = "BAKPLCQDREVOSFTGUHMINJWZYX";

    for (i = 0; i < 15; i++) {
        at = v->s[i] > '9' ? v->s[i] - 'A' : v->s[i] - '0';
        sum += i & 1 ? at : (int) (strchr(odd, 'A' + at) - odd);
    }

    return sum % 26 == v->s[15] - 'A' && strchr("ABCDEHLMPRST", v->s[8]);
}


static bool
judge_pii_cpf(const judge_pii_number_t *v)
{
    int  i, first = 0, second = 0, same = 0;

    for (i = 0; i < 10; i++) {
        first += i < 9 ? judge_pii_digit(v, i) * (10 - i) : 0;
        second += judge_pii_digit(v, i) * (11 - i);
        same += v->s[i] == v->s[i + 1];
    }

    return same < 10 && first * 10 % 11 % 10 == judge_pii_digit(v, 9)
           && second * 10 % 11 % 10 == judge_pii_digit(v, 10);
}


/* The product of the dihedral group of ten elements. */

static int
judge_pii_dihedral(int a, int b)
{
    return a < 5 ? (b < 5 ? (a + b) % 5 : 5 + (a + b) % 5)
           : (b < 5 ? 5 + (a - b) % 5 : (a - b + 5) % 5);
}


static bool
judge_pii_verhoeff(const judge_pii_number_t *v)
{
    int  i, sum = 0;

    static const char  permuted[8][11] = {
        "0123456789", "1576283094", "5803796142", "8916043527", "9453126870",
        "4286573901", "2793806415", "7046913258"
    };

    for (i = 0; i < 12; i++) {
        sum = judge_pii_dihedral(sum,
                  permuted[i % 8][judge_pii_digit(v, 11 - i)] - '0');
    }

    return sum == 0 && v->s[0] > '1';
}


const judge_pii_format_t  judge_pii_formats[] = {
    { "PHONE", "999-999-9999", judge_pii_nanp },
    { "PHONE", "(999) 999-9999", judge_pii_nanp },
    { "US_SSN", "999-99-9999", judge_pii_ssn },
    { "UK_NINO", "AA 99 99 99 A", judge_pii_nino },
    { "DE_STEUER_ID", "99 999 999 999", judge_pii_steuer },
    { "FR_NIR", "9 99 99 9X 999 999 99", judge_pii_nir },
    { "ES_DNI", "X9999999 A", judge_pii_dni },
    { "IT_FISCAL", "AAA AAA XXAXX AXXXA", judge_pii_fiscal },
    { "BR_CPF", "999 999 999 99", judge_pii_cpf },
    { "IN_AADHAAR", "9999-9999-9999", judge_pii_verhoeff }
};

const size_t  judge_pii_formats_n = sizeof(judge_pii_formats)
                                    / sizeof(judge_pii_formats[0]);


/* --- Forms --------------------------------------------------------------- */

static bool
judge_pii_separator(char c)
{
    return c == ' ' || c == '-' || c == '.' || c == '/';
}


/* Whether the number continues after `end`. */

static bool
judge_pii_goes_on(judge_str_t text, size_t end)
{
    return end < text.len
           && (judge_pii_alnum(text.data[end]) || text.data[end] == '_'
               || ((text.data[end] == '-' || text.data[end] == '.'
                    || text.data[end] == ',')
                   && end + 1 < text.len
                   && judge_ascii_digit(text.data[end + 1])));
}


/* Reads one more character of the number; false: it has no more.  Each byte is
 * read once, however many formats are tried. */

static bool
judge_pii_read(judge_pii_number_t *v, judge_str_t text)
{
    char     c;
    size_t   at = v->n ? v->ends[v->n - 1] : v->begin;
    uint8_t  gap = 0;

    if (at < text.len && text.data[at] == '(') {
        gap = JUDGE_PII_OPEN;
        at++;
    } else if (at < text.len && text.data[at] == ')') {
        gap = JUDGE_PII_CLOSE;
        at++;
    }

    if (at < text.len && judge_pii_separator(text.data[at])) {
        gap |= JUDGE_PII_APART;
        at++;
    }

    c = at < text.len ? text.data[at] : '\0';
    if (!judge_pii_alnum(c) || v->n == JUDGE_PII_COMPACT) {
        return false;
    }

    v->gaps[v->n] = gap;
    v->ends[v->n] = at + 1;
    v->s[v->n++] = judge_ascii_letter(c) ? (char) (c & ~0x20) : c;

    return true;
}


/* Returns where a number of this format ends; 0: there is none. */

static size_t
judge_pii_form(const judge_pii_format_t *f, judge_pii_number_t *v,
    judge_str_t text)
{
    int          i = 0;
    char         c;
    uint8_t      must = 0, may = 0;
    const char  *p;

    for (p = f->pattern; *p; p++) {
        must |= *p == '-' ? JUDGE_PII_APART : *p == '(' ? JUDGE_PII_OPEN
                : *p == ')' ? JUDGE_PII_CLOSE : 0;
        may |= *p == ' ' ? JUDGE_PII_APART : 0;
        if (*p < '0') {
            continue;
        }

        if ((i == v->n && !judge_pii_read(v, text))
            || (v->gaps[i] & ~may) != must)
        {
            return 0;
        }

        c = v->s[i++];
        if ((*p == '9' && c > '9') || (*p == 'A' && c <= '9')) {
            return 0;
        }
        must = 0;
        may = 0;
    }

    return !judge_pii_goes_on(text, v->ends[i - 1])
           && f->check(v) ? v->ends[i - 1] : 0;
}


static size_t
judge_pii_iban(judge_pii_number_t *v, judge_str_t text)
{
    int     i, len = 0, value = 0;
    size_t  k;

    for (i = 0; i < 4; i++) {
        if ((i == v->n && !judge_pii_read(v, text))
            || (v->gaps[i] & ~(i == 2 ? JUDGE_PII_APART : 0))
            || (v->s[i] > '9') != (i < 2))
        {
            return 0;
        }
    }

    for (k = 0; k < judge_pii_ibans_n; k++) {
        if (memcmp(judge_pii_ibans[k].country, v->s, 2) == 0) {
            len = judge_pii_ibans[k].len;
        }
    }

    for ( /* void */ ; i < len; i++) {
        if ((i == v->n && !judge_pii_read(v, text))
            || (v->gaps[i] & ~JUDGE_PII_APART))
        {
            return 0;
        }
    }

    for (i = 0; i < len; i++) {
        k = (size_t) v->s[(i + 4) % len];
        value = k > '9' ? (value * 100 + (int) k - 'A' + 10) % 97
                        : (value * 10 + (int) k - '0') % 97;
    }

    k = len ? v->ends[len - 1] : 0;

    return value == 1 && (k == text.len || !judge_pii_alnum(text.data[k]))
           ? k : 0;
}


/* Returns as bits how many digits cards with this beginning may have. */

static unsigned
judge_pii_brand(const char *s)
{
    int  two, four;

    two = (s[0] - '0') * 10 + s[1] - '0';
    four = two * 100 + (s[2] - '0') * 10 + s[3] - '0';

    return s[0] == '4' ? 1u << 13 | 1u << 16 | 1u << 19
           : (two >= 51 && two <= 55) || (four >= 2221 && four <= 2720)
           ? 1u << 16
           : two == 34 || two == 37 ? 1u << 15
           : two == 36 || two == 38 || two == 39 || (four >= 3000
                                                     && four <= 3059)
           ? 1u << 14
           : four == 6011 || two == 65 || two == 62 || two == 35
             || (four >= 6440 && four <= 6499) || (four >= 2200
                                                   && four <= 2204)
           ? 1u << 16 | 1u << 19
           : two == 50 || (two >= 56 && two <= 58) || two == 67 || two == 63
           ? 1u << 16 | 1u << 18 | 1u << 19 : 0;
}


/* Reads a card: groups of three digits and more, separated by blanks or
 * hyphens, with a card's length and check digit.  Returns its end, or 0. */

static size_t
judge_pii_card(judge_str_t text, size_t at)
{
    int     n = 0;
    char    s[JUDGE_PII_CARD + 1];
    size_t  begin, found = 0;

    for ( ;; ) {
        begin = at;
        while (at < text.len && judge_ascii_digit(text.data[at])
               && n <= JUDGE_PII_CARD)
        {
            s[n++] = text.data[at++];
        }

        if (at - begin < 3 || n > JUDGE_PII_CARD) {
            return found;
        }

        if (n >= 13 && !judge_pii_goes_on(text, at)
            && (judge_pii_brand(s) >> n & 1) && judge_pii_luhn(s, n))
        {
            found = at;
        }

        if (at + 1 >= text.len
            || (text.data[at] != ' ' && text.data[at] != '-'))
        {
            return found;
        }
        at++;
    }
}


/* Reads an international number after its "+". */

static void
judge_pii_plus(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    int     digits = 0;
    size_t  i, end = 0;

    for (i = at + 1; i < text.len && digits <= JUDGE_PII_PHONE; i++) {
        if (judge_ascii_digit(text.data[i])) {
            digits++;
            end = i + 1;
        } else if (!judge_pii_separator(text.data[i])
                   && text.data[i] != '(' && text.data[i] != ')')
        {
            break;
        } else if (i > end + 1) {
            break;
        }
    }

    if (at + 1 < text.len && text.data[at + 1] != '0'
        && (judge_ascii_digit(text.data[at + 1]) || text.data[at + 1] == '(')
        && digits >= JUDGE_PII_SHORT && digits <= JUDGE_PII_PHONE
        && (end == text.len || !judge_ascii_letter(text.data[end])))
    {
        judge_detect_hit(found, JUDGE_DETECT_PII, "PHONE", at, end);
    }
}


static void
judge_pii_mail(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    size_t  begin, end, dot = 0;

    for (begin = at; begin > 0 && at - begin < JUDGE_PII_LOCAL
                     && (judge_pii_bytes[(unsigned char) text.data[begin - 1]]
                         & JUDGE_PII_MAIL); begin--)
    {
        /* void */
    }
    while (begin < at && !judge_pii_alnum(text.data[begin])
           && (unsigned char) text.data[begin] < 0x80)
    {
        begin++;
    }

    for (end = at + 1; end < text.len && end - at < JUDGE_PII_DOMAIN; end++) {
        if (text.data[end] == '.') {
            if (end + 1 == text.len
                || (!judge_pii_alnum(text.data[end + 1])
                    && (unsigned char) text.data[end + 1] < 0x80))
            {
                break;
            }
            dot = end;
        } else if (!judge_pii_alnum(text.data[end]) && text.data[end] != '-'
                   && (unsigned char) text.data[end] < 0x80)
        {
            break;
        }
    }

    if (begin < at && text.data[at - 1] != '.' && dot > at + 1
        && end - dot > 2 && !judge_ascii_digit(text.data[dot + 1]))
    {
        judge_detect_hit(found, JUDGE_DETECT_PII, "EMAIL", begin, end);
    }
}


/* Whether the first n letters and digits, up to a separator, can begin the
 * pattern: this skips most words before they are read. */

static bool
judge_pii_parts(const char *pattern, size_t n)
{
    const char  *p;

    for (p = pattern; n && (*p >= '0' || *p == ' '); p++) {
        n -= *p >= '0';
    }

    return n == 0 && *p < '0';
}


/* Finds what begins here with a run of n letters and digits. */

static void
judge_pii_at(judge_detect_found_t *found, judge_str_t text, size_t at,
    size_t n)
{
    char                       c = text.data[at], kind;
    size_t                     i, end;
    judge_pii_number_t         v;
    const judge_pii_format_t  *f;

    v.begin = at;
    v.n = 0;
    kind = judge_ascii_digit(c) ? '9' : judge_ascii_letter(c) ? 'A' : c;

    if (kind == '9' && c >= '2' && c <= '6' && n >= 3
        && (end = judge_pii_card(text, at)))
    {
        judge_detect_hit(found, JUDGE_DETECT_PII, "CARD", at, end);
    }

    if (kind == 'A'
        && (n == 2 || (n > 3 && judge_ascii_digit(text.data[at + 2])))
        && (end = judge_pii_iban(&v, text)))
    {
        judge_detect_hit(found, JUDGE_DETECT_PII, "IBAN", at, end);
    }

    for (i = 0; i < judge_pii_formats_n; i++) {
        f = &judge_pii_formats[i];
        end = (f->pattern[0] == kind || f->pattern[0] == 'X')
              && judge_pii_parts(f->pattern, n)
              ? judge_pii_form(f, &v, text) : 0;
        if (end) {
            judge_detect_hit(found, JUDGE_DETECT_PII, f->label, at, end);
        }
    }
}


/* Whether a number may begin after the bytes before `at`. */

static bool
judge_pii_begins(judge_str_t text, size_t at)
{
    char  before = at ? text.data[at - 1] : ' ';

    return !judge_pii_alnum(before) && before != '_'
           && !(at > 1 && (before == '-' || before == '.' || before == ',')
                && judge_ascii_digit(text.data[at - 2]));
}


void
judge_detect_pii(judge_detect_found_t *found, judge_str_t text)
{
    char    c;
    size_t  i, end;

    for (i = 0; i < text.len; i = end) {
        c = text.data[i];
        end = i + 1;

        if (judge_pii_bytes[(unsigned char) c] & JUDGE_PII_ALNUM) {
            while (end < text.len && judge_pii_alnum(text.data[end])) {
                end++;
            }
            if (judge_pii_begins(text, i)) {
                judge_pii_at(found, text, i, end - i);
            }

        } else if (!(judge_pii_bytes[(unsigned char) c] & JUDGE_PII_MARK)) {
            continue;

        } else if (c == '@') {
            judge_pii_mail(found, text, i);

        } else if (c == '(' && judge_pii_begins(text, i)) {
            judge_pii_at(found, text, i, 0);

        } else if (c == '+' && (i == 0 || !judge_pii_alnum(text.data[i - 1])))
        {
            judge_pii_plus(found, text, i);
        }
    }
}
