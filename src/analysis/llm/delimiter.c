/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The fence around data, and the harmless form of text.  A special token is
 * broken with U+200B behind its first character: a reader sees the same text,
 * a tokenizer another one, and evidence is found all the same.
 */


#include <stdio.h>

#include "base/crypto/crypto.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt.h"


#define JUDGE_ZERO_WIDTH      "\xe2\x80\x8b"
#define JUDGE_REPLACEMENT     "\xef\xbf\xbd"

typedef enum {
    JUDGE_HARMLESS = 0,
    JUDGE_HARMLESS_LINE,               /* a line end of any kind */
    JUDGE_HARMLESS_SHOW,               /* U+FFFD for a run of them */
    JUDGE_HARMLESS_HIDE,               /* U+200B: what is dropped would let
                                          its neighbours join */
    JUDGE_HARMLESS_SELECT,             /* one is allowed, no run */
    JUDGE_HARMLESS_OPEN,
    JUDGE_HARMLESS_CLOSE
} judge_harmless_e;

typedef struct {
    uint32_t          first;
    uint32_t          last;
    judge_harmless_e  how;
} judge_harmless_t;


static const judge_harmless_t  judge_harmless[] = {
    { 0x00000, 0x00008, JUDGE_HARMLESS_SHOW },
    { 0x0000b, 0x0000c, JUDGE_HARMLESS_LINE },
    { 0x0000d, 0x0000d, JUDGE_HARMLESS_LINE },
    { 0x0000e, 0x0001f, JUDGE_HARMLESS_SHOW },
    { 0x0007f, 0x00084, JUDGE_HARMLESS_SHOW },
    { 0x00085, 0x00085, JUDGE_HARMLESS_LINE },
    { 0x00086, 0x0009f, JUDGE_HARMLESS_SHOW },
    { 0x02028, 0x02029, JUDGE_HARMLESS_LINE },
    { 0x0202a, 0x0202e, JUDGE_HARMLESS_HIDE },         /* directions */
    { 0x02066, 0x02069, JUDGE_HARMLESS_HIDE },
    { 0x027e6, 0x027e6, JUDGE_HARMLESS_OPEN },
    { 0x027e7, 0x027e7, JUDGE_HARMLESS_CLOSE },
    { 0x0fe00, 0x0fe0f, JUDGE_HARMLESS_SELECT },
    { 0x0fff9, 0x0fffb, JUDGE_HARMLESS_SHOW },
    { 0xe0000, 0xe007f, JUDGE_HARMLESS_SHOW },         /* tags */
    { 0xe0100, 0xe01ef, JUDGE_HARMLESS_HIDE }          /* more selectors */
};


judge_rc_e
judge_delimiter_make(judge_delimiter_t *fence, const judge_str_t *texts,
    size_t n)
{
    size_t           i, j;
    uint8_t          hash[JUDGE_SHA256_LEN], len[8];
    judge_rc_e       rc;
    judge_digest_t  *d = judge_digest_sha256();

    if (d == NULL) {
        return JUDGE_ERROR;
    }

    rc = judge_digest_update(d, JUDGE_STR("judge fence 1\0"));

    /* each with its length, so that no two lists are one text */

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        for (j = 0; j < sizeof(len); j++) {
            len[j] = (uint8_t) ((uint64_t) texts[i].len >> (8 * j));
        }

        rc = judge_digest_update(d, (judge_str_t) { sizeof(len),
                                                    (char *) len });
        if (rc == JUDGE_OK && texts[i].len) {
            rc = judge_digest_update(d, texts[i]);
        }
    }

    if (rc == JUDGE_OK) {
        rc = judge_digest_final(d, hash);
    }

    judge_digest_free(d);

    for (i = 0; rc == JUDGE_OK && i < JUDGE_DELIMITER_LEN / 2; i++) {
        (void) snprintf(fence->number + 2 * i, 3, "%02x", hash[i]);
    }

    return (rc == JUDGE_OK) ? JUDGE_OK : JUDGE_ERROR;
}


void
judge_delimiter_put(judge_buf_t *buf, const judge_delimiter_t *fence,
    const char *name, judge_str_t text, size_t *altered)
{
    judge_buf_printf(buf, "\xe2\x9f\xa6%s %s BEGIN\xe2\x9f\xa7\n", name,
                     fence->number);
    judge_delimiter_text(buf, text, altered);
    judge_buf_printf(buf, "\n\xe2\x9f\xa6%s %s END\xe2\x9f\xa7\n", name,
                     fence->number);
}


static bool
judge_delimiter_is_special(judge_str_t s)
{
    const char *const  *p;

    for (p = judge_delimiter_special; *p != NULL; p++) {
        if (judge_str_casestarts(s, judge_str_c(*p))) {
            return true;
        }
    }

    return false;
}


static judge_harmless_e
judge_delimiter_how(uint32_t c)
{
    size_t  i;

    for (i = 0; i < sizeof(judge_harmless) / sizeof(judge_harmless[0]); i++) {
        if (c >= judge_harmless[i].first && c <= judge_harmless[i].last) {
            return judge_harmless[i].how;
        }
    }

    return JUDGE_HARMLESS;
}


/* One character that is not harmless; `before` is the form of the last.
 * Whether that altered the text. */

static bool
judge_delimiter_replace(judge_buf_t *buf, judge_str_t c, judge_harmless_e how,
    judge_harmless_e before)
{
    switch (how) {
    case JUDGE_HARMLESS_LINE:
        judge_buf_c(buf, "\n");
        return false;
    case JUDGE_HARMLESS_SELECT:
        if (before != JUDGE_HARMLESS_SELECT) {
            judge_buf_str(buf, c);
            return false;
        }
        break;
    case JUDGE_HARMLESS_SHOW:
        if (before == JUDGE_HARMLESS_SHOW) {
            return false;
        }
        judge_buf_c(buf, JUDGE_REPLACEMENT);
        break;
    case JUDGE_HARMLESS_OPEN:
        judge_buf_c(buf, "[[");
        break;
    case JUDGE_HARMLESS_CLOSE:
        judge_buf_c(buf, "]]");
        break;
    default:                           /* JUDGE_HARMLESS_HIDE */
        judge_buf_c(buf, JUDGE_ZERO_WIDTH);
        break;
    }

    return true;
}


/* Bytes that may be copied as they are: most text is in long runs of them. */

static const char *
judge_delimiter_plain(const char *p, const char *end)
{
    while (p < end && ((*p >= 0x20 && *p < 0x7f && *p != '<' && *p != '[')
                       || *p == '\n' || *p == '\t'))
    {
        p++;
    }

    return p;
}


/* A character as it is, and U+200B behind the first of a special token. */

static bool
judge_delimiter_keep(judge_buf_t *buf, const char *p, size_t len,
    const char *end)
{
    judge_buf_append(buf, p, len);

    if ((*p != '<' && *p != '[')
        || !judge_delimiter_is_special((judge_str_t) { (size_t) (end - p),
                                                       p }))
    {
        return false;
    }

    judge_buf_c(buf, JUDGE_ZERO_WIDTH);

    return true;
}


void
judge_delimiter_text(judge_buf_t *buf, judge_str_t text, size_t *altered)
{
    size_t             len, changes = 0;
    uint32_t           c;
    const char        *p = text.data, *end = p + text.len, *start;
    judge_harmless_e   how, before = JUDGE_HARMLESS;

    while (p < end) {
        start = p;
        p = judge_delimiter_plain(p, end);

        if (p > start) {
            judge_buf_append(buf, start, (size_t) (p - start));
            before = JUDGE_HARMLESS;
            continue;
        }

        c = judge_utf8_next(&p, end);
        len = (size_t) (p - start);
        how = JUDGE_HARMLESS;

        if (c == JUDGE_UTF8_INVALID) {
            judge_buf_c(buf, JUDGE_REPLACEMENT);

        } else if (c != '\r' || p == end || *p != '\n') {
            how = judge_delimiter_how(c);

            changes += (how == JUDGE_HARMLESS)
                       ? judge_delimiter_keep(buf, start, len, end)
                       : judge_delimiter_replace(buf, (judge_str_t) { len,
                                                 start }, how, before);
        }

        before = how;
    }

    if (altered) {
        *altered += changes;
    }
}
