/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what introduces criteria or is said not to matter, labels, and
 * weights.  What is left goes to criteria_lists.c.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_CLAUSE_LABEL  4          /* words before a colon */


static void judge_clause_run(judge_prose_t *p, judge_span_t s, bool more);


/* A criterion is found by words of it when its weight is given later. */

static judge_draft_t *
judge_clause_known(judge_prose_t *p, judge_span_t s)
{
    size_t          words, same;
    judge_term_t   *t;
    judge_draft_t  *f;

    for (f = p->found; f < p->found + p->nfound; f++) {
        for (t = s.from, words = same = 0; t < s.to; t++) {
            if (t->used && words > 0) {
                break;
            }

            if (!t->used && judge_term_content(t)) {
                words++;
                same += judge_span_has(f->at, t);
            }
        }

        if (words > 0 && same == words) {
            return f;
        }
    }

    return NULL;
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
    size_t            i;
    judge_weigh_t     w, one = { .factor = 1 };
    judge_span_t      none = { s.to, s.to };
    judge_draft_t    *f;
    judge_segments_t  list;

    (void) judge_weigh_read(s, &w, false);

    if (w.rest) {
        for (w.share = 100, i = 0; i < p->nfound; i++) {
            w.share -= p->found[i].weigh.share;
        }
        w.share = (w.share > 0) ? w.share : 0;
    }

    f = judge_clause_known(p, s);

    if (f != NULL) {
        f->weigh = w;
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

    w.share /= w.each ? 1 : (double) list.n;
    w.points /= w.each ? 1 : (double) list.n;

    for (i = 0; i < list.n; i++) {
        (void) judge_draft_add(p, none, list.seg[i].at, none, &w);
    }
}


/* Where all items of a list end with a number these are weights. */

static void
judge_clause_bare(const judge_segments_t *list)
{
    size_t         i;
    judge_span_t   s;

    for (i = 0; i < list->n; i++) {
        s = judge_span_trim(list->seg[i].at);

        if (s.to - s.from < 2 || s.to[-1].kind != JUDGE_TERM_NUMBER
            || s.to[-2].kind != JUDGE_TERM_WORD || judge_is(s.to - 2, LIMIT))
        {
            if (i + 1 == list->n || list->seg[i + 1].joint != '&') {
                return;
            }
        }
    }

    for (i = 0; i < list->n && list->n > 1; i++) {
        s = judge_span_trim(list->seg[i].at);
        s.to[-1].bare = s.to[-1].kind == JUDGE_TERM_NUMBER;
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

    s = list->seg[0].at;
    none = judge_span(s.from, s.from);
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


/* "We want", "my", "queremos". */

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
    judge_span_t   rest = s;
    judge_term_t  *judge;

    judge = judge_span_find(s, JUDGE_CLASS_JUDGE);

    if (judge == s.to) {
        return !judge_has(s, MODAL) && !judge_span_negated(s)
               && ((judge_begins(s, ABOUT) && more) || judge_clause_we(p, s));
    }

    rest.from = judge + judge->n;

    if (!more || rest.from >= s.to) {
        return more && judge_has(s, WE);
    }

    return segments == 1 && judge->value > 0 && !judge_has(rest, CLAUSE)
           && !judge_has(rest, BY)
           && (judge_has(s, WE) || judge_clause_we(p, s)
               || judge - s.from < 4 || judge->value == 6);
}


static bool
judge_clause_alike(const judge_term_t *a, const judge_term_t *b)
{
    return judge_is(a, CLAUSE) && judge_is(b, CLAUSE)
           && (a->value == b->value
               || (a->value > 1 && b->value > 1
                   && a->value < 4 && b->value < 4));
}


/* Where the first of parallel clauses begins ("whether ..., whether ..."), or
 * a single one behind "What matters is that". */

static judge_term_t *
judge_clause_first(const judge_segments_t *list, judge_span_t s)
{
    size_t         i;
    judge_term_t  *t;

    for (t = s.from; t < s.to; t++) {
        if (t->depth > 0 || !judge_is(t, CLAUSE)
            || (t->value > 3 && !judge_has(judge_span(s.from, t), MODAL)))
        {
            continue;
        }

        for (i = 1; i < list->n; i++) {
            if (list->seg[i].at.from > t && list->seg[i].joint != '|'
                && judge_clause_alike(t, list->seg[i].at.from))
            {
                return t;
            }
        }
    }

    t = judge_span_find(s, JUDGE_CLASS_JUDGE);
    t = judge_span_find(judge_span(t, s.to), JUDGE_CLASS_CLAUSE);

    return (t->value > 2 || judge_span_negated(judge_span(s.from, t))) ? s.to
                                                                       : t;
}


static void
judge_clause_parts(judge_prose_t *p, const judge_segments_t *list, bool listed)
{
    bool           again = false;
    size_t         i;
    judge_span_t   s, frame, item, at, none, rest;
    judge_term_t  *first;

    s = judge_span(list->seg[0].at.from, list->seg[list->n - 1].at.to);
    none = rest = judge_span(s.to, s.to);
    first = judge_clause_first(list, s);

    if (first == s.to) {
        judge_clause_groups(p, list, listed);
        return;
    }

    frame = judge_span(s.from, first);
    frame = (judge_span_negated(frame)
             || (judge_has(frame, MODAL) && !judge_has(frame, JUDGE)))
            ? frame : none;
    item = judge_span(first, s.to);

    for (i = 1; i < list->n; i++) {
        at = list->seg[i].at;

        if (at.from <= first) {
            continue;
        }

        if (judge_clause_alike(first, at.from)) {
            item.to = list->seg[i - 1].at.to;
            judge_clause_put(p, frame, item, none, false);
            item = judge_span(at.from, s.to);
            again = true;

        } else if (again && judge_has(at, MODAL) && !judge_begins(at, WHICH)) {
            item.to = list->seg[i - 1].at.to;
            rest.from = at.from;
            break;
        }
    }

    if (again) {
        judge_clause_put(p, frame, item, none, false);
        judge_clause_run(p, rest, false);

    } else {
        judge_clause_run(p, judge_span(first + first->n, s.to), false);
    }
}


/* "Please check these: grammar, tone" is a list, "Tone: warm, calm" is one
 * criterion. */

static bool
judge_clause_colon(judge_prose_t *p, judge_span_t s)
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

    if (judge_span_words(head) == 0 || judge_span_words(rest) == 0) {
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
        judge_clause_parts(p, &list, true);

    } else if (judge_span_words(head) > 2 * JUDGE_CLAUSE_LABEL) {
        return false;

    } else {
        judge_clause_segments(s, &list);

        if (judge_clause_weights(p, &list)) {
            return true;
        }

        judge_clause_item(p, s);
    }

    return true;
}


/* What is said not to matter is left out, as far as that goes. */

static bool
judge_clause_idle(judge_prose_t *p, judge_span_t s, bool more)
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
             || list.seg[k].joint == '|'
             || (list.seg[k].joint == '&'
                 && !judge_clause_verb(list.seg[k].at))); k++) { /* void */ }

    part.to = list.seg[k - 1].at.to;

    while (i > 0 && (list.seg[i].joint == '|'
                     || judge_begins(list.seg[i].at, IS)
                     || (list.seg[i].joint == '&'
                         && !judge_clause_verb(list.seg[i - 1].at))))
    {
        i--;
    }

    part.from = list.seg[i].at.from;
    judge_criteria_note(p, JUDGE_SAY_NOT_JUDGED,
                        judge_span_text(judge_span_trim(part)));

    if (i > 0) {
        judge_clause_run(p, judge_span(s.from, list.seg[i - 1].at.to), more);
    }

    if (k < list.n) {
        judge_clause_run(p, judge_span(list.seg[k].at.from, s.to), more);
    }

    return true;
}


static void
judge_clause_run(judge_prose_t *p, judge_span_t s, bool more)
{
    judge_weigh_t     w;
    judge_segments_t  list;

    s = judge_span_trim(s);
    judge_clause_segments(s, &list);

    if (list.n == 0) {
        return;
    }

    if (p->depth++ > JUDGE_CRITERIA_DEPTH) {
        judge_clause_item(p, s);

    } else if (!judge_clause_idle(p, s, more) && !judge_clause_colon(p, s)
               && !judge_clause_weights(p, &list))
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

        } else {
            judge_clause_parts(p, &list, false);
        }
    }

    p->depth--;
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
        judge_clause_run(p, s, more);
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
