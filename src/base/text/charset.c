/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Encodings.  Text in another encoding is hardly ever well-formed UTF-8, so
 * that well-formed text is UTF-8; most other text is Windows-1252, which
 * includes Latin-1.  iconv is not used: its tables are modules that small
 * systems lack, and it stops at an invalid byte instead of counting it.
 */


#include <string.h>

#include "base/text/charset.h"
#include "base/text/utf8.h"


typedef struct {
    size_t  high;                      /* bytes beyond ASCII */
    size_t  good;                      /* UTF-8 sequences of 2 to 4 bytes */
    size_t  bad;                       /* bytes that are not UTF-8 */
    size_t  controls;
    size_t  zeros[2];                  /* at even and odd offsets */
    size_t  undefined;                 /* in Windows-1252 */
} judge_charset_count_t;


/* Windows-1252 from 0x80 to 0x9f, by WHATWG's encoding standard; 0: the byte
 * is undefined. */

static const uint16_t  judge_1252[32] = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021,
    0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017d, 0,
    0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
    0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178
};

/* The first bytes of spreadsheets, images and the like, sent by mistake. */

static const judge_str_t  judge_charset_magic[] = {
    judge_str("PK\003\004"), judge_str("%PDF-"), judge_str("\x89PNG"),
    judge_str("\xff\xd8\xff"), judge_str("GIF8"),
    judge_str("\xd0\xcf\x11\xe0"), judge_str("\x1f\x8b"),
    judge_str("{\\rtf"), judge_str("SQLite format 3"),
    judge_str("\xff\xfe\0\0")             /* UTF-32 */
};


const char *
judge_charset_name(judge_charset_e charset)
{
    static const char *const  names[] = {
        "undecided", "ASCII", "UTF-8", "UTF-16LE", "UTF-16BE",
        "Windows-1252", "binary"
    };

    return names[charset];
}


/* Returns the length of the UTF-8 sequence that begins at p; 0: none. */

static unsigned
judge_charset_sequence(const unsigned char *p, unsigned n)
{
    unsigned           i, need;
    judge_utf8_tail_t  tail;

    if (p[0] < 0x80) {
        return 1;
    }

    if (!judge_utf8_begin(&tail, p[0])) {
        return 0;
    }

    need = tail.left + 1u;

    for (i = 1; i < n && i < need; i++) {
        if (!judge_utf8_take(&tail, p[i])) {
            return 0;
        }
    }

    return need;
}


static void
judge_charset_count(judge_str_t s, bool whole, judge_charset_count_t *count)
{
    size_t          i, next;
    unsigned        n, left;
    unsigned char   c;

    memset(count, 0, sizeof(judge_charset_count_t));

    for (i = 0, next = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];

        count->zeros[i % 2] += (c == 0);
        count->controls += (c < 0x20 && (c < '\t' || c > '\r') && c != 0x1b)
                           || c == 0x7f;
        count->high += c >= 0x80;
        count->undefined += c >= 0x80 && c < 0xa0 && judge_1252[c - 0x80] == 0;

        if (i < next) {
            continue;                  /* inside a sequence */
        }

        left = (s.len - i < 4) ? (unsigned) (s.len - i) : 4;
        n = judge_charset_sequence((const unsigned char *) s.data + i, left);

        if (n == 0 || (n > left && whole)) {
            count->bad++;
            n = 1;

        } else {
            count->good += n > 1 && n <= left;
        }

        next = i + n;
    }
}


static judge_charset_guess_t
judge_charset_bytes(judge_str_t s, bool whole)
{
    judge_charset_guess_t  guess;
    judge_charset_count_t  count;

    memset(&guess, 0, sizeof(guess));
    judge_charset_count(s, whole, &count);

    /* in UTF-16 every other byte of Latin letters is zero */

    if (s.len >= 8 && count.zeros[0] + count.zeros[1] > s.len / 5) {
        if (count.zeros[1] > 20 * count.zeros[0]) {
            guess.charset = JUDGE_CHARSET_UTF16LE;
            return guess;
        }

        if (count.zeros[0] > 20 * count.zeros[1]) {
            guess.charset = JUDGE_CHARSET_UTF16BE;
            return guess;
        }
    }

    if (count.zeros[0] + count.zeros[1] > 0
        || count.controls > 2 + s.len / 100)
    {
        guess.charset = JUDGE_CHARSET_BINARY;

    } else if (count.bad == 0) {
        guess.charset = (count.good > 0) ? JUDGE_CHARSET_UTF8
                                         : JUDGE_CHARSET_ASCII;

    } else if (count.good > 10 * count.bad) {
        /* UTF-8 with some invalid bytes */
        guess.charset = JUDGE_CHARSET_UTF8;

    } else {
        guess.charset = JUDGE_CHARSET_WINDOWS_1252;
        guess.doubtful = count.undefined > 0
                         || (s.len > 16 && count.high > s.len / 3);
    }

    return guess;
}


judge_charset_guess_t
judge_charset_detect(judge_str_t s, bool whole)
{
    size_t                 i;
    judge_charset_guess_t  guess;

    for (i = 0; i < sizeof(judge_charset_magic) / sizeof(judge_str_t); i++) {
        if (judge_str_starts(s, judge_charset_magic[i])) {
            return (judge_charset_guess_t) { JUDGE_CHARSET_BINARY, 0, false };
        }
    }

    if (judge_str_starts(s, JUDGE_STR("\xff\xfe"))) {
        return (judge_charset_guess_t) { JUDGE_CHARSET_UTF16LE, 2, false };
    }

    if (judge_str_starts(s, JUDGE_STR("\xfe\xff"))) {
        return (judge_charset_guess_t) { JUDGE_CHARSET_UTF16BE, 2, false };
    }

    if (!judge_str_starts(s, JUDGE_STR("\xef\xbb\xbf"))) {
        return judge_charset_bytes(s, whole);
    }

    guess = judge_charset_bytes((judge_str_t) { s.len - 3, s.data + 3 },
                                whole);

    return (judge_charset_guess_t) {
        (guess.charset == JUDGE_CHARSET_BINARY) ? JUDGE_CHARSET_BINARY
                                                : JUDGE_CHARSET_UTF8,
        3, false
    };
}


void
judge_charset_open(judge_charset_reader_t *r)
{
    memset(r, 0, sizeof(judge_charset_reader_t));
    judge_buf_init(&r->sample, NULL);
}


void
judge_charset_close(judge_charset_reader_t *r)
{
    judge_buf_free(&r->sample);
    judge_buf_init(&r->sample, NULL);
}


static void
judge_charset_put(judge_charset_reader_t *r, uint32_t u, judge_buf_t *out)
{
    char    utf8[4];
    size_t  n;

    n = judge_utf8_put(utf8, u);

    if (n == 0) {
        r->replaced++;
        n = judge_utf8_put(utf8, 0xfffd);
    }

    judge_buf_append(out, utf8, n);
}


static void
judge_charset_1252(judge_charset_reader_t *r, unsigned char c,
    judge_buf_t *out)
{
    uint32_t  u;

    u = (c >= 0x80 && c < 0xa0) ? judge_1252[c - 0x80] : c;
    judge_charset_put(r, (u == 0) ? JUDGE_UTF8_INVALID : u, out);
}


/* The pending bytes are not UTF-8.  If all text before them was ASCII, the
 * reader now assumes Windows-1252. */

static void
judge_charset_broken(judge_charset_reader_t *r, judge_buf_t *out)
{
    unsigned  i, n;

    n = r->npending;
    r->npending = 0;

    if (r->charset != JUDGE_CHARSET_ASCII) {
        judge_charset_put(r, JUDGE_UTF8_INVALID, out);
        return;
    }

    r->charset = JUDGE_CHARSET_WINDOWS_1252;

    for (i = 0; i < n; i++) {
        judge_charset_1252(r, r->pending[i], out);
    }
}


/* Reads a byte of UTF-8 or ASCII.  The first character that is not ASCII
 * decides which encoding the reader assumes for the rest. */

static void
judge_charset_utf8(judge_charset_reader_t *r, unsigned char c,
    judge_buf_t *out)
{
    bool      again;
    unsigned  need;

    r->pending[r->npending++] = c;
    need = judge_charset_sequence(r->pending, r->npending);

    if (need > r->npending) {
        return;
    }

    if (need != 0) {
        judge_buf_append(out, r->pending, need);
        r->npending = 0;
        r->charset = (need > 1) ? JUDGE_CHARSET_UTF8 : r->charset;
        return;
    }

    /* the byte that ended a sequence early may begin another */

    again = r->npending > 1 && r->charset == JUDGE_CHARSET_UTF8;
    judge_charset_broken(r, out);

    if (again) {
        judge_charset_utf8(r, c, out);
    }
}


/* Reads a byte of UTF-16; a high surrogate is pending until the low one. */

static void
judge_charset_utf16(judge_charset_reader_t *r, unsigned char c,
    judge_buf_t *out)
{
    unsigned        big;
    uint32_t        unit, high;
    unsigned char  *p;

    p = r->pending;
    p[r->npending++] = c;

    if (r->npending % 2 != 0) {
        return;
    }

    big = (r->charset == JUDGE_CHARSET_UTF16BE);
    high = (uint32_t) p[1 - big] << 8 | p[big];
    unit = (uint32_t) p[r->npending - 1 - big] << 8
           | p[r->npending - 2 + big];

    if (r->npending == 4) {
        r->npending = 0;

        if (unit >= 0xdc00 && unit <= 0xdfff) {
            judge_charset_put(r, 0x10000 + ((high - 0xd800) << 10)
                                 + (unit - 0xdc00), out);
            return;
        }

        /* the unit after a lone surrogate is a character of its own */

        judge_charset_put(r, JUDGE_UTF8_INVALID, out);
        memcpy(p, p + 2, 2);
    }

    r->npending = 2;

    if (unit < 0xd800 || unit > 0xdbff) {
        r->npending = 0;
        judge_charset_put(r, unit, out);
    }
}


static void
judge_charset_convert(judge_charset_reader_t *r, judge_str_t s,
    judge_buf_t *out)
{
    size_t         i, plain;
    unsigned char  c;

    for (i = 0; i < s.len; i++) {

        for (plain = i; r->npending == 0 && plain < s.len
                        && (unsigned char) s.data[plain] < 0x80
                        && r->charset != JUDGE_CHARSET_UTF16LE
                        && r->charset != JUDGE_CHARSET_UTF16BE; plain++)
        {
            /* void */
        }

        judge_buf_append(out, s.data + i, plain - i);
        i = plain;

        if (i == s.len) {
            return;
        }

        c = (unsigned char) s.data[i];

        if (r->charset == JUDGE_CHARSET_WINDOWS_1252) {
            judge_charset_1252(r, c, out);

        } else if (r->charset == JUDGE_CHARSET_ASCII
                   || r->charset == JUDGE_CHARSET_UTF8)
        {
            judge_charset_utf8(r, c, out);

        } else {
            judge_charset_utf16(r, c, out);
        }
    }
}


static judge_rc_e
judge_charset_decide(judge_charset_reader_t *r, bool whole, judge_buf_t *out)
{
    judge_str_t            s;
    judge_charset_guess_t  guess;

    s = judge_buf_view(&r->sample);

    if (s.data == NULL) {
        return JUDGE_NOMEM;
    }

    guess = judge_charset_detect(s, whole);
    r->charset = guess.charset;
    r->doubtful = guess.doubtful;

    if (guess.charset != JUDGE_CHARSET_BINARY) {
        s = judge_str_from(s, guess.bom);
        judge_charset_convert(r, s, out);
    }

    judge_charset_close(r);

    if (guess.charset == JUDGE_CHARSET_BINARY) {
        return JUDGE_INVALID;
    }

    return out->failed ? JUDGE_NOMEM : JUDGE_OK;
}


judge_rc_e
judge_charset_feed(judge_charset_reader_t *r, judge_str_t bytes,
    judge_buf_t *out)
{
    size_t      n;
    judge_rc_e  rc;

    if (r->charset == JUDGE_CHARSET_UNDECIDED) {
        n = JUDGE_CHARSET_SAMPLE - r->sample.len;
        n = (bytes.len < n) ? bytes.len : n;

        judge_buf_append(&r->sample, bytes.data, n);
        bytes = judge_str_from(bytes, n);

        if (r->sample.failed) {
            return JUDGE_NOMEM;
        }

        if (r->sample.len < JUDGE_CHARSET_SAMPLE) {
            return JUDGE_OK;
        }

        rc = judge_charset_decide(r, false, out);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    /* text has no zero bytes, also after the sample */

    if (r->charset == JUDGE_CHARSET_BINARY
        || (r->charset != JUDGE_CHARSET_UTF16LE
            && r->charset != JUDGE_CHARSET_UTF16BE && bytes.len > 0
            && memchr(bytes.data, 0, bytes.len) != NULL))
    {
        r->charset = JUDGE_CHARSET_BINARY;
        return JUDGE_INVALID;
    }

    judge_charset_convert(r, bytes, out);

    return out->failed ? JUDGE_NOMEM : JUDGE_OK;
}


judge_rc_e
judge_charset_finish(judge_charset_reader_t *r, judge_buf_t *out)
{
    judge_rc_e  rc;

    if (r->charset == JUDGE_CHARSET_UNDECIDED) {
        rc = judge_charset_decide(r, true, out);
        if (rc != JUDGE_OK) {
            return rc;
        }
    }

    if (r->charset == JUDGE_CHARSET_BINARY) {
        return JUDGE_INVALID;
    }

    if (r->npending > 0) {
        judge_charset_broken(r, out);  /* a truncated character */
    }

    return out->failed ? JUDGE_NOMEM : JUDGE_OK;
}
