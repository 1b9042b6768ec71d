/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Strings as they stand in a JSON text; for the parser only. */


#ifndef JUDGE_JSON_STRING_H
#define JUDGE_JSON_STRING_H


#include "base/core/str.h"


/* Copies a string, which begins and ends with its quotes, without them and
 * with what its escapes stand for.  JUDGE_OK, JUDGE_NOMEM, or JUDGE_INVALID
 * with the offset of the wrong byte and what is wrong. */
judge_rc_e judge_json_unquote(judge_arena_t *arena, judge_str_t quoted,
    judge_str_t *s, size_t *at, const char **fault);


#endif /* JUDGE_JSON_STRING_H */
