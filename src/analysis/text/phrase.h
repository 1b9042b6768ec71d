/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Finds phrases of several languages in a text, such as those by which
 * criteria name what they ask for.  They stand in src/analysis/aspects;
 * util/gen/patterns makes trees of them, with a word for each node.
 */


#ifndef JUDGE_PHRASE_H
#define JUDGE_PHRASE_H


#include "analysis/text/text.h"


/* What a node matches. */
typedef enum {
    JUDGE_SLOT_WORD,                   /* the word `text` */
    JUDGE_SLOT_BEGIN,                  /* any word that begins with it */
    JUDGE_SLOT_NUMBER,                 /* any number */
    JUDGE_SLOT_GAP                     /* at most JUDGE_GAP_WORDS words */
} judge_slot_e;

#define JUDGE_GAP_WORDS  3

typedef struct {
    const char  *text;
    uint8_t      kind;                 /* judge_slot_e */
    uint8_t      len;                  /* of the text */
    uint8_t      classes[2];           /* of the phrase that ends here, or 0 */
    uint16_t     first;                /* its n children, by their texts */
    uint16_t     n;
} judge_pattern_node_t;

typedef struct {
    const judge_pattern_node_t  *nodes; /* the roots, then all others */
    const uint16_t              *roots; /* by the first byte of a word: its
                                           first root; the last end behind */
    const uint32_t              *seconds; /* by the first byte: the bits of the
                                             low five of each second byte */
} judge_patterns_t;

extern const judge_patterns_t  judge_criterion_patterns;
extern const judge_patterns_t  judge_flag_patterns;    /* flags.txt: orders */
extern const judge_patterns_t  judge_mark_patterns;    /* flags.txt: others */
extern const judge_patterns_t  judge_order_patterns;   /* orders.txt */

/* The words and numbers of a text, without marks, as phrases have them. */
typedef struct {
    const judge_text_t  *text;
    judge_str_t         *lower;        /* by type: in small letters */
    uint32_t            *tokens;
    uint32_t            *sentences;    /* by word: its sentence */
    size_t               n;
} judge_wording_t;


/* Returns JUDGE_OK or JUDGE_NOMEM. */
judge_rc_e judge_wording_create(judge_wording_t *w, judge_arena_t *arena,
    const judge_text_t *text);

/*
 * Returns the two classes (or one and 0) of the longest phrase that begins at
 * word i, and sets *end to the word behind it; NULL: none begins there.  A
 * phrase ends in the sentence in which it begins.
 */
const uint8_t *judge_pattern_at(const judge_patterns_t *patterns,
    const judge_wording_t *w, size_t i, size_t *end);

/* Whether a word of that type may begin a phrase. */
bool judge_pattern_begins(const judge_patterns_t *patterns,
    const judge_wording_t *w, uint32_t type);


#endif /* JUDGE_PHRASE_H */
