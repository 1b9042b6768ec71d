/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What holds the text together: connectives, words that are taken up again,
 * and the paragraphs.
 *
 * After Graesser, A. C. et al. (2004), Coh-Metrix; Crossley, S. A. et al.
 * (2016), TAACO (overlap of neighbouring sentences and paragraphs, givenness).
 */


#include <string.h>

#include "analysis/features/feature.h"


#define JUDGE_CONNECTIVE_MAX  256


/* Overlap of neighbouring parts: the stamp of a stem is the part that had it
 * last. */
typedef struct {
    uint32_t  *sentences;              /* stamps, by the number of the stem */
    uint32_t  *paragraphs;
    uint32_t  *stems;                  /* number of the stem, by type */
    uint32_t  *tokens;                 /* ... by token; 0: no topic word */
    size_t     nstems;
} judge_stems_t;

/* How much a part shares with the one before it. */
typedef struct {
    uint32_t  here, before, shared;    /* distinct topic words */
    uint32_t  n, tied;
    double    dice;
} judge_overlap_t;


static void judge_cohesion_connectives(judge_measure_t *m);
static void judge_connective_add(judge_measure_t *m, uint64_t *seen,
    size_t i);
static judge_rc_e judge_stems_number(judge_measure_t *m, judge_stems_t *s);
static void judge_cohesion_overlap(judge_measure_t *m, judge_stems_t *s);
static void judge_cohesion_frame(judge_measure_t *m, judge_stems_t *s);
static void judge_cohesion_balance(judge_measure_t *m);


judge_rc_e
judge_measure_cohesion(judge_measure_t *m)
{
    judge_rc_e     rc;
    judge_stems_t  s;

    judge_cohesion_connectives(m);

    rc = judge_stems_number(m, &s);
    if (rc != JUDGE_OK) {
        return rc;
    }

    judge_cohesion_overlap(m, &s);
    judge_cohesion_frame(m, &s);
    judge_cohesion_balance(m);

    return JUDGE_OK;
}


static void
judge_cohesion_connectives(judge_measure_t *m)
{
    size_t    i;
    uint64_t  kinds, seen[JUDGE_CONNECTIVE_MAX] = { 0 };

    kinds = 0;

    for (i = 0; i < m->text->ntokens; i++) {
        m->n[JUDGE_F_DEMONSTRATIVES] +=
            (m->forms[i] & JUDGE_W_DEMONSTRATIVE) != 0;

        if (m->senses[i] & JUDGE_W_CONNECTIVE) {
            kinds |= m->senses[i];
            judge_found(m, JUDGE_FOUND_CONNECTIVE, i, i + m->spans[i]);
            judge_connective_add(m, seen, i);
        }
    }

    m->n[JUDGE_F_CONNECTIVE_KINDS] =
        (uint32_t) __builtin_popcountll(kinds & JUDGE_W_CONNECTIVE);
    m->n[JUDGE_F_CONCLUDING] = (kinds & JUDGE_W_CONCLUDING) != 0;
}


/* Counts a connective that is not yet among the seen ones, a hash table. */

static void
judge_connective_add(judge_measure_t *m, uint64_t *seen, size_t i)
{
    size_t     k;
    uint32_t  *types;
    uint64_t   name;

    types = &m->n[JUDGE_F_CONNECTIVE_TYPES];
    m->n[JUDGE_F_ORDERED] += (m->senses[i] & JUDGE_W_ORDINAL) != 0;
    name = ((uint64_t) m->text->tokens[i].type + 1) * 8 + m->spans[i];

    for (k = name % JUDGE_CONNECTIVE_MAX; seen[k] != name;
         k = (k + 1) % JUDGE_CONNECTIVE_MAX)
    {
        if (seen[k] == 0) {
            if (*types < JUDGE_CONNECTIVE_MAX / 2) {
                seen[k] = name;
                (*types)++;
            }

            break;
        }
    }
}


/* Numbers the stems of the words of the topic, from 1; 0: no such word. */

static judge_rc_e
judge_stems_number(judge_measure_t *m, judge_stems_t *s)
{
    size_t               i, k, n, slots;
    uint32_t            *table;
    const judge_text_t  *t;

    t = m->text;

    for (slots = 16; slots < t->ntypes * 2; slots *= 2) {
        /* void */
    }

    table = judge_array_alloc(m->arena, slots, sizeof(uint32_t));
    s->stems = judge_array_alloc(m->arena, t->ntypes, sizeof(uint32_t));
    s->tokens = judge_array_alloc(m->arena, t->ntokens, sizeof(uint32_t));
    s->sentences = judge_array_alloc(m->arena, t->ntypes + 1,
                                     sizeof(uint32_t));
    s->paragraphs = judge_array_alloc(m->arena, t->ntypes + 1,
                                      sizeof(uint32_t));
    s->nstems = 0;

    if (table == NULL || s->stems == NULL || s->tokens == NULL
        || s->sentences == NULL || s->paragraphs == NULL)
    {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < t->ntypes; i++) {
        if (!t->types[i].content || t->types[i].kind != JUDGE_TOKEN_WORD) {
            continue;
        }

        k = t->types[i].stem & (slots - 1);

        for (n = 0; n < JUDGE_PROBES && table[k] != 0; n++) {
            if (t->types[table[k] - 1].stem == t->types[i].stem) {
                break;
            }

            k = (k + 1) & (slots - 1);
        }

        if (table[k] != 0 && n < JUDGE_PROBES) {
            s->stems[i] = s->stems[table[k] - 1];
            continue;
        }

        table[k] = (uint32_t) i + 1;
        s->stems[i] = (uint32_t) ++s->nstems;
    }

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].type != JUDGE_NO_TYPE) {
            s->tokens[i] = s->stems[t->tokens[i].type];
        }
    }

    return JUDGE_OK;
}


static inline void
judge_overlap_stem(judge_overlap_t *o, uint32_t *stamp, uint32_t part)
{
    if (*stamp != part) {
        o->here++;
        o->shared += part > 1 && *stamp == part - 1;
        *stamp = part;
    }
}


static void
judge_overlap_part(judge_overlap_t *o, uint32_t part)
{
    if (part > 1) {
        o->n++;
        o->tied += o->shared > 0;
        o->dice += judge_share(2.0 * o->shared, o->here + o->before);
    }

    o->before = o->here;
    o->here = 0;
    o->shared = 0;
}


static void
judge_cohesion_overlap(judge_measure_t *m, judge_stems_t *s)
{
    size_t                   i, k;
    uint32_t                 stem, again, words;
    judge_overlap_t          sentences = { 0 }, paragraphs = { 0 };
    const judge_sentence_t  *sentence;

    again = 0;
    words = 0;

    for (i = 0; i < m->text->nsentences; i++) {
        sentence = &m->text->sentences[i];

        for (k = sentence->first; k < sentence->end; k++) {
            stem = s->tokens[k];

            if (stem == 0) {
                continue;
            }

            words++;
            again += s->sentences[stem] != 0;

            judge_overlap_stem(&sentences, &s->sentences[stem],
                               (uint32_t) i + 1);
            judge_overlap_stem(&paragraphs, &s->paragraphs[stem],
                               sentence->paragraph + 1);
        }

        if (i > 0 && sentences.shared == 0 && sentences.here >= 3) {
            judge_found(m, JUDGE_FOUND_UNLINKED, sentence->first,
                        sentence->end);
        }

        judge_overlap_part(&sentences, (uint32_t) i + 1);

        if (i + 1 == m->text->nsentences
            || sentence[1].paragraph != sentence->paragraph)
        {
            judge_overlap_part(&paragraphs, sentence->paragraph + 1);
        }
    }

    m->v[JUDGE_F_OVERLAP] =
        (float) judge_share(sentences.tied, sentences.n);
    m->v[JUDGE_F_OVERLAP_DEGREE] =
        (float) judge_share(sentences.dice, sentences.n);
    m->v[JUDGE_F_PARAGRAPH_OVERLAP] =
        (float) judge_share(paragraphs.dice, paragraphs.n);
    m->v[JUDGE_F_GIVEN] = (float) judge_share(again, words);
}


/* The topic words of the last fifth that the first fifth has. */

static void
judge_cohesion_frame(judge_measure_t *m, judge_stems_t *s)
{
    size_t    i, n, fifth;
    uint32_t  stem, met, words, *stamps;

    n = m->text->ntokens;
    stamps = s->sentences;
    memset(stamps, 0, (s->nstems + 1) * sizeof(uint32_t));
    fifth = n / 5;
    met = 0;
    words = 0;

    for (i = 0; i < fifth; i++) {
        stamps[s->tokens[i]] = 1;
    }

    for (i = n - fifth; i < n; i++) {
        stem = s->tokens[i];
        words += stem != 0;
        met += stem != 0 && stamps[stem];
    }

    m->v[JUDGE_F_FRAME] = (float) judge_share(met, words);
}


static void
judge_cohesion_balance(judge_measure_t *m)
{
    double  paragraphs, number, size;

    paragraphs = (double) m->text->nparagraphs;

    if (paragraphs < 2) {
        m->v[JUDGE_F_PARAGRAPHING] = 0;
        return;
    }

    number = paragraphs < 3 ? 0.6
             : paragraphs <= 7 ? 1 : judge_clamp(8 / paragraphs, 0.3, 1);
    size = judge_clamp((1 - (double) m->v[JUDGE_F_LARGEST_PARAGRAPH])
                       / (1 - 1 / paragraphs), 0, 1);

    m->v[JUDGE_F_PARAGRAPHING] = (float) (number * size);
}
