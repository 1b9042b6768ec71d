/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Phrases of several languages by which criteria name what they ask for.  They
 * stand in src/analysis/aspects; util/gen/patterns makes trees of words of it.
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

#define JUDGE_GAP_WORDS  3

typedef struct {
    const char  *text;                 /* of a word, or its beginning */
    uint8_t      kind;
    uint8_t      len;                  /* of the text */
    uint8_t      classes[2];           /* of the phrase that ends; 0: none */
    uint16_t     first;                /* of its children, in the order of
                                          their texts */
    uint16_t     n;
} judge_pattern_node_t;

typedef struct {
    const judge_pattern_node_t  *nodes; /* first those that begin phrases */
    const uint16_t              *roots; /* where those of each first byte
                                           begin, to the end of the last */
    const uint32_t              *seconds; /* of each first byte: a bit for the
                                             low five of each second one */
} judge_patterns_t;

extern const judge_patterns_t  judge_criterion_patterns;
extern const judge_patterns_t  judge_flag_patterns;    /* orders: flags.txt */
extern const judge_patterns_t  judge_mark_patterns;    /* its others */
extern const judge_patterns_t  judge_order_patterns;     /* orders.txt */

/* The words of a text as phrases are found in them: without marks. */
typedef struct {
    const judge_text_t  *text;
    judge_str_t         *lower;        /* of its types: in small letters */
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

/* Whether a word of that type may begin a phrase. */
bool judge_pattern_begins(const judge_patterns_t *patterns,
    const judge_wording_t *w, uint32_t type);


#endif /* JUDGE_PHRASE_H */
