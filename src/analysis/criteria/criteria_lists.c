/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The items of a clause.  What says no holds for each item that "or" joins to
 * it, and behind a verb ("must not contain", "avoid") for those behind a comma
 * or "and", too; each of them is worded with it.  An item that begins as one
 * of its own ends that.  Where neither is certain the items stay together, as
 * they are written, with a question.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_LIST_FRAMED  8           /* words of an item behind a verb */
#define JUDGE_LIST_LEADS   4           /* words before "points are" */
#define JUDGE_LIST_SHORT   3           /* of one that nothing asks for */

/* INFINITIVE: it begins with one, in Spanish, French or Portuguese.  FINITE:
 * it begins with a verb that needs no "must".  OXFORD: ", and" precedes it. */
#define INFINITIVE(p, s)  ((p)->language > 1 && judge_like(p, s, INFINITIVE))
#define FINITE(p, s)  (((p)->language < 2) ? judge_like(p, s, FINITE)         \
     : judge_list_act(p, s, false) && !INFINITIVE(p, s)                       \
       && !judge_begins(p, s, CLAUSE))
#define OXFORD(seg)  ((seg)->joint == '&' && *judge_end((seg)[-1].at) == ',')

typedef struct {
    judge_prose_t           *p;
    const judge_segments_t  *list;
    judge_str_t              frame;    /* "The text must not" */
    bool                     asks;     /* its verb asks for each item */
    bool                     judged;   /* "Rate the texts by" */
    bool                     no;       /* the frame says no */
    bool                     verb;     /* ... to the objects of a verb */
    bool                     listed;   /* the items follow a colon */
    bool                     given;    /* they are conditions: "if ..." */
    double                   alike;    /* clauses begin so: "if ..., if ..." */
    size_t                   commas, nots;
    judge_str_t              lead, at;     /* an item, and its frame */
    bool                     negated, inner;   /* inner: not at its begin */
    bool                     tied, unsure, divided;
} judge_items_t;

typedef enum {
    JUDGE_STEP_NEXT, JUDGE_STEP_SPREAD, JUDGE_STEP_SAME, JUDGE_STEP_DOUBT
} judge_step_e;


/* Whether there is more in it than "please". */

static bool
judge_list_says(judge_prose_t *p, judge_str_t s)
{
    judge_str_t  word = judge_opening(p, s, AND);

    s = word.data ? judge_after(s, word) : s;
    word = judge_opening(p, s, THANKS);

    return judge_words_count(p, word.data ? judge_after(s, word) : s) > 0;
}


void
judge_list_segments(judge_prose_t *p, judge_str_t s, judge_segments_t *list)
{
    bool              nor = false;
    judge_str_t       joint, word, rest = s;
    judge_segment_t  *seg = list->seg;

    list->n = 0;
    *seg = (judge_segment_t) { s, 0 };

    for (joint = judge_match(p, rest, JOINT);
         joint.data != NULL && list->n + 2 < JUDGE_CRITERIA_SEGMENTS;
         joint = judge_match(p, rest, JOINT))
    {
        word = judge_words_trim(p, joint);
        rest = judge_after(rest, joint);

        if (!nor && judge_value(p, word, NOT) == 3
            && judge_value(p, judge_find(p, rest, OR), NOT) == 3)
        {
            nor = true;                /* "contenir ni fautes ni jargon" */
            continue;
        }

        if (word.len == 0 && p->language == 1
            && judge_like(p, rest, RELATIVE_DE))
        {
            continue;                  /* ", der das Gesetz nicht kennt" */
        }

        if (judge_value(p, word, OR) == 3
            && judge_value_in(p, judge_before(s, joint), NOT) != 3)
        {
            continue;                  /* "noch" without "weder" */
        }

        seg->at.len = (size_t) (joint.data - seg->at.data);
        list->n += judge_list_says(p, seg->at);
        seg = &list->seg[list->n];
        *seg = (judge_segment_t) { rest, (word.len == 0) ? ','
            : judge_begins(p, word, BUT) ? '!'
            : judge_begins(p, word, OR)
            ? "|/"[judge_value(p, word, NOT) == 3]
            : judge_begins(p, word, AND) || *word.data == '&' ? '&' : ',' };
    }

    list->n += judge_list_says(p, seg->at);
}


/* "what" and "whether" are parallel, too. */

static bool
judge_list_parallel(const judge_items_t *it, judge_str_t word)
{
    double  value = judge_value(it->p, word, CLAUSE);

    return value == it->alike
           || (value > 1 && value < 4 && it->alike > 1 && it->alike < 4);
}


judge_str_t
judge_list_clause(judge_prose_t *p, judge_str_t s)
{
    judge_str_t  by = judge_opening(p, s, BY);

    return judge_opening(p, by.data ? judge_after(s, by) : s, CLAUSE);
}


/* Whether clauses that begin alike are a criterion each. */

static bool
judge_list_alike(judge_items_t *it)
{
    size_t                  i, n = it->list->n;
    judge_str_t             first, s, rest;
    judge_prose_t          *p = it->p;
    const judge_segment_t  *seg = it->list->seg;

    rest = judge_through(it->at, seg[n - 1].at);

    while ((first = judge_find(p, rest, CLAUSE)).data != NULL) {
        rest = judge_after(rest, first);
        it->alike = judge_value(p, first, CLAUSE);

        for (i = (it->alike > 0) ? 1 : n; i < n
             && (seg[i].at.data <= first.data || seg[i].joint == '|'
                 || !judge_list_parallel(it, judge_list_clause(p, seg[i].at)));
             i++)
        { /* void */ }

        if (i < n) {
            s = judge_before(it->at, first);
            it->asks = judge_has(p, s, MODAL);

            if (s.len > 0 && n == 2 && seg[1].joint == '&' && !it->asks
                && !it->listed && !judge_has(p, s, JUDGE))
            {
                break;                 /* "it says what it is and how" */
            }

            it->frame = ((it->asks && !judge_has(p, s, JUDGE))
                         || judge_has(p, s, NOT)) ? s : judge_before(s, s);
            it->at = judge_through(first, seg[0].at);
            return true;
        }
    }

    it->alike = 0;

    return false;
}


/* Whether it begins as a verb with its object does: "names the price"; where a
 * verb may stand, "uses only short words", too. */

bool
judge_list_act(judge_prose_t *p, judge_str_t s, bool verb)
{
    s = judge_words_trim(p, s);

    return ((p->language == 1) ? judge_like(p, s, ACT_DE)
                               : judge_like(p, s, ACT))
           || (verb && judge_like(p, s, VERB));
}


/* As far as the verb that asks for the items, with its negation. */

static void
judge_list_frame(judge_items_t *it)
{
    judge_prose_t  *p = it->p;
    judge_str_t     verb, next, s = judge_words_trim(p, it->list->seg[0].at);
    double          value;

    it->at = s;
    it->frame = judge_before(s, s);

    if (judge_list_alike(it)) {
        return;
    }

    if ((verb = judge_find(p, s, MODAL)).data != NULL
        && !judge_list_act(p, s, false)
        && !judge_like(p, judge_before(s, verb), RELATIVE))
    {
        it->asks = it->verb = true;

    } else if ((verb = judge_find(p, s, JUDGE)).data != NULL
               && !judge_has(p, judge_through(s, verb), TIMES)
               && (judge_value(p, verb, JUDGE) >= 5
                   || judge_has(p, judge_before(s, verb), WE)
                   || judge_words_count(p, judge_before(s, verb))
                      < JUDGE_LIST_LEADS))
    {
        it->judged = true;
        next = judge_find(p, judge_after(s, verb), BY);
        verb = next.data ? next : verb;

    } else if ((verb = judge_opening(p, s, NOT)).data) {
        it->verb = judge_value(p, verb, NOT) == 1;

    } else if ((verb = judge_find(p, s, IS)).data == NULL
               || verb.data == s.data)
    {
        return;
    }

    next = judge_find(p, judge_after(s, verb), NOT);
    value = judge_value(p, next, NOT);

    if (judge_like(p, judge_after(s, verb), BE_NO))
    {
        it->verb = value == 1;         /* "be free of", "have no" */
        verb = next;

    } else if ((value < 4 && judge_begins(p, judge_after(s, verb), NOT))
               || (value == 3 && it->list->n > 1
                   && it->list->seg[1].joint == '|'))
    {
        verb = next;                   /* "mention neither prices nor ads" */
    }

    if (judge_words_count(p, judge_after(s, verb)) > 0) {
        it->frame = judge_through(s, verb);
        it->at = judge_after(s, verb);
        it->no = judge_has(p, it->frame, NOT);

    } else {
        it->asks = it->verb = it->judged = false;
    }
}


/* Whether segment i is another item where nothing says no before it. */

static bool
judge_list_another(const judge_items_t *it, size_t i)
{
    const judge_segment_t  *seg = it->list->seg;
    char                    joint = seg[i].joint;
    size_t                  words = judge_words_count(it->p, seg[i].at);
    bool                    brief = words <= JUDGE_LIST_SHORT, last;

    last = i + 1 == it->list->n
           || ((OXFORD(seg + i) || seg[i + 1].joint == '!'
                || INFINITIVE(it->p, seg[i].at))
               && judge_begins(it->p, seg[i + 1].at, NOT));  /* ", sans" */

    if (joint == '|' || joint == '/' || joint == '!') {
        return joint == '!' && judge_has(it->p, it->list->seg[i].at, NOT);
    }

    if (joint == ',') {
        return (it->asks || it->listed || it->list->n > 2
                || (brief && !judge_begins(it->p, seg[i].at, OWN)))
               && (judge_words_count(it->p, it->at) > 1   /* "sagt, was" */
                   || !judge_begins(it->p, it->list->seg[i].at, CLAUSE))
               && (it->judged          /* "is such, that" */
                   || judge_value_at(it->p, seg[i].at, CLAUSE) != 1);
    }

    if (it->commas == 0 && (it->asks || it->judged || it->listed)) {
        return words <= JUDGE_LIST_FRAMED;
    }

    if (it->commas > 1 && !last) {
        return judge_list_act(it->p, it->list->seg[i].at, false);
    }                                  /* "warm, hours and place, prices" */

    return (it->commas > 0 && last)
           || judge_list_act(it->p, it->list->seg[i].at, false)
           || (brief && (it->commas > 0 || it->frame.len > 0)
               && judge_words_count(it->p, it->at) <= JUDGE_LIST_SHORT
               && !judge_begins(it->p, it->at, THE));
}


/* What joins segment i and those after it: in "a, b or c" it is "or". */

static char
judge_list_joint(const judge_items_t *it, size_t i)
{
    const judge_segment_t  *seg = it->list->seg;

    for (/* void */; i < it->list->n && seg[i].joint == ','
         && !judge_begins(it->p, seg[i].at, NOT); i++) { /* void */ }

    return (i < it->list->n) ? seg[i].joint : ',';
}


/* Returns the item up to its last "no": "ne cite ni".  *verb: this belongs to
 * a verb that the other items need as well: "doesn't name". */

static judge_str_t
judge_list_no(const judge_items_t *it, bool *verb)
{
    judge_prose_t  *p = it->p;
    judge_str_t     no = judge_find(p, it->at, NOT);
    judge_str_t     next = judge_find(p, judge_after(it->at, no), NOT);

    no = (judge_value(p, next, NOT) == 3) ? next : no;
    *verb = judge_begins(p, it->at, NOT) && judge_value(p, no, NOT) == 0
            && judge_words_count(p, judge_after(it->at, no)) > 1;

    return judge_through(it->at, no);
}


/* Whether a segment says for itself what it is, whatever says no before it. */

static bool
judge_list_own(const judge_items_t *it, size_t i)
{
    char            joint = it->list->seg[i].joint;
    char            list = judge_list_joint(it, i);
    judge_str_t     s = judge_words_trim(it->p, it->list->seg[i].at);
    judge_prose_t  *p = it->p;

    if (judge_begins(p, s, OWN) || judge_begins(p, s, MODAL)
        || (judge_begins(p, s, IS) && !(it->no && it->asks && joint == '|'))
        || (judge_begins(p, s, BE) && !(it->no && it->asks))
        || (it->nots > 1 && joint == ',' && list != '|' && list != '/'))
    {
        return true;
    }

    return joint != '|' && joint != '/' && !(it->no && it->asks)
           && ((p->language == 1       /* "keine Namen nennen" ends there */
                && judge_like(p, judge_words_trim(p, it->at), LAST))
               || judge_list_act(p, s, it->inner || !it->no)
               || (!it->inner && !(it->no && it->verb)
                   && (judge_begins(p, s, THE) || judge_begins(p, s, LIMIT)
                       || (s.len > 0 && *s.data <= '9' && *s.data >= '0'))));
}


/* Takes a clause or a condition beside others that begin alike. */

static judge_step_e
judge_list_beside(const judge_items_t *it, size_t i)
{
    bool                    next;
    judge_str_t             s = it->list->seg[i].at;
    judge_prose_t          *p = it->p;
    const judge_segment_t  *seg = it->list->seg;

    if (it->given) {
        next = i > 1 && judge_words_count(p, s) > 2
               && judge_like(p, judge_words_trim(p, seg[i - 1].at), FINAL)
               && !judge_begins(p, s, CLAUSE) && !judge_begins(p, s, TIED);

    } else if (seg[i].joint == '/' && it->negated && !judge_like(p, s, PLURAL)
               && judge_words_count(p, s) > 1
               && judge_value_in(p, it->at, NOT) != 3)
    {
        return JUDGE_STEP_SPREAD;      /* "que no use jerga ni dé consejos" */

    } else {
        next = judge_list_parallel(it, judge_list_clause(p, s))
               || (judge_begins(p, s, BY) && it->commas > 0)
               || (OXFORD(seg + i) && judge_begins(p, s, THE));
    }

    return (next && seg[i].joint != '|') ? JUDGE_STEP_NEXT : JUDGE_STEP_SAME;
}


static judge_step_e
judge_list_step(judge_items_t *it, size_t i)
{
    bool                    verb;
    const judge_segment_t  *seg = it->list->seg;
    judge_str_t             s = seg[i].at;
    judge_prose_t          *p = it->p;

    if (it->given || (it->alike > 0 && judge_value_at(p, s, NOT) != 5)) {
        return judge_list_beside(it, i);
    }

    if (judge_begins(p, s, TIED)) {
        it->tied = true;
        return JUDGE_STEP_SAME;
    }

    if (judge_begins(p, s, NOT)) {
        return (judge_value_at(p, s, NOT) == 0 && seg[i].joint == ','
                && (p->language < 2 || it->list->n == 2)
                && judge_words_count(p, s) < JUDGE_LIST_SHORT
                && judge_words_count(p, seg[i - 1].at) > JUDGE_LIST_SHORT)
               ? JUDGE_STEP_SAME : JUDGE_STEP_NEXT;   /* ", not ours" */
    }

    it->tied |= (judge_value_in(p, it->at, TIED) == 9
                 && (it->no || !FINITE(p, s)))
                || (it->negated && it->no && it->asks && FINITE(p, s))
                || (it->negated && seg[i].joint == '!'
                    && !judge_begins(p, s, OWN));

    if (it->tied || !it->negated) {
        return it->tied ? JUDGE_STEP_DOUBT
               : judge_list_another(it, i) ? JUDGE_STEP_NEXT
                                           : JUDGE_STEP_SAME;
    }

    if (seg[i].joint == '&' && judge_begins(p, s, THE)
        && judge_value_in(p, it->at, NOT) == 1 && !judge_has(p, s, IS)
        && judge_words_count(p, s) <= (p->language == 1 ? 2 : 3))
    {
        return JUDGE_STEP_SPREAD;      /* "avoids jargon and the passive" */
    }

    if (judge_list_own(it, i)) {
        return JUDGE_STEP_NEXT;
    }

    if (strchr("|/", judge_list_joint(it, i)) != NULL) {
        (void) judge_list_no(it, &verb);
        return (it->inner || verb) ? JUDGE_STEP_SAME
               : it->unsure || judge_has(p, it->at, TIED) ? JUDGE_STEP_DOUBT
                                                          : JUDGE_STEP_SPREAD;
    }

    /* "Avoid slang, typos and long words", not "Avoid slang, use pictures" */
    return (it->no && it->verb && !it->unsure
            && (it->asks || judge_words_count(p, s)
                            <= (i > 1 && i + 1 == it->list->n) + 1u))
           ? JUDGE_STEP_SPREAD : JUDGE_STEP_DOUBT;
}


void
judge_list_put(judge_prose_t *p, judge_str_t before, judge_str_t s,
    bool unsure)
{
    bool            weighed;
    judge_weigh_t   w;
    judge_draft_t  *f;

    weighed = judge_weigh_read(p, s, false, &w);

    if (judge_has(p, s, IDLE)) {
        judge_criteria_say(p, false, JUDGE_SAY_NOT_JUDGED,
                           judge_words_trim(p, s));

    } else if (!judge_like(p, s, SUM)
               && (!weighed || !judge_begins(p, s, TOTAL))) {
        /* What is asked about stands as it is written. */
        f = judge_draft_add(p, (unsure && !judge_has(p, before, NOT)
                                && before.data + before.len != s.data)
                               ? JUDGE_STR("") : before, s, &w);
        if (f != NULL && unsure) {
            judge_criteria_say(p, true, JUDGE_SAY_IS_IT, f->description);
        }
    }
}


static void
judge_list_begin(judge_items_t *it, judge_str_t before, judge_str_t at)
{
    bool  framed = judge_has(it->p, before, NOT);

    it->lead = before;
    it->at = at;
    it->negated = framed || judge_has(it->p, at, NOT);
    it->inner = !framed && it->negated && !judge_begins(it->p, at, NOT);
    it->unsure = false;
}


/* What the item has in common with the first one: a verb before an article
 * ("mention the price, the date"), or that is forbidden; "be". */

static judge_str_t
judge_list_share(const judge_items_t *it, judge_str_t first, judge_str_t s,
    judge_str_t frame)
{
    const char     *space;
    judge_str_t     be, the, no;
    judge_prose_t  *p = it->p;

    if (!it->asks || frame.data != it->frame.data) {
        return frame;
    }

    be = judge_opening(p, first, BE);
    the = judge_find(p, first, THE);
    no = judge_opening(p, s, NOT);

    if ((judge_begins(p, s, IS) && !it->no) || FINITE(p, s)
        || (be.data == NULL && judge_value(p, no, NOT) == 5))
    {
        return judge_before(s, s);   /* its own verb, or none */
    }

    if (it->alike > 0 || judge_value_in(p, frame, NOT) == 3
        || INFINITIVE(p, s))
    {
        return frame;                  /* "debe ser claro, tener un título" */
    }

    if (be.data != NULL) {
        return (judge_begins(p, s, BE)
                || (no.data ? judge_value(p, no, NOT) != 5
                              && judge_words_count(p, judge_after(s, no)) > 1
                            : judge_list_act(p, s, true)))
               ? frame : judge_through(frame, be);
    }

    if (the.data > first.data
        && (judge_begins(p, s, THE) || judge_begins(p, s, CLAUSE)))
    {
        return judge_before(frame, the);
    }

    be = judge_words_trim(p, first);
    space = memchr(be.data, ' ', be.len);
    be.len = space ? (size_t) (space - be.data) : be.len;
    be = (the.data > first.data) ? judge_before(first, the) : be;

    return (it->no && !it->listed && judge_words_count(p, first) > 1
            && (judge_words_count(p, s) < JUDGE_LIST_SHORT
               || (p->language == 0 && judge_like(p, s, PLURAL))))
           ? judge_through(frame, be) : frame;
}


/* "Slang and typos are forbidden", what does not matter, and a condition stay
 * whole. */

static bool
judge_list_whole(const judge_items_t *it, judge_str_t s)
{
    judge_prose_t  *p = it->p;
    judge_str_t     no = judge_find(p, s, NOT);

    return judge_has(p, s, IDLE)
           || (judge_begins(p, s, TIED) && it->alike == 0
               && !judge_has(p, it->list->seg[0].at, MODAL))
           || judge_value(p, no, NOT) == 2
           || (judge_value_at(p, s, NOT) == 3      /* "neither may be" */
               && (judge_has(p, s, MODAL) || judge_has(p, s, IS)))
           || (no.data != NULL
               && judge_words_count(p, judge_after(s, no)) == 0);
}


static void
judge_list_divide(judge_items_t *it)
{
    bool           verb;
    size_t         i;
    judge_str_t    s, frame, none = { 0, "" }, first = it->at;
    judge_step_e   step;
    judge_prose_t *p = it->p;

    frame = (it->asks && !it->no) ? it->frame : none;
    judge_list_begin(it, (it->judged && !it->no) ? none : it->frame, it->at);

    for (i = 1; i < it->list->n; i++) {
        s = it->list->seg[i].at;
        step = judge_list_step(it, i);

        if (step >= JUDGE_STEP_SAME) {
            it->unsure |= step == JUDGE_STEP_DOUBT;
            it->at = judge_through(it->at, s);
            continue;
        }

        it->divided = true;
        judge_list_put(p, it->lead, it->at, it->unsure);
        none = (step < JUDGE_STEP_SPREAD) ? frame
               : judge_has(p, it->frame, NOT) ? it->frame
               : judge_has(p, it->lead, NOT) ? it->lead
               : judge_list_no(it, &verb);
        judge_list_begin(it, judge_list_share(it, first, s, none), s);
    }
}


void
judge_list_read(judge_prose_t *p, const judge_segments_t *list,
    judge_str_t head, bool listed)
{
    size_t            i;
    judge_str_t       whole;
    judge_segments_t  all;
    judge_items_t     it = { .p = p, .list = list, .listed = listed };

    whole = judge_words_trim(p, judge_through(list->seg[0].at,
                                              list->seg[list->n - 1].at));

    if (list->n > 1 && judge_begins(p, whole, CLAUSE)) {
        it.at = list->seg[0].at;
        (void) judge_list_alike(&it);
    }

    if (judge_list_whole(&it, whole)) {
        judge_list_segments(p, whole, &all);
        judge_list_put(p, head, whole, all.n > 1 && judge_has(p, whole, NOT));
        return;
    }

    for (i = 0; i < list->n; i++) {
        it.commas += list->seg[i].joint == ',';
        it.nots += judge_begins(p, list->seg[i].at, NOT);
    }

    if (head.len > 0) {                /* "Avoid: jargon, slang" */
        it.frame = head;
        it.at = list->seg[0].at;
        it.asks = it.verb = true;
        it.no = judge_has(p, head, NOT);

    } else if ((it.given = p->language == 1 && judge_like(p, whole, GIVEN))
               || (judge_begins(p, whole, MODAL)
                   && judge_end(whole)[-1] == '?'))
    {
        it.at = list->seg[0].at;       /* "can it be read, and is it short?" */

    } else {
        judge_list_frame(&it);
    }

    judge_list_divide(&it);

    if (!it.divided && !(it.judged && !it.no) && it.alike == 0) {
        it.lead = head;
        it.at = whole;
    }

    judge_list_put(p, it.lead, it.at, it.unsure);
}
