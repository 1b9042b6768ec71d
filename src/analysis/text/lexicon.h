/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A lexicon is what is known of the words of a language that has a file in
 * src/analysis/languages.  English has none; words.h has its words.
 */


#ifndef JUDGE_LEXICON_H
#define JUDGE_LEXICON_H


#include "analysis/text/text.h"


/* util/gen/languages makes the tables of a lexicon out of CODE.txt and CODE.po
 * of its language, and says what each setting means. */

#define JUDGE_LEXICON_BITS       14    /* of the number of buckets of words */
#define JUDGE_LEXICON_PAIR_BITS  16    /* of the number of slots of pairs */
#define JUDGE_LEXICON_SUFFIX     3     /* letters that stand for a word */

typedef struct {
    uint64_t  hash;                    /* of a word; 0: the slot is free */
    uint64_t  form;
    uint64_t  sense;
} judge_lexicon_slot_t;

typedef struct {
    uint64_t     hash;                 /* of the English sentence */
    const char  *text;
} judge_translation_t;

/* A list ends with NULL; it is NULL itself where the language has none. */
typedef struct {
    const unsigned char         *words;   /* two bytes for each, the low one
                                             first: 15 bits of its hash, and 1
                                             where it wants a capital; buckets
                                             are by the hash's high bits */
    const uint32_t              *ends;    /* where buckets end, in words; the
                                             first is 0 */
    const judge_lexicon_slot_t  *slots;   /* words with classes */
    uint32_t                     slot_mask;
    const uint32_t              *pairs;   /* 24 bits of the joined hash, and
                                             the gain in fiftieths plus 128 */
    const char *const           *compounds;
    const char *const           *prefixes;
    const char *const           *formed;  /* "dor:r": the end of a word, and
                                             that of the word behind it */
    const char *const           *elisions;
    const char *const           *endings;
    const char                  *spaces;  /* marks with a space before them */
    const judge_translation_t   *feedback;         /* by hash, ascending */
    size_t                       nfeedback;
    bool                         nouns;   /* nouns begin with a capital */
    bool                         ordinals;         /* "3." ends no sentence */
} judge_lexicon_t;

#define JUDGE_LEXICONS  32

/* By language (language.h). */
extern const judge_lexicon_t *const  judge_lexicons[JUDGE_LEXICONS];


/* Returns the lexicon of a language; NULL where it has none, as English.  Any
 * number is safe. */
const judge_lexicon_t *judge_lexicon(uint8_t language);

/* Sets form, sense and rarity of types first .. end - 1 of a text that may be
 * English, and clears `content` of words of grammar; unless `brief`, also sets
 * syllables and stem. */
void judge_lexicon_english(judge_text_t *t, size_t first, size_t end,
    bool brief);

/* Sets form, sense, rarity, stem and content of the words of a text by the
 * lexicon of its language; if `brief`, form and sense alone, and these only of
 * words with classes.  A text without a lexicon stays as it is. */
void judge_lexicon_text(judge_text_t *t, bool brief);

/* Whether the lists of a language have a word: 1 where they have it, -1 where
 * they lack it, 0 where the language has no lists. */
int judge_lexicon_says(uint8_t language, const judge_text_t *t,
    const judge_type_t *type);

/* Whether the lists of a language have a word, in lower case, as one that
 * needs no capital. */
bool judge_lexicon_common(uint8_t language, judge_str_t lower);

/* Returns the slot of a word with classes, as the common ones have; a free one
 * for any other hash. */
const judge_lexicon_slot_t *judge_lexicon_find(const judge_lexicon_t *lexicon,
    uint64_t hash);

/* Writes a word into `lower` in lower case, with "'" for any apostrophe and
 * without hidden characters; a longer one is cut. */
judge_str_t judge_lexicon_lower(const judge_text_t *t,
    const judge_token_t *token, char lower[JUDGE_LOWER_MAX]);

/*
 * Returns the class of a word in the model of which word follows which: a
 * frequent word is its own class, another one has that of its last letters.
 * The class of a mark is judge_word_hash() of it.
 */
uint64_t judge_lexicon_class(const judge_lexicon_t *lexicon,
    judge_str_t lower);

/*
 * Returns how much likelier the second class is behind the first than
 * anywhere, as a log10 from -2.5 to 2.5, by a class bigram model (Brown et
 * al., "Class-Based n-gram Models of Natural Language", 1992).
 */
double judge_lexicon_gain(const judge_lexicon_t *lexicon, uint64_t first,
    uint64_t second);


#endif /* JUDGE_LEXICON_H */
