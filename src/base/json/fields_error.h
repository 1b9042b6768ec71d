/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Errors of fields; only the files that bind fields include this. */


#ifndef JUDGE_FIELDS_ERROR_H
#define JUDGE_FIELDS_ERROR_H


#include "base/json/fields.h"


/* The path of a value.  Its parts are on the stack of the nested calls that
 * bind the value; text is made of them only for an error. */

typedef struct judge_field_path  judge_field_path_t;

struct judge_field_path {
    const judge_field_path_t  *parent; /* NULL: this is the prefix */
    judge_str_t                name;   /* of the prefix or the field */
    size_t                     index;  /* of an element, when name is absent */
};

/* What is wrong with a value. */

typedef enum {
    JUDGE_FIELD_MISSING,               /* "required, expected ..." */
    JUDGE_FIELD_UNEXPECTED,            /* "expected ..." */
    JUDGE_FIELD_ZERO_BYTE,
    JUDGE_FIELD_NOT_UTF8
} judge_field_fault_e;

/* Whether the bounds of a field apply, as fields.h defines. */
bool judge_field_has_min(const judge_field_t *f);
bool judge_field_has_max(const judge_field_t *f);

/* Each writes the sentence and returns JUDGE_INVALID, or JUDGE_NOMEM. */
judge_rc_e judge_field_error(judge_arena_t *arena, const judge_field_t *f,
    const judge_field_path_t *path, judge_field_fault_e fault,
    judge_str_t *error);
judge_rc_e judge_field_error_body(judge_arena_t *arena,
    const judge_field_path_t *path, judge_str_t *error);

/* Adds the members of an object that the table doesn't have. */
void judge_unknown_members(judge_unknown_t *unknown, judge_arena_t *arena,
    const judge_field_t *fields, const judge_field_path_t *path,
    const judge_json_t *object);

void judge_field_path(judge_buf_t *b, const judge_field_path_t *path);


#endif /* JUDGE_FIELDS_ERROR_H */
