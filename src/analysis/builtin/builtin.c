/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The builtin engine: a rubric made ready, and a text scored by it.
 */


#include <string.h>

#include "analysis/builtin/engine.h"
#include "analysis/builtin/dialogue.h"
#include "analysis/builtin/explain.h"
#include "analysis/builtin/reader.h"
#include "analysis/text/language.h"
#include "analysis/text/lexis.h"
#include "analysis/text/say.h"


#define JUDGE_QUESTION_MAX   4096      /* bytes */
#define JUDGE_BESIDE_WORDS   30        /* a text that is so short is of its
                                          source's language */
#define JUDGE_EFFECT_SMALL   0.05      /* less is nothing to speak of */
#define JUDGE_EFFECT_POINTS  7.0       /* of the score: an effect of 1 */


struct judge_reading {
    judge_measure_t  m;                /* what needs no rubric */
    judge_text_t     text;
    judge_text_t     source;
    judge_text_t     question;
};

struct judge_scorer {
    judge_rubric_t        rubric;
    judge_trait_match_t  *matches;     /* of the criteria */
    judge_reader_match_t  *seen;       /* likewise */
    judge_subject_t       subject;     /* what texts should be about */
    judge_topic_t         topic;       /* the rubric's words */
    judge_topic_t        *references;
    size_t                nreferences;
    uint8_t               feedback;    /* its language; 0: the text's */
    const judge_reference_t  *compared;
};


static judge_rc_e judge_scorer_copy(judge_rubric_t *to, judge_arena_t *arena,
    const judge_rubric_t *from);
static judge_rc_e judge_scorer_match(judge_scorer_t *scorer,
    judge_arena_t *arena, judge_arena_t *scratch);
static uint8_t judge_scorer_unasked(const judge_trait_match_t *match);
static judge_rc_e judge_scorer_topic(judge_scorer_t *scorer,
    judge_arena_t *arena, judge_arena_t *scratch);
static bool judge_scorer_about(judge_buf_t *b, const judge_wording_t *w,
    const char *openers);
static bool judge_is_one_of(judge_str_t word, const char *words);
static judge_rc_e judge_scorer_subject(judge_scorer_t *scorer,
    judge_arena_t *scratch);
static judge_rc_e judge_scorer_references(judge_scorer_t *scorer,
    judge_arena_t *arena, judge_arena_t *scratch);
static judge_str_t judge_scorer_question(const judge_item_t *item,
    bool dialogue);
static judge_rc_e judge_reading_beside(judge_text_t *t, judge_arena_t *arena,
    judge_str_t str, judge_text_t *text);
static judge_rc_e judge_score_empty(const judge_scorer_t *scorer,
    judge_measure_t *m, judge_verdict_t *verdict);
static void judge_reading_compare(const judge_scorer_t *scorer,
    judge_measure_t *m);
static judge_rc_e judge_score_criteria(judge_ground_t *g,
    judge_verdict_t *verdict);
static judge_rc_e judge_score_criterion(const judge_prior_t *prior,
    const judge_trait_match_t *match, const judge_reader_match_t *seen,
    judge_effects_t *effects, judge_criterion_score_t *s);
static judge_rc_e judge_score_effects(judge_effects_t *effects,
    judge_arena_t *arena, const judge_effect_t *list, size_t n);


judge_scorer_t *
judge_scorer_create(judge_arena_t *arena, const judge_rubric_t *rubric)
{
    judge_rc_e       rc;
    judge_arena_t   *scratch;
    judge_scorer_t  *scorer;

    scorer = judge_calloc(arena, sizeof(judge_scorer_t));
    scratch = judge_arena_create(64 * 1024);

    if (scorer == NULL || scratch == NULL) {
        judge_arena_destroy(scratch);
        return NULL;
    }

    scorer->rubric = *rubric;
    scorer->compared = judge_references;
    scorer->feedback = judge_language_find(rubric->feedback_language);
    rc = judge_scorer_match(scorer, arena, scratch);

    if (rc == JUDGE_OK) {
        rc = judge_scorer_topic(scorer, arena, scratch);
    }

    if (rc == JUDGE_OK) {
        rc = judge_scorer_subject(scorer, scratch);
    }

    if (rc == JUDGE_OK) {
        rc = judge_scorer_references(scorer, arena, scratch);
    }

    if (rc == JUDGE_OK) {
        rc = judge_scorer_copy(&scorer->rubric, arena, rubric);
    }

    judge_arena_destroy(scratch);

    return rc == JUDGE_OK ? scorer : NULL;
}


void
judge_scorer_compare(judge_scorer_t *scorer,
    const judge_reference_t *references)
{
    scorer->compared = references;
}


/* What feedback needs later; references and examples are measured instead. */

static judge_rc_e
judge_scorer_copy(judge_rubric_t *to, judge_arena_t *arena,
    const judge_rubric_t *from)
{
    size_t              i;
    judge_criterion_t  *c;

    memset(to, 0, sizeof(judge_rubric_t));
    to->ncriteria = from->ncriteria;
    to->criteria = judge_array_alloc(arena, from->ncriteria,
                                     sizeof(judge_criterion_t));
    if (to->criteria == NULL && from->ncriteria > 0) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < from->ncriteria; i++) {
        c = &to->criteria[i];
        *c = from->criteria[i];
        c->id = JUDGE_STR("");
        c->description = JUDGE_STR("");
        c->examples = NULL;
        c->nexamples = 0;
        c->name = judge_str_dup(arena, c->name);

        if (c->name.data == NULL && c->name.len > 0) {
            return JUDGE_NOMEM;
        }
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_scorer_match(judge_scorer_t *scorer, judge_arena_t *arena,
    judge_arena_t *scratch)
{
    size_t                     i, n;
    judge_rc_e                 rc;
    judge_criterion_t         *c;
    judge_trait_match_word_t  *table;

    n = scorer->rubric.ncriteria;
    scorer->matches = judge_array_alloc(arena, n, sizeof(judge_trait_match_t));
    scorer->seen = judge_array_alloc(arena, n, sizeof(judge_reader_match_t));
    table = judge_trait_match_table(scratch);

    if (table == NULL || scorer->matches == NULL || scorer->seen == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, rc = JUDGE_OK; i < n && rc == JUDGE_OK; i++) {
        c = &scorer->rubric.criteria[i];
        rc = judge_trait_match(&scorer->matches[i], table, scratch, c->name,
                               c->description);

        if (rc == JUDGE_OK) {
            rc = judge_reader_match(&scorer->seen[i], scratch, c->name,
                                    c->description,
                                    judge_scorer_unasked(&scorer->matches[i]));
        }
    }

    return rc;
}


/* Correct grammar and spelling are no correct statements. */

static uint8_t
judge_scorer_unasked(const judge_trait_match_t *match)
{
    return match->fits && judge_traits[match->traits[0]].direct
           ? JUDGE_ASPECT_CORRECT : JUDGE_ASPECT_FORM;
}


/* All words of the rubric as one topic. */

static judge_rc_e
judge_scorer_topic(judge_scorer_t *scorer, judge_arena_t *arena,
    judge_arena_t *scratch)
{
    size_t                 i, k;
    judge_buf_t            b;
    judge_text_t           t;
    const judge_rubric_t  *r;

    r = &scorer->rubric;
    judge_buf_init(&b, scratch);
    judge_buf_str(&b, r->name);
    judge_buf_c(&b, ".\n");
    judge_buf_str(&b, r->description);
    judge_buf_c(&b, ".\n");

    for (i = 0; i < r->ncriteria; i++) {
        judge_buf_str(&b, r->criteria[i].description);
        judge_buf_c(&b, ".\n");

        for (k = 0; k < r->criteria[i].nexamples; k++) {
            judge_buf_str(&b, r->criteria[i].examples[k]);
            judge_buf_c(&b, ".\n");
        }
    }

    if (b.failed
        || judge_text_parse(&t, scratch, judge_buf_view(&b)) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    return judge_topic_build(&scorer->topic, arena, &t);
}


/* "Essays about winter" says what a text is about: what stands behind one of
 * such words in its sentence.  "Letters of complaint" may say so, too, or what
 * kind of text it is. */

static const char  judge_scorer_named[] =
    "about on topic whether states names mentions gives says shows contains"
    " includes explains über ob zur zum thema sur sujet sobre acerca tema";
static const char  judge_scorer_meant[] =
    "of for to over für von pour de des du para del do da";


static bool
judge_scorer_about(judge_buf_t *b, const judge_wording_t *w,
    const char *openers)
{
    bool         about, any;
    size_t       i;
    judge_str_t  word;

    for (i = 0, about = false, any = false; i < w->n; i++) {
        if (i > 0 && w->sentences[i] != w->sentences[i - 1]) {
            about = false;
            judge_buf_c(b, ".\n");
        }

        word = w->types[w->text->tokens[w->tokens[i]].type].lower;
        about = about && !judge_is_one_of(word, "our my your their");

        if (about) {
            judge_buf_c(b, " ");
            judge_buf_str(b, word);
            any = true;
        }

        about = about || judge_is_one_of(word, openers);
    }

    return any;
}


static bool
judge_is_one_of(judge_str_t word, const char *words)
{
    size_t  len;

    for (len = strcspn(words, " "); *words != '\0';
         words += len + (words[len] == ' '), len = strcspn(words, " "))
    {
        if (judge_str_eq(word, (judge_str_t) { len, words })) {
            return true;
        }
    }

    return false;
}


/* What the judge's description and criteria that ask for nothing known name,
 * besides what is asked for of it.  Its words are compared by their stems,
 * which are those of a language. */

static judge_rc_e
judge_scorer_subject(judge_scorer_t *scorer, judge_arena_t *scratch)
{
    bool                   named;
    size_t                 i;
    uint8_t                language;
    judge_buf_t            b, all;
    judge_text_t           t, spoken;
    judge_wording_t        w;
    const judge_rubric_t  *r;

    r = &scorer->rubric;
    judge_buf_init(&b, scratch);
    judge_buf_init(&all, scratch);
    judge_buf_str(&b, r->description);
    judge_buf_str(&all, r->description);

    for (i = 0; i < r->ncriteria; i++) {
        judge_buf_c(&all, "\n");
        judge_buf_str(&all, r->criteria[i].name);

        if (!scorer->matches[i].fits && scorer->seen[i].n == 0) {
            judge_buf_c(&b, ".\n");
            judge_buf_str(&b, r->criteria[i].name);
        }
    }

    if (b.failed || all.failed
        || judge_text_parse(&spoken, scratch, judge_buf_view(&all))
           != JUDGE_OK
        || judge_text_parse(&t, scratch, judge_buf_view(&b)) != JUDGE_OK
        || judge_wording_create(&w, scratch, &t) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    judge_buf_init(&b, scratch);
    named = judge_scorer_about(&b, &w, judge_scorer_named);

    language = judge_lexis(spoken.language) != NULL ? spoken.language
                                                    : JUDGE_LANGUAGE_ENGLISH;

    if (!named) {
        (void) judge_scorer_about(&b, &w, judge_scorer_meant);
    }

    if (b.failed
        || judge_text_parse_as(&t, scratch, judge_buf_view(&b), language)
           != JUDGE_OK
        || judge_wording_create(&w, scratch, &t) != JUDGE_OK)
    {
        return JUDGE_NOMEM;
    }

    judge_subject_build(&scorer->subject, &w, 0, w.n,
                        &judge_criterion_patterns);
    scorer->subject.named = named;
    scorer->subject.language = language;

    return JUDGE_OK;
}


static judge_rc_e
judge_scorer_references(judge_scorer_t *scorer, judge_arena_t *arena,
    judge_arena_t *scratch)
{
    size_t        i, n;
    judge_rc_e    rc;
    judge_text_t  t;

    n = scorer->rubric.nreferences;

    if (n == 0) {
        return JUDGE_OK;
    }

    scorer->references = judge_array_alloc(arena, n, sizeof(judge_topic_t));
    if (scorer->references == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0, rc = JUDGE_OK; i < n && rc == JUDGE_OK; i++) {
        rc = judge_text_parse(&t, scratch, scorer->rubric.references[i]);

        if (rc == JUDGE_OK) {
            rc = judge_topic_build(&scorer->references[i], arena, &t);
        }

        judge_arena_reset(scratch);
    }

    scorer->nreferences = n;

    return rc;
}


/* The end of a long one is what is answered. */

static judge_str_t
judge_scorer_question(const judge_item_t *item, bool dialogue)
{
    judge_str_t  s;

    s = item->question.len == 0 && dialogue ? item->source : item->question;

    if (s.len > JUDGE_QUESTION_MAX) {
        s.data += s.len - JUDGE_QUESTION_MAX;
        s.len = JUDGE_QUESTION_MAX;

        while (s.len > 0 && ((unsigned char) s.data[0] & 0xc0) == 0x80) {
            s.data++;
            s.len--;
        }
    }

    return s;
}


judge_rc_e
judge_score(const judge_scorer_t *scorer, const judge_item_t *item,
    judge_arena_t *arena, judge_verdict_t *verdict)
{
    judge_reading_t  *reading;

    reading = judge_reading_create(arena, item);

    return reading != NULL ? judge_score_reading(scorer, reading, arena,
                                                 verdict)
                           : JUDGE_NOMEM;
}


judge_rc_e
judge_score_reading(const judge_scorer_t *scorer,
    const judge_reading_t *reading, judge_arena_t *arena,
    judge_verdict_t *verdict)
{
    float           *v;
    judge_ground_t  *g;

    memset(verdict, 0, sizeof(judge_verdict_t));
    verdict->scores = judge_array_alloc(arena, scorer->rubric.ncriteria,
                                        sizeof(judge_criterion_score_t));
    g = judge_calloc(arena, sizeof(judge_ground_t));
    v = judge_alloc(arena, JUDGE_FEATURES * sizeof(float));
    if (verdict->scores == NULL || g == NULL || v == NULL) {
        return JUDGE_NOMEM;
    }

    g->rubric = &scorer->rubric;
    g->matches = scorer->matches;
    g->seen = scorer->seen;
    g->references = scorer->compared;

    g->m = reading->m;
    g->m.arena = arena;
    g->m.v = memcpy(v, reading->m.v, JUDGE_FEATURES * sizeof(float));
    judge_reading_compare(scorer, &g->m);

    verdict->features = v;
    verdict->nfeatures = JUDGE_FEATURES;
    verdict->language = judge_language_code(reading->text.language);
    verdict->foreign = judge_prior_foreign(&reading->text);

    return reading->text.nwords == 0
           ? judge_score_empty(scorer, &g->m, verdict)
           : judge_score_criteria(g, verdict);
}


static void
judge_reading_compare(const judge_scorer_t *scorer, judge_measure_t *m)
{
    m->subject = scorer->subject.n > 0 ? &scorer->subject : NULL;
    m->feedback = scorer->feedback != JUDGE_LANGUAGE_UNKNOWN
                  ? scorer->feedback : m->text->language;
    m->rubric = scorer->topic.nstems > 0 ? &scorer->topic : NULL;
    m->references = scorer->references;
    m->nreferences = scorer->nreferences;
    judge_measure_rubric(m);
}


/* The text and what it is judged beside. */

judge_reading_t *
judge_reading_create(judge_arena_t *arena, const judge_item_t *item)
{
    judge_measure_t  *m;
    judge_reading_t  *r;

    r = judge_calloc(arena, sizeof(judge_reading_t));
    if (r == NULL
        || judge_text_parse(&r->text, arena, item->text) != JUDGE_OK)
    {
        return NULL;
    }

    m = &r->m;

    if (item->source.data != NULL) {
        if (judge_reading_beside(&r->source, arena, item->source, &r->text)
            != JUDGE_OK)
        {
            return NULL;
        }

        if (judge_is_dialogue(&r->source)) {
            m->dialogue = &r->source;

        } else {
            m->source = r->source.nwords > 0 ? &r->source : NULL;
        }
    }

    if (judge_reading_beside(&r->question, arena,
                             judge_scorer_question(item, m->dialogue != NULL),
                             &r->text)
        != JUDGE_OK)
    {
        return NULL;
    }

    m->question = r->question.nwords > 0 ? &r->question : NULL;
    m->arena = arena;
    m->text = &r->text;

    return judge_measure_text(m) == JUDGE_OK ? r : NULL;
}


/* Words are compared by their stems, which are those of a language: where that
 * of the shorter one can't be told, it is that of the other. */

static judge_rc_e
judge_reading_beside(judge_text_t *t, judge_arena_t *arena, judge_str_t str,
    judge_text_t *text)
{
    judge_rc_e  rc;

    rc = judge_text_parse(t, arena, str);
    if (rc != JUDGE_OK || t->nwords == 0) {
        return rc;
    }

    if (t->language == JUDGE_LANGUAGE_UNKNOWN
        && text->language != JUDGE_LANGUAGE_UNKNOWN)
    {
        return judge_text_parse_as(t, arena, str, text->language);
    }

    if (text->language == JUDGE_LANGUAGE_UNKNOWN
        && t->language != JUDGE_LANGUAGE_UNKNOWN
        && t->language != JUDGE_LANGUAGE_ENGLISH
        && text->nwords > 0 && text->nwords <= JUDGE_BESIDE_WORDS)
    {
        return judge_text_parse_as(text, arena, text->str, t->language);
    }

    return JUDGE_OK;
}


static judge_rc_e
judge_score_empty(const judge_scorer_t *scorer, judge_measure_t *m,
    judge_verdict_t *verdict)
{
    size_t       i;
    judge_str_t  why;

    why = m->text->ntokens == 0
          ? judge_str_c(judge_say(m->feedback, "The text is empty; there is "
                                  "nothing to score."))
          : judge_str_c(judge_say(m->feedback, "The text has no words; there "
                                  "is nothing to score."));

    for (i = 0; i < scorer->rubric.ncriteria; i++) {
        verdict->scores[i].feedback = why;
    }

    verdict->summary = why;
    verdict->weaknesses = judge_array_alloc(m->arena, 1, sizeof(judge_str_t));
    verdict->suggestions = judge_array_alloc(m->arena, 1,
                                             sizeof(judge_str_t));

    if (verdict->weaknesses == NULL || verdict->suggestions == NULL) {
        return JUDGE_NOMEM;
    }

    verdict->weaknesses[0] = why;
    verdict->nweaknesses = 1;
    verdict->suggestions[0] = judge_str_c(
        judge_say(m->feedback, "Submit a text with words."));
    verdict->nsuggestions = 1;

    return JUDGE_OK;
}


static judge_rc_e
judge_score_criteria(judge_ground_t *g, judge_verdict_t *verdict)
{
    size_t                    i;
    double                    sum, weights;
    judge_prior_t            *prior;
    const judge_rubric_t     *r;
    judge_criterion_score_t  *s;

    r = g->rubric;
    g->effects = judge_array_alloc(g->m.arena, r->ncriteria,
                                   sizeof(judge_effects_t));
    prior = judge_alloc(g->m.arena, sizeof(judge_prior_t));
    if (g->effects == NULL || prior == NULL) {
        return JUDGE_NOMEM;
    }

    judge_prior(prior, &g->m, g->references);
    sum = 0;
    weights = 0;

    for (i = 0; i < r->ncriteria; i++) {
        s = &verdict->scores[i];

        if (judge_score_criterion(prior, &g->matches[i], &g->seen[i],
                                  &g->effects[i], s)
            != JUDGE_OK)
        {
            return JUDGE_NOMEM;
        }

        sum += r->criteria[i].weight * s->score;
        weights += r->criteria[i].weight;
    }

    verdict->overall = judge_round2(judge_share(sum, weights));
    verdict->ground = g;

    return JUDGE_OK;
}


static judge_rc_e
judge_score_criterion(const judge_prior_t *prior,
    const judge_trait_match_t *match, const judge_reader_match_t *seen,
    judge_effects_t *effects, judge_criterion_score_t *s)
{
    size_t          n;
    double          score, share, likeness;
    judge_effect_t  list[JUDGE_FEATURES + 1];

    n = judge_prior_effects(prior, match, list);
    n = judge_reader_effects(prior->m, seen, list, n);
    judge_prior_level(prior, match, 1 - judge_reader_share(prior->m, seen),
                      list, n);
    score = judge_prior_score(list, n);

    if (prior->m->nreferences > 0) {
        share = judge_reference_share(prior->m, match);
        likeness = judge_prior_likeness(prior);
        score += share * (likeness - score);

        memset(&list[n], 0, sizeof(judge_effect_t));
        list[n].feature = JUDGE_F_REFERENCE_COSINE;
        list[n++].effect = share * (likeness - 50) / JUDGE_EFFECT_POINTS;
    }

    s->score = judge_round2(score);

    return judge_score_effects(effects, prior->m->arena, list, n);
}


/* Those that feedback may speak of. */

static judge_rc_e
judge_score_effects(judge_effects_t *effects, judge_arena_t *arena,
    const judge_effect_t *list, size_t n)
{
    size_t  i;

    effects->n = 0;
    effects->list = judge_array_alloc(arena, n + 1, sizeof(judge_effect_t));
    if (effects->list == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < n; i++) {
        if (fabs(list[i].effect) >= JUDGE_EFFECT_SMALL) {
            effects->list[effects->n++] = list[i];
        }
    }

    return JUDGE_OK;
}
