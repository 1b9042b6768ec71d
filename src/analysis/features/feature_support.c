/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The sentences of a text against those of its source: how far one sentence
 * of the source supports it, whether it is a whole sentence, and whether pairs
 * of words are joined that neither the source nor English joins.
 */


#include <string.h>

#include "analysis/features/feature.h"


#define JUDGE_POSTINGS  48             /* sentences noted for a word */


/* An index of the source: for each type the sentences that have it. */
typedef struct {
    judge_measure_t     *m;
    const judge_text_t  *text;
    const judge_text_t  *source;
    uint32_t            *slots;        /* stem to its first posting + 1 */
    uint32_t            *stems;        /* of the slots */
    size_t               mask;
    uint32_t            *sentences;    /* postings: sentence ... */
    uint32_t            *next;         /* ... and the next posting + 1 */
    uint32_t             npostings;
    uint32_t            *hits;         /* by sentence of the source */
    judge_topic_t        topic;        /* the pairs of words */
} judge_support_t;


static judge_rc_e judge_support_index(judge_support_t *s);
static void judge_support_post(judge_support_t *s, uint32_t stem,
    uint32_t sentence);
static void judge_support_sentences(judge_support_t *s);
static double judge_support_sentence(judge_support_t *s,
    const judge_sentence_t *sentence);
static void judge_support_pairs(judge_support_t *s);
static judge_rc_e judge_support_whole(judge_support_t *s);


judge_rc_e
judge_measure_support(judge_measure_t *m)
{
    judge_support_t  s = { .m = m, .text = m->text, .source = m->source };

    if (m->source == NULL || m->source->nwords == 0) {
        return JUDGE_OK;
    }

    if (judge_support_index(&s) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    judge_support_sentences(&s);
    judge_support_pairs(&s);

    return judge_support_whole(&s);
}


static judge_rc_e
judge_support_index(judge_support_t *s)
{
    size_t                   i, k, slots;
    judge_arena_t           *arena;
    const judge_type_t      *type;
    const judge_sentence_t  *sentence;

    arena = s->m->arena;

    for (slots = 64; slots < s->source->ntypes * 2; slots *= 2) {
        /* void */
    }

    s->mask = slots - 1;
    s->slots = judge_array_alloc(arena, slots, sizeof(uint32_t));
    s->stems = judge_array_alloc(arena, slots, sizeof(uint32_t));
    s->sentences = judge_array_alloc(arena, s->source->ntokens + 1,
                                     sizeof(uint32_t));
    s->next = judge_array_alloc(arena, s->source->ntokens + 1,
                                sizeof(uint32_t));
    s->hits = judge_array_alloc(arena, s->source->nsentences + 1,
                                sizeof(uint32_t));

    if (s->slots == NULL || s->stems == NULL || s->sentences == NULL
        || s->next == NULL || s->hits == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < s->source->nsentences; i++) {
        sentence = &s->source->sentences[i];

        for (k = sentence->first; k < sentence->end; k++) {
            if (s->source->tokens[k].type == JUDGE_NO_TYPE) {
                continue;
            }

            type = &s->source->types[s->source->tokens[k].type];

            if (type->content) {
                judge_support_post(s, type->stem, (uint32_t) i);
            }
        }
    }

    return judge_topic_build(&s->topic, arena, s->source);
}


static size_t
judge_support_slot(const judge_support_t *s, uint32_t stem)
{
    size_t  i, n;

    i = stem & s->mask;

    for (n = 1; n < JUDGE_PROBES; n++) {
        if (s->stems[i] == 0 || s->stems[i] == stem) {
            break;
        }

        i = (i + 1) & s->mask;
    }

    return i;
}


/* The latest sentence of a word goes first. */

static void
judge_support_post(judge_support_t *s, uint32_t stem, uint32_t sentence)
{
    size_t  i;

    i = judge_support_slot(s, stem);

    if (s->stems[i] == 0) {
        s->stems[i] = stem;

    } else if (s->sentences[s->slots[i] - 1] == sentence) {
        return;
    }

    s->sentences[s->npostings] = sentence;
    s->next[s->npostings] = s->slots[i];
    s->slots[i] = ++s->npostings;
}


static void
judge_support_sentences(judge_support_t *s)
{
    size_t                   i;
    double                   share, sum, low, words;
    const judge_sentence_t  *sentence;

    sum = 0;
    low = 1;
    words = 0;

    for (i = 0; i < s->text->nsentences; i++) {
        sentence = &s->text->sentences[i];

        if (sentence->words < 3) {
            continue;
        }

        share = judge_support_sentence(s, sentence);
        sum += share * sentence->words;
        words += sentence->words;
        low = share < low ? share : low;
    }

    s->m->v[JUDGE_F_SOURCE_SUPPORT] = (float) judge_share(sum, words);
    s->m->v[JUDGE_F_SOURCE_SUPPORT_LOW] = (float) (words > 0 ? low : 0);
}


/* The share of a sentence's topic words that its best sentence of the source
 * has. */

static double
judge_support_sentence(judge_support_t *s, const judge_sentence_t *sentence)
{
    size_t               i, n, round;
    uint32_t             p, words, best, *hits;
    const judge_type_t  *type;

    words = 0;
    best = 0;

    /* counted, and then counted down again: the counters are 0 in between */

    for (round = 0; round < 2; round++) {
        for (i = sentence->first; i < sentence->end; i++) {
            type = s->text->tokens[i].type == JUDGE_NO_TYPE
                   ? NULL : &s->text->types[s->text->tokens[i].type];

            if (type == NULL || !type->content) {
                continue;
            }

            words += round == 0;
            p = s->slots[judge_support_slot(s, type->stem)];

            for (n = 0; p != 0 && n < JUDGE_POSTINGS; n++) {
                hits = &s->hits[s->sentences[p - 1]];
                *hits += round == 0 ? 1 : (uint32_t) -1;
                best = *hits > best ? *hits : best;
                p = s->next[p - 1];
            }
        }
    }

    return words > 0 ? (double) best / words : 1;
}


/* Pairs that neither the source has nor the model of English knows. */

static void
judge_support_pairs(judge_support_t *s)
{
    size_t    i;
    uint32_t  pairs, odd;
    uint64_t  hash;

    pairs = 0;
    odd = 0;

    for (i = 1; i < s->text->ntokens; i++) {
        hash = judge_pair_at(s->text, i);

        if (hash == 0) {
            continue;
        }

        pairs++;

        if (!judge_pairs_has(&s->topic.pairs, hash)
            && judge_word_pair(hash) == 0)
        {
            odd++;
            judge_found(s->m, JUDGE_FOUND_NOVEL_PAIR, i - 1, i + 1);
        }
    }

    s->m->v[JUDGE_F_SOURCE_ODD_PAIRS] = (float) judge_share(odd, pairs);
}


/* The pair of words that begins a sentence, or that ends it; 0: none. */

static uint64_t
judge_edge_of(const judge_text_t *t, const judge_sentence_t *s, bool end)
{
    size_t    i;
    uint64_t  hash;

    for (i = s->first + 1; i < s->end; i++) {
        hash = judge_pair_at(t, end ? s->end - (i - s->first) : i);

        if (hash != 0) {
            return hash;
        }
    }

    return 0;
}


/* Of the sentences that begin or end with words of the source, how many do
 * so where a sentence of the source does. */

static judge_rc_e
judge_support_whole(judge_support_t *s)
{
    bool           end;
    size_t         i;
    uint32_t       met, whole;
    uint64_t       hash;
    judge_pairs_t  edges[2];

    if (judge_pairs_create(&edges[0], s->m->arena, s->source->nsentences)
        != JUDGE_OK
        || judge_pairs_create(&edges[1], s->m->arena, s->source->nsentences)
           != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < s->source->nsentences * 2; i++) {
        hash = judge_edge_of(s->source, &s->source->sentences[i / 2], i & 1);

        if (hash != 0) {
            judge_pairs_add(&edges[i & 1], hash);
        }
    }

    met = 0;
    whole = 0;

    for (i = 0; i < s->text->nsentences * 2; i++) {
        end = i & 1;
        hash = judge_edge_of(s->text, &s->text->sentences[i / 2], end);

        if (hash != 0 && judge_pairs_has(&s->topic.pairs, hash)) {
            met++;
            whole += judge_pairs_has(&edges[end], hash);
        }
    }

    s->m->v[JUDGE_F_SOURCE_WHOLE] =
        (float) (met > 0 ? (double) whole / met : 1);

    return JUDGE_OK;
}
