/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Finds phrases by walking the tree of words, at most twelve words deep. */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/text/phrase.h"


typedef struct {
    const judge_patterns_t  *patterns;
    const judge_wording_t   *wording;
    uint32_t                 sentence;
    size_t                   end;      /* of the longest yet */
    const uint8_t           *classes;
} judge_pattern_walk_t;


static judge_str_t judge_wording_lower(judge_arena_t *arena,
    judge_str_t word);
static size_t judge_pattern_head(judge_str_t word);
static void judge_pattern_children(judge_pattern_walk_t *walk, size_t first,
    size_t n, size_t i);
static void judge_pattern_node(judge_pattern_walk_t *walk,
    const judge_pattern_node_t *node, size_t i);


judge_rc_e
judge_wording_create(judge_wording_t *w, judge_arena_t *arena,
    const judge_text_t *text)
{
    size_t                i, s, own, last;
    const judge_token_t  *token;

    w->text = text;
    w->n = 0;
    w->lower = judge_array_alloc(arena, text->ntypes + 1,
                                 sizeof(judge_str_t));
    w->tokens = judge_array_alloc(arena, text->ntokens + 1, sizeof(uint32_t));
    w->sentences = judge_array_alloc(arena, text->ntokens + 1,
                                     sizeof(uint32_t));

    if (w->lower == NULL || w->tokens == NULL || w->sentences == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, s = 0, own = 0, last = 0; i < text->ntokens; i++) {
        token = &text->tokens[i];

        while (s + 1 < text->nsentences && i >= text->sentences[s].end) {
            s++;
        }

        if (token->type == JUDGE_NO_TYPE) {
            continue;
        }

        if (w->lower[token->type].data == NULL) {
            w->lower[token->type] =
                judge_wording_lower(arena, judge_token_str(text, token));

            if (w->lower[token->type].data == NULL) {
                return JUDGE_NOMEM;
            }
        }

        /* "am 3. Mai" goes on */

        if (w->n > 0 && s != last
            && text->tokens[w->tokens[w->n - 1]].kind == JUDGE_TOKEN_NUMBER)
        {
            own = w->sentences[w->n - 1];

        } else if (s != last) {
            own = s;
        }

        last = s;
        w->tokens[w->n] = (uint32_t) i;
        w->sentences[w->n++] = (uint32_t) own;
    }

    return JUDGE_OK;
}


/* An apostrophe becomes "'".  No small letter is longer than its capital by
 * more than a byte for each two. */

static judge_str_t
judge_wording_lower(judge_arena_t *arena, judge_str_t word)
{
    char        *to;
    size_t       len;
    uint32_t     c, small;
    const char  *p, *next, *end;

    to = judge_alloc(arena, word.len + word.len / 2 + 4);
    if (to == NULL) {
        return (judge_str_t) { 0, NULL };
    }

    end = word.data + word.len;

    for (p = word.data, len = 0; p < end; p = next) {
        if ((unsigned char) *p < 0x80) {
            to[len++] = (char) (*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
            next = p + 1;
            continue;
        }

        next = p;
        c = judge_utf8_next(&next, end);
        small = c == 0x2019 ? '\'' : judge_char_lower(c);

        if (small != 0) {
            len += judge_utf8_put(to + len, small);

        } else {
            memcpy(to + len, p, (size_t) (next - p));
            len += (size_t) (next - p);
        }
    }

    return (judge_str_t) { len, to };
}


/* FNV-1a over the first three bytes, as util/patterns has it. */

static size_t
judge_pattern_head(judge_str_t word)
{
    size_t    i;
    uint32_t  hash;

    hash = 2166136261u;

    for (i = 0; i < word.len && i < 3; i++) {
        hash = (hash ^ (unsigned char) word.data[i]) * 16777619u;
    }

    return (hash ^ (hash >> 15)) % JUDGE_PATTERN_HEADS;
}


const uint8_t *
judge_pattern_at(const judge_patterns_t *patterns, const judge_wording_t *w,
    size_t i, size_t *end)
{
    size_t                head;
    judge_pattern_walk_t  walk = { .patterns = patterns, .wording = w };

    if (w->text->tokens[w->tokens[i]].kind == JUDGE_TOKEN_NUMBER) {
        head = judge_pattern_head(JUDGE_STR("#"));

    } else {
        head = judge_pattern_head(
                   w->lower[w->text->tokens[w->tokens[i]].type]);
    }

    walk.sentence = w->sentences[i];
    judge_pattern_children(&walk, patterns->heads[head],
                           (size_t) (patterns->heads[head + 1]
                                     - patterns->heads[head]), i);
    *end = walk.end;

    return walk.classes;
}


static void
judge_pattern_children(judge_pattern_walk_t *walk, size_t first, size_t n,
    size_t i)
{
    size_t                       k;
    judge_str_t                  word;
    const judge_token_t         *token;
    const judge_wording_t       *w;
    const judge_pattern_node_t  *node;

    w = walk->wording;

    if (i >= w->n || w->sentences[i] != walk->sentence) {
        return;
    }

    token = &w->text->tokens[w->tokens[i]];
    word = w->lower[token->type];

    for (k = first; k < first + n; k++) {
        node = &walk->patterns->nodes[k];

        if (node->kind == JUDGE_SLOT_GAP) {
            judge_pattern_node(walk, node, i);

        } else if (node->kind == JUDGE_SLOT_NUMBER
                   ? token->kind == JUDGE_TOKEN_NUMBER
                   : (node->kind == JUDGE_SLOT_BEGIN ? word.len >= node->len
                                                     : word.len == node->len)
                     && memcmp(word.data, walk->patterns->words + node->text,
                               node->len) == 0)
        {
            judge_pattern_node(walk, node, i + 1);
        }
    }
}


/* What follows a node that matched; i is the word behind it. */

static void
judge_pattern_node(judge_pattern_walk_t *walk,
    const judge_pattern_node_t *node, size_t i)
{
    size_t  skip;

    if (node->classes[0] != 0 && i > walk->end) {
        walk->classes = node->classes;
        walk->end = i;
    }

    for (skip = 0; node->n > 0; skip++) {
        judge_pattern_children(walk, node->first, node->n, i + skip);

        if (node->kind != JUDGE_SLOT_GAP || skip == JUDGE_GAP_WORDS) {
            break;
        }
    }
}
