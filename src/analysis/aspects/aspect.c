/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/* The score of an aspect. */


#include <math.h>
#include <string.h>

#include "analysis/aspects/aspect.h"
#include "analysis/text/language.h"


#define JUDGE_ASPECT_ENGLISH  30       /* so many of 100 words are known, */
#define JUDGE_ASPECT_SPELLED  50       /* where unknown ones are faults */
#define JUDGE_ASPECT_TELLING  4        /* of fewer words one is enough */


/* Words of an unknown language are English where it knows enough of them. */

static uint8_t
judge_aspect_language(const judge_aspect_t *aspect, const judge_text_t *t)
{
    size_t  i, all, known, least = JUDGE_ASPECT_ENGLISH;

    if (t->language != JUDGE_LANGUAGE_UNKNOWN) {
        return t->language;
    }

    for (i = 0; i < aspect->nfaults; i++) {
        if (aspect->faults[i].feature == JUDGE_F_CONVENTION_SLIPS) {
            least = JUDGE_ASPECT_SPELLED;
        }
    }

    for (i = 0, all = 0, known = 0; i < t->ntypes; i++) {
        all += t->types[i].kind == JUDGE_TOKEN_WORD
               || t->types[i].kind == JUDGE_TOKEN_IDEOGRAPH;
        known += (t->types[i].form & (JUDGE_W_KNOWN | JUDGE_W_NAME)) != 0
                 || t->types[i].sense != 0;
    }

    return known > 0 && !t->foreign
           && (all < JUDGE_ASPECT_TELLING || known * 100 >= all * least)
           ? JUDGE_LANGUAGE_ENGLISH : JUDGE_LANGUAGE_UNKNOWN;
}


static judge_aspect_why_e
judge_aspect_why(const judge_aspect_t *aspect, const judge_measure_t *m)
{
    const uint8_t  language = judge_aspect_language(aspect, m->text);

    if (!(aspect->languages & 1ull << language)) {
        return JUDGE_ASPECT_FOREIGN;
    }

    /* a translation has no words in common with what it is faithful to */

    if (aspect->beside == JUDGE_BESIDE_SOURCE
        && (m->source == NULL
            || (m->source->language != JUDGE_LANGUAGE_UNKNOWN
                && m->source->language != language)))
    {
        return JUDGE_ASPECT_NO_SOURCE;
    }

    if (aspect->beside == JUDGE_BESIDE_QUESTION && m->question == NULL) {
        return JUDGE_ASPECT_NO_QUESTION;
    }

    return m->text->nwords < aspect->words ? JUDGE_ASPECT_SHORT
                                           : JUDGE_ASPECT_JUDGED;
}


/* The sum of the distances, in spreads, from the mean of the texts that the
 * aspect was fitted on; in score->points meanwhile what each feature adds. */

static void
judge_aspect_sum(judge_aspect_score_t *score, const judge_measure_t *m)
{
    size_t                         i;
    const judge_aspect_feature_t  *f;

    for (i = 0; i < score->aspect->nfeatures; i++) {
        f = &score->aspect->features[i];

        if (f->languages & 1ull << m->text->language
            && judge_measured(m, f->feature))
        {
            score->points[i] = (double) f->weight
                * judge_clamp(((double) m->v[f->feature] - (double) f->mean)
                              / (double) f->spread,
                              -JUDGE_ASPECT_BOUND, JUDGE_ASPECT_BOUND);
            score->sum += score->points[i];
        }
    }
}


/* Without a fault the features choose between 95 and 100; with some they move
 * the score, and the less the fewer there are. */

static void
judge_aspect_faults(judge_aspect_score_t *score, const judge_measure_t *m)
{
    size_t                 i;
    double                 most, words = (double) m->text->nwords;
    const judge_aspect_t  *a = score->aspect;

    for (i = 0; i < a->nfaults; i++) {
        score->faults += (double) a->faults[i].weight
                         * (double) m->v[a->faults[i].feature]
                         * words / (words + JUDGE_ASPECT_WORDS);
    }

    score->kept = JUDGE_ASPECT_CLEAN
                  * judge_exp(-score->faults / (double) a->rate);

    if (!(score->faults > 0)) {
        score->unit = (100 - JUDGE_ASPECT_CLEAN) / (2 * JUDGE_ASPECT_BOUND);
        score->score = score->kept
                       + score->unit * (score->sum + JUDGE_ASPECT_BOUND);

    } else {
        most = JUDGE_ASPECT_MOVED * (JUDGE_ASPECT_CLEAN - score->kept);
        score->unit = score->kept * (double) a->wording;
        score->unit *= most / (most + score->unit * fabs(score->sum));
        score->score = judge_clamp(score->kept + score->unit * score->sum,
                                   0, JUDGE_ASPECT_CLEAN - 1);
    }
}


void
judge_aspect_score(judge_aspect_score_t *score, const judge_aspect_t *aspect,
    const judge_measure_t *m)
{
    size_t  i;

    memset(score, 0, sizeof(judge_aspect_score_t));
    score->aspect = aspect;
    score->score = NAN;
    score->why = judge_aspect_why(aspect, m);

    if (score->why != JUDGE_ASPECT_JUDGED) {
        return;
    }

    judge_aspect_sum(score, m);

    if (aspect->nfaults > 0) {
        judge_aspect_faults(score, m);

    } else {
        score->unit = 100 / (double) (aspect->high - aspect->low);
        score->score = judge_clamp(score->unit * (score->sum
                                   - (double) aspect->low), 0, 100);
    }

    score->score = judge_round2(score->score);

    for (i = 0; i < aspect->nfeatures; i++) {
        score->points[i] *= score->unit;
    }
}
