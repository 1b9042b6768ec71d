/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Field tables: a row has the name, type and bounds of a field of a JSON
 * object, and the offset of the struct's member to which it is copied
 * ("bound").  One function binds a whole body by its table; for the first
 * wrong value it writes the sentence that the client gets, with its path:
 *
 *   criteria[2].name: expected a non-empty string of at most 200 characters
 */


#ifndef JUDGE_FIELDS_H
#define JUDGE_FIELDS_H


#include "base/json/json.h"


/* The types of members that values are bound to. */
typedef struct { int64_t value; bool set; }  judge_integer_t;
typedef struct { double value; bool set; }   judge_number_t;
typedef struct { bool value; bool set; }     judge_boolean_t;
typedef struct { judge_ms_t value; bool set; }  judge_instant_t;
typedef struct { int value; bool set; }      judge_choice_t;   /* index in
                                                             the choices */
typedef struct {                               /* an array of structs */
    void    *items;
    size_t   count;
    bool     set;
} judge_list_t;

typedef enum {
    JUDGE_FIELD_STRING,    /* judge_str_t; min/max count characters */
    JUDGE_FIELD_INTEGER,   /* judge_integer_t; min/max inclusive; 3.0 and 3e0
                              are integers, too */
    JUDGE_FIELD_NUMBER,    /* judge_number_t; min/max inclusive */
    JUDGE_FIELD_BOOLEAN,   /* judge_boolean_t */
    JUDGE_FIELD_TIME,      /* judge_instant_t */
    JUDGE_FIELD_CHOICE,    /* judge_choice_t; choices ends with NULL */
    JUDGE_FIELD_WORD,      /* judge_str_t: one of the choices */
    JUDGE_FIELD_OBJECT,    /* `fields` bound to an inner struct at offset;
                              the bool at set_offset, if that is not 0, is
                              set if the object is present */
    JUDGE_FIELD_LIST,      /* judge_list_t of structs of item_size, each an
                              object with `fields`; min/max count items */
    JUDGE_FIELD_STRINGS,   /* judge_list_t of judge_str_t; min/max count
                              items, item_max bounds the characters of each
                              (each non-empty) */
    JUDGE_FIELD_ANY_OBJECT,/* judge_json_t *, an object that is not bound;
                              max bounds its bytes as JSON (0: no bound) */
    JUDGE_FIELD_STRING_OR_STRINGS, /* judge_list_t of judge_str_t: one string
                              counts as an array of one */
    JUDGE_FIELD_ANY        /* judge_json_t *, anything but null */
} judge_field_type_e;

#define JUDGE_REQUIRED   0x1
#define JUDGE_EXCLUSIVE  0x2   /* of a number: min itself is not allowed */

/* Rows of the usual types.  `obj` is the struct, `need` the flags; a field has
 * the name of its member, or `called` if the macro ends in _as. */
#define judge_field_as(called, obj, member, kind, need, least, most)          \
    { .name = called, .type = JUDGE_FIELD_##kind, .flags = need,              \
      .offset = offsetof(obj, member), .min = least, .max = most }
#define judge_field(obj, member, kind, need, least, most)                     \
    judge_field_as(#member, obj, member, kind, need, least, most)

#define judge_field_strings_as(called, obj, member, need, least, most, each)  \
    { .name = called, .type = JUDGE_FIELD_STRINGS, .flags = need,             \
      .offset = offsetof(obj, member), .min = least, .max = most,             \
      .item_max = each }
#define judge_field_strings(obj, member, need, least, most, each)             \
    judge_field_strings_as(#member, obj, member, need, least, most, each)

#define judge_field_one_of_as(called, obj, member, kind, need, words)         \
    { .name = called, .type = JUDGE_FIELD_##kind, .flags = need,              \
      .offset = offsetof(obj, member), .choices = words }
#define judge_field_one_of(obj, member, kind, need, words)                    \
    judge_field_one_of_as(#member, obj, member, kind, need, words)

/* An object; `flag` is the bool that is set if it is present. */
#define judge_field_object(called, obj, member, flag, inner)                  \
    { .name = called, .type = JUDGE_FIELD_OBJECT,                             \
      .offset = offsetof(obj, member), .set_offset = offsetof(obj, flag),     \
      .fields = inner }

typedef struct judge_field  judge_field_t;

struct judge_field {
    const char           *name;        /* NULL ends a table */
    judge_field_type_e    type;
    unsigned              flags;
    size_t                offset;
    double                min;
    double                max;         /* no bounds if both are 0; no maximum
                                          if less than min.  With
                                          JUDGE_EXCLUSIVE min always applies */
    const char *const    *choices;
    const judge_field_t  *fields;
    size_t                item_size;
    size_t                item_max;
    size_t                set_offset;
};

/*
 * Binds `object` to the zeroed struct at `out`; if it is not an object, the
 * error is "body: expected a JSON object".  Unknown fields are ignored; a
 * known field of the wrong type is an error; null counts as absent.  Strings
 * with a zero byte are refused.  Strings are not copied from the tree's arena;
 * lists are allocated in `arena`.  `path` precedes the names of fields ("" for
 * a body, "items[3]" for a part).
 * JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID with *error in the arena.
 */
#define judge_fields_bind(arena, fields, object, path, out, error)            \
    judge_fields_bind_known(arena, fields, object, path, out, error, NULL)

/*
 * Collects the fields that a body has but its tables don't, as text:
 *
 *   criteria[0].wieght; did you mean weight?, colour, and 3 more
 *
 * Printable ASCII, other bytes percent-encoded; at most JUDGE_UNKNOWN_LEN
 * bytes.
 */
#define JUDGE_UNKNOWN_LEN  900

typedef struct {
    judge_buf_t  names;                /* describes the first `named` */
    size_t       named;
    size_t       count;                /* of all unknown ones */
    judge_str_t  prefix;               /* of paths, with its dot */
} judge_unknown_t;

/* The same as judge_fields_bind(), but adds unknown fields to `unknown`, also
 * if it returns an error. */
judge_rc_e judge_fields_bind_known(judge_arena_t *arena,
    const judge_field_t *fields, const judge_json_t *object, judge_str_t path,
    void *out, judge_str_t *error, judge_unknown_t *unknown);

/* Adds "?name" for a parameter of a query string that is not in the table
 * (NULL: an empty table). */
void judge_unknown_parameter(judge_unknown_t *unknown, judge_arena_t *arena,
    const judge_field_t *fields, judge_str_t name);

/* Returns the text; absent if memory is exhausted. */
judge_str_t judge_unknown_text(const judge_unknown_t *unknown,
    judge_arena_t *arena);

/*
 * Binds a query string's parameter, which is text: integers, numbers, booleans
 * ("true", "True" or "1", and their opposites), choices, times and strings; a
 * field of another type is JUDGE_ERROR.  Strings are not copied.
 */
judge_rc_e judge_field_bind_text(judge_arena_t *arena,
    const judge_field_t *field, judge_str_t text, void *out,
    judge_str_t *error);


#endif /* JUDGE_FIELDS_H */
