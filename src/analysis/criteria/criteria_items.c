/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Pieces of text that name one criterion each: the members of an enumeration
 * ("clarity, a friendly tone (30%) and no jargon") and of what is required
 * ("should be short, cite two sources and never blame the customer").
 */


#include <string.h>

#include "analysis/criteria/criteria_context.h"


/* The criteria of an enumeration. */

typedef struct {
    size_t             group[JUDGE_PARSE_FOUND];
    size_t             n;
    size_t             before;         /* of them, before the last cue */
    judge_parse_cue_t  pending;        /* a cue before its name */
    judge_parse_cue_t  last;
    size_t             last_at;
} judge_items_t;


/* --- Members of a list ------------------------------------------------- */


/* The tokens of what divides two pieces at i; 0: nothing does. */

static size_t
judge_items_divider(const judge_parse_ctx_t *p, size_t i, size_t to)
{
    return judge_parse_marks(&p->tokens[i], ",;&D+")
           ? 1 : judge_parse_match(p, i, to, JUDGE_W_DIVIDER);
}


/* "between 300 and 500 words", "2+ sources", "grammar and spelling errors"
 * where errors are to be avoided are one piece. */

static bool
judge_items_holds(const judge_parse_ctx_t *p, size_t i,
    judge_parse_span_t span)
{
    const judge_parse_token_t  *t;

    t = &p->tokens[i];

    if (judge_parse_marks(t, "+D")) {
        return t[-1].kind == JUDGE_P_NUMBER;
    }

    if (!judge_parse_word(t, "and") || i < span.from + 1) {
        return false;
    }

    if (i + 1 < span.to && t[1].numeric && t[-1].numeric
        && judge_parse_word(t - 2, "between"))
    {
        return true;
    }

    span = judge_parse_span(i + 1, (span.to - i > 4) ? i + 4 : span.to);
    span.to = judge_parse_seek_mark(p, span, ",;.:()");

    return p->negative != 0
           && judge_parse_seek(p, span, JUDGE_W_FAULT) < span.to;
}


size_t
judge_parse_piece_end(const judge_parse_ctx_t *p, judge_parse_span_t span,
    size_t *next)
{
    size_t                      i, n, depth;
    bool                        comma;
    const judge_parse_token_t  *t;

    depth = 0;
    comma = judge_parse_mark(&p->tokens[span.from - 1], ',');

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];
        depth += judge_parse_mark(t, '(');

        if (depth > 0) {
            depth -= judge_parse_mark(t, ')');
            continue;
        }

        /* "a, b or c" are three, "spelling or grammar mistakes" one */

        n = (comma && judge_parse_word(t, "or"))
            ? 1 : judge_items_divider(p, i, span.to);

        if (n == 0 || judge_items_holds(p, i, span)) {
            continue;
        }

        for (*next = i; n > 0 && *next < span.to; *next += n) {
            n = judge_items_divider(p, *next, span.to);
            n += (n == 0) ? judge_parse_match(p, *next, span.to,
                                              JUDGE_W_CONNECTOR) : 0;
        }

        return i;
    }

    *next = span.to;

    return span.to;
}


/* --- One piece --------------------------------------------------------- */


/* Skips "no", "without", "not" and sets p->negative. */

static judge_parse_span_t
judge_items_negation(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  n, verb;

    n = judge_parse_match(p, span.from, span.to, JUDGE_W_NO);
    verb = judge_parse_match(p, span.from, span.to, JUDGE_W_DONT);

    if (n + verb > 0 && span.from + n + verb < span.to
        && !judge_parse_is(&p->tokens[span.from + n + verb],
                           JUDGE_W_QUANTIFIED))
    {
        p->negative = (n > 0) ? 'N' : 'V';
        span.from += n + verb;
    }

    return span;
}


/* What names the piece: without brackets, examples and numbers. */

static judge_parse_span_t
judge_items_name(judge_parse_ctx_t *p, judge_parse_span_t span, bool *length)
{
    size_t  i, end, at;
    double  low, high;

    span = judge_parse_examples(p, JUDGE_PARSE_NONE, span);
    i = judge_parse_seek_mark(p, span, "(:");
    span.to = (i > span.from) ? i : span.to;
    end = judge_parse_quantity(p, span, &low, &high, &at);
    *length = false;

    if (end == 0 || end >= span.to) {
        return span;
    }

    for (i = end; i < span.to && i < end + 2; i++) {
        *length |= judge_parse_is(&p->tokens[i], JUDGE_W_LENGTH);
    }

    /* "uses at least three concrete examples" is about examples, "cites two
     * articles" about citing, "at least one of them" about neither */

    if (!*length && !judge_parse_word(&p->tokens[end], "of")
        && !judge_parse_has_quality(p, span.from, at))
    {
        span.from = end;
    }

    return span;
}


static size_t
judge_items_add(judge_parse_ctx_t *p, judge_parse_span_t name, bool length,
    judge_parse_form_e form)
{
    if (!length) {
        return judge_parse_add(p, name, form);
    }

    p->negative = 0;

    return judge_parse_add_quality(p, judge_quality_find("Length"), form);
}


size_t
judge_parse_piece(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form)
{
    bool                    length;
    char                    negative;
    size_t                  at, words;
    judge_parse_span_t      inner, name;
    const judge_quality_t  *q;

    negative = p->negative;
    span = judge_parse_trim(p, span);
    inner = judge_items_negation(p, span);
    name = judge_items_name(p, inner, &length);
    at = judge_items_add(p, name, length, form);

    if (at != JUDGE_PARSE_NONE) {
        words = judge_parse_count(p, span);
        q = judge_quality(p->found[at].quality);

        /* only what says more than the name is a description */

        if (!judge_str_caseeq(judge_parse_text(p, span), p->found[at].name)
            && (length || words > 3
                || (words > 1 && q != NULL
                    && judge_str_eq_c(p->found[at].name, q->name))))
        {
            judge_parse_describe(p, at,
                                 (inner.from > span.from) ? JUDGE_STR("")
                                 : (negative == 'V') ? JUDGE_STR("Do not")
                                 : (negative == 'N') ? JUDGE_STR("Avoid")
                                 : JUDGE_STR(""), span);
        }

        judge_parse_details(p, at, span);
        judge_parse_brackets(p, at, span);
    }

    p->negative = negative;

    return at;
}


/* --- Enumerations ------------------------------------------------------ */


/* "each", or a verb in the plural: the cue is about all before it. */

static bool
judge_items_plural(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const judge_parse_cue_t *cue)
{
    size_t  i;

    for (i = span.from; i < span.to; i++) {
        if (judge_parse_word(&p->tokens[i], "each")
            || (i <= cue->at.from && i > span.from
                && judge_parse_is(&p->tokens[i], JUDGE_W_PLURAL)))
        {
            return true;
        }
    }

    return false;
}


/* To those criteria that have no weight yet. */

static void
judge_items_apply(judge_parse_ctx_t *p, const size_t *group, size_t n,
    const judge_parse_cue_t *cue)
{
    size_t                      i;
    const judge_parse_found_t  *f;

    for (i = 0; i < n; i++) {
        f = &p->found[(group == NULL) ? i : group[i]];

        if (f->share < 0 && f->points < 0
            && (group != NULL ? f->factor == 1
                              : f + 1 != &p->found[p->last]))
        {
            judge_parse_apply(p, (size_t) (f - p->found), cue);
        }
    }
}


/* A cue without a name is about those before it, or the one that follows. */

static bool
judge_items_nameless(judge_parse_ctx_t *p, judge_items_t *l,
    judge_parse_span_t span, judge_parse_span_t name,
    const judge_parse_cue_t *cue)
{
    size_t  n;
    bool    others;

    n = name.to - name.from;
    others = n > 0 && judge_parse_match(p, name.from, name.to,
                                        JUDGE_W_OTHERS) == n;

    if (!cue->any
        || (n > 0 && !others
            && judge_parse_match(p, name.from, name.to, JUDGE_W_ONE) != n
            && judge_parse_match(p, name.from, name.to, JUDGE_W_MANY) != n))
    {
        return false;
    }

    p->weighed |= !cue->scale;

    if (others) {
        judge_items_apply(p, NULL, p->nfound, cue);

    } else if (l->n > 0 && judge_items_plural(p, span, cue)) {
        judge_items_apply(p, l->group, l->n, cue);

    } else if (l->n > 0) {
        judge_parse_apply(p, l->group[l->n - 1], cue);

    } else if (p->last > 0 && n > 0) {
        judge_parse_apply(p, p->last - 1, cue);

    } else {
        l->pending = *cue;
    }

    return true;
}


static void
judge_items_member(judge_parse_ctx_t *p, judge_items_t *l,
    judge_parse_span_t span, judge_parse_form_e form)
{
    size_t              at;
    judge_parse_cue_t   cue;
    judge_parse_span_t  name;

    name = judge_parse_trim(p, judge_parse_take(p, span, &cue));
    p->ranked |= cue.ranked;
    l->last = (cue.nratio > 0) ? cue : l->last;

    if (judge_items_nameless(p, l, span, name, &cue)) {
        return;
    }

    /* "meaning counts double" may be about "meaning preserved" */

    at = cue.any ? judge_parse_find(p, name) : JUDGE_PARSE_NONE;

    if (at == JUDGE_PARSE_NONE) {
        at = judge_parse_piece(p, cue.any ? name : span, form);
    }

    if (at == JUDGE_PARSE_NONE) {
        return;
    }

    p->last = at + 1;
    judge_parse_brackets(p, at, span);
    judge_parse_apply(p, at, &cue);
    judge_parse_apply(p, at, &l->pending);
    l->pending.any = false;

    if (cue.any && judge_items_plural(p, span, &cue)) {
        judge_items_apply(p, l->group + l->before, l->n - l->before, &cue);
    }

    /* "twice as important as tone and style" */

    if (!cue.any && l->last.times > 0 && l->last_at != at) {
        judge_parse_relate(p, l->last_at, at, l->last.times, false);

    } else {
        l->last = (cue.any || l->last.nratio == 0) ? cue : l->last;
        l->last_at = at;
    }

    if (l->n < JUDGE_PARSE_FOUND) {
        l->group[l->n++] = at;
    }

    l->before = cue.any ? l->n : l->before;
}


size_t
judge_parse_enumeration(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form)
{
    size_t         i, end, next;
    judge_items_t  l;

    memset(&l, 0, sizeof(judge_items_t));

    for ( ; span.from < span.to; span.from = next) {
        end = judge_parse_piece_end(p, span, &next);

        if (end > span.from) {
            judge_items_member(p, &l, judge_parse_span(span.from, end), form);
        }
    }

    /* "Weighted 2:1:1" on its own is about all */

    if (l.n == 0 && l.pending.nratio == p->nfound) {
        l.last = l.pending;

        for ( ; l.n < l.pending.nratio; l.n++) {
            l.group[l.n] = l.n;
        }
    }

    p->weighed |= l.n > 0 && (l.last.nratio == l.n || p->ranked);

    for (i = 0; i < l.n; i++) {
        p->found[l.group[i]].rank = p->ranked ? (double) i + 1
                                    : p->found[l.group[i]].rank;

        if (l.last.nratio == l.n) {
            p->found[l.group[i]].points = l.last.ratio[i];
        }
    }

    p->ranked &= l.n <= 1;

    return l.n;
}


/* --- Requirements ------------------------------------------------------ */


/* Whether "and" is followed by another requirement, or goes on with the one
 * before: "clear for beginners and experts". */

static bool
judge_items_begins(const judge_parse_ctx_t *p, judge_parse_span_t span,
    bool shared)
{
    size_t                      i;
    const judge_parse_token_t  *t;

    t = &p->tokens[span.from];

    if (span.from == span.to) {
        return false;
    }

    if (judge_parse_is(t, JUDGE_W_VERB) || judge_parse_is(t, JUDGE_W_NOT)
        || judge_parse_is(t, JUDGE_W_ASK)
        || judge_parse_match(p, span.from, span.to, JUDGE_W_MODAL) > 0)
    {
        return true;
    }

    /* "mention the material and the care instructions" has one verb */

    if (!shared) {
        return t->quality >= 0 && !t->noun;
    }

    for (i = span.from; i < span.to; i++) {
        if (p->tokens[i].quality >= 0) {
            return true;
        }
    }

    return span.to - span.from == 1 && t->kind == JUDGE_P_WORD;
}


/* "not contain errors" has a verb of its own, "not boring" needs "be". */

static bool
judge_items_own_verb(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    const judge_parse_token_t  *t;

    t = &p->tokens[span.from];

    if (judge_parse_word(t, "do") || judge_parse_word(t, "does")) {
        return true;
    }

    while (span.from + 1 < span.to && judge_parse_is(t, JUDGE_W_NOT)) {
        span.from++;
        t++;
    }

    return judge_parse_is(t, JUDGE_W_VERB)
           || judge_parse_match(p, span.from, span.to, JUDGE_W_MODAL) > 0;
}


/* The subject, and "be" if the piece has no verb of its own, begin the
 * description. */

static size_t
judge_items_required(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_str_t subject, judge_str_t verb)
{
    bool                length;
    char                negative;
    size_t              at;
    judge_str_t         prefix;
    judge_parse_cue_t   cue;
    judge_parse_span_t  name;

    negative = p->negative;
    name = judge_items_name(p, judge_items_negation(p, span), &length);

    if (judge_parse_cue(p, name, &cue)) {
        if (cue.at.from == name.from) {
            name.from = cue.at.to;

        } else if (cue.at.to == name.to) {
            name.to = cue.at.from;
        }
    }

    at = judge_items_add(p, name, length, JUDGE_P_REQUIRED);
    p->negative = negative;

    if (at == JUDGE_PARSE_NONE) {
        return 0;
    }

    prefix = judge_str_printf(p->arena, "%.*s%s%.*s", (int) subject.len,
                              subject.data,
                              (subject.len > 0 && verb.len > 0) ? " " : "",
                              (subject.len > 0) ? (int) verb.len : 0,
                              verb.data);
    p->failed |= prefix.data == NULL;
    judge_parse_describe(p, at, prefix, span);
    judge_parse_details(p, at, span);
    judge_parse_brackets(p, at, span);

    if (cue.times < 0 && !cue.more && !cue.less) {
        judge_parse_apply(p, at, &cue);
    }

    return 1;
}


size_t
judge_parse_requirement(judge_parse_ctx_t *p, judge_parse_span_t lead,
    judge_parse_span_t verb)
{
    bool                        shared, own;
    size_t                      end, next, more, n;
    judge_parse_span_t          piece;
    const judge_parse_token_t  *first;

    n = 0;
    verb = judge_parse_trim(p, verb);

    for (first = NULL; verb.from < verb.to; verb.from = next) {
        own = first == NULL || judge_items_own_verb(p, verb);

        /* "be short and clear", "have a thesis and an ending" */

        first = own ? &p->tokens[verb.from] : first;
        shared = judge_parse_is(first, JUDGE_W_SHARED);
        piece.from = verb.from;
        piece.to = judge_parse_piece_end(p, verb, &next);

        while (next < verb.to) {
            end = judge_parse_piece_end(p, judge_parse_span(next, verb.to),
                                        &more);

            if (judge_items_begins(p, judge_parse_span(next, end), shared)) {
                break;
            }

            piece.to = end;
            next = more;
        }

        if (piece.from < piece.to) {
            n += judge_items_required(p, piece, judge_parse_text(p, lead),
                                      (own || !shared) ? JUDGE_STR("")
                                                       : first->low);
        }
    }

    return n;
}
