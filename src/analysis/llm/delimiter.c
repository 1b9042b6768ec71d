/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The fence around data, and the harmless form of text.  A special token is
 * broken by U+200B after its first character: a person sees the same text, a
 * tokenizer another one, and quotes of it are found all the same.
 */


#include "base/crypto/crypto.h"
#include "base/text/utf8.h"
#include "analysis/llm/prompt.h"


static const char  judge_zero_width[] = "\xe2\x80\x8b";
static const char  judge_replacement[] = "\xef\xbf\xbd";
static const char  judge_new_line[] = "\n";

/* What stands for a character of a range.  A run of characters has one
 * replacement character; NULL: it keeps its first, and loses the others. */
typedef struct {
    uint32_t     first;
    uint32_t     last;
    const char  *instead;
} judge_delimiter_range_t;


static const judge_delimiter_range_t  judge_delimiter_ranges[] = {
    { 0x00000, 0x00008, judge_replacement },
    { 0x0000b, 0x0000d, judge_new_line },
    { 0x0000e, 0x0001f, judge_replacement },
    { 0x0007f, 0x00084, judge_replacement },
    { 0x00085, 0x00085, judge_new_line },
    { 0x00086, 0x0009f, judge_replacement },
    { 0x02028, 0x02029, judge_new_line },
    { 0x0202a, 0x0202e, judge_zero_width },     /* directions */
    { 0x02066, 0x02069, judge_zero_width },
    { 0x027e6, 0x027e6, "[[" },
    { 0x027e7, 0x027e7, "]]" },
    { 0x0fe00, 0x0fe0f, NULL },                 /* selectors */
    { 0x0fff9, 0x0fffb, judge_replacement },
    { 0xe0000, 0xe007f, judge_replacement },    /* tags */
    { 0xe0100, 0xe01ef, judge_zero_width }      /* more selectors */
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

    if (rc != JUDGE_OK) {
        return JUDGE_ERROR;
    }

    judge_hex_put(fence->number, hash, JUDGE_DELIMITER_LEN / 2);
    fence->number[JUDGE_DELIMITER_LEN] = '\0';

    return JUDGE_OK;
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


/* Returns the range of a character; NULL: it stays as it is. */

static const judge_delimiter_range_t *
judge_delimiter_range(uint32_t c)
{
    size_t                          n = sizeof(judge_delimiter_ranges)
                                        / sizeof(judge_delimiter_range_t);
    const judge_delimiter_range_t  *range = judge_delimiter_ranges;

    for ( /* void */ ; n; n--, range++) {
        if (c >= range->first && c <= range->last) {
            return range;
        }
    }

    return NULL;
}


/* Puts what stands for a character of a range; `before` is the range of the
 * last one, or NULL.  Returns whether this altered the text. */

static bool
judge_delimiter_replace(judge_buf_t *buf, judge_str_t c,
    const judge_delimiter_range_t *range,
    const judge_delimiter_range_t *before)
{
    bool  again = before && before->instead == range->instead;

    if (range->instead == NULL) {
        judge_buf_str(buf, again ? JUDGE_STR("") : c);
        return again;
    }

    if (again && range->instead == judge_replacement) {
        return false;
    }

    judge_buf_c(buf, range->instead);

    return range->instead != judge_new_line;
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

    judge_buf_c(buf, judge_zero_width);

    return true;
}


void
judge_delimiter_text(judge_buf_t *buf, judge_str_t text, size_t *altered)
{
    size_t                          len, changes = 0;
    uint32_t                        c;
    const char                     *p = text.data, *end = p + text.len, *start;
    const judge_delimiter_range_t  *range, *before = NULL;

    while (p < end) {
        start = p;
        p = judge_delimiter_plain(p, end);

        if (p > start) {
            judge_buf_append(buf, start, (size_t) (p - start));
            before = NULL;
            continue;
        }

        c = judge_utf8_next(&p, end);
        len = (size_t) (p - start);
        range = NULL;

        if (c == JUDGE_UTF8_INVALID) {
            judge_buf_c(buf, judge_replacement);

        } else if (c != '\r' || p == end || *p != '\n') {
            range = judge_delimiter_range(c);
            changes += range == NULL
                       ? judge_delimiter_keep(buf, start, len, end)
                       : judge_delimiter_replace(buf, (judge_str_t) { len,
                                                 start }, range, before);
        }

        before = range;
    }

    if (altered) {
        *altered += changes;
    }
}
