/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How rich the vocabulary is: how many words, how long and how rare.
 *
 * Carroll, J. B. (1964): types / sqrt(2 * tokens).
 */


#include "analysis/features/feature.h"


#define JUDGE_RARE        160          /* 1 of 100,000 words */
#define JUDGE_LONG_TYPE   8            /* letters */


static void
judge_vocabulary_rarity(judge_measure_t *m)
{
    size_t               i;
    double               sum;
    uint32_t             n;
    const judge_type_t  *type;

    for (i = 0, sum = 0, n = 0; i < m->text->ntypes; i++) {
        type = &m->text->types[i];

        /* names and misspelled words are rare for other reasons */

        if (!type->content || type->rarity == JUDGE_RARITY_UNKNOWN
            || !(type->form & JUDGE_W_KNOWN) || (type->form & JUDGE_W_NAME)
            || (type->name && !type->lower))
        {
            continue;
        }

        sum += type->rarity;
        m->n[JUDGE_F_RARE_TYPES] += type->rarity >= JUDGE_RARE;
        n++;
    }

    m->v[JUDGE_F_RARITY] = (float) (judge_share(sum, n) / 32);
}


judge_rc_e
judge_measure_vocabulary(judge_measure_t *m)
{
    size_t               i;
    uint32_t            *n = m->n;
    const judge_type_t  *type;

    for (i = 0; i < m->text->ntypes; i++) {
        type = &m->text->types[i];

        if (type->kind == JUDGE_TOKEN_NUMBER) {
            continue;
        }

        n[JUDGE_F_TYPES]++;
        n[JUDGE_F_LONG_TYPES] += type->chars >= JUDGE_LONG_TYPE;

        if (type->sense & JUDGE_W_VAGUE) {
            judge_found(m, JUDGE_FOUND_VAGUE, type->first, type->first + 1);
            m->found[JUDGE_FOUND_VAGUE] += type->count - 1;
        }
    }

    m->v[JUDGE_F_TYPES_ROOT] = (float) judge_share(n[JUDGE_F_TYPES],
        sqrt(2 * (double) m->text->nwords));
    judge_vocabulary_rarity(m);

    return JUDGE_OK;
}
