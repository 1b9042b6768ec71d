/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * JSON Schema, the part of it that can be decided in bounded time:
 *
 *   type, enum, const, properties, required, additionalProperties,
 *   minProperties, maxProperties, items, minItems, maxItems, minLength,
 *   maxLength, pattern, minimum, maximum, exclusiveMinimum, exclusiveMaximum,
 *   anyOf, allOf, oneOf, not, $ref to a member of $defs or definitions
 *
 * with the meaning of draft 2020-12; $schema, $id, title, description,
 * default and examples are ignored.  Any other keyword is refused.
 */


#ifndef JUDGE_SCHEMA_H
#define JUDGE_SCHEMA_H


#include "base/core/allowance.h"
#include "analysis/checks/check.h"


/* Compiles a schema, which keeps referring to `value`.  JUDGE_OK, JUDGE_NOMEM,
 * or JUDGE_INVALID: with *error, a sentence that begins "value". */
judge_rc_e judge_schema_read(judge_arena_t *arena, const judge_json_t *value,
    judge_schema_t **schema, judge_str_t *error);

/*
 * Validates the value.  JUDGE_OK; JUDGE_INVALID: with *why in the arena, a
 * sentence without its full stop; JUDGE_BUSY: the allowance does not suffice;
 * JUDGE_NOMEM.
 */
judge_rc_e judge_schema_check(const judge_schema_t *schema,
    const judge_json_t *value, judge_arena_t *arena, judge_regex_t *reader,
    judge_allowance_t *allowance, judge_str_t *why);


/* --- For the files of schemas: the keywords, and compiled schemas -------- */

#define JUDGE_SCHEMA_DEPTH  32         /* of schemas and references */

/* The kind of value that a keyword takes. */
typedef enum {
    JUDGE_SCHEMA_ANY,
    JUDGE_SCHEMA_TYPES,                /* names of types */
    JUDGE_SCHEMA_VALUES,               /* a list of any values */
    JUDGE_SCHEMA_NAMES,                /* a list of strings */
    JUDGE_SCHEMA_ONE,                  /* a schema */
    JUDGE_SCHEMA_LIST,                 /* a list of schemas */
    JUDGE_SCHEMA_MAP,                  /* schemas by name */
    JUDGE_SCHEMA_NUMBER,
    JUDGE_SCHEMA_COUNT,
    JUDGE_SCHEMA_STRING,
    JUDGE_SCHEMA_REF,
    JUDGE_SCHEMA_PATTERN
} judge_schema_kind_e;

/* What was made of a keyword's value: a compiled pattern, or a schema. */
typedef struct {
    const judge_json_t  *word;
    judge_regex_t       *pattern;
    const judge_json_t  *schema;
} judge_schema_link_t;

struct judge_schema {
    const judge_json_t   *root;
    judge_schema_link_t  *links;       /* sorted by the address of the
                                          keyword's value */
    size_t                nlinks;
};

typedef struct judge_schema_check  judge_schema_check_t;

/* A value, and its path from the root. */
typedef struct judge_schema_at  judge_schema_at_t;

/* Validates a value against one keyword, whose value is w. */
typedef judge_rc_e judge_schema_rule_t(judge_schema_check_t *s,
    const judge_json_t *w, const judge_json_t *schema,
    const judge_schema_at_t *at);

typedef struct {
    const char           *name;
    judge_schema_kind_e   kind;
    judge_schema_rule_t  *check;       /* NULL: the keyword is ignored */
} judge_schema_word_t;


const judge_schema_word_t *judge_schema_find(judge_str_t name);
int judge_schema_order(const void *a, const void *b);    /* of links */


#endif /* JUDGE_SCHEMA_H */
