/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of a description: items of lists, headings, rows of tables,
 * paragraphs of sentences, and what frames a letter.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_LINE_WRAPPED   50        /* bytes, as long as a line that goes on
                                          in the next one */
#define JUDGE_LINE_ITEM      8         /* words of an item without a bullet */
#define JUDGE_LINE_GROUP     4         /* words of a heading of items */
#define JUDGE_LINE_HELLO     6         /* of a greeting */
#define JUDGE_LINE_REGARDS   5         /* of a closing */

typedef struct {
    judge_line_t  *line;               /* the last is empty */
    size_t         n, heads;           /* how many are headings of items */
} judge_lines_t;


/* Without its bullet or number. */

static void
judge_line_read(judge_line_t *line, const char *begin)
{
    judge_term_t  *t = line->at.from, *to = line->at.to;

    line->kind = (judge_span_words(line->at) == 0) ? JUDGE_LINE_EMPTY
                                                   : JUDGE_LINE_TEXT;
    line->indent = (size_t) (t->text.data - begin);

    if (to - t < 2) {
        return;
    }

    if (t->mark == '#') {
        line->kind = JUDGE_LINE_HEADING;

    } else if (t->mark == '-' || t->mark == '*' || t->mark == '+'
               || t->mark == '~')
    {
        line->kind = JUDGE_LINE_BULLET;
        line->at.from++;

    } else {
        t += t->mark == '(';           /* "1.", "a)", "(1)", not "J. Doe" */

        if (to - t > 2 && t->kind != JUDGE_TERM_MARK
            && (t->kind == JUDGE_TERM_NUMBER
                || (t->text.len == 1 && *t->text.data == *t->low.data))
            && (t[1].mark == ')' || (t[1].mark == '.'
                                     && t == line->at.from)))
        {
            line->kind = JUDGE_LINE_BULLET;
            line->at.from = t + 2;
        }
    }

    if (line->kind == JUDGE_LINE_HEADING) {
        line->at = judge_span_trim(line->at);

        while (line->at.from < line->at.to && line->at.from->mark == '#') {
            line->at.from++;
        }
    }
}


/* Whether item n of a list that is written on begins: "1) clear 2) short". */

static bool
judge_line_item(const judge_term_t *t, const judge_term_t *to, double n,
    bool first)
{
    return t + 2 < to && t->kind == JUDGE_TERM_NUMBER && t->depth == 0
           && t->value == n && t[2].kind == JUDGE_TERM_WORD
           && (t[1].mark == ')' || (t[1].mark == '.' && (n > 1 || first)));
}


static judge_rc_e
judge_lines_divide(judge_prose_t *p, judge_lines_t *lines)
{
    bool           item;
    size_t         n;
    double         next = 1;
    const char    *begin;
    judge_term_t  *t, *from;

    for (t = p->tokens.from, n = 1; t < p->tokens.to; t++) {
        n += t->mark == '\n' || t->kind == JUDGE_TERM_NUMBER;
    }

    lines->line = judge_array_alloc(p->arena, n + 1, sizeof(judge_line_t));
    if (lines->line == NULL) {
        return JUDGE_NOMEM;
    }

    begin = p->tokens.from->text.data;

    for (t = from = p->tokens.from; t <= p->tokens.to; t++) {
        item = judge_line_item(t, p->tokens.to, next, t == from);
        next += item;

        if (t < p->tokens.to && t->mark != '\n' && (!item || t == from)) {
            continue;
        }

        lines->line[lines->n].at = judge_span(from, t);
        judge_line_read(&lines->line[lines->n++], begin);
        from = t + !item;

        if (t < p->tokens.to) {
            begin = item ? t->text.data : t->text.data + 1;
            next = item ? next : 1;
        }
    }

    /* Tables look at the line after the last one, too: it is empty. */
    lines->line[lines->n] = (judge_line_t) {
        .kind = JUDGE_LINE_EMPTY,
        .at = judge_span(p->tokens.to, p->tokens.to)
    };

    return JUDGE_OK;
}


static bool
judge_line_stops(const judge_term_t *t, const judge_term_t *to)
{
    bool  small;

    if (t->kind != JUDGE_TERM_MARK || t->depth > 0
        || memchr(".!?", t->mark, 3) == NULL)
    {
        return false;
    }

    if (t->mark != '.' || t + 1 == to) {
        return true;
    }

    small = t[1].kind == JUDGE_TERM_NUMBER
            || (t[1].kind == JUDGE_TERM_WORD
                && *t[1].text.data == *t[1].low.data);

    return memchr(t[-1].text.data, '.', t[-1].text.len) == NULL
           && !judge_is(t - 1, EXAMPLE)
           && !(small && (judge_is(t - 1, LIMIT) || t[-1].text.len < 3));
}


static void
judge_line_sentences(judge_prose_t *p, judge_span_t s, bool more)
{
    judge_term_t  *t, *from;

    for (t = from = s.from; t < s.to && !p->failed; t++) {
        if (t + 1 == s.to || (t > from && judge_line_stops(t, s.to))) {
            judge_clause_sentence(p, judge_span(from, t + 1),
                                  more || t + 1 < s.to);
            from = t + 1;
        }
    }
}


/* "Dear all," and "Hi Ann! How are you?"; what asks for something is none. */

static void
judge_line_greeting(judge_prose_t *p, judge_line_t *line)
{
    judge_term_t  *t;
    judge_span_t   s = line->at;

    if (!judge_begins(s, HELLO)) {
        return;
    }

    p->letter = true;

    if (judge_span_words(s) <= JUDGE_LINE_HELLO && !judge_has(s, MODAL)
        && !judge_has(s, BE) && !judge_has(s, JUDGE)
        && !judge_span_negated(s))
    {
        line->at.from = s.to;
        return;
    }

    for (t = s.from; t < s.to && t - s.from <= JUDGE_LINE_ITEM; t++) {
        if (t->kind == JUDGE_TERM_MARK && t->mark != '&' && t->mark != '('
            && t->mark != '~')
        {
            line->at.from = t + 1;
            break;
        }
    }
}


/* "Kind regards," with the names behind it. */

static bool
judge_line_closing(const judge_lines_t *lines, size_t i)
{
    size_t  k;

    if (i == 0 || !judge_begins(lines->line[i].at, REGARDS)
        || judge_span_words(lines->line[i].at) > JUDGE_LINE_REGARDS)
    {
        return false;
    }

    for (k = i + 1; k < lines->n && k < i + JUDGE_LINE_ITEM; k++) {
        if (lines->line[k].kind > JUDGE_LINE_TEXT
            || judge_span_words(lines->line[k].at) > JUDGE_LINE_ITEM)
        {
            return false;
        }
    }

    return k == lines->n;
}


static judge_line_t *
judge_line_after(const judge_lines_t *lines, size_t i)
{
    while (++i < lines->n && lines->line[i].kind == JUDGE_LINE_EMPTY) {
        /* void */
    }

    return &lines->line[i];            /* the last is empty */
}


static bool
judge_line_short(const judge_line_t *line)
{
    return line->kind == JUDGE_LINE_TEXT
           && judge_span_words(line->at) <= JUDGE_LINE_ITEM
           && memchr(".!?:", line->at.to[-1].mark, 4) == NULL;
}


/* What belongs to the line: lines that go on, or that are below an item. */

static size_t
judge_line_extend(const judge_lines_t *lines, size_t i)
{
    size_t               k;
    const judge_line_t  *line = &lines->line[i], *next;

    for (k = i + 1; k < lines->n; k++) {
        next = &lines->line[k];

        if (next->kind == JUDGE_LINE_EMPTY || next->kind == JUDGE_LINE_HEADING
            || (line->kind == JUDGE_LINE_TEXT
                && next->kind == JUDGE_LINE_BULLET)
            || (next->indent <= line->indent
                && (next->kind == JUDGE_LINE_BULLET
                    || judge_span_text(next[-1].at).len < JUDGE_LINE_WRAPPED
                    || memchr(".!?:", next[-1].at.to[-1].mark, 4) != NULL)))
        {
            break;
        }
    }

    return k;
}


/* Whether the line is the heading of the items below it. */

static bool
judge_line_heads(const judge_lines_t *lines, size_t i)
{
    const judge_line_t  *line = &lines->line[i], *next;

    if (line->kind != JUDGE_LINE_TEXT && line->kind != JUDGE_LINE_HEADING) {
        return false;
    }

    next = judge_line_after(lines, i);

    if (line->kind == JUDGE_LINE_HEADING) {
        return next->kind == JUDGE_LINE_BULLET;
    }

    return ((line->at.to[-1].mark == ':'
                && (next->kind == JUDGE_LINE_BULLET
                    || judge_line_short(next)))
            || (judge_line_short(line) && next == line + 1
                && next->kind == JUDGE_LINE_BULLET));
}


/* It holds for each item if it says no, or tells them from those below another
 * heading. */

static void
judge_line_group(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    judge_span_t  s;

    s = judge_span_trim(lines->line[i].at);

    if (judge_span_negated(s) || (lines->heads > 1 && !judge_has(s, JUDGE)
                                  && !judge_has(s, ABOUT)
                                  && judge_span_words(s) <= JUDGE_LINE_GROUP))
    {
        p->group = s;
    }
}


/* "# Tone", and the paragraph below it. */

static size_t
judge_line_heading(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    size_t         k, from;
    judge_weigh_t  w;
    judge_span_t   below, s = lines->line[i].at;

    from = (size_t) (judge_line_after(lines, i) - lines->line);

    for (k = from; k < lines->n
         && lines->line[k].kind <= JUDGE_LINE_TEXT; k++) { /* void */ }

    if (k == from || judge_has(s, JUDGE) || judge_has(s, ABOUT)
        || lines->line[k].kind == JUDGE_LINE_BULLET)
    {
        return i + 1;
    }

    s = judge_span_trim(s);
    below = judge_span(lines->line[from].at.from, lines->line[k - 1].at.to);
    (void) judge_weigh_read(s, &w, false);
    (void) judge_draft_put(p, s, judge_span_text(s),
                           judge_span_text(judge_span_trim(below)), &w);

    return k;
}


static size_t
judge_line_text(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    size_t         k;
    judge_span_t   s;
    judge_line_t  *line = &lines->line[i];

    k = judge_line_extend(lines, i);
    s = judge_span(line->at.from, lines->line[k - 1].at.to);

    if (k == i + 1 && judge_line_short(line) && judge_span_words(s) > 1
        && (judge_line_short(line + 1)
            || (i > 0 && judge_line_short(line - 1)))
        && memchr(judge_span_text(s).data, ',', judge_span_text(s).len)
           == NULL)
    {
        judge_clause_item(p, s);       /* one of several short lines */

    } else {
        judge_line_sentences(p, s, judge_line_after(lines, i)
                                   < lines->line + lines->n);
    }

    return k;
}


/* One line with what belongs to it; returns the next one. */

static size_t
judge_line_take(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    size_t         k;
    judge_line_t  *line = &lines->line[i];

    k = judge_rows_read(p, line, lines->n - i);

    if (k > 0) {
        p->group = (judge_span_t) { NULL, NULL };
        return i + k;
    }

    if (line->kind == JUDGE_LINE_BULLET) {
        k = judge_line_extend(lines, i);
        judge_clause_item(p, judge_span(line->at.from,
                                        lines->line[k - 1].at.to));
        return k;
    }

    if (!judge_line_short(line)) {     /* else it may be one of the items */
        p->group = (judge_span_t) { NULL, NULL };
    }

    if (judge_line_heads(lines, i)) {
        p->group = (judge_span_t) { NULL, NULL };
        judge_line_group(p, lines, i);
        return i + 1;
    }

    return (line->kind == JUDGE_LINE_HEADING)
           ? judge_line_heading(p, lines, i) : judge_line_text(p, lines, i);
}


void
judge_criteria_lines(judge_prose_t *p)
{
    size_t         i, k;
    judge_lines_t  lines = { .n = 0 };

    if (judge_lines_divide(p, &lines) != JUDGE_OK) {
        p->failed = true;
        return;
    }

    i = (size_t) (judge_line_after(&lines, (size_t) -1) - lines.line);
    judge_line_greeting(p, &lines.line[i]);

    for (k = i; k < lines.n; k++) {
        lines.heads += judge_line_heads(&lines, k);
    }

    while (i < lines.n && !p->failed && !judge_line_closing(&lines, i)) {
        i = (judge_span_words(lines.line[i].at) == 0)
            ? i + 1 : judge_line_take(p, &lines, i);
    }
}
