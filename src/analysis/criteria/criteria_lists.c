/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lists in a sentence.  It is divided only where that can turn nothing
 * round: each item keeps what stands before the list ("The text must not").
 * What is not a list for certain stays whole.
 */


#include <string.h>

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


/* What all items of a list share: as far as the verb that asks for them, with
 * its negation. */

judge_clause_t
judge_clause_frame(judge_span_t s, bool or)
{
    judge_term_t    *t, *by;
    judge_clause_t   c = { .frame = judge_span(s.from, s.from), .item = s,
                           .behind = judge_span(s.to, s.to) };

    if ((t = judge_span_find(s, JUDGE_CLASS_MODAL)) < s.to) {
        c.asks = true;

    } else if ((t = judge_span_find(s, JUDGE_CLASS_IS)) < s.to && t > s.from
               && judge_span_find(s, JUDGE_CLASS_JUDGE)->value != 5)
    {
        c.says = true;

    } else if ((t = judge_span_find(s, JUDGE_CLASS_JUDGE)) < s.to) {
        c.judged = true;
        by = judge_span_find(judge_span(t + t->n, s.to), JUDGE_CLASS_BY);
        t = (by < s.to) ? by : t;

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

    if (by < s.to && judge_is(by, WITHOUT)) {
        t = by + by->n;
    }

    if (t >= s.to) {
        c.asks = c.says = c.judged = false;
        return c;
    }

    c.frame.to = c.item.from = t;
    c.negated = judge_span_negated(c.frame);
    c.spreads = c.negated && judge_is(t - 1, WITHOUT);
    c.spreads |= by + by->n == t && judge_is(by, WITHOUT);

    return c;
}


/* Whether it begins as an act does: "state the price", "indicar el precio",
 * "den Preis nennen". */

static bool
judge_clause_act(const judge_prose_t *p, judge_span_t s)
{
    size_t               n;
    const char          *end;
    const judge_term_t  *t;

    s = judge_span_trim(s);

    if (s.to - s.from < 1 + (p->language == 0) || judge_is(s.from, NOT)) {
        return false;
    }

    t = (p->language == 1) ? s.to - 1 : s.from;
    n = t->low.len;
    end = t->low.data + n;

    switch (p->language) {

    case 0:
        return !judge_is(t, THE)
               && (judge_is(t + 1, THE) || judge_is(t + 1, NOT));

    case 1:
        return n > 3 && memcmp(end - 2, "en", 2) == 0
               && *t->text.data == *t->low.data;

    case 3:
        return n > 3 && (memcmp(end - 2, "er", 2) == 0
                         || memcmp(end - 2, "ir", 2) == 0
                         || memcmp(end - 2, "re", 2) == 0);

    default:
        return n > 3 && (end[-1] == 'r' || memcmp(end - 3, "rse", 3) == 0
                         || memcmp(end - 3, "-se", 3) == 0);
    }
}


/* Whether "and" stands between two items: "be short and polite". */

static bool
judge_clause_pair(const judge_prose_t *p, const judge_clause_t *c,
    judge_span_t a, judge_span_t b)
{
    bool  be;

    a = judge_span_trim(a);
    be = judge_begins(a, BE) || (a.from < a.to && judge_is(a.to - 1, BE));

    return (c->listed && judge_span_words(b) <= JUDGE_CLAUSE_SHORT)
           || (be && judge_span_words(a) <= 3 && judge_span_words(b) <= 4)
           || (c->says && judge_span_words(a) <= 2 && judge_span_words(b) <= 3)
           || (c->judged && judge_span_words(a) <= 4
               && judge_span_words(b) <= 4)
           || (judge_span_words(b) <= 4 && !judge_has(a, SPLIT)
               && (judge_begins(a, IS)
                   || (p->language != 1 && judge_begins(b, THE)
                       && judge_clause_act(p, a))))
           || (judge_clause_act(p, b)
               && (p->language == 0 || judge_clause_act(p, a)));
}


/* Whether another item begins with segment i of the list. */

static bool
judge_clause_new(const judge_prose_t *p, const judge_clause_t *c,
    const judge_segments_t *list, size_t i, judge_span_t before, size_t items)
{
    size_t        k, commas;
    judge_span_t  s;

    s = list->seg[i].at;

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

    for (k = 1, commas = 0; k < list->n; k++) {
        commas += list->seg[k].joint == ',' && !judge_begins(list->seg[k].at,
                                                             WHICH);
    }

    if (list->seg[i].joint == ',') {
        return commas > 1 || list->n > 2 || c->listed
               || judge_span_words(s) <= 3;
    }

    if (commas == 0 || i + 1 < list->n) {
        return judge_clause_pair(p, c, before, s);
    }

    /* the last one: not "give the dates, name the people and the places" */
    return !(items > 1 && judge_clause_act(p, before)
             && ((p->language == 0) ? judge_begins(s, THE)
                                    : !judge_clause_act(p, s)));
}


/* The items of a negated list stay together unless "or" joins them; behind
 * "no typos" it is not certain whether "no" goes on. */

static size_t
judge_clause_items(judge_prose_t *p, const judge_clause_t *c,
    const judge_segments_t *list, judge_span_t *items, bool *unsure)
{
    bool    or = false, no, own;
    size_t  i, n, and = 0;

    for (i = 1; i < list->n; i++) {
        or |= list->seg[i].joint == '|';
        and += list->seg[i].joint == '&';
    }

    items[0] = c->item;
    no = !c->negated && !c->colon && judge_span_negated(c->item);

    for (i = n = 1; i < list->n; i++) {
        own = judge_begins(list->seg[i].at, BE)
              || judge_span_negated(list->seg[i].at)
              || judge_begins(list->seg[i].at, THE)
              || judge_clause_act(p, list->seg[i].at);

        if ((c->negated && !c->spreads && !or && list->seg[i].joint != '!')
            || !judge_clause_new(p, c, list, i, items[n - 1], n))
        {
            items[n - 1].to = list->seg[i].at.to;

        } else if (no && n == 1 && !own && (and > 0 || or)) {
            items[n - 1].to = list->seg[i].at.to;
            *unsure = true;

        } else {
            items[n++] = list->seg[i].at;
        }
    }

    return n;
}


/* A verb before or behind the first or the last item belongs to all: "mention
 * the price, the date and the place", "den Preis und das Datum nennen". */

static void
judge_clause_share(const judge_prose_t *p, judge_clause_t *c,
    judge_span_t *items, size_t n)
{
    judge_term_t  *last;

    if (n > 1 && p->language != 1 && c->frame.from < c->frame.to
        && !judge_begins(items[0], THE) && !judge_begins(items[0], BE)
        && (judge_begins(items[0], IS)
            || (judge_begins(items[n - 1], THE) && judge_begins(items[1], THE)
             && judge_clause_act(p, items[0]))
            || (c->negated && c->asks && judge_span_words(items[0]) > 1
                && judge_span_words(items[1]) < 3
                && !judge_clause_act(p, items[1]))))
    {
        c->frame.to = ++items[0].from;
    }

    last = items[n - 1].to - 1;

    if (n > 1 && p->language == 1 && c->asks
        && judge_clause_act(p, items[n - 1])
        && !judge_clause_act(p, items[0]) && !judge_is(items[0].to - 1, BE))
    {
        c->behind = judge_span(last, last + 1);
    }
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
        f->unsure = true;
        judge_criteria_ask(p, JUDGE_SAY_IS_IT, f->name);
    }
}


void
judge_clause_list(judge_prose_t *p, judge_segments_t *list,
    judge_span_t head, bool listed)
{
    bool            or = false, unsure = false, framed;
    size_t          i, n;
    judge_span_t    whole, none, be, items[JUDGE_CRITERIA_SEGMENTS];
    judge_clause_t  c;

    for (i = 1; i < list->n; i++) {
        or |= list->seg[i].joint == '|';
    }

    whole = judge_span(list->seg[0].at.from, list->seg[list->n - 1].at.to);
    none = judge_span(whole.to, whole.to);
    c = judge_clause_frame(list->seg[0].at, or);

    if (head.from < head.to) {         /* "Avoid: jargon, slang" */
        c = (judge_clause_t) { .frame = head, .item = list->seg[0].at,
                               .behind = none,
                               .negated = judge_span_negated(head) };
        c.spreads = c.negated;
    }

    c.listed = c.colon = listed && !c.negated;
    framed = c.frame.from < c.frame.to;

    for (i = 0, n = 0; i < list->n; i++) {
        n += judge_span_words(list->seg[i].at) > JUDGE_CLAUSE_SHORT;
    }

    if (judge_begins(whole, IF) || (!framed && !listed && n > 0)) {
        list->n = 1;
    }

    if (!framed && list->n > 1) {
        c.listed = list->n > 2 || judge_span_words(whole) <= 7;
    }

    n = judge_clause_items(p, &c, list, items, &unsure);
    judge_clause_share(p, &c, items, n);

    if (n == 1) {
        unsure |= !c.asks && !listed && judge_begins(whole, WE);
        unsure |= !framed && !listed && judge_begins(whole, THE)
                  && judge_span_words(whole) > 4;
        whole.from = (c.judged && !c.negated) ? c.item.from : whole.from;
        judge_clause_put(p, head, whole, none, unsure);
        return;
    }

    for (i = 0, be = c.frame; i < n; i++) {
        be.to = (c.asks && i > 0 && judge_begins(items[0], BE)
                 && !judge_begins(items[i], BE) && !judge_begins(items[i], NOT)
                 && !judge_clause_act(p, items[i])) ? items[0].from + 1
                                                    : c.frame.to;
        framed = (!c.judged || c.negated)
                 && (i == 0 || !judge_is(items[i].from - 1, BUT)
                     || (!c.negated && judge_span_words(items[i]) < 4));
        judge_clause_put(p, framed ? be : none, items[i],
                         (framed && i + 1 < n) ? c.behind : none,
                         unsure && i == 0);
    }
}
