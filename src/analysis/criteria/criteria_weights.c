/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a description says about weights: "30%", "(weight 3)", "counts double",
 * "half of the score is for", "10-20 points"; and what becomes of it.
 */


#include <string.h>

#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_WEIGH_NEAR  3            /* tokens before a weight */


static bool
judge_weigh_mark(const judge_term_t *t, const judge_term_t *to,
    const char *marks)
{
    return t < to && t->kind == JUDGE_TERM_MARK && t->mark != '\0'
           && strchr(marks, t->mark) != NULL;
}


/* Behind "of the grade is for" and marks. */

static judge_term_t *
judge_weigh_glue(judge_term_t *t, const judge_term_t *to)
{
    while (t < to && t->kind != JUDGE_TERM_NUMBER
           && (judge_is(t, GLUE) || judge_is(t, COUNTS) || judge_is(t, EACH)
               || judge_is(t, TOTAL) || judge_is(t, SPLIT)
               || (t->kind == JUDGE_TERM_MARK
                   && !judge_weigh_mark(t, to, "(\"%"))))
    {
        t++;
    }

    return t;
}


static bool
judge_weigh_near(judge_span_t s, const judge_term_t *t,
    judge_criteria_class_e class)
{
    const judge_term_t  *u;

    for (u = t - 1; u >= s.from && t - u <= JUDGE_WEIGH_NEAR; u--) {
        if (u->classes >> class & 1) {
            return true;
        }
    }

    return false;
}


/* A number, the middle of a range of them ("45-55", "0 to 20"), with its
 * unit. */

static judge_term_t *
judge_weigh_number(judge_term_t *t, const judge_term_t *to, double *value,
    judge_criteria_class_e *unit)
{
    double         low;
    judge_term_t  *end = t + 1;

    low = *value = t->value;
    *unit = JUDGE_CLASS_COMMON;

    if (judge_weigh_mark(end, to, "%")
        && judge_weigh_mark(end + 1, to, "~-"))
    {
        end++;                         /* "20%-30%" */
    }

    if (end + 1 < to && end[1].kind == JUDGE_TERM_NUMBER
        && (judge_weigh_mark(end, to, "~-") || judge_is(end, LIMIT)
            || (end->low.len <= 3 && judge_is(end, GLUE))))
    {
        *value = (low > 0) ? (low + end[1].value) / 2 : end[1].value;
        end += 2;
    }

    if (judge_weigh_mark(end, to, "%")
        || (end < to && judge_is(end, PERCENT)))
    {
        *unit = JUDGE_CLASS_PERCENT;

    } else if (end < to && judge_is(end, POINTS)) {
        *unit = JUDGE_CLASS_POINTS;

    } else {
        return end;
    }

    return end + end->n;
}


/* Whether t to end stands where a weight does: in brackets, at the end, at the
 * beginning with what it is for, or behind "counts". */

static bool
judge_weigh_placed(judge_span_t s, const judge_term_t *first,
    const judge_term_t *t, judge_term_t *end, judge_criteria_class_e unit)
{
    bool                 last, leads;
    const judge_term_t  *from = t;

    while (from > s.from && judge_is(from - 1, THE)) {
        from--;
    }

    last = judge_weigh_glue(end, s.to) == s.to;
    leads = t == first && end < s.to && !judge_weigh_mark(end, s.to, ",");

    if (judge_weigh_near(s, t, JUDGE_CLASS_COUNTS)
        || (from > s.from && from[-1].mark == '('
            && (unit != JUDGE_CLASS_COMMON || judge_weigh_mark(end, s.to,
                                                               ")"))))
    {
        return true;
    }

    switch (unit) {

    case JUDGE_CLASS_COMMON:           /* "Style: 3" */
        return t->bare
               || (t > s.from && judge_weigh_mark(t - 1, s.to, ":=-") && last);

    case JUDGE_CLASS_TIMES:            /* "is twice as important as" */
        return t == first || end >= s.to || judge_is(end, GLUE)
               || (t->value < 2 && judge_weigh_near(s, t, JUDGE_CLASS_IS));

    case JUDGE_CLASS_REST:
        return !judge_has(s, MODAL) && (t == first || (last && from < t));

    case JUDGE_CLASS_SHARE:
        return leads || (last && (from < t || judge_weigh_near(s, t,
                                                          JUDGE_CLASS_IS)));

    default:
        return last || leads;
    }
}


/* The weight that begins at t, if one does; *at: its tokens. */

static bool
judge_weigh_term(judge_span_t s, const judge_term_t *first, judge_term_t *t,
    judge_weigh_t *w, judge_span_t *at)
{
    double                   value = t->value;
    judge_term_t            *end = t + t->n;
    judge_criteria_class_e   unit;

    if (t->kind == JUDGE_TERM_NUMBER) {
        end = judge_weigh_number(t, s.to, &value, &unit);

        if (value <= 0 || judge_weigh_near(s, t, JUDGE_CLASS_LIMIT)) {
            return false;
        }

    } else {
        unit = judge_is(t, TIMES) ? JUDGE_CLASS_TIMES
               : judge_is(t, SHARE) ? JUDGE_CLASS_SHARE
               : judge_is(t, REST) ? JUDGE_CLASS_REST : JUDGE_CLASS_NOT;
    }

    if (unit == JUDGE_CLASS_NOT
        || !judge_weigh_placed(s, first, t, end, unit))
    {
        return false;
    }

    w->rest = unit == JUDGE_CLASS_REST;
    *(w->rest || unit == JUDGE_CLASS_TIMES ? &w->factor
      : unit == JUDGE_CLASS_PERCENT || unit == JUDGE_CLASS_SHARE
      ? &w->share : &w->points) = w->rest ? 0 : value;
    *at = judge_span(t, end);

    return true;
}


bool
judge_weigh_read(judge_span_t s, judge_weigh_t *w, bool look)
{
    judge_term_t  *t, *first;
    judge_span_t   at = { s.from, s.from };

    *w = (judge_weigh_t) { .share = 0 };
    first = judge_weigh_glue(judge_span_trim(s).from, s.to);

    for (t = s.from; t < s.to && !judge_weigh_term(s, first, t, w, &at); t++) {
        /* void */
    }

    if (t == s.to) {
        return false;
    }

    w->first = t == first && t->depth == 0;
    w->split = judge_has(s, SPLIT) && w->factor == 0;
    w->each = judge_has(s, EACH) && w->factor == 0;

    if (look) {
        return true;
    }

    while (at.from > s.from
           && (judge_is(at.from - 1, COUNTS) || judge_is(at.from - 1, GLUE)
               || judge_weigh_mark(at.from - 1, s.to, ":=-(")
               || (w->first && at.from[-1].kind == JUDGE_TERM_WORD)))
    {
        at.from--;
    }

    at.to = w->first ? judge_weigh_glue(at.to, s.to) : at.to;

    for (t = at.from; t < at.to; t++) {
        t->used = true;
    }

    return true;
}


/* A cell of a table that is a weight and nothing else. */

bool
judge_weigh_cell(judge_span_t s, judge_weigh_t *w)
{
    double                   value;
    judge_term_t            *end;
    judge_criteria_class_e   unit;

    *w = (judge_weigh_t) { .share = 0 };
    s = judge_span_trim(s);

    if (judge_begins(s, TIMES)) {
        w->points = s.from->value;
        return s.from + s.from->n == s.to;
    }

    if (judge_begins(s, COUNTS)) {     /* "weight 3 (most of all)" */
        s.from++;
    }

    if (s.from == s.to || s.from->kind != JUDGE_TERM_NUMBER) {
        return false;
    }

    end = judge_weigh_number(s.from, s.to, &value, &unit);
    *((unit == JUDGE_CLASS_PERCENT) ? &w->share : &w->points) = value;

    return (end == s.to || end->mark == '(') && value > 0;
}


/* A share in percent stands; points and factors divide what these leave over,
 * or a little.  Those without points get as many as the others on average. */

void
judge_weigh_all(judge_prose_t *p)
{
    double          with = 0, without = 0, points = 0, shares = 0, parts = 0;
    double          rest;
    judge_draft_t  *f;

    for (f = p->found; f < p->found + p->nfound; f++) {
        with += f->weigh.points > 0;
        without += f->weigh.share == 0;
        points += f->weigh.points;
        shares += f->weigh.share;
        p->weighed |= f->weigh.share + f->weigh.points + f->weigh.factor > 0;
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        if (f->weigh.points == 0) {
            f->weigh.points = (with > 0) ? points / with : 1;
        }

        f->weigh.points *= (f->weigh.factor > 0) ? f->weigh.factor : 1;
        parts += (f->weigh.share == 0) ? f->weigh.points : 0;
    }

    rest = 100 - shares;

    if (shares > 0 && without > 0 && rest <= 0.5) {
        judge_criteria_say(p, false, JUDGE_SAY_NOTHING_LEFT,
                            judge_str_printf(p->arena, "%g", without));
        rest = 5 * without;

    } else if (shares > 0 && without == 0 && fabs(rest) > 0.5) {
        judge_criteria_say(p, false, JUDGE_SAY_NOT_HUNDRED,
                            judge_str_printf(p->arena, "%g",
                                             round(shares * 10) / 10));
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        f->result = (f->weigh.share > 0) ? f->weigh.share
                    : judge_clamp(rest * f->weigh.points / parts, 1e-3, 1e6);
    }
}
