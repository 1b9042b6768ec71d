/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Details of a criterion: examples, numbers of things, classes of scores.
 */


#include <math.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_grammar.h"


#define JUDGE_DETAILS_EXAMPLE  300     /* bytes of an example */
#define JUDGE_DETAILS_WORDS    8       /* of one in a list of examples */
#define JUDGE_DETAILS_LEVEL    12      /* tokens of "90-100: excellent" */


static void
judge_criteria_details_example(judge_draft_t *f, judge_str_t text)
{
    size_t  i;

    text = judge_utf8_prefix(text, JUDGE_DETAILS_EXAMPLE);

    for (i = 0; i < f->nexamples; i++) {
        if (judge_str_eq(f->examples[i], text)) {
            return;
        }
    }

    if (text.len > 0 && f->nexamples < JUDGE_CRITERIA_EXAMPLES) {
        f->examples[f->nexamples++] = text;
    }
}


/* Quotations are examples each; else what commas and "or" divide; long ones
 * are not divided. */

static void
judge_criteria_details_split(judge_criteria_t *p, judge_draft_t *f,
    judge_span_t s)
{
    bool                 quotes, longer;
    size_t               i, from;
    judge_str_t          text;
    const judge_term_t  *t;

    quotes = false;
    longer = false;

    for (i = s.from, from = i; i < s.to; i++) {
        t = &p->tokens[i];
        from = judge_term_is(t, JUDGE_W_COMMA) ? i : from;
        longer |= (i - from > JUDGE_DETAILS_WORDS);
        quotes |= t->kind == JUDGE_TERM_QUOTE;
    }

    for (i = s.from, from = i; i <= s.to; i++) {
        t = &p->tokens[i];

        if (quotes && i < s.to && t->kind == JUDGE_TERM_QUOTE) {
            text = (judge_str_t) { p->origin[t->end] - p->origin[t->begin],
                                   p->text.data + p->origin[t->begin] };
            judge_criteria_details_example(f, text);

        } else if (!quotes
                   && (i == s.to
                       || (!longer && judge_term_is(t, JUDGE_W_SERIES))))
        {
            judge_criteria_details_example(f, judge_span_text(p,
                                                  judge_span(from, i)));
            from = i + 1;
        }
    }
}


judge_span_t
judge_criteria_details_examples(judge_criteria_t *p, size_t at, judge_span_t s)
{
    size_t               i, n, end;
    const judge_term_t  *t;

    for (i = s.from, n = 0; i < s.to; i++) {
        t = &p->tokens[i];
        n = judge_span_match(p, i, s.to, JUDGE_W_EXAMPLE);
        n += n == 0 && i + 1 < s.to && judge_term_is(t, JUDGE_W_LIKE)
             && t[1].kind == JUDGE_TERM_QUOTE;

        if (n > 0) {
            break;
        }
    }

    if (i == s.to) {
        return s;
    }

    for (end = i + n; end < s.to; end++) {
        t = &p->tokens[end];

        if (judge_term_is(t, JUDGE_W_CLOSED)
            || (judge_term_is(t, JUDGE_W_STOP)
                && (end + 1 == s.to || t[1].capital)))
        {
            break;
        }
    }

    if (at < p->nfound) {
        judge_criteria_details_split(p, &p->found[at], judge_span(i + n, end));
    }

    s.to = i - (i > s.from && judge_term_is(&p->tokens[i - 1],
                                            JUDGE_W_OPENED));
    return s;
}


/* --- Classes of scores ------------------------------------------------- */


bool
judge_criteria_details_level(const judge_criteria_t *p, judge_span_t s,
    unsigned *level, double *value)
{
    bool                 named, below, number;
    size_t               i;
    double               class;
    const judge_term_t  *t;

    named = false;
    below = false;
    number = false;

    for (i = s.from; i < s.to && i < s.from + JUDGE_DETAILS_LEVEL; i++) {
        t = &p->tokens[i];
        below |= judge_term_is(t, JUDGE_W_BELOW);

        if (!named && judge_span_value(p, i, s.to, JUDGE_W_LEVEL,
                                       &class) > 0)
        {
            named = true;
            *level = (unsigned) class;

        } else if (t->kind == JUDGE_TERM_NUMBER && t->number <= 100) {
            *value = number ? fmin(*value, t->number) : t->number;
            number = true;

        } else if (named && number && t->kind == JUDGE_TERM_WORD
                   && !judge_term_is(t, JUDGE_W_BELOW))
        {
            break;
        }
    }

    /* "below 50 is poor": fair begins at 50 */

    *level -= named && number && below && *level > 0;

    return named && number;
}


bool
judge_criteria_details_levels(judge_criteria_t *p, judge_span_t s,
    double levels[4])
{
    size_t    i, from, n;
    double    value, got[4] = { -1, -1, -1, -1 };
    unsigned  level;

    level = 0;

    for (i = s.from, from = i, n = 0; i <= s.to; i++) {
        if (i < s.to && !judge_term_is(&p->tokens[i], JUDGE_W_PAUSE)
            && !judge_term_is(&p->tokens[i], JUDGE_W_AND))
        {
            continue;
        }

        if (judge_criteria_details_level(p, judge_span(from, i), &level,
                                         &value) && got[level] < 0)
        {
            got[level] = value;
            n++;
        }

        from = i + 1;
    }

    if (n == 0 || (n < 2 && judge_span_seek(p, s, JUDGE_W_SCORED) == s.to)) {
        return false;
    }

    for (i = 0; i < 4; i++) {
        levels[i] = (got[i] >= 0) ? got[i] : levels[i];
    }

    return true;
}


/* --- Numbers of things ------------------------------------------------- */


/* The number or range at i with its bound: its end, or 0. */

static size_t
judge_criteria_details_bound(const judge_criteria_t *p, size_t i, size_t to,
    double n[2], unsigned *bound)
{
    size_t                        end;
    const judge_criteria_rule_t  *rule;

    for (rule = judge_criteria_bounds; rule->pattern[0] != 0; rule++) {
        n[0] = n[1] = -1;
        end = judge_span_pattern(p, i, to, rule->pattern, n);
        *bound = rule->action;

        if (end == 0 || (*bound == JUDGE_BOUND_EXACT && n[1] <= n[0])
            || (*bound == JUDGE_BOUND_COUNT && n[0] < 2))
        {
            continue;
        }

        if (*bound == JUDGE_BOUND_SAID) {
            *bound = (unsigned) n[0];
            n[0] = n[1];
            n[1] = -1;
            return end;
        }

        if (*bound == JUDGE_BOUND_COUNT || *bound == JUDGE_BOUND_NEAR) {
            n[1] = -1;
            end = i + 1;
        }

        /* "in the first 5 seconds" is not a length */

        return judge_term_is(&p->tokens[i - 1], JUDGE_W_ORDINAL) ? 0 : end;
    }

    return 0;
}


size_t
judge_criteria_details_quantity(const judge_criteria_t *p, judge_span_t s,
    double *low, double *high, size_t *at)
{
    double    n[2];
    size_t    end;
    unsigned  bound;

    for (*at = s.from; *at < s.to; (*at)++) {
        n[0] = n[1] = -1;
        end = judge_criteria_details_bound(p, *at, s.to, n, &bound);

        if (end > 0) {
            bound = (bound == JUDGE_BOUND_COUNT) ? JUDGE_BOUND_LOW : bound;
            *low = (bound == JUDGE_BOUND_HIGH) ? -1
                   : (bound == JUDGE_BOUND_NEAR) ? floor(n[0] * 0.9) : n[0];
            *high = (n[1] >= 0) ? n[1] : (bound == JUDGE_BOUND_LOW) ? -1
                    : (bound == JUDGE_BOUND_NEAR) ? ceil(n[0] * 1.1) : n[0];
            return end;
        }
    }

    return 0;
}


static void
judge_criteria_details_counted(judge_criteria_t *p, judge_draft_t *f,
    judge_span_t s)
{
    bool                 exact;
    size_t               end, at, stop;
    double               low, high;
    judge_str_t          unit;
    judge_buf_t         *d;
    const judge_term_t  *t;

    end = judge_criteria_details_quantity(p, s, &low, &high, &at);

    if (end == 0 || f->counted) {
        return;
    }

    stop = end + (end < s.to && judge_term_is(&p->tokens[end],
                                              JUDGE_W_PERCENT));

    for (t = &p->tokens[stop];
         stop < s.to && stop < end + 2 && t->kind == JUDGE_TERM_WORD
         && !judge_term_is(t, JUDGE_W_UNCOUNTED); t++)
         {
        stop++;
    }

    unit = judge_span_text(p, judge_span(end, stop));

    if (unit.len == 0) {
        return;
    }

    exact = low >= 0 && high >= 0;
    d = &f->description;
    f->counted = true;
    f->mood.strict = true;
    judge_buf_printf(d, "%sMet fully with ", (d->len > 0) ? " " : "");

    if (exact && high > low) {
        judge_buf_printf(d, "%g to %g ", low, high);

    } else {
        judge_buf_printf(d, "%s %g ", exact ? "exactly"
                         : (low >= 0) ? "at least" : "at most",
                         (low >= 0) ? low : high);
    }

    judge_buf_str(d, unit);
    judge_buf_c(d, exact ? "; the further away, the worse."
                   : (low >= 0) ? "; the fewer, the worse."
                   : "; the more above it, the worse.");
    p->failed |= d->failed;
}


void
judge_criteria_details(judge_criteria_t *p, size_t at, judge_span_t s)
{
    judge_mood_t  *mood;

    mood = &p->found[at].mood;
    (void) judge_criteria_details_examples(p, at, s);
    judge_criteria_details_counted(p, &p->found[at], s);
    mood->strict |= judge_span_seek(p, s, JUDGE_W_STRICT) < s.to;
    mood->lenient |= judge_span_seek(p, s, JUDGE_W_LENIENT) < s.to;
}


/* A sentence only about weight or scores is not part of the description. */

void
judge_criteria_details_statements(judge_criteria_t *p, size_t at,
    judge_span_t whole)
{
    size_t        next, other;
    judge_cue_t   cue;
    judge_span_t  s, left;

    judge_criteria_cues_brackets(p, at, whole);

    for (s = whole; s.from < whole.to; s = judge_span(next, whole.to)) {
        next = s.to = judge_span_sentence(p, s);

        if (judge_criteria_details_levels(p, s, p->found[at].levels)) {
            continue;
        }

        left = judge_span_trim(p, judge_criteria_cues_take(p, s, &cue));
        other = judge_criteria_names_ordinal(p, left);

        if (cue.any && (other != JUDGE_CRITERIA_NONE || left.from >= left.to
                        || judge_span_generic(p, left)))
        {
            judge_criteria_cues_apply(p, (other != JUDGE_CRITERIA_NONE)
                                         ? other : at, &cue);
            continue;
        }

        if (cue.share >= 0 || cue.points >= 0 || cue.times >= 0) {
            judge_criteria_cues_apply(p, at, &cue);

            /* "30% - the facts are right" */

            s.from = (cue.at.from <= s.from + 1) ? cue.at.to : s.from;
        }

        judge_criteria_names_describe(p, at, JUDGE_STR(""), s);
    }

    judge_criteria_details(p, at, whole);
}
