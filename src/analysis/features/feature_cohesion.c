/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* What holds a text together: connectives, commas, sentences that end. */


#include "analysis/features/feature.h"


/* No sentence ends with an article or with "and"; without a mark after it,
 * none with a preposition or the like either. */

static void
judge_cohesion_end(judge_measure_t *m)
{
    size_t               i;
    uint64_t             ends = JUDGE_W_ARTICLE | JUDGE_W_COORDINATOR;
    const judge_text_t  *t = m->text;

    for (i = t->ntokens; i > 0 && t->tokens[i - 1].kind == JUDGE_TOKEN_MARK;
         i--)
    {
        /* void */
    }

    if (i == t->ntokens) {
        ends |= JUDGE_W_PREPOSITION | JUDGE_W_WH | JUDGE_W_SUBORDINATOR
                | JUDGE_W_MODAL;
    }

    m->n[JUDGE_F_BROKEN] = i > 0 && (m->forms[i - 1] & ends) != 0;
}


judge_rc_e
judge_measure_cohesion(judge_measure_t *m)
{
    size_t    i;
    uint32_t  ordered = 0, commas = 0;
    uint64_t  kinds;

    for (i = 0, kinds = 0; i < m->text->ntokens; i++) {
        kinds |= m->senses[i];
        ordered += (m->senses[i] & JUDGE_W_ORDINAL) != 0;
        commas += m->text->tokens[i].mark == ',';
    }

    m->n[JUDGE_F_ORDERED] = ordered;
    m->n[JUDGE_F_COMMAS] = commas;
    m->n[JUDGE_F_CONNECTIVE_KINDS] =
        (uint32_t) __builtin_popcountll(kinds & JUDGE_W_CONNECTIVE);
    judge_cohesion_end(m);

    return JUDGE_OK;
}
