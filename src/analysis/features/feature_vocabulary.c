/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures how rich the vocabulary is: how many different words, how long and
 * how rare; and counts what counts wherever it stands, such as numbers.
 *
 * Carroll, J. B. (1964): types / sqrt(2 * tokens).
 */


#include "analysis/features/feature.h"


#define JUDGE_LONG_TYPE  8             /* letters */


void
judge_measure_vocabulary(judge_measure_t *m)
{
    size_t               i;
    double               sum = 0, squares = 0, *n = m->n;
    uint32_t             known = 0;
    const double         words = (double) m->text->nwords;
    const judge_type_t  *type;

    for (i = 0; i < m->text->ntypes; i++) {
        type = &m->text->types[i];

        if (type->kind == JUDGE_TOKEN_NUMBER) {
            n[JUDGE_F_NUMBERS] += type->count;
            continue;
        }

        squares += (double) type->chars * type->chars * type->count;
        n[JUDGE_F_TYPES]++;
        n[JUDGE_F_LONG_TYPES] += type->chars >= JUDGE_LONG_TYPE;
        n[JUDGE_F_FIRST_PERSON] += type->form & JUDGE_W_FIRST_PERSON
                                   ? type->count : 0;
        n[JUDGE_F_NEGATIONS] += type->form & JUDGE_W_NEGATION
                                ? type->count : 0;
        n[JUDGE_F_CASUAL] += type->sense & JUDGE_W_CASUAL ? type->count : 0;

        if (type->sense & JUDGE_W_VAGUE) {
            judge_found(m, JUDGE_FOUND_VAGUE, type->first, type->first + 1);
            m->found[JUDGE_FOUND_VAGUE] += type->count - 1;
        }

        /* names and misspelled words are rare for other reasons */

        if (type->content && type->rarity != JUDGE_RARITY_UNKNOWN
            && (type->form & (JUDGE_W_KNOWN | JUDGE_W_NAME)) == JUDGE_W_KNOWN
            && !(type->name && !type->lower))
        {
            sum += type->rarity;
            known++;
        }
    }

    m->v[JUDGE_F_TYPES_ROOT] = (float) (n[JUDGE_F_TYPES] / sqrt(2 * words));
    m->v[JUDGE_F_WORD_LETTERS] = (float) sqrt(squares / words);
    m->v[JUDGE_F_RARITY] = (float) (judge_share(sum, known) / 32);
}
