/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * What a description says about weights: "30%", "(weight 3)", "counts double",
 * "half of the score is for", "10-20 points"; and what becomes of it.
 */


#include "analysis/text/math.h"
#include "analysis/criteria/criteria_parts.h"


typedef struct {                       /* a weight in its span */
    judge_span_t    span, at;
    judge_term_t   *first;             /* what is no glue */
    judge_weigh_t  *w;
} judge_weigh_scan_t;


static bool
judge_weigh_mark(const judge_term_t *t, const judge_term_t *to, char mark)
{
    return t < to && t->kind == JUDGE_TERM_MARK && t->mark == mark;
}


static judge_term_t *
judge_weigh_glue(judge_term_t *t, const judge_term_t *to)
{
    while (t < to && t->kind != JUDGE_TERM_NUMBER
           && (judge_is(t, GLUE) || judge_is(t, COUNTS) || judge_is(t, EACH)
               || judge_is(t, TOTAL) || judge_is(t, SPLIT)
               || (t->kind == JUDGE_TERM_MARK && t->mark != '('
                   && t->mark != '"' && t->mark != '%')))
    {
        t++;
    }

    return t;
}


/* Whether one of the few tokens before is of the class. */

static bool
judge_weigh_before(const judge_weigh_scan_t *scan, const judge_term_t *t,
    judge_criteria_class_e class, int n)
{
    for (t--; n > 0 && t >= scan->span.from; t--, n--) {
        if (t->classes >> class & 1) {
            return true;
        }
    }

    return false;
}


/* A number or a range of them ("45-55", "0 to 20"), with its unit. */

static judge_term_t *
judge_weigh_number(judge_term_t *t, const judge_term_t *to, double *value,
    judge_criteria_class_e *unit)
{
    double         low;
    judge_term_t  *end;

    low = *value = t->value;
    end = t + 1;

    if (judge_weigh_mark(end, to, '%')) {
        end += judge_weigh_mark(end + 1, to, '~')
               || judge_weigh_mark(end + 1, to, '-');
    }

    if (end + 1 < to && end[1].kind == JUDGE_TERM_NUMBER
        && (end->mark == '~' || end->mark == '-'
            || (end->kind == JUDGE_TERM_WORD && end->low.len <= 3
                && judge_is(end, GLUE)) || judge_is(end, LIMIT)))
    {
        *value = (low > 0) ? (low + end[1].value) / 2 : end[1].value;
        end += 2;
    }

    if (judge_weigh_mark(end, to, '/') && end + 1 < to && low == 1
        && end[1].value > 1 && end[1].value < 11)
    {
        *value = 100 / end[1].value;   /* "1/4" */
        *unit = JUDGE_CLASS_PERCENT;
        return end + 2;
    }

    *unit = (judge_weigh_mark(end, to, '%')
             || (end < to && judge_is(end, PERCENT))) ? JUDGE_CLASS_PERCENT
            : (end < to && judge_is(end, POINTS)) ? JUDGE_CLASS_POINTS
            : JUDGE_CLASS_COMMON;

    return end + ((*unit == JUDGE_CLASS_COMMON) ? 0
                  : judge_weigh_mark(end, to, '%') ? 1 : end->n);
}


/* "40% of the grade is for": what follows is glue with more than "of the", or
 * hardly any. */

static bool
judge_weigh_leads(const judge_weigh_scan_t *scan, judge_term_t *end)
{
    judge_term_t  *t;

    t = judge_weigh_glue(end, scan->span.to);

    return t < scan->span.to
           && (t - end >= 3 || (t - end <= 1
                  && !judge_has(judge_span(t, scan->span.to), IS)
                  && !judge_has(judge_span(t, scan->span.to), MODAL)));
}


static bool
judge_weigh_figure(judge_weigh_scan_t *scan, judge_term_t *t)
{
    bool                     placed, own;
    double                   value;
    judge_term_t            *end;
    const judge_term_t      *to = scan->span.to;
    judge_criteria_class_e   unit;

    end = judge_weigh_number(t, to, &value, &unit);

    if (value <= 0
        || (judge_weigh_before(scan, t, JUDGE_CLASS_LIMIT, 3)
            && (unit != JUDGE_CLASS_POINTS || t != scan->first)))
    {
        return false;
    }

    own = judge_weigh_before(scan, t, JUDGE_CLASS_WEIGHT, 2)
          || judge_weigh_before(scan, t, JUDGE_CLASS_COUNTS, 2);
    placed = t > scan->span.from && t[-1].mark == '(';

    if (unit == JUDGE_CLASS_COMMON) {  /* "(3)", "Style: 3", "weight 3" */
        placed = t->bare || (placed && judge_weigh_mark(end, to, ')'))
                 || (t > scan->span.from
                     && (t[-1].mark == ':' || t[-1].mark == '='
                         || t[-1].mark == '-')
                     && judge_span_trim(judge_span(end, scan->span.to)).from
                        == to);

    } else {
        placed |= judge_weigh_glue(end, to) == to
                  || (t == scan->first && judge_weigh_leads(scan, end));
    }

    if (!placed && !own) {
        return false;
    }

    *((unit == JUDGE_CLASS_PERCENT) ? &scan->w->share
                                    : &scan->w->points) = value;
    scan->at = judge_span(t, end);

    return true;
}


/* "(a third)" */

static bool
judge_weigh_enclosed(const judge_weigh_scan_t *scan, const judge_term_t *t)
{
    while (t > scan->span.from && judge_is(t - 1, THE)) {
        t--;
    }

    return t > scan->span.from && t[-1].mark == '(';
}


/* "counts double", "half of the score", "the rest". */

static bool
judge_weigh_word(judge_weigh_scan_t *scan, judge_term_t *t)
{
    judge_term_t        *end = t + t->n;
    const judge_term_t  *to = scan->span.to;
    judge_weigh_t       *w = scan->w;

    if (judge_is(t, TIMES)
        && (t->value < 2 || end >= to || judge_is(end, COUNTS)
            || judge_is(end, WEIGHT) || judge_is(end, GLUE)
            || (t > scan->span.from && t[-1].mark == '(')
            || judge_weigh_before(scan, t, JUDGE_CLASS_COUNTS, 3)))
    {
        w->factor = t->value;

    } else if (judge_is(t, SHARE)
               && (t == scan->first || judge_weigh_enclosed(scan, t)
                   || (end == to && judge_is(t - 1, THE))
                   || judge_weigh_before(scan, t, JUDGE_CLASS_COUNTS, 3)))
    {
        w->share = t->value;

    } else if (judge_is(t, REST)
               && (t == scan->first || (end == to && judge_is(t - 1, THE)))
               && !judge_has(scan->span, MODAL))
    {
        w->rest = true;

    } else {
        return false;
    }

    scan->at = judge_span(t, end);

    return true;
}


/* The words around it that belong to it, and no others, are used up. */

static void
judge_weigh_use(judge_weigh_scan_t *scan)
{
    judge_term_t  *from = scan->at.from, *to = scan->at.to;

    while (from > scan->span.from
           && (judge_is(from - 1, WEIGHT) || judge_is(from - 1, COUNTS)
               || judge_is(from - 1, GLUE) || from[-1].mark == ':'
               || from[-1].mark == '=' || from[-1].mark == '-'
               || (scan->w->first && from[-1].kind == JUDGE_TERM_WORD)
               || from[-1].mark == '('))
    {
        from--;
    }

    if (scan->w->first) {
        to = judge_weigh_glue(to, scan->span.to);
    }

    for (/* void */; from < to; from++) {
        from->used = true;
    }
}


bool
judge_weigh_read(judge_span_t s, judge_weigh_t *w, bool look)
{
    bool                 found;
    judge_term_t        *t;
    judge_weigh_scan_t   scan = { .span = s, .w = w };

    *w = (judge_weigh_t) { .share = 0 };
    scan.first = judge_weigh_glue(judge_span_trim(s).from, s.to);

    if (scan.first < s.to && judge_is(scan.first, LIMIT)
        && scan.first + scan.first->n < s.to)
    {
        scan.first += scan.first->n;   /* "up to 5 points for" */
    }

    for (t = s.from, found = false; t < s.to && !found; t++) {
        found = (t->kind == JUDGE_TERM_NUMBER) ? judge_weigh_figure(&scan, t)
                : (t->kind == JUDGE_TERM_WORD) && judge_weigh_word(&scan, t);
    }

    if (!found) {
        return false;
    }

    w->first = scan.at.from == scan.first && scan.at.from->depth == 0;
    w->split = judge_has(s, SPLIT) && w->factor == 0;
    w->each = judge_has(s, EACH) && w->factor == 0;

    if (!look) {
        judge_weigh_use(&scan);
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

    if (s.from < s.to && (judge_is(s.from, RANK) || judge_is(s.from, TIMES))) {
        w->points = s.from->value;
        return s.from + s.from->n == s.to;
    }

    if (s.from == s.to || s.from->kind != JUDGE_TERM_NUMBER) {
        return false;
    }

    end = judge_weigh_number(s.from, s.to, &value, &unit);
    *((unit == JUDGE_CLASS_PERCENT) ? &w->share : &w->points) = value;

    return end == s.to && value > 0;
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
        judge_criteria_note(p, JUDGE_SAY_NOTHING_LEFT,
                            judge_str_printf(p->arena, "%g", without));
        rest = 5 * without;

    } else if (shares > 0 && without == 0 && fabs(rest) > 0.5) {
        judge_criteria_note(p, JUDGE_SAY_NOT_HUNDRED,
                            judge_str_printf(p->arena, "%g",
                                             round(shares * 10) / 10));
    }

    for (f = p->found; f < p->found + p->nfound; f++) {
        f->result = (f->weigh.share > 0) ? f->weigh.share
                    : judge_clamp(rest * f->weigh.points / parts, 1e-3, 1e6);
    }
}
