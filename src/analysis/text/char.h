/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* These functions tell what kind of character a code point beyond ASCII is.
 * They take JUDGE_UTF8_INVALID, too. */


#ifndef JUDGE_CHAR_H
#define JUDGE_CHAR_H


#include "base/core/str.h"


/* Returns the small letter of a capital; 0: c is none. */
uint32_t judge_char_lower(uint32_t c);

/* Copy s into the arena in small letters; the second with ASCII for
 * typographic apostrophes, hyphens, dashes, dots and "×".  Absent: there is no
 * memory. */
judge_str_t judge_char_lowered(judge_arena_t *arena, judge_str_t s);
judge_str_t judge_char_small(judge_arena_t *arena, judge_str_t s);

/* An accent that is a character of its own is a letter, too. */
bool judge_char_is_letter(uint32_t c);

/* Ideographs are of scripts without spaces; each counts as a word. */
bool judge_char_is_ideograph(uint32_t c);

/* A hidden character has no width, such as a soft hyphen. */
bool judge_char_is_hidden(uint32_t c);

/* Returns judge_token_t.mark for c, which may be ASCII that c stands for. */
uint8_t judge_char_mark(uint32_t c);


#endif /* JUDGE_CHAR_H */
