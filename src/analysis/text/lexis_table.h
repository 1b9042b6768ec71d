/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The generated tables of what is known of a language other than English:
 * util/languages makes them, of a file of src/analysis/languages each. */


#ifndef JUDGE_LEXIS_TABLE_H
#define JUDGE_LEXIS_TABLE_H


#include "analysis/text/words.h"


#define JUDGE_LEXIS_BITS       14      /* of the buckets of words */
#define JUDGE_LEXIS_PAIR_BITS  16      /* of the slots of pairs */
#define JUDGE_LEXIS_SUFFIX     3       /* letters that stand for a word */

typedef struct {
    uint64_t  hash;                    /* of a word; 0: free */
    uint64_t  form;
    uint64_t  sense;
} judge_lexis_slot_t;

typedef struct {
    uint64_t     hash;                 /* of the English sentence */
    const char  *text;
} judge_lexis_say_t;

typedef struct {
    const unsigned char       *words;  /* of each 15 bits of its hash, and 1:
                                          it wants a capital; in buckets by
                                          the high bits of the hash */
    const uint32_t            *ends;   /* of the buckets, in words; the first
                                          is 0 */
    const judge_lexis_slot_t  *lexicon;
    uint32_t                   lexicon_mask;
    const uint32_t            *pairs;  /* 24 bits of the joined hash, and the
                                          gain in fiftieths above 128 */
    const char *const         *compounds;          /* lists end with NULL; */
    const char *const         *prefixes;           /* NULL: none */
    const char *const         *formed; /* "dor:r": an end and that of the word
                                          it comes from */
    const char *const         *elisions;
    const char *const         *endings;
    const char                *spaces; /* marks with a space before them */
    const judge_lexis_say_t   *feedback;           /* by hash, ascending */
    size_t                     nfeedback;
    bool                       nouns;  /* have a capital */
    bool                       ordinals;           /* "3." */
} judge_lexis_t;

#define JUDGE_LEXES  32

/* By language (language.h); NULL: no more is known than for any. */
extern const judge_lexis_t *const  judge_lexes[JUDGE_LEXES];


#endif /* JUDGE_LEXIS_TABLE_H */
