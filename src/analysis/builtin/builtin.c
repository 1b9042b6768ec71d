/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The built-in engine prepares a rubric, and scores a text by it.  A criterion
 * that is measured has the score of its aspect; the others have none, and a
 * reason for that.
 */


#include <math.h>
#include <string.h>

#include "analysis/aspects/flags.h"
#include "analysis/aspects/method.h"
#include "analysis/builtin/explain.h"
#include "analysis/text/language.h"
#include "analysis/text/say.h"


#define JUDGE_QUESTION_MAX   4096      /* bytes */
#define JUDGE_BESIDE_WORDS   30        /* of a text in its source's language */

/* The bounds of judge_is_dialogue(). */
#define JUDGE_SPEAKER_TOKENS   3       /* "User:", "Agent 2:" */
#define JUDGE_QUESTION_WORDS   60      /* of a question alone, at most */
#define JUDGE_GREETING_WORDS   30      /* of a first turn, at most */

/* Turns have at most so many words on average where this share is "I", "you"
 * and the like, or so many turns have a question.  With a larger share and any
 * question, they may have more words. */
#define JUDGE_TURN_WORDS         35
#define JUDGE_TURN_PERSONS       0.03
#define JUDGE_TURNS_ASKED        4
#define JUDGE_LONG_TURN_WORDS    70
#define JUDGE_LONG_TURN_PERSONS  0.04


struct judge_reading {
    judge_measure_t  m;
    judge_text_t     text;
    judge_text_t     source;
    judge_text_t     question;
    judge_flagged_t  flags[JUDGE_FLAGS];
    size_t           nflags;
};

struct judge_scorer {
    judge_rubric_t  rubric;
    uint8_t         feedback;          /* its language; 0: the text's */
};


const char *const  judge_stage_names[JUDGE_STAGES] = {
    "chosen", "measured", "model", "capped", "learned", "checked", "turns"
};


/* Copies what scoring and feedback need of a criterion, and chooses who judges
 * it, unless that is done. */

static judge_rc_e
judge_scorer_criterion(judge_criterion_t *to, judge_arena_t *arena,
    const judge_criterion_t *from)
{
    judge_str_t  reason;

    *to = *from;

    if (to->judged_by == JUDGE_BY_AUTO
        && judge_method_choose(arena, to, false) == JUDGE_NOMEM)
    {
        return JUDGE_NOMEM;
    }

    to->id = JUDGE_STR("");
    to->description = JUDGE_STR("");
    to->examples = NULL;
    to->nexamples = 0;
    to->name = judge_str_dup(arena, from->name);
    reason = to->reason;
    to->reason = judge_str_dup(arena, reason);

    return (to->name.data || from->name.len == 0)
           && (to->reason.data || reason.len == 0) ? JUDGE_OK : JUDGE_NOMEM;
}


judge_scorer_t *
judge_scorer_create(judge_arena_t *arena, const judge_rubric_t *rubric)
{
    size_t           i;
    judge_scorer_t  *scorer = judge_calloc(arena, sizeof(judge_scorer_t));

    if (scorer == NULL) {
        return NULL;
    }

    scorer->feedback = judge_language_find(rubric->feedback_language);
    scorer->rubric.ncriteria = rubric->ncriteria;
    scorer->rubric.criteria = judge_array_alloc(arena, rubric->ncriteria,
                                                sizeof(judge_criterion_t));
    if (scorer->rubric.criteria == NULL) {
        return NULL;
    }

    for (i = 0; i < rubric->ncriteria; i++) {
        if (judge_scorer_criterion(&scorer->rubric.criteria[i], arena,
                                   &rubric->criteria[i]) != JUDGE_OK)
        {
            return NULL;
        }
    }

    return scorer;
}


/* --- What the text answers ----------------------------------------------- */

static const char *const  judge_greetings[] = {
    "hi", "hello", "hey", "hallo", "hola", "salut", "bonjour", "ol\xc3\xa1",
    "oi", NULL
};


/* Whether a line begins with one or two words, a colon and more text. */

static bool
judge_names_speaker(const judge_text_t *t, size_t line)
{
    size_t  i;

    for (i = line; i < line + JUDGE_SPEAKER_TOKENS && i + 1 < t->ntokens; i++)
    {
        if (t->tokens[i].mark == ':') {
            return i > line && !(t->tokens[i + 1].flags & JUDGE_T_LINE);
        }

        if (t->tokens[i].mark != 0) {
            return false;
        }
    }

    return false;
}


/* Whether a text is short and begins with a greeting, as no document does. */

static bool
judge_greets(const judge_text_t *t)
{
    return t->nwords <= JUDGE_GREETING_WORDS
           && judge_str_caseamong(judge_token_str(t, &t->tokens[0]),
                                  judge_greetings);
}


/* Whether a source is an utterance, which the text answers, rather than a
 * document, which it sums up: turns with the names of the speakers, turns of
 * people who speak of themselves and to each other, or a question alone. */

static bool
judge_is_dialogue(const judge_text_t *t)
{
    size_t  i, lines, speakers, persons, questions;

    lines = speakers = persons = questions = 0;

    for (i = 0; i < t->ntokens; i++) {
        if (i == 0 || (t->tokens[i].flags & (JUDGE_T_LINE | JUDGE_T_BLANK))) {
            lines++;
            speakers += judge_names_speaker(t, i);
        }

        questions += t->tokens[i].mark == '?';
    }

    if (t->nwords == 0) {
        return false;
    }

    for (i = 0; i < t->ntypes; i++) {
        if (t->types[i].form & (JUDGE_W_FIRST_PERSON | JUDGE_W_SECOND_PERSON))
        {
            persons += t->types[i].count;
        }
    }

    if ((speakers >= 1 && 2 * speakers >= lines
         && questions + persons > 0)              /* not "Warranty: 2 years" */
        || (lines == 1 && t->nwords <= JUDGE_QUESTION_WORDS
            && (t->tokens[t->ntokens - 1].mark == '?' || judge_greets(t))))
    {
        return true;
    }

    if (t->nwords <= JUDGE_LONG_TURN_WORDS * lines && questions > 0
        && (double) persons >= JUDGE_LONG_TURN_PERSONS * (double) t->nwords)
    {
        return true;
    }

    return lines > 1 && t->nwords <= JUDGE_TURN_WORDS * lines
           && ((double) persons >= JUDGE_TURN_PERSONS * (double) t->nwords
               || JUDGE_TURNS_ASKED * questions >= lines);
}


/* Returns what the text answers: of a long question or dialogue the end. */

static judge_str_t
judge_reading_question(const judge_item_t *item, bool dialogue)
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


/* Words are compared by their stems, which depend on the language.  Where the
 * language of t is unknown, it is taken to be that of the text, and that of a
 * short text to be that of t. */

static judge_rc_e
judge_reading_beside(judge_text_t *t, judge_arena_t *arena, judge_str_t str,
    judge_text_t *text)
{
    judge_rc_e  rc = judge_text_parse(t, arena, str);

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


judge_rc_e
judge_score(const judge_scorer_t *scorer, const judge_item_t *item,
    judge_arena_t *arena, judge_verdict_t *verdict)
{
    judge_reading_t  *reading = judge_reading_create(arena, item);

    return reading != NULL ? judge_score_reading(scorer, reading, arena,
                                                 verdict)
                           : JUDGE_NOMEM;
}


judge_reading_t *
judge_reading_create(judge_arena_t *arena, const judge_item_t *item)
{
    judge_measure_t  *m;
    judge_reading_t  *r = judge_calloc(arena, sizeof(judge_reading_t));

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
                             judge_reading_question(item, m->dialogue != NULL),
                             &r->text)
        != JUDGE_OK)
    {
        return NULL;
    }

    m->question = r->question.nwords > 0 ? &r->question : NULL;
    m->arena = arena;
    m->text = &r->text;

    return judge_measure_text(m) == JUDGE_OK
           && judge_flags_find(m, r->flags, &r->nflags) == JUDGE_OK ? r : NULL;
}


const judge_measure_t *
judge_reading_measure(const judge_reading_t *reading)
{
    return &reading->m;
}


static judge_rc_e
judge_score_flags(const judge_reading_t *reading, judge_ground_t *g,
    judge_verdict_t *verdict)
{
    size_t                  i;
    judge_text_flag_t      *to;
    const judge_flag_t     *flag;
    const judge_flagged_t  *from;

    if (reading->nflags == 0) {
        return JUDGE_OK;
    }

    verdict->flags = judge_array_alloc(g->arena, reading->nflags,
                                       sizeof(judge_text_flag_t));
    if (verdict->flags == NULL) {
        return JUDGE_NOMEM;
    }

    for (i = 0; i < reading->nflags; i++) {
        to = &verdict->flags[verdict->nflags++];
        from = &reading->flags[i];
        flag = &judge_flags[from->flag];

        to->name = flag->name;
        to->reason = judge_say(g->language, flag->reason);
        to->cap = flag->cap;
        to->scores = from->flag == JUDGE_FLAG_GIBBERISH;

        if (from->end - from->first < g->m->text->ntokens
            && g->m->text->nbad == 0)
        {
            to->place = judge_explain_place(g->m->text, from->first,
                                            from->end);
        }
    }

    return JUDGE_OK;
}


/* Says why the aspect of a criterion does not judge this text. */

static judge_rc_e
judge_score_unjudged(judge_ground_t *g, const judge_aspect_score_t *score,
    judge_criterion_score_t *s)
{
    const judge_aspect_t  *a = score->aspect;
    const char            *called = judge_say(g->language, a->called);

    switch (score->why) {

    case JUDGE_ASPECT_SHORT:
        s->reason = judge_str_printf(g->arena, judge_say(g->language,
                        "The text is too short; from %u words on, %s is"
                        " measured."), a->words, called);
        break;

    case JUDGE_ASPECT_FOREIGN:
        s->reason = judge_str_printf(g->arena, judge_say(g->language,
                        "In texts in %s, %s is not measured."),
                        judge_say(g->language, judge_language_name(
                                      g->m->text->language)), called);
        break;

    case JUDGE_ASPECT_NO_SOURCE:
        s->reason = judge_str_c(judge_say(g->language, "metadata.source has no"
                        " document in the language of the text."));
        break;

    default:
        s->reason = judge_str_c(judge_say(g->language, "There is no request"
                        " that the text answers; metadata.question can give"
                        " it."));
    }

    return s->reason.data ? JUDGE_OK : JUDGE_NOMEM;
}


/* Says which aspect was measured for the criterion, and what was found. */

static judge_rc_e
judge_score_measured(judge_ground_t *g, const judge_aspect_score_t *score,
    judge_criterion_score_t *s)
{
    double                 moved = score->score - score->kept;
    judge_str_t            reason;
    const judge_aspect_t  *a = score->aspect;

    reason = a->nfaults > 0
             ? judge_str_printf(g->arena, "Measured as %s: %.2f faults in 100"
                                " words, if %zu more had none, leave %.2f of"
                                " %.0f; the wording moves that by %s%.2f.",
                                a->called, score->faults,
                                (size_t) JUDGE_ASPECT_WORDS, score->kept,
                                JUDGE_ASPECT_CLEAN, signbit(moved) ? "" : "+",
                                moved)
             : judge_str_printf(g->arena, "Measured as %s: its sum is %.2f,"
                                " where %.2f is 0 and %.2f is 100.", a->called,
                                score->sum, (double) a->low,
                                (double) a->high);

    judge_score_stage(s, JUDGE_STAGE_MEASURED, (double) NAN, reason);

    return reason.data ? JUDGE_OK : JUDGE_NOMEM;
}


static judge_rc_e
judge_score_criterion(judge_ground_t *g, size_t criterion,
    judge_criterion_score_t *s)
{
    judge_aspect_score_t     *score = &g->aspects[criterion];
    const judge_aspect_t     *aspect;
    const judge_criterion_t  *c = &g->rubric->criteria[criterion];

    s->judged_by = c->judged_by;
    s->score = NAN;
    s->reason = c->reason;
    judge_score_stage(s, JUDGE_STAGE_CHOSEN, (double) NAN, c->reason);

    if (c->judged_by == JUDGE_BY_CHECKS && g->m->text->ntokens == 0) {
        s->score = 0;                  /* white space: nothing is checked */
        return JUDGE_OK;
    }

    if (c->judged_by != JUDGE_BY_MEASURES) {
        if (c->judged_by == JUDGE_BY_NOTHING && c->lacks != NULL) {
            s->reason = judge_str_printf(g->arena, "%s %s",
                                         judge_say(g->language, c->lacks),
                                         judge_say(g->language, c->helps));
        }

        return s->reason.data || c->reason.len == 0 ? JUDGE_OK : JUDGE_NOMEM;
    }

    if (g->m->text->nwords == 0) {
        s->score = 0;
        return JUDGE_OK;
    }

    aspect = c->aspect;

    if (aspect == &judge_aspects[JUDGE_ASPECT_RELEVANCE]
        && g->m->question == NULL && g->m->source != NULL)
    {
        /* what is relevant of a document is what it often speaks of */
        aspect = &judge_aspects[JUDGE_ASPECT_COVERAGE];
    }

    judge_aspect_score(score, aspect, g->m);
    s->score = score->score;

    return isnan(s->score) ? judge_score_unjudged(g, score, s)
                           : judge_score_measured(g, score, s);
}


static judge_rc_e
judge_score_empty(const judge_ground_t *g, judge_verdict_t *verdict)
{
    size_t       i;
    judge_str_t  why, *remarks;

    why = judge_str_c(g->m->text->ntokens == 0
          ? judge_say(g->language, "The text is empty; there is nothing to"
                                   " score.")
          : judge_say(g->language, "The text has no words; there is nothing"
                                   " to score."));

    for (i = 0; i < g->rubric->ncriteria; i++) {
        if (!isnan(verdict->scores[i].score)) {
            verdict->scores[i].feedback = why;
        }
    }

    remarks = judge_array_alloc(g->arena, 2, sizeof(judge_str_t));
    if (remarks == NULL) {
        return JUDGE_NOMEM;
    }

    remarks[0] = why;
    remarks[1] = judge_str_c(judge_say(g->language,
                                       "Submit a text with words."));
    verdict->empty = true;
    verdict->summary = why;
    verdict->weaknesses = &remarks[0];
    verdict->nweaknesses = 1;
    verdict->suggestions = &remarks[1];
    verdict->nsuggestions = 1;

    return JUDGE_OK;
}


judge_rc_e
judge_score_reading(const judge_scorer_t *scorer,
    const judge_reading_t *reading, judge_arena_t *arena,
    judge_verdict_t *verdict)
{
    size_t                 i, n = scorer->rubric.ncriteria;
    judge_rc_e             rc;
    judge_ground_t        *g;
    judge_aspect_score_t  *aspects;

    memset(verdict, 0, sizeof(judge_verdict_t));
    verdict->scores = judge_array_alloc(arena, n,
                                        sizeof(judge_criterion_score_t));
    aspects = judge_array_alloc(arena, n, sizeof(judge_aspect_score_t));
    g = judge_alloc(arena, sizeof(judge_ground_t));
    if (verdict->scores == NULL || aspects == NULL || g == NULL) {
        return JUDGE_NOMEM;
    }

    *g = (judge_ground_t) {
        .rubric = &scorer->rubric, .m = &reading->m, .arena = arena,
        .language = scorer->feedback != JUDGE_LANGUAGE_UNKNOWN
                    ? scorer->feedback : reading->text.language,
        .aspects = aspects
    };

    verdict->features = reading->m.v;
    verdict->nfeatures = JUDGE_FEATURES;
    verdict->language = judge_language_code(reading->text.language);

    rc = judge_score_flags(reading, g, verdict);

    for (i = 0; i < n && rc == JUDGE_OK; i++) {
        rc = judge_score_criterion(g, i, &verdict->scores[i]);
    }

    judge_verdict_cap(&scorer->rubric, verdict);

    if (reading->text.nwords == 0) {
        return rc == JUDGE_OK ? judge_score_empty(g, verdict) : rc;
    }

    verdict->ground = g;

    return rc;
}


void
judge_score_stage(judge_criterion_score_t *score, judge_stage_e stage,
    double before, judge_str_t reason)
{
    if (score->nstages < JUDGE_STAGES_MAX) {
        score->stages[score->nstages++] = (judge_stage_t) {
            stage, before, score->score, reason
        };
    }
}


void
judge_verdict_total(const judge_rubric_t *rubric, judge_verdict_t *verdict)
{
    size_t  i;
    double  sum, judged, weights;

    for (i = 0, sum = 0, judged = 0, weights = 0; i < rubric->ncriteria; i++) {
        weights += rubric->criteria[i].weight;

        if (!isnan(verdict->scores[i].score)) {
            sum += rubric->criteria[i].weight * verdict->scores[i].score;
            judged += rubric->criteria[i].weight;
        }
    }

    verdict->overall = judged > 0 ? judge_round2(sum / judged) : NAN;
    verdict->coverage = judge_round2(judge_share(judged, weights));
}


void
judge_verdict_cap(const judge_rubric_t *rubric, judge_verdict_t *verdict)
{
    size_t                    i, k;
    double                    before;
    judge_criterion_score_t  *s;

    for (i = 0; i < rubric->ncriteria; i++) {
        s = &verdict->scores[i];
        before = s->score;

        for (k = 0; k < verdict->nflags; k++) {
            if ((s->judged_by == JUDGE_BY_MEASURES
                 || s->judged_by == JUDGE_BY_CORRECTIONS)
                && (s->score > verdict->flags[k].cap
                    || (isnan(s->score) && verdict->flags[k].scores)))
            {
                s->score = verdict->flags[k].cap;
                judge_score_stage(s, JUDGE_STAGE_CAPPED, before,
                                  judge_str_c(verdict->flags[k].reason));
                before = s->score;
            }
        }
    }

    judge_verdict_total(rubric, verdict);
}
