/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Phrases of several languages by which criteria name what they ask for.  They
 * stand in src/analysis/aspects; util/patterns makes a tree of words of them.
 */


#ifndef JUDGE_PHRASE_H
#define JUDGE_PHRASE_H


#include "analysis/text/text.h"


typedef enum {
    JUDGE_SLOT_WORD,
    JUDGE_SLOT_BEGIN,                  /* a word that begins so */
    JUDGE_SLOT_NUMBER,
    JUDGE_SLOT_GAP                     /* at most JUDGE_GAP_WORDS words */
} judge_slot_e;

#define JUDGE_GAP_WORDS      3
#define JUDGE_PATTERN_HEADS  1024

/* Words of phrases have numbers, the same in all trees, so that a word of a
 * text is looked up once; 0: it is in no phrase. */
typedef struct {
    uint16_t  word;                    /* of JUDGE_SLOT_WORD; else
                                          JUDGE_PATTERN_NONE */
    uint16_t  begin;                   /* of JUDGE_SLOT_BEGIN: where it stands
                                          among the beginnings */
    uint8_t   kind;
    uint8_t   len;                     /* of the beginning */
    uint8_t   classes[2];              /* of the phrase that ends; 0: none */
    uint16_t  first;                   /* of its children */
    uint16_t  n;
    uint32_t  follow;                  /* bits of its children's words, by the
                                          number modulo 32 */
} judge_pattern_node_t;

typedef struct {
    const judge_pattern_node_t  *nodes;
    const uint16_t              *roots; /* by a first word's number; of one
                                           that begins no phrase, an empty node
                                           behind all others */
    const uint16_t              *others; /* the other roots, by head, ... */
    const uint16_t              *heads; /* ... and where those of each begin,
                                           to the end of the last */
} judge_patterns_t;

/* The generated table of words: a hash table of their numbers, and of each
 * number the high half of its word's judge_word_hash(). */

#define JUDGE_PATTERN_BITS  14
#define JUDGE_PATTERN_NONE  0xffff     /* no number */

extern const uint16_t  judge_pattern_slots[];
extern const uint32_t  judge_pattern_prints[];
extern const char      judge_pattern_begins[];

extern const judge_patterns_t  judge_criterion_patterns;
extern const judge_patterns_t  judge_flag_patterns;      /* flags.h */

typedef struct {
    judge_str_t  lower;                /* in small letters */
    uint16_t     word;                 /* its number in phrases, or 0 */
    uint16_t     head;                 /* by its first three bytes */
} judge_wording_type_t;

/* The words of a text as phrases are found in them: without marks. */
typedef struct {
    const judge_text_t    *text;
    judge_wording_type_t  *types;      /* of the text's */
    uint32_t              *tokens;     /* words and numbers */
    uint32_t              *sentences;  /* of the tokens */
    uint16_t              *words;      /* of the tokens: numbers in phrases */
    size_t                 n;
} judge_wording_t;


/* JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_wording_create(judge_wording_t *w, judge_arena_t *arena,
    const judge_text_t *text);

/*
 * The two classes (or one and 0) of the longest phrase that begins at word i,
 * and in *end the word behind it; NULL: none begins there.  Never reaches
 * beyond the sentence.
 */
const uint8_t *judge_pattern_at(const judge_patterns_t *patterns,
    const judge_wording_t *w, size_t i, size_t *end);


#endif /* JUDGE_PHRASE_H */
