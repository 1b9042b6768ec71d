/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* Measures what holds a text together: connectives, commas, and that it does
 * not break off. */


#include "analysis/features/feature.h"


/* A text breaks off where it ends with an article or with "and", or without a
 * mark with a preposition or the like. */

static void
judge_cohesion_end(judge_measure_t *m)
{
    size_t               i;
    uint64_t             broken = JUDGE_W_ARTICLE | JUDGE_W_COORDINATOR;
    const judge_text_t  *t = m->text;

    for (i = t->ntokens; i > 0 && t->tokens[i - 1].kind == JUDGE_TOKEN_MARK;
         i--)
    {
        /* void */
    }

    if (i == t->ntokens) {
        broken |= JUDGE_W_PREPOSITION | JUDGE_W_WH | JUDGE_W_SUBORDINATOR
                  | JUDGE_W_MODAL;
    }

    m->n[JUDGE_F_BROKEN] = i > 0 && (m->forms[i - 1] & broken) != 0;
}


void
judge_measure_cohesion(judge_measure_t *m)
{
    size_t    i;
    uint64_t  kinds;

    for (i = 0, kinds = 0; i < m->text->ntokens; i++) {
        kinds |= m->senses[i];
        m->n[JUDGE_F_ORDERED] += (m->senses[i] & JUDGE_W_ORDINAL) != 0;
        m->n[JUDGE_F_COMMAS] += m->text->tokens[i].mark == ',';
    }

    m->n[JUDGE_F_CONNECTIVE_KINDS] =
        (uint32_t) __builtin_popcountll(kinds & JUDGE_W_CONNECTIVE);
    judge_cohesion_end(m);
}
