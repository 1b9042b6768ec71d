/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The language of a text is told by the frequent sequences of letters in its
 * words (Cavnar & Trenkle, "N-Gram-Based Text Categorization", 1994, here with
 * sums of logarithms), or by its script.
 */


#ifndef JUDGE_LANGUAGE_H
#define JUDGE_LANGUAGE_H


#include "analysis/text/text.h"


#define JUDGE_LANGUAGE_WORDS    200    /* distinct words looked at, at most */

#define JUDGE_LANGUAGE_UNKNOWN  0      /* too short to tell, or a mixture */
#define JUDGE_LANGUAGE_ENGLISH  1
#define JUDGE_LANGUAGE_GERMAN   2      /* its nouns have capitals */

/* util/gen/languages makes the tables, of languages.txt and profiles.tsv. */

#define JUDGE_LANGUAGE_BITS      13    /* of the number of slots */
#define JUDGE_LANGUAGE_LONGEST   4     /* characters of a sequence, at most */
#define JUDGE_LANGUAGE_PROFILES  27    /* languages with one: they come
                                          first */

typedef struct {
    const char  *code;                 /* NULL behind the last */
    const char  *name;
} judge_language_row_t;

typedef struct {
    uint32_t  from;                    /* code points; 0 behind the last */
    uint32_t  to;
    uint8_t   language;
} judge_language_script_t;

/* A sequence of characters has a weight for each language with a profile: log2
 * of how much more frequent it is there than a rare one, in eighths. */
typedef struct {
    uint32_t  fingerprint;             /* the high half of the sequence's hash;
                                          0: the slot is free */
    uint8_t   weights[JUDGE_LANGUAGE_PROFILES];
} judge_language_slot_t;

extern const judge_language_row_t     judge_languages[];
extern const judge_language_script_t  judge_language_scripts[];
extern const judge_language_slot_t    judge_language_slots[];

/*
 * Detects the language of a text whose tokens and types are read; returns its
 * place in languages.txt, from 1, or JUDGE_LANGUAGE_UNKNOWN.  Only
 * judge_text_parse() needs it, which sets judge_text_t.language.
 */
uint8_t judge_language_detect(judge_text_t *t);

/* Return the code ("de") and the English name of a language, or "unknown" and
 * "an unknown language", as constants.  Any number is safe. */
const char *judge_language_code(uint8_t language);
const char *judge_language_name(uint8_t language);

/* Finds a language by its code in small letters; "de-AT" is found as "de".
 * Returns JUDGE_LANGUAGE_UNKNOWN for a code that languages.txt lacks. */
uint8_t judge_language_find(judge_str_t code);


#endif /* JUDGE_LANGUAGE_H */
