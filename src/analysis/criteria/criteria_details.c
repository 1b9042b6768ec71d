/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Details of a criterion: examples, numbers of things, classes of scores.
 */


#include <math.h>
#include <string.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_context.h"


#define JUDGE_DETAILS_EXAMPLE  300     /* bytes of an example */
#define JUDGE_DETAILS_WORDS    8       /* of one in a list of examples */
#define JUDGE_DETAILS_LEVEL    12      /* tokens of "90-100: excellent" */


static void
judge_details_example(judge_parse_found_t *f, judge_str_t text)
{
    size_t  i;

    text = judge_utf8_prefix(text, JUDGE_DETAILS_EXAMPLE);

    for (i = 0; i < f->nexamples; i++) {
        if (judge_str_eq(f->examples[i], text)) {
            return;
        }
    }

    if (text.len > 0 && f->nexamples < JUDGE_PARSE_EXAMPLES) {
        f->examples[f->nexamples++] = text;
    }
}


/* Quotations are examples each; else what commas and "or" divide; long ones
 * are not divided. */

static void
judge_details_split(judge_parse_ctx_t *p, judge_parse_found_t *f,
    judge_parse_span_t span)
{
    bool                        quotes, longer;
    size_t                      i, from;
    const judge_parse_token_t  *t;

    quotes = false;
    longer = false;

    for (i = span.from, from = i; i < span.to; i++) {
        t = &p->tokens[i];
        from = judge_parse_mark(t, ',') ? i : from;
        longer |= (i - from > JUDGE_DETAILS_WORDS);

        if (t->kind == JUDGE_P_QUOTE) {
            quotes = true;
            judge_details_example(f, t->low);
        }
    }

    for (i = span.from, from = i; !quotes && i <= span.to; i++) {
        t = &p->tokens[i];

        if (i == span.to
            || (!longer && (judge_parse_marks(t, ",;")
                            || judge_parse_word(t, "or")
                            || judge_parse_word(t, "and")
                            || judge_parse_is(t, JUDGE_W_ABBREVIATION))))
        {
            judge_details_example(f, judge_parse_text(p, judge_parse_span(from,
                                                                          i)));
            from = i + 1;
        }
    }
}


/* The tokens that announce an example; 0: they do not. */

static size_t
judge_details_announced(const judge_parse_ctx_t *p, size_t i, size_t to)
{
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    if (i + 1 < to
        && (judge_parse_word(t, "example") || judge_parse_word(t, "examples"))
        && judge_parse_mark(t + 1, ':'))
    {
        return 2;
    }

    return (i + 1 < to
            && (judge_parse_word(t, "like") || judge_parse_word(t, "saying"))
            && t[1].kind == JUDGE_P_QUOTE)
           ? 1 : judge_parse_match(p, i, to, JUDGE_W_EXAMPLE);
}


judge_parse_span_t
judge_parse_examples(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t  i, n, end;

    for (i = span.from, n = 0; i < span.to; i++) {
        n = judge_details_announced(p, i, span.to);

        if (n > 0) {
            break;
        }
    }

    if (i == span.to) {
        return span;
    }

    for (end = i + n; end < span.to; end++) {
        if (judge_parse_mark(&p->tokens[end], ')')
            || (judge_parse_marks(&p->tokens[end], ".!?")
                && (end + 1 == span.to || p->tokens[end + 1].capital)))
        {
            break;
        }
    }

    if (at < p->nfound) {
        judge_details_split(p, &p->found[at], judge_parse_span(i + n, end));
    }

    span.to = i - (i > span.from && judge_parse_mark(&p->tokens[i - 1], '('));

    return span;
}


/* --- Classes of scores ------------------------------------------------- */


bool
judge_parse_level(const judge_parse_ctx_t *p, judge_parse_span_t span,
    unsigned *level, double *value)
{
    bool                        named, below, number;
    size_t                      i;
    double                      class;
    const judge_parse_token_t  *t;

    named = false;
    below = false;
    number = false;

    for (i = span.from; i < span.to && i < span.from + JUDGE_DETAILS_LEVEL;
         i++)
    {
        t = &p->tokens[i];

        if (!named && judge_parse_value(p, i, span.to, JUDGE_W_LEVEL, &class)
                      > 0)
        {
            named = true;
            *level = (unsigned) class;

        } else if (t->kind == JUDGE_P_NUMBER && t->number <= 100) {
            *value = number ? fmin(*value, t->number) : t->number;
            number = true;

        } else if (judge_parse_is(t, JUDGE_W_BELOW)) {
            below = true;

        } else if (t->kind == JUDGE_P_WORD && named && number) {
            break;
        }
    }

    /* "below 50 is poor": fair begins at 50 */

    if (named && number && below && *level > 0) {
        (*level)--;
    }

    return named && number;
}


bool
judge_parse_levels(judge_parse_ctx_t *p, judge_parse_span_t span,
    double levels[4])
{
    size_t    i, from, n;
    double    value, got[4] = { -1, -1, -1, -1 };
    unsigned  level;

    for (i = span.from, from = i, n = 0; i <= span.to; i++) {
        if (i < span.to && !judge_parse_marks(&p->tokens[i], ",;")
            && !judge_parse_word(&p->tokens[i], "and"))
        {
            continue;
        }

        if (judge_parse_level(p, judge_parse_span(from, i), &level,
                              &value) && got[level] < 0)
        {
            got[level] = value;
            n++;
        }

        from = i + 1;
    }

    if (n == 0
        || (n < 2 && judge_parse_seek(p, span, JUDGE_W_SCORED) == span.to))
    {
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
judge_details_bound(const judge_parse_ctx_t *p, size_t i, size_t to,
    double n[2], double *bound)
{
    size_t                      k, end;
    const judge_parse_token_t  *t;
    static const struct {
        const char           *pattern;
        judge_parse_bound_e   bound;
    } rules[] = {
        { "b#n#", JUDGE_P_EXACT }, { "f?#~#", JUDGE_P_EXACT },
        { "#+", JUDGE_P_LOW }, { "#rm", JUDGE_P_LOW },
        { "#rs", JUDGE_P_HIGH }, { "#rv", JUDGE_P_HIGH },
        { "#-?Z", JUDGE_P_NEAR }
    };

    t = &p->tokens[i];
    end = judge_parse_pattern(p, i, to, "B#", n);

    if (end > 0) {
        *bound = n[0];
        n[0] = n[1];
        n[1] = -1;
        return end;
    }

    /* "in the first 5 seconds" is not a length */

    if (judge_parse_is(t - 1, JUDGE_W_ORDINAL)) {
        return 0;
    }

    for (k = 0; k < sizeof(rules) / sizeof(rules[0]); k++) {
        n[0] = n[1] = -1;
        end = judge_parse_pattern(p, i, to, rules[k].pattern, n);
        *bound = rules[k].bound;

        if (end > 0 && (*bound != JUDGE_P_EXACT || n[1] > n[0])) {
            return end - (*bound == JUDGE_P_NEAR);
        }
    }

    /* "two sources" */

    n[0] = t->number;
    *bound = JUDGE_P_LOW;

    return (t->numeric && t->number >= 2 && i + 1 < to && t[1].quality >= 0
            && t[1].noun) ? i + 1 : 0;
}


size_t
judge_parse_quantity(const judge_parse_ctx_t *p, judge_parse_span_t span,
    double *low, double *high, size_t *at)
{
    size_t  end;
    double  n[2], bound;

    for (*at = span.from; *at < span.to; (*at)++) {
        n[0] = n[1] = -1;
        end = judge_details_bound(p, *at, span.to, n, &bound);

        if (end > 0) {
            *low = (bound == JUDGE_P_HIGH) ? -1
                   : (bound == JUDGE_P_NEAR) ? floor(n[0] * 0.9) : n[0];
            *high = (n[1] >= 0) ? n[1] : (bound == JUDGE_P_LOW) ? -1
                    : (bound == JUDGE_P_NEAR) ? ceil(n[0] * 1.1) : n[0];
            return end;
        }
    }

    return 0;
}


static void
judge_details_counted(judge_parse_ctx_t *p, judge_parse_found_t *f,
    judge_parse_span_t span)
{
    size_t                      end, at, stop;
    double                      low, high;
    judge_str_t                 unit;
    const judge_parse_token_t  *t;

    end = judge_parse_quantity(p, span, &low, &high, &at);

    if (end == 0 || f->counted) {
        return;
    }

    stop = end + (end < span.to && judge_parse_mark(&p->tokens[end], '%'));

    for (t = &p->tokens[stop];
         stop < span.to && stop < end + 2 && t->kind == JUDGE_P_WORD
         && !judge_parse_is(t, JUDGE_W_PREPOSITION)
         && !judge_parse_word(t, "and") && !judge_parse_word(t, "or")
         && !judge_parse_word(t, "long"); t++)
    {
        stop++;
    }

    unit = judge_parse_text(p, judge_parse_span(end, stop));

    if (unit.len == 0) {
        return;
    }

    f->counted = true;
    f->strict = true;
    judge_buf_c(&f->description, (f->description.len > 0) ? " " : "");
    judge_buf_c(&f->description, "Met fully with ");

    if (low >= 0 && high > low) {
        judge_buf_printf(&f->description, "%g to %g ", low, high);

    } else {
        judge_buf_printf(&f->description, "%s %g ",
                         (low >= 0 && high >= 0) ? "exactly"
                         : (low >= 0) ? "at least" : "at most",
                         (low >= 0) ? low : high);
    }

    judge_buf_str(&f->description, unit);
    judge_buf_c(&f->description, (low >= 0 && high >= 0)
                                 ? "; the further away, the worse."
                                 : (low >= 0) ? "; the fewer, the worse."
                                 : "; the more above it, the worse.");
    p->failed |= f->description.failed;
}


void
judge_parse_details(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    judge_parse_found_t  *f;

    f = &p->found[at];
    (void) judge_parse_examples(p, at, span);
    judge_details_counted(p, f, span);
    f->strict |= judge_parse_seek(p, span, JUDGE_W_STRICT) < span.to;
    f->lenient |= judge_parse_seek(p, span, JUDGE_W_LENIENT) < span.to;
}


/* A sentence only about weight or scores is not part of the description. */

void
judge_parse_statements(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t              other;
    judge_parse_cue_t   cue;
    judge_parse_span_t  s, left, whole;

    whole = span;
    judge_parse_brackets(p, at, span);

    for ( ; span.from < span.to; span.from = s.to) {
        s = (judge_parse_span_t) { span.from,
                                   judge_parse_sentence_end(p, span) };

        if (judge_parse_levels(p, s, p->found[at].levels)) {
            continue;
        }

        left = judge_parse_trim(p, judge_parse_take(p, s, &cue));
        other = judge_parse_ordinal(p, left);

        if (cue.any && (other != JUDGE_PARSE_NONE || left.from >= left.to
                        || judge_parse_generic(p, left)))
        {
            judge_parse_apply(p, (other != JUDGE_PARSE_NONE) ? other : at,
                              &cue);
            continue;
        }

        if (cue.share >= 0 || cue.points >= 0 || cue.times >= 0) {
            judge_parse_apply(p, at, &cue);

            /* "30% - the facts are right" */

            s.from = (cue.at.from <= s.from + 1) ? cue.at.to : s.from;
        }

        judge_parse_describe(p, at, JUDGE_STR(""), s);
    }

    judge_parse_details(p, at, whole);
}
