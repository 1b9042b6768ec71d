/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what introduces criteria or is said not to matter, labels,
 * weights given later, parallel clauses ("whether ..."), and lists.
 */


#include <math.h>
#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_CLAUSE_LABEL  4          /* words before a colon */
#define JUDGE_CLAUSE_DEPTH  4          /* sentences in sentences */


static void judge_clause_run(judge_prose_t *p, judge_span_t s, bool more,
    int depth);


/* A criterion is found by words of it when its weight is given later. */

static judge_draft_t *
judge_clause_known(judge_prose_t *p, judge_span_t s)
{
    size_t          i, n, words, same;
    judge_term_t   *t, *u;
    judge_draft_t  *f, *found = NULL;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        for (t = s.from, words = same = 0; t < s.to; t++) {
            if (t->used && words > 0) {
                break;
            }

            if (t->used || t->kind != JUDGE_TERM_WORD || t->low.len < 3
                || judge_is(t, GLUE) || judge_is(t, THE) || judge_is(t, MODAL)
                || judge_is(t, IS) || judge_is(t, EACH) || judge_is(t, TIMES))
            {
                continue;
            }

            words++;
            n = (t->low.len > 5) ? 5 : t->low.len;

            for (u = f->at.from; u < f->at.to; u++) {
                if (u->low.len >= n
                    && memcmp(u->low.data, t->low.data, n) == 0)
                {
                    same++;
                    break;
                }
            }
        }

        if (words > 0 && same == words) {
            found = (found == NULL) ? f : found;
        }
    }

    return found;
}


/* What "twice as important as style" compares with; empty: nothing. */

static judge_span_t
judge_clause_other(judge_span_t s)
{
    judge_term_t  *t;

    for (t = s.to; t > s.from && !t[-1].used && !judge_is(t - 1, GLUE)
         && !judge_is(t - 1, TIMES); t--) { /* void */ }

    return (t > s.from && !t[-1].used && judge_is(t - 1, GLUE))
           ? judge_span(t, s.to) : judge_span(s.to, s.to);
}


/* "The other half is split between style and tone"; "tone counts double", of
 * a criterion that stands above; or a criterion with its weight. */

static void
judge_clause_weighed(judge_prose_t *p, judge_span_t s)
{
    size_t             i;
    judge_weigh_t      w, one = { .factor = 1 };
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

    judge_clause_segments(s, &list);

    if (list.n < 2 || !(w.rest || w.split || w.each)) {
        (void) judge_draft_add(p, none, s, none, &w);
        s = judge_clause_other(s);

        if (w.factor > 0 && s.from < s.to) {
            (void) judge_draft_add(p, none, s, none, &one);
        }

        return;
    }

    for (i = 0; i < list.n; i++) {
        f = judge_draft_add(p, none, list.seg[i].at, none, &w);

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
    judge_weigh_t   w;
    judge_clause_t  c;

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

    none = judge_span(list->seg[0].at.from, list->seg[0].at.from);
    s = list->seg[0].at;
    c = judge_clause_frame(s, false);

    if (c.judged && judge_span_find(s, JUDGE_CLASS_JUDGE)->value == 5) {
        s.from = c.item.from;
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
            judge_clause_put(p, none, s, none, false);
        }

        s.from = (i + 1 < list->n) ? list->seg[i + 1].at.from : s.to;
    }

    return true;
}


static bool
judge_clause_verb(judge_span_t s)
{
    judge_term_t  *is;

    is = judge_span_find(s, JUDGE_CLASS_IS);

    return judge_has(s, MODAL) || (is < s.to && is > s.from);
}


/* A segment with a verb of its own begins a clause when there was one before;
 * a condition takes the clause behind it along. */

static void
judge_clause_groups(judge_prose_t *p, const judge_segments_t *list,
    bool listed)
{
    bool              verb, had;
    size_t            i;
    judge_span_t      s, none = { NULL, NULL };
    judge_segments_t  group = { .n = 0 };

    for (i = 0, had = false; i < list->n; i++) {
        s = list->seg[i].at;
        verb = judge_clause_verb(s) && !judge_begins(s, WHICH)
               && !judge_begins(s, CLAUSE) && !judge_begins(s, IF);
        verb |= judge_has(s, MODAL) && !judge_begins(s, WHICH);

        if (had && (verb || (judge_begins(s, IF)
                             && judge_is(s.from - 1, AND))))
        {
            judge_clause_list(p, &group, none, listed);
            group.n = 0;
            had = false;
        }

        if (verb && !had && group.n > 0) {
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


static bool
judge_clause_alike(const judge_term_t *a, const judge_term_t *b)
{
    return judge_is(a, CLAUSE) && judge_is(b, CLAUSE)
           && (a->value == b->value
               || (fmin(a->value, b->value) > 1
                   && fmax(a->value, b->value) < 4));
}


/* The first segment that begins as a clause before it does: "whether ...,
 * whether ..."; *first is where that one begins. */

static size_t
judge_clause_again(const judge_segments_t *list, judge_span_t s,
    judge_term_t **first)
{
    size_t         i;
    judge_span_t   at;
    judge_term_t  *t;

    for (i = 1; i < list->n; i++) {
        at = list->seg[i].at;

        if (!judge_begins(at, CLAUSE) || list->seg[i].joint == '|') {
            continue;
        }

        for (t = s.from; t < at.from; t++) {
            if (t->depth == 0 && judge_clause_alike(t, at.from)
                && (t->value < 4 || judge_has(judge_span(s.from, t), MODAL)))
            {
                *first = t;
                return i;
            }
        }
    }

    return i;
}


/* Parallel clauses, or a single one behind "What matters is that". */

static bool
judge_clause_parallel(judge_prose_t *p, const judge_segments_t *list,
    judge_span_t s, int depth)
{
    bool           framed;
    size_t         i;
    judge_span_t   frame, item, none = { s.to, s.to }, rest = none;
    judge_term_t  *first;

    first = judge_span_find(s, JUDGE_CLASS_CLAUSE);
    i = judge_clause_again(list, s, &first);
    frame = judge_span(s.from, first);

    if (i >= list->n) {
        if (first == s.to || first == s.from || first->value > 2
            || !judge_has(frame, JUDGE) || judge_span_negated(frame))
        {
            return false;
        }

        judge_clause_run(p, judge_span(first + first->n, s.to), false,
                         depth + 1);

        return true;
    }

    framed = judge_span_negated(frame)
             || (judge_has(frame, MODAL) && !judge_has(frame, JUDGE));
    item = judge_span(first, list->seg[i - 1].at.to);

    for (/* void */; i < list->n; i++) {
        if (judge_clause_alike(first, list->seg[i].at.from)) {
            judge_clause_put(p, framed ? frame : none, item, none, false);
            item = list->seg[i].at;

        } else if (judge_has(list->seg[i].at, MODAL)
                   && !judge_begins(list->seg[i].at, WHICH))
        {
            rest.from = list->seg[i].at.from;
            break;

        } else {
            item.to = list->seg[i].at.to;
        }
    }

    judge_clause_put(p, framed ? frame : none, item, none, false);
    judge_clause_run(p, rest, false, depth + 1);

    return true;
}


static bool
judge_clause_we(const judge_prose_t *p, judge_span_t s)
{
    judge_term_t  *t;

    t = judge_span_find(s, JUDGE_CLASS_WE);

    return (t - s.from < 2 && t < s.to && t->value == 0)
           || ((p->language == 2 || p->language == 4) && s.from->low.len > 4
               && memcmp(s.from->low.data + s.from->low.len - 3, "mos", 3)
                  == 0);
}


/* What only leads to the criteria: "We sell shoes.", "Please rate the ads.",
 * "Here are the criteria." */

static bool
judge_clause_intro(const judge_prose_t *p, judge_span_t s, size_t segments,
    bool more)
{
    judge_term_t  *judge;

    judge = judge_span_find(s, JUDGE_CLASS_JUDGE);

    if (judge == s.to) {
        return !judge_has(s, MODAL) && !judge_span_negated(s)
               && ((judge_begins(s, ABOUT) && more) || judge_clause_we(p, s));
    }

    return more && segments == 1 && !judge_has(judge_span(judge, s.to), CLAUSE)
           && !judge_has(judge_span(judge, s.to), BY)
           && (judge + judge->n >= s.to || judge->value > 0)
           && (judge_has(s, WE) || judge_clause_we(p, s)
               || judge - s.from < 4
               || judge->value == 6);
}


/* "Please check these: grammar, tone" is a list, "Tone: warm, calm" is one
 * criterion. */

static bool
judge_clause_colon(judge_prose_t *p, judge_span_t s, bool label)
{
    bool              listed;
    judge_term_t     *t;
    judge_span_t      head, rest;
    judge_weigh_t     w;
    judge_segments_t  list;

    for (t = s.from; t < s.to && !(t->kind == JUDGE_TERM_MARK && t->depth == 0
                                   && t->mark == ':'); t++) { /* void */ }

    head = judge_span(s.from, t);
    rest = judge_span((t < s.to) ? t + 1 : t, s.to);

    if (t == s.to || judge_span_words(head) == 0
        || judge_span_words(rest) == 0)
    {
        return false;
    }

    judge_clause_segments(rest, &list);
    listed = judge_has(head, JUDGE) || judge_has(head, ABOUT)
             || judge_has(head, WEIGHT)
             || (list.n > 1 && judge_span_words(head) > JUDGE_CLAUSE_LABEL);

    if (list.n > 1 && !judge_weigh_cell(list.seg[0].at, &w)
        && judge_clause_weights(p, &list))
    {
        return true;
    }

    if (judge_is(t - 1, NOT) || judge_is(t - 1, WITHOUT)
        || (listed && judge_span_negated(head)) || judge_has(head, MODAL))
    {
        judge_clause_list(p, &list, head, true);

    } else if (listed) {
        if (!judge_clause_parallel(p, &list, rest, 1)) {
            judge_clause_groups(p, &list, true);
        }

    } else if (label && judge_span_words(head) <= 2 * JUDGE_CLAUSE_LABEL) {
        judge_clause_item(p, s);

    } else {
        return false;
    }

    return true;
}


/* What is said not to matter is left out, as far as that goes. */

static bool
judge_clause_idle(judge_prose_t *p, judge_span_t s, bool more, int depth)
{
    size_t            i, k;
    judge_span_t      part;
    judge_segments_t  list;

    judge_clause_segments(s, &list);

    for (i = 0; i < list.n && !judge_has(list.seg[i].at, IDLE); i++) {
        /* void */
    }

    if (i == list.n) {
        return false;
    }

    for (k = i + 1; k < list.n
         && (judge_begins(list.seg[k].at, CLAUSE)
             || judge_begins(list.seg[k].at, WHICH)
             || (list.seg[k].joint != ',' && list.seg[k].joint != '!'
                 && !judge_clause_verb(list.seg[k].at))); k++) { /* void */ }

    part.to = list.seg[k - 1].at.to;

    while (i > 0 && list.seg[i].joint != ',' && list.seg[i].joint != '!'
           && !judge_clause_verb(list.seg[i - 1].at))
    {
        i--;
    }

    part.from = list.seg[i].at.from;
    judge_criteria_note(p, JUDGE_SAY_NOT_JUDGED,
                        judge_span_text(judge_span_trim(part)));

    if (i > 0) {
        judge_clause_run(p, judge_span(s.from, list.seg[i - 1].at.to), more,
                         depth + 1);
    }

    if (k < list.n) {
        judge_clause_run(p, judge_span(list.seg[k].at.from, s.to), more,
                         depth + 1);
    }

    return true;
}


static void
judge_clause_run(judge_prose_t *p, judge_span_t s, bool more, int depth)
{
    judge_weigh_t     w;
    judge_segments_t  list;

    s = judge_span_trim(s);

    if (s.from == s.to) {
        return;
    }

    judge_clause_segments(s, &list);

    if (depth > JUDGE_CLAUSE_DEPTH || list.n == 0) {
        judge_clause_item(p, s);

    } else if (!judge_clause_idle(p, s, more, depth)
               && !judge_clause_colon(p, s, false)
               && !judge_clause_weights(p, &list)
               && !judge_clause_colon(p, s, true))
    {
        if (judge_weigh_read(s, &w, true)
            && (w.factor == 0 || judge_clause_known(p, s)
                || (list.n == 1
                    && (w.factor >= 2 || judge_has(s, IS)
                        || judge_has(s, COUNTS)))))
        {
            judge_clause_weighed(p, s);

        } else if (judge_clause_intro(p, s, list.n, more)) {
            judge_criteria_note(p, JUDGE_SAY_PASSED_OVER, judge_span_text(s));

        } else if (s.to[-1].mark == '?') {
            judge_clause_item(p, s);

        } else if (!judge_clause_parallel(p, &list, s, depth)) {
            judge_clause_groups(p, &list, false);
        }
    }
}


/* "thats all thx" at the end says nothing; nor does a sentence of thanks. */

void
judge_clause_sentence(judge_prose_t *p, judge_span_t s, bool more)
{
    judge_term_t  *t;

    s = judge_span_trim(s);

    for (t = s.from; t < s.to; t++) {
        if (judge_is(t, THANKS) && t + t->n <= s.to
            && (t + t->n == s.to || judge_is(t + t->n, THANKS)
                || t[t->n].kind == JUDGE_TERM_MARK)
            && judge_span_words(judge_span(t, s.to)) <= 5)
        {
            s.to = t;
        }
    }

    if (!(judge_begins(s, THANKS) && s.from->value == 0
          && !judge_has(s, JUDGE) && !judge_has(s, MODAL)))
    {
        judge_clause_run(p, s, more, 0);
    }
}


void
judge_clause_item(judge_prose_t *p, judge_span_t s)
{
    judge_span_t  none = { s.to, s.to };

    if (judge_has(s, IDLE)) {
        judge_criteria_note(p, JUDGE_SAY_NOT_JUDGED,
                            judge_span_text(judge_span_trim(s)));
        return;
    }

    judge_clause_put(p, none, s, none, false);
}
