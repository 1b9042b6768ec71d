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
 * default and examples say nothing about a value.  Any other word is refused.
 */


#ifndef JUDGE_SCHEMA_H
#define JUDGE_SCHEMA_H


#include "base/json/json.h"


/* JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID: with *error, a sentence that begins
 * "value". */
judge_rc_e judge_schema_read(judge_arena_t *arena,
    const judge_json_t *schema, judge_str_t *error);

/*
 * Whether the value is as the schema, which was read, wants it.  JUDGE_OK;
 * JUDGE_INVALID: with *why, a sentence without its full stop; JUDGE_BUSY: it
 * takes too many steps; JUDGE_NOMEM.
 */
judge_rc_e judge_schema_check(judge_arena_t *arena,
    const judge_json_t *schema, const judge_json_t *value, judge_str_t *why);


#endif /* JUDGE_SCHEMA_H */
