/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Searches whole bodies, and writes them anew if something is masked. */


#include <math.h>
#include <stdio.h>

#include "base/text/number.h"
#include "base/text/utf8.h"
#include "extensions/traffic/detect.h"


/* Returns the text with its replacements, which are in d->arena.  The value of
 * a member whose name is a word such as "api_key" is searched as one text with
 * the name, by which a secret is known; else the name is empty.  A match may
 * begin in the name: "=" can stand in an address of mail. */

static judge_str_t
judge_detect_changed(judge_detect_t *d, judge_str_t name, judge_str_t text)
{
    judge_buf_t  whole, out;

    judge_buf_init(&whole, d->arena);
    judge_buf_init(&out, d->arena);
    if (name.len) {
        judge_buf_str(&whole, name);
        judge_buf_c(&whole, "=");
        judge_buf_str(&whole, text);
    }
    d->failed = d->failed || whole.failed;

    return !whole.failed
           && judge_detect_text(d, name.len ? judge_buf_view(&whole) : text,
                                name.len ? name.len + 1 : 0, &out)
           && !out.failed ? judge_buf_view(&out) : text;
}


/* Writes a whole number of many digits, which may be that of a card, also
 * where it came with a fraction or an exponent; the length, or 0: it is
 * none. */

static size_t
judge_detect_number(const judge_json_t *v, char number[JUDGE_NUMBER_LEN])
{
    int  n;

    if (v->type == JUDGE_JSON_INTEGER && (v->integer > 9999999
                                          || v->integer < -9999999))
    {
        return judge_integer_format(v->integer, number);
    }

    if (v->type != JUDGE_JSON_NUMBER || fabs(v->number) <= 9999999
        || fabs(v->number) >= 1e20 || v->number != floor(v->number))
    {
        return 0;
    }

    n = snprintf(number, JUDGE_NUMBER_LEN, "%.0f", v->number);

    return n > 0 && n < JUDGE_NUMBER_LEN ? (size_t) n : 0;
}


/* Searches all strings, also names of members, and numbers.  The parser bounds
 * the depth. */

static void
judge_detect_json(judge_detect_t *d, judge_json_t *v)
{
    char           number[JUDGE_NUMBER_LEN];
    judge_str_t    text, none = JUDGE_STR("");
    judge_json_t  *m;

    if (v->type == JUDGE_JSON_STRING) {
        v->string = judge_detect_changed(d, none, v->string);

    } else if ((text.len = judge_detect_number(v, number)) > 0) {
        text.data = number;
        text = judge_detect_changed(d, none, text);
        if (text.data != number) {
            v->type = JUDGE_JSON_STRING;
            v->string = text;
        }

    } else if (v->type == JUDGE_JSON_ARRAY || v->type == JUDGE_JSON_OBJECT) {
        for (m = v->first; m; m = m->next) {
            if (v->type == JUDGE_JSON_OBJECT) {
                m->key = judge_detect_changed(d, none, m->key);
            }
            if (v->type == JUDGE_JSON_OBJECT && m->type == JUDGE_JSON_STRING
                && judge_detect_named(m->key, m->key.len))
            {
                m->string = judge_detect_changed(d, m->key, m->string);
            } else {
                judge_detect_json(d, m);
            }
        }
    }
}


/* Searches every body that is not JSON.  Only UTF-8 text can be masked: in a
 * form, in events or in another charset a match to be masked makes the body
 * JUDGE_SKIP_UNMASKED. */

static judge_skip_e
judge_detect_not_json(judge_detect_t *d, judge_extract_t *e, judge_buf_t *out)
{
    bool         maskable;
    judge_str_t  raw = judge_buf_view(&e->raw);

    maskable = e->kind == JUDGE_EXTRACT_TEXT
               && judge_utf8_check(raw) == raw.len;
    judge_extract_finish(e, d->scratch);
    if (e->skip != JUDGE_SKIP_NONE) {
        return e->skip == JUDGE_SKIP_NO_TEXT ? JUDGE_SKIP_NONE : e->skip;
    }

    if (!judge_detect_text(d, judge_buf_view(&e->text), 0, out)
        && e->rewrite)
    {
        judge_buf_str(out, judge_buf_view(&e->anew));
    }

    return d->masked && !maskable ? JUDGE_SKIP_UNMASKED : JUDGE_SKIP_NONE;
}


static judge_skip_e
judge_detect_tree(judge_detect_t *d, judge_extract_t *e, judge_buf_t *out)
{
    judge_str_t    text;
    judge_json_t  *root;

    if (judge_json_parse(d->arena, judge_buf_view(&e->raw), &root, NULL)
        != JUDGE_OK)
    {
        return JUDGE_SKIP_MALFORMED;
    }

    judge_detect_json(d, root);
    if (d->masked) {
        text = judge_json_value_text(d->arena, root);
        d->failed = d->failed || text.data == NULL;
        judge_buf_str(out, text);
    } else {
        judge_extract_anew_json(e, d->arena);
        judge_buf_str(out, judge_buf_view(&e->anew));
        d->failed = d->failed || e->anew.failed;
    }

    return JUDGE_SKIP_NONE;
}


/* JSON takes many times its size in memory, which the request must not keep
 * until its answer has come. */

static judge_skip_e
judge_detect_by_kind(judge_detect_t *d, judge_extract_t *e, judge_buf_t *out)
{
    judge_skip_e    skip;
    judge_arena_t  *arena = d->arena;

    judge_extract_end_input(e, d->scratch);
    if (e->skip != JUDGE_SKIP_NONE) {
        return e->skip;
    }

    if (d->keep) {
        d->body = judge_str_dup(d->arena,
                                judge_utf8_prefix(judge_buf_view(&e->raw),
                                                  JUDGE_DETECT_KEPT));
    }

    if (e->kind != JUDGE_EXTRACT_JSON) {
        return judge_detect_not_json(d, e, out);
    }

    d->arena = judge_arena_create(4096);
    skip = d->arena ? judge_detect_tree(d, e, out) : JUDGE_SKIP_FAILED;
    judge_arena_destroy(d->arena);
    d->arena = arena;

    return skip;
}


judge_skip_e
judge_detect_body(judge_detect_t *d, judge_extract_t *e, judge_buf_t *out)
{
    judge_skip_e  skip;

    skip = judge_detect_by_kind(d, e, out);
    judge_extract_free(e);

    return skip == JUDGE_SKIP_NONE && (d->failed || out->failed)
           ? JUDGE_SKIP_FAILED
           : skip == JUDGE_SKIP_NO_BODY ? JUDGE_SKIP_NONE : skip;
}
