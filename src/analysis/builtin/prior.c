/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Each feature becomes a normal score among the reference texts.  Beyond them
 * it goes on in a straight line, so that no kind of texts, however unlike the
 * reference, is seen as all the same; it is divided by how much texts of one
 * kind differ, as it is within one kind that a judge compares.
 */


#include <string.h>

#include "analysis/builtin/prior.h"
#include "analysis/text/language.h"
#include "analysis/text/lexis.h"


#define JUDGE_NORMAL_MAX     4.0       /* a normal score ends there */
#define JUDGE_QUALITY        0.25      /* of the factors' sum */
#define JUDGE_QUALITY_COMPARED  0.5    /* of that, where a source is what
                                          counts */
#define JUDGE_ASPECT         4.0       /* of an aspect's mean over its terms */
#define JUDGE_ASPECT_SOURCE  12.0
#define JUDGE_ASPECT_ALONE   10.0
#define JUDGE_ASPECT_DIRECT  16.0
#define JUDGE_ASPECT_ANY     1.0       /* of general quality's, in a text that
                                          is long enough to tell */
#define JUDGE_LONG           0.25      /* of the sum, which grows by that */
#define JUDGE_ASPECT_TURN    0.6       /* of one that stands alone: how a turn
                                          takes up the one before */
#define JUDGE_ASPECT_WORDS   50.0      /* words from which half of it counts */
#define JUDGE_SCORE_UNIT     5.0       /* of the sum: 35 points */

/* What a short text has no room for. */
#define JUDGE_BRIEF          5.0       /* that effect at most is made up for */
#define JUDGE_BRIEF_GROWS    0.4       /* of it, of what grows with length */
#define JUDGE_BRIEF_TALK     0.8       /* of a turn of talk, however written */
#define JUDGE_BRIEF_ALL      3.4       /* ln(words): up to 30 in full */
#define JUDGE_BRIEF_END      4.7       /* from 110 on nothing */
#define JUDGE_BRIEF_LEAST    2.0       /* words: so few say nothing */
#define JUDGE_BRIEF_ENOUGH   12.0      /* words that do */
#define JUDGE_BRIEF_TOLD     40.0      /* that tell of a document */
#define JUDGE_SOUND_SLIPS    2.0       /* of 100 words: half sound */
#define JUDGE_SOUND_SEEN     5.0       /* words, as if seen besides */
#define JUDGE_SOUND_VARIED   0.9       /* different words of 50 */
#define JUDGE_SOUND_VARIES   0.2

/* What is usual in long texts, in units of the sum. */
#define JUDGE_USUAL          4.0
#define JUDGE_USUAL_SOME     4.1       /* ln(words): from 30 on rising to 60,
                                          where a text is sound to 150 */
#define JUDGE_USUAL_FROM     5.0
#define JUDGE_USUAL_LEAST    -0.5      /* of a sum up to this nothing */
#define JUDGE_USUAL_ALL      4.5       /* from this on all, */
#define JUDGE_USUAL_BEYOND   6.0       /* and less of what is better still */
#define JUDGE_USUAL_BACK     0.4

#define JUDGE_LACK_TALK      2.5       /* what is no lack there */
#define JUDGE_LACK_SOURCE    1.0

#define JUDGE_STRAY          7.0       /* what stray sentences cost */
#define JUDGE_STRAY_SOME     0.35      /* a share that many good texts have */
#define JUDGE_STRAY_RANGE    0.35
#define JUDGE_DISORDER       0.9
#define JUDGE_DISORDER_SHORT 2.1       /* and more in few words */
#define JUDGE_BROKEN         3.0       /* what breaking off costs */
#define JUDGE_SUMMARY        6.0       /* what a summary of no words costs: */
#define JUDGE_SUMMARY_WORDS  30.0      /* so many are enough, */
#define JUDGE_SUMMARY_SHARE  0.25      /* or this share of the source's */
#define JUDGE_SOUND_VAGUE    0.25      /* of the words: not sound at all */
#define JUDGE_UNKNOWN_FEW    0.15      /* of the words: it is English */
#define JUDGE_UNKNOWN_MANY   0.30      /* it is not */
#define JUDGE_KNOWN_FEW      0.5       /* of the words: strange to it */
#define JUDGE_ENGLISH_WORDS  20.0      /* known ones, as if seen besides: a
                                          few names make no other language */


static double judge_prior_known(const judge_text_t *t);
static double judge_prior_english(const judge_measure_t *m);
static void judge_prior_factor(judge_prior_t *p,
    const judge_factor_t *factor);
static void judge_prior_aspect(const judge_prior_t *p, judge_trait_e trait,
    double weight, judge_effect_t *list);
static double judge_prior_term(const judge_prior_t *p,
    const judge_term_t *term);
static void judge_prior_add(const judge_prior_t *p, const judge_term_t *term,
    double effect, judge_effect_t *list);
static double judge_prior_alone(const judge_prior_t *p,
    const judge_trait_t *row);
static double judge_prior_weight(const judge_prior_t *p,
    const judge_term_t *term);
static double judge_prior_quality(const judge_prior_t *p,
    judge_trait_e trait);
static void judge_prior_brief(const judge_prior_t *p,
    const judge_trait_match_t *match, judge_effect_t *list);
static void judge_prior_joined(const judge_prior_t *p,
    const judge_trait_match_t *match, judge_effect_t *list);
static void judge_prior_summary(const judge_prior_t *p,
    const judge_trait_match_t *match, judge_effect_t *list);
static double judge_prior_room(const judge_prior_t *p,
    const judge_trait_match_t *match);
static void judge_prior_spoil(judge_effect_t *list, judge_feature_e feature,
    double cost);
static double judge_prior_short(const judge_measure_t *m);
static double judge_prior_sound(const judge_measure_t *m);
static double judge_prior_usual(const judge_measure_t *m, double sum);


void
judge_prior(judge_prior_t *p, const judge_measure_t *m,
    const judge_reference_t *references)
{
    size_t                 i;
    const judge_factor_t  *factor;

    memset(p, 0, sizeof(judge_prior_t));
    p->m = m;
    p->references = references;
    p->english = judge_prior_english(m);

    for (i = 0; i < JUDGE_FEATURES; i++) {
        p->normals[i] = judge_prior_normal(p, i);
    }

    for (factor = judge_factors; factor->terms != NULL; factor++) {
        if (!factor->with_source || m->source != NULL) {
            judge_prior_factor(p, factor);
        }
    }
}


/* Words that the list has. */

static double
judge_prior_known(const judge_text_t *t)
{
    size_t               i;
    uint64_t             known;
    const judge_type_t  *type;

    known = 0;

    for (i = 0; i < t->ntypes; i++) {
        type = &t->types[i];

        if ((type->form != 0 || type->sense != 0)
            && type->kind == JUDGE_TOKEN_WORD)
        {
            known += type->count;
        }
    }

    return (double) known;
}


bool
judge_prior_foreign(const judge_text_t *t)
{
    if (t->language == JUDGE_LANGUAGE_UNKNOWN) {
        return judge_prior_known(t) < JUDGE_KNOWN_FEW * (double) t->nwords;
    }

    return t->language != JUDGE_LANGUAGE_ENGLISH
           && judge_lexis(t->language) == NULL;
}


/* In doubt by the share of the words that no list has. */

static double
judge_prior_english(const judge_measure_t *m)
{
    double  unknown;

    if (m->text->language != JUDGE_LANGUAGE_UNKNOWN) {
        return m->text->language == JUDGE_LANGUAGE_ENGLISH
               || judge_lexis(m->text->language) != NULL;
    }

    unknown = ((double) m->text->nwords - judge_prior_known(m->text))
              / ((double) m->text->nwords + JUDGE_ENGLISH_WORDS);

    return judge_clamp((JUDGE_UNKNOWN_MANY - unknown)
                       / (JUDGE_UNKNOWN_MANY - JUDGE_UNKNOWN_FEW), 0, 1);
}


/* Between the factor of all members and that of those for any language. */

static void
judge_prior_factor(judge_prior_t *p, const judge_factor_t *factor)
{
    double               all, any, weight;
    const judge_term_t  *term;

    all = 0;
    any = 0;

    for (term = factor->terms; term->shape != JUDGE_TERM_END; term++) {
        all += judge_measured(p->m, term->feature);
        any += judge_features[term->feature].any_language;
    }

    for (term = factor->terms; term->shape != JUDGE_TERM_END; term++) {
        if (!judge_measured(p->m, term->feature)) {
            continue;
        }

        /* a summary develops nothing by being cut into more sentences */

        if (term->feature == JUDGE_F_SENTENCES && p->m->source != NULL
            && !factor->with_source)
        {
            continue;
        }

        weight = p->english / sqrt(all);

        if (judge_features[term->feature].any_language) {
            weight += (1 - p->english) / sqrt(any);
        }

        weight *= (double) factor->weight * (double) term->weight;
        weight *= term->shape == JUDGE_TERM_MORE ? JUDGE_QUALITY
                                                 : -JUDGE_QUALITY;
        judge_prior_add(p, term,
                        weight * p->normals[term->feature], p->quality);
    }
}


double
judge_reference_value(const judge_measure_t *m, size_t feature, double drawn)
{
    double                  value, words;
    const judge_feature_t  *row;

    row = &judge_features[feature];
    value = (double) m->v[feature];

    if (row->unit != JUDGE_UNIT_100_WORDS && row->unit != JUDGE_UNIT_WORD) {
        return value;
    }

    words = (double) m->text->nwords;
    value = row->squared ? value * value : value;
    value = (value * words + drawn * JUDGE_PRIOR_WORDS)
            / (words + JUDGE_PRIOR_WORDS);

    return row->squared ? sqrt(value) : value;
}


/* Beyond the ends it goes on as steeply as over the last two steps. */

double
judge_reference_score(const judge_reference_t *row, double value)
{
    bool                 above;
    size_t               low, high, middle;
    double               score;
    const judge_knot_t  *a, *b;

    if (row->n < 2) {
        return 0;
    }

    low = 0;
    high = row->n - 1u;

    if (value <= (double) row->knots[low].value) {
        high = row->n > 2 ? 2 : 1;

    } else if (value >= (double) row->knots[high].value) {
        low = row->n > 2 ? high - 2 : high - 1;

    } else {
        while (high - low > 1) {
            middle = (low + high) / 2;
            above = (double) row->knots[middle].value <= value;
            low = above ? middle : low;
            high = above ? high : middle;
        }
    }

    a = &row->knots[low];
    b = &row->knots[high];
    score = value >= (double) b->value ? (double) b->score : (double) a->score;
    value -= value >= (double) b->value ? (double) b->value
                                        : (double) a->value;
    score += value * ((double) b->score - (double) a->score)
             / ((double) b->value - (double) a->value);

    return judge_clamp(score, -JUDGE_NORMAL_MAX, JUDGE_NORMAL_MAX);
}


double
judge_reference_quantile(const judge_reference_t *row, double score)
{
    size_t               i;
    const judge_knot_t  *a, *b;

    for (i = 1; i + 1u < row->n && (double) row->knots[i].score < score;
         i++)
    {
        /* void */
    }

    a = &row->knots[i - 1];
    b = &row->knots[i];
    score = judge_clamp((score - (double) a->score)
                        / ((double) b->score - (double) a->score), 0, 1);

    return (double) a->value + score * ((double) b->value
                                        - (double) a->value);
}


double
judge_prior_normal(const judge_prior_t *p, size_t feature)
{
    double                    value;
    const judge_reference_t  *row;

    row = &p->references[feature];

    if (row->n < 2) {
        return 0;
    }

    value = judge_reference_value(p->m, feature, (double) row->drawn);

    return judge_clamp(judge_reference_score(row, value)
                       / (double) row->spread,
                       -JUDGE_NORMAL_MAX, JUDGE_NORMAL_MAX);
}


/* -1 to 1: how well the feature does.  Normal scores are bent gently, so that
 * none outweighs all others. */

static double
judge_prior_term(const judge_prior_t *p, const judge_term_t *term)
{
    double  x;

    if (term->spread > 0) {
        x = ((double) p->m->v[term->feature] - (double) term->middle)
            / (double) term->spread;
        x = judge_squash(term->shape == JUDGE_TERM_NEAR ? 1 - fabs(x) : x);

    } else {
        x = judge_squash(p->normals[term->feature] / 2);
    }

    return term->shape == JUDGE_TERM_LESS ? -x : x;
}


static void
judge_prior_add(const judge_prior_t *p, const judge_term_t *term,
    double effect, judge_effect_t *list)
{
    judge_effect_t  *e;

    e = &list[term->feature];
    e->effect += effect;
    e->feature = term->feature;

    if (term->spread > 0) {
        e->middle = term->middle;
        e->spread = term->spread;
    }
}


/* The terms of what a criterion asks for are combined here. */

static void
judge_prior_aspect(const judge_prior_t *p, judge_trait_e trait,
    double weight, judge_effect_t *list)
{
    double                sum, alone;
    const judge_term_t   *terms, *term;
    const judge_trait_t  *row;

    row = &judge_traits[trait];
    terms = judge_trait_terms(p->m, trait);

    for (term = terms, sum = 0; term->shape != JUDGE_TERM_END; term++) {
        sum += judge_prior_weight(p, term);
    }

    if (sum <= 0) {
        return;
    }

    if (terms == row->with_source) {
        weight *= JUDGE_ASPECT_SOURCE;

    } else {
        /* few words tell little about an aspect */

        alone = judge_prior_alone(p, row);
        weight *= alone * JUDGE_ASPECT_ALONE
                  + (1 - alone)
                    * (row->direct ? JUDGE_ASPECT_DIRECT : JUDGE_ASPECT)
                    * (double) p->m->text->nwords
                    / ((double) p->m->text->nwords + JUDGE_ASPECT_WORDS);
    }

    for (term = terms; term->shape != JUDGE_TERM_END; term++) {
        judge_prior_add(p, term, weight * judge_prior_weight(p, term) / sum
                                 * judge_prior_term(p, term), list);
    }
}


static double
judge_prior_weight(const judge_prior_t *p, const judge_term_t *term)
{
    double  weight;

    if (!judge_measured(p->m, term->feature)) {
        return 0;
    }

    weight = (double) term->weight;

    if (judge_features[term->feature].roomy) {
        weight *= judge_clamp(((double) p->m->v[JUDGE_F_WORDS]
                               - JUDGE_BRIEF_ALL)
                              / (JUDGE_USUAL_SOME - JUDGE_BRIEF_ALL), 0, 1);
    }

    return judge_features[term->feature].any_language ? weight
                                                      : weight * p->english;
}


/* 0 to 1: the part of an aspect's score that excludes general quality. */

static double
judge_prior_alone(const judge_prior_t *p, const judge_trait_t *row)
{
    return judge_clamp((double) row->alone
                       / ((double) p->m->text->nwords + 1), 0, 1);
}


/* How far general quality has a part in it. */

static double
judge_prior_quality(const judge_prior_t *p, judge_trait_e trait)
{
    return (1 - judge_prior_alone(p, &judge_traits[trait]))
           * (p->m->source != NULL && judge_traits[trait].compares
              ? JUDGE_QUALITY_COMPARED : 1);
}


size_t
judge_prior_effects(const judge_prior_t *p, const judge_trait_match_t *match,
    judge_effect_t *list)
{
    size_t  i, n;
    double  quality, extent;

    quality = 0;

    for (i = 0; i < match->n; i++) {
        quality += match->weights[i]
                   * judge_prior_quality(p, match->traits[i]);
    }

    for (i = 0; i < JUDGE_FEATURES; i++) {
        list[i] = p->quality[i];
        list[i].effect *= quality;
    }

    for (i = 0; i < match->n; i++) {
        judge_prior_aspect(p, match->traits[i], match->weights[i], list);
    }

    if (p->m->dialogue != NULL) {
        judge_prior_aspect(p, JUDGE_TRAIT_TURN,
                           JUDGE_ASPECT_TURN * quality, list);
    }

    extent = p->m->source == NULL ? 1 - judge_prior_short(p->m) : 0;
    judge_prior_aspect(p, JUDGE_TRAIT_GENERAL,
                       JUDGE_ASPECT_ANY * quality * extent, list);
    judge_prior_brief(p, match, list);
    judge_prior_joined(p, match, list);
    judge_prior_summary(p, match, list);

    for (i = 0, n = 0; i < JUDGE_FEATURES; i++) {
        if (list[i].effect != 0) {
            list[n] = list[i];
            list[n++].effect *= 1 - JUDGE_LONG * extent;
        }
    }

    return n;
}


/*
 * Thirty words that are in order are no bad text, yet they have few different
 * words, connectives and paragraphs.  That is not held against them; what is
 * left to make up for goes to their having no slips.
 */

static void
judge_prior_brief(const judge_prior_t *p, const judge_trait_match_t *match,
    judge_effect_t *list)
{
    size_t  i;
    double  lack, made;

    made = JUDGE_BRIEF * judge_prior_room(p, match);

    if (made <= 0) {
        return;
    }

    for (i = 0, lack = 0; i < JUDGE_FEATURES; i++) {
        lack -= judge_features[i].merit && list[i].effect < 0
                ? list[i].effect : 0;
    }

    for (i = 0; i < JUDGE_FEATURES; i++) {
        if (judge_features[i].merit && list[i].effect < 0) {
            list[i].effect *= made < lack ? 1 - made / lack : 0;
        }
    }

    list[JUDGE_F_CONVENTION_SLIPS].feature = JUDGE_F_CONVENTION_SLIPS;
    list[JUDGE_F_CONVENTION_SLIPS].effect += made > lack ? made - lack : 0;
}


/* Good texts have some sentences with a thought of their own; only many
 * spoil one.  Summaries leap, and so does talk. */

static void
judge_prior_joined(const judge_prior_t *p, const judge_trait_match_t *match,
    judge_effect_t *list)
{
    size_t        i;
    double        part, stray;
    const float  *v;

    if (p->m->source != NULL || p->m->dialogue != NULL) {
        return;
    }

    for (i = 0, part = 0; i < match->n; i++) {
        part += judge_traits[match->traits[i]].joined ? match->weights[i] : 0;
    }

    v = p->m->v;
    stray = ((double) v[JUDGE_F_STRAY] - JUDGE_STRAY_SOME) / JUDGE_STRAY_RANGE;
    judge_prior_spoil(list, JUDGE_F_STRAY,
                      JUDGE_STRAY * part * judge_clamp(stray, 0, 1));
    judge_prior_spoil(list, JUDGE_F_DISORDER,
                      (JUDGE_DISORDER
                       + JUDGE_DISORDER_SHORT * judge_prior_short(p->m))
                      * part
                      * judge_clamp((double) v[JUDGE_F_DISORDER], 0, 1.1));
}


/* A few words can be true to a document, but do not summarise it. */

static void
judge_prior_summary(const judge_prior_t *p, const judge_trait_match_t *match,
    judge_effect_t *list)
{
    size_t  i;
    double  part, few, enough;

    if (p->m->source == NULL || p->m->dialogue != NULL
        || p->m->question != NULL)
    {
        return;
    }

    for (i = 0, part = 0; i < match->n; i++) {
        part += judge_traits[match->traits[i]].alone > 0
                || match->traits[i] == JUDGE_TRAIT_FAITHFULNESS
                ? 0 : match->weights[i];
    }

    enough = JUDGE_SUMMARY_SHARE * (double) p->m->source->nwords;
    enough = enough < JUDGE_SUMMARY_WORDS ? enough : JUDGE_SUMMARY_WORDS;
    few = judge_clamp(1 - judge_share((double) p->m->text->nwords, enough),
                      0, 1);
    judge_prior_spoil(list, JUDGE_F_WORDS, JUDGE_SUMMARY * part * few);
    judge_prior_spoil(list, JUDGE_F_BROKEN,
                      JUDGE_BROKEN * part
                      * (double) p->m->v[JUDGE_F_BROKEN]);
}


static void
judge_prior_spoil(judge_effect_t *list, judge_feature_e feature, double cost)
{
    if (cost > 0) {
        list[feature].feature = (uint8_t) feature;
        list[feature].effect -= cost;
    }
}


/* 0 to 1: how far the text is too short for what is asked, and sound. */

static double
judge_prior_room(const judge_prior_t *p, const judge_trait_match_t *match)
{
    size_t                 i;
    double                 part, sound;
    const judge_measure_t  *m;

    m = p->m;
    sound = judge_prior_sound(m);
    part = 0;

    for (i = 0; i < match->n; i++) {
        part += match->weights[i] * judge_prior_quality(p, match->traits[i])
                * (judge_traits[match->traits[i]].grows ? JUDGE_BRIEF_GROWS
                                                        : 1);
    }

    if (m->dialogue != NULL) {
        return part * (JUDGE_BRIEF_TALK + (1 - JUDGE_BRIEF_TALK) * sound);
    }

    return part * sound * (m->question != NULL ? 1 : judge_prior_short(m));
}


/* 0 to 1: how near the text is to few words. */

static double
judge_prior_short(const judge_measure_t *m)
{
    return judge_clamp((JUDGE_BRIEF_END - (double) m->v[JUDGE_F_WORDS])
                       / (JUDGE_BRIEF_END - JUDGE_BRIEF_ALL), 0, 1);
}


/* 0 to 1: a text without slips, empty words, repetition, and what no reader
 * wants. */

static double
judge_prior_sound(const judge_measure_t *m)
{
    double        slips, sound, words, unwanted, enough;
    const float  *v;

    v = m->v;
    words = (double) m->text->nwords;
    slips = ((double) v[JUDGE_F_CONVENTION_SLIPS]
             + (double) v[JUDGE_F_GRAMMAR_SLIPS]) / JUDGE_SOUND_SLIPS;
    slips *= words / (words + JUDGE_SOUND_SEEN);
    sound = 1 / (1 + slips * slips);
    sound *= judge_clamp(1 - (JUDGE_SOUND_VARIED
                              - (double) v[JUDGE_F_WINDOW_RATIO])
                             / JUDGE_SOUND_VARIES, 0, 1);
    sound *= judge_clamp(1 - (double) v[JUDGE_F_VAGUE] / JUDGE_SOUND_VAGUE,
                         0, 1);

    if (judge_measured(m, JUDGE_F_MODEL_GAIN)) {
        sound *= judge_clamp(0.4 + 2 * (double) v[JUDGE_F_MODEL_GAIN], 0, 1);
    }

    unwanted = (double) v[JUDGE_F_REFUSAL] + (double) v[JUDGE_F_EVASION]
               + (double) v[JUDGE_F_COLD] + (double) v[JUDGE_F_LURE]
               + (double) v[JUDGE_F_SALAD];
    sound *= judge_clamp(1 - unwanted, 0, 1);

    /* an answer may be short */

    if (m->question != NULL && (double) v[JUDGE_F_ANSWER_FIT] >= 1) {
        return sound;
    }

    enough = m->source != NULL ? JUDGE_BRIEF_TOLD : JUDGE_BRIEF_ENOUGH;

    return sound * judge_clamp((words - JUDGE_BRIEF_LEAST)
                               / (enough - JUDGE_BRIEF_LEAST), 0, 1);
}


/*
 * Praise grows with length, and people compare essays with essays: most of
 * what makes four hundred words better than thirty is usual there.  It is
 * taken off where the sum is not low anyway, and their order stays.
 * A turn of a dialogue or a summary lacks what readers do not expect of it.
 */

void
judge_prior_level(const judge_prior_t *p, const judge_trait_match_t *match,
    double part, judge_effect_t *list, size_t n)
{
    size_t  i, k;
    double  quality, sums[2], scale[2], move, rest;

    for (i = 0, quality = 0; i < match->n; i++) {
        quality += match->weights[i]
                   * judge_prior_quality(p, match->traits[i]);
    }

    for (i = 0, sums[0] = 0, sums[1] = 0; i < n; i++) {
        sums[list[i].effect > 0] += list[i].effect;
    }

    move = p->m->dialogue != NULL ? JUDGE_LACK_TALK
           : p->m->source != NULL ? JUDGE_LACK_SOURCE
           : -judge_prior_usual(p->m, sums[0] + sums[1]);
    move *= quality * part;
    k = move > 0 ? 0 : 1;
    rest = fabs(move) - fabs(sums[k]);
    scale[k] = rest < 0 ? -rest / fabs(sums[k]) : 0;
    scale[1 - k] = 1 + judge_share(rest > 0 ? rest : 0, fabs(sums[1 - k]));

    for (i = 0; i < n; i++) {
        list[i].effect *= scale[list[i].effect > 0];
    }
}


static double
judge_prior_usual(const judge_measure_t *m, double sum)
{
    double  words, room, few, usual;

    words = (double) m->v[JUDGE_F_WORDS];
    few = judge_clamp((JUDGE_USUAL_SOME - words)
                      / (JUDGE_USUAL_SOME - JUDGE_BRIEF_ALL), 0, 1);
    room = judge_prior_sound(m);
    room *= room * judge_clamp((JUDGE_USUAL_FROM - words)
                               / (JUDGE_USUAL_FROM - JUDGE_BRIEF_ALL), 0, 1);
    room = room > few ? room : few;
    usual = JUDGE_USUAL * (1 - room)
            * judge_clamp((sum - JUDGE_USUAL_LEAST)
                          / (JUDGE_USUAL_ALL - JUDGE_USUAL_LEAST), 0, 1);

    return usual - JUDGE_USUAL_BACK * judge_clamp(sum - JUDGE_USUAL_BEYOND, 0,
                                                  JUDGE_USUAL);
}


double
judge_prior_score(const judge_effect_t *list, size_t n)
{
    size_t  i;
    double  sum;

    for (i = 0, sum = 0; i < n; i++) {
        sum += list[i].effect;
    }

    return 50 + 50 * judge_squash(sum / JUDGE_SCORE_UNIT);
}


double
judge_prior_likeness(const judge_prior_t *p)
{
    judge_effect_t  list[JUDGE_FEATURES];

    memset(list, 0, sizeof(list));
    judge_prior_aspect(p, JUDGE_TRAIT_LIKENESS, 1, list);

    return judge_prior_score(list, JUDGE_FEATURES);
}
