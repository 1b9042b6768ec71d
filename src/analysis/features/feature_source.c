/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Compares a text with the source that it was made from: what it takes from
 * the source, what the source lacks, how far a sentence of the source supports
 * each of its own, and how much of the source it covers.
 *
 * Runs of words are compared as in Grusky, M., Naaman, M., & Artzi, Y. (2018),
 * Newsroom, and Lin, C.-Y. (2004), ROUGE.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"


#define JUDGE_SALIENT    20            /* topic words of a source */
#define JUDGE_POSTINGS   48            /* of a word, at most */
#define JUDGE_LEAD_LEAST 30            /* tokens of a source's beginning */


/* A posting is a sentence of the source that has a topic word; the postings of
 * a word are a list. */
typedef struct {
    uint32_t  sentence;
    uint32_t  next;                    /* its index + 1; 0: it is the last */
} judge_posting_t;

typedef struct {
    judge_measure_t     *m;
    const judge_text_t  *text;
    const judge_text_t  *source;
    judge_hash_set_t     own;          /* stems of the text's topic words */
    judge_hash_set_t     stems;        /* and of the source's; by slot, */
    uint32_t            *counts;       /* how often the source has them, */
    uint32_t            *heads;        /* and their first postings + 1 */
    judge_posting_t     *postings;
    uint32_t             npostings;
    uint32_t            *hits;         /* by sentence of the source */
} judge_source_t;


/* Returns the type of a topic word; NULL: the token is none. */

static inline const judge_type_t *
judge_source_word(const judge_text_t *t, size_t token)
{
    const judge_type_t  *type;

    type = t->tokens[token].type == JUDGE_NO_TYPE
           ? NULL : &t->types[t->tokens[token].type];

    return type != NULL && type->content ? type : NULL;
}


/* Puts the stems of the topic words of a text into a set, where every
 * ideograph is such a word, and how often they come into counts[], unless that
 * is NULL. */

static void
judge_source_stems(const judge_text_t *t, judge_hash_set_t *stems,
    uint32_t *counts)
{
    size_t               i;
    const judge_type_t  *type;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if (type->content || type->kind == JUDGE_TOKEN_IDEOGRAPH) {
            (void) judge_hash_set_add(stems, type->stem);

            if (counts != NULL) {
                counts[judge_hash_set_slot(stems, type->stem)] += type->count;
            }
        }
    }
}


/* Adds a posting before the others of the word, unless the word has it. */

static void
judge_source_post(judge_source_t *s, uint32_t stem, uint32_t sentence)
{
    uint32_t  *head = &s->heads[judge_hash_set_slot(&s->stems, stem)];

    if (*head == 0 || s->postings[*head - 1].sentence != sentence) {
        s->postings[s->npostings++] = (judge_posting_t) { sentence, *head };
        *head = s->npostings;
    }
}


static judge_rc_e
judge_source_prepare(judge_source_t *s)
{
    size_t               i, k;
    judge_arena_t       *arena = s->m->arena;
    const judge_type_t  *type;
    const judge_text_t  *source = s->source;

    if (judge_hash_set_create(&s->own, arena, s->text->ntypes) != JUDGE_OK
        || judge_hash_set_create(&s->stems, arena, source->ntypes) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    s->counts = judge_array_alloc(arena, s->stems.mask + 1, sizeof(uint32_t));
    s->heads = judge_array_alloc(arena, s->stems.mask + 1, sizeof(uint32_t));
    s->postings = judge_array_alloc(arena, source->ntokens + 1,
                                    sizeof(judge_posting_t));
    s->hits = judge_array_alloc(arena, source->nsentences + 1,
                                sizeof(uint32_t));

    if (s->counts == NULL || s->heads == NULL || s->postings == NULL
        || s->hits == NULL)
    {
        return JUDGE_NOMEM;
    }

    judge_source_stems(s->text, &s->own, NULL);
    judge_source_stems(source, &s->stems, s->counts);

    for (i = 0; i < source->nsentences; i++) {
        for (k = source->sentences[i].first; k < source->sentences[i].end; k++)
        {
            type = judge_source_word(source, k);

            if (type != NULL) {
                judge_source_post(s, type->stem, (uint32_t) i);
            }
        }
    }

    return JUDGE_OK;
}


/* Finds the names that the source lacks. */

static void
judge_source_names(judge_source_t *s)
{
    size_t               i;
    const judge_text_t  *t = s->text;
    const judge_type_t  *type;

    for (i = 0; i < t->ntokens; i++) {
        type = judge_source_word(t, i);

        if (type == NULL || t->tokens[i].kind == JUDGE_TOKEN_NUMBER
            || judge_text_find(s->source, type->hash) != JUDGE_NO_TYPE
            || judge_hash_set_has(&s->stems, type->stem)
            || (t->language == JUDGE_LANGUAGE_GERMAN
                && type->form & JUDGE_W_KNOWN))
        {
            continue;
        }

        if ((type->form & JUDGE_W_NAME) || (type->name && !type->lower)) {
            judge_found(s->m, JUDGE_FOUND_NOVEL_NAME, i, i + 1);
        }
    }
}


/* Returns the share of a sentence's topic words that the sentence of the
 * source with the most of them has.  The second round counts the hits down
 * again, so that they are 0 for the next sentence. */

static double
judge_source_best(judge_source_t *s, const judge_sentence_t *sentence)
{
    size_t               i, n, round;
    uint32_t             p, words = 0, best = 0, *hits;
    const judge_type_t  *type;

    for (round = 0; round < 2; round++) {
        for (i = sentence->first; i < sentence->end; i++) {
            type = judge_source_word(s->text, i);

            if (type == NULL) {
                continue;
            }

            words += round == 0;
            p = s->heads[judge_hash_set_slot(&s->stems, type->stem)];

            for (n = 0; p != 0 && n < JUDGE_POSTINGS; n++) {
                hits = &s->hits[s->postings[p - 1].sentence];
                *hits += round == 0 ? 1 : (uint32_t) -1;
                best = *hits > best ? *hits : best;
                p = s->postings[p - 1].next;
            }
        }
    }

    return words > 0 ? (double) best / words : 1;
}


static void
judge_source_support(judge_source_t *s)
{
    size_t                   i;
    double                   sum, words;
    const judge_sentence_t  *sentence;

    for (i = 0, sum = 0, words = 0; i < s->text->nsentences; i++) {
        sentence = &s->text->sentences[i];

        if (sentence->words >= 3) {
            sum += judge_source_best(s, sentence) * sentence->words;
            words += sentence->words;
        }
    }

    s->m->v[JUDGE_F_SOURCE_SUPPORT] = (float) judge_share(sum, words);
}


/* Measures the share of pairs of words that neither the source nor the model
 * of English has. */

static judge_rc_e
judge_source_pairs(judge_source_t *s)
{
    size_t            i;
    uint32_t          n, odd;
    uint64_t          hash;
    judge_hash_set_t  pairs;

    if (judge_hash_set_create(&pairs, s->m->arena, s->source->nwords)
        != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    for (i = 1; i < s->source->ntokens; i++) {
        hash = judge_pair_at(s->source, i);

        if (hash != 0) {
            (void) judge_hash_set_add(&pairs, hash);
        }
    }

    for (i = 1, n = 0, odd = 0; i < s->text->ntokens; i++) {
        hash = judge_pair_at(s->text, i);
        n += hash != 0;
        odd += hash != 0 && !judge_hash_set_has(&pairs, hash)
               && judge_word_step(judge_wordpairs, hash) == 0;
    }

    s->m->v[JUDGE_F_SOURCE_ODD_PAIRS] = (float) judge_share(odd, n);

    return JUDGE_OK;
}


/* Measures the share of the source's most frequent topic words that the text
 * has.  Of words that are as frequent, the one with the smaller stem is taken,
 * so that the order of the table does not matter. */

static void
judge_source_salient(judge_source_t *s)
{
    size_t    i, k;
    uint32_t  n, met, counts[JUDGE_SALIENT], stems[JUDGE_SALIENT];

    memset(counts, 0, sizeof(counts));
    memset(stems, 0, sizeof(stems));

    for (i = 0; i <= s->stems.mask; i++) {
        n = s->counts[i];

        for (k = JUDGE_SALIENT; n > 0 && k > 0; k--) {
            if (n < counts[k - 1]
                || (n == counts[k - 1]
                    && s->stems.slots[i] > stems[k - 1]))
            {
                break;
            }

            if (k < JUDGE_SALIENT) {
                counts[k] = counts[k - 1];
                stems[k] = stems[k - 1];
            }
        }

        if (n > 0 && k < JUDGE_SALIENT) {
            counts[k] = n;
            stems[k] = (uint32_t) s->stems.slots[i];
        }
    }

    for (k = 0, met = 0; k < JUDGE_SALIENT && counts[k] > 0; k++) {
        met += judge_hash_set_has(&s->own, stems[k]);
    }

    s->m->v[JUDGE_F_SOURCE_SALIENT] = (float) judge_share(met, (double) k);
}


static void
judge_source_lead(judge_source_t *s)
{
    size_t               i, end = s->source->ntokens / 10;
    uint32_t             words, met;
    const judge_type_t  *type;

    end = end < JUDGE_LEAD_LEAST ? JUDGE_LEAD_LEAST : end;
    end = end > s->source->ntokens ? s->source->ntokens : end;

    for (i = 0, words = 0, met = 0; i < end; i++) {
        type = judge_source_word(s->source, i);

        if (type != NULL) {
            words++;
            met += judge_hash_set_has(&s->own, type->stem);
        }
    }

    s->m->v[JUDGE_F_SOURCE_LEAD] = (float) judge_share(met, words);
}


void
judge_measure_source(judge_measure_t *m)
{
    double          share;
    judge_source_t  s = { .m = m, .text = m->text, .source = m->source };

    if (m->source == NULL || m->source->nwords == 0) {
        return;
    }

    if (judge_source_prepare(&s) != JUDGE_OK
        || judge_source_pairs(&s) != JUDGE_OK
        || judge_triples_share(m->arena, m->text, m->source, &share)
           != JUDGE_OK)
    {
        m->rc = JUDGE_NOMEM;
        return;
    }

    m->v[JUDGE_F_SOURCE_TRIPLES] = (float) share;
    judge_source_names(&s);
    judge_source_support(&s);
    judge_source_salient(&s);
    judge_source_lead(&s);
}
