/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures how long the text and its parts are, and how hard it is to read.
 *
 * Flesch, R. (1948), A new readability yardstick; Kincaid, J. P. et al.
 * (1975), Derivation of new readability formulas for Navy enlisted personnel.
 */


#include "analysis/features/feature.h"


#define JUDGE_LONG_SENTENCE  35        /* words */


/* Returns how near a text is to three to seven paragraphs of like size, 0 to
 * 1. */

static double
judge_length_balance(const judge_text_t *t)
{
    size_t                   i;
    double                   paragraphs, number, size;
    uint64_t                 words, largest;
    const judge_sentence_t  *s;

    paragraphs = (double) t->nparagraphs;

    if (paragraphs < 2) {
        return 0;
    }

    for (i = 0, words = 0, largest = 0; i < t->nsentences; i++) {
        s = &t->sentences[i];
        words = i > 0 && s->paragraph != s[-1].paragraph
                ? s->words : words + s->words;
        largest = words > largest ? words : largest;
    }

    number = paragraphs < 3 ? 0.6
             : paragraphs <= 7 ? 1 : judge_clamp(8 / paragraphs, 0.3, 1);
    size = 1 - judge_share((double) largest, (double) t->nwords);

    return number * judge_clamp(size / (1 - 1 / paragraphs), 0, 1);
}


void
judge_measure_length(judge_measure_t *m)
{
    size_t               i;
    double               words, syllables, sentence, squares;
    const judge_text_t  *t = m->text;

    words = (double) t->nwords;

    m->n[JUDGE_F_WORDS] = (uint32_t) t->nwords;
    m->n[JUDGE_F_SENTENCES] = (uint32_t) t->nsentences;

    for (i = 0, squares = 0; i < t->nsentences; i++) {
        squares += (double) t->sentences[i].words * t->sentences[i].words;

        if (t->sentences[i].words > JUDGE_LONG_SENTENCE) {
            judge_found(m, JUDGE_FOUND_LONG_SENTENCE, t->sentences[i].first,
                        t->sentences[i].end);
        }
    }

    for (i = 0, syllables = 0; i < t->ntypes; i++) {
        syllables += t->types[i].kind == JUDGE_TOKEN_NUMBER ? 0
                     : (double) t->types[i].syllables * t->types[i].count;
    }

    sentence = judge_share(words, (double) t->nsentences);
    syllables = judge_share(syllables, words);

    m->v[JUDGE_F_SENTENCE_WORDS] = (float) judge_ln(1 + squares / words);
    m->v[JUDGE_F_FLESCH] = (float) judge_clamp(
        206.835 - 1.015 * sentence - 84.6 * syllables, -50, 121);
    m->v[JUDGE_F_GRADE] = (float) judge_clamp(
        0.39 * sentence + 11.8 * syllables - 15.59, -3, 40);
    m->v[JUDGE_F_PARAGRAPHING] = (float) judge_length_balance(t);
}
