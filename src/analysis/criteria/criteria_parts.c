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

#include "analysis/criteria/criteria_grammar.h"


/* The criteria of an enumeration. */

typedef struct {
    size_t       group[JUDGE_CRITERIA_FOUND];
    size_t       n;
    size_t       before;               /* of them, before the last cue */
    judge_cue_t  pending;              /* a cue before its name */
    judge_cue_t  last;
} judge_part_t;


/* Whether what divides two pieces belongs to one here: "between 300 and 500
 * words", "2+ sources", "grammar and spelling errors" to be avoided. */

static bool
judge_part_holds(const judge_prose_t *p, size_t i, judge_span_t s)
{
    const judge_term_t  *t;

    t = &p->tokens[i];

    if (judge_term_is(t, JUDGE_W_PLUS) || judge_term_is(t, JUDGE_W_DASH)) {
        return t[-1].kind == JUDGE_TERM_NUMBER;
    }

    if (judge_term_is(t - 1, JUDGE_W_NUMBER)
        && judge_term_is(t - 2, JUDGE_W_BETWEEN))
    {
        return true;
    }

    s = judge_span_near(judge_span(i + 1, s.to), 3);
    s.to = judge_span_seek(p, s, JUDGE_W_CUT);

    return p->mood.negative != 0 && judge_span_has(p, s, JUDGE_W_FAULT);
}


/* "a, b or c" are three, "spelling or grammar mistakes" one. */

size_t
judge_part_end(const judge_prose_t *p, judge_span_t s, size_t *next)
{
    size_t               i, n, depth;
    bool                 comma;
    const judge_term_t  *t;

    depth = 0;
    comma = judge_span_is(p, s.from - 1, JUDGE_W_COMMA);

    for (i = s.from; i < s.to; i++) {
        t = &p->tokens[i];
        depth += judge_term_is(t, JUDGE_W_OPENED);

        if (depth > 0) {
            depth -= judge_term_is(t, JUDGE_W_CLOSED);
            continue;
        }

        n = (comma && judge_term_is(t, JUDGE_W_OR))
            ? 1 : judge_span_match(p, i, s.to, JUDGE_W_DIVIDER);

        if (n == 0 || judge_part_holds(p, i, s)) {
            continue;
        }

        for (*next = i; n > 0; *next += n) {
            n = judge_span_match(p, *next, s.to, JUDGE_W_DIVIDER);
            n += (n == 0) ? judge_span_match(p, *next, s.to,
                                             JUDGE_W_CONNECTOR) : 0;
        }

        return i;
    }

    *next = s.to;

    return s.to;
}


/* --- One piece --------------------------------------------------------- */


/* Skips "no", "without", "not". */

static judge_span_t
judge_part_negation(judge_prose_t *p, judge_span_t s)
{
    size_t  n, verb;

    n = judge_span_match(p, s.from, s.to, JUDGE_W_NO);
    verb = judge_span_match(p, s.from, s.to, JUDGE_W_DONT);

    if (n + verb > 0 && s.from + n + verb < s.to
        && !judge_span_is(p, s.from + n + verb, JUDGE_W_QUANTIFIED))
    {
        p->mood.negative = (n > 0) ? 'N' : 'V';
        s.from += n + verb;
    }

    return s;
}


/* Adds what the piece names, without brackets, examples and numbers. */

static size_t
judge_part_add(judge_prose_t *p, judge_span_t s, judge_form_e form,
    bool *length)
{
    size_t  i, end, at;
    double  low, high;

    s = judge_detail_examples(p, JUDGE_NONE, s);
    i = judge_span_seek(p, s, JUDGE_W_HEAD);
    s.to = (i > s.from) ? i : s.to;
    end = judge_detail_quantity(p, s, &low, &high, &at);
    *length = false;

    for (i = end; end > 0 && i < s.to && i < end + 2; i++) {
        *length |= judge_span_is(p, i, JUDGE_W_LENGTH);
    }

    if (*length) {
        p->mood.negative = 0;
        return judge_name_quality(p, JUDGE_Q_LENGTH, form);
    }

    /* "uses at least three concrete examples" is about examples, "cites two
     * articles" about citing, "at least one of them" about neither */

    if (end > 0 && end < s.to
        && !judge_span_is(p, end, JUDGE_W_OF)
        && !judge_span_quality(p, judge_span(s.from, at)))
    {
        s.from = end;
    }

    return judge_name_add(p, s, form);
}


size_t
judge_part_one(judge_prose_t *p, judge_span_t s, judge_form_e form,
    const judge_str_t *prefix)
{
    bool            length;
    size_t          at, words;
    judge_cue_t     cue;
    judge_str_t     quality, begin;
    judge_mood_t    mood;
    judge_span_t    inner, name;
    judge_draft_t  *f;

    mood = p->mood;
    s = judge_span_trim(p, s);
    name = inner = judge_part_negation(p, s);

    if (judge_cue_first(p, inner, &cue) && prefix != NULL) {
        name = judge_cue_take(p, inner, &cue);
    }

    at = judge_part_add(p, name, form, &length);
    p->mood = mood;

    if (at == JUDGE_NONE) {
        return at;
    }

    f = &p->found[at];
    words = judge_span_words(p, s);
    quality = (f->quality < 0) ? JUDGE_STR("")
              : judge_str_c(judge_qualities[f->quality].name);
    begin = (prefix != NULL) ? *prefix
            : (inner.from > s.from || mood.negative == 0) ? JUDGE_STR("")
            : judge_str_c((mood.negative == 'V') ? "Do not" : "Avoid");

    /* only what says more than the name is a description */

    if (prefix != NULL
        || (!judge_str_caseeq(judge_span_text(p, s), f->name)
            && (length || words > 3
                || (words > 1 && judge_str_eq(f->name, quality)))))
    {
        judge_name_describe(p, at, begin, s);
    }

    judge_criteria_details(p, at, s);
    judge_cue_brackets(p, at, s);

    if (prefix != NULL && cue.times < 0 && !cue.more && !cue.less) {
        judge_cue_apply(p, at, &cue);
    }

    return at;
}


/* "Ignore length", "I don't care about grammar", "length doesn't matter". */

bool
judge_part_unwanted(const judge_prose_t *p, judge_span_t s)
{
    size_t  at;

    s = judge_span_trim(p, s);
    at = judge_span_seek(p, s, JUDGE_W_UNWANTED);

    return at < s.to
           && (judge_span_skip(p, s, JUDGE_W_BEFORE) >= at
               || judge_span_match(p, at, s.to, JUDGE_W_UNWANTED)
               == s.to - at);
}


/* --- Enumerations ------------------------------------------------------ */


/* "each", or a verb in the plural: the cue is about all before it. */

static bool
judge_part_plural(const judge_prose_t *p, judge_span_t s,
    const judge_cue_t *cue)
{
    size_t  i;

    i = judge_span_seek(p, judge_span(s.from + 1, s.to), JUDGE_W_PLURAL);

    return i <= cue->at.from || judge_span_has(p, s, JUDGE_W_EACH);
}


/* To those of the group, or of all, that have no weight yet. */

static void
judge_part_apply(judge_prose_t *p, const size_t *group, size_t n,
    const judge_cue_t *cue)
{
    size_t                i, at;
    const judge_draft_t  *f;

    for (i = 0; i < n; i++) {
        at = (group == NULL) ? i : group[i];
        f = &p->found[at];

        if (f->share < 0 && f->points < 0
            && (group != NULL ? f->factor == 1 : at + 1 != p->last))
        {
            judge_cue_apply(p, at, cue);
        }
    }
}


/* A cue without a name is about those before it, or the one that follows. */

static bool
judge_part_nameless(judge_prose_t *p, judge_part_t *l, judge_span_t s,
    judge_span_t name, const judge_cue_t *cue)
{
    size_t  n;

    n = name.to - name.from;

    if (!cue->any
        || judge_span_match(p, name.from, name.to, JUDGE_W_NAMELESS) != n)
    {
        return false;
    }

    p->weighed |= !cue->scale;

    if (n > 0 && judge_span_match(p, name.from, name.to, JUDGE_W_OTHERS) == n)
    {
        judge_part_apply(p, NULL, p->nfound, cue);

    } else if (l->n > 0 && judge_part_plural(p, s, cue)) {
        judge_part_apply(p, l->group, l->n, cue);

    } else if (l->n > 0) {
        judge_cue_apply(p, l->group[l->n - 1], cue);

    } else if (p->last > 0 && n > 0) {
        judge_cue_apply(p, p->last - 1, cue);

    } else {
        l->pending = *cue;
    }

    return true;
}


static void
judge_part_member(judge_prose_t *p, judge_part_t *l, judge_span_t s,
    judge_form_e form)
{
    size_t        at;
    judge_cue_t   cue;
    judge_span_t  name;

    name = judge_span_trim(p, judge_cue_take(p, s, &cue));
    p->ranked |= cue.ranked;
    l->last = (cue.nratio > 0) ? cue : l->last;

    if (judge_part_unwanted(p, s)
        || judge_part_nameless(p, l, s, name, &cue))
    {
        return;
    }

    /* "meaning counts double" may be about "meaning preserved" */

    at = cue.any ? judge_name_find(p, name) : JUDGE_NONE;
    at = (at != JUDGE_NONE) ? at
         : judge_part_one(p, cue.any ? name : s, form, NULL);

    if (at == JUDGE_NONE) {
        return;
    }

    p->last = at + 1;
    judge_cue_brackets(p, at, s);
    judge_cue_apply(p, at, &cue);
    judge_cue_apply(p, at, &l->pending);
    l->pending.any = false;

    if (cue.any && judge_part_plural(p, s, &cue)) {
        judge_part_apply(p, l->group + l->before, l->n - l->before, &cue);
    }

    l->last = (cue.any || l->last.nratio == 0) ? cue : l->last;

    if (l->n < JUDGE_CRITERIA_FOUND) {
        l->group[l->n++] = at;
    }

    l->before = cue.any ? l->n : l->before;
}


size_t
judge_part_list(judge_prose_t *p, judge_span_t s, judge_form_e form)
{
    size_t          i, end, next;
    judge_draft_t  *f;
    judge_part_t    l;

    memset(&l, 0, sizeof(judge_part_t));

    for ( ; s.from < s.to; s.from = next) {
        end = judge_part_end(p, s, &next);

        if (end > s.from) {
            judge_part_member(p, &l, judge_span(s.from, end), form);
        }
    }

    /* "Weighted 2:1:1" on its own is about all */

    if (l.n == 0 && l.pending.nratio == p->nfound) {
        for (l.last = l.pending; l.n < p->nfound; l.n++) {
            l.group[l.n] = l.n;
        }
    }

    p->weighed |= l.n > 0 && (l.last.nratio == l.n || p->ranked);

    for (i = 0; i < l.n; i++) {
        f = &p->found[l.group[i]];
        f->factor = p->ranked ? (double) (l.n - i) : f->factor;
        f->points = (l.last.nratio == l.n) ? l.last.ratio[i] : f->points;
    }

    p->ranked &= l.n <= 1;

    return l.n;
}


/* --- Requirements ------------------------------------------------------ */


/* Whether "and" is followed by another requirement, or goes on with the one
 * before: "clear for beginners and experts". */

static bool
judge_part_begins(const judge_prose_t *p, judge_span_t s, bool shared)
{
    size_t               i;
    const judge_term_t  *t;

    t = &p->tokens[s.from];

    if (s.from == s.to || judge_term_is(t, JUDGE_W_VERB)
        || judge_term_is(t, JUDGE_W_NOT))
    {
        return s.from < s.to;
    }

    /* "mention the material and the care instructions" has one verb */

    if (!shared) {
        return t->quality >= 0 && !t->noun;
    }

    for (i = s.from; i < s.to; i++) {
        if (p->tokens[i].quality >= 0) {
            return true;
        }
    }

    return s.to - s.from == 1 && t->kind == JUDGE_TERM_WORD;
}


/* The subject, and "be" if the piece has no verb of its own, begin the
 * description. */

size_t
judge_part_required(judge_prose_t *p, judge_span_t subject, judge_span_t verb)
{
    bool                 shared, own;
    size_t               end, next, more, n;
    judge_str_t          prefix;
    judge_span_t         piece;
    const judge_term_t  *first;

    n = 0;
    verb = judge_span_trim(p, verb);

    for (first = NULL; verb.from < verb.to; verb.from = next) {
        own = first == NULL || judge_span_is(p, verb.from, JUDGE_W_VERB)
              || judge_span_is(p, verb.from, JUDGE_W_DO);

        /* "be short and clear", "have a thesis and an ending" */

        first = own ? &p->tokens[verb.from] : first;
        shared = judge_term_is(first, JUDGE_W_SHARED);
        piece.from = verb.from;
        piece.to = judge_part_end(p, verb, &next);

        while (next < verb.to) {
            end = judge_part_end(p, judge_span(next, verb.to), &more);

            if (judge_part_begins(p, judge_span(next, end), shared)) {
                break;
            }

            piece.to = end;
            next = more;
        }

        prefix = judge_span_text(p, subject);
        prefix = (prefix.len == 0 || own || !shared) ? prefix
                 : judge_str_printf(p->arena, "%.*s %.*s", (int) prefix.len,
                                    prefix.data, (int) first->low.len,
                                    first->low.data);
        p->failed |= prefix.data == NULL;
        n += piece.from < piece.to
             && judge_part_one(p, piece, JUDGE_FORM_REQUIRED,
                               &prefix) != JUDGE_NONE;
    }

    return n;
}
