/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Characters beyond ASCII.  A code point may be JUDGE_UTF8_INVALID. */


#ifndef JUDGE_CHAR_H
#define JUDGE_CHAR_H


#include "base/core/str.h"


/* The small letter of a capital; 0: it is none that is known. */
uint32_t judge_char_lower(uint32_t c);

/* The text in small letters, with ASCII for apostrophes, hyphens, dashes, dots
 * and "×" of print; in the arena, absent without memory. */
judge_str_t judge_char_small(judge_arena_t *arena, judge_str_t s);

/* A letter, or a mark that belongs to one. */
bool judge_char_is_letter(uint32_t c);

/* A character of a script without spaces, which stands for a word. */
bool judge_char_is_ideograph(uint32_t c);

/* Of no width, such as a soft hyphen. */
bool judge_char_is_hidden(uint32_t c);

/* As judge_token_t.mark: JUDGE_MARK_..., or the ASCII mark it stands for. */
uint8_t judge_char_mark(uint32_t c);


#endif /* JUDGE_CHAR_H */
