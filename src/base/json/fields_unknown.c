/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Reports fields that a request has but the tables don't: each name with its
 * path, and the field that was probably meant. */


#include <string.h>

#include "base/json/fields_error.h"
#include "base/text/ascii.h"
#include "base/text/nearest.h"


/* Bytes of a name that are shown, and bytes of text after which no name is
 * added.  The rest of JUDGE_UNKNOWN_LEN is for the last name, all of it
 * escaped, its path, the nearest field and the count of others. */
#define JUDGE_UNKNOWN_NAME   48
#define JUDGE_UNKNOWN_NAMES  512


/* The text is for a header, where an unescaped comma would separate values. */

static void
judge_unknown_escape(judge_buf_t *b, judge_str_t name)
{
    char    c;
    size_t  i;

    for (i = 0; i < name.len && i < JUDGE_UNKNOWN_NAME; i++) {
        c = name.data[i];

        if (judge_ascii_letter(c) || judge_ascii_digit(c)
            || (c != '\0' && strchr("_-.[]", c)))
        {
            judge_buf_append(b, &c, 1);
        } else {
            judge_buf_printf(b, "%%%02X", (unsigned char) c);
        }
    }

    judge_buf_c(b, name.len == 0 ? "\"\"" : i < name.len ? "..." : "");
}


static const char *
judge_unknown_nearest(const judge_field_t *fields, judge_str_t name)
{
    size_t                least, distance;
    const char           *nearest;
    const judge_field_t  *f;

    nearest = NULL;
    least = JUDGE_FAR;

    for (f = fields; f != NULL && f->name != NULL; f++) {
        distance = judge_name_distance(name, judge_str_c(f->name));

        if (distance < least) {
            least = distance;
            nearest = f->name;
        }
    }

    return nearest;
}


static void
judge_unknown_add(judge_unknown_t *unknown, judge_arena_t *arena,
    const judge_field_t *fields, judge_str_t prefix, judge_str_t name)
{
    const char   *nearest;
    judge_buf_t  *b = &unknown->names;

    if (unknown->count++ == 0) {
        judge_buf_init(b, arena);
    }

    if (b->len > JUDGE_UNKNOWN_NAMES) {
        return;
    }

    judge_buf_c(b, unknown->named++ ? ", " : "");
    judge_buf_str(b, unknown->prefix);
    judge_buf_str(b, prefix);
    judge_unknown_escape(b, name);

    nearest = judge_unknown_nearest(fields, name);
    if (nearest != NULL) {
        judge_buf_printf(b, "; did you mean %s?", nearest);
    }
}


void
judge_unknown_members(judge_unknown_t *unknown, judge_arena_t *arena,
    const judge_field_t *fields, const judge_field_path_t *path,
    const judge_json_t *object)
{
    judge_buf_t           prefix;
    const judge_json_t   *v;
    const judge_field_t  *f;

    judge_buf_init(&prefix, arena);
    judge_field_path(&prefix, path);
    judge_buf_c(&prefix, prefix.len ? "." : "");

    for (v = object->first; v != NULL; v = v->next) {
        for (f = fields; f->name && !judge_str_eq_c(v->key, f->name); f++) {
            /* void */
        }

        if (f->name == NULL) {
            judge_unknown_add(unknown, arena, fields, judge_buf_view(&prefix),
                              v->key);
        }
    }
}


void
judge_unknown_parameter(judge_unknown_t *unknown, judge_arena_t *arena,
    const judge_field_t *fields, judge_str_t name)
{
    judge_unknown_add(unknown, arena, fields, JUDGE_STR("?"), name);
}


judge_str_t
judge_unknown_text(const judge_unknown_t *unknown, judge_arena_t *arena)
{
    judge_str_t  names;

    names = judge_buf_view(&unknown->names);

    return unknown->named == unknown->count
           ? judge_str_dup(arena, names)
           : judge_str_printf(arena, "%.*s, and %zu more", (int) names.len,
                              names.data, unknown->count - unknown->named);
}
