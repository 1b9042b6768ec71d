/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A measurement in words: what was measured, with its number; where; and how
 * to do better.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/builtin/explain.h"


#define JUDGE_QUOTE_BYTES  72
#define JUDGE_NEIGHBOURS   3           /* tokens on each side */


/* With that many decimals, 0 to 2; a fixed form, faster than printf. */

static void
judge_explain_number(judge_buf_t *b, double value, uint8_t decimals)
{
    char      digits[32], *p;
    uint8_t   i;
    uint64_t  n;

    p = digits + sizeof(digits);
    value *= decimals == 0 ? 1 : decimals == 1 ? 10 : 100;
    n = (uint64_t) floor(fabs(judge_clamp(value, -1e15, 1e15)) + 0.5);

    for (i = 0; i <= decimals || n > 0; i++) {
        if (i == decimals && decimals > 0) {
            *--p = '.';
        }

        *--p = (char) ('0' + n % 10);
        n /= 10;
    }

    if (value <= -0.5) {
        *--p = '-';
    }

    judge_buf_append(b, p, (size_t) (digits + sizeof(digits) - p));
}


/* The number that stands for a value that was measured. */

static double
judge_explain_value(const judge_feature_t *row, double value)
{
    if (row->logarithm) {
        value = judge_exp(value) - 1;
    }

    if (row->squared) {
        value *= value;
    }

    return row->scale != 0 ? value * (double) row->scale : value;
}


void
judge_explain_feature(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature)
{
    double                 value;
    const char            *p;
    const judge_feature_t  *row;

    row = &judge_features[feature];
    value = judge_explain_value(row, (double) m->v[feature]);

    if (row->none != NULL
        && fabs(value) < (row->decimals == 0 ? 0.5
                          : row->decimals == 1 ? 0.05 : 0.005))
    {
        judge_buf_c(b, row->none);
        return;
    }

    if (row->one != NULL && value >= 0.5 && value < 1.5) {
        judge_buf_c(b, row->one);
        return;
    }

    p = strstr(row->text, "%s");

    if (p == NULL) {
        judge_buf_c(b, row->text);
        return;
    }

    judge_buf_append(b, row->text, (size_t) (p - row->text));
    judge_explain_number(b, value, row->decimals);
    judge_buf_c(b, p + 2);
}


void
judge_explain_middle(judge_buf_t *b, const judge_term_t *term)
{
    const judge_feature_t  *row;

    row = &judge_features[term->feature];

    judge_buf_c(b, term->shape == JUDGE_TERM_NEAR ? " (best near "
                                                  : " (middle of the scale: ");
    judge_explain_number(b, judge_explain_value(row, (double) term->middle),
                         row->decimals);
    judge_buf_c(b, ")");
}


/* The sentence that a token belongs to, from 1. */

static size_t
judge_sentence_of(const judge_text_t *t, uint32_t token)
{
    size_t  low, high, middle;

    low = 0;
    high = t->nsentences;

    while (high - low > 1) {
        middle = (low + high) / 2;

        if (t->sentences[middle].first <= token) {
            low = middle;

        } else {
            high = middle;
        }
    }

    return low + 1;
}


/* The bytes of some tokens, on one line and not too long. */

static void
judge_explain_quote(judge_buf_t *b, const judge_text_t *t, uint32_t first,
    uint32_t end)
{
    size_t       begin;
    uint32_t     c;
    const char  *p, *from, *last;
    judge_str_t  all, part;

    begin = t->tokens[first].begin;
    all = (judge_str_t) { t->tokens[end - 1].end - begin,
                          t->str.data + begin };
    part = judge_utf8_prefix(all, JUDGE_QUOTE_BYTES);

    judge_buf_c(b, "\"");

    for (p = part.data, last = p + part.len; p < last; /* void */) {
        from = p;
        c = judge_utf8_next(&p, last);

        if (c == JUDGE_UTF8_INVALID || c < ' ') {
            judge_buf_c(b, c < ' ' ? " " : "?");

        } else {
            judge_buf_append(b, from, (size_t) (p - from));
        }
    }

    judge_buf_c(b, part.len < all.len ? "...\"" : "\"");
}


/* A word or two are quoted among their neighbours. */

static void
judge_explain_context(judge_buf_t *b, const judge_text_t *t,
    const judge_place_t *place, const judge_sentence_t *s)
{
    uint32_t  first, end;

    if (place->end - place->first > 2) {
        return;
    }

    first = place->first > s->first + JUDGE_NEIGHBOURS
            ? place->first - JUDGE_NEIGHBOURS : s->first;
    end = place->end + JUDGE_NEIGHBOURS < s->end
          ? place->end + JUDGE_NEIGHBOURS : s->end;

    if (first < place->first || end > place->end) {
        judge_buf_c(b, " in ");
        judge_explain_quote(b, t, first, end);
    }
}


bool
judge_explain_place(judge_buf_t *b, const judge_measure_t *m,
    judge_feature_e feature)
{
    size_t                  kind, k, sentence;
    const judge_place_t    *place;
    const judge_feature_t   *row;

    row = &judge_features[feature];
    kind = row->found;

    /* of several kinds the one that was found most often */

    for (k = kind + 1; k <= row->last; k++) {
        if (m->found[k].count > m->found[kind].count) {
            kind = k;
        }
    }

    if (kind == JUDGE_FOUND_NONE || m->found[kind].count == 0) {
        return false;
    }

    place = &m->found[kind].places[0];
    sentence = judge_sentence_of(m->text, place->first);

    judge_buf_printf(b, "sentence %zu: ", sentence);
    judge_explain_quote(b, m->text, place->first, place->end);
    judge_explain_context(b, m->text, place,
                          &m->text->sentences[sentence - 1]);

    if (judge_found_names[kind] != NULL) {
        judge_buf_c(b, " (");
        judge_buf_c(b, judge_found_names[kind]);
        judge_buf_c(b, ")");
    }

    return true;
}


const char *
judge_explain_advice(judge_feature_e feature, bool too_high)
{
    return too_high ? judge_features[feature].if_high
                    : judge_features[feature].if_low;
}
