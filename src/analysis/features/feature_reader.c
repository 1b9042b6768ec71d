/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a text does, by phrases that any reader knows: it refuses, evades,
 * blames, advertises, warns; and whether its words are joined into sentences.
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"
#include "analysis/text/lexis.h"


#define JUDGE_NEGATION_WORDS  3        /* before a phrase */
#define JUDGE_REASON_WORDS    3        /* fewer may point to one */
#define JUDGE_SALAD_WORDS     8        /* fewer are no salad */
#define JUDGE_SALAD_GLUE      0.32     /* of the words in plain sentences,
                                          at least */
#define JUDGE_SALAD_RANGE     0.14
#define JUDGE_SALAD_OTHER     0.08     /* of other languages, whose phrases
                                          have some of them */
#define JUDGE_SALAD_UNSEEN    0.62     /* pairs of words unknown to the model
                                          of English */
#define JUDGE_SALAD_GAIN      0.25     /* of knowing the word before */
#define JUDGE_SALAD_GAIN_RANGE  0.35
#define JUDGE_SALAD_SOME      0.22     /* pairs unknown, beside little gain */
#define JUDGE_SALAD_SOME_RANGE  0.12
#define JUDGE_SALAD_MARKS     6        /* more of them: commands, lists */
#define JUDGE_SALAD_SPREAD    0.2
#define JUDGE_SALAD_CLASSES   0.57     /* gain of classes of words, less in
                                          few words: of prose 1 in 100 */
#define JUDGE_SALAD_FEW       0.4      /* over the root of their number */
#define JUDGE_SALAD_CLASSES_RANGE  0.06


static bool judge_reader_orders(const judge_wording_t *w, size_t i);
static bool judge_reader_told(const judge_wording_t *w, size_t i);
static bool judge_reader_circles(const judge_wording_t *w, size_t i,
    size_t *end);
static bool judge_reader_negated(const judge_wording_t *w, size_t i);
static void judge_reader_salad(judge_measure_t *m);


/* Phrases of several classes may overlap, those of one may not. */

judge_rc_e
judge_measure_reader(judge_measure_t *m)
{
    size_t            i, k, end;
    unsigned          class;
    uint32_t          next[JUDGE_FOUND_KINDS];
    const uint8_t    *classes;
    judge_wording_t  *w;

    w = &m->wording;

    if (judge_wording_create(w, m->arena, m->text) != JUDGE_OK) {
        return JUDGE_NOMEM;
    }

    memset(next, 0, sizeof(next));

    for (i = 0; i < w->n; i++) {
        classes = judge_pattern_at(&judge_text_patterns, w, i, &end);

        for (k = 0; classes != NULL && k < 2 && classes[k] != 0; k++) {
            class = classes[k] & (JUDGE_PATTERN_PLAIN - 1u);

            if (i < next[class]
                || (classes[k] & JUDGE_PATTERN_PLAIN
                    && judge_reader_negated(w, i))
                || (class == JUDGE_FOUND_STEP && judge_reader_told(w, i)))
            {
                continue;
            }

            next[class] = (uint32_t) end;
            judge_found(m, (judge_found_e) class, w->tokens[i],
                        w->tokens[end - 1] + 1);
        }

        if (classes != NULL && i >= next[JUDGE_FOUND_FILLER]
            && (classes[0] == JUDGE_FOUND_BECAUSE
                || classes[1] == JUDGE_FOUND_BECAUSE)
            && judge_reader_circles(w, end, &end))
        {
            judge_found(m, JUDGE_FOUND_FILLER, w->tokens[i],
                        w->tokens[end - 1] + 1);
        }

        if (classes == NULL && i >= next[JUDGE_FOUND_STEP]
            && judge_reader_orders(w, i))
        {
            judge_found(m, JUDGE_FOUND_STEP, w->tokens[i], w->tokens[i] + 1);
        }
    }

    judge_reader_salad(m);

    return JUDGE_OK;
}


/* "It is good because it is good": what is said from word i to the end of its
 * sentence has been said before. */

static bool
judge_reader_circles(const judge_wording_t *w, size_t i, size_t *end)
{
    size_t               k;
    const judge_type_t  *type;

    for (k = i; k < w->n && w->sentences[k] == w->sentences[i]; k++) {
        type = &w->text->types[w->text->tokens[w->tokens[k]].type];

        if (type->first >= w->tokens[i]
            && (type->content || type->kind != JUDGE_TOKEN_WORD))
        {
            return false;
        }
    }

    *end = k;

    return k >= i + JUDGE_REASON_WORDS;
}


/* "Many developers use", "we use": what others do is no step. */

static bool
judge_reader_told(const judge_wording_t *w, size_t i)
{
    uint64_t             before;
    const judge_text_t  *t;

    t = w->text;

    if (i == 0 || w->sentences[i - 1] != w->sentences[i]
        || !(t->types[t->tokens[w->tokens[i]].type].form & JUDGE_W_VERB))
    {
        return false;
    }

    before = t->types[t->tokens[w->tokens[i - 1]].type].form;

    return before & (JUDGE_W_PLURAL | JUDGE_W_PLURAL_SUBJECT)
           && !(before & JUDGE_W_SECOND_PERSON)
           && w->tokens[i] == w->tokens[i - 1] + 1;
}


/* "Tupfen Sie", "und streuen Sie": no question. */

static bool
judge_reader_orders_sie(const judge_wording_t *w, size_t i)
{
    uint32_t             token;
    judge_str_t          word, next;
    const judge_text_t  *t;

    t = w->text;
    token = w->tokens[i];

    if (i + 1 >= w->n || w->tokens[i + 1] != token + 1
        || t->sentences[w->sentences[i]].stop == '?'
        || !(t->tokens[token].flags & JUDGE_T_START
             || (token > 0
                 && (t->tokens[token - 1].mark == ','
                     || (t->tokens[token - 1].kind == JUDGE_TOKEN_WORD
                         && t->types[t->tokens[token - 1].type].form
                            & JUDGE_W_COORDINATOR)))))
    {
        return false;
    }

    word = w->types[t->tokens[token].type].lower;
    next = judge_token_str(t, &t->tokens[token + 1]);

    return word.len > 3 && memcmp(word.data + word.len - 2, "en", 2) == 0
           && judge_str_eq(next, JUDGE_STR("Sie"))
           && !(t->types[t->tokens[token].type].form & JUDGE_W_FUNCTION);
}


/* "Scrub it, rinse it": a clause that begins with a verb and what is done it
 * to.  "Yesterday it was" and "a lot it" are none. */

static bool
judge_reader_orders(const judge_wording_t *w, size_t i)
{
    uint64_t             form, next, after;
    uint32_t             token;
    const judge_text_t  *t;

    t = w->text;
    token = w->tokens[i];

    if (t->language == JUDGE_LANGUAGE_GERMAN) {
        return judge_reader_orders_sie(w, i);
    }

    if ((t->language != JUDGE_LANGUAGE_ENGLISH
         && t->language != JUDGE_LANGUAGE_UNKNOWN)
        || i + 2 >= w->n || w->tokens[i + 1] != token + 1
        || !(t->tokens[token].flags & JUDGE_T_START
             || (token > 0 && t->tokens[token - 1].mark == ',')))
    {
        return false;
    }

    form = t->types[t->tokens[token].type].form;
    next = t->types[t->tokens[token + 1].type].form;
    after = t->types[t->tokens[w->tokens[i + 2]].type].form;

    if (form & (JUDGE_W_FUNCTION | JUDGE_W_ADVERB | JUDGE_W_PLURAL
                | JUDGE_W_VERB_S | JUDGE_W_VERB_ING | JUDGE_W_NAME)
        || form == 0
        || (form & JUDGE_W_PAST && !(form & JUDGE_W_VERB)))
    {
        return false;
    }

    if (!(form & JUDGE_W_VERB)
        && after & (JUDGE_W_BE | JUDGE_W_HAVE | JUDGE_W_DO | JUDGE_W_MODAL
                    | JUDGE_W_COMMON_VERB | JUDGE_W_PAST | JUDGE_W_VERB_S))
    {
        return false;
    }

    return (next & (JUDGE_W_OBJECT_PRONOUN | JUDGE_W_THIRD)) != 0
           || (form & JUDGE_W_VERB
               && next & (JUDGE_W_ARTICLE | JUDGE_W_DETERMINER
                          | JUDGE_W_POSSESSIVE));
}


static bool
judge_reader_negated(const judge_wording_t *w, size_t i)
{
    size_t               k, end;
    const uint8_t       *classes;
    const judge_type_t  *type;

    for (k = 1; k <= JUDGE_NEGATION_WORDS && k <= i; k++) {
        if (w->sentences[i - k] != w->sentences[i]) {
            break;
        }

        classes = judge_pattern_at(&judge_text_patterns, w, i - k, &end);

        type = &w->text->types[w->text->tokens[w->tokens[i - k]].type];

        if (type->form & JUDGE_W_NEGATION
            || (classes != NULL && (classes[0] == JUDGE_FOUND_NEGATION
                                    || classes[1] == JUDGE_FOUND_NEGATION)))
        {
            return true;
        }
    }

    return false;
}


/* 0 to 1: words in an order that tells nothing of the next one.  One in a
 * thousand essays of learners has any of it. */

static double
judge_reader_shuffled(const judge_measure_t *m)
{
    double  gain, unseen;

    gain = JUDGE_SALAD_GAIN - (double) m->v[JUDGE_F_MODEL_GAIN];
    unseen = (double) m->v[JUDGE_F_MODEL_UNSEEN] - JUDGE_SALAD_SOME;

    return judge_clamp(gain / JUDGE_SALAD_GAIN_RANGE, 0, 1)
           * judge_clamp(unseen / JUDGE_SALAD_SOME_RANGE, 0, 1);
}


/* The same of other languages, by the classes of words that follow each
 * other: prose of 60 words has 0.56 to 0.75, shuffled 0.35 to 0.51. */

static double
judge_reader_unclassed(const judge_measure_t *m)
{
    double  least;

    least = JUDGE_SALAD_CLASSES
            - JUDGE_SALAD_FEW / sqrt((double) m->text->nwords);

    return judge_clamp((least - (double) m->v[JUDGE_F_MODEL_GAIN])
                       / JUDGE_SALAD_CLASSES_RANGE, 0, 1);
}


/* Words without grammar: few of the short words that join others, or pairs
 * of words that English does not have. */

static void
judge_reader_salad(judge_measure_t *m)
{
    double               glue, salad, odd, marks, prose;
    size_t               i;
    const judge_text_t  *t;

    t = m->text;

    if (t->nwords < JUDGE_SALAD_WORDS) {
        return;
    }

    /* lists have numbers, marks or lines for it */

    for (i = 0, marks = 0; i < t->ntokens; i++) {
        marks += t->tokens[i].kind == JUDGE_TOKEN_NUMBER
                 || (t->tokens[i].kind == JUDGE_TOKEN_MARK
                     && t->tokens[i].mark != '.');
    }

    prose = judge_clamp(1 - JUDGE_SALAD_MARKS
                            * judge_share(marks, (double) t->nwords), 0, 1);

    if (t->language == JUDGE_LANGUAGE_ENGLISH
        || (t->language == JUDGE_LANGUAGE_UNKNOWN
            && m->found[JUDGE_FOUND_GLUE].count == 0))
    {
        glue = 1 - (double) m->v[JUDGE_F_CONTENT_SHARE];
        salad = judge_clamp(((double) m->v[JUDGE_F_MODEL_UNSEEN]
                             - JUDGE_SALAD_UNSEEN) / JUDGE_SALAD_SPREAD, 0, 1);
        odd = judge_reader_shuffled(m) * prose;
        salad = odd > salad ? odd : salad;

    } else if (m->found[JUDGE_FOUND_GLUE].count > 0) {
        glue = judge_share(m->found[JUDGE_FOUND_GLUE].count,
                           (double) t->nwords);
        salad = 0;

        /* phrases have the commonest ones, the language's list has more */

        if (judge_lexis(t->language) != NULL) {
            salad = judge_reader_unclassed(m) * prose;
            glue = glue < 1 - (double) m->v[JUDGE_F_CONTENT_SHARE]
                   ? 1 - (double) m->v[JUDGE_F_CONTENT_SHARE] : glue;
        }

    } else {
        return;
    }

    glue += judge_share(marks, (double) t->nwords)
            + (m->found[JUDGE_FOUND_GLUE].count > 0 ? JUDGE_SALAD_OTHER : 0);
    glue = judge_clamp((JUDGE_SALAD_GLUE - glue) / JUDGE_SALAD_RANGE, 0, 1);
    m->v[JUDGE_F_SALAD] = (float) (glue > salad ? glue : salad);
}
