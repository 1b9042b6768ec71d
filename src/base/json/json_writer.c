/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The writer.  It needs no memory but the buffer's, and knows of each open
 * array and object what may come next.
 */


#include <math.h>
#include <string.h>

#include "base/json/json.h"
#include "base/text/number.h"
#include "base/text/utf8.h"


/* What comes next.  Behind the first of an array or object there is a comma
 * before it, and a colon before the value of a key. */
enum {
    JUDGE_JSON_NEXT_ONLY = 0,          /* the one value */
    JUDGE_JSON_NEXT_NONE,              /* it is there */
    JUDGE_JSON_NEXT_FIRST_KEY,
    JUDGE_JSON_NEXT_KEY,
    JUDGE_JSON_NEXT_VALUE,
    JUDGE_JSON_NEXT_FIRST_ITEM,
    JUDGE_JSON_NEXT_ITEM
};


void
judge_json_begin(judge_json_writer_t *w, judge_buf_t *buf)
{
    w->buf = buf;
    w->depth = 0;
    w->next[0] = JUDGE_JSON_NEXT_ONLY;
    w->failed = false;
}


judge_rc_e
judge_json_finish(judge_json_writer_t *w)
{
    if (w->buf->failed) {
        return JUDGE_NOMEM;
    }

    return w->failed || w->depth || w->next[0] != JUDGE_JSON_NEXT_NONE
           ? JUDGE_ERROR : JUDGE_OK;
}


/* Separates what is written now from what was before; false: it has no place
 * here.  Only a string can be a key. */

static bool
judge_json_next(judge_json_writer_t *w, bool string)
{
    uint8_t  *next = &w->next[w->depth];

    switch (*next) {

    case JUDGE_JSON_NEXT_ONLY:
        *next = JUDGE_JSON_NEXT_NONE;
        break;

    case JUDGE_JSON_NEXT_FIRST_KEY:
    case JUDGE_JSON_NEXT_KEY:
        w->failed |= !string;
        if (*next == JUDGE_JSON_NEXT_KEY) {
            judge_buf_append(w->buf, ",", 1);
        }
        *next = JUDGE_JSON_NEXT_VALUE;
        break;

    case JUDGE_JSON_NEXT_VALUE:
        judge_buf_append(w->buf, ":", 1);
        *next = JUDGE_JSON_NEXT_KEY;
        break;

    case JUDGE_JSON_NEXT_ITEM:
        judge_buf_append(w->buf, ",", 1);
        break;

    case JUDGE_JSON_NEXT_FIRST_ITEM:
        *next = JUDGE_JSON_NEXT_ITEM;
        break;

    default:
        w->failed = true;
    }

    return !w->failed;
}


static void
judge_json_open(judge_json_writer_t *w, const char *bracket, uint8_t next)
{
    if (!judge_json_next(w, false)) {
        return;
    }

    if (w->depth == JUDGE_JSON_WRITER_DEPTH) {
        w->failed = true;
        return;
    }

    judge_buf_append(w->buf, bracket, 1);
    w->next[++w->depth] = next;
}


/* `next` is what comes there behind the first. */

static void
judge_json_close(judge_json_writer_t *w, const char *bracket, uint8_t next)
{
    uint8_t  now = w->next[w->depth];

    if (w->failed || w->depth == 0 || (now != next && now != next - 1)) {
        w->failed = true;
        return;
    }

    judge_buf_append(w->buf, bracket, 1);
    w->depth--;
}


void
judge_json_begin_object(judge_json_writer_t *w, judge_buf_t *buf,
    judge_arena_t *arena)
{
    judge_buf_init(buf, arena);
    judge_json_begin(w, buf);
    judge_json_object(w);
}


judge_str_t
judge_json_text(judge_json_writer_t *w)
{
    judge_json_object_end(w);

    return judge_json_finish(w) == JUDGE_OK ? judge_buf_view(w->buf)
                                            : (judge_str_t) { 0, NULL };
}


void
judge_json_object(judge_json_writer_t *w)
{
    judge_json_open(w, "{", JUDGE_JSON_NEXT_FIRST_KEY);
}


void
judge_json_object_end(judge_json_writer_t *w)
{
    judge_json_close(w, "}", JUDGE_JSON_NEXT_KEY);
}


void
judge_json_array(judge_json_writer_t *w)
{
    judge_json_open(w, "[", JUDGE_JSON_NEXT_FIRST_ITEM);
}


void
judge_json_array_end(judge_json_writer_t *w)
{
    judge_json_close(w, "]", JUDGE_JSON_NEXT_ITEM);
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
    w->failed |= json.len == 0;

    if (!w->failed && judge_json_next(w, false)) {
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


/* Runs that need no escape in one piece. */

static void
judge_json_escaped(judge_buf_t *b, judge_str_t s)
{
    size_t         i, from;
    const char    *at;
    unsigned char  c;

    static const char  what[] = "\"\\\b\f\n\r\t";
    static const char  as[] = "\"\\bfnrt";
    static const bool  escaped[256] = {
        [0 ... 31] = true, ['"'] = true, ['\\'] = true
    };

    for (i = 0, from = 0; i < s.len; i++) {
        c = (unsigned char) s.data[i];
        if (!escaped[c]) {
            continue;
        }

        judge_buf_append(b, s.data + from, i - from);
        from = i + 1;
        at = c ? strchr(what, c) : NULL;

        if (at) {
            judge_buf_append(b, "\\", 1);
            judge_buf_append(b, &as[at - what], 1);
        } else {
            judge_buf_printf(b, "\\u%04X", c);
        }
    }

    judge_buf_append(b, s.data + from, s.len - from);
}


void
judge_json_str(judge_json_writer_t *w, judge_str_t s)
{
    size_t  n;

    if (w->failed || !judge_json_next(w, true)) {
        return;
    }

    judge_buf_append(w->buf, "\"", 1);

    for ( ;; ) {
        n = judge_utf8_check(s);
        judge_json_escaped(w->buf, (judge_str_t) { n, s.data });

        if (n == s.len) {
            break;
        }

        judge_buf_c(w->buf, "\xef\xbf\xbd");
        s = judge_str_from(s, n + 1);
    }

    judge_buf_append(w->buf, "\"", 1);
}


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


/* Trees are at most JUDGE_JSON_DEPTH deep, so that this may call itself. */

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

    return judge_json_finish(&w) == JUDGE_OK ? judge_buf_view(&buf)
                                             : (judge_str_t) { 0, NULL };
}


judge_str_t
judge_json_value_text(judge_arena_t *arena, const judge_json_t *v)
{
    judge_buf_t          buf;
    judge_json_writer_t  w;

    judge_buf_init(&buf, arena);
    judge_json_begin(&w, &buf);
    judge_json_value(&w, v);

    return judge_json_finish(&w) == JUDGE_OK ? judge_buf_view(&buf)
                                             : (judge_str_t) { 0, NULL };
}


void
judge_json_put_raw(judge_json_writer_t *w, const char *key, judge_str_t json)
{
    if (json.data != NULL) {
        judge_json_key(w, key);
        judge_json_raw(w, json);
    }
}
