/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a text rests its statements on: figures, quotations, sources,
 * examples, reasons; and how sure of them it is.
 */


#include "analysis/features/feature.h"


/* Senses that are counted, by their bits: where they stand is noted as a
 * place, or they are counted for a feature. */
static const struct {
    uint8_t  found;
    uint8_t  feature;
} judge_evidence_rows[64] = {
#define found(sense, kind)                                                    \
    [__builtin_ctzll(JUDGE_W_##sense)] = { .found = JUDGE_FOUND_##kind }
#define count(sense, name)                                                    \
    [__builtin_ctzll(JUDGE_W_##sense)] = { .feature = JUDGE_F_##name }
    found(CITE, CITATION),
    found(EXEMPLIFYING, EXAMPLE),
    count(EVIDENCE, EVIDENCE_WORDS),
    count(REPORTING, REPORTED),
    found(HEDGE, HEDGE),
    count(BOOSTER, BOOSTERS),
    found(OPINION, OPINION),
    count(CONCESSION, CONCESSIONS),
    found(CAUSAL, REASON),
    count(NARRATIVE, NARRATIVE)
#undef found
#undef count
};


static void judge_evidence_tokens(judge_measure_t *m);
static bool judge_is_year_cited(const judge_text_t *t, size_t i);


judge_rc_e
judge_measure_evidence(judge_measure_t *m)
{
    size_t    i, bit;
    uint64_t  left;

    judge_evidence_tokens(m);

    for (i = 0; i < m->text->ntokens; i++) {
        for (left = m->senses[i]; left != 0; left &= left - 1) {
            bit = (size_t) __builtin_ctzll(left);

            if (judge_evidence_rows[bit].found != JUDGE_FOUND_NONE) {
                judge_found(m, judge_evidence_rows[bit].found, i,
                            i + m->spans[i]);

            } else if (judge_evidence_rows[bit].feature != 0) {
                m->n[judge_evidence_rows[bit].feature]++;
            }
        }
    }

    return JUDGE_OK;
}


/* Figures, quotations, names, and sources that are named. */

static void
judge_evidence_tokens(judge_measure_t *m)
{
    size_t                i, begin;
    const judge_text_t   *t;
    const judge_type_t   *type;
    const judge_token_t  *token;

    t = m->text;
    begin = t->ntokens;

    for (i = 0; i < t->ntokens; i++) {
        token = &t->tokens[i];

        if ((token->flags & JUDGE_T_QUOTED) && token->type != JUDGE_NO_TYPE) {
            m->n[JUDGE_F_QUOTED]++;
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
            judge_found(m, JUDGE_FOUND_CITATION, i, i + 1);

        } else if (token->kind == JUDGE_TOKEN_NUMBER) {
            judge_found(m, JUDGE_FOUND_FIGURE, i, i + 1);

        } else if (token->kind == JUDGE_TOKEN_WORD) {
            type = &t->types[token->type];
            m->n[JUDGE_F_NAMES] += (token->flags & JUDGE_T_CAPITAL)
                                   && type->chars > 1
                                   && ((type->form & JUDGE_W_NAME)
                                       || (type->name && !type->lower
                                           && !(type->form
                                                & JUDGE_W_FUNCTION)));
        }
    }
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
