/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * How probable a model of English finds the words.
 */


#include "analysis/judge_feature.h"


judge_rc_e
judge_measure_model(judge_measure_t *m)
{
    size_t               i;
    double               sum;
    const judge_type_t  *type;

    sum = 0;

    for (i = 0; i < m->text->ntypes; i++) {
        type = &m->text->types[i];

        if (type->kind == JUDGE_TOKEN_WORD) {
            sum += (double) type->rarity * type->count;
        }
    }

    m->v[JUDGE_F_MODEL_UNIGRAM] =
        (float) (-judge_share(sum, (double) m->text->nwords) / 32);

    return JUDGE_OK;
}
