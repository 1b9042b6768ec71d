/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The tone: how pleasant, how excited, how much in control; politeness and
 * insults; whom the text speaks to.
 *
 * The three dimensions are those of Russell, J. A., & Mehrabian, A. (1977);
 * a negation before a word turns its valence (Taboada, M. et al. 2011).
 */


#include "analysis/features/feature.h"


#define JUDGE_NEGATION_REACH  3        /* words */


typedef struct {
    double  valence, arousal, dominance, emotion;
} judge_tone_t;


static void judge_tone_word(judge_measure_t *m, judge_tone_t *n, size_t i,
    bool negated);
static void judge_tone_sentences(judge_measure_t *m);
static void judge_tone_persons(judge_measure_t *m);


judge_rc_e
judge_measure_tone(judge_measure_t *m)
{
    size_t               i, negation;
    judge_tone_t         n = { 0 };
    const judge_text_t  *t;

    t = m->text;
    negation = 0;

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].kind == JUDGE_TOKEN_MARK) {
            negation = 0;
            continue;
        }

        if (m->senses[i] != 0) {
            judge_tone_word(m, &n, i, negation > 0);
        }

        negation = (m->forms[i] & JUDGE_W_NEGATION)
                   ? JUDGE_NEGATION_REACH : negation - (negation > 0);
    }

    judge_tone_sentences(m);
    judge_tone_persons(m);

    n.arousal += m->n[JUDGE_F_EXCLAMATIONS];
    m->n[JUDGE_F_EMOTION] = m->n[JUDGE_F_POSITIVE] + m->n[JUDGE_F_NEGATIVE];

    /* a few words without any feeling between them prove nothing */

    m->v[JUDGE_F_VALENCE] = (float) (n.valence / (n.emotion + 1));
    m->v[JUDGE_F_AROUSAL] =
        (float) judge_clamp(n.arousal / (n.emotion + 2), -1, 1);
    m->v[JUDGE_F_DOMINANCE] =
        (float) judge_clamp(n.dominance / (n.emotion + 2), -1, 1);

    return JUDGE_OK;
}


static void
judge_tone_word(judge_measure_t *m, judge_tone_t *n, size_t i, bool negated)
{
    double    sign;
    uint64_t  sense;

    sense = m->senses[i];
    sign = negated ? -0.6 : 1;

    if ((sense & JUDGE_W_POSITIVE) && !(sense & JUDGE_W_NEGATIVE)) {
        n->valence += sign;
        n->emotion++;
        m->n[JUDGE_F_POSITIVE] += !negated;
        judge_found(m, negated ? JUDGE_FOUND_NEGATIVE : JUDGE_FOUND_POSITIVE,
                    i, i + 1);

    } else if ((sense & JUDGE_W_NEGATIVE) && !(sense & JUDGE_W_POSITIVE)) {
        n->valence -= sign;
        n->emotion++;
        m->n[JUDGE_F_NEGATIVE] += !negated;
        judge_found(m, negated ? JUDGE_FOUND_POSITIVE : JUDGE_FOUND_NEGATIVE,
                    i, i + 1);
    }

    if (sense & JUDGE_W_STRONG) {
        n->arousal += 1;
        judge_found(m, JUDGE_FOUND_INTENSE, i, i + 1);
    }

    n->arousal -= (sense & JUDGE_W_CALM) ? 1 : 0;
    n->dominance += (sense & JUDGE_W_DOMINANT) ? 1 : 0;
    n->dominance -= (sense & JUDGE_W_SUBMISSIVE) ? 1 : 0;

    if (sense & JUDGE_W_POLITE) {
        judge_found(m, JUDGE_FOUND_POLITE, i, i + m->spans[i]);
    }

    /* "a fat book", "the garbage": an insult needs somebody */

    if ((sense & JUDGE_W_INSULT) && !negated) {
        judge_found(m, JUDGE_FOUND_INSULT, i, i + 1);
    }
}


static void
judge_tone_sentences(judge_measure_t *m)
{
    size_t   i;
    uint8_t  stop;

    for (i = 0; i < m->text->nsentences; i++) {
        stop = m->text->sentences[i].stop;
        m->n[JUDGE_F_EXCLAMATIONS] += stop == '!';
        m->n[JUDGE_F_QUESTIONS] += stop == '?';
    }
}


static void
judge_tone_persons(judge_measure_t *m)
{
    size_t    i, k;
    uint64_t  form;
    static const struct {
        uint64_t         form;
        judge_feature_e  feature;
    } rows[] = {
        { JUDGE_W_FIRST_PERSON, JUDGE_F_FIRST_PERSON },
        { JUDGE_W_SECOND_PERSON, JUDGE_F_SECOND_PERSON },
        { JUDGE_W_NEGATION, JUDGE_F_NEGATIONS }
    };

    for (i = 0; i < m->text->ntypes; i++) {
        form = m->text->types[i].form;

        for (k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
            m->n[rows[k].feature] += (form & rows[k].form)
                                     ? m->text->types[i].count : 0;
        }
    }
}
