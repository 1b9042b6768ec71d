/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The tables of words that feedback is put together from.
 */


#ifndef JUDGE_PHRASES_H
#define JUDGE_PHRASES_H


#include "analysis/features/feature.h"


typedef struct {
    const char  *text;                 /* "%s misspelled words in 100"; NULL
                                          where no aspect uses the feature */
    const char  *none;                 /* instead, where the number is 0 */
    const char  *one;                  /* instead, where it is 1; where it
                                          counts without decimals */
    const char  *if_low;               /* advice; NULL: none */
    const char  *if_high;
    float        scale;                /* 0: 1 */
    uint8_t      decimals;
    uint8_t      found;                /* where: a judge_found_e ... */
    uint8_t      last;                 /* ... to this one, if not 0 */
    bool         logarithm;            /* ln(1 + x) was measured, x is said */
    bool         squared;              /* a root was measured */
} judge_phrase_t;

extern const judge_phrase_t  judge_phrases[JUDGE_FEATURES];

/* What is wrong at a place; NULL: the feature's words say it. */
extern const char *const  judge_found_names[JUDGE_FOUND_KINDS];


#endif /* JUDGE_PHRASES_H */
