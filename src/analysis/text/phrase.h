/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Phrases of several languages that tell what a text does (it refuses,
 * blames, advertises) or what a criterion asks for.  They stand in
 * src/analysis/phrases; util/patterns makes a tree of words of them.
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
#define JUDGE_PATTERN_PLAIN  0x80      /* with it a class: not behind a
                                          negation */

typedef struct {
    uint32_t  text;                    /* where it stands among the words */
    uint8_t   kind;
    uint8_t   len;
    uint8_t   classes[2];              /* of the phrase that ends; 0: none */
    uint16_t  first;                   /* of its children */
    uint16_t  n;
} judge_pattern_node_t;

typedef struct {
    const judge_pattern_node_t  *nodes;
    const char                  *words;
    const uint16_t              *heads; /* by the first three bytes; the
                                           last is where the roots end */
} judge_patterns_t;

extern const judge_patterns_t  judge_text_patterns;
extern const judge_patterns_t  judge_criterion_patterns;
extern const judge_patterns_t  judge_question_patterns;
extern const judge_patterns_t  judge_opposite_patterns;

/* What a question asks for. */
typedef enum {
    JUDGE_ASK_NONE,
    JUDGE_ASK_WHO,
    JUDGE_ASK_WHEN,
    JUDGE_ASK_WHERE,
    JUDGE_ASK_MANY,
    JUDGE_ASK_WHY,
    JUDGE_ASK_HOW,
    JUDGE_ASK_WHETHER
} judge_ask_e;

/* The classes of opposites: 2n + 1 and 2n + 2 are a pair; from here on, words
 * that exclude each other. */
#define JUDGE_OPPOSITE_SETS  200

/* The words of a text as phrases are found in them: without marks. */
typedef struct {
    const judge_text_t  *text;
    judge_str_t         *lower;        /* of the types, in small letters */
    uint32_t            *tokens;       /* words and numbers */
    uint32_t            *sentences;    /* of the tokens */
    size_t               n;
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
