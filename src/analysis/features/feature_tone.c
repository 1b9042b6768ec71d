/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The tone: how pleasant and how excited, insults; who is named.
 *
 * The dimensions are those of Russell, J. A., & Mehrabian, A. (1977); a
 * negation before a word turns its valence (Taboada, M. et al. 2011).
 */


#include "analysis/features/feature.h"


#define JUDGE_NEGATION_REACH  3        /* words */


typedef struct {
    double  valence, arousal, emotion;
} judge_tone_t;


static bool
judge_tone_names(const judge_text_t *t, const judge_token_t *token)
{
    const judge_type_t  *type;

    type = token->kind == JUDGE_TOKEN_WORD && (token->flags & JUDGE_T_CAPITAL)
           ? &t->types[token->type] : NULL;

    return type != NULL && type->chars > 1
           && ((type->form & JUDGE_W_NAME)
               || (type->name && !type->lower
                   && !(type->form & JUDGE_W_FUNCTION)));
}


static void
judge_tone_word(judge_measure_t *m, judge_tone_t *n, size_t i, bool negated)
{
    double    sign = negated ? -0.6 : 1;
    uint64_t  sense = m->senses[i];

    if ((sense & JUDGE_W_POSITIVE) && !(sense & JUDGE_W_NEGATIVE)) {
        n->valence += sign;
        n->emotion++;
        m->n[negated ? JUDGE_F_NEGATIVE : JUDGE_F_POSITIVE]++;

    } else if ((sense & JUDGE_W_NEGATIVE) && !(sense & JUDGE_W_POSITIVE)) {
        n->valence -= sign;
        n->emotion++;
        m->n[negated ? JUDGE_F_POSITIVE : JUDGE_F_NEGATIVE]++;
    }

    n->arousal += (sense & JUDGE_W_STRONG) ? 1 : 0;
    n->arousal -= (sense & JUDGE_W_CALM) ? 1 : 0;

    /* "a fat book", "the garbage": an insult needs somebody */

    if ((sense & JUDGE_W_INSULT) && !negated) {
        judge_found(m, JUDGE_FOUND_INSULT, i, i + 1);
    }
}


judge_rc_e
judge_measure_tone(judge_measure_t *m)
{
    size_t               i, negation = 0;
    uint32_t             names = 0;
    judge_tone_t         n = { 0 };
    const judge_text_t  *t = m->text;

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].kind == JUDGE_TOKEN_MARK) {
            negation = 0;
            continue;
        }

        names += judge_tone_names(t, &t->tokens[i]);

        if (m->senses[i] != 0) {
            judge_tone_word(m, &n, i, negation > 0);
        }

        negation = (m->forms[i] & JUDGE_W_NEGATION)
                   ? JUDGE_NEGATION_REACH : negation - (negation > 0);
    }

    for (i = 0; i < t->nsentences; i++) {
        m->n[JUDGE_F_EXCLAMATIONS] += t->sentences[i].stop == '!';
    }

    m->n[JUDGE_F_NAMES] = names;
    n.arousal += m->n[JUDGE_F_EXCLAMATIONS];
    m->n[JUDGE_F_EMOTION] = m->n[JUDGE_F_POSITIVE] + m->n[JUDGE_F_NEGATIVE];

    /* a few words without any feeling between them prove nothing */

    m->v[JUDGE_F_VALENCE] = (float) (n.valence / (n.emotion + 1));
    m->v[JUDGE_F_AROUSAL] =
        (float) judge_clamp(n.arousal / (n.emotion + 2), -1, 1);

    return JUDGE_OK;
}
