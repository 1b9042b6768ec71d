/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Which language a text is in, by the frequent sequences of letters in its
 * words (Cavnar & Trenkle, "N-Gram-Based Text Categorization", 1994, here as
 * sums of logarithms) or by its script.
 */


#ifndef JUDGE_LANGUAGE_H
#define JUDGE_LANGUAGE_H


#include "analysis/text/text.h"


#define JUDGE_LANGUAGE_WORDS    200    /* distinct ones that are looked at */

#define JUDGE_LANGUAGE_UNKNOWN  0      /* too short to tell, mixed or none */
#define JUDGE_LANGUAGE_ENGLISH  1
#define JUDGE_LANGUAGE_GERMAN   2      /* its nouns have capitals */

/* The generated tables. */

#define JUDGE_LANGUAGE_BITS      13
#define JUDGE_LANGUAGE_LONGEST   4     /* characters of a sequence */
#define JUDGE_LANGUAGE_PROFILES  27    /* the first languages have one */

typedef struct {
    const char  *code;                 /* NULL behind the last */
    const char  *name;
} judge_language_row_t;

typedef struct {
    uint32_t  from;                    /* code points; 0 behind the last */
    uint32_t  to;
    uint8_t   language;
} judge_language_script_t;

/* What a sequence of characters says for each language with a profile: log2
 * of how much more frequent it is than a rare one, in eighths. */
typedef struct {
    uint32_t  print;                   /* 0: a free slot */
    uint8_t   weights[JUDGE_LANGUAGE_PROFILES];
} judge_language_slot_t;

extern const judge_language_row_t     judge_languages[];
extern const judge_language_script_t  judge_language_scripts[];
extern const judge_language_slot_t    judge_language_slots[];

/*
 * The language of a parsed text, as an index of languages.txt from 1.
 * Deterministic; it looks at the first JUDGE_LANGUAGE_WORDS distinct words.
 * judge_text_parse() has it in judge_text_t.language already.
 */
uint8_t judge_language_detect(const judge_text_t *t);

/* "de", or "unknown"; a constant.  Any index is safe. */
const char *judge_language_code(uint8_t language);

/* Its English name, or "an unknown language"; a constant. */
const char *judge_language_name(uint8_t language);

/* By its code in small letters; "de-AT" is "de".  JUDGE_LANGUAGE_UNKNOWN where
 * it is none that is told apart. */
uint8_t judge_language_find(judge_str_t code);


#endif /* JUDGE_LANGUAGE_H */
