/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Criteria are matched to aspects by phrases of their names and descriptions.
 * An aspect takes its share of the score; what spoils a text for any reader
 * costs points whatever the criterion asks for.
 */


#include <string.h>

#include "analysis/builtin/reader.h"


#define JUDGE_READER_NAME     3        /* a phrase in the name, of one in the
                                          description */
#define JUDGE_READER_LEAST    0.4      /* of the best; less is left out */
#define JUDGE_READER_ASPECT   12.0     /* of an aspect's mean over its terms */
#define JUDGE_READER_SHORT    60.0     /* words: in a longer text one phrase
                                          says less of the whole */

/* Effects of what spoils a text. */
#define JUDGE_SPOILED_REFUSAL   6.0
#define JUDGE_SPOILED_SALAD     8.0
#define JUDGE_SPOILED_ECHO      4.0
#define JUDGE_SPOILED_LURE      2.5
#define JUDGE_SPOILED_DANGER    2.0
#define JUDGE_SPOILED_RANT      0.8
#define JUDGE_SPOILED_SUBJECT   5.0
#define JUDGE_SPOILED_KIND      4.0    /* only the kind of text is named */
#define JUDGE_SPOILED_TURN      1.0    /* in talk the subject changes */
#define JUDGE_SPOILED_CONTRA    5.0
#define JUDGE_ECHO_MOST         0.6    /* of the topic words: an echo */
#define JUDGE_SUBJECT_PLAIN     0.5    /* nearness of what is about it */
#define JUDGE_RANT_MOST         12.0   /* of 100 words */


static void judge_reader_points(double *points, const judge_wording_t *w,
    double weight);
static void judge_reader_best(judge_reader_match_t *match,
    const double *points);
static double judge_reader_part(const judge_measure_t *m,
    const judge_aspect_t *aspect);
static void judge_reader_aspect(const judge_measure_t *m,
    const judge_aspect_t *aspect, double weight, judge_effect_t *all);
static void judge_reader_spoiled(const judge_measure_t *m,
    const judge_reader_match_t *match, judge_effect_t *all);
static bool judge_reader_topical(const judge_measure_t *m,
    const judge_reader_match_t *match);



judge_rc_e
judge_reader_match(judge_reader_match_t *match, judge_arena_t *arena,
    judge_str_t name, judge_str_t description, uint8_t unasked)
{
    size_t           i;
    double           points[JUDGE_ASPECTS];
    judge_text_t     t;
    judge_wording_t  w;

    memset(match, 0, sizeof(judge_reader_match_t));
    memset(points, 0, sizeof(points));

    for (i = 0; i < 2; i++) {
        if (judge_text_parse(&t, arena, i == 0 ? name : description)
            != JUDGE_OK
            || judge_wording_create(&w, arena, &t) != JUDGE_OK)
        {
            return JUDGE_NOMEM;
        }

        judge_reader_points(points, &w, i == 0 ? JUDGE_READER_NAME : 1);
    }

    judge_reader_best(match, points);

    for (i = 0; i < match->n; i++) {
        if (match->aspects[i] == unasked) {
            match->aspects[i] = JUDGE_ASPECT_FORM;
        }
    }

    return JUDGE_OK;
}


static void
judge_reader_points(double *points, const judge_wording_t *w, double weight)
{
    size_t          i, k, end;
    const uint8_t  *classes;

    for (i = 0; i < w->n; i++) {
        classes = judge_pattern_at(&judge_criterion_patterns, w, i, &end);

        for (k = 0; classes != NULL && k < 2 && classes[k] != 0; k++) {
            points[classes[k]] += judge_aspects[classes[k]].share > 0
                                  ? weight : 0;
        }
    }
}


/* The aspects with the most points; of equals the first of the table. */

static void
judge_reader_best(judge_reader_match_t *match, const double *points)
{
    size_t  i, k, next;
    bool    taken[JUDGE_ASPECTS] = { false };
    double  sum;

    sum = 0;

    for (k = 0; k < JUDGE_READER_ASPECTS; k++) {
        for (i = 1, next = 0; i < JUDGE_ASPECTS; i++) {
            if (!taken[i] && points[i] > 0
                && (next == 0 || points[i] > points[next]))
            {
                next = i;
            }
        }

        if (next == 0 || (k > 0 && points[next] < JUDGE_READER_LEAST
                                                  * match->weights[0]))
        {
            break;
        }

        taken[next] = true;
        match->aspects[k] = (uint8_t) next;
        match->weights[k] = points[next];
        match->n = k + 1;
        sum += points[next];
    }

    for (k = 0; k < match->n; k++) {
        match->weights[k] /= sum;
    }
}


/* Facts, figures and what matters are those of the document, where there is
 * one; where there is none, nothing agrees with it, and where nothing is asked
 * there is no answer.  FORM has no share. */

const judge_aspect_t *
judge_reader_asked(const judge_measure_t *m, uint8_t aspect)
{
    if (m->source != NULL && m->question == NULL) {
        switch (aspect) {

        case JUDGE_ASPECT_CORRECT:
        case JUDGE_ASPECT_AMOUNT:
        case JUDGE_ASPECT_DATE:
            aspect = JUDGE_ASPECT_FAITHFUL;
            break;

        case JUDGE_ASPECT_ANSWER:
        case JUDGE_ASPECT_SPECIFIC:
            aspect = JUDGE_ASPECT_FORM;
            break;
        }
    }

    if ((aspect == JUDGE_ASPECT_ANSWER && m->question == NULL)
        || (aspect == JUDGE_ASPECT_FAITHFUL && m->source == NULL))
    {
        aspect = JUDGE_ASPECT_FORM;
    }

    return &judge_aspects[aspect];
}


double
judge_reader_share(const judge_measure_t *m, const judge_reader_match_t *match)
{
    size_t  i;
    double  share;

    for (i = 0, share = 0; i < match->n; i++) {
        share += match->weights[i]
                 * judge_reader_part(m, judge_reader_asked(m,
                                                         match->aspects[i]));
    }

    return share;
}


/* The aspect's share of the score.  In long texts general quality predicts
 * people's scores of an aspect better than the rate of its phrases does. */

static double
judge_reader_part(const judge_measure_t *m, const judge_aspect_t *aspect)
{
    double  n = (double) m->text->nwords;

    return aspect->words > 0 && n > (double) aspect->words
           ? (double) aspect->share * (double) aspect->words / n
           : (double) aspect->share;
}


size_t
judge_reader_effects(const judge_measure_t *m,
    const judge_reader_match_t *match, judge_effect_t *list, size_t n)
{
    size_t                 i;
    double                 share;
    judge_effect_t         all[JUDGE_FEATURES];
    const judge_aspect_t  *aspect;

    memset(all, 0, sizeof(all));

    share = judge_reader_share(m, match);

    for (i = 0; i < n; i++) {
        all[list[i].feature] = list[i];
        all[list[i].feature].effect *= 1 - share;
    }

    for (i = 0; i < match->n; i++) {
        aspect = judge_reader_asked(m, match->aspects[i]);
        judge_reader_aspect(m, aspect,
                            match->weights[i] * judge_reader_part(m, aspect),
                            all);
    }

    judge_reader_spoiled(m, match, all);

    for (i = 0, n = 0; i < JUDGE_FEATURES; i++) {
        if (all[i].effect != 0) {
            list[n] = all[i];
            list[n++].feature = (uint8_t) i;
        }
    }

    return n;
}


static void
judge_reader_aspect(const judge_measure_t *m, const judge_aspect_t *aspect,
    double weight, judge_effect_t *all)
{
    double               x, sum;
    judge_effect_t      *e;
    const judge_term_t  *term;

    for (term = aspect->terms, sum = 0; term->shape != JUDGE_TERM_END;
         term++)
    {
        sum += judge_measured(m, term->feature) ? (double) term->weight : 0;
    }

    for (term = aspect->terms; term->shape != JUDGE_TERM_END; term++) {
        if (!judge_measured(m, term->feature)) {
            continue;
        }

        x = ((double) m->v[term->feature] - (double) term->middle)
            / (double) term->spread;
        e = &all[term->feature];
        e->middle = term->middle;
        e->spread = term->spread;
        x = judge_squash(term->shape == JUDGE_TERM_NEAR ? 1 - fabs(x) : x);
        x = term->shape == JUDGE_TERM_LESS ? -x : x;
        e->effect += JUDGE_READER_ASPECT * weight * (double) term->weight * x
                     / sum;
    }
}


static void
judge_reader_spoiled(const judge_measure_t *m,
    const judge_reader_match_t *match, judge_effect_t *all)
{
    double        brief, echo, near;
    const float  *v;

    v = m->v;
    brief = JUDGE_READER_SHORT
            / (JUDGE_READER_SHORT + (double) m->text->nwords);
    all[JUDGE_F_REFUSAL].effect -= JUDGE_SPOILED_REFUSAL * brief
                     * judge_clamp((double) v[JUDGE_F_REFUSAL], 0, 1);
    all[JUDGE_F_LURE].effect -= JUDGE_SPOILED_LURE * brief
                     * judge_clamp((double) v[JUDGE_F_LURE], 0, 2);
    all[JUDGE_F_DANGER].effect -= JUDGE_SPOILED_DANGER * brief
                     * judge_clamp((double) v[JUDGE_F_DANGER], 0, 2);
    all[JUDGE_F_SALAD].effect -= JUDGE_SPOILED_SALAD
                                 * (double) v[JUDGE_F_SALAD];
    all[JUDGE_F_RANT].effect -= JUDGE_SPOILED_RANT * (1 - brief)
                     * judge_clamp((double) v[JUDGE_F_RANT], 0,
                                   JUDGE_RANT_MOST);
    all[JUDGE_F_CONTRADICTIONS].effect -= JUDGE_SPOILED_CONTRA
                     * judge_clamp((double) v[JUDGE_F_CONTRADICTIONS], 0, 2);

    echo = ((double) v[JUDGE_F_ECHO] - JUDGE_ECHO_MOST)
           / (1 - JUDGE_ECHO_MOST);
    all[JUDGE_F_ECHO].effect -= JUDGE_SPOILED_ECHO * judge_clamp(echo, 0, 1);

    /* nearer is better only up to what is plainly about it */

    if (judge_reader_topical(m, match)) {
        near = (double) v[JUDGE_F_TOPIC_NEAR]
               + (double) v[JUDGE_F_TOPIC_MET];
        near = judge_clamp(near / JUDGE_SUBJECT_PLAIN, 0, 1);

        /* without vectors synonyms of what is asked for are not seen */

        if (!judge_measured(m, JUDGE_F_TOPIC_NEAR)
            && near < (double) v[JUDGE_F_ANSWER_FIT])
        {
            near = (double) v[JUDGE_F_ANSWER_FIT];
        }

        all[JUDGE_F_TOPIC_NEAR].effect -=
            (1 - near) * (m->dialogue != NULL ? JUDGE_SPOILED_TURN
                          : m->question == NULL && !m->subject->named
                          ? JUDGE_SPOILED_KIND
                          : JUDGE_SPOILED_SUBJECT);
    }
}


/* Whether a text on another topic fails: for every criterion where the topic
 * is named, else for those that ask for it. */

static bool
judge_reader_topical(const judge_measure_t *m,
    const judge_reader_match_t *match)
{
    bool    asked;
    size_t  i;

    if (m->question != NULL) {
        return true;
    }

    /* words of another language are not met, whatever it is about */

    if (m->subject == NULL
        || (m->subject->language != m->text->language
            && !judge_measured(m, JUDGE_F_TOPIC_NEAR)))
    {
        return false;
    }

    for (i = 0, asked = m->subject->named; i < match->n; i++) {
        asked |= match->aspects[i] == JUDGE_ASPECT_ANSWER;
    }

    return asked;
}
