/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */


/*
 * The lines of a description: rows of tables, items of lists, headings,
 * paragraphs of sentences, and what frames a letter.
 */


#include <string.h>

#include "analysis/criteria/criteria_parts.h"


#define JUDGE_LINE_WRAPPED  50         /* bytes, as long as a line that goes on
                                          in the next one */
#define JUDGE_LINE_ITEM     8          /* words of an item without a bullet */
#define JUDGE_LINE_NAME     4          /* words of a heading, or a signature */


/* Without its bullet or number. */

static void
judge_line_read(judge_line_t *line, const char *begin)
{
    judge_term_t  *t = line->at.from, *number;

    line->kind = judge_span_words(line->at) ? JUDGE_LINE_TEXT
                                            : JUDGE_LINE_EMPTY;
    line->indent = (size_t) (t->text.data - begin);
    number = t + (t->mark == '(');

    if (line->kind == JUDGE_LINE_EMPTY) {
        return;
    }

    if (t->mark == '#') {
        line->kind = JUDGE_LINE_HEADING;

        while (line->at.from->mark == '#') {
            line->at.from++;
        }

    } else if (t->mark == '-' || t->mark == '*' || t->mark == '+'
               || t->mark == '~')
    {
        line->kind = JUDGE_LINE_BULLET;
        line->at.from++;

    } else if (line->at.to - number > 2 && number->kind != JUDGE_TERM_MARK
               && (number->kind == JUDGE_TERM_NUMBER || number->text.len == 1)
               && (number[1].mark == ')'
                   || (number == t && number[1].mark == '.')))
    {
        line->kind = JUDGE_LINE_BULLET;
        line->at.from = number + 2;
    }
}


static judge_rc_e
judge_lines_divide(judge_prose_t *p, judge_lines_t *lines)
{
    size_t         n;
    const char    *begin;
    judge_term_t  *t, *from;

    for (t = p->tokens.from, n = 1; t < p->tokens.to; t++) {
        n += t->mark == '\n';
    }

    lines->line = judge_array_alloc(p->arena, n + 1, sizeof(judge_line_t));
    if (lines->line == NULL) {
        return JUDGE_NOMEM;
    }

    begin = p->tokens.from->text.data;

    for (t = from = p->tokens.from; t <= p->tokens.to; t++) {
        if (t == p->tokens.to || t->mark == '\n') {
            lines->line[lines->n].at = judge_span(from, t);
            judge_line_read(&lines->line[lines->n++], begin);
            begin = (t < p->tokens.to) ? t->text.data + 1 : begin;
            from = t + 1;
        }
    }

    lines->line[lines->n] = (judge_line_t) {
        .kind = JUDGE_LINE_EMPTY,
        .at = judge_span(p->tokens.to, p->tokens.to)
    };

    return JUDGE_OK;
}


/* A full stop that ends a sentence: not that of "e.g. this" or "No. 5". */

static bool
judge_line_stops(const judge_term_t *t, const judge_term_t *to)
{
    if (t->kind != JUDGE_TERM_MARK || t->depth > 0
        || memchr(".!?", t->mark, 3) == NULL)
    {
        return false;
    }

    return t->mark != '.' || t + 1 == to
           || (!judge_is(t - 1, LIMIT) && !judge_is(t - 1, EXAMPLE)
               && memchr(t[-1].text.data, '.', t[-1].text.len) == NULL
               && (t[-1].text.len > 2 || t[1].kind != JUDGE_TERM_WORD
                   || *t[1].text.data != *t[1].low.data));
}


/* "Bises, Chloé" at the end of a letter. */

static bool
judge_line_signs(const judge_lines_t *lines, judge_span_t s)
{
    return (lines->letter || judge_begins(s, REGARDS))
           && judge_span_words(s) < JUDGE_LINE_NAME
           && !judge_span_negated(s);
}


static void
judge_line_sentences(judge_prose_t *p, const judge_lines_t *lines,
    judge_span_t s, bool more)
{
    judge_term_t  *t, *from;

    for (t = from = s.from; t < s.to && !p->failed; t++) {
        if (t + 1 == s.to && from > s.from && !more
            && judge_line_signs(lines, judge_span(from, s.to)))
        {
            return;
        }

        if (t + 1 == s.to || (t > from && judge_line_stops(t, s.to))) {
            judge_clause_sentence(p, judge_span(from, t + 1),
                                  more || t + 1 < s.to);
            from = t + 1;
        }
    }
}


/* "Dear all," */

static void
judge_line_greeting(judge_lines_t *lines, judge_line_t *line)
{
    judge_term_t  *t, *from = line->at.from;

    lines->letter = judge_begins(line->at, HELLO);

    for (t = from; lines->letter && t < line->at.to
         && t - from <= JUDGE_LINE_ITEM; t++)
    {
        if (t + 1 == line->at.to
            || (t->kind == JUDGE_TERM_MARK && t->mark != '&'
                && t->mark != '(' && t->mark != '~'))
        {
            line->at.from = t + 1;
            return;
        }
    }
}


/* The end of a letter: "Kind regards," or a name, and short lines alone. */

static bool
judge_line_closing(const judge_lines_t *lines, size_t i)
{
    size_t  k, max;

    if (i == 0 || judge_span_words(lines->line[i].at) > JUDGE_LINE_NAME) {
        return false;
    }

    max = judge_begins(lines->line[i].at, REGARDS) ? JUDGE_LINE_ITEM
          : (lines->letter && lines->line[i - 1].kind == JUDGE_LINE_EMPTY)
            ? JUDGE_LINE_NAME : 0;

    for (k = i; k < lines->n && k < i + 8; k++) {
        if (lines->line[k].kind > JUDGE_LINE_TEXT
            || judge_span_words(lines->line[k].at) > max)
        {
            return false;
        }
    }

    return k == lines->n;
}


static size_t
judge_line_after(const judge_lines_t *lines, size_t i)
{
    while (++i < lines->n && lines->line[i].kind == JUDGE_LINE_EMPTY) {
        /* void */
    }

    return i;
}


static bool
judge_line_ends(const judge_line_t *line)
{
    return memchr(".!?:", line->at.to[-1].mark, 4) != NULL;
}


static bool
judge_line_short(const judge_line_t *line)
{
    return line->kind == JUDGE_LINE_TEXT && !judge_line_ends(line)
           && judge_span_words(line->at) <= JUDGE_LINE_ITEM;
}


static bool
judge_line_weighed(const judge_line_t *line)
{
    judge_weigh_t  w;

    return line->kind != JUDGE_LINE_EMPTY
           && judge_weigh_read(line->at, &w, true);
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
                    || judge_line_ends(next - 1))))
        {
            break;
        }
    }

    return k;
}


/* The heading of a list is nothing by itself, or it holds for each item. */

static void
judge_line_group(judge_prose_t *p, judge_span_t s)
{
    s = judge_span_trim(s);

    if (judge_span_negated(s) || (judge_span_words(s) <= JUDGE_LINE_NAME
                                  && !judge_has(s, JUDGE)
                                  && !judge_has(s, ABOUT)))
    {
        p->group = s;
    }
}


/* "# Tone", and the paragraphs below it. */

static size_t
judge_line_heading(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    size_t         k, from;
    judge_weigh_t  w;
    judge_span_t   s = lines->line[i].at;

    from = k = judge_line_after(lines, i);

    while (k < lines->n && lines->line[k].kind <= JUDGE_LINE_TEXT) {
        k++;
    }

    if (k == from || judge_has(s, JUDGE) || judge_has(s, ABOUT)
        || (k < lines->n && lines->line[k].kind == JUDGE_LINE_BULLET))
    {
        if (k == from && lines->line[k].kind == JUDGE_LINE_BULLET) {
            judge_line_group(p, s);
        }

        return i + 1;
    }

    (void) judge_weigh_read(s, &w, false);
    (void) judge_draft_row(p, s,
                           judge_span_text(judge_span_trim(
                               judge_span(lines->line[from].at.from,
                                          lines->line[k - 1].at.to))), &w);

    return k;
}


static size_t
judge_line_text(judge_prose_t *p, const judge_lines_t *lines, size_t i,
    bool first)
{
    bool                 leads;
    size_t               k;
    judge_span_t         s;
    const judge_line_t  *next, *line = &lines->line[i];

    next = &lines->line[judge_line_after(lines, i)];
    k = judge_line_extend(lines, i);
    s = judge_span(line->at.from, lines->line[k - 1].at.to);
    leads = first && !judge_span_negated(s) && !judge_has(s, MODAL)
            && !judge_line_weighed(line);

    if (line->at.to[-1].mark == ':' && next->kind != JUDGE_LINE_EMPTY
        && k == i + 1)
    {
        if (next->kind == JUDGE_LINE_BULLET || judge_line_short(next)) {
            judge_line_group(p, s);
        }

    } else if (leads && (next->kind == JUDGE_LINE_BULLET
                         || (judge_line_short(line) && k == i + 1
                             && judge_line_weighed(line + 1)
                             && judge_line_weighed(line + 2))))
    {
        judge_criteria_note(p, JUDGE_SAY_PASSED_OVER,
                            judge_span_text(judge_span_trim(s)));

    } else if (k == i + 1 && judge_line_short(line)
               && (judge_line_short(line + 1)
                   || (i > 0 && judge_line_short(line - 1)))
               && judge_span_words(s) > 1
               && memchr(judge_span_text(s).data, ',', judge_span_text(s).len)
                  == NULL)
    {
        judge_clause_item(p, s);

    } else {
        judge_line_sentences(p, lines, s, next->kind != JUDGE_LINE_EMPTY);
    }

    return k;
}


void
judge_criteria_lines(judge_prose_t *p)
{
    size_t         i, k, n, first;
    judge_line_t  *line;
    judge_span_t   none = { NULL, NULL };
    judge_lines_t  lines = { .n = 0 };

    if (judge_lines_divide(p, &lines) != JUDGE_OK) {
        p->failed = true;
        return;
    }

    first = (lines.line[0].kind == JUDGE_LINE_EMPTY)
            ? judge_line_after(&lines, 0) : 0;
    judge_line_greeting(&lines, &lines.line[first]);
    first = judge_span_words(lines.line[first].at) ? first
            : judge_line_after(&lines, first);

    for (i = first; i < lines.n && !p->failed; i = k) {
        line = &lines.line[i];
        k = i + 1;

        if (judge_span_words(line->at) == 0) {
            continue;
        }

        if (judge_line_closing(&lines, i)) {
            break;
        }

        n = judge_rows_read(p, &lines, i);

        if (n > 0) {
            k = i + n;

        } else if (line->kind == JUDGE_LINE_BULLET) {
            k = judge_line_extend(&lines, i);
            judge_clause_item(p, judge_span(line->at.from,
                                            lines.line[k - 1].at.to));
            continue;                  /* the heading holds for the next one */

        } else if (line->kind == JUDGE_LINE_HEADING) {
            p->group = none;
            k = judge_line_heading(p, &lines, i);
            continue;

        } else {
            k = judge_line_text(p, &lines, i, i == first);

            if (lines.line[k - 1].at.to[-1].mark == ':'
                || judge_line_short(line))
            {
                continue;
            }
        }

        p->group = none;
    }
}
