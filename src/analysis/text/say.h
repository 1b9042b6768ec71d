/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Translates feedback.  Each sentence is written in English where it is used,
 * and its translation is found by that in the .po file of the language.
 * util/gen/messages prints the sentences that such a file has to translate.
 */


#ifndef JUDGE_SAY_H
#define JUDGE_SAY_H


#include "base/core/str.h"


/*
 * Returns the sentence in that language (language.h), as a constant; English
 * where it has no translation or the language has no file.  A translation has
 * the same conversions ("%s") in the same order.
 */
const char *judge_say(uint8_t language, const char *english)
    __attribute__((format_arg(2)));

/* Puts commas for points into the numbers after `from`, but in English. */
void judge_say_numbers(uint8_t language, judge_buf_t *b, size_t from);


/* Marks a sentence that judge_say() gets in a variable, so that
 * util/gen/messages finds it. */
#define JUDGE_TRANSLATED(english)  english


#endif /* JUDGE_SAY_H */
