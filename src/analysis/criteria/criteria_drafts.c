/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * A clause becomes a criterion: a head of it is the name, all of it, in the
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


/* The head of the clause, up to a bracket, a label's colon or a weight. */

static judge_span_t
judge_draft_head(judge_span_t s, bool weighed)
{
    bool           word;
    judge_term_t  *t;

    while (s.from < s.to && (s.from->used || judge_is(s.from, BE)
                             || (s.from->kind == JUDGE_TERM_MARK
                                 && s.from->depth == 0)
                             || (judge_is(s.from, CLAUSE)
                                 && s.from->value != 3)))
    {
        s.from++;
    }

    for (t = s.from, word = false; t < s.to; t++) {
        if (word && (t->used || judge_draft_dash(t) || t->mark == '\n'
                     || (t->kind == JUDGE_TERM_MARK && t->mark == '('
                         && t->depth == 1)))
        {
            break;
        }

        word |= t->kind != JUDGE_TERM_MARK;
    }

    s.to = t;

    while (weighed && s.to - s.from > 1
           && (judge_is(s.to - 1, GLUE) || judge_is(s.to - 1, MODAL)
               || s.to[-1].kind == JUDGE_TERM_MARK))
    {
        s.to--;
    }

    return judge_span_trim(s);
}


static bool
judge_draft_unused(judge_span_t s)
{
    for (/* void */; s.from < s.to; s.from++) {
        if (!s.from->used && s.from->kind != JUDGE_TERM_MARK
            && !judge_is(s.from, GLUE) && !judge_is(s.from, EACH))
        {
            return true;
        }
    }

    return false;
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


static judge_str_t
judge_draft_framed(judge_prose_t *p, judge_span_t frame, judge_span_t clause,
    judge_span_t behind)
{
    judge_str_t  a, b, c;

    if (behind.from == behind.to
        && (frame.from == frame.to || frame.to == clause.from))
    {
        return judge_span_text(judge_span((frame.from < frame.to)
                                          ? frame.from : clause.from,
                                          clause.to));
    }

    a = judge_span_text(frame);
    b = judge_span_text(clause);
    c = judge_span_text(behind);

    return judge_str_printf(p->arena, "%.*s%s%.*s%s%.*s", (int) a.len, a.data,
                            a.len ? " " : "", (int) b.len, b.data,
                            c.len ? " " : "", (int) c.len, c.data);
}


/* "Tone: polite and calm" is described by what is behind the colon, unless the
 * label says no to it. */

static judge_str_t
judge_draft_describe(judge_prose_t *p, judge_span_t frame, judge_span_t clause,
    judge_span_t behind, judge_span_t head, bool weighed)
{
    judge_span_t         rest, label;
    const judge_term_t  *colon;

    for (colon = head.to; colon < clause.to && !judge_draft_dash(colon);
         colon++) { /* void */ }

    rest = clause;
    rest.from += (colon < clause.to) ? colon + 1 - clause.from : 0;
    rest = judge_span_trim(rest);
    label = judge_span(clause.from, clause.from + (colon - clause.from));

    if (frame.from == frame.to && colon < clause.to && judge_draft_unused(rest)
        && !rest.from->used && !judge_span_negated(label)
        && judge_span_words(label) <= JUDGE_DRAFT_LABEL)
    {
        return judge_span_text(rest);
    }

    if (weighed && !judge_draft_unused(judge_span(clause.from, head.from))
        && !judge_draft_unused(judge_span(head.to, clause.to)))
    {
        clause = head;
    }

    return judge_draft_framed(p, frame, clause, behind);
}


/* A name stands once: the same clause again changes at most its weight. */

static judge_draft_t *
judge_draft_put(judge_prose_t *p, judge_str_t name, judge_str_t description,
    const judge_weigh_t *w)
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
        judge_criteria_note(p, JUDGE_SAY_LEFT_OUT, name);
        return NULL;
    }

    f = &p->found[p->nfound++];
    *f = (judge_draft_t) { .name = unique, .description = description,
                           .weigh = *w };
    p->failed |= unique.data == NULL;

    return f;
}


judge_draft_t *
judge_draft_add(judge_prose_t *p, judge_span_t frame, judge_span_t clause,
    judge_span_t behind, const judge_weigh_t *w)
{
    bool            weighed;
    judge_str_t     description;
    judge_str_t     name, group;
    judge_span_t    head;
    judge_draft_t  *f;

    clause = judge_span_trim(clause);
    weighed = w->share + w->points + w->factor > 0 || w->rest;
    head = judge_draft_head(clause, weighed);

    if (judge_span_words(head) == 0) {
        return NULL;
    }

    name = judge_span_text(head);
    description = judge_draft_describe(p, frame, clause, behind, head,
                                       weighed);
    name = judge_span_negated(frame) ? description : name;
    group = judge_span_text(p->group);

    if (group.len > 0) {
        description = judge_str_printf(p->arena, "%.*s: %.*s", (int) group.len,
                                       group.data, (int) description.len,
                                       description.data);
        name = judge_span_negated(p->group) ? description : name;
    }

    f = judge_draft_put(p, name, description, w);

    if (f != NULL) {
        f->at = clause;
        f->strict = judge_has(frame, STRICT) || judge_has(clause, STRICT);
        f->lenient = judge_has(frame, LENIENT) || judge_has(clause, LENIENT);
    }

    return f;
}


judge_draft_t *
judge_draft_row(judge_prose_t *p, judge_span_t name, judge_str_t description,
    const judge_weigh_t *w)
{
    judge_str_t     text;
    judge_draft_t  *f;

    text = judge_span_text(judge_span_trim(name));
    f = judge_draft_put(p, text, description.len ? description : text, w);

    if (f != NULL) {
        f->at = name;
    }

    return f;
}
