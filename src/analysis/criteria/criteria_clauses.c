/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Sentences: what introduces criteria or is said not to matter, labels,
 * weights given later, and clauses.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/checks/require.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_CLAUSE_LABEL  4          /* words before a colon */
#define JUDGE_CLAUSE_LOOKS  32         /* into all descriptions; the budget */


/* The criterion that has all the words beside a weight that is given later:
 * "the tone counts double". */

static judge_draft_t *
judge_clause_known(judge_prose_t *p, judge_str_t s)
{
    bool            has;
    size_t          i, n;
    judge_str_t     word, rest;
    judge_draft_t  *f;

    n = (p->looked++ < JUDGE_CLAUSE_LOOKS) ? 2 * p->nfound : p->nfound;

    for (i = 0; i < n; i++) {
        f = &p->found[i % p->nfound];
        rest = s;
        word = judge_words_content(p, &rest);

        for (has = word.data != NULL; has && word.data != NULL;
             word = judge_words_content(p, &rest))
        {
            has = judge_words_in(p, word, (i < p->nfound) ? f->name
                                                          : f->description);
        }

        if (has) {
            return f;
        }
    }

    return NULL;
}


/* A weight without a subject of its own is that of the criterion before it:
 * "grammar is correct and counts double", "it is more important than style".
 * What it is compared with has to be a criterion, too, or it would be lost. */

static bool
judge_clause_weight(judge_prose_t *p, judge_str_t s, judge_weigh_t *w)
{
    judge_str_t  subject;

    if (!judge_weigh_read(p, s, false, w) || w->rest) {
        return false;
    }

    subject = w->first ? judge_after(s, w->at) : judge_before(s, w->at);

    return judge_words_content(p, &subject).data == NULL;
}


/* Gives a weight to the earlier criterion that the subject names, or to
 * the last one; "the others" get what is left.  false: the subject is new. */

static bool
judge_clause_give(judge_prose_t *p, judge_str_t s, judge_str_t subject,
    judge_weigh_t w)
{
    double          place;
    judge_str_t     rest, word = judge_find(p, subject, THANKS);
    judge_weigh_t   alone;
    judge_draft_t  *f = judge_clause_known(p, subject);

    place = judge_value(p, word, THANKS) - 10;
    rest = (place > 0) ? judge_after(subject, word) : subject;

    if (p->nfound > 0 && judge_clause_weight(p, s, &alone)) {
        if (p->nfound > 1 && judge_like(p, s, OTHERS)) {
            return true;
        }

        f = &p->found[p->nfound - 1];
    }

    if (place > 0 && place <= (double) p->nfound
        && judge_words_content(p, &rest).data == NULL)
    {                                  /* "the first counts two thirds" */
        f = &p->found[(size_t) place - 1];
    }

    if (f != NULL) {
        f->weigh.share = (w.share > 0) ? w.share : f->weigh.share;
        f->weigh.points = (w.points > 0) ? w.points : f->weigh.points;
        w.factor = (w.factor == 1) ? 0 : w.factor;   /* "the same" */
        f->weigh.factor = (w.factor > 0) ? w.factor : f->weigh.factor;
    }

    return f != NULL;
}


/* "The rest is split between style and tone"; "tone counts double", of a
 * criterion that stands above; or a criterion with its weight. */

static void
judge_clause_weighed(judge_prose_t *p, judge_str_t s, judge_weigh_t w)
{
    size_t             i;
    judge_str_t        subject;
    judge_draft_t     *f;
    judge_segments_t   list;

    if (w.rest) {
        for (w.share = 100, i = 0; i < p->nfound; i++) {
            w.share -= p->found[i].weigh.share;
        }

        if (w.share == 100 && p->nfound > 0) {
            judge_criteria_say(p, true, JUDGE_SAY_PASSED_OVER, s);
            return;                    /* "Everything else is taste" */
        }

        w.share = (w.share > 0 && w.share < 100) ? w.share : 0;
    }

    subject = w.first ? judge_after(s, w.at) : judge_before(s, w.at);

    if (judge_begins(p, s, TOTAL) || judge_clause_give(p, s, subject, w)) {
        return;
    }

    if (w.factor > 0 && !w.first
        && judge_words_count(p, judge_after(s, w.at)) > 0)
    {
        judge_list_put(p, JUDGE_STR(""), s, w.factor >= 2 || w.factor < 0.6);
        return;                        /* "twice as important as style" */
    }

    judge_list_segments(p, subject, &list);

    if (list.n < 2
        || (judge_begins(p, list.seg[list.n - 1].at, EACH)
            && judge_words_count(p, list.seg[list.n - 1].at) > 1)
        || !(w.rest || w.factor == 1 || judge_has(p, s, EACH)
             || (judge_has(p, s, SPLIT)
                 && (w.first || judge_value_in(p, s, SPLIT) != 1))))
    {
        (void) judge_draft_add(p, JUDGE_STR(""), s, &w);
        return;
    }

    for (i = 0; i < list.n; i++) {
        f = judge_draft_add(p, JUDGE_STR(""), list.seg[i].at, &w);

        if (f != NULL && w.split) {
            f->weigh.share = w.share / (double) list.n;
            f->weigh.points = w.points / (double) list.n;
        }
    }
}


/* Weights divide a sentence: each criterion has its own before or after it.
 * Numbers alone are weights where all items end with one. */

static bool
judge_clause_weights(judge_prose_t *p, const judge_segments_t *list)
{
    bool            bare, first = false, has[JUDGE_CRITERIA_SEGMENTS];
    bool            leads[JUDGE_CRITERIA_SEGMENTS];
    size_t          i, n;
    judge_str_t     s, by;
    judge_weigh_t   w;

    for (i = n = 0; i < list->n; i++) {
        n += (judge_weigh_read(p, list->seg[i].at, true, &w)
              && !judge_begins(p, list->seg[i].at, TIED))   /* "except 3" */
             || (i + 1 < list->n && list->seg[i + 1].joint == '&');
    }

    bare = n == list->n && n > 1;

    for (i = n = 0; i < list->n; i++) {
        has[i] = judge_weigh_read(p, list->seg[i].at, bare, &w);
        leads[i] = has[i] && w.first && w.factor != 1;   /* "each alike" */
        first = (n == 0 && has[i]) ? leads[i] : first;
        n += has[i];
    }

    if (n < 2) {
        return false;
    }

    s = list->seg[0].at;
    by = judge_find(p, s, JUDGE);

    if (judge_value(p, by, JUDGE) == 5 && !leads[0]
        && !judge_weigh_read(p, judge_before(s, by), bare, &w))
    {                                  /* not "Half of the grade is" */
        s = judge_after(s, by);       /* "Rate the texts by" */
        by = judge_find(p, s, BY);
        s = by.data ? judge_after(s, by) : s;
    }

    for (i = 0; i < list->n; i++) {
        s = judge_words_trim(p, judge_through(s, list->seg[i].at));

        if (i + 1 < list->n
            && ((!has[i] && judge_clause_weight(p, list->seg[i + 1].at, &w))
                || (first ? !has[i + 1]
                          : list->seg[i + 1].joint == '&'
                            && (!has[i] || (leads[i] && !has[i + 1])))))
        {
            continue;
        }

        if (judge_weigh_read(p, s, bare, &w)) {
            judge_clause_weighed(p, s, w);
        } else {
            judge_list_put(p, JUDGE_STR(""), s, false);
        }

        s = (i + 1 < list->n) ? list->seg[i + 1].at : s;
    }

    return true;
}


/* A verb of its own makes a segment a clause when there was one before. */

static bool
judge_clause_verb(judge_prose_t *p, judge_str_t s)
{
    judge_str_t  modal = judge_find(p, s, MODAL), is = judge_find(p, s, IS);

    s = judge_words_trim(p, s);
    is = (is.data == s.data) ? judge_find(p, judge_after(s, is), IS) : is;

    return !judge_begins(p, s, TIED)
           && !(judge_begins(p, s, BY) && judge_list_clause(p, s).data)
           && ((modal.data != NULL
                && !judge_like(p, judge_before(s, modal), RELATIVE)
                && !(p->language == 1 && judge_begins(p, s, CLAUSE)))
               || (is.data != NULL
                   && judge_words_count(p, judge_after(s, is)) > 0
                   && !judge_begins(p, s, CLAUSE)
                   && !judge_begins(p, s, NOT)));
}


/* A list of clauses is divided where another one begins. */

static void
judge_clause_groups(judge_prose_t *p, const judge_segments_t *list,
    bool listed)
{
    bool              verb, idle, apart;
    bool              open = false, had = false, acts = false;
    size_t            i;
    judge_str_t       s;
    judge_segments_t  group = { .n = 0 };

    group.seg[0] = list->seg[0];

    for (i = 0; i < list->n; i++) {
        s = list->seg[i].at;
        verb = judge_clause_verb(p, s) && list->seg[i].joint != '|'
               && !(open && list->seg[i].joint == '&');
        open = judge_begins(p, s, CLAUSE)      /* "that dates and names are" */
               && judge_words_count(p, s) < JUDGE_CLAUSE_LABEL;
        idle = judge_has(p, s, IDLE) && list->seg[i].joint == ','
               && !judge_begins(p, group.seg[0].at, CLAUSE);

        acts |= group.n > 0 && (judge_list_act(p, s, false)
                || (judge_begins(p, s, OWN)
                    && judge_begins(p, list->seg[i - 1].at, OWN)));
        apart = i > 0 && (strchr(";/", s.data[-1]) || strchr(";/", s.data[-2])
                          || (listed && verb && list->seg[i].joint == ','));

        if (group.n > 0 && ((verb && (had || acts || idle)) || apart)) {
            judge_list_read(p, &group, JUDGE_STR(""), listed);
            group.n = 0;
            had = acts = false;
        }

        if (verb && group.n > 0) {     /* "Spelling and grammar must" */
            group.n = 1;
            group.seg[0].at = judge_through(group.seg[0].at, s);
        } else {
            group.seg[group.n++] = list->seg[i];
        }

        had |= verb || (judge_value_in(p, s, TIED) == 8
                        && !judge_begins(p, s, TIED));
    }

    if (group.n > 0) {
        judge_list_read(p, &group, JUDGE_STR(""), listed);
    }
}


/* What only leads to the criteria: "We sell shoes.", "Please rate the ads.",
 * "Here are the criteria."  What tells of the writer, or stands in a letter
 * before anything is asked for, is passed over with a question. */

static bool
judge_clause_intro(judge_prose_t *p, judge_str_t s, size_t segments, bool more,
    bool colon)
{
    bool              tells, asks, leads;
    double            value;
    judge_str_t       rest, we = judge_find(p, s, WE);
    judge_str_t       judge = judge_find(p, s, JUDGE);
    judge_required_t  required = { .whole = false };

    value = judge_value(p, we, WE);
    asks = (judge_has(p, s, MODAL) || judge_has(p, s, NOT)
            || judge_value_at(p, s, THANKS) >= 10
            || (p->nfound > 0 && !p->letter
                && judge_value_at(p, s, THANKS) == 2))
           && !(p->letter && p->nfound > 0 && we.data && value == 0
                && judge_words_count(p, judge_before(s, we)) < 2);
    leads = !asks && judge_begins(p, s, ABOUT)
            && (judge.data == NULL || segments == 1);

    if (judge.data == NULL) {
        tells = (p->letter && ((more && (we.data || p->opens))
                               || p->nfound > 0)) || value == 2
                || (we.data && value == 0
                    && judge_words_count(p, judge_before(s, we)) < 2
                    && (segments == 1 || !judge_has(p, s, CLAUSE)));

    } else {
        rest = judge_after(s, judge);
        value = judge_value(p, judge, JUDGE);
        tells = p->letter && segments == 1 && value < 5 && we.data;
        leads |= segments == 1 && !judge_has(p, rest, CLAUSE)
                 && (judge_like(p, s, INTRO)
                     || (!judge_has(p, rest, BY) && value > 0))
                 && (we.data || value == 6
                     || (p->letter && judge_has(p, s, CLAUSE))
                     || judge_words_count(p, judge_before(s, judge)) < 4);
    }

    leads |= p->nfound == 0 && segments < 3
             && judge_like(p, s, JOTTED) && !asks;
    leads |= we.data && !judge_has(p, s, NOT)
             && (colon || (p->nfound == 0 && judge_has(p, s, ABOUT)
                           && segments <= 2));
    leads &= more;
    tells &= !asks;
    p->failed |= tells && judge_require(p->arena, s, &required) != JUDGE_OK;
    tells &= !(required.whole && required.checks.count > 0);  /* "Wir duzen" */

    if (leads || tells) {
        judge_criteria_say(p, !leads, JUDGE_SAY_PASSED_OVER, s);
    }

    p->letter = p->letter && !leads && tells && judge.data == NULL;
    p->opens = false;

    return leads || tells;
}


/* When something is due or done, and an aside. */

bool
judge_clause_note(judge_prose_t *p, judge_str_t s, judge_str_t first)
{
    return judge_like(p, s, DUE)
           || (!judge_has(p, first, MODAL) && !judge_has(p, first, NOT)
               && (judge_has(p, first, DAY) || *s.data == '(' || *s.data == '['
                   || judge_begins(p, s, REST)));
}


/* Whether what stands before the colon is what all of the criteria are of, as
 * in "The talks: half of it is"; a label of one is short, or not alone. */

static bool
judge_clause_topic(judge_prose_t *p, judge_str_t head,
    const judge_segments_t *list)
{
    judge_weigh_t  w;
    judge_str_t    first = list->seg[0].at;
    judge_str_t    rest = judge_utf8_prefix(judge_after(
                              p->request->description, head),
                              JUDGE_CRITERIA_LONG);

    return judge_words_count(p, head) > 2
           && ((judge_weigh_read(p, first, false, &w) && w.first)
               || (list->n > 1 && judge_has(p, first, MODAL))
               || (p->nfound == 0
                   && (judge_like(p, head, TOPIC)
                       || (list->n > 2
                           && !judge_like(p, rest, LABELS)))));
}


/* The colon; a dash may stand before it: "Cards - what matters: a, b".  A
 * label may have a dash alone. */

static judge_str_t
judge_clause_mark(judge_prose_t *p, judge_str_t s, bool label)
{
    judge_str_t  mark;

    do {
        mark = judge_match(p, s, COLON);
        s = mark.data ? judge_after(s, mark) : s;
    } while (mark.data != NULL && *mark.data != ':' && !label);

    return mark;
}


/* "Please check these: grammar, tone" is a list, "Tone: warm, calm" is one
 * criterion. */

static bool
judge_clause_colon(judge_prose_t *p, judge_str_t s, bool label)
{
    bool              listed, no;
    judge_str_t       head, rest, colon = judge_clause_mark(p, s, label);
    judge_weigh_t     w;
    judge_segments_t  list;

    if (colon.data == NULL) {
        return false;
    }

    head = judge_before(s, colon);
    rest = judge_after(s, colon);
    judge_list_segments(p, rest, &list);
    list.n += list.n == 0 && judge_words_count(p, rest) > 0;   /* "thanks" */

    if (judge_words_count(p, head) == 0 || list.n == 0
        || (list.n == 1 && judge_weigh_cell(p, list.seg[0].at, &w)))
    {
        return false;                  /* "Tone: 10 points" is its weight */
    }

    no = judge_has(p, head, NOT);
    listed = judge_has(p, head, JUDGE) || judge_has(p, head, ABOUT)
             || judge_has(p, head, COUNTS) || judge_has(p, head, WE);

    if (list.n > 1 && !judge_weigh_cell(p, list.seg[0].at, &w)
        && judge_clause_weights(p, &list))
    {
        return true;
    }

    if (judge_weigh_read(p, head, false, &w) && !judge_begins(p, s, TOTAL)
        && (!listed || w.factor != 1))
    {
        (void) judge_draft_add(p, JUDGE_STR(""), s, &w);

    } else if (!no && !listed && judge_clause_topic(p, head, &list)) {
        judge_criteria_say(p, false, JUDGE_SAY_PASSED_OVER, head);
        judge_clause_sentence(p, rest, true);

    } else if (no && judge_has(p, head, JUDGE)) {
        judge_list_put(p, JUDGE_STR(""), s, true);

    } else if (judge_like(p, head, URGENCY) || (judge_has(p, head, MODAL)
                && !(listed && (judge_begins(p, head, CLAUSE)
                                || judge_value_in(p, head, JUDGE) == 5)))
               || (no && (listed || judge_words_count(p, head) < 3)))
    {
        judge_list_read(p, &list, head, true);

    } else if (listed) {
        judge_clause_groups(p, &list, true);

    } else if (label && judge_words_count(p, head) <= 2 * JUDGE_CLAUSE_LABEL) {
        judge_list_put(p, JUDGE_STR(""), s, false);

    } else {
        return false;
    }

    return true;
}


/* "5 = good, 1 = bad" is no criterion, and "For the talks, half of it is"
 * tells what all of them are of. */

static bool
judge_clause_aside(judge_prose_t *p, judge_str_t s,
    const judge_segments_t *list, bool more)
{
    judge_weigh_t  w;
    judge_str_t    first = list->seg[0].at, next = list->seg[list->n > 1].at;

    if (judge_like(p, s, SCALE)) {
        judge_criteria_say(p, true, JUDGE_SAY_PASSED_OVER, s);
        return true;
    }

    if (list->n < 2
        || judge_match(p, first, TOPIC).data != first.data
        || memchr(first.data, ':', first.len) != NULL
        || !((judge_weigh_read(p, next, false, &w) && w.first)
             || (judge_has(p, next, WE) && judge_has(p, next, JUDGE))))
    {
        return false;
    }

    judge_criteria_say(p, false, JUDGE_SAY_PASSED_OVER, first);
    judge_clause_sentence(p, judge_through(next, s), more);

    return true;
}


void
judge_clause_sentence(judge_prose_t *p, judge_str_t s, bool more)
{
    bool              colon;
    judge_str_t       thanks, last;
    judge_weigh_t     w;
    judge_segments_t  list;

    s = judge_str_trim(s, " \t\r\n");
    colon = s.len > 0 && s.data[s.len - 1] == ':';
    s = judge_words_trim(p, s);
    thanks = judge_opening(p, s, THANKS);

    if (judge_words_count(p, s) == 0
        || (thanks.data && !judge_has(p, s, JUDGE) && !judge_has(p, s, MODAL)
            && judge_value(p, thanks, THANKS) == 0)
        || (!more && p->nfound > 0 && judge_begins(p, s, REGARDS)
            && judge_words_count(p, s) < JUDGE_CLAUSE_LABEL))
    {
        return;
    }

    judge_list_segments(p, s, &list);
    last = (list.n > 0) ? list.seg[list.n - 1].at : s;

    if (s.len > JUDGE_CRITERIA_LONG) {
        judge_list_put(p, JUDGE_STR(""), s, true);

    } else if (judge_clause_aside(p, s, &list, more)
               || judge_clause_colon(p, s, false)
               || judge_clause_weights(p, &list)
               || judge_clause_colon(p, s, true))
    {
        p->letter = false;

    } else if (list.n > 1 && judge_clause_weight(p, last, &w)) {
        s = judge_through(s, list.seg[list.n - 2].at);

        if (list.n > 2 && list.seg[list.n - 1].joint == ',') {
            (void) judge_draft_add(p, JUDGE_STR(""), s, &w);
        } else {                       /* no "clear and short, that is 30 %" */
            judge_clause_sentence(p, s, more);
            judge_clause_weighed(p, last, w);
        }

    } else if (judge_weigh_read(p, s, false, &w) && !judge_has(p, s, IDLE)
               && (w.factor == 0 || list.n == 1
                   || judge_clause_known(p, judge_before(s, w.at))))
    {
        judge_clause_weighed(p, s, w);

    } else if (judge_has(p, s, IDLE)
               || !judge_clause_intro(p, s, list.n, more, colon))
    {
        if (judge_clause_note(p, s, list.seg[0].at)) {
            judge_criteria_say(p, true, JUDGE_SAY_PASSED_OVER, s);
        } else {
            judge_clause_groups(p, &list, false);
        }
    }
}
