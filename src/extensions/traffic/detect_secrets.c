/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Keys, tokens and passwords: by their format, or because they look random and
 * follow a word such as "password". */


#include <math.h>
#include <string.h>

#include "base/crypto/crypto.h"
#include "base/text/ascii.h"
#include "extensions/traffic/detect.h"
#include "extensions/traffic/detect_table.h"


#define JUDGE_SECRET_PEM     16384     /* bytes of a private key */
#define JUDGE_SECRET_HEAD    2048      /* bytes of the head of a JWT */
#define JUDGE_SECRET_SHORT   8         /* bytes of a password, at least */
#define JUDGE_SECRET_VALUE   64        /* bytes tested for randomness */
#define JUDGE_SECRET_LEAST   18        /* bytes of a token, at least */
#define JUDGE_SECRET_NAME    40        /* bytes of the word before it */
#define JUDGE_SECRET_LOOK    32        /* bytes tested for a placeholder */
#define JUDGE_SECRET_BITS    3.0       /* entropy of a character, at least;
                                          English words have less */
#define JUDGE_SECRET_BITS_SHORT  2.5   /* of a value below 12 bytes */

static const char *const  judge_secret_words[] = {
    "password", "passwd", "passwort", "pwd", "passphrase", "secret", "token",
    "apikey", "accesskey", "privatekey", "authkey", "credential", NULL
};


/* Bits of a byte: the sets that it belongs to, as 1 << set; a secret may begin
 * with it; it ends a value. */
#define JUDGE_SECRET_MARK  64
#define JUDGE_SECRET_END   128

/* The bits of this set and of those after it: they contain it. */
#define JUDGE_SECRET_FROM(set)                                                \
    ((2 << JUDGE_SECRET_BASE64) - (1 << JUDGE_SECRET_ ## set))

static const uint8_t  judge_secret_bytes[256] = {
    ['\0' ... ' '] = JUDGE_SECRET_END,
    ['0' ... '9'] = JUDGE_SECRET_FROM(HEX),
    ['A' ... 'F'] = JUDGE_SECRET_FROM(HEX) + JUDGE_SECRET_MARK,
    ['G' ... 'Z'] = JUDGE_SECRET_FROM(UPPER) + JUDGE_SECRET_MARK,
    ['a' ... 'f'] = JUDGE_SECRET_FROM(ALNUM) + (1 << JUDGE_SECRET_HEX)
                    + JUDGE_SECRET_MARK,
    ['g' ... 'z'] = JUDGE_SECRET_FROM(ALNUM) + JUDGE_SECRET_MARK,
    ['_'] = JUDGE_SECRET_FROM(WORD),
    ['-'] = JUDGE_SECRET_FROM(WORD) + JUDGE_SECRET_MARK,
    ['+'] = JUDGE_SECRET_FROM(BASE64), ['/'] = JUDGE_SECRET_FROM(BASE64),
    ['.'] = JUDGE_SECRET_FROM(BASE64),
    ['='] = JUDGE_SECRET_FROM(BASE64) + JUDGE_SECRET_MARK,
    [':'] = JUDGE_SECRET_MARK,
    ['"'] = JUDGE_SECRET_END, ['\''] = JUDGE_SECRET_END,
    ['`'] = JUDGE_SECRET_END, [','] = JUDGE_SECRET_END,
    [';'] = JUDGE_SECRET_END, ['<'] = JUDGE_SECRET_END,
    ['>'] = JUDGE_SECRET_END, ['('] = JUDGE_SECRET_END,
    [')'] = JUDGE_SECRET_END, ['{'] = JUDGE_SECRET_END,
    ['}'] = JUDGE_SECRET_END, ['['] = JUDGE_SECRET_END,
    [']'] = JUDGE_SECRET_END, ['\\'] = JUDGE_SECRET_END
};


static bool
judge_secret_in(judge_secret_class_e set, char c)
{
    return judge_secret_bytes[(unsigned char) c] >> set & 1;
}


/* Whether a line of PEM begins, which can't be inside of a token. */

static bool
judge_secret_line(judge_str_t text, size_t at)
{
    return text.data[at] == '-'
           && judge_str_starts(judge_str_from(text, at), JUDGE_STR("-----"));
}


static size_t
judge_secret_run(judge_secret_class_e set, judge_str_t text, size_t at,
    size_t most)
{
    size_t  i = at;

    while (i < text.len && i - at < most && judge_secret_in(set, text.data[i])
           && !judge_secret_line(text, i))
    {
        i++;
    }

    return i - at;
}


/* --- By their form ------------------------------------------------------- */

/* Whether a key is a placeholder that people wrote: "ghp_xxxxxxxx",
 * "1234567890", or "AKIAIOSFODNN7EXAMPLE".  Random keys do not look so, and
 * nothing that follows a true key can make it look so. */

static bool
judge_secret_placeholder(const judge_secret_format_t *f, judge_str_t s)
{
    size_t  i, steps = 0;

    if (f->max == f->min && judge_str_find(s, JUDGE_STR("EXAMPLE"))) {
        return true;
    }

    s = judge_str_from(s, strlen(f->prefix));
    s.len = s.len < JUDGE_SECRET_LOOK ? s.len : JUDGE_SECRET_LOOK;
    for (i = 1; i < s.len; i++) {
        steps += s.data[i] == s.data[i - 1] || s.data[i] == s.data[i - 1] + 1;
    }

    return steps * 2 > s.len;
}


/* Finds the format of the key that begins there, and the *key; NULL: none. */

static const judge_secret_format_t *
judge_secret_format(judge_str_t text, size_t at, judge_str_t *key)
{
    size_t                        i, n, len;
    judge_str_t                   rest = judge_str_from(text, at);
    const judge_secret_format_t  *f;

    for (i = 0; i < judge_secret_formats_n; i++) {
        f = &judge_secret_formats[i];
        if (rest.len < 2 || f->prefix[0] != rest.data[0]
            || f->prefix[1] != rest.data[1]
            || !judge_str_starts(rest, judge_str_c(f->prefix)))
        {
            continue;
        }

        len = strlen(f->prefix);
        n = judge_secret_run(f->set, text, at + len,
                             f->max ? f->max + 1 : text.len);
        if (n >= f->min && (f->max == 0 || n <= f->max)) {
            *key = (judge_str_t) { len + n, rest.data };
            return f;
        }
    }

    return NULL;
}


/* These functions return the end of what they found, or `at`. */

static size_t
judge_secret_form(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    judge_str_t                   key;
    const judge_secret_format_t  *f = judge_secret_format(text, at, &key);

    if (f == NULL) {
        return at;
    }

    if (!judge_secret_placeholder(f, key)) {
        judge_detect_hit(found, JUDGE_DETECT_SECRETS, f->label, at,
                         at + key.len);
    }

    return at + key.len;
}


/* Reads a JWT: its first part is an object that names an algorithm. */

static size_t
judge_secret_jwt(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    size_t       n, end;
    judge_str_t  head;

    n = judge_secret_run(JUDGE_SECRET_WORD, text, at, JUDGE_SECRET_HEAD);
    end = at + n;
    if (n < 16 || end + 3 >= text.len
        || memcmp(text.data + end, ".eyJ", 4) != 0)
    {
        return at;
    }

    head = judge_unbase64url(found->d->scratch,
                             (judge_str_t) { n, text.data + at });
    if (head.data == NULL || head.data[head.len - 1] != '}'
        || judge_str_find(head, JUDGE_STR("\"alg\"")) == NULL)
    {
        return at;
    }

    end++;
    end += judge_secret_run(JUDGE_SECRET_WORD, text, end, text.len);
    if (end < text.len && text.data[end] == '.') {
        end++;
        end += judge_secret_run(JUDGE_SECRET_WORD, text, end, text.len);
    }

    judge_detect_hit(found, JUDGE_DETECT_SECRETS, "JWT", at, end);

    return end;
}


/* Reads a private key in PEM, to its last line or to the length limit. */

static size_t
judge_secret_pem(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    size_t       end;
    const char  *p;
    judge_str_t  rest = judge_str_from(text, at);

    static const judge_str_t  last = judge_str("-----END ");

    p = judge_str_find((judge_str_t) { rest.len < 80 ? rest.len : 80,
                                     rest.data }, JUDGE_STR("PRIVATE KEY"));
    if (p == NULL) {
        return at;
    }

    rest.len = rest.len < JUDGE_SECRET_PEM ? rest.len : JUDGE_SECRET_PEM;
    end = rest.len;
    p = judge_str_find(rest, last);
    if (p) {
        end = (size_t) (p - rest.data) + last.len;
        p = judge_str_find(judge_str_from(rest, end), JUDGE_STR("-----"));
        end = p ? (size_t) (p - rest.data) + 5 : rest.len;
    }

    judge_detect_hit(found, JUDGE_DETECT_SECRETS, "PRIVATE_KEY", at, at + end);

    return at + end;
}


/* --- By what stands before them ------------------------------------------ */

/* Returns Shannon's entropy of a character. */

static double
judge_secret_bits(judge_str_t s)
{
    size_t   i;
    double   sum = 0;
    uint8_t  times[256] = { 0 }, *n;

    for (i = 0; i < s.len; i++) {
        times[(unsigned char) s.data[i]]++;
    }

    for (i = 0; i < s.len; i++) {
        n = &times[(unsigned char) s.data[i]];
        sum += *n ? *n * log2((double) s.len / *n) : 0;
        *n = 0;
    }

    return sum / (double) s.len;
}


static bool
judge_secret_ends(char c)
{
    return judge_secret_bytes[(unsigned char) c] & JUDGE_SECRET_END;
}


bool
judge_detect_named(judge_str_t text, size_t end)
{
    char                c, name[JUDGE_SECRET_NAME + 1];
    size_t              i, n = JUDGE_SECRET_NAME;
    const char *const  *word;

    while (end > 0 && strchr(" \"'`\\]", text.data[end - 1])
           && text.data[end - 1])
    {
        end--;
    }

    name[n] = '\0';
    for (i = end; i > 0 && n > 0; i--) {
        c = judge_ascii_lower(text.data[i - 1]);
        if (!judge_secret_in(JUDGE_SECRET_WORD, c)) {
            break;
        }
        if (c != '_' && c != '-') {
            name[--n] = c;
        }
    }

    for ( /* void */ ; n + 3 <= JUDGE_SECRET_NAME; n++) {
        for (word = judge_secret_words; *word; word++) {
            if ((*word)[0] == name[n] && (*word)[1] == name[n + 1]
                && judge_str_starts((judge_str_t) { JUDGE_SECRET_NAME - n,
                                                    name + n },
                                    judge_str_c(*word)))
            {
                return true;
            }
        }
    }

    return false;
}


/* Whether a value looks random: letters and digits that seldom repeat. */

static bool
judge_secret_random(judge_str_t value)
{
    bool    digit = false, letter = false;
    size_t  i;

    for (i = 0; i < value.len; i++) {
        digit = digit || judge_ascii_digit(value.data[i]);
        letter = letter || judge_ascii_letter(value.data[i]);
    }

    return value.len >= JUDGE_SECRET_SHORT && digit && letter
           && value.data[0] != '$' && value.data[0] != '%'
           && judge_str_find(value, JUDGE_STR("://")) == NULL
           && judge_secret_bits(value)
              >= (value.len < 12 ? JUDGE_SECRET_BITS_SHORT
                                 : JUDGE_SECRET_BITS);
}


static size_t
judge_secret_value(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    size_t                        i, begin;
    judge_str_t                   value, key;
    const judge_secret_format_t  *f;

    for (i = at; i < text.len && i - at < 6 && text.data[i]
                 && strchr(" :=>\"'`\\", text.data[i]); i++)
    {
        /* void */
    }

    for (begin = i; i < text.len && i - begin < JUDGE_SECRET_VALUE
                    && !judge_secret_ends(text.data[i])
                    && !judge_secret_line(text, i); i++)
    {
        /* void */
    }

    value = (judge_str_t) { i - begin, text.data + begin };
    if (!judge_secret_random(value)) {
        return at;
    }

    while (i - begin >= JUDGE_SECRET_VALUE && i < text.len
           && !judge_secret_ends(text.data[i])
           && !judge_secret_line(text, i))
    {
        i++;
    }

    f = judge_secret_format(text, begin, &key);
    if (f && key.len == i - begin && judge_secret_placeholder(f, key)) {
        return at;
    }

    judge_detect_hit(found, JUDGE_DETECT_SECRETS, "SECRET", begin, i);

    return i;
}


/* Reads the password of "https://name:password@host". */

static size_t
judge_secret_url(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    char    c;
    size_t  i, colon = 0;

    for (i = at; i < text.len && i - at < 4 * JUDGE_SECRET_VALUE; i++) {
        c = text.data[i];
        if (c == '@') {
            break;
        }
        if ((unsigned char) c <= ' ' || strchr("/?#\"'<>{}$", c)) {
            return at;
        }
        colon = c == ':' && colon == 0 ? i + 1 : colon;
    }

    if (i < text.len && text.data[i] == '@' && colon && i > colon) {
        judge_detect_hit(found, JUDGE_DETECT_SECRETS, "PASSWORD", colon, i);
        return i;
    }

    return at;
}


/* Finds a key or token that begins here with a letter. */

static size_t
judge_secret_letter(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    size_t       end;
    judge_str_t  rest = judge_str_from(text, at);

    end = judge_secret_form(found, text, at);

    return end == at && (at == 0 || text.data[at - 1] != '-')
           && judge_str_starts(rest, JUDGE_STR("eyJ"))
           ? judge_secret_jwt(found, text, at) : end;
}


static size_t
judge_secret_at(judge_detect_found_t *found, judge_str_t text, size_t at)
{
    char  c = text.data[at];

    if (c == ':' && at + 2 < text.len && text.data[at + 1] == '/'
        && text.data[at + 2] == '/')
    {
        return judge_secret_url(found, text, at + 3);
    }

    if (c == '=' || c == ':') {
        return judge_detect_named(text, at)
               ? judge_secret_value(found, text, at + 1) : at;
    }

    return (at == 0 || text.data[at - 1] != '-')
           && judge_str_starts(judge_str_from(text, at),
                               JUDGE_STR("-----BEGIN "))
           ? judge_secret_pem(found, text, at) : at;
}


/* The search goes on after what was found, so that each byte is read a bounded
 * number of times.  `run` is the end of the characters that a token can have;
 * most runs are too short for one. */

void
judge_detect_secrets(judge_detect_found_t *found, judge_str_t text)
{
    char    c, before;
    size_t  i, end, run = 0;

    for (i = 0; i < text.len; i = end > i ? end : i + 1) {
        c = text.data[i];
        end = i;

        if (!(judge_secret_bytes[(unsigned char) c] & JUDGE_SECRET_MARK)) {
            continue;
        }

        if (!judge_ascii_letter(c)) {
            end = judge_secret_at(found, text, i);
            continue;
        }

        before = i ? text.data[i - 1] : ' ';
        if (judge_secret_in(JUDGE_SECRET_ALNUM, before) || before == '_') {
            continue;
        }

        run = i < run ? run : i + judge_secret_run(JUDGE_SECRET_BASE64, text,
                                                   i, text.len);
        if (run - i >= JUDGE_SECRET_LEAST) {
            end = judge_secret_letter(found, text, i);
        }
        if (end == i) {                /* no secret begins inside of a word */
            end += judge_secret_run(JUDGE_SECRET_ALNUM, text, i, text.len);
        }
    }
}
