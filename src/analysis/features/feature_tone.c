/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Measures how pleasant (valence) and how excited (arousal) a text is, the
 * dimensions of Russell, J. A., & Mehrabian, A. (1977), and finds insults and
 * names.  A negation before a word turns its valence, though not all of it
 * (Taboada, M. et al. 2011).
 */


#include "analysis/features/feature.h"
#include "analysis/text/lexicon.h"


#define JUDGE_NEGATION_REACH  3        /* words */
#define JUDGE_NEGATED         0.6      /* of the valence is left, turned */
#define JUDGE_TONE_PICTURE    0xf0     /* four bytes of UTF-8: an emoji, or a
                                          sign that is as rare */


typedef struct {
    double  valence, arousal;          /* sums over the words */
    double  emotion;                   /* words with a valence */
} judge_tone_t;


bool
judge_is_emoticon(const judge_text_t *t, size_t i)
{
    const judge_token_t  *token = &t->tokens[i];

    if (token->mark == ')' && i > 0 && !(token->flags & JUDGE_T_SPACE)) {
        return token[-1].mark == ':' || token[-1].mark == ';'
               || token[-1].mark == '-';
    }

    return token->mark == JUDGE_MARK_SYMBOL
           && (uint8_t) t->str.data[token->begin] >= JUDGE_TONE_PICTURE;
}


static bool
judge_tone_is_name(const judge_text_t *t, const judge_token_t *token)
{
    const judge_type_t  *type;

    type = token->kind == JUDGE_TOKEN_WORD && (token->flags & JUDGE_T_CAPITAL)
           ? &t->types[token->type] : NULL;

    return type != NULL && type->chars > 1
           && ((type->form & JUDGE_W_NAME)
               || (type->name && !type->lower
                   && !(type->form & JUDGE_W_FUNCTION)));
}


/* Whether an English word of insult is a name, as its capital says: "Moby
 * Dick", "Hello Dick"; but "an Idiot", "you Moron".  At the beginning of a
 * sentence it is one if it is seen inside another. */

static bool
judge_tone_is_called(const judge_measure_t *m, size_t i)
{
    const judge_token_t  *token = &m->text->tokens[i];
    const judge_type_t   *type = &m->text->types[token->type];

    return judge_lexicon(m->text->language) == NULL && type->name
           && !type->lower && !(token->flags & JUDGE_T_CAPITALS)
           && ((token->flags & JUDGE_T_START)
               || ((token[-1].kind == JUDGE_TOKEN_WORD
                    || token[-1].mark == ',')
                   && !(m->forms[i - 1]
                        & (JUDGE_W_ARTICLE | JUDGE_W_DETERMINER
                           | JUDGE_W_POSSESSIVE | JUDGE_W_PRONOUN | JUDGE_W_BE
                           | JUDGE_W_ADVERB | JUDGE_W_ADJECTIVE))
                   && !(m->senses[i - 1] & JUDGE_W_INSULT)));
}


static void
judge_tone_word(judge_measure_t *m, judge_tone_t *tone, size_t i, bool negated)
{
    double    sign = negated ? -JUDGE_NEGATED : 1;
    uint64_t  sense = m->senses[i];

    if ((sense & JUDGE_W_POSITIVE) && !(sense & JUDGE_W_NEGATIVE)) {
        tone->valence += sign;
        tone->emotion++;
        m->n[negated ? JUDGE_F_NEGATIVE : JUDGE_F_POSITIVE]++;

    } else if ((sense & JUDGE_W_NEGATIVE) && !(sense & JUDGE_W_POSITIVE)) {
        tone->valence -= sign;
        tone->emotion++;
        m->n[negated ? JUDGE_F_POSITIVE : JUDGE_F_NEGATIVE]++;
    }

    m->n[JUDGE_F_COURTESIES] += (sense & JUDGE_W_COURTESY) != 0;
    m->n[JUDGE_F_REPROACHES] += (sense & JUDGE_W_REPROACH) != 0;
    tone->arousal += (sense & JUDGE_W_STRONG) ? 1 : 0;
    tone->arousal -= (sense & JUDGE_W_CALM) ? 1 : 0;

    if ((sense & JUDGE_W_INSULT) && !negated && !judge_tone_is_called(m, i)) {
        judge_found(m, JUDGE_FOUND_INSULT, i, i + 1);
    }
}


void
judge_measure_tone(judge_measure_t *m)
{
    size_t               i, negation = 0;
    judge_tone_t         tone = { 0 };
    const judge_text_t  *t = m->text;

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].kind == JUDGE_TOKEN_MARK) {
            m->n[JUDGE_F_CASUAL] += judge_is_emoticon(t, i)
                                     || t->tokens[i].mark == JUDGE_MARK_DOTS;
            negation = 0;
            continue;
        }

        m->n[JUDGE_F_NAMES] += judge_tone_is_name(t, &t->tokens[i]);

        if (m->senses[i] != 0) {
            judge_tone_word(m, &tone, i, negation > 0);
        }

        negation = (m->forms[i] & JUDGE_W_NEGATION)
                   ? JUDGE_NEGATION_REACH : negation - (negation > 0);
    }

    for (i = 0; i < t->nsentences; i++) {
        m->n[JUDGE_F_EXCLAMATIONS] += t->sentences[i].stop == '!';
    }

    tone.arousal += m->n[JUDGE_F_EXCLAMATIONS];
    m->n[JUDGE_F_EMOTION] = m->n[JUDGE_F_POSITIVE] + m->n[JUDGE_F_NEGATIVE];

    /* the 1 and the 2 keep the few words of a text without much feeling from
     * giving an extreme value */

    m->v[JUDGE_F_VALENCE] = (float) (tone.valence / (tone.emotion + 1));
    m->v[JUDGE_F_AROUSAL] =
        (float) judge_clamp(tone.arousal / (tone.emotion + 2), -1, 1);
}
