/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Field tables: a row has the name of a field of a JSON object, of what
 * type and within which bounds it is, and where it goes in a struct.  One
 * function binds a whole body by its table and, where something is wrong,
 * writes the one sentence that the client gets, with the path of the field:
 *
 *   criteria[2].name: expected a non-empty string of at most 200 characters
 */


#ifndef JUDGE_FIELDS_H
#define JUDGE_FIELDS_H


#include "base/json/json.h"


/* What a field becomes in the struct. */
typedef struct { int64_t value; bool set; }  judge_integer_t;
typedef struct { double value; bool set; }   judge_number_t;
typedef struct { bool value; bool set; }     judge_boolean_t;
typedef struct { judge_ms_t value; bool set; }  judge_instant_t;
typedef struct { int value; bool set; }      judge_choice_t;   /* index in
                                                             the choices */
typedef struct {                               /* of the items' structs */
    void    *items;
    size_t   count;
    bool     set;
} judge_list_t;

typedef enum {
    JUDGE_FIELD_STRING,    /* judge_str_t; min/max count characters */
    JUDGE_FIELD_INTEGER,   /* judge_integer_t; min/max inclusive; 3.0 is not
                              an integer */
    JUDGE_FIELD_NUMBER,    /* judge_number_t; min/max inclusive */
    JUDGE_FIELD_BOOLEAN,   /* judge_boolean_t */
    JUDGE_FIELD_TIME,      /* judge_instant_t */
    JUDGE_FIELD_CHOICE,    /* judge_choice_t; choices ends with NULL */
    JUDGE_FIELD_WORD,      /* judge_str_t: one of the choices */
    JUDGE_FIELD_OBJECT,    /* fields bound in place into an inner struct at
                              offset, whose presence goes to the bool at
                              set_offset (0: not wanted) */
    JUDGE_FIELD_LIST,      /* judge_list_t of structs of item_size, each an
                              object with `fields`; min/max count items */
    JUDGE_FIELD_STRINGS,   /* judge_list_t of judge_str_t; min/max count
                              items, item_max bounds the characters of each
                              (each non-empty) */
    JUDGE_FIELD_ANY_OBJECT,/* judge_json_t *, an object kept as it is; max
                              bounds its bytes when written (0: unbounded) */
    JUDGE_FIELD_STRING_OR_STRINGS, /* judge_list_t of judge_str_t: one string
                              counts as an array of one */
    JUDGE_FIELD_ANY        /* judge_json_t *, anything but null */
} judge_field_type_e;

#define JUDGE_REQUIRED   0x1
#define JUDGE_EXCLUSIVE  0x2   /* of a number: min itself is not allowed */

/* Rows of the usual kinds.  `of` is the struct, `need` the flags; a field is
 * called as its member is, or `called` in the forms that end in _as. */
#define judge_field_as(called, of, member, kind, need, least, most)           \
    { .name = called, .type = JUDGE_FIELD_##kind, .flags = need,              \
      .offset = offsetof(of, member), .min = least, .max = most }
#define judge_field(of, member, kind, need, least, most)                      \
    judge_field_as(#member, of, member, kind, need, least, most)

#define judge_field_strings_as(called, of, member, need, least, most, each)   \
    { .name = called, .type = JUDGE_FIELD_STRINGS, .flags = need,             \
      .offset = offsetof(of, member), .min = least, .max = most,              \
      .item_max = each }
#define judge_field_strings(of, member, need, least, most, each)              \
    judge_field_strings_as(#member, of, member, need, least, most, each)

#define judge_field_one_of_as(called, of, member, kind, need, words)          \
    { .name = called, .type = JUDGE_FIELD_##kind, .flags = need,              \
      .offset = offsetof(of, member), .choices = words }
#define judge_field_one_of(of, member, kind, need, words)                     \
    judge_field_one_of_as(#member, of, member, kind, need, words)

typedef struct judge_field  judge_field_t;

struct judge_field {
    const char           *name;        /* NULL ends a table */
    judge_field_type_e    type;
    unsigned              flags;
    size_t                offset;
    double                min;
    double                max;         /* min == max == 0: unbounded; less
                                          than min: no maximum.  With
                                          JUDGE_EXCLUSIVE min always holds */
    const char *const    *choices;
    const judge_field_t  *fields;
    size_t                item_size;
    size_t                item_max;
    size_t                set_offset;
};

/*
 * Binds `object` (which must be an object: else "body: expected a JSON
 * object") into the zeroed struct at `out`.  Unknown fields are ignored; a
 * known field of the wrong type is an error; null counts as left out.
 * Strings with a zero byte are refused.  Strings stay in the tree's arena;
 * lists are allocated in `arena`.  `path` is put before the names of fields
 * ("" for a body, "items[3]" for a part).
 * JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID with *error in the arena.
 */
judge_rc_e judge_fields_bind(judge_arena_t *arena, const judge_field_t *fields,
    const judge_json_t *object, judge_str_t path, void *out,
    judge_str_t *error);

/*
 * What a body has and its tables don't, in words:
 *
 *   criteria[0].wieght; did you mean weight?, colour, and 3 more
 *
 * Printable ASCII, other bytes percent-encoded; at most JUDGE_UNKNOWN_LEN
 * bytes.
 */
#define JUDGE_UNKNOWN_LEN  900

typedef struct {
    judge_buf_t  names;                /* of the first `named` */
    size_t       named;
    size_t       count;                /* of all */
    judge_str_t  above;                /* put before paths, with its dot */
} judge_unknown_t;

/* The same as judge_fields_bind(), and adds to what is unknown, also where the
 * binding fails. */
judge_rc_e judge_fields_bind_known(judge_arena_t *arena,
    const judge_field_t *fields, const judge_json_t *object, judge_str_t path,
    void *out, judge_str_t *error, judge_unknown_t *unknown);

/* Adds a parameter of a query string that the table (NULL: an empty one)
 * doesn't have, as "?name". */
void judge_unknown_parameter(judge_unknown_t *unknown, judge_arena_t *arena,
    const judge_field_t *fields, judge_str_t name);

/* All of it; absent without memory. */
judge_str_t judge_unknown_text(const judge_unknown_t *unknown,
    judge_arena_t *arena);

/*
 * The same for a query string's parameter, as text: integers, numbers,
 * booleans ("true", "True" or "1", and their opposites), choices, times and
 * strings (JUDGE_ERROR for a field of another type).  Strings stay where the
 * text is.
 */
judge_rc_e judge_field_bind_text(judge_arena_t *arena,
    const judge_field_t *field, judge_str_t text, void *out,
    judge_str_t *error);


#endif /* JUDGE_FIELDS_H */
