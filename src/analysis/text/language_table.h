/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The generated tables of languages: util/languages makes them. */


#ifndef JUDGE_LANGUAGE_TABLE_H
#define JUDGE_LANGUAGE_TABLE_H


#include <stddef.h>
#include <stdint.h>


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


#endif /* JUDGE_LANGUAGE_TABLE_H */
