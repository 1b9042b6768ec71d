/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Forms as browsers send them: the WHATWG's URL and HTML standards, and
 * RFC 7578. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <string.h>

#include "analysis/traffic/extract.h"


#define JUDGE_EXTRACT_BOUNDARY  74         /* bytes of one, with its dashes */


static void
judge_extract_field(const judge_extract_t *e, judge_str_t name,
    judge_str_t value, judge_buf_t *out)
{
    size_t  i;

    for (i = 0; i < e->nfields; i++) {
        if (judge_str_eq(e->fields[i], name)) {
            break;
        }
    }

    if (value.len && (e->nfields == 0 || i < e->nfields)) {
        if (out->len) {
            judge_buf_c(out, "\n");
        }
        judge_buf_str(out, value);
    }
}


/* Up to the byte, which is taken as well. */

static judge_str_t
judge_extract_until(judge_str_t *s, char byte)
{
    size_t       n;
    const char  *p;
    judge_str_t  before;

    p = s->len ? memchr(s->data, byte, s->len) : NULL;
    n = p ? (size_t) (p - s->data) : s->len;
    before = (judge_str_t) { n, s->data };
    *s = judge_str_from(*s, p ? n + 1 : n);

    return before;
}


static int
judge_extract_hex(char c)
{
    static const char  digits[] = "0123456789abcdef";

    c = c >= 'A' && c <= 'F' ? (char) (c + 32) : c;

    return c && strchr(digits, c) ? (int) (strchr(digits, c) - digits) : -1;
}


/* In place: it gets no longer. */

static judge_str_t
judge_extract_plus(judge_str_t s)
{
    int     high, low;
    char   *to;
    size_t  i;

    to = (char *) (uintptr_t) s.data;

    for (i = 0; i < s.len; i++) {
        high = s.data[i] == '%' && i + 2 < s.len
               ? judge_extract_hex(s.data[i + 1]) : -1;
        low = high >= 0 ? judge_extract_hex(s.data[i + 2]) : -1;

        if (low >= 0) {
            *to++ = (char) (high * 16 + low);
            i += 2;
        } else {
            *to++ = s.data[i] == '+' ? ' ' : s.data[i];
        }
    }

    return (judge_str_t) { (size_t) (to - s.data), s.data };
}


static void
judge_extract_pairs(const judge_extract_t *e, judge_str_t raw,
    judge_buf_t *out)
{
    judge_str_t  pair, name;

    while (raw.len) {
        pair = judge_extract_until(&raw, '&');
        name = judge_extract_until(&pair, '=');
        judge_extract_field(e, judge_extract_plus(name),
                            judge_extract_plus(pair), out);
    }
}


/* Whether the part is a field of text, and its name. */

static bool
judge_extract_head(judge_str_t head, judge_str_t *name)
{
    judge_str_t  line, word;

    *name = (judge_str_t) { 0, NULL };

    while (head.len) {
        line = judge_str_trim(judge_extract_until(&head, '\n'), "\r");
        word = judge_extract_until(&line, ':');
        line = judge_str_trim(line, " \t");

        if (judge_str_caseeq(word, JUDGE_STR("content-type"))
            && !judge_str_casestarts(line, JUDGE_STR("text/")))
        {
            return false;
        }

        if (!judge_str_caseeq(word, JUDGE_STR("content-disposition"))) {
            continue;
        }

        while (line.len) {
            word = judge_str_trim(judge_extract_until(&line, ';'), " \t");
            if (judge_str_casestarts(word, JUDGE_STR("filename"))) {
                return false;
            }
            if (judge_str_casestarts(word, JUDGE_STR("name="))) {
                *name = judge_str_trim(judge_str_from(word, 5), "\"");
            }
        }
    }

    return name->data != NULL;
}


static judge_str_t
judge_extract_find(judge_str_t s, judge_str_t what)
{
    const char  *p;

    p = memmem(s.data, s.len, what.data, what.len);

    return p ? judge_str_from(s, (size_t) (p - s.data))
             : (judge_str_t) { 0, NULL };
}


/* The boundary is what the body begins with. */

static bool
judge_extract_parts(const judge_extract_t *e, judge_arena_t *arena,
    judge_str_t raw, judge_buf_t *out)
{
    judge_str_t  boundary, head, body, name, part;

    boundary = judge_str_trim(judge_extract_until(&raw, '\n'), "\r");
    if (!judge_str_starts(boundary, JUDGE_STR("--"))
        || boundary.len > JUDGE_EXTRACT_BOUNDARY)
    {
        return false;
    }

    boundary = judge_str_printf(arena, "\r\n%.*s", (int) boundary.len,
                                boundary.data);

    while (boundary.data) {
        body = judge_extract_find(raw, JUDGE_STR("\r\n\r\n"));
        if (body.data == NULL) {
            return false;
        }

        head = (judge_str_t) { raw.len - body.len, raw.data };
        body = judge_str_from(body, 4);
        raw = judge_extract_find(body, boundary);
        if (raw.data == NULL) {
            return false;
        }

        part = (judge_str_t) { body.len - raw.len, body.data };
        if (judge_extract_head(head, &name)) {
            judge_extract_field(e, name, part, out);
        }

        raw = judge_str_from(raw, boundary.len);
        if (judge_str_starts(raw, JUDGE_STR("--"))) {
            break;
        }
        raw = judge_str_from(raw, raw.len > 2 ? 2 : raw.len);
    }

    return true;
}


judge_skip_e
judge_extract_form(judge_extract_t *e, judge_arena_t *arena)
{
    judge_buf_t  out;
    judge_str_t  raw = judge_buf_view(&e->raw);

    judge_buf_init(&out, NULL);

    if (e->kind == JUDGE_EXTRACT_FORM) {
        judge_extract_pairs(e, raw, &out);

    } else if (!judge_extract_parts(e, arena, raw, &out)) {
        judge_buf_free(&out);
        return JUDGE_SKIP_MALFORMED;
    }

    judge_buf_free(&e->raw);
    e->raw = out;

    return out.failed ? JUDGE_SKIP_FAILED : JUDGE_SKIP_NONE;
}
