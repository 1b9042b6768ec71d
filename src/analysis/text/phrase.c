/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* A phrase is found by walking down the tree; it has at most twelve words, so
 * the tree is as deep. */


#include <string.h>

#include "analysis/text/char.h"
#include "analysis/text/phrase.h"


typedef struct {
    const judge_patterns_t  *patterns;
    const judge_wording_t   *wording;
    uint32_t                 sentence;
    size_t                   end;      /* of the longest phrase found yet, */
    const uint8_t           *classes;  /* and its classes */
} judge_pattern_walk_t;


judge_rc_e
judge_wording_create(judge_wording_t *w, judge_arena_t *arena,
    const judge_text_t *text)
{
    size_t                   i, s, begun;
    const judge_type_t      *type;
    const judge_sentence_t  *sentence;

    w->text = text;
    w->n = 0;
    w->tokens = judge_alloc(arena, (text->ntokens + 1) * sizeof(uint32_t));
    w->sentences = judge_alloc(arena, (text->ntokens + 1) * sizeof(uint32_t));
    w->lower = judge_alloc(arena, (text->ntypes + 1) * sizeof(judge_str_t));

    if (w->tokens == NULL || w->sentences == NULL || w->lower == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < text->ntypes; i++) {
        type = &text->types[i];
        w->lower[i] = judge_token_str(text, &text->tokens[type->first]);

        if (!judge_type_is_plain(text, type)) {
            w->lower[i] = judge_char_small(arena, w->lower[i]);

            if (w->lower[i].data == NULL) {
                return JUDGE_NOMEM;
            }
        }
    }

    for (s = 0, begun = 0; s < text->nsentences; s++) {
        sentence = &text->sentences[s];

        /* behind a number, as in "am 3. Mai", the sentence may go on */

        if (w->n == 0 || text->tokens[w->tokens[w->n - 1]].kind
                         != JUDGE_TOKEN_NUMBER)
        {
            begun = s;
        }

        for (i = sentence->first; i < sentence->end; i++) {
            if (text->tokens[i].type != JUDGE_NO_TYPE) {
                w->tokens[w->n] = (uint32_t) i;
                w->sentences[w->n++] = (uint32_t) begun;
            }
        }
    }

    return JUDGE_OK;
}


static uint32_t
judge_wording_type(const judge_wording_t *w, size_t i)
{
    return w->text->tokens[w->tokens[i]].type;
}


static inline bool
judge_pattern_fits(const judge_wording_t *w, const judge_pattern_node_t *node,
    uint32_t type)
{
    judge_str_t  lower;

    if (node->kind > JUDGE_SLOT_BEGIN) {
        return node->kind == JUDGE_SLOT_GAP
               || w->text->types[type].kind == JUDGE_TOKEN_NUMBER;
    }

    lower = w->lower[type];

    return (node->kind == JUDGE_SLOT_WORD ? lower.len == node->len
                                          : lower.len >= node->len)
           && lower.data[node->len - 1] == node->text[node->len - 1]
           && memcmp(lower.data, node->text, node->len) == 0;
}


/* Goes on from a node that matched; i is the word behind it. */

static void
judge_pattern_walk(judge_pattern_walk_t *walk,
    const judge_pattern_node_t *node, size_t i)
{
    size_t                       last;
    const judge_wording_t       *w = walk->wording;
    const judge_pattern_node_t  *first, *child, *end;

    if (node->classes[0] != 0 && i > walk->end) {
        walk->classes = node->classes;
        walk->end = i;
    }

    first = &walk->patterns->nodes[node->first];
    end = first + node->n;
    last = node->kind == JUDGE_SLOT_GAP ? i + JUDGE_GAP_WORDS : i;

    for ( /* void */ ; first < end && i <= last; i++) {
        if (i == w->n || w->sentences[i] != walk->sentence) {
            break;
        }

        for (child = first; child < end; child++) {
            if (judge_pattern_fits(w, child, judge_wording_type(w, i))) {
                judge_pattern_walk(walk, child,
                                   child->kind == JUDGE_SLOT_GAP ? i : i + 1);
            }
        }
    }
}


/* Returns the byte by which the roots are found that a word may match. */

static size_t
judge_pattern_byte(const judge_wording_t *w, uint32_t type)
{
    return w->text->types[type].kind == JUDGE_TOKEN_NUMBER
           ? '#' : (unsigned char) w->lower[type].data[0];
}


bool
judge_pattern_begins(const judge_patterns_t *patterns,
    const judge_wording_t *w, uint32_t type)
{
    size_t       k, byte = judge_pattern_byte(w, type);
    judge_str_t  lower = w->lower[type];

    if (!(patterns->seconds[byte] >> (lower.len > 1 ? lower.data[1] & 31 : 0)
          & 1))
    {
        return false;
    }

    for (k = patterns->roots[byte]; k < patterns->roots[byte + 1]; k++) {
        if (judge_pattern_fits(w, &patterns->nodes[k], type)) {
            return true;
        }
    }

    return false;
}


/* Where phrases are as long, the first in the order of the nodes is taken. */

const uint8_t *
judge_pattern_at(const judge_patterns_t *patterns, const judge_wording_t *w,
    size_t i, size_t *end)
{
    size_t                  k, byte;
    uint32_t                type = judge_wording_type(w, i);
    judge_pattern_walk_t    walk = { .patterns = patterns, .wording = w,
                                     .sentence = w->sentences[i] };

    byte = judge_pattern_byte(w, type);

    for (k = patterns->roots[byte]; k < patterns->roots[byte + 1]; k++) {
        if (judge_pattern_fits(w, &patterns->nodes[k], type)) {
            judge_pattern_walk(&walk, &patterns->nodes[k], i + 1);
        }
    }

    *end = walk.end;

    return walk.classes;
}
