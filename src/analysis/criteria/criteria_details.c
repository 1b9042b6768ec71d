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
judge_cue_number(judge_span_t s, const judge_match_t *m, judge_cue_t *cue)
{
    bool           bare, first;
    double         value;
    judge_term_t  *t;

    t = m->span.from;
    first = t == s.from;
    value = m->value;
    bare = m->mood == JUDGE_HOW_BARE && t[-1].close != m->end;

    if (value <= 0 || (m->action == JUDGE_CUE_SHARE && value > 100)
        || (m->mood == JUDGE_HOW_AHEAD && !first)
        || (bare && (t->kind != JUDGE_TERM_NUMBER
                     || judge_span_trim(s).to != m->end))
        || (bare && !first && t[-1].quality < 0 && value >= 1
            && fmod(value, 5) != 0)

        /* "weighted 2:1:1" is a ratio */

        || (judge_term_is(m->end, COLON) && m->end + 1 < s.to
            && m->end[1].kind == JUDGE_TERM_NUMBER))
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
judge_cue_compare(judge_span_t s, judge_match_t *m, double times,
    judge_cue_t *cue)
{
    judge_span_t  other;

    other = judge_span_trim(judge_span(m->end, s.to));

    if (m->end >= s.to || m->end->kind == JUDGE_TERM_NUMBER
        || (m->mood == JUDGE_HOW_OVER
            && !(judge_span_has(judge_span(s.from, m->span.from), TOPIC)
                 && judge_span_has(other, TOPIC))))
    {
        return false;
    }

    m->end = s.to;

    if (judge_span_match(other.from, s.to, OTHERS) > 0) {
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
judge_cue_act(judge_span_t s, judge_match_t *m, judge_cue_t *cue)
{
    double         times;
    judge_term_t  *t;

    t = m->span.from;
    times = (m->action == JUDGE_CUE_COMPARE && m->mood != JUDGE_HOW_TIMES)
            ? JUDGE_CUES_MORE : m->value;

    switch (m->action) {
    case JUDGE_CUE_COMPARE:
        return times > 0 && times <= JUDGE_CUES_TIMES
               && judge_cue_compare(s, m, times, cue);

    case JUDGE_CUE_FACTOR:
        if (times <= 0 || times > JUDGE_CUES_TIMES
            || (m->mood == JUDGE_HOW_PREDICATE
                && ((m->end < s.to && m->end->kind == JUDGE_TERM_WORD)
                    || (t > s.from && t[-1].kind == JUDGE_TERM_WORD
                        && !judge_term_is(t - 1, GLUE)))))
        {
            return false;
        }

        cue->factor = times;
        return true;

    case JUDGE_CUE_PASS:
        return true;

    default:
        return judge_cue_number(s, m, cue);
    }
}


/* A ratio ("2:1:1", "60/40"), or what a row finds. */

bool
judge_cue_next(judge_span_t s, judge_cue_t *cue)
{
    size_t               n;
    double               sum;
    judge_term_t        *t, *end;
    judge_match_t        m;
    const judge_rule_t  *rule;

    for (t = s.from; t < s.to; t = (end != NULL) ? end : t + 1) {
        for (n = 0, sum = 0; n < JUDGE_CRITERIA_RATIO && t + 2 * n < s.to
             && t[2 * n].kind == JUDGE_TERM_NUMBER
             && (n == 0 || judge_term_is(&t[2 * n - 1], RATIO)); n++)
        {
            cue->ratio[n] = t[2 * n].number;
            sum += t[2 * n].number;
        }

        n = (sum == 100 || judge_term_is(t + 1, COLON)) ? n : 0;
        end = (n > 1) ? t + 2 * n - 1 : NULL;
        cue->nratio = (n > 1) ? n : cue->nratio;

        m = (judge_match_t) { .action = JUDGE_CUE_NONE };

        for (rule = judge_criteria_cues; end == NULL
             && (rule = judge_span_rule(judge_span(t, s.to), rule, &m))
                != NULL; rule++)
        {
            end = judge_cue_act(s, &m, cue) ? m.end : NULL;
        }

        if (end != NULL && (m.action != JUDGE_CUE_PASS || m.mood != 0)) {
            cue->at = judge_span(t, end);
            cue->how |= 1u << m.mood;
            return true;
        }
    }

    return false;
}


/* What links a name and its weight goes, too: "is", "counts for".  The name
 * stands before it, but in "rated equally: accuracy". */

judge_span_t
judge_cue_take(judge_span_t s, judge_cue_t *cue)
{
    int           round;
    judge_span_t  left;

    *cue = (judge_cue_t) { .how = 0 };

    for (round = 0; round < JUDGE_CUES_MAX && judge_cue_next(s, cue); round++)
    {
        left = judge_span_strip(judge_span(s.from, cue->at.from), GLUE, GLUE);
        s = (left.from < left.to && !judge_term_is(left.to - 1, JUDGE)
             && !(judge_cue_is(cue, RANKED)
                  && judge_term_is(cue->at.to, COLON)))
            ? left : judge_span_strip(judge_span(cue->at.to, s.to), GLUE,
                                      GLUE);
    }

    return s;
}


/* --- Examples ---------------------------------------------------------- */


/* What commas and "or" divide is an example each, unless it is long; of
 * quotations only they. */

judge_span_t
judge_detail_examples(judge_draft_t *f, judge_span_t s)
{
    bool           quotes;
    size_t         n;
    judge_str_t    text;
    judge_span_t   left, piece;
    judge_term_t  *t, *end;

    for (t = s.from, n = 0; t < s.to && n == 0; t += n == 0) {
        n = judge_span_match(t, s.to, EXAMPLE);
        n += n == 0 && t + 1 < s.to && judge_term_is(t, LIKE)
             && t[1].kind == JUDGE_TERM_QUOTE;
    }

    left = judge_span(t + n, s.to);
    left.to = judge_span_seek(left, CLOSED);
    s.to = t - (t > s.from && n > 0 && judge_term_is(t - 1, OPENED));

    for (quotes = false, t = left.from; t < left.to; t++) {
        quotes |= t->kind == JUDGE_TERM_QUOTE;
    }

    for ( ; f != NULL && left.from < left.to; left.from = end + 1) {
        end = (quotes || left.to - left.from <= JUDGE_DETAILS_DIVIDED)
              ? judge_span_seek(left, SERIES) : left.to;
        piece = judge_span_trim(judge_span(left.from, end));
        text = (piece.from->kind == JUDGE_TERM_QUOTE) ? piece.from->low
               : quotes ? JUDGE_STR("") : judge_span_text(piece);

        if (text.len > 0 && f->nexamples < JUDGE_CRITERIA_EXAMPLES) {
            f->examples[f->nexamples++]
                = judge_utf8_prefix(text, JUDGE_DETAILS_EXAMPLE);
        }
    }

    return s;
}


/* --- Classes of scores ------------------------------------------------- */


/* "Below 50 is poor": fair begins at 50. */

bool
judge_detail_level(judge_span_t s, double levels[4])
{
    bool           below;
    size_t         level;
    double         class, value;
    judge_term_t  *t;

    class = value = -1;
    s = judge_span_near(s, JUDGE_DETAILS_LEVEL);

    for (t = s.from, below = false; t < s.to; t++) {
        below |= judge_term_is(t, BELOW);

        if (t->kind == JUDGE_TERM_NUMBER && t->number <= 100) {
            value = (value >= 0) ? fmin(value, t->number) : t->number;

        } else if (class < 0) {
            (void) judge_term_phrase(t, s.to, JUDGE_CLASS_LEVEL, &class);
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
judge_detail_levels(judge_span_t s, double levels[4])
{
    size_t         n;
    double         got[4] = { -1, -1, -1, -1 };
    judge_span_t   left;
    judge_term_t  *end;

    for (left = s, n = 0; left.from < s.to; left.from = end + 1) {
        end = judge_span_seek(left, ANDS);
        n += judge_detail_level(judge_span(left.from, end), got);
    }

    if (n == 0 || (n < 2 && !judge_span_has(s, SCORED))) {
        return false;
    }

    judge_detail_scale(got, levels);

    return true;
}


/* --- One criterion ----------------------------------------------------- */


judge_term_t *
judge_detail_quantity(judge_span_t s, judge_term_t **at)
{
    judge_match_t  m;

    for ( ; s.from < s.to; s.from++) {
        /* "in the first 5 seconds" is not a length */

        if (judge_span_rule(s, judge_criteria_bounds, &m) != NULL
            && (m.action != JUDGE_BOUND_COUNT || m.value >= 2)
            && !judge_term_is(s.from - 1, ORDINAL))
        {
            *at = s.from;
            return (m.action == JUDGE_BOUND_COUNT) ? s.from + 1 : m.end;
        }
    }

    return NULL;
}


static void
judge_detail_read(judge_draft_t *f, judge_span_t s)
{
    judge_term_t  *at;

    (void) judge_detail_examples(f, s);
    f->counted |= judge_detail_quantity(s, &at) != NULL;
    f->mood |= (f->counted || judge_span_has(s, STRICT)) ? judge_mood(STRICT)
                                                         : 0;
    f->mood |= judge_span_has(s, LENIENT) ? judge_mood(LENIENT) : 0;
}


/* A sentence only about weight or scores is not part of the description. */

void
judge_detail_statements(judge_prose_t *p, judge_draft_t *f,
    judge_span_t whole)
{
    judge_cue_t     cue;
    judge_span_t    s, left;
    judge_term_t   *next;
    judge_draft_t  *other;

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(s);

        if (judge_detail_levels(s, f->levels)) {
            continue;
        }

        left = judge_span_trim(judge_cue_take(s, &cue));
        other = judge_draft_ordinal(p, left);

        if (cue.how != 0 && (other != NULL || judge_span_generic(left))) {
            judge_draft_apply(p, (other != NULL) ? other : f, &cue);
            continue;
        }

        if (cue.share + cue.points + cue.times > 0
            || (cue.how != 0 && judge_term_is(cue.at.from - 1, OPENED)))
        {
            judge_draft_apply(p, f, &cue);

            /* "30% - the facts are right" */

            s.from = (cue.at.from <= s.from + 1) ? cue.at.to : s.from;
        }

        judge_draft_describe(p, f, NULL, s);
    }

    judge_detail_read(f, whole);
}


/* Adds what the piece names, without brackets, examples and numbers. */

static judge_draft_t *
judge_detail_add(judge_prose_t *p, judge_span_t s, judge_form_e form,
    bool *length)
{
    judge_term_t  *end, *at;

    s = judge_detail_examples(NULL, s);
    end = judge_span_seek(s, HEAD);
    s.to = (end > s.from) ? end : s.to;
    end = judge_detail_quantity(s, &at);
    *length = end != NULL
              && judge_span_has(judge_span_near(judge_span(end, s.to), 2),
                                LENGTH);

    if (*length) {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        return judge_draft_quality(p, JUDGE_Q_LENGTH, form);
    }

    /* "uses at least three concrete examples" is about examples */

    s.from = (end != NULL && end < s.to
              && !judge_span_has(judge_span(s.from, at), TOPIC))
             ? end : s.from;

    return judge_draft_add(p, s, form);
}


judge_draft_t *
judge_detail_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_frame_t *frame)
{
    bool            length;
    size_t          n, words;
    judge_cue_t     cue;
    unsigned        mood;
    judge_span_t    name;
    judge_frame_t   own = { JUDGE_STR(""), JUDGE_STR("") };
    judge_draft_t  *f;

    mood = p->mood;
    s = judge_span_trim(s);
    name = judge_cue_take(s, &cue);
    s = (frame == NULL) ? judge_span_trim(name) : s;
    n = judge_span_match(s.from, s.to, NO);
    words = n + judge_span_match(s.from, s.to, DONT);

    if (words > 0 && s.from + words < s.to
        && !judge_term_is(s.from + words, QUANTIFIED))
    {
        p->mood &= ~JUDGE_MOOD_NEGATIVE;
        p->mood |= (n > 0) ? judge_mood(AVOID) : judge_mood(NEVER);
        name.from = s.from + words;

    } else if ((mood & JUDGE_MOOD_NEGATIVE) != 0) {
        own.before = judge_str_c(judge_draft_saying(p,
                         (mood & judge_mood(NEVER)) ? JUDGE_SAY_DO_NOT
                                                    : JUDGE_SAY_AVOID));
    }

    f = judge_detail_add(p, name, form, &length);
    p->mood = mood;

    if (f == NULL) {
        return NULL;
    }

    if (frame != NULL
        || (!judge_str_caseeq(judge_span_text(s), f->name)
            && (length || judge_span_words(s) > 3
                || (f->named
                    && judge_span_words(judge_span_strip(s, FILLER, LINKING))
                       > 1))))
    {
        judge_draft_describe(p, f, (frame != NULL) ? frame : &own, s);
    }

    judge_detail_read(f, s);
    judge_draft_apply(p, f, &cue);

    return f;
}
