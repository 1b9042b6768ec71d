/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Feedback in other languages: each sentence is written in English where it is
 * used, and found by it in the .po file of a language, of which
 * util/gen/messages prints what stands in it.
 */


#ifndef JUDGE_SAY_H
#define JUDGE_SAY_H


#include <stdint.h>


/*
 * The sentence in that language (language.h), a constant; what has no
 * translation, and any language without a file, falls back to English.  The
 * conversions in it ("%s") are the same, in the same order.
 */
const char *judge_say(uint8_t language, const char *english)
    __attribute__((format_arg(2)));


/* Marks what is translated later, where the sentence is chosen. */
#define JUDGE_TRANSLATED(english)  english


#endif /* JUDGE_SAY_H */
