/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


#include <string.h>

#include "extensions/traffic/extract.h"
#include "base/text/charset.h"


#define JUDGE_EXTRACT_PIECE    4096    /* bytes that are inflated at a time */


static const char *const  judge_skip_names[JUDGE_SKIP_COUNT] = {
    "", "type", "unsupported_encoding", "no_body", "status", "too_large",
    "cut_off", "binary", "malformed", "no_text", "sampled_out", "limited",
    "dropped", "no_judge", "failed", "unsupported_charset", "redact"
};

/* The byte order marks of encodings in which ASCII bytes can encode other
 * text.  They are refused, because this module would read the ASCII. */
static const judge_str_t  judge_extract_marks[] = {
    judge_str("\xff\xfe\0\0"), judge_str("\0\0\xfe\xff"),
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
judge_extract_free(judge_extract_t *e)
{
    judge_inflate_free(e->inflate);
    e->inflate = NULL;
    judge_buf_free(&e->raw);
    judge_buf_free(&e->text);
}


void
judge_extract_skip(judge_extract_t *e, judge_skip_e skip)
{
    e->skip = skip;
    judge_extract_free(e);
}


void
judge_extract_snapshot(const judge_extract_t *e, judge_extract_t *so_far)
{
    *so_far = *e;
    so_far->inflate = NULL;
    so_far->ended = true;
    judge_buf_init(&so_far->raw, NULL);
    judge_buf_init(&so_far->text, NULL);
    judge_buf_str(&so_far->text, judge_buf_view(&e->text));
}


size_t
judge_extract_size(const judge_extract_t *e)
{
    return e->raw.capacity + e->text.capacity
           + judge_inflate_size(e->inflate);
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


/* Joins the lines "data:" of an event; absent: it has none. */

static judge_str_t
judge_extract_data(judge_arena_t *arena, judge_str_t raw)
{
    judge_buf_t  data;
    judge_str_t  line, one = { 0, NULL };

    judge_buf_init(&data, arena);

    while (raw.len) {
        line = judge_extract_until(&raw, '\n');

        if (!judge_str_starts(line, JUDGE_STR("data:"))) {
            continue;
        }

        line = judge_str_trim(judge_str_from(line, 5), " \r");

        if (one.data == NULL) {
            one = line;
            continue;
        }

        if (data.len == 0) {
            judge_buf_str(&data, one);
        }

        judge_buf_c(&data, "\n");
        judge_buf_str(&data, line);
    }

    return data.len ? judge_buf_view(&data) : one;
}


static bool
judge_extract_type(const judge_json_t *root, const char *type)
{
    const judge_json_t  *v = judge_json_get(root, "type");

    return v && v->type == JUDGE_JSON_STRING
           && judge_str_eq_c(v->string, type);
}


static void
judge_extract_delta(judge_extract_t *e, judge_arena_t *arena,
    judge_str_t data)
{
    size_t                         i, before;
    judge_json_t                  *root;
    const judge_extract_format_t  *f;

    if (judge_json_parse(arena, data, &root, NULL) != JUDGE_OK
        || root->type != JUDGE_JSON_OBJECT)
    {
        return;
    }

    for (i = 0; i < e->formats.n; i++) {
        f = &e->formats.formats[i];

        if (e->seen && e->seen != f) {
            continue;
        }

        if (f->last && judge_extract_type(root, f->last)) {
            e->ended = true;
        }

        if (f->event == NULL || judge_extract_type(root, f->event)) {
            before = e->text.len;
            judge_extract_at(&f->delta, root, &e->text);
            if (e->text.len > before) {
                e->seen = f;
            }
        }
    }
}


static void
judge_extract_event(judge_extract_t *e, judge_arena_t *arena)
{
    size_t        i;
    judge_str_t   data;

    judge_arena_reset(arena);
    data = judge_extract_data(arena, judge_buf_view(&e->raw));

    if (data.data == NULL) {
        return;
    }

    e->events++;

    for (i = 0; i < e->formats.n; i++) {
        if (e->formats.formats[i].last
            && judge_str_eq_c(data, e->formats.formats[i].last))
        {
            e->ended = true;
            return;
        }
    }

    judge_extract_delta(e, arena, data);

    if (e->text.failed || e->text.len > e->max) {
        judge_extract_skip(e, e->text.failed ? JUDGE_SKIP_FAILED
                                             : JUDGE_SKIP_TOO_LARGE);
    }
}


/* Parses each event as soon as its last line, which is empty, has come. */

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

    if (e->kind != JUDGE_EXTRACT_EVENTS) {
        judge_extract_put(e, data, len);
    } else if (e->inflate) {
        judge_extract_inflate(e, arena, data, len);
    } else {
        judge_extract_plain(e, arena, data, len);
    }
}


static void
judge_extract_json(judge_extract_t *e, judge_arena_t *arena)
{
    size_t                         i;
    judge_json_t                  *root;
    const judge_extract_format_t  *f;

    if (judge_json_parse(arena, judge_buf_view(&e->raw), &root, NULL)
        != JUDGE_OK)
    {
        judge_extract_skip(e, JUDGE_SKIP_MALFORMED);
        return;
    }

    for (i = 0; i < e->formats.n && e->text.len == 0; i++) {
        f = &e->formats.formats[i];
        judge_extract_at(e->request ? &f->request : &f->answer, root,
                         &e->text);
    }

    judge_buf_free(&e->raw);
}


static void
judge_extract_charset(judge_extract_t *e)
{
    size_t                  i;
    judge_rc_e              rc;
    judge_charset_reader_t  reader;

    for (i = 0; i < sizeof(judge_extract_marks) / sizeof(judge_str_t); i++) {
        if (judge_str_starts(judge_buf_view(&e->raw), judge_extract_marks[i]))
        {
            judge_extract_skip(e, JUDGE_SKIP_CHARSET);
            return;
        }
    }

    judge_charset_open(&reader);
    rc = judge_charset_feed(&reader, judge_buf_view(&e->raw), &e->text);
    if (rc == JUDGE_OK) {
        rc = judge_charset_finish(&reader, &e->text);
    }
    judge_charset_close(&reader);
    judge_buf_free(&e->raw);

    if (rc != JUDGE_OK) {
        judge_extract_skip(e, rc == JUDGE_INVALID ? JUDGE_SKIP_BINARY
                                                  : JUDGE_SKIP_FAILED);
    }
}


void
judge_extract_finish(judge_extract_t *e, judge_arena_t *arena)
{
    judge_buf_t  raw;

    if (e->skip == JUDGE_SKIP_NONE && e->raw.data == NULL
        && e->text.data == NULL)
    {
        judge_extract_skip(e, JUDGE_SKIP_NO_BODY);
        return;
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

    if (e->skip != JUDGE_SKIP_NONE) {
        return;
    }

    if (e->kind >= JUDGE_EXTRACT_FORM) {
        e->skip = judge_extract_form(e, arena);
        if (e->skip == JUDGE_SKIP_NONE) {
            judge_extract_charset(e);
        } else {
            judge_extract_free(e);
        }

    } else if (e->kind == JUDGE_EXTRACT_TEXT) {
        judge_extract_charset(e);

    } else if (e->kind == JUDGE_EXTRACT_JSON) {
        judge_extract_json(e, arena);

    } else if (!e->ended && e->seen && e->seen->last) {
        judge_extract_skip(e, JUDGE_SKIP_CUT_OFF);
    }

    if (e->skip != JUDGE_SKIP_NONE) {
        return;
    }

    if (e->text.failed || e->text.len > e->max) {
        judge_extract_skip(e, e->text.failed ? JUDGE_SKIP_FAILED
                                             : JUDGE_SKIP_TOO_LARGE);

    } else if (judge_str_trim((judge_str_t) { e->text.len, e->text.data },
                              " \t\r\n").len == 0)
    {
        judge_extract_skip(e, JUDGE_SKIP_NO_TEXT);
    }
}
