/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lists in a sentence.  It is divided only where that can turn nothing
 * round: each item keeps what stands before the list ("The text must not").
 * What is not a list for certain stays whole.
 */


#include "analysis/criteria/criteria_parts.h"


static char
judge_clause_joint(judge_span_t s, const judge_term_t *t)
{
    if (t->depth > 0) {
        return 0;
    }

    if (t->kind == JUDGE_TERM_MARK) {
        return (t->mark == ';') ? ',' : (t->mark == ',' || t->mark == '&')
                                        ? t->mark : 0;
    }

    if (t == s.from || t + 1 == s.to || t[-1].mark == '~'
        || (t[-1].kind == JUDGE_TERM_NUMBER
            && t[1].kind == JUDGE_TERM_NUMBER))
    {
        return 0;
    }

    return judge_is(t, OR) ? '|' : judge_is(t, AND) ? '&'
           : judge_is(t, BUT) ? '!' : 0;
}


void
judge_clause_segments(judge_span_t s, judge_segments_t *list)
{
    char              joint;
    judge_term_t     *t, *next;
    judge_segment_t  *seg = list->seg;

    list->n = 0;
    *seg = (judge_segment_t) { judge_span(s.from, s.from), 0 };

    for (t = s.from; t < s.to; t = next) {
        next = t + 1;
        joint = judge_clause_joint(s, t);

        if (joint == 0 || list->n + 1 == JUDGE_CRITERIA_SEGMENTS) {
            seg->at.to = next;
            continue;
        }

        next = t + t->n;

        if (judge_span_words(seg->at) > 0) {
            seg = &list->seg[++list->n];
            seg->joint = joint;

        } else if (joint != ',') {
            seg->joint = joint;
        }

        seg->at = judge_span(next, next);
    }

    list->n += judge_span_words(seg->at) > 0;
}


bool
judge_clause_verb(judge_span_t s)
{
    judge_term_t  *is;

    is = judge_span_find(s, JUDGE_CLASS_IS);

    return judge_has(s, MODAL) || (is < s.to && is > s.from);
}


/* What all items of a list share: as far as the verb that asks for them, with
 * its negation. */

judge_clause_t
judge_clause_frame(judge_span_t s, bool or)
{
    judge_term_t    *t, *by;
    judge_clause_t   c = { .frame = judge_span(s.from, s.from), .item = s };

    if ((t = judge_span_find(s, JUDGE_CLASS_MODAL)) < s.to) {
        c.asks = true;

    } else if ((t = judge_span_find(s, JUDGE_CLASS_JUDGE)) < s.to
               && (t->value == 5 || !judge_clause_verb(s)))
    {
        c.judged = true;
        by = judge_span_find(judge_span(t + t->n, s.to), JUDGE_CLASS_BY);
        t = (by < s.to) ? by : t;

    } else if ((t = judge_span_find(s, JUDGE_CLASS_IS)) < s.to && t > s.from) {
        c.says = true;

    } else if (judge_begins(s, WITHOUT) || (or && judge_begins(s, NOT))) {
        t = s.from;

    } else {
        return c;
    }

    t += t->n;

    while (t < s.to && judge_is(t, NOT)) {
        t += t->n;
    }

    by = (t < s.to && judge_is(t, BE)) ? t + 1 : t;
    t = (by < s.to && judge_is(by, WITHOUT)) ? by + by->n : t;

    if (t >= s.to) {
        c.asks = c.says = c.judged = false;
        return c;
    }

    c.frame.to = c.item.from = t;
    c.negated = judge_span_negated(c.frame);
    c.spreads = judge_is(t - 1, WITHOUT) || (t > by && judge_is(by, WITHOUT));

    return c;
}


/* "state the price", "use at least one", "tell no lies": a verb before what
 * it is about. */

static bool
judge_clause_act(judge_span_t s)
{
    judge_term_t  *t;

    s = judge_span_trim(s);

    for (t = s.from; t < s.to && t < s.from + 3; t++) {
        if (judge_is(t, THE) || judge_is(t, NOT) || judge_is(t, LIMIT)) {
            return t > s.from;
        }
    }

    return false;
}


/* Whether "and" stands between two items: "be short and polite". */

static bool
judge_clause_pair(const judge_clause_t *c, judge_span_t a, judge_span_t b)
{
    size_t  words;

    a = judge_span_trim(a);
    words = judge_span_words(b);

    if (a.from == a.to || judge_has(a, SPLIT)) {
        return false;
    }

    return (c->listed && words <= JUDGE_CLAUSE_SHORT)
           || (c->chain && (words <= 2 || judge_clause_act(b)))
           || (words <= 4 && judge_span_words(a) <= 4
               && (c->says || c->judged || judge_begins(a, BE)
                   || judge_begins(a, IS) || judge_is(a.to - 1, BE)))
           || (judge_clause_act(b)
               && (judge_clause_act(a) || judge_begins(a, BE)))
           || (words <= 4 && judge_begins(b, THE)
               && (judge_clause_act(a)
                   || (c->commas > 0 && judge_begins(a, THE))));
}


/* Whether another item begins with segment i of the list. */

static bool
judge_clause_new(const judge_clause_t *c, const judge_segments_t *list,
    size_t i, judge_span_t before)
{
    judge_span_t  s = list->seg[i].at;

    if (judge_begins(s, WHICH) || judge_begins(s, IF)) {
        return false;
    }

    if (list->seg[i].joint == '!' || judge_begins(s, BE)
        || judge_begins(s, WITHOUT) || judge_begins(s, NOT))
    {
        return true;
    }

    if (c->negated || list->seg[i].joint == '|') {
        return c->negated;
    }

    if (list->seg[i].joint == ',') {
        return list->n > 2 || c->listed || judge_span_words(s) <= 3;
    }

    return (c->commas > 0 && i + 1 == list->n
            && !(judge_begins(s, THE) && judge_clause_act(before)
                 && before.from > c->item.from))
           || judge_clause_pair(c, before, s);
}


/* The items of a negated list stay together unless "or" joins them; behind
 * "no typos" it is not certain whether "no" goes on. */

static size_t
judge_clause_items(const judge_clause_t *c, const judge_segments_t *list,
    judge_span_t *items, bool *unsure)
{
    size_t        i, n;
    judge_span_t  s;

    items[0] = c->item;

    for (i = n = 1; i < list->n; i++) {
        s = list->seg[i].at;

        if ((c->negated && !c->spreads && !c->or && list->seg[i].joint != '!')
            || !judge_clause_new(c, list, i, items[n - 1]))
        {
            items[n - 1].to = s.to;

        } else if (!c->negated && !c->listed
                   && judge_span_negated(items[n - 1])
                   && (list->seg[i].joint == '&'
                       || (n == 1 && list->n > 1 + c->commas))
                   && !judge_begins(s, BE) && !judge_begins(s, THE)
                   && !judge_span_negated(s) && !judge_clause_act(s))
        {
            items[n - 1].to = s.to;
            *unsure = true;

        } else {
            items[n++] = s;
        }
    }

    return n;
}


/* A verb before or behind the first or the last item belongs to all: "mention
 * the price, the date and the place", "den Preis und das Datum nennen". */

static judge_span_t
judge_clause_share(const judge_prose_t *p, judge_clause_t *c,
    judge_span_t *items, size_t n)
{
    judge_term_t  *last = items[n - 1].to - 1, *first = items[0].to - 1;

    if (p->language == 1) {
        return (c->asks && *last->text.data == *last->low.data
                && *first->text.data != *first->low.data)
               ? judge_span(last, last + 1) : judge_span(last, last);
    }

    if (c->frame.from < c->frame.to && !judge_begins(items[0], BE)
        && ((judge_begins(items[0], IS) && !judge_clause_act(items[1])
             && !judge_clause_act(items[n - 1]))
            || (judge_clause_act(items[0]) && judge_begins(items[1], THE)
                && judge_begins(items[n - 1], THE))
            || (c->negated && c->asks && judge_span_words(items[0]) > 1
                && judge_span_words(items[1]) < 3)))
    {
        c->frame.to = ++items[0].from;
    }

    return judge_span(last, last);
}


void
judge_clause_put(judge_prose_t *p, judge_span_t frame, judge_span_t s,
    judge_span_t behind, bool unsure)
{
    judge_weigh_t   w;
    judge_draft_t  *f;

    (void) judge_weigh_read(s, &w, false);
    f = judge_draft_add(p, frame, s, behind, &w);

    if (f != NULL && unsure) {
        judge_criteria_ask(p, JUDGE_SAY_IS_IT, f->name);
    }
}


/* What the list shares: head ("Avoid: jargon, slang"), or the beginning of its
 * first segment. */

static judge_clause_t
judge_clause_shared(const judge_segments_t *list, judge_span_t head,
    bool listed)
{
    bool            or = false;
    size_t          i, words, most, commas = 0;
    judge_clause_t  c;

    for (i = 1, words = most = 0; i < list->n; i++) {
        or |= list->seg[i].joint == '|';
        commas += list->seg[i].joint == ',';
        most = judge_span_words(list->seg[i].at);
        words = (most > words) ? most : words;
    }

    c = judge_clause_frame(list->seg[0].at, or);

    if (head.from < head.to) {
        c = (judge_clause_t) { .frame = head, .item = list->seg[0].at,
                               .negated = judge_span_negated(head) };
        c.spreads = c.negated;
    }

    most = judge_span_words(c.item);
    c.wordy = words > JUDGE_CLAUSE_SHORT || most > JUDGE_CLAUSE_SHORT;
    c.framed = c.frame.from < c.frame.to;
    c.listed = !c.negated && (listed
               || (!c.framed && (list->n > 2 || words + most < 8)));
    c.or = or;
    c.commas = commas;
    c.chain = list->n > 2 && !c.wordy;

    return c;
}


void
judge_clause_list(judge_prose_t *p, judge_segments_t *list,
    judge_span_t head, bool listed)
{
    bool            framed, unsure = false;
    size_t          i, n;
    judge_span_t    whole, none, be, behind, items[JUDGE_CRITERIA_SEGMENTS];
    judge_clause_t  c;

    whole = judge_span(list->seg[0].at.from, list->seg[list->n - 1].at.to);
    none = judge_span(whole.to, whole.to);
    c = judge_clause_shared(list, head, listed);

    if (judge_begins(whole, IF) || (!c.framed && !listed && c.wordy)) {
        list->n = 1;
    }

    n = judge_clause_items(&c, list, items, &unsure);

    if (n == 1) {
        unsure |= !c.asks && !listed && judge_begins(whole, WE);
        unsure |= !c.framed && !listed && judge_begins(whole, THE)
                  && judge_span_words(whole) > 4;
        whole.from = (c.judged && !c.negated) ? c.item.from : whole.from;
        judge_clause_put(p, head, whole, none, unsure);
        return;
    }

    behind = judge_clause_share(p, &c, items, n);

    for (i = 0, be = c.frame; i < n; i++) {
        be.to = (c.asks && i > 0 && judge_begins(items[0], BE)
                 && !judge_begins(items[i], BE) && !judge_begins(items[i], NOT)
                 && !judge_clause_act(items[i])) ? items[0].from + 1
                                                 : c.frame.to;
        framed = (!c.judged || c.negated)
                 && (i == 0 || !judge_is(items[i].from - 1, BUT)
                     || (!c.negated && judge_span_words(items[i]) < 4));
        judge_clause_put(p, framed ? be : none, items[i],
                         (framed && i + 1 < n) ? behind : none,
                         unsure && i == 0);
    }
}


/* A segment with a verb of its own begins a clause when there was one before;
 * a condition takes the clause behind it along. */

void
judge_clause_groups(judge_prose_t *p, const judge_segments_t *list,
    bool listed)
{
    bool              verb, had;
    size_t            i;
    judge_span_t      s, none = { NULL, NULL };
    judge_segments_t  group = { .n = 0 };

    for (i = 0, had = false; i < list->n; i++) {
        s = list->seg[i].at;
        verb = !judge_begins(s, WHICH)
               && (judge_has(s, MODAL)
                   || (judge_clause_verb(s) && !judge_begins(s, CLAUSE)
                       && !judge_begins(s, IF)));

        had |= group.n > 0 && s.from[-1].mark == ';';

        if (had && (verb || (judge_begins(s, IF)
                             && judge_is(s.from - 1, AND))))
        {
            judge_clause_list(p, &group, none, listed);
            group.n = 0;
            had = false;
        }

        if (verb && !had && group.n > 0 && s.from[-1].mark != ';') {
            group.n = 1;               /* "Spelling and grammar must" */
            group.seg[0].at.to = s.to;

        } else {
            group.seg[group.n++] = list->seg[i];
        }

        had |= verb;
    }

    if (group.n > 0) {
        judge_clause_list(p, &group, none, listed);
    }
}
