/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Cues of weight ("30%", "worth 20 points", "matters most", "twice as
 * important as tone"), and weights from them that add up to 1.  Shares in
 * percent stand; points and factors divide what shares leave over;
 * comparisons relate two criteria.
 */


#include <math.h>
#include <string.h>

#include "analysis/criteria/criteria_context.h"


#define JUDGE_WEIGHTS_CUES    4        /* of one piece of text */
#define JUDGE_WEIGHTS_ROUNDS  16       /* of comparisons that follow others */
#define JUDGE_WEIGHTS_MORE    1.5      /* "more important than" */
#define JUDGE_WEIGHTS_BEFORE  12       /* words from "prioritize" to "over" */

typedef enum {
    JUDGE_WEIGHTS_TIMES,               /* of what follows */
    JUDGE_WEIGHTS_FOLD,                /* of the others */
    JUDGE_WEIGHTS_SCALE,
    JUDGE_WEIGHTS_SHARE,
    JUDGE_WEIGHTS_POINTS,
    JUDGE_WEIGHTS_PARTS,               /* 0.3 is a share, 3 are points */
    JUDGE_WEIGHTS_FACTOR
} judge_weights_action_e;

/* In order of precedence. */

static const struct {
    const char              *pattern;
    judge_weights_action_e   action;
} judge_weights_rules[] = {
    { "FaM*a", JUDGE_WEIGHTS_TIMES },  /* twice as important as */
    { "FmM*y", JUDGE_WEIGHTS_TIMES },  /* three times more than */
    { "FMo", JUDGE_WEIGHTS_TIMES },    /* twice the weight of */
    { "FaM", JUDGE_WEIGHTS_FOLD },
    { "FM", JUDGE_WEIGHTS_FOLD },
    { "Sf?o?#~#", JUDGE_WEIGHTS_SCALE },
    { "S", JUDGE_WEIGHTS_SCALE },
    { "f#w#", JUDGE_WEIGHTS_SCALE },
    { "A", JUDGE_WEIGHTS_SHARE },
    { "#%", JUDGE_WEIGHTS_SHARE },
    { "#P", JUDGE_WEIGHTS_SHARE },
    { "uo#U?", JUDGE_WEIGHTS_POINTS },
    { "/#U?", JUDGE_WEIGHTS_POINTS },
    { "#U", JUDGE_WEIGHTS_POINTS },
    { "WL*:?=?#%", JUDGE_WEIGHTS_SHARE },
    { "WL*:?=?#", JUDGE_WEIGHTS_PARTS },
    { "#x", JUDGE_WEIGHTS_FACTOR },
    { "x#", JUDGE_WEIGHTS_FACTOR }
};


/* "at least 80% of the sentences" is not a weight, "30% of the score" is. */

static bool
judge_weights_counts(const judge_parse_ctx_t *p, size_t i, size_t end,
    size_t to)
{
    if (judge_parse_is(&p->tokens[i - 1], JUDGE_W_BOUNDED)) {
        return true;
    }

    if (judge_parse_word(&p->tokens[end - 1], "the")) {
        end -= 2;                      /* "half of the" */
    }

    to = (to - end > 6) ? end + 6 : to;

    return end + 1 < to && judge_parse_word(&p->tokens[end], "of")
           && judge_parse_seek(p, judge_parse_span(end, to),
                               JUDGE_W_WHOLE) == to;
}


/* What the comparison is with; "the rest" is not a name. */

static void
judge_weights_other(const judge_parse_ctx_t *p, size_t from, size_t to,
    judge_parse_cue_t *cue)
{
    cue->other = judge_parse_trim(p, judge_parse_span(from, to));

    if (judge_parse_match(p, cue->other.from, to, JUDGE_W_OTHERS) > 0) {
        cue->other.to = cue->other.from;
    }
}


/* What the pattern's match i .. end - 1 means; its end, or i: nothing. */

static size_t
judge_weights_act(judge_parse_ctx_t *p, judge_weights_action_e action,
    size_t i, size_t end, size_t to, double value, judge_parse_cue_t *cue)
{
    switch (action) {
    case JUDGE_WEIGHTS_TIMES:
    case JUDGE_WEIGHTS_FOLD:
    case JUDGE_WEIGHTS_FACTOR:
        if (value <= 0 || value > 20) {
            return i;
        }

        if (action == JUDGE_WEIGHTS_TIMES) {
            judge_weights_other(p, end, to, cue);

            if (cue->other.from < cue->other.to) {
                cue->times = value;
                return to;
            }

            end = to;
        }

        cue->factor = value;
        return end;

    case JUDGE_WEIGHTS_SCALE:
        cue->scale = true;
        return end;

    case JUDGE_WEIGHTS_SHARE:
        if (value > 100 || judge_weights_counts(p, i, end, to)) {
            return i;
        }

        cue->share = value;
        return end;

    default:
        if (value <= 0 || judge_parse_word(&p->tokens[i - 1], "least")
            || (judge_parse_mark(&p->tokens[i], '/')
                && p->tokens[i - 1].kind == JUDGE_P_NUMBER)
            || (end + 1 < to && judge_parse_mark(&p->tokens[end], ':')
                && p->tokens[end + 1].kind == JUDGE_P_NUMBER))
        {
            return i;
        }

        if (action == JUDGE_WEIGHTS_PARTS && value < 1) {
            cue->share = value * 100;

        } else {
            cue->points = value;
        }

        return end;
    }
}


/* "more important than", "prioritize accuracy over style". */

static size_t
judge_weights_compare(judge_parse_ctx_t *p, size_t i, size_t to,
    judge_parse_cue_t *cue)
{
    bool                less;
    size_t              n;
    judge_parse_span_t  before;

    n = judge_parse_match(p, i, to, JUDGE_W_LESS_THAN);
    less = (n > 0);
    n += less ? 0 : judge_parse_match(p, i, to, JUDGE_W_MORE_THAN);

    if (n == 0 && judge_parse_word(&p->tokens[i], "over")) {
        before.from = (i > JUDGE_WEIGHTS_BEFORE) ? i - JUDGE_WEIGHTS_BEFORE
                                                 : 0;
        before.to = i;
        n = judge_parse_seek(p, before, JUDGE_W_PREFER) < i;
    }

    /* "more than 500 words" compares no criteria */

    if (n == 0 || i + n >= to || p->tokens[i + n].kind == JUDGE_P_NUMBER) {
        return i;
    }

    judge_weights_other(p, i + n, to, cue);

    if (cue->other.from == cue->other.to) {
        cue->factor = less ? 0.5 : 2;

    } else {
        cue->less = less;
        cue->more = !less;
    }

    return to;
}


static size_t
judge_weights_words(judge_parse_ctx_t *p, size_t i, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    size_t                      n, end;
    double                      value;
    const judge_parse_token_t  *t;

    n = judge_parse_match(p, i, span.to, JUDGE_W_EQUAL);
    cue->equal |= (n > 0);

    if (n == 0) {
        n = judge_parse_match(p, i, span.to, JUDGE_W_RANKED);
        cue->ranked |= (n > 0);
    }

    n += (n == 0) ? judge_parse_match(p, i, span.to, JUDGE_W_REST) : 0;

    if (n > 0) {
        return i + n;
    }

    n = judge_parse_value(p, i, span.to, JUDGE_W_MOST, &value);
    cue->most |= (n > 0);
    n += (n == 0) ? judge_parse_value(p, i, span.to, JUDGE_W_FACTOR, &value)
                  : 0;

    if (n == 0) {
        n = judge_parse_value(p, i, span.to, JUDGE_W_PREDICATE, &value);
        t = &p->tokens[i];
        end = i + n;

        /* "critical thinking" */

        if (n == 0
            || (end < span.to && p->tokens[end].kind == JUDGE_P_WORD)
            || (i > span.from && t[-1].kind == JUDGE_P_WORD
                && !judge_parse_is(t - 1, JUDGE_W_GLUE)
                && !judge_parse_word(t - 1, "also")))
        {
            return i;
        }
    }

    cue->factor = value;

    return i + n;
}


/* "2:1:1", "60/40". */

static size_t
judge_weights_ratio(judge_parse_ctx_t *p, size_t i, size_t to,
    judge_parse_cue_t *cue)
{
    char                        mark;
    size_t                      n;
    double                      sum;
    const judge_parse_token_t  *t;

    t = p->tokens + i;
    mark = t[1].mark;
    sum = 0;

    for (n = 0; n < JUDGE_PARSE_RATIO && i + 2 * n < to
                && t[2 * n].kind == JUDGE_P_NUMBER; n++)
    {
        cue->ratio[n] = t[2 * n].number;
        sum += cue->ratio[n];

        if (i + 2 * n + 2 >= to || !judge_parse_mark(&t[2 * n + 1], mark)) {
            n++;
            break;
        }
    }

    if (n < 2 || (mark != ':' && (sum != 100 || strchr("/-", mark) == NULL)))
    {
        return i;
    }

    cue->nratio = n;

    return i + 2 * n - 1;
}


static bool
judge_weights_next(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue, judge_parse_span_t *at)
{
    size_t  i, k, end;
    double  number[2];

    for (i = span.from; i < span.to; i++) {
        end = judge_weights_compare(p, i, span.to, cue);

        for (k = 0; end == i && k < sizeof(judge_weights_rules)
                                    / sizeof(judge_weights_rules[0]); k++)
        {
            number[0] = -1;
            end = judge_parse_pattern(p, i, span.to,
                                      judge_weights_rules[k].pattern, number);
            end = (end == 0) ? i
                  : judge_weights_act(p, judge_weights_rules[k].action, i,
                                      end, span.to, number[0], cue);
        }

        end = (end > i) ? end : judge_weights_words(p, i, span, cue);
        end = (end > i) ? end : judge_weights_ratio(p, i, span.to, cue);

        if (end > i) {
            *at = judge_parse_span(i, end);
            return true;
        }
    }

    return false;
}


bool
judge_parse_cue(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    *cue = (judge_parse_cue_t) { .share = -1, .points = -1, .factor = -1,
                                 .times = -1 };
    cue->any = judge_weights_next(p, span, cue, &cue->at);

    return cue->any;
}


/* Without what links a name and its weight: "is", "counts for". */

static judge_parse_span_t
judge_weights_unlink(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    const judge_parse_token_t  *t;

    while (span.from < span.to) {
        t = &p->tokens[span.from];

        if (t->kind != JUDGE_P_MARK
            && (!judge_parse_is(t, JUDGE_W_GLUE) || t->span > 1))
        {
            break;
        }

        span.from++;
    }

    while (span.to > span.from
           && (p->tokens[span.to - 1].kind == JUDGE_P_MARK
               || judge_parse_is(&p->tokens[span.to - 1], JUDGE_W_GLUE)))
    {
        span.to--;
    }

    return span;
}


judge_parse_span_t
judge_parse_take(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_cue_t *cue)
{
    int                 round;
    judge_parse_span_t  at, left, right;

    (void) judge_parse_cue(p, span, cue);
    at = cue->at;

    for (round = 0; cue->any && round < JUDGE_WEIGHTS_CUES; round++) {
        if (round > 0 && !judge_weights_next(p, span, cue, &at)) {
            break;
        }

        left = judge_weights_unlink(p, judge_parse_span(span.from, at.from));
        right = judge_weights_unlink(p, judge_parse_span(at.to, span.to));
        span = (left.from < left.to
                && !(right.from < right.to
                     && judge_parse_is(&p->tokens[left.to - 1],
                                       JUDGE_W_JUDGE))) ? left : right;
    }

    return span;
}


/* --- Cues of a criterion ----------------------------------------------- */


void
judge_parse_relate(judge_parse_ctx_t *p, size_t a, size_t b, double value,
    bool least)
{
    if (a != b && a < p->nfound && b < p->nfound
        && p->nrelations < JUDGE_PARSE_RELATIONS)
    {
        p->relations[p->nrelations++]
            = (judge_parse_relation_t) { a, b, value, least };
    }
}


void
judge_parse_apply(judge_parse_ctx_t *p, size_t i,
    const judge_parse_cue_t *cue)
{
    size_t                b, last;
    judge_parse_found_t  *f;

    if (!cue->any || i >= p->nfound) {
        return;
    }

    f = &p->found[i];
    p->weighed |= !cue->scale || cue->share >= 0 || cue->points > 0;

    if (cue->share >= 0 && f->share >= 0
        && fabs(f->share - cue->share) > 0.5)
    {
        p->conflict = true;
        judge_parse_note(p, "\"%s\" is given both %g%% and %g%%; the first "
                         "was taken.", f->name.data, f->share, cue->share);

    } else if (cue->share >= 0) {
        f->share = cue->share;
    }

    if (cue->points > 0 && f->points < 0) {
        f->points = cue->points;
    }

    if (cue->factor > 0) {
        f->factor = cue->factor;
        f->most = cue->most;
    }

    if (cue->times < 0 && !cue->more && !cue->less) {
        return;
    }

    last = p->last;
    b = judge_parse_find(p, cue->other);

    if (b == JUDGE_PARSE_NONE) {
        b = judge_parse_add(p, cue->other, JUDGE_P_WEIGHED);
    }

    p->last = last;

    if (cue->times > 0) {
        judge_parse_relate(p, i, b, cue->times, false);

    } else {
        judge_parse_relate(p, cue->more ? i : b, cue->more ? b : i,
                           JUDGE_WEIGHTS_MORE, true);
    }
}


void
judge_parse_brackets(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t             open, close;
    judge_parse_cue_t  cue;

    while ((open = judge_parse_seek_mark(p, span, "(")) < span.to) {
        span.from = open + 1;
        close = judge_parse_seek_mark(p, span, ")");
        (void) judge_parse_take(p, judge_parse_span(span.from, close), &cue);
        judge_parse_apply(p, at, &cue);
        span.from = close;
    }
}


/* --- Weights ----------------------------------------------------------- */


/* One comparison changes the criterion that it is about; whether it did. */

static bool
judge_weights_relation(judge_parse_ctx_t *p, const judge_parse_relation_t *r)
{
    double                want;
    judge_parse_found_t  *a, *b;

    a = &p->found[r->a];
    b = &p->found[r->b];

    if (!r->least && (a->share < 0) != (b->share < 0)) {
        if (a->share < 0) {
            a->share = b->share * r->value;

        } else {
            b->share = a->share / r->value;
        }

        return true;
    }

    want = b->factor * r->value;

    if (a->share >= 0 || b->share >= 0
        || (a->factor > want - 1e-6
            && (r->least || a->factor < want + 1e-6)))
    {
        return false;
    }

    a->factor = fmin(want, 1e6);

    return true;
}


/* Until nothing changes; what then still does contradicts itself. */

static void
judge_weights_relations(judge_parse_ctx_t *p)
{
    bool    changed;
    int     round;
    size_t  i;

    changed = true;

    for (round = 0; changed && round < JUDGE_WEIGHTS_ROUNDS; round++) {
        changed = false;

        for (i = 0; i < p->nrelations; i++) {
            changed |= judge_weights_relation(p, &p->relations[i]);
        }
    }

    if (changed) {
        p->conflict = true;
        judge_parse_note(p, "The comparisons of weights contradict each "
                         "other; say what each criterion counts in "
                         "percent.");

        for (i = 0; i < p->nfound; i++) {
            p->found[i].factor = fmin(p->found[i].factor, 3);
        }
    }
}


/* Of n ranks the first counts n times the last; what matters most gets more
 * than any other without a share. */

static void
judge_weights_ranks(judge_parse_ctx_t *p, bool most)
{
    size_t                i;
    double                last, top;
    judge_parse_found_t  *f;

    last = 0;
    top = 0;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        last = fmax(last, f->rank);
        top = f->most ? top : fmax(top, f->factor);
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (most && f->most) {
            f->factor = fmax(f->factor, 1.25 * top);

        } else if (!most && f->rank > 0) {
            f->factor = last - f->rank + 1;
        }
    }
}


/* Those without points get as many as those with points on average. */

static void
judge_weights_points(judge_parse_ctx_t *p)
{
    size_t                i, n;
    double                sum;
    judge_parse_found_t  *f;

    for (i = 0, n = 0, sum = 0; i < p->nfound; i++) {
        n += p->found[i].points > 0;
        sum += fmax(p->found[i].points, 0);
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (n == 0) {
            f->points = f->factor;

        } else if (f->points <= 0 && f->share < 0) {
            f->points = f->factor * sum / (double) n;
            judge_parse_note(p, "No points are given for \"%s\"; it was "
                             "given as many as the others have on average.",
                             f->name.data);
        }
    }
}


/* Percents that shares leave to the others, which get some in any case. */

static double
judge_weights_rest(judge_parse_ctx_t *p, double shares, size_t without)
{
    double  rest;

    rest = 100 - shares;

    if (without > 0 && rest <= 0.5) {
        p->conflict = true;
        judge_parse_note(p, "The percentages leave nothing for %zu other "
                         "criteri%s, which got a small part.", without,
                         (without == 1) ? "on" : "a");
        return 5 * (double) without;
    }

    if (without == 0 && fabs(rest) > 0.5) {
        p->conflict |= fabs(rest) > 5;
        judge_parse_note(p, "The percentages add up to %g, not to 100; they "
                         "were scaled.", shares);
    }

    return rest;
}


/* Two decimals for up to 20 criteria; the largest remainders are rounded
 * up, so that the sum is kept. */

void
judge_parse_rescale(judge_parse_ctx_t *p)
{
    size_t                i, best;
    double                unit, sum, left, part[JUDGE_PARSE_FOUND];
    judge_parse_found_t  *f;

    unit = (p->nfound > 20) ? 1000 : 100;
    left = unit;
    sum = 0;

    for (i = 0; i < p->nfound; i++) {
        sum += p->found[i].result;
    }

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        part[i] = f->result / sum * unit;
        f->result = fmax(floor(part[i] + 1e-9), 1);
        left -= f->result;
    }

    while (p->nfound > 0 && fabs(left) > 0.5) {
        best = 0;

        for (i = 1; i < p->nfound; i++) {
            if ((left > 0) ? part[i] - p->found[i].result
                             > part[best] - p->found[best].result + 1e-9
                : p->found[i].result > p->found[best].result + 1e-9)
            {
                best = i;
            }
        }

        p->found[best].result += (left > 0) ? 1 : -1;
        left += (left > 0) ? -1 : 1;
    }

    for (i = 0; i < p->nfound; i++) {
        p->found[i].result /= unit;
    }
}


void
judge_parse_resolve(judge_parse_ctx_t *p)
{
    size_t                i, without;
    double                shares, parts, rest;
    judge_parse_found_t  *f;

    judge_weights_ranks(p, false);
    judge_weights_relations(p);
    judge_weights_ranks(p, true);
    judge_weights_points(p);

    shares = 0;
    parts = 0;
    without = 0;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        shares += fmax(f->share, 0);
        parts += (f->share < 0) ? f->points : 0;
        without += (f->share < 0);
    }

    rest = (shares > 0) ? judge_weights_rest(p, shares, without) : 100;

    for (i = 0; i < p->nfound; i++) {
        f = &p->found[i];
        f->result = (f->share >= 0) ? fmax(f->share, 0.01)
                                    : rest * f->points / parts;
    }

    judge_parse_rescale(p);
}
