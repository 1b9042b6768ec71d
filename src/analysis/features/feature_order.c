/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Whether sentences belong together, and stand in their order: one that is
 * near to none of its neighbours is stray; one that leans on what has not been
 * said yet is out of order, as "Finally" before "First", and "the mill" before
 * "a mill".
 *
 * After Foltz, P. W., Kintsch, W., Landauer, T. K. (1998), The measurement of
 * textual coherence (neighbouring sentences by their vectors).
 */


#include <string.h>

#include "analysis/features/feature.h"
#include "analysis/text/language.h"


#define JUDGE_ORDER_SENTENCES  24      /* the first ones are compared */
#define JUDGE_ORDER_LEAST      3
#define JUDGE_ORDER_KNOWN      32      /* of "the" */
#define JUDGE_ORDER_REACH      2       /* sentences to both sides */
#define JUDGE_ORDER_WORDS      2       /* with a vector, of a sentence */
#define JUDGE_STRAY_NEAR       0.35    /* cosine of a neighbour */
#define JUDGE_STRAY_FAR        0.15
#define JUDGE_STRAY_JOINED     0.1     /* nearer, by a word that joins */


typedef struct {
    judge_meaning_t  sentences[JUDGE_ORDER_SENTENCES];
    double           near[JUDGE_ORDER_SENTENCES];   /* cosine to the nearest
                                                       of the neighbours */
    size_t           n;
} judge_order_t;


static void judge_order_meanings(const judge_measure_t *m, judge_order_t *o);
static void judge_order_compare(judge_order_t *o);
static double judge_order_joined(const judge_measure_t *m, size_t i);
static uint32_t judge_order_openings(const judge_measure_t *m);
static bool judge_order_is(const uint8_t *classes, judge_found_e class);
static uint32_t judge_order_mentions(const judge_measure_t *m);
static bool judge_order_nobody(const judge_measure_t *m);


judge_rc_e
judge_measure_order(judge_measure_t *m)
{
    size_t          i, n;
    double          stray, near;
    judge_order_t   o;

    if (m->text->nsentences < JUDGE_ORDER_LEAST) {
        return JUDGE_OK;
    }

    m->n[JUDGE_F_DISORDER] = judge_order_openings(m);

    if (m->text->language != JUDGE_LANGUAGE_ENGLISH) {
        return JUDGE_OK;
    }

    m->n[JUDGE_F_DISORDER] += judge_order_mentions(m) + judge_order_nobody(m);
    judge_order_meanings(m, &o);
    judge_order_compare(&o);

    for (i = 0, n = 0, stray = 0; i < o.n; i++) {
        if (o.sentences[i].words < JUDGE_ORDER_WORDS) {
            continue;
        }

        near = o.near[i] + judge_order_joined(m, i);
        stray += judge_clamp((JUDGE_STRAY_NEAR - near)
                             / (JUDGE_STRAY_NEAR - JUDGE_STRAY_FAR), 0, 1);
        n++;
    }

    m->v[JUDGE_F_STRAY] = n <= JUDGE_ORDER_LEAST
                          ? 0 : (float) judge_share(stray, (double) n);

    return JUDGE_OK;
}


static void
judge_order_meanings(const judge_measure_t *m, judge_order_t *o)
{
    size_t                   i, k;
    const int8_t            *vector;
    const judge_type_t      *type;
    const judge_sentence_t  *sentence;

    memset(o, 0, sizeof(judge_order_t));
    o->n = m->text->nsentences < JUDGE_ORDER_SENTENCES
           ? m->text->nsentences : JUDGE_ORDER_SENTENCES;

    for (i = 0; i < o->n; i++) {
        sentence = &m->text->sentences[i];

        for (k = sentence->first; k < sentence->end; k++) {
            if (m->text->tokens[k].kind != JUDGE_TOKEN_WORD) {
                continue;
            }

            type = &m->text->types[m->text->tokens[k].type];
            vector = type->content ? m->vectors[m->text->tokens[k].type]
                                   : NULL;

            if (vector != NULL) {
                judge_meaning_add(&o->sentences[i], vector,
                                  judge_vector_weights[type->rarity]);
            }
        }
    }
}


/* By a first word that takes up what was said, as "but" or "they". */

static double
judge_order_joined(const judge_measure_t *m, size_t i)
{
    size_t                   k;
    const judge_sentence_t  *s;

    s = &m->text->sentences[i];

    for (k = s->first; k < s->end; k++) {
        if (m->text->tokens[k].kind == JUDGE_TOKEN_WORD) {
            return (m->senses[k] & JUDGE_W_CONNECTIVE)
                   || (m->forms[k] & (JUDGE_W_COORDINATOR | JUDGE_W_PRONOUN
                                      | JUDGE_W_DEMONSTRATIVE))
                   ? JUDGE_STRAY_JOINED : 0;
        }
    }

    return 0;
}


/* Each with those behind it that are within reach. */

static void
judge_order_compare(judge_order_t *o)
{
    size_t  i, k;
    double  near, norms[JUDGE_ORDER_SENTENCES];

    for (i = 0; i < o->n; i++) {
        o->near[i] = -1;
        norms[i] = judge_meaning_dot(&o->sentences[i], &o->sentences[i]);
    }

    for (i = 0; i < o->n; i++) {
        for (k = i + 1; k < o->n && k <= i + JUDGE_ORDER_REACH; k++) {
            if (o->sentences[i].words == 0 || o->sentences[k].words == 0) {
                continue;
            }

            near = norms[i] > 0 && norms[k] > 0
                   ? judge_meaning_dot(&o->sentences[i], &o->sentences[k])
                     / sqrt(norms[i] * norms[k]) : 0;
            o->near[i] = near > o->near[i] ? near : o->near[i];
            o->near[k] = near > o->near[k] ? near : o->near[k];
        }
    }
}


/* The first sentence leans on another one, where nothing was asked; and one
 * that begins stands behind one that goes on. */

static uint32_t
judge_order_openings(const judge_measure_t *m)
{
    bool                    leaning;
    size_t                  i, end;
    uint32_t                n;
    const uint8_t          *classes;
    const judge_wording_t  *w;

    w = &m->wording;

    for (i = 0, n = 0, leaning = false; i < w->n; i++) {
        if (i > 0 && w->sentences[i] == w->sentences[i - 1]) {
            continue;
        }

        if (w->sentences[i] >= JUDGE_ORDER_SENTENCES) {
            break;
        }

        classes = judge_pattern_at(&judge_text_patterns, w, i, &end);

        if (judge_order_is(classes, JUDGE_FOUND_LEANS)) {
            n += i == 0 && m->question == NULL;
            leaning = true;

        } else if (judge_order_is(classes, JUDGE_FOUND_BEGINS)) {
            n += leaning;
            leaning = false;
        }
    }

    return n;
}


static bool
judge_order_is(const uint8_t *classes, judge_found_e class)
{
    return classes != NULL && (classes[0] == class || classes[1] == class);
}


/* "The mill" behind which "a mill" comes for the first time; and he, she or
 * they of whom nothing was said, with somebody named later. */

static uint32_t
judge_order_mentions(const judge_measure_t *m)
{
    size_t                   i, k, n, end;
    uint32_t                 found, known[JUDGE_ORDER_KNOWN];
    const judge_token_t     *tokens;
    const judge_sentence_t  *sentences;

    tokens = m->text->tokens;
    sentences = m->text->sentences;
    n = m->text->nsentences < JUDGE_ORDER_SENTENCES
        ? m->text->nsentences : JUDGE_ORDER_SENTENCES;
    end = sentences[n - 1].end;

    for (i = 0, found = 0, n = 0; i + 1 < end; i++) {
        if (!(m->forms[i] & JUDGE_W_ARTICLE)
            || tokens[i + 1].kind != JUDGE_TOKEN_WORD)
        {
            continue;
        }

        if (!(m->forms[i] & (JUDGE_W_A | JUDGE_W_AN))) {
            if (n < JUDGE_ORDER_KNOWN) {
                known[n++] = tokens[i + 1].type;
            }

            continue;
        }

        for (k = 0; k < n && known[k] != tokens[i + 1].type; k++) {
            /* void */
        }

        found += k < n && m->text->types[tokens[i + 1].type].content
                 && m->text->types[tokens[i + 1].type].count == 2;
    }

    return found;
}


/* A text that begins with he, she or they and names somebody later. */

static bool
judge_order_nobody(const judge_measure_t *m)
{
    size_t                   i, k;
    uint64_t                 form;
    const judge_type_t      *type;
    const judge_sentence_t  *s;

    s = m->text->sentences;

    for (i = s->first, form = 0; i < s->end && i < s->first + 5u; i++) {
        form |= m->forms[i] & JUDGE_W_THIRD;
        form |= m->forms[i] & JUDGE_W_PLURAL_SUBJECT
                && !(m->forms[i] & (JUDGE_W_FIRST_PERSON
                                    | JUDGE_W_SECOND_PERSON))
                ? JUDGE_W_THIRD : 0;
    }

    if (form == 0) {
        return false;
    }

    for (i = 1; i < m->text->nsentences && i < JUDGE_ORDER_SENTENCES; i++) {
        for (k = s[i].first; k < s[i].end; k++) {
            if (m->text->tokens[k].kind == JUDGE_TOKEN_WORD) {
                break;
            }
        }

        if (k == s[i].end) {
            continue;
        }

        type = &m->text->types[m->text->tokens[k].type];

        if (type->content && !type->lower && type->first == k
            && !(type->form & (JUDGE_W_PLURAL | JUDGE_W_ADVERB))
            && k + 1 < s[i].end
            && m->forms[k + 1] & (JUDGE_W_PAST | JUDGE_W_VERB_S | JUDGE_W_BE))
        {
            return true;
        }
    }

    return false;
}
