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


#endif /* JUDGE_SCHEMA_H */
