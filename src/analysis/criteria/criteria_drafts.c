/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * An item becomes a criterion: a head of it is the name, all of it, in the
 * writer's words, the description.
 */


#include <string.h>

#include "base/text/utf8.h"
#include "analysis/criteria/criteria_parts.h"


#define JUDGE_DRAFT_NAME         100   /* bytes; then it is cut at a word */
#define JUDGE_DRAFT_DESCRIPTION  5000
#define JUDGE_DRAFT_LABEL        8     /* words before a colon */


static bool
judge_draft_dash(const judge_term_t *t)
{
    return t->kind == JUDGE_TERM_MARK && t->depth == 0
           && (t->mark == ':' || t->mark == '-' || t->mark == '=');
}


/* Whether it says more than a weight does. */

static bool
judge_draft_says(judge_span_t s)
{
    while (s.from < s.to
           && (s.from->used || s.from->kind == JUDGE_TERM_MARK
               || judge_is(s.from, GLUE) || judge_is(s.from, EACH)))
    {
        s.from++;
    }

    return s.from < s.to;
}


/* Without the weight before or behind it. */

static judge_span_t
judge_draft_body(judge_span_t s)
{
    judge_term_t  *t;

    while (s.from < s.to && (s.from->used
                             || (s.from->kind == JUDGE_TERM_MARK
                                 && s.from->depth == 0)))
    {
        s.from++;
    }

    for (t = s.from; t < s.to && !t->used; t++) { /* void */ }

    if (t < s.to && !judge_draft_says(judge_span(t, s.to))) {
        s.to = t;

        while (s.to - s.from > 1
               && (judge_is(s.to - 1, GLUE) || judge_is(s.to - 1, MODAL)
                   || (s.to[-1].kind == JUDGE_TERM_MARK
                       && s.to[-1].depth == 0 && s.to[-1].mark != ')')))
        {
            s.to--;
        }
    }

    return judge_span_trim(s);
}


/* The head of it, up to a bracket, a label's colon or a weight. */

static judge_span_t
judge_draft_head(judge_span_t s)
{
    judge_term_t  *t;

    while (s.from < s.to && (judge_is(s.from, BE)
                             || (judge_is(s.from, CLAUSE)
                                 && s.from->value != 3)))
    {
        s.from++;                      /* "be", "whether"; not "what" */
    }

    for (t = s.from + 1; t < s.to && !t->used && !judge_draft_dash(t)
         && t->mark != '\n' && !(t->mark == '(' && t->depth == 1); t++)
    { /* void */ }

    return judge_span_trim(judge_span(s.from, (t < s.to) ? t : s.to));
}


static judge_str_t
judge_draft_cut(judge_prose_t *p, judge_str_t s, size_t max)
{
    size_t  n;

    if (s.len <= max) {
        return s;
    }

    s = judge_utf8_prefix(s, max - sizeof("…") + 1);

    for (n = s.len; n > max / 2 && s.data[n - 1] != ' '; n--) { /* void */ }

    s.len = (n > max / 2) ? n - 1 : s.len;

    return judge_str_printf(p->arena, "%.*s…", (int) s.len, s.data);
}


/* A name stands once: the same item again changes at most its weight. */

judge_draft_t *
judge_draft_put(judge_prose_t *p, judge_span_t at, judge_str_t name,
    judge_str_t description, const judge_weigh_t *w)
{
    int             n;
    size_t          i;
    judge_str_t     unique;
    judge_draft_t  *f;

    name = judge_draft_cut(p, name, JUDGE_DRAFT_NAME);
    description = judge_draft_cut(p, description, JUDGE_DRAFT_DESCRIPTION);

    if (name.len == 0 || description.len == 0 || p->failed) {
        p->failed |= name.data == NULL || description.data == NULL;
        return NULL;
    }

    for (n = 2, unique = name, i = 0; i < p->nfound; i++) {
        f = &p->found[i];

        if (!judge_str_caseeq(f->name, unique)) {
            continue;
        }

        if (judge_str_eq(f->description, description)) {
            f->weigh = (w->share + w->points + w->factor > 0) ? *w : f->weigh;
            return f;
        }

        /* The new name may stand before this one: all are compared again. */
        unique = judge_str_printf(p->arena, "%.*s (%d)", (int) name.len,
                                  name.data, n++);
        i = (size_t) -1;
    }

    if (p->nfound == JUDGE_CRITERIA_FOUND) {
        p->lost++;
        judge_criteria_say(p, false, JUDGE_SAY_LEFT_OUT, name);
        return NULL;
    }

    f = &p->found[p->nfound++];
    *f = (judge_draft_t) { .at = at, .name = unique, .weigh = *w,
                           .description = description };
    p->failed |= unique.data == NULL;

    return f;
}


judge_draft_t *
judge_draft_add(judge_prose_t *p, judge_span_t frame, judge_span_t item,
    const judge_weigh_t *w)
{
    judge_str_t     a, b, name, description;
    judge_span_t    body, head, rest;
    judge_draft_t  *f;

    item = judge_span_trim(item);
    body = judge_draft_body(item);
    head = judge_draft_head(body);

    if (judge_span_words(head) == 0) {
        return NULL;
    }

    for (rest = judge_span(head.to, item.to); rest.from < rest.to
         && !judge_draft_dash(rest.from); rest.from++) { /* void */ }

    /* "Tone: calm" is described by "calm", unless the label says no to it. */
    if (frame.from == frame.to && judge_draft_says(rest)
        && !judge_span_negated(judge_span(item.from, rest.from))
        && judge_span_words(judge_span(body.from, rest.from))
           <= JUDGE_DRAFT_LABEL)
    {
        body = judge_span_trim(rest);
    }

    name = judge_span_text(head);
    a = judge_span_text(frame);
    b = judge_span_text(body);
    description = (a.len == 0) ? b
                  : (frame.to == body.from)
                  ? judge_span_text(judge_span(frame.from, body.to))
                  : judge_str_printf(p->arena, "%.*s %.*s", (int) a.len,
                                     a.data, (int) b.len, b.data);
    name = judge_span_negated(frame) ? description : name;
    a = judge_span_text(p->group);

    if (a.len > 0) {
        description = judge_str_printf(p->arena, "%.*s: %.*s", (int) a.len,
                                       a.data, (int) description.len,
                                       description.data);
        name = judge_span_negated(p->group) ? description : name;
    }

    f = judge_draft_put(p, item, name, description, w);

    if (f != NULL) {
        f->strict = judge_has(frame, STRICT) || judge_has(item, STRICT);
        f->lenient = judge_has(frame, LENIENT) || judge_has(item, LENIENT);
    }

    return f;
}
