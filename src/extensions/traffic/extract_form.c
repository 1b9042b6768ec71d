/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Forms as browsers send them, by the WHATWG's URL and HTML standards and
 * RFC 7578. */


#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include <string.h>

#include "base/text/ascii.h"
#include "extensions/traffic/extract.h"


#define JUDGE_EXTRACT_BOUNDARY  70         /* maximum by RFC 2046 */


/* A field without a name may be any field, so it is always used. */

static void
judge_extract_field(const judge_extract_t *e, judge_str_t name,
    judge_str_t value, judge_buf_t *out)
{
    if (value.len
        && (e->nfields == 0 || name.data == NULL
            || judge_str_index(e->fields, e->nfields, name) < e->nfields))
    {
        judge_buf_c(out, out->len ? "\n" : "");
        judge_buf_str(out, value);
    }
}


judge_str_t
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


/* Decodes in place, because the result is not longer. */

static judge_str_t
judge_extract_plus(judge_str_t s)
{
    int     high, low;
    char   *to;
    size_t  i;

    to = (char *) (uintptr_t) s.data;

    for (i = 0; i < s.len; i++) {
        high = s.data[i] == '%' && i + 2 < s.len
               ? judge_ascii_hex(s.data[i + 1]) : -1;
        low = high >= 0 ? judge_ascii_hex(s.data[i + 2]) : -1;

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


/* Splits the line at the next ';' outside of quotes, which is dropped. */

static judge_str_t
judge_extract_word(judge_str_t *line)
{
    bool         quoted = false;
    size_t       i;
    judge_str_t  word;

    for (i = 0; i < line->len; i++) {
        quoted ^= line->data[i] == '"';
        if (line->data[i] == ';' && !quoted) {
            break;
        }
    }

    word = (judge_str_t) { i, line->data };
    *line = judge_str_from(*line, i < line->len ? i + 1 : i);

    return judge_str_trim(word, " \t");
}


static judge_str_t
judge_extract_find(judge_str_t s, judge_str_t what)
{
    const char  *p;

    p = s.len ? memmem(s.data, s.len, what.data, what.len) : NULL;

    return p ? judge_str_from(s, (size_t) (p - s.data))
             : (judge_str_t) { 0, NULL };
}


/* Whether the part is a file; *name is set to the field's, absent if there is
 * none or if parsers find different ones. */

static bool
judge_extract_disposition(judge_str_t line, judge_str_t *name)
{
    size_t       names = 0, files = 0;
    judge_str_t  word;

    if (judge_extract_find(line, JUDGE_STR("\\\"")).data) {
        return false;
    }

    while (line.len) {
        word = judge_extract_word(&line);

        if (judge_str_casestarts(word, JUDGE_STR("filename="))) {
            word = judge_str_trim(judge_str_from(word, 9), "\"");
            files += word.len ? 1 : 2;

        } else if (judge_str_casestarts(word, JUDGE_STR("name="))) {
            *name = judge_str_trim(judge_str_from(word, 5), "\"");
            names++;
        }
    }

    if (names != 1) {
        *name = (judge_str_t) { 0, NULL };
    }

    return files == 1;
}


/* false: servers parse such lines differently, or some decode a field that
 * others don't. */

static bool
judge_extract_head(judge_str_t head, judge_str_t *name, bool *file)
{
    bool         encoded = false;
    size_t       seen = 0;
    judge_str_t  line, word;

    static const char *const  plain[] = { "7bit", "8bit", "binary", NULL };

    *name = (judge_str_t) { 0, NULL };
    *file = false;

    while (head.len) {
        line = judge_extract_until(&head, '\n');
        if (line.len == 0 || line.data[0] == ' ' || line.data[0] == '\t'
            || (head.len && line.data[line.len - 1] != '\r'))
        {
            return false;
        }

        line = judge_str_trim(line, "\r");
        word = judge_str_trim(judge_extract_until(&line, ':'), " \t");

        if (judge_str_caseeq(word, JUDGE_STR("content-disposition"))) {
            *file = judge_extract_disposition(line, name);
            seen++;

        } else if (judge_str_caseeq(word,
                                    JUDGE_STR("content-transfer-encoding")))
        {
            encoded |= !judge_str_caseamong(judge_str_trim(line, " \t"),
                                            plain);
        }
    }

    return seen < 2 && (*file || !encoded);
}


/* The boundary of a Content-Type; absent: there is none, or servers may find
 * different ones. */

static judge_str_t
judge_extract_boundary(judge_str_t type)
{
    size_t       i, n = 0;
    judge_str_t  word, name = JUDGE_STR("boundary"), none = { 0, NULL };
    judge_str_t  boundary = none;

    for (i = 0; i < type.len; i++) {
        n += judge_str_casestarts(judge_str_from(type, i), name);
    }

    while (type.len) {
        word = judge_extract_word(&type);
        if (judge_str_casestarts(word, JUDGE_STR("boundary="))) {
            boundary = judge_str_from(word, 9);
        }
    }

    boundary = judge_str_trim(boundary, "\"");

    for (i = 0; i < boundary.len; i++) {
        n += boundary.data[i] == '"' || boundary.data[i] == ','
             || boundary.data[i] == '\\';
    }

    return n == 1 && boundary.len && boundary.len <= JUDGE_EXTRACT_BOUNDARY
           ? boundary : none;
}


/* Splits *raw at the next line with the boundary, which is dropped.  false:
 * there is none, or the line before it ends with LF instead of CRLF. */

static bool
judge_extract_cut(judge_str_t *raw, judge_str_t line, judge_str_t *before)
{
    size_t       n;
    judge_str_t  found;

    found = judge_extract_find(*raw, line);
    n = raw->len - found.len;
    if (found.data == NULL || n == 0 || raw->data[n - 1] != '\r') {
        return false;
    }

    *before = (judge_str_t) { n - 1, raw->data };
    *raw = judge_str_from(found, line.len);

    return true;
}


/* Refuses everything that no browser sends, because one server may skip what
 * another one reads as a field. */

static bool
judge_extract_parts(const judge_extract_t *e, judge_arena_t *arena,
    judge_str_t raw, judge_buf_t *out)
{
    bool         file;
    judge_str_t  line, head, body, name, part;

    line = judge_extract_boundary(e->type);
    if (line.data == NULL) {
        return false;
    }

    line = judge_str_printf(arena, "\n--%.*s", (int) line.len, line.data);
    if (line.data == NULL) {
        return false;
    }

    if (judge_str_starts(raw, judge_str_from(line, 1))) {
        raw = judge_str_from(raw, line.len - 1);
    } else if (!judge_extract_cut(&raw, line, &part)) {
        return false;
    }

    while (!judge_str_starts(raw, JUDGE_STR("--"))) {
        if (!judge_str_starts(raw, JUDGE_STR("\r\n"))) {
            return false;
        }

        raw = judge_str_from(raw, 2);
        if (!judge_extract_cut(&raw, line, &part)) {
            return false;
        }

        body = judge_extract_find(part, JUDGE_STR("\r\n\r\n"));
        head = (judge_str_t) { part.len - body.len, part.data };
        if (body.data == NULL || !judge_extract_head(head, &name, &file)) {
            return false;
        }

        if (!file) {
            judge_extract_field(e, name, judge_str_from(body, 4), out);
        }
    }

    return judge_extract_find(raw, line).data == NULL;
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
