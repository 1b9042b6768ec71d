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
    double    valence, arousal, dominance, emotion;
    uint32_t  positive, negative, strong, polite, insults;
} judge_tone_t;


static void judge_tone_word(judge_measure_t *m, judge_tone_t *n, size_t i,
    bool negated);
static void judge_tone_sentences(judge_measure_t *m, judge_tone_t *n);
static void judge_tone_persons(judge_measure_t *m);


judge_rc_e
judge_measure_tone(judge_measure_t *m)
{
    float               *v;
    size_t               i, negation;
    judge_tone_t         n = { 0 };
    const judge_text_t  *t;

    v = m->v;
    t = m->text;
    negation = 0;

    for (i = 0; i < t->ntokens; i++) {
        if (t->tokens[i].kind == JUDGE_TOKEN_MARK) {
            negation = 0;
            continue;
        }

        if (m->senses[i] & (JUDGE_W_POSITIVE | JUDGE_W_NEGATIVE
                            | JUDGE_W_STRONG | JUDGE_W_CALM | JUDGE_W_DOMINANT
                            | JUDGE_W_SUBMISSIVE | JUDGE_W_POLITE
                            | JUDGE_W_INSULT))
        {
            judge_tone_word(m, &n, i, negation > 0);
        }

        negation = (m->forms[i] & JUDGE_W_NEGATION)
                   ? JUDGE_NEGATION_REACH : negation - (negation > 0);
    }

    judge_tone_sentences(m, &n);
    judge_tone_persons(m);

    /* a few words without any feeling between them prove nothing */

    v[JUDGE_F_VALENCE] = (float) (n.valence / (n.emotion + 1));
    v[JUDGE_F_AROUSAL] =
        (float) judge_clamp(n.arousal / (n.emotion + 2), -1, 1);
    v[JUDGE_F_DOMINANCE] =
        (float) judge_clamp(n.dominance / (n.emotion + 2), -1, 1);
    v[JUDGE_F_POSITIVE] = judge_per_100(t, n.positive);
    v[JUDGE_F_NEGATIVE] = judge_per_100(t, n.negative);
    v[JUDGE_F_EMOTION] = judge_per_100(t, n.positive + n.negative);
    v[JUDGE_F_POLITE] = judge_per_100(t, n.polite);
    v[JUDGE_F_INSULTS] = judge_per_100(t, n.insults);

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
        n->positive += !negated;
        judge_found(m, negated ? JUDGE_FOUND_NEGATIVE : JUDGE_FOUND_POSITIVE,
                    i, i + 1);

    } else if ((sense & JUDGE_W_NEGATIVE) && !(sense & JUDGE_W_POSITIVE)) {
        n->valence -= sign;
        n->emotion++;
        n->negative += !negated;
        judge_found(m, negated ? JUDGE_FOUND_POSITIVE : JUDGE_FOUND_NEGATIVE,
                    i, i + 1);
    }

    if (sense & JUDGE_W_STRONG) {
        n->arousal += 1;
        n->strong++;
        judge_found(m, JUDGE_FOUND_INTENSE, i, i + 1);
    }

    n->arousal -= (sense & JUDGE_W_CALM) ? 1 : 0;
    n->dominance += (sense & JUDGE_W_DOMINANT) ? 1 : 0;
    n->dominance -= (sense & JUDGE_W_SUBMISSIVE) ? 1 : 0;

    if (sense & JUDGE_W_POLITE) {
        n->polite++;
        judge_found(m, JUDGE_FOUND_POLITE, i, i + m->spans[i]);
    }

    /* "a fat book", "the garbage": an insult needs somebody */

    if ((sense & JUDGE_W_INSULT) && !negated) {
        n->insults++;
        judge_found(m, JUDGE_FOUND_INSULT, i, i + 1);
    }
}


static void
judge_tone_sentences(judge_measure_t *m, judge_tone_t *n)
{
    size_t               i;
    double               sentences;
    uint32_t             exclamations, questions;
    const judge_text_t  *t;

    t = m->text;
    sentences = (double) t->nsentences;
    exclamations = 0;
    questions = 0;

    for (i = 0; i < t->nsentences; i++) {
        exclamations += t->sentences[i].stop == '!';
        questions += t->sentences[i].stop == '?';
    }

    n->arousal += exclamations;

    m->v[JUDGE_F_EXCLAMATIONS] =
        (float) judge_share(exclamations, sentences);
    m->v[JUDGE_F_QUESTIONS] = (float) judge_share(questions, sentences);
}


static void
judge_tone_persons(judge_measure_t *m)
{
    size_t               i;
    uint32_t             first, second, negations;
    const judge_type_t  *type;

    first = 0;
    second = 0;
    negations = 0;

    for (i = 0; i < m->text->ntypes; i++) {
        type = &m->text->types[i];
        first += (type->form & JUDGE_W_FIRST_PERSON) ? type->count : 0;
        second += (type->form & JUDGE_W_SECOND_PERSON) ? type->count : 0;
        negations += (type->form & JUDGE_W_NEGATION) ? type->count : 0;
    }

    m->v[JUDGE_F_FIRST_PERSON] = judge_per_100(m->text, first);
    m->v[JUDGE_F_SECOND_PERSON] = judge_per_100(m->text, second);
    m->v[JUDGE_F_NEGATIONS] = judge_per_100(m->text, negations);
}
