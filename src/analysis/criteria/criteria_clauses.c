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
    size_t       group[JUDGE_CRITERIA_FOUND + 1];
    size_t       n;
    judge_cue_t  pending;              /* a cue before its name */
    judge_cue_t  ratio;
} judge_clause_list_t;


/* --- Lists ------------------------------------------------------------- */


/* With "each" or a verb in the plural a cue is about all before it that have
 * no weight yet; without a name it is about the last, or the one that follows;
 * "the rest" gets what is left over in any case. */

static void
judge_clause_member(judge_prose_t *p, judge_clause_list_t *l, judge_span_t s,
    judge_form_e form)
{
    size_t                at, i, n;
    judge_cue_t           cue;
    judge_span_t          name;
    const judge_draft_t  *f;

    name = judge_span_trim(p, judge_cue_take(p, s, &cue));
    n = name.to - name.from;
    p->ranked |= judge_cue_is(&cue, RANKED);
    l->ratio = (cue.nratio > 0) ? cue : l->ratio;

    if (judge_clause_read(p, judge_criteria_pieces, s) > 0) {
        return;
    }

    i = (judge_span_has(p, s, JUDGE_W_EACH)
         || judge_span_seek(p, judge_span(s.from + 1, s.to), JUDGE_W_PLURAL)
            <= cue.at.from) ? 0 : l->n;

    for ( ; i < l->n; i++) {
        f = &p->found[l->group[i]];

        if (f->share + f->points == 0 && f->factor == 1) {
            judge_draft_apply(p, l->group[i], &cue);
        }
    }

    if (judge_span_match(p, name.from, name.to, JUDGE_W_NAMELESS) == n) {
        if (l->n + n == 0) {
            l->pending = cue;

        } else if (!judge_span_has(p, name, JUDGE_W_OTHERS)) {
            judge_draft_apply(p, p->last - 1, &cue);
        }

        return;
    }

    /* "meaning counts double" may be about "meaning preserved" */

    at = (cue.how != 0) ? judge_draft_find(p, name) : JUDGE_NONE;
    at = (at != JUDGE_NONE) ? at : judge_detail_one(p, name, form, NULL);

    if (at != JUDGE_NONE) {
        p->last = at + 1;
        judge_draft_apply(p, at, &cue);
        judge_draft_apply(p, at, &l->pending);
        l->pending.how = 0;
        l->group[l->n] = at;
        l->n += l->n < JUDGE_CRITERIA_FOUND;
    }
}


static size_t
judge_clause_list(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    size_t                i, n, end, next;
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
        f = &p->found[(l.n > 0) ? l.group[i] : i];
        f->factor = (p->ranked && l.n > 0) ? (double) (n - i) : f->factor;
        f->points = (l.ratio.nratio == n) ? l.ratio.ratio[i] : f->points;
    }

    p->ranked &= l.n <= 1;

    return (l.ratio.nratio == n) ? n : l.n;
}


/* --- Requirements ------------------------------------------------------ */


/* What is required begins with a verb of its own, or shares that of the one
 * before; "and" may go on with the one before, too ("clear for beginners and
 * experts").  The subject and the verb begin the description; "klar" of "klar
 * und knapp sein" ends with the verb of what follows. */

static size_t
judge_clause_required(judge_prose_t *p, judge_match_t *m)
{
    bool                 own;
    size_t               i, n, next, more;
    judge_span_t         verb, piece, after;
    judge_frame_t        frame;
    const judge_term_t  *first;

    n = 0;
    verb = m->object;

    for (first = NULL; verb.from < verb.to; verb.from = next) {
        own = first == NULL || judge_span_is(p, verb.from, JUDGE_W_VERB)
              || judge_span_match(p, verb.from, verb.to, JUDGE_W_DONT) > 0;
        first = own ? &p->tokens[verb.from] : first;
        piece = judge_span(verb.from, judge_span_member(p, verb, &next));

        while (next < verb.to) {
            after = judge_span(next, verb.to);
            after.to = judge_span_member(p, after, &more);

            if (judge_span_match(p, next, after.to, JUDGE_W_BEGINS) > 0
                || judge_span_has(p, after, JUDGE_W_NOUN)
                || judge_span_has(p, after, JUDGE_W_OTHER)
                || after.to - after.from == 1)
            {
                break;
            }

            piece.to = after.to;
            next = more;
        }

        frame.before = judge_span_text(p, judge_span(m->subject.from,
                                                     m->object.from));
        i = judge_span_seek(p, judge_span(piece.to, verb.to), JUDGE_W_FINAL);
        frame.after = (i < verb.to && judge_span_is(p, i, JUDGE_W_BE))
                      ? p->tokens[i].low : JUDGE_STR("");

        if (judge_span_is(p, piece.from, JUDGE_W_MODAL)
            || (n > 0 && judge_span_is(p, piece.from, JUDGE_W_PREPOSITION)))
        {
            frame.before.len = 0;

        } else if (!own && judge_term_is(first, JUDGE_W_SHARED)) {
            frame.before = judge_draft_say(p, "%s %t", frame.before,
                                           first->low);
        }

        n += judge_detail_one(p, piece, JUDGE_FORM_REQUIRED, &frame)
             != JUDGE_NONE;
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
    bool         forbids;
    size_t       at, n, made;
    judge_cue_t  cue = { .how = 0 };

    forbids = m->number[0] == 1;

    if (!forbids && judge_cue_next(p, m->object, &cue)
        && judge_span_skip(p, m->object, JUDGE_W_GLUE) >= cue.at.from
        && (cue.factor == 0
            || !judge_span_has(p, judge_span(cue.at.to, m->object.to),
                               JUDGE_W_TOPIC)))
    {
        return judge_clause_list(p, m->span, JUDGE_FORM_WEIGHED);
    }

    p->mood |= forbids ? judge_mood(NEVER) : 0;
    p->mood |= judge_span_is(p, m->subject.to, JUDGE_W_STRICT)
               ? judge_mood(STRICT) : 0;

    if (!judge_span_generic(p, m->subject)
        && (judge_span_has(p, m->subject, JUDGE_W_TOPIC)
            || !judge_span_has(p, m->object, JUDGE_W_TOPIC)))
    {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        at = judge_draft_add(p, m->subject, JUDGE_FORM_ENUMERATED);

        if (at < p->nfound) {
            judge_detail_statements(p, at, m->span);
        }

        return at < p->nfound;
    }

    n = p->nfound;
    cue = (judge_cue_t) { .how = 0 };

    if (judge_cue_next(p, m->subject, &cue) && cue.at.from == m->span.from) {
        m->subject.from = cue.at.to;
    }

    made = judge_clause_required(p, m);

    for ( ; m->subject.from > m->span.from && n < p->nfound; n++) {
        judge_draft_apply(p, n, &cue);
    }

    return made;
}


/* "It is clear and cites sources", "A good essay has a thesis"; "it names the
 * customer" asks for something, "it is Monday" does not. */

static size_t
judge_clause_state(judge_prose_t *p, judge_match_t *m)
{
    size_t  n;

    n = m->subject.to - m->subject.from;

    return (n > 0 && judge_span_generic(p, m->subject)
            && !judge_span_is(p, m->subject.to - 1, JUDGE_W_PERSON)
            && (judge_span_has(p, m->object, JUDGE_W_TOPIC)
                || (n <= 2 && !judge_span_is(p, m->object.from, JUDGE_W_BE))))
           ? judge_clause_required(p, m) : 0;
}


/* "Does the essay cite its sources?", "How well is it structured?"; what is
 * judged may stand behind the words that ask. */

static size_t
judge_clause_question(judge_prose_t *p, judge_match_t *m)
{
    size_t        i, n;
    judge_span_t  near, *verb;

    verb = &m->object;

    if (!judge_span_is(p, verb->to, JUDGE_W_QUESTION)) {
        return 0;
    }

    while ((n = judge_span_match(p, verb->from, verb->to, JUDGE_W_ASK)) > 0) {
        verb->from += n;
    }

    near = judge_span_near(*verb, 6);
    i = judge_span_seek(p, near, JUDGE_W_GENERIC);
    verb->from = (verb->from > m->span.from && i < near.to && i + 1 < verb->to)
                 ? i + 1 : verb->from;
    m->subject.from = m->span.from;

    return judge_clause_required(p, m);
}


/* --- Other actions ----------------------------------------------------- */


/* A list of pieces that are all short, and mostly qualities: "Clarity, tone";
 * or "Maximum 200 words." */

static size_t
judge_clause_bare(judge_prose_t *p, judge_match_t *m)
{
    size_t        end, next, pieces, known;
    judge_span_t  s, left;

    s = m->span;

    if (s.to - s.from <= JUDGE_CLAUSES_COUNT
        && judge_detail_quantity(p, s, &end) > 0)
    {
        return judge_detail_one(p, s, JUDGE_FORM_REQUIRED, NULL)
               != JUDGE_NONE;
    }

    for (left = s, pieces = known = 0; left.from < s.to; left.from = next) {
        end = judge_span_member(p, left, &next);
        pieces++;
        known += judge_span_has(p, judge_span(left.from, end), JUDGE_W_TOPIC);

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
    bool          asked;
    size_t        next;
    judge_span_t  s, first;

    asked = m->action == JUDGE_ACTION_ASKED;
    s = m->object;
    first = judge_span(s.from + 1, judge_span_member(p, s, &next));
    first = judge_span(s.from, judge_span_seek(p, first, JUDGE_W_ON));

    if ((m->action == JUDGE_ACTION_JUDGED)
        ? !judge_span_has(p, first, JUDGE_W_TOPIC)
        : (asked && judge_span_has(p, m->subject, JUDGE_W_TOPIC))
          || (!judge_span_has(p, s, JUDGE_W_TOPIC)
              && (judge_span_generic(p, s) || (!asked && next == s.to))))
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

    title = (m->action == JUDGE_ACTION_SECTION) ? (judge_title_e) m->number[0]
                                             : JUDGE_TITLE_NONE;
    p->mood = (title == JUDGE_TITLE_NONE) ? p->mood : 1u << title;

    if (title == JUDGE_TITLE_SCALE) {
        (void) judge_detail_levels(p, m->object, p->levels);
        return 1;
    }

    if (title == JUDGE_TITLE_EXAMPLE) {
        (void) judge_detail_examples(p, p->last - 1, m->span);
        return 1;
    }

    if (title == JUDGE_TITLE_IGNORE) {
        return 1;
    }

    n = judge_clause_list(p, m->object, JUDGE_FORM_ENUMERATED);

    if ((p->mood & judge_mood(NEVER)) != 0 && n == 1
        && p->found[p->last - 1].description.len == 0)
    {
        judge_detail_statements(p, p->last - 1, m->span);
    }

    return n;
}


/* A sentence of weights only, of criteria that are named or were. */

static size_t
judge_clause_weigh(judge_prose_t *p, judge_match_t *m)
{
    judge_cue_t     cue = { .how = 0 };
    const unsigned  sure = 1u << JUDGE_HOW_EQUAL | 1u << JUDGE_HOW_RANKED;

    if (!judge_cue_next(p, m->span, &cue) || judge_cue_is(&cue, SCALE)
        || !(judge_span_has(p, m->span, JUDGE_W_TOPIC) || (cue.how & sure) != 0
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
            || !judge_span_generic(p, m->subject))
        {
            return 0;
        }

        p->mood |= (m->number[0] == 1) ? judge_mood(NEVER) : 0;
        p->mood |= judge_span_is(p, m->subject.to, JUDGE_W_STRICT)
                   ? judge_mood(STRICT) : 0;
        m->object.from = (m->number[0] < 0) ? m->subject.to : m->object.from;
    }

    return judge_detail_one(p, m->object, JUDGE_FORM_LISTED, NULL)
           != JUDGE_NONE;
}


static const judge_clause_pt  judge_clause_acts[] = {
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
    size_t         n, least, tries;
    unsigned       mood;
    judge_match_t  m = { .last = false };

    mood = p->mood;
    n = 0;

    for (p->depth++; n == 0 && !m.last && p->depth <= JUDGE_CLAUSES_DEPTH
         && rule->pattern[0] != 0; rule++)
    {
        least = tries = 0;

        while (n == 0 && !m.last && tries < JUDGE_CLAUSES_TRIES
               && judge_span_pattern(p, s, rule, least, &m))
        {
            p->mood = mood | 1u << rule->mood;
            n = judge_clause_acts[rule->action](p, &m);
            least = m.subject.to + 1;
            tries = (m.subject.to > 0) ? tries + 1 : JUDGE_CLAUSES_TRIES;
        }
    }

    p->depth--;

    return n;
}


/* Where a requirement ends that is followed by one with a subject of its own:
 * "the title must be short, and the intro should surprise". */

static size_t
judge_clause_end(const judge_prose_t *p, judge_span_t s, size_t *next)
{
    size_t        i, end, begin;
    judge_span_t  left, near;

    for (left = s; left.from < s.to; left.from = begin) {
        end = judge_span_member(p, left, &begin);
        near = judge_span_near(judge_span(begin, s.to), JUDGE_CLAUSES_OPEN);
        i = judge_span_seek(p, near, JUDGE_W_MODAL);

        /* "a thesis, which must be clear" */

        if (i > begin + judge_span_is(p, begin, JUDGE_W_WHICH) && i < near.to
            && judge_span_has(p, judge_span(s.from, end), JUDGE_W_MODAL))
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
    size_t        next;
    judge_span_t  s, rest;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(p, s);
        p->mood = 0;
        s.to = judge_clause_end(p, s, &next);
        s = judge_span_trim(p, s);

        if (s.from >= s.to) {
            continue;
        }

        p->sentences++;
        rest = judge_detail_examples(p, JUDGE_NONE, s);

        if (rest.from >= rest.to) {
            /* an example of the last criterion */
            (void) judge_detail_examples(p, p->last - 1, s);

        } else if (!judge_detail_levels(p, s, p->levels)) {
            p->unused += judge_clause_read(p, judge_criteria_clauses, s) == 0;
        }
    }

    p->mood = 0;
}
