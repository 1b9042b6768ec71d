/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * Pieces of text that each name one criterion: the members of an enumeration
 * ("clarity, a friendly tone (30%) and no jargon") and of what is required
 * ("should be short, cite two sources and never blame the customer").
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


/* Verbs that hold for all that "and" ties together. */

static const char *const  judge_piece_verbs[] = {
    "be", "is", "are", "have", "has", "contain", "contains", "include",
    "includes", "show", "shows", "use", "uses", "with", NULL
};


static bool
judge_piece_among(const judge_parse_token_t *t, const char *const *words)
{
    for ( ; *words != NULL; words++) {
        if (judge_parse_word(t, *words)) {
            return true;
        }
    }

    return false;
}


/* --- One piece --------------------------------------------------------- */


/* "no jargon", "without repetition", "free of bias", "not boring": says so
 * in p->negative and goes behind it. */

static judge_parse_span_t
judge_piece_not(judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  i, n;
    static const char *const  nouns[] = {
        "no", "punish", "penalize", "penalise", "without", "avoid",
        "avoids", "avoiding", "lack_of", "absence_of", "the_absence_of",
        "free_of", "free_from", "a_lack_of",
        "is_free_of", "be_free_of", "are_free_of", "be_free_from", NULL
    };
    static const char *const  verbs[] = {
        "not", "never", "do_not", "don't", "does_not", "doesn't",
        "must_not", "should_not", "is_not", "isn't", "are_not", NULL
    };

    for (i = 0; nouns[i] != NULL; i++) {
        n = judge_parse_phrase(p->tokens, span.from, span.to, nouns[i]);

        if (n > 0 && span.from + n < span.to) {
            /* "no more than 200 words" is a number of them */

            if (judge_parse_word(&p->tokens[span.from + n], "more")
                || judge_parse_word(&p->tokens[span.from + n], "less")
                || judge_parse_word(&p->tokens[span.from + n], "fewer"))
            {
                return span;
            }

            p->negative = 'N';
            span.from += n;
            return span;
        }
    }

    for (i = 0; verbs[i] != NULL; i++) {
        n = judge_parse_phrase(p->tokens, span.from, span.to, verbs[i]);

        if (n > 0 && span.from + n < span.to
            && !judge_parse_word(&p->tokens[span.from + n], "only")
            && !judge_parse_word(&p->tokens[span.from + n], "exceed")
            && !judge_parse_word(&p->tokens[span.from + n], "more"))
        {
            p->negative = 'V';
            span.from += n;
            return span;
        }
    }

    return span;
}


/* What names the piece: without brackets, examples and numbers. */

static judge_parse_span_t
judge_piece_name(judge_parse_ctx_t *p, judge_parse_span_t span,
    bool *length)
{
    size_t  i, end, at;
    double  low, high;
    static const char *const  units[] = {
        "words", "word", "characters", "character", "sentences",
        "paragraphs", "pages", "page", "lines", "minutes", "minute",
        "seconds", "hours", "tokens", NULL
    };

    *length = false;
    span = judge_parse_examples(p, JUDGE_PARSE_FOUND, span);

    for (i = span.from; i < span.to; i++) {
        if (judge_parse_mark(&p->tokens[i], '(')
            || judge_parse_mark(&p->tokens[i], ':'))
        {
            if (i > span.from) {
                span.to = i;
            }

            break;
        }
    }

    end = judge_parse_quantity(p, span, &low, &high, &at);

    if (end == 0 || end >= span.to) {
        return span;
    }

    for (i = end; i < span.to && i < end + 2; i++) {
        *length |= judge_piece_among(&p->tokens[i], units);
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


void
judge_parse_brackets(judge_parse_ctx_t *p, size_t at,
    judge_parse_span_t span)
{
    size_t             i, k;
    judge_parse_cue_t  cue;

    for (i = span.from; i < span.to; i++) {
        if (!judge_parse_mark(&p->tokens[i], '(')) {
            continue;
        }

        for (k = i + 1; k < span.to
                        && !judge_parse_mark(&p->tokens[k], ')'); k++)
        {
            /* void */
        }

        (void) judge_parse_take(p, (judge_parse_span_t) { i + 1, k }, &cue);
        judge_parse_apply(p, at, &cue);
        i = k;
    }
}


static size_t
judge_piece_words(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t  i, n;

    for (i = span.from, n = 0; i < span.to; i++) {
        n += (p->tokens[i].kind == JUDGE_P_WORD);
    }

    return n;
}


size_t
judge_parse_piece(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form)
{
    bool                length;
    char                negative;
    size_t              at;
    judge_str_t         none;
    judge_parse_span_t  inner, name;

    none = (judge_str_t) { 0, NULL };
    negative = p->negative;
    span = judge_parse_trim(p, span);
    inner = judge_piece_not(p, span);
    name = judge_piece_name(p, inner, &length);

    if (length) {
        p->negative = 0;
        at = judge_parse_add_quality(p, "Length", form);

    } else {
        at = judge_parse_add(p, name, form);
    }

    if (at != JUDGE_PARSE_FOUND) {
        /* what says more than the name is worth keeping */

        if (judge_str_caseeq(judge_parse_text(p, span),
                             p->found[at].name))
        {
            /* it says no more than its name */

        } else if (length || judge_piece_words(p, span) > 3
            || (judge_piece_words(p, span) > 1
                && judge_str_eq_c(p->found[at].name,
                                  (p->found[at].quality < 0) ? ""
                                  : judge_quality(p->found[at].quality)
                                    ->name)))
        {
            judge_parse_describe(p, at, (inner.from > span.from) ? none
                                 : (negative == 'V') ? JUDGE_STR("Do not")
                                 : (negative == 'N') ? JUDGE_STR("Avoid")
                                 : none, span);
        }

        judge_parse_details(p, at, span);
        judge_parse_brackets(p, at, span);
    }

    p->negative = negative;

    return at;
}


/* --- Enumerations ------------------------------------------------------ */


/* "it", "they", "both": no name of its own. */

static bool
judge_piece_pronoun(const judge_parse_ctx_t *p, judge_parse_span_t span,
    bool *all)
{
    static const char *const  one[] = {
        "it", "this", "that", "which", "this_one", NULL
    };
    static const char *const  many[] = {
        "they", "both", "these", "all", "all_of_them", "all_criteria",
        "all_of_these", "both_of_them", "each", "everything", "all_three",
        "all_four", "all_the_criteria", "each_of_these", "each_criterion",
        NULL
    };
    size_t  i;

    *all = false;

    for (i = 0; one[i] != NULL; i++) {
        if (judge_parse_phrase(p->tokens, span.from, span.to, one[i])
            == span.to - span.from)
        {
            return true;
        }
    }

    for (i = 0; many[i] != NULL; i++) {
        if (judge_parse_phrase(p->tokens, span.from, span.to, many[i])
            == span.to - span.from)
        {
            *all = true;
            return true;
        }
    }

    return false;
}


/* A verb in the plural, or "each": the cue is about all that came before. */

static bool
judge_piece_plural(const judge_parse_ctx_t *p, judge_parse_span_t span,
    const judge_parse_cue_t *cue)
{
    size_t                      i;
    const judge_parse_token_t  *t;
    static const char *const  plural[] = {
        "are", "matter", "count", "carry", "weigh", "have", "get", "both",
        "make", NULL
    };

    for (i = span.from; i < span.to; i++) {
        t = &p->tokens[i];

        if (judge_parse_word(t, "each")) {
            return true;
        }

        if (i <= cue->at.from && i > span.from
            && judge_piece_among(t, plural))
        {
            return true;
        }
    }

    return false;
}


static void
judge_piece_group(judge_parse_ctx_t *p, const size_t *group, size_t n,
    const judge_parse_cue_t *cue)
{
    size_t                i;
    judge_parse_found_t  *f;

    for (i = 0; i < n; i++) {
        f = &p->found[group[i]];

        if (f->share < 0 && f->points < 0 && f->factor == 1) {
            judge_parse_apply(p, group[i], cue);
        }
    }
}


typedef struct {
    size_t             group[JUDGE_PARSE_FOUND];
    size_t             n;
    size_t             before;         /* of them, before the last cue */
    judge_parse_cue_t  pending;        /* a cue before its name */
    judge_parse_cue_t  last;
    size_t             last_at;
    bool               plain;          /* the last had no cue */
} judge_piece_list_t;


/* A cue without a name: about those before it, or the one that follows. */

static bool
judge_piece_nameless(judge_parse_ctx_t *p, judge_piece_list_t *l,
    judge_parse_span_t span, judge_parse_span_t name,
    const judge_parse_cue_t *cue)
{
    bool    all;
    size_t  i;

    if (!cue->any
        || (name.from < name.to && !judge_parse_others(p, name)
            && !judge_piece_pronoun(p, name, &all)))
    {
        return false;
    }

    p->weighed |= !cue->scale;
    p->equal |= cue->equal;

    if (name.from < name.to && judge_parse_others(p, name)) {
        for (i = 0; i < p->nfound; i++) {
            if (p->found[i].share < 0 && p->found[i].points < 0
                && i + 1 != p->last)
            {
                judge_parse_apply(p, i, cue);
            }
        }

        return true;
    }

    if (l->n > 0 && judge_piece_plural(p, span, cue)) {
        judge_piece_group(p, l->group, l->n, cue);

    } else if (l->n > 0) {
        judge_parse_apply(p, l->group[l->n - 1], cue);

    } else if (p->last > 0 && name.from < name.to) {
        judge_parse_apply(p, p->last - 1, cue);

    } else {
        l->pending = *cue;
    }

    return true;
}


/* The member that was found, with the weight that belongs to it. */

static void
judge_piece_found(judge_parse_ctx_t *p, judge_piece_list_t *l, size_t at,
    judge_parse_span_t span, const judge_parse_cue_t *cue)
{
    judge_parse_apply(p, at, cue);

    if (l->pending.any) {
        judge_parse_apply(p, at, &l->pending);
        l->pending.any = false;
    }

    if (cue->any && judge_piece_plural(p, span, cue)) {
        judge_piece_group(p, l->group + l->before, l->n - l->before, cue);
    }

    /* "twice as important as tone and style" */

    if (!cue->any && l->last.times > 0 && l->last_at != at) {
        judge_parse_relate(p, JUDGE_P_TIMES, l->last_at, at, l->last.times);

    } else {
        l->last = (cue->any || l->last.nratio == 0) ? *cue : l->last;
        l->last_at = at;
    }

    if (l->n < JUDGE_PARSE_FOUND) {
        l->group[l->n++] = at;
    }

    if (cue->any) {
        l->before = l->n;
    }
}


static void
judge_piece_member(judge_parse_ctx_t *p, judge_piece_list_t *l,
    judge_parse_span_t span, judge_parse_form_e form)
{
    size_t              at;
    judge_parse_cue_t   cue;
    judge_parse_span_t  name;

    name = judge_parse_trim(p, judge_parse_take(p, span, &cue));
    at = judge_parse_ordinal(p, name);

    if (cue.any && at != JUDGE_PARSE_FOUND) {
        judge_parse_apply(p, at, &cue);
        return;
    }

    if (cue.nratio > 0) {
        l->last = cue;
    }

    p->ranked |= cue.ranked;

    if (judge_piece_nameless(p, l, span, name, &cue)) {
        return;
    }

    /* "meaning counts double" may be about "meaning preserved" */

    at = cue.any ? judge_parse_find(p, name) : JUDGE_PARSE_FOUND;

    if (at != JUDGE_PARSE_FOUND) {
        p->last = at + 1;
        judge_piece_found(p, l, at, span, &cue);
        judge_parse_brackets(p, at, span);
        return;
    }

    at = judge_parse_piece(p, cue.any ? name : span,
                           cue.any && form > JUDGE_P_WEIGHED
                           ? JUDGE_P_WEIGHED : form);

    if (at != JUDGE_PARSE_FOUND) {
        judge_piece_found(p, l, at, span, &cue);
        judge_parse_brackets(p, at, span);
    }
}


size_t
judge_parse_enumeration(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_parse_form_e form)
{
    size_t              i, end, next, rank;
    judge_piece_list_t  l;

    memset(&l, 0, sizeof(judge_piece_list_t));
    l.last.times = -1;

    while (span.from < span.to) {
        end = judge_parse_piece_end(p, span, &next);

        if (end > span.from) {
            judge_piece_member(p, &l, (judge_parse_span_t) { span.from, end },
                               form);
        }

        span.from = next;
    }

    /* "Weighted 2:1:1" on its own is about all */

    if (l.n == 0 && l.pending.nratio == p->nfound) {
        l.last = l.pending;

        for (i = 0; i < p->nfound && i < 8; i++) {
            l.group[l.n++] = i;
        }
    }

    for (i = 0; l.last.nratio == l.n && i < l.n; i++) {
        p->weighed = true;
        p->found[l.group[i]].points = l.last.ratio[i];
    }

    for (i = 0, rank = 1; p->ranked && i < l.n; i++, rank++) {
        p->weighed = true;
        p->found[l.group[i]].rank = (double) rank;
    }

    if (l.n > 1) {
        p->ranked = false;
    }

    return l.n;
}


/* --- Requirements ------------------------------------------------------ */


/* Whether what follows "and" is something else that is required, or goes on
 * with what was: "clear for beginners and experts". */

static bool
judge_piece_begins(const judge_parse_ctx_t *p, judge_parse_span_t span,
    bool shared)
{
    size_t                      i;
    const judge_parse_token_t  *t;

    if (span.from == span.to) {
        return false;
    }

    t = &p->tokens[span.from];

    if (judge_parse_is(t, JUDGE_PW_VERB) || judge_parse_is(t, JUDGE_PW_NOT)
        || judge_parse_is(t, JUDGE_PW_MODAL) || judge_parse_word(t, "do")
        || judge_parse_word(t, "does"))
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


/* The subject and "be", as a beginning for every description. */

static judge_str_t
judge_piece_prefix(judge_parse_ctx_t *p, judge_parse_span_t lead,
    const judge_parse_token_t *verb, bool own_verb)
{
    judge_str_t  text, prefix;

    text = judge_parse_text(p, lead);

    if (text.len == 0) {
        return text;
    }

    prefix = judge_str_printf(p->arena, "%.*s%s%.*s", (int) text.len,
                              text.data, own_verb ? "" : " ",
                              own_verb ? 0 : (int) verb->low.len,
                              verb->low.data);
    if (prefix.data == NULL) {
        p->failed = true;
        return (judge_str_t) { 0, NULL };
    }

    return prefix;
}


/* "not contain errors" has a verb of its own, "not boring" needs "be". */

static bool
judge_piece_own_verb(const judge_parse_ctx_t *p, judge_parse_span_t span)
{
    size_t                      from;
    const judge_parse_token_t  *t;

    from = span.from;

    while (span.from + 1 < span.to
           && judge_parse_is(&p->tokens[span.from], JUDGE_PW_NOT))
    {
        span.from++;
    }

    t = &p->tokens[span.from];

    return judge_parse_is(t, JUDGE_PW_VERB)
           || judge_parse_is(t, JUDGE_PW_MODAL)
           || judge_parse_word(&p->tokens[from], "do")
           || judge_parse_word(&p->tokens[from], "does");
}


static size_t
judge_piece_required(judge_parse_ctx_t *p, judge_parse_span_t span,
    judge_str_t prefix)
{
    bool                length;
    char                negative;
    size_t              at;
    judge_parse_cue_t   cue;
    judge_parse_span_t  inner, name;

    negative = p->negative;
    inner = judge_piece_not(p, span);
    name = judge_piece_name(p, inner, &length);

    if (judge_parse_cues(p, name, &cue)) {
        if (cue.at.from == name.from) {
            name.from = cue.at.to;

        } else if (cue.at.to == name.to) {
            name.to = cue.at.from;
        }
    }

    if (length) {
        p->negative = 0;
        at = judge_parse_add_quality(p, "Length", JUDGE_P_REQUIRED);

    } else {
        at = judge_parse_add(p, name, JUDGE_P_REQUIRED);
    }

    if (at != JUDGE_PARSE_FOUND) {
        judge_parse_describe(p, at, prefix, span);
        judge_parse_details(p, at, span);
        judge_parse_brackets(p, at, span);

        if (cue.any && cue.times < 0 && !cue.more && !cue.less) {
            judge_parse_apply(p, at, &cue);
        }
    }

    p->negative = negative;

    return at;
}


size_t
judge_parse_requirement(judge_parse_ctx_t *p, judge_parse_span_t lead,
    judge_parse_span_t verb)
{
    bool                        shared, own_verb;
    size_t                      end, next, more, n;
    judge_str_t                 prefix;
    judge_parse_span_t          piece;
    const judge_parse_token_t  *first;

    n = 0;
    verb = judge_parse_trim(p, verb);

    if (verb.from >= verb.to) {
        return 0;
    }

    first = &p->tokens[verb.from];

    while (verb.from < verb.to) {
        own_verb = n == 0 || judge_piece_own_verb(p, verb);

        /* "be short and clear", "have a thesis and an ending" */

        first = own_verb ? &p->tokens[verb.from] : first;
        shared = judge_piece_among(first, judge_piece_verbs);
        piece.from = verb.from;
        piece.to = judge_parse_piece_end(p, verb, &next);

        while (next < verb.to) {
            end = judge_parse_piece_end(p, (judge_parse_span_t) { next,
                                                                  verb.to },
                                        &more);

            if (judge_piece_begins(p, (judge_parse_span_t) { next, end },
                                   shared))
            {
                break;
            }

            piece.to = end;
            next = more;
        }

        if (piece.from < piece.to) {
            prefix = judge_piece_prefix(p, lead, first,
                                        own_verb || !shared);
            n += judge_piece_required(p, piece, prefix) != JUDGE_PARSE_FOUND;
        }

        verb.from = next;
    }

    return n;
}
