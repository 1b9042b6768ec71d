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

#define JUDGE_DETAILS_EXAMPLE  300     /* bytes of an example */
#define JUDGE_DETAILS_DIVIDED  24      /* tokens of several */
#define JUDGE_DETAILS_LEVEL    12      /* tokens of "90-100: excellent" */


/* A share of 100, or points; on its own only at the beginning ("25 for"), in
 * brackets, or at the end of a short name. */

static bool
judge_cue_number(const judge_prose_t *p, judge_span_t s,
    const judge_match_t *m, judge_cue_t *cue)
{
    bool                 bare;
    size_t               before;
    double               value;
    const judge_term_t  *t;

    t = &p->tokens[m->span.from];
    before = m->span.from - s.from;
    value = m->number[0];
    bare = m->mood == JUDGE_HOW_BARE && t[-1].close != m->end;

    if (value <= 0 || (m->action == JUDGE_CUE_SHARE && value > 100)
        || (m->mood == JUDGE_HOW_AHEAD && before > 0)
        || (bare && (t->kind != JUDGE_TERM_NUMBER
                     || judge_span_trim(p, s).to != m->end))
        || (bare && before > 0 && t[-1].quality < 0 && value >= 1
            && fmod(value, 5) != 0)

        /* "weighted 2:1:1" is a ratio */

        || (judge_span_is(p, m->end, JUDGE_W_COLON) && m->end + 1 < s.to
            && p->tokens[m->end + 1].kind == JUDGE_TERM_NUMBER))
    {
        return false;
    }

    if (m->action == JUDGE_CUE_SHARE || value < 1) {
        cue->share = (m->action == JUDGE_CUE_SHARE) ? value : value * 100;

    } else {
        cue->points = value;
    }

    return true;
}


/* "twice as important as tone", "more important than the rest"; "more than
 * 500 words" compares no criteria. */

static bool
judge_cue_compare(const judge_prose_t *p, judge_span_t s, judge_match_t *m,
    double times, judge_cue_t *cue)
{
    judge_span_t  other;

    other = judge_span_trim(p, judge_span(m->end, s.to));

    if (m->end >= s.to || p->tokens[m->end].kind == JUDGE_TERM_NUMBER
        || (m->mood == JUDGE_HOW_OVER
            && !(judge_span_has(p, judge_span(s.from, m->span.from),
                                JUDGE_W_TOPIC)
                 && judge_span_has(p, other, JUDGE_W_TOPIC))))
    {
        return false;
    }

    m->end = s.to;

    if (judge_span_match(p, other.from, s.to, JUDGE_W_OTHERS) > 0) {
        cue->factor = (m->mood == JUDGE_HOW_LESS) ? 1 / times : times;

    } else {
        cue->times = times;
        cue->other = other;
    }

    return true;
}


/* Whether the match of a row says something; "critical thinking" is not
 * critical. */

static bool
judge_cue_act(const judge_prose_t *p, judge_span_t s, judge_match_t *m,
    judge_cue_t *cue)
{
    double               times;
    const judge_term_t  *t, *end;

    t = &p->tokens[m->span.from];
    end = &p->tokens[m->end];
    times = (m->action == JUDGE_CUE_COMPARE && m->mood != JUDGE_HOW_TIMES)
            ? JUDGE_CUES_MORE : m->number[0];

    switch (m->action) {
    case JUDGE_CUE_COMPARE:
        return times > 0 && times <= JUDGE_CUES_TIMES
               && judge_cue_compare(p, s, m, times, cue);

    case JUDGE_CUE_FACTOR:
        if (times <= 0 || times > JUDGE_CUES_TIMES
            || (m->mood == JUDGE_HOW_PREDICATE
                && ((m->end < s.to && end->kind == JUDGE_TERM_WORD)
                    || (m->span.from > s.from && t[-1].kind == JUDGE_TERM_WORD
                        && !judge_term_is(t - 1, JUDGE_W_GLUE)))))
        {
            return false;
        }

        cue->factor = times;
        return true;

    case JUDGE_CUE_PASS:
        return true;

    default:
        return judge_cue_number(p, s, m, cue);
    }
}


/* A ratio ("2:1:1", "60/40"), or what a row finds. */

bool
judge_cue_next(const judge_prose_t *p, judge_span_t s, judge_cue_t *cue)
{
    size_t               i, n, end;
    double               sum;
    judge_match_t        m;
    const judge_rule_t  *rule;
    const judge_term_t  *t;

    for (i = s.from; i < s.to; i = (end > i) ? end : i + 1) {
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

        m = (judge_match_t) { .action = JUDGE_CUE_NONE };

        for (rule = judge_criteria_cues; end == 0
             && (rule = judge_span_rule(p, judge_span(i, s.to), rule, &m))
                != NULL; rule++)
        {
            end = judge_cue_act(p, s, &m, cue) ? m.end : 0;
        }

        if (end > 0 && (m.action != JUDGE_CUE_PASS || m.mood != 0)) {
            cue->at = judge_span(i, end);
            cue->how |= 1u << m.mood;
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

    *cue = (judge_cue_t) { .how = 0 };

    for (round = 0; round < JUDGE_CUES_MAX && judge_cue_next(p, s, cue);
         round++)
    {
        left = judge_span_strip(p, judge_span(s.from, cue->at.from),
                                JUDGE_W_GLUE, JUDGE_W_GLUE);
        s = (left.from < left.to
             && !judge_span_is(p, left.to - 1, JUDGE_W_JUDGE)
             && !(judge_cue_is(cue, RANKED)
                  && judge_span_is(p, cue->at.to, JUDGE_W_COLON)))
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
            text = t->low;
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
    size_t         i;
    judge_match_t  m;

    for (i = *at = s.from; i < s.to; *at = ++i) {
        /* "in the first 5 seconds" is not a length */

        if (judge_span_rule(p, judge_span(i, s.to), judge_criteria_bounds, &m)
            && (m.action != JUDGE_BOUND_COUNT || m.number[0] >= 2)
            && !judge_span_is(p, i - 1, JUDGE_W_ORDINAL))
        {
            return (m.action == JUDGE_BOUND_COUNT) ? i + 1 : m.end;
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
    f->mood |= (f->counted || judge_span_has(p, s, JUDGE_W_STRICT))
               ? judge_mood(STRICT) : 0;
    f->mood |= judge_span_has(p, s, JUDGE_W_LENIENT) ? judge_mood(LENIENT) : 0;
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

        if (cue.how != 0
            && (other != JUDGE_NONE || judge_span_generic(p, left)))
        {
            judge_draft_apply(p, (other != JUDGE_NONE) ? other : at, &cue);
            continue;
        }

        if (cue.share + cue.points + cue.times > 0
            || (cue.how != 0
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
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        return judge_draft_quality(p, JUDGE_Q_LENGTH, form);
    }

    /* "uses at least three concrete examples" is about examples */

    s.from = (end > 0 && end < s.to
              && !judge_span_has(p, judge_span(s.from, at), JUDGE_W_TOPIC))
             ? end : s.from;

    return judge_draft_add(p, s, form);
}


size_t
judge_detail_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_frame_t *frame)
{
    bool            length;
    size_t          at, n, words;
    judge_cue_t     cue;
    unsigned        mood;
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
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        p->mood |= (n > 0) ? judge_mood(AVOID) : judge_mood(NEVER);
        name.from = s.from + words;

    } else if ((mood & JUDGE_MOOD_NEGATIVE) != 0) {
        own.before = judge_str_c(judge_draft_saying(p,
                         (mood & judge_mood(NEVER)) ? JUDGE_SAY_DO_NOT
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
