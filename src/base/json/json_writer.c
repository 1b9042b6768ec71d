/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The writer.  yajl keeps the commas and the quotes; what it needs lies in
 * one block, so that only that block and the buffer can fail.
 */


#include <math.h>
#include <string.h>

#include <yajl/yajl_gen.h>

#include "base/json/json.h"
#include "base/json/json_mem.h"
#include "base/text/number.h"
#include "base/text/utf8.h"


/* yajl, and the memory in which it and this lie. */

typedef struct {
    judge_json_mem_t  *mem;
    yajl_gen           yajl;
} judge_json_gen_t;


static void
judge_json_print(void *ctx, const char *s, size_t len)
{
    judge_buf_append(ctx, s, len);
}


void
judge_json_begin(judge_json_writer_t *w, judge_buf_t *buf)
{
    judge_json_gen_t  *g;
    judge_json_mem_t  *m;

    *w = (judge_json_writer_t) { .buf = buf, .failed = true };

    m = judge_json_mem_create(JUDGE_JSON_MEM_WRITER);
    if (m == NULL) {
        return;
    }

    g = m->funcs.malloc(m, sizeof(judge_json_gen_t));
    if (g == NULL) {
        judge_json_mem_free(m);
        return;
    }

    g->mem = m;
    g->yajl = yajl_gen_alloc(&m->funcs);

    if (g->yajl == NULL
        || !yajl_gen_config(g->yajl, yajl_gen_print_callback,
                            judge_json_print, buf))
    {
        judge_json_mem_free(m);
        return;
    }

    w->gen = g;
    w->failed = false;
}


judge_rc_e
judge_json_finish(judge_json_writer_t *w)
{
    judge_json_gen_t  *g;

    g = w->gen;
    w->gen = NULL;

    if (g == NULL) {
        return JUDGE_NOMEM;
    }

    /* a null more is refused where the one value is complete */

    if (!w->failed && yajl_gen_null(g->yajl) != yajl_gen_generation_complete) {
        w->failed = true;
    }

    yajl_gen_free(g->yajl);
    judge_json_mem_free(g->mem);

    if (w->buf->failed) {
        return JUDGE_NOMEM;
    }

    return w->failed ? JUDGE_ERROR : JUDGE_OK;
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


/* NULL after a failure. */

static yajl_gen
judge_json_yajl(const judge_json_writer_t *w)
{
    const judge_json_gen_t  *g;

    g = w->gen;

    return w->failed ? NULL : g->yajl;
}


static void
judge_json_note(judge_json_writer_t *w, yajl_gen_status status)
{
    if (status != yajl_gen_status_ok) {
        w->failed = true;
    }
}


void
judge_json_object(judge_json_writer_t *w)
{
    yajl_gen  g = judge_json_yajl(w);

    w->failed |= g == NULL || yajl_gen_map_open(g) != yajl_gen_status_ok;
}


/* yajl would close after a key as well; a null is refused only before one. */

void
judge_json_object_end(judge_json_writer_t *w)
{
    yajl_gen  g;

    g = judge_json_yajl(w);
    if (g == NULL) {
        return;
    }

    if (yajl_gen_null(g) != yajl_gen_keys_must_be_strings) {
        w->failed = true;
        return;
    }

    judge_json_note(w, yajl_gen_map_close(g));
}


void
judge_json_array(judge_json_writer_t *w)
{
    yajl_gen  g = judge_json_yajl(w);

    w->failed |= g == NULL || yajl_gen_array_open(g) != yajl_gen_status_ok;
}


void
judge_json_array_end(judge_json_writer_t *w)
{
    yajl_gen  g = judge_json_yajl(w);

    w->failed |= g == NULL || yajl_gen_array_close(g) != yajl_gen_status_ok;
}


void
judge_json_bool(judge_json_writer_t *w, bool v)
{
    yajl_gen  g = judge_json_yajl(w);

    w->failed |= g == NULL || yajl_gen_bool(g, v) != yajl_gen_status_ok;
}


void
judge_json_null(judge_json_writer_t *w)
{
    yajl_gen  g = judge_json_yajl(w);

    w->failed |= g == NULL || yajl_gen_null(g) != yajl_gen_status_ok;
}


/* Numbers go the same way: yajl_gen_number() takes any text. */

void
judge_json_raw(judge_json_writer_t *w, judge_str_t json)
{
    yajl_gen  g;

    g = judge_json_yajl(w);
    if (g == NULL) {
        return;
    }

    if (json.len == 0) {
        w->failed = true;
        return;
    }

    judge_json_note(w, yajl_gen_number(g, json.data, json.len));
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


/* A copy of s on the heap in which what is not UTF-8 is U+FFFD. */

static void
judge_json_repair(judge_buf_t *b, judge_str_t s)
{
    size_t       n;
    judge_str_t  good;

    judge_buf_init(b, NULL);

    while (s.len > 0) {
        n = judge_utf8_check(s);
        good = (judge_str_t) { n, s.data };
        judge_buf_str(b, good);

        if (n < s.len) {
            judge_buf_c(b, "\xef\xbf\xbd");
            n++;
        }

        s = judge_str_from(s, n);
    }
}


void
judge_json_str(judge_json_writer_t *w, judge_str_t s)
{
    yajl_gen     g;
    judge_buf_t  repaired;

    g = judge_json_yajl(w);
    if (g == NULL) {
        return;
    }

    if (judge_utf8_check(s) == s.len) {
        judge_json_note(w, yajl_gen_string(g,
                            (const unsigned char *) (s.len ? s.data : ""),
                            s.len));
        return;
    }

    judge_json_repair(&repaired, s);

    if (repaired.failed) {
        w->buf->failed = true;

    } else {
        judge_json_note(w, yajl_gen_string(g,
                            (const unsigned char *) repaired.data,
                            repaired.len));
    }

    judge_buf_free(&repaired);
}


/* yajl itself takes a string where a key belongs, and nothing else. */

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
