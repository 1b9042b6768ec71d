/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How long the text and its parts are, and how hard it is to read.
 *
 * Flesch, R. (1948), A new readability yardstick; Kincaid, J. P. et al.
 * (1975), Derivation of new readability formulas for Navy enlisted personnel.
 */


#include "analysis/features/feature.h"


#define JUDGE_LONG_SENTENCE  35        /* words */
#define JUDGE_LONG_WORD      7         /* letters */


static void judge_length_sentences(judge_measure_t *m);
static void judge_length_paragraphs(judge_measure_t *m);
static void judge_length_words(judge_measure_t *m);


judge_rc_e
judge_measure_length(judge_measure_t *m)
{
    float               *v;
    const judge_text_t  *t;

    v = m->v;
    t = m->text;

    m->n[JUDGE_F_WORDS] = (uint32_t) t->nwords;
    m->n[JUDGE_F_SENTENCES] = (uint32_t) t->nsentences;
    m->n[JUDGE_F_PARAGRAPHS] = (uint32_t) t->nparagraphs;

    judge_length_sentences(m);
    judge_length_paragraphs(m);
    judge_length_words(m);

    v[JUDGE_F_FLESCH] = (float) judge_clamp(206.835
        - 1.015 * (double) v[JUDGE_F_SENTENCE_WORDS]
        - 84.6 * (double) v[JUDGE_F_WORD_SYLLABLES], -50, 121);
    v[JUDGE_F_GRADE] = (float) judge_clamp(
        0.39 * (double) v[JUDGE_F_SENTENCE_WORDS]
        + 11.8 * (double) v[JUDGE_F_WORD_SYLLABLES] - 15.59, -3, 40);

    return JUDGE_OK;
}


static void
judge_length_sentences(judge_measure_t *m)
{
    size_t                   i;
    double                   n, mean, squares;
    uint32_t                *longest;
    const judge_sentence_t  *s;

    squares = 0;
    longest = &m->n[JUDGE_F_SENTENCE_LONGEST];

    for (i = 0; i < m->text->nsentences; i++) {
        s = &m->text->sentences[i];
        squares += (double) s->words * (double) s->words;

        *longest = s->words > *longest ? s->words : *longest;
        m->n[JUDGE_F_LAST_WORDS] = s->words > 0 ? s->words
                                                : m->n[JUDGE_F_LAST_WORDS];

        if (s->words > JUDGE_LONG_SENTENCE) {
            judge_found(m, JUDGE_FOUND_LONG_SENTENCE, s->first, s->end);
        }
    }

    n = (double) m->text->nsentences;
    mean = judge_share((double) m->text->nwords, n);
    squares = judge_share(squares, n) - mean * mean;

    m->v[JUDGE_F_SENTENCE_WORDS] = (float) mean;
    m->v[JUDGE_F_SENTENCE_SPREAD] =
        (float) judge_share(sqrt(squares > 0 ? squares : 0), mean);
}


static void
judge_length_paragraphs(judge_measure_t *m)
{
    size_t                   i;
    uint64_t                 words, largest;
    const judge_text_t      *t;
    const judge_sentence_t  *s;

    t = m->text;
    words = 0;
    largest = 0;

    for (i = 0; i < t->nsentences; i++) {
        s = &t->sentences[i];

        if (i > 0 && s->paragraph != s[-1].paragraph) {
            words = 0;
        }

        words += s->words;

        if (words > largest) {
            largest = words;
        }
    }

    m->v[JUDGE_F_PARAGRAPH_WORDS] =
        (float) judge_share((double) t->nwords, (double) t->nparagraphs);
    m->v[JUDGE_F_LARGEST_PARAGRAPH] =
        (float) judge_share((double) largest, (double) t->nwords);
}


static void
judge_length_words(judge_measure_t *m)
{
    size_t               i;
    double               n;
    uint64_t             syllables, longer;
    const judge_text_t  *t;
    const judge_type_t  *type;

    t = m->text;
    syllables = 0;
    longer = 0;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if (type->kind != JUDGE_TOKEN_NUMBER) {
            syllables += (uint64_t) type->syllables * type->count;
            longer += type->chars >= JUDGE_LONG_WORD ? type->count : 0;
        }
    }

    n = (double) t->nwords;

    m->v[JUDGE_F_WORD_LETTERS] = (float) judge_share((double) t->nletters, n);
    m->v[JUDGE_F_WORD_SYLLABLES] = (float) judge_share((double) syllables, n);
    m->v[JUDGE_F_LONG_WORDS] = (float) judge_share((double) longer, n);
}
