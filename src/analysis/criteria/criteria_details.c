/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Details of a criterion: examples, numbers of things, classes of scores.
 */


#include <math.h>
#include <string.h>

#include "analysis/criteria/criteria_parts.h"
#include "base/text/utf8.h"


#define JUDGE_DETAIL_EXAMPLE  300      /* bytes of an example */
#define JUDGE_DETAIL_WORDS    8        /* of one in a list of examples */

typedef enum {
    JUDGE_DETAIL_LOW,                  /* N is the least */
    JUDGE_DETAIL_HIGH,                 /* N is the most */
    JUDGE_DETAIL_EXACT,
    JUDGE_DETAIL_NEAR
} judge_detail_bound_e;


static const struct {
    const char            *words;
    judge_detail_bound_e   bound;
} judge_detail_before[] = {
    { "at_least", JUDGE_DETAIL_LOW },
    { "a_minimum_of", JUDGE_DETAIL_LOW },
    { "minimum_of", JUDGE_DETAIL_LOW },
    { "minimum", JUDGE_DETAIL_LOW },
    { "min", JUDGE_DETAIL_LOW },
    { "no_fewer_than", JUDGE_DETAIL_LOW },
    { "no_less_than", JUDGE_DETAIL_LOW },
    { "not_less_than", JUDGE_DETAIL_LOW },
    { "no_more_than", JUDGE_DETAIL_HIGH },
    { "not_more_than", JUDGE_DETAIL_HIGH },
    { "more_than", JUDGE_DETAIL_LOW },
    { "longer_than", JUDGE_DETAIL_LOW },
    { "at_most", JUDGE_DETAIL_HIGH },
    { "a_maximum_of", JUDGE_DETAIL_HIGH },
    { "maximum_of", JUDGE_DETAIL_HIGH },
    { "maximum", JUDGE_DETAIL_HIGH },
    { "max", JUDGE_DETAIL_HIGH },
    { "up_to", JUDGE_DETAIL_HIGH },
    { "less_than", JUDGE_DETAIL_HIGH },
    { "fewer_than", JUDGE_DETAIL_HIGH },
    { "shorter_than", JUDGE_DETAIL_HIGH },
    { "not_exceed", JUDGE_DETAIL_HIGH },
    { "under", JUDGE_DETAIL_HIGH },
    { "below", JUDGE_DETAIL_HIGH },
    { "within", JUDGE_DETAIL_HIGH },
    { "exactly", JUDGE_DETAIL_EXACT },
    { "about", JUDGE_DETAIL_NEAR },
    { "around", JUDGE_DETAIL_NEAR },
    { "approximately", JUDGE_DETAIL_NEAR },
    { "roughly", JUDGE_DETAIL_NEAR }
};

static const char  judge_detail_lengths[] =
    "words word characters character sentences sentence paragraphs paragraph "
    "pages page lines line minutes minute seconds second hours tokens";

static const char *const  judge_detail_levels[4] = {
    "excellent outstanding exceptional exemplary perfect",
    "good strong proficient solid",
    ("fair average acceptable satisfactory adequate pass passing mediocre ok "
     "okay developing"),
    "poor bad weak failing fail fails unacceptable unsatisfactory inadequate"
};

static const char  judge_detail_below[] = "below under less lower fewer";
static const char  judge_detail_scored[] =
    "score scores scored scoring points mark marks threshold thresholds pass "
    "rating ratings";


static bool
judge_detail_in(const judge_parse_token_t *t, const char *words)
{
    size_t  n;

    while (*words != '\0' && t->kind == JUDGE_P_WORD) {
        n = strcspn(words, " ");

        if (t->low.len == n && memcmp(t->low.data, words, n) == 0) {
            return true;
        }

        words += n;
        words += (*words == ' ');
    }

    return false;
}


/* --- Examples ---------------------------------------------------------- */


/* The tokens that announce an example; 0: they do not. */

static size_t
judge_detail_cue(const judge_parse_ctx_t *p, size_t i, size_t to)
{
    size_t  k, n;
    static const char *const  cues[] = {
        "for_example", "for_instance", "such_as", "e.g.", "eg", NULL
    };

    for (k = 0; cues[k] != NULL; k++) {
        n = judge_parse_phrase(p->tokens, i, to, cues[k]);

        if (n > 0) {
            return n;
        }
    }

    if (i + 1 >= to) {
        return 0;
    }

    if ((judge_parse_word(&p->tokens[i], "example")
         || judge_parse_word(&p->tokens[i], "examples"))
        && judge_parse_mark(&p->tokens[i + 1], ':'))
    {
        return 2;
    }

    return ((judge_parse_word(&p->tokens[i], "like")
             || judge_parse_word(&p->tokens[i], "saying"))
            && p->tokens[i + 1].kind == JUDGE_P_QUOTE) ? 1 : 0;
}


static void
judge_detail_example(judge_parse_ctx_t *p, judge_parse_found_t *f,
    judge_str_t text)
{
    size_t  i;

    text = judge_utf8_prefix(text, JUDGE_DETAIL_EXAMPLE);

    if (text.len == 0 || f->nexamples == JUDGE_PARSE_EXAMPLES) {
        return;
    }

    for (i = 0; i < f->nexamples; i++) {
        if (judge_str_eq(f->examples[i], text)) {
            return;
        }
    }

    f->examples[f->nexamples++] = text;
}


/* Quotations are examples each; else what commas and "or" divide. */

static void
judge_detail_split(judge_parse_ctx_t *p, judge_parse_found_t *f,
    judge_parse_span_t span)
{
    bool                        quotes, longer;
    size_t                      i, from;
    const judge_parse_token_t  *t;

    quotes = false;
    longer = false;
    from = span.from;

    for (i = span.from; i < span.to; i++) {
        quotes |= (p->tokens[i].kind == JUDGE_P_QUOTE);
        from = judge_parse_mark(&p->tokens[i], ',') ? i : from;
        longer |= (i - from > JUDGE_DETAIL_WORDS);
    }

    for (i = span.from; quotes && i < span.to; i++) {
        if (p->tokens[i].kind == JUDGE_P_QUOTE) {
            judge_detail_example(p, f, p->tokens[i].low);
        }
    }

    if (quotes || longer) {
        if (!quotes) {
            judge_detail_example(p, f, judge_parse_text(p, span));
        }

        return;
    }

    from = span.from;

    for (i = span.from; i <= span.to; i++) {
        t = &p->tokens[i];

        if (i == span.to || judge_parse_mark(t, ',')
            || judge_parse_mark(t, ';') || judge_parse_word(t, "or")
            || judge_parse_word(t, "and") || judge_parse_word(t, "etc"))
        {
            judge_detail_example(p, f, judge_parse_text(p,
                                     (judge_parse_span_t) { from, i }));
            from = i + 1;
        }
    }
}


judge_parse_span_t
judge_parse_examples(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t  i, n, end;

    for (i = span.from; i < span.to; i++) {
        n = judge_detail_cue(p, i, span.to);

        if (n == 0) {
            continue;
        }

        for (end = i + n; end < span.to; end++) {
            if (judge_parse_mark(&p->tokens[end], ')')
                || (p->tokens[end].kind == JUDGE_P_MARK
                    && memchr(".!?", p->tokens[end].mark, 3) != NULL
                    && (end + 1 == span.to || p->tokens[end + 1].capital)))
            {
                break;
            }
        }

        if (at < p->nfound) {
            judge_detail_split(p, &p->found[at],
                               (judge_parse_span_t) { i + n, end });
        }

        if (i > span.from && judge_parse_mark(&p->tokens[i - 1], '(')) {
            i--;
        }

        span.to = i;
        break;
    }

    return span;
}


/* --- Classes of scores ------------------------------------------------- */


static bool
judge_detail_level_of(const judge_parse_token_t *t, unsigned *level)
{
    unsigned  i;

    for (i = 0; i < 4; i++) {
        if (judge_detail_in(t, judge_detail_levels[i])) {
            *level = i;
            return true;
        }
    }

    return false;
}


bool
judge_parse_level(const judge_parse_ctx_t *p, judge_parse_span_t span,
    unsigned *level, double *value)
{
    bool                        named, below, number;
    size_t                      i;
    unsigned                    one;
    const judge_parse_token_t  *t;

    named = false;
    below = false;
    number = false;

    for (i = span.from; i < span.to && i < span.from + 12; i++) {
        t = &p->tokens[i];

        if (!named && judge_detail_level_of(t, &one)) {
            named = true;
            *level = one;

        } else if (t->kind == JUDGE_P_NUMBER && t->number <= 100) {
            *value = number ? fmin(*value, t->number) : t->number;
            number = true;

        } else if (judge_detail_in(t, judge_detail_below)) {
            below = true;

        } else if (t->kind == JUDGE_P_WORD && named && number) {
            break;
        }
    }

    /* "below 50 is poor" says where fair begins */

    if (named && number && below && *level > 0) {
        (*level)--;
    }

    return named && number;
}


bool
judge_parse_levels(judge_parse_ctx_t *p, judge_parse_span_t span,
    double levels[4])
{
    bool      scored;
    size_t    i, from, n;
    double    value, got[4] = { -1, -1, -1, -1 };
    unsigned  level;

    from = span.from;
    scored = false;
    n = 0;

    for (i = span.from; i <= span.to; i++) {
        if (i < span.to) {
            scored |= judge_detail_in(&p->tokens[i], judge_detail_scored);
        }

        if (i < span.to && !judge_parse_mark(&p->tokens[i], ',')
            && !judge_parse_mark(&p->tokens[i], ';')
            && !judge_parse_word(&p->tokens[i], "and"))
        {
            continue;
        }

        if (judge_parse_level(p, (judge_parse_span_t) { from, i }, &level,
                              &value)
            && got[level] < 0)
        {
            got[level] = value;
            n++;
        }

        from = i + 1;
    }

    if (n == 0 || (n < 2 && !scored)) {
        return false;
    }

    for (i = 0; i < 4; i++) {
        levels[i] = (got[i] >= 0) ? got[i] : levels[i];
    }

    return true;
}


/* --- Numbers of things ------------------------------------------------- */


static void
judge_detail_bounds(judge_detail_bound_e bound, double n, double *low,
    double *high)
{
    *low = (bound == JUDGE_DETAIL_HIGH) ? -1 : n;
    *high = (bound == JUDGE_DETAIL_LOW) ? -1 : n;

    if (bound == JUDGE_DETAIL_NEAR) {
        *low = floor(n * 0.9);
        *high = ceil(n * 1.1);
    }
}


/* "between 300 and 500", "3-5", "two to four": the end, or 0. */

static size_t
judge_detail_range(const judge_parse_ctx_t *p, size_t i, size_t to,
    double *low, double *high)
{
    const judge_parse_token_t  *t;

    t = p->tokens;
    i += judge_parse_word(&t[i], "between") || judge_parse_word(&t[i], "from");

    if (i + 3 > to || !judge_parse_number(&t[i], low)
        || !(judge_parse_mark(&t[i + 1], '-')
             || judge_parse_mark(&t[i + 1], JUDGE_P_DASH)
             || judge_parse_word(&t[i + 1], "to")
             || (judge_parse_word(&t[i + 1], "and")
                 && i > 0 && judge_parse_word(&t[i - 1], "between")))
        || !judge_parse_number(&t[i + 2], high) || *high <= *low)
    {
        return 0;
    }

    return i + 3;
}


/* A bare number counts before what is counted: "two sources". */

static size_t
judge_detail_bare(const judge_parse_ctx_t *p, size_t i, size_t to,
    double *low, double *high)
{
    size_t                      k;
    double                      n;
    const judge_parse_token_t  *t;

    t = p->tokens;

    if (!judge_parse_number(&t[i], &n) || n < 1 || i + 1 >= to) {
        return 0;
    }

    /* "in the first 5 seconds" says when, not how long */

    if (i > 0 && (judge_parse_word(&t[i - 1], "first")
                  || judge_parse_word(&t[i - 1], "last")))
    {
        return 0;
    }

    k = i + 1;

    if (judge_parse_mark(&t[k], '+')) {
        judge_detail_bounds(JUDGE_DETAIL_LOW, n, low, high);
        return k + 1;
    }

    if (judge_parse_phrase(t, k, to, "or_more") > 0) {
        judge_detail_bounds(JUDGE_DETAIL_LOW, n, low, high);
        return k + 2;
    }

    if (judge_parse_phrase(t, k, to, "or_less") > 0
        || judge_parse_phrase(t, k, to, "or_fewer") > 0)
    {
        judge_detail_bounds(JUDGE_DETAIL_HIGH, n, low, high);
        return k + 2;
    }

    k += judge_parse_mark(&t[k], '-');

    if (k < to && judge_detail_in(&t[k], judge_detail_lengths)) {
        judge_detail_bounds(JUDGE_DETAIL_NEAR, n, low, high);
        return k;
    }

    if (n >= 2 && t[k].kind == JUDGE_P_WORD && t[k].quality >= 0
        && t[k].noun)
    {
        judge_detail_bounds(JUDGE_DETAIL_LOW, n, low, high);
        return k;
    }

    return 0;
}


size_t
judge_parse_quantity(const judge_parse_ctx_t *p, judge_parse_span_t span,
    double *low, double *high, size_t *at)
{
    size_t  i, k, n, end;
    double  value;

    for (i = span.from; i < span.to; i++) {
        *at = i;
        end = judge_detail_range(p, i, span.to, low, high);

        if (end > 0) {
            return end;
        }

        for (k = 0; k < sizeof(judge_detail_before)
                        / sizeof(judge_detail_before[0]); k++)
        {
            n = judge_parse_phrase(p->tokens, i, span.to,
                                   judge_detail_before[k].words);

            if (n > 0 && i + n < span.to
                && judge_parse_number(&p->tokens[i + n], &value))
            {
                judge_detail_bounds(judge_detail_before[k].bound, value, low,
                                    high);
                return i + n + 1;
            }
        }

        end = judge_detail_bare(p, i, span.to, low, high);

        if (end > 0) {
            return end;
        }
    }

    return 0;
}


static void
judge_detail_counted(judge_parse_ctx_t *p, judge_parse_found_t *f,
    judge_parse_span_t span)
{
    size_t       end, at, stop;
    double       low, high;
    judge_str_t  unit;

    end = judge_parse_quantity(p, span, &low, &high, &at);

    if (end == 0 || f->counted) {
        return;
    }

    stop = end;

    if (stop < span.to && judge_parse_mark(&p->tokens[stop], '%')) {
        stop++;
    }

    while (stop < span.to && stop < end + 2
           && p->tokens[stop].kind == JUDGE_P_WORD
           && !judge_parse_is(&p->tokens[stop], JUDGE_PW_PREPOSITION)
           && !judge_parse_word(&p->tokens[stop], "and")
           && !judge_parse_word(&p->tokens[stop], "or")
           && !judge_parse_word(&p->tokens[stop], "long"))
    {
        stop++;
    }

    unit = judge_parse_text(p, (judge_parse_span_t) { end, stop });

    if (unit.len == 0) {
        return;
    }

    f->counted = true;
    f->strict = true;
    judge_buf_c(&f->description, (f->description.len > 0) ? " " : "");

    if (low >= 0 && high >= 0 && high > low) {
        judge_buf_printf(&f->description, "Met fully with %g to %g ", low,
                         high);
    } else {
        judge_buf_printf(&f->description, "Met fully with %s %g ",
                         (low >= 0 && high >= 0) ? "exactly"
                         : (low >= 0) ? "at least" : "at most",
                         (low >= 0) ? low : high);
    }

    judge_buf_str(&f->description, unit);
    judge_buf_c(&f->description, (low >= 0 && high >= 0)
                                 ? "; the further away, the worse."
                                 : (low >= 0) ? "; the fewer, the worse."
                                 : "; the more above it, the worse.");
}


void
judge_parse_details(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t                i;
    judge_parse_found_t  *f;

    if (at >= p->nfound) {
        return;
    }

    f = &p->found[at];
    (void) judge_parse_examples(p, at, span);
    judge_detail_counted(p, f, span);

    for (i = span.from; i < span.to; i++) {
        f->strict |= judge_parse_is(&p->tokens[i], JUDGE_PW_STRICT);
        f->lenient |= judge_parse_is(&p->tokens[i], JUDGE_PW_LENIENT);
    }
}
