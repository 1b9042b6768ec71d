/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what introduces criteria or is said not to matter, labels,
 * weights given later, parallel clauses ("whether ..."), and clauses.
 */


#include <math.h>
#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_CLAUSE_LABEL  4          /* words before a colon */
#define JUDGE_CLAUSE_STEM   5          /* bytes that forms of a word share */


/* Whether the criterion has all the words beside a weight that is given later:
 * "the tone counts double". */

static bool
judge_clause_names(const judge_draft_t *f, judge_span_t s)
{
    size_t         n, words;
    judge_term_t  *t, *u;

    for (t = s.from, words = 0; t < s.to && !(t->used && words > 0); t++) {
        if (t->used || t->kind != JUDGE_TERM_WORD || t->low.len < 3
            || judge_is(t, GLUE) || judge_is(t, THE) || judge_is(t, MODAL)
            || judge_is(t, IS) || judge_is(t, EACH) || judge_is(t, TIMES))
        {
            continue;
        }

        words++;
        n = (t->low.len > JUDGE_CLAUSE_STEM) ? JUDGE_CLAUSE_STEM : t->low.len;

        for (u = f->at.from; u < f->at.to
             && (u->low.len < n || memcmp(u->low.data, t->low.data, n) != 0);
             u++) { /* void */ }

        if (u == f->at.to) {
            return false;
        }
    }

    return words > 0;
}


static judge_draft_t *
judge_clause_known(judge_prose_t *p, judge_span_t s)
{
    size_t  i;

    for (i = 0; i < p->nfound && !judge_clause_names(&p->found[i], s); i++) {
        /* void */
    }

    return (i < p->nfound) ? &p->found[i] : NULL;
}


/* "The rest is split between style and tone"; "tone counts double", of a
 * criterion that stands above; or a criterion with its weight. */

static void
judge_clause_weighed(judge_prose_t *p, judge_span_t s)
{
    size_t             i;
    judge_weigh_t      w;
    judge_span_t       none = { s.to, s.to };
    judge_draft_t     *f;
    judge_segments_t   list;

    (void) judge_weigh_read(s, &w, false);

    if (w.rest) {
        for (w.share = 100, i = 0; i < p->nfound; i++) {
            w.share -= p->found[i].weigh.share;
        }
        w.share = (w.share > 0) ? w.share : 0;
    }

    f = judge_clause_known(p, s);

    if (f != NULL) {
        f->weigh.share = (w.share > 0) ? w.share : f->weigh.share;
        f->weigh.points = (w.points > 0) ? w.points : f->weigh.points;
        f->weigh.factor = (w.factor > 0) ? w.factor : f->weigh.factor;
        return;
    }

    while (w.first && s.from < s.to && s.from->used) {
        s.from++;
    }

    judge_list_segments(s, &list);

    if (list.n < 2 || !(w.rest || w.split || w.each)) {
        f = judge_draft_add(p, none, s, &w);

        if (f != NULL && (w.factor >= 2 || (w.factor > 0 && w.factor < 0.6))
            && !judge_str_eq(f->name, f->description))
        {
            judge_criteria_say(p, true, JUDGE_SAY_IS_IT, f->description);
        }

        return;                        /* "twice as important as style" */
    }

    for (i = 0; i < list.n; i++) {
        f = judge_draft_add(p, none, list.seg[i].at, &w);

        if (f != NULL && !w.each) {
            f->weigh.share = w.share / (double) list.n;
            f->weigh.points = w.points / (double) list.n;
        }
    }
}


/* Where all items of a list end with a number these are weights. */

static void
judge_clause_bare(const judge_segments_t *list)
{
    size_t         i, n = 0;
    judge_term_t  *t;

    for (i = 0; i < list->n; i++) {
        t = judge_span_trim(list->seg[i].at).to - 1;

        if (t > list->seg[i].at.from && t->kind == JUDGE_TERM_NUMBER
            && t[-1].kind == JUDGE_TERM_WORD && !judge_is(t - 1, LIMIT))
        {
            n++;

        } else if (i + 1 == list->n || list->seg[i + 1].joint != '&') {
            return;
        }
    }

    for (i = 0; i < list->n && n > 1; i++) {
        t = judge_span_trim(list->seg[i].at).to - 1;
        t->bare = t->kind == JUDGE_TERM_NUMBER;
    }
}


/* Two weights or more divide a sentence: each criterion has its own before or
 * behind it. */

static bool
judge_clause_weights(judge_prose_t *p, const judge_segments_t *list)
{
    bool            first = false, has[JUDGE_CRITERIA_SEGMENTS];
    bool            leads[JUDGE_CRITERIA_SEGMENTS];
    size_t          i, n;
    judge_span_t    s, none;
    judge_term_t   *judge;
    judge_weigh_t   w;

    judge_clause_bare(list);

    for (i = n = 0; i < list->n; i++) {
        has[i] = judge_weigh_read(list->seg[i].at, &w, true)
                 && (w.factor == 0 || w.factor >= 2);
        leads[i] = has[i] && w.first;
        n += has[i];
        first = (n == 1 && has[i]) ? w.first : first;
    }

    if (n < 2) {
        return false;
    }

    s = list->seg[0].at;
    none = judge_span(s.from, s.from);
    judge = judge_span_find(s, JUDGE_CLASS_JUDGE);

    if (judge < s.to && judge->value == 5) {   /* "Rate the texts by" */
        s.from = judge_span_find(judge_span(judge + judge->n, s.to),
                                 JUDGE_CLASS_BY);
        s.from = (s.from < s.to) ? s.from + s.from->n : judge + judge->n;
    }

    for (i = 0; i < list->n; i++) {
        s.to = list->seg[i].at.to;

        if (i + 1 < list->n
            && (first ? !has[i + 1]
                : (list->seg[i + 1].joint == '&'
                   && (!has[i] || (leads[i] && !has[i + 1])))))
        {
            continue;
        }

        if (judge_weigh_read(s, &w, true)) {
            judge_clause_weighed(p, s);
        } else {
            judge_list_put(p, none, s, false);
        }

        s.from = (i + 1 < list->n) ? list->seg[i + 1].at.from : s.to;
    }

    return true;
}


/* A verb of its own makes a segment a clause when there was one before. */

static bool
judge_clause_verb(judge_span_t s)
{
    judge_term_t  *is;

    is = judge_span_find(judge_span(s.from + 1, s.to), JUDGE_CLASS_IS);

    return !judge_begins(s, TIED)
           && (judge_has(s, MODAL)
               || (judge_has(s, IDLE) && !judge_begins(s, IDLE))
               || (is + 1 < s.to && !judge_begins(s, CLAUSE)
                   && !judge_begins(s, NOT)));
}


/* What is said not to matter stays whole. */

static void
judge_clause_group(judge_prose_t *p, judge_segments_t *group, bool listed)
{
    judge_span_t  s, none = { NULL, NULL };

    if (group->n > 0) {
        s = judge_span(group->seg[0].at.from, group->seg[group->n - 1].at.to);

        if (judge_has(s, IDLE)) {
            judge_list_put(p, none, s, false);
        } else {
            judge_list_read(p, group, none, listed);
        }
    }

    group->n = 0;
}


static void
judge_clause_groups(judge_prose_t *p, const judge_segments_t *list,
    bool listed)
{
    bool              verb, had;
    size_t            i;
    judge_span_t      s;
    judge_segments_t  group = { .n = 0 };

    for (i = 0, had = false; i < list->n; i++) {
        s = list->seg[i].at;
        verb = judge_clause_verb(s);

        if (verb && (had || (judge_has(s, IDLE)
                             && list->seg[i].joint == ',')))
        {
            judge_clause_group(p, &group, listed);
            had = false;
        }

        if (verb && group.n > 0) {     /* "Spelling and grammar must" */
            group.n = 1;
            group.seg[0].at.to = s.to;

        } else {
            group.seg[group.n++] = list->seg[i];
        }

        had |= verb;
    }

    judge_clause_group(p, &group, listed);
}


/* Clauses that begin alike are a criterion each: "if ..., if ...". */

static bool
judge_clause_alike(const judge_term_t *a, const judge_segment_t *seg)
{
    const judge_term_t  *b = seg->at.from;

    return seg->joint != '|' && judge_is(b, CLAUSE)
           && (a->value == b->value
               || (fmin(a->value, b->value) > 1
                   && fmax(a->value, b->value) < 4));
}


static bool
judge_clause_parallel(judge_prose_t *p, const judge_segments_t *list,
    judge_span_t s)
{
    size_t            i;
    judge_span_t      frame, item;
    judge_term_t     *first;
    judge_segments_t  rest;

    first = judge_span_find(s, JUDGE_CLASS_CLAUSE);
    frame = judge_span(s.from, first);

    for (i = 1; i < list->n && (list->seg[i].at.from <= first
                                || !judge_clause_alike(first, &list->seg[i]));
         i++) { /* void */ }

    if (i == list->n || (first->value == 4 && !judge_has(frame, MODAL))) {
        return false;
    }

    if (!judge_span_negated(frame)
        && (!judge_has(frame, MODAL) || judge_has(frame, JUDGE)))
    {
        frame.to = frame.from;         /* "Please check" */
    }

    item = judge_span(first, list->seg[i - 1].at.to);

    for (/* void */; i < list->n
         && (judge_clause_alike(first, &list->seg[i])
             || judge_begins(list->seg[i].at, TIED)
             || !judge_has(list->seg[i].at, MODAL)); i++)
    {
        if (judge_clause_alike(first, &list->seg[i])) {
            judge_list_put(p, frame, item, false);
            item.from = list->seg[i].at.from;
        }

        item.to = list->seg[i].at.to;
    }

    judge_list_put(p, frame, item, false);

    for (rest.n = 0; i < list->n; i++) {
        rest.seg[rest.n++] = list->seg[i];
    }

    judge_clause_groups(p, &rest, false);

    return true;
}


/* What only leads to the criteria: "We sell shoes.", "Please rate the ads.",
 * "Here are the criteria."  What tells of the writer, or stands in a letter
 * before anything is asked for, is passed over with a question. */

static bool
judge_clause_intro(judge_prose_t *p, judge_span_t s, size_t segments,
    bool more)
{
    bool           we, tells, asks, last;
    judge_term_t  *judge, *t;

    judge = judge_span_find(s, JUDGE_CLASS_JUDGE);
    asks = judge_has(s, MODAL) || judge_span_negated(s);
    last = judge_is(s.to - 1, JUDGE);
    t = judge_span_find(s, JUDGE_CLASS_WE);
    we = (t < s.to && t - s.from < 2 && t->value == 0)
         || (p->language > 1 && p->language % 2 == 0   /* "somos" */
             && s.from->low.len > 4
             && memcmp(s.from->low.data + s.from->low.len - 3, "mos", 3) == 0);

    while (t < s.to && t->value != 2) {
        t = judge_span_find(judge_span(t + 1, s.to), JUDGE_CLASS_WE);
    }

    tells = t < s.to && !asks;

    if (judge == s.to) {
        tells |= p->letter && more && !asks;
        tells |= we && !asks;
        we = !asks && judge_begins(s, ABOUT) && more;

    } else {
        tells = tells && p->letter && segments == 1;
        we = more && segments == 1
             && !judge_has(judge_span(judge, s.to), CLAUSE)
             && (last || !judge_has(judge_span(judge, s.to), BY))
             && (last || judge->value > 0)
             && (we || judge_has(s, WE) || judge - s.from < 4
                 || judge->value == 6);
    }

    tells |= more && p->nfound == 0 && s.to[-1].mark == '?'
             && judge_begins(s, CLAUSE) && s.from->value == 3;

    if (we || tells) {
        judge_criteria_say(p, !we, JUDGE_SAY_PASSED_OVER, judge_span_text(s));
    } else {
        p->letter = false;
    }

    return we || tells;
}


/* "Please check these: grammar, tone" is a list, "Tone: warm, calm" is one
 * criterion. */

static bool
judge_clause_colon(judge_prose_t *p, judge_span_t s, bool label)
{
    bool              listed, no;
    judge_term_t     *t;
    judge_span_t      head, rest;
    judge_weigh_t     w;
    judge_segments_t  list;

    for (t = s.from; t < s.to && (t->kind != JUDGE_TERM_MARK || t->depth > 0
                                  || (t->mark != ':'
                                      && !(label && t->mark == '-'))); t++)
    { /* void */ }

    head = judge_span(s.from, t);
    rest = judge_span((t < s.to) ? t + 1 : t, s.to);

    if (judge_span_words(head) == 0 || judge_span_words(rest) == 0) {
        return false;
    }

    judge_list_segments(rest, &list);
    no = judge_span_negated(head);
    listed = judge_has(head, JUDGE) || judge_has(head, ABOUT)
             || judge_has(head, COUNTS) || judge_has(head, WE)
             || (list.n > 1 && judge_span_words(head) > JUDGE_CLAUSE_LABEL);

    if (list.n > 1 && !judge_weigh_cell(list.seg[0].at, &w)
        && judge_clause_weights(p, &list))
    {
        return true;
    }

    if (no && judge_has(head, JUDGE)) {
        judge_list_put(p, judge_span(s.to, s.to), s, true);

    } else if (judge_has(head, MODAL) || (no && (listed || t == head.from + 1
                                                 || judge_is(t - 1, NOT))))
    {
        judge_list_read(p, &list, head, true);

    } else if (listed) {
        if (!judge_clause_parallel(p, &list, rest)) {
            judge_clause_groups(p, &list, true);
        }

    } else if (label && judge_span_words(head) <= 2 * JUDGE_CLAUSE_LABEL) {
        judge_clause_item(p, s);

    } else {
        return false;
    }

    return true;
}


void
judge_clause_sentence(judge_prose_t *p, judge_span_t s, bool more)
{
    judge_weigh_t     w;
    judge_segments_t  list;

    s = judge_span_trim(s);

    if (judge_span_words(s) == 0
        || (judge_begins(s, THANKS) && s.from->value == 0
            && !judge_has(s, JUDGE)
            && !judge_has(s, MODAL)))
    {
        return;
    }

    judge_list_segments(s, &list);

    if (judge_clause_colon(p, s, false) || judge_clause_weights(p, &list)
        || judge_clause_colon(p, s, true))
    {
        p->letter = false;

    } else if (judge_weigh_read(s, &w, true) && !judge_has(s, IDLE)
               && (w.factor == 0 || judge_clause_known(p, s)
                   || (list.n == 1 && (w.factor >= 2 || judge_has(s, IS)
                                       || judge_has(s, COUNTS)))))
    {
        judge_clause_weighed(p, s);

    } else if (!judge_has(s, IDLE)
               && judge_clause_intro(p, s, list.n, more))
    {
        return;

    } else if (s.to[-1].mark == '?') {
        judge_clause_item(p, s);

    } else if (!judge_clause_parallel(p, &list, s)) {
        judge_clause_groups(p, &list, false);
    }
}


/* "ni excuses ni remises" in a line of its own is two criteria, too. */

void
judge_clause_item(judge_prose_t *p, judge_span_t s)
{
    size_t            i;
    judge_span_t      none = { s.to, s.to };
    judge_segments_t  list;

    judge_list_segments(s, &list);

    for (i = 1; i < list.n && list.seg[i].joint == '|'
         && judge_is(list.seg[i].at.from - 1, NOT); i++) { /* void */ }

    if (list.n > 1 && i == list.n && judge_begins(s, NOT)) {
        judge_list_read(p, &list, none, false);
    } else {
        judge_list_put(p, none, s, false);
    }
}
