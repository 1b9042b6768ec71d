/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Characters beyond ASCII: which are letters, and what the others mark.
 * Each takes a code point, or JUDGE_UTF8_INVALID.
 */


#ifndef JUDGE_CHAR_H
#define JUDGE_CHAR_H


#include "base/core/str.h"


/* The small letter of a capital; 0: it is none that is known. */
uint32_t judge_char_lower(uint32_t c);

/* A letter, or a mark that belongs to one. */
bool judge_char_is_letter(uint32_t c);

/* A character of a script without spaces, which stands for a word. */
bool judge_char_is_ideograph(uint32_t c);

/* As judge_token_t.mark: JUDGE_MARK_..., or the ASCII mark it stands for. */
uint8_t judge_char_mark(uint32_t c);


#endif /* JUDGE_CHAR_H */
