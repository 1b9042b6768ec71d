/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The fence around data, and the harmless form of text.  A special token is
 * broken by U+200B after its first character: a person sees the same text, a
 * tokenizer another one, and quotes of it are found all the same.
 */


#include <stdio.h>

#include "base/crypto/crypto.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt.h"


#define JUDGE_ZERO_WIDTH      "\xe2\x80\x8b"
#define JUDGE_REPLACEMENT     "\xef\xbf\xbd"

/* What becomes of a character. */
typedef enum {
    JUDGE_FORM_KEEP = 0,
    JUDGE_FORM_LINE,                   /* a new line */
    JUDGE_FORM_SHOW,                   /* U+FFFD, one for a run of them */
    JUDGE_FORM_HIDE,                   /* U+200B, so that its neighbours don't
                                          join */
    JUDGE_FORM_SELECT,                 /* kept, but only the first of a run */
    JUDGE_FORM_OPEN,                   /* ASCII brackets for one of a fence */
    JUDGE_FORM_CLOSE
} judge_delimiter_form_e;

typedef struct {
    uint32_t                first;
    uint32_t                last;
    judge_delimiter_form_e  form;
} judge_delimiter_range_t;


static const judge_delimiter_range_t  judge_delimiter_ranges[] = {
    { 0x00000, 0x00008, JUDGE_FORM_SHOW },
    { 0x0000b, 0x0000c, JUDGE_FORM_LINE },
    { 0x0000d, 0x0000d, JUDGE_FORM_LINE },
    { 0x0000e, 0x0001f, JUDGE_FORM_SHOW },
    { 0x0007f, 0x00084, JUDGE_FORM_SHOW },
    { 0x00085, 0x00085, JUDGE_FORM_LINE },
    { 0x00086, 0x0009f, JUDGE_FORM_SHOW },
    { 0x02028, 0x02029, JUDGE_FORM_LINE },
    { 0x0202a, 0x0202e, JUDGE_FORM_HIDE },         /* directions */
    { 0x02066, 0x02069, JUDGE_FORM_HIDE },
    { 0x027e6, 0x027e6, JUDGE_FORM_OPEN },
    { 0x027e7, 0x027e7, JUDGE_FORM_CLOSE },
    { 0x0fe00, 0x0fe0f, JUDGE_FORM_SELECT },
    { 0x0fff9, 0x0fffb, JUDGE_FORM_SHOW },
    { 0xe0000, 0xe007f, JUDGE_FORM_SHOW },         /* tags */
    { 0xe0100, 0xe01ef, JUDGE_FORM_HIDE }          /* more selectors */
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

    /* Each follows its length, so that no two lists make the same bytes. */

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


static judge_delimiter_form_e
judge_delimiter_form(uint32_t c)
{
    size_t                          n = sizeof(judge_delimiter_ranges)
                                        / sizeof(judge_delimiter_range_t);
    const judge_delimiter_range_t  *range = judge_delimiter_ranges;

    for ( /* void */ ; n; n--, range++) {
        if (c >= range->first && c <= range->last) {
            return range->form;
        }
    }

    return JUDGE_FORM_KEEP;
}


/* Puts the form of a character that is not kept; `before` is that of the last
 * one.  Returns whether this altered the text. */

static bool
judge_delimiter_replace(judge_buf_t *buf, judge_str_t c,
    judge_delimiter_form_e form, judge_delimiter_form_e before)
{
    switch (form) {
    case JUDGE_FORM_LINE:
        judge_buf_c(buf, "\n");
        return false;
    case JUDGE_FORM_SELECT:
        if (before != JUDGE_FORM_SELECT) {
            judge_buf_str(buf, c);
            return false;
        }
        break;
    case JUDGE_FORM_SHOW:
        if (before == JUDGE_FORM_SHOW) {
            return false;
        }
        judge_buf_c(buf, JUDGE_REPLACEMENT);
        break;
    case JUDGE_FORM_OPEN:
        judge_buf_c(buf, "[[");
        break;
    case JUDGE_FORM_CLOSE:
        judge_buf_c(buf, "]]");
        break;
    default:                           /* JUDGE_FORM_HIDE */
        judge_buf_c(buf, JUDGE_ZERO_WIDTH);
        break;
    }

    return true;
}


/* Returns the end of the bytes that can be copied as they are, without a look
 * at each: most text consists of long runs of them. */

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


/* Puts a character as it is, and U+200B after the first of a special token.
 * Returns whether this altered the text. */

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
    judge_delimiter_form_e  form, before = JUDGE_FORM_KEEP;

    while (p < end) {
        start = p;
        p = judge_delimiter_plain(p, end);

        if (p > start) {
            judge_buf_append(buf, start, (size_t) (p - start));
            before = JUDGE_FORM_KEEP;
            continue;
        }

        c = judge_utf8_next(&p, end);
        len = (size_t) (p - start);
        form = JUDGE_FORM_KEEP;

        if (c == JUDGE_UTF8_INVALID) {
            judge_buf_c(buf, JUDGE_REPLACEMENT);

        } else if (c != '\r' || p == end || *p != '\n') {
            form = judge_delimiter_form(c);

            changes += (form == JUDGE_FORM_KEEP)
                       ? judge_delimiter_keep(buf, start, len, end)
                       : judge_delimiter_replace(buf, (judge_str_t) { len,
                                                 start }, form, before);
        }

        before = form;
    }

    if (altered) {
        *altered += changes;
    }
}
