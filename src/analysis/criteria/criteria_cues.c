/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Cues of weight in a piece of text: "30%", "worth 20 points", "matters
 * most", "twice as important as tone".
 */


#include <math.h>

#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_CUES_MAX     4           /* of one piece of text */
#define JUDGE_CUES_TIMES   20          /* that something may count */
#define JUDGE_CUES_MORE    1.5         /* "more important than" */
#define JUDGE_CUES_BEFORE  12          /* words from "prioritize" to "over" */
#define JUDGE_CUES_BARE    4           /* words of a name before its number */

/* "at least 80% of the sentences" is not a weight, "30% of the score" is. */

static bool
judge_criteria_cues_counts(const judge_criteria_t *p, size_t i, size_t end,
    size_t to)
{
    /* "half of the" */
    end -= judge_term_is(&p->tokens[end - 1], JUDGE_W_THE) ? 2 : 0;
    to = (to - end > 6) ? end + 6 : to;

    return judge_term_is(&p->tokens[i - 1], JUDGE_W_BOUNDED)
           || (end + 1 < to && judge_term_is(&p->tokens[end], JUDGE_W_OF)
               && !judge_span_has(p, judge_span(end, to), JUDGE_W_WHOLE));
}


/* A number of points: not "at least 3", the 10 of "7/10", or a ratio; on its
 * own only at the end of a short name. */

static bool
judge_criteria_cues_points(const judge_criteria_t *p,
    unsigned action, judge_span_t s, size_t i, size_t end,
    double value)
{
    const judge_term_t  *t;

    t = &p->tokens[i];

    if (value <= 0 || judge_term_is(t - 1, JUDGE_W_LEAST)
        || (judge_term_is(t, JUDGE_W_SLASH)
            && t[-1].kind == JUDGE_TERM_NUMBER)
        || (end + 1 < s.to && judge_term_is(&p->tokens[end], JUDGE_W_COLON)
            && p->tokens[end + 1].kind == JUDGE_TERM_NUMBER)
        || (action == JUDGE_CUE_AHEAD && i > s.from))
    {
        return false;
    }

    return action != JUDGE_CUE_BARE
           || (t->kind == JUDGE_TERM_NUMBER
               && judge_span_trim(p, s).to == end
               && (i == s.from
                   || (i - s.from <= JUDGE_CUES_BARE
                       && t[-1].kind == JUDGE_TERM_WORD
                       && !judge_term_is(t - 1, JUDGE_W_LINKING)
                       && (t[-1].quality >= 0 || value < 1
                           || fmod(value, 5) == 0))));
}


/* "twice as important as tone", "more important than the rest"; "more than
 * 500 words" compares no criteria.  The end, or i: nothing. */

static size_t
judge_criteria_cues_compare(const judge_criteria_t *p, unsigned action,
    size_t i, judge_span_t rest, double value, judge_cue_t *cue)
{
    bool    less, times;
    size_t  before;

    less = action == JUDGE_CUE_LESS;
    times = action == JUDGE_CUE_TIMES;
    before = (i > JUDGE_CUES_BEFORE) ? i - JUDGE_CUES_BEFORE : 0;

    if (times ? value <= 0 || value > JUDGE_CUES_TIMES
        : rest.from >= rest.to
          || p->tokens[rest.from].kind == JUDGE_TERM_NUMBER
          || (action == JUDGE_CUE_OVER
              && !judge_span_has(p, judge_span(before, i), JUDGE_W_PREFER)))
    {
        return i;
    }

    cue->other = judge_span_trim(p, rest);

    if (cue->other.from >= cue->other.to
        || judge_span_match(p, cue->other.from, rest.to, JUDGE_W_OTHERS) > 0)
    {
        cue->factor = times ? value : less ? 0.5 : 2;

    } else {
        cue->times = times ? value : -1;
        cue->less = less;
        cue->more = !less && !times;
    }

    return rest.to;
}


/* What the match i .. end - 1 of a rule means; its end, or i: nothing. */

static size_t
judge_criteria_cues_act(const judge_criteria_t *p,
    unsigned action, size_t i, size_t end, judge_span_t s,
    double value, judge_cue_t *cue)
{
    switch (action) {
    case JUDGE_CUE_LESS:
    case JUDGE_CUE_MORE:
    case JUDGE_CUE_OVER:
    case JUDGE_CUE_TIMES:
        return judge_criteria_cues_compare(p, action, i,
                                           judge_span(end, s.to), value, cue);

    case JUDGE_CUE_FOLD:
        if (value <= 0 || value > JUDGE_CUES_TIMES) {
            return i;
        }

        cue->factor = value;
        return end;

    case JUDGE_CUE_SHARE:
        if (value > 100 || judge_criteria_cues_counts(p, i, end, s.to)) {
            return i;
        }

        cue->share = value;
        return end;

    case JUDGE_CUE_PREDICATE:
        /* "critical thinking" */
        if ((end < s.to && p->tokens[end].kind == JUDGE_TERM_WORD)
            || (i > s.from && p->tokens[i - 1].kind == JUDGE_TERM_WORD
                && !judge_term_is(&p->tokens[i - 1], JUDGE_W_GLUE)))
        {
            return i;
        }
        /* fall through */

    case JUDGE_CUE_FACTOR:
    case JUDGE_CUE_MOST:
        cue->most |= action == JUDGE_CUE_MOST;
        cue->factor = value;
        return end;

    case JUDGE_CUE_SCALE:
    case JUDGE_CUE_EQUAL:
    case JUDGE_CUE_RANKED:
    case JUDGE_CUE_REST:
        cue->scale |= action == JUDGE_CUE_SCALE;
        cue->equal |= action == JUDGE_CUE_EQUAL;
        cue->ranked |= action == JUDGE_CUE_RANKED;
        return end;

    default:
        if (!judge_criteria_cues_points(p, action, s, i, end, value)) {
            return i;
        }

        cue->share = (value < 1) ? value * 100 : cue->share;
        cue->points = (value < 1) ? cue->points : value;
        return end;
    }
}


/* "2:1:1", "60/40". */

static size_t
judge_criteria_cues_ratio(const judge_criteria_t *p, size_t i, size_t to,
    judge_cue_t *cue)
{
    char                 mark;
    size_t               n;
    double               sum;
    const judge_term_t  *t;

    t = p->tokens + i;
    mark = (i + 2 < to && t[1].low.len == 1) ? *t[1].low.data : '\0';
    sum = 0;

    for (n = 0; n < JUDGE_CRITERIA_RATIO && i + 2 * n < to; n++) {
        if (t[2 * n].kind != JUDGE_TERM_NUMBER
            || (n > 0 && (t[2 * n - 1].low.len != 1
                          || *t[2 * n - 1].low.data != mark)))
        {
            break;
        }

        cue->ratio[n] = t[2 * n].number;
        sum += cue->ratio[n];
    }

    if (n < 2 || (mark != ':' && (sum != 100 || (mark != '/'
                                                 && mark != '-'))))
    {
        return i;
    }

    cue->nratio = n;

    return i + 2 * n - 1;
}


static bool
judge_criteria_cues_next(const judge_criteria_t *p, judge_span_t s,
    judge_cue_t *cue, judge_span_t *at)
{
    size_t                        i, end;
    double                        number[2];
    const judge_criteria_rule_t  *rule;

    for (i = s.from; i < s.to; i++) {
        end = judge_criteria_cues_ratio(p, i, s.to, cue);

        for (rule = judge_criteria_cues; end == i && rule->pattern[0] != 0;
             rule++)
        {
            number[0] = -1;
            end = judge_span_pattern(p, i, s.to, rule->pattern, number);
            end = (end == 0) ? i
                  : judge_criteria_cues_act(p, rule->action, i, end, s,
                                            number[0], cue);
        }

        if (end > i) {
            *at = judge_span(i, end);
            return true;
        }
    }

    return false;
}


bool
judge_criteria_cues_first(const judge_criteria_t *p, judge_span_t s,
    judge_cue_t *cue)
{
    *cue = (judge_cue_t) { .share = -1, .points = -1, .factor = -1,
                           .times = -1 };
    cue->any = judge_criteria_cues_next(p, s, cue, &cue->at);

    return cue->any;
}


/* Without what links a name and its weight: "is", "counts for". */

static judge_span_t
judge_criteria_cues_unlink(const judge_criteria_t *p, judge_span_t s)
{
    const judge_term_t  *t;

    for ( ; s.from < s.to; s.from++) {
        t = &p->tokens[s.from];

        if (t->kind != JUDGE_TERM_MARK
            && (!judge_term_is(t, JUDGE_W_GLUE) || t->span > 1))
        {
            break;
        }
    }

    for ( ; s.to > s.from; s.to--) {
        t = &p->tokens[s.to - 1];

        if (t->kind != JUDGE_TERM_MARK && !judge_term_is(t, JUDGE_W_GLUE)) {
            break;
        }
    }

    return s;
}


judge_span_t
judge_criteria_cues_take(const judge_criteria_t *p, judge_span_t s,
    judge_cue_t *cue)
{
    int           round;
    judge_span_t  at, left, right;

    (void) judge_criteria_cues_first(p, s, cue);
    at = cue->at;

    for (round = 0; cue->any && round < JUDGE_CUES_MAX; round++) {
        if (round > 0 && !judge_criteria_cues_next(p, s, cue, &at)) {
            break;
        }

        left = judge_criteria_cues_unlink(p, judge_span(s.from, at.from));
        right = judge_criteria_cues_unlink(p, judge_span(at.to, s.to));

        /* "in order of priority: accuracy", "rated equally: accuracy" */

        s = (left.from < left.to
             && !(right.from < right.to
                  && (judge_term_is(&p->tokens[left.to - 1], JUDGE_W_JUDGE)
                      || (cue->ranked && judge_term_is(&p->tokens[at.to],
                                                       JUDGE_W_COLON)))))
            ? left : right;
    }

    return s;
}


/* --- Cues of a criterion ----------------------------------------------- */


void
judge_criteria_cues_relate(judge_criteria_t *p, size_t a, size_t b,
    double value, bool least)
{
    if (a != b && a < p->nfound && b < p->nfound
        && p->nrelations < JUDGE_CRITERIA_RELATIONS)
    {
        p->relations[p->nrelations++]
            = (judge_criteria_relation_t) { a, b, value, least };
    }
}


void
judge_criteria_cues_apply(judge_criteria_t *p, size_t at,
    const judge_cue_t *cue)
{
    size_t          b, last;
    judge_draft_t  *f;

    if (!cue->any || at >= p->nfound) {
        return;
    }

    f = &p->found[at];
    p->weighed |= !cue->scale || cue->share >= 0 || cue->points > 0;

    if (cue->share >= 0 && f->share >= 0
        && fabs(f->share - cue->share) > 0.5)
    {
        p->conflict = true;
        judge_criteria_names_note(p, "\"%s\" is given both %g%% and %g%%; "
                                  "the first was taken.", f->name.data,
                                  f->share, cue->share);
    } else if (cue->share >= 0) {
        f->share = cue->share;
    }

    f->points = (cue->points > 0 && f->points < 0) ? cue->points : f->points;

    if (cue->factor > 0) {
        f->factor = cue->factor;
        f->most = cue->most;
    }

    if (cue->times < 0 && !cue->more && !cue->less) {
        return;
    }

    last = p->last;
    b = judge_criteria_names_find(p, cue->other);

    if (b == JUDGE_CRITERIA_NONE) {
        b = judge_criteria_names_add(p, cue->other, JUDGE_FORM_WEIGHED);
    }

    p->last = last;

    if (cue->times > 0) {
        judge_criteria_cues_relate(p, at, b, cue->times, false);

    } else {
        judge_criteria_cues_relate(p, cue->more ? at : b, cue->more ? b : at,
                                   JUDGE_CUES_MORE, true);
    }
}


void
judge_criteria_cues_brackets(judge_criteria_t *p, size_t at, judge_span_t s)
{
    size_t       open, close;
    judge_cue_t  cue;

    while ((open = judge_span_seek(p, s, JUDGE_W_OPENED)) < s.to) {
        s.from = open + 1;
        close = judge_span_seek(p, s, JUDGE_W_CLOSED);
        (void) judge_criteria_cues_take(p, judge_span(s.from, close), &cue);
        judge_criteria_cues_apply(p, at, &cue);
        s.from = close;
    }
}
