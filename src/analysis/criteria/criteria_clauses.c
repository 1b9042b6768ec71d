/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the tables of patterns find: sentences ("look for ...", "the text
 * should ..."), items of lists, and pieces of lists in a sentence ("clarity,
 * a friendly tone (30%) and no jargon").
 */


#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_CLAUSES_DEPTH   6        /* "check whether to make sure that" */
#define JUDGE_CLAUSES_TRIES   6        /* of longer subjects */
#define JUDGE_CLAUSES_OPEN    5        /* words before "should" in an item, */
#define JUDGE_CLAUSES_MEMBER  6        /* of a list that nothing announces, */
#define JUDGE_CLAUSES_COUNT   8        /* of "Maximum 200 words." */

/* The criteria of a list in a sentence. */

typedef struct {
    judge_draft_t  *group[JUDGE_CRITERIA_FOUND + 1];
    size_t          n;
    judge_cue_t     pending;           /* a cue before its name */
    judge_cue_t     ratio;
} judge_clause_list_t;


static void
judge_clause_details(judge_draft_t *f, judge_span_t s)
{
    judge_term_t  *at;

    (void) judge_span_examples(f, s);
    f->counted |= judge_span_quantity(s, &at) != NULL;
    f->mood |= (f->counted || judge_span_has(s, STRICT)) ? judge_mood(STRICT)
                                                         : 0;
    f->mood |= judge_span_has(s, LENIENT) ? judge_mood(LENIENT) : 0;
}


/* A sentence only about weight or scores is not part of the description. */

void
judge_clause_statements(judge_prose_t *p, judge_draft_t *f,
    judge_span_t whole)
{
    judge_cue_t     cue;
    judge_span_t    s, left;
    judge_term_t   *next;
    judge_frame_t   none = { JUDGE_STR(""), JUDGE_STR("") };
    judge_draft_t  *other;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(s);

        if (judge_span_levels(s, f->levels)) {
            continue;
        }

        left = judge_span_trim(judge_cue_take(s, &cue));
        other = judge_draft_ordinal(p, left);

        if (cue.how != 0 && (other != NULL || judge_span_generic(left))) {
            judge_draft_apply(p, (other != NULL) ? other : f, &cue);
            continue;
        }

        if (cue.share + cue.points + cue.times > 0
            || (cue.how != 0 && judge_term_is(cue.at.from - 1, OPENED)))
        {
            judge_draft_apply(p, f, &cue);

            /* "30% - the facts are right" */
            s.from = (cue.at.from <= s.from + 1) ? cue.at.to : s.from;
        }

        judge_draft_describe(p, f, none, s);
    }

    judge_clause_details(f, whole);
}


/* Adds what the piece names, without brackets, examples and numbers. */

static judge_draft_t *
judge_clause_add(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    judge_term_t  *end, *at;

    s = judge_span_examples(NULL, s);
    end = judge_span_seek(s, HEAD);
    s.to = (end > s.from) ? end : s.to;
    end = judge_span_quantity(s, &at);

    if (end != NULL
        && judge_span_has(judge_span_near(judge_span(end, s.to), 2), LENGTH))
    {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        return judge_draft_add(p, s, form, JUDGE_Q_LENGTH);
    }

    /* "uses at least three concrete examples" is about examples */
    s.from = (end != NULL && end < s.to
              && !judge_span_has(judge_span(s.from, at), TOPIC))
             ? end : s.from;

    return judge_draft_add(p, s, form, -1);
}


/* The criterion that a piece names, with its details, or NULL.  What is
 * required is described in its own words in a frame, "The text should be";
 * else only what says more than the name is a description. */

static judge_draft_t *
judge_clause_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_frame_t *frame)
{
    size_t          n, words;
    judge_cue_t     cue;
    unsigned        mood;
    judge_span_t    name;
    judge_frame_t   own = { JUDGE_STR(""), JUDGE_STR("") };
    judge_draft_t  *f;

    mood = p->mood;
    s = judge_span_trim(s);
    name = judge_cue_take(s, &cue);
    s = (frame == NULL) ? judge_span_trim(name) : s;
    n = judge_span_match(s.from, s.to, NO);
    words = (n > 0) ? n : judge_span_match(s.from, s.to, DONT);

    if (words > 0 && s.from + words < s.to
        && !judge_term_is(s.from + words, QUANTIFIED))
    {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        p->mood |= (n > 0) ? judge_mood(AVOID) : judge_mood(NEVER);
        name.from = s.from + words;

    } else if ((mood & JUDGE_MOOD_NEGATIVE) != 0) {
        own.before = judge_str_c(judge_draft_saying(p,
                         (mood & judge_mood(NEVER)) ? JUDGE_SAY_DO_NOT
                                                    : JUDGE_SAY_AVOID));
    }

    f = judge_clause_add(p, name, form);
    p->mood = mood;

    if (f == NULL) {
        return NULL;
    }

    judge_clause_details(f, s);

    if (frame != NULL
        || (!judge_str_caseeq(judge_span_text(s), f->name)
            && ((f->counted && f->quality == JUDGE_Q_LENGTH)
                || judge_span_words(s) > 3
                || (f->named
                    && judge_span_words(judge_span_strip(s, FILLER, LINKING))
                       > 1))))
    {
        judge_draft_describe(p, f, (frame != NULL) ? *frame : own, s);
    }

    judge_draft_apply(p, f, &cue);

    return f;
}


/* With "each" or a verb in the plural a cue is about all before it that have
 * no weight yet; without a name it is about the last, or the one that follows;
 * "the rest" gets what is left over in any case. */

static void
judge_clause_member(judge_prose_t *p, judge_clause_list_t *l, judge_span_t s,
    judge_form_e form)
{
    size_t          i;
    judge_cue_t     cue;
    judge_span_t    name;
    judge_draft_t  *f;

    name = judge_span_trim(judge_cue_take(s, &cue));
    p->ranked |= judge_cue_is(&cue, RANKED);
    l->ratio = (cue.nratio > 0) ? cue : l->ratio;

    if (judge_clause_read(p, judge_criteria_pieces, s) > 0) {
        return;
    }

    i = (judge_span_has(s, EACH)
         || judge_span_seek(judge_span(s.from + 1, s.to), PLURAL)
            <= cue.at.from) ? 0 : l->n;

    for ( ; i < l->n; i++) {
        f = l->group[i];

        if (f->share + f->points == 0 && f->factor == 1) {
            judge_draft_apply(p, f, &cue);
        }
    }

    if (name.from + judge_span_match(name.from, name.to, NAMELESS) == name.to)
    {
        if (l->n == 0 && name.from == name.to) {
            l->pending = cue;

        } else if (!judge_span_has(name, OTHERS)) {
            judge_draft_apply(p, p->last, &cue);
        }

        return;
    }

    /* "meaning counts double" may be about "meaning preserved" */
    f = (cue.how != 0) ? judge_draft_find(p, name) : NULL;
    f = (f != NULL) ? f : judge_clause_one(p, name, form, NULL);

    if (f != NULL) {
        p->last = f;
        judge_draft_apply(p, f, &cue);
        judge_draft_apply(p, f, &l->pending);
        l->pending.how = 0;
        l->group[l->n] = f;
        l->n += l->n < JUDGE_CRITERIA_FOUND;
    }
}


static size_t
judge_clause_list(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    size_t                i, n;
    judge_term_t         *end, *next;
    judge_draft_t        *f;
    judge_clause_list_t   l = { .n = 0 };

    for ( ; s.from < s.to; s.from = next) {
        end = judge_span_member(p, s, &next);

        if (end > s.from) {
            judge_clause_member(p, &l, judge_span(s.from, end), form);
        }
    }

    /* "Weighted 2:1:1" on its own is about all */
    n = (l.n > 0) ? l.n : p->nfound;
    p->weighed |= n > 0 && (l.ratio.nratio == n || p->ranked);

    for (i = 0; i < n; i++) {
        f = (l.n > 0) ? l.group[i] : &p->found[i];
        f->factor = (p->ranked && l.n > 0) ? (double) (n - i) : f->factor;
        f->points = (l.ratio.nratio == n) ? l.ratio.ratio[i] : f->points;
    }

    p->ranked &= l.n <= 1;

    return (l.ratio.nratio == n) ? n : l.n;
}


/* What is required begins with a verb of its own, or shares that of the one
 * before; "and" may go on with the one before, too ("clear for beginners and
 * experts").  The subject and the verb begin the description; "klar" of "klar
 * und knapp sein" ends with the verb of what follows. */

static size_t
judge_clause_required(judge_prose_t *p, judge_match_t *m)
{
    bool            own;
    size_t          n;
    judge_span_t    verb, piece, after;
    judge_term_t   *end, *first, *next, *more;
    judge_frame_t   frame;

    n = 0;
    verb = m->object;

    for (first = end = NULL; verb.from < verb.to; verb.from = next) {
        own = first == NULL || judge_term_is(verb.from, VERB)
              || judge_span_match(verb.from, verb.to, DONT) > 0;
        first = own ? verb.from : first;
        piece = judge_span(verb.from, judge_span_member(p, verb, &next));

        while (next < verb.to) {
            after = judge_span(next, verb.to);
            after.to = judge_span_member(p, after, &more);

            if (judge_span_match(next, after.to, BEGINS) > 0
                || judge_span_has(after, NOUN) || judge_span_has(after, OTHER)
                || after.to - after.from == 1)
            {
                break;
            }

            piece.to = after.to;
            next = more;
        }

        frame.before = judge_span_text(judge_span(m->subject.from,
                                                  m->object.from));
        if (end == NULL || end < piece.to) {
            end = judge_span_seek(judge_span(piece.to, verb.to), FINAL);
        }
        frame.after = (end < verb.to && judge_term_is(end, BE))
                      ? end->low : JUDGE_STR("");

        if (judge_term_is(piece.from, MODAL)
            || (n > 0 && (judge_term_is(piece.from, PREPOSITION)
                          || judge_span_match(piece.from, piece.to, NO) > 0)))
        {
            frame.before.len = 0;

        } else if (!own && judge_term_is(first, SHARED)) {
            frame.before = judge_draft_say(p, "%s %t", frame.before,
                                           first->low);
        }

        n += judge_clause_one(p, piece, JUDGE_FORM_REQUIRED, &frame) != NULL;
    }

    return n;
}


/* "Accuracy should count twice as much as tone" is about weight only; "must
 * not exceed 500 words" is a length, not a fault; "above all it should be"
 * weighs what follows.  "Each chapter should be practical": the chapter is
 * not judged by, but prices that "must be current" are. */

static size_t
judge_clause_require(judge_prose_t *p, judge_match_t *m)
{
    bool            forbids = m->value == 1;
    size_t          n, made;
    judge_cue_t     cue = { .how = 0 };
    judge_draft_t  *f;

    if (!forbids && judge_cue_next(m->object, &cue)
        && judge_span_skip(m->object, GLUE) >= cue.at.from
        && (cue.factor == 0
            || !judge_span_has(judge_span(cue.at.to, m->object.to), TOPIC)))
    {
        return judge_clause_list(p, m->span, JUDGE_FORM_WEIGHED);
    }

    p->mood |= forbids ? judge_mood(NEVER) : 0;
    p->mood |= judge_term_is(m->subject.to, STRICT) ? judge_mood(STRICT) : 0;

    if (!judge_span_generic(m->subject)
        && (judge_span_has(m->subject, TOPIC)
            || !judge_span_has(m->object, TOPIC)))
    {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        f = judge_draft_add(p, m->subject, JUDGE_FORM_ENUMERATED, -1);

        if (f != NULL) {
            judge_clause_statements(p, f, m->span);
        }

        return f != NULL;
    }

    n = p->nfound;
    cue = (judge_cue_t) { .how = 0 };

    if (judge_cue_next(m->subject, &cue) && cue.at.from == m->span.from) {
        m->subject.from = cue.at.to;
    }

    made = judge_clause_required(p, m);

    for ( ; m->subject.from > m->span.from && n < p->nfound; n++) {
        judge_draft_apply(p, &p->found[n], &cue);
    }

    return made;
}


/* "It is clear and cites sources", "A good essay has a thesis"; "it names the
 * customer" asks for something, "it is Monday" does not. */

static size_t
judge_clause_state(judge_prose_t *p, judge_match_t *m)
{
    judge_span_t  s = m->subject;

    return (s.from < s.to && judge_span_generic(s)
            && !judge_term_is(s.to - 1, PERSON)
            && (judge_span_has(m->object, TOPIC)
                || (s.to - s.from <= 2 && !judge_term_is(m->object.from, BE))))
           ? judge_clause_required(p, m) : 0;
}


/* "Does the essay cite its sources?", "How well is it structured?"; what is
 * judged may stand behind the words that ask. */

static size_t
judge_clause_question(judge_prose_t *p, judge_match_t *m)
{
    size_t         n;
    judge_span_t   near, *verb = &m->object;
    judge_term_t  *t;

    if (!judge_term_is(verb->to, QUESTION)) {
        return 0;
    }

    while ((n = judge_span_match(verb->from, verb->to, ASK)) > 0) {
        verb->from += n;
    }

    near = judge_span_near(*verb, 6);
    t = judge_span_seek(near, GENERIC);
    verb->from = (verb->from > m->span.from && t < near.to && t + 1 < verb->to)
                 ? t + 1 : verb->from;
    m->subject.from = m->span.from;

    return judge_clause_required(p, m);
}


/* A list of pieces that are all short, and mostly qualities: "Clarity, tone";
 * or "Maximum 200 words." */

static size_t
judge_clause_bare(judge_prose_t *p, judge_match_t *m)
{
    size_t         pieces, known;
    judge_span_t   s, left;
    judge_term_t  *end, *next;

    s = m->span;

    if (s.to - s.from <= JUDGE_CLAUSES_COUNT
        && judge_span_quantity(s, &end) != NULL)
    {
        return judge_clause_one(p, s, JUDGE_FORM_REQUIRED, NULL) != NULL;
    }

    for (left = s, pieces = known = 0; left.from < s.to; left.from = next) {
        end = judge_span_member(p, left, &next);
        pieces++;
        known += judge_span_has(judge_span(left.from, end), TOPIC);

        if (end - left.from > JUDGE_CLAUSES_MEMBER) {
            return 0;
        }
    }

    return (known * 2 >= pieces)
           ? judge_clause_list(p, s, JUDGE_FORM_ENUMERATED) : 0;
}


/* "Judge blog posts for our company on clarity and tone": of the words that
 * may begin the criteria, the one that a quality follows; nothing of "rate
 * the text from 1 to 10". */

static size_t
judge_clause_judged(judge_prose_t *p, judge_match_t *m)
{
    bool           asked = m->action == JUDGE_ACTION_ASKED;
    judge_span_t   first, s = m->object;
    judge_term_t  *next;

    first = judge_span(s.from + 1, judge_span_member(p, s, &next));
    first = judge_span(s.from, judge_span_seek(first, ON));

    if ((m->action == JUDGE_ACTION_JUDGED)
        ? !judge_span_has(first, TOPIC)
        : (asked && judge_span_has(m->subject, TOPIC))
          || (!judge_span_has(s, TOPIC)
              && (judge_span_generic(s) || (!asked && next == s.to))))
    {
        return 0;
    }

    return judge_clause_list(p, s, JUDGE_FORM_ENUMERATED);
}


/* "Avoid: jargon, clichés", "Scale: 90 is excellent"; "Never promise refunds"
 * describes itself. */

static size_t
judge_clause_listed(judge_prose_t *p, judge_match_t *m)
{
    size_t         n;
    judge_title_e  title;

    title = (m->action == JUDGE_ACTION_SECTION) ? (judge_title_e) m->value
                                                : JUDGE_TITLE_NONE;
    p->mood = (title == JUDGE_TITLE_NONE) ? p->mood : 1u << title;

    switch (title) {
    case JUDGE_TITLE_SCALE:
        (void) judge_span_levels(m->object, p->levels);
        return 1;

    case JUDGE_TITLE_EXAMPLE:
        (void) judge_span_examples(p->last, m->span);
        return 1;

    case JUDGE_TITLE_IGNORE:
        return 1;

    default:
        n = judge_clause_list(p, m->object, JUDGE_FORM_ENUMERATED);
    }

    if ((p->mood & judge_mood(NEVER)) != 0 && n == 1
        && p->last->description.len == 0)
    {
        judge_clause_statements(p, p->last, m->span);
    }

    return n;
}


/* A sentence of weights only, of criteria that are named or were. */

static size_t
judge_clause_weigh(judge_prose_t *p, judge_match_t *m)
{
    judge_cue_t     cue = { .how = 0 };
    const unsigned  sure = 1u << JUDGE_HOW_EQUAL | 1u << JUDGE_HOW_RANKED;

    if (!judge_cue_next(m->span, &cue) || judge_cue_is(&cue, SCALE)
        || !(judge_span_has(m->span, TOPIC) || (cue.how & sure) != 0
             || p->nfound > 0
             || (cue.share > 0 && cue.at.from == m->span.from)))
    {
        return 0;
    }

    return judge_clause_list(p, m->span, JUDGE_FORM_WEIGHED)
           + ((cue.how & sure) != 0);
}


static size_t
judge_clause_again(judge_prose_t *p, judge_match_t *m)
{
    size_t  n;

    m->last = true;
    n = judge_clause_read(p, (m->action == JUDGE_ACTION_SAYS)
                             ? judge_criteria_items : judge_criteria_clauses,
                          m->object);

    return (n > 0 || m->action != JUDGE_ACTION_CLAUSE) ? n
           : judge_clause_list(p, m->object, JUDGE_FORM_REQUIRED);
}


/* An item of a list, from "should" on: that what is judged should. */

static size_t
judge_clause_item(judge_prose_t *p, judge_match_t *m)
{
    if (m->action == JUDGE_ACTION_MUST) {
        if (m->subject.to - m->span.from >= JUDGE_CLAUSES_OPEN
            || !judge_span_generic(m->subject))
        {
            return 0;
        }

        p->mood |= (m->value == 1) ? judge_mood(NEVER) : 0;
        p->mood |= judge_term_is(m->subject.to, STRICT) ? judge_mood(STRICT)
                                                        : 0;
        m->object.from = (m->value < 0) ? m->subject.to : m->object.from;
    }

    return judge_clause_one(p, m->object, JUDGE_FORM_LISTED, NULL) != NULL;
}


/* What a row finds by its action, as judge_clause_read() says. */
static size_t (*const judge_clause_acts[])(judge_prose_t *p,
    judge_match_t *m) = {
    [JUDGE_ACTION_AGAIN] = judge_clause_again,
    [JUDGE_ACTION_CLAUSE] = judge_clause_again,
    [JUDGE_ACTION_SAYS] = judge_clause_again,
    [JUDGE_ACTION_SECTION] = judge_clause_listed,
    [JUDGE_ACTION_UNWANTED] = judge_draft_unwanted,
    [JUDGE_ACTION_LIST] = judge_clause_listed,
    [JUDGE_ACTION_REQUIRED] = judge_clause_required,
    [JUDGE_ACTION_QUESTION] = judge_clause_question,
    [JUDGE_ACTION_JUDGED] = judge_clause_judged,
    [JUDGE_ACTION_ASKED] = judge_clause_judged,
    [JUDGE_ACTION_NAMED] = judge_clause_judged,
    [JUDGE_ACTION_REQUIRE] = judge_clause_require,
    [JUDGE_ACTION_STATE] = judge_clause_state,
    [JUDGE_ACTION_WEIGH] = judge_clause_weigh,
    [JUDGE_ACTION_BARE] = judge_clause_bare,
    [JUDGE_ACTION_ITEM] = judge_clause_item,
    [JUDGE_ACTION_MUST] = judge_clause_item
};


/* An action that finds nothing has the pattern matched again with a longer
 * subject, and the next row tried; but what was read again is read once. */

size_t
judge_clause_read(judge_prose_t *p, const judge_rule_t *rule, judge_span_t s)
{
    size_t          n, tries;
    unsigned        mood;
    judge_term_t   *least;
    judge_match_t   m = { .last = false };

    mood = p->mood;
    n = 0;

    for (p->depth++; n == 0 && !m.last && p->depth <= JUDGE_CLAUSES_DEPTH
         && rule->pattern[0] != 0; rule++)
    {
        for (tries = 0, least = NULL; n == 0 && !m.last
             && tries < JUDGE_CLAUSES_TRIES
             && judge_span_pattern(s, rule, least, &m); tries++)
        {
            p->mood = mood | 1u << rule->mood;
            n = judge_clause_acts[rule->action](p, &m);

            if (m.subject.to == NULL) {
                break;
            }

            least = m.subject.to + 1;
        }
    }

    p->depth--;

    return n;
}


/* Where a requirement ends that is followed by one with a subject of its own:
 * "the title must be short, and the intro should surprise". */

static judge_term_t *
judge_clause_end(const judge_prose_t *p, judge_span_t s, judge_term_t **next)
{
    judge_span_t   left, near;
    judge_term_t  *modal, *end, *begin;

    for (left = s; left.from < s.to; left.from = begin) {
        end = judge_span_member(p, left, &begin);
        near = judge_span_near(judge_span(begin, s.to), JUDGE_CLAUSES_OPEN);
        modal = judge_span_seek(near, MODAL);

        /* "a thesis, which must be clear" */
        if (modal > begin + judge_term_is(begin, WHICH) && modal < near.to
            && judge_span_has(judge_span(s.from, end), MODAL))
        {
            *next = begin;
            return end;
        }
    }

    return s.to;
}


void
judge_clause_sentences(judge_prose_t *p, judge_span_t whole)
{
    judge_span_t   s, rest;
    judge_term_t  *next;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(s);
        p->mood = 0;
        s.to = judge_clause_end(p, s, &next);
        s = judge_span_trim(s);

        if (s.from >= s.to) {
            continue;
        }

        p->sentences++;
        rest = judge_span_examples(NULL, s);

        if (rest.from >= rest.to) {
            /* an example of the last criterion */
            (void) judge_span_examples(p->last, s);

        } else if (!judge_span_levels(s, p->levels)) {
            p->unused += judge_clause_read(p, judge_criteria_clauses, s) == 0;
        }
    }

    p->mood = 0;
}
