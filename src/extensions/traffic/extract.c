/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>
#include <unistd.h>

#include "extensions/traffic/extract.h"
#include "base/text/charset.h"
#include "base/text/utf8.h"


#define JUDGE_EXTRACT_PIECE    4096    /* bytes inflated at a time */
#define JUDGE_EXTRACT_READ     16384   /* bytes read from a file at a time */


static const char *const  judge_skip_names[JUDGE_SKIP_COUNT] = {
    "", "type", "unsupported_encoding", "no_body", "status", "too_large",
    "cut_off", "binary", "malformed", "no_text", "sampled_out", "limited",
    "dropped", "no_judge", "failed", "unsupported_charset", "redact",
    "unmasked", "not_judged"
};

/* Byte order marks of encodings in which ASCII bytes can encode other text.
 * They are refused, because only some readers heed them; others read them as a
 * part of a form's field. */
static const judge_str_t  judge_extract_marks[] = {
    judge_str("\xff\xfe"), judge_str("\xfe\xff"), judge_str("\0\0\xfe\xff"),
    judge_str("+/v8"), judge_str("+/v9"), judge_str("+/v+"), judge_str("+/v/")
};


const char *
judge_skip_name(judge_skip_e skip)
{
    return judge_skip_names[skip];
}


void
judge_extract_begin(judge_extract_t *e, judge_extract_kind_e kind,
    judge_str_t coding, size_t max)
{
    judge_rc_e  rc;

    e->kind = kind;
    e->max = max;
    e->skip = JUDGE_SKIP_NONE;
    judge_buf_init(&e->raw, NULL);
    judge_buf_init(&e->text, NULL);
    judge_buf_init(&e->anew, NULL);

    if (coding.len == 0 || judge_str_caseeq(coding, JUDGE_STR("identity"))) {
        return;
    }

    rc = judge_inflate_create(coding, max, &e->inflate);
    if (rc != JUDGE_OK) {
        e->skip = rc == JUDGE_NOT_FOUND ? JUDGE_SKIP_ENCODING
                                        : JUDGE_SKIP_FAILED;
    }
}


void
judge_extract_snapshot(const judge_extract_t *e, judge_extract_t *so_far)
{
    *so_far = *e;
    so_far->inflate = NULL;
    so_far->ended = true;
    judge_buf_init(&so_far->raw, NULL);
    judge_buf_init(&so_far->text, NULL);
    judge_buf_init(&so_far->anew, NULL);
    so_far->lanes = NULL;
    so_far->nlanes = 0;
    judge_extract_join(e, &so_far->text);
}


static void
judge_extract_put(judge_extract_t *e, const char *data, size_t len)
{
    if (len > e->max - e->raw.len) {
        judge_extract_skip(e, JUDGE_SKIP_TOO_LARGE);
        return;
    }

    judge_buf_append(&e->raw, data, len);
    if (e->raw.failed) {
        judge_extract_skip(e, JUDGE_SKIP_FAILED);
    }
}


bool
judge_extract_data(judge_arena_t *arena, judge_str_t raw, judge_str_t *data)
{
    judge_buf_t  all;
    judge_str_t  line, name;

    static const char *const  names[] = { "data", "event", "id", "retry",
                                          NULL };

    *data = (judge_str_t) { 0, NULL };
    judge_buf_init(&all, arena);

    while (raw.len) {
        line = judge_str_until(&raw, '\n');
        line.len -= line.len && line.data[line.len - 1] == '\r';

        if (line.len && (memchr(line.data, '\r', line.len)
                         || memchr(line.data, '\0', line.len)))
        {
            return false;
        }
        if (line.len == 0 || line.data[0] == ':') {
            continue;
        }

        name = judge_str_until(&line, ':');
        if (!judge_str_caseamong(name, names)) {
            return false;
        }
        if (judge_str_caseeq(name, JUDGE_STR("data"))) {
            if (!judge_str_eq_c(name, "data")) {
                return false;
            }
            judge_buf_c(&all, data->data ? "\n" : "");
            judge_buf_str(&all, judge_str_trim(line, " "));
            *data = all.len ? judge_buf_view(&all) : JUDGE_STR("");
        }
    }

    return !all.failed;
}


static judge_skip_e
judge_extract_json_event(judge_extract_t *e, judge_arena_t *arena,
    judge_str_t data)
{
    judge_buf_t    text;
    judge_json_t  *root;

    if (judge_str_eq_c(data, "[DONE]")) {
        e->ended = true;
        return JUDGE_SKIP_NONE;
    }

    if (e->ended || judge_json_parse(arena, data, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return JUDGE_SKIP_MALFORMED;
    }

    if (e->formats.formats[0].anchor) {
        return judge_extract_delta(e, root);
    }

    judge_buf_init(&text, arena);
    if (judge_extract_at(&e->formats.formats[0].path, 0, root, &text)
        && e->unicode)
    {
        return JUDGE_SKIP_MALFORMED;
    }
    judge_extract_add(e, 0, judge_buf_view(&text), "");

    return text.failed ? JUDGE_SKIP_FAILED : e->skip;
}


static void
judge_extract_event(judge_extract_t *e, judge_arena_t *arena)
{
    judge_str_t   data;
    judge_skip_e  skip = JUDGE_SKIP_MALFORMED;

    judge_arena_reset(arena);

    if (judge_extract_data(arena, judge_buf_view(&e->raw), &data)) {
        skip = JUDGE_SKIP_NONE;
        if (data.data) {
            e->events++;
            skip = judge_extract_json_event(e, arena, data);
        }
        if (skip == JUDGE_SKIP_NONE && e->watch) {
            e->watch->event(e->watch->data, judge_buf_view(&e->raw));
        }
    }

    if (skip != JUDGE_SKIP_NONE) {
        judge_extract_skip(e, skip);
    }
}


/* Parses each event as soon as its last line, which is empty, was received. */

static void
judge_extract_plain(judge_extract_t *e, judge_arena_t *arena,
    const char *data, size_t len)
{
    size_t       n;
    const char  *newline;

    if (e->kind != JUDGE_EXTRACT_EVENTS) {
        judge_extract_put(e, data, len);
        return;
    }

    while (len && e->skip == JUDGE_SKIP_NONE) {
        newline = memchr(data, '\n', len);
        n = newline ? (size_t) (newline - data) + 1 : len;
        judge_extract_put(e, data, n);
        data += n;
        len -= n;

        n = e->raw.len;
        if (newline && e->skip == JUDGE_SKIP_NONE
            && (n == 1 || e->raw.data[n - 2] == '\n'
                || (e->raw.data[n - 2] == '\r'
                    && (n == 2 || e->raw.data[n - 3] == '\n'))))
        {
            judge_extract_event(e, arena);
            e->raw.len = 0;
        }
    }
}


static void
judge_extract_inflate(judge_extract_t *e, judge_arena_t *arena,
    const char *data, size_t len)
{
    char         out[JUDGE_EXTRACT_PIECE];
    size_t       n = 0;
    judge_rc_e   rc;
    judge_str_t  rest = { len, (char *) (uintptr_t) data };

    do {
        rc = judge_inflate_step(e->inflate, &rest, out, sizeof(out), &n);
        if (rc != JUDGE_OK) {
            judge_extract_skip(e, rc == JUDGE_BUSY ? JUDGE_SKIP_TOO_LARGE
                                                   : JUDGE_SKIP_MALFORMED);
            return;
        }

        judge_extract_plain(e, arena, out, n);
        if (e->skip != JUDGE_SKIP_NONE) {
            return;
        }
    } while (rest.len || n == sizeof(out));
}


void
judge_extract_feed(judge_extract_t *e, judge_arena_t *arena, const char *data,
    size_t len)
{
    if (e->skip != JUDGE_SKIP_NONE || len == 0) {
        return;
    }

    if (e->inflate && e->kind == JUDGE_EXTRACT_EVENTS) {
        judge_extract_inflate(e, arena, data, len);
    } else {
        judge_extract_plain(e, arena, data, len);
    }
}


void
judge_extract_file(judge_extract_t *e, judge_arena_t *arena, int file)
{
    char     piece[JUDGE_EXTRACT_READ];
    off_t    at = 0;
    ssize_t  n;

    while (e->skip == JUDGE_SKIP_NONE
           && (n = pread(file, piece, sizeof(piece), at)) != 0)
    {
        if (n < 0) {
            judge_extract_skip(e, JUDGE_SKIP_FAILED);
            return;
        }

        judge_extract_feed(e, arena, piece, (size_t) n);
        at += n;
    }
}


/* Numbers are copied: readers differ only in how many digits they use.  The
 * parser has checked that each string ends. */

void
judge_extract_anew_json(judge_extract_t *e, judge_arena_t *arena)
{
    judge_str_t  s, raw = judge_buf_view(&e->raw);
    const char  *p, *end = raw.data + raw.len;

    for (p = raw.data; e->rewrite && p < end; p++) {
        if (*p != '"') {
            judge_buf_append(&e->anew, p, memchr(" \t\r\n", *p, 4) == NULL);
            continue;
        }

        s.data = ++p;
        while (*p != '"') {
            p += *p == '\\' ? 2 : 1;
        }

        s.len = (size_t) (p - s.data);
        s = judge_json_unescape(arena, s);
        e->anew.failed = e->anew.failed || s.data == NULL;
        judge_buf_c(&e->anew, "\"");
        judge_json_characters(&e->anew, s);
        judge_buf_c(&e->anew, "\"");
    }
}


static judge_skip_e
judge_extract_json(judge_extract_t *e, judge_arena_t *arena)
{
    judge_skip_e                   skip;
    const judge_extract_format_t  *f = e->formats.formats;

    if (judge_json_parse(arena, judge_buf_view(&e->raw), &e->root, NULL)
        != JUDGE_OK)
    {
        return JUDGE_SKIP_MALFORMED;
    }

    judge_extract_anew_json(e, arena);

    skip = f->anchor == NULL
           ? (judge_extract_at(&f->path, 0, e->root, &e->text) && e->unicode
              ? JUDGE_SKIP_MALFORMED : JUDGE_SKIP_NONE)
           : e->request ? judge_extract_request(e, e->root)
           : judge_extract_answer(e, e->root);
    judge_buf_free(&e->raw);

    return skip;
}


/* A zero byte, like a byte order mark, would make the reader take the text for
 * UTF-16, with other words than any other reader finds. */

static judge_skip_e
judge_extract_charset(judge_extract_t *e)
{
    size_t                  i;
    judge_rc_e              rc;
    judge_str_t             raw = judge_buf_view(&e->raw);
    judge_charset_reader_t  reader;

    for (i = 0; i < sizeof(judge_extract_marks) / sizeof(judge_str_t); i++) {
        if (judge_str_starts(raw, judge_extract_marks[i])) {
            return JUDGE_SKIP_CHARSET;
        }
    }

    if (memchr(raw.data, '\0', raw.len)) {
        return JUDGE_SKIP_BINARY;
    }

    if (e->unicode && judge_utf8_check(raw) != raw.len) {
        return JUDGE_SKIP_MALFORMED;
    }

    judge_charset_open(&reader);
    rc = judge_charset_feed(&reader, raw, &e->text);
    rc = rc ? rc : judge_charset_finish(&reader, &e->text);
    judge_charset_close(&reader);
    judge_buf_free(&e->raw);

    return rc == JUDGE_OK ? JUDGE_SKIP_NONE
           : rc == JUDGE_INVALID ? JUDGE_SKIP_BINARY : JUDGE_SKIP_FAILED;
}


void
judge_extract_end_input(judge_extract_t *e, judge_arena_t *arena)
{
    judge_buf_t  raw;

    if (e->skip == JUDGE_SKIP_NONE && e->raw.data == NULL
        && e->text.data == NULL)
    {
        judge_extract_skip(e, JUDGE_SKIP_NO_BODY);
    }

    if (e->skip == JUDGE_SKIP_NONE && e->kind != JUDGE_EXTRACT_EVENTS
        && e->inflate)
    {
        raw = e->raw;
        judge_buf_init(&e->raw, NULL);
        judge_extract_inflate(e, arena, raw.data, raw.len);
        judge_buf_free(&raw);
    }

    if (e->skip == JUDGE_SKIP_NONE && e->inflate
        && !judge_inflate_ended(e->inflate))
    {
        judge_extract_skip(e, JUDGE_SKIP_CUT_OFF);
    }

    judge_inflate_free(e->inflate);
    e->inflate = NULL;
}


void
judge_extract_finish(judge_extract_t *e, judge_arena_t *arena)
{
    judge_skip_e  skip;

    judge_extract_end_input(e, arena);

    if (e->skip != JUDGE_SKIP_NONE) {
        return;
    }

    if (e->kind >= JUDGE_EXTRACT_FORM) {
        skip = judge_extract_form(e, arena);
        skip = skip == JUDGE_SKIP_NONE ? judge_extract_charset(e) : skip;

    } else if (e->kind == JUDGE_EXTRACT_TEXT) {
        skip = judge_extract_charset(e);
        if (e->rewrite) {
            judge_buf_str(&e->anew, judge_buf_view(&e->text));
        }

    } else if (e->kind == JUDGE_EXTRACT_JSON) {
        skip = judge_extract_json(e, arena);

    } else {
        skip = !e->ended && e->format && e->format->ends ? JUDGE_SKIP_CUT_OFF
               : e->raw.len ? JUDGE_SKIP_MALFORMED : JUDGE_SKIP_NONE;
    }

    if (skip == JUDGE_SKIP_NONE) {
        judge_extract_join(e, &e->text);
        judge_extract_lanes_free(e);
        skip = e->text.len > e->max ? JUDGE_SKIP_TOO_LARGE
               : e->text.failed || e->anew.failed ? JUDGE_SKIP_FAILED
               : judge_str_trim(judge_buf_view(&e->text), " \t\r\n").len == 0
               ? JUDGE_SKIP_NO_TEXT : JUDGE_SKIP_NONE;
    }

    if (skip != JUDGE_SKIP_NONE) {
        judge_extract_skip(e, skip);
    }
}
