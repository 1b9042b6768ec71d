/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The writer does not use yajl: most of a result consists of short strings,
 * which yajl writes in pieces, with three times the instructions. */


#include <endian.h>
#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/number.h"
#include "base/text/utf8.h"


#define JUDGE_JSON_ONES   0x0101010101010101ull
#define JUDGE_JSON_HIGHS  0x8080808080808080ull
#define JUDGE_JSON_ESCAPE 8            /* room for an escaped character, or for
                                          the padding of a string */


void
judge_json_begin(judge_json_writer_t *w, judge_buf_t *buf)
{
    *w = (judge_json_writer_t) { .buf = buf };
}


judge_rc_e
judge_json_finish(judge_json_writer_t *w)
{
    if (w->buf->failed) {
        return JUDGE_NOMEM;
    }

    return w->failed || w->depth || !w->more ? JUDGE_ERROR : JUDGE_OK;
}


/* Whether the innermost open level is an object. */

static bool
judge_json_in_object(const judge_json_writer_t *w)
{
    return w->depth && w->objects[w->depth / 64] >> w->depth % 64 & 1;
}


/* Writes the comma or colon before a value or key; a string may be a key.
 * Returns the position that follows, with room for `more` bytes, or NULL. */

static inline char *
judge_json_next(judge_json_writer_t *w, bool string, size_t more)
{
    bool   key;
    char  *p;

    key = judge_json_in_object(w) && !w->due;

    if (w->failed || (key && !string) || (w->depth == 0 && w->more)) {
        w->failed = true;
        return NULL;
    }

    p = judge_buf_room(w->buf, more + 1);

    if (p != NULL && (w->due || w->more)) {
        *p++ = w->due ? ':' : ',';
    }

    w->due = key;
    w->more = true;

    return p;
}


/* Sets the end of the buffer's content to p. */

static inline void
judge_json_set_end(judge_json_writer_t *w, const char *p)
{
    w->buf->len = (size_t) (p - w->buf->data);
}


void
judge_json_open(judge_json_writer_t *w, bool object)
{
    char      *p;
    uint64_t   bit;

    p = judge_json_next(w, false, 1);

    if (w->failed || w->depth == JUDGE_JSON_WRITES - 1) {
        w->failed = true;
        return;
    }

    w->depth++;
    bit = 1ull << w->depth % 64;
    w->objects[w->depth / 64] &= ~bit;
    w->objects[w->depth / 64] |= object ? bit : 0;
    w->more = false;

    if (p != NULL) {
        *p++ = object ? '{' : '[';
        judge_json_set_end(w, p);
    }
}


void
judge_json_close(judge_json_writer_t *w, bool object)
{
    char  *p;

    if (w->failed || w->depth == 0 || w->due
        || judge_json_in_object(w) != object)
    {
        w->failed = true;
        return;
    }

    w->depth--;
    w->more = true;

    p = judge_buf_room(w->buf, 1);
    if (p != NULL) {
        *p++ = object ? '}' : ']';
        judge_json_set_end(w, p);
    }
}


void
judge_json_begin_in(judge_json_writer_t *w, judge_buf_t *buf,
    judge_arena_t *arena, bool object)
{
    judge_buf_init(buf, arena);
    judge_json_begin(w, buf);
    judge_json_open(w, object);
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
judge_json_raw(judge_json_writer_t *w, judge_str_t json)
{
    char  *p;

    if (json.len == 0) {
        w->failed = true;
        return;
    }

    p = judge_json_next(w, false, json.len);
    if (p != NULL) {
        memcpy(p, json.data, json.len);
        judge_json_set_end(w, p + json.len);
    }
}


void
judge_json_int(judge_json_writer_t *w, int64_t v)
{
    char  *p;

    p = judge_json_next(w, false, JUDGE_NUMBER_LEN);
    if (p != NULL) {
        judge_json_set_end(w, p + judge_integer_format(v, p));
    }
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


/* Sets the high bit of the first byte that is not ASCII or needs an escape,
 * and perhaps of later ones: a subtraction sets it in a control character, and
 * in a byte that is 0 after the xor with a quote or a backslash. */

static inline uint64_t
judge_json_special(uint64_t v)
{
    return (v | (v - 0x20 * JUDGE_JSON_ONES)
            | ((v ^ '"' * JUDGE_JSON_ONES) - JUDGE_JSON_ONES)
            | ((v ^ '\\' * JUDGE_JSON_ONES) - JUDGE_JSON_ONES))
           & JUDGE_JSON_HIGHS;
}


/* Copies leading bytes that need no escape, eight at once; returns their
 * number.  `to` must have room for eight more, of which some are written. */

static inline size_t
judge_json_plain(char *to, const char *p, size_t len)
{
    size_t    n, some;
    uint64_t  v, special;

    for (n = 0; n < len; n += some) {
        some = len - n;

        if (some >= 8) {
            some = 8;
            memcpy(&v, p + n, 8);
        } else {
            v = ' ' * JUDGE_JSON_ONES;
            memcpy(&v, p + n, some);
        }

        memcpy(to + n, &v, 8);

        special = judge_json_special(le64toh(v));
        if (special) {
            return n + (size_t) __builtin_ctzll(special) / 8;
        }
    }

    return len;
}


/* Writes a character with its escape, or U+FFFD for a byte that is not UTF-8;
 * returns the end of what it wrote, at most six bytes. */

static char *
judge_json_escape(char *to, const char **from, const char *end)
{
    char                *found;
    const char          *p = *from;
    static const char    bytes[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    static const char    digits[] = "0123456789ABCDEF";

    if (judge_utf8_next(from, end) == JUDGE_UTF8_INVALID) {
        *from = p + 1;
        memcpy(to, "\xef\xbf\xbd", 3);
        return to + 3;
    }

    if (*p & 0x80) {
        memcpy(to, p, (size_t) (*from - p));
        return to + (*from - p);
    }

    *to++ = '\\';
    found = *p ? strchr(bytes, *p) : NULL;
    if (found) {
        *to++ = letters[found - bytes];
        return to;
    }

    memcpy(to, "u00", 3);
    to[3] = digits[*p >> 4];
    to[4] = digits[*p & 15];

    return to + 5;
}


void
judge_json_begin_value(judge_json_writer_t *w)
{
    char  *p;

    p = judge_json_next(w, false, 0);
    if (p != NULL) {
        judge_json_set_end(w, p);
    }
}


void
judge_json_characters(judge_buf_t *b, judge_str_t s)
{
    char        *p;
    size_t       n;
    const char  *from = s.data, *end = from + s.len;

    while ((p = judge_buf_room(b, (size_t) (end - from)
                                  + JUDGE_JSON_ESCAPE)) != NULL)
    {
        n = judge_json_plain(p, from, (size_t) (end - from));
        p += n;
        from += n;

        if (from == end) {
            b->len = (size_t) (p - b->data);
            return;
        }

        b->len = (size_t) (judge_json_escape(p, &from, end) - b->data);
    }
}


void
judge_json_str(judge_json_writer_t *w, judge_str_t s)
{
    char  *p;

    p = judge_json_next(w, true, 1);
    if (p != NULL) {
        *p++ = '"';
        judge_json_set_end(w, p);
        judge_json_characters(w->buf, s);
        judge_buf_append(w->buf, "\"", 1);
    }
}


void
judge_json_printf(judge_json_writer_t *w, const char *fmt, ...)
{
    va_list      args;
    judge_buf_t  text;

    judge_buf_init(&text, w->buf->arena);
    va_start(args, fmt);
    judge_buf_vprintf(&text, fmt, args);
    va_end(args);

    w->failed |= text.failed;
    judge_json_str(w, judge_buf_view(&text));
}


void
judge_json_key(judge_json_writer_t *w, const char *key)
{
    char    *p;
    size_t   len = strlen(key);

    p = judge_json_next(w, true, len + 2);
    if (p != NULL) {
        *p++ = '"';
        memcpy(p, key, len);
        p[len] = '"';
        judge_json_set_end(w, p + len + 1);
    }
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
    case JUDGE_JSON_OBJECT:
        judge_json_open(w, v->type == JUDGE_JSON_OBJECT);

        for (part = v->first; part != NULL; part = part->next) {
            if (v->type == JUDGE_JSON_OBJECT) {
                judge_json_key_str(w, part->key);
            }
            judge_json_value(w, part);
        }

        judge_json_close(w, v->type == JUDGE_JSON_OBJECT);
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
judge_json_put_nullable(judge_json_writer_t *w, const char *key, judge_str_t s)
{
    judge_json_key(w, key);

    if (s.data != NULL) {
        judge_json_str(w, s);
    } else {
        judge_json_null(w);
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
    if (!isnan(v)) {
        judge_json_key(w, key);
        judge_json_number2(w, v);
    }
}


void
judge_json_put_number4(judge_json_writer_t *w, const char *key, double v)
{
    if (!isnan(v)) {
        judge_json_put_number(w, key, round(v * 1e4) / 1e4);
    }
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


void
judge_json_members(judge_json_writer_t *w, const judge_json_t *object,
    const char *const *but)
{
    size_t               i;
    const judge_json_t  *v;

    for (v = object != NULL ? object->first : NULL; v != NULL; v = v->next) {
        for (i = 0; but != NULL && but[i] != NULL; i++) {
            if (judge_str_eq_c(v->key, but[i])) {
                break;
            }
        }

        if (but == NULL || but[i] == NULL) {
            judge_json_key_str(w, v->key);
            judge_json_value(w, v);
        }
    }
}


void
judge_json_stored(judge_json_writer_t *w, judge_str_t object)
{
    judge_json_t  *root;

    root = judge_json_read(w->buf->arena, object);
    w->failed = w->failed || (object.data && root == NULL);
    judge_json_members(w, root, NULL);
}
