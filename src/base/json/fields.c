/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Binds a JSON tree to structs, by tables of fields. */


#include <math.h>
#include <string.h>

#include "base/json/fields_error.h"
#include "base/text/number.h"
#include "base/text/utf8.h"


/* The state of a binding. */

typedef struct {
    judge_arena_t    *arena;
    judge_str_t      *error;
    judge_unknown_t  *unknown;         /* NULL: ignore unknown names */
} judge_bind_t;


static judge_rc_e judge_bind_value(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path, const judge_json_t *v, void *to);


#define judge_json(type)  (1u << JUDGE_JSON_##type)

/* The types of JSON that a field may have, as bits. */

static const unsigned  judge_bind_types[] = {
    [JUDGE_FIELD_STRING] = judge_json(STRING),
    [JUDGE_FIELD_INTEGER] = judge_json(INTEGER) | judge_json(NUMBER),
    [JUDGE_FIELD_NUMBER] = judge_json(INTEGER) | judge_json(NUMBER),
    [JUDGE_FIELD_BOOLEAN] = judge_json(BOOLEAN),
    [JUDGE_FIELD_TIME] = judge_json(STRING),
    [JUDGE_FIELD_CHOICE] = judge_json(STRING),
    [JUDGE_FIELD_WORD] = judge_json(STRING),
    [JUDGE_FIELD_OBJECT] = judge_json(OBJECT),
    [JUDGE_FIELD_LIST] = judge_json(ARRAY),
    [JUDGE_FIELD_STRINGS] = judge_json(ARRAY),
    [JUDGE_FIELD_ANY_OBJECT] = judge_json(OBJECT),
    [JUDGE_FIELD_STRING_OR_STRINGS] = judge_json(STRING) | judge_json(ARRAY),
    [JUDGE_FIELD_ANY] = ~judge_json(NULL)
};


static judge_rc_e
judge_bind_unexpected(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path)
{
    return judge_field_error(b->arena, f, path, JUDGE_FIELD_UNEXPECTED,
                             b->error);
}


static judge_rc_e
judge_bind_members(judge_bind_t *b, const judge_field_t *fields,
    const judge_field_path_t *path, const judge_json_t *object, char *out,
    size_t *known)
{
    judge_rc_e            rc;
    judge_field_path_t    child;
    const judge_json_t   *v;
    const judge_field_t  *f;

    for (f = fields; f->name != NULL; f++) {

        child = (judge_field_path_t) { path, judge_str_c(f->name), 0 };
        v = judge_json_get(object, f->name);
        *known += (v != NULL);

        if (v == NULL || v->type == JUDGE_JSON_NULL) {
            if (f->flags & JUDGE_REQUIRED) {
                return judge_field_error(b->arena, f, &child,
                                         JUDGE_FIELD_MISSING, b->error);
            }

            continue;
        }

        rc = judge_bind_value(b, f, &child, v, out + f->offset);
        if (rc != JUDGE_OK) {
            return rc;
        }

        if (f->type == JUDGE_FIELD_OBJECT && f->set_offset != 0) {
            *(bool *) (out + f->set_offset) = true;
        }
    }

    return JUDGE_OK;
}


/* Unknown names are searched for only if the object has more members than the
 * table has found, or if an error has ended the search early. */

static judge_rc_e
judge_bind_object(judge_bind_t *b, const judge_field_t *fields,
    const judge_field_path_t *path, const judge_json_t *object, char *out)
{
    size_t      known;
    judge_rc_e  rc;

    known = 0;
    rc = judge_bind_members(b, fields, path, object, out, &known);

    if (b->unknown != NULL && (rc == JUDGE_INVALID || known < object->count)) {
        judge_unknown_members(b->unknown, b->arena, fields, path, object);
    }

    return rc;
}


judge_rc_e
judge_fields_bind_known(judge_arena_t *arena, const judge_field_t *fields,
    const judge_json_t *object, judge_str_t path, void *out,
    judge_str_t *error, judge_unknown_t *unknown)
{
    judge_bind_t        b;
    judge_field_path_t  top;

    b = (judge_bind_t) { arena, error, unknown };

    top = (judge_field_path_t) { .name = path };

    if (path.data == NULL) {
        top.name = JUDGE_STR("");
    }

    if (object == NULL || object->type != JUDGE_JSON_OBJECT) {
        return judge_field_error_body(arena, &top, error);
    }

    return judge_bind_object(&b, fields, &top, object, out);
}


/* Whether a number, length or count is within the bounds of its field. */

static bool
judge_field_within(const judge_field_t *f, double v)
{
    if (judge_field_has_min(f)
        && (v < f->min || (v == f->min && (f->flags & JUDGE_EXCLUSIVE))))
    {
        return false;
    }

    return !judge_field_has_max(f) || v <= f->max;
}


static judge_rc_e
judge_bind_string(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path, judge_str_t s, judge_str_t *to)
{
    if (s.len > 0 && memchr(s.data, '\0', s.len) != NULL) {
        return judge_field_error(b->arena, f, path, JUDGE_FIELD_ZERO_BYTE,
                                 b->error);
    }

    if (!judge_field_within(f, (double) judge_utf8_length(s))) {
        return judge_bind_unexpected(b, f, path);
    }

    *to = s;

    return JUDGE_OK;
}


/* Binds a number, a boolean, a time or a choice; false: it is not one that the
 * field may have. */

static bool
judge_bind_scalar(const judge_field_t *f, const judge_json_t *v, void *to)
{
    size_t      i;
    int64_t     whole;
    judge_ms_t  t;

    if (judge_json_is_number(v)
        && !judge_field_within(f, judge_json_double(v)))
    {
        return false;
    }

    switch (f->type) {

    case JUDGE_FIELD_INTEGER:
        whole = v->type == JUDGE_JSON_INTEGER ? v->integer
                : fabs(v->number) <= 0x1p53 ? (int64_t) v->number : 0;
        *(judge_integer_t *) to = (judge_integer_t) { whole, true };
        return v->type == JUDGE_JSON_INTEGER || v->number == (double) whole;

    case JUDGE_FIELD_NUMBER:
        *(judge_number_t *) to = (judge_number_t) { judge_json_double(v),
                                                    true };
        return true;

    case JUDGE_FIELD_BOOLEAN:
        *(judge_boolean_t *) to = (judge_boolean_t) { v->boolean, true };
        return true;

    case JUDGE_FIELD_TIME:
        if (judge_time_parse(v->string, &t) != JUDGE_OK) {
            return false;
        }
        *(judge_instant_t *) to = (judge_instant_t) { t, true };
        return true;

    default:
        i = judge_str_index_c(f->choices, v->string);

        if (f->choices[i] == NULL) {
            return false;
        }

        if (f->type == JUDGE_FIELD_WORD) {
            *(judge_str_t *) to = judge_str_c(f->choices[i]);
        } else {
            *(judge_choice_t *) to = (judge_choice_t) { (int) i, true };
        }
        return true;
    }
}


/* Returns the field by which an element of a list of strings is checked. */

static judge_field_t
judge_field_element(const judge_field_t *f)
{
    return (judge_field_t) {
        .name = f->name,
        .type = JUDGE_FIELD_STRING,
        .min = 1,
        .max = (double) f->item_max
    };
}


/* Binds an array of objects or of strings. */

static judge_rc_e
judge_bind_list(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path, const judge_json_t *v, judge_list_t *list)
{
    bool                 objects;
    char                *item;
    size_t               size;
    judge_rc_e           rc;
    judge_field_t        element;
    judge_field_path_t   child;
    const judge_json_t  *part;

    if (!judge_field_within(f, (double) v->count)) {
        return judge_bind_unexpected(b, f, path);
    }

    objects = (f->type == JUDGE_FIELD_LIST);
    size = objects ? f->item_size : sizeof(judge_str_t);

    item = judge_array_alloc(b->arena, v->count, size);
    if (item == NULL) {
        return JUDGE_NOMEM;
    }

    *list = (judge_list_t) { .items = item, .count = v->count, .set = true };
    element = judge_field_element(f);
    child = (judge_field_path_t) { path, { 0, NULL }, 0 };

    for (part = v->first; part != NULL; part = part->next) {

        if (!objects) {
            rc = judge_bind_value(b, &element, &child, part, item);

        } else if (part->type == JUDGE_JSON_OBJECT) {
            rc = judge_bind_object(b, f->fields, &child, part, item);

        } else {
            rc = judge_field_error_body(b->arena, &child, b->error);
        }

        if (rc != JUDGE_OK) {
            return rc;
        }

        item += size;
        child.index++;
    }

    return JUDGE_OK;
}


/* Binds a string as an array of one. */

static judge_rc_e
judge_bind_one(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path, const judge_json_t *v, judge_list_t *list)
{
    judge_field_t  element = judge_field_element(f);

    list->items = judge_calloc(b->arena, sizeof(judge_str_t));
    if (list->items == NULL) {
        return JUDGE_NOMEM;
    }

    list->count = 1;
    list->set = true;

    return judge_bind_string(b, &element, path, v->string, list->items);
}


/* Whether the value, written as JSON, is as short as the field demands. */

static judge_rc_e
judge_bind_any(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path, const judge_json_t *v)
{
    bool                 fits;
    judge_rc_e           rc;
    judge_buf_t          buf;
    judge_json_writer_t  w;

    if (!judge_field_has_max(f)) {
        return JUDGE_OK;
    }

    judge_buf_init(&buf, NULL);
    judge_json_begin(&w, &buf);
    judge_json_value(&w, v);
    rc = judge_json_finish(&w);
    fits = ((double) buf.len <= f->max);
    judge_buf_free(&buf);

    return rc != JUDGE_OK || fits ? rc : judge_bind_unexpected(b, f, path);
}


/* Checks a value and copies it into the member at `to`. */

static judge_rc_e
judge_bind_value(judge_bind_t *b, const judge_field_t *f,
    const judge_field_path_t *path, const judge_json_t *v, void *to)
{
    if (!(judge_bind_types[f->type] & (1u << v->type))) {
        return judge_bind_unexpected(b, f, path);
    }

    switch (f->type) {

    case JUDGE_FIELD_STRING:
        return judge_bind_string(b, f, path, v->string, to);

    case JUDGE_FIELD_OBJECT:
        return judge_bind_object(b, f->fields, path, v, to);

    case JUDGE_FIELD_LIST:
    case JUDGE_FIELD_STRINGS:
    case JUDGE_FIELD_STRING_OR_STRINGS:
        return v->type == JUDGE_JSON_ARRAY ? judge_bind_list(b, f, path, v, to)
                                           : judge_bind_one(b, f, path, v, to);

    case JUDGE_FIELD_ANY_OBJECT:
    case JUDGE_FIELD_ANY:
        *(judge_json_t **) to = (judge_json_t *) v;
        return f->type == JUDGE_FIELD_ANY ? JUDGE_OK
                                          : judge_bind_any(b, f, path, v);

    default:
        return judge_bind_scalar(f, v, to) ? JUDGE_OK
               : judge_bind_unexpected(b, f, path);
    }
}


/* Converts a parameter to the JSON value that its text represents. */

static void
judge_bind_text_value(const judge_field_t *f, judge_str_t text,
    judge_json_t *v)
{
    *v = (judge_json_t) { .type = JUDGE_JSON_NULL };

    switch (f->type) {

    case JUDGE_FIELD_INTEGER:
        if (judge_integer_parse(text, &v->integer) == JUDGE_OK) {
            v->type = JUDGE_JSON_INTEGER;
        }

        return;

    case JUDGE_FIELD_NUMBER:
        if (judge_number_parse(text, &v->number) == JUDGE_OK) {
            v->type = JUDGE_JSON_NUMBER;
        }

        return;

    case JUDGE_FIELD_BOOLEAN:
        v->boolean = judge_str_eq_c(text, "true")
                     || judge_str_eq_c(text, "True")
                     || judge_str_eq_c(text, "1");

        if (v->boolean || judge_str_eq_c(text, "false")
            || judge_str_eq_c(text, "False") || judge_str_eq_c(text, "0"))
        {
            v->type = JUDGE_JSON_BOOLEAN;
        }

        return;

    default:
        v->type = JUDGE_JSON_STRING;
        v->string = text;
        return;
    }
}


judge_rc_e
judge_field_bind_text(judge_arena_t *arena, const judge_field_t *field,
    judge_str_t text, void *out, judge_str_t *error)
{
    judge_bind_t        b;
    judge_json_t        v;
    judge_field_path_t  child;

    switch (field->type) {

    case JUDGE_FIELD_STRING:
    case JUDGE_FIELD_INTEGER:
    case JUDGE_FIELD_NUMBER:
    case JUDGE_FIELD_BOOLEAN:
    case JUDGE_FIELD_TIME:
    case JUDGE_FIELD_CHOICE:
    case JUDGE_FIELD_WORD:
        break;

    default:
        return JUDGE_ERROR;            /* the type has no form as text */
    }

    b = (judge_bind_t) { arena, error, NULL };
    child = (judge_field_path_t) { NULL, judge_str_c(field->name), 0 };

    if (judge_utf8_check(text) != text.len) {
        return judge_field_error(arena, field, &child, JUDGE_FIELD_NOT_UTF8,
                                 error);
    }

    judge_bind_text_value(field, text, &v);

    return judge_bind_value(&b, field, &child, &v,
                            (char *) out + field->offset);
}
