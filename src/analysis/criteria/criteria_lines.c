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
#define JUDGE_TABLE_COLUMNS  12

enum { JUDGE_COLUMN_NAME = 1, JUDGE_COLUMN_WEIGHT, JUDGE_COLUMN_TEXT,
       JUDGE_COLUMN_NUMBER };

typedef enum {
    JUDGE_LINE_EMPTY, JUDGE_LINE_TEXT, JUDGE_LINE_BULLET, JUDGE_LINE_HEADING
} judge_line_kind_e;

typedef struct {
    judge_line_kind_e  kind;
    judge_span_t       at;
    size_t             indent;
} judge_line_t;

typedef struct {
    judge_line_t  *line;               /* the last is empty */
    size_t         n;
} judge_lines_t;

typedef struct {
    judge_span_t   cell[JUDGE_TABLE_COLUMNS];
    size_t         n;
} judge_row_t;


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

    } else if (to - t > 2
               && (t->kind == JUDGE_TERM_NUMBER || t->text.len == 1)
               && t->kind != JUDGE_TERM_MARK
               && (t[1].mark == '.' || t[1].mark == ')'))
    {
        line->kind = JUDGE_LINE_BULLET;
        line->at.from += 2;

    } else if (to - t > 3 && t->mark == '(' && t[2].mark == ')'
               && (t[1].kind == JUDGE_TERM_NUMBER || t[1].text.len == 1))
    {
        line->kind = JUDGE_LINE_BULLET;
        line->at.from += 3;
    }

    if (line->kind == JUDGE_LINE_HEADING) {
        line->at = judge_span_trim(line->at);

        while (line->at.from < line->at.to && line->at.from->mark == '#') {
            line->at.from++;
        }
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
        if (t < p->tokens.to && t->mark != '\n') {
            continue;
        }

        lines->line[lines->n].at = judge_span(from, t);
        judge_line_read(&lines->line[lines->n++], begin);

        if (t < p->tokens.to) {
            begin = t->text.data + 1;
            from = t + 1;
        }
    }

    /* Tables look at the line after the last one, too: it is empty. */
    lines->line[lines->n] = (judge_line_t) {
        .kind = JUDGE_LINE_EMPTY,
        .at = judge_span(p->tokens.to, p->tokens.to)
    };

    return JUDGE_OK;
}


/* The last cell takes what is beyond the last column. */

static void
judge_row_read(judge_span_t s, char mark, size_t columns, judge_row_t *row)
{
    judge_term_t  *t, *from;

    if (mark == '|') {                 /* at the ends, too */
        while (s.from < s.to && s.from->mark == '|') { s.from++; }
        while (s.from < s.to && s.to[-1].mark == '|') { s.to--; }
    }

    for (row->n = 0, t = from = s.from; t <= s.to; t++) {
        if (t == s.to || (t->depth == 0 && t->kind == JUDGE_TERM_MARK
                          && t->mark == mark && row->n + 1 < columns))
        {
            row->cell[row->n++] = judge_span_trim(judge_span(from, t));
            from = t + 1;
        }
    }
}


/* The columns by their headings, or else by what is in them; false: the first
 * row is none of headings. */

static bool
judge_table_columns(const judge_row_t *head, const judge_row_t *first,
    unsigned *roles)
{
    size_t         i, named = 0, weights = 0;
    judge_weigh_t  w;
    judge_term_t  *t;

    memset(roles, 0, JUDGE_TABLE_COLUMNS * sizeof(unsigned));

    for (i = 0; i < head->n; i++) {
        t = judge_span_find(head->cell[i], JUDGE_CLASS_COLUMN);

        if (t == head->cell[i].from && t < head->cell[i].to
            && judge_span_words(head->cell[i]) < 5
            && !judge_weigh_cell(head->cell[i], &w))
        {
            roles[i] = (unsigned) t->value;
            named++;
        }
    }

    for (i = 0; i < first->n; i++) {
        if (judge_weigh_cell(first->cell[i], &w)) {
            weights++;
            roles[i] = (roles[i] == 0 && named < 2) ? JUDGE_COLUMN_WEIGHT
                                                    : roles[i];
        }
    }

    if (roles[0] == JUDGE_COLUMN_WEIGHT && weights > 1 && named < 2) {
        roles[0] = JUDGE_COLUMN_NUMBER;
    }

    return named == head->n
           || (named > 0 && weights > 0
               && !judge_weigh_cell(head->cell[0], &w)
               && !judge_weigh_cell(head->cell[head->n - 1], &w));
}


static void
judge_table_row(judge_prose_t *p, const judge_row_t *row,
    const judge_row_t *head, const unsigned *roles)
{
    size_t         i, name, texts;
    judge_buf_t    text;
    judge_span_t   s;
    judge_weigh_t  w, cell;

    w = (judge_weigh_t) { .share = 0 };
    judge_buf_init(&text, p->arena);

    for (i = texts = 0, name = row->n; i < row->n; i++) {
        name = (roles[i] == JUDGE_COLUMN_NAME || (roles[i] % 3 == 0
                && name == row->n)) ? ((name == row->n
                                        || roles[name] != JUDGE_COLUMN_NAME)
                                       ? i : name) : name;
        texts += roles[i] % 3 == 0;
    }

    if (name == row->n || judge_begins(row->cell[name], TOTAL)
        || judge_span_words(row->cell[name]) == 0)
    {
        return;
    }

    for (i = 0; i < row->n; i++) {
        s = row->cell[i];

        if (roles[i] == JUDGE_COLUMN_WEIGHT && judge_weigh_cell(s, &cell)) {
            w = cell;

        } else if (i != name && roles[i] != JUDGE_COLUMN_NUMBER
                   && judge_span_words(s) > 0)
        {
            judge_buf_c(&text, text.len ? "; " : "");

            if (head != NULL && i < head->n && (roles[i] == 0 && texts > 1)
                && judge_span_words(head->cell[i]) > 0)
            {
                judge_buf_str(&text, judge_span_text(head->cell[i]));
                judge_buf_c(&text, ": ");
            }

            judge_buf_str(&text, judge_span_text(s));
        }
    }

    s = row->cell[name];

    if (w.share + w.points + w.factor == 0) {
        (void) judge_weigh_read(s, &w, false);
    }

    if (judge_span_negated(s) && text.len > 0) {
        judge_buf_c(&text, "; ");
        judge_buf_str(&text, judge_span_text(s));
    }

    (void) judge_draft_row(p, s, judge_buf_view(&text), &w);
}


/* How many lines from i on are a table; 0: there is none. */

static size_t
judge_table_read(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    bool           head = false;
    size_t         k, n, next;
    unsigned       roles[JUDGE_TABLE_COLUMNS];
    judge_row_t    first, row, second;
    const char    *mark;
    judge_weigh_t  w;

    for (next = i + 1; next < lines->n
         && lines->line[next].kind == JUDGE_LINE_EMPTY
         && lines->line[next].at.from < lines->line[next].at.to; next++)
    { /* void: "|---|---|" */ }

    for (mark = "\t|;,"; *mark; mark++) {
        judge_row_read(lines->line[i].at, *mark, JUDGE_TABLE_COLUMNS, &first);
        judge_row_read(lines->line[next].at, *mark, first.n, &second);

        if (first.n < 2 || second.n != first.n) {
            continue;
        }

        head = judge_table_columns(&first, &second, roles);

        for (k = n = 0; k < first.n; k++) {
            n += judge_weigh_cell(first.cell[k], &w)
                 && judge_weigh_cell(second.cell[k], &w);
        }

        if (head || n > 0 || *mark == '|' || *mark == '\t') {
            break;
        }
    }

    if (*mark == '\0') {
        return 0;
    }

    for (k = i + (head || next > i + 1); k < lines->n; k++) {
        judge_row_read(lines->line[k].at, *mark, first.n, &row);

        if (row.n < 2 && lines->line[k].at.from < lines->line[k].at.to
            && lines->line[k].kind == JUDGE_LINE_EMPTY)
        {
            continue;
        }

        if (row.n < 2) {
            break;
        }

        judge_table_row(p, &row, (head || next > i + 1) ? &first : NULL,
                        roles);
    }

    return k - i;
}


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


/* "Dear all," and "Kind regards," with what follows it. */

static judge_span_t
judge_line_greeting(judge_span_t s)
{
    judge_term_t  *t;

    for (t = s.from; judge_begins(s, HELLO) && t < s.to; t++) {
        if (t - s.from > JUDGE_LINE_ITEM) {
            break;
        }

        if (t + 1 == s.to || (t->kind == JUDGE_TERM_MARK && t->mark != '&'
                              && t->mark != '(' && t->mark != '~'))
        {
            s.from = t + 1;
            break;
        }
    }

    return s;
}


static bool
judge_line_closing(const judge_lines_t *lines, size_t i)
{
    size_t  k;

    if (i == 0 || !judge_begins(lines->line[i].at, REGARDS)
        || judge_span_words(lines->line[i].at) > 5)
    {
        return false;
    }

    for (k = i + 1; k < lines->n && k < i + 8; k++) {
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

    return (i < lines->n) ? &lines->line[i] : NULL;
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


/* The heading of a list: nothing by itself, or it holds for each item. */

static void
judge_line_group(judge_prose_t *p, judge_span_t s)
{
    s = judge_span_trim(s);

    if (judge_span_negated(s) || (judge_span_words(s) <= JUDGE_LINE_GROUP
                                  && !judge_has(s, JUDGE)
                                  && !judge_has(s, ABOUT)))
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
    judge_span_t   s = lines->line[i].at;

    for (from = i + 1; from < lines->n
         && lines->line[from].kind == JUDGE_LINE_EMPTY; from++)
    { /* void */ }

    for (k = from; k < lines->n && (lines->line[k].kind == JUDGE_LINE_TEXT
                                    || lines->line[k].kind
                                       == JUDGE_LINE_EMPTY); k++)
    { /* void */ }

    if (judge_has(s, JUDGE) || judge_has(s, ABOUT)) {
        return i + 1;
    }

    if (k == from || (k < lines->n
                      && lines->line[k].kind == JUDGE_LINE_BULLET))
    {
        if (k == from && k < lines->n
            && lines->line[k].kind == JUDGE_LINE_BULLET)
        {
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
judge_line_text(judge_prose_t *p, const judge_lines_t *lines, size_t i)
{
    bool           listed;
    size_t         k;
    judge_span_t   s;
    judge_line_t  *next, *line = &lines->line[i];

    next = judge_line_after(lines, i);
    k = judge_line_extend(lines, i);
    s = judge_span(line->at.from, lines->line[k - 1].at.to);

    if (s.to[-1].mark == ':' && next != NULL && k == i + 1) {
        if (next->kind == JUDGE_LINE_BULLET || judge_line_short(next)) {
            judge_line_group(p, s);
        }

        return k;
    }

    listed = k == i + 1 && judge_line_short(line)
             && (judge_line_short(line + 1)
                 || (i > 0 && judge_line_short(line - 1)));

    if (listed && judge_span_words(s) > 1
        && memchr(judge_span_text(s).data, ',', judge_span_text(s).len)
           == NULL)
    {
        judge_clause_item(p, s);

    } else {
        judge_line_sentences(p, s, next != NULL);
    }

    return k;
}


void
judge_criteria_lines(judge_prose_t *p)
{
    size_t         i, k, n;
    judge_span_t   none = { NULL, NULL };
    judge_lines_t  lines = { .n = 0 };

    if (judge_lines_divide(p, &lines) != JUDGE_OK) {
        p->failed = true;
        return;
    }

    for (i = 0; i < lines.n && lines.line[i].kind == JUDGE_LINE_EMPTY; i++) {
        /* void */
    }

    if (i < lines.n) {
        lines.line[i].at = judge_line_greeting(lines.line[i].at);
    }

    for (/* void */; i < lines.n && !p->failed; i = k) {
        k = i + 1;

        if (judge_span_words(lines.line[i].at) == 0) {
            continue;
        }

        if (judge_line_closing(&lines, i)) {
            break;
        }

        n = judge_table_read(p, &lines, i);

        if (n > 0) {
            k = i + n;

        } else if (lines.line[i].kind == JUDGE_LINE_BULLET) {
            k = judge_line_extend(&lines, i);
            judge_clause_item(p, judge_span(lines.line[i].at.from,
                                            lines.line[k - 1].at.to));
            continue;                  /* the heading holds for the next one */

        } else if (lines.line[i].kind == JUDGE_LINE_HEADING) {
            p->group = none;
            k = judge_line_heading(p, &lines, i);
            continue;

        } else {
            k = judge_line_text(p, &lines, i);

            if (lines.line[k - 1].at.to[-1].mark == ':'
                || judge_line_short(&lines.line[i]))
            {
                continue;
            }
        }

        p->group = none;
    }
}
