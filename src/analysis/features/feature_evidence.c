/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a text rests its statements on: figures, quotations, sources,
 * examples, reasons; and how sure of them it is.
 */


#include <string.h>

#include "analysis/features/feature.h"


/* Senses that are counted as they are, by their bits. */
static const struct {
    uint8_t  feature;
    uint8_t  found;
} judge_evidence_rows[64] = {
#define row(sense)  [__builtin_ctzll(JUDGE_W_##sense)]
    row(CITE) = { JUDGE_F_CITES, JUDGE_FOUND_CITATION },
    row(EXEMPLIFYING) = { JUDGE_F_EXAMPLES, JUDGE_FOUND_EXAMPLE },
    row(EVIDENCE) = { JUDGE_F_EVIDENCE_WORDS, JUDGE_FOUND_NONE },
    row(REPORTING) = { JUDGE_F_REPORTED, JUDGE_FOUND_NONE },
    row(HEDGE) = { JUDGE_F_HEDGES, JUDGE_FOUND_HEDGE },
    row(BOOSTER) = { JUDGE_F_BOOSTERS, JUDGE_FOUND_NONE },
    row(OPINION) = { JUDGE_F_OPINIONS, JUDGE_FOUND_OPINION },
    row(CONCESSION) = { JUDGE_F_CONCESSIONS, JUDGE_FOUND_NONE },
    row(CAUSAL) = { JUDGE_F_REASONS, JUDGE_FOUND_REASON },
    row(NARRATIVE) = { JUDGE_F_NARRATIVE, JUDGE_FOUND_NONE }
#undef row
};


static uint32_t judge_evidence_tokens(judge_measure_t *m);
static bool judge_is_year_cited(const judge_text_t *t, size_t i);


judge_rc_e
judge_measure_evidence(judge_measure_t *m)
{
    size_t    i, bit;
    uint32_t  counts[64];
    uint64_t  left;

    memset(counts, 0, sizeof(counts));
    counts[__builtin_ctzll(JUDGE_W_CITE)] = judge_evidence_tokens(m);

    for (i = 0; i < m->text->ntokens; i++) {
        for (left = m->senses[i]; left != 0; left &= left - 1) {
            bit = (size_t) __builtin_ctzll(left);
            counts[bit]++;

            if (judge_evidence_rows[bit].found != JUDGE_FOUND_NONE) {
                judge_found(m, judge_evidence_rows[bit].found, i,
                            i + m->spans[i]);
            }
        }
    }

    for (bit = 0; bit < 64; bit++) {
        if (judge_evidence_rows[bit].feature != 0) {
            m->v[judge_evidence_rows[bit].feature] =
                judge_per_100(m->text, counts[bit]);
        }
    }

    return JUDGE_OK;
}


/* Figures, quotations and names; returns the sources that are named. */

static uint32_t
judge_evidence_tokens(judge_measure_t *m)
{
    size_t                i, begin;
    uint32_t              numbers, quoted, names, cites;
    const judge_text_t   *t;
    const judge_type_t   *type;
    const judge_token_t  *token;

    t = m->text;
    numbers = 0;
    quoted = 0;
    names = 0;
    cites = 0;
    begin = t->ntokens;

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        if ((token->flags & JUDGE_T_QUOTED) && token->type != JUDGE_NO_TYPE) {
            quoted++;
            begin = begin == t->ntokens ? i : begin;

        } else if (begin < t->ntokens && token->kind == JUDGE_TOKEN_MARK
                   && !(token->flags & JUDGE_T_QUOTED))
        {
            if (i - begin >= 4) {
                judge_found(m, JUDGE_FOUND_QUOTATION, begin, i);
            }

            begin = t->ntokens;
        }

        if (token->kind == JUDGE_TOKEN_LINK || judge_is_year_cited(t, i)) {
            cites++;
            judge_found(m, JUDGE_FOUND_CITATION, i, i + 1);

        } else if (token->kind == JUDGE_TOKEN_NUMBER) {
            numbers++;
            judge_found(m, JUDGE_FOUND_FIGURE, i, i + 1);

        } else if (token->kind == JUDGE_TOKEN_WORD) {
            type = &t->types[token->type];
            names += (token->flags & JUDGE_T_CAPITAL) && type->chars > 1
                     && ((type->form & JUDGE_W_NAME)
                         || (type->name && !type->lower
                             && !(type->form & JUDGE_W_FUNCTION)));
        }
    }

    m->v[JUDGE_F_NUMBERS] = judge_per_100(t, numbers);
    m->v[JUDGE_F_QUOTED] = (float) judge_share(quoted, (double) t->nwords);
    m->v[JUDGE_F_NAMES] = judge_per_100(t, names);

    return cites;
}


/* "(Smith, 2001)", "[12]". */

static bool
judge_is_year_cited(const judge_text_t *t, size_t i)
{
    const judge_token_t  *token;

    token = &t->tokens[i];

    if (token->kind != JUDGE_TOKEN_NUMBER || i == 0 || i + 1 == t->ntokens) {
        return false;
    }

    return (token[1].mark == ')' && token->end - token->begin == 4
            && (token[-1].mark == ',' || token[-1].mark == '('))
           || (token[1].mark == ']' && token[-1].mark == '[');
}
