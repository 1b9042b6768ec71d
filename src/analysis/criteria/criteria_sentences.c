/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what kind each one is ("look for ...", "avoid ...", "the text
 * should ...", "does it ...?"), and where in it the criteria are.
 */


#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_SENTENCES_LEAD     9     /* words before "look for", */
#define JUDGE_SENTENCES_CLAUSE   14    /* of "when you read it,", */
#define JUDGE_SENTENCES_MODAL    16    /* before "should", */
#define JUDGE_SENTENCES_VERB     8     /* before any other verb */
#define JUDGE_SENTENCES_TRIES    24    /* of "on", "for", "by" */


judge_lead_e
judge_clause_lead(const judge_prose_t *p, judge_span_t s, size_t *rest)
{
    size_t  i, n;
    double  kind;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCES_LEAD; i++) {
        n = judge_span_value(p, i, s.to, JUDGE_W_LEAD, &kind);

        if (n > 0) {
            *rest = i + n;
            return (judge_lead_e) kind;
        }

        if (!judge_span_is(p, i, JUDGE_W_BEFORE)) {
            break;
        }
    }

    return JUDGE_LEAD_NONE;
}


/* --- A subject, and what it has to be or to do ------------------------- */


static size_t
judge_clause_clause(judge_prose_t *p, judge_span_t subject, judge_span_t verb,
    judge_span_t whole)
{
    size_t        at;
    judge_mood_t  mood;

    /* "Each chapter should be practical": the chapter is not judged by */

    if (judge_span_generic(p, subject)
        || (!judge_span_quality(p, subject) && judge_span_quality(p, verb)))
    {
        return judge_part_required(p, judge_span(subject.from, verb.from),
                                   verb);
    }

    mood = p->mood;
    p->mood.negative = 0;
    at = judge_name_add(p, subject, JUDGE_FORM_ENUMERATED);
    p->mood = mood;

    if (at == JUDGE_NONE) {
        return 0;
    }

    judge_name_describe(p, at, JUDGE_STR(""), whole);
    judge_criteria_details(p, at, whole);

    return 1;
}


/* "Accuracy should count twice as much as tone" is about weight only. */

static bool
judge_clause_weighs(const judge_prose_t *p, judge_span_t verb)
{
    judge_cue_t  cue;

    return judge_cue_first(p, verb, &cue) && !cue.scale
           && judge_span_skip(p, verb, JUDGE_W_GLUE) >= cue.at.from
           && (cue.share >= 0 || cue.points >= 0 || cue.times >= 0
               || cue.more || cue.less || cue.equal
               || !judge_span_quality(p, judge_span(cue.at.to, verb.to)));
}


static size_t
judge_clause_should(judge_prose_t *p, judge_span_t s)
{
    size_t        i, n, made, before;
    double        forbids;
    judge_cue_t   cue;
    judge_span_t  subject, verb, near;

    near = judge_span_near(s, JUDGE_SENTENCES_MODAL);
    i = judge_span_seek(p, near, JUDGE_W_MODAL);
    n = judge_span_value(p, i, s.to, JUDGE_W_MODAL, &forbids);
    subject = judge_span(s.from, i);
    verb = judge_span(i + n, s.to);

    if (i == near.to || verb.from >= verb.to) {
        return 0;
    }

    if (!forbids && judge_clause_weighs(p, verb)) {
        return judge_part_list(p, s, JUDGE_FORM_WEIGHED);
    }

    /* "must not exceed 500 words" is a length, not a fault */

    p->mood.negative
        = (forbids && !judge_span_is(p, verb.from, JUDGE_W_EXCEED)) ? 'V' : 0;
    p->mood.strict = judge_span_is(p, i, JUDGE_W_STRICT);
    before = p->nfound;

    /* "Above all it should be" */

    if (judge_cue_first(p, subject, &cue) && cue.at.from == s.from) {
        subject.from = cue.at.to;
    }

    made = judge_clause_clause(p, subject, verb, s);

    for (n = before; subject.from > s.from && n < p->nfound; n++) {
        judge_cue_apply(p, n, &cue);
    }

    p->mood.negative = 0;
    p->mood.strict = false;

    return made;
}


/* The first verb near the beginning of the span; s.to: there is none. */

static size_t
judge_clause_verb(const judge_prose_t *p, judge_span_t s)
{
    size_t               i;
    const judge_term_t  *t;

    for (i = s.from; i < s.to && i < s.from + JUDGE_SENTENCES_VERB; i++) {
        t = &p->tokens[i];

        if (i > s.from && judge_term_is(t, JUDGE_W_VERB)
            && !judge_term_is(t, JUDGE_W_GENERIC))
        {
            return i;
        }

        if (t->kind != JUDGE_TERM_WORD) {
            break;
        }
    }

    return s.to;
}


/* "It is clear and cites sources", "A good essay has a thesis". */

static size_t
judge_clause_is(judge_prose_t *p, judge_span_t s)
{
    size_t               i, head;
    judge_span_t         subject, verb;
    const judge_term_t  *t;

    i = judge_clause_verb(p, s);
    subject = judge_span(s.from, i);
    verb = judge_span(i, s.to);
    head = judge_span_head(p, subject);
    t = &p->tokens[i];

    if (i == s.to || head == i) {
        return 0;
    }

    if (!judge_span_is(p, head, JUDGE_W_GENERIC)
        || judge_span_is(p, head, JUDGE_W_PERSON)
        || (i + 1 < s.to && judge_term_is(t + 1, JUDGE_W_PREPOSITION)))
    {
        return 0;
    }

    /* "It names the customer" asks for something, "it is Monday" does not */

    return (judge_span_quality(p, verb)
            || (subject.to - subject.from == 1 && i + 1 < s.to
                && !judge_term_is(t, JUDGE_W_BE)))
           ? judge_part_required(p, subject, verb) : 0;
}


/* "Does the essay cite its sources?", "How well is it structured?"; what is
 * judged may stand behind the words that ask. */

size_t
judge_clause_question(judge_prose_t *p, judge_span_t s)
{
    size_t        i, n;
    judge_span_t  near, verb;

    verb = s;

    while ((n = judge_span_match(p, verb.from, s.to, JUDGE_W_ASK)) > 0) {
        verb.from += n;
    }

    if (verb.from == s.from || verb.from == s.to) {
        return 0;
    }

    near = judge_span_near(verb, 6);
    i = judge_span_seek(p, near, JUDGE_W_GENERIC);

    verb.from = (i < near.to && i + 1 < s.to) ? i + 1 : verb.from;

    return judge_part_required(p, judge_span(s.from, verb.from), verb);
}


/* --- Sentences with a lead --------------------------------------------- */


/*
 * "Judge blog posts for our company on clarity and tone": of the words that
 * may begin the criteria, the one that a quality follows; else the first.
 * Nothing of "rate the text from 1 to 10": only what is judged.
 */

static judge_span_t
judge_clause_object(const judge_prose_t *p, judge_span_t s)
{
    bool                 how, known;
    size_t               i, n, end, next, tries;
    judge_span_t         rest, what;
    const judge_term_t  *t;

    i = judge_span_seek(p, judge_span_near(s, 12), JUDGE_W_COLON);
    what = judge_span(s.to, s.to);

    if (i + 1 < s.to && judge_span_is(p, i, JUDGE_W_COLON)) {
        what = s = judge_span(i + 1, s.to);
    }

    known = what.from < what.to;

    for (i = s.from, tries = 0;
         !known && i < s.to && tries < JUDGE_SENTENCES_TRIES; i++)
    {
        n = judge_span_match(p, i, s.to, JUDGE_W_ON);
        t = &p->tokens[i];
        how = judge_term_is(t, JUDGE_W_HOW)
              || judge_term_is(t, JUDGE_W_WHETHER);

        if (n == 0 || (how && i == s.from)) {
            known = how;
            continue;
        }

        /* "how" belongs to what it begins */

        tries++;
        rest = judge_span(i + n - how, s.to);
        what = (what.from == s.to) ? rest : what;
        end = judge_part_end(p, rest, &next);
        end = judge_span_seek(p, judge_span(rest.from + 1, end), JUDGE_W_ON);
        known = judge_span_quality(p, judge_span(rest.from, end));

        if (known && (judge_term_is(t, JUDGE_W_BY)
                      || !judge_span_quality(p, judge_span(s.from, i))))
        {
            s = what = rest;
        }
    }

    if (what.from < s.to
        && !judge_span_quality(p, judge_span(s.from, what.from)))
    {
        s.from = what.from;
    }

    what = judge_span_trim(p, s);

    return (!judge_span_quality(p, what)
            && (judge_span_generic(p, what)
                || (what.from == s.from && tries == 0
                    && judge_part_end(p, what, &n) == what.to)))
           ? judge_span(s.to, s.to) : what;
}


/* "texts that are clear", "the answer to be short". */

static size_t
judge_clause_wanted(judge_prose_t *p, judge_span_t s)
{
    size_t  i;

    for (i = s.from; i + 2 < s.to && i < s.from + 6; i++) {
        if ((judge_span_is(p, i, JUDGE_W_GENERIC)
             && judge_span_is(p, i + 1, JUDGE_W_WHICH))
            || (judge_span_is(p, i + 1, JUDGE_W_TO)
                && judge_span_is(p, i + 2, JUDGE_W_VERB)))
        {
            return judge_part_required(p, judge_span(s.from, i + 2),
                                       judge_span(i + 2, s.to));
        }
    }

    return judge_part_list(p, s, JUDGE_FORM_ENUMERATED);
}


static size_t
judge_clause_led(judge_prose_t *p, judge_span_t s, judge_lead_e kind,
    size_t rest)
{
    size_t        i, n, before;
    judge_span_t  what, near;

    what = judge_span_trim(p, judge_span(rest, s.to));

    if (what.from >= what.to) {
        return 0;
    }

    switch (kind) {
    case JUDGE_LEAD_CLAUSE:
        n = judge_clause_should(p, what);
        n = (n > 0) ? n : judge_clause_is(p, what);
        return (n > 0) ? n : judge_part_list(p, what, JUDGE_FORM_REQUIRED);

    case JUDGE_LEAD_FAULT:
        i = judge_clause_verb(p, what);
        p->mood.negative = 'V';
        return (i == what.to) ? 0
               : judge_part_required(p, judge_span(what.from, i),
                                     judge_span(i, what.to));

    case JUDGE_LEAD_LIST:
        return judge_clause_wanted(p, what);

    case JUDGE_LEAD_JUDGE:
        what = judge_clause_object(p, what);

        if (what.from >= what.to) {
            return 0;
        }

        break;

    default:
        near = judge_span(rest - 2, rest);
        p->mood.negative = (kind == JUDGE_LEAD_AVOID) ? 'N'
                           : (kind == JUDGE_LEAD_DONT) ? 'V' : 0;
        p->mood.strict = kind == JUDGE_LEAD_DONT
                         && judge_span_has(p, near, JUDGE_W_STRICT);
        p->mood.lenient |= kind == JUDGE_LEAD_BONUS;
    }

    before = p->nfound;
    n = judge_part_list(p, what, JUDGE_FORM_ENUMERATED);

    if (kind == JUDGE_LEAD_DONT && n == 1
        && !p->found[p->last - 1].described)
    {
        judge_name_describe(p, p->last - 1, JUDGE_STR(""), s);
    }

    for (i = before; kind == JUDGE_LEAD_BONUS && i < p->nfound; i++) {
        p->found[i].factor = 0.5;
        p->weighed = true;
    }

    return n;
}


/* --- Any sentence ------------------------------------------------------ */


/* "Clarity, accuracy, tone.": no verb, and mostly qualities. */

static size_t
judge_clause_bare(judge_prose_t *p, judge_span_t s)
{
    size_t        end, next, pieces, known;
    judge_span_t  at;

    pieces = 0;
    known = 0;

    for (at = s; at.from < at.to; at.from = next) {
        end = judge_part_end(p, at, &next);
        pieces++;
        known += judge_span_quality(p, judge_span(at.from, end));

        if (end - at.from > 6) {
            return 0;
        }
    }

    return (known * 2 < pieces) ? 0
           : judge_part_list(p, s, JUDGE_FORM_ENUMERATED);
}


/* How many criteria a sentence has: each way to read it is tried. */

static size_t
judge_clause_read(judge_prose_t *p, judge_span_t s)
{
    double        low, high;
    size_t        n, rest;
    judge_cue_t   cue;
    judge_lead_e  kind;

    kind = judge_clause_lead(p, s, &rest);
    n = (kind == JUDGE_LEAD_NONE) ? 0 : judge_clause_led(p, s, kind, rest);

    if (n > 0) {
        return n;
    }

    p->mood.negative = 0;
    n = judge_clause_should(p, s);

    if (n == 0 && judge_cue_first(p, s, &cue) && !cue.scale
        && (judge_span_quality(p, s) || cue.equal || cue.ranked
            || p->nfound > 0))
    {
        n = judge_part_list(p, s, JUDGE_FORM_WEIGHED);
        n += cue.equal || cue.ranked;
    }

    n = (n > 0) ? n : judge_clause_is(p, s);

    /* "Cite at least two sources", "Keep it short" */

    if (n == 0 && judge_span_is(p, s.from, JUDGE_W_VERB)
        && s.to - s.from > 1)
    {
        n = judge_part_required(p, judge_span(s.from, s.from), s);
    }

    n = (n > 0) ? n : judge_clause_bare(p, s);

    /* "Maximum 200 words." */

    if (n == 0 && s.to - s.from <= 8
        && judge_detail_quantity(p, s, &low, &high, &rest) > 0)
    {
        n = judge_part_one(p, s, JUDGE_FORM_REQUIRED, NULL) != JUDGE_NONE;
    }

    return n;
}


/* Without "also", "please", "when you read a text," at the beginning. */

static judge_span_t
judge_clause_open(judge_prose_t *p, judge_span_t s)
{
    size_t        n;
    judge_span_t  near;

    s = judge_span_trim(p, s);
    near = judge_span_near(s, JUDGE_SENTENCES_CLAUSE);
    n = judge_span_seek(p, near, JUDGE_W_COMMA);

    if (n < near.to && judge_span_is(p, s.from, JUDGE_W_WHEN)) {
        s.from = n + 1;
    }

    for (n = 1; n > 0 && s.from < s.to; s.from += n) {
        n = judge_span_match(p, s.from, s.to, JUDGE_W_OPENING);

        if (n == 0 && judge_span_is(p, s.from, JUDGE_W_LENIENT)
            && judge_span_match(p, s.from, s.to, JUDGE_W_LEAD) == 0)
        {
            p->mood.lenient = true;
            n = 1;
        }
    }

    return s;
}


void
judge_criteria_sentences(judge_prose_t *p, judge_span_t whole)
{
    bool          question;
    size_t        next, n;
    judge_span_t  s, rest;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(p, s);
        question = judge_span_is(p, s.to - 1, JUDGE_W_QUESTION);
        p->mood = (judge_mood_t) { 0 };
        s = judge_clause_open(p, s);

        if (s.from >= s.to) {
            continue;
        }

        p->sentences++;
        rest = judge_detail_examples(p, JUDGE_NONE, s);

        if (rest.from >= rest.to) {
            /* an example of the last criterion */
            (void) judge_detail_examples(p, p->last - 1, s);

        } else if (!judge_part_unwanted(p, s)
                   && !judge_detail_levels(p, s, p->levels))
        {
            n = question ? judge_clause_question(p, s)
                         : judge_clause_read(p, s);
            p->unused += n == 0;
        }
    }

    p->mood = (judge_mood_t) { 0 };
}


/* Nothing was found: every quality that occurs may be meant. */

void
judge_clause_guess(judge_prose_t *p)
{
    size_t               i;
    const judge_term_t  *t;

    for (i = 0; i < p->ntokens; i += t->span) {
        t = &p->tokens[i];

        if (t->quality >= 0
            && (t->span > 1 || !judge_term_is(t, JUDGE_W_GENERIC)))
        {
            (void) judge_name_quality(p, t->quality, JUDGE_FORM_GUESSED);
        }
    }
}
