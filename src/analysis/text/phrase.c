/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Finds phrases by walking the tree of words, at most twelve words deep. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/char.h"
#include "analysis/text/phrase.h"


typedef struct {
    const judge_patterns_t  *patterns;
    const judge_wording_t   *wording;
    uint32_t                 sentence;
    size_t                   end;      /* of the longest yet */
    const uint8_t           *classes;
} judge_pattern_walk_t;


static uint16_t
judge_pattern_word(uint64_t hash)
{
    uint16_t  word;
    uint64_t  i;

    for (i = hash; /* void */ ; i++) {
        word = judge_pattern_slots[i & ((1u << JUDGE_PATTERN_BITS) - 1)];

        if (word == 0) {
            return 0;
        }

        if (judge_pattern_prints[word] == (uint32_t) (hash >> 32)) {
            return word;
        }
    }
}


/* FNV-1a over the first three bytes, as util/patterns has it. */

static uint16_t
judge_pattern_head(judge_str_t word)
{
    size_t    i;
    uint32_t  hash;

    hash = 2166136261u;

    for (i = 0; i < word.len && i < 3; i++) {
        hash = (hash ^ (unsigned char) word.data[i]) * 16777619u;
    }

    return (uint16_t) ((hash ^ (hash >> 15)) % JUDGE_PATTERN_HEADS);
}


static judge_rc_e
judge_wording_types(judge_wording_t *w, judge_arena_t *arena)
{
    size_t                 i;
    judge_str_t            lower;
    const judge_type_t    *type;
    judge_wording_type_t  *own;

    w->types = judge_alloc(arena, (w->text->ntypes + 1)
                                  * sizeof(judge_wording_type_t));
    if (w->types == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < w->text->ntypes; i++) {
        own = &w->types[i];
        type = &w->text->types[i];
        lower = judge_token_str(w->text, &w->text->tokens[type->first]);

        if (!judge_type_is_plain(w->text, type)) {
            lower = judge_char_small(arena, lower);

            if (lower.data == NULL) {
                return JUDGE_NOMEM;
            }
        }

        /* the type of a number is without its commas */

        own->lower = lower;
        own->word = judge_pattern_word(type->kind == JUDGE_TOKEN_NUMBER
                                       ? judge_word_hash(lower) : type->hash);
        own->head = judge_pattern_head(type->kind == JUDGE_TOKEN_NUMBER
                                       ? JUDGE_STR("#") : lower);
    }

    return JUDGE_OK;
}


judge_rc_e
judge_wording_create(judge_wording_t *w, judge_arena_t *arena,
    const judge_text_t *text)
{
    size_t                   i, s, own;
    const judge_token_t     *token;
    const judge_sentence_t  *sentence;

    w->text = text;
    w->n = 0;
    w->tokens = judge_alloc(arena, (text->ntokens + 1) * sizeof(uint32_t));
    w->sentences = judge_alloc(arena, (text->ntokens + 1) * sizeof(uint32_t));
    w->words = judge_alloc(arena, (text->ntokens + 1) * sizeof(uint16_t));

    if (w->tokens == NULL || w->sentences == NULL || w->words == NULL
        || judge_wording_types(w, arena) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (s = 0, own = 0; s < text->nsentences; s++) {
        sentence = &text->sentences[s];

        /* "am 3. Mai" goes on */

        if (w->n == 0 || text->tokens[w->tokens[w->n - 1]].kind
                         != JUDGE_TOKEN_NUMBER)
        {
            own = s;
        }

        for (i = sentence->first; i < sentence->end; i++) {
            token = &text->tokens[i];

            if (token->type != JUDGE_NO_TYPE) {
                w->tokens[w->n] = (uint32_t) i;
                w->words[w->n] = w->types[token->type].word;
                w->sentences[w->n++] = (uint32_t) own;
            }
        }
    }

    return JUDGE_OK;
}


/* False: the word surely does not follow. */

static inline int
judge_pattern_follows(const judge_pattern_node_t *node, uint16_t word)
{
    return node->follow >> word % 32 & 1;
}


/* Whether a node that is no whole word fits. */

static bool
judge_pattern_slot(const judge_wording_t *w, const judge_pattern_node_t *node,
    size_t i)
{
    judge_str_t           lower;
    const judge_token_t  *token;

    token = &w->text->tokens[w->tokens[i]];

    switch (node->kind) {

    case JUDGE_SLOT_BEGIN:
        lower = w->types[token->type].lower;

        return lower.len >= node->len
               && memcmp(lower.data, judge_pattern_begins + node->begin,
                         node->len) == 0;

    case JUDGE_SLOT_NUMBER:
        return token->kind == JUDGE_TOKEN_NUMBER;

    default:
        return true;
    }
}


/* What follows a node that matched; i is the word behind it. */

static void
judge_pattern_node(judge_pattern_walk_t *walk,
    const judge_pattern_node_t *node, size_t i)
{
    size_t                       last;
    uint16_t                     word;
    const judge_wording_t       *w;
    const judge_pattern_node_t  *first, *child, *end;

    w = walk->wording;

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

        word = w->words[i];

        if (!judge_pattern_follows(node, word)) {
            continue;
        }

        for (child = first; child < end; child++) {
            if (child->word == word) {
                judge_pattern_node(walk, child, i + 1);

            } else if (child->word == JUDGE_PATTERN_NONE
                       && judge_pattern_slot(w, child, i)) {
                judge_pattern_node(walk, child,
                                   child->kind == JUDGE_SLOT_GAP ? i : i + 1);
            }
        }
    }
}


/* In the order of the nodes: of phrases as long the first is taken. */

static const uint8_t *
judge_pattern_walk(const judge_patterns_t *patterns, const judge_wording_t *w,
    size_t i, uint16_t root, const uint16_t *head, size_t *end)
{
    const uint16_t        *other, *last;
    judge_pattern_walk_t   walk = { .patterns = patterns, .wording = w,
                                    .sentence = w->sentences[i] };

    other = &patterns->others[head[0]];
    last = &patterns->others[head[1]];

    for ( /* void */ ; other < last; other++) {
        if (root < *other) {
            judge_pattern_node(&walk, &patterns->nodes[root], i + 1);
            root = patterns->roots[0];
        }

        if (judge_pattern_slot(w, &patterns->nodes[*other], i)) {
            judge_pattern_node(&walk, &patterns->nodes[*other], i + 1);
        }
    }

    judge_pattern_node(&walk, &patterns->nodes[root], i + 1);

    *end = walk.end;

    return walk.classes;
}


const uint8_t *
judge_pattern_at(const judge_patterns_t *patterns, const judge_wording_t *w,
    size_t i, size_t *end)
{
    uint16_t                     root, next;
    const uint16_t              *head;
    const judge_token_t         *token;
    const judge_pattern_node_t  *node;

    token = &w->text->tokens[w->tokens[i]];
    head = &patterns->heads[w->types[token->type].head];
    root = patterns->roots[token->kind == JUDGE_TOKEN_NUMBER ? 0
                                                             : w->words[i]];
    node = &patterns->nodes[root];
    next = i + 1 < w->n ? w->words[i + 1] : 0;

    /* most words begin no phrase, or are not followed by what follows in it */

    if (!(node->classes[0] | (head[1] - head[0])
          | judge_pattern_follows(node, next)))
    {
        return NULL;
    }

    return judge_pattern_walk(patterns, w, i, root, head, end);
}
