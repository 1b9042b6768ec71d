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
#define JUDGE_LIST_LEADS   5           /* tokens before "points are" */
#define JUDGE_LIST_SHORT   3           /* of one that nothing asks for */

typedef struct {                       /* what begins a clause */
    judge_span_t  at, item;            /* "The text must not"; what follows */
    bool          asks, says;          /* by a modal verb; by "is" */
    bool          judged;              /* "Rate the texts by" */
    bool          no, verb;            /* it says no; to what a verb has */
} judge_frame_t;

typedef struct {
    judge_span_t  frame, at;
    bool          no, inner;           /* it says no; not at its beginning */
    bool          unsure;
} judge_item_t;

typedef struct {
    const judge_prose_t     *prose;
    const judge_segments_t  *list;
    judge_frame_t            frame;
    bool                     listed;   /* behind a colon */
    bool                     tied;     /* the rest belongs to what is said */
    size_t                   commas, nots;
    judge_item_t             item[JUDGE_CRITERIA_SEGMENTS];
    size_t                   n;
} judge_items_t;

typedef enum {
    JUDGE_STEP_NEXT, JUDGE_STEP_ASK, JUDGE_STEP_SAME, JUDGE_STEP_DOUBT,
    JUDGE_STEP_SPREAD
} judge_step_e;


/* The first "ni" of "contenir ni fautes ni jargon", or s.to. */

static judge_term_t *
judge_list_nor(judge_span_t s)
{
    judge_term_t  *t, *first;

    for (t = first = s.from; t < s.to; t++) {
        if (!judge_is(t, NOT) || t->value != 3) {
            first += first == t;

        } else if (t > first) {
            return first;
        }
    }

    return s.to;
}


static char
judge_list_joint(judge_span_t s, const judge_term_t *t)
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
judge_list_segments(judge_span_t s, judge_segments_t *list)
{
    char              joint;
    judge_term_t     *t, *next, *nor = judge_list_nor(s);
    judge_segment_t  *seg = list->seg;

    list->n = 0;
    *seg = (judge_segment_t) { judge_span(s.from, s.from), 0 };

    for (t = s.from; t < s.to; t = next) {
        next = t + 1;
        joint = (t == nor) ? 0 : judge_list_joint(s, t);

        if (joint == 0 || list->n + 1 == JUDGE_CRITERIA_SEGMENTS) {
            seg->at.to = next;
            continue;
        }

        next = t + t->n;

        if (judge_span_words(seg->at) > 0) {
            seg = &list->seg[++list->n];
            seg->joint = joint;

        } else if (joint != ',') {
            seg->joint = joint;        /* ", and" */
        }

        seg->at = judge_span(next, next);
    }

    list->n += judge_span_words(seg->at) > 0;

    if (list->n > 1 && judge_begins(seg->at, THANKS)
        && judge_span_words(seg->at) <= seg->at.from->n)
    {
        list->n -= seg == &list->seg[list->n - 1];   /* "no links, please" */
    }
}


/* As far as the verb that asks for the items, with its negation. */

static judge_frame_t
judge_list_frame(judge_span_t s)
{
    judge_term_t   *t, *next;
    judge_frame_t   f = { .at = judge_span(s.from, s.from), .item = s };

    if ((t = judge_span_find(s, JUDGE_CLASS_MODAL)) < s.to) {
        f.asks = f.verb = true;

    } else if ((t = judge_span_find(s, JUDGE_CLASS_IS)) < s.to && t > s.from
               && judge_span_find(s, JUDGE_CLASS_JUDGE)->value != 5)
    {
        f.says = true;

    } else if ((t = judge_span_find(s, JUDGE_CLASS_JUDGE)) < s.to
               && (t - s.from < JUDGE_LIST_LEADS || t->value >= 5
                   || judge_has(judge_span(s.from, t), WE)))
    {
        f.judged = true;
        next = judge_span_find(judge_span(t + t->n, s.to), JUDGE_CLASS_BY);
        t = (next < s.to) ? next : t;

    } else if (judge_begins(s, NOT) && judge_span_not(s) == s.from) {
        t = s.from;
        f.verb = t->value == 1;

    } else {
        return f;
    }

    t += t->n;

    while (t < s.to && judge_is(t, NOT) && t->value < 4) {
        t += t->n;
    }

    next = t + (t < s.to && (judge_is(t, BE) || judge_is(t, IS)));

    if (next > t && next < s.to && judge_span_not(judge_span(next, s.to))
                                   == next)
    {
        t = next + next->n;            /* "be free of", "have no" */
        f.verb = next->value == 1;
    }

    if (t >= s.to) {
        return (judge_frame_t) { .at = judge_span(s.from, s.from), .item = s };
    }

    f.at.to = f.item.from = t;
    f.no = judge_span_negated(f.at);

    return f;
}


/* Whether it begins as a verb with its object does: "names the price"; where a
 * verb may stand, "nennt Preise" and "uses short words", too. */

static bool
judge_list_act(const judge_prose_t *p, judge_span_t s, bool verb)
{
    char                 end;
    const judge_term_t  *t = s.from;

    s = judge_span_trim(s);

    if (s.to - s.from < 2 || t->kind != JUDGE_TERM_WORD || judge_is(t, THE)) {
        return false;
    }

    end = t->low.data[t->low.len - 1];

    return judge_is(t + 1, THE)
           || (verb && (judge_is(t + 1, LIMIT) || judge_is(t + 1, OWN)
                        || t[1].kind == JUDGE_TERM_NUMBER
                        || (t->low.len > 3 && *t->text.data == *t->low.data
                            && end == "st"[p->language == 1]
                            && p->language < 2)));
}


/* Whether another verb may follow: a verb is negated ("doesn't"), or has an
 * object that is ("contains no"), not "no links to shops". */

static bool
judge_list_verbal(const judge_item_t *item, judge_span_t s)
{
    const judge_term_t  *not;

    not = judge_span_not((item->frame.from < item->frame.to
                          && judge_span_negated(item->frame)) ? item->frame
                                                              : item->at);

    return not->value == 0
           || (item->inner && s.to - s.from > 1
               && !judge_is(s.from + 1, COMMON) && !judge_is(s.from + 1, GLUE)
               && !judge_is(s.from + 1, OWN) && !judge_is(s.from + 1, LIMIT));
}


/* A German verb at the end ends what a negation holds for: "keine Namen
 * nennen, das Datum angeben". */

static bool
judge_list_closed(const judge_prose_t *p, judge_span_t s)
{
    const judge_term_t  *t;

    s = judge_span_trim(s);
    t = s.to - 1;

    return p->language == 1 && s.to - s.from > 2 && t->low.len > 3
           && *t->text.data == *t->low.data
           && memcmp(t->low.data + t->low.len - 2, "en", 2) == 0;
}


/* Whether a segment that does not say no says for itself what it is, whatever
 * says no before it. */

static bool
judge_list_own(const judge_items_t *it, const judge_item_t *item, size_t i)
{
    char          joint = it->list->seg[i].joint;
    judge_span_t  s = it->list->seg[i].at;

    return (it->nots > 1 && joint == ',')   /* each that is negated says so */
           || judge_begins(s, OWN) || judge_begins(s, MODAL)
           || judge_begins(s, IS)
           || (judge_begins(s, BE) && !(it->frame.no && it->frame.asks))
           || (!item->inner && joint != '|'
               && !(it->frame.no && it->frame.verb)
               && (judge_begins(s, THE) || judge_begins(s, LIMIT)
                   || s.from->kind == JUDGE_TERM_NUMBER));
}


/* Whether "or" joins segment i, or one behind it, to what says no. */

static bool
judge_list_or(const judge_items_t *it, const judge_item_t *item, size_t i)
{
    while (i < it->list->n && it->list->seg[i].joint == ','
           && !judge_begins(it->list->seg[i].at, NOT)
           && !judge_list_own(it, item, i))
    {
        i++;
    }

    return i < it->list->n && it->list->seg[i].joint == '|';
}


/* Whether segment i is another item where nothing says no before it. */

static bool
judge_list_another(const judge_items_t *it, judge_span_t before, size_t i)
{
    size_t                words, max;
    const judge_frame_t  *f = &it->frame;

    before = judge_span_trim(before);
    words = judge_span_words(it->list->seg[i].at);

    switch (it->list->seg[i].joint) {

    case '|':
        return false;

    case '!':
        return judge_span_negated(it->list->seg[i].at);

    case ',':
        return f->asks || it->listed || it->list->n > 2
               || words <= JUDGE_LIST_SHORT;

    default:
        if (judge_has(before, SPLIT)) {
            return false;              /* "compare costs and benefits" */
        }

        if (it->commas == 0 && (f->asks || f->judged || it->listed)) {
            return words <= JUDGE_LIST_FRAMED;
        }

        max = (words > judge_span_words(before)) ? words
                                                 : judge_span_words(before);

        return (it->commas > 0 && i + 1 == it->list->n)
               || ((it->commas > 0 || f->says) && !judge_begins(before, THE)
                   && max <= JUDGE_LIST_SHORT);
    }
}


/* Whether it has an exception in it, so that what follows may be another. */

static bool
judge_list_except(judge_span_t s)
{
    while (s.from < s.to && !(judge_is(s.from, TIED) && s.from->value == 9)) {
        s.from++;
    }

    return s.from < s.to;
}


/* Whether nothing but commas divides items of several words, so that each is
 * likely to stand for itself: "friendly, no slang, short sentences". */

static bool
judge_list_terse(const judge_items_t *it, const judge_item_t *item, size_t i)
{
    size_t  k;

    for (k = i; k < it->list->n && it->list->seg[k].joint == ','
         && judge_span_words(it->list->seg[k].at) > 1; k++) { /* void */ }

    return k == it->list->n && it->n > 1 && !item->inner && !item->unsure
           && item->at.from->value < 5;
}


/* What becomes of segment i: another item or the same one, each for sure or
 * not; or another one that what says no before it holds for. */

static judge_step_e
judge_list_step(judge_items_t *it, const judge_item_t *item, size_t i)
{
    char          joint = it->list->seg[i].joint;
    judge_span_t  s = it->list->seg[i].at;

    if (judge_begins(s, TIED)) {
        it->tied = true;
        return JUDGE_STEP_SAME;
    }

    if (judge_begins(s, NOT) && !it->tied
        && (joint != '|' || !judge_is(s.from - 1, NOT)))
    {
        return JUDGE_STEP_NEXT;
    }

    if (it->tied || judge_list_except(item->at)
        || (item->no && joint == '!' && !judge_begins(s, OWN)))
    {
        it->tied = true;
        return JUDGE_STEP_DOUBT;
    }

    if (!item->no) {
        return judge_list_another(it, item->at, i) ? JUDGE_STEP_NEXT
                                                   : JUDGE_STEP_SAME;
    }

    if (judge_list_own(it, item, i)) {
        return JUDGE_STEP_NEXT;
    }

    if (judge_list_or(it, item, i)) {
        return item->inner ? JUDGE_STEP_SAME
               : item->unsure ? JUDGE_STEP_DOUBT : JUDGE_STEP_SPREAD;
    }

    /* "Avoid slang, typos and long words", not "Avoid slang, use pictures" */
    if (it->frame.no && it->frame.verb && !item->unsure
        && (it->frame.asks
            || judge_span_words(s) <= (i > 1 && i + 1 == it->list->n) + 1u))
    {
        return JUDGE_STEP_SPREAD;
    }

    return (!(it->frame.no && it->frame.asks)
            && (judge_list_act(it->prose, s, judge_list_verbal(item, s))
                || judge_list_closed(it->prose, item->at)))
           ? JUDGE_STEP_NEXT : judge_list_terse(it, item, i)
           ? JUDGE_STEP_ASK : JUDGE_STEP_DOUBT;
}


static void
judge_list_begin(judge_items_t *it, judge_span_t frame, judge_span_t at)
{
    bool  framed = judge_span_negated(frame);

    it->item[it->n++] = (judge_item_t) {
        .frame = frame, .at = at, .no = framed || judge_span_negated(at),
        .inner = !framed && judge_span_negated(at) && !judge_begins(at, NOT)
    };
}


static void
judge_list_divide(judge_items_t *it)
{
    size_t         i;
    judge_span_t   s, none, frame, no;
    judge_item_t  *item;

    s = it->frame.item;
    none = judge_span(s.to, s.to);
    frame = (it->frame.asks && !it->frame.no) ? it->frame.at : none;
    judge_list_begin(it, (it->frame.judged && !it->frame.no) ? none
                         : it->frame.at, s);

    for (i = 1; i < it->list->n; i++) {
        s = it->list->seg[i].at;
        item = &it->item[it->n - 1];

        switch (judge_list_step(it, item, i)) {

        case JUDGE_STEP_NEXT:
            judge_list_begin(it, frame, s);
            break;

        case JUDGE_STEP_ASK:
            judge_list_begin(it, frame, s);
            it->item[it->n - 1].unsure = true;
            break;

        case JUDGE_STEP_SPREAD:        /* "No" of "No typos or slang" */
            no = judge_span((item->frame.to == item->at.from)
                            ? item->frame.from : item->at.from,
                            item->at.from + item->at.from->n);
            judge_list_begin(it, judge_span_negated(item->frame) ? item->frame
                                                                 : no, s);
            break;

        case JUDGE_STEP_DOUBT:
            item->unsure = true;
            /* fall through */

        default:
            item->at.to = s.to;
        }
    }
}


/* The first words belong to all items where a noun with an article follows
 * ("mention the price, the date"), where it is them that are forbidden, and
 * where they are "be". */

static void
judge_list_share(judge_items_t *it)
{
    size_t         i, the = 0;
    judge_term_t  *t, *no;
    judge_span_t   at, first = it->item[0].at;

    t = judge_span_find(first, JUDGE_CLASS_THE);

    for (i = 1; i < it->n; i++) {
        the += judge_begins(it->item[i].at, THE);
    }

    if (judge_begins(first, BE)) {
        t = first.from + 1;

    } else if (the + 1 < it->n || t == first.to) {
        t = (it->frame.no && judge_span_words(first) > 1
             && judge_span_words(it->item[1].at) < JUDGE_LIST_SHORT)
            ? first.from + 1 : first.from;
    }

    for (i = 1; i < it->n && it->frame.asks; i++) {
        at = it->item[i].at;           /* not "be" and "ne pas" */
        no = judge_span_not(at);

        if (it->item[i].frame.from == it->frame.at.from
            && it->item[i].frame.to == it->frame.at.to
            && !(judge_begins(first, BE)
                 && (judge_begins(at, BE)
                     || judge_list_act(it->prose, at, true)
                     || (no < at.to && judge_span_negated(judge_span(no + 1,
                                                                at.to))))))
        {
            it->item[i].frame.to = t;
        }
    }
}


void
judge_list_put(judge_prose_t *p, judge_span_t frame, judge_span_t s,
    bool unsure)
{
    judge_weigh_t   w;
    judge_draft_t  *f;

    if (judge_has(s, IDLE)) {
        judge_criteria_say(p, false, JUDGE_SAY_NOT_JUDGED,
                           judge_span_text(judge_span_trim(s)));
        return;
    }

    (void) judge_weigh_read(s, &w, false);
    f = judge_draft_add(p, frame, s, &w);

    if (f != NULL && unsure) {
        judge_criteria_say(p, true, JUDGE_SAY_IS_IT, f->description);
    }
}


/* "Slang and typos are not allowed", "Slang bitte nicht". */

static bool
judge_list_behind(judge_span_t s)
{
    judge_term_t  *t = judge_span_not(s);

    if (t < s.to && t + t->n >= s.to) {
        return true;
    }

    while (t < s.to && t->value != 2) {
        t = judge_span_not(judge_span(t + 1, s.to));
    }

    return t < s.to;
}


void
judge_list_read(judge_prose_t *p, const judge_segments_t *list,
    judge_span_t head, bool listed)
{
    bool              unsure;
    size_t            i;
    judge_span_t      whole;
    judge_items_t     it = { .prose = p, .list = list, .listed = listed };
    judge_segments_t  all;

    whole = judge_span_trim(judge_span(list->seg[0].at.from,
                                       list->seg[list->n - 1].at.to));
    judge_list_segments(whole, &all);
    unsure = all.n > 1 && judge_span_negated(whole);

    if (judge_begins(whole, TIED) || judge_list_behind(whole)) {
        judge_list_put(p, head, whole, unsure);
        return;
    }

    for (i = 0; i < list->n; i++) {
        it.commas += list->seg[i].joint == ',';
        it.nots += judge_begins(list->seg[i].at, NOT);
    }

    if (head.from < head.to) {         /* "Avoid: jargon, slang" */
        it.frame = (judge_frame_t) { .at = head, .item = list->seg[0].at,
                                     .asks = true, .verb = true,
                                     .no = judge_span_negated(head) };
    } else {
        it.frame = judge_list_frame(list->seg[0].at);
    }

    judge_list_divide(&it);

    if (it.n == 1 && !(it.frame.judged && !it.frame.no)) {
        unsure &= list->n == 1;        /* its subjects were joined */
        judge_list_put(p, head, whole, unsure || it.item[0].unsure);
        return;
    }

    if (it.n > 1 && head.from == head.to) {
        judge_list_share(&it);
    }

    for (i = 0; i < it.n; i++) {
        judge_list_put(p, it.item[i].frame, it.item[i].at, it.item[i].unsure);
    }
}
