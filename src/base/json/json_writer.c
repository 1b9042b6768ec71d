/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The writer does not use yajl: most of an evaluation's result are short
 * strings, which yajl writes in pieces, with three times the instructions. */


#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/number.h"
#include "base/text/utf8.h"


#define JUDGE_JSON_ONES   0x0101010101010101ull
#define JUDGE_JSON_HIGHS  0x8080808080808080ull


void
judge_json_begin(judge_json_writer_t *w, judge_buf_t *buf)
{
    *w = (judge_json_writer_t) { .buf = buf, .begun = true };
}


judge_rc_e
judge_json_finish(judge_json_writer_t *w)
{
    w->begun = false;

    if (w->buf->failed) {
        return JUDGE_NOMEM;
    }

    return w->failed || w->depth || !w->more ? JUDGE_ERROR : JUDGE_OK;
}


void
judge_json_begin_object(judge_json_writer_t *w, judge_buf_t *buf,
    judge_arena_t *arena)
{
    judge_buf_init(buf, arena);
    judge_json_begin(w, buf);
    judge_json_object(w);
}


/* Whether the innermost open level is an object. */

static bool
judge_json_in_object(const judge_json_writer_t *w)
{
    return w->depth && w->objects[w->depth / 64] >> w->depth % 64 & 1;
}


/* Writes the comma or colon before a value or key; a string may be a key. */

static bool
judge_json_next(judge_json_writer_t *w, bool string)
{
    bool  key;

    key = judge_json_in_object(w) && !w->due;

    if (w->failed || (key && !string) || (w->depth == 0 && w->more)) {
        w->failed = true;
        return false;
    }

    if (w->due || w->more) {
        judge_buf_append(w->buf, w->due ? ":" : ",", 1);
    }

    w->due = key;
    w->more = true;

    return true;
}


static void
judge_json_open(judge_json_writer_t *w, bool object)
{
    uint64_t  bit;

    if (!judge_json_next(w, false)) {
        return;
    }

    if (w->depth == JUDGE_JSON_WRITES - 1) {
        w->failed = true;
        return;
    }

    w->depth++;
    bit = 1ull << w->depth % 64;
    w->objects[w->depth / 64] &= ~bit;
    w->objects[w->depth / 64] |= object ? bit : 0;
    w->more = false;

    judge_buf_append(w->buf, object ? "{" : "[", 1);
}


static void
judge_json_close(judge_json_writer_t *w, bool object)
{
    if (w->failed || w->depth == 0 || w->due
        || judge_json_in_object(w) != object)
    {
        w->failed = true;
        return;
    }

    w->depth--;
    w->more = true;

    judge_buf_append(w->buf, object ? "}" : "]", 1);
}


void
judge_json_object(judge_json_writer_t *w)
{
    judge_json_open(w, true);
}


void
judge_json_object_end(judge_json_writer_t *w)
{
    judge_json_close(w, true);
}


void
judge_json_array(judge_json_writer_t *w)
{
    judge_json_open(w, false);
}


void
judge_json_array_end(judge_json_writer_t *w)
{
    judge_json_close(w, false);
}


void
judge_json_begin_array(judge_json_writer_t *w, judge_buf_t *buf,
    judge_arena_t *arena)
{
    judge_buf_init(buf, arena);
    judge_json_begin(w, buf);
    judge_json_array(w);
}


static judge_str_t
judge_json_finished(judge_json_writer_t *w)
{
    return judge_json_finish(w) == JUDGE_OK ? judge_buf_view(w->buf)
                                            : (judge_str_t) { 0, NULL };
}


judge_str_t
judge_json_text(judge_json_writer_t *w)
{
    judge_json_close(w, judge_json_in_object(w));

    return judge_json_finished(w);
}


void
judge_json_bool(judge_json_writer_t *w, bool v)
{
    judge_json_raw(w, v ? JUDGE_STR("true") : JUDGE_STR("false"));
}


void
judge_json_null(judge_json_writer_t *w)
{
    judge_json_raw(w, JUDGE_STR("null"));
}


void
judge_json_raw(judge_json_writer_t *w, judge_str_t json)
{
    if (json.len == 0) {
        w->failed = true;

    } else if (judge_json_next(w, false)) {
        judge_buf_str(w->buf, json);
    }
}


void
judge_json_int(judge_json_writer_t *w, int64_t v)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = judge_integer_format(v, text);
    judge_json_raw(w, (judge_str_t) { len, text });
}


void
judge_json_number(judge_json_writer_t *w, double v)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = isfinite(v) ? judge_number_format(v, text) : 0;
    judge_json_raw(w, (judge_str_t) { len, text });
}


void
judge_json_number2(judge_json_writer_t *w, double v)
{
    char    text[JUDGE_NUMBER_LEN];
    size_t  len;

    len = isfinite(v) ? judge_number2_format(v, text) : 0;
    judge_json_raw(w, (judge_str_t) { len, text });
}


/* The number of leading bytes that need no escape.  Eight bytes are tested at
 * once: a subtraction sets the high bit of a byte that is a control character,
 * or that is 0 after the xor with a quote or a backslash.  Bytes whose high
 * bit was set before are masked out. */

static size_t
judge_json_plain(const char *p, size_t len)
{
    size_t    n;
    uint64_t  v, found;

    for (n = 0; len - n >= 8; n += 8) {
        memcpy(&v, p + n, 8);
        found = (v - 0x20 * JUDGE_JSON_ONES)
                | ((v ^ '"' * JUDGE_JSON_ONES) - JUDGE_JSON_ONES)
                | ((v ^ '\\' * JUDGE_JSON_ONES) - JUDGE_JSON_ONES);
        if (found & ~v & JUDGE_JSON_HIGHS) {
            break;
        }
    }

    while (n < len && (unsigned char) p[n] >= 0x20 && p[n] != '"'
           && p[n] != '\\')
    {
        n++;
    }

    return n;
}


/* Writes well-formed UTF-8 with escapes, without the quotes. */

static void
judge_json_escape(judge_buf_t *b, judge_str_t s)
{
    char                *at;
    size_t               n;
    char                 hex[] = "\\u0000";
    static const char    from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
    static const char    digits[] = "0123456789ABCDEF";

    for ( ;; ) {
        n = judge_json_plain(s.data, s.len);
        judge_buf_append(b, s.data, n);
        if (n == s.len) {
            return;
        }

        at = s.data[n] ? strchr(from, s.data[n]) : NULL;
        if (at) {
            hex[1] = to[at - from];
            judge_buf_append(b, hex, 2);

        } else {
            hex[1] = 'u';
            hex[4] = digits[s.data[n] >> 4];
            hex[5] = digits[s.data[n] & 15];
            judge_buf_append(b, hex, 6);
        }

        s = judge_str_from(s, n + 1);
    }
}


void
judge_json_str(judge_json_writer_t *w, judge_str_t s)
{
    size_t  n;

    if (!judge_json_next(w, true)) {
        return;
    }

    judge_buf_append(w->buf, "\"", 1);

    while ((n = judge_utf8_check(s)) < s.len) {
        judge_json_escape(w->buf, (judge_str_t) { n, s.data });
        judge_buf_c(w->buf, "\xef\xbf\xbd");
        s = judge_str_from(s, n + 1);
    }

    judge_json_escape(w->buf, s);
    judge_buf_append(w->buf, "\"", 1);
}


/* In an object, every second string is a key. */

void
judge_json_key_str(judge_json_writer_t *w, judge_str_t key)
{
    judge_json_str(w, key);
}


void
judge_json_key(judge_json_writer_t *w, const char *key)
{
    judge_json_str(w, judge_str_c(key));
}


void
judge_json_key_object(judge_json_writer_t *w, const char *key)
{
    judge_json_key(w, key);
    judge_json_object(w);
}


void
judge_json_key_array(judge_json_writer_t *w, const char *key)
{
    judge_json_key(w, key);
    judge_json_array(w);
}


/* Recursion is safe: trees have at most JUDGE_JSON_DEPTH levels. */

void
judge_json_value(judge_json_writer_t *w, const judge_json_t *v)
{
    const judge_json_t  *part;

    switch (v->type) {

    case JUDGE_JSON_NULL:
        judge_json_null(w);
        return;

    case JUDGE_JSON_BOOLEAN:
        judge_json_bool(w, v->boolean);
        return;

    case JUDGE_JSON_INTEGER:
        judge_json_int(w, v->integer);
        return;

    case JUDGE_JSON_NUMBER:
        judge_json_number(w, v->number);
        return;

    case JUDGE_JSON_STRING:
        judge_json_str(w, v->string);
        return;

    case JUDGE_JSON_ARRAY:
        judge_json_array(w);

        for (part = v->first; part != NULL; part = part->next) {
            judge_json_value(w, part);
        }

        judge_json_array_end(w);
        return;

    case JUDGE_JSON_OBJECT:
        judge_json_object(w);

        for (part = v->first; part != NULL; part = part->next) {
            judge_json_key_str(w, part->key);
            judge_json_value(w, part);
        }

        judge_json_object_end(w);
        return;
    }
}


void
judge_json_put_str(judge_json_writer_t *w, const char *key, judge_str_t s)
{
    if (s.data != NULL) {
        judge_json_key(w, key);
        judge_json_str(w, s);
    }
}


void
judge_json_put_c(judge_json_writer_t *w, const char *key, const char *s)
{
    judge_json_put_str(w, key, judge_str_c(s));
}


void
judge_json_put_id(judge_json_writer_t *w, const char *key, judge_str_t id)
{
    judge_json_put_str(w, "id", id);
    judge_json_put_str(w, key, id);
}


void
judge_json_put_int(judge_json_writer_t *w, const char *key, int64_t v)
{
    judge_json_key(w, key);
    judge_json_int(w, v);
}


void
judge_json_put_number(judge_json_writer_t *w, const char *key, double v)
{
    judge_json_key(w, key);
    judge_json_number(w, v);
}


void
judge_json_put_number2(judge_json_writer_t *w, const char *key, double v)
{
    judge_json_key(w, key);
    judge_json_number2(w, v);
}


void
judge_json_put_bool(judge_json_writer_t *w, const char *key, bool v)
{
    judge_json_key(w, key);
    judge_json_bool(w, v);
}


void
judge_json_put_time(judge_json_writer_t *w, const char *key, judge_ms_t t)
{
    char  text[JUDGE_TIME_LEN + 1];

    judge_time_format(t, text);
    judge_json_put_str(w, key, (judge_str_t) { JUDGE_TIME_LEN, text });
}


void
judge_json_put_time_if(judge_json_writer_t *w, const char *key, judge_ms_t t)
{
    if (t) {
        judge_json_put_time(w, key, t);
    }
}


static void
judge_json_strings(judge_json_writer_t *w, const judge_str_t *strings,
    size_t n)
{
    size_t  i;

    judge_json_array(w);

    for (i = 0; i < n; i++) {
        judge_json_str(w, strings[i]);
    }

    judge_json_array_end(w);
}


void
judge_json_put_strings(judge_json_writer_t *w, const char *key,
    const judge_str_t *strings, size_t n)
{
    judge_json_key(w, key);
    judge_json_strings(w, strings, n);
}


judge_str_t
judge_json_strings_text(judge_arena_t *arena, const judge_str_t *strings,
    size_t n)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_strings(&w, strings, n);

    return judge_json_finished(&w);
}


judge_str_t
judge_json_value_text(judge_arena_t *arena, const judge_json_t *v)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_value(&w, v);

    return judge_json_finished(&w);
}


void
judge_json_put_raw(judge_json_writer_t *w, const char *key, judge_str_t json)
{
    if (json.data != NULL) {
        judge_json_key(w, key);
        judge_json_raw(w, json);
    }
}
