/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What the tables of patterns find in sentences ("look for ...", "the text
 * should ..."), items of lists, and pieces of lists in a sentence.
 */


#include <string.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_CLAUSES_DEPTH   6        /* "check whether to make sure that" */
#define JUDGE_CLAUSES_TRIES   6        /* of longer subjects */
#define JUDGE_CLAUSES_OPEN    5        /* words before "should" in an item, */
#define JUDGE_CLAUSES_MEMBER  7        /* of a list that nothing announces, */
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

    if (f == NULL) {
        return;
    }

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(s);

        if (judge_span_levels(s, f->levels)) {
            continue;
        }

        left = judge_span_trim(judge_cue_take(s, &cue));
        other = (cue.how != 0 && judge_span_words(left) <= 3)
                ? judge_draft_find(p, left) : NULL;

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
            left = judge_span_trim(s);
            s.to = (cue.at.to + judge_term_is(cue.at.to, CLOSED) >= left.to
                    && cue.at.from[-1].kind == JUDGE_TERM_MARK)
                   ? cue.at.from - 1 : s.to;
        }

        judge_draft_describe(p, f, none, s);
    }

    judge_clause_details(f, whole);
}


/* Adds what the piece names, without brackets, examples and numbers. */

static judge_draft_t *
judge_clause_add(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    judge_span_t   before;
    judge_term_t  *end, *at;

    s = judge_span_examples(NULL, s);
    end = judge_span_seek(s, HEAD);
    s.to = (end > s.from) ? end : s.to;
    end = judge_span_quantity(s, &at);
    before = judge_span(s.from, (end != NULL) ? at : s.from);

    if (end != NULL
        && judge_span_has(judge_span_near(judge_span(end, s.to), 2), LENGTH))
    {
        if (judge_span_has(before, VERB) || judge_span_has(before, MODAL)
            || judge_span_generic(before))
        {
            p->mood &= ~JUDGE_MOOD_NEGATIVE;
            return judge_draft_add(p, s, form, JUDGE_Q_LENGTH);
        }

        s = before;
        end = NULL;
    }

    /* "uses at least three concrete examples" is about examples */
    s.from = (end != NULL && end < s.to && !judge_span_has(before, TOPIC))
             ? end : s.from;

    return judge_draft_add(p, s, form, -1);
}


/* The criterion that a piece names, with its details, or NULL.  A frame, "The
 * text should be", describes it with its words; else those that say more. */

static judge_draft_t *
judge_clause_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_frame_t *frame)
{
    size_t          n, words, modal;
    double          forbids = 0;
    judge_cue_t     cue;
    judge_span_t    name;
    judge_frame_t   own = { JUDGE_STR(""), JUDGE_STR("") };
    judge_draft_t  *f;
    const unsigned  mood = p->mood;

    s = judge_span_strip(judge_span_trim(s), PLEASE, NONE);
    name = judge_cue_take(s, &cue);
    s = (frame == NULL) ? judge_span_trim(name) : s;
    words = judge_term_phrase(s.from, s.to, JUDGE_CLASS_MODAL, &forbids);
    modal = (forbids == 0) ? words : 0;
    n = judge_span_match(s.from + modal, s.to, NO);
    n = judge_span_has(judge_span(s.from + modal + n, s.to), BE) ? 0 : n;
    words = (n > 0) ? modal + n : (words > modal) ? words
            : judge_span_match(s.from, s.to, DONT);

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
    name = judge_span_strip(s, FILLER, LINKING);

    if (frame != NULL || (n == 0 && words > 0 && judge_span_words(s) > 2)
        || (own.before.len == 0 && judge_span_words(s) > 1
            && (judge_term_is(s.from, VERB) || judge_span_has(s, BE)))
        || (!judge_str_caseeq(judge_span_text(s), f->name)
            && (f->counted || judge_span_words(s) > 3
                || (f->named && judge_span_words(name) > 1))))
    {
        judge_draft_describe(p, f, (frame != NULL) ? *frame : own, s);
    }

    judge_draft_apply(p, f, &cue);

    return f;
}


/* With "each" or a verb in the plural a cue is about all before it that have
 * no weight yet; without a name about the last, or the one that follows. */

static void
judge_clause_member(judge_prose_t *p, judge_clause_list_t *l, judge_span_t s,
    judge_form_e form)
{
    size_t          i;
    judge_cue_t     cue;
    judge_span_t    name;
    judge_draft_t  *f;

    s = judge_span_strip(s, NONE, DANGLING);
    name = judge_span_trim(judge_cue_take(s, &cue));
    p->ranked |= judge_cue_is(&cue, RANKED) || judge_cue_is(&cue, THEN);
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

        } else if (cue.factor > 0 && cue.factor < 1) {
            for (i = 0; i < p->nfound; i++, p->weighed = true) {
                p->found[i].factor /= cue.factor;
            }
        }

        return;
    }

    /* "meaning counts double" may be about "meaning preserved" */
    f = (cue.how != 0) ? judge_draft_find(p, name) : NULL;
    f = (f != NULL) ? f : judge_clause_one(p, name, form, NULL);
    f = (f != NULL || cue.share + cue.points == 0) ? f
        : judge_draft_add(p, name, JUDGE_FORM_LABELLED, -1);

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
    const bool            mixed = judge_span_has(s, COMMA)
                                  && !judge_span_has(s, OR);
    const bool            none = judge_term_is(s.from - 1, NOTHING);

    for ( ; s.from < s.to; s.from = next) {
        end = judge_span_member(p, s, &next);
        p->mood &= (l.n > 0 && mixed && (none
                                         || judge_term_is(s.from, BEGINS)))
                   ? ~JUDGE_MOOD_NEGATIVE : ~0u;

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


/* The first of the pieces that `all` requires; each begins with a verb of its
 * own or shares `verb`; "and" may go on ("clear for beginners and experts").
 * *that: the next one begins with "that". */

static judge_span_t
judge_clause_piece(const judge_prose_t *p, judge_span_t all,
    const judge_term_t *verb, judge_term_t **next, bool *that)
{
    judge_span_t   after, piece;
    judge_term_t  *more;

    piece = judge_span(all.from, judge_span_member(p, all, next));

    for (*that = false; *next < all.to; piece.to = after.to, *next = more) {
        after = judge_span_strip(judge_span(*next, all.to), THAT, NONE);
        *that = after.from > *next;
        after = *that ? judge_span_strip(after, ONE, NONE) : after;
        *next = after.from;
        after.to = judge_span_member(p, after, &more);

        if (*that || judge_term_is(*next - 1, BUT)
            || judge_term_alike(*next, verb)
            || judge_span_match(*next, after.to, BEGINS) > 0
            || (judge_term_small(p, piece.to - 1)
                && judge_term_small(p, after.to - 1))
            || judge_span_has(after, NOUN) || judge_span_has(after, OTHER)
            || after.to - after.from == 1)
        {
            break;
        }
    }

    return piece;
}


/* Whether a piece behind the first makes no sentence with the subject. */

static bool
judge_clause_alone(const judge_prose_t *p, judge_span_t s)
{
    return judge_term_is(s.from, EVERY)
           || (judge_term_is(s.from, PREPOSITION)
               && !judge_term_is(s.to - 1, FINAL))
           || (judge_span_match(s.from, s.to, NO) > 0
               && !judge_term_is(s.from, VERB))
           || ((p->mood & judge_mood(NEVER)) != 0
               && judge_span_match(s.from, s.to, DONT) > 0);
}


/* Subject and verb begin the description; a verb behind all may end it. */

static size_t
judge_clause_required(judge_prose_t *p, judge_match_t *m)
{
    bool            own, that = false;
    size_t          n = 0;
    judge_span_t    piece, all = m->object;
    judge_term_t   *end, *first, *next;
    judge_frame_t   frame;

    for (first = all.from, end = NULL; all.from < all.to; all.from = next) {
        own = first == all.from || that || judge_term_is(all.from, VERB)
              || judge_span_match(all.from, all.to, DONT) > 0;
        first = own ? all.from : first;
        piece = judge_clause_piece(p, all, first, &next, &that);
        end = (end != NULL && end >= piece.to) ? end
              : judge_span_seek(judge_span(piece.to, all.to), FINAL);
        frame.before = judge_span_text(judge_span(m->subject.from,
                                                  m->object.from));
        frame.before = judge_draft_say(p, (p->whether != NULL)
                                          ? p->whether : "%s",
                                       frame.before, frame.before);
        frame.after = (end < all.to && judge_term_is(end, BE)
                       && !judge_term_is(piece.from, VERB)
                       && !judge_term_is(piece.to - 1, FINAL))
                      ? end->low : JUDGE_STR("");

        if (judge_span_match(piece.from, piece.to, MODAL) > 0
            || (n > 0 && p->whether == NULL && judge_clause_alone(p, piece)))
        {
            frame.before.len = 0;

        } else if (!own && judge_term_is(first, SHARED)) {
            frame.before = judge_draft_say(p, "%s %t", frame.before,
                                           first->low);
        }

        n += judge_clause_one(p, piece, JUDGE_FORM_REQUIRED, &frame) != NULL;

        if ((p->mood & JUDGE_MOOD_NEGATIVE) != 0
            && (judge_term_is(next - 1, BUT)
                || judge_span_match(next, all.to, MODAL) > 0))
        {
            p->mood &= ~JUDGE_MOOD_NEGATIVE;
            m->subject.from = m->object.from;
        }
    }

    return n;
}


/* "Accuracy should count twice as much as tone" is about weight only.  By the
 * chapter that "should be practical" is not judged, by prices that are. */

static size_t
judge_clause_require(judge_prose_t *p, judge_match_t *m)
{
    bool            forbids = m->value == 1;
    size_t          n, made;
    judge_cue_t     cue = { .how = 0 };
    judge_term_t   *next;
    judge_draft_t  *f;

    if (!forbids && judge_cue_next(m->object, &cue)
        && judge_span_skip(m->object, GLUE) >= cue.at.from
        && (cue.factor == 0
            || !judge_span_has(judge_span(cue.at.to, m->object.to), TOPIC)))
    {
        return judge_clause_list(p, m->span, JUDGE_FORM_WEIGHED);
    }

    /* "respect: guests must not be interrupted" */
    if (judge_span_seek(m->subject, COLON) + 1 < m->subject.to) {
        return 0;
    }

    p->mood |= forbids ? judge_mood(NEVER) : 0;
    p->mood |= judge_term_is(m->subject.to, STRICT) ? judge_mood(STRICT) : 0;

    if (!judge_span_generic(m->subject)
        && (judge_span_has(m->subject, TOPIC)
            || (!judge_span_has(m->object, TOPIC)
                && (judge_term_is(m->object.from, BE)
                    || judge_term_is(m->object.to - 1, BE))
                && judge_span_member(p, m->object, &next) == m->object.to)))
    {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        f = judge_draft_add(p, m->subject, JUDGE_FORM_ENUMERATED, -1);
        judge_clause_statements(p, f, m->span);
        return f != NULL;
    }

    n = p->nfound;
    cue = (judge_cue_t) { .how = 0 };

    if (judge_cue_next(m->subject, &cue) && cue.at.from == m->span.from) {
        m->subject.from = (judge_span_words(judge_span(cue.at.to,
                                                       m->subject.to)) > 0)
                          ? cue.at.to : m->object.from;
    }

    made = judge_clause_required(p, m);

    for ( ; m->subject.from > m->span.from && n < p->nfound; n++) {
        judge_draft_apply(p, &p->found[n], &cue);
    }

    return made;
}


/* "It is clear and cites sources", "A good essay has a thesis". */

static size_t
judge_clause_state(judge_prose_t *p, judge_match_t *m)
{
    judge_span_t  s = m->subject;

    return (s.from < s.to && judge_span_generic(s)
            && judge_span_match(m->object.from, m->object.to, MODAL) == 0
           && !judge_term_is(s.to - 1, PERSON) && !judge_span_has(s, SPEAKER)
            && !judge_span_has(s, COLON)
            && (judge_span_has(m->object, TOPIC)
                || ((s.to - s.from <= 2 || p->depth > 1)
                    && !judge_term_is(m->object.from, BE))))
           ? judge_clause_required(p, m) : 0;
}


/* "Does the essay cite its sources?", "How well is it structured?" */

static size_t
judge_clause_question(judge_prose_t *p, judge_match_t *m)
{
    size_t         n;
    judge_span_t   near, *verb = &m->object;
    judge_term_t  *t;

    if (!judge_term_is(verb->to, QUESTION)
        || judge_span_match(verb->from, verb->to, CLAUSE) > 0)
    {
        return 0;
    }

    while ((n = judge_span_match(verb->from, verb->to, ASK)) > 0) {
        verb->from += n;
    }

    near = judge_span_near(*verb, 6);
    t = judge_span_seek(near, GENERIC);
    verb->from = (verb->from > m->span.from && t < near.to
                  && t + 1 < verb->to
                  && !judge_span_has(judge_span(verb->from, t), TOPIC))
                 ? t + 1 : verb->from;
    m->subject.from = m->span.from;

    return judge_clause_required(p, m);
}


/* Short pieces, mostly qualities: "Clarity, tone"; or "Maximum 200 words." */

static size_t
judge_clause_bare(judge_prose_t *p, judge_match_t *m)
{
    size_t         pieces, known;
    judge_span_t   s, left;
    judge_term_t  *end, *next;

    s = m->span;

    if (judge_span_has(s, SPEAKER)) {
        return 0;
    }

    if (s.to - s.from <= JUDGE_CLAUSES_COUNT
        && (judge_span_quantity(s, &end) != NULL
            || (judge_span_has(s, BOUND) && judge_span_has(s, NUMBER))))
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

    return ((pieces > 1 || !judge_span_generic(s))
            && (known * 2 >= pieces
                || (known > 0 && !judge_span_has(s, VERB))))
           ? judge_clause_list(p, s, JUDGE_FORM_ENUMERATED) : 0;
}


/* "Judge blog posts for our company on clarity and tone": behind the word that
 * a quality follows; nothing of "rate the text from 1 to 10". */

static size_t
judge_clause_judged(judge_prose_t *p, judge_match_t *m)
{
    bool           asked = m->action == JUDGE_ACTION_ASKED;
    judge_span_t   first, s = m->object;
    judge_term_t  *next;

    first = judge_span(s.from + 1, judge_span_member(p, s, &next));
    first = judge_span(s.from, judge_span_seek(first, ON));

    return ((m->action == JUDGE_ACTION_JUDGED)
            ? judge_span_has(first, TOPIC)
            : asked ? !judge_span_has(m->subject, TOPIC)
                      && (judge_span_has(s, TOPIC) || !judge_span_generic(s))
                    : !judge_span_generic(s)
                      && (judge_span_has(s, TOPIC) || next < s.to))
           ? judge_clause_list(p, s, JUDGE_FORM_ENUMERATED) : 0;
}


/* "Avoid: jargon", "Never lie"; "no more than 9 words" forbids nothing. */

static size_t
judge_clause_listed(judge_prose_t *p, judge_match_t *m)
{
    size_t         n;
    judge_title_e  title;

    title = (m->action == JUDGE_ACTION_SECTION) ? (judge_title_e) m->value
                                                : JUDGE_TITLE_NONE;
    p->mood = (title == JUDGE_TITLE_NONE) ? p->mood : 1u << title;

    if (judge_term_is(m->object.from, QUANTIFIED)) {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        m->object.from--;
    }

    if (title == JUDGE_TITLE_SCALE) {
        (void) judge_span_levels(m->object, p->levels);
        return 1;
    }

    if (title == JUDGE_TITLE_EXAMPLE || title == JUDGE_TITLE_IGNORE) {
        n = title == JUDGE_TITLE_EXAMPLE;
        (void) judge_span_examples(n ? p->last : NULL, m->span);
        return 1;
    }

    n = ((p->mood & JUDGE_MOOD_NEGATIVE) == 0 && judge_span_generic(m->object)
         && !judge_span_has(m->object, TOPIC))
        ? 0 : judge_clause_list(p, m->object, JUDGE_FORM_ENUMERATED);

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

    if (!judge_cue_next(m->object, &cue) || judge_cue_is(&cue, SCALE)
        || !(judge_span_has(m->object, TOPIC) || (cue.how & sure) != 0
             || p->nfound > 0 || judge_cue_is(&cue, MOST)
             || (cue.share > 0 && cue.at.from == m->object.from)))
    {
        return 0;
    }

    return judge_clause_list(p, m->object, JUDGE_FORM_WEIGHED)
           + ((cue.how & sure) != 0);
}


static size_t
judge_clause_again(judge_prose_t *p, judge_match_t *m)
{
    size_t        n;
    judge_span_t  s = m->object;

    m->last = true;

    if (m->action == JUDGE_ACTION_CLAUSE) {
        /* "check that it is clear?" asks nothing of the text */
        s.to->classes[JUDGE_CLASS_QUESTION / 64]
            &= ~((uint64_t) 1 << JUDGE_CLASS_QUESTION % 64);
        s = judge_span_near(s, 2);
        s.from = judge_span_seek(s, GENERIC) + 1;

        if (judge_draft_saying(p, JUDGE_SAY_WHETHER) != NULL && s.from <= s.to
            && s.from < m->object.to)
        {
            m->subject = m->object;
            m->object.from = s.from;
            p->whether = judge_draft_saying(p, JUDGE_SAY_WHETHER);
            n = judge_clause_required(p, m);
            p->whether = NULL;
            return n;
        }
    }

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


#define judge_act(of, act)  [JUDGE_ACTION_##of] = judge_clause_##act

/* What a row finds by its action, as judge_clause_read() says. */
static size_t (*const judge_clause_acts[])(judge_prose_t *p,
    judge_match_t *m) = {
    judge_act(AGAIN, again), judge_act(CLAUSE, again), judge_act(SAYS, again),
    judge_act(SECTION, listed), judge_act(LIST, listed),
    judge_act(REQUIRED, required), judge_act(QUESTION, question),
    judge_act(JUDGED, judged), judge_act(ASKED, judged),
    judge_act(NAMED, judged), judge_act(REQUIRE, require),
    judge_act(STATE, state), judge_act(WEIGH, weigh), judge_act(BARE, bare),
    judge_act(ITEM, item), judge_act(MUST, item),
    [JUDGE_ACTION_UNWANTED] = judge_draft_unwanted
};


/* If an action finds nothing, a longer subject is tried, and the next row. */

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
