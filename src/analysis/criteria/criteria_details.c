/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Weight in a piece of text: "30%", "worth 20 points", "matters most",
 * "twice as important as tone"; and details of a criterion: examples, numbers
 * of things, classes of scores.
 */


#include <math.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_CUES_MAX     4           /* of one piece of text */
#define JUDGE_CUES_TIMES   20          /* that something may count */
#define JUDGE_CUES_MORE    1.5         /* times: "more important than" */
#define JUDGE_CUES_BARE    4           /* words of a name before its number */

#define JUDGE_DETAILS_EXAMPLE  300     /* bytes of an example */
#define JUDGE_DETAILS_DIVIDED  24      /* tokens of several */
#define JUDGE_DETAILS_LEVEL    12      /* tokens of "90-100: excellent" */


/* A share of 100, or points; on its own only at the beginning ("25 for"), in
 * brackets, or at the end of a short name. */

static bool
judge_cue_number(const judge_prose_t *p, unsigned action, judge_span_t s,
    judge_span_t at, double value)
{
    const judge_term_t  *t;

    t = &p->tokens[at.from];

    if (action == JUDGE_CUE_BARE && t[-1].close != at.to) {
        return t->kind == JUDGE_TERM_NUMBER && value > 0
               && judge_span_trim(p, s).to == at.to
               && (at.from == s.from
                   || (at.from - s.from <= JUDGE_CUES_BARE
                       && t[-1].kind == JUDGE_TERM_WORD
                       && !judge_term_is(t - 1, JUDGE_W_LINKING)
                       && (t[-1].quality >= 0 || value < 1
                           || fmod(value, 5) == 0)));
    }

    /* "weighted 2:1:1" is a ratio */

    return value > 0 && (action != JUDGE_CUE_SHARE || value <= 100)
           && (action != JUDGE_CUE_AHEAD || at.from == s.from)
           && !(at.to + 1 < s.to && judge_span_is(p, at.to, JUDGE_W_COLON)
                && p->tokens[at.to + 1].kind == JUDGE_TERM_NUMBER);
}


/* "twice as important as tone", "more important than the rest"; "more than
 * 500 words" compares no criteria.  The end, or 0: nothing. */

static size_t
judge_cue_compare(const judge_prose_t *p, unsigned action, judge_span_t s,
    judge_span_t at, double value, judge_cue_t *cue)
{
    if (at.to >= s.to || p->tokens[at.to].kind == JUDGE_TERM_NUMBER
        || (action == JUDGE_CUE_TIMES
            && (value <= 0 || value > JUDGE_CUES_TIMES))
        || (action == JUDGE_CUE_OVER
            && !(judge_span_quality(p, judge_span(s.from, at.from))
                 && judge_span_quality(p, judge_span(at.to, s.to)))))
    {
        return 0;
    }

    cue->other = judge_span_trim(p, judge_span(at.to, s.to));
    cue->least = action != JUDGE_CUE_TIMES;
    cue->less = action == JUDGE_CUE_LESS;
    cue->times = cue->least ? JUDGE_CUES_MORE : value;

    if (judge_span_match(p, cue->other.from, s.to, JUDGE_W_OTHERS) > 0) {
        cue->factor = cue->less ? 1 / cue->times : cue->times;
        cue->times = 0;
    }

    return s.to;
}


/* What the match of a row means; its end, or 0: nothing. */

static size_t
judge_cue_act(const judge_prose_t *p, unsigned action, judge_span_t s,
    judge_span_t at, double value, judge_cue_t *cue)
{
    size_t               n;
    const judge_term_t  *t;

    t = &p->tokens[at.from];
    n = at.to - at.from;

    switch (action) {
    case JUDGE_CUE_LESS:
    case JUDGE_CUE_MORE:
    case JUDGE_CUE_OVER:
    case JUDGE_CUE_TIMES:
        return judge_cue_compare(p, action, s, at, value, cue);

    case JUDGE_CUE_FOLD:
    case JUDGE_CUE_FACTOR:
    case JUDGE_CUE_MOST:
    case JUDGE_CUE_PREDICATE:
        /* "critical thinking" */
        if (value <= 0 || value > JUDGE_CUES_TIMES
            || (action == JUDGE_CUE_PREDICATE
                && ((at.to < s.to && t[n].kind == JUDGE_TERM_WORD)
                    || (at.from > s.from && t[-1].kind == JUDGE_TERM_WORD
                        && !judge_term_is(t - 1, JUDGE_W_GLUE)))))
        {
            return 0;
        }

        cue->most |= action == JUDGE_CUE_MOST;
        cue->factor = value;
        return at.to;

    case JUDGE_CUE_PASS:
    case JUDGE_CUE_SCALE:
    case JUDGE_CUE_EQUAL:
    case JUDGE_CUE_RANKED:
    case JUDGE_CUE_REST:
        cue->scale |= action == JUDGE_CUE_SCALE;
        cue->equal |= action == JUDGE_CUE_EQUAL;
        cue->ranked |= action == JUDGE_CUE_RANKED;
        return at.to;

    default:
        if (!judge_cue_number(p, action, s, at, value)) {
            return 0;
        }

        if (action == JUDGE_CUE_SHARE || value < 1) {
            cue->share = (action == JUDGE_CUE_SHARE) ? value : value * 100;

        } else {
            cue->points = value;
        }

        return at.to;
    }
}


/* A ratio ("2:1:1", "60/40"), or what a row finds. */

bool
judge_cue_next(const judge_prose_t *p, judge_span_t s, judge_cue_t *cue)
{
    bool                 pass;
    size_t               i, n, end;
    double               sum;
    judge_match_t        m;
    const judge_rule_t  *rule;
    const judge_term_t  *t;

    for (i = s.from, pass = false; i < s.to; i = (end > i) ? end : i + 1) {
        t = &p->tokens[i];

        for (n = 0, sum = 0; n < JUDGE_CRITERIA_RATIO && i + 2 * n < s.to
             && t[2 * n].kind == JUDGE_TERM_NUMBER
             && (n == 0 || judge_term_is(&t[2 * n - 1], JUDGE_W_RATIO)); n++)
        {
            cue->ratio[n] = t[2 * n].number;
            sum += t[2 * n].number;
        }

        n = (sum == 100 || judge_term_is(t + 1, JUDGE_W_COLON)) ? n : 0;
        end = (n > 1) ? i + 2 * n - 1 : 0;
        cue->nratio = (n > 1) ? n : cue->nratio;

        for (rule = judge_criteria_cues; end == 0 && rule->pattern[0] != 0;
             rule++)
        {
            if (judge_span_pattern(p, judge_span(i, s.to), rule->pattern, 0,
                                   &m))
            {
                pass = rule->action == JUDGE_CUE_PASS;
                end = judge_cue_act(p, rule->action, s, judge_span(i, m.end),
                                    m.number[0], cue);
            }
        }

        if (end > 0 && !pass) {
            cue->at = judge_span(i, end);
            cue->any = true;
            return true;
        }
    }

    return false;
}


/* What links a name and its weight goes, too: "is", "counts for".  The name
 * stands before it, but in "rated equally: accuracy". */

judge_span_t
judge_cue_take(const judge_prose_t *p, judge_span_t s, judge_cue_t *cue)
{
    int           round;
    judge_span_t  left;

    *cue = (judge_cue_t) { .any = false };

    for (round = 0; round < JUDGE_CUES_MAX && judge_cue_next(p, s, cue);
         round++)
    {
        left = judge_span_strip(p, judge_span(s.from, cue->at.from),
                                JUDGE_W_GLUE, JUDGE_W_GLUE);
        s = (left.from < left.to
             && !judge_span_is(p, left.to - 1, JUDGE_W_JUDGE)
             && !(cue->ranked && judge_span_is(p, cue->at.to, JUDGE_W_COLON)))
            ? left : judge_span_strip(p, judge_span(cue->at.to, s.to),
                                      JUDGE_W_GLUE, JUDGE_W_GLUE);
    }

    return s;
}


/* --- Examples ---------------------------------------------------------- */


/* What commas and "or" divide is an example each, unless it is long; of
 * quotations only they. */

judge_span_t
judge_detail_examples(judge_prose_t *p, size_t at, judge_span_t s)
{
    bool                 quotes;
    size_t               i, n, end;
    judge_str_t          text;
    judge_span_t         left, piece;
    judge_draft_t       *f;
    const judge_term_t  *t;

    for (i = s.from, n = 0; i < s.to && n == 0; i += n == 0) {
        n = judge_span_match(p, i, s.to, JUDGE_W_EXAMPLE);
        n += n == 0 && i + 1 < s.to && judge_span_is(p, i, JUDGE_W_LIKE)
             && p->tokens[i + 1].kind == JUDGE_TERM_QUOTE;
    }

    left = judge_span(i + n, s.to);
    left.to = judge_span_seek(p, left, JUDGE_W_CLOSED);
    s.to = i - (i > s.from && n > 0
                && judge_span_is(p, i - 1, JUDGE_W_OPENED));

    for (quotes = false, i = left.from; i < left.to; i++) {
        quotes |= p->tokens[i].kind == JUDGE_TERM_QUOTE;
    }

    for ( ; at < p->nfound && left.from < left.to; left.from = end + 1) {
        end = (quotes || left.to - left.from <= JUDGE_DETAILS_DIVIDED)
              ? judge_span_seek(p, left, JUDGE_W_SERIES) : left.to;
        piece = judge_span_trim(p, judge_span(left.from, end));
        t = &p->tokens[piece.from];
        text = judge_span_text(p, piece);

        if (t->kind == JUDGE_TERM_QUOTE) {
            text.data = p->text.data + p->origin[t->begin + 1];
            text.len = p->origin[t->end - 1] - p->origin[t->begin + 1];
        }

        f = &p->found[at];

        if (text.len > 0 && (!quotes || t->kind == JUDGE_TERM_QUOTE)
            && f->nexamples < JUDGE_CRITERIA_EXAMPLES)
        {
            f->examples[f->nexamples++]
                = judge_utf8_prefix(text, JUDGE_DETAILS_EXAMPLE);
        }
    }

    return s;
}


/* --- Classes of scores ------------------------------------------------- */


/* "Below 50 is poor": fair begins at 50. */

bool
judge_detail_level(const judge_prose_t *p, judge_span_t s, double levels[4])
{
    bool                 below;
    size_t               i, level;
    double               class, value;
    const judge_term_t  *t;

    class = value = -1;
    s = judge_span_near(s, JUDGE_DETAILS_LEVEL);

    for (i = s.from, below = false; i < s.to; i++) {
        t = &p->tokens[i];
        below |= judge_term_is(t, JUDGE_W_BELOW);

        if (t->kind == JUDGE_TERM_NUMBER && t->number <= 100) {
            value = (value >= 0) ? fmin(value, t->number) : t->number;

        } else if (class < 0) {
            (void) judge_span_value(p, i, s.to, JUDGE_W_LEVEL, &class);
        }
    }

    if (class < 0 || value < 0) {
        return false;
    }

    level = (size_t) class - (below && class > 0);
    levels[level] = (levels[level] < 0) ? value : levels[level];

    return true;
}


/* Grades of five or ten become hundredths. */

void
judge_detail_scale(const double got[4], double levels[4])
{
    size_t  i;
    double  top;

    top = fmax(fmax(fmax(got[0], got[1]), fmax(got[2], got[3])), 1);

    for (i = 0; i < 4; i++) {
        levels[i] = (got[i] < 0) ? levels[i]
                    : (top > 10) ? got[i] : (got[i] - 0.5) / top * 100;
    }
}


bool
judge_detail_levels(const judge_prose_t *p, judge_span_t s, double levels[4])
{
    size_t        i, n;
    double        got[4] = { -1, -1, -1, -1 };
    judge_span_t  left;

    for (left = s, n = 0; left.from < s.to; left.from = i + 1) {
        i = judge_span_seek(p, left, JUDGE_W_ANDS);
        n += judge_detail_level(p, judge_span(left.from, i), got);
    }

    if (n == 0 || (n < 2 && !judge_span_has(p, s, JUDGE_W_SCORED))) {
        return false;
    }

    judge_detail_scale(got, levels);

    return true;
}


/* --- One criterion ----------------------------------------------------- */


size_t
judge_detail_quantity(const judge_prose_t *p, judge_span_t s, size_t *at)
{
    size_t               i;
    judge_match_t        m;
    const judge_rule_t  *rule;

    for (i = *at = s.from; i < s.to; *at = ++i) {
        for (rule = judge_criteria_bounds; rule->pattern[0] != 0; rule++) {
            if (judge_span_pattern(p, judge_span(i, s.to), rule->pattern, 0,
                                   &m)
                && (rule->action != JUDGE_BOUND_COUNT || m.number[0] >= 2)
                /* "in the first 5 seconds" is not a length */
                && !judge_span_is(p, i - 1, JUDGE_W_ORDINAL))
            {
                return (rule->action == JUDGE_BOUND_COUNT) ? i + 1 : m.end;
            }
        }
    }

    return 0;
}


void
judge_detail_read(judge_prose_t *p, size_t at, judge_span_t s)
{
    size_t          i;
    judge_draft_t  *f;

    f = &p->found[at];
    (void) judge_detail_examples(p, at, s);
    f->counted |= judge_detail_quantity(p, s, &i) > 0;
    f->mood.strict |= f->counted || judge_span_has(p, s, JUDGE_W_STRICT);
    f->mood.lenient |= judge_span_has(p, s, JUDGE_W_LENIENT);
}


/* A sentence only about weight or scores is not part of the description. */

void
judge_detail_statements(judge_prose_t *p, size_t at, judge_span_t whole)
{
    size_t        next, other;
    judge_cue_t   cue;
    judge_span_t  s, left;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(p, s);

        if (judge_detail_levels(p, s, p->found[at].levels)) {
            continue;
        }

        left = judge_span_trim(p, judge_cue_take(p, s, &cue));
        other = judge_draft_ordinal(p, left);

        if (cue.any && (other != JUDGE_NONE || judge_span_generic(p, left)))
        {
            judge_draft_apply(p, (other != JUDGE_NONE) ? other : at, &cue);
            continue;
        }

        if (cue.share + cue.points + cue.times > 0
            || (cue.any
                && judge_span_is(p, cue.at.from - 1, JUDGE_W_OPENED)))
        {
            judge_draft_apply(p, at, &cue);

            /* "30% - the facts are right" */

            s.from = (cue.at.from <= s.from + 1) ? cue.at.to : s.from;
        }

        judge_draft_describe(p, at, NULL, s);
    }

    judge_detail_read(p, at, whole);
}


/* Adds what the piece names, without brackets, examples and numbers. */

static size_t
judge_detail_add(judge_prose_t *p, judge_span_t s, judge_form_e form,
    bool *length)
{
    size_t  i, end, at;

    s = judge_detail_examples(p, JUDGE_NONE, s);
    i = judge_span_seek(p, s, JUDGE_W_HEAD);
    s.to = (i > s.from) ? i : s.to;
    end = judge_detail_quantity(p, s, &at);
    *length = end > 0
              && judge_span_has(p, judge_span_near(judge_span(end, s.to), 2),
                                JUDGE_W_LENGTH);

    if (*length) {
        p->mood.negative = 0;
        return judge_draft_quality(p, JUDGE_Q_LENGTH, form);
    }

    /* "uses at least three concrete examples" is about examples */

    s.from = (end > 0 && end < s.to
              && !judge_span_quality(p, judge_span(s.from, at))) ? end
             : s.from;

    return judge_draft_add(p, s, form);
}


size_t
judge_detail_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_frame_t *frame)
{
    bool            length;
    size_t          at, n, words;
    judge_cue_t     cue;
    judge_mood_t    mood;
    judge_span_t    name;
    judge_frame_t   own = { JUDGE_STR(""), JUDGE_STR("") };
    judge_draft_t  *f;

    mood = p->mood;
    s = judge_span_trim(p, s);
    name = judge_cue_take(p, s, &cue);
    s = (frame == NULL) ? judge_span_trim(p, name) : s;
    n = judge_span_match(p, s.from, s.to, JUDGE_W_NO);
    words = n + judge_span_match(p, s.from, s.to, JUDGE_W_DONT);

    if (words > 0 && s.from + words < s.to
        && !judge_span_is(p, s.from + words, JUDGE_W_QUANTIFIED))
    {
        p->mood.negative = (n > 0) ? 'N' : 'V';
        name.from = s.from + words;

    } else if (mood.negative != 0) {
        own.before = judge_str_c(judge_draft_saying(p, (mood.negative == 'V')
                                                    ? JUDGE_SAY_DO_NOT
                                                    : JUDGE_SAY_AVOID));
    }

    at = judge_detail_add(p, name, form, &length);
    p->mood = mood;

    if (at == JUDGE_NONE) {
        return at;
    }

    f = &p->found[at];

    if (frame != NULL
        || (!judge_str_caseeq(judge_span_text(p, s), f->name)
            && (length || judge_span_words(p, s) > 3
                || (f->named
                    && judge_span_words(p, judge_span_strip(p, s,
                           JUDGE_W_FILLER, JUDGE_W_LINKING)) > 1))))
    {
        judge_draft_describe(p, at, (frame != NULL) ? frame : &own, s);
    }

    judge_detail_read(p, at, s);

    judge_draft_apply(p, at, &cue);

    return at;
}
