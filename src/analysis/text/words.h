/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What is known of English words: whether they are spelled right, how common
 * they are, and their classes (classes.txt).  util/gen/wordlist makes the
 * table of Debian's word lists and lexicon.txt; one look-up by hash gives all
 * that it has of a word.
 */


#ifndef JUDGE_WORDS_H
#define JUDGE_WORDS_H


#include "base/core/hash.h"
#include "base/core/str.h"
#include "analysis/text/word_classes.h"


#define JUDGE_W_CONNECTIVE                                                    \
    (JUDGE_W_ADDITIVE | JUDGE_W_ADVERSATIVE | JUDGE_W_CAUSAL                  \
     | JUDGE_W_TEMPORAL | JUDGE_W_ORDINAL | JUDGE_W_EXEMPLIFYING              \
     | JUDGE_W_CONCLUDING)

/* Words of grammar, which say nothing of the topic of a sentence. */

#define JUDGE_W_FUNCTION                                                      \
    (JUDGE_W_ARTICLE | JUDGE_W_DETERMINER | JUDGE_W_PREPOSITION               \
     | JUDGE_W_PRONOUN | JUDGE_W_BE | JUDGE_W_HAVE | JUDGE_W_DO               \
     | JUDGE_W_MODAL | JUDGE_W_NEGATION | JUDGE_W_COORDINATOR                 \
     | JUDGE_W_SUBORDINATOR | JUDGE_W_WH | JUDGE_W_ADVERB | JUDGE_W_STOP)


#define JUDGE_RARITY_UNKNOWN  255

typedef struct {
    uint64_t  form;
    uint64_t  sense;
    uint8_t   rarity;      /* -log10 of the word's share of English text,
                              times 32: "the" 41, "obfuscate" 230 */
} judge_word_t;

/* The tables that util/gen/wordlist makes: judge_wordlist.c. */

typedef struct {
    uint32_t  fingerprint; /* the low half of the word's hash */
    uint16_t  set;         /* index of its classes */
    uint8_t   rarity;
    uint8_t   unused;
} judge_wordlist_entry_t;

typedef struct {
    uint64_t  form;
    uint64_t  sense;
} judge_wordlist_set_t;

typedef struct {
    uint64_t  hash;        /* 0: a free slot */
    uint64_t  sense;
} judge_wordlist_phrase_t;

#define JUDGE_WORDLIST_BITS    15
#define JUDGE_WORDPHRASE_BITS  10
#define JUDGE_NGRAM_BITS       17
#define JUDGE_NGRAM_ROOM       16      /* entries in a bucket */
#define JUDGE_PHRASE_WORDS     4

extern const uint32_t judge_wordlist_buckets[];
extern const judge_wordlist_entry_t judge_wordlist_entries[];
extern const judge_wordlist_set_t judge_wordlist_sets[];
extern const judge_wordlist_phrase_t judge_wordlist_phrases[];
extern const unsigned char judge_wordpairs[];
extern const unsigned char judge_wordtriples[];


/* Makes the hash of a phrase out of the hashes of its words, one after the
 * other; the order of the words matters. */

static inline uint64_t
judge_hash_join(uint64_t hash, uint64_t word)
{
    hash = ((hash * JUDGE_FNV_PRIME) ^ word) * JUDGE_FNV_PRIME;

    return hash ^ (hash >> 29);
}

/* In the following functions, `lower` is a word in lower case, with "'" for
 * any apostrophe. */

static inline uint64_t
judge_word_hash(judge_str_t lower)
{
    return judge_fnv(JUDGE_FNV_START, lower.data, lower.len);
}

/* At most so many slots of a hash table are searched, so that a text of words
 * that collide costs no more time; some of them are then counted wrong. */
#define JUDGE_PROBES  64

/* Looks a word up by its hash alone.  False: it is not in the table; *word has
 * no classes and an unknown rarity. */
bool judge_word_find(uint64_t hash, judge_word_t *word);

/* Looks a word up; one that the table lacks gets some classes of the word that
 * it is derived from by a prefix or a suffix. */
void judge_word_know(judge_str_t lower, uint64_t hash, judge_word_t *word);

/* Fetches the memory that judge_word_find() needs. */
void judge_word_prefetch(uint64_t hash);

/* Returns the senses of the phrase with that joined hash; 0: it has none. */
uint64_t judge_phrase_find(uint64_t hash);

/* Returns the probability of the last word behind those before it, by
 * judge_wordpairs or judge_wordtriples: -log10 in steps of 1/5, 1 to 31; 0:
 * the model lacks it.  The joined hash of a pair is judge_hash_join(first,
 * second), that of a triple judge_hash_join(pair, third).  The tables keep few
 * bits of it: about one of a hundred that the model lacks gets the probability
 * of another. */
unsigned judge_word_step(const unsigned char *table, uint64_t joined);

/* Fetches the memory that judge_word_step() needs for both. */
void judge_word_step_prefetch(uint64_t pair, uint64_t triple);

/* In the model, this is the word before the first one of a sentence. */
#define JUDGE_SENTENCE_HASH  0x6fd48a182fe34c12ull

/* Returns the same number for the forms of one word ("argue", "argued",
 * "arguing"), never 0. */
uint32_t judge_word_stem(judge_str_t lower);

unsigned judge_word_syllables(judge_str_t lower);        /* at least 1 */


#endif /* JUDGE_WORDS_H */
