/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Where one member of an enumeration ends and the next one begins.
 */


#include "analysis/criteria/criteria_parts.h"


static const char *const  judge_piece_faults[] = {
    "mistakes", "errors", "issues", "problems", "content", "language",
    "remarks", "comments", "claims", "words", "phrases", "terms", NULL
};


/* The tokens of what divides two pieces; 0: nothing does here. */

static size_t
judge_piece_divider(const judge_parse_ctx_t *p, size_t i, size_t to)
{
    size_t                      n;
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    if (judge_parse_mark(t, ',') || judge_parse_mark(t, ';')
        || judge_parse_mark(t, '&') || judge_parse_mark(t, JUDGE_P_DASH)
        || judge_parse_mark(t, '+') || judge_parse_word(t, "and")
        || judge_parse_word(t, "plus") || judge_parse_word(t, "but")
        || judge_parse_word(t, "while") || judge_parse_word(t, "whereas")
        || judge_parse_word(t, "yet"))
    {
        return 1;
    }

    n = judge_parse_phrase(p->tokens, i, to, "as_well_as");
    n += judge_parse_phrase(p->tokens, i, to, "along_with");
    n += judge_parse_phrase(p->tokens, i, to, "followed_by");

    return n;
}


/* "between 300 and 500 words", "2+ sources", "grammar and spelling errors"
 * where errors are to be avoided. */

static bool
judge_piece_holds(const judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span)
{
    size_t                      k;
    double                      value;
    const judge_parse_token_t  *t;

    t = p->tokens;

    if (judge_parse_mark(&t[i], '+') || judge_parse_mark(&t[i],
                                                         JUDGE_P_DASH))
    {
        return i > span.from && t[i - 1].kind == JUDGE_P_NUMBER;
    }

    if (!judge_parse_word(&t[i], "and") || i == span.from) {
        return false;
    }

    if (i + 1 < span.to && judge_parse_number(&t[i + 1], &value)
        && judge_parse_number(&t[i - 1], &value)
        && i > span.from + 1 && judge_parse_word(&t[i - 2], "between"))
    {
        return true;
    }

    if (!p->negative) {
        return false;
    }

    for (k = i + 1; k < span.to && k < i + 4
                    && t[k].kind == JUDGE_P_WORD; k++)
    {
        if (judge_parse_any(p, k, span.to, judge_piece_faults) > 0) {
            return true;
        }
    }

    return false;
}


size_t
judge_parse_piece_end(const judge_parse_ctx_t *p, judge_parse_span_t span,
    size_t *next)
{
    size_t                      i, n, depth;
    bool                        comma;
    const judge_parse_token_t  *t;

    depth = 0;
    comma = span.from > 0 && judge_parse_mark(&p->tokens[span.from - 1], ',');

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if (judge_parse_mark(t, '(')) {
            depth++;

        } else if (judge_parse_mark(t, ')')) {
            depth -= (depth > 0);
        }

        if (depth > 0) {
            continue;
        }

        n = judge_piece_divider(p, i, span.to);

        /* "a, b or c" are three, "spelling or grammar mistakes" one */

        if (n == 0 && comma && judge_parse_word(t, "or")) {
            n = 1;
        }

        if (n == 0 || judge_piece_holds(p, i, span)) {
            continue;
        }

        *next = i + n;

        while (*next < span.to
               && ((n = judge_piece_divider(p, *next, span.to)) > 0
                   || (n = judge_parse_word(&p->tokens[*next], "or")) > 0
                   || (n = judge_parse_word(&p->tokens[*next], "then")) > 0
                   || (n = judge_parse_word(&p->tokens[*next], "also")) > 0))
        {
            *next += n;
        }

        return i;
    }

    *next = span.to;

    return span.to;
}
