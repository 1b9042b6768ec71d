/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether a text answers: what the question asks for (a person, a time, an
 * amount, a reason, steps, yes or no) is there, and it is more than the
 * question once more.
 */


#include "analysis/features/feature.h"


#define JUDGE_ANSWER_NAME   3          /* as many topic words is a new name or
                                          number */
#define JUDGE_ANSWER_NEW    0.8        /* and a new topic word */


typedef struct {
    judge_measure_t  *m;
    judge_wording_t   question;
    uint32_t          asked;           /* a bit for each judge_ask_e */
    double            echoed;          /* topic words that the question has */
    double            fresh;           /* that it lacks */
    bool              name;            /* one of them is a name */
    bool              number;
} judge_answer_t;


static void judge_answer_asked(judge_answer_t *a);
static void judge_answer_words(judge_answer_t *a);
static bool judge_answer_has(const judge_text_t *t, const judge_type_t *type);
static double judge_answer_fit(const judge_answer_t *a, judge_ask_e ask);
static double judge_answer_best(const judge_answer_t *a);


judge_rc_e
judge_measure_answer(judge_measure_t *m)
{
    double          echo;
    judge_answer_t  a = { .m = m };

    m->v[JUDGE_F_ANSWER_FIT] = 0.5f;

    if (m->question == NULL || m->question->nwords == 0) {
        return JUDGE_OK;
    }

    if (judge_wording_create(&a.question, m->arena, m->question) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    judge_answer_words(&a);
    echo = judge_share(a.echoed, a.echoed + a.fresh);
    m->v[JUDGE_F_ECHO] = (float) echo;
    judge_answer_asked(&a);

    if (a.asked != 0) {
        m->v[JUDGE_F_ANSWER_FIT] = (float) judge_answer_best(&a);
    }

    return JUDGE_OK;
}


/* Of several things asked for the one that is answered best counts. */

static double
judge_answer_best(const judge_answer_t *a)
{
    double       fit, best;
    judge_ask_e  ask;

    best = 0;

    for (ask = JUDGE_ASK_WHO; ask <= JUDGE_ASK_WHETHER; ask++) {
        if (a->asked & 1u << ask) {
            fit = judge_answer_fit(a, ask);
            best = fit > best ? fit : best;
        }
    }

    if (a->m->found[JUDGE_FOUND_REFUSAL].count
        + a->m->found[JUDGE_FOUND_EVASION].count > 0)
    {
        best /= 3;
    }

    return best;
}


/* Only questions ask, where there are some; the last words of a long turn
 * do. */

static void
judge_answer_asked(judge_answer_t *a)
{
    size_t                   i, end;
    const uint8_t           *classes;
    const judge_wording_t   *w;
    const judge_sentence_t  *sentences;

    w = &a->question;
    sentences = w->text->sentences;

    for (i = judge_last_turn(a->m, w); i < w->n; i++) {
        if (sentences[w->sentences[i]].stop != '?') {
            continue;
        }

        classes = judge_pattern_at(&judge_question_patterns, w, i, &end);

        /* "is it" asks only at the beginning */

        if (classes != NULL
            && (classes[0] != JUDGE_ASK_WHETHER
                || i == 0 || w->sentences[i - 1] != w->sentences[i]))
        {
            a->asked |= 1u << classes[0];
        }
    }

    if (a->asked & ~(1u << JUDGE_ASK_WHETHER)) {
        a->asked &= ~(1u << JUDGE_ASK_WHETHER);
    }
}


static void
judge_answer_words(judge_answer_t *a)
{
    size_t               i;
    const judge_text_t  *t;
    const judge_type_t  *type;

    t = a->m->text;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if (type->kind != JUDGE_TOKEN_NUMBER
            && (!type->content || type->chars < 3))
        {
            continue;
        }

        if (judge_answer_has(a->question.text, type)) {
            a->echoed += type->count;

        } else if (type->kind == JUDGE_TOKEN_NUMBER || type->name) {
            a->number = a->number || type->kind == JUDGE_TOKEN_NUMBER;
            a->name = a->name || type->kind != JUDGE_TOKEN_NUMBER;
            a->fresh += JUDGE_ANSWER_NAME;

        } else {
            a->fresh += JUDGE_ANSWER_NEW;
        }
    }

    /* what is said of the question itself is not new */

    a->fresh -= a->m->found[JUDGE_FOUND_META].count
                + a->m->found[JUDGE_FOUND_EVASION].count;
    a->fresh = a->fresh < 0 ? 0 : a->fresh;
}


static bool
judge_answer_has(const judge_text_t *t, const judge_type_t *type)
{
    size_t  i;

    for (i = 0; i < t->ntypes; i++) {
        if (t->types[i].stem == type->stem) {
            return true;
        }
    }

    return false;
}


static double
judge_answer_fit(const judge_answer_t *a, judge_ask_e ask)
{
    const judge_found_t  *found;

    found = a->m->found;

    switch (ask) {

    case JUDGE_ASK_WHO:
    case JUDGE_ASK_WHERE:
        return a->name ? 1 : 0.2;

    case JUDGE_ASK_WHEN:
        return found[JUDGE_FOUND_DATE].count > 0 || a->number ? 1
               : found[JUDGE_FOUND_AMOUNT].count > 0 ? 0.8 : 0.1;

    case JUDGE_ASK_MANY:
        return a->number || found[JUDGE_FOUND_AMOUNT].count > 0 ? 1 : 0.1;

    case JUDGE_ASK_WHY:
        return found[JUDGE_FOUND_BECAUSE].count > 0 ? 1
               : a->fresh >= 8 ? 0.6 : 0.3;

    case JUDGE_ASK_HOW:
        return found[JUDGE_FOUND_STEP].count > 1 ? 1
               : found[JUDGE_FOUND_STEP].count > 0 ? 0.7 : 0.2;

    case JUDGE_ASK_WHETHER:
        return found[JUDGE_FOUND_VERDICT].count > 0
               && found[JUDGE_FOUND_VERDICT].places[0].first < 4 ? 1
               : a->fresh >= 4 ? 0.5 : 0.2;

    default:
        return 0.5;
    }
}
