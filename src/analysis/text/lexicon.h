/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is known of the words of a language other than English: as words.h,
 * but for the languages with a file in src/analysis/languages.
 */


#ifndef JUDGE_LEXICON_H
#define JUDGE_LEXICON_H


#include "analysis/text/text.h"


/* The generated tables of what is known of a language: util/gen/languages
 * makes them, of a file of src/analysis/languages each. */

#define JUDGE_LEXICON_BITS       14    /* of the buckets of words */
#define JUDGE_LEXICON_PAIR_BITS  16    /* of the slots of pairs */
#define JUDGE_LEXICON_SUFFIX     3     /* letters that stand for a word */

typedef struct {
    uint64_t  hash;                    /* of a word; 0: free */
    uint64_t  form;
    uint64_t  sense;
} judge_lexicon_slot_t;

typedef struct {
    uint64_t     hash;                 /* of the English sentence */
    const char  *text;
} judge_translation_t;

typedef struct {
    const unsigned char         *words;   /* of each 15 bits of its hash, and
                                             1: it wants a capital; in buckets
                                             by the high bits of the hash */
    const uint32_t              *ends;    /* of the buckets, in words; the
                                             first is 0 */
    const judge_lexicon_slot_t  *slots;
    uint32_t                     slot_mask;
    const uint32_t              *pairs;   /* 24 bits of the joined hash, and
                                             the gain in fiftieths above 128 */
    const char *const           *compounds;        /* lists end with NULL; */
    const char *const           *prefixes;         /* NULL: none */
    const char *const           *formed;  /* "dor:r": an end and that of the
                                             word it comes from */
    const char *const           *elisions;
    const char *const           *endings;
    const char                  *spaces;  /* marks with a space before them */
    const judge_translation_t   *feedback;         /* by hash, ascending */
    size_t                       nfeedback;
    bool                         nouns;   /* have a capital */
    bool                         ordinals;         /* "3." */
} judge_lexicon_t;

#define JUDGE_LEXICONS  32

/* By language (language.h); NULL: no more is known than for any. */
extern const judge_lexicon_t *const  judge_lexicons[JUDGE_LEXICONS];


/* NULL: English, or a language without tables; any index is safe. */
const judge_lexicon_t *judge_lexicon(uint8_t language);

/* Sets form, sense and rarity of types first .. end - 1 of a text that may be
 * English, and takes words of grammar from the content; unless `brief`, also
 * sets syllables and stem. */
void judge_lexicon_english(judge_text_t *t, size_t first, size_t end,
    bool brief);

/* Sets form, sense, rarity, stem and content of the words of a text in such a
 * language; others stay as they are.  `brief`: only what its lexicon has of
 * form and sense. */
void judge_lexicon_text(judge_text_t *t, bool brief);

/* What the lists of a language say of a word: 1 where they have it, -1 where
 * they lack it, 0 where there are none. */
int judge_lexicon_says(uint8_t language, const judge_text_t *t,
    const judge_type_t *type);

/* The word in lower case with apostrophes as "'", cut; in `lower`. */
judge_str_t judge_lexicon_lower(const judge_text_t *t,
    const judge_token_t *token, char lower[JUDGE_LOWER_MAX]);

/*
 * The class that stands for a word in the model of which word follows which:
 * the word itself where it is frequent, else its last letters.  For a mark,
 * judge_word_hash() of it.
 */
uint64_t judge_lexicon_class(const judge_lexicon_t *lexicon,
    judge_str_t lower);

/*
 * How much likelier the second class is after the first than anywhere, log10,
 * -2.5 to 2.5; a class bigram model (Brown et al., "Class-Based n-gram Models
 * of Natural Language", 1992).
 */
double judge_lexicon_gain(const judge_lexicon_t *lexicon, uint64_t first,
    uint64_t second);


#endif /* JUDGE_LEXICON_H */
